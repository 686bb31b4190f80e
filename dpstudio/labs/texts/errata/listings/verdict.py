"""What an audit says about a listing: the ε that draws prove of the channel as printed, and of the
corrected one."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio.charts.figure import Axis, Figure, Layer, Line, Rule, nice_above
from dpstudio.labs.audit_bounds import SOURCE, bounds_by_draws, found_bound
from dpstudio.labs.texts.errata.listings.erratum import (
    CORRECTED,
    PRINTED,
    Draws,
    Row,
    Verdict,
    corrected,
    printed,
)
from dpstudio.privacy.attacks.audit import Trial, ceiling, growing
from dpstudio.privacy.attacks.draws import scores
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.values.messages import N_, Num, Say, say

CONFIDENCE = 0.95
_SPLIT = 0.5


@dataclass(frozen=True)
class Audited:
    """A channel with its audits: `steps` with more and more of the draws, the last one with all."""

    subject: Subject
    steps: tuple[Trial, ...]

    @property
    def claim(self) -> float:
        return self.subject.claim[0]

    @property
    def bound(self) -> float:
        """The lower bound on ε from all draws."""
        return self.steps[-1].bound(CONFIDENCE, 0.0)

    @property
    def exposed(self) -> bool:
        return self.bound > self.claim

    @property
    def ceiling(self) -> float:
        """The largest bound that so many draws can give."""
        return ceiling(self.steps[-1].tests, CONFIDENCE, 0.0)


def audited(draws: Draws, subject: Subject) -> Audited:
    """Audits of a pure local channel, half of the draws choosing the event, on the draws that the
    Audit lab makes at this seed."""

    def steps() -> tuple[Trial, ...]:
        both = scores(subject, "loss", draws.seed, draws.trials)
        return growing((both[0], both[1]), _SPLIT, 0.0)

    return Audited(subject, draws.remember(("verdict", subject, draws.seed, draws.trials), steps))


def verdict(draws: Draws, was: Subject, now: Subject) -> Verdict:
    """The channel of the text beside the right one; a lower bound never clears a mechanism, and the
    words keep to that."""
    before, after = audited(draws, was), audited(draws, now)
    values = {
        "was": found_bound(before.bound, before.claim), "now": found_bound(after.bound, after.claim), "claim": Num(before.claim, 4),
        "trials": Num(draws.trials), "most": Num(before.ceiling, 3, "up"), "confidence": Num(CONFIDENCE, percent=True),
    }  # fmt: skip
    tone = "bad" if before.exposed and was.broken else "warn" if was.broken else ""
    if tone == "bad":
        text = N_(
            "An audit proves it: {trials} draws show ε ≥ {was} at {confidence} where {claim} is "
            "declared; corrected ε ≥ {now}."
        )
    elif was.broken and before.ceiling < before.claim:
        text = N_(
            "An audit of {trials} draws cannot prove it: they show ε ≥ {was}, with {claim} "
            "declared, and {most} at the most."
        )
    elif was.broken:
        text = N_(
            "An audit of {trials} draws misses it: they show only ε ≥ {was} at {confidence}, with "
            "{claim} declared."
        )
    elif not before.exposed and was == now:
        text = N_(
            "An audit finds nothing against the declared ε = {claim}: {trials} draws show ε ≥ "
            "{was}. Reports are as they should be."
        )
    elif before.exposed:
        text = N_(
            "A false alarm, as {confidence} leaves room for: {trials} draws show ε ≥ {was}, and "
            "{claim} is declared and kept."
        )
    else:
        text = N_(
            "An audit finds nothing against the declared ε = {claim}: {trials} draws show ε ≥ "
            "{was}, and corrected ε ≥ {now}."
        )
    row = Row(
        "audit", say("an audit of {trials} draws proves", **values), _least(before), _least(after)
    )
    return Verdict(was, now, _chart(before, after), row, Say(text, values), tone)


def _least(found: Audited) -> Say:
    return say("ε ≥ {bound}", bound=found_bound(found.bound, found.claim))


def _chart(before: Audited, after: Audited) -> Figure:
    curves = [bounds_by_draws(found.steps, CONFIDENCE, 0.0) for found in (before, after)]
    claims: tuple[Layer, ...]
    if before.claim == after.claim:
        claims = (
            Rule(
                "claim",
                "target",
                say("declared ε = {claim}", claim=Num(before.claim, 4)),
                before.claim,
                axis="y",
            ),
        )
    else:
        claims = tuple(
            Rule(
                f"{side}claim",
                ink,
                say("declared ε = {claim}", claim=Num(found.claim, 4)),
                found.claim,
                axis="y",
                dash="dot",
            )
            for side, ink, found in ((PRINTED, "bad", before), (CORRECTED, "good", after))
        )
    lines: list[Line] = [
        corrected("audit", say("corrected"), *curves[1]),
        printed("audit", say("as printed"), *curves[0]),
    ]
    return Figure(
        "audit",
        say("What an audit proves"),
        Axis(say("draws on each side"), log=True, range=(150.0, 2.4e4)),
        Axis(
            say("lower bound on ε"),
            range=(
                0.0,
                nice_above(1.15 * max(before.claim, after.claim, before.bound, after.bound, 0.01)),
            ),
        ),
        (*claims, *lines),
        say(
            "{confidence} confidence; above what is declared a promise is broken",
            confidence=Num(CONFIDENCE, percent=True),
        ),
        simulated=True,
        source=SOURCE,
    )
