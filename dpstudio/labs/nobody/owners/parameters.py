"""Many owners: scatter matrices from encrypted shares, or one count by whom its people trust."""

from dataclasses import replace

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.nobody.owners import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.owners.shares import BITS_MOST
from dpstudio.values import parameters
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_

KEYS = {"1024": N_("1,024 bits, as published"), "2048": N_("2,048 bits")}
SCATTERS = {
    "pca": N_("all rows (PCA)"),
    "mcdo": N_("mixed classes (DCA)"),
    "scdo": N_("one class each (DCA)"),
}
OPERATIONS = {"sum": N_("sum"), "average": N_("average"), "order": N_("order of the cells")}
BITS_LEAST = 4


class Looks(parameters.Parameters):
    """Base of what is looked at."""


class Sharing(Looks):
    """Owners of rows send encrypted shares; a user adds them, and a key holder opens what is
    blinded."""

    key = "sharing"
    label = N_("Encrypted shares")

    scatter: str = choice(
        "mcdo",
        N_("Shares of"),
        N_(
            "What each owner has. Shares of all rows add up to one scatter matrix; shares by "
            "classes to those within and between classes."
        ),
        options=SCATTERS,
    )
    features: tuple[str, ...] = parameters.param(
        ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week"),
        WordLines(
            N_("Columns"),
            N_("One a line: numbers by their public bounds, and 0 or 1 for each word."),
            empty=N_("all columns of numbers"),
            purpose="feature",
        ),
    )
    classes: str = parameters.param(
        "income",
        parameters.Column(
            N_("Classes"), N_("What the discriminant components tell apart."), purpose="label"
        ),
        active_when=("scatter", "mcdo", "scdo"),
    )
    owners: int = integer(
        10,
        N_("Owners"),
        N_("Among how many the rows are dealt out."),
        low=2,
        high=200,
        active_when=("scatter", "pca", "mcdo"),
        leads=True,
    )
    modulus: str = choice(
        "2048",
        N_("Key"),
        N_("How long Paillier’s key is. From 2,048 bits on it is one that is in use."),
        options=KEYS,
    )
    bits: int = integer(
        24,
        N_("Binary digits after the point"),
        N_("How finely shares are rounded to whole numbers before they are encrypted."),
        low=BITS_LEAST,
        high=BITS_MOST,
    )


class Asking(Looks):
    """One query over the sealed tables of several owners: who submits, grants, requests, runs and
    is answered."""

    key = "asking"
    label = N_("One query over sealed tables")

    operation: str = choice(
        "sum",
        N_("Asked for"),
        N_("What is worked out on cells that the server cannot read."),
        options=OPERATIONS,
    )
    column: str = parameters.param(
        "hours-per-week", parameters.Column(N_("Column"), N_("A column of numbers."), numeric=True)
    )
    owners: int = integer(
        3, N_("Owners"), N_("Among how many the rows are dealt out."), low=2, high=20, leads=True
    )


class Trusting(Looks):
    """One count of n people at equal ε and δ: with a trusted curator, with noise in parts, with a
    shuffler, with nobody."""

    key = "trusting"
    label = N_("One count, by whom one trusts")

    epsilon: float = parameters.param(1.0, EPSILON)
    # About people who are counted here, not about the rows of the table.
    delta: float = parameters.param(1e-6, replace(DELTA, editor=""))
    people: int = integer(
        10_000, N_("People"), N_("How many people are counted."), low=10, high=1_000_000, log=True
    )
    colluding: float = parameters.param(
        0.2,
        parameters.Share(
            N_("Colluding"),
            N_("The share of people who may join to take their own parts of the noise off again."),
            low=0,
            high=0.9,
            percent=True,
        ),
    )
    below: float = real(
        0.01,
        N_("Good enough"),
        N_("The error, as a share of the people, from which on a count is good enough."),
        low=0.0001,
        high=0.5,
        log=True,
        percent=True,
    )


class Owners(Lab, about=ABOUT):
    """The exchange of encrypted shares, which is exact and not differentially private, or what a
    count costs by whom its people trust."""

    own_budget = True

    looks: Looks = parameters.param(
        Sharing(),
        parameters.OneOf(N_("Look at"), family=lambda: [Sharing, Asking, Trusting], apart=True),
    )
    seed: int = shared.seed(
        N_("The same seed takes the same rows to learn from."), plays=("drawn", True)
    )
    show_truth: bool = shared.show_truth(
        N_("Hides all that is worked out of rows: it is exact."),
        N_("Show exact results"),
        plays=("of_rows", True),
    )

    @property
    def drawn(self) -> bool:
        """Whether anything is drawn: the rows that are learnt from."""
        return isinstance(self.looks, Sharing)

    @property
    def of_rows(self) -> bool:
        """Whether rows of the table are looked at."""
        return isinstance(self.looks, Sharing | Asking)
