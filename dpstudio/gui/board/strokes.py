"""How each kind of layer is painted, in px of the plot area, y down: what is drawn is worked out
once, and painted as often as it is seen."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any

import numpy as np
import pyqtgraph as pg
import shiboken6
from pyqtgraph.functions import create_qpolygonf, ndarray_from_qpolygonf
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols, renderSymbol
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from dpstudio.charts.figure import (
    Area,
    Array,
    Band,
    Columns,
    Dots,
    Figure,
    Heat,
    Layer,
    Line,
    Ribbon,
    Rule,
    Words,
)
from dpstudio.charts.inks import Corners, Stroke, bar_opacity, dashes, dot_size, marker, stroke
from dpstudio.charts.scaling import beyond, cell_words, corners, shades, thin
from dpstudio.charts.stacked import FILLED, stacked
from dpstudio.charts.written import headed
from dpstudio.gui.board.cells import Cells, has_room
from dpstudio.gui.board.coordinates import PlotCoordinates, edge_places, faded, pen, risen
from dpstudio.gui.board.plot_words import words_painted
from dpstudio.gui.parts.theme import Look

Piece = Callable[[QPainter], None]
# How far in px a curve may be drawn from where it runs, so that corners nearly on one line need not
# be drawn: pixels at its edge change by a few of 256 shades.
_HAIR = 1 / 32
# Places further away, in px, are moved to here. A corner that is moved bends its curve, so that is
# done only where Qt's own arithmetic ends; boxes and straight lines stay as they are seen.
_FAR, _SIDE = 1e12, 1e6
# How far beyond the edge of a plot, in px, a mark is still one that stands on it.
_ROUNDING = 0.01
_BEHIND = 0.4  # of the ink of a band on a stage
# The arrows among pyqtgraph's symbols, by the side of the chart that they point to.
ARROWS = {"left": "t3", "right": "t2", "down": "t", "up": "t1"}


def pieces(
    layers: Mapping[str, Layer], place: PlotCoordinates, look: Look
) -> dict[str, list[Piece]]:
    """What paints each of the layers where a plot stands."""
    lines = {
        key: layer for key, layer in layers.items() if isinstance(layer, Line) and not layer.arrow
    }
    out = dict(zip(lines, _curves(list(lines.values()), place, look), strict=True))
    for key in layers.keys() - lines.keys():
        out[key] = _PAINTED[type(layers[key])](layers[key], place, look)
    return out


def _stroked(drawn: QPen, runs: list[QPolygonF], painter: QPainter) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(drawn)
    for run in runs:
        painter.drawPolyline(run)


def _ruled(drawn: QPen, lines: list[QLineF], smooth: bool, painter: QPainter) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    painter.setPen(drawn)
    painter.drawLines(lines)


def _filled(color: QColor, shape: QPolygonF, smooth: bool, painter: QPainter) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(shape)


def _barred(color: QColor, bars: list[QRectF], painter: QPainter) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRects(bars)


def _stamped(marks: Any, kind: tuple[Any, ...], painter: QPainter) -> None:
    """The same mark at many places."""
    dpr = float(painter.device().devicePixelRatio())
    picture, held = _mark(*kind, dpr), marks.ndarray()
    held[:, 2:] = 0, 0, picture.width(), picture.height(), 1 / dpr, 1 / dpr, 0, 1
    first, number = marks.drawargs()
    if number and not isinstance(first, QPainter.PixmapFragment):
        # PySide still knows something that is long gone by this address, and takes it for that: an
        # error while a chart is painted ends the program.
        shiboken6.invalidate(first)
        first, number = marks.drawargs()
    painter.drawPixmapFragments(first, number, picture)


def _stamps(
    at: Array, symbol: str | Corners, size: float, color: str, edge: str = "", wide: float = 0.0
) -> Piece:
    """A mark of `size` px at each place (n, 2): filled, and with a line of `edge` about it, `wide`
    px."""
    marks = pg.Qt.internals.PrimitiveArray(QPainter.PixmapFragment, 10)
    marks.resize(len(at))
    marks.ndarray()[:, :2] = at
    return partial(_stamped, marks, (symbol, size, color, edge, wide))


@lru_cache(maxsize=256)
def _mark(
    symbol: str | Corners, size: float, color: str, edge: str, wide: float, dpr: float
) -> QPixmap:
    """A mark as pyqtgraph draws it."""
    line = pg.mkPen(edge, width=wide) if edge else pg.mkPen(None)
    path = Symbols[symbol] if isinstance(symbol, str) else _outline(symbol)
    picture = QPixmap.fromImage(renderSymbol(path, size, line, pg.mkBrush(color), dpr=dpr))
    picture.setDevicePixelRatio(1)  # the size of a fragment is in its pixels
    return picture


def _outline(corners: Corners) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, -y) for x, y in corners]))
    path.closeSubpath()
    return path


def _near(at: Array, far: float = _FAR) -> Array:
    """Places in px, none further than `far`."""
    return np.clip(at, -far, far)


def _polygon(x: Array, y: Array) -> QPolygonF:
    made: QPolygonF = create_qpolygonf(len(x))
    if len(x):
        held = ndarray_from_qpolygonf(made)
        held[:, 0], held[:, 1] = x, y
    return made


def runs(x: Array, y: Array) -> list[slice]:
    """The pieces of a curve between each two of its gaps."""
    known = np.isfinite(x + y)
    if known.all():
        return [slice(0, len(x))] if len(x) else []
    turns = np.flatnonzero(np.diff(known, prepend=False, append=False)).tolist()
    return [slice(start, stop) for start, stop in zip(turns[::2], turns[1::2], strict=True)]


def _strokes(drawn: QPen, x: Array, y: Array) -> list[Piece]:
    """A curve with its gaps. What is one straight line between two of them, of which there may be
    thousands, is painted with the others of its kind, unless each begins its own dashes."""
    held, solid = runs(x, y), drawn.style() == Qt.PenStyle.SolidLine
    short = [run.start for run in held if solid and run.stop - run.start == 2]
    long = [_polygon(x[run], y[run]) for run in held if not solid or run.stop - run.start != 2]
    out: list[Piece] = [partial(_stroked, drawn, long)] if long else []
    if short:
        first = np.array(short)
        ends = np.stack((x[first], y[first], x[first + 1], y[first + 1]), axis=1)
        out.append(partial(_ruled, drawn, [QLineF(*end) for end in ends.tolist()], True))
    return out


# How each kind of layer is painted


def _curves(lines: Sequence[Line], place: PlotCoordinates, look: Look) -> list[list[Piece]]:
    """Of curves only the corners that can be seen: the strokes are what a step of a slider waits
    for longest. All curves at once, apart by NaN: numpy's cost is mostly one a call."""
    if not lines:
        return []
    gap = np.array([np.nan])
    x = place.x(np.concatenate([part for line in lines for part in (line.x, gap)]))
    y = place.y(np.concatenate([part for line in lines for part in (line.y, gap)]))
    ends = accumulate([len(line.x) + 1 for line in lines])
    own = [slice(end - len(line.x) - 1, end - 1) for line, end in zip(lines, ends, strict=True)]
    thinned = [thin(x[one], y[one]) for one in own]
    # What has no place on its axis, such as 0 on a log one, leaves a gap.
    x, y = [np.concatenate([part for one in thinned for part in (one[k], gap)]) for k in (0, 1)]
    x, y = [_near(np.where(np.isfinite(at), at, np.nan)) for at in (x, y)]
    kept = corners(x, y, _HAIR)
    x, y = x[kept], y[kept]
    ends = np.searchsorted(kept, [*accumulate([len(one[0]) + 1 for one in thinned])]).tolist()
    return [
        _strokes(pen(look, line.ink, stroke(line)), x[start : end - 1], y[start : end - 1])
        for line, start, end in zip(lines, [0, *ends[:-1]], ends, strict=True)
    ]


