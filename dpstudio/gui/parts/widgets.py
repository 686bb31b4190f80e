"""The old names of the parts; nothing but imports. It goes when nobody imports from here."""

from dpstudio.gui.parts.boxes import Box, Lines, Slide, combo
from dpstudio.gui.parts.buttons import Chips, Segments, packed, plain_text
from dpstudio.gui.parts.labels import Complaint, Elided, Live, label, restyle, retone
from dpstudio.gui.parts.tabs import order_tabs

__all__ = [
    "Box",
    "Chips",
    "Complaint",
    "Elided",
    "Lines",
    "Live",
    "Segments",
    "Slide",
    "combo",
    "label",
    "order_tabs",
    "packed",
    "plain_text",
    "restyle",
    "retone",
]
