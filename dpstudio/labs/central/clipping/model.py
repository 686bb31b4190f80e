"""What the charts and sentences of Clipping share: the best bounds, the exact errors, the private
choice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.central.clipping.choice import (
    Chosen,
    doubling,
    exponential_chances,
    rank_sensitivity,
    search_chances,
)
from dpstudio.labs.central.clipping.errors import Parts, error_parts, noise_spread
from dpstudio.labs.central.clipping.exact import Exact
from dpstudio.labs.context import Cancelled, never
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.additive import EPSILON, Guarantee
from dpstudio.privacy.queries.query import MeasuredQuestion, Measurement
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.problem import Problem

if TYPE_CHECKING:
    from dpstudio.labs.central.clipping.parameters import Clipping

# How a scene knows its errors: by formulas of first order, by those and checked, by the law at a
# few bounds, by the law.
FIRST, CHECKED, ROUGH, LAW = "first", "checked", "rough", "law"
DOTS, FEW_DOTS, FINE = 21, 9, 9
CURVE_POINTS, LAW_POINTS = 48, 16
NODES, FEW_NODES = 25, 7
NOISY = 0.1


class ClippingModel(Exact):
    """What the pictures show: the best bounds, the exact errors once they are known, the private
    choice."""

    def __init__(
        self,
        lab: Clipping,
        data: Dataset,
        level: str = FIRST,
        cancelled: Cancelled = never,
        patient: bool = True,
    ):
        super().__init__(lab, data, cancelled)
        self.level, self.patient = level, patient

    # From a quick picture to the final one.

    def stages(self) -> Iterator[ClippingModel]:
        """Scenes to show one after the other, each better than the one before. Raises Stop."""
        lab, level = self.lab, FIRST
        if lab.show_truth and not self.question.direct:
            if not self.data.known(self._law_key(*self.pair(self.dots), lab.mechanism)):
                yield ClippingModel(
                    lab,
                    self.data,
                    ROUGH if self.noisy and lab.statistic == "mean" else FIRST,
                    self.cancelled,
                    patient=False,
                )
            level = LAW if self.off else CHECKED
        model = ClippingModel(lab, self.data, level, self.cancelled, patient=False)
        yield model
        if lab.show_truth and model.curve is None:
            yield ClippingModel(lab, self.data, level, self.cancelled)

    @property
    def by_law(self) -> bool:
        """Whether the numbers are those of the law of the published answer, as first order is
        off."""
        return self.level in (ROUGH, LAW)

    @cached_property
    def off(self) -> bool:
        """Whether first order is off at the dots or at the bounds in force."""
        return self.differ(self.parts(self.dots), self.at_dots) or self.differ(
            self.parts(self._here), self.exact_here
        )

    @cached_property
    def noisy(self) -> bool:
        """Whether the noise of the count, or of the answer beside the width of the bounds, is so
        large that no formula of first order can hold."""
        if self.question.direct:
            return False
        _, reach, share = self.question.reaches(*self.bounds)[-1]
        if (
            np.sqrt(noise_spread(self.lab.mechanism, share, np.atleast_1d(reach)))[0]
            > NOISY * self.rows.rows
        ):
            return True
        first, (low, high) = self.parts(self._here), self.pair(self._here)
        return bool((first.total > 0.5 * self.furthest(low, high))[0])

    @cached_property
    def dots(self) -> Array:
        """Bounds of the sweep at which the law is worked out."""
        last = len(self.ladder) - 1
        few = FEW_DOTS if self.level == ROUGH else DOTS
        return array(self.ladder[np.unique(np.round(np.linspace(0, last, few)).astype(int))])

    @property
    def _here(self) -> Array:
        return np.array([self.at])

    def exact(self, moved: Array, mechanism: Additive | None = None) -> Parts:
        """The errors by the law where the moving bound stands at each of `moved`."""
        return self.law_parts(*self.pair(moved), mechanism)

    def parts_at(self, moved: Array, mechanism: Additive | None = None) -> Parts:
        """The errors as this scene knows them."""
        return self.exact(moved, mechanism) if self.by_law else self.parts(moved, mechanism)

    @cached_property
    def at_dots(self) -> Parts:
        return self.exact(self.dots)

    @cached_property
    def exact_here(self) -> Parts:
        return self.exact(self._here)

    @cached_property
    def here(self) -> Parts:
        return self.exact_here if self.by_law else self.parts(self._here)

    @cached_property
    def drawn(self) -> tuple[Array, Parts]:
        """Where the curves of the errors have their points: the sweep, or the dots with the best
        bound and that in force."""
        if not self.by_law:
            return self.ladder, self.sweep
        low, high = self.range
        x = np.unique(np.concatenate([self.dots, self._here, [self.best]]))
        x = array(x[(x >= low) & (x <= high)])
        return x, self.exact(x)

    # The best bound.

    def search(self, mechanism: Additive, turns: int = 3) -> float:
        """The bound of the least total error: the best of the sweep, then of finer ones between its
        neighbours."""
        x = self.dots if self.by_law else self.ladder
        found, least = float(x[0]), np.inf
        for turn in range(turns + 1):
            total = self.parts_at(x, mechanism).total
            best = int(np.argmin(total))
            if total[best] < least:
                found, least = float(x[best]), float(total[best])
            if turn == turns or len(x) < 3:
                break
            x = self.steps(
                float(x[max(0, best - 1)]),
                float(x[min(len(x) - 1, best + 1)]),
                FINE if self.by_law else 41,
            )
        return found

    @cached_property
    def best(self) -> float:
        """The best moving bound on the axis, or the one in force where no other is better."""
        found = self.search(
            self.lab.mechanism, 0 if self.level == ROUGH else 4 if self.by_law else 3
        )
        return found if self.parts_at(np.array([found])).total[0] < self.here.total[0] else self.at

    @cached_property
    def at_best(self) -> Parts:
        return self.parts_at(np.array([self.best]))

    @property
    def at_edge(self) -> bool:
        """Whether the best bound is the outermost of the axis, where a wider one clips nothing
        more."""
        return self.best in (self.ladder[0], self.ladder[-1])

    @property
    def _curve_key(self) -> tuple[Any, ...]:
        lab, mechanism = self.lab, self.lab.mechanism
        how = ("law", self._draws) if self.by_law else ("first",)
        return (
            *self._key(mechanism.at(1.0, mechanism.total_delta)),
            lab.moving,
            self.fixed,
            self.range,
            how,
            "curve",
        )

    @cached_property
    def curve(self) -> Array | None:
        """(ε, best bound), shape (2, points), remembered, as it does not depend on the current ε;
        None while it waits.

        It takes a while where laws differ from bound to bound, as those of integer noise do, and
        where first order is off.
        """
        slow = self.lab.mechanism.integers or self.by_law or (self.level == FIRST and self.noisy)
        if slow and not self.patient and not self.data.known(self._curve_key):
            return None
        return self.data.remember(self._curve_key, self._curve)

    def _curve(self) -> Array:
        rows, mechanism = [], self.lab.mechanism
        first = ClippingModel(self.lab, self.data)
        ends = self.dots[[0, len(self.dots) // 2, -1]]
        for epsilon in np.geomspace(
            EPSILON.low, EPSILON.high, LAW_POINTS if self.by_law else CURVE_POINTS
        ):
            at = mechanism.at(float(epsilon), mechanism.total_delta)
            bound = first.search(at, 1)
            if self.by_law:
                x = np.append(ends, bound)
                # Where ε is large first order holds.
                bound = (
                    self.search(at, 1)
                    if self.differ(self.parts(x, at), self.exact(x, at))
                    else bound
                )
            rows.append((epsilon, bound))
        return array(np.array(rows).T)

    # The private choice.

    @cached_property
    def chosen(self) -> Chosen | None:
        """The private choice of the upper bound; None where none is asked for or the grid has no
        two candidates above the lower one."""
        lab = self.lab
        if lab.choose == "none" or len(self.candidates) < 2:
            return None
        ranks = self._ranks(self.candidates)
        epsilon = lab.mechanism.epsilon * lab.choose_epsilon
        law = exponential_chances if lab.choose == "exponential" else search_chances
        chances = law(
            ranks,
            lab.q * self.rows.rows,
            epsilon,
            rank_sensitivity(lab.q, lab.adjacency, self.data.contributions),
        )
        parts = self._after(chances)
        squares = tuple(
            float(chances @ part**2) for part in (parts.bias, parts.noise, parts.sampling)
        )
        return Chosen(
            self.candidates,
            chances,
            array(parts.total),
            (squares[0], squares[1], squares[2]),
            epsilon,
        )

    def _after(self, chances: Array) -> Parts:
        """The errors with each candidate and the rest of ε: by the law where first order is off, at
        up to 25 of them and, for what the law adds, straight lines between."""
        lab, high = self.lab, self.candidates
        low, count = self._lows(high), len(high)
        rest = lab.mechanism.at(
            lab.mechanism.epsilon * (1 - lab.choose_epsilon), lab.mechanism.total_delta
        )
        first = error_parts(self.question, self.rows, rest, low, high, lab.sampling)
        likely = int(np.argmax(chances))
        if self.question.direct:
            return first
        if self.level == FIRST:
            return first.within(self.furthest(low, high))
        if self.level == CHECKED:
            few = np.unique([0, likely, count - 1])
            some = error_parts(self.question, self.rows, rest, low[few], high[few], lab.sampling)
            if not self.differ(some, self.law_parts(low[few], high[few], rest)):
                return first
        nodes = np.linspace(0, count - 1, min(count, FEW_NODES if self.level == ROUGH else NODES))
        nodes = np.unique(np.append(np.round(nodes).astype(int), likely))
        law, places = self.law_parts(low[nodes], high[nodes], rest), np.arange(count)
        drift = np.interp(places, nodes, law.bias - first.bias[nodes])
        noise = np.interp(places, nodes, law.noise)
        return Parts(first.clips, first.bias + drift, noise, first.sampling).within(
            self.furthest(low, high)
        )

    @cached_property
    def candidates(self) -> Array:
        """The grid above the lower bound (or the centre)."""
        lab, (low, high) = self.lab, self.grid
        grid = (
            doubling(low, high)
            if lab.grid == "doubling"
            else array(np.linspace(low, high, self.grid_points))
        )
        if lab.mechanism.integers:
            grid = np.unique(np.round(grid))
        return array(grid[grid > (self.centre if lab.moving == "both" else self.bounds[0])])

    @property
    def public_grid(self) -> bool:
        """Whether the grid is typed and known from outside the data, or is one of equal steps
        between such bounds of the codebook."""
        lab = self.lab
        if lab.grid == "equal" and lab.grid_low is None and lab.grid_high is None:
            return self.told.public
        return lab.attested and lab.grid_low is not None and lab.grid_high is not None

    @property
    def public_other(self) -> bool:
        """Whether the bound that is not chosen, or the centre, is given here or known from outside
        the data."""
        lab, about = self.lab, self.data.about(self.lab.column)
        if lab.moving == "both":
            return lab.centre is not None or self.told.public
        return lab.low is not None or (about.low is not None and about.attested)

    @property
    def above(self) -> bool:
        """Whether no candidate clips anything, though one could."""
        return bool(self.candidates[0] >= self.rows.values[-1] > self.rows.values[0])

    @property
    def missed(self) -> Say | None:
        """Why no candidate can be a good one, where the grid lies beside the column."""
        if self.chosen is None:
            return None
        bottom, top = float(self.rows.values[0]), float(self.rows.values[-1])
        if self.above:
            text = N_(
                "The grid misses the column: all candidates lie above its largest value ({top}), "
                "so none clips anything."
            )
            return say(text, top=Num(top, 6, "up"))
        if self.candidates[-1] < bottom:
            text = N_(
                "The grid misses the column: all candidates lie below its smallest value "
                "({bottom}), so each clips every row."
            )
            return say(text, bottom=Num(bottom, 6, "down"))
        return None

    def _lows(self, high: Array) -> Array:
        return (
            2 * self.centre - high
            if self.lab.moving == "both"
            else np.full_like(high, self.bounds[0])
        )

    def _ranks(self, high: Array) -> Array:
        """Rows that the candidate keeps: those at or below it, or, where both bounds move, those
        between both."""
        if self.lab.moving != "both":
            return self.rows.at_or_below(high)
        clips = self.rows.clip(self._lows(high), high)
        return np.asarray(clips.rows - clips.below - clips.above)

    # What may be told without the data.

    @cached_property
    def noises(self) -> tuple[tuple[str, Array, float], ...]:
        """Each measurement's name, its noise along the ladder, and that at the bounds in force
        (standard deviations)."""
        moved = np.append(self.ladder, self.at)
        spreads = [
            (name, np.sqrt(noise_spread(self.lab.mechanism, share, reach)))
            for name, reach, share in self.question.reaches(*self.pair(moved))
        ]
        return tuple((name, array(spread[:-1]), float(spread[-1])) for name, spread in spreads)

    @cached_property
    def guarantee(self) -> Guarantee:
        """What the answer's theorem promises: no word of it depends on the data."""
        none = array([0.0])
        parts = tuple(
            Measurement(name, none, s, False, share)
            for name, s, share in self.sensitivities(*self.bounds)
        )
        return Release(
            MeasuredQuestion(none, (), self.unit, parts, moves=self._moves(*self.bounds)),
            self.lab.mechanism,
        ).guarantee

    def advice(self) -> tuple[Problem, ...]:
        """What qualifies the picture without stopping it."""
        notes = []
        lab = self.lab
        if not self.guarantee.proven or self.guarantee.violated:
            notes.append(Problem("mechanism", self.guarantee.note, stops=False))
        if lab.choose == "none" or not lab.show_truth:
            return tuple(notes)
        if not self.public_other:
            told = N_(
                "The other bound comes from the data: even the private choice of this one does not "
                "make the answer private."
            )
            notes.append(Problem("low", Say(told), stops=False))
        if self.chosen is None:
            text = N_(
                "The grid has fewer than two candidates above {bound}. Widen it or take equal "
                "steps to see a private choice."
            )
            fixed = self.centre if lab.moving == "both" else self.bounds[0]
            notes.append(Problem("grid_high", say(text, bound=Num(fixed, 6)), stops=False))
        elif not self.public_grid:
            notes.append(
                Problem(
                    "grid_low",
                    say("The grid comes from the data: this choice is not private."),
                    stops=False,
                )
            )
        if self.missed:
            notes.append(Problem("grid_high", self.missed, stops=False))
        return tuple(notes)
