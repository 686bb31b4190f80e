"""The side panel of the lab Disclosure risk."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(
        N_("Found by"),
        ("quasi", "sampled", Says("marketer", "muted"), Says("rows", "muted"), *PERSONS),
        pinned=True,
    ),
    Section(N_("What might be known"), ("known", Says("known"), Says("suda"))),
    Section(
        N_("The population"),
        (Says("stands", "muted"), "among", Says("journalist"), Says("population")),
        folded=True,
    ),
    Section(N_("Drawing"), ("show_truth", "seed"), folded=True),
)
