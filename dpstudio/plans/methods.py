"""What is said beside published numbers: how they were made, and what their intervals and ε do not
cover. It follows from the plan and from what was published; no row decides it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from dpstudio.plans.exact import in_short, written
from dpstudio.plans.fitted import RARELY, Fit
from dpstudio.plans.laws import noises, size_public
from dpstudio.plans.plan import ADJACENCIES, ONE_ROW, Plan, Share, whom
from dpstudio.plans.published import FITTED, SUMMED, UNRELIABLE, Cell
from dpstudio.plans.question import (
    EXPONENTIAL,
    GAUSSIAN,
    MeanByGroup,
    Quantile,
    Question,
    SumByGroup,
    Total,
)
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import domains

# What of a question decides its numbers, but for its noise; all of it is typed, and attested.
_ASKED = (
    "column",
    "groups",
    "other",
    "other_groups",
    "measured",
    "edges",
    "share",
    "grid",
    "low",
    "high",
    "size_known",
    "where",
)


def asked(question: Question) -> Iterator[tuple[Message, str]]:
    """What a question asks, part by part: what each is called, and what was typed."""
    for name, domain in domains(type(question)).items():
        held = getattr(question, name)
        if name in _ASKED and (held or isinstance(held, Fraction)):
            yield Message(domain.label), domain.show(held)


def mechanism(plan: Plan, question: Question, share: Share) -> Message:
    """How its numbers were drawn, with the scale of the noise in units of the answer."""
    law = noises(question, plan.terms.unit, share.noise, share.cost)
    if not law:
        text = N_("The noisy max chose one of {n} {n:candidate|candidates}, at ε = {cost}.")
        if share.noise == EXPONENTIAL:
            text = N_(
                "The exponential mechanism chose one of {n} {n:candidate|candidates}, at ε = "
                "{cost}."
            )
        return say(text, n=Num(question.cells), cost=in_short(share.cost))
    gaussian = share.noise == GAUSSIAN
    wide = [Num(float(n.size) ** 0.5 if gaussian else float(n.size), 4) for n in law]
    if size_public(question, plan.terms.unit):
        text = N_(
            "Geometric noise of scale {b} on the sum about the middle of the bounds; the mean is "
            "the middle and that sum over {n} {n:row|rows}, put between the bounds."
        )
        if gaussian:
            text = N_(
                "Discrete Gaussian noise of deviation {b} on the sum about the middle of the "
                "bounds; the mean is the middle and that sum over {n} {n:row|rows}, put between "
                "the bounds."
            )
        return say(text, b=wide[0], n=Num(float(question.size or 1), 12))
    if len(law) == 1:
        text = N_("Geometric noise of scale {b}, drawn in whole steps of {step}.")
        if gaussian:
            text = N_("Discrete Gaussian noise of deviation {b}, drawn in whole steps of {step}.")
        return say(text, b=wide[0], step=Num(float(law[0].step), 3))
    text = N_(
        "Geometric noise of scale {b} on the sum about the middle of the bounds, and of scale {c} "
        "on the count; the mean is the middle and their ratio, put between the bounds."
    )
    if gaussian:
        text = N_(
            "Discrete Gaussian noise of deviation {b} on the sum about the middle of the bounds, "
            "and of deviation {c} on the count; the mean is the middle and their ratio, put "
            "between the bounds."
        )
    return say(text, b=wide[0], c=wide[1])


def paid(share: Share) -> Message:
    """What a question pays alone."""
    text = N_("ρ = {cost}") if share.noise == GAUSSIAN else N_("ε = {cost}")
    return say(text, cost=in_short(share.cost))


def attested(plan: Plan, question: Question) -> Message:
    """Who says what was typed, and where that is known from."""
    text = N_("What is typed of it is attested by {who}, from: {origin}.")
    who, origin = question.who or plan.terms.who, question.origin or plan.terms.origin
    return say(text, who=who, origin=origin)


def one_person(plan: Plan, person: str) -> Message:
    """Who one person is, in words: whom a column names, where one says so and nobody else does."""
    one_row = person and plan.terms.person in ONE_ROW
    return say("who “{column}” names", column=person) if one_row else whom(plan.terms.person)


def protects(plan: Plan, person: str) -> Iterator[Message]:
    """Whom the promise is to, and by which column they are told apart."""
    terms, way = plan.terms, Message(ADJACENCIES[plan.terms.adjacency])
    text = N_("One person is {person}; neighbours: {adjacency}.")
    yield say(text, person=one_person(plan, person), adjacency=way)
    if person:
        text = N_(
            "“{column}” says whose row it is, and of each person at most {rows} "
            "{rows:row is|rows are} used; what their other rows would add is in no half-width. A "
            "row that names nobody counts nowhere."
        )
        yield say(text, column=person, rows=Num(terms.rows, 9))
    else:
        yield say(
            "No column says whose row it is: each row is taken for a person, and whoever has more "
            "rows than one is hidden less."
        )


def contradicts(fit: Fit | None) -> Iterator[Message]:
    """What is said first of numbers that were fitted although they contradict each other."""
    if fit is None or fit.apart is None:
        return
    pair = fit.apart
    text = N_(
        "These numbers contradict each other: “{name}” published {said} where “{finest}” adds up "
        "to {added}, and noise alone sets them more than {most} apart in at most one release "
        "of {rarely}. So not every row has one of the typed words, or lies in "
        "one of the bins: the fit mixes numbers of different rows, and no half-width holds. "
        "Publish them without the fit."
    )
    shown = [Num(float(n), 9) for n in (pair.said, pair.added)]
    most = Num(pair.most, 3, "up")
    names = {"name": pair.name, "finest": pair.finest}
    yield say(text, said=shown[0], added=shown[1], most=most, rarely=Num(RARELY), **names)


def intervals(
    plan: Plan, cells: Sequence[Cell], base: Fraction | None = None, fit: Fit | None = None
) -> Iterator[Message]:
    """What stands beside these numbers, which were rounded to `base`, and fitted so."""
    yield from contradicts(fit)
    chosen = any(cell.unit for cell in cells)
    if base is not None and not chosen:
        yield say("Published numbers are rounded to whole steps of {base}.", base=written(base))
    share = Num(float(plan.terms.confidence), 4, "down", percent=True)
    text = N_(
        "In {share} of all releases no drawn number is further off than its half-width, by noise "
        "and rounding."
    )
    if chosen:
        text = N_(
            "In {share} of all releases what is chosen lies behind the best of what could be "
            "chosen by no more than its half-width says."
        )
    if any(cell.method.startswith(FITTED) for cell in cells):
        text = N_(
            "The numbers are fitted to those of all questions that are named beside them, by least "
            "squares, each weighted by its noise, so that these add up. That takes every row to "
            "have one of the typed words, or to lie in one of the bins, of each of them: what is "
            "wrong by that is in no half-width. In {share} of all releases no cell is further off "
            "than its half-width, by noise and rounding; and in {share} of all, each total by "
            "itself."
        )
    yield say(text, share=share)
    yield from loosened(cells, fit)
    if any(cell.method == SUMMED for cell in cells):
        yield say(
            "Totals are the sums of the published cells, so that the table adds up; each keeps "
            "its half-width in as many releases, by itself."
        )
    if any(cell.flag == UNRELIABLE for cell in cells):
        yield say(
            "“Unreliable” are numbers of which the half-width is more than half, as published."
        )


def loosened(cells: Sequence[Cell], fit: Fit | None) -> Iterator[Message]:
    """Which half-widths a fit made wider, as it may of a number that is far finer than the rest."""
    given = () if fit is None else zip(cells, fit.sums, fit.alone, strict=True)
    found = [(cell, alone) for cell, (_, _, half), alone in given if half > alone]
    if not found:
        return
    cell, before = max(found, key=lambda pair: Fraction(pair[0].half) / (pair[1] or 1))
    text = N_(
        "The fit makes {n} {n:half-width|half-widths} wider, that of {number} the most: from "
        "±{before} to ±{after}."
    )
    number = plain(" · ".join(cell.labels)) if cell.labels else say("the number")
    values = {"before": written(before), "after": cell.half}
    yield say(text, n=Num(len(found)), number=number, **values)


def uncovered(plan: Plan, questions: Sequence[Question]) -> Iterator[Message]:
    """What the half-widths and ε do not cover, whatever the table holds."""
    bounded = (Total, SumByGroup, MeanByGroup)
    if any(isinstance(q, bounded) or q.counted for q in questions):
        yield say(
            "Values beyond the bounds counted as the bound: what that moves is in no half-width."
        )
    if any(isinstance(q, Quantile) for q in questions):
        yield say(
            "Of a quantile the values that may be chosen were typed: how far the best of them lies "
            "from it is in no half-width."
        )
    known = [size_public(q, plan.terms.unit) for q in questions]
    if any(not each and hasattr(q, "column") for each, q in zip(known, questions, strict=True)):
        yield say("Rows that lack a value, or have none of the typed words or bins, count nowhere.")
    if any(q.counted and not each for each, q in zip(known, questions, strict=True)):
        yield say("Of no rows there is no mean: what stands there then is noise alone.")
    if any(known):
        yield say(
            "A mean over a typed number of rows is wrong where that number is, and takes a row "
            "without a value for the middle of the bounds."
        )
    yield say("The half-widths are about the table, and not about people who are not in it.")
    yield say(
        "ε is about this ledger: what is released of the same people elsewhere, or was released "
        "without it, comes on top."
    )
