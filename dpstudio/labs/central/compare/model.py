"""What Compare's charts and sentences share: one scene for each mechanism, all about the same
answer."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.central.explore.model import ExploreModel
from dpstudio.labs.central.explore.parameters import Explore
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.release.answerable import refused_mechanisms
from dpstudio.privacy.release.release import Release

if TYPE_CHECKING:
    from dpstudio.labs.central.compare.parameters import Compare

# One dot of the frontier for each of these ε.
LADDER = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Comparison:
    """The competitors on one table. Everything is worked out when it is first asked for."""

    def __init__(self, lab: Compare, data: Dataset):
        self.lab, self.data = lab, data

    def _state(self, mechanism: Additive) -> Explore:
        lab = self.lab
        return Explore(
            query=lab.query,
            mechanism=mechanism,
            adjacency=lab.adjacency,
            compare_with="none",
            confidence=lab.confidence,
            measure=lab.measure,
            part=lab.part,
            largest=lab.largest,
            seed=lab.seed,
            post_processing=lab.post_processing,
            show_truth=lab.show_truth,
            answers=1,
        )

    def _made(self, kind: type[Additive]) -> Additive:
        return kind().at(self.lab.epsilon, self.lab.delta)

    @cached_property
    def focus(self) -> ExploreModel:
        """The scene whose answers are drawn; where the answer is hidden, all that is shown comes
        from its one reading."""
        exact = self.data.remember(
            ("asked", self.lab.query, self.lab.adjacency),
            lambda: self.lab.query.ask(self.data, self.lab.adjacency),
        )
        refused = refused_mechanisms(exact)
        kinds = [m for m in MECHANISMS if m.key in self.lab.mechanisms and m.key not in refused]
        kind = next((m for m in kinds if m.key == self.lab.focus), kinds[0])
        return ExploreModel(self._state(self._made(kind)), self.data)

    @cached_property
    def scenes(self) -> tuple[ExploreModel, ...]:
        """One scene for each mechanism that can answer, in the order of the catalogue."""
        refused = refused_mechanisms(self.focus.asked)
        kinds = [m for m in MECHANISMS if m.key in self.lab.mechanisms and m.key not in refused]
        key = self.focus.lab.mechanism.key
        return tuple(
            self.focus
            if kind.key == key
            else ExploreModel(self._state(self._made(kind)), self.data, self.focus.asked)
            for kind in kinds
        )

    @cached_property
    def errors(self) -> dict[str, float]:
        """The error of each mechanism by the lab's measure."""
        return {model.lab.mechanism.key: model.error(model.law) for model in self.scenes}

    @cached_property
    def ranking(self) -> list[ExploreModel]:
        """The scenes, best first; a mechanism that does not keep its promise ranks last."""
        return sorted(
            self.scenes,
            key=lambda s: (s.release.guarantee.violated, self.errors[s.lab.mechanism.key]),
        )

    @cached_property
    def reach(self) -> float:
        """Half the width of the error axis: a rung that holds 98 % of the errors of all but the
        widest laws."""
        widths = sorted(model.law.half_width(0.98) for model in self.scenes)
        # Integer noise may have no width at all; then the others set the axis.
        typical = widths[len(widths) // 2] or widths[-1]
        steps = 2.5 if any(model.whole for model in self.scenes) else 1e-9
        return nice_above(1.05 * max(min(widths[-1], 4 * typical), steps))

    def dots(self, model: ExploreModel) -> Array:
        """Error at each ε of the ladder, shape (10,)."""
        mechanism, lab = model.lab.mechanism, self.lab
        key = (
            "ladder",
            model.whose,
            lab.query,
            lab.adjacency,
            mechanism.at(1.0, mechanism.total_delta),
            lab.measure,
            lab.confidence,
            lab.largest,
            model.part,
        )
        return self.data.remember(
            key, lambda: array([model.error_at(mechanism, epsilon) for epsilon in LADDER])
        )

    def kept(self, model: ExploreModel, epsilons: Array) -> np.ndarray:
        """Where the promise of a mechanism is proven and not broken, for each ε."""
        if model.release.guarantee.true_delta is None:
            return np.full(len(epsilons), model.release.guarantee.sound)
        mechanism = model.lab.mechanism
        at = (Release(model.asked, mechanism.at(float(e), mechanism.total_delta)) for e in epsilons)
        return np.array([release.guarantee.sound for release in at])

    @cached_property
    def hull(self) -> tuple[Array, Array, tuple[str, ...]]:
        """(ε, least error, mechanism): the dots below which there is none, one for each ε, of
        promises that are proven.

        Not the convex hull: in logarithms its chords pass far below every dot, through errors that
        no mechanism reaches.
        """
        points = [
            (epsilon, float(error), model.lab.mechanism.key)
            for model in self.scenes
            for epsilon, error, kept in zip(
                LADDER, self.dots(model), self.kept(model, array(LADDER)), strict=True
            )
            if error > 0 and kept
        ]
        least: dict[float, tuple[float, float, str]] = {}
        for point in points:
            if point[0] not in least or point[1] < least[point[0]][1]:
                least[point[0]] = point
        corners = [least[epsilon] for epsilon in sorted(least)]
        return (
            array([c[0] for c in corners]),
            array([c[1] for c in corners]),
            tuple(c[2] for c in corners),
        )
