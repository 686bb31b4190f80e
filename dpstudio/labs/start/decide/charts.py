"""Decide's charts: what others promised along the dial, a hundred guesses, and the answer."""

import math
from collections.abc import Iterable

from dpstudio.charts.figure import Axis, Column, Dots, Figure, Handle, Lanes, Layer, Rule, Words
from dpstudio.labs.start.decide import model as decide
from dpstudio.labs.start.decide.model import DecideModel
from dpstudio.privacy.deployments import AT_DELTA, UNITS, Deployment, placed
from dpstudio.values.messages import N_, Message, Num, plain, say

SOURCE = "OpenDP, deployments registry, 2026-07-15 (MIT)"
_GUESSES = "Kairouz, Oh & Viswanath 2015, Theorem 2.1; Nanayakkara et al. 2023 (odds of 100)"
_INK, _DOUBTFUL = "pld", "muted"
_SIDE = 10  # guesses a row
_CELL = 1.16  # of the pitch of a guess, how far it reaches from corner to corner, nearly
# Of a decade, how near two squares stand before one is put onto the other; of a lane, how high one
# is, and where the first stands.
_NEAR, _STEP, _FLOOR = 0.115, 0.19, -0.34


def deployments_chart(model: DecideModel) -> Figure | None:
    """A lane for each unit of privacy, so that no ε of a day stands beside one of a person: a
    square for each deployment at its ε, over the axis on which the dial lies."""
    if not model.register:
        return None
    lanes = list(UNITS)
    rows = {unit: float(len(lanes) - 1 - k) for k, unit in enumerate(lanes)}
    layers: list[Layer] = [Rule("dial", "text", "", model.epsilon)]
    layers += _squares(model, rows)
    layers.append(Handle("here", "text", "", model.epsilon, -0.5, "mechanism.epsilon"))
    reach = decide.lane_counts(model)
    below, count = ([Num(pair[k]) for pair in reach] for k in (0, 1))
    head = say("≤ {epsilon}", epsilon=Num(model.epsilon, 4))
    columns = (
        Column(head, tuple(say("{n}", n=n) for n in below), strong=True),
        Column(say("all"), tuple(say("{n}", n=n) for n in count), ("muted",)),
    )
    text = N_("filled: a trusted curator; pierced: made of ρ at δ = {delta}; grey: doubtful")
    low = 0.01 if model.epsilon >= 0.01 else 0.001
    return Figure(
        "deployments",
        say("What others promised"),
        Axis(say("ε"), log=True, range=(low, 100.0)),
        Axis(
            say("who is protected"),
            range=(-0.5, len(lanes) - 0.5),
            ticks=tuple((rows[unit], UNITS[unit]) for unit in lanes),
        ),
        tuple(layers),
        say(text, delta=Num(AT_DELTA)),
        source=SOURCE,
        lanes=Lanes(columns),
    )


def _squares(model: DecideModel, rows: dict[str, float]) -> list[Layer]:
    """One layer for each way of drawing a square. Places do not depend on the filters: what they
    take away moves nobody else."""
    places = _stacked(placed(model.register), rows)
    kinds: dict[tuple[str, str], list[Deployment]] = {}
    for each in decide.shown(model):
        shape = "pierced" if each.converted else "square" if each.model == "Central" else "hollow"
        kinds.setdefault((_DOUBTFUL if each.doubtful else _INK, shape), []).append(each)
    made: list[Layer] = []
    for (ink, shape), them in sorted(kinds.items(), key=lambda kind: kind[0]):
        x, y = zip(*(places[each.slug] for each in them), strict=True)
        tells = tuple(_read(each) for each in them)
        made.append(Dots(f"{ink} {shape}", ink, "", x, y, marker=shape, tells=tells))
    return made


def _read(each: Deployment) -> tuple[Message, ...]:
    """What is read of one: whom it protects before what it promises."""
    by = say("{who}, {year}", who=plain(", ".join(each.curators)), year=plain(each.year))
    promise = say("ε = {epsilon}", epsilon=Num(each.promised or 0.0, 4))
    if each.delta:
        promise = say("{promise}, δ = {delta}", promise=promise, delta=Num(each.delta))
    status = say("status: {status}", status=plain(each.status))
    if each.doubtful:
        status = say("{status}; doubtful", status=status)
    return (plain(each.name), by, plain(each.unit or "–"), promise, status)


def _stacked(them: Iterable[Deployment], rows: dict[str, float]) -> dict[str, tuple[float, float]]:
    """(ε, height) of each: at its own ε, as low in its lane as those beside it leave room."""
    places: dict[str, tuple[float, float]] = {}
    for each in sorted(them, key=lambda one: (one.promised or 0.0, one.slug)):
        epsilon, row = each.promised or 0.0, rows[each.protects]
        near = {y for x, y in places.values() if abs(math.log10(x / epsilon)) < _NEAR}
        level = next(k for k in range(99) if row + _FLOOR + k * _STEP not in near)
        places[each.slug] = epsilon, row + _FLOOR + level * _STEP
    return places


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
