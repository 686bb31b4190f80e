"""What a chart says at one place: the values under the pointer."""

import numpy as np

from dpstudio.charts.figure import Area, Axis, Columns, Dots, Figure, Heat, Lanes, Layer, Line
from dpstudio.charts.inks import OUTSIDE
from dpstudio.charts.scaling import to_unit
from dpstudio.values.messages import N_, Message, Num, plain, say

_NEAR = 0.04


def reading(figure: Figure, x: float, y: float | None = None) -> Message | None:
    """Axis value and the height of every layer at x, as one line; None where nothing is drawn
    there.

    With y, single dots and the cells of a heat map are read as well: the one that is nearest to (x,
    y). Of a drawing, whose axes are both hidden, no place is a number: its cells alone are read. Of
    lanes the words in the columns are read.
    """
    if figure.lanes is not None and y is not None:
        return _lane(figure, figure.lanes, y)
    if figure.x.hidden and figure.y.hidden:
        return _cell(figure, x, y) if y is not None else None
    if y is not None:
        found = _cell(figure, x, y) or _dot(figure, x, y) or _named(figure, y)
        if found is not None:
            return found
    if figure.x.whole:
        x = float(round(x))
    parts: list[Message] = []
    for layer in figure.layers:
        value = _at(layer, figure, x)
        if value is not None and np.isfinite(value):
            parts.append(_told(figure, layer, value))
    if not parts:
        return None
    return _joined([_place(figure.x, x), *parts])


def _told(figure: Figure, layer: Layer, value: float) -> Message:
    """The name and the value of a layer; a pale part of a curve has its name where that ends, and
    says why it is pale."""
    if isinstance(layer, Line) and layer.dash == OUTSIDE:
        names = (_name(one) for one in (layer, *figure.layers) if one.ink == layer.ink)
        name = next((name for name in names if name.text), Message(""))
        text = N_("{name} {value} (not proved here, or worse than adding up)")
        return say(text, name=name, value=Num(value))
    if layer.label:
        return say("{name} {value}", name=_name(layer), value=Num(value))
    return say("{value}", value=Num(value))


def dot_reading(figure: Figure, layer: Dots, place: int) -> Message:
    """What one dot says: its name and both its values, or what its lane does."""
    if figure.lanes is not None:
        return _lane(figure, figure.lanes, float(layer.y[place]))
    if figure.y.ticks:
        return say(
            "{name} {value}",
            name=_place(figure.y, float(layer.y[place])),
            value=Num(float(layer.x[place])),
        )
    parts = [_place(figure.x, float(layer.x[place])), _place(figure.y, float(layer.y[place]))]
    return _joined([_name(layer), *parts] if layer.label else parts)


def _lane(figure: Figure, lanes: Lanes, y: float) -> Message:
    """The name of the lane nearest to y, and its words in every column."""
    place, _ = min(enumerate(figure.y.ticks), key=lambda one: abs(one[1][0] - y))
    parts = [plain(figure.y.ticks[place][1])]
    for column in lanes.columns:
        head, cell = (
            words if isinstance(words, Message) else Message(words)
            for words in (column.head, column.cells[place])
        )
        if cell.text:
            parts.append(say("{name} {value}", name=head, value=cell))
    return _joined(parts)


def _joined(parts: list[Message]) -> Message:
    line = parts[0]
    for part in parts[1:]:
        line = say("{line} · {part}", line=line, part=part)
    return line


def _cell(figure: Figure, x: float, y: float) -> Message | None:
    for layer in reversed(figure.layers):
        if isinstance(layer, Heat):
            row, column = (
                int(np.searchsorted(edges, at, side="right")) - 1
                for edges, at in ((layer.y, y), (layer.x, x))
            )
            if (
                0 <= row < layer.values.shape[0]
                and 0 <= column < layer.values.shape[1]
                and np.isfinite(layer.values[row, column])
            ):
                middles = [
                    (edges[k] + edges[k + 1]) / 2
                    for edges, k in ((layer.x, column), (layer.y, row))
                ]
                value = Num(float(layer.values[row, column]))
                told = (
                    say("{name} {value}", name=_name(layer), value=value)
                    if layer.label
                    else say("{value}", value=value)
                )
                return _joined(
                    [_place(figure.x, float(middles[0])), _place(figure.y, float(middles[1])), told]
                )
    return None


