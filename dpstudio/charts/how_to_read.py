"""How a chart is read: three sentences that follow from what is drawn in it, so that none can be
false of it."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

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
from dpstudio.charts.inks import OUTSIDE
from dpstudio.values.messages import N_, Message, Num, render, say

Kind = TypeVar("Kind", bound=Layer)

NAMED = 3  # names of one sentence at most


def how_to_read(figure: Figure) -> tuple[Message, Message, Message]:
    """What stands across and upwards, what the largest shapes are, and what else marks it."""
    shapes, marks = list(_shapes(figure)), list(_marks(figure))
    flags = list(_flags(figure))
    told = [*shapes[:1], *marks[:1], *shapes[1:], *flags, *marks[1:]]
    return _axes(figure), told[0], told[1]


def _axes(figure: Figure) -> Message:
    x, y = figure.x, figure.y
    across, up = say("Across no number is to be read"), say("upwards no number is to be read")
    if _numbered(x):
        text = say("Across stands “{x}”", x=_text(x.label))
        across = say("{axis} on a logarithmic scale", axis=text) if x.log else text
    elif x.ticks and not x.hidden:
        across = say("Across stands what is named below")
    if figure.lanes is not None:
        up = say("each lane is named at its left")
    elif _numbered(y):
        text = say("upwards stands “{y}”", y=_text(y.label))
        up = say("{axis} on a logarithmic scale", axis=text) if y.log else text
    elif y.ticks and not y.hidden:
        up = say("upwards stands what is named at the left")
    return say("{across}; {up}.", across=across, up=up)


def _numbered(axis: Axis) -> bool:
    """Whether it has a title, and something is read along it."""
    return bool(render(axis.label)) and not axis.hidden


def _shapes(figure: Figure) -> Iterator[Message]:
    """What the shapes that are drawn tell, the most telling first."""
    yield from _cells(figure)
    for dots in _of(figure, Dots):
        if dots.stack is not None:
            n = Num(len(dots.x), 9)
            text = N_(
                "Dots are stacked where they fall: {n:one value|{n} values, all equally likely}."
            )
            yield say(text, n=n)
            break
    yield from _curves(figure)
    columns = _of(figure, Columns)
    if columns and not figure.y.hidden:
        yield say("Each bar is as high as its value.")
    if any(layer.low is not None for layer in columns):
        yield say("The thin line on a bar reaches from a low to a high value of what it shows.")
    if figure.lanes is not None and figure.lanes.columns:
        heads = _listed([each.head for each in figure.lanes.columns])
        yield say("In columns beside the lanes stands {heads}.", heads=heads)
    if _of(figure, Ribbon) and not figure.y.hidden:
        yield say("What is shaded reaches, place by place, from a lower to an upper value.")
    if _of(figure, Area):
        yield say("What is filled stands on the axis: its upper edge is what is read.")
    if named := _names([layer for layer in _of(figure, Dots) if layer.stack is None]):
        yield say("Dots mark {names}.", names=_listed(named))
    if named := _names(_of(figure, Line)):
        yield say("A line has its name in its own colour: {names}.", names=_listed(named))


def _cells(figure: Figure) -> Iterator[Message]:
    for heat in _of(figure, Heat)[:1]:
        if heat.low < 0 < heat.high:
            yield say("A cell is coloured the more strongly the further its value is from 0.")
        else:
            yield say(
                "A cell is coloured the more strongly the higher its value, from {low} to {high}.",
                low=Num(heat.low),
                high=Num(heat.high),
            )


def _curves(figure: Figure) -> Iterator[Message]:
    """Of curves with one height at each place, where both axes have titles."""
    if not (_numbered(figure.x) and _numbered(figure.y)) or figure.lanes is not None:
        return
    curves = [line for line in _of(figure, Line) if len(line.x) > 2 and np.all(np.diff(line.x) > 0)]
    if named := _names(curves):
        one = len(named) == 1
        yield say(
            N_("The curve {names} tells “{y}” for each “{x}”.")
            if one
            else N_("The curves {names} tell “{y}” for each “{x}”."),
            names=_listed(named),
            x=_text(figure.x.label),
            y=_text(figure.y.label),
        )


def _marks(figure: Figure) -> Iterator[Message]:
    if any(line.dash == OUTSIDE for line in _of(figure, Line)):
        yield say("Where a curve is pale and dotted, it is not proved, or is worse than adding up.")
    for handle in _of(figure, Handle)[:1]:
        if handle.sets:
            yield say("The round handle can be dragged sideways, and all of the page follows.")
    if named := _names(_of(figure, Band)):
        yield say("The strip over the whole height is {names}.", names=_listed(named))
    for axis, text in (
        ("x", N_("The upright line across the chart marks {names}.")),
        ("y", N_("The level line across the chart marks {names}.")),
    ):
        if named := _names([rule for rule in _of(figure, Rule) if rule.axis == axis]):
            yield say(text, names=_listed(named))
    if any(dots.picks for dots in _of(figure, Dots)):
        yield say("A click on a dot takes over what it stands for.")


def _flags(figure: Figure) -> Iterator[Message]:
    if figure.exact:
        yield say("It holds what is exact, so it is no private release.")
    if figure.simulated:
        yield say("What chance draws in it is simulated, and is no release.")
    if not (figure.exact or figure.simulated):
        yield say("It holds no exact answer and no simulated one.")
    yield say("Its menu ⋯ copies its numbers.")


def _of(figure: Figure, kind: type[Kind]) -> list[Kind]:
    return [layer for layer in figure.layers if isinstance(layer, kind)]


def _names(layers: Sequence[Layer]) -> list[Message]:
    """Their names, each once."""
    named = {render(layer.label): _text(layer.label) for layer in layers if render(layer.label)}
    return list(named.values())


def _listed(names: Sequence[Message | str]) -> Message:
    texts = [say("“{name}”", name=_text(name)) for name in names if render(name)]
    out = texts[0]
    for text in texts[1:NAMED]:
        out = say("{first}, {then}", first=out, then=text)
    return say("{first} and others", first=out) if len(texts) > NAMED else out


def _text(label: Message | str) -> Message:
    return label if isinstance(label, Message) else Message(label)
