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
    about("publish.plan"),
    about("start.decide"),
    about("start.stories"),
]

# Where somebody is led who asks what ε means.
MEANING = about("start.decide")

# The groups of the window, in order; a lab says in which one it stands. One without a lab is not
# shown.
QUESTIONS: dict[str, Group] = {
    "start": Group(
        N_("Start"),
        N_("What am I here for?"),
        "M 3 9.5 L 10 3.5 L 17 9.5 M 4.5 8.5 L 4.5 16.5 L 15.5 16.5 L 15.5 8.5",
    ),
    "one_answer": Group(
        N_("One answer"),
        N_("How wrong is it?"),
        "M 2 16 C 7.5 15.5 9 10 10 4 C 11 10 12.5 15.5 18 16",
    ),
    "many_answers": Group(
        N_("Many answers"),
        N_("What do they cost together?"),
        "M 3 5 L 17 5 M 3 10 L 17 10 M 3 15 L 17 15",
    ),
    "promise": Group(
        N_("The promise"),
        N_("What can be learnt about a person?"),
        "M 3.5 4 L 16.5 4 L 16.5 9.5 C 16.5 13 14 15.5 10 17.5 C 6 15.5 3.5 13 3.5 9.5 Z",
    ),
    "attacks": Group(N_("Attacks"), N_("What would somebody try?"), "M 3 3 L 17 17 M 17 3 L 3 17"),
    "nobody": Group(
        N_("Nobody is trusted"),
        N_("What if no one may hold the table?"),
        "M 2 8 L 6 8 L 6 12 L 2 12 Z M 8 8 L 12 8 L 12 12 L 8 12 Z M 14 8 L 18 8 L 18 12 L 14 12 Z",
    ),
    "models": Group(N_("Models"), N_("What does ε cost a model?"), "M 3 3 C 4 11 8 15.5 17 16.5"),
    "whole_tables": Group(
        N_("Whole tables"),
        N_("May a table be handed on?"),
        "M 3 3 L 9 3 L 9 9 L 3 9 Z M 11 3 L 17 3 L 17 9 L 11 9 Z "
        "M 3 11 L 9 11 L 9 17 L 3 17 Z M 11 11 L 17 11 L 17 17 L 11 17 Z",
    ),
    "publish": Group(
        N_("Publish"),
        N_("What may leave, and what does it cost?"),
        "M 4 13 L 4 17 L 16 17 L 16 13 M 10 13.5 L 10 3 M 6 7 L 10 3 L 14 7",
    ),
}

__all__ = ["LABS", "MEANING", "QUESTIONS", "About", "Group", "Lab"]
