"""The side panel of the lab Averaging: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon",), pinned=True),
    Section(
        N_("Answers"),
        (
            "given",
            "answers",
            "releases",
            Says("allowed"),
            Says("weighed", "muted"),
            Says("sampled", "muted"),
        ),
    ),
    Section(N_("Mechanism"), ("mechanism", "mechanism.delta"), folded=True),
    Section(N_("Cost"), ("delta_prime", Says("cost"), Says("needed"))),
    Section(N_("Against it"), (Says("mitigations"), Says("shared", "muted")), folded=True),
    Section(N_("Drawing"), ("view_k", "seed"), folded=True),
)
