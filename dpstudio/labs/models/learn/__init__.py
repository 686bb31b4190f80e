"""The lab Learn."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="learn",
    label=N_("Learn"),
    asks=N_("What does a promise cost the model that is learnt under it?"),
    help=N_("A table becomes a model: see what a promise costs it, and where the noise goes."),
    useful=N_("Whoever trains a model on people: choose a learner, then move ε."),
    question="models",
)
