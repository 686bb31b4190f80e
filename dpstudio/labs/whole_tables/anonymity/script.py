"""The script of the lab Anonymity: that of the way in which its classes are made."""

from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.ways.boxes import Mondrian
from dpstudio.labs.whole_tables.anonymity.ways.boxes_script import boxes_script
from dpstudio.values.messages import N_, say

_SEARCHED = N_(
    "A search among the heights of hierarchies is longer than a script that teaches. Choose boxes "
    "that are halved."
)


def script(lab: Anonymity, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    if not isinstance(lab.algorithm, Mondrian):
        raise NoScript(say(_SEARCHED))
    return boxes_script(lab.algorithm, lab, lab.promise, lab.weights, known)
