"""Decide: one question in words, one dial, and whose promises stand beside it."""

from typing import ClassVar

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.start.decide import ABOUT
from dpstudio.privacy.deployments import MODELS, UNITS
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import Query
from dpstudio.values.lists import Several
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param


class Decide(Lab, about=ABOUT):
    """A question answered with Laplace noise at one ε, for whoever has never heard of it."""

    # What nobody who decides wants to be asked: how the answer is judged.
    confidence: ClassVar[float] = 0.95
    measure: ClassVar[str] = "half_width"
    post_processing: ClassVar[str] = "none"
    largest: ClassVar[bool] = False
    # Opens at 1, whatever ε was tried elsewhere; a question is taken over.
    own_budget: ClassVar[bool] = True

    query: Query = shared.query()
    mechanism: Additive = param(
        Laplace(1.0), OneOf(N_("Mechanism"), family=lambda: (Laplace,)), own=True
    )
    adjacency: str = shared.adjacency()
    units: tuple[str, ...] = param(
        tuple(UNITS),
        Several(
            N_("Who is protected"),
            N_("Deployments are drawn that protect one of these."),
            options=UNITS,
            least=0,
        ),
        look=True,
    )
    models: tuple[str, ...] = param(
        tuple(MODELS),
        Several(
            N_("Who holds the rows"),
            N_("Deployments are drawn in which the rows are held so."),
            options=MODELS,
            least=0,
        ),
        look=True,
    )
    part: int = shared.part()
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth()
