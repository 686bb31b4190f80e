"""Local counts' strip, sentences and tables: every number computed, upper bounds rounded up."""

from typing import Any

import numpy as np

from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.local_curves import at_confidence, of_the_asked
from dpstudio.labs.nobody.local_counts import error_words, errors, surveys
from dpstudio.labs.nobody.local_counts.model import CountsModel, judged_words
from dpstudio.labs.simulated_answer import told
from dpstudio.labs.winners import listed
from dpstudio.privacy.local.post import Raw
from dpstudio.privacy.local.protocol import sure
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.values.messages import N_, Message, Num, plain, say


def _name(model: CountsModel) -> Message:
    """The value that is looked at."""
    return plain(model.population.labels[model.part])


def facts(model: CountsModel) -> tuple[Fact, ...]:
    """The strip: who is asked, the exact count, one estimate, its interval, what a report costs."""
    lab, n, name = model.lab, model.n, _name(model)
    count, width = float(model.counts[model.part]), errors.part_width(model)
    people = say("{n}", n=Num(n))
    out = [
        Fact("asked", say("People asked"), people, say("{d} {d:value|values}", d=model.d), value=n)
    ]
    where = at_confidence(lab.confidence)
    label = say("Estimate · {part}", part=name)
    within = say("{confidence}: the true count", confidence=where)
    if lab.show_truth:
        title, exact = say("True count · {part}", part=name), say("exact: not private")
        out.append(Fact("truth", title, say("{x}", x=Num(count)), exact, "truth", count))
        # Bars show what is done to estimates; the interval and the many surveys are those of the
        # raw ones.
        label = Message(N_("Estimate") if lab.post == Raw.key else N_("Raw estimate"))
        within = say("{confidence} of surveys", confidence=where)
    share = say("±{share} of all", share=Num(errors.width_share(model), 2, "up", percent=True))
    best, *_ = errors.standing(model)[0]
    least = errors.widths(model)[best.key]
    names = listed([Message(p.short) for p in errors.standing(model)[0]])
    text = say("{name} ±{w}", name=names, w=Num(least, 3, "up"))
    return (
        *out,
        Fact("answer", label, Message(""), "", "answer", None),
        Fact("interval", within, say("±{w}", w=Num(width, 3, "up")), share, value=width),
        Fact("best", say("Least error"), text, judged_words(model, short=True), best.ink, least),
        _cost(model),
    )


def _cost(model: CountsModel) -> Fact:
    spent = model.lab.protocol.spent(model.d)
    sent = surveys.whole_bytes(model.lab.protocol.bits(model.d))
    size = say("{bytes} {bytes:byte|bytes}", bytes=Num(sent))
    costs = say("ε = {x}", x=Num(spent, 4, "up"))
    return Fact("cost", say("One report costs"), costs, size, value=spent)


def with_survey_words(findings: Findings, value: float) -> Findings:
    """The strip and the sentence with the estimate of one simulated survey in them."""
    text = surveys.estimate_words(value)
    note = say("simulated: not a release")
    if findings.truth is not None:
        error = surveys.off(value, findings.truth, findings.part)
        note = say("{error} off", error=Num(error, 3, sign=True))
    return told(findings, value, text, note)


def sentences(model: CountsModel) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    found = (
        *error_words.winner(model),
        error_words.unspent(model),
        error_words.central_words(model),
        _answer(model),
        _asked(model),
        _report(model),
        error_words.odds(model),
        error_words.neighbours(model),
        error_words.seldom_words(model),
        error_words.meeting_words(model),
        error_words.border_words(model),
        error_words.post_words(model),
        error_words.drawn_words(model),
        Sentence(
            "simulated",
            say(
                "Reports here are simulated for looking; nobody was asked, and it is no private "
                "release."
            ),
        ),
    )
    return tuple(s for s in found if s)


