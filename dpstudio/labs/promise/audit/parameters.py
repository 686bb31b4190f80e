"""Audit: what draws alone prove about a mechanism, as a lower bound on its ε, against what it
claims."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.promise.audit import ABOUT
from dpstudio.privacy.attacks.subject import L2Laplace, Subject
from dpstudio.privacy.attacks.subjects import SUBJECTS
from dpstudio.values.fields import choice, real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param

EVENTS = {"loss": N_("the largest privacy loss"), "lines": N_("half-lines of the output")}


class Audit(Lab, about=ABOUT):
    """A mechanism is run many times on D and on D′; an event that is too likely under one of them
    proves a larger ε."""

    subject: Subject = param(
        L2Laplace(),
        OneOf(
            N_("Audited"),
            N_("A right mechanism or a wrong one."),
            family=lambda: SUBJECTS,
            apart=True,
        ),
    )
    trials: int = shared.trials(
        100_000, N_("How often it is run on D, and as often on D′."), 1_000, 1_000_000, N_("Draws")
    )
    confidence: float = real(
        0.95,
        N_("Confidence"),
        N_("How rarely the bound may be wrong: in at most 5 % of audits at 95 %."),
        low=0.5,
        high=0.9999,
        percent=True,
    )
    events: str = choice(
        "loss",
        N_("Events"),
        N_(
            "What the auditor looks at: likelihood ratios, which need the law, or the size of "
            "the output."
        ),
        options=EVENTS,
    )
    split: float = real(
        0.5,
        N_("Share that chooses"),
        N_("This part of the draws chooses the event; the others test it."),
        low=0.1,
        high=0.9,
    )
    seed: int = shared.seed()

    @property
    def method(self) -> Subject:
        """What is audited."""
        return self.subject
