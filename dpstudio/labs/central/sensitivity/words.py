"""What the sensitivity inspector knows: the moves under both adjacencies, in facts, sentences and a
table."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from dpstudio.data.dataset import Dataset
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.persons import kept_sentences
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import Additive, Sensitivity
from dpstudio.privacy.queries import ADJACENCIES
from dpstudio.privacy.queries.query import MeasuredQuestion, Measurement, Move
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.central.sensitivity.parameters import SensitivityLab

MEASURED = {
    "sum": N_("sum"), "count": N_("count"), "squares": N_("sum of squares"), "sums": N_("sums"), "counts": N_("counts"),
    "mean": N_("mean"), "spread": N_("answer"), "moments": N_("moments"),
}  # fmt: skip


class Inspected:
    """One question under both adjacencies."""

    def __init__(self, lab: SensitivityLab, data: Dataset):
        self.lab, self.data = lab, data

    def under(self, adjacency: str) -> MeasuredQuestion | None:
        """The question under one of the adjacencies; None where it cannot be asked so (a public n
        needs replace one)."""
        query = self.lab.query
        if adjacency != self.lab.adjacency and any(
            p.stops for p in query.problems(self.data, adjacency)
        ):
            return None
        return self.data.remember(
            ("asked", query, adjacency), lambda: query.ask(self.data, adjacency)
        )

    @cached_property
    def asked(self) -> MeasuredQuestion:
        asked = self.under(self.lab.adjacency)
        assert asked is not None
        return asked

    @cached_property
    def place(self) -> int:
        return min(int(self.lab.measured), len(self.asked.measurements) - 1)

    @property
    def measurement(self) -> Measurement:
        return self.asked.measurements[self.place]

    @property
    def sensitivity(self) -> Sensitivity:
        return self.measurement.sensitivity

    @cached_property
    def mover(self) -> Move:
        """The reached move that is longest in L2 (then in L1), or the bound where none is known to
        be reached."""
        moves = [m for m in self.asked.moves if m.reached and m.sizes(self.place)] or list(
            self.asked.moves
        )
        return max(
            moves, key=lambda m: (math.hypot(*m.sizes(self.place)), sum(m.sizes(self.place)))
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the coordinates of the measurement looked at."""
        dims = len(self.measurement.values)
        return (
            self.asked.labels
            if len(self.asked.labels) == dims
            else tuple(str(i + 1) for i in range(dims))
        )

    @cached_property
    def noises(self) -> tuple[tuple[Additive, float], ...]:
        """Standard deviation on one coordinate of every mechanism that can be used on this
        measurement alone."""
        kinds = [m for m in MECHANISMS if not m.integers or self.measurement.whole]
        made = [kind().at(self.lab.epsilon, self.lab.delta) for kind in kinds]
        return tuple((m, math.sqrt(m.law(self.sensitivity).variance)) for m in made)


def facts(seen: Inspected) -> tuple[Fact, ...]:
    s = seen.sensitivity
    name = Say(MEASURED[seen.measurement.name])
    near = say("of the {name}", name=name)
    out = [
        Fact(key, Say(title), say("{x}", x=Num(value, 5, "up")), near, "accent", value)
        for key, title, value in (
            ("l1", N_("L1"), s.l1),
            ("l2", N_("L2"), s.l2),
            ("linf", N_("L∞"), s.linf),
        )
    ]
    text = say("{l0} of {dims}", l0=s.l0, dims=s.dims)
    out.append(Fact("l0", say("Numbers one person moves"), text, _near(seen), "text", s.l0))
    best, sd = min(seen.noises, key=lambda pair: pair[1])
    shown = say("{name} ±{sd}", name=Say(best.label), sd=Num(sd, 3, "up"))
    note = say("standard deviation at ε = {epsilon}", epsilon=Num(seen.lab.epsilon, 5))
    out.append(Fact("least", say("Least noise"), shown, note, best.ink, sd))
    return tuple(out)


