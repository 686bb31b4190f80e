"""What a chart says at one place: the values under the pointer."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Area, Axis, Band, Columns, Dots, Figure, Heat, Lanes, Layer, Line
from dpstudio.charts.inks import OUTSIDE
from dpstudio.charts.scaling import to_unit
from dpstudio.values.messages import N_, Message, Num, plain, render, say

MOST = 5  # lines
_NEAR = 0.04


def reading(figure: Figure, x: float, y: float) -> tuple[Message, ...]:
    """What stands at a place of a figure: at most `MOST` lines, none where nothing is drawn.

    First the place, with what is measured there, then the curves and bars by how far they are from
    it. Where a single dot or the cell of a heat map lies there, that one alone. Of a drawing, whose
    axes are both hidden, no place is a number: its cells alone are read. Of lanes the words in the
    columns are read. A height on an axis that is hidden has no unit, and is not read.
    """
    if figure.lanes is not None:
        return _dot(figure, x, y, telling=True) or _lane(figure, figure.lanes, y)
    if figure.x.hidden and figure.y.hidden:
        return _cell(figure, x, y)
    found = _cell(figure, x, y) or _dot(figure, x, y) or _named(figure, y)
    if found:
        return found
    if figure.x.whole:
        x = float(round(x))
    told = [*_heights(figure, x)]
    at = float(to_unit(figure.y, y))
    near = sorted(told, key=lambda one: abs(float(to_unit(figure.y, one[0])) - at))
    words = {render(told): told for _, told in near}  # equal ones once
    head, measured = _place(figure.x, x), _words(figure.y.label)
    if words and not figure.y.hidden:
        head = _of(head, measured) if render(head) else measured
    return tuple(line for line in (head, *words.values()) if render(line))[:MOST]


def _of(place: Message, measured: Message) -> Message:
    """A place with what is measured there."""
    both = place.text and measured.text
    return say("{place} · {measured}", place=place, measured=measured) if both else place


def _heights(figure: Figure, x: float) -> Iterator[tuple[float, Message]]:
    """How high each layer stands at x, and the words for it."""
    (low, high), bars = figure.y.range, bars_read(figure, x)
    for layer in figure.layers:
        if isinstance(layer, Band) and layer.label and layer.low <= x <= layer.high:
            yield (low + high) / 2, _name(layer)
        value = bars.get(layer.key) if isinstance(layer, Columns) else _at(layer, figure, x)
        if value is None or not np.isfinite(value):
            continue
        if isinstance(layer, Line | Area | Columns) and figure.y.hidden:
            continue
        told = _told(figure, layer, value)
        if told is not None:
            yield value, told


def _told(figure: Figure, layer: Layer, value: float) -> Message | None:
    """The name and the value of a layer; a pale part of a curve has its name where that ends, and
    says why it is pale. One without a name is part of what has its ink; where nothing has one,
    it is what is measured."""
    names = (_name(one) for one in (layer, *figure.layers) if one.ink == layer.ink)
    alone = not any(isinstance(one, Line | Area | Columns) and one.label for one in figure.layers)
    measured = _words(figure.y.label) if alone else Message("")
    name = next((name for name in names if name.text), measured)
    if not name.text:
        return None
    if isinstance(layer, Dots) and layer.stack is not None:
        # How high a column is depends on the size of the chart.
        text = N_("{name}: {n} of {k} below this")
        return say(text, name=name, n=Num(value), k=Num(len(layer.x)))
    if isinstance(layer, Line) and layer.dash == OUTSIDE:
        text = N_("{name} {value} (not proved here, or worse than adding up)")
        return say(text, name=name, value=Num(value))
    return say("{name} {value}", name=name, value=Num(value))


def dot_reading(figure: Figure, layer: Dots, place: int) -> tuple[Message, ...]:
    """What one dot says: its name and both its values, or what its lane does, or it itself."""
    if layer.tells:
        return layer.tells[place]
    if figure.lanes is not None:
        return _lane(figure, figure.lanes, float(layer.y[place]))
    x, y = float(layer.x[place]), float(layer.y[place])
    if figure.y.ticks:
        head = say("{name} {value}", name=axis_value(figure.y, y), value=axis_value(figure.x, x))
        parts: tuple[Message, ...] = (_of(head, _words(figure.x.label)),)
    else:
        parts = (_place(figure.x, x), _place(figure.y, y))
    return tuple(part for part in (_name(layer), *parts) if part.text)


def _lane(figure: Figure, lanes: Lanes, y: float) -> tuple[Message, ...]:
    """The name of the lane nearest to y, and its words in every column."""
    place, _ = min(enumerate(figure.y.ticks), key=lambda one: abs(one[1][0] - y))
    parts = [plain(figure.y.ticks[place][1])]
    for column in lanes.columns:
        cell = _words(column.cells[place])
        if cell.text:
            parts.append(say("{name} {value}", name=_words(column.head), value=cell))
    return tuple(parts[:MOST])


def _cell(figure: Figure, x: float, y: float) -> tuple[Message, ...]:
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
                across, up = (
                    float(edges[k] + edges[k + 1]) / 2
                    for edges, k in ((layer.x, column), (layer.y, row))
                )
                name = _name(layer) if layer.label else _words(figure.title)
                value = Num(float(layer.values[row, column]))
                places = (_place(figure.x, across), _place(figure.y, up))
                told = (say("{name} {value}", name=name, value=value), *places)
                return tuple(line for line in told if line.text)
    return ()


def _dot(figure: Figure, x: float, y: float, *, telling: bool = False) -> tuple[Message, ...]:
    """The nearest of the dots that stand for themselves, within a twenty-fifth of the chart; of
    those alone that tell what each is, where that is asked."""
    best: tuple[float, Dots, int] | None = None
    for layer in figure.layers:
        if not isinstance(layer, Dots) or (telling and not layer.tells):
            continue
        if not layer.diameter and len(layer.x):
            away = np.hypot(
                # One beyond the chart is an arrow at its edge.
                np.clip(to_unit(figure.x, layer.x), 0, 1) - to_unit(figure.x, x),
                np.clip(to_unit(figure.y, layer.y), 0, 1) - to_unit(figure.y, y),
            )
            away = np.where(np.isfinite(away), away, np.inf)
            place = int(np.argmin(away))
            if away[place] < (best[0] if best else _NEAR):
                best = float(away[place]), layer, place
    return dot_reading(figure, best[1], best[2]) if best else ()


def _named(figure: Figure, y: float) -> tuple[Message, ...]:
    """Where words stand on the y axis: the word nearest to y, with the value of its dot; nothing
    where there are no such dots."""
    if not figure.y.ticks:
        return ()
    at, _ = min(figure.y.ticks, key=lambda tick: abs(tick[0] - y))
    for layer in figure.layers:
        if isinstance(layer, Dots) and np.any(layer.y == at):
            return dot_reading(figure, layer, int(np.argmax(layer.y == at)))
    return ()


def _name(layer: object) -> Message:
    return _words(getattr(layer, "label", ""))


def _words(said: Message | str) -> Message:
    return said if isinstance(said, Message) else Message(said)


def _place(axis: Axis, x: float) -> Message:
    """A place on an axis under the name of that; nothing where neither is seen."""
    if axis.hidden and not axis.ticks:
        return Message("")
    label, value = _words(axis.label), axis_value(axis, x)
    return say("{label} {x}", label=label, x=value) if label.text else value


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


def bars_read(figure: Figure, x: float) -> dict[str, float]:
    """How high the bars at x are, by layer: of one group all that stand in it, which are those
    around one word of the axis, or else around one middle of bars side by side."""
    bars = [layer for layer in figure.layers if isinstance(layer, Columns) and len(layer.x)]
    if not any((np.abs(layer.x - x) <= 1.5 * layer.width).any() for layer in bars):
        return {}
    many = max(len(layer.x) for layer in bars)
    middles = np.array([at for at, word in figure.x.ticks if word])
    if len(middles) < many:
        middles = np.mean([layer.x for layer in bars if len(layer.x) == many], axis=0)
    group, found = np.argmin(np.abs(middles - x)), dict[str, float]()
    for layer in bars:
        own = np.argmin(np.abs(layer.x[:, None] - middles), axis=1) == group
        if own.any():
            near = np.argmin(np.where(own, np.abs(layer.x - x), np.inf))
            found[layer.key] = float(layer.heights[near])
    return found


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
    if isinstance(layer, Dots) and layer.stack is not None:
        return float(np.count_nonzero(layer.x < x)) if len(layer.x) else None
    if isinstance(layer, Dots) and len(layer.x) and layer.diameter:
        inside = np.abs(layer.x - x) <= layer.diameter / 2
        return float(np.count_nonzero(inside)) if inside.any() else None
    return None
