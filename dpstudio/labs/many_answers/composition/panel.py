"""The side panel of the lab Composition: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon",), pinned=True),
    Section(
        N_("Answers"),
        (
            "given",
            "mechanism",
            "mechanism.delta",
            "answers",
            "releases",
            Says("sampled", "muted"),
            Says("fixed", "muted"),
        ),
    ),
    Section(
        N_("Composition"),
        (
            "delta_prime",
            "bounds",
            Says("adaptive", "muted"),
            Says("crossings", "muted"),
            Says("numeric", "muted"),
            "at_epsilon",
            Says("delta"),
            "order",
            Says("divergence"),
        ),
    ),
    Section(
        N_("Budget"),
        (
            "budget",
            Says("mitigations"),
            Says("least"),
            Says("keeps", sets="releases", value="releases"),
        ),
    ),
    Section(N_("Groups"), ("people", Says("group", "muted"), Says("parallel", "muted"))),
    Section(N_("Drawing"), ("scale", "view_k")),
)
