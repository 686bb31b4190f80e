"""The audit's strip, sentences and table."""

from operator import gt
from typing import Any

from dpstudio.labs.audit_bounds import found_bound
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.promise.audit import model as audit
from dpstudio.labs.promise.audit.phrases import event_words, exact_words, verdict_ink
from dpstudio.values.messages import N_, Message, Num, say

_SIDES = (N_("D"), N_("D′"))


def _confidence(model: audit.AuditModel) -> Num:
    return Num(model.lab.confidence, 4, "down", percent=True)


def facts(model: audit.AuditModel) -> tuple[Fact, ...]:
    """The strip: the bound, the claim, the exact ε, how often the event came, and what so many
    draws can show at most."""
    trial = model.trial
    here, there = (Message(_SIDES[side]) for side in (trial.event.first, 1 - trial.event.first))
    came = say("{p} : {q}", p=Num(trial.hits), q=Num(trial.others))
    which = say("{here} : {there}, of {n} each", here=here, there=there, n=Num(trial.tests))
    delta = say("at δ = {delta}", delta=Num(model.delta, 3, "up"))
    return (
        Fact(
            "bound",
            say("Lower bound"),
            say("ε ≥ {bound}", bound=found_bound(audit.bound(model), model.claim)),
            say("{confidence} confidence", confidence=_confidence(model)),
            verdict_ink(model),
            audit.bound(model),
        ),
        Fact(
            "claim",
            say("Claimed"),
            say("ε = {claim}", claim=Num(model.claim, 4)),
            delta,
            "target",
            model.claim,
        ),
        Fact("exact", say("Exact ε"), exact_words(model), delta, "truth", model.exact),
        Fact("event", event_words(model), came, which, value=(trial.hits, trial.others)),
        Fact(
            "ceiling",
            say("At most provable"),
            say("ε = {most}", most=Num(audit.most_provable(model), 3, "up")),
            say("with so many draws"),
            value=audit.most_provable(model),
        ),
    )


def sentences(model: audit.AuditModel) -> tuple[Sentence, ...]:
    """The verdict, its grounds, what is wrong, how the test was kept honest, and what it cannot
    show."""
    trial, values = model.trial, _values(model)
    chosen = say(
        "{a:# draw of each side chooses|# draws of each side choose} the event, {b} {b:other "
        "tests|others test} it: one event, tested once, so nothing is corrected for.",
        a=Num(trial.draws - trial.tests),
        b=Num(trial.tests),
    )
    most = say(
        "With {n} test {n:draw|draws} no audit can show more than ε = {most} at this confidence.",
        n=Num(trial.tests),
        most=values["most"],
    )
    by = say(
        "The bound is ln((p − δ)/q), p and q by Clopper–Pearson, each side missed with half of "
        "what the confidence leaves."
    )
    steps = say(
        "Each point of the first chart is an audit of its own; only the last is the result."
    )
    found = (
        _verdict(model, values),
        Sentence("ground", Message(_ground(model), values)),
        Sentence("what", Message(model.subject.what)),
        Sentence("method", chosen),
        Sentence("bound", by),
        Sentence("ceiling", most),
        Sentence("steps", steps),
    )
    return (*found, _catalogue(model)) if model.catalogue else found


def _values(model: audit.AuditModel) -> dict[str, Any]:
    return {
        "claim": Num(model.claim, 4),
        "bound": found_bound(audit.bound(model), model.claim),
        "confidence": _confidence(model),
        "exact": exact_words(model),
        "delta": Num(model.delta, 3, "up"),
        "most": Num(audit.most_provable(model), 3, "up"),
    }


def _verdict(model: audit.AuditModel, values: dict[str, Any]) -> Sentence:
    tone, text = (
        "good",
        N_("No violation found (no proof): ε ≥ {bound} at {confidence}, {claim} is claimed."),
    )
    if audit.exposed(model):
        tone, text = (
            "bad",
            N_(
                "Exposed: at {confidence} confidence ε is at least {bound}, above the claimed "
                "{claim}."
            ),
        )
    elif audit.most_provable(model) <= model.claim:
        tone, text = (
            "plain",
            N_("Too few draws: ε ≥ {bound} at {confidence}, {most} at most, {claim} is claimed."),
        )
    hidden = audit.broken(model) and not audit.exposed(model)
    return Sentence("verdict", Message(text, values), "warn" if hidden else tone)


def _ground(model: audit.AuditModel) -> str:
    """Why the verdict is right, or what it misses, by the exact law."""
    if audit.broken(model):
        if audit.exposed(model):
            return N_("By its law the exact ε between these neighbours is {exact} (δ = {delta}).")
        return N_(
            "It is broken all the same: by its law the exact ε is {exact} (δ = {delta}). These "
            "draws do not show it."
        )
    if audit.exposed(model):
        return N_(
            "A false alarm, as {confidence} leaves room for: by its law the claim is kept, and "
            "ε is {exact} (δ = {delta})."
        )
    return N_("By its law the claim is kept: between these neighbours ε is {exact} (δ = {delta}).")


def _catalogue(model: audit.AuditModel) -> Sentence:
    rows = model.catalogue
    text = N_(
        "Of {all:# mechanism|# mechanisms} {broken:# is|# are} broken, and {found:# is|# are} "
        "exposed at {confidence} for all together (Bonferroni)."
    )
    values = {
        "all": Num(len(rows)),
        "broken": Num(sum(one.broken for one in rows)),
        "found": Num(
            sum(map(gt, audit.joint_bounds(model), (one.subject.claim[0] for one in rows)))
        ),
        "confidence": _confidence(model),
    }
    return Sentence("catalogue", Message(text, values))


def tables(model: audit.AuditModel) -> tuple[Table, ...]:
    """Every subject as it is by default; nothing until they are audited."""
    if not model.catalogue:
        return ()
    bounds = audit.joint_bounds(model)
    claims = [one.subject.claim for one in model.catalogue]
    verdicts = (
        N_("exposed")
        if found > one.subject.claim[0]
        else N_("broken, missed")
        if one.broken
        else N_("nothing found")
        for one, found in zip(model.catalogue, bounds, strict=True)
    )
    columns = (
        ("mechanism", say("mechanism"), (Message(one.subject.name) for one in model.catalogue)),
        ("claim", say("claimed ε"), (Num(claim, 4) for claim, _ in claims)),
        ("delta", say("δ"), (Num(delta, 3, "up") for _, delta in claims)),
        ("bound", say("lower bound"), (Num(found, 3, "down") for found in bounds)),
        ("exact", say("exact ε"), (Num(one.exact, 4) for one in model.catalogue)),
        ("verdict", say("verdict"), map(Message, verdicts)),
    )
    return (
        Table(
            "catalogue",
            say("Everyone, as by default, at {confidence} together", confidence=_confidence(model)),
            tuple((name, tuple(cells)) for name, _, cells in columns),
            shown=True,
            heads=tuple(head for _, head, _ in columns),
        ),
    )
