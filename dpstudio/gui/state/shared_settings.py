"""What one lab takes over from those that were open before, and what is left of it where another
table could not answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.files.read.outcome import TableError
from dpstudio.labs import Lab
from dpstudio.privacy.mechanisms import Additive
from dpstudio.values.params import Kind, OneOf, ParamError, domains, find, switch

# What has the same name in several labs but is each lab's own choice.
_OWN = ("measure", "seed", "trials")
_BUDGET = ("epsilon", "delta")
# Bounds and categories belong to a column and are not carried from one to another.
_OF_A_COLUMN = (
    "low",
    "high",
    "edges",
    "dates",
    "categories",
    "groups",
    "down",
    "across",
    "ranges",
    "attested",
    "centre",
    "grid_low",
    "grid_high",
)


def carried(lab: Lab, visited: Sequence[Lab]) -> Lab:
    """`lab` with every parameter that it shares with the labs visited before, those visited last
    first.

    The budget is that of the noise last used: a choice by scores spends on another scale, so it
    neither gives one nor takes one.
    """
    known = [
        {name: getattr(other, name) for name in domains(type(other)) if name not in _OWN + _BUDGET}
        for other in visited
    ]
    lab = switch(type(lab), *known, lab)
    spent: dict[str, Any] = {}
    for other in reversed(visited):
        spent |= budget(other)
    if hasattr(lab, "protocol"):
        return lab.with_(protocol=switch(type(lab.protocol), _reported(visited), lab.protocol))
    mechanism = getattr(lab, "mechanism", None)
    if isinstance(mechanism, Additive):
        return lab.with_(mechanism=switch(type(mechanism), spent, mechanism))
    return switch(type(lab), spent, lab) if budget(lab) else lab


def _reported(visited: Sequence[Lab]) -> dict[str, float]:
    """ε of the local protocol that was last in use: a report of one person spends on a scale of its
    own."""
    protocols = (other.protocol for other in visited if hasattr(other, "protocol"))
    return next(({"epsilon": p.epsilon} for p in protocols if "epsilon" in domains(type(p))), {})


def budget(lab: Lab) -> dict[str, float]:
    """ε, and δ where there is one, of the noise that a lab adds; nothing in a lab that adds none,
    or keeps its ε to itself."""
    if lab.own_budget:
        return {}
    if hasattr(lab, "protocol"):
        return {}
    mechanism = getattr(lab, "mechanism", None)
    holder: Kind = mechanism if isinstance(mechanism, Additive) else lab
    if isinstance(mechanism, Kind) and holder is lab:
        return {}
    return {name: getattr(holder, name) for name in _BUDGET if name in domains(type(holder))}


def reads_table(lab: Lab) -> bool:
    """Whether a lab asks anything of a table."""
    return any(name in domains(type(lab)) for name in ("query", "column"))


def suited(lab: Lab, data: Dataset | None) -> Lab:
    """The lab fitted to a table; as it is where the file of the table is gone, which whoever runs
    it will say."""
    try:
        return lab.suited(data) if data is not None else lab
    except TableError:
        return lab


def asked_for(lab: Lab, given: Lab, wanted: Lab) -> Lab:
    """`lab` as it would be had the table not forced anything: `given` is what it made of `wanted`,
    edits since are kept."""
    names = domains(type(lab))
    try:
        return lab.with_(
            **{
                name: getattr(wanted, name)
                for name in names
                if getattr(lab, name) == getattr(given, name)
            }
        )
    except ParamError:
        return lab


class Memory:
    """What the Kinds of a family held before others were chosen, apart for every place that holds a
    Kind."""

    def __init__(
        self,
        shared: Mapping[tuple[str, str], Mapping[str, Any]] | None = None,
        whole: Mapping[Any, Kind] | None = None,
    ):
        self.shared: dict[tuple[str, str], dict[str, Any]] = {
            place: dict(held) for place, held in (shared or {}).items()
        }
        self.whole: dict[tuple[str, str, str], Kind] = dict(whole or {})

    def copy(self) -> Memory:
        return Memory(self.shared, self.whole)

    def keep(self, lab: Lab) -> None:
        """Remember the Kinds that a lab holds."""
        for path, domain in domains(type(lab)).items():
            kind = getattr(lab, path)
            if isinstance(domain, OneOf):
                self.whole[lab.key, path, kind.key] = kind
                held = {
                    name: getattr(kind, name)
                    for name in domains(type(kind))
                    if name not in _OF_A_COLUMN
                }
                self.shared.setdefault((lab.key, path), {}).update(held)

    def chosen(self, lab: Lab, path: str, domain: OneOf, key: str) -> Kind:
        """The Kind `key` for the place `path` of a lab: with what it shares with the one that is
        there, and what was set before.

        Members that stand apart come back as they were left, or as they start.
        """
        kind = find(domain.family(), key)
        if domain.apart:
            return self.whole.get((lab.key, path, key), kind())
        return switch(kind, getattr(lab, path), self.shared.get((lab.key, path), {}))
