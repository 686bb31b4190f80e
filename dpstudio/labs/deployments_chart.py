"""What others promised, along an axis of ε: Decide's first chart, and one more where an ε is
chosen."""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Column,
    Dots,
    Figure,
    Handle,
    Lanes,
    Layer,
    Rule,
    Words,
)
from dpstudio.privacy.deployments import AT_DELTA, UNITS, Deployment, placed
from dpstudio.values.messages import N_, Message, Num, listed, plain, say

SOURCE = "OpenDP, deployments registry, 2026-07-15 (MIT)"
_INK, _DOUBTFUL = "pld", "muted"
# Of a decade, how near two squares stand before one is put onto the other; of a lane, how high one
# is, and where the first stands.
_NEAR, _STEP, _FLOOR = 0.2, 0.19, -0.34
# In decades, how far beside the middle of a square its name begins, and where the axis ends.
_ASIDE, _TOP = 0.09, 2.0


def within_reach(them: Iterable[Deployment], epsilon: float) -> int:
    """How many of them promise at most that ε."""
    return sum(1 for each in them if (each.promised or 0.0) <= epsilon)


def lane_counts(shown: Sequence[Deployment], epsilon: float) -> tuple[tuple[int, int], ...]:
    """For each unit of privacy how many of those drawn promise at most that ε, and how many are
    drawn."""
    lanes = [[each for each in shown if each.protects == unit] for unit in UNITS]
    return tuple((within_reach(lane, epsilon), len(lane)) for lane in lanes)


def deployments_chart(
    register: tuple[Deployment, ...], shown: tuple[Deployment, ...], epsilon: float
) -> Figure | None:
    """A lane for each unit of privacy, so that no ε of a day stands beside one of a person: a
    square for each deployment at its ε, over the axis on which the dial lies. None without a
    register."""
    if not register:
        return None
    rows = _rows()
    low = 0.01 if epsilon >= 0.01 else 0.001
    layers: list[Layer] = [Rule("dial", "text", "", epsilon), *_squares(register, shown)]
    layers += _extremes(register, shown, epsilon, low)
    layers.append(Handle("here", "text", "", epsilon, -0.5, "mechanism.epsilon"))
    reach = lane_counts(shown, epsilon)
    below, count = ([Num(pair[k]) for pair in reach] for k in (0, 1))
    head = say("≤ {epsilon}", epsilon=Num(epsilon, 4))
    columns = (
        Column(head, tuple(say("{n}", n=n) for n in below), strong=True),
        Column(say("all"), tuple(say("{n}", n=n) for n in count), ("muted",)),
    )
    text = N_("filled: a trusted curator; pierced: made of ρ at δ = {delta}; grey: doubtful")
    return Figure(
        "deployments",
        say("What others promised"),
        Axis(say("ε"), log=True, range=(low, 10**_TOP)),
        Axis(
            say("who is protected"),
            range=(-0.5, len(rows) - 0.5),
            ticks=tuple((rows[unit], UNITS[unit]) for unit in rows),
        ),
        tuple(layers),
        say(text, delta=Num(AT_DELTA)),
        source=SOURCE,
        lanes=Lanes(columns),
    )


def everybody(register: tuple[Deployment, ...], epsilon: float) -> Figure | None:
    """All that say a number and are no drafts, beside an ε that is chosen. None without a
    register."""
    return deployments_chart(register, placed(register), epsilon)


def _rows() -> dict[str, float]:
    return {unit: float(len(UNITS) - 1 - k) for k, unit in enumerate(UNITS)}


@lru_cache(maxsize=4)
def _squares(register: tuple[Deployment, ...], shown: tuple[Deployment, ...]) -> tuple[Layer, ...]:
    """One layer for each way of drawing a square, whatever the ε of the dial. Places do not depend
    on the filters: what they take away moves nobody else."""
    places = _stacked(register)
    kinds: dict[tuple[str, str], list[Deployment]] = {}
    for each in shown:
        shape = "pierced" if each.converted else "square" if each.model == "Central" else "hollow"
        kinds.setdefault((_DOUBTFUL if each.doubtful else _INK, shape), []).append(each)
    made: list[Layer] = []
    for (ink, shape), them in sorted(kinds.items(), key=lambda kind: kind[0]):
        x, y = zip(*(places[each.slug] for each in them), strict=True)
        tells = tuple(_read(each) for each in them)
        made.append(Dots(f"{ink} {shape}", ink, "", x, y, marker=shape, tells=tells))
    return tuple(made)


