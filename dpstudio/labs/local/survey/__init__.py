"""The lab Survey."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="survey",
    label=N_("Survey"),
    help=N_(
        "One embarrassing question, answered with coins: what the answers mean, and how many "
        "people it takes."
    ),
    folder="local.survey",
    name="Survey",
    question="nobody",
)
