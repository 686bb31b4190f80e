"""Inversion: what a class looks like, found from how sure a classifier is."""

from __future__ import annotations

from dpstudio.labs.attacks.inversion import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Integer, param


class Inversion(Lab, about=ABOUT):
    """A picture of a class from confidences. No row of the table is read."""

    digit: int = param(
        0, Integer(N_("Digit"), N_("The class whose picture is found."), low=0, high=9), look=True
    )
    passes: int = param(
        20,
        Integer(N_("Rounds"), N_("In each, all pixels are tried once."), low=1, high=200, log=True),
    )
