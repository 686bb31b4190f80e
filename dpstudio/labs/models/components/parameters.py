"""Components: the directions along which rows vary most, released under a promise."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.models.components import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.learning.partial_noise import FAMILIES
from dpstudio.privacy.learning.ways import WAYS, GaussianMatrix, Way
from dpstudio.values import parameters
from dpstudio.values.fields import choice, flag, integer, real
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_, Num, say

K_MOST, OWNERS_MOST = 20, 200
KEYS = {
    "128": N_("128 bits: a toy"),
    "1024": N_("1,024 bits"),
    "2048": N_("2,048 bits"),
    "3072": N_("3,072 bits"),
}


class Holder(parameters.Parameters):
    """Base of who has the rows."""


class OneHolder(Holder):
    """All rows lie in one place, with someone who is trusted."""

    key = "one_holder"
    label = N_("One curator")


class ManyOwners(Holder):
    """Many owners with some rows each, a proxy that adds up what is encrypted, and a user with the
    key."""

    key = "many_owners"
    label = N_("Many owners")

    owners: int = integer(
        10,
        N_("Owners"),
        N_("Among how many the rows are dealt out."),
        low=3,
        high=OWNERS_MOST,
        log=True,
    )
    bits: str = choice(
        "2048",
        N_("Key"),
        N_("How long Paillier’s key is: below 1,024 bits it is broken within hours."),
        options=KEYS,
    )
    parts: str = choice(
        "gamma",
        N_("Noise in parts"),
        N_("How owners who trust no proxy add one Laplace noise together."),
        options=FAMILIES,
    )
    colluding: int = integer(
        2,
        N_("Colluding owners"),
        N_("How many may join to take their own parts of the noise off again."),
        low=0,
        high=OWNERS_MOST - 2,
    )

    def agree(self) -> None:
        if self.colluding > self.owners - 2:
            text = N_(
                "At least two of {owners} {owners:owner|owners} must not collude: at most {most} "
                "may."
            )
            most, owners = Num(self.owners - 2), Num(self.owners)
            raise parameters.ParamError("colluding", say(text, owners=owners, most=most))


class Components(Lab, about=ABOUT):
    """Principal components from noisy second moments, noisy products or drawn directions, and what
    each keeps of the variance."""

    mechanism: Way = parameters.param(
        GaussianMatrix(), parameters.OneOf(N_("Way"), family=lambda: WAYS)
    )
    enough: float = real(
        0.95,
        N_("Enough"),
        N_("The share of the variance from which on a release is good enough."),
        low=0.5,
        high=0.999,
        percent=True,
    )
    drawn: tuple[str, ...] = parameters.param(
        tuple(way.key for way in WAYS),
        parameters.Several(
            N_("Compared"),
            N_("Which ways are drawn beside each other, at the same ε."),
            options=lambda: {way.key: way.label for way in WAYS},
        ),
        look=True,
        beside="mechanism",
        own=True,
    )
    features: tuple[str, ...] = parameters.param(
        ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week"),
        WordLines(
            N_("Columns"),
            N_("Columns of numbers, separated by |, scaled by their public bounds."),
            empty=N_("all columns of numbers"),
            purpose="feature",
        ),
        own=True,
    )
    predicts: str = parameters.param(
        "income",
        parameters.Column(
            N_("Classes"),
            N_("What rows are sorted into, to see whether the components still tell them apart."),
            purpose="label",
        ),
    )
    k: int = integer(
        2,
        N_("Directions k"),
        N_("How many components are kept."),
        low=1,
        high=K_MOST,
        own=True,
        in_caption=True,
    )
    centred: bool = flag(
        True,
        N_("About the mean"),
        N_("Directions of variance about the mean; else about the middle of the bounds."),
        own=True,
    )
    holder: Holder = parameters.param(
        OneHolder(), parameters.OneOf(N_("Rows held by"), family=lambda: [OneHolder, ManyOwners])
    )
    adjacency: str = shared.adjacency()
    trials: int = shared.trials(
        40, N_("How many draws of the noise make each band."), 20, 500, N_("Draws")
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth(
        N_("Hides all scores on this screen: they are exact."), N_("Show exact scores")
    )
