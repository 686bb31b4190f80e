"""Local counts: how many people hold each value, when nobody trusts the collector and everyone
sends one noisy report."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.nobody.local_counts import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.local import POST, PROTOCOLS, Protocol
from dpstudio.privacy.local.post import Raw
from dpstudio.privacy.local.unary import Optimised
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.query import Query
from dpstudio.values.fields import choice, flag
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param

JUDGED = {
    "rare": N_("a value that nobody holds"),
    "part": N_("the part looked at"),
    "all": N_("all values on average"),
}


class LocalCounts(Lab, about=ABOUT):
    """One survey in which each person sends one report of one of d values: the reports, the
    estimates, and every protocol's error."""

    query: Query = param(
        Histogram(column="occupation"),
        OneOf(N_("Question"), family=lambda: [Histogram, Count]),
        own=True,
    )
    protocol: Protocol = param(Optimised(), OneOf(N_("Protocol"), family=lambda: PROTOCOLS))
    judged: str = choice(
        "rare", N_("Error of"), N_("Which count protocols are compared by."), options=JUDGED
    )
    confidence: float = shared.confidence(N_("The share of surveys that an interval keeps."))
    relative: bool = flag(False, N_("Relative"), N_("Errors as a share of the people asked."))
    post: str = choice(
        Raw.key,
        N_("Publish"),
        N_("What is done to the estimates: it costs no privacy, but it biases them."),
        options=lambda: {kind.key: kind.label for kind in POST},
    )
    part: int = shared.part(
        N_("Which value is looked at closely, counted from 0; −1 is the largest.")
    )
    trials: int = shared.trials(
        2_000, N_("How many simulated surveys make the histogram."), 240, 100_000, N_("Surveys")
    )
    seed: int = shared.seed(N_("The same seed draws the same reports."))
    show_truth: bool = shared.show_truth(
        N_(
            "Hides them on this screen. What is saved then is drawn anew, with noise from the "
            "system."
        ),
        N_("Show the exact counts"),
    )
