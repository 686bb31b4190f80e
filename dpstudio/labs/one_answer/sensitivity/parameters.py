"""Sensitivity: which neighbour moves an answer most, by how much, and what that costs in noise."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.one_answer.sensitivity import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.queries import Query
from dpstudio.privacy.queries.several import Counts
from dpstudio.values.fields import choice, flag
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param

MEASURED_PLACES = {"0": N_("the first"), "1": N_("the second"), "2": N_("the third")}


class SensitivityLab(Lab, about=ABOUT):
    """The sensitivity inspector. Only the last chart reads the rows; all else follows from the
    question and its bounds."""

    query: Query = shared.query(Counts())
    adjacency: str = shared.adjacency()
    measured: str = choice(
        "0",
        N_("Measurement"),
        N_("Which measurement is looked at, where an answer is made of several."),
        options=MEASURED_PLACES,
    )
    epsilon: float = param(1.0, EPSILON)
    delta: float = param(1e-5, DELTA)
    show_truth: bool = flag(
        True,
        N_("Show the people of this table"),
        N_("How far each of them moves the answer: not private."),
    )
