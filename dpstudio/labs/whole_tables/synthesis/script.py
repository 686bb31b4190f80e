"""The script of the lab Synthesis: that of the way in which its table is made."""

from dpstudio.data.cells import EVERYWHERE
from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.labs.whole_tables.synthesis.model import STREAM, columns_of
from dpstudio.labs.whole_tables.synthesis.parameters import TYPED, Synthesis
from dpstudio.labs.whole_tables.synthesis.ways.scripts import Asked, way_script


def script(lab: Synthesis, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    asked = Asked(
        columns_of(lab), lab.column, lab.low, lab.high, lab.epsilon, lab.adjacency, lab.bins,
        lab.missing == EVERYWHERE, lab.written if lab.size == TYPED else None, (lab.seed, STREAM),
    )  # fmt: skip
    return way_script(lab.way, asked, known)
