"""Inversion: what a class looks like, found from how sure a classifier is."""

from dpstudio.labs.attacks.inversion import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_


class Inversion(Lab, about=ABOUT):
    """A picture of a class from confidences. No row of the table is read."""

    digit: int = integer(
        0, N_("Digit"), N_("The class whose picture is found."), low=0, high=9, look=True
    )
    passes: int = integer(
        20, N_("Rounds"), N_("In each, all pixels are tried once."), low=1, high=200, log=True
    )
