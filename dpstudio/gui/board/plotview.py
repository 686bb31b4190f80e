"""One live chart: shows a Figure, keeps its items, labels curves where they run, reads values under
the pointer."""

from __future__ import annotations

import html
import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QBrush,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsSimpleTextItem, QScrollArea, QWidget

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Rule
from dpstudio.charts.label_ground import Placed
from dpstudio.charts.label_layout import place_labels
from dpstudio.charts.readout import dot_reading, reading
from dpstudio.charts.scaling import squared, ticks, to_unit
from dpstudio.gui.board.picking import Picking
from dpstudio.gui.board.plotitems import Drawn, from_view, structure, to_view
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown

LABELS_MS = 60
_STILL = 4


class PlotView(pg.PlotWidget):  # type: ignore[misc]
    """`dragged(path, value, last, axis)`: the handle asks for a parameter; `nudged(path, steps,
    axis, stands)`: the same from arrow keys, with where the handle stands now.

    `picked(pairs)`: a dot was taken, with its parameters. `read(text)`: what lies under the
    pointer, "" when it left.
    """

    dragged = Signal(str, float, bool, object)
    nudged = Signal(str, int, object, float)
    picked = Signal(object)
    read = Signal(str)
    zoomed_in = Signal(bool)

    def __init__(self, look: Look, parent: QWidget | None = None):
        super().__init__(
            parent,
            background=None,
            useOpenGL=False,
            enableMenu=False,
            axisItems={"bottom": _Below("bottom")},
        )
        self.look = look
        self.figure: Figure | None = None
        self.given: Figure | None = None
        self.hidden: frozenset[str] = frozenset()
        self.zoomed = False
        self._drawn: dict[str, Drawn] = {}
        self._structure: tuple[Any, ...] = ()
        self._labels: dict[str, QGraphicsSimpleTextItem] = {}
        self._placed: tuple[Placed, ...] = ()
        self._placed_for: Figure | None = None
        self._held: tuple[Axis, Axis] | None = None
        self._newest: Figure | None = None
        self._margins: tuple[int, ...] = ()
        self._pointer: QPoint | None = None
        self._ticked: dict[str, Any] = {}
        self._left = 0
        self._pressed = QPoint()
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(LABELS_MS)
        self._late.timeout.connect(self._write_labels)
        self.setMinimumSize(160, 110)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.plot = self.getPlotItem()
        self.plot.hideButtons()
        self.plot.vb.setMouseEnabled(x=True, y=False)
        self.plot.vb.setDefaultPadding(0)
        self.plot.disableAutoRange()
        self.plot.vb.sigRangeChangedManually.connect(self._on_zoom)
        self.plot.vb.sigResized.connect(self._on_fit)
        self.picking = Picking(self.plot)
        self.dress(look)

    # What is shown

    def show_figure(self, figure: Figure) -> None:
        """Show a figure; items whose layer is unchanged are not touched."""
        self.given = figure
        if figure.square:
            figure = squared(figure, self.plot.vb.width(), self.plot.vb.height())
        if self._held is not None:
            # Under the hand the axes stand still: a point that moves its own axis would run away.
            self._newest, figure = figure, replace(figure, x=self._held[0], y=self._held[1])
        if self.zoomed and self.figure is not None and not _comparable(self.figure, figure):
            self.zoomed = False
            self.zoomed_in.emit(False)
        self.figure = figure
        drawn = figure.without(self.hidden)
        if structure(drawn) != self._structure:
            self._rebuild(drawn)
        # Wider alone, round things would not stay round.
        self.plot.vb.setMouseEnabled(x=not figure.square, y=False)
        self._set_axes(figure)
        for layer in drawn.layers:
            self._drawn[layer.key].update(layer, drawn)
        if not self._carry_labels(drawn):
            self._write_labels()
        # A ViewBox takes its new range only inside the paint, which then paints twice; take it now.
        self.plot.layout.activate()
        self.scene().prepareForPaint()
        self.picking.show_figure(drawn, self.look)
        if self._pointer is not None:
            self._read_out()

    def hide_layers(self, hidden: frozenset[str]) -> None:
        self.hidden = hidden
        self._again()

    def dress(self, look: Look) -> None:
        """Take another look; everything is drawn anew."""
        self.look = look
        self._structure = ()
        self._ticked.clear()
        self.setBackground(look.color("surface"))
        for name in ("bottom", "left"):
            axis = self.plot.getAxis(name)
            axis.setPen(pg.mkPen(look.color("grid"), width=1))
            axis.setTextPen(pg.mkPen(look.color("muted")))
            axis.enableAutoSIPrefix(False)
            axis.setStyle(
                tickFont=look.font(11),
                tickLength=-4,
                # The lowest number of the left axis must not touch the first one of the bottom
                # axis.
                tickTextOffset=look.px(4) if name == "left" else look.px(8),
                autoReduceTextSpace=False,
                hideOverlappingLabels=False if name == "left" else look.px(70),
            )
        self.plot.getAxis("bottom").setHeight(look.px(47))
        self._again()

    def _again(self) -> None:
        if self.given is not None:
            self.show_figure(self.given)

    def reset_zoom(self) -> None:
        self.zoomed = False
        self.zoomed_in.emit(False)
        if self.figure is not None:
            self._set_axes(self.figure)
            self._write_labels()

    def visible(self) -> Figure | None:
        """The figure as it is seen: its x axis cut to the zoom, hidden curves left out."""
        if self.figure is None:
            return None
        figure = self.figure.without(self.hidden)
        if not self.zoomed:
            return figure
        low, high = self.plot.vb.viewRange()[0]
        return replace(
            figure, x=replace(figure.x, range=(from_view(figure.x, low), from_view(figure.x, high)))
        )

    def _rebuild(self, figure: Figure) -> None:
        for drawn in self._drawn.values():
            drawn.remove()
        self._drawn = {
            layer.key: Drawn(layer, self.look, self.plot, self._on_drag) for layer in figure.layers
        }
        self._structure = structure(figure)
        self._left = 0
        self._ticked.pop("left", None)
        self._placed = ()
        self._placed_for = None

    def _set_axes(self, figure: Figure) -> None:
        # Room for the ends of the axes' labels.
        margins = (self.look.px(20 if figure.y.hidden else 4), self.look.px(7), self.look.px(20), 0)
        if margins != self._margins:
            self._margins = margins
            self.plot.showAxis("left", not figure.y.hidden)
            self.plot.layout.setContentsMargins(*margins)
            self.plot.getAxis("bottom").right = margins[2] - 2
        x, y = (tuple(to_view(axis, axis.range)) for axis in (figure.x, figure.y))
        vb = self.plot.vb
        if not self.zoomed and vb.state["targetRange"] != [list(x), list(y)]:
            vb.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=True)
        elif self.zoomed and vb.state["targetRange"][1] != list(y):
            vb.setYRange(*y, padding=0)
        # The left one first: what stands below may reach under it.
        if not figure.y.hidden:
            self._tick("left", figure.y, vb.height())
        self._tick("bottom", self.visible_axis(figure.x), vb.width())

    def visible_axis(self, axis: Axis) -> Axis:
        if not self.zoomed:
            return axis
        low, high = self.plot.vb.viewRange()[0]
        return replace(axis, range=(from_view(axis, low), from_view(axis, high)))

    def _tick(self, name: str, axis: Axis, length: float) -> None:
        state = (axis, round(length))
        if self._ticked.get(name) == state:
            return
        self._ticked[name] = state
        item = self.plot.getAxis(name)
        size = QFontMetricsF(item.style["tickFont"])
        vertical = name == "left"
        marks = ticks(
            axis,
            max(1.0, length),
            (40 if vertical else 62) * self.look.scale,
            measure=lambda t: (size.horizontalAdvance(t), size.height()),
            vertical=vertical,
        )
        if axis.ticks and not vertical:
            marks = self._inside(axis, marks, length, QFontMetrics(item.style["tickFont"]))
        item.setTicks([[(float(to_view(axis, at)), text) for at, text in marks]])
        if vertical:
            # The room for the numbers only grows, so that the plot does not shift to and fro under
            # the hand.
            widest = round(
                max((size.horizontalAdvance(text) for _, text in marks), default=0)
            ) + self.look.px(30)
            room = length + self.look.px(10)
        else:
            widest, room = (
                0,
                length
                + (0 if self.figure is None or self.figure.y.hidden else 0.9 * self._left)
                + self._margins[2],
            )
        lines = _lines(
            shown(axis.label),
            QFontMetrics(self.look.font(12)),
            max(40, round(room)),
            2 if vertical else 1,
        )
        widest += self.look.px(15) * (len(lines) - 1)
        if vertical and widest > self._left:
            self._left = widest
            item.setWidth(widest)
        words = (lines, self.look)
        if self._ticked.get(name + " label") == words:
            return
        self._ticked[name + " label"] = words
        style = {"color": self.look.color("muted").name(), "font-size": f"{self.look.px(12)}px"}
        item.label.setTextWidth(-1)
        item.label.document().setDefaultTextOption(QTextOption(Qt.AlignmentFlag.AlignHCenter))
        item.setLabel("<br>".join(map(html.escape, lines)), **style)
        if len(lines) > 1:
            # Lines are centred about each other only in a document that has a width.
            item.label.setTextWidth(item.label.document().idealWidth())
        item.resizeEvent(None)  # which places it

    def _inside(
        self, axis: Axis, marks: list[tuple[float, str]], length: float, size: QFontMetrics
    ) -> list[tuple[float, str]]:
        """Words under the ends of the axis, cut to what fits into the picture."""
        out = []
        left, right = (
            self._margins[0] + (self._left if self.plot.getAxis("left").isVisible() else 0),
            self._margins[2],
        )
        for at, text in marks:
            centre = float(to_unit(axis, at)) * length
            room = 2 * min(centre + left, length - centre + right) - 2
            out.append(
                (at, size.elidedText(text, Qt.TextElideMode.ElideRight, max(12, round(room))))
            )
        return out

    # Labels, written by the same placing as in the exported picture

    def _carry_labels(self, figure: Figure) -> bool:
        """While a slider moves: labels go with their points and rules, and are placed anew a moment
        later.

        False where they must be placed at once, because there are other axes, or other words.
        """
        before = self._placed_for
        if before is None or self.zoomed or not _comparable(before, figure):
            return False
        layers = {layer.key: layer for layer in figure.layers}
        if any(placed.key not in layers for placed in self._placed):
            return False
        for placed in self._placed:
            item, layer, old = (
                self._labels[placed.key],
                layers[placed.key],
                before.layer(placed.key),
            )
            text = shown(layer.label)
            if item.text() != text:
                item.setText(text)
            if isinstance(layer, Handle | Rule):
                (x0, y0), (x1, y1) = self._spot(before, old), self._spot(figure, layer)
                room, size = self.plot.vb.rect(), item.boundingRect()
                x = min(max(placed.x + x1 - x0, 0.0), room.width() - size.width())
                item.setPos(x, min(max(placed.y + y1 - y0, 0.0), room.height() - size.height()))
        self._late.start()
        return True

    def _spot(self, figure: Figure, layer: Handle | Rule) -> tuple[float, float]:
        """Where a point or a rule is, in pixels of the plot area; a rule counts along its own axis
        only."""
        across = (
            layer.x
            if isinstance(layer, Handle)
            else layer.at
            if layer.axis == "x"
            else figure.x.range[0]
        )
        up = (
            layer.y
            if isinstance(layer, Handle)
            else layer.at
            if layer.axis == "y"
            else figure.y.range[0]
        )
        box = self.plot.vb.rect()
        x, y = (
            float(to_unit(figure.x, across)) * box.width(),
            (1 - float(to_unit(figure.y, up))) * box.height(),
        )
        return (x if math.isfinite(x) else 0.0), (y if math.isfinite(y) else 0.0)

    def _write_labels(self) -> None:
        self._late.stop()
        figure = self.visible()
        if figure is None:
            return
        box = self.plot.vb.rect()
        if box.width() < 20 or box.height() < 20:
            return
        self._placed = place_labels(
            figure, box.width(), box.height(), self._measure, self._placed, shown
        )
        self._placed_for = figure
        wanted = {placed.key for placed in self._placed}
        for key in [k for k in self._labels if k not in wanted]:
            self.scene().removeItem(self._labels.pop(key))
        for placed in self._placed:
            item = self._labels.get(placed.key)
            if item is None:
                item = self._labels[placed.key] = QGraphicsSimpleTextItem(self.plot.vb)
                item.setZValue(50)
                item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
            font, color = self.look.font(12.5, 500), self.look.color(placed.ink)
            if item.font() != font:
                item.setFont(font)
            if item.brush().color() != color:
                item.setBrush(QBrush(color))
            if item.text() != placed.text:
                item.setText(placed.text)
            if item.pos() != QPointF(placed.x, placed.y):
                item.setPos(placed.x, placed.y)

    def _measure(self, text: str) -> tuple[float, float]:
        return _text_size(text, self.look.font(12.5, 500).toString())

    # The hand

    def _on_drag(self, path: str, x: float, last: bool) -> None:
        if self.figure is None:
            return
        if self._held is None:
            self._held = (self.figure.x, self.figure.y)
        low, high = to_view(self.figure.x, self.figure.x.range)
        self.dragged.emit(
            path,
            from_view(self.figure.x, min(max(x, float(low)), float(high))),
            last,
            self.figure.x,
        )
        if last:
            self._held = None
            if self._newest is not None:
                self.show_figure(self._newest)
            self._newest = None

    def _on_zoom(self, *_: object) -> None:
        self.zoomed = True
        self.zoomed_in.emit(True)
        if self.figure is not None:
            self._set_axes(self.figure)
            self._write_labels()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_zoom()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._pointer = event.position().toPoint()
        self._read_out()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Where the board scrolls the wheel is the board's, unless this chart was chosen.
        if not self.hasFocus() and _scrolls(self):
            event.ignore()
        else:
            super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._pressed = event.position().toPoint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        here = event.position().toPoint()
        if (
            event.button() == Qt.MouseButton.LeftButton
            and (here - self._pressed).manhattanLength() <= _STILL
        ):
            self._pick(self._dot_at(here))

    def _dot_at(self, pointer: QPoint) -> tuple[Dots, int] | None:
        """The dot under the pointer that can be taken."""
        figure = self.visible()
        return (
            self.picking.at(figure, self.mapToScene(pointer), 9 * self.look.scale)
            if figure is not None
            else None
        )

    def _pick(self, dot: tuple[Dots, int] | None) -> None:
        if dot is not None:
            self.picked.emit(dot[0].picks[dot[1]])

    def _read_out(self) -> None:
        """Say what lies under the pointer, also when the pointer rests and the chart moves."""
        if self.figure is None or self._pointer is None:
            return
        vb = self.plot.vb
        where = self.mapToScene(self._pointer)
        dot = self._dot_at(self._pointer)
        if (self.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor) != (
            dot is not None
        ):
            self.viewport().setCursor(
                Qt.CursorShape.PointingHandCursor if dot is not None else Qt.CursorShape.ArrowCursor
            )
        if not vb.sceneBoundingRect().contains(where):
            self.read.emit("")
            return
        if dot is not None:
            self.read.emit(shown(dot_reading(self.figure, *dot)))
            return
        at = vb.mapSceneToView(where)
        x, y = from_view(self.figure.x, float(at.x())), from_view(self.figure.y, float(at.y()))
        message = reading(self.figure.without(self.hidden), x, y)
        self.read.emit(shown(message) if message else "")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointer = None
        self.read.emit("")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.picking.forget()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key)
        handle = (
            next((layer for layer in self.figure.layers if isinstance(layer, Handle)), None)
            if self.figure
            else None
        )
        if step and handle:
            many = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self.nudged.emit(handle.sets, step * many, self.figure.x, handle.x)  # type: ignore[union-attr]
            event.accept()
            return
        if handle is None and self.figure is not None and self._key_to_dot(key, step):
            event.accept()
            return
        QWidget.keyPressEvent(self, event)

    def _key_to_dot(self, key: Qt.Key, step: int | None) -> bool:
        """Arrows go from dot to dot, Enter takes the one that is ringed; whether the key was meant
        for that."""
        figure = self.visible()
        if figure is None:
            return False
        if step:
            dot = self.picking.step(figure, step)
            if dot is not None:
                self.read.emit(shown(dot_reading(figure, *dot)))
            return dot is not None
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.picking.ringed(figure) is not None:
            self._pick(self.picking.ringed(figure))
            return True
        return False

    def _on_fit(self, *_: object) -> None:
        """The plot area has another size: dots, ticks and labels are set for it."""
        if self.figure is None or not self._drawn:
            return
        for layer in self.figure.layers:
            if isinstance(layer, Dots) and layer.key in self._drawn:
                self._drawn[layer.key].layer = None
        self._placed = ()
        self._placed_for = None
        self._again()

    def plot_area(self) -> QRectF:
        """The plot rectangle in widget pixels."""
        return QRectF(self.mapFromScene(self.plot.vb.sceneBoundingRect()).boundingRect())


