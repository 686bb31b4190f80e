"""What a chart says at one place: the values under the pointer."""

from __future__ import annotations

import numpy as np

from dpstudio.core.figure import Area, Columns, Dots, Figure, Line
from dpstudio.core.wording import Num, Say, plain, say


def reading(figure: Figure, x: float) -> Say | None:
    """Axis value and the height of every layer at x, as one line; None where nothing is drawn there."""
    if figure.x.whole:
        x = float(round(x))
    parts: list[Say] = []
    for layer in figure.layers:
        value = _at(layer, figure, x)
        if value is not None and np.isfinite(value):
            parts.append(say("{name} {value}", name=_name(layer), value=Num(value)) if layer.label else say("{value}", value=Num(value)))
    if not parts:
        return None
    line = say("{x}", x=_place(figure, x))
    for part in parts:
        line = say("{line} · {part}", line=line, part=part)
    return line


def _name(layer: object) -> Say:
    label = getattr(layer, "label", "")
    return label if isinstance(label, Say) else Say(str(label))


def _place(figure: Figure, x: float) -> Say:
    if figure.x.ticks:
        nearest = min(figure.x.ticks, key=lambda tick: abs(tick[0] - x))
        return plain(nearest[1])
    label = figure.x.label if isinstance(figure.x.label, Say) else Say(figure.x.label)
    span = abs(figure.x.range[1] - figure.x.range[0])
    digits = 3 if figure.x.log or not x else int(np.clip(np.floor(np.log10(abs(x) + 1e-300)) - np.floor(np.log10(span / 100)) + 1, 1, 9))
    return say("{label} {x}", label=label, x=Num(x, digits))


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
