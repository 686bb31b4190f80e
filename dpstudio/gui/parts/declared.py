"""What is declared of a parameter, where it is: its domain and its role, and whether it plays a
part."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import N_
from dpstudio.values.params import Domain, Kind, Lockable, Role, domains, roles
from dpstudio.values.problem import Problem

# TO GO, with `_undeclared` and everything that asks it, once every lab declares this beside its
# parameters: name of the parameter -> (what is to be in its domain, what is to be in its role).
_More = tuple[dict[str, Any], dict[str, Any]]
_COLUMN: _More = ({}, {"of": ("column",)})
_EQUAL: _More = ({}, {"plays": ("given", "equal")})
_UNDECLARED: dict[str, _More] = {
    "confidence": ({"percent": True}, {}),
    "aim": ({"percent": True}, {}),
    "part": ({"editor": "coordinate"}, {}),
    "value": ({"empty": N_("from the bounds")}, {}),
    "more": ({"empty": N_("none")}, {}),
    "ranges": ({"empty": N_("from the data")}, {}),
    "answers": _EQUAL,
    "mechanism": _EQUAL,
    "view_k": _EQUAL,
    "releases": ({}, {"plays": ("given", "list")}),
    **dict.fromkeys(("low", "high", "attested", "centre", "grid_low", "grid_high"), _COLUMN),
}


def _undeclared(kind: type[Kind], name: str) -> _More:
    ours = kind.__module__.startswith("dpstudio.labs.")
    domain, role = _UNDECLARED.get(name, ({}, {})) if ours else ({}, {})
    return domain, role if {"column", "given"} & set(domains(kind)) else {}


_MADE: dict[tuple[type[Kind], str], tuple[Domain, Role]] = {}


def _declared(kind: type[Kind], name: str) -> tuple[Domain, Role]:
    found = _MADE.get((kind, name))
    if found is None:
        domain, (more, parts) = domains(kind)[name], _undeclared(kind, name)
        if more and more.keys() <= vars(domain).keys():
            domain = replace(domain, **more)
        found = _MADE[kind, name] = domain, replace(roles(kind)[name], **parts)
    return found


def domain_of(kind: type[Kind], name: str) -> Domain:
    """The domain of a parameter."""
    return _declared(kind, name)[0]


def role_of(kind: type[Kind], name: str) -> Role:
    """The role of a parameter."""
    return _declared(kind, name)[1]


def grave(problem: Problem, findings: Findings) -> bool:
    """Whether advice tells of a promise that does not hold. (TO GO: labs say it of the problem.)"""
    broken = any(s.key == "promise" and s.tone == "bad" for s in findings.sentences)
    return problem.grave or (broken and problem.field.split(".")[0] == "mechanism")


class _Locks(Lockable):
    """TO GO: the list of releases is Lockable itself."""

    def says_locked(self, text: str) -> bool:
        from dpstudio.labs.budget.composition.releases import says_locked

        return says_locked(text)

    def toggled(self, entry: Any) -> Any:
        from dpstudio.labs.budget.composition.releases import toggled

        return toggled(entry)

    def broken(self, before: Any, after: Any) -> Any | None:
        from dpstudio.labs.budget.composition.releases import broken

        return broken(before, after)


def locks_of(domain: Domain) -> Lockable | None:
    """The domain, where it is a list whose entries can be locked."""
    if type(domain).__name__ == "Releases" and not isinstance(domain, Lockable):  # TO GO
        return _Locks("")
    return domain if isinstance(domain, Lockable) else None


def plays(lab: Kind, path: str, data: Dataset | None = None) -> bool:
    """Whether a lab has the parameter at a dotted path, and neither it nor what holds it lies
    idle; on a table also whether the column that it is about is of its type."""
    held: Any = lab
    for name in path.split("."):
        kind = type(held)
        # What a Kind works out by itself is no parameter, though others of its family have it.
        if name not in domains(kind):
            return False
        role = role_of(kind, name)
        if role.plays is not None:
            other, wanted = role.plays
            if getattr(held, other, wanted) != wanted:
                return False
        if role.holds is not None and data is not None:
            column, types = getattr(held, role.holds[0]), role.holds[1]
            if data.has(column) and data.info(column).type not in types:
                return False
        held = getattr(held, name)
    return True
