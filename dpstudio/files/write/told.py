"""The parameters of a lab in words, as they stand below an exported chart."""

from collections.abc import Iterator
from typing import Any

from dpstudio.data.conditions import Condition
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import SEED, TRUTH
from dpstudio.privacy.queries import Query
from dpstudio.values import parameters
from dpstudio.values.messages import N_, Message, Translate, render, unchanged

# Where a parameter is told: after the question and the mechanism its budget, then the neighbours,
# then what is not as it starts; the draws come last.
_BUDGET, _NEIGHBOURS, _CHANGED, _DRAWS = 1, 2, 3, 4
JOINT = " · "
_SET_BY = {"budget": _BUDGET, "failure": _BUDGET, "elsewhere": _NEIGHBOURS}


def settings(lab: Lab, translate: Translate = unchanged) -> str:
    """The parameters that matter in one line."""
    return JOINT.join(set_to(lab, translate))


def set_to(lab: Lab, translate: Translate = unchanged) -> tuple[str, ...]:
    """The parameters that matter, one by one: the question, the mechanism with its budget, what is
    not as it starts, the seed. What only changes how it is looked at is not told."""
    known, start, ranks = parameters.domains(type(lab)), type(lab)(), dict[str, int]()
    for name, role in parameters.roles(type(lab)).items():
        if role.look or role.idle(lab) or (name == SEED and not getattr(lab, TRUTH, True)):
            continue
        if known[name].editor in _SET_BY:
            ranks[name] = _SET_BY[known[name].editor]
        elif role.in_caption or isinstance(getattr(lab, name), parameters.Parameters):
            ranks[name] = _DRAWS if role.own else 0
        elif getattr(lab, name) != getattr(start, name):
            ranks[name] = _CHANGED
    order = sorted(ranks, key=ranks.__getitem__)
    parts = (_setting(known[name], getattr(lab, name), translate) for name in order)
    return tuple(part for part in parts if part)


def _setting(domain: parameters.Domain, value: Any, translate: Translate) -> str:
    """One parameter with its value; empty where there is nothing to say of it."""
    if isinstance(value, parameters.Parameters):
        return _kind(value, translate)
    label, text = translate(domain.label).strip(), _value(domain, value, translate)
    if not (label and text):
        return text
    if isinstance(domain, parameters.Real | parameters.Integer):
        return f"{label} = {text}"
    return translate(N_("{what}: {name}")).format(what=label, name=text)


def _value(domain: parameters.Domain, value: Any, translate: Translate) -> str:
    if value is None:
        return render(Message(domain.empty), translate) if domain.empty else "–"
    if isinstance(domain, parameters.Several):
        return _listed([translate(domain.words[word]) for word in value], translate)
    if isinstance(domain, parameters.Choice):
        return translate(domain.words[value])
    if isinstance(domain, parameters.Flag):
        return translate("yes" if value else "no")
    ours = type(domain).said is not parameters.Domain.said  # may be words of ours
    if ours and translate is not unchanged:
        return render(domain.said(value), translate)
    return domain.told(value)


def _kind(kind: parameters.Parameters, translate: Translate) -> str:
    """A question as a person asks it, or a `Parameters` by its name, and its parameters: Laplace (ε
    = 0.1)."""
    head = translate(kind.label)
    if isinstance(kind, Query):
        head = render(kind.sentence(), translate)
    asks = isinstance(kind, Query)
    inner = _listed([*filter(None, _inner(kind, translate, sentence=asks))], translate)
    return translate(N_("{head} ({inner})")).format(head=head, inner=inner) if inner else head


def _listed(parts: list[str], translate: Translate) -> str:
    told = "".join(parts[:1])
    for part in parts[1:]:
        told = translate(N_("{names}, {name}")).format(names=told, name=part)
    return told


def _inner(kind: parameters.Parameters, translate: Translate, *, sentence: bool) -> Iterator[str]:
    """The parameters of a `Parameters` that are set and play a part, but for those that its
    `sentence` names."""
    for name, domain in parameters.domains(type(kind)).items():
        value = getattr(kind, name)
        named = sentence and isinstance(domain, parameters.Column | Condition)
        if parameters.roles(type(kind))[name].idle(kind) or named:
            continue
        if value is not None and domain.show(value) not in ("", "no"):
            yield _setting(domain, value, translate)
