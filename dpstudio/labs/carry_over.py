"""What one lab takes over from those that were open before: parameters of the same name and
meaning, and the budget of the noise last used."""

from collections.abc import Iterator, Sequence
from typing import Any

from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import Additive
from dpstudio.values.parameters import Parameters, Real, Role, domains, roles, switch

# Parameters by which labs are driven from outside their panels.
NEIGHBOURS, ROW, SEED, TRUTH = "adjacency", "row", "seed", "show_truth"
_EPSILON, _DELTA = "epsilon", "delta"
_BUDGET = (_EPSILON, _DELTA)
_OF_THE_DRAWS = ("confidence", "trials", "aim", SEED)
# Where a lab keeps what spends its budget: a mechanism, a protocol, what it looks at, or itself.
_SPENDERS = ("mechanism", "protocol", "looks", "")


def carried(lab: Lab, visited: Sequence[Lab]) -> Lab:
    """`lab` with every parameter that it shares with the labs visited before, those visited last
    first.

    The budget is that of the noise last used: a choice by scores spends on another scale, so it
    neither gives one nor takes one.
    """
    own = {name for name, role in roles(type(lab)).items() if role.own}.union(_BUDGET)
    known = [
        {
            name: getattr(other, name)
            for name in domains(type(other))
            if not roles(type(other))[name].own and name not in own
        }
        for other in visited
    ]
    lab = switch(type(lab), *known, lab)
    spent: dict[str, Any] = {}
    for other in reversed(visited):
        spent |= budget(other)
    if hasattr(lab, "protocol"):
        return lab.with_(protocol=switch(type(lab.protocol), _reported(visited), lab.protocol))
    mechanism = getattr(lab, "mechanism", None)
    if isinstance(mechanism, Additive) and not lab.own_budget:
        return lab.with_(mechanism=switch(type(mechanism), spent, mechanism))
    return switch(type(lab), spent, lab) if budget(lab) else lab


def _reported(visited: Sequence[Lab]) -> dict[str, float]:
    """ε of the local protocol that was last in use: a report of one person spends on a scale of its
    own."""
    protocols = (other.protocol for other in visited if hasattr(other, "protocol"))
    return next(({_EPSILON: p.epsilon} for p in protocols if _EPSILON in domains(type(p))), {})


def budget(lab: Lab) -> dict[str, float]:
    """ε, and δ where there is one, of the noise that a lab adds; nothing in a lab that adds none,
    or keeps its ε to itself."""
    if lab.own_budget or hasattr(lab, "protocol"):
        return {}
    mechanism = getattr(lab, "mechanism", None)
    holder: Parameters = mechanism if isinstance(mechanism, Additive) else lab
    if isinstance(mechanism, Parameters) and holder is lab:
        return {}
    return {name: getattr(holder, name) for name in _BUDGET if name in domains(type(holder))}


def epsilon_path(lab: Lab) -> str:
    """The dotted path of the ε that a lab is turned by; empty where it has none."""
    for outer in _SPENDERS:
        holder = getattr(lab, outer, None) if outer else lab
        if isinstance(holder, Parameters) and _EPSILON in domains(type(holder)):
            return f"{outer}.{_EPSILON}".removeprefix(".")
    return ""


def lever_path(lab: Lab) -> str:
    """The dotted path of what a lab is turned by when it is presented: the parameter that leads,
    else its ε, else its first number that is not of how it is drawn or looked at, nor its aim;
    empty where it has none."""
    numbers = dict(_numbers(lab))
    leading = (path for path, role in numbers.items() if role.leads)
    first = (
        path
        for path, role in numbers.items()
        if not role.look and path.rpartition(".")[2] not in _OF_THE_DRAWS
    )
    return next(leading, "") or epsilon_path(lab) or next(first, "")


def _numbers(kind: Parameters, outer: str = "") -> Iterator[tuple[str, Role]]:
    """The dotted path and the role of each number that has a part, in the order of a panel."""
    for name, role in roles(type(kind)).items():
        if role.idle(kind):
            continue
        if isinstance(domains(type(kind)).get(name), Real):
            yield outer + name, role
        elif isinstance(held := getattr(kind, name), Parameters):
            yield from _numbers(held, f"{outer}{name}.")
