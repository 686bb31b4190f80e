"""The catalogue of labs: the pages of the studio, each by its folder; the first one opens. They are
listed by the question that they answer, in the order of the window. A lab is imported when it is
shown."""

from dpstudio.labs.page import About, Group, Lab, about
from dpstudio.values.messages import N_

LABS: list[About] = [
    about("central.explore"),
    about("central.compare"),
    about("central.clipping"),
    about("central.sensitivity"),
    about("central.selection"),
    about("central.dimension"),
    about("budget.composition"),
    about("budget.averaging"),
    about("budget.guarantee"),
    about("texts.printed"),
    about("attacks.audit"),
    about("attacks.float_leak"),
    about("attacks.differencing"),
    about("attacks.reconstruction"),
    about("attacks.membership"),
    about("attacks.linkage"),
    about("attacks.inversion"),
    about("local.survey"),
    about("local.room"),
    about("local.local_counts"),
    about("local.local_means"),
    about("learning.local_learning"),
    about("learning.owners"),
    about("learning.learn"),
    about("learning.clusters"),
    about("learning.components"),
    about("synthetic.synthesis"),
    about("anonymity.risk"),
    about("anonymity.anonymity"),
    about("anonymity.masking"),
    about("anonymity.rules"),
    about("compression.compress"),
    about("texts.stories"),
]

# The groups of the window, in order; a lab says in which one it stands. One without a lab is not
# shown.
QUESTIONS: dict[str, Group] = {
    "start": Group(N_("Start"), N_("What am I here for?")),
    "one": Group(N_("One answer"), N_("How wrong is it?")),
    "many": Group(N_("Many answers"), N_("What do they cost together?")),
    "promise": Group(N_("The promise"), N_("What can be learnt about a person?")),
    "attacks": Group(N_("Attacks"), N_("What would somebody try?")),
    "nobody": Group(N_("Nobody is trusted"), N_("What if no one may hold the table?")),
    "models": Group(N_("Models"), N_("What does ε cost a model?")),
    "tables": Group(N_("Whole tables"), N_("May a table be handed on?")),
}

__all__ = ["LABS", "QUESTIONS", "About", "Group", "Lab"]
