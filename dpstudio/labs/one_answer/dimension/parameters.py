"""Dimension: which noise errs least as one answer grows from 1 to 10,000 coordinates."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.one_answer.dimension import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import additive, l2norm, laplace
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.values.fields import choice, integer
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Several, param

KINDS: dict[str, type[additive.Additive]] = {
    kind.key: kind for kind in (laplace.Laplace, AnalyticGaussian, TextbookGaussian, l2norm.L2Norm)
}
MEASURES = {
    "deviation": N_("Standard deviation"),
    "mean_abs": N_("Mean absolute error"),
    "length": N_("Length of the whole error"),
    "largest": N_("Largest error"),
}
GROWTHS = {"all": N_("every coordinate"), "one": N_("one coordinate"), "two": N_("two coordinates")}
K_MOST = 10_000


class Dimension(Lab, about=ABOUT):
    """Laplace against Gaussian (and L2-norm) noise on k coordinates of sensitivity 1: errors,
    balls, and where they meet."""

    epsilon: float = param(1.0, additive.EPSILON)
    delta: float = param(1e-5, additive.DELTA)
    k: int = integer(
        10,
        N_("Coordinates k"),
        N_("How many numbers one answer holds."),
        low=1,
        high=K_MOST,
        log=True,
        in_caption=True,
    )
    growth: str = choice(
        "all",
        N_("One person moves"),
        N_("Each by 1. Overlapping counts: every one."),
        options=GROWTHS,
        in_caption=True,
    )
    drawn: tuple[str, ...] = param(
        tuple(KINDS),
        Several(
            N_("Mechanisms"),
            N_("Which are drawn and compared."),
            options={k.key: k.label for k in KINDS.values()},
        ),
        look=True,
    )
    measure: str = choice(
        "deviation",
        N_("Error"),
        N_("How the error of one answer is summed up."),
        options=MEASURES,
        own=True,
    )
    confidence: float = shared.confidence(
        N_("The share of answers whose largest error is within the bound.")
    )
