"""The table in one JSON value: a list of rows, or an object whose lists or objects are columns or
rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats.values import word
from dpstudio.files.read.outcome import Doubt, TableError, quoted
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.text.headers import judged, refuse_wide
from dpstudio.values.messages import say

WHOLE = "$"  # the part that is the whole object, as JSONPath has it
_LOOKED = 400  # rows that tell whether the first one names the columns


@dataclass(frozen=True)
class DocumentRows:
    """The rows of a table, objects or lists, and the choices that make it one: `part`, `outer` and
    `header` are "", "auto" and "auto" where they play no part. `names` name the places of lists."""

    items: Iterable[Any]
    part: str = ""
    outer: str = "auto"
    header: str = "auto"
    names: tuple[str, ...] = ()
    by_name: bool = False  # whether values are of the rows whose names they bear
    doubts: tuple[Doubt, ...] = ()


def table_in(packed: Packed, document: Any, choices: Choices) -> DocumentRows:
    """The table in a list, or in an object that holds one or is one. Raises TableError where the
    chosen part is not there."""
    if isinstance(document, list):
        return _headed(packed.source.name, document, choices)
    tables = {} if _shape(document) else _tables(document)
    if not tables or choices.part == WHOLE:
        return _turned(document, choices, choices.part)
    part = _chosen(packed, tables, choices.part)
    held = tables[part]
    beside = _names_beside(document, part, held)
    if beside:  # so no row names them
        inner = DocumentRows(held, header="no", names=beside)
    elif isinstance(held, list):
        inner = _headed(packed.source.name, held, choices)
    else:
        inner = _turned(held, choices)
    which = _which(tables)
    return replace(inner, part=part, doubts=(which, *inner.doubts))


def _headed(path: str, items: list[Any], choices: Choices) -> DocumentRows:
    """Rows that are lists, of which the first may name the columns; objects name their own."""
    lists = [row for row in items[:_LOOKED] if isinstance(row, list)]
    if len(lists) < 2 or lists[0] is not items[0]:
        return DocumentRows(items)
    refuse_wide(path, len(items[0]))
    rows = [[word(v) if v is not None else "" for v in row] for row in lists]
    header, sure = judged(rows[0], rows[1:]) if choices.header == "auto" else (choices.header, True)
    other = "no" if header == "yes" else "yes"
    why = say(
        "the first row ({said}) may name the columns or be data",
        said=quoted(", ".join(cell[:20] for cell in rows[0][:4])),
    )
    doubts = () if sure else (Doubt("header", why, (header, other)),)
    if header == "no":
        return DocumentRows(items, header="no", doubts=doubts)
    return DocumentRows(items[1:], header="yes", names=tuple(rows[0]), doubts=doubts)


def _turned(held: Any, choices: Choices, part: str = "") -> DocumentRows:
    """An object of lists or of objects as rows, as its outermost names are taken."""
    inner = held.values() if isinstance(held, dict) else ()
    told = choices.outer != "auto" and any(isinstance(v, dict | list) for v in inner)
    shape = _shape(held)
    if not (shape or told):
        return DocumentRows([held], part)
    proposed = "columns" if shape != "objects" else _likelier(held)
    why = say("the names in an object of lists may be those of columns or of rows")
    if shape == "objects":
        why = say("the names in an object of objects may be those of columns or of rows")
    values = (proposed, "rows" if proposed == "columns" else "columns", "fields")
    outer = choices.outer if told else proposed
    by_name = outer == "columns" and not any(isinstance(v, list) for v in inner)
    doubts = (Doubt("outer", why, values),)
    return DocumentRows(turned(held, outer), part, outer, by_name=by_name, doubts=doubts)


def _shape(held: Any) -> str:
    """ "lists" where values are lists of one length, "objects" where they are objects of single
    values with a name in common; "" for other objects, which are one row."""
    values = list(held.values()) if isinstance(held, dict) else []
    lists = [v for v in values if isinstance(v, list)]
    if lists and len(set(map(len, lists))) == 1 and lists[0]:
        # What all rows have in common may stand beside them, once.
        single = not any(isinstance(v, dict) for v in values) and len(values) <= 2 * len(lists)
        beside = single and len(lists[0]) > 1 < len(lists)
        flat = not any(isinstance(v, dict | list) for row in lists for v in row)
        return "lists" if flat and (len(lists) == len(values) or beside) else ""
    objects = len(values) > 1 and all(isinstance(v, dict) and v for v in values)
    if objects and not any(isinstance(v, dict | list) for d in values for v in d.values()):
        return "objects" if set(values[0]).intersection(*values[1:]) else ""
    return ""


def _likelier(held: dict[str, dict[str, Any]]) -> str:
    """Whether the outermost of two rows of names are the columns or the rows: numbers from 0 on are
    rows, else what is more."""
    inner = dict.fromkeys(name for d in held.values() for name in d)
    if _counted(held) or _counted(inner):
        return "columns" if _counted(inner) else "rows"
    return "rows" if len(held) > len(inner) else "columns"


def _counted(names: Any) -> bool:
    return list(names) == [str(i) for i in range(len(names))]


def turned(held: dict[str, Any], outer: str) -> Iterable[Any]:
    """The rows of an object whose outermost names are told to be "columns", "rows" or "fields",
    whatever a row holds: what is missing at a place is no value."""
    if outer == "fields":
        return [held]
    if outer == "rows":
        return _named({name: row_of(value) for name, value in held.items()})
    return _by_place(held) if any(isinstance(v, list) for v in held.values()) else _by_name(held)


def at(document: Any, part: str) -> dict[str, Any] | None:
    """The object at a path, "" or "$" for the whole; None where there is none."""
    for name in part.split(".") if part not in ("", WHOLE) else ():
        document = document.get(name) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else None


def row_of(value: Any) -> dict[str, Any]:
    """The row that stands at a name."""
    if isinstance(value, dict):
        return value
    values = value if isinstance(value, list) else [value]
    return {f"column {i}": v for i, v in enumerate(values, 1)}


def _by_place(held: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What stands beside lists is repeated where it is no more than these: cells are as many as
    values, or twice that."""
    lists = {name: v for name, v in held.items() if isinstance(v, list)}
    live = held if len(held) <= 2 * len(lists) else lists
    ends = {len(v) for v in lists.values()}
    for i in range(max(ends)):
        if i in ends:
            live = {n: v for n, v in live.items() if not isinstance(v, list) or len(v) > i}
        yield {n: v[i] if isinstance(v, list) else v for n, v in live.items()}


