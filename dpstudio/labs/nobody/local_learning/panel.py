"""The side panel of the lab Local learning: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("protocol.epsilon", Says("odds")), pinned=True),
    Section(N_("What is learnt"), ("predicts", "features", Says("rows", "muted"))),
    Section(N_("Protocol"), ("protocol", "reports", Says("spent", "muted"))),
    Section(N_("Numbers"), ("numbers", "edges", "bins", "number", Says("hidden_class", "muted"))),
    Section(
        N_("Components"), ("reduction", "components", "source_of", "share", Says("apart", "muted"))
    ),
    Section(
        N_("An ε of their own"),
        ("careful", "careful_share", "careful_epsilon", "combine", Says("mixed")),
    ),
    Section(N_("Estimates"), ("floor", "confidence", "part")),
    Section(N_("Test"), ("test", Says("tested", "muted"))),
    Section(N_("Drawing"), ("show_truth", "runs", "seed")),
)
