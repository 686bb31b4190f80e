"""Pairs of neighbours whose privacy loss takes finitely many values."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.neighbours.pair import JUMPS, TIE, Pair


@dataclass(frozen=True, eq=False)
class Listed(Pair):
    """A pair with finitely many losses: `losses` descending (±∞ allowed), `inside` and `outside`
    their P and Q, all of shape (n,). `endless` says that larger ones exist, too rare to be listed;
    `crest`, where it is not 0, is P of the largest alone, as others close to it are counted with it
    in `inside`."""

    losses: Array
    inside: Array
    outside: Array
    endless: bool = False
    crest: float = 0.0

    def __post_init__(self) -> None:
        for name, held in vars(self).copy().items():
            if isinstance(held, np.ndarray):
                object.__setattr__(self, name, array(held))

    @property
    def most(self) -> float:  # type: ignore[override]
        """The largest privacy loss."""
        return math.inf if self.endless else float(self.losses[0])

    @property
    def least(self) -> float:  # type: ignore[override]
        """The least privacy loss."""
        return -math.inf if self.endless else float(self.losses[-1])

    @cached_property
    def _tie(self) -> float:
        finite = np.abs(self.losses[np.isfinite(self.losses)])
        return TIE * max(1e-300, float(np.max(finite, initial=0.0)))

    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        if math.isinf(loss):
            seen = (self.losses > loss) if strictly else (self.losses >= loss)
        else:
            seen = self.losses > loss + self._tie if strictly else self.losses >= loss - self._tie
            if self.crest and not strictly and abs(loss - self.losses[0]) <= self._tie:
                return self.crest, self.crest * math.exp(-loss)
        return float(self.inside[seen].sum()), float(self.outside[seen].sum())

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        # How many losses, which descend, lie above each of these.
        seen = len(self.losses) - np.searchsorted(
            self.losses[::-1], np.asarray(losses) + self._tie, side="right"
        )
        inside, outside = (
            np.concatenate([[0.0], np.cumsum(masses)])[seen]
            for masses in (self.inside, self.outside)
        )
        return np.asarray(inside), np.asarray(outside)

    def power(self, alpha: ArrayLike) -> Array:
        false = np.concatenate([[0.0], np.cumsum(self.outside)])
        true = np.concatenate([[0.0], np.cumsum(self.inside)])
        found = np.interp(np.asarray(alpha, dtype=np.float64), false, true)
        # Answers that never come without you cost no false positives.
        return np.asarray(np.minimum(1.0, np.maximum(found, self.certain)))

    def delta(self, epsilon: float) -> float:
        with np.errstate(over="ignore"):
            lost = -np.expm1(np.minimum(0.0, epsilon - self.losses))
            return float(np.sum(self.inside * np.maximum(0.0, lost)))

    def jumps(self, low: float, high: float) -> Array:
        inside = self.losses[(self.losses >= low) & (self.losses <= high)]
        return inside if len(inside) <= JUMPS else np.zeros(0)

    @property
    def typical(self) -> float:
        kept = np.cumsum(self.inside) > 1e-3
        losses = self.losses[kept & np.isfinite(self.losses)]
        return float(losses[0]) if len(losses) else 0.0


# Two laws that nothing tells apart.
ALIKE = Listed(np.zeros(1), np.ones(1), np.ones(1))


def listed(inside: Array, outside: Array) -> Listed:
    """The pair of two pmfs over the same answers, in any order, shape (n,) each; an answer that
    neither allows is left out."""
    kept = (inside > 0) | (outside > 0)
    inside, outside = inside[kept], outside[kept]
    with np.errstate(divide="ignore"):
        losses = np.log(inside) - np.log(outside)
    order = np.argsort(-losses, kind="stable")
    return Listed(losses[order], inside[order], outside[order])