def _dot(figure: Figure, x: float, y: float) -> Message | None:
    """The nearest of the dots that stand for themselves, within a twenty-fifth of the chart."""
    best: tuple[float, Dots, int] | None = None
    for layer in figure.layers:
        if isinstance(layer, Dots) and not layer.diameter and len(layer.x):
            away = np.hypot(
                # One beyond the chart is an arrow at its edge.
                np.clip(to_unit(figure.x, layer.x), 0, 1) - to_unit(figure.x, x),
                np.clip(to_unit(figure.y, layer.y), 0, 1) - to_unit(figure.y, y),
            )
            away = np.where(np.isfinite(away), away, np.inf)
            place = int(np.argmin(away))
            if away[place] < (best[0] if best else _NEAR):
                best = float(away[place]), layer, place
    return dot_reading(figure, best[1], best[2]) if best else None


def _named(figure: Figure, y: float) -> Message | None:
    """Where words stand on the y axis: the word nearest to y, with the value of its dot; None where
    there are no such dots."""
    if not figure.y.ticks:
        return None
    at, _ = min(figure.y.ticks, key=lambda tick: abs(tick[0] - y))
    for layer in figure.layers:
        if isinstance(layer, Dots) and np.any(layer.y == at):
            return dot_reading(figure, layer, int(np.argmax(layer.y == at)))
    return None


def _name(layer: object) -> Message:
    label = getattr(layer, "label", "")
    return label if isinstance(label, Message) else Message(str(label))


def _place(axis: Axis, x: float) -> Message:
    if axis.ticks:
        return axis_value(axis, x)
    label = axis.label if isinstance(axis.label, Message) else Message(axis.label)
    return say("{label} {x}", label=label, x=axis_value(axis, x))


def axis_value(axis: Axis, x: float) -> Message:
    """A place on an axis: its number in as many digits as a hundredth of the axis tells apart, or
    the nearest word."""
    if axis.ticks:
        nearest = min(axis.ticks, key=lambda tick: abs(tick[0] - x))
        return plain(nearest[1])
    span = abs(axis.range[1] - axis.range[0])
    digits = (
        3
        if axis.log or not x
        else int(
            np.clip(np.floor(np.log10(abs(x) + 1e-300)) - np.floor(np.log10(span / 100)) + 1, 1, 9)
        )
    )
    return say("{x}", x=Num(x, digits))


def _at(layer: object, figure: Figure, x: float) -> float | None:
    if isinstance(layer, Line) and len(layer.x):
        if not layer.x[0] <= x <= layer.x[-1]:
            return None
        if figure.x.log and figure.y.log and x > 0:
            with np.errstate(divide="ignore"):
                return float(np.exp(np.interp(np.log(x), np.log(layer.x), np.log(layer.y))))
        return float(np.interp(x, layer.x, layer.y))
    if isinstance(layer, Area) and len(layer.heights):
        place = int(np.searchsorted(layer.edges, x, side="right")) - 1
        return float(layer.heights[place]) if 0 <= place < len(layer.heights) else None
    if isinstance(layer, Columns) and len(layer.x):
        near = int(np.argmin(np.abs(layer.x - x)))
        return float(layer.heights[near]) if abs(layer.x[near] - x) <= 1.5 * layer.width else None
    if isinstance(layer, Dots) and len(layer.x) and layer.diameter:
        inside = np.abs(layer.x - x) <= layer.diameter / 2
        return float(np.count_nonzero(inside)) if inside.any() else None
    return None
