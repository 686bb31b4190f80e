"""Columns that the parameters of a lab start with: those whose role a person told, in the place of
Adult's; and columns of the table where a lab could not be set on any."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from dpstudio.data import codebook
from dpstudio.data.column_roles import FEATURE, columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.values.domains import Column, ParamError
from dpstudio.values.lists import Words
from dpstudio.values.parameters import Parameters, domains, forgotten, put

K = TypeVar("K", bound=Parameters)

# The roles that serve the purpose of a parameter where they were told. What is published leaves
# out who a person is, and may be known by where that person lives.
_TAKEN = {
    codebook.LABEL: (codebook.LABEL,),
    codebook.SENSITIVE: (codebook.SENSITIVE,),
    codebook.QUASI: (codebook.QUASI, codebook.PLACE),
    codebook.IDENTIFIER: (codebook.IDENTIFIER, codebook.PERSON),
}
# And those that do not, in a list for a purpose.
_NAMES_ROWS = (codebook.IDENTIFIER, codebook.PERSON)
_UNFIT: dict[str, tuple[str, ...]] = {
    FEATURE: (*_NAMES_ROWS, codebook.LABEL, codebook.WEIGHT),
    codebook.QUASI: (*_NAMES_ROWS, codebook.LABEL, codebook.SENSITIVE, codebook.WEIGHT),
}
_MOST = 8  # columns of a list


def same_roles(data: Dataset, one: codebook.Codebook, other: codebook.Codebook) -> bool:
    """Whether two codebooks tell the same roles of the columns of a table."""
    return all(one.role(c.name) == other.role(c.name) for c in data.columns)


def reset(lab: K, start: Parameters | None = None) -> K:
    """A lab whose parameters that name columns are as they start, which is as they are in `start`
    where that is of its kind."""
    start = start if type(start) is type(lab) else type(lab)()
    changes: dict[str, Any] = {}
    for name, domain in domains(type(lab)).items():
        held = getattr(lab, name)
        if isinstance(held, Parameters):
            changes[name] = reset(held, getattr(start, name))
        elif takes_columns(domain):
            changes[name] = getattr(start, name)
    return _with(lab, changes)


def told(lab: K, data: Dataset, *, looking: bool) -> K:
    """A lab with the columns whose role a person told where its parameters take such, and without
    those that were told to be something else. No row has a part in it but for `looking`: then
    another column stands for one that turned out to name rows."""
    changes: dict[str, Any] = {}
    for name, domain in domains(type(lab)).items():
        held = getattr(lab, name)
        if isinstance(held, Parameters):
            changes[name] = told(held, data, looking=looking)
        elif not takes_columns(domain):
            continue
        elif found := _told(domain, data):
            changes |= _changed(lab, name, found)
        elif not isinstance(domain, Column):
            unfit = _UNFIT.get(domain.purpose, ())
            fit = [each for each in held if data.codebook.role(each) not in unfit]
            changes |= _changed(lab, name, fit)
        elif looking and data.codebook.role(held) in _NAMES_ROWS:
            changes |= _changed(lab, name, _likely(domain, data))
    return _with(lab, changes)


def own(lab: K, data: Dataset) -> K:
    """A lab whose parameters name columns of this table, the likeliest and each once, where the
    table has none of those that they named: also a refusal then speaks of it."""
    changes: dict[str, Any] = {}
    for name, domain in domains(type(lab)).items():
        held = getattr(lab, name)
        if isinstance(held, Parameters):
            changes[name] = own(held, data)
        elif isinstance(domain, Column) and not data.has(held):
            taken = {*_single(lab), *map(str, changes.values())}
            free = [each for each in _likely(domain, data) if each not in taken]
            changes |= _changed(lab, name, free or _likely(domain, data))
    taken = {*_single(lab), *map(str, changes.values())}
    for name, domain in domains(type(lab)).items():
        held = getattr(lab, name)
        if isinstance(domain, Words) and domain.purpose and held:
            kept = [each for each in held if data.has(each) and each not in taken]
            fit = columns_for(data, domain.purpose) if domain.purpose != codebook.IDENTIFIER else []
            free = [each for each in fit if each not in taken]
            changes |= _changed(lab, name, kept or (free or fit)[:_MOST])
    return _with(lab, changes)


def may_be_proposed(lab: Parameters) -> Iterator[str]:
    """The columns that a lab names where one may be proposed from the rows of a table."""
    for name, domain in domains(type(lab)).items():
        held = getattr(lab, name)
        if isinstance(held, Parameters):
            yield from may_be_proposed(held)
        elif takes_columns(domain):
            yield from [held] if isinstance(domain, Column) else held


def _single(lab: Parameters) -> set[str]:
    """The labels and sensitive columns that parameters name."""
    kinds = domains(type(lab)).items()
    return {getattr(lab, n) for n, d in kinds if isinstance(d, Column) and d.purpose in _TAKEN}


def takes_columns(domain: Any) -> bool:
    """Whether a parameter names columns."""
    return isinstance(domain, Column) or (isinstance(domain, Words) and bool(domain.purpose))


def _told(domain: Any, data: Dataset) -> list[str]:
    """The columns whose role serves a parameter; none where the first of these roles was told of
    none."""
    roles = _TAKEN.get(domain.serves if isinstance(domain, Column) else domain.purpose, ())
    found = [
        (data.codebook.role(c.name), c.name)
        for c in data.columns
        if data.codebook.role(c.name) in roles
        and (not isinstance(domain, Column) or _fits(domain, c.numeric, c.type))
    ]
    serves = any(role == roles[0] for role, _ in found)
    return [name for _, name in found][:_MOST] if serves else []


def _likely(domain: Column, data: Dataset) -> list[str]:
    fits = (c.name for c in data.columns if _fits(domain, c.numeric, c.type))
    return columns_for(data, domain.serves, fits)


def _fits(domain: Column, numeric: bool, kind: str) -> bool:
    return numeric if domain.numeric else kind == "category" if domain.words else kind != "other"


def _changed(lab: Parameters, name: str, columns: Iterable[str]) -> dict[str, Any]:
    """The parameter with these columns, without what belonged to those before; nothing where there
    is none."""
    columns = tuple(columns)
    if not columns:
        return {}
    one = isinstance(domains(type(lab))[name], Column)
    made = columns[0] if one else columns
    return {} if made == getattr(lab, name) else {name: made, **forgotten(lab, name)}


def _with(lab: K, changes: dict[str, Any]) -> K:
    """The lab with all of the changes; where they do not go together, with those that do."""
    try:
        return lab.with_(**changes)
    except ParamError:
        for name, value in changes.items():
            try:
                lab = put(lab, name, value)
            except ParamError:
                continue
        return lab
