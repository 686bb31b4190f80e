"""The lab A survey in the room."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="room",
    label=N_("Room"),
    asks=N_("What does the room say, if nobody tells what they think?"),
    help=N_(
        "A survey that people answer on their own phones: each adds the noise before anything is "
        "sent, at an ε of their own."
    ),
    useful=N_("Lecturers with a room of phones: write the question, then open the room."),
    question="nobody",
    rooms=True,
)
