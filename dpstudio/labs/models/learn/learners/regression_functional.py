"""Linear regression with noise on the polynomial that it minimises."""

from dpstudio.charts.figure import Array
from dpstudio.labs.models.learn.learners.learner import Claim, LearningFacts, Part, Replays
from dpstudio.labs.models.learn.learners.regression import Regression
from dpstudio.labs.models.learn.learners.regression_moments import columns
from dpstudio.privacy.learning.linear import functional, functional_noise, functional_sensitivity
from dpstudio.values.messages import N_, Num, say


class FunctionalRegression(Regression):
    """Noise on each coefficient of the objective, which is then minimised (functional
    mechanism)."""

    key = "functional_regression"
    seldom = True
    label = N_("Regression, functional")
    place = "objective"
    where = N_("on the coefficients of the objective")
    ink = "geometric"
    source = N_("Zhang, Zhang, Xiao, Yang & Winslett 2012, with a tighter sensitivity")

    def moved(self, known: LearningFacts) -> float:
        """How far one person moves the coefficients, in L1."""
        return functional_sensitivity(columns(known), known.adjacency, known.most)

    def scale(self, known: LearningFacts) -> float:
        """Scale of the noise on each coefficient."""
        return self.moved(known) / known.epsilon

    def claim(self, known: LearningFacts) -> Claim:
        text = N_(
            "One person moves the coefficients of the objective by at most {moved} in L1; Laplace "
            "noise is scaled to that (Zhang et al. 2012), and minimising costs nothing."
        )
        theorem = say(text, moved=Num(self.moved(known), 3, "up"))
        return Claim(known.epsilon, 0.0, theorem, known.epsilon)

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        return (Part(say("objective"), say("coefficients"), known.epsilon, self.scale(known)),)

    def noise(self, known: LearningFacts, looked: Replays, p: int, rows: int) -> Array:
        return functional_noise(looked.generator, looked.runs, p)

    def read(self, moments: Array, noise: Array, known: LearningFacts) -> Array:
        return functional(moments, noise, self.scale(known))
