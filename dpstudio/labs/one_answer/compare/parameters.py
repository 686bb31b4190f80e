"""Compare: several mechanisms on one question at the same guarantee, and which of them wins."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.one_answer.compare import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.queries import Query
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Several, param


def _mechanisms() -> dict[str, str]:
    return {m.key: m.label for m in MECHANISMS}


class Compare(Lab, about=ABOUT):
    """Chosen mechanisms on one question, all with the same ε (and δ, for those that need one)."""

    query: Query = shared.query()
    mechanisms: tuple[str, ...] = param(
        ("laplace", "geometric", "staircase", "gaussian", "textbook"),
        Several(N_("Mechanisms"), N_("Those that are compared."), options=_mechanisms),
        in_caption=True,
    )
    epsilon: float = param(1.0, EPSILON)
    delta: float = param(1e-5, DELTA)
    focus: str = choice(
        "laplace",
        N_("Look at"),
        N_("Whose answers are drawn on your data; a click on a lane sets it too."),
        options=_mechanisms,
        look=True,
    )
    adjacency: str = shared.adjacency()
    confidence: float = shared.confidence()
    measure: str = shared.measure(
        N_("How error is summed up, and by what the winner is judged."), "mean_abs"
    )
    post_processing: str = shared.post_processing()
    part: int = shared.part()
    largest: bool = shared.largest()
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth()
