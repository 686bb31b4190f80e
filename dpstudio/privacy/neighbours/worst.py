"""Several people of whom none is the worst in every respect."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.neighbours.pair import Pair


@dataclass(frozen=True, eq=False)
class Worst(Pair):
    """Several people, none of whom moves every number farther than another. The first, to whom most
    is lost at even odds, is drawn: `above`, `beyond`, `jumps` and `typical` are theirs. What is
    said of all is the largest over them: `power`, `delta`, `most` and `certain`."""

    pairs: tuple[Pair, ...]

    @property
    def first(self) -> Pair:
        """The pair that is drawn."""
        return self.pairs[0]

    @property
    def most(self) -> float:  # type: ignore[override]
        """The largest privacy loss of any pair."""
        return max(pair.most for pair in self.pairs)

    @property
    def least(self) -> float:  # type: ignore[override]
        """The least privacy loss of any pair."""
        return min(pair.least for pair in self.pairs)

    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        return self.first.above(loss, strictly=strictly)

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        return self.first.beyond(losses)

    def power(self, alpha: ArrayLike) -> Array:
        return np.asarray(np.max([pair.power(alpha) for pair in self.pairs], axis=0))

    def delta(self, epsilon: float) -> float:
        return max(pair.delta(epsilon) for pair in self.pairs)

    @property
    def certain(self) -> float:
        return max(pair.certain for pair in self.pairs)

    def jumps(self, low: float, high: float) -> Array:
        return self.first.jumps(low, high)

    @property
    def typical(self) -> float:
        return self.first.typical


def worst(pairs: Sequence[Pair]) -> Pair:
    """The pair that stands for all of these, at least one; that one itself where it is alone."""
    if len(pairs) == 1:
        return pairs[0]
    return Worst(tuple(sorted(pairs, key=lambda pair: -pair.advantage)))
