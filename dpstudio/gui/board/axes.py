"""The axes of one plot: their ranges, ticks and titles, and the room that these take."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from dpstudio.charts.figure import Axis, Figure
from dpstudio.charts.label_folding import folded
from dpstudio.charts.scaling import share, ticks
from dpstudio.charts.tick_names import SHARE, tick_names
from dpstudio.gui.board.coordinates import to_view
from dpstudio.gui.parts.theme import Look, measured, measuring
from dpstudio.gui.parts.tr import shown
from dpstudio.values.messages import Message

# px at normal type: ticks and a title below a plot, a further line of a title; lines at most.
_BELOW, _LINE, _MOST = 40, 15, 3


class Axes:
    """For one plot. What already stands as it should is not set again."""

    def __init__(self, plot: Any):
        self.plot = plot
        self.look = Look()
        self._margins: tuple[int, ...] = ()
        self._ticked: dict[str, Any] = {}
        self._left = 0
        self._beside_label: Message | str = ""
        self._deep: tuple[Any, int] = ((), 0)
        self._edged: tuple[Any, tuple[int, int, int]] = ((), (0, 0, 0))
        self._names = (0.0, 0.0)

    def dress(self, look: Look) -> None:
        """Take another look; ticks and titles are set anew by the next `show_axes`."""
        self.look = look
        self._ticked.clear()
        for name in ("bottom", "left"):
            axis = self.plot.axes[name]
            axis.setPen(pg.mkPen(look.color("grid"), width=1))
            axis.setTextPen(pg.mkPen(look.color("muted")))
            axis.setStyle(
                tickFont=look.font(11),
                tickLength=-4,
                # The lowest number of the left axis must not touch the first one of the bottom
                # axis.
                tickTextOffset=look.px(6) if name == "left" else look.px(8),
                autoReduceTextSpace=False,
                hideOverlappingLabels=False if name == "left" else look.px(70),
            )
        self.plot.axes["bottom"].setHeight(look.px(_BELOW))

    def begin_anew(self) -> None:
        """The figure is another one: the left axis takes the room that it needs."""
        self._left = 0
        self._ticked.pop("left", None)

    def room(self, figure: Figure) -> tuple[float, float]:
        """The width and height in px that the plot area has with the names beside and above it."""
        size, (left, top, right) = self.plot.size(), self._edges(figure)
        beside = 0 if figure.y.hidden else self._left
        below = self.plot.axes["bottom"].height()
        return size.width() - left - right - beside, size.height() - top - below

    def _edges(self, figure: Figure) -> tuple[int, int, int]:
        """Left, top and right: room for the ends of the axes' labels, and of names."""
        told = (figure.x if figure.y.hidden else None, self.look, self.plot.size())
        if self._edged[0] != told:
            self._edged = told, self._edges_of(figure)
        return self._edged[1]

    def _edges_of(self, figure: Figure) -> tuple[int, int, int]:
        left = self.look.px(20 if figure.y.hidden else 4)
        if figure.y.hidden and figure.x.ticks:
            # A word under the left end is seen whole.
            at, text = min(figure.x.ticks)
            half = measured(self.look, 11).horizontalAdvance(text) / 2 + 2
            width = self.plot.size().width()
            left = max(left, round(min(half - share(figure.x, at) * width / 2, width / 4)))
        return left, self.look.px(9), self.look.px(6)

    def give_names(self, gutter: float, head: float) -> None:
        """Let names have this much room at the right of the plot area and above it."""
        self._names = gutter, head

    def show_left(self, figure: Figure) -> None:
        """The left axis, on whose width the room for everything else depends."""
        if not figure.y.hidden:
            self._tick("left", figure.y, self.plot.vb.height(), self.look.px(10))

    def show_axes(self, figure: Figure, bottom: Axis, *, zoomed: bool) -> None:
        """Show the axes of a figure; `bottom` is its x axis, cut to the zoom. While it is `zoomed`
        the range of x stays."""
        left, top, right = self._edges(figure)
        gutter, head = self._names
        # The lowest number is seen whole where no axis stands below it.
        below = self.look.px(8) if figure.x.hidden and not figure.y.hidden else 0
        margins = (left, top + round(head), right + round(gutter), below)
        if margins != self._margins:
            self._margins = margins
            self.plot.axes["left"].setVisible(not figure.y.hidden)
            self.plot.margins = margins
            self.plot.axes["bottom"].right = margins[2] - 2
        x = to_view(figure.x, figure.x.range).tolist()
        y = to_view(figure.y, figure.y.range).tolist()
        vb = self.plot.vb
        vb.show_range(vb.viewRange()[0] if zoomed else x, y)
        # The left one first: what stands below may reach under it.
        self.show_left(figure)
        beside = 0 if figure.y.hidden else 0.9 * self._left
        self._tick("bottom", bottom, vb.width(), beside + self._margins[2])

    def _tick(self, name: str, axis: Axis, length: float, more: float) -> None:
        """Set ticks and title of an axis that is `length` px long; the title may be `more` px
        longer."""
        vertical = name == "left"
        words = bool(axis.ticks) and not vertical
        whole = self.plot.size().height() - self.look.px(_BELOW) if words else 0.0
        state = (axis, round(length), whole)
        if self._ticked.get(name) == state:
            return
        self._ticked[name] = state
        item, measure = self.plot.axes[name], measuring(self.look, 11)
        spacing = (40 if vertical else 62) * self.look.scale
        lines = _lines(shown(axis.label), measured(self.look, 12), max(40, round(length + more)))
        length = max(1.0, length)
        if vertical:
            if axis.label != self._beside_label:
                self._beside_label, self._left = axis.label, 0
            marks = tuple(ticks(axis, length, spacing, measure=measure, vertical=True))
            self._widen(max((measure(text)[0] for _, text in marks), default=0), lines)
        else:
            if item.isVisible() == axis.hidden:
                item.setVisible(not axis.hidden)
            named = tick_names(axis, length, spacing, measure, SHARE * whole, self._beside())
            marks, item.turned = named.marks, named.turned
            more_lines = self.look.px(_LINE) * (len(lines) - 1 if lines[0] else -1)
            tall = self._deepen(axis, named.tall - measure("0")[1])
            item.setHeight(self.look.px(_BELOW) + more_lines + tall)
        places = to_view(axis, [at for at, _ in marks]).tolist()
        item.setTicks([[*zip(places, [text for _, text in marks], strict=True)]])
        self._entitle(name, lines)

    def _beside(self) -> tuple[float, float]:
        """The px at both sides of the plot into which words below it may reach."""
        shown = self.plot.axes["left"].isVisible()
        return self._margins[0] + (self._left if shown else 0) - 1.0, self._margins[2] - 1.0

    def _deepen(self, axis: Axis, tall: float) -> int:
        """The room for further lines of the same words only grows, since how wide the plot is may
        depend on how high it is."""
        if not axis.ticks:
            return 0
        words = (axis.ticks, self.plot.size(), self.look)
        before = self._deep[1] if self._deep[0] == words else 0
        self._deep = words, max(before, round(tall))
        return self._deep[1]

    def _widen(self, numbers: float, lines: tuple[str, ...]) -> None:
        """The room for the numbers of one axis only grows, so that the plot does not shift to and
        fro under the hand."""
        widest = round(numbers) + self.look.px(30) + self.look.px(_LINE) * (len(lines) - 1)
        if widest > self._left:
            self._left = widest
            self.plot.axes["left"].setWidth(widest)

    def _entitle(self, name: str, lines: tuple[str, ...]) -> None:
        words = (lines, self.look)
        if self._ticked.get(name + " label") == words:
            return
        self._ticked[name + " label"] = words
        self.plot.axes[name].entitle(lines, self.look.color("muted"), self.look.px(12))


def _lines(text: str, size: QFontMetricsF, room: int) -> tuple[str, ...]:
    """The text in as few lines as have room, broken where these are most alike; what still does not
    fit is elided."""
    wide = size.horizontalAdvance(text)
    if wide > 2 * _MOST * room:  # a condition may be long: no more is folded than could be seen
        text = size.elidedText(text, Qt.TextElideMode.ElideRight, 2 * _MOST * room)
    lines: tuple[str, ...] = (text,)
    for most in range(1, _MOST + 1):
        # Words are not of one width: a line may be wider than its share.
        for much in (1.0, 1.15, 1.3, 1.5):
            lines = folded(
                text, min(room, much * wide / most), lambda t: (size.horizontalAdvance(t), 0.0)
            )
            if len(lines) <= most and max(map(size.horizontalAdvance, lines)) <= room:
                return lines
    return tuple(size.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines[:_MOST])
