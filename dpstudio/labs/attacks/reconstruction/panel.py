"""The side panel of the lab Reconstruction: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon",), pinned=True),
    Section(N_("Attack"), ("attacker", Says("what", "muted"))),
    Section(N_("Mechanism"), ("mechanism", "mechanism.delta"), needs="picked", folded=True),
    Section(N_("Drawing"), ("confidence", "seed"), folded=True),
)
