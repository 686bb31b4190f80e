"""The side panel of the lab Composition: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon",), pinned=True),
    Section(N_("Answers"), ("given", "answers", "releases")),
    Section(N_("Mechanism"), ("mechanism", "mechanism.delta"), folded=True),
    Section(N_("Composition"), ("delta_prime", "bounds")),
    Section(
        N_("Notes"),
        (
            Says("crossings", "muted"),
            Says("sampled", "muted"),
            Says("fixed", "muted"),
            Says("adaptive", "muted"),
            Says("numeric", "muted"),
        ),
        folded=True,
    ),
    Section(
        N_("At one ε"), ("at_epsilon", Says("delta"), "order", Says("divergence")), folded=True
    ),
    Section(
        N_("Budget"),
        (
            "budget",
            Says("mitigations"),
            Says("least"),
            Says("keeps", sets="releases", value="releases"),
        ),
        folded=True,
    ),
    Section(
        N_("Groups"), ("people", Says("group", "muted"), Says("parallel", "muted")), folded=True
    ),
    Section(N_("Drawing"), ("scale", "view_k"), folded=True),
)
