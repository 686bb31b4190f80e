"""Explore: one question, one mechanism, and what they give, cost and hide."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.one_answer.explore import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.labs.question import clipped_statistic
from dpstudio.privacy.accounting.accountant import DELTA_PRIME, K_MOST
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import Query
from dpstudio.values.fields import choice, flag, integer, real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param


class Explore(Lab, about=ABOUT):
    """A query answered through a mechanism: simulated answers, the exact error law, the trade and
    the cost of many."""

    query: Query = shared.query()
    mechanism: Additive = shared.mechanism(Laplace(epsilon=0.1))
    adjacency: str = shared.adjacency()
    compare_with: str = choice(
        "gaussian",
        N_("Compare with"),
        N_("Another mechanism at the same ε, drawn dashed."),
        options=lambda: {"none": N_("nothing"), **{m.key: m.label for m in MECHANISMS}},
        look=True,
        beside="mechanism",
    )
    confidence: float = shared.confidence()
    measure: str = shared.measure(N_("How error is summed up in the trade."))
    relative: bool = flag(False, N_("Relative"), N_("Errors as a share of the answer."))
    target: float = real(
        1.0,
        N_("Target"),
        N_("Answers should be within ± this of the exact one."),
        low=1e-6,
        high=1e12,
    )
    target_unit: str = choice(
        "percent",
        N_("Target in"),
        options={"percent": N_("%"), "absolute": N_("units"), "each": N_("% of each")},
    )
    answers: int = integer(
        100,
        N_("Answers k"),
        N_("How many such answers are published in all."),
        low=1,
        high=K_MOST,
        log=True,
    )
    delta_prime: float = param(1e-5, DELTA_PRIME)
    part: int = shared.part(
        N_("Which part of a histogram is looked at closely, counted from 0; −1 is the largest.")
    )
    largest: bool = shared.largest()
    dots: int = integer(
        50,
        N_("Dots"),
        N_("How many equally likely answers are drawn."),
        low=10,
        high=200,
        look=True,
    )
    trials: int = shared.trials(
        100_000, N_("How many simulated answers make the histogram."), low=1_000, high=1_000_000
    )
    seed: int = shared.seed()
    post_processing: str = shared.post_processing()
    show_truth: bool = shared.show_truth()

    @property
    def clipped(self) -> bool:
        """Whether what is asked has bounds that the lab Clipping knows how to choose."""
        return clipped_statistic(self.query) is not None
