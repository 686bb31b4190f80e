"""As printed: where the texts' formulas or code are wrong, both versions are drawn and told
apart."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.promise.printed import ABOUT
from dpstudio.labs.promise.printed.listings import ERRATA, Erratum
from dpstudio.labs.promise.printed.listings.calibration import HistogramEpsilon
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param

VIEWS = {"both": N_("both"), "printed": N_("as printed"), "corrected": N_("corrected")}


class Printed(Lab, about=ABOUT):
    """One erratum: the printed curve, the corrected one, what is wrong, what follows, and the proof
    where a promise breaks."""

    erratum: Erratum = param(
        HistogramEpsilon(),
        OneOf(N_("Text"), N_("Which formula or listing."), family=lambda: ERRATA, apart=True),
    )
    view: str = choice(
        "both",
        N_("Show"),
        N_("The printed version, the corrected one, or both."),
        options=VIEWS,
        look=True,
    )
    trials: int = shared.trials(
        4000, N_("How many simulated outputs, where any are drawn."), 500, 20_000
    )
    seed: int = shared.seed()
