"""What the reports of a room say about it: an estimate for each ε, and for all of them together."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.room.law import DUCHI, OUE, Law, law
from dpstudio.privacy.room.question import NUMBER, Question, Report, Reports
from dpstudio.values.messages import N_

ASSUMES = N_("assumes ε does not depend on the answer")


@dataclass(frozen=True)
class Estimate:
    """Of `n` reports: the share of each option, or the mean of a number, in its own unit, as one
    value. Unbiased, so that a share may lie below 0 or above 1. `errors` are the standard errors
    that the coins alone make, as the room is all there is to know about. `epsilon` is None where
    several went together."""

    epsilon: float | None
    n: int
    values: tuple[float, ...]
    errors: tuple[float, ...]

    def interval(self, place: int, confidence: float = 0.95) -> tuple[float, float]:
        """The normal interval of the value at that place."""
        half = NormalDist().inv_cdf((1 + confidence) / 2) * self.errors[place]
        return self.values[place] - half, self.values[place] + half


@dataclass(frozen=True)
class ReportOdds:
    """What one report tells about one person: `epsilon` from the whole numbers that draw it, `odds`
    the most by which it moves anyone's odds between two answers; it speaks for the true answer with
    `true`, for one certain other with `false`. Of a number: for its end of the range."""

    epsilon: float
    odds: float
    true: float
    false: float


def told(asked: Question, epsilon: float) -> ReportOdds:
    """What one report of this question at this ε tells."""
    used = law(asked, epsilon)
    return ReportOdds(used.spent, float(used.odds), float(used.p), float(used.q))


def estimates(asked: Question, reports: Reports) -> tuple[Estimate, ...]:
    """One estimate for each ε that was chosen, in rising order. Reports of other questions are
    passed over."""
    groups: dict[float, list[Report]] = {}
    for report in reports:
        if report.question == asked.key:
            groups.setdefault(report.epsilon, []).append(report)
    return tuple(_estimate(asked, epsilon, groups[epsilon]) for epsilon in sorted(groups))


def _estimate(asked: Question, epsilon: float, reports: list[Report]) -> Estimate:
    used, n = law(asked, epsilon), len(reports)
    support = used.support
    shares = (_totals(used, reports) / n - support.q) / support.gap
    if asked.kind == NUMBER:
        span = asked.span
        # Of ±B with B = 1/gap; Σt² is at least n·(mean of t)².
        mean = min(1.0, max(-1.0, 2 * shares[1] - 1))
        error = span / 2 * math.sqrt((support.gap**-2 - mean**2) / n)
        return Estimate(epsilon, n, (asked.low + span * float(shares[1]),), (error,))
    likely = np.clip(shares, 0, 1)
    errors = np.sqrt((likely * support.own + (1 - likely) * support.other) / n)
    return Estimate(epsilon, n, tuple(shares.tolist()), tuple(errors.tolist()))


def _totals(used: Law, reports: list[Report]) -> Array:
    """How many reports speak for each option, or for either end of the range."""
    sent = np.array([report.value for report in reports], dtype=np.int64)
    if used.mechanism == OUE:
        return np.asarray((sent[:, None] >> np.arange(used.d) & 1).sum(axis=0), dtype=np.float64)
    d = 2 if used.mechanism == DUCHI else used.d
    return np.bincount(sent, minlength=d).astype(np.float64)


def combined(asked: Question, reports: Reports) -> Estimate | None:
    """All of them by head count: each ε's group counts as many heads as it has, so that the whole
    is unbiased even where the choice of ε depends on the answer. None without a report."""
    groups = estimates(asked, reports)
    n = sum(group.n for group in groups)
    return _together(groups, np.array([[group.n / n] for group in groups])) if groups else None


def weighted(asked: Question, reports: Reports) -> Estimate | None:
    """All of them by the inverse of the variance that each group's coins give for an answer that
    nobody holds: less error, but biased where the choice of ε depends on the answer (`ASSUMES`).
    None without a report."""
    groups = estimates(asked, reports)
    if not groups:
        return None
    weights = np.array([[g.n / _noise(asked, g.epsilon or 0)] for g in groups])
    return _together(groups, weights / weights.sum())


def _noise(asked: Question, epsilon: float) -> float:
    """What a person whose answer the reports speak least of adds to the variance: of a share, who
    holds another option; of a number, who holds the middle."""
    support = law(asked, epsilon).support
    if asked.kind == NUMBER:
        return (asked.span / 2 / support.gap) ** 2
    return support.other


def _most_noise(asked: Question, epsilon: float) -> float:
    """The most that a person adds to the variance, whatever the answer: of OUE and GRR, who holds
    the option adds more than who does not."""
    support = law(asked, epsilon).support
    return _noise(asked, epsilon) if asked.kind == NUMBER else max(support.own, support.other)


def _together(groups: tuple[Estimate, ...], weights: Array) -> Estimate:
    values = (weights * [g.values for g in groups]).sum(axis=0)
    errors = np.sqrt((weights**2 * np.square([g.errors for g in groups])).sum(axis=0))
    n = sum(group.n for group in groups)
    epsilon = groups[0].epsilon if len(groups) == 1 else None
    return Estimate(epsilon, n, tuple(values.tolist()), tuple(errors.tolist()))


def reach(asked: Question, epsilons: Iterable[float]) -> float:
    """By how much two reports that may be sent at any of these ε differ at most in `combined`,
    times how many reports there are: in people, or in people times the number's unit. Exact: a
    report adds (1 − q)/(p − q), or −q/(p − q) of the whole way. So far one phone moves it that
    sends what it likes (a manipulation, after Cheu, Smith & Ullman 2021)."""
    used = [law(asked, epsilon).support for epsilon in epsilons]
    return asked.span * (max(s.not_q / s.gap for s in used) + max(s.q / s.gap for s in used))


def needed(asked: Question, reports: Reports, half_width: float, confidence: float = 0.95) -> int:
    """How many more people make every interval of `combined` at most ± half_width (a share, or the
    number's own unit), if they choose ε as those before them; without a report, if all choose the
    least that is offered, whatever they answer."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    now = combined(asked, reports)
    if now is None:
        return math.ceil(_most_noise(asked, asked.epsilons[0]) * (z / half_width) ** 2)
    return max(0, math.ceil(now.n * (z * max(now.errors) / half_width) ** 2) - now.n)
