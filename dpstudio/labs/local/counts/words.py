"""Local counts' strip, sentences and tables: every number computed, upper bounds rounded up."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.local.counts.charts import border_at, judged_words
from dpstudio.labs.local.counts.model import CountsModel, processed
from dpstudio.privacy.local import Protocol
from dpstudio.privacy.local.post import Raw
from dpstudio.privacy.local.protocol import odds_factor, sure
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.values.messages import N_, Num, Say, plain, safely, say

if TYPE_CHECKING:
    from dpstudio.labs.local.counts.parameters import LocalCounts

_FEW = 5  # below so many expected reports of a value a normal law is out of place


def facts(model: CountsModel) -> tuple[Fact, ...]:
    """The strip: who is asked, the exact count, one estimate, its interval, what a report costs."""
    lab, n = model.lab, model.n
    part, count = model.part, float(model.counts[model.part])
    width = model.z * float(model.sd[part])
    name = plain(model.population.labels[part])
    out = [
        Fact(
            "asked",
            say("People asked"),
            say("{n}", n=Num(n)),
            say("{d} values", d=model.d),
            value=n,
        )
    ]
    if lab.show_truth:
        out.append(
            Fact(
                "truth",
                say("True count · {part}", part=name),
                say("{x}", x=Num(count)),
                _exact(),
                "truth",
                count,
            )
        )
    # Bars show what is done to estimates; the interval and the many surveys are those of the raw
    # ones.
    raw = lab.post == Raw.key
    label = (
        Say(N_("Estimate") if raw else N_("Raw estimate"))
        if lab.show_truth
        else say("Estimate · {part}", part=name)
    )
    out.append(Fact("answer", label, Say(""), "", "answer", None))
    share = say("±{share} of all", share=Num(width / n, 2, "up", percent=True))
    where = Num(lab.confidence, 4, "down", percent=True)
    label = (
        say("{confidence} of surveys", confidence=where)
        if lab.show_truth
        else say("{confidence}: the true count", confidence=where)
    )
    out.append(Fact("interval", label, say("±{w}", w=Num(width, 3, "up")), share, value=width))
    best = model.ranking[0]
    text = say("{name} ±{w}", name=Say(best.short), w=Num(model.widths[best.key], 3, "up"))
    out.append(
        Fact("best", say("Least error"), text, say("at this ε"), best.ink, model.widths[best.key])
    )
    out.append(_cost(model))
    return tuple(out)


def _exact() -> Say:
    return say("exact: not private")


def bytes_of(protocol: Protocol, d: int) -> int:
    """Whole bytes that one report takes."""
    return math.ceil(protocol.bits(d) / 8 - 1e-9)


def _cost(model: CountsModel) -> Fact:
    protocol = model.lab.protocol
    spent = protocol.spent(model.d)
    note = say("{bytes} bytes", bytes=Num(bytes_of(protocol, model.d)))
    if bytes_of(protocol, model.d) == 1:
        note = say("1 byte")
    return Fact(
        "cost", say("A report costs"), say("ε = {x}", x=Num(spent, 4, "up")), note, value=spent
    )


def with_survey_words(findings: Findings, lab: LocalCounts, value: float) -> Findings:
    """The strip and the sentence with the estimate of one simulated survey in them."""
    fact = findings.fact("answer")
    text = say("{x}", x=Num(value, max(3, len(str(int(abs(value)))))))
    note: Say = say("simulated: not a release")
    if findings.truth is not None:
        note = say(
            "{error} off", error=Num(value - float(findings.truth[findings.part]), 3, sign=True)
        )
    fact = replace(fact, text=text, note=note, value=value)
    sentences = tuple(
        replace(s, say=say(s.say.text, **{**s.say.values, "answer": text}))
        if s.key == "answer"
        else s
        for s in findings.sentences
    )
    return replace(
        findings,
        facts=tuple(fact if f.key == "answer" else f for f in findings.facts),
        sentences=sentences,
    )


def sentences(model: CountsModel) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    found = (
        _winner(model),
        _spent(model),
        _central(model),
        _answer(model),
        _asked(model),
        _report(model),
        _odds(model),
        _neighbours(model),
        _seldom(model),
        _meetings(model),
        _border(model),
        _post(model),
        _marginals(model),
        Sentence(
            "simulated",
            say(
                "Reports here are simulated for looking; nobody was asked, and it is no private "
                "release."
            ),
        ),
    )
    return tuple(s for s in found if s)


def _winner(model: CountsModel) -> Sentence:
    """Who wins and by how much, at the same declared ε."""
    chosen, n = model.lab.protocol, model.n
    width = model.widths[chosen.key]
    values: dict[str, Any] = {
        "n": Num(n),
        "d": model.d,
        "what": judged_words(model),
        "width": Num(width, 3, "up"),
    }
    values |= {"chosen": Say(chosen.short), "epsilon": Num(chosen.claim, 4)}
    told = say(
        "{n} people, {d} values, ε = {epsilon}: with {chosen} {what} is known within ±{width} "
        "people.",
        **values,
    )
    if width >= n:
        told = say(
            "{n} people, {d} values, ε = {epsilon}: with {chosen} nothing is learnt, for its "
            "±{width} is more than all people.",
            **values,
        )
    # A protocol that is as good is no rival.
    rivals = [p for p in model.ranking if abs(model.widths[p.key] - width) > 0.005 * width]
    if not rivals:
        return Sentence("winner", told)
    other = model.widths[rivals[0].key]
    values = {"told": told, "rival": Say(rivals[0].short), "other": Num(other, 3, "up")}
    if width < other:
        text = N_("{told} None does better here; next comes {rival} with ±{other}.")
        return Sentence("winner", Say(text, values), "good" if width < n else "warn")
    text = N_("{told} {rival} would give ±{other}, {gap} less.")
    return Sentence(
        "winner",
        Say(text, {**values, "gap": Num(1 - other / width, 2, "down", percent=True)}),
        "warn",
    )


def _spent(model: CountsModel) -> Sentence | None:
    """Where a protocol declares more ε than its reports can cost."""
    protocol = model.lab.protocol
    spent = protocol.spent(model.d)
    if spent >= protocol.claim * (1 - 1e-9):
        return None
    text = N_(
        "{name} declares ε = {claim}, but its reports never cost more than {spent}: a protocol "
        "that spends all of it does better."
    )
    return Sentence(
        "spent",
        say(
            text, name=Say(protocol.label), claim=Num(protocol.claim, 4), spent=Num(spent, 3, "up")
        ),
        "warn",
    )


def _central(model: CountsModel) -> Sentence:
    """What trust is worth."""
    text = N_(
        "A trusted collector would give ±{central} at the same ε; without trust that relative "
        "error takes {times} times the people."
    )
    if model.times <= 1:
        text = N_(
            "A trusted collector would give ±{central} at the same ε, no better than this survey."
        )
    return Sentence(
        "central",
        say(text, central=Num(model.central, 3, "up"), times=Num(safely(model.times, 3, "down"))),
    )


def _answer(model: CountsModel) -> Sentence:
    lab, part = model.lab, model.part
    name = plain(model.population.labels[part])
    width = Num(model.z * float(model.sd[part]), 3, "up")
    confidence = Num(lab.confidence, 4, "down", percent=True)
    if not lab.show_truth:
        text = N_(
            "One survey estimates that {answer} people hold “{part}”; in about {confidence} of "
            "surveys the true count is within ±{width}."
        )
        return Sentence(
            "answer", say(text, answer="", part=name, confidence=confidence, width=width)
        )
    truth, expected = model.counts[part], lab.protocol.expected(model.counts)[part]
    text = N_(
        "{truth} people hold “{part}”, and what arrives for it adds up to {expected} on average; "
        "this survey estimates {answer}, and "
        "{confidence} of surveys are within ±{width}."
    )
    values = {
        "truth": Num(float(truth)),
        "expected": Num(float(expected), 5),
        "answer": "",
        "part": name,
    }
    return Sentence("answer", Say(text, {**values, "confidence": confidence, "width": width}))


def _asked(model: CountsModel) -> Sentence:
    """Who is asked, and that this is taken as known."""
    if isinstance(model.lab.query, Histogram):
        text = N_(
            "The {n} people asked are those who meet the condition and have one of the values: who "
            "is asked is taken as known."
        )
    else:
        text = N_(
            "All {n} people are asked, and one who lacks the value says no: who is asked is taken "
            "as known."
        )
    if model.data.contributions > 1:
        text = N_("Each of the {n} rows that count is asked: who is asked is taken as known.")
    return Sentence("asked", say(text, n=Num(model.n)))


def _report(model: CountsModel) -> Sentence:
    """What the one report that is drawn says."""
    part = model.part
    before, after = (
        sure(float(belief[part]), float(model.prior[part]))
        for belief in (model.prior, model.posterior)
    )
    text = N_("A person with “{part}” sends {shown}: belief in it goes from {before} to {after}.")
    name = plain(model.population.labels[part])
    return Sentence(
        "report", say(text, part=name, shown=model.report.shown, before=before, after=after)
    )


def _odds(model: CountsModel) -> Sentence:
    """What no report does."""
    spent = model.lab.protocol.spent(model.d)
    text = N_(
        "No report changes the odds of two values by more than {factor}; of 100 even guesses at "
        "most {right} are right after it."
    )
    right = min(100, math.ceil(100 / (1 + math.exp(-spent)) - 1e-9))
    return Sentence("odds", say(text, factor=say("×{x}", x=odds_factor(spent)), right=right))


def _neighbours(model: CountsModel) -> Sentence:
    """What ε protects, here and in the hands of the trusted collector."""
    text = N_(
        "ε covers any change of one person’s value, here and for the trusted collector, whose "
        "counts it moves by {delta} in all."
    )
    if model.central_scale == 1:
        text = N_(
            "ε covers any change of one person’s value, here and for the trusted collector, whose "
            "count it moves by 1."
        )
    if model.data.contributions > 1:
        text = N_(
            "ε covers any change of one row, here and for the trusted collector; somebody with {m} "
            "rows is covered by {m} times ε."
        )
    return Sentence(
        "neighbours", say(text, delta=model.central_scale, m=Num(model.data.contributions))
    )


def _seldom(model: CountsModel) -> Sentence | None:
    """Where estimates are far from normal, since what nobody holds is hardly ever reported."""
    protocol = model.lab.protocol
    if not protocol.pure or (few := model.n * protocol.support(model.d).q) >= _FEW:
        return None
    text = N_(
        "A value that nobody holds is reported {few} times on average: so few leave the estimates "
        "far from a normal law."
    )
    return Sentence("seldom", say(text, few=Num(few, 2)), "warn")


def _meetings(model: CountsModel) -> Sentence | None:
    """Every ε at which the chosen protocol is as good as another."""
    if not model.meetings:
        return None
    told = None
    for other, epsilon in model.meetings:
        one = say("{name} at ε = {at}", name=Say(other.short), at=Num(epsilon, 4))
        told = one if told is None else say("{told}, {one}", told=told, one=one)
    return Sentence(
        "meetings",
        say(
            "The error of {name} equals that of {list}.",
            name=Say(model.lab.protocol.short),
            list=told,
        ),
    )


def _border(model: CountsModel) -> Sentence | None:
    """Up to how many values it is best to name one's own."""
    border = border_at(model)
    if border is None:
        return None
    text = N_(
        "At this ε direct encoding beats optimised unary encoding up to {most} values; here are "
        "{d}."
    )
    most = math.ceil(border) - 1 if model.lab.judged == "rare" else int(border)
    return Sentence("border", say(text, most=Num(max(most, 1)), d=model.d))


