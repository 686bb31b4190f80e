"""The side panel of a survey in the room."""

from dpstudio.labs.panel import Design, Line, OpensRoom, Says, Section
from dpstudio.values.messages import N_

_ROOM = OpensRoom(N_("Open a room …"), N_("Show the room"), N_("Phones of this network answer it"))
PANEL: Design = (
    Section(N_("Privacy"), ("offered", "also"), pinned=True),
    Section(N_("Question asked"), ("asked", "part", _ROOM)),
    Section(
        N_("Reports"),
        ("reports", Says("waits"), Says("rounds"), Says("unread"), Says("invented", "muted")),
    ),
    Section(
        N_("Target"),
        (
            Line(((N_("within ±"), "aim", 4), (N_("at"), "confidence", 4))),
            Says("estimate"),
            Says("largest", "muted"),
            Says("rough", "muted"),
            Says("moved", "muted"),
            Says("weighted", "muted"),
            Says("misled", "muted"),
            Says("trusted", "muted"),
            Says("rows", "muted"),
        ),
        folded=True,
    ),
    Section(
        N_("Who may do what"),
        ("rule", Line((("", "role", 0), (N_("wants to"), "operation", 0))), Says("allowed")),
        folded=True,
    ),
    Section(N_("Drawing"), ("seed",), drawn=True, folded=True),
)
