"""The axes of one plot: their ranges, ticks and hairlines, and the room that these take."""

import math
from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg

from dpstudio.charts.axis_titles import ACROSS, ROW, UP, hairlines
from dpstudio.charts.figure import Axis, Figure
from dpstudio.charts.lanes import BAR, SIZE, SMALL, STRONG, USUAL, chosen_span, fitted
from dpstudio.charts.scaling import share, ticks
from dpstudio.charts.tick_names import SHARE, tick_names
from dpstudio.gui.board.coordinates import to_view
from dpstudio.gui.parts.theme import Look, measured, measuring
from dpstudio.gui.parts.tr import shown

_OFFSET, _FOOT = 8, 3  # px at normal type above and below the numbers under a plot


class Axes:
    """For one plot. What already stands as it should is not set again."""

    def __init__(self, plot: Any):
        self.plot = plot
        self.look = Look()
        self._margins: tuple[int, ...] = ()
        self._ticked: dict[str, Any] = {}
        self.left = 0  # px that the numbers at the left take
        self.row = 0.0  # px from the plot to the title below it
        self._deep: tuple[Any, float] = ((), 0.0)
        self._lines = 0.0  # px that names took beyond one line before a zoom
        self._edged: tuple[Any, tuple[int, int, int]] = ((), (0, 0, 0))
        self._names = (0.0, 0.0)

    def dress(self, look: Look) -> None:
        """Take another look; ticks and titles are set anew by the next `show_axes`."""
        self.look = look
        self._ticked.clear()
        for name in ("bottom", "left"):
            axis = self.plot.axes[name]
            axis.setPen(pg.mkPen(look.color("axis"), width=1))
            axis.hair = pg.mkPen(look.color("hair"), width=1)
            axis.wash = look.color("ground"), look.color("text"), max(2, look.px(BAR))
            axis.setTextPen(pg.mkPen(look.color("muted")))
            axis.setStyle(
                tickFont=look.font(12),
                tickLength=-4,
                # The lowest number of the left axis must not touch the first one of the bottom
                # axis.
                tickTextOffset=look.px(_OFFSET),
                autoReduceTextSpace=False,
                hideOverlappingLabels=False if name == "left" else look.px(70),
            )
        self.plot.axes["bottom"].setHeight(self._under(0.0))

    def begin_anew(self) -> None:
        """The figure is another one: the left axis takes the room that it needs."""
        self.left = 0
        self._ticked.pop("left", None)

    def room(self, figure: Figure) -> tuple[float, float]:
        """The width and height in px that the plot area has with the names beside and above it."""
        size, (left, top, right) = self.plot.size(), self._edges(figure)
        below = 0.0 if figure.x.hidden else self.plot.axes["bottom"].height()
        return size.width() - left - right - self.left, size.height() - top - below

    def _edges(self, figure: Figure) -> tuple[int, int, int]:
        """Left, top and right: room for the ends of the axes' labels, and of names."""
        told = (figure.x if figure.y.hidden else None, self.look, self.plot.size())
        if self._edged[0] != told:
            self._edged = told, self._edges_of(figure)
        return self._edged[1]

    def _edges_of(self, figure: Figure) -> tuple[int, int, int]:
        left = 0
        if figure.y.hidden and figure.x.ticks:
            # A word under the left end is seen whole.
            at, text = min(figure.x.ticks)
            half = measured(self.look, 12).horizontalAdvance(text) / 2 + 2
            width = self.plot.size().width()
            left = max(left, round(min(half - share(figure.x, at) * width / 2, width / 4)))
        return left, self.look.px(4), 0

    def give_names(self, gutter: float, head: float) -> None:
        """Let names have this much room at the right of the plot area and above it."""
        self._names = gutter, head

    def show_left(self, figure: Figure) -> None:
        """The left axis, on whose width the room for everything else depends."""
        if figure.y.hidden:
            self.left = 0
            return
        item, measure, high = (
            self.plot.axes["left"],
            measuring(self.look, 12),
            self.plot.vb.height(),
        )
        if not self._changed("left", figure.y, figure.lanes, high, self.plot.size().width()):
            return
        if figure.lanes is not None:  # their names are no words of an axis
            marks = [(at, "") for at, _ in figure.y.ticks]
            types = ((SIZE, USUAL), (SIZE, STRONG), (SMALL, USUAL))
            usual, strong, head = (measuring(self.look, *type_) for type_ in types)
            whole = self.plot.size().width()
            widest = fitted(figure, figure.lanes, whole, (usual, strong, head), shown).left
        else:
            spacing = UP * self.look.scale
            marks = ticks(figure.y, max(1.0, high), spacing, measure=measure, vertical=True)
            widest = max((measure(text)[0] for _, text in marks), default=0)
            widest += self.look.px(_OFFSET)
        # It only grows, so that the plot does not shift to and fro under the hand.
        if math.ceil(widest) + 2 > self.left:  # words are a hair wider where they are painted
            self.left = math.ceil(widest) + 2
            item.setWidth(self.left)
        self._mark(item, figure.y, marks)

    def show_axes(self, figure: Figure, bottom: Axis, beside: bool, *, zoomed: bool) -> None:
        """Show the axes of a figure; `bottom` is its x axis, cut to the zoom, whose title stands
        `beside` its numbers or below them. While it is `zoomed` the range of x stays."""
        left, top, right = self._edges(figure)
        gutter, head = self._names
        # The lowest number is seen whole where no axis stands below it.
        below = self.look.px(8) if figure.x.hidden and not figure.y.hidden else 0
        margins = (left, top + round(head), right + round(gutter), below)
        if margins != self._margins:
            self._margins = margins
            self.plot.axes["left"].setVisible(not figure.y.hidden)
            self.plot.margins = margins
        x = to_view(figure.x, figure.x.range).tolist()
        y = to_view(figure.y, figure.y.range).tolist()
        vb = self.plot.vb
        vb.show_range(vb.viewRange()[0] if zoomed else x, y)
        # The left one first: what stands below may reach under it.
        self.show_left(figure)
        self._show_bottom(bottom, beside, zoomed)
        self._cross(figure)

    def _show_bottom(self, axis: Axis, beside: bool, zoomed: bool) -> None:
        item, measure = self.plot.axes["bottom"], measuring(self.look, 12)
        size, length = self.plot.size(), self.plot.vb.width()
        whole = size.height() - self._under(0.0) if axis.ticks else 0.0
        state = axis, length, whole, beside, zoomed, self._margins, self.left
        if not self._changed("bottom", *state):
            return
        item.ends = self._margins[0] + self.left - 1.0, self._margins[2] - 1.0
        if item.isVisible() == axis.hidden:
            item.setVisible(not axis.hidden)
        spacing, room = ACROSS * self.look.scale, SHARE * whole
        if zoomed:  # a name that is cut at its edge takes no room from the plot
            room = min(room, self._lines)
        named = tick_names(axis, max(1.0, length), spacing, measure, room, item.ends)
        item.turned = named.turned
        titled = bool(shown(axis.label)) and not beside
        line = measure("0")[1]
        if not zoomed:
            self._lines = named.tall - line
        tall = self._deepen(axis, named.tall - line + titled * ROW * line)
        self.row = self.look.px(_OFFSET) + (0.0 if beside else tall)
        item.setHeight(self._under(tall))
        self._mark(item, axis, named.marks)

    def _changed(self, name: str, *state: Any) -> bool:
        """Whether an axis stands otherwise than when this was asked last."""
        before, self._ticked[name] = self._ticked.get(name), state
        return before != state

    def _under(self, tall: float) -> int:
        """The px under a plot whose words take `tall` px beyond one line."""
        return round(self.look.px(_OFFSET) + measuring(self.look, 12)("0")[1] + tall) + _FOOT

    def _mark(self, item: Any, axis: Axis, marks: Sequence[tuple[float, str]]) -> None:
        places = to_view(axis, [at for at, _ in marks]).tolist()
        item.setTicks([[*zip(places, [text for _, text in marks], strict=True)]])

    def _cross(self, figure: Figure) -> None:
        """Hairlines at the ticks."""
        left, bottom = self.plot.axes["left"], self.plot.axes["bottom"]
        at = [[place for place, _ in (item._tickLevels or [()])[0]] for item in (bottom, left)]
        upright, level = hairlines(figure, *at)
        if figure.lanes is None:
            left.cross(level, self.plot.vb.width())
        else:  # from edge to edge
            left.cross(level, self.plot.vb.width() + self._names[0], chosen_span(figure), True)
        bottom.cross(upright, self.plot.vb.height())

    def _deepen(self, axis: Axis, tall: float) -> float:
        """The room for further lines of the same words only grows, since how wide the plot is may
        depend on how high it is."""
        words = (axis.ticks, axis.label, self.plot.size(), self.look)
        before = self._deep[1] if self._deep[0] == words else 0.0
        self._deep = words, max(before, tall)
        return self._deep[1]