def _arrow(layer: Line, place: PlotCoordinates, look: Look) -> list[Piece]:
    x, y = _near(place.x(layer.x), _SIDE), _near(place.y(layer.y), _SIDE)
    x, y, head = headed(x, y, look.scale)
    out = _strokes(pen(look, layer.ink, stroke(layer)), x, y)
    if head:
        tip = QPolygonF([QPointF(*corner) for corner in head])
        out.append(partial(_filled, look.color(layer.ink), tip, True))
    return out


def _area(layer: Area, place: PlotCoordinates, look: Look) -> list[Piece]:
    foot, top = risen(place.axes[1], layer.heights)
    soft = faded(look, layer.ink, layer.opacity)
    x = place.x(layer.edges)
    # An edge at 0 has no place on a log axis: the bar begins where the chart does.
    x = np.repeat(np.where(np.isnan(x), 0.0, x), 2)
    y = np.full(len(x), float(place.down(foot)))
    y[1:-1] = np.repeat(place.down(top), 2)
    # Antialiasing a translucent fill leaves seams between the bars.
    return [partial(_filled, soft, _polygon(_near(x), _near(y)), False)]


def _ribbon(layer: Ribbon, place: PlotCoordinates, look: Look) -> list[Piece]:
    soft = faded(look, layer.ink, layer.opacity)
    axis = place.axes[1]
    # Its outline: along the upper end from left to right, and back along the lower one.
    ends = np.concatenate([layer.high, layer.low[::-1]])
    x = place.x(np.concatenate([layer.x, layer.x[::-1]]))
    y = place.y(np.maximum(ends, axis.range[0]) if axis.log else ends)
    known = np.isfinite(x) & np.isfinite(y)
    return [partial(_filled, soft, _polygon(_near(x[known]), _near(y[known])), True)]


