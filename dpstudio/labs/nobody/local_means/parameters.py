"""Local means: the mean of a column from reports that each person has made noisy alone."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.nobody.local_means import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.local import NUMBERS, NumberProtocol
from dpstudio.privacy.local.piecewise import Piecewise
from dpstudio.privacy.queries.query import WIDEST
from dpstudio.privacy.queries.total import Mean
from dpstudio.values import parameters
from dpstudio.values.fields import choice, integer
from dpstudio.values.messages import N_, say

CASES = {"worst": N_("the worst values"), "column": N_("this column")}
MEASURES = {"half_width": N_("Half-width"), "deviation": N_("Standard deviation")}
D_MOST = 1000


class LocalMeans(Lab, about=ABOUT):
    """A mean that no collector needs to be trusted for: Laplace, Duchi, piecewise and hybrid
    reports, and what they cost."""

    query: Mean = parameters.param(Mean(), parameters.OneOf(N_("Question"), family=lambda: [Mean]))
    more: tuple[str, ...] = parameters.param(
        (),
        parameters.Words(
            N_("Further columns"),
            N_(
                "Columns of numbers, separated by |: each person sends these too, in the same "
                "report."
            ),
            empty=N_("none"),
        ),
    )
    ranges: tuple[tuple[float, float], ...] = parameters.param(
        (),
        parameters.Ranges(
            N_("Their bounds"),
            N_(
                "lowest..highest for each further column, separated by |; values beyond are "
                "clipped."
            ),
            empty=N_("from the data"),
        ),
    )
    dims: int = integer(
        1,
        N_("Numbers each holds d"),
        N_(
            "How many numbers each person’s report is about, this column among them; at least "
            "the columns named."
        ),
        low=1,
        high=D_MOST,
        log=True,
    )
    protocol: NumberProtocol = parameters.param(
        Piecewise(), parameters.OneOf(N_("Protocol"), family=lambda: NUMBERS)
    )
    value: float | None = parameters.param(
        None,
        parameters.Maybe(
            N_("One person’s value"),
            N_("What the person holds whose report is drawn."),
            inner=parameters.Real("", low=-WIDEST, high=WIDEST),
            empty=N_("from the bounds"),
        ),
    )
    case: str = choice(
        "worst",
        N_("Errors for"),
        N_("The worst values that the people could hold, or those of this column."),
        options=CASES,
    )
    measure: str = choice(
        "half_width",
        N_("Error"),
        N_("How the error of the estimated mean is summed up."),
        options=MEASURES,
        own=True,
    )
    confidence: float = shared.confidence()
    trials: int = shared.trials(
        1_000, N_("How many simulated surveys make the histogram."), 100, 10_000, N_("Surveys")
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth()

    def agree(self) -> None:
        if self.ranges and len(self.ranges) != len(self.more):
            text = N_(
                "There {columns:is|are} {columns} further {columns:column|columns} and {ranges:# "
                "pair|# pairs} of bounds. Write one pair for each."
            )
            raise parameters.ParamError(
                "ranges", say(text, columns=len(self.more), ranges=len(self.ranges))
            )
