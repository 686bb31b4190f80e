"""Linear regression on second moments with those of random rows added."""

import math

from dpstudio.charts.figure import Array
from dpstudio.labs.models.learn.learners.learner import Claim, LearningFacts, Part, Replays
from dpstudio.labs.models.learn.learners.regression import Regression
from dpstudio.labs.models.learn.learners.regression_moments import columns
from dpstudio.privacy.learning.moments import solve_trimmed
from dpstudio.privacy.learning.wishart import (
    exact_degrees,
    printed_impossible,
    printed_wishart_noise,
    wishart_noise,
)
from dpstudio.privacy.mechanisms.additive import DELTA
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import ParamError, param

PRINTED = {
    "": N_("as proved: enough random rows"),
    "basis": N_("as printed: one random row more than columns"),
}


class WishartMoments(Regression):
    """The second moments of random rows are added to those of the table."""

    key = "wishart_moments"
    seldom = True
    label = N_("Regression, Wishart")
    place = "input"
    where = N_("on the second moments, as random rows")
    ink = "staircase"
    source = N_("Sheffet 2019, with exact degrees of freedom")

    delta: float = param(1e-5, DELTA)
    printed: str = choice(
        "",
        N_("Noise"),
        N_("As it is proved, or as texts print it, which breaks the promise."),
        options=PRINTED,
    )

    def refusal(self, known: LearningFacts) -> Message | None:
        try:
            self.degrees(known)
        except ParamError as error:
            return error.sentence
        return super().refusal(known)

    def degrees(self, known: LearningFacts) -> int:
        """How many random rows are added."""
        if self.printed:
            return columns(known) + 1
        return exact_degrees(known.epsilon, self.delta, columns(known), known.adjacency, known.most)

    def claim(self, known: LearningFacts) -> Claim:
        if self.printed:
            text = N_(
                "No theorem: noise that is always positive shows the table that lies above. Of a "
                "table {share} of what it can give is impossible once a row of length 1 has come."
            )
            share = Num(printed_impossible(known.epsilon), 3, "down", percent=True)
            return Claim(known.epsilon, 0.0, say(text, share=share), math.inf)
        text = N_(
            "{k} random {k:row of a normal law is|rows of a normal law are} added; the exact δ of "
            "a row of length 1 that comes or goes stays below the one allowed (Sheffet 2019 takes "
            "more rows)."
        )
        theorem = say(text, k=Num(self.degrees(known)))
        return Claim(known.epsilon, self.delta, theorem, known.epsilon)

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        if self.printed:
            return (Part(say("second moments"), say("random rows"), known.epsilon, math.inf),)
        scale = math.sqrt(self.degrees(known))  # of an entry beside the diagonal
        return (Part(say("second moments"), say("random rows"), known.epsilon, scale),)

    def noise(self, known: LearningFacts, looked: Replays, p: int, rows: int) -> Array:
        if self.printed:
            drawn = printed_wishart_noise(looked.generator, known.epsilon, rows, looked.runs, p)
            return drawn * rows
        return wishart_noise(looked.generator, looked.runs, p, self.degrees(known))

    def read(self, moments: Array, noise: Array, known: LearningFacts) -> Array:
        return solve_trimmed(moments + noise)
