"""What can be audited: what synthetic tables are made of, right ones and those that the texts
print. Looked at is all that is measured, of a small table and of its neighbour."""

import math
from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.accounting.gdp import gdp_epsilon
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.mechanisms.concentrated import concentrated_rho
from dpstudio.privacy.synthetic import records, tree
from dpstudio.privacy.synthetic.marginals import counted
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param


class NoisyCells(Subject):
    """The counts of four cells, each with Laplace noise; in D′ somebody enters the empty one."""

    key = "noisy_cells"
    label = N_("Noisy cells")
    what = N_("A noisy count of each of four cells: somebody enters the one that is empty in D.")
    whole = False

    epsilon: float = param(1.0, EPSILON)

    def exact(self) -> float:
        return self.epsilon

    def counts(self, side: int) -> Array:
        """How many people each cell holds."""
        return np.array([3.0, side, 2.0, 1.0])

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        exact = self.counts(side)
        return exact + rng.laplace(0.0, 1 / self.epsilon, (size, len(exact)))

    def loss(self, outputs: Array) -> Array:
        far = [np.abs(outputs - self.counts(side)).sum(axis=1) for side in (0, 1)]
        return np.asarray(self.epsilon * (far[1] - far[0]))


class OneNoise(NoisyCells):
    """The same with one noise for all cells: their differences are exact."""

    key = "one_noise"
    label = N_("One noise")
    what = N_(
        "Counts of four cells that all get one and the same noise: the difference of any two is "
        "exact."
    )

    def exact(self) -> float:
        return math.inf

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        return self.counts(side) + rng.laplace(0.0, 1 / self.epsilon, (size, 1))

    def loss(self, outputs: Array) -> Array:
        # Half a person tells the two apart, whatever is lost by rounding.
        return np.where(outputs[:, 1] - outputs[:, 0] < -2.5, math.inf, -math.inf)


class CellsThatOccur(NoisyCells):
    """The same without the cells that nobody is in."""

    key = "cells_that_occur"
    label = N_("Cells that occur")
    what = N_(
        "Noisy counts of the cells that occur alone: that a cell is there tells that somebody is "
        "in it."
    )

    def exact(self) -> float:
        return math.inf

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        noisy = super().outputs(rng, side, size)
        return np.where(self.counts(side) > 0, noisy, 0.0)

    def loss(self, outputs: Array) -> Array:
        return np.where(outputs[:, 1] == 0, math.inf, -math.inf)


class AskedAgain(NoisyCells):
    """The same, and how many people there are with noise for all of ε once more."""

    key = "asked_again"
    label = N_("n asked again")
    what = N_("Noisy counts of four cells at ε, and how many people there are at ε once more.")

    def exact(self) -> float:
        return 2 * self.epsilon

    def counts(self, side: int) -> Array:
        cells = super().counts(side)
        return np.append(cells, cells.sum())


WAYS = {"tree": N_("a tree of pairs (MST)"), "records": N_("records that match pairs (PrivSyn)")}


class NoisyPairs(Subject):
    """All that is measured of two columns of two values by a tree or by PrivSyn, where their pair
    is counted; in D′ somebody enters the pair that nobody is in."""

    key = "noisy_pairs"
    label = N_("Noisy pairs")
    what = N_(
        "The counts of two columns and of their pair with Gaussian noise, by PrivSyn also how far "
        "they are from independent: somebody enters the pair that nobody is in."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)
    delta: float = param(1e-5, DELTA)
    way: str = choice("records", N_("Way"), N_("What is measured."), options=WAYS)

    @property
    def claim(self) -> tuple[float, float]:
        return self.epsilon, self.delta

    @cached_property
    def sides(self) -> tuple[Array, Array]:
        """What is measured of D and of D′, each divided by the deviation of its noise."""
        rho, sizes = concentrated_rho(self.epsilon, self.delta), (2, 2)
        alone, pair = tree.Shares().alone, tree.Shares().pairs
        if self.way == "records":
            _, alone, pair = records.SHARES
        out = []
        for side in (0, 1):
            codes = np.array([[0, 0]] * 4 + [[1, 1]] * 4 + [[0, 1]] * side)
            parts = [
                counted(codes, sizes, (column,)) / tree.one_way_sigma(2, alone * rho)
                for column in (0, 1)
            ]
            parts.append(counted(codes, sizes, (0, 1)).ravel() * math.sqrt(2 * pair * rho))
            if self.way == "records":
                sigma = records.difference_sigma(1, records.SHARES[0] * rho)
                parts.append(records.differences(codes, sizes, [(0, 1)]) / sigma)
            out.append(np.concatenate(parts))
        return array(out[0]), array(out[1])

    def exact(self) -> float:
        """Gaussian noise on two points: as far apart as they are (Dong, Roth & Su 2022)."""
        mu = np.linalg.norm(self.sides[0] - self.sides[1])
        return float(gdp_epsilon(np.asarray(mu), self.delta))

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        exact = self.sides[side]
        return np.asarray(exact + rng.normal(size=(size, len(exact))))

    def loss(self, outputs: Array) -> Array:
        far = [np.sum((outputs - exact) ** 2, axis=1) for exact in self.sides]
        return np.asarray((far[1] - far[0]) / 2)
