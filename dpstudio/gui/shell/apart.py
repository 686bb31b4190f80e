"""Two pages among those of labs that are none: nothing on them is simulated, and what they show is
no state of a session."""

from dpstudio.labs import About
from dpstudio.values.messages import N_

RELEASE = About(
    key="release",
    label=N_("Release"),
    asks=N_("What leaves, and what does it cost?"),
    help=N_("A plan is paid for from a ledger, and its lines are drawn and published for good."),
    useful=N_("Stewards: a plan, a table and a ledger become numbers with a certificate."),
    question="publish",
)
LEDGER = About(
    key="ledger",
    label=N_("Ledger"),
    asks=N_("What left before, and how much budget is left?"),
    help=N_("What was asked of a population, what it cost, and whether a certificate is of it."),
    useful=N_("Stewards and whoever checks them: open a ledger, verify a certificate."),
    question="publish",
)