def bars(layer: Columns, place: PlotCoordinates) -> tuple[Array, Array, float, Array]:
    """Left, right, foot and top of bars, in px."""
    left, right = (place.x(layer.x + side * layer.width / 2) for side in (-1, 1))
    # On a log axis bars rise from its low end, below which a whisker is not seen either.
    foot, top = risen(place.axes[1], layer.heights)
    return left, right, float(place.down(foot)), place.down(top)


def _columns(layer: Columns, place: PlotCoordinates, look: Look) -> list[Piece]:
    left, right, foot, top = bars(layer, place)
    placed = np.isfinite(left) & np.isfinite(right)
    ends = (part[placed] for part in (left, top, right, np.full_like(left, foot)))
    # In 64ths of a px, whose sums are exact: a foot at half a px would else be rounded up under one
    # bar and down under the next.
    corners = (np.rint(64 * _near(part, _SIDE)) / 64 for part in ends)
    boxes = [
        QRectF(x, up, end - x, base - up).normalized()
        for x, up, end, base in zip(*(part.tolist() for part in corners), strict=True)
    ]
    out: list[Piece] = [partial(_barred, faded(look, layer.ink, bar_opacity(layer.ink)), boxes)]
    if layer.low is None or layer.high is None:
        return out
    low, high = place.y(layer.low), place.y(layer.high)
    if place.axes[1].log:
        low, high = (np.where(np.isnan(end), place.height + 9, end) for end in (low, high))
    with np.errstate(invalid="ignore"):  # of bars without a place
        middle, cap = (left + right) / 2, (right - left) * 0.3
    whiskers = (
        (middle, low, middle, high),
        (middle - cap, low, middle + cap, low),
        (middle - cap, high, middle + cap, high),
    )
    lines = [line for ends in whiskers for line in _lines(*ends)]
    return [*out, partial(_ruled, pen(look, "text", Stroke((), 1.2)), lines, True)]


