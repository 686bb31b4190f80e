"""Dimension: which noise errs least as one answer grows from 1 to 10,000 coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.central.dimension import ABOUT
from dpstudio.labs.central.dimension.charts import (
    balls_chart,
    clouds_chart,
    crossing_chart,
    error_chart,
    length_chart,
)
from dpstudio.labs.central.dimension.noise import (
    GROWTHS,
    K_MOST,
    MEASURES,
    SHAPES,
    after,
    first_meeting,
    knots,
    log_gap,
    meetings,
    moved,
    reach,
    unit_error,
)
from dpstudio.labs.central.dimension.words import facts, sentences, tables
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON, Additive, Guarantee, Sensitivity
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.privacy.mechanisms.l2norm import L2Norm
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import N_, Say
from dpstudio.values.params import Choice, Integer, Real, Several, param
from dpstudio.values.problem import Problem

KINDS: dict[str, type[Additive]] = {
    kind.key: kind for kind in (Laplace, AnalyticGaussian, TextbookGaussian, L2Norm)
}
_WHY = {
    "all": N_("Every person may move all k coordinates by 1: L1 = k, L2 = √k."),
    "one": N_("Every person moves one coordinate by 1: L1 = L2 = 1."),
    "two": N_("Every person moves two coordinates by 1 each: L1 = 2, L2 = √2."),
}


@dataclass(frozen=True)
class Dimension(Lab, about=ABOUT):
    """Laplace against Gaussian (and L2-norm) noise on k coordinates of sensitivity 1: errors,
    balls, and where they meet."""

    epsilon: float = param(1.0, EPSILON)
    delta: float = param(1e-5, DELTA)
    k: int = param(
        10,
        Integer(
            N_("Coordinates k"),
            N_("How many numbers one answer holds."),
            low=1,
            high=K_MOST,
            log=True,
        ),
    )
    growth: str = param(
        "all",
        Choice(
            N_("One person moves"), N_("Each by 1. Overlapping counts: every one."), options=GROWTHS
        ),
    )
    drawn: tuple[str, ...] = param(
        tuple(KINDS),
        Several(
            N_("Mechanisms"),
            N_("Which are drawn and compared."),
            options={k.key: k.label for k in KINDS.values()},
        ),
    )
    measure: str = param(
        "deviation",
        Choice(N_("Error"), N_("How the error of one answer is summed up."), options=MEASURES),
    )
    confidence: float = param(
        0.95,
        Real(
            N_("Confidence"),
            N_("The share of answers whose largest error is within the bound."),
            low=0.5,
            high=0.999,
        ),
    )

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        model = DimensionModel(self, data)
        figures = [
            chart(model) for chart in (error_chart, balls_chart, clouds_chart, crossing_chart)
        ]
        if not cancelled():
            figures.append(length_chart(model))
            yield Findings(
                tuple(figures),
                facts(model),
                sentences(model),
                tables(model),
                tuple(model.advice()),
                headline=("winner", "change"),
            )


class DimensionModel:
    """One state of the lab. Everything is worked out when it is first asked for."""

    def __init__(self, lab: Dimension, data: Dataset):
        self.lab, self.data = lab, data

    def mechanism(self, key: str) -> Additive:
        kind = KINDS[key]
        if kind.pure:
            return kind(epsilon=self.lab.epsilon)
        return kind(epsilon=self.lab.epsilon, delta=self.lab.delta)  # type: ignore[call-arg]

    def sensitivity(self, k: int) -> Sensitivity:
        m = float(moved(self.lab.growth, np.array(k)))
        why = Say(
            _WHY[self.lab.growth]
            if k > 1
            else N_("One person moves the only coordinate by 1: L1 = L2 = 1.")
        )
        return Sensitivity(
            m, math.sqrt(m), 1.0, why, l0=round(m), dims=k, moves=((1.0,) * round(m),)
        )

    @cached_property
    def scales(self) -> dict[str, float]:
        """The noise scale at sensitivity 1, from the laws of the catalogue: b, σ, σ, Δ₂/ε."""
        unit = Sensitivity(1.0, 1.0, 1.0)
        laws = {key: self.mechanism(key).law(unit) for key in self.lab.drawn}
        return {
            key: math.sqrt(law.variance / (2 if SHAPES[key] != "normal" else 1))
            for key, law in laws.items()
        }

    def scale(self, key: str, k: float) -> float:
        return float(self.scales[key] * reach(key, self.lab.growth, np.array(k)))

    def errors(self, key: str, k: Array, measure: str = "") -> Array:
        """The error by the lab's measure for real k, in the units of one coordinate."""
        lab = self.lab
        unit = unit_error(
            SHAPES[key], measure or lab.measure, np.asarray(k, dtype=np.float64), lab.confidence
        )
        return unit * self.scales[key] * reach(key, lab.growth, k)

    def error(self, key: str, k: float, measure: str = "") -> float:
        return float(self.errors(key, np.array([float(k)]), measure)[0])

    def guarantee(self, key: str) -> Guarantee:
        return self.mechanism(key).guarantee(self.sensitivity(1))

    @cached_property
    def honest(self) -> tuple[str, ...]:
        """The drawn mechanisms that keep their promise: one that breaks it cannot win."""
        return tuple(key for key in self.lab.drawn if not self.guarantee(key).violated)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The drawn pairs of different shape, those with Laplace first."""
        return tuple((a, b) for a, b in combinations(self.lab.drawn, 2) if SHAPES[a] != SHAPES[b])

    def grid(self, pair: tuple[str, str]) -> Array:
        lab = self.lab
        shapes = tuple(SHAPES[key] for key in pair)
        question = (
            "dimension",
            "gap",
            shapes,
            lab.growth,
            lab.measure,
            lab.confidence if lab.measure == "largest" else 0,
        )
        return self.data.remember(
            question,
            lambda: array(log_gap(*pair, lab.growth, lab.measure, knots(), lab.confidence)),
        )

    @cached_property
    def meetings(self) -> dict[tuple[str, str], tuple[float, ...]]:
        """Every real k in (1, 10,000) at which two drawn mechanisms err alike, by pair."""
        lab = self.lab
        return {
            pair: meetings(
                *pair, lab.growth, lab.measure, lab.confidence, self._ratio(pair), self.grid(pair)
            )
            for pair in self.pairs
        }

    def _ratio(self, pair: tuple[str, str]) -> float:
        return math.log(self.scales[pair[0]] / self.scales[pair[1]])

    def meeting_curve(self, pair: tuple[str, str]) -> tuple[Array, Array]:
        """(ε, first k at which the pair meets) over the range of ε."""
        lab = self.lab

        def points() -> Any:
            unit = Sensitivity(1.0, 1.0, 1.0)
            epsilons = np.geomspace(EPSILON.low, EPSILON.high, 97)
            laws = [
                [self.mechanism(key).at(float(e), lab.delta).law(unit).variance for e in epsilons]
                for key in pair
            ]
            parts = [
                np.array(v) / (2 if SHAPES[key] != "normal" else 1)
                for v, key in zip(laws, pair, strict=True)
            ]
            return array(np.stack([epsilons, np.log(parts[0] / parts[1]) / 2]))

        both = self.data.remember(("dimension", "ratio", pair, lab.delta), points)
        return both[0], array(first_meeting(self.grid(pair), both[1]))

    def best(self, k: int) -> str:
        """The honest mechanism with the least error; of equals the one listed first."""
        order = {key: self.error(key, k) for key in self.honest}
        least = min(order.values())
        return next(key for key in order if order[key] <= least * (1 + 1e-9))

    @cached_property
    def change(self) -> tuple[int, str, float] | None:
        """The first whole k above this one at which another mechanism is best, which one, and the
        real k of their meeting."""
        now = self.best(self.lab.k)
        found = sorted(
            (k, pair)
            for pair, ks in self.meetings.items()
            if set(pair) <= set(self.honest)
            for k in ks
        )
        # At k = 1 Laplace and L2-norm noise are the same; they part from there without crossing.
        for meeting, whole in [(1.0, 2), *((k, after(k)) for k, _ in found)]:
            if self.lab.k < whole <= K_MOST and self.best(whole) != now:
                return whole, self.best(whole), meeting
        return None

    def advice(self) -> Iterator[Problem]:
        for key in self.lab.drawn:
            guarantee = self.guarantee(key)
            if not guarantee.sound:
                yield Problem("epsilon", guarantee.note, stops=False)
