"""The side panel of a survey in the room."""

from dpstudio.labs.panel import Design, Line, OpensRoom, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("offered", Says("misled", "muted")), pinned=True),
    Section(
        N_("Question"),
        ("asked", "part", OpensRoom(N_("Open a room …"), N_("Phones of this network answer it"))),
    ),
    Section(
        N_("Reports"), ("source", Says("waits"), Says("unread"), Says("invented", "muted"), "seed")
    ),
    Section(
        N_("Target"),
        (
            Line(((N_("within ±"), "aim", 4), (N_("at"), "confidence", 4))),
            Says("estimate"),
            Says("weighted", "muted"),
            Says("trusted", "muted"),
            Says("rows", "muted"),
        ),
    ),
)
