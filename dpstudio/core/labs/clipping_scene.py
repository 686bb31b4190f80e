"""What the charts and sentences of Clipping share: the best bounds, the exact errors, the private choice."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.core.dataset import Dataset
from dpstudio.core.figure import Array, array
from dpstudio.core.findings import Problem
from dpstudio.core.labs.clipping_choice import Chosen, doubling, exponential_chances, rank_sensitivity, search_chances
from dpstudio.core.labs.clipping_errors import Parts, error_parts, noise_spread
from dpstudio.core.labs.clipping_sweep import Sweep
from dpstudio.core.labs.lab import Cancelled, never
from dpstudio.core.mechanisms import Additive
from dpstudio.core.mechanisms.additive import EPSILON, Guarantee, Sensitivity
from dpstudio.core.queries.count import ONE
from dpstudio.core.queries.query import Asked, Measurement, Move
from dpstudio.core.queries.spread import spread_moves
from dpstudio.core.queries.total import sum_moves, sum_sensitivity
from dpstudio.core.ratio import Ratio
from dpstudio.core.release import Release
from dpstudio.core.wording import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.core.labs.clipping import Clipping

DOTS = 13
CURVE_POINTS = 48


class Scene(Sweep):
    """What the pictures show: the best bounds, the exact errors once they are known, the private choice."""

    def __init__(self, lab: Clipping, data: Dataset):
        super().__init__(lab, data)
        self.exact: tuple[Array, Array] | None = None
        self.exact_here: float | None = None
        # Laws of integer noise differ from bound to bound, so that their curve takes a while: the first picture goes without.
        self.waiting = lab.show_truth and lab.mechanism.integers

    # The best bound.

    def search(self, mechanism: Additive, turns: int = 3) -> float:
        """The bound of the least total error: the best of the sweep, then of finer ones between its neighbours."""
        x = self.ladder
        for turn in range(turns + 1):
            total = self.parts(x, mechanism).total
            best = int(np.argmin(total))
            if turn == turns or len(x) < 3:
                break
            x = self.steps(float(x[max(0, best - 1)]), float(x[min(len(x) - 1, best + 1)]), 41)
        return float(x[best])

    @cached_property
    def best(self) -> float:
        """The best moving bound on the axis, or the one in force where no other is better."""
        found = self.search(self.lab.mechanism)
        return found if self.parts(np.array([found])).total[0] < self.here.total[0] else self.at

    @cached_property
    def at_best(self) -> Parts:
        return self.parts(np.array([self.best]))

    @property
    def at_edge(self) -> bool:
        """Whether the best bound is the outermost of the axis, where a wider one clips nothing more."""
        return self.best in (self.ladder[0], self.ladder[-1])

    @property
    def _curve_key(self) -> tuple[Any, ...]:
        lab, mechanism = self.lab, self.lab.mechanism
        return (*self._key(mechanism.at(1.0, mechanism.total_delta)), lab.moving, self.fixed, self.range, "curve")

    @property
    def curve(self) -> Array | None:
        """(ε, best bound, its error), shape (3, points), remembered, as it does not depend on the current ε; None while it waits."""
        mechanism = self.lab.mechanism
        if self.waiting and not self.data.known(self._curve_key):
            return None

        def points() -> Array:
            rows = []
            for epsilon in np.geomspace(EPSILON.low, EPSILON.high, CURVE_POINTS):
                at = mechanism.at(float(epsilon), mechanism.total_delta)
                bound = self.search(at, 1)
                rows.append((epsilon, bound, float(self.parts(np.array([bound]), at).total[0])))
            return array(np.array(rows).T)

        return self.data.remember(self._curve_key, points)

    def _key(self, mechanism: Additive) -> tuple[Any, ...]:
        return ("clipping", self.question, self.lab.column, self.lab.where, self.lab.sampling, mechanism)

    # The exact law, where the curves are of first order.

    def asked(self, low: float, high: float) -> Asked:
        """The question at these bounds as Explore would ask it, from the ordered column alone."""
        clips, question = self.rows.clip([low], [high]), self.question
        truth = array(question.answer(clips))
        middle = float(question.middle(low, high))
        total = array(clips.total - middle * clips.rows)
        whole = self.lab.mechanism.integers
        sensitivities = self.sensitivities(low, high)
        values = {"sum": total, "mean": truth, "variance": truth, "count": array([clips.rows])}
        squares = clips.rows * (clips.variance + (clips.mean - middle) ** 2)
        values["squares"] = array(np.round(squares) if whole else squares)
        parts = tuple(Measurement(name, values[name], s, whole, share) for name, s, share in sensitivities)
        ratio = (low, high) if self.lab.statistic == "mean" and not question.direct else None
        return Asked(truth, (), self.unit, parts, ratio, middle, moves=self._moves(low, high))

    def _moves(self, low: float, high: float) -> tuple[Move, ...]:
        """What one person can do to all measurements at once, where they are several."""
        middle = float(self.question.middle(low, high))
        low, high = low - middle, high - middle
        if self.question.direct:
            return ()
        adjacency = self.lab.adjacency
        return sum_moves(low, high, adjacency) if self.lab.statistic == "mean" else spread_moves(max(-low, high), adjacency)

    def sensitivities(self, low: float, high: float) -> list[tuple[str, Sensitivity, float]]:
        middle = float(self.question.middle(low, high))
        a, b = low - middle, high - middle
        made = []
        for name, reach, share in self.question.reaches(low, high):
            size = float(reach)
            why = Say("")
            if name == "sum":
                why = sum_sensitivity(a, b, self.lab.adjacency).why
            elif name == "mean":
                why = say(N_("One person replaced changes this by at most {delta}, which is (U − L)/n."), delta=Num(size, 4, "up"))
            elif name == "variance":
                text = N_("One person replaced changes this by at most {delta}, which is (n − 1)/n² · (U − L)².")
                why = say(text, delta=Num(size, 4, "up"))
            elif name == "squares":
                why = say(N_("One person changes the sum of squares by at most {delta}."), delta=Num(size, 4, "up"))
            made.append((name, ONE if name == "count" else Sensitivity(size, size, size, why), share))
        return made

    def exact_total(self, moved: float) -> float:
        """Root mean square error with the true law of the published answer: by quadrature for a mean, by `trials` draws for a
        variance; remembered."""
        (low,), (high,) = self.pair(np.array([moved]))
        draws = (self.lab.seed, self.lab.trials) if self.lab.statistic == "variance" else ()
        key = (*self._key(self.lab.mechanism), low, high, draws, "exact")
        return self.data.remember(key, lambda: self._exact_total(float(low), float(high)))

    def _exact_total(self, low: float, high: float) -> float:
        clips = self.rows.clip([low], [high])
        bias = float(self.question.bias(clips, self.rows)[0])
        release = Release(self.asked(low, high), self.lab.mechanism)
        if isinstance(release.law, Ratio):
            square = release.law.variance + 2 * bias * release.law.mean + bias**2
        else:
            square = self._simulated_square(release, low, high)
        drawn = float(self.question.sampling_variance(clips)[0]) if self.lab.sampling else 0.0
        return math.sqrt(max(square, 0.0) + drawn)

    def _simulated_square(self, release: Release, low: float, high: float) -> float:
        """Mean square of (published variance − unclipped variance) over simulated releases."""
        rng = np.random.Generator(np.random.SFC64([self.lab.seed, 2]))
        total, squares, count = (noisy[:, 0] for noisy in release.measure(rng, self.lab.trials))
        count = np.maximum(count, 1.0)
        published = np.clip(squares / count - (total / count) ** 2, 0, (high - low) ** 2 / 4)
        return float(np.mean((published - self.truth) ** 2))

    def refine(self, cancelled: Cancelled = never) -> bool:
        """Work out what the first picture went without; False where nothing was missing or it was cancelled.

        That is the best bound by ε, and the exact errors at some bounds of the sweep and at the one in force.
        """
        late = self.waiting and not self.data.known(self._curve_key)
        self.waiting = False
        if self.question.direct:
            return late and not cancelled()
        step = max(1, (len(self.ladder) - 1) // (DOTS - 1))
        x = self.ladder[::step]
        y = []
        for bound in x:
            if cancelled():
                return False
            y.append(self.exact_total(float(bound)))
        self.exact_here = self.exact_total(self.at)
        self.exact = array(x), array(y)
        return not cancelled()

    # The private choice.

    @cached_property
    def chosen(self) -> Chosen | None:
        """The private choice of the upper bound; None where none is asked for or the grid has no two candidates above the lower one."""
        lab = self.lab
        if lab.choose == "none" or len(self.candidates) < 2:
            return None
        ranks = self._ranks(self.candidates)
        epsilon = lab.mechanism.epsilon * lab.choose_epsilon
        law = exponential_chances if lab.choose == "exponential" else search_chances
        chances = law(ranks, lab.q * self.rows.rows, epsilon, rank_sensitivity(lab.q, lab.adjacency))
        rest = lab.mechanism.at(lab.mechanism.epsilon * (1 - lab.choose_epsilon), lab.mechanism.total_delta)
        parts = error_parts(self.question, self.rows, rest, self._lows(self.candidates), self.candidates, lab.sampling)
        squares = tuple(float(chances @ part**2) for part in (parts.bias, parts.noise, parts.sampling))
        return Chosen(self.candidates, chances, array(parts.total), (squares[0], squares[1], squares[2]), epsilon)

    @cached_property
    def candidates(self) -> Array:
        """The public grid above the lower bound (or the centre)."""
        lab = self.lab
        if lab.grid == "doubling":
            grid = doubling(lab.grid_low, lab.grid_high)
        else:
            grid = array(np.linspace(lab.grid_low, lab.grid_high, lab.points))
        if lab.mechanism.integers:
            grid = np.unique(np.round(grid))
        return array(grid[grid > (self.centre if lab.moving == "both" else self.bounds[0])])

    def _lows(self, high: Array) -> Array:
        return 2 * self.centre - high if self.lab.moving == "both" else np.full_like(high, self.bounds[0])

    def _ranks(self, high: Array) -> Array:
        """Rows that the candidate keeps: those at or below it, or, where both bounds move, those between both."""
        if self.lab.moving != "both":
            return self.rows.at_or_below(high)
        clips = self.rows.clip(self._lows(high), high)
        return np.asarray(clips.rows - clips.below - clips.above)

    # What may be told without the data.

    @cached_property
    def noise_of(self) -> tuple[str, Array, float]:
        """The first measurement's name, its noise along the ladder, and that at the bounds in force (standard deviations)."""
        moved = np.append(self.ladder, self.at)
        name, reach, share = self.question.reaches(*self.pair(moved))[0]
        spread = np.sqrt(noise_spread(self.lab.mechanism, share, reach))
        return name, array(spread[:-1]), float(spread[-1])

    @cached_property
    def guarantee(self) -> Guarantee:
        """What the answer's theorem promises: no word of it depends on the data."""
        none = array([0.0])
        parts = tuple(Measurement(name, none, s, False, share) for name, s, share in self.sensitivities(*self.bounds))
        return Release(Asked(none, (), self.unit, parts, moves=self._moves(*self.bounds)), self.lab.mechanism).guarantee

    def advice(self) -> tuple[Problem, ...]:
        """What qualifies the picture without stopping it."""
        notes = []
        if not self.guarantee.proven or self.guarantee.violated:
            notes.append(Problem("mechanism", self.guarantee.note, stops=False))
        fixed_by_data = self.lab.centre is None if self.lab.moving == "both" else self.lab.low is None
        if self.lab.choose != "none" and self.lab.show_truth and fixed_by_data:
            told = N_("The other bound comes from the data: even the private choice of this one does not make the answer private.")
            notes.append(Problem("low", Say(told), stops=False))
        if self.lab.choose != "none" and self.lab.show_truth and self.chosen is None:
            text = N_("The grid has fewer than two candidates above {bound}. Widen it to see a private choice.")
            fixed = self.centre if self.lab.moving == "both" else self.bounds[0]
            notes.append(Problem("grid_high", say(text, bound=Num(fixed, 6)), stops=False))
        return tuple(notes)