class _Below(pg.AxisItem):  # type: ignore[misc]
    """The bottom axis. Its title stands below the middle, or as near to it as it is seen whole."""

    right = 0

    def resizeEvent(self, event: Any = None) -> None:
        super().resizeEvent(event)
        if self.label is not None:
            most = self.size().width() + self.right - self.label.boundingRect().width()
            self.label.setX(min(self.label.x(), most))


def _lines(text: str, size: QFontMetrics, room: int, most: int) -> tuple[str, ...]:
    """The text in at most `most` lines, broken at the blank that makes them most alike; what still
    does not fit is elided."""
    if most > 1 and size.horizontalAdvance(text) > room:
        halves = [
            (text[:place], text[place + 1 :]) for place, letter in enumerate(text) if letter == " "
        ]
        if halves:
            best = min(halves, key=lambda pair: max(map(size.horizontalAdvance, pair)))
            return tuple(size.elidedText(half, Qt.TextElideMode.ElideRight, room) for half in best)
    return (size.elidedText(text, Qt.TextElideMode.ElideRight, room),)


def _scrolls(widget: QWidget) -> bool:
    """Whether a widget stands in an area that is higher than what is seen of it."""
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    return isinstance(parent, QScrollArea) and parent.verticalScrollBar().maximum() > 0


def _comparable(old: Figure, new: Figure) -> bool:
    """Whether a zoom into one still means something in the other: the same axis, and ranges that
    overlap."""
    same = (old.x.label, old.x.log, old.x.ticks) == (new.x.label, new.x.log, new.x.ticks)
    return same and old.x.range[0] < new.x.range[1] and new.x.range[0] < old.x.range[1]


@lru_cache(maxsize=4000)
def _text_size(text: str, font: str) -> tuple[float, float]:
    # Measuring text, not data: the same words are measured in every frame of a drag.
    made = QFont()
    made.fromString(font)
    size = QFontMetricsF(made)
    return size.horizontalAdvance(text), size.height()
