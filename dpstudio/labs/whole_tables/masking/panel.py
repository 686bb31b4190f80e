"""The side panel of the lab Masking."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Masked by"), ("operation",), pinned=True),
    Section(N_("Table"), ("quasi", "sensitive", "among", Says("rows", "muted"), *PERSONS)),
    Section(N_("What it promises"), (Says("promise"),)),
    Section(N_("What leaves"), (Says("leaves"), Says("alone"), Says("not_dp"))),
    Section(N_("Drawing"), ("show_truth", "seed"), folded=True),
)
