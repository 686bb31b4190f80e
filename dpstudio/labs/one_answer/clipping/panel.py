"""The side panel of the lab Clipping: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, TO_EXPLORE, TO_PLAN, Design, Line, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon",), pinned=True),
    Section(N_("Question"), ("statistic", "column", "where", *PERSONS)),
    Section(
        N_("Bounds"),
        (
            Line(((N_("clipped to"), "low", 7), (N_("to"), "high", 7))),
            "attested",
            Says("found", "warn", sets="high", value="best"),
            TO_EXPLORE,
        ),
    ),
    Section(
        N_("Along the axis"),
        (Says("keeps", "muted"), "moving", "n_public", "centred", "centre", TO_PLAN),
        folded=True,
    ),
    Section(N_("Mechanism"), ("mechanism", "mechanism.delta"), folded=True),
    Section(
        N_("Choose the bound privately"),
        (
            "choose",
            "choose_epsilon",
            "q",
            "grid",
            "grid_low",
            "grid_high",
            "points",
            Says("private", "muted"),
            Says("named", "muted", sets="high", value="chosen"),
        ),
        folded=True,
    ),
    Section(N_("Drawing"), ("sampling", "show_truth", "trials", "seed"), folded=True),
)
