"""The audit's strip, sentences and table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpstudio.labs.attacks.audit.charts import event_words, exact_words, found_bound, verdict_ink
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.attacks.audit.parameters import AuditModel

_SIDES = (N_("D"), N_("D′"))


def _confidence(model: AuditModel) -> Num:
    return Num(model.lab.confidence, 4, "down", percent=True)


def facts(model: AuditModel) -> tuple[Fact, ...]:
    """The strip: the bound, the claim, the exact ε, how often the event came, and what so many
    draws can show at most."""
    trial = model.trial
    here, there = (Say(_SIDES[side]) for side in (trial.event.first, 1 - trial.event.first))
    came = say("{p} : {q}", p=Num(trial.hits), q=Num(trial.others))
    which = say("{here} : {there}, of {n} each", here=here, there=there, n=Num(trial.tests))
    delta = say("at δ = {delta}", delta=Num(model.delta))
    return (
        Fact(
            "bound",
            say("Lower bound"),
            say("ε ≥ {bound}", bound=found_bound(model.bound, model.claim)),
            say("{confidence} confidence", confidence=_confidence(model)),
            verdict_ink(model.exposed),
            model.bound,
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
            say("ε = {most}", most=Num(model.ceiling, 3, "up")),
            say("with so many draws"),
            value=model.ceiling,
        ),
    )


def sentences(model: AuditModel) -> tuple[Sentence, ...]:
    """The verdict, its grounds, what is wrong, how the test was kept honest, and what it cannot
    show."""
    trial = model.trial
    values = {
        "claim": Num(model.claim, 4), "bound": found_bound(model.bound, model.claim), "confidence": _confidence(model),
        "exact": exact_words(model), "delta": Num(model.delta), "most": Num(model.ceiling, 3, "up"),
    }  # fmt: skip
    if model.exposed:
        verdict = Sentence(
            "verdict",
            say(
                "Exposed: at {confidence} confidence ε is at least {bound}, above the claimed "
                "{claim}.",
                **values,
            ),
            "bad",
        )
        ground = N_("By its law the exact ε between these neighbours is {exact} (δ = {delta}).")
        if not model.broken:
            ground = N_(
                "A false alarm, as {confidence} leaves room for: by its law the claim is kept, and "
                "ε is {exact} (δ = {delta})."
            )
    else:
        tone, text = (
            "good",
            N_(
                "No violation found (that is no proof): ε is at least {bound} at {confidence} "
                "confidence, and {claim} is claimed."
            ),
        )
        if model.ceiling <= model.claim:
            tone, text = (
                "plain",
                N_(
                    "Too few draws: they can show ε = {most} at most, {claim} is claimed, and "
                    "{bound} is found at {confidence} confidence."
                ),
            )
        verdict = Sentence("verdict", Say(text, values), "warn" if model.broken else tone)
        if model.broken:
            ground = N_(
                "It is broken all the same: by its law the exact ε is {exact} (δ = {delta}). These "
                "draws do not show it."
            )
        else:
            ground = N_(
                "By its law the claim is kept: between these neighbours ε is {exact} (δ = {delta})."
            )
    chosen = say(
        "{a} draws of each side choose the event, {b} others test it: one event, tested once, so "
        "nothing is corrected for.",
        **{"a": Num(trial.draws - trial.tests), "b": Num(trial.tests)},
    )
    most = say(
        "With {n} test draws no audit can show more than ε = {most} at this confidence.",
        n=Num(trial.tests),
        most=Num(model.ceiling, 3, "up"),
    )
    bound = say(
        "The bound is ln((p − δ)/q), p and q by Clopper–Pearson, each side missed with half of "
        "what the confidence leaves."
    )
    found = [
        verdict,
        Sentence("ground", Say(ground, values)),
        Sentence("what", Say(model.subject.what)),
        Sentence("method", chosen),
        Sentence("bound", bound),
        Sentence("ceiling", most),
        Sentence(
            "steps",
            say(
                "Each point of the first chart is an audit of its own; only the last is the result."
            ),
        ),
    ]
    return (*found, _catalogue(model)) if model.everyone else tuple(found)


def _catalogue(model: AuditModel) -> Sentence:
    rows = model.everyone
    exposed = [
        subject.name
        for subject, trial, _ in rows
        if trial.bound(model.joint, subject.claim[1]) > subject.claim[0]
    ]
    broken = sum(exact > subject.claim[0] * (1 + 1e-9) for subject, _, exact in rows)
    text = N_(
        "Of {all} mechanisms {broken} are broken, and {found} are exposed at {confidence} for all "
        "together (Bonferroni)."
    )
    values = {
        "all": Num(len(rows)),
        "broken": Num(broken),
        "found": Num(len(exposed)),
        "confidence": _confidence(model),
    }
    return Sentence("catalogue", Say(text, values))


def tables(model: AuditModel) -> tuple[Table, ...]:
    """Every subject as it is by default; nothing until they are audited."""
    if not model.everyone:
        return ()
    rows = []
    for subject, trial, exact in model.everyone:
        (claim, delta), found = subject.claim, trial.bound(model.joint, subject.claim[1])
        verdict = (
            N_("exposed")
            if found > claim
            else N_("broken, missed")
            if exact > claim * (1 + 1e-9)
            else N_("nothing found")
        )
        rows.append(
            (
                Say(subject.name),
                Num(claim, 4),
                Num(delta),
                Num(found, 3, "down"),
                Num(exact, 4),
                Say(verdict),
            )
        )
    names = ("mechanism", "claim", "delta", "bound", "exact", "verdict")
    heads = tuple(
        Say(head)
        for head in (
            N_("mechanism"),
            N_("claimed ε"),
            N_("δ"),
            N_("lower bound"),
            N_("exact ε"),
            N_("verdict"),
        )
    )
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    title = say("Everyone, as by default, at {confidence} together", confidence=_confidence(model))
    return (Table("catalogue", title, columns, shown=True, heads=heads),)
