"""Decide's charts: what others promised along the dial, a hundred guesses, and the answer."""

from dataclasses import replace

from dpstudio.charts.figure import Axis, Dots, Figure, Layer, Words
from dpstudio.labs.deployments_chart import deployments_chart
from dpstudio.labs.start.decide import model as decide
from dpstudio.labs.start.decide.model import DecideModel
from dpstudio.values.messages import N_, Num, say

_GUESSES = "Kairouz, Oh & Viswanath 2015, Theorem 2.1; " + N_(
    "Nanayakkara et al. 2023 (odds of 100)"
)
_SIDE = 10  # guesses a row
_CELL = 1.16  # of the pitch of a guess, how far it reaches from corner to corner, nearly


def others_chart(model: DecideModel) -> Figure | None:
    """Whose promises are drawn, along the dial."""
    chart = deployments_chart(model.register, decide.shown(model), model.epsilon)
    return None if chart is None else replace(chart, low=True)


def guess_chart(model: DecideModel) -> Figure:
    """A hundred guesses about one person, filled by columns, and what each kind of them is."""
    counts = chance, average, most, wrong = decide.hundred(model)
    ink, heights = model.lab.mechanism.ink, [8.7, 6.3, 3.9, 1.5]
    kinds = (
        ("chance", "axis", "square", say("right by chance"), say("{n}", n=Num(chance))),
        ("average", ink, "square", say("more, on average"), say("+{n}", n=Num(average))),
        ("most", ink, "hollow", say("more, at most"), say("+{n}", n=Num(most))),
        ("wrong", "grid", "hollow", say("still wrong"), say("{n}", n=Num(wrong))),
    )
    layers: list[Layer] = []
    first = 0
    for k, (key, colour, shape, _, _) in enumerate(kinds):
        cells = [divmod(i, _SIDE) for i in range(first, first + counts[k])]
        x, y = [a + 0.5 for a, _ in cells], [_SIDE - 0.5 - b for _, b in cells]
        spots = ([*x, _SIDE + 2.5], [*y, heights[k]])  # the last one beside its name
        layers.append(Dots(key, colour, "", *spots, _CELL, shape))
        first += counts[k]
    names, told = (tuple(kind[k] for kind in kinds) for k in (3, 4))
    layers.append(Words("names", "text", "", names, [13.6] * 4, heights, "start", lines=1))
    layers.append(Words("counts", "text", "", told, [24.0] * 4, heights, "end", strong=True))
    return Figure(
        "guess",
        say("A guess about you"),
        Axis("", range=(-0.2, 24.2), hidden=True, ticks=((-0.2, ""),)),
        Axis("", range=(-0.2, _SIDE + 0.2), hidden=True),
        tuple(layers),
        say("each square is one of 100 guesses"),
        source=_GUESSES,
        square=True,
    )
