"""Local learning: naive Bayes from noisy reports of people who trust nobody."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.nobody.local_learning import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.local import NumberProtocol, Protocol
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.duchi import Duchi
from dpstudio.privacy.local.histogram import Summation, Thresholded
from dpstudio.privacy.local.hybrid import Hybrid
from dpstudio.privacy.local.piecewise import Piecewise
from dpstudio.privacy.local.reals import ONE, Reals
from dpstudio.privacy.local.unary import Optimised, Symmetric
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Column, OneOf, param

CELL_PROTOCOLS: list[type[Protocol]] = [Direct, Symmetric, Optimised, Summation, Thresholded]
NUMBER_PROTOCOLS: dict[str, NumberProtocol] = {
    "laplace": Reals(),
    "one": Reals(coordinates=ONE),
    "duchi": Duchi(),
    "piecewise": Piecewise(),
    "hybrid": Hybrid(),
}
SENT = {
    "laplace": N_("Laplace on every place"),
    "one": N_("Laplace on one place"),
    "duchi": N_("Duchi"),
    "piecewise": N_("piecewise"),
    "hybrid": N_("hybrid"),
}
REPORTS = {"one": N_("one, asked by lot"), "all": N_("all, each with a part of ε")}
BINS = ("width", "frequency", "typed")
NUMBERS = {
    "width": N_("bins of equal width"),
    "frequency": N_("bins of equal frequency"),
    "typed": N_("bins by public edges"),
    "gauss": N_("a mean and a spread"),
}
REDUCTIONS = {
    "none": N_("none"),
    "pca": N_("principal components"),
    "dca": N_("discriminant components"),
}
SOURCES = {"public": N_("people whose rows are public"), "paid": N_("people who pay with ε")}
FLOORS = {"error": N_("one standard error"), "one": N_("one person, as printed")}
LEAST_RUNS = 20


class LocalLearning(Lab, about=ABOUT):
    """Naive Bayes is learnt from simulated surveys of the people of a table; its score on people
    who were not asked is set against ε."""

    features: tuple[str, ...] = param(
        ("age", "education", "marital-status", "occupation", "hours-per-week"),
        WordLines(
            N_("Features"),
            N_("The columns that people are asked about, separated by |."),
            empty=N_("all other columns"),
            purpose="feature",
        ),
        in_caption=True,
    )
    predicts: str = param(
        "income",
        Column(N_("Label"), N_("The column of classes that is to be told."), purpose="label"),
        in_caption=True,
    )
    protocol: Protocol = param(
        Direct(epsilon=2.0), OneOf(N_("Protocol"), family=lambda: CELL_PROTOCOLS)
    )
    reports: str = choice(
        "one",
        N_("Reports"),
        N_("A person answers one question, drawn by lot, with all of ε; or all questions."),
        options=REPORTS,
    )
    numbers: str = choice(
        "width",
        N_("Numbers"),
        N_(
            "A person says in which bin the own number is; or sends it, or its square, at the "
            "place of the class."
        ),
        options=NUMBERS,
    )
    bins: int = integer(
        8, N_("Bins"), N_("How many."), low=2, high=16, active_when=("numbers", *BINS)
    )
    edges: tuple[str, ...] = param(
        (),
        WordLines(
            N_("Public edges"),
            N_(
                "Where the bins of a column end, as somebody has published, such as its quartiles: "
                "age: 28, 37, 48. More columns are separated by |; all others have bins of equal "
                "width."
            ),
            empty=N_("none"),
        ),
        active_when=("numbers", "typed"),
        in_caption=True,
    )
    number: str = choice(
        "laplace",
        N_("Numbers sent by"),
        N_("How a number is made noisy."),
        options=SENT,
        active_when=("numbers", "gauss"),
    )
    reduction: str = choice(
        "none",
        N_("Components"),
        N_("People project their row onto a few directions, and are asked about these."),
        options=REDUCTIONS,
    )
    components: int = integer(
        1,
        N_("How many"),
        N_("How many directions are kept."),
        low=1,
        high=8,
        active_when=("reduction", "pca", "dca"),
    )
    source_of: str = choice(
        "public",
        N_("Learnt from"),
        N_("Whose rows decide what is asked."),
        options=SOURCES,
        active_when=("apart", True),
    )
    share: float = real(
        0.2,
        N_("Share set apart"),
        N_("The share of the people who are public, or who pay for edges or directions."),
        low=0.01,
        high=0.8,
        percent=True,
        active_when=("apart", True),
        own=True,
    )
    wanted: float = shared.wanted(
        N_(
            "How much of what can be learnt: from always giving one answer, 0 %, to the model "
            "without noise, 100 %."
        )
    )
    floor: str = choice(
        "error", N_("Lowest count"), N_("What lower estimates are taken for."), options=FLOORS
    )
    test: float = real(
        0.2,
        N_("Share to test with"),
        N_("These people are not asked."),
        low=0.05,
        high=0.9,
        percent=True,
        own=True,
        in_caption=True,
    )
    confidence: float = shared.confidence(N_("The share of surveys that a band keeps."))
    part: int = shared.part(
        N_("Which feature is looked at closely, counted from 0; −1 is the first.")
    )
    runs: int = shared.trials(
        60, N_("How many surveys are simulated at each ε."), LEAST_RUNS, 1_000, N_("Surveys")
    )
    seed: int = shared.seed(N_("The same seed draws the same test rows and the same reports."))
    show_truth: bool = shared.show_truth(
        N_("Hides all scores on this screen: they are exact."), N_("Show exact scores")
    )

    @property
    def apart(self) -> bool:
        """Whether some people are set apart, whose rows decide on edges or directions."""
        return self.reduction != "none" or self.numbers == "frequency"

    @property
    def paid(self) -> bool:
        """Whether these pay with their one report; else their rows are public."""
        return self.apart and self.source_of == "paid"
