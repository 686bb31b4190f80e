"""A figure as CSV in long form: a row a point, floats that read back to the last bit, and comment lines that say what it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

import numpy as np

from dpstudio.core.figure import Area, Axis, Band, Columns, Dots, Figure, Handle, Layer, Line, Rule
from dpstudio.core.wording import Translate, render, unchanged

_COLUMNS = ("layer", "kind", "label", "x", "y", "low", "high")
_Row = tuple[float | None, float | None, float | None, float | None]


def figure_csv(figure: Figure, metadata: Mapping[str, str], translate: Translate = unchanged) -> str:
    """Comment lines `# key: value`, a header, then every array of every layer in data units.

    `low` and `high` are whiskers (columns), the interval of x whose height is y (area), or the strip of x (band). A rule has
    x or y alone. A value that a layer does not have is an empty cell; NaN, a gap in a curve, is `nan`.
    """
    comments = [*metadata.items(), ("title", render(figure.title, translate)), ("subtitle", render(figure.subtitle, translate))]
    comments += [("x", _axis(figure.x, translate)), ("y", _axis(figure.y, translate))]
    comments += [("note", render(note, translate)) for note in figure.notes]
    out = io.StringIO()
    for key, value in comments:
        out.write(f"# {_line(key)}: {_line(value)}\n" if value else "")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    for layer in figure.layers:
        kind, label = type(layer).__name__.lower(), _line(render(layer.label, translate))
        for row in _rows(layer):
            table.writerow((_line(layer.key), kind, label, *("" if cell is None else repr(float(cell)) for cell in row)))
    return out.getvalue()


def _line(text: str) -> str:
    """Text in one line that UTF-8 can hold: a comment or a cell that ran on would be read as data or as a comment."""
    return " ".join(text.encode("utf-8", "replace").decode().split())


def _axis(axis: Axis, translate: Translate) -> str:
    """The label of an axis, what is special about its scale, and the words that stand for numbers."""
    notes = ["log scale"] if axis.log else []
    notes += [f"{at:g} = {word}" for at, word in axis.ticks]
    label = render(axis.label, translate)
    return f"{label} ({'; '.join(notes)})".strip() if notes else label


def _rows(layer: Layer) -> Iterator[_Row]:
    """The rows (x, y, low, high) of a layer."""
    if isinstance(layer, Line | Dots):
        yield from ((x, y, None, None) for x, y in zip(layer.x, layer.y, strict=True))
    elif isinstance(layer, Area):
        yield from ((None, y, low, high) for y, low, high in zip(layer.heights, layer.edges[:-1], layer.edges[1:], strict=True))
    elif isinstance(layer, Columns):
        none = np.full(len(layer.x), None)
        whiskers = (none if layer.low is None else layer.low, none if layer.high is None else layer.high)
        yield from zip(layer.x, layer.heights, *whiskers, strict=True)
    elif isinstance(layer, Band):
        yield None, None, layer.low, layer.high
    elif isinstance(layer, Rule):
        yield (layer.at, None, None, None) if layer.axis == "x" else (None, layer.at, None, None)
    elif isinstance(layer, Handle):
        yield layer.x, layer.y, None, None
