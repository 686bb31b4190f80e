"""What Compare's charts and sentences share: one scene for each mechanism, all about the same
answer."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.central.explore.model import Scene
from dpstudio.labs.central.explore.parameters import Explore
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.release.answerable import refused_mechanisms
from dpstudio.privacy.release.release import Release

if TYPE_CHECKING:
    from dpstudio.labs.central.compare.parameters import Compare

# One dot of the frontier for each of these ε.
LADDER = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Field:
    """The competitors on one table. Everything is worked out when it is first asked for."""

    def __init__(self, lab: Compare, data: Dataset):
        self.lab, self.data = lab, data

    def _state(self, mechanism: Additive) -> Explore:
        lab = self.lab
        return Explore(
            query=lab.query, mechanism=mechanism, adjacency=lab.adjacency, beside="none", confidence=lab.confidence, measure=lab.measure,
            part=lab.part, largest=lab.largest, seed=lab.seed, after=lab.after, show_truth=lab.show_truth, answers=1,
        )  # fmt: skip

    def _made(self, kind: type[Additive]) -> Additive:
        return kind().at(self.lab.epsilon, self.lab.delta)

    @cached_property
    def focus(self) -> Scene:
        """The scene whose answers are drawn; where the answer is hidden, all that is shown comes
        from its one reading."""
        exact = self.data.remember(
            ("asked", self.lab.query, self.lab.adjacency),
            lambda: self.lab.query.ask(self.data, self.lab.adjacency),
        )
        refused = refused_mechanisms(exact)
        kinds = [m for m in MECHANISMS if m.key in self.lab.mechanisms and m.key not in refused]
        kind = next((m for m in kinds if m.key == self.lab.focus), kinds[0])
        return Scene(self._state(self._made(kind)), self.data)

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """One scene for each mechanism that can answer, in the order of the catalogue."""
        refused = refused_mechanisms(self.focus.asked)
        kinds = [m for m in MECHANISMS if m.key in self.lab.mechanisms and m.key not in refused]
        key = self.focus.lab.mechanism.key
        return tuple(
            self.focus
            if kind.key == key
            else Scene(self._state(self._made(kind)), self.data, self.focus.asked)
            for kind in kinds
        )

    @cached_property
    def errors(self) -> dict[str, float]:
        """The error of each mechanism by the lab's measure."""
        return {scene.lab.mechanism.key: scene.error(scene.law) for scene in self.scenes}

    @cached_property
    def ranking(self) -> list[Scene]:
        """The scenes, best first; a mechanism that does not keep its promise ranks last."""
        return sorted(
            self.scenes,
            key=lambda s: (s.release.guarantee.violated, self.errors[s.lab.mechanism.key]),
        )

    @cached_property
    def reach(self) -> float:
        """Half the width of the error axis: a rung that holds 98 % of the errors of all but the
        widest laws."""
        widths = sorted(scene.law.half_width(0.98) for scene in self.scenes)
        # Integer noise may have no width at all; then the others set the axis.
        typical = widths[len(widths) // 2] or widths[-1]
        steps = 2.5 if any(scene.whole for scene in self.scenes) else 1e-9
        return nice_above(1.05 * max(min(widths[-1], 4 * typical), steps))

    def dots(self, scene: Scene) -> Array:
        """Error at each ε of the ladder, shape (10,)."""
        mechanism, lab = scene.lab.mechanism, self.lab
        key = ("ladder", scene.whose, lab.query, lab.adjacency, mechanism.at(1.0, mechanism.total_delta), lab.measure, lab.confidence,
               lab.largest, scene.part)  # fmt: skip
        return self.data.remember(
            key, lambda: array([scene.error_at(mechanism, epsilon) for epsilon in LADDER])
        )

    def kept(self, scene: Scene, epsilons: Array) -> np.ndarray:
        """Where the promise of a mechanism is proven and not broken, for each ε."""
        if scene.release.guarantee.true_delta is None:
            return np.full(len(epsilons), scene.release.guarantee.sound)
        mechanism = scene.lab.mechanism
        at = (Release(scene.asked, mechanism.at(float(e), mechanism.total_delta)) for e in epsilons)
        return np.array([release.guarantee.sound for release in at])

    @cached_property
    def hull(self) -> tuple[Array, Array, tuple[str, ...]]:
        """(ε, least error, mechanism): the dots below which there is none, one for each ε, of
        promises that are proven.

        Not the convex hull: in logarithms its chords pass far below every dot, through errors that
        no mechanism reaches.
        """
        points = [
            (epsilon, float(error), scene.lab.mechanism.key)
            for scene in self.scenes
            for epsilon, error, kept in zip(
                LADDER, self.dots(scene), self.kept(scene, array(LADDER)), strict=True
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
