"""Learn: what a promise costs a model, and where the noise goes."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.models.learn import ABOUT
from dpstudio.labs.models.learn.learners import LEARNERS
from dpstudio.labs.models.learn.learners.learner import Learner
from dpstudio.labs.models.learn.learners.naive_bayes import NaiveBayes
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import choice, flag, real
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Column, OneOf, param

SPLITS = {"lot": N_("drawn by lot"), "last": N_("the last rows")}
# What can be solved for where a score is wanted.
SOLVE = {
    "epsilon": N_("ε"),
    "noise": N_("noise"),
    "steps": N_("steps"),
    "batch": N_("sample"),
    "rows": N_("rows"),
}
LEAST_RUNS = 20


class Learn(Lab, about=ABOUT):
    """A model of a label by features is learnt under a promise, many times; its score is set
    against ε."""

    features: tuple[str, ...] = param(
        ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week"),
        WordLines(
            N_("Features"), N_("The columns to learn from, separated by |."), purpose="feature"
        ),
        in_caption=True,
    )
    predicts: str = param(
        "income",
        Column(N_("Label"), N_("The column of classes that is to be told."), purpose="label"),
        in_caption=True,
    )
    learner: Learner = param(
        NaiveBayes(),
        OneOf(
            N_("Learner"), N_("What is learnt, and where its noise goes."), family=lambda: LEARNERS
        ),
    )
    epsilon: float = param(0.1, EPSILON)
    adjacency: str = shared.adjacency()
    test: float = real(
        0.3,
        N_("Share to test with"),
        N_("The model never sees these rows; all rows of a person go one way."),
        low=0.05,
        high=0.9,
        percent=True,
        own=True,
        in_caption=True,
    )
    split: str = choice(
        "lot",
        N_("Test rows"),
        N_("Which rows the model is tested with."),
        options=SPLITS,
        own=True,
        in_caption=True,
    )
    wanted: float = shared.wanted(
        N_(
            "How much of what can be learnt: from always giving one answer, 0 %, to the model "
            "without noise, 100 %."
        )
    )
    solve: str = choice(
        "epsilon",
        N_("Solve for"),
        N_("What is looked for where a score is wanted; all but ε under the promise in use."),
        options=SOLVE,
        look=True,
    )
    feature: str = param(
        "age",
        Column(N_("Feature drawn"), N_("The feature that is looked at class by class.")),
        look=True,
    )
    others: bool = flag(
        True,
        N_("Other learners"),
        N_("Draws what else could be learnt from the same rows."),
        look=True,
    )
    confidence: float = shared.confidence(N_("The share of models that a band keeps."))
    runs: int = shared.trials(
        200,
        N_("How many models are learnt with noise at each ε: of slow learners at most 40."),
        LEAST_RUNS,
        1_000,
        N_("Models"),
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth(
        N_("Hides all scores on this screen: they are exact."), N_("Show exact scores")
    )

    @property
    def method(self) -> Learner:
        """The learner."""
        return self.learner
