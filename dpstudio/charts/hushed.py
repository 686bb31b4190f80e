"""Charts of many curves: the chosen one, the best and the worst are named and inked; the others are
grey until the pointer is on them."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import PART, Figure, Handle, Line
from dpstudio.charts.inks import OUTSIDE, greyed, known
from dpstudio.charts.scaling import share

SERIES = 6  # more curves than these are not all read at once


def hushed(figure: Figure, most: int = SERIES) -> Figure:
    """The figure with all but three of its curves grey, where it has more than `most`; it keeps
    which inks they have."""
    curves = [*_curves(figure)]
    if len(curves) <= most:
        return figure
    kept = _kept(figure, curves)
    quiet = {line.key for line in curves} - kept
    inks = tuple((one.key, one.ink) for one in figure.layers if _whole(one.key) in quiet)
    held = dict(inks)
    layers = (greyed(one) if one.key in held else one for one in figure.layers)
    return replace(figure, layers=tuple(layers), hushed=inks)


def spoken(figure: Figure, key: str) -> Figure:
    """The figure with the curve of that key inked and named again."""
    back = {part: ink for part, ink in figure.hushed if _whole(part) == _whole(key)}
    if not back:
        return figure
    layers = (replace(one, ink=back[one.key]) if one.key in back else one for one in figure.layers)
    rest = tuple(pair for pair in figure.hushed if pair[0] not in back)
    return replace(figure, layers=tuple(layers), hushed=rest)


def _whole(key: str) -> str:
    return key.partition(PART)[0]


def _curves(figure: Figure) -> Iterator[Line]:
    """Curves that are compared: each has an ink and a name of its own."""
    for layer in figure.layers:
        drawn = isinstance(layer, Line) and layer.named == "end" and layer.dash != OUTSIDE
        if drawn and layer.label and known(layer.ink) and layer.ink != "truth":
            assert isinstance(layer, Line)
            seen = layer.y[np.isfinite(layer.y)]
            if len(seen) > 1 and seen.min() < seen.max():
                yield layer


def _kept(figure: Figure, curves: list[Line]) -> set[str]:
    """The keys of the chosen curve, which has the ink of the point or is the widest, and of those
    that are highest and lowest where the chart looks: at the point, else at its right end."""
    handle = next((one for one in figure.layers if isinstance(one, Handle)), None)
    at = figure.x.range[1] if handle is None else handle.x
    heights = [float(np.interp(at, line.x, line.y)) for line in curves]
    places = [k for k, height in enumerate(heights) if np.isfinite(height)]
    places.sort(key=heights.__getitem__)
    ends = places[:1] + places[-1:]
    chosen = [line.key for line in curves if handle is not None and line.ink == handle.ink]
    widest = max(curves, key=lambda line: line.width)
    return {curves[k].key for k in ends}.union(chosen or [widest.key])


def under(figure: Figure, x: float, y: float, near: float) -> str:
    """The key of the hushed curve that is nearest to (x, y) and at most `near`, a share of the
    chart's height, above or below it; "" where there is none."""
    inks, best = dict(figure.hushed), (near, "")
    for layer in figure.layers:
        if layer.key in inks and isinstance(layer, Line) and len(layer.x) > 1:
            height = float(np.interp(x, layer.x, layer.y, left=np.nan, right=np.nan))
            far = abs(share(figure.y, height) - share(figure.y, y))
            if far < best[0]:
                best = far, layer.key
    return best[1]
