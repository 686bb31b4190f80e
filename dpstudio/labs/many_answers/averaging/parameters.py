"""Averaging: a series of noisy answers to one count, and whoever takes their mean."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.many_answers.averaging import ABOUT
from dpstudio.labs.series import ANSWERS, DRAWN_TO, EQUAL, MECHANISM, Series
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.parameters import param


class Averaging(Series, about=ABOUT):
    """One count asked again and again: how far the mean of the answers is off, how often it tells
    whether one person is in the table, and what the answers cost."""

    mechanism: Additive = param(Laplace(epsilon=0.5), MECHANISM, active_when=EQUAL)
    answers: int = param(100, ANSWERS, active_when=EQUAL)
    view_k: int = param(1000, DRAWN_TO, active_when=EQUAL, own=True)
    seed: int = shared.seed()
