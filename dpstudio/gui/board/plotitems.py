"""Layers as pyqtgraph items that are made once and then only given new data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QPointF, Qt, Signal

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
)
from dpstudio.charts.inks import Stroke, dashes, dot_size, marker, stroke
from dpstudio.charts.scaling import beyond, cell_words, shades, thin
from dpstudio.gui.board.cells import Cells
from dpstudio.gui.board.coordinates import edge_places, filled, marker_path, pen, risen, to_view
from dpstudio.gui.board.curve import Curve, Spots, Upright
from dpstudio.gui.parts.theme import Look


class Knob(pg.TargetItem):  # type: ignore[misc]
    """A point that is dragged along x; it reports where to and waits to be moved there by new
    data."""

    dragged = Signal(str, float, bool)
    sets, symbol = "", "o"

    def point(self, symbol: str) -> None:
        """Look like a point, or, where it lies beyond the chart, an arrow that points there."""
        if symbol != self.symbol:
            self.symbol = symbol
            self.setPath(Symbols[symbol])

    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        event.accept()
        if event.isStart():
            self._start = self.pos() - self.mapToParent(event.buttonDownPos())
        self.dragged.emit(
            self.sets, float((self._start + self.mapToParent(event.pos())).x()), event.isFinish()
        )

    def mouseClickEvent(self, event: Any) -> None:
        return


class Drawn:
    """The items of one layer. `update` returns without work where the layer is the one already
    shown."""

    def __init__(
        self, layer: Layer, look: Look, plot: pg.PlotItem, drag: Callable[[str, float, bool], None]
    ):
        self.kind, self.plot, self.look, self.drag = type(layer), plot, look, drag
        self.layer: Layer | None = None
        self.axes: tuple[Axis, Axis] | None = None
        self.items: list[Any] = getattr(self, f"_make_{self.kind.__name__.lower()}")(layer)
        depth = _DEPTH[Area if getattr(layer, "behind", False) else self.kind]
        for order, item in enumerate(self.items):
            item.setZValue(depth + order * 0.1)
            plot.addItem(item, ignoreBounds=True)

    def remove(self) -> None:
        for item in self.items:
            if isinstance(item, Knob):
                item.dragged.disconnect()
            self.plot.removeItem(item)

    def show(self, seen: bool) -> None:
        """Draw the layer, or let another be seen for it."""
        if self.kind is Line and self.items[0].isVisible() != seen:
            self.items[0].setVisible(seen)

    def update(self, layer: Layer, figure: Figure) -> None:
        """Show a layer; its items are not touched where they show its numbers already."""
        axes = (figure.x, figure.y)
        before, same_axes = self.layer, axes == self.axes
        self.layer, self.axes = layer, axes
        if before is None or not same_axes or not _alike(before, layer):
            getattr(self, f"_show_{self.kind.__name__.lower()}")(layer, figure)

    def _make_line(self, layer: Line) -> list[Any]:
        return [
            Curve(
                pen=pen(self.look, layer.ink, stroke(layer)),
                antialias=True,
                connect="finite",
                skipFiniteCheck=False,
            )
        ]

    def _show_line(self, layer: Line, figure: Figure) -> None:
        x, y = thin(to_view(figure.x, layer.x), to_view(figure.y, layer.y))
        self.items[0].setData(x, y)

    def _make_area(self, layer: Area) -> list[Any]:
        soft = self.look.color(layer.ink)
        soft.setAlphaF(layer.opacity)
        # Antialiasing a translucent fill leaves seams between the bars.
        return [
            Curve(
                [0.0, 1.0],
                [0.0],
                pen=None,
                brush=soft,
                fillLevel=0,
                stepMode="center",
                antialias=False,
            )
        ]

    def _show_area(self, layer: Area, figure: Figure) -> None:
        foot, top = risen(figure.y, layer.heights)
        self.items[0].setFillLevel(foot)
        self.items[0].setData(to_view(figure.x, layer.edges), top)

    def _make_ribbon(self, layer: Ribbon) -> list[Any]:
        soft = self.look.color(layer.ink)
        soft.setAlphaF(layer.opacity)
        return [Curve(pen=None, brush=soft, fillLevel="enclosed", antialias=True)]

    def _show_ribbon(self, layer: Ribbon, figure: Figure) -> None:
        # Round its edge: there along the upper end, back along the lower one.
        y = np.concatenate([layer.high, layer.low[::-1]])
        floor = figure.y.range[0]
        y = np.maximum(y, floor) if figure.y.log else y
        x = np.concatenate([layer.x, layer.x[::-1]])
        self.items[0].setData(to_view(figure.x, x), to_view(figure.y, y))

    def _make_columns(self, layer: Columns) -> list[Any]:
        color = filled(self.look, layer.ink)
        bars = pg.BarGraphItem(x0=[0], x1=[1], y0=[0], y1=[0], brush=color, pen=None)
        if layer.low is None:
            return [bars]
        return [
            bars,
            Curve(pen=pen(self.look, "text", Stroke((), 1.2)), connect="pairs", antialias=True),
        ]

    def _show_columns(self, layer: Columns, figure: Figure) -> None:
        left, right = (to_view(figure.x, layer.x + side * layer.width / 2) for side in (-1, 1))
        # On a log axis bars rise from its low end, below which a whisker is not seen either.
        foot, top = risen(figure.y, layer.heights)
        self.items[0].setOpts(x0=left, x1=right, y0=np.full_like(left, foot), y1=top)
        if layer.low is None or layer.high is None:
            return
        low, high = to_view(figure.y, layer.low), to_view(figure.y, layer.high)
        if figure.y.log:
            low, high = (np.where(np.isnan(end), foot - 1, end) for end in (low, high))
        middle, cap = (left + right) / 2, (right - left) * 0.3
        x = np.stack(
            [middle, middle, middle - cap, middle + cap, middle - cap, middle + cap], axis=1
        ).ravel()
        self.items[1].setData(x, np.stack([low, high, low, low, high, high], axis=1).ravel())

    def _make_heat(self, layer: Heat) -> list[Any]:
        return [Cells(self.look)]

    def _show_heat(self, layer: Heat, figure: Figure) -> None:
        x, y = (
            to_view(axis, np.clip(edges, *axis.range) if axis.log else edges)
            for axis, edges in ((figure.x, layer.x), (figure.y, layer.y))
        )
        inks = (
            [c.red(), c.green(), c.blue()]
            for c in map(self.look.color, ("surface", layer.ink, layer.below))
        )
        colours = shades(layer, *inks)
        self.items[0].show_cells(x, y, colours, cell_words(layer, colours))

    def _make_dots(self, layer: Dots) -> list[Any]:
        return [
            Spots(
                pen=None,
                brush=self.look.color(layer.ink),
                size=8,
                symbol=marker_path(marker(layer)),
                pxMode=True,
                antialias=True,
                useCache=True,
            ),
            Spots(
                pen=pen(self.look, layer.ink, Stroke((), 1.5)),
                brush=self.look.color("surface"),
                size=9,
                pxMode=True,
                antialias=True,
            ),
        ]

    def _show_dots(self, layer: Dots, figure: Figure) -> None:
        far = [] if layer.diameter else beyond(figure, layer.x, layer.y)
        if far or len(self.items[1].data):
            self.items[1].setData(
                x=edge_places(figure.x, [across for across, _, _ in far]),
                y=edge_places(figure.y, [up for _, up, _ in far]),
                symbol=[ARROWS[way] for _, _, way in far],
            )
        self.items[0].setData(
            x=to_view(figure.x, layer.x),
            y=to_view(figure.y, layer.y),
            size=self.dot_size(layer, figure),
        )

    def dot_size(self, layer: Dots, figure: Figure) -> float:
        """The diameter of the dots in the plot as it is."""
        box = self.plot.vb.rect()
        return dot_size(layer, figure, box.width(), box.height(), self.look.scale)

    def _make_band(self, layer: Band) -> list[Any]:
        edge = Curve(pen=pen(self.look, "muted", Stroke(dashes("dot"), 1.0)), connect="pairs")
        return [
            Curve(pen=None, brush=self.look.color(layer.ink), fillLevel=0, antialias=False),
            edge,
        ]

    def _show_band(self, layer: Band, figure: Figure) -> None:
        low, high = to_view(figure.x, [layer.low, layer.high])
        bottom, top = to_view(figure.y, figure.y.range)
        self.items[0].setFillLevel(float(bottom))
        self.items[0].setData([low, high], [top, top])
        self.items[1].setData([low, low, high, high], [bottom, top, bottom, top])

    def _make_rule(self, layer: Rule) -> list[Any]:
        return [
            Upright(
                angle=90 if layer.axis == "x" else 0,
                movable=False,
                pen=pen(self.look, layer.ink, stroke(layer)),
            )
        ]

    def _show_rule(self, layer: Rule, figure: Figure) -> None:
        axis = figure.x if layer.axis == "x" else figure.y
        self.items[0].setValue(float(to_view(axis, layer.at)))

    def _make_handle(self, layer: Handle) -> list[Any]:
        knob = Knob(
            symbol="o",
            size=round(13 * (1 + (self.look.scale - 1) * 0.6)),
            movable=True,
            pen=pen(self.look, "surface", Stroke((), 2)),
            brush=self.look.color(layer.ink),
            hoverPen=pen(self.look, "text", Stroke((), 2)),
            hoverBrush=self.look.color(layer.ink),
        )
        knob.sets = layer.sets
        # Straight to the view's own method: a closure here would keep view and items alive for
        # ever.
        knob.dragged.connect(self.drag)
        return [knob]

    def _show_handle(self, layer: Handle, figure: Figure) -> None:
        x, y = float(to_view(figure.x, layer.x)), float(to_view(figure.y, layer.y))
        far = beyond(figure, [layer.x], [layer.y])
        if far:
            (across, up, way), (x_axis, y_axis) = far[0], (figure.x, figure.y)
            (x,), (y,) = edge_places(x_axis, [across]), edge_places(y_axis, [up])
        self.items[0].point(ARROWS[way] if far else "o")
        self.items[0].setVisible(bool(np.isfinite(x) and np.isfinite(y)))
        if np.isfinite(x) and np.isfinite(y):
            self.items[0].setPos(QPointF(x, y))


def same_picture(old: Figure | None, new: Figure) -> bool:
    """Whether two figures look and read alike, titles aside."""
    if old is None or len(old.layers) != len(new.layers):
        return old is new
    return (old.key, old.x, old.y, old.square) == (new.key, new.x, new.y, new.square) and all(
        type(a) is type(b) and (a.key, a.label) == (b.key, b.label) and _alike(a, b)
        for a, b in zip(old.layers, new.layers, strict=True)
    )


def _alike(old: Layer, new: Layer) -> bool:
    """Whether two layers of a kind are drawn alike; what is only said of a layer is left out."""
    if old is new:
        return True
    before, now = vars(old), vars(new)
    return all(
        before[name] is held or name in _SAID or _equal(before[name], held)
        for name, held in now.items()
    )


def _equal(old: Any, new: Any) -> bool:
    if isinstance(old, np.ndarray) or isinstance(new, np.ndarray):
        return type(old) is type(new) and old.shape == new.shape and old.tobytes() == new.tobytes()
    return bool(old == new)


# Arrows of pyqtgraph by where they point.
ARROWS = {"left": "t3", "right": "t2", "down": "t", "up": "t1"}
# What a layer says and its items do not draw.
_SAID = ("key", "label")
_DEPTH = {
    Heat: -20.0,
    Band: -10.0,
    Area: 0.0,
    Ribbon: 0.5,
    Columns: 1.0,
    Dots: 2.0,
    Line: 3.0,
    Rule: 4.0,
    Handle: 6.0,
}


def structure(figure: Figure) -> tuple[Any, ...]:
    """What must stay the same for the items to be kept."""
    return tuple(
        (
            type(layer),
            layer.key,
            layer.ink,
            stroke(layer) if isinstance(layer, Line | Rule) else getattr(layer, "below", ""),
            marker(layer) if isinstance(layer, Dots) else 0,
            getattr(layer, "low", None) is None if isinstance(layer, Columns) else 0,
        )
        for layer in figure.layers
    )
