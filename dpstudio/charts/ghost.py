"""Where a chart stood when a hand was laid on it: its main curves, bars and points in grey dots."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import (
    PART,
    Area,
    Array,
    Columns,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Ribbon,
    Rule,
)
from dpstudio.charts.inks import PLAIN, inks_of
from dpstudio.values.messages import N_, Message, Num, say

INK = "ghost"
_WIDTH, _BEFORE = 1.3, N_("before")
_STROKES = (Line, Rule, Handle)


def ghost_of(figure: Figure, layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """The ghosts of those of its layers that have the figure's main ink, or of lanes one of their
    main column's; where these stand still, of its points and of the ink that matters most of all
    others: of strokes, or, where there are none, the outlines of what is filled. One of them says
    what it is."""
    columns = figure.lanes.columns if figure.lanes is not None else ()
    inks = next((column.inks for column in columns if column.strong), (main_ink(figure),))
    own = [layer for layer in layers if layer.ink in inks]
    if not own:
        rest = inks_of(replace(figure, layers=tuple(layers)))[:1] or [of.ink for of in layers]
        own = [layer for layer in layers if isinstance(layer, Handle) or layer.ink in rest]
    strokes = [layer for layer in own if isinstance(layer, _STROKES)]
    drawn = [(layer, made) for layer in strokes or own for made in _drawn(layer)]
    told = max(drawn, key=lambda one: _tells(one[0]), default=None)
    return tuple(
        _named(made, layer) if told is not None and made is told[1] else made
        for layer, made in drawn
    )


def _named(made: Layer, of: Layer) -> Layer:
    """A ghost with its row; its value stands where that of the layer stood."""
    told = getattr(of, "told", "")
    if told and isinstance(made, Line | Rule):
        return replace(made, label=say(_BEFORE), told=told)
    return replace(made, label=_row(of))


def main_ink(figure: Figure) -> str:
    """The ink of the point that is dragged, else the one that matters most, else that of text."""
    handles = [each.ink for each in figure.layers if isinstance(each, Handle)]
    coloured = [ink for ink in handles if ink not in PLAIN] or inks_of(figure)
    return coloured[0] if coloured else "text"


def _drawn(layer: Layer) -> list[Layer]:
    """A layer as its ghost: under all others, without a name."""
    if isinstance(layer, Line):
        return [_line(layer, "", layer.x, layer.y)]
    if isinstance(layer, Rule):
        return [replace(layer, key=_key(layer), ink=INK, label="", dash=INK)]
    if isinstance(layer, Handle):
        return [Dots(_key(layer), INK, "", [layer.x], [layer.y])]
    if isinstance(layer, Dots) and not layer.diameter:
        return [replace(layer, key=_key(layer), ink=INK, label="", picks=())]
    if isinstance(layer, Ribbon):
        ends = (("low", layer.low), ("high", layer.high))
        return [_line(layer, name, layer.x, y) for name, y in ends]
    if isinstance(layer, Area):
        foot = np.zeros(1)
        heights = np.concatenate([foot, np.repeat(layer.heights, 2), foot])
        return [_line(layer, "", np.repeat(layer.edges, 2), heights)]
    if isinstance(layer, Columns):
        half, gap = layer.width / 2, np.full_like(layer.x, np.nan)
        x = np.stack([layer.x - half, layer.x + half, gap], axis=1).ravel()
        return [_line(layer, "", x, np.repeat(layer.heights, 3))]
    return []


def _line(layer: Layer, part: str, x: Array, y: Array) -> Line:
    return Line(_key(layer) + part, INK, "", x, y, width=_WIDTH, behind=True)


def _key(layer: Layer) -> str:
    return INK + PART + layer.key


def _tells(layer: Layer) -> int:
    """How much the row of a layer says: most where its value is known."""
    return 2 * (bool(getattr(layer, "told", "")) or _row(layer).text != _BEFORE) + isinstance(
        layer, Line
    )


def _row(layer: Layer) -> Message:
    """The row of the ghost in the gutter: what was read there, with "before" for the name."""
    before, label = say(_BEFORE), layer.label
    if not isinstance(label, Message):
        return before
    names = [name for name, value in label.values.items() if not isinstance(value, Num)]
    if len(names) != 1 or len(label.values) == 1:
        return before
    return Message(label.text, {**label.values, names[0]: before})
