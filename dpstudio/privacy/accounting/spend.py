"""What is released: kinds of releases with how often each is repeated, and what one person can
touch of a list of them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import cached_property

from dpstudio.privacy.accounting.amplified import amplified, unamplified
from dpstudio.privacy.mechanisms import Additive, Sensitivity

ADD_REMOVE, REPLACE = "add_remove", "replace"
UNIT = Sensitivity(1.0, 1.0, 1.0)
MOST_WORLDS, MOST_PICKED = 256, 20_000
# More ε and δ is less noise of the same shape, and so more loss in every sense.
ORDERED = ("laplace", "l2norm", "geometric", "catastrophe", "gaussian", "textbook")


@dataclass(frozen=True)
class Spend:
    """`count` releases that are (ε, δ)-DP each, by one mechanism at one sensitivity.

    Without a mechanism nothing is known but (ε, δ). Spends of one non-empty `group` are parts over
    disjoint data: under add/remove one row is in a single one of them, under replace-one in two.
    Where several `people` move the answers together, ε and δ are what holds for all of them; the
    mechanism and its sensitivity stay those made for one. Where `chance` is below 1 the mechanism
    answers about a Poisson sample, everyone in it with that chance: ε and δ are what that promises
    to who joins or leaves.
    """

    epsilon: float
    delta: float = 0.0
    mechanism: Additive | None = None
    sensitivity: Sensitivity = UNIT
    count: int = 1
    group: str = ""
    people: int = 1
    chance: float = 1.0

    def __post_init__(self) -> None:
        """Raises ValueError for what is no release."""
        if not (0 <= self.epsilon < math.inf and 0 <= self.delta <= 1 and self.count >= 1):
            raise ValueError(
                f"no release: ε = {self.epsilon}, δ = {self.delta}, count = {self.count}"
            )

    @classmethod
    def of(
        cls,
        mechanism: Additive,
        sensitivity: Sensitivity = UNIT,
        count: int = 1,
        group: str = "",
        chance: float = 1.0,
    ) -> Spend:
        """The releases of a mechanism, at what it promises, of a sample where `chance` is below
        1."""
        epsilon, delta = amplified(mechanism.epsilon, mechanism.total_delta, chance)
        return cls(epsilon, delta, mechanism, sensitivity, count, group, chance=chance)

    @property
    def pure(self) -> bool:
        """Whether δ = 0."""
        return self.delta == 0

    @property
    def kept(self) -> bool:
        """Whether the mechanism keeps its (ε, δ); nothing is known against a release without
        one."""
        return self.mechanism is None or self.mechanism.guarantee(self.sensitivity).kept

    def times(self, count: int) -> Spend:
        """The same kind of release so often."""
        return replace(self, count=count)

    @property
    def sampled(self) -> bool:
        """Whether it is about a sample."""
        return self.chance < 1

    @property
    def whole(self) -> Spend:
        """The same kind of release about everybody."""
        if self.mechanism is None or not self.sampled:
            return self
        return replace(Spend.of(self.mechanism, self.sensitivity), people=self.people)

    def at(self, epsilon: float) -> Spend:
        """The same kind of release with another ε."""
        if self.mechanism is None:
            return replace(self, epsilon=epsilon)
        before = unamplified(epsilon, self.chance)
        mechanism = self.mechanism.at(before, self.mechanism.total_delta)
        return replace(self, epsilon=epsilon, mechanism=mechanism)

    @property
    def one(self) -> Spend:
        """The kind of release alone: once, in no group."""
        bare = self.count == 1 and not self.group
        return self if bare else replace(self, count=1, group="")


PURE = Spend(1.0)


@dataclass(frozen=True)
class Ledger:
    """Releases about the same people, each with at most so many `rows`, under one notion of
    neighbours."""

    spends: tuple[Spend, ...]
    adjacency: str = ADD_REMOVE
    rows: int = 1

    @property
    def touched(self) -> int:
        """How many parts over disjoint data one person may touch: one a row, two where they are
        replaced, who may leave some and enter others."""
        return touched(self.adjacency, self.rows)

    @property
    def answers(self) -> int:
        """How many releases there are, all counted."""
        return sum(s.count for s in self.spends)

    @property
    def groups(self) -> dict[str, tuple[Spend, ...]]:
        """The parts over disjoint data by the name of their group."""
        names = dict.fromkeys(s.group for s in self.spends if s.group)
        return {name: tuple(s for s in self.spends if s.group == name) for name in names}

    def worlds(self) -> tuple[tuple[Spend, ...], ...]:
        """Every set of releases that one person may touch: all outside of groups, and of each group
        `touched` parts.

        A part that another one of its group covers (as often or more, the same mechanism at a
        larger ε and δ) is left out. The cost of the ledger is the largest over its worlds.
        ValueError where there are more than 256.
        """
        return self._worlds

    @cached_property
    def _worlds(self) -> tuple[tuple[Spend, ...], ...]:
        always = tuple(s for s in self.spends if not s.group)
        choices = [_choices(parts, self.touched) for parts in self.groups.values()]
        if math.prod(len(c) for c in choices) > MOST_WORLDS:
            raise ValueError("too many different parts")
        return tuple(
            merged((*always, *itertools.chain.from_iterable(picked)))
            for picked in itertools.product(*choices)
        )


def touched(adjacency: str, rows: int) -> int:
    """How many parts over disjoint data a person with at most so many rows may touch."""
    return rows * (2 if adjacency == REPLACE else 1)


def _choices(parts: tuple[Spend, ...], touched: int) -> list[tuple[Spend, ...]]:
    """The sets of `touched` parts of a group that are not covered by another such set."""
    kept = uncovered(parts, touched)
    taken = min(touched, len(kept))
    if math.comb(len(kept), taken) > MOST_PICKED:
        raise ValueError("too many different parts")
    return list(dict.fromkeys(itertools.combinations(kept, taken)))


def uncovered(parts: tuple[Spend, ...], touched: int) -> list[Spend]:
    """The parts of a group that fewer than `touched` others cover, out of it."""
    bare = [replace(p, group="") for p in parts]
    return [
        p
        for i, p in enumerate(bare)
        if sum(_covers(q, p, j < i) for j, q in enumerate(bare) if j != i) < touched
    ]


def _covers(a: Spend, b: Spend, first: bool) -> bool:
    """Whether part `a` costs at least what `b` does by every bound; of two equal ones the first
    does."""
    if a.one == b.one:
        return a.count > b.count or (a.count == b.count and first)
    if a.mechanism is None or b.mechanism is None:
        alike = a.mechanism is b.mechanism
    else:
        alike = (
            a.mechanism.key in ORDERED
            and a.mechanism == b.mechanism.at(a.mechanism.epsilon, a.mechanism.total_delta)
            and (a.sensitivity, a.chance) == (b.sensitivity, b.chance)
        )
    return alike and a.count >= b.count and a.epsilon >= b.epsilon and a.delta >= b.delta


def merged(spends: tuple[Spend, ...]) -> tuple[Spend, ...]:
    """Equal releases counted together, so that two lists of the same releases cost the same."""
    if len(spends) == 1 and not spends[0].group:
        return spends
    counts: dict[Spend, int] = {}
    for s in spends:
        counts[s.one] = counts.get(s.one, 0) + s.count
    return tuple(s.times(n) for s, n in counts.items())
