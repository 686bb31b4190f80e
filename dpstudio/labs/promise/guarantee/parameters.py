"""Guarantee: what ε and δ mean for one person, from the exact law of the mechanism."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.promise.guarantee import ABOUT
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import Query
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.messages import N_

WORST, ROW = "worst", "row"
WHO = {WORST: N_("worst case"), ROW: N_("a row of the table")}


class Guarantee(Lab, about=ABOUT):
    """Two neighbours through one mechanism: what an attacker who sees the answer can learn about
    one person, exactly."""

    query: Query = shared.query()
    mechanism: Additive = shared.mechanism(Laplace(epsilon=1.0))
    adjacency: str = shared.adjacency()
    neighbour: str = choice(
        WORST,
        N_("Neighbour"),
        N_("Whose secret is at stake: the person who moves the answer most, or one row."),
        options=WHO,
    )
    row: int = integer(
        4,
        N_("Row"),
        N_("The row that is there or not, counted from 1."),
        low=1,
        high=10**9,
        log=True,
    )
    prior: float = real(
        0.5,
        N_("Prior"),
        N_("How sure an attacker is, before the answer, that you are in the table."),
        low=0.001,
        high=0.999,
    )
    threshold: float = real(
        0.5,
        N_("Believes above"),
        N_("How sure an attacker must be after the answer to believe that you are in the table."),
        low=0.01,
        high=0.999,
    )
    false_positives: float = real(
        0.1,
        N_("False alarms"),
        N_("How often the attacker’s test may say “in” of someone who is not in the table."),
        low=0.001,
        high=0.5,
        log=True,
    )
    people: int = integer(
        1000,
        N_("People"),
        N_("Among how many people the attacker looks for the right one."),
        low=2,
        high=10**9,
        log=True,
        own=True,
    )
    at_epsilon: float = shared.at_epsilon()
    show_truth: bool = shared.show_truth(
        N_("Where the two answers lie, and the rows of the table: not private.")
    )
