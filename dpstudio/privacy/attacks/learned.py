"""What can be audited: models that are learned from a small table and from its neighbour, right
ones, and those that the texts print."""

import math
from functools import cached_property
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.learning import lloyd, logistic_noise, moments, wishart
from dpstudio.privacy.learning.logistic import fit
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.values.fields import choice, integer
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Integer, param

Table = tuple[Array, Array]
_ZOOMS, _GRID = 12, 201


class NoisyModel(Subject):
    """Logistic regression with noise on the model; in D′ a row of many has another label."""

    key = "noisy_model"
    label = N_("Noisy model")
    what = N_(
        "Logistic regression by output perturbation: one of 20 rows is replaced between D and D′."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)

    @property
    def ridge(self) -> logistic_noise.Ridge:
        """How strongly the model is held at 0, and for whom."""
        return logistic_noise.replace_one(20, 0.5)

    def table(self, side: int) -> Table:
        """Rows in the unit ball and their labels."""
        x, y = np.tile([[1.0, 0.0]], (20, 1)), np.ones(20)
        x[-1] = [-0.8, 0.6] if side else [-0.8, -0.6]
        return x, y

    @cached_property
    def models(self) -> tuple[Array, Array]:
        """The exact minimisers of D and D′, which do not leave."""
        here, there = (fit(*self.table(side), self.ridge.strength)[0] for side in (0, 1))
        return here, there

    @property
    def scale(self) -> float:
        """Of the vector noise."""
        return logistic_noise.output_scale(self.epsilon, self.ridge)

    def exact(self) -> float:
        here, there = self.models
        return float(np.linalg.norm(here - there)) / self.scale

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        exact = self.models[side]
        noise = logistic_noise.unit_noise(rng, size, len(exact)) * self.scale
        return exact + noise if len(exact) > 1 else (exact + noise)[:, 0]

    def loss(self, outputs: Array) -> Array:
        x = outputs.reshape(len(outputs), -1)
        far = [np.linalg.norm(x - model, axis=1) for model in self.models]
        return np.asarray((far[1] - far[0]) / self.scale)


class DataBall(NoisyModel):
    """The same for rows that are scaled by the longest of the data: a long row shrinks all others,
    and the model moves by more than 2/(nλ)."""

    key = "data_ball"
    label = N_("Scaled by the data")
    what = N_(
        "Output perturbation of rows that are divided by the longest of the data: one long row "
        "shrinks all others."
    )

    @property
    def ridge(self) -> logistic_noise.Ridge:
        return logistic_noise.replace_one(100, 0.02)

    def table(self, side: int) -> Table:
        x = np.full((100, 1), 0.01)
        x[-1] = 1.0 if side else 0.01
        return logistic_noise.printed_ball(x), np.ones(100)


class NoisyObjective(Subject):
    """Logistic regression with noise on the objective; D′ has a row more."""

    key = "noisy_objective"
    label = N_("Noisy objective")
    what = N_(
        "Logistic regression by objective perturbation: a row with the other label enters between "
        "D and D′."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)

    ridge: ClassVar[logistic_noise.Ridge] = logistic_noise.add_remove(0.2)

    def table(self, side: int) -> Table:
        """Rows in the unit ball and their labels."""
        y = np.array([1.0, 1.0, -1.0][: 2 + side])
        return np.ones((len(y), 1)), y

    def exact(self) -> float:
        """By zooming in on the largest of a grid, and far out, where one term alone is left."""
        low, high, best = -60.0, 60.0, 0.0
        for _ in range(_ZOOMS):
            at = np.linspace(low, high, _GRID)
            losses = np.abs(self.loss(at))
            place, step = int(losses.argmax()), (high - low) / (_GRID - 1)
            best = max(best, float(losses[place]))
            low, high = at[place] - 2 * step, at[place] + 2 * step
        return max(best, float(np.abs(self.loss(np.array([-1e9, 1e9]))).max()))

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        noise = logistic_noise.unit_noise(rng, size, 1)
        epsilons = np.array([self.epsilon])
        models = logistic_noise.objective_perturbed(*self.table(side), epsilons, self.ridge, noise)
        return np.asarray(models[0, :, 0])

    def loss(self, outputs: Array) -> Array:
        terms = logistic_noise.objective_terms(self.epsilon, self.ridge)
        logs = [
            logistic_noise.objective_log_density(outputs[:, None], *self.table(s), terms)
            for s in (0, 1)
        ]
        return np.asarray(logs[0] - logs[1])


COLUMNS = Integer(N_("Columns p"), N_("How many numbers a row holds."), low=2, high=6)
NOISES = {"gaussian": N_("Gaussian"), "laplace": N_("Laplace"), "wishart": N_("Wishart rows")}