def _answer(model: CountsModel) -> Sentence:
    lab, part, name = model.lab, model.part, _name(model)
    width, confidence = Num(errors.part_width(model), 3, "up"), at_confidence(lab.confidence)
    if not lab.show_truth:
        text = N_(
            "One survey estimates that {answer} {answer:person holds|people hold} “{part}”; in "
            "about {confidence} of surveys the true count is within ±{width}."
        )
        return Sentence(
            "answer", say(text, answer="", part=name, confidence=confidence, width=width)
        )
    truth, expected = model.counts[part], lab.protocol.expected(model.counts)[part]
    text = N_(
        "{truth} {truth:person holds|people hold} “{part}”, and what arrives for it adds up to "
        "{expected} on average; this survey estimates {answer}, and {confidence} of surveys are "
        "within ±{width}."
    )
    values = {
        "truth": Num(float(truth)),
        "expected": Num(float(expected), 5),
        "answer": "",
        "part": name,
    }
    return Sentence("answer", Message(text, {**values, "confidence": confidence, "width": width}))


def _asked(model: CountsModel) -> Sentence:
    """Who is asked, and that this is taken as known."""
    if isinstance(model.lab.query, Histogram):
        text = N_(
            "{n} {n:person is|people are} asked, all who meet the condition and have one of the "
            "values: who is asked is taken as known."
        )
    else:
        text = N_(
            "{n} {n:person is|people are} asked, and one who lacks the value says no: who is asked "
            "is taken as known."
        )
    return Sentence("asked", of_the_asked(say(text, n=Num(model.n))))


def _report(model: CountsModel) -> Sentence:
    """What the one report that is drawn says."""
    part = model.part
    before, after = (
        sure(float(belief[part]), float(surveys.prior(model)[part]))
        for belief in (surveys.prior(model), surveys.posterior(model))
    )
    text = N_("A person with “{part}” sends {shown}: belief in it goes from {before} to {after}.")
    if surveys.prior(model)[part] in (0.0, 1.0):
        text = N_(
            "A person with “{part}” would send {shown}: belief in it stays at {before}, which no "
            "report can move."
        )
    shown = surveys.report(model).shown
    return Sentence("report", say(text, part=_name(model), shown=shown, before=before, after=after))


def tables(model: CountsModel) -> tuple[Table, ...]:
    """Every protocol; and every value."""
    return _protocols(model), _parts(model)


def _protocols(model: CountsModel) -> Table:
    d, listed = model.d, errors.protocols(model)
    supports = [p.support(d) if p.pure else None for p in listed]
    rare = (Num(errors.rare_deviation(model, p), 3) for p in listed)
    rows: tuple[tuple[str, Message, Any], ...] = (
        ("protocol", say("Protocol"), (Message(p.short) for p in listed)),
        ("p", Message("p"), ("–" if s is None else Num(s.p, 3) for s in supports)),
        ("q", Message("q"), ("–" if s is None else Num(s.q, 3) for s in supports)),
        ("rare", say("Typical error, nobody holds it"), rare),
        (
            "part",
            say("Typical error, {part}", part=_name(model)),
            (Num(errors.part_deviation(model, p), 3) for p in listed),
        ),
        ("spent", say("True ε"), (Num(p.spent(d), 4, "up") for p in listed)),
        ("bytes", say("Bytes"), (Num(surveys.whole_bytes(p.bits(d))) for p in listed)),
    )
    return Table(
        "protocols",
        say("Protocols at ε = {epsilon}", epsilon=Num(model.lab.protocol.claim, 4)),
        tuple((name, tuple(cells)) for name, _, cells in rows),
        shown=True,
        heads=tuple(head for _, head, _ in rows),
        exact=model.lab.show_truth,
    )


def _parts(model: CountsModel) -> Table:
    lab, protocol = model.lab, model.lab.protocol
    totals = surveys.replays(model)[0]
    raw = protocol.estimate(totals, model.n)
    columns: list[tuple[str, Any]] = [("part", model.population.labels)]
    if lab.show_truth:
        columns += [("exact", model.counts), ("expected", protocol.expected(model.counts))]
    columns += [
        ("sd", errors.deviations(model)),
        ("half_width", model.z * errors.deviations(model)),
        ("reported", totals),
        ("estimate", raw),
        ("published", surveys.processed(raw, model.n, lab.post)),
    ]
    cells = tuple((name, tuple(np.asarray(column).tolist())) for name, column in columns)
    return Table("parts", say("Values"), cells, exact=lab.show_truth)