def _extremes(
    register: tuple[Deployment, ...], shown: tuple[Deployment, ...], epsilon: float, low: float
) -> Iterator[Layer]:
    """Whose the least and the largest ε of each lane are, where there is room: the one beside its
    square and off the dial, the other above it."""
    places, ends = _stacked(register), (math.log10(low), _TOP)
    for unit in UNITS:
        lane = sorted((each for each in shown if each.protects == unit), key=_by_promise)
        at = np.array([places[each.slug] for each in lane]).reshape(-1, 2)
        across, up = np.log10(at[:, 0]), at[:, 1]
        for place in {0, len(lane) - 1} & set(range(len(lane))):
            find = _above if place else _beside
            x, y, room = find(across, up, ends, math.log10(epsilon))
            yield Words(
                f"extreme {unit} {place > 0}",
                "muted",
                "",
                (plain(lane[place].curators[0]),),
                [10**x],
                [y],
                "start" if room > 0 else "end",
                room=abs(room) / (ends[1] - ends[0]) * (10 ** ends[1] - low),
                lines=1,
            )


def _beside(
    x: Array, y: Array, ends: tuple[float, float], dial: float
) -> tuple[float, float, float]:
    """Where the name of the first square stands, in decades, and its room: below 0 at its left."""
    near = x[(x > x[0]) & (abs(y - y[0]) < 0.9 * _STEP)]
    right = min([*near, ends[1], *([dial] if dial > x[0] else [])]) - x[0] - 2 * _ASIDE
    left = x[0] - max(ends[0], dial if dial < x[0] else ends[0]) - 2 * _ASIDE
    side, room = (1, right) if right >= left else (-1, left)
    return x[0] + side * _ASIDE, y[0], side * max(room, 0.0)


def _above(
    x: Array, y: Array, ends: tuple[float, float], dial: float
) -> tuple[float, float, float]:
    """The same of the last one: as low above it as a decade is free at its left."""
    free = [
        x[-1] - x[abs(y - y[-1] - k * _STEP) < 0.9 * _STEP].max(initial=ends[0]) for k in (1, 2, 3)
    ]
    level = next((k for k, room in enumerate(free) if room >= 1), 0)
    return x[-1] + _ASIDE, y[-1] + (level + 1) * _STEP, -free[level]


def _by_promise(each: Deployment) -> tuple[float, str]:
    return each.promised or 0.0, each.slug


def _read(each: Deployment) -> tuple[Message, ...]:
    """What is read of one: whom it protects before what it promises."""
    by = say("{who}, {year}", who=listed(each.curators), year=plain(each.year))
    promise = say("ε = {epsilon}", epsilon=Num(each.promised or 0.0, 4))
    if each.delta:
        promise = say("{promise}, δ = {delta}", promise=promise, delta=Num(each.delta))
    status = say("status: {status}", status=plain(each.status))
    if each.doubtful:
        status = say("{status}; doubtful", status=status)
    return (plain(each.name), by, plain(each.unit or "–"), promise, status)


@lru_cache(maxsize=4)
def _stacked(register: tuple[Deployment, ...]) -> dict[str, tuple[float, float]]:
    """(ε, height) of each: at its own ε, as low in its lane as those beside it leave room."""
    places: dict[str, tuple[float, float]] = {}
    rows = _rows()
    for each in sorted(placed(register), key=_by_promise):
        epsilon, row = each.promised or 0.0, rows[each.protects]
        near = {y for x, y in places.values() if abs(math.log10(x / epsilon)) < _NEAR}
        level = next(k for k in range(99) if row + _FLOOR + k * _STEP not in near)
        places[each.slug] = epsilon, row + _FLOOR + level * _STEP
    return places