class NoisyMoments(Subject):
    """Second moments of rows in the unit ball with noise; D′ has a row more."""

    key = "noisy_moments"
    label = N_("Noisy moments")
    what = N_(
        "The second moments that a regression is read from, with noise: a row of length 1 enters "
        "between D and D′."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)
    delta: float = param(1e-5, DELTA)
    noise: str = choice("wishart", N_("Noise"), N_("What is added to the moments."), options=NOISES)
    columns: int = param(3, COLUMNS)

    @property
    def claim(self) -> tuple[float, float]:
        return self.epsilon, 0.0 if self.noise == "laplace" else self.delta

    @property
    def row(self) -> Array:
        """The row that enters: all of its length in one column, and for Laplace in all alike."""
        p = self.columns
        return np.full(p, p**-0.5) if self.noise == "laplace" else np.eye(p)[0]

    @property
    def scale(self) -> float:
        """Of the Gaussian or Laplace noise on an entry."""
        if self.noise == "laplace":
            return moments.laplace_scale(self.epsilon, self.columns, ADD_REMOVE)
        return moments.gaussian_scale(self.epsilon, self.delta, ADD_REMOVE)

    @property
    def degrees(self) -> int:
        """How many random rows are added."""
        return wishart.exact_degrees(self.epsilon, self.delta, self.columns, ADD_REMOVE)

    def exact(self) -> float:
        """Gaussian and Laplace noise are calibrated to this row; rows are whole."""
        if self.noise != "wishart":
            return self.epsilon
        p, k, low, high = self.columns, self.degrees, 0.0, self.epsilon
        for _ in range(50):
            middle = (low + high) / 2
            kept = wishart.wishart_delta(middle, p, k) <= self.delta
            low, high = (low, middle) if kept else (middle, high)
        return high

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        p = self.columns
        if self.noise == "wishart":
            noise = wishart.wishart_noise(rng, size, p, self.degrees)
        else:
            draw = moments.laplace_noise if self.noise == "laplace" else moments.gaussian_noise
            noise = draw(rng, size, p) * self.scale
        return _triangles(noise + side * np.outer(self.row, self.row))

    def loss(self, outputs: Array) -> Array:
        if self.noise == "wishart":
            return wishart.wishart_loss(moments.symmetric(outputs), self.row, self.degrees)
        moved = _triangles(np.outer(self.row, self.row))
        if self.noise == "laplace":
            far = np.abs(outputs - moved).sum(axis=1) - np.abs(outputs).sum(axis=1)
            return np.asarray(far / self.scale)
        return np.asarray((0.5 * moved @ moved - outputs @ moved) / self.scale**2)


class PositiveNoise(Subject):
    """The Wishart noise as printed, with p + 1 degrees of freedom."""

    key = "positive_noise"
    label = N_("Printed Wishart")
    what = N_(
        "Second moments with Wishart noise whose degrees of freedom are p + 1, said to be ε-DP: "
        "the noise is always positive, so an output can be impossible for the neighbour."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)
    columns: int = param(3, COLUMNS)

    @property
    def row(self) -> Array:
        """A row of length 1, which is divided by n like the noise; of one row here."""
        return np.asarray(np.eye(self.columns)[0])

    def exact(self) -> float:
        return math.inf

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        noise = wishart.printed_wishart_noise(rng, self.epsilon, 1, size, self.columns)
        return _triangles(noise + side * np.outer(self.row, self.row))

    def loss(self, outputs: Array) -> Array:
        scale = 2 * self.epsilon / 3
        noise = moments.symmetric(outputs) * scale
        row = np.asarray(self.row * math.sqrt(scale))
        return wishart.wishart_loss(noise, row, self.columns + 1)


def _triangles(matrices: Array) -> Array:
    upper, lower = np.triu_indices(matrices.shape[-1])
    return np.asarray(matrices[..., upper, lower])


class NoisySteps(Subject):
    """k-means with noise on every count and sum; in D′ a point in a corner of the box is added. All
    that the steps show is looked at."""

    key = "noisy_steps"
    label = N_("Noisy k-means")
    what = N_(
        "DPLloyd: noisy counts and sums of every step, with a point more in D′, in a corner of the "
        "box."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)
    dims: int = integer(
        1, N_("Coordinates d"), N_("How many coordinates a point has."), low=1, high=4
    )
    steps: int = integer(1, N_("Steps"), N_("How often the centres are moved."), low=1, high=7)

    @property
    def split(self) -> lloyd.Split:
        """Scales of the noise."""
        return lloyd.su_split(self.epsilon, self.dims, self.steps)

    def exact(self) -> float:
        return self.split.spent(self.dims)

    def points(self, side: int) -> Array:
        """Ten points, and one in a corner."""
        few = np.linspace(-0.9, 0.9, 10)[:, None] * np.ones(self.dims)
        return np.vstack([few, np.ones((side, self.dims))])

    @property
    def start(self) -> Array:
        """Two first centres, which the points have no part in."""
        return np.array([[[-0.5] * self.dims, [0.5] * self.dims]])

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        noise = lloyd.lloyd_noise(rng, size, self.steps, 2, self.dims)
        steps = lloyd.lloyd(self.points(side), self.start, self.split, noise)
        return steps.held.reshape(size, -1)

    def loss(self, outputs: Array) -> Array:
        """The steps of D and of D′ from the centres that the output itself has led to."""
        size, d = len(outputs), self.dims
        held = outputs.reshape(size, self.steps, 2, d + 1)
        scales = np.r_[self.split.count, np.full(d, self.split.total)]
        centres, out = self.start, np.zeros(size)
        for step in range(self.steps):
            here, there = (
                np.abs(held[:, step] - lloyd.sums(self.points(side), centres)) / scales
                for side in (0, 1)
            )
            out += (there - here).sum(axis=(1, 2))
            centres = lloyd.moved(centres, held[:, step])
        return out


class TwiceSpent(NoisySteps):
    """The same with the scales as printed, where counts and sums have all of ε each."""

    key = "twice_spent"
    label = N_("ε spent twice")
    what = N_(
        "DPLloyd whose counts get noise for all of ε and whose sums get noise for all of ε again."
    )

    @property
    def split(self) -> lloyd.Split:
        return lloyd.printed_split(self.epsilon, self.dims, self.steps)
