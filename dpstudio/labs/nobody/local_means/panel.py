"""The side panel of the lab Local means: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Line, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("protocol.epsilon", Says("odds")), pinned=True),
    Section(
        N_("Question"),
        (
            "query.column",
            Line(((N_("clipped to"), "query.low", 7), (N_("to"), "query.high", 7))),
            "query.attested",
            "query.where",
            Says("asked", "muted"),
            Says("clipped", "muted"),
        ),
    ),
    Section(N_("Protocol"), ("protocol", Says("turn", "muted"))),
    Section(
        N_("Spent"),
        (Says("neighbours", "muted"), Says("crossing_0", "muted"), Says("crossing_1", "muted")),
    ),
    Section(N_("One person’s report"), ("value",)),
    Section(
        N_("Several numbers"),
        (
            "dims",
            "more",
            "ranges",
            Says("several_local_laplace", "muted"),
            Says("several_duchi", "muted"),
        ),
    ),
    Section(
        N_("Error"), ("case", Says("hidden", "muted"), "measure", "confidence", Says("seldom"))
    ),
    Section(N_("Drawing"), ("show_truth", "trials", "seed")),
)
