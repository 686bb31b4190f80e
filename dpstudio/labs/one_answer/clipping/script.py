"""Clipping: why it has no script."""

from dpstudio.labs.one_answer.clipping.parameters import Clipping
from dpstudio.labs.scripted import Known, NoScript, Script
from dpstudio.values.messages import N_, say

_SEARCH = N_(
    "The errors of this page are searched along all bounds, by the law of each, which is no short "
    "script. Explore asks for the same sum or mean at one pair of bounds, and has one."
)


def script(lab: Clipping, known: Known) -> Script:
    """Raises NoScript."""
    raise NoScript(say(_SEARCH))
