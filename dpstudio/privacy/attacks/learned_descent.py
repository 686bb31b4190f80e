"""What can be audited: a training by noisy gradients of samples, all of whose steps are seen."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.learning.sampled_training import Plan, descent
from dpstudio.privacy.learning.training_promise import Promise, promise_of
from dpstudio.privacy.mechanisms.additive import DELTA
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param

_CLIP = 1e-3  # so short that weights stay where every gradient is longer, and the worst case


class NoisyGradients(Subject):
    """Private gradient descent; D has no row, D′ one, whose gradient is always clipped."""

    key = "noisy_gradients"
    label = N_("Noisy gradients")
    what = N_(
        "Gradient descent with noise, all steps seen, by the (ε, δ) of its accountant: a row that "
        "is sampled in some steps enters between D and D′."
    )
    whole = False

    noise: float = real(
        1.0, N_("Noise σ"), N_("In units of the clip."), low=0.5, high=50.0, log=True
    )
    steps: int = integer(5, N_("Steps"), N_("How often the weights move."), low=1, high=20)
    chance: float = real(
        0.2, N_("Share sampled"), N_("The chance of a row in each step."), low=0.01, high=1.0
    )
    delta: float = param(1e-5, DELTA)

    @property
    def promise(self) -> Promise:
        """What the accountant says of all steps."""
        return promise_of(self.noise, self.chance, self.steps, self.delta)

    @property
    def claim(self) -> tuple[float, float]:
        return self.promise.epsilon, self.delta

    def exact(self) -> float:
        return self.promise.lower

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        """How far the weight moves in each step, in clips, (size, steps)."""
        plan = Plan(self.steps, self.chance, self.noise, _CLIP, self.chance, 1.0)
        rows = np.ones((side, 1)), np.ones(side)
        weights = np.column_stack(list(descent(*rows, plan, rng, size)))
        return np.diff(weights, axis=1, prepend=0.0) / _CLIP

    def loss(self, outputs: Array) -> Array:
        drawn = (outputs - 0.5) / self.noise**2 + np.log(self.chance)
        rest = np.log1p(-self.chance) if self.chance < 1 else -np.inf
        return np.asarray(-np.logaddexp(rest, drawn).sum(axis=1))
