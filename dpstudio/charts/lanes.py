"""Lanes: rows of a chart whose names stand at its left edge and whose numbers stand in columns at
its right. Where each word stands is worked out once, for the live view and the SVG writer."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from dpstudio.charts.figure import Column, Dots, Figure, Lanes, Layer, Line, Rule
from dpstudio.charts.inks import Stroke, dashes, marker, stroke
from dpstudio.charts.label_head import Upright, stood
from dpstudio.charts.label_layout import GROUND, Layout, Placed, Points
from dpstudio.charts.scaling import Measure, share
from dpstudio.charts.tick_names import shortened
from dpstudio.values.messages import Message, render

Text = Callable[[Message | str], str]
# Of a name or its columns, and of the words above them: (usual, strong, head).
Measures = tuple[Measure, Measure, Measure]
SIZE, SMALL, USUAL, STRONG = 14, 12, 400, 600  # px at normal type, and weights
BAR = 3.0  # px at normal type of the bar before the chosen lane
# In lines of a head: from the edge to the words, between columns, and from these to the plot; of
# the width, the plot at least.
INSET, _GAP, _APART, _PLOT = 0.5, 1.3, 1.1, 0.31
_CLEAR = 1.2  # lines: from the key to where the plot begins
_TIGHT = 0.86  # of a line: lanes lower than that have not each its words
_CURVE = 1.3  # lines: how high a curve is in its cell
_TWO = 2.4  # lines: a lane that is so high has words under its name
_AIR = 1.1  # of a line: in lanes lower than that words are smaller, so that rows do not touch
_HEAD, _FOOT = 1.2, 0.5  # lines: from the plot up to a head, and down to the key
_BELOW = (SMALL, USUAL)
# Of the bar of the whole: lines that it is high, with what is left below it, from the end of a part
# to its name, and between parts; opaque where chosen, and elsewhere.
_WHOLE, _UNDER, _IN, _SLIT = 1.5, 0.5, 0.5, 0.13
_FAINT, _WEAK = 0.45, 0.15
_DRAWN = 1.5  # px wide is the stroke of a curve in its cell
GHOST = "ghost"


@dataclass(frozen=True)
class Fitted:
    """The columns for which there is room, each with the px that it takes and the places of its
    right end: of those at the left from the left edge, of the others from the plot. `left` and
    `gutter`: px beside the plot; `name`: px for a name."""

    left_columns: tuple[tuple[Column, float], ...]
    right_columns: tuple[tuple[Column, float], ...]
    left: float
    gutter: float
    name: float


def fitted(figure: Figure, lanes: Lanes, width: float, measures: Measures, text: Text) -> Fitted:
    """What has room beside the plot of a chart `width` px wide: columns give way, those that are
    not strong first, before names are cut."""
    usual, strong, head = measures
    line = head("Ag")[1]
    names = [text(name) for _, name in figure.y.ticks]
    below = [head(text(one))[0] for one in lanes.under]
    widest = max([*below, *(strong(name)[0] for name in names)], default=0.0)
    wide = {
        id(column): max(
            [head(text(column.head))[0], column.wide * line * any(column.curves)]
            + [(strong if column.strong else usual)(text(cell))[0] for cell in _said(column)]
        )
        for column in lanes.columns
    }
    kept = list(lanes.columns)
    room = (1 - _PLOT) * width - 2 * INSET * line - 2 * _APART * line
    while kept and widest + sum([wide[id(one)] + _GAP * line for one in kept]) > room:
        kept.remove(next((one for one in reversed(kept) if not one.strong), kept[-1]))
    taken = sum([wide[id(one)] + _GAP * line for one in kept])
    name = min(widest, max(room - taken, 0.0))
    left, x = [], INSET * line + name
    for column in (one for one in kept if one.left):
        x += _GAP * line + wide[id(column)]
        left.append((column, x))
    right = [one for one in kept if not one.left]
    ends = accumulate([wide[id(one)] + _GAP * line for one in right])
    first = (_APART - _GAP) * line
    columns = [(one, first + end) for one, end in zip(right, ends, strict=True)]
    gutter = columns[-1][1] + INSET * line if columns else _APART * line
    return Fitted(tuple(left), tuple(columns), x + _APART * line, gutter, name)


def _said(column: Column) -> tuple[Message | str, ...]:
    """The words of a column, none where a curve stands for them."""
    curves = column.curves or ((),) * len(column.cells)
    return tuple("" if curve else cell for cell, curve in zip(column.cells, curves, strict=True))


def placed(
    figure: Figure,
    size: tuple[float, float],
    left: float,
    measures: Measures,
    *,
    least: tuple[float, float] = (0.0, 0.0),
    text: Text = render,
) -> Layout:
    """Names, columns and their heads for a plot area that takes `size` px with its columns, beside
    `left` px of names; `least`: gutter and head to keep at least."""
    assert figure.lanes is not None
    (width, height), lanes, head = size, figure.lanes, measures[2]
    line = head("Ag")[1]
    if not (width > 2 * line and height > 2 * line):
        return Layout()
    fit = fitted(figure, lanes, left + width, measures, text)
    gutter = min(max(fit.gutter, least[0]), 0.8 * width)
    uprights = _uprights(figure, width - gutter, head, text)
    headed = bool(fit.left_columns or fit.right_columns)
    rows = max([1.0 * headed, *(-one.y / line for one in uprights)])
    whole = (_WHOLE + _UNDER) * bool(lanes.whole)
    top = min(max((rows + 0.4 + whole) * line, least[1]), 0.5 * height)
    sheet = _Sheet(figure, lanes, width - gutter, height - top, left, line, measures, text)
    spare = gutter - fit.gutter
    labels = [*sheet.names(fit.name)]
    for number, (column, end) in enumerate((*fit.left_columns, *fit.right_columns)):
        at = end - left if column.left else width - gutter + end + spare
        labels += sheet.column(number, column, at)
    parts, named = sheet.whole(top, left + width)
    words = (*labels, *uprights, *named, *sheet.star(labels, fit), *sheet.key())
    return Layout(gutter, top, words, grounds=tuple(parts))


@dataclass(frozen=True)
class _Sheet:
    """Puts words about a plot area of width x height px, beside `left` px of names."""

    figure: Figure
    lanes: Lanes
    width: float
    height: float
    left: float
    line: float
    measures: Measures
    text: Text

    @property
    def lane(self) -> float:
        """The px from one lane to the next."""
        low, high = self.figure.y.range
        return self.height / max(1.0, high - low)

    def _written(self) -> list[int]:
        """The lanes that have words: all, or where they lie too close every so many, and always the
        chosen one."""
        many = len(self.figure.y.ticks)
        step = max(1, math.ceil(_TIGHT * self.line / max(self.lane, 1.0)))
        return [k for k in range(many) if (k - max(self.lanes.chosen, 0)) % step == 0]

    def _type(self, strong: bool) -> tuple[int, int]:
        small = self.measures[0]("Ag")[1] * _AIR > self.lane
        return SMALL if small else SIZE, STRONG if strong else USUAL

    def _middle(self, lane: int) -> float:
        return (1 - share(self.figure.y, self.figure.y.ticks[lane][0])) * self.height

    def _box(self, key: str, x: float, lane: int, wide: float, ink: str, strong: bool) -> Placed:
        type_ = self._type(strong)
        high = self.measures[0 if type_[0] == SIZE else 2]("Ag")[1]
        top = self._middle(lane) - high / 2
        return Placed(key, ("",), x, top, wide, high, ink, type=type_)

    def names(self, room: float) -> list[Placed]:
        """The names at the left edge."""
        out, inks = [], self.lanes.inks or ("text",)
        two = bool(self.lanes.under) and self.lane >= _TWO * self.line
        for k in self._written():
            strong = k == self.lanes.chosen or bool(self.lanes.inks)
            words = shortened(self.text(self.figure.y.ticks[k][1]), room + 1, self.measures[strong])
            x, ink = INSET * self.line - self.left, inks[k % len(inks)]
            box = self._box(f"lane {k}", x, k, self.measures[strong](words)[0], ink, strong)
            under = self.text(self.lanes.under[k]) if two else ""
            if under:
                box = box._replace(y=box.y - self.line / 2)
                told = shortened(under, room + 1, self.measures[2])
                wide, top = self.measures[2](told)[0], box.y + box.height
                out.append(
                    Placed(f"under {k}", (told,), x, top, wide, self.line, "muted", type=_BELOW)
                )
            out.append(box._replace(lines=(words,)))
        return out

    def column(self, number: int, column: Column, end: float) -> list[Placed]:
        """The words of a column that ends at `end`, and its head."""
        own = column.inks[0] if len(column.inks) == 1 and not column.left else "muted"
        own = "muted" if own == "text" else own
        words, out = self.text(column.head), []
        if words:
            wide = self.measures[2](words)[0]
            left, type_ = end - wide, (SMALL, USUAL)
            head = Placed(f"head {number}", ("",), left, -_HEAD * self.line, wide, self.line, own)
            out.append(head._replace(value=words, type=type_))
        for k in self._written():
            words = self.text(_said(column)[k])
            wide = self.measures[column.strong](words)[0]
            ink = column.inks[k % len(column.inks)]
            box = self._box(f"cell {number} {k}", end - wide, k, wide, ink, column.strong)
            if column.curves and column.curves[k]:
                drawn = Stroke(dashes(ink), _DRAWN)
                box = box._replace(leader=self._curve(column, end, k), sample=drawn)
            out.append(box._replace(value=words))
        return [one for one in out if one.value or one.leader]

    def whole(self, above: float, wide: float) -> tuple[list[Placed], list[Placed]]:
        """The parts of the whole, `above` px over the plot and `wide` together, and their names."""
        parts, names, line, x = list[Placed](), list[Placed](), self.line, -self.left
        for k, share_ in enumerate(self.lanes.whole):
            chosen, slit = k == self.lanes.chosen, _SLIT * line * (k + 1 < len(self.lanes.whole))
            room = max(share_ * wide - slit, 1.0)
            box = Placed(f"part {k}", ("",), x, -above, room, _WHOLE * line, self.lanes.ink)
            parts.append(box._replace(swatch=GROUND, opacity=_FAINT if chosen else _WEAK))
            words = self.text(self.figure.y.ticks[k][1])
            long = self.measures[2](words)[0]
            if long + 2 * _IN * line <= room:
                at, up = x + _IN * line, (_WHOLE - 1) / 2 * line - above
                name = Placed(f"named {k}", (words,), at, up, long, line, "text")
                names.append(name._replace(type=(SMALL, STRONG if chosen else USUAL)))
            x += share_ * wide
        return parts, names

    def _curve(self, column: Column, end: float, lane: int) -> Points:
        """A curve in its cell, which ends at `end`, on the middle of its lane."""
        wide, high = (size * self.line for size in (column.wide, _CURVE))
        low = self._middle(lane) + high / 2
        return tuple((end - wide * (1 - x), low - high * y) for x, y in column.curves[lane])

    def star(self, words: list[Placed], fit: Fitted) -> list[Placed]:
        """The mark of the star, before the words at the left, or in the room of the names."""
        star = self.lanes.star
        if star is None:
            return []
        at = next((k for k, (y, _) in enumerate(self.figure.y.ticks) if y == star.y[0]), None)
        if at is None:
            return []
        ends = [one.x for one in words if one.key == f"cell 0 {at}" and fit.left_columns]
        x = min(ends, default=0.0) - 0.1 * self.line
        box = Placed(star.key, ("",), x, 0.0, 0.0, self.line, star.ink, type=(SMALL, USUAL))
        return [_marked(box._replace(y=self._middle(at) - self.line / 2), star)]

    def key(self) -> list[Placed]:
        """Below the names: dots that head no column, and where the hand began."""
        told = {ink for column in self.lanes.columns for ink in column.inks}
        out, x, high = [], INSET * self.line - self.left, self.line
        stars = [self.lanes.star] if self.lanes.star is not None else []
        for layer in (*stars, *self.figure.layers):
            words = self.text(layer.label)
            dots = isinstance(layer, Dots) and len(layer.x) > 0 and layer.ink not in told
            if not words or not (dots or layer.ink == GHOST):
                continue
            ghost = stroke(layer) if layer.ink == GHOST and isinstance(layer, Line) else None
            mark = dots and layer.ink != GHOST
            at = x + high * (1.5 if ghost else mark)
            wide = self.measures[2](words)[0]
            if at + wide > -_CLEAR * high:  # the first number of the axis stands there
                break
            box = Placed(layer.key, (words,), at, self.height + _FOOT * high, wide, high, layer.ink)
            box = box._replace(type=(SMALL, USUAL), sample=ghost)
            out.append(_marked(box, layer) if mark else box)
            x = at + wide + high
        return out


def _marked(box: Placed, layer: Layer) -> Placed:
    return box._replace(swatch="dot", corners=marker(layer) if isinstance(layer, Dots) else ())


def _uprights(figure: Figure, width: float, measure: Measure, text: Text) -> list[Placed]:
    """The names of upright rules, above them, beside the heads of the columns."""
    line = measure("Ag")[1]
    rules: list[tuple[Rule, str, float]] = []
    for layer in figure.layers:
        if isinstance(layer, Rule) and layer.axis == "x" and (words := text(layer.label)):
            at = share(figure.x, layer.at)
            if 0 <= at <= 1:
                told = f"{words} {text(layer.told)}" if layer.told else words
                rules.append((layer, told, at))
    wanted = [Upright(at * width, measure(words)[0], 1, True) for _, words, at in rules]
    places = stood(wanted, width)
    out = []
    for (rule, words, _), want, place in zip(rules, wanted, places, strict=True):
        top = -(place.row + _HEAD) * line
        box = Placed(rule.key, (words,), place.left, top, want.width, line, rule.ink)
        out.append(box._replace(type=(SMALL, USUAL)))
    return out


def chosen_span(figure: Figure) -> tuple[float, float] | None:
    """The ends on y of the chosen lane."""
    lanes = figure.lanes
    if lanes is None or not 0 <= lanes.chosen < len(figure.y.ticks):
        return None
    at = figure.y.ticks[lanes.chosen][0]
    return at - 0.5, at + 0.5
