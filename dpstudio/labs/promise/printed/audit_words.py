"""What an audit says about a listing."""

from dpstudio.labs.audit_bounds import found_bound
from dpstudio.labs.findings import Sentence
from dpstudio.labs.promise.printed.audits import Verdict
from dpstudio.labs.promise.printed.listings.erratum import Row
from dpstudio.values.messages import N_, Message, Num, say


def audit_row(found: Verdict) -> Row:
    """What draws prove of both channels."""
    was, now = (
        say("ε ≥ {bound}", bound=found_bound(one.bound, one.claim))
        for one in (found.was, found.now)
    )
    return Row(
        "audit",
        say("an audit of {trials} {trials:draw|draws} proves", trials=Num(found.trials)),
        was,
        now,
    )


def audit_sentence(found: Verdict) -> Sentence:
    """The verdict; a lower bound never clears a mechanism, and the words keep to that."""
    was, now = found.was, found.now
    values = {
        "was": found_bound(was.bound, was.claim),
        "now": found_bound(now.bound, now.claim),
        "claim": Num(was.claim, 4),
        "trials": Num(found.trials),
        "most": Num(was.ceiling, 3, "up"),
        "confidence": Num(found.confidence, percent=True),
    }
    return Sentence("verdict", Message(_verdict(found), values), found.tone)


def _verdict(found: Verdict) -> str:
    was = found.was
    if found.tone == "bad":
        return N_(
            "An audit proves it: {trials} {trials:draw shows|draws show} ε ≥ {was} at {confidence} "
            "where {claim} is declared; corrected ε ≥ {now}."
        )
    if found.tone and was.ceiling < was.claim:
        return N_(
            "An audit of {trials} {trials:draw cannot prove it: it shows|draws cannot prove it: "
            "they show} ε ≥ {was}, with {claim} declared, and {most} at the most."
        )
    if found.tone:
        return N_(
            "An audit of {trials} {trials:draw misses it: it shows|draws misses it: they show} "
            "only ε ≥ {was} at {confidence}, with {claim} declared."
        )
    if was.exposed:
        return N_(
            "A false alarm, as {confidence} leaves room for: {trials} {trials:draw shows|draws "
            "show} ε ≥ {was}, and {claim} is declared and kept."
        )
    if was.subject == found.now.subject:
        return N_(
            "An audit finds nothing against the declared ε = {claim}: {trials} {trials:draw "
            "shows|draws show} ε ≥ {was}. Reports are as they should be."
        )
    return N_(
        "An audit finds nothing against the declared ε = {claim}: {trials} {trials:draw "
        "shows|draws show} ε ≥ {was}, and corrected ε ≥ {now}."
    )
