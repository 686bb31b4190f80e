"""Parameters of labs about a series of answers: equal ones, or a list of different ones."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.release_list import Entry, Releases
from dpstudio.privacy.accounting import K_CLOSED
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Integer, OneOf, Real, param

GIVEN = {"equal": N_("k equal answers"), "list": N_("a list of answers")}
EQUAL, LIST = ("given", "equal"), ("given", "list")
STARTED = "3 x laplace 0.1 | gaussian 0.5 1e-6 | (laplace 0.2 + laplace 0.3)"
MECHANISM = OneOf(N_("Mechanism"), family=lambda: MECHANISMS)
ANSWERS = Integer(
    N_("Answers k"),
    N_("How many such answers are published in all."),
    low=1,
    high=K_CLOSED,
    log=True,
)
RELEASES = Releases(
    N_("Releases"),
    N_(
        "Each as: how many x mechanism ε δ. “sampled 0.01” behind one draws everybody with that "
        "chance first. Brackets hold disjoint parts of the table, joined by +. "
        "“locked” at the end keeps a release as it is. All are fixed before the first is seen."
    ),
)
DELTA_PRIME = Real(
    N_("δ′"),
    N_(
        "What composition may add to the δ of the answers, once for all of them; 0 for nothing "
        "beyond theirs."
    ),
    low=1e-12,
    high=0.1,
    log=True,
    zero=True,
)
DRAWN_TO = Integer(
    N_("Draw k up to"), N_("How far the charts reach, at least."), low=10, high=K_CLOSED, log=True
)


class Series(Lab):
    """Which answers are given one after another, and what composition may add to their δ."""

    counts_persons = True

    given: str = choice(
        "equal", N_("Answers"), N_("Equal ones, or a list of different ones."), options=GIVEN
    )
    mechanism: Additive = param(Laplace(epsilon=1.0), MECHANISM, active_when=EQUAL)
    answers: int = param(500, ANSWERS, active_when=EQUAL)
    releases: tuple[Entry, ...] = param(STARTED, RELEASES, active_when=LIST)
    delta_prime: float = param(1e-5, DELTA_PRIME)
    adjacency: str = shared.adjacency()
    view_k: int = param(120, DRAWN_TO, active_when=EQUAL)
