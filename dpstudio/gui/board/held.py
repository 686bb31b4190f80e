"""Axes that stand still while a hand moves, the ghost of where it began, and how they come to
their own ranges afterwards. All of it is on the screen alone: a `Figure` knows nothing of it, so
neither do files, prints, copies and hand-outs, which are made of that."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from dpstudio.charts.figure import Area, Axis, Dots, Figure, Handle, Layer, Line
from dpstudio.charts.ghost import ghost_of
from dpstudio.charts.scaling import share
from dpstudio.gui.board.coordinates import from_view, to_view
from dpstudio.gui.board.layers import alike
from dpstudio.gui.parts.motion import ease_ms

# A chart that needs less of an axis than this, or more than all of it, gets its own axis.
LEAST = 0.25
_HAIR = 1e-9  # of an axis
_NOTHING = "", False
Pair = tuple[Axis, Axis]
Scales = tuple[Axis, Axis, float]  # both axes, and of stacked dots the area under their law, else 0


class Held(QObject):
    """For one plot. `moved`: its axes are on their way, and have come a little further."""

    moved = Signal()

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self.hand = self.locked = False
        self.crowded = False  # by the name of the ghost, until the next hand
        self._of: tuple[str, bool] = _NOTHING
        self._began: Figure | None = None
        # The ghost of the layers with these keys, of where this hand began.
        self._ghost: tuple[Figure | None, list[str], tuple[Layer, ...]] = (None, [], ())
        self._from: Scales | None = None
        self._to: Scales | None = None
        self._way: QVariantAnimation | None = None

    # The hand

    def hold(self, figure: Figure | None) -> None:
        """A hand was laid on something: from now on the axes stand as they are seen, and `figure`
        is where it began."""
        self._stop(self._seen)
        self.hand, self._began, self.crowded = True, figure, False

    def let_go(self) -> bool:
        """The hand was lifted; whether one was there."""
        was, self.hand, self._began = self.hand, False, None
        return was

    def forget(self) -> None:
        """The next figure is another picture: it takes its own axes, at once."""
        self._of = _NOTHING

    # What is seen

    @property
    def forgotten(self) -> bool:
        """Whether the next figure is another picture, though it may look like this one."""
        return self._of == _NOTHING

    @property
    def easing(self) -> bool:
        """Whether the axes are on their way."""
        return self._way is not None and self._way.state() == QVariantAnimation.State.Running

    @property
    def moves(self) -> bool:
        """Whether a hand moves the chart, or its axes are on their way."""
        return self.hand or self.easing

    @property
    def _seen(self) -> Scales | None:
        """The axes as they are at this moment."""
        if self._from is None or self._to is None or self._way is None or not self.easing:
            return self._to
        part = float(self._way.currentValue())
        x, y = (between(*ends, part) for ends in zip(self._from[:2], self._to[:2], strict=True))
        area, last = self._from[2], self._to[2]
        return x, y, last if part >= 1 or not (area and last) else area * (last / area) ** part

    def placed(self, figure: Figure, *, ease: bool) -> Figure:
        """The figure on the axes on which it is seen; with `ease` they come to new ones bit by
        bit."""
        own = figure.x, figure.y, stack_area(figure)
        seen, of = self._seen, (figure.key, figure.square)
        if seen is None or self._to is None or of != self._of:
            self._of, self._began = of, None
            self._stop(own)
            return figure
        to = self._goal(self._to, own, round_=figure.square)
        if to != self._to:
            self._stop(to)
            if ease and not self._still and ease_ms() and same_axes(seen[:2], to[:2]):
                self._start(seen)
        x, y, area = self._seen or own
        placed = figure if (x, y) == own[:2] else replace(figure, x=x, y=y)
        return placed if area == own[2] else restacked(placed, area / own[2])

    @property
    def _still(self) -> bool:
        return self.hand or self.locked

    def _goal(self, held: Scales, own: Scales, *, round_: bool) -> Scales:
        if round_ and not self._still:
            return own  # round things stay round only on both axes of their own
        x, y = (kept(*of, still=self._still) for of in zip(held[:2], own[:2], strict=True))
        return x, y, held[2] if self._still and held[2] and own[2] else own[2]

    def ghost(self, figure: Figure, hidden: frozenset[str]) -> tuple[Layer, ...]:
        """What of the figure stood elsewhere when the hand was laid on it."""
        began = self._began
        if began is None or not same_axes((began.x, began.y), (figure.x, figure.y)):
            return ()
        now = {layer.key: layer for layer in figure.layers}
        moved = [
            layer
            for layer in began.without(hidden).layers
            if layer.key not in now or not _same(layer, now[layer.key])
        ]
        keys = [layer.key for layer in moved]
        if self._ghost[0] is not began or self._ghost[1] != keys:
            self._ghost = began, keys, ghost_of(began, moved)
        return self._ghost[2]

    def _start(self, seen: Scales) -> None:
        self._from = seen
        if self._way is None:
            self._way = QVariantAnimation(self)
            self._way.setEasingCurve(QEasingCurve.Type.OutCubic)
            self._way.setStartValue(0.0)
            self._way.setEndValue(1.0)
            self._way.valueChanged.connect(self.moved)
            self._way.finished.connect(self.moved)
        self._way.setDuration(ease_ms())
        self._way.start()

    def _stop(self, there: Scales | None) -> None:
        if self._way is not None:
            self._way.stop()
        self._to = there


def truly_flagged(figure: Figure, own: Figure | None) -> Figure:
    """A figure on other axes than its own, without the flags of points that these leave out: at
    the edge each would stand where it is false."""
    if own is None or figure.x.range == own.x.range:
        return figure

    def told(layer: Layer) -> Layer:
        away = isinstance(layer, Handle) and not 0 <= share(figure.x, layer.x) <= 1
        return replace(layer, label="") if away else layer

    return replace(figure, layers=tuple(map(told, figure.layers)))


def stack_area(figure: Figure) -> float:
    """The area under the law that stacked dots fill; 0 where there are none."""
    dots = (one for one in figure.layers if isinstance(one, Dots) and one.stack is not None)
    return next((one.stack[0] for one in dots if one.stack is not None), 0.0)


def restacked(figure: Figure, times: float) -> Figure:
    """With so many times the area under its laws, and so in the cells of its dots: what stands
    above the floor. A dot then stays as large as it was, while the law grows high or low."""

    def risen(layer: Layer) -> Layer:
        if isinstance(layer, Line):
            return replace(layer, y=np.where(layer.y > 0, times * layer.y, layer.y))
        if isinstance(layer, Area):
            return replace(layer, heights=times * layer.heights)
        if isinstance(layer, Dots) and layer.stack is not None:
            return replace(layer, stack=(times * layer.stack[0], layer.stack[1]))
        return layer

    return replace(figure, layers=tuple(map(risen, figure.layers)))


def _same(old: Layer, new: Layer) -> bool:
    return type(old) is type(new) and alike(old, new)


def kept(held: Axis, own: Axis, *, still: bool) -> Axis:
    """The axis for a chart that has `own`: the range that is `held`, as long as it is of the same
    kind and, unless it stands `still`, the chart needs a quarter of it at least and no more than
    it."""
    if _kind(held) != _kind(own) or held.range == own.range:
        return own
    if not still:
        (low, high), (least, most) = to_view(held, held.range), to_view(own, own.range)
        hair = _HAIR * (high - low)
        inside = low - hair <= least and most <= high + hair
        if not (inside and most - least >= LEAST * (high - low)):
            return own
    return replace(own, range=held.range, ticks=held.ticks)


def between(start: Axis, end: Axis, part: float) -> Axis:
    """The axis so far on the way from one range to another, evenly to the eye."""
    if part >= 1 or _kind(start) != _kind(end):
        return end
    ends = to_view(end, start.range), to_view(end, end.range)
    low, high = (from_view(end, float(at)) for at in ends[0] + part * np.subtract(*ends[::-1]))
    return replace(end, range=(low, high))


def same_axes(one: Pair, other: Pair) -> bool:
    """Whether a place on one pair of axes can be shown on the other."""
    return all(_kind(a) == _kind(b) for a, b in zip(one, other, strict=True))


def _kind(axis: Axis) -> tuple[object, ...]:
    """What two axes must share: words, other numbers of categories, a logarithm and units are no
    matter of a range. Shares in percent are."""
    words = () if all(text.endswith("%") for _, text in axis.ticks) else axis.ticks
    return axis.label, axis.log, words, axis.hidden, axis.whole, axis.floored
