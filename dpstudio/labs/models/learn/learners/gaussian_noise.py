"""What learners share that put Gaussian noise on second moments."""

from dpstudio.labs.models.learn.learners.learner import Claim, LearningFacts, Part
from dpstudio.privacy.learning.moments import gaussian_scale, l2_sensitivity
from dpstudio.values.messages import N_, Num, say


class GaussianNoise:
    """The noise on the second moments of rows in the unit ball, and what it promises."""

    delta: float

    def scale(self, known: LearningFacts) -> float:
        """σ of the noise on each moment."""
        return gaussian_scale(known.epsilon, self.delta, known.adjacency, known.most)

    def claim(self, known: LearningFacts) -> Claim:
        """What is promised to a person, and why."""
        text = N_(
            "One person moves the second moments of rows in the unit ball by at most {moved} in "
            "L2; the Gaussian noise is calibrated exactly (Balle & Wang 2018), and reading a "
            "model from it costs nothing."
        )
        moved = Num(l2_sensitivity(known.adjacency, known.most), 3, "up")
        return Claim(known.epsilon, self.delta, say(text, moved=moved), known.epsilon)

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        """All of ε goes into one release."""
        return (Part(say("second moments"), say("noise"), known.epsilon, self.scale(known)),)
