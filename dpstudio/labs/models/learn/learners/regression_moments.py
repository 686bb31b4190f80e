"""Linear regression on noisy second moments: noise on what is learnt from."""

import math

from dpstudio.charts.figure import Array
from dpstudio.labs.models.learn.learners.gaussian_noise import GaussianNoise
from dpstudio.labs.models.learn.learners.learner import Claim, LearningFacts, Part, Replays
from dpstudio.labs.models.learn.learners.regression import Regression
from dpstudio.privacy.learning import moments as learning_moments
from dpstudio.privacy.mechanisms.additive import DELTA
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import Real, param

FIRMNESS = Real(
    N_("Ridge, in σ"),
    N_("A ridge so many deviations of the noise: it steadies what is read from noisy moments."),
    low=0.0,
    high=100.0,
)
# About the length 2√p of a noise matrix of a dozen columns (Wigner), which keeps it from undoing
# the moments.
_FIRM = 7.0


class GaussianMoments(GaussianNoise, Regression):
    """Second moments of features and label with Gaussian noise; the weights are read from them."""

    key = "gaussian_moments"
    seldom = True
    label = N_("Regression, Gaussian moments")
    place = "input"
    where = N_("on the second moments of the table")
    ink = "gaussian"
    source = "Dwork, Talwar, Thakurta & Zhang 2014; Balle & Wang 2018"

    delta: float = param(1e-5, DELTA)
    firmness: float = param(_FIRM, FIRMNESS)

    def noise(self, known: LearningFacts, looked: Replays, p: int, rows: int) -> Array:
        return self.scale(known) * learning_moments.balanced_noise(looked.generator, looked.runs, p)

    def read(self, moments: Array, noise: Array, known: LearningFacts) -> Array:
        return learning_moments.solve_trimmed(moments + noise, self.firmness * self.scale(known))


class LaplaceMoments(Regression):
    """The same with Laplace noise, which needs no δ."""

    key = "laplace_moments"
    seldom = True
    label = N_("Regression, Laplace moments")
    place = "input"
    where = N_("on the second moments of the table")
    ink = "laplace"
    source = "Dwork, McSherry, Nissim & Smith 2006"

    firmness: float = param(_FIRM, FIRMNESS)

    def scale(self, known: LearningFacts) -> float:
        """b of the noise on each moment, of p columns."""
        return learning_moments.laplace_scale(
            known.epsilon, columns(known), known.adjacency, known.most
        )

    def claim(self, known: LearningFacts) -> Claim:
        text = N_(
            "One person moves the second moments of rows in the unit ball by at most {moved} in "
            "L1; Laplace noise is scaled to that (Dwork et al. 2006), and reading a model from it "
            "costs nothing."
        )
        moved = learning_moments.l1_sensitivity(columns(known), known.adjacency, known.most)
        theorem = say(text, moved=Num(moved, 3, "up"))
        return Claim(known.epsilon, 0.0, theorem, known.epsilon)

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        return (Part(say("second moments"), say("noise"), known.epsilon, self.scale(known)),)

    def noise(self, known: LearningFacts, looked: Replays, p: int, rows: int) -> Array:
        return self.scale(known) * learning_moments.laplace_noise(looked.generator, looked.runs, p)

    def read(self, moments: Array, noise: Array, known: LearningFacts) -> Array:
        ridge = self.firmness * math.sqrt(2) * self.scale(known)
        return learning_moments.solve_trimmed(moments + noise, ridge)


def columns(known: LearningFacts) -> int:
    """p: columns of a row with its 1 and its label, each word one."""
    return sum(len(feature.words) or 1 for feature in known.features) + 2
