"""What the charts and sentences of Local counts share: who is asked, the protocols, their exact
errors, simulated surveys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.labs.local.counts.people import Population, asked_of, likely
from dpstudio.privacy.local import POST, PROTOCOLS, Protocol
from dpstudio.privacy.local.hadamard import Hadamard
from dpstudio.privacy.local.protocol import Report
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.queries.count import Count
from dpstudio.values.params import to_json
from dpstudio.values.problem import Problem
from dpstudio.values.roots import root

if TYPE_CHECKING:
    from dpstudio.labs.local.counts.parameters import LocalCounts

REPLAYS = 240
LADDER = np.geomspace(EPSILON.low, EPSILON.high, 72)
# Values of d for the chart of the error against it: whole numbers, about evenly spaced in
# logarithms.
DOMAINS = np.unique(np.round(np.geomspace(2, 1000, 22))).astype(np.int64)
# Random numbers drawn for the surveys of a picture: while a slider moves, and where it comes to
# rest (32 MB).
_QUICK, _MOST = 150_000, 4_000_000
_APART = 0.06  # logarithms of variances that differ by more can be told apart


def processed(estimates: ArrayLike, n: float, key: str) -> Array:
    """Estimates, shape (…, d), after what is done to them."""
    return next(kind for kind in POST if kind.key == key)().apply(estimates, n)


def grouped(curves: Sequence[tuple[Protocol, Array]]) -> list[list[Protocol]]:
    """The protocols, those together whose curves of variances differ by less than 6 %: errors by
    less than 3 %."""
    found: list[tuple[Array, list[Protocol]]] = []
    for protocol, curve in curves:
        for held, family in found:
            if held.shape == curve.shape and np.all(np.abs(np.log(held) - np.log(curve)) < _APART):
                family.append(protocol)
                break
        else:
            found.append((curve, [protocol]))
    return [family for _, family in found]


class CountsModel:
    """One state of Local counts on one table. Everything is worked out when it is first asked
    for."""

    def __init__(self, lab: LocalCounts, data: Dataset, quick: bool = False):
        self.lab, self.data = lab, data
        self._quick = quick

    @cached_property
    def population(self) -> Population:
        """Who holds what; where that is hidden, what the reader of one simulated survey takes it to
        be.

        Everything below follows from this value, so that nothing exact can reach a picture by
        another way. How many people are asked is taken as known: the collector counts the reports.
        """
        exact = self.data.remember(
            ("population", self.lab.query), lambda: asked_of(self.lab.query, self.data)
        )
        if self.lab.show_truth:
            return exact
        self.hidden_noise = self.lab.protocol.draw(self._unseen(), exact.counts)
        estimates = self.lab.protocol.estimate(self.hidden_noise[0], exact.n)
        return replace(exact, counts=likely(estimates, exact.n), notes=exact.openness)

    def _unseen(self) -> np.random.Generator:
        return hidden_noise(
            self.data, self.lab.seed, 1, [to_json(self.lab.query), to_json(self.lab.protocol)]
        )

    @property
    def counts(self) -> Array:
        return self.population.counts

    @property
    def n(self) -> int:
        return self.population.n

    @property
    def d(self) -> int:
        return len(self.population.labels)

    @property
    def asks(self) -> bool:
        """Whether the question is answered by yes or no."""
        return isinstance(self.lab.query, Count)

    @cached_property
    def part(self) -> int:
        """The value that is looked at closely."""
        if self.asks:
            return 1
        if self.lab.part >= 0:
            return min(self.lab.part, self.d - 1)
        # The largest of noisy counts is chosen by its noise, and no interval about it would be
        # honest: then the first.
        return int(np.argmax(self.counts)) if self.lab.show_truth else 0

    @cached_property
    def z(self) -> float:
        return NormalDist().inv_cdf((1 + self.lab.confidence) / 2)

    @cached_property
    def share(self) -> float:
        return float(self.counts[self.part]) / self.n

    # The exact errors

    @cached_property
    def sd(self) -> Array:
        """Standard deviation of each estimate, shape (d,)."""
        return np.sqrt(self.lab.protocol.variance(self.counts))

    def scale(self, n: float) -> float:
        """What an error in people is multiplied by to be shown."""
        return 100 / n if self.lab.relative else 1.0

    @cached_property
    def protocols(self) -> tuple[Protocol, ...]:
        """All that serve so many values, at the ε that the chosen one declares or at their own
        where they have no other."""
        chosen = self.lab.protocol
        made = [
            chosen if kind is type(chosen) else kind().at(chosen.claim) or kind()
            for kind in PROTOCOLS
        ]
        return tuple(p for p in made if p is chosen or p.refuses(self.d) is None)

    @property
    def others(self) -> tuple[Protocol, ...]:
        return tuple(p for p in self.protocols if p is not self.lab.protocol)

    def level(self, protocol: Protocol) -> bool:
        """Whether a protocol declares the ε of the chosen one, so that it can be compared with
        it."""
        return math.isclose(protocol.claim, self.lab.protocol.claim, rel_tol=1e-9)

    def spread(self, protocol: Protocol, d: int | None = None) -> float:
        """Variance over n of the count that errors are judged by."""
        d = d or self.d
        if self.lab.judged == "rare":
            return protocol.rare(d)
        if self.lab.judged == "all":
            # Hadamard's depends on which values are frequent: those of the table where it has d,
            # else all alike.
            people = self.counts if d == self.d else np.full(d, self.n / d)
            return float(np.mean(protocol.variance(people))) / self.n
        if d == self.d:
            return float(protocol.variance(self.counts)[self.part]) / self.n
        # As many values as asked for, of which one is as frequent as the one looked at, and the
        # others alike.
        shares = np.full(d, (1 - self.share) / (d - 1))
        shares[-1] = self.share
        return float(protocol.variance(shares)[-1])

    def width(self, protocol: Protocol) -> float:
        """Half-width in people, at the confidence, of the count that errors are judged by."""
        return self.z * math.sqrt(self.n * self.spread(protocol))

    @cached_property
    def widths(self) -> dict[str, float]:
        return {p.key: self.width(p) for p in self.protocols}

    @cached_property
    def ranking(self) -> list[Protocol]:
        """The protocols that declare this ε, the least error first."""
        return sorted(
            (p for p in self.protocols if self.level(p)), key=lambda p: self.widths[p.key]
        )

    @cached_property
    def judged_at(self) -> tuple[object, ...]:
        """All that the error at another ε depends on, but for the protocol."""
        return (
            self.lab.judged,
            self.d,
            *((self.part, self.counts.tobytes()) if self.lab.judged == "part" else ()),
        )

    def curve(self, protocol: Protocol) -> Array:
        """Variance over n at each ε of the ladder, NaN where the protocol cannot be had; it does
        not depend on the current ε."""
        key = ("local curve", without_epsilon(protocol), self.judged_at)

        def points() -> Array:
            at = [protocol.at(float(epsilon)) for epsilon in LADDER]
            return array([math.nan if p is None else self.spread(p) for p in at])

        return self.data.remember(key, points)

    @cached_property
    def families(self) -> list[list[Protocol]]:
        """The protocols, those together whose curves cannot be told apart; the chosen one first of
        all."""
        # Where an estimate says nothing, or is as good as exact, nothing is to be seen of a curve.
        return grouped(
            [
                (p, np.clip(self.curve(p), 1 / self.n, self.n))
                for p in (self.lab.protocol, *self.others)
            ]
        )

    @cached_property
    def meetings(self) -> tuple[tuple[Protocol, float], ...]:
        """(other protocol, ε) where its error meets that of the chosen one, in the order of ε."""
        chosen = self.lab.protocol
        key = ("local meetings", without_epsilon(chosen), self.judged_at)
        found = self.data.remember(
            key, lambda: tuple((p.key, e) for p in self.others for e in self._meets(chosen, p))
        )
        named = {p.key: p for p in self.others}
        return tuple(
            sorted(((named[k], e) for k, e in found if k in named), key=lambda pair: pair[1])
        )

    def _meets(self, one: Protocol, two: Protocol) -> list[float]:
        """Every ε in sight at which two protocols are equally far off."""
        gap = np.log(self.curve(one)) - np.log(self.curve(two))
        # Only where they part on both sides: whole numbers of buckets, blocks or set sizes make
        # curves that touch all the way.
        clear = np.flatnonzero(np.abs(gap) > _APART)
        places = [(a, b) for a, b in pairwise(clear) if gap[a] * gap[b] < 0]

        def difference(log_epsilon: float) -> float:
            at = [p.at(math.exp(log_epsilon)) for p in (one, two)]
            return (
                math.log(self.spread(at[0])) - math.log(self.spread(at[1]))
                if at[0] and at[1]
                else math.nan
            )

        return [
            math.exp(root(difference, math.log(LADDER[a]), math.log(LADDER[b]), 1e-10))
            for a, b in places
        ]

    @cached_property
    def central(self) -> float:
        """Half-width of one count when a trusted collector adds Laplace noise to exact counts, one
        person being replaced."""
        return self.central_scale / self.lab.protocol.claim * -math.log1p(-self.lab.confidence)

    @property
    def central_scale(self) -> int:
        """The L1 sensitivity: a replaced person leaves one part and enters another; of two parts
        one number says both."""
        return 2 if self.d > 2 else 1

    @cached_property
    def times(self) -> float:
        """How many times the people a local survey needs to be as exact, relative to n, as a
        central answer about these."""
        return (self.widths[self.lab.protocol.key] / self.central) ** 2

    # Simulated surveys

    @cached_property
    def replays(self) -> Array:
        """Totals of simulated surveys, shape (surveys, d); a single one where the exact counts are
        hidden."""
        if not self.lab.show_truth:
            assert self.population
            return array(self.hidden_noise)
        return self._drawn(self.few)

    @cached_property
    def _numbers(self) -> int:
        """How many random numbers a survey takes."""
        protocol = self.lab.protocol
        # Hadamard response draws the symbols themselves, one survey after the other.
        return (
            self.d * protocol.blocks(self.d).half + 2_000
            if isinstance(protocol, Hadamard)
            else self.d
        )

    @property
    def few(self) -> int:
        """How many surveys are drawn while a slider moves, and can be stepped through."""
        return max(24, min(REPLAYS, _QUICK // self._numbers))

    @property
    def wanted(self) -> int:
        """How many surveys the lab asks for, at most as many as time and memory are spent on."""
        return max(self.few, min(self.lab.trials, _MOST // self._numbers))

    @property
    def surveys(self) -> int:
        return self.few if self._quick else self.wanted

    def ready(self) -> bool:
        """Whether the surveys that the lab asks for are already drawn."""
        return self.wanted <= self.few or self.data.known(self._key(self.wanted))

    @cached_property
    def estimates(self) -> Array:
        """Estimates of simulated surveys, shape (surveys, d)."""
        return self.lab.protocol.estimate(self._drawn(self.surveys), self.n)

    def _key(self, surveys: int) -> tuple[object, ...]:
        return ("surveys", self.lab.protocol, self.lab.seed, surveys, self.counts.tobytes())

    def _drawn(self, surveys: int) -> Array:
        def draw() -> Array:
            rng = np.random.Generator(np.random.SFC64([self.lab.seed, 1]))
            return array(self.lab.protocol.draw(rng, self.counts, surveys))

        return self.data.remember(self._key(surveys), draw)

    @cached_property
    def worked(self) -> dict[str, tuple[float, float]]:
        """For each way to work on estimates the root mean square error over all values, and the
        largest bias of one; simulated."""
        raw, out = self.estimates, {}
        for key in (kind.key for kind in POST):
            found = processed(raw, self.n, key)
            # Raw estimates have no bias, so that what is done to them is all the bias, and their
            # own noise is left out of it.
            bias = np.abs((found - raw).mean(axis=0))
            out[key] = float(np.sqrt(np.mean((found - self.counts) ** 2))), float(np.max(bias))
        return out

    # One person

    @cached_property
    def report(self) -> Report:
        """What a person who holds the part that is looked at sends."""
        rng = np.random.Generator(np.random.SFC64([self.lab.seed, 2]))
        return self.lab.protocol.one(rng, self.part, self.population.labels)

    @cached_property
    def prior(self) -> Array:
        """Belief in each value before the report: the share of the people who hold it."""
        return array(self.counts / self.n)

    @cached_property
    def posterior(self) -> Array:
        """Belief after it, by Bayes."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.prior) + self.report.likelihood
        odds = np.exp(logs - logs.max())
        return array(odds / odds.sum())

    def advice(self) -> tuple[Problem, ...]:
        """What qualifies the picture without stopping it."""
        return tuple(Problem("query.attested", note, stops=False) for note in self.population.notes)


def without_epsilon(protocol: Protocol) -> object:
    """What tells protocols apart but for their ε."""
    return protocol.at(1.0) or protocol.at(math.log(3)) or protocol
