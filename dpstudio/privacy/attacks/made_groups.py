"""What can be audited: what micro-aggregation measures of groups of rows, of a small table and of
its neighbour."""

from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.synthetic import clusters
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param

_K, _MANY = 3, 6  # rows of a group in a public order, and how many groups there are


class NoisyGroup(Subject):
    """Mean and covariance of a fixed group of five rows of two columns with Laplace noise; in D′
    one of them lies in the opposite corner."""

    key = "noisy_group"
    label = N_("Noisy group")
    what = N_(
        "Mean and covariance of a fixed group of five rows with noise: one row moves to the "
        "opposite corner."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)

    def scales(self, size: int, columns: int) -> clusters.Scales:
        """Of the noise on the mean and on the covariance."""
        return clusters.fixed_scales(size, columns, self.epsilon)

    @cached_property
    def sides(self) -> tuple[Array, Array]:
        """What is measured of D and of D′, each divided by the scale of its noise."""
        out = []
        for side in (0, 1):
            rows = np.array([[1.0, 1.0]] * 4 + [[-1.0, -1.0] if side else [1.0, 1.0]])
            scales = self.scales(*rows.shape)
            out.append(np.concatenate(_scaled(rows, scales)))
        return array(out[0]), array(out[1])

    def exact(self) -> float:
        return float(np.sum(np.abs(self.sides[0] - self.sides[1])))

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        exact = self.sides[side]
        return np.asarray(exact + rng.laplace(size=(size, len(exact))))

    def loss(self, outputs: Array) -> Array:
        far = [np.sum(np.abs(outputs - exact), axis=1) for exact in self.sides]
        return np.asarray(far[1] - far[0])


class PrintedGroup(NoisyGroup):
    """The same with the noise as printed, which is divided by how many rows the table has."""

    key = "printed_group"
    label = N_("Printed group")
    what = N_(
        "Mean and covariance of a fixed group of five rows of a table of 700, with noise that is "
        "divided by 700 once more, as printed."
    )

    def scales(self, size: int, columns: int) -> clusters.Scales:
        return clusters.printed_scales(size, columns, self.epsilon, 700)


class NoisyGroups(NoisyGroup):
    """A noisy count of rows, and mean and covariance of every one of six groups of three rows in a
    public order; in D′ somebody comes before all others, and moves one row into and one out of each
    group."""

    key = "noisy_groups"
    label = N_("Groups in order")
    what = N_(
        "A noisy count of rows, then mean and covariance of six groups of three rows in a public "
        "order, with noise for all six: somebody who comes first moves a row of each."
    )

    def scales(self, size: int, columns: int) -> clusters.Scales:
        part = (1 - clusters.COUNT_SHARE) * self.epsilon
        return clusters.insensitive_scales(size * _MANY, size, columns, part)

    @cached_property
    def sides(self) -> tuple[Array, Array]:
        out = []
        for side in (0, 1):
            # Neighbours in the order lie in opposite corners, so that means move by all they can.
            place = np.arange(-side, _K * _MANY)
            near = 1e-6 * place - 1
            odd = place % 2 == 1
            rows = np.stack([np.where(odd, near, 1.0), np.where(odd, 1.0, near)], axis=1)
            held = clusters.of_length(rows, _K * _MANY)
            parts = [np.array([len(rows) * clusters.COUNT_SHARE * self.epsilon])]
            for group in clusters.ordered_clusters(held, _K):
                parts += _scaled(held[group], self.scales(_K, 2))
            out.append(np.concatenate(parts))
        return array(out[0]), array(out[1])


class MovingGroups(NoisyGroups):
    """The same with the noise of one group that is fixed, though one person moves all of them."""

    key = "moving_groups"
    label = N_("Groups that move")
    what = N_(
        "The same six groups with the noise of a single fixed group, as printed: groups depend on "
        "the rows, and one person moves all six."
    )

    def scales(self, size: int, columns: int) -> clusters.Scales:
        return clusters.fixed_scales(size, columns, (1 - clusters.COUNT_SHARE) * self.epsilon)


def _scaled(rows: Array, scales: clusters.Scales) -> list[Array]:
    """Mean and covariance, each divided by the scale of its noise."""
    mean, covariance = clusters.moments(rows)
    return [mean / scales.mean, covariance / scales.covariance]
