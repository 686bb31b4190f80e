"""One live chart: shows a Figure, names curves where they end, reads values under the pointer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer
from dpstudio.charts.hushed import spoken, under
from dpstudio.charts.readout import dot_reading, reading
from dpstudio.charts.scaling import squared
from dpstudio.gui.board import axes, curve_labels, picking, plot
from dpstudio.gui.board.callout import Callout
from dpstudio.gui.board.coordinates import comparable, from_view, to_view
from dpstudio.gui.board.crosshair import Crosshair
from dpstudio.gui.board.held import Held, truly_flagged
from dpstudio.gui.board.layers import same_picture, structure
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import Again
from dpstudio.gui.parts.turn_keys import TURNS
from dpstudio.values.messages import Message

_STILL = 4


class PlotView(plot.PlotFrame):
    """`dragged(path, value, last, axis)`: the handle asks for a parameter; `nudged(path, steps,
    axis, stands)`: the same from arrow keys, with where the handle stands now.

    `picked(pairs, held)`: a dot was taken, with its parameters; `held`: a drag begins there.
    """

    dragged = Signal(str, float, bool, object)
    nudged = Signal(str, int, object, float)
    picked = Signal(object, bool)
    zoomed_in = Signal(bool)

    def __init__(self, look: Look, parent: QWidget | None = None):
        super().__init__(parent)
        self.look = look
        self.figure: Figure | None = None
        self.given: Figure | None = None
        self.hidden: frozenset[str] = frozenset()
        self._structure: tuple[Any, ...] = ()
        self.held = Held(self)
        self.held.moved.connect(self._on_way)
        self._pointer: QPoint | None = None
        self._spoken = ""  # of hushed curves the one under the pointer
        self._pressed = QPoint()
        self.zoomed = self.large = self._unfit = False
        self._showing = 0  # how many of `_show` are within each other
        self.setMinimumSize(160, 110)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plot.vb.sigRangeChangedManually.connect(self._on_zoom)
        self.plot.vb.sigResized.connect(self._on_fit)
        self.area, self.axes = self.plot.vb, axes.Axes(self.plot)
        self.picking = picking.Picking(self.plot)
        self.labels, self.cross = curve_labels.CurveLabels(self.plot), Crosshair(self.plot)
        self.callout = Callout(self)
        self.dress(look)
        self.fill()  # it is drawn before it is seen

    # What is shown

    def show_figure(self, figure: Figure) -> None:
        """Show a figure; nothing is touched where it is the one that is shown."""
        if self.shows(figure) and self._stands():
            if self.figure is self.given:
                self.figure = figure
            self.given = figure
        else:
            self._show(figure, ease=self.isVisible())

    def retell(self, _: Again) -> None:
        """Draw it anew with other words, or where it is not seen the next figure, also where that
        looks the same."""
        given, self.given, self._structure = self.given, None, ()
        self.axes.dress(self.look)
        if given is not None and self.isVisible():
            self._show(given)

    def shows(self, figure: Figure) -> bool:
        """Whether it looks as this one would."""
        return same_picture(self.given, figure)

    def _stands(self) -> bool:
        """Whether the axes need not change for a figure that looks the same."""
        if not self.held.forgotten or self.figure is None or self.given is None:
            return not self.held.forgotten
        own = (self.given.x, self.given.y) == (self.figure.x, self.figure.y)
        return own and self.held.placed(self.figure, ease=False) is self.figure

    def hold(self) -> None:
        """A hand was laid on something that moves the chart: its axes stand still, and a ghost
        stays where it is now."""
        self.held.hold(self.figure)

    def let_go(self) -> None:
        """The hand was lifted, and what it left is shown."""
        if self.held.let_go() and self.given is not None:
            self._show(self.given, ease=self.isVisible())

    def lock(self, locked: bool) -> None:
        """Let the axes stand still, or go again, whether or not a hand is there."""
        was, self.held.locked = self.held.locked, locked
        if was and not locked and self.given is not None:
            self._show(self.given, ease=self.isVisible())

    def _show(self, figure: Figure, *, ease: bool = False) -> None:
        if self._unfit:
            self._loosen()
        self._showing += 1
        try:
            self._take(figure, ease)
        finally:
            self._showing -= 1

    def _take(self, figure: Figure, ease: bool) -> None:
        self.given = figure
        if figure.square:
            figure = squared(figure, self.plot.vb.width(), self.plot.vb.height())
        if self.zoomed and self.figure is not None and not comparable(self.figure, figure):
            self.zoomed = False
            self.zoomed_in.emit(False)
        self.figure = figure = self.held.placed(figure, ease=ease)
        drawn = spoken(figure.without(self.hidden), self._spoken)
        if structure(drawn) != self._structure:
            self._rebuild(drawn)
        # Wider alone, round things would not stay round.
        if self.plot.vb.state["mouseEnabled"] != [not figure.square, False]:
            self.plot.vb.setMouseEnabled(x=not figure.square, y=False)
        ghost = self._set_axes(figure)
        seen = replace(drawn, layers=(*ghost, *drawn.layers)) if ghost else drawn
        self.area.show_figure(seen, self.labels.layout.merged, self.look)
        # A ViewBox takes its new range only inside the paint, which then paints twice; take it now.
        self.plot.vb.prepareForPaint()
        self.picking.show_figure(drawn, self.look)
        if self._pointer is not None:
            self._read_out()

    def words_at(self, at: QPoint) -> str:
        """The name of a curve, or the title of an axis, at a place of the view."""
        return self.labels.words_at(self.plot.mapFromScene(self.mapToScene(at)))

    def hide_layers(self, hidden: frozenset[str]) -> None:
        self.hidden = hidden
        self._again()

    def dress(self, look: Look) -> None:
        """Take another look; the paint draws everything anew, at the size that it then has."""
        self.look, self._structure = look, ()
        self.setBackgroundBrush(look.color("surface"))
        self.axes.dress(look)
        self._unfit = True
        self.viewport().update()

    def _again(self) -> None:
        if self.given is not None:
            self._show(self.given)

    def _on_way(self) -> None:
        """The axes went on; at the end names take what they need there."""
        if not self.held.moves:
            self.labels.begin_anew()
        self._again()

    def reset_zoom(self) -> None:
        """The whole of the axes that the chart has of its own."""
        self.zoomed = False
        self.zoomed_in.emit(False)
        self.held.forget()
        self._again()

    def visible(self) -> Figure | None:
        """The figure as it is seen: its x axis cut to the zoom, hidden curves left out."""
        if self.figure is None:
            return None
        figure = self.figure.without(self.hidden)
        return truly_flagged(replace(figure, x=self.visible_axis(figure.x)), self.given)

    def _rebuild(self, figure: Figure) -> None:
        self.area.renew_knobs(figure, self.look, self._on_drag, self.picked.emit)
        self._structure = structure(figure)
        if not self.held.moves:  # under which the plot stands still, whichever curves come and go
            self.axes.begin_anew()
            self.labels.begin_anew()

    def _set_axes(self, figure: Figure) -> tuple[Layer, ...]:
        """Axes and names, which share the room; the ghost, which has a name too."""
        self.axes.show_left(figure)
        seen, ghost = self.visible(), self.held.ghost(figure, self.hidden)
        if seen is not None:
            seen = spoken(seen, self._spoken)
            room = *self.axes.room(figure), self.axes.left
            self.axes.give_names(*self._name(seen, ghost, room))
        beside = self.labels.titles.beside
        self.axes.show_axes(figure, self.visible_axis(figure.x), beside, zoomed=self.zoomed)
        self.labels.lower(self.axes.row)
        self.plot.lay_out()
        return ghost

    def _name(
        self, seen: Figure, ghost: tuple[Layer, ...], room: tuple[float, float, float]
    ) -> tuple[float, float]:
        """Place the names; that of a ghost as long as the plot need not give way to it: the point
        under the hand would move then."""
        labels, before = self.labels, self.labels.standing
        if not ghost or self.held.crowded:
            alone = labels.place(seen, self.look, *room)
            if not (self.held.easing and alone[1] > before[0].head > 0):
                return alone
            # What is so narrow on the way that it stands upright would push the plot down and back.
            above = ({one.key for one in each.labels if one.y + one.height <= 0}
                     for each in (labels.layout, before[0]))  # fmt: skip
            up = set.difference(*above)
            named = (replace(one, label="") if one.key in up else one for one in seen.layers)
            labels.standing = before
            return labels.place(replace(seen, layers=tuple(named)), self.look, *room)
        both = replace(seen, layers=(*seen.layers, *ghost))
        whole = labels.place(both, self.look, *room)
        if whole[0] <= before[0].gutter and whole[1] <= before[0].head:
            return whole
        placed, labels.standing = labels.standing, before
        alone = labels.place(seen, self.look, *room)
        self.held.crowded = alone != whole
        if alone == whole:  # the names themselves need more
            labels.standing = placed
        return alone

    def visible_axis(self, axis: Axis) -> Axis:
        """An x axis cut to the zoom."""
        if not self.zoomed:
            return axis
        low, high = self.plot.vb.viewRange()[0]
        return replace(axis, range=(from_view(axis, low), from_view(axis, high)))

    # The hand

    def _on_drag(self, path: str, x: float, last: bool) -> None:
        if self.figure is None:
            return
        low, high = map(float, to_view(self.figure.x, self.figure.x.range))
        at = from_view(self.figure.x, min(max(x, low), high))
        self.dragged.emit(path, at, last, self.figure.x)

    def _on_zoom(self, *_: object) -> None:
        self.zoomed = True
        self.zoomed_in.emit(True)
        if self.figure is not None:
            self._set_axes(self.figure)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_zoom()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._pointer = event.position().toPoint()
        self._read_out()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.large or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
        else:
            event.ignore()  # it is the page's

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
        if figure is None:
            return None
        return self.picking.at(figure, self.mapToScene(pointer), 9 * self.look.scale)

    def _pick(self, dot: tuple[Dots, int] | None) -> None:
        if dot is not None:
            self.picked.emit(dot[0].picks[dot[1]], False)

    def _read_out(self) -> None:
        """Say what lies under the pointer, also when the pointer rests and the chart moves."""
        if self.figure is None or self._pointer is None:
            return
        vb = self.plot.vb
        where = self.mapToScene(self._pointer)
        dot = self._dot_at(self._pointer)
        hand = self.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
        if dot is not None and not hand:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        elif dot is None and hand:  # that of the board, which is a ring while it is presented
            self.viewport().unsetCursor()
        if not vb.seen().contains(where):
            self.cross.hide()
            self.tell(())
            return
        if getattr(self.window(), "presenting", False):
            self.cross.follow(where, self.figure, self.look)
        if dot is not None:
            self.tell(dot_reading(self.figure, *dot))
            return
        at = vb.mapSceneToView(where)
        x, y = from_view(self.figure.x, float(at.x())), from_view(self.figure.y, float(at.y()))
        self.tell(reading(self.figure.without(self.hidden), x, y))
        self._speak(under(self.figure, x, y, 8 * self.look.scale / max(1.0, vb.height())))

    def tell(self, told: Sequence[Message], at: QPoint | None = None) -> None:
        """Say something beside the pointer, or at another point; not while something is dragged,
        which it would lie on."""
        spot = at or self._pointer
        held = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        self.callout.say(told if spot is not None and not held else (), spot or QPoint(), self.look)

    def _speak(self, key: str) -> None:
        """Give a hushed curve its ink and its name; "" takes them back."""
        if key != self._spoken:
            self._spoken = key
            self._again()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.cross.hide()
        self._pointer = None
        self.tell(())
        self._speak("")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.picking.forget()
        self.tell(())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in TURNS and getattr(self.window(), "presenting", False):
            QWidget.keyPressEvent(self, event)  # turns to the next chart
            return
        ways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if self.figure is not None and self.figure.lanes is not None:
            ways |= {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step = ways.get(key)
        layers = self.figure.layers if self.figure is not None else ()
        handles = [layer for layer in layers if isinstance(layer, Handle)]
        handle = next(iter(handles), None)
        if self.figure is not None and (lanes := self.figure.lanes) and lanes.targets:
            # Of a knob in each lane that of the chosen one is moved; up and down choose another.
            at = self.figure.y.ticks[lanes.chosen][0] if lanes.chosen >= 0 else None
            handle = next((each for each in handles if each.y == at), None)
            if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                handle = None
        if step and handle:
            many = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self.nudged.emit(handle.sets, step * many, self.figure.x, handle.x)  # type: ignore[union-attr]
            event.accept()
            return
        if self.figure is not None and self._key_to_dot(key, step):
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
                self.tell(dot_reading(figure, *dot), self._spot(figure, *dot))
            return dot is not None
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.picking.ringed(figure) is not None:
            self._pick(self.picking.ringed(figure))
            return True
        return False

    def _spot(self, figure: Figure, layer: Dots, place: int) -> QPoint:
        """Where a dot is seen."""
        x, y = to_view(figure.x, layer.x)[place], to_view(figure.y, layer.y)[place]
        spot: QPoint = self.mapFromScene(self.plot.vb.mapViewToScene(QPointF(float(x), float(y))))
        return spot

    def _on_fit(self, *_: object) -> None:
        """The plot area has another size. What comes of the layout around it waits for the paint:
        a window that settles gives a chart several sizes, of which one is seen."""
        if self.figure is None:
            return
        # What a square chart shows depends on the room that names leave, and their room on that:
        # from the second time on they keep what they took, so that it ends.
        self._unfit = self._showing < 2
        if self._showing:
            self._again()
        else:
            self.viewport().update()

    def _loosen(self) -> None:
        """Ticks and labels are to be set for the size that the plot area has now. Under a hand, and
        on the way of the axes, names give no room back, or the plot would go to and fro."""
        self._unfit = False
        if not self.held.moves:
            self.labels.begin_anew()

    def paintEvent(self, event: QPaintEvent) -> None:
        viewport = self.viewport()
        whole = event.region().rectCount() == 1 and event.rect() == viewport.rect()
        # What asks to be painted in here is painted now: Qt would do it a second time.
        viewport.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, whole)
        if self._unfit:
            self._again()
        if whole:
            QCoreApplication.sendPostedEvents(self.stage, QEvent.Type.MetaCall.value)
            viewport.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, False)
        self.plot.vb.prepareForPaint()  # all that pyqtgraph asks of the scene
        QGraphicsView.paintEvent(self, event)

    def plot_area(self) -> QRectF:
        """The plot rectangle in widget pixels."""
        return QRectF(self.mapFromScene(self.plot.vb.seen()).boundingRect())
