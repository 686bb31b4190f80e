"""What a lab becomes where a table could not answer it as it is set, and what `Parameters` held
before others were chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.data.proposed_condition import proposed_condition
from dpstudio.files.read.outcome import TableError
from dpstudio.labs import Lab
from dpstudio.labs.role_columns import reset, told
from dpstudio.values.parameters import (
    Column,
    OneOf,
    ParamError,
    Parameters,
    domains,
    find,
    get,
    put,
    roles,
    switch,
)

K = TypeVar("K", bound=Parameters)


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


def fitted_since(held: K, asked: K, fitted: K) -> K:
    """`held`, an edit of `asked`, with what fitting `asked` to a table changed; edits since are
    kept. Where both do not agree, `held` as it is."""
    changes: dict[str, Any] = {}
    for name in domains(type(held)):
        now, was, made = getattr(held, name), getattr(asked, name), getattr(fitted, name)
        if now == was:
            changes[name] = made
        elif isinstance(now, Parameters) and type(now) is type(was) is type(made):
            changes[name] = fitted_since(now, was, made)
    try:
        return held.with_(**changes)
    except ParamError:
        return held


def chosen_kept(lab: K, fitted: K, start: Parameters, path: str = "") -> K:
    """What fitting `lab` to a table made of it, but for what somebody chose since `start`: that
    stays, and what does not go with it is said. The `Parameters` at `path` was chosen just now, and
    what it holds goes by the table."""
    changes: dict[str, Any] = {}
    for name in domains(type(lab)):
        now, made = getattr(lab, name), getattr(fitted, name)
        was = getattr(start, name) if type(start) is type(lab) else getattr(type(lab)(), name)
        if name == path:
            changes[name] = made if type(made) is type(now) else now
        elif isinstance(now, Parameters):
            same = type(made) is type(now)
            kept = chosen_kept(now, made, was) if same else now
            changes[name] = kept if same or type(was) is not type(now) else made
        else:
            changes[name] = made if now == was else now
    try:
        return lab.with_(**changes)
    except ParamError:
        return lab


def by_roles(lab: K, data: Dataset | None) -> K:
    """A lab with the columns whose role a person told where it has those that it starts with."""
    if data is None or not data.codebook:
        return lab
    start = reset(lab)
    return fitted_since(lab, start, told(start, data, looking=True))


def retold(lab: Lab, before: Dataset, after: Dataset) -> Lab:
    """The lab after other roles of columns were told: what it named by those of before it names by
    those of now, and what somebody chose stays."""
    start = reset(lab)
    return fitted_since(lab, *(suited(by_roles(start, data), data) for data in (before, after)))


def holder(lab: Parameters, path: str) -> Parameters:
    """The `Parameters` that hold what stands at a dotted path of a lab."""
    parent = path.rpartition(".")[0]
    held = get(lab, parent) if parent else lab
    return held if isinstance(held, Parameters) else lab


def columns_asked(asked: Parameters) -> set[str]:
    """The columns that `Parameters` name, but for those of a condition."""
    return {getattr(asked, n) for n, d in domains(type(asked)).items() if isinstance(d, Column)}


def apart(lab: K, path: str) -> K:
    """A lab of which the column or the question at `path` was just set, without a condition that
    was proposed on a column which is asked about: all groups of Department but one are empty where
    Department = "neurology"."""
    parent, _, name = path.rpartition(".")
    asked = holder(lab, path)
    if isinstance(chosen := getattr(asked, name, None), Parameters):
        asked, parent = chosen, path
    elif not isinstance(domains(type(asked)).get(name), Column):
        return lab
    columns = columns_asked(asked)
    for name in domains(type(asked)):
        where = getattr(asked, name)
        proposed = isinstance(where, Where) and where.proposed and len(where.parts) == 1
        if proposed and not columns.isdisjoint(test.column for test in where.tests()):
            lab = put(lab, f"{parent}.{name}".lstrip("."), Where())
    return lab


class SharedSettings:
    """What the `Parameters` of a family held before others were chosen, apart for every place that
    holds a `Parameters`."""

    def __init__(
        self,
        shared: Mapping[tuple[str, str], Mapping[str, Any]] | None = None,
        whole: Mapping[Any, Parameters] | None = None,
    ):
        self.shared: dict[tuple[str, str], dict[str, Any]] = {
            place: dict(held) for place, held in (shared or {}).items()
        }
        self.whole: dict[tuple[str, str, str], Parameters] = dict(whole or {})

    def copy(self) -> SharedSettings:
        return SharedSettings(self.shared, self.whole)

    def keep(self, lab: Lab) -> None:
        """Remember the `Parameters` that a lab holds."""
        for path, domain in domains(type(lab)).items():
            kind = getattr(lab, path)
            if isinstance(domain, OneOf):
                self.whole[lab.key, path, kind.key] = kind
                held = {
                    name: getattr(kind, name)
                    for name in domains(type(kind))
                    if not roles(type(kind))[name].of
                }
                self.shared.setdefault((lab.key, path), {}).update(held)

    def chosen(
        self, lab: Lab, path: str, domain: OneOf, key: str, data: Dataset | None = None
    ) -> Parameters:
        """The `Parameters` `key` for the place `path` of a lab: with what it shares with the one
        that is there, and what was set before.

        Members that stand apart come back as they were left, or as they start.
        """
        kind = find(domain.family(), key)
        start = by_roles(kind(), data)
        if domain.apart:
            return self.whole.get((lab.key, path, key), start)
        held, before = getattr(lab, path), self.whole.get((lab.key, path, key), start)
        own = {} if data is None else _proposed(held, before, data)
        shared = {} if domain.several else self.shared.get((lab.key, path), {})
        return switch(kind, own, held, shared, start)


def _proposed(held: Parameters, before: Parameters, data: Dataset) -> dict[str, Where]:
    """Conditions that nobody chose: no other question takes them over, and where nobody wrote one
    since, they come back with the question that they were proposed for."""
    own = dict[str, Where]()
    for name in domains(type(held)):
        now, was = getattr(held, name), getattr(before, name, None)
        if not isinstance(now, Where) or not isinstance(was, Where):
            continue
        if (was.proposed and not now) or (now.proposed and now == proposed_condition(data)):
            own[name] = was
    return own
