"""The side panel of the lab As printed: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Text"), ("erratum", "view", Says("source", "muted"))),
    Section(N_("Proof"), (Says("proof_1"), Says("proof_2"), Says("proof_3"), Says("proof_4"))),
    Section(N_("Audit"), (Says("verdict"),)),
    Section(N_("Drawing"), ("trials", "seed"), drawn=True),
)