def _post(model: CountsModel) -> Sentence | None:
    """What working on the estimates costs."""
    post = model.lab.post
    if post == Raw.key:
        return None
    error, bias = model.worked[post]
    raw = model.worked[Raw.key][0]
    text = N_(
        "Worked on like this, estimates have an error of {error} instead of {raw} over all values, "
        "but one is biased by {bias} on average."
    )
    return Sentence(
        "post",
        say(text, error=Num(error, 3), raw=Num(raw, 3), bias=Num(bias, 3)),
        "warn" if bias > raw else "plain",
    )


def _marginals(model: CountsModel) -> Sentence | None:
    if model.lab.protocol.joint:
        return None
    text = N_(
        "Totals of {name} are drawn one by one: each has its exact law, but how they move together "
        "is left out (marginals only)."
    )
    return Sentence("marginals", say(text, name=Say(model.lab.protocol.label)))


def tables(model: CountsModel) -> tuple[Table, ...]:
    """Every protocol; and every value."""
    return _protocols(model), _parts(model)


def _protocols(model: CountsModel) -> Table:
    d, n, part = model.d, model.n, model.part
    supports = [p.support(d) if p.pure else None for p in model.protocols]
    rare = [math.sqrt(n * p.rare(d)) for p in model.protocols]
    here = [math.sqrt(float(p.variance(model.counts)[part])) for p in model.protocols]
    spent = [p.spent(d) for p in model.protocols]
    heads = (
        say("Protocol"), Say("p"), Say("q"), say("SE, rare value"),
        say("SE, {part}", part=plain(model.population.labels[part])), say("True ε"), say("Bytes"),
    )  # fmt: skip
    return Table(
        "protocols",
        say("Protocols at ε = {epsilon}", epsilon=Num(model.lab.protocol.claim, 4)),
        (
            ("protocol", tuple(Say(p.short) for p in model.protocols)),
            ("p", tuple("–" if s is None else Num(s.p, 3) for s in supports)),
            ("q", tuple("–" if s is None else Num(s.q, 3) for s in supports)),
            ("rare", tuple(Num(sd, 3) for sd in rare)),
            ("part", tuple(Num(sd, 3) for sd in here)),
            ("spent", tuple(Num(e, 4, "up") for e in spent)),
            ("bytes", tuple(Num(bytes_of(p, d)) for p in model.protocols)),
        ),
        shown=True,
        heads=heads,
        exact=model.lab.show_truth,
    )


def _parts(model: CountsModel) -> Table:
    lab, protocol = model.lab, model.lab.protocol
    totals = model.replays[0]
    raw = protocol.estimate(totals, model.n)
    columns: list[tuple[str, Any]] = [("part", model.population.labels)]
    if lab.show_truth:
        columns += [("exact", model.counts), ("expected", protocol.expected(model.counts))]
    columns += [
        ("sd", model.sd),
        ("half_width", model.z * model.sd),
        ("reported", totals),
        ("estimate", raw),
    ]
    columns.append(("published", processed(raw, model.n, lab.post)))
    plain_columns = tuple((name, tuple(np.asarray(column).tolist())) for name, column in columns)
    return Table("parts", say("Values"), plain_columns, exact=lab.show_truth)
