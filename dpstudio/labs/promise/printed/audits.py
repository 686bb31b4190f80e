"""Audits of a listing: the ε that draws prove of the channel as printed, and of the corrected
one."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio.labs.promise.printed.listings.erratum import Draws
from dpstudio.privacy.attacks.audit import Trial, ceiling, growing
from dpstudio.privacy.attacks.draws import scores
from dpstudio.privacy.attacks.subject import Subject

CONFIDENCE = 0.95
_SPLIT = 0.5


@dataclass(frozen=True)
class Audited:
    """A channel with its audits: `steps` with more and more of the draws, the last one with all."""

    subject: Subject
    steps: tuple[Trial, ...]

    @property
    def claim(self) -> float:
        """The ε that the text claims."""
        return self.subject.claim[0]

    @property
    def bound(self) -> float:
        """The lower bound on ε from all draws."""
        return self.steps[-1].bound(CONFIDENCE, 0.0)

    @property
    def exposed(self) -> bool:
        """Whether the audit proves more than that."""
        return self.bound > self.claim

    @property
    def ceiling(self) -> float:
        """The largest bound that so many draws can give."""
        return ceiling(self.steps[-1].tests, CONFIDENCE, 0.0)


@dataclass(frozen=True)
class Verdict:
    """The audits of a local channel, as printed and corrected, of `trials` draws each."""

    was: Audited
    now: Audited
    trials: int

    @property
    def confidence(self) -> float:
        """How sure both lower bounds are."""
        return CONFIDENCE

    @property
    def tone(self) -> str:
        """Whether draws prove the channel broken ("bad"), miss it ("warn"), or find nothing."""
        if not self.was.subject.broken:
            return ""
        return "bad" if self.was.exposed else "warn"


def verdict(draws: Draws, was: Subject, now: Subject) -> Verdict:
    """Audits of two pure local channels, half of the draws choosing the event, on the draws that
    the Audit lab makes at this seed."""

    def audited(subject: Subject) -> Audited:
        points = draws.effort.of_points(15)

        def steps() -> tuple[Trial, ...]:
            both = scores(subject, "loss", draws.seed, draws.trials)
            return growing((both[0], both[1]), _SPLIT, 0.0, points)

        key = ("verdict", subject, draws.seed, draws.trials, points)
        return Audited(subject, draws.remember(key, steps))

    return Verdict(audited(was), audited(now), draws.trials)
