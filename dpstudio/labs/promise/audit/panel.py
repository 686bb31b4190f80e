"""The side panel of the lab Audit: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Audited"), ("subject", Says("what", "muted"))),
    Section(N_("Test"), ("events", "split", "confidence", Says("method", "muted"))),
    Section(N_("Drawing"), ("trials", Says("ceiling", "muted"), "seed")),
)
