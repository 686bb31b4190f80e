"""The side panel of the lab Local learning: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("protocol.epsilon", Says("odds")), pinned=True),
    Section(N_("What is learnt"), ("predicts", "features", Says("rows", "muted")), folded=True),
    Section(N_("Protocol"), ("protocol", "reports", Says("spent", "muted"))),
    Section(
        N_("For a target"),
        ("wanted", Says("wanted_epsilon", "muted", sets="protocol.epsilon", value="own")),
        folded=True,
    ),
    Section(
        N_("Numbers"),
        ("numbers", "edges", "bins", "number", Says("hidden_class", "muted")),
        folded=True,
    ),
    Section(
        N_("Components"),
        ("reduction", "components", "source_of", "share", Says("apart", "muted")),
        folded=True,
    ),
    Section(
        N_("Estimates"),
        ("floor", "confidence", "part", "test", Says("tested", "muted")),
        folded=True,
    ),
    Section(N_("Drawing"), ("show_truth", "runs", "seed"), folded=True),
)
