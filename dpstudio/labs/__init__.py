"""The catalogue of labs: the pages of the studio, each by its folder; the first one opens. They are
listed by the question that they answer. A lab is imported when it is shown."""

from dpstudio.labs.page import About, Lab, about
from dpstudio.values.messages import N_

LABS: list[About] = [
    about("central.explore"),
    about("central.compare"),
    about("central.clipping"),
    about("central.selection"),
    about("central.sensitivity"),
    about("central.dimension"),
    about("budget.composition"),
    about("budget.guarantee"),
    about("attacks.audit"),
    about("attacks.float_leak"),
    about("texts.errata"),
    about("local.survey"),
    about("local.counts"),
    about("local.means"),
    about("learning.owners"),
    about("local.room"),
    about("texts.story"),
    about("learning.learn"),
    about("learning.clusters"),
    about("learning.components"),
    about("learning.local"),
    about("synthetic.synthesis"),
    about("anonymity.anonymity"),
    about("attacks.attack"),
    about("compression.compress"),
]

# The questions that labs answer, in order; a lab says in which group it stands. One that no lab
# answers yet is not shown.
QUESTIONS: dict[str, str] = {
    "start": N_("Start"),
    "one": N_("One answer"),
    "many": N_("Many answers"),
    "promise": N_("What it promises"),
    "nobody": N_("Nobody is trusted"),
    "learning": N_("Learning"),
    "synthetic": N_("Synthetic data"),
    "anonymity": N_("Anonymity"),
    "attacks": N_("Attacks"),
    "compression": N_("Compression"),
}

__all__ = ["LABS", "QUESTIONS", "About", "Lab"]
