"""Figures and tables as CSV: floats that read back to the last bit, and comment lines that say what
it is."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Axis,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Heat,
    Layer,
    Line,
    Ribbon,
    Rule,
    Words,
)
from dpstudio.labs.findings import Table
from dpstudio.values.messages import Message, Num, Translate, render, unchanged

_CONTROL = "".join(map(chr, (*range(32), *range(127, 160))))
# What begins a formula, at the start or behind what may end a cell; not where it is a number.
_DIGITS = r"(\d+(\.\d+)?|\d+\.(?!\.)|\.\d+)([eE][+-]?\d+)?"
_NUMBER = rf"[+-]{_DIGITS}(\.\.[+-]?{_DIGITS})?"  # or from one to another
_BEGINS = r"(^[\s\x00-\x1f\x7f-\x9f]*|[,;|\"'\r\n][\s\x00-\x1f\x7f-\x9f]*)"
_FORMULA = re.compile(rf"{_BEGINS}(?!{_NUMBER}\s*([,;|\"'\]}})\r\n]|$))([=@+-])")
_COLUMNS = ("layer", "kind", "label", "x", "y", "low", "high", "name")
_Row = tuple[float | None, float | None, float | None, float | None]


def figure_csv(
    figure: Figure, metadata: Mapping[str, str], translate: Translate = unchanged
) -> str:
    """Comment lines `# key: value`, a header, then every array of every layer in data units.

    `low` and `high` are whiskers (columns), the interval of x whose height is y (area), or the
    strip of x (band). A rule has x or y alone. A cell of a heat map is its middle and its value,
    which is in `low` and in `high`. Where each bar or dot has a word on an axis, that is its
    `name`, and bars come as they stand. What a layer does not have is an empty cell; NaN, a gap in
    a curve, is `nan`.
    """
    comments = [
        *metadata.items(),
        ("title", render(figure.title, translate)),
        ("subtitle", render(figure.subtitle, translate)),
    ]
    figure = figure.worded(translate)
    comments += [("x", _axis(figure.x, translate)), ("y", _axis(figure.y, translate))]
    comments += [("note", render(note, translate)) for note in figure.notes]
    out = _commented(comments)
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    for layer in figure.layers:
        kind, label = type(layer).__name__.lower(), _line(render(layer.label, translate))
        texts = layer.texts if isinstance(layer, Words) else ()
        said = [_line(render(text, translate)) for text in texts]
        names = _names(figure, layer)
        rows = [*enumerate(_rows(layer))]
        if names and isinstance(layer, Columns):  # as they stand
            rows.sort(key=lambda one: float(layer.x[one[0]]))
        for number, row in rows:
            cells = ("" if cell is None else repr(float(cell)) for cell in row)
            words = said[number] if said else label
            name = names[number] if names else ""
            table.writerow((_line(layer.key), kind, words, *cells, _line(name)))
    return out.getvalue()


def _names(figure: Figure, layer: Layer) -> list[str]:
    """The words of the axis where bars and dots stand; none where not each has one there."""
    if not isinstance(layer, Columns | Dots) or not len(layer.x):
        return []
    for axis, at in ((figure.x, layer.x), (figure.y, getattr(layer, "y", None))):
        if at is None or not axis.ticks or not np.isfinite(at).all():
            continue
        places = np.array([place for place, _ in axis.ticks])
        off = np.abs(np.asarray(at)[:, None] - places)
        # Words stand at whole numbers, one after the other; else they are those of a scale.
        worded = np.array_equal(np.sort(places), np.floor(places.min()) + np.arange(len(places)))
        worded = worded and not all("%" in str(word) for _, word in axis.ticks)
        if worded and (off.min(axis=1) < 0.5).all():
            return [str(axis.ticks[k][1]) for k in off.argmin(axis=1).tolist()]
    return []


def numbers_mark(figure: Figure) -> str:
    """What the numbers of a figure are known by: a hash of them in six digits, so that the last
    bits of another processor do not count."""
    told = [
        (layer.key, *(None if cell is None else f"{float(cell):.5e}" for cell in row))
        for layer in figure.layers
        for row in _rows(layer)
    ]
    return sha256(json.dumps(told).encode()).hexdigest()[:16]


def _commented(comments: Sequence[tuple[str, str]]) -> io.StringIO:
    out = io.StringIO()
    for key, value in comments:
        out.write(f"# {_line(key)}: {_line(value)}\n" if value else "")
    return out


def table_csv(
    table: Table,
    metadata: Mapping[str, str],
    translate: Translate = unchanged,
    enclosed: bool = False,
) -> str:
    """Comment lines `# key: value`, the names of the columns, then the rows; numbers are raw and
    unrounded. With `enclosed` every cell stands between quotes, so that few rows tell how they are
    parted."""
    out = _commented([*metadata.items(), ("title", render(table.title, translate))])
    writer = csv.writer(
        out, lineterminator="\n", quoting=csv.QUOTE_ALL if enclosed else csv.QUOTE_MINIMAL
    )
    writer.writerow([_line(name) for name, _ in table.columns])
    for row in zip(*(cells for _, cells in table.columns), strict=True):
        writer.writerow([_cell(cell, translate) for cell in row])
    return out.getvalue()


def table_tsv(
    table: Table, cells: Sequence[tuple[int, int]] = (), translate: Translate = unchanged
) -> str:
    """The cells (row, column) as a spreadsheet takes them from the clipboard, a rectangle of them;
    none: all, below their heads."""
    heads = [render(head, translate) for head in table.heads] or [name for name, _ in table.columns]
    rows = list(zip(*(column for _, column in table.columns), strict=True))
    if not cells:
        return "\n".join(
            "\t".join(line)
            for line in [
                [_line(h) for h in heads],
                *([_cell(c, translate) for c in row] for row in rows),
            ]
        )
    lines: dict[int, list[str]] = {}
    for row, column in cells:
        if row < len(rows) and column < len(heads):
            lines.setdefault(row, []).append(_cell(rows[row][column], translate))
    return "\n".join("\t".join(line) for line in lines.values())


def _cell(cell: Any, translate: Translate) -> str:
    """A cell of a table as text: a number raw, a message in words."""
    if isinstance(cell, Num):
        cell = cell.value
    if isinstance(cell, Message | str):
        return _line(render(cell, translate))
    if cell is None or isinstance(cell, bool | int):
        return "" if cell is None else str(cell)
    return repr(float(cell))


def _line(text: str) -> str:
    """Text in one line that UTF-8 can hold: a comment or a cell that ran on would be read as data
    or as a comment.

    It holds no formula either.
    """
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return harmless(line).lstrip(_CONTROL)


def harmless(text: str) -> str:
    """Text, of one cell or of a whole table, in which no cell is a formula: where a spreadsheet
    would take it for one, at its start or where it would cut a cell out of it, an apostrophe makes
    it words. What reads as a number stays one."""
    return _FORMULA.sub(lambda found: f"{found[1]}'{found[0][len(found[1]) :]}", text)


def _axis(axis: Axis, translate: Translate) -> str:
    """The label of an axis, what is special about its scale, and the words that stand for
    numbers."""
    notes = ["log scale"] if axis.log else []
    notes += [f"{at:g} = {word}" for at, word in axis.ticks]
    label = render(axis.label, translate)
    return f"{label} ({'; '.join(notes)})".strip() if notes else label


def _rows(layer: Layer) -> Iterator[_Row]:
    """The rows (x, y, low, high) of a layer."""
    if isinstance(layer, Line | Dots | Words):
        yield from ((x, y, None, None) for x, y in zip(layer.x, layer.y, strict=True))
    elif isinstance(layer, Area):
        yield from (
            (None, y, low, high)
            for y, low, high in zip(layer.heights, layer.edges[:-1], layer.edges[1:], strict=True)
        )
    elif isinstance(layer, Ribbon):
        none = np.full(len(layer.x), None)
        yield from zip(layer.x, none, layer.low, layer.high, strict=True)
    elif isinstance(layer, Columns):
        none = np.full(len(layer.x), None)
        whiskers = (
            none if layer.low is None else layer.low,
            none if layer.high is None else layer.high,
        )
        yield from zip(layer.x, layer.heights, *whiskers, strict=True)
    elif isinstance(layer, Heat):
        x, y = (layer.x[1:] + layer.x[:-1]) / 2, (layer.y[1:] + layer.y[:-1]) / 2
        yield from (
            (a, b, value, value)
            for b, line in zip(y, layer.values, strict=True)
            for a, value in zip(x, line, strict=True)
        )
    elif isinstance(layer, Band):
        yield None, None, layer.low, layer.high
    elif isinstance(layer, Rule):
        yield (layer.at, None, None, None) if layer.axis == "x" else (None, layer.at, None, None)
    elif isinstance(layer, Handle):
        yield layer.x, layer.y, None, None
