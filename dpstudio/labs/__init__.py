"""The catalogue of labs: the pages of the studio, each by its folder; the first one opens. They are
listed by the question that they answer, in the order of the window. A lab is imported when it is
shown."""

from dpstudio.labs.page import About, Group, Lab, about
from dpstudio.values.messages import N_

LABS: list[About] = [
    about("one_answer.explore"),
    about("one_answer.compare"),
    about("one_answer.clipping"),
    about("one_answer.sensitivity"),
    about("one_answer.selection"),
    about("one_answer.dimension"),
    about("many_answers.composition"),
    about("many_answers.averaging"),
    about("promise.guarantee"),
    about("promise.printed"),
    about("promise.audit"),
    about("promise.float_leak"),
    about("attacks.differencing"),
    about("attacks.reconstruction"),
    about("attacks.membership"),
    about("attacks.linkage"),
    about("attacks.inversion"),
    about("nobody.survey"),
    about("nobody.room"),
    about("nobody.local_counts"),
    about("nobody.local_means"),
    about("nobody.local_learning"),
    about("nobody.owners"),
    about("models.learn"),
    about("models.clusters"),
    about("models.components"),
    about("whole_tables.synthesis"),
    about("whole_tables.risk"),
    about("whole_tables.anonymity"),
    about("whole_tables.masking"),
    about("whole_tables.rules"),
    about("whole_tables.compress"),
    about("start.stories"),
]

# The groups of the window, in order; a lab says in which one it stands. One without a lab is not
# shown.
QUESTIONS: dict[str, Group] = {
    "start": Group(N_("Start"), N_("What am I here for?")),
    "one_answer": Group(N_("One answer"), N_("How wrong is it?")),
    "many_answers": Group(N_("Many answers"), N_("What do they cost together?")),
    "promise": Group(N_("The promise"), N_("What can be learnt about a person?")),
    "attacks": Group(N_("Attacks"), N_("What would somebody try?")),
    "nobody": Group(N_("Nobody is trusted"), N_("What if no one may hold the table?")),
    "models": Group(N_("Models"), N_("What does ε cost a model?")),
    "whole_tables": Group(N_("Whole tables"), N_("May a table be handed on?")),
}

__all__ = ["LABS", "QUESTIONS", "About", "Group", "Lab"]