def _lines(*ends: Array) -> list[QLineF]:
    held = _near(np.stack(ends, axis=1), _SIDE)
    return [QLineF(*row) for row in held[np.isfinite(held).all(axis=1)].tolist()]


def _heat(layer: Heat, place: PlotCoordinates, look: Look) -> list[Piece]:
    x, y = (
        _near(of(np.clip(edges, *axis.range) if axis.log else edges), _SIDE)
        for of, axis, edges in (
            (place.x, place.axes[0], layer.x),
            (place.y, place.axes[1], layer.y),
        )
    )
    inks = (
        [c.red(), c.green(), c.blue()] for c in map(look.color, ("surface", layer.ink, layer.below))
    )
    colours = shades(layer, *inks)
    words = cell_words(layer, colours) if has_room(look, np.asarray(layer.values), x, y) else []
    return [Cells(look, x, y, colours, words)]


def _dots(layer: Dots, place: PlotCoordinates, look: Look) -> list[Piece]:
    figure = Figure("", "", *place.axes, ())
    if layer.stack:
        at, side = stacked(layer, place.x, place.y)
        size = FILLED * side
    else:
        size = dot_size(layer, figure, place.width, place.height, look.scale)
        at = np.stack((place.x(layer.x), place.y(layer.y)), axis=1)
    # Those that stand for themselves are seen whole or not at all.
    beside = size if layer.diameter else _ROUNDING
    with np.errstate(invalid="ignore"):
        near = (at > -beside) & (at < np.array([place.width, place.height]) + beside)
    at = at[near.all(axis=1)]
    color = look.color(layer.ink).name()
    out = [_stamps(at, marker(layer) or "o", size, color)] if len(at) else []
    ground, wide = look.color("surface").name(), pen(look, layer.ink, Stroke((), 1.5)).widthF()
    far = [] if layer.diameter else beyond(figure, layer.x, layer.y)
    for way, arrow in ARROWS.items():
        shares = np.array([share for *share, towards in far if towards == way]).reshape(-1, 2).T
        if shares.size:
            x, y = (edge_places(axis, end) for axis, end in zip(place.axes, shares, strict=True))
            edge = np.stack((place.across(x), place.down(y)), axis=1)
            out.append(_stamps(edge, arrow, 9, ground, color, wide))
    return out


def _band(layer: Band, place: PlotCoordinates, look: Look) -> list[Piece]:
    at, up = _near(place.x([layer.low, layer.high]), _SIDE), np.zeros(2)
    low, high = at.tolist()
    box = [] if math.isnan(low + high) else [QRectF(low, 0, high - low, place.height)]
    edges = _lines(at, up, at, up + place.height)
    if look.stage:  # its ink, which any projector shows, would hide what lies before it
        bound = pen(look, layer.ink, Stroke((), 2.0))
        soft = faded(look, layer.ink, _BEHIND)
        return [partial(_barred, soft, box), partial(_ruled, bound, edges, False)]
    return [
        partial(_barred, look.color(layer.ink), box),
        partial(_ruled, pen(look, "muted", Stroke(dashes("dot"), 1.0)), edges, False),
    ]


def _rule(layer: Rule, place: PlotCoordinates, look: Look) -> list[Piece]:
    upright = layer.axis == "x"
    at = float((place.x if upright else place.y)(layer.at))
    if not abs(at) < _SIDE:
        return []
    line = QLineF(at, 0, at, place.height) if upright else QLineF(0, at, place.width, at)
    return [partial(_ruled, pen(look, layer.ink, stroke(layer)), [line], False)]


_PAINTED: dict[type[Layer], Callable[[Any, PlotCoordinates, Look], list[Piece]]] = {
    Line: _arrow,
    Words: words_painted,
    Area: _area,
    Ribbon: _ribbon,
    Columns: _columns,
    Heat: _heat,
    Dots: _dots,
    Band: _band,
    Rule: _rule,
}
