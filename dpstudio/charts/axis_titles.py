"""What stands about a plot besides its numbers: the hairlines at its ticks, and the titles of its
axes, that of y above its numbers and that of x below its own. No word is turned.
Pure, shared by the live view and the SVG writer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from dpstudio.charts.figure import Axis, Figure
from dpstudio.charts.label_layout import LEAD, Layout, Placed, large, place_labels
from dpstudio.charts.lanes import INSET, placed
from dpstudio.charts.scaling import Measure
from dpstudio.charts.tick_names import shortened
from dpstudio.values.messages import Message, render

_OVER = 1.5  # lines from the plot to the upper edge of the title of y
ACROSS, UP = 62, 40  # px at normal type between two ticks
ROW = 1.12  # lines from the numbers to the title of x below them
HERO, OF_HERO = (
    (14, 500),
    4,
)  # px at normal type and weight of its names; the place of their measure
_CLEAR = 6.0  # px between the title of y and the words beside it


class Titles(NamedTuple):
    """The titles of y and x, where they have some: px from the top left of the plot area, but that
    of x from the top of its numbers. `beside`: under lanes it stands on their row, where it has
    room; below curves a row of its own keeps it from being read as one of their names. `head`: the
    px above the plot that they need with what is named there."""

    y: Placed | None
    x: Placed | None
    beside: bool
    head: float


def laid_out(
    figure: Figure,
    size: tuple[float, float],
    left: float,
    measures: tuple[Measure, ...],
    least: tuple[float, float],
    text: Callable[[Message | str], str] = render,
) -> tuple[Layout, Titles]:
    """Names and titles of a plot area that has `size` px with them and numbers `left` px wide at
    its side. `measures`: of names, and of titles, then of the usual and the strong words of lanes,
    and of the names of a hero, where there are such; `least`: gutter and head to keep at least."""
    width, height = size
    if figure.lanes is not None:
        usual, strong = measures[2:OF_HERO] if measures[2:] else measures
        names = placed(figure, size, left, (usual, strong, measures[1]), least=least, text=text)
        return names, _titles(figure, names, width - names.gutter, left, measures[1], text)
    words = "" if figure.y.hidden else text(figure.y.label).strip()
    clear = max(0.0, measures[1](words)[0] - left + _CLEAR) if words else 0.0
    hero = len(measures) > OF_HERO and large(width, height, measures[OF_HERO]("Ag")[1])
    of_names = measures[OF_HERO if hero else 0]
    for _ in range(2):
        names = place_labels(
            figure, width, height, of_names, least=least, clear=clear, text=text, hero=hero
        )
        titles = _titles(figure, names, width - names.gutter, left, measures[1], text)
        if titles.head <= names.head:
            break
        least = names.gutter, titles.head
    labels = names.labels
    if hero:
        labels = tuple(_of_hero(one, measures[1]) for one in labels)
    return replace(names, head=titles.head, labels=labels), titles


def _of_hero(label: Placed, small: Measure) -> Placed:
    """In large type, but for the head of values, whose end stays where it is."""
    if not label.type[0]:
        return label._replace(type=HERO)
    wide = small(label.text)[0]
    return label._replace(x=label.x + label.width - wide, width=wide)


def _titles(
    figure: Figure,
    names: Layout,
    wide: float,
    left: float,
    measure: Measure,
    text: Callable[[Message | str], str],
) -> Titles:
    """The titles for a plot `wide` px across."""
    line, head = measure("Ag")[1], names.head
    whole = left + wide + names.gutter
    y, x, beside = None, None, False
    named = figure.y.hidden or figure.lanes is not None
    if (words := "" if named else text(figure.y.label).strip()) and whole > line:
        words = shortened(words, whole, measure)
        across = measure(words)[0]
        if _met(names, -left, across - left, line):
            head += line
        head = max(head, _OVER * line)  # half of it is that of the upper number
        y = Placed("y", (words,), -left, -head, across, line, "muted")
    if (words := "" if figure.x.hidden else text(figure.x.label).strip()) and whole > line:
        beside = figure.lanes is not None and measure(words)[0] <= names.gutter - LEAD * line
        words = shortened(words, whole, measure)
        across = measure(words)[0]
        end = wide + names.gutter - INSET * line if beside else wide
        at = max(-left, end - across)
        x = Placed("x", (words,), at, 0.0, across, line, "muted")
    return Titles(y, x, beside, head)


def _met(names: Layout, start: float, end: float, line: float) -> bool:
    """Whether words from start to end in the upper row of the head meet a name or its stem."""
    below = line - names.head  # the lower edge of that row
    for name in names.labels:
        stem = [x for x, y in name.leader if y < below]
        left = min([name.x - (line if name.swatch else 0.0), *stem])
        if name.y < below and left < end + _CLEAR and start < name.x + name.width + _CLEAR:
            return True
    return False


def hairlines(
    figure: Figure, x: Sequence[float], y: Sequence[float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where hairlines cross a chart upright and level, in data units, for ticks at `x` and `y`:
    level ones at numbers, between rows that have names; upright ones where heights mean nothing."""
    level, upright = tuple(y), tuple(x)
    if figure.y.hidden:
        level = ()
    elif _named(figure.y):
        level = tuple((a + b) / 2 for a, b in pairwise(sorted(y)))
    elif not figure.square:
        upright = ()
    return () if _named(figure.x) or figure.x.hidden else upright, level


def _named(axis: Axis) -> bool:
    """Whether words or ranges stand at its ticks, and no numbers."""
    return any(letter.isalpha() or letter == "–" for _, text in axis.ticks for letter in text)
