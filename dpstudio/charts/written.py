"""Where words that stand in a chart go, and the heads of arrows, in px, y down. Pure, shared by the
live view and the SVG writer."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from dpstudio.charts.figure import Array, Axis, Words
from dpstudio.charts.label_folding import folded
from dpstudio.charts.label_layout import large
from dpstudio.charts.scaling import Measure
from dpstudio.values.messages import Message

_MARK, _BEFORE = 0.62, 0.45  # of a line: how wide a mark is, and how far behind its words
_INK = 0.8  # of a line's height, that its letters take
_USUAL, _LOUD, _ROW = 12, 14, 1.22  # px at normal type, and the height of a line of them
_HEAD = 8.0  # px that the head of an arrow is long, at normal type


class Written(NamedTuple):
    """One line of words: its left end, its upper edge, and its width; and the middle of the mark
    behind it, with its side, where it has one."""

    text: str
    left: float
    top: float
    width: float
    mark: tuple[float, float, float] | None = None


def size_of(layer: Words, size: tuple[float, float], scale: float) -> int:
    """The type of words in px at normal type, in a plot of this size: larger where they are said
    loudly in a chart that leads a page."""
    return _LOUD if layer.strong and large(*size, _USUAL * _ROW * scale) else _USUAL


def written(
    layer: Words,
    places: Array,
    axes: tuple[Axis, Axis],
    size: tuple[float, float],
    measure: Measure,
    text: Callable[[Message | str], str],
) -> Iterator[Written]:
    """The lines of a layer whose texts stand at `places`, shape (n, 2), in a plot of this size on
    these axes. Those above their place grow upwards, the others down; in a box both ways."""
    high, (room, tall) = measure("Ag")[1], _room(layer, axes, size)
    beside = (_BEFORE + _MARK) * high if layer.mark else 0.0
    for words, (x, y) in zip(layer.texts, places.tolist(), strict=True):
        said = text(words).strip()
        if not said or not math.isfinite(x + y):
            continue
        lines = folded(said, room - beside, measure)
        # Half a number would be another one: what has no room is left out.
        cut = any(measure(line)[0] > room - beside for line in lines)
        if cut or len(lines) > layer.lines or _INK * len(lines) * high > tall:
            continue
        grown = 0.5 if not layer.up and math.isfinite(layer.tall) else float(layer.up >= 0.5)
        first = y - (layer.up + 0.5 + (len(lines) - 1) * grown) * high
        for number, line in enumerate(lines):
            across, top = measure(line)[0], first + number * high
            last = layer.mark and number == len(lines) - 1
            whole = across + (beside if last else 0.0)
            left = x - whole * {"start": 0.0, "middle": 0.5, "end": 1.0}[layer.anchor]
            mark = (left + whole - _MARK * high / 2, top + 0.48 * high, _MARK * high)
            yield Written(line, left, top, across, mark if last else None)


def _room(layer: Words, axes: tuple[Axis, Axis], size: tuple[float, float]) -> tuple[float, float]:
    """How wide and how high its texts may be, in px."""
    across, up = (abs(axis.range[1] - axis.range[0]) or 1.0 for axis in axes)
    return layer.room * size[0] / across, layer.tall * size[1] / up


def headed(x: Array, y: Array, scale: float) -> tuple[Array, Array, list[tuple[float, float]]]:
    """The curve of an arrow, which ends within its head, and the corners of that; none where the
    arrow has no length."""
    if len(x) < 2:
        return x, y, []
    dx, dy = float(x[-1] - x[-2]), float(y[-1] - y[-2])
    length = math.hypot(dx, dy)
    if not (math.isfinite(length) and length > 0):
        return x, y, []
    along, size = (dx / length, dy / length), min(_HEAD * scale, length)
    back = x[-1] - size * along[0], y[-1] - size * along[1]
    half = 0.45 * size
    x, y = x.copy(), y.copy()
    corners = [
        (float(x[-1]), float(y[-1])),
        (float(back[0] - half * along[1]), float(back[1] + half * along[0])),
        (float(back[0] + half * along[1]), float(back[1] - half * along[0])),
    ]
    x[-1], y[-1] = back
    return x, y, corners