def _by_name(held: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for column, values in held.items():
        for name, value in values.items() if isinstance(values, dict) else ():
            rows.setdefault(name, {})[column] = value
    return _named(rows)


def _named(rows: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with their names in front, unless these only count them."""
    counted = _counted(rows)
    return [row if counted else {"": name, **row} for name, row in rows.items()]


def _tables(held: Any, above: str = "", deep: int = 3) -> dict[str, Any]:
    """The lists of objects or of rows, and the objects that are tables, inside an object, the
    longest first, of these the outermost, by their path."""
    found: dict[str, Any] = {}
    for name, value in held.items() if isinstance(held, dict) else ():
        path = f"{above}.{name}" if above else str(name)
        if _rows_in(value) or (_shape(value) and len(value) > 1):
            found[path] = value
        elif deep > 1:
            found |= _tables(value, path, deep - 1)
    return dict(sorted(found.items(), key=lambda pair: (-_length(pair[1]), pair[0].count("."))))


def _names_beside(document: Any, part: str, rows: Any) -> tuple[str, ...]:
    """The names of the columns that stand beside rows, as pandas' "split" has them."""
    above = at(document, part.rpartition(".")[0])
    names = above.get("columns") if above else None
    row = rows[0] if isinstance(rows, list) else None
    fits = isinstance(names, list) and isinstance(row, list) and len(names) == len(row)
    return tuple("" if v is None else word(v) for v in names) if fits and names else ()


def _rows_in(value: Any) -> bool:
    """Whether the value is a list of objects or of rows."""
    rows = value if isinstance(value, list) else []
    return bool(rows) and all(isinstance(v, dict | list) for v in rows)


def _length(table: Any) -> int:
    """How many rows the table has at most."""
    if isinstance(table, list):
        return len(table)
    return max(len(table), *(len(v) for v in table.values() if isinstance(v, dict | list)))


def _chosen(packed: Packed, tables: dict[str, Any], part: str) -> str:
    if part and part not in tables:
        raise TableError(
            say(
                "{path} has no table {part}; it has: {names}.",
                path=packed.source.name,
                part=part,
                names=quoted(", ".join(tables), 200),
            )
        )
    return part or next(iter(tables))


def _which(tables: dict[str, Any]) -> Doubt:
    why = say(
        "the object holds {n} {n:part|parts} that may be the table: {names}",
        n=len(tables),
        names=quoted(", ".join(list(tables)[:8]), 200),
    )
    if len(tables) == 1:
        why = say(
            "the part “{name}” of the object may be the table", name=quoted(next(iter(tables)))
        )
    return Doubt("part", why, (*tables, WHOLE))
