"""What can be audited: a linear regression with noise on its weights, learned from a small table
and from its neighbour."""

from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.learned import NoisyModel, Table
from dpstudio.privacy.learning.linear import ball_ridge, ball_sensitivity
from dpstudio.privacy.learning.logistic_noise import Ridge, add_remove
from dpstudio.values.messages import N_

_RADIUS = 0.05


class NoisyRidge(NoisyModel):
    """Ridge regression of short weights with noise on them; D′ has a row more. Where weights are
    short and the ridge is strong, that moves them nearly as far as is claimed."""

    key = "noisy_ridge"
    label = N_("Noisy ridge")
    what = N_(
        "Linear regression of short weights by output perturbation: a row enters between D and D′."
    )

    @property
    def ridge(self) -> Ridge:
        return add_remove(60.0)

    @property
    def scale(self) -> float:
        return ball_sensitivity(self.ridge, _RADIUS) / self.epsilon

    def table(self, side: int) -> Table:
        y = np.array([1.0, -1.0, 1.0][: 2 + side])
        return np.ones((len(y), 1)), y

    @cached_property
    def models(self) -> tuple[Array, Array]:
        """The exact minimisers of D and D′, which do not leave."""
        rows = (np.column_stack(self.table(side)) for side in (0, 1))
        here, there = (ball_ridge(z.T @ z, self.ridge.strength, _RADIUS) for z in rows)
        return here, there
