"""The side panel of the lab Local means: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Line, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("protocol.epsilon", Says("odds")), pinned=True),
    Section(
        N_("Question"),
        ("query.column", Line(((N_("clipped to"), "query.low", 7), (N_("to"), "query.high", 7)))),
    ),
    Section(N_("Protocol"), ("protocol",)),
    Section(
        N_("Who is asked"),
        ("query.attested", "query.where", Says("asked", "muted"), Says("clipped", "muted")),
        folded=True,
    ),
    Section(
        N_("Spent"),
        (
            Says("turn", "muted"),
            Says("neighbours", "muted"),
            Says("crossing_0", "muted"),
            Says("crossing_1", "muted"),
        ),
        folded=True,
    ),
    Section(N_("One person’s report"), ("value",), folded=True),
    Section(
        N_("Several numbers"),
        (
            "dims",
            "more",
            "ranges",
            Says("several_local_laplace", "muted"),
            Says("several_duchi", "muted"),
        ),
        folded=True,
    ),
    Section(
        N_("Error"),
        ("case", Says("hidden", "muted"), "measure", "confidence", Says("seldom")),
        folded=True,
    ),
    Section(N_("Drawing"), ("show_truth", "trials", "seed"), folded=True),
)