def _near(seen: Inspected) -> Say:
    return Say(ADJACENCIES[seen.lab.adjacency])


def sentences(seen: Inspected) -> tuple[Sentence, ...]:
    mover, s = seen.mover, seen.sensitivity
    sizes = mover.sizes(seen.place)
    text = (
        N_(
            "The neighbour that moves this most: {what}. That is {l1} in L1, {l2} in L2 and {linf} "
            "in L∞."
        )
        if mover.reached
        else N_("At most this far: {what}. That is {l1} in L1, {l2} in L2 and {linf} in L∞.")
    )
    told = say(
        text,
        what=mover.what,
        l1=Num(sum(sizes), 5, "up"),
        l2=Num(math.hypot(*sizes), 5, "up"),
        linf=Num(max(sizes, default=0.0), 5, "up"),
    )
    farther = max(
        (m for m in seen.asked.moves if m.reached),
        key=lambda m: sum(m.sizes(seen.place)),
        default=mover,
    )
    if sum(farther.sizes(seen.place)) > sum(sizes) * (1 + 1e-9):
        text = N_("{told} In L1 another moves it more: {what}, by {l1}.")
        told = say(
            text, told=told, what=farther.what, l1=Num(sum(farther.sizes(seen.place)), 5, "up")
        )
    out = [Sentence("mover", told), Sentence("sensitivity", s.why), _other(seen)]
    if s.l1 > s.l2 * (1 + 1e-9):
        text = N_(
            "L1 is {ratio} times L2: noise scaled to L2 is that much smaller, and for Laplace that "
            "would not be private."
        )
        out.append(Sentence("norms", say(text, ratio=Num(s.l1 / s.l2, 4, "down"))))
    return (
        *out,
        *kept_sentences(
            seen.data, seen.lab.query, seen.lab.adjacency, 0, show_truth=seen.lab.show_truth
        ),
    )


def _other(seen: Inspected) -> Sentence:
    """The same question under the other adjacency."""
    key = next(k for k in ADJACENCIES if k != seen.lab.adjacency)
    asked = seen.under(key)
    if asked is None:
        return Sentence(
            "other",
            say(
                "This question cannot be asked with the neighbours “{other}”.",
                other=Say(ADJACENCIES[key]),
            ),
        )
    s = asked.measurements[min(seen.place, len(asked.measurements) - 1)].sensitivity
    text = N_("With the neighbours “{other}” it would be {l1} in L1 and {l2} in L2.")
    return Sentence(
        "other",
        say(text, other=Say(ADJACENCIES[key]), l1=Num(s.l1, 5, "up"), l2=Num(s.l2, 5, "up")),
    )


def tables(seen: Inspected) -> tuple[Table, ...]:
    """Every move of every measurement under both adjacencies."""
    rows = []
    for key, label in ADJACENCIES.items():
        asked = seen.under(key)
        for place, measurement in enumerate(asked.measurements if asked else ()):
            for move in asked.moves if asked else ():
                sizes = move.sizes(place)
                if sizes:
                    rows.append((Say(label), Say(MEASURED[measurement.name]), move, sizes))
    columns = (
        ("neighbours", tuple(r[0] for r in rows)),
        ("measurement", tuple(r[1] for r in rows)),
        ("move", tuple(r[2].what for r in rows)),
        ("l0", tuple(Num(len(r[3])) for r in rows)),
        ("l1", tuple(Num(sum(r[3]), 5, "up") for r in rows)),
        ("l2", tuple(Num(math.hypot(*r[3]), 5, "up") for r in rows)),
        ("linf", tuple(Num(max(r[3]), 5, "up") for r in rows)),
    )
    heads = (
        say("Neighbours"), say("What is measured"), say("Largest moves of one person"),
        say("moved"), Say("L1"), Say("L2"), Say("L∞"),
    )  # fmt: skip
    return (Table("moves", say("Largest moves"), columns, shown=True, heads=heads),)
