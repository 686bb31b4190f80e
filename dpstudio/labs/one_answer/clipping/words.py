"""Clipping's sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.one_answer.clipping import choice, law, private
from dpstudio.labs.one_answer.clipping import model as known
from dpstudio.labs.one_answer.clipping.best import (
    best_at_edge,
    best_bound,
    errors_at_best,
    kept_by_best,
    times_the_least,
)
from dpstudio.labs.one_answer.clipping.bounds import (
    bound_num,
    error_num,
    rows_in_order,
    told_bounds,
)
from dpstudio.labs.one_answer.clipping.choice import WAYS
from dpstudio.labs.one_answer.clipping.errors import Parts
from dpstudio.labs.one_answer.clipping.model import ClippingModel, noises, unclipped
from dpstudio.labs.persons import THE_ANSWER, left_out, shown
from dpstudio.labs.sharing_words import sharing_words
from dpstudio.labs.winners import factor
from dpstudio.values.messages import N_, Message, Num, say

STATISTIC = {"sum": N_("sum"), "mean": N_("mean"), "variance": N_("variance")}
# The measurements of a release, as the first word of a sentence.
MEASURES = {"sum": N_("Sum"), "squares": N_("Squares"), "count": N_("Count")}


def sentences(model: ClippingModel) -> Iterator[Sentence]:
    """What the pictures say, in words."""
    if model.lab.show_truth:
        yield _error(model)
        yield from _warning(model)
        yield _parts(model)
        yield from _private(model)
        yield from _named(model)
        yield _keeps(model)
        yield from _found(model)
        yield from _order(model)
        yield from _sampling(model)
        yield from _lower(model)
    else:
        text = N_("Only the noise is shown: bias, sampling and best bound tell the data.")
        yield Sentence("hidden", Message(text))
        yield from _stand_ins(model)
    yield from _sensitivity(model)
    yield from _promise(model)
    yield from _kept(model)


def _kept(model: ClippingModel) -> tuple[Sentence, ...]:
    """What the rows left out change at the bounds in force: from both columns in order, as bounds
    move often."""

    def compared() -> tuple[Message, Message, Message]:
        bounds, everybody = model.bounds, rows_in_order(model.lab, model.data.whole)
        assert everybody is not None
        here, whole = (
            float(model.question.answer(rows.clip([bounds.low], [bounds.high]))[0])
            for rows in (model.rows, everybody)
        )
        return THE_ANSWER, shown(here), shown(whole)

    return left_out(model.data, compared, show_truth=model.lab.show_truth)


def _stand_ins(model: ClippingModel) -> tuple[Sentence, ...]:
    """Proposed bounds would tell the data: the ends of the grid stand in for them."""
    lab, bounds = model.lab, model.bounds
    other = lab.centre if lab.moving == "both" else lab.low
    if told_bounds(lab, model.data).whole or (lab.high is not None and other is not None):
        return ()
    text = N_(
        "Bounds left empty would come from the data; here they are taken as {low} and {high}."
    )
    return (Sentence("stand_ins", say(text, low=Num(bounds.low, 6), high=Num(bounds.high, 6))),)


def _error(model: ClippingModel) -> Sentence:
    here, best = float(law.errors_here(model).total[0]), float(errors_at_best(model).total[0])
    off = N_("The {statistic} is off by ±{error}")
    if model.lab.sampling:
        off = N_("With sampling the {statistic} is off by ±{error}")
    values: dict[str, Any] = {"statistic": Message(STATISTIC[model.lab.statistic])}
    values["error"] = error_num(here)
    values |= {"off": Message(off, dict(values)), "bound": bound_num(model.bounds.at)}
    if here <= best * 1.01 or best == 0:
        text = N_("{off} at bound {bound}: no bound here is 1 % better.")
        return Sentence("error", Message(text, values), "good")
    values |= {"best": bound_num(best_bound(model)), "least": error_num(best)}
    return Sentence("error", Message(N_("{off} at bound {bound}, ±{least} at {best}."), values))


def _warning(model: ClippingModel) -> Iterator[Sentence]:
    """Reading the bounds off this picture is a use of the data, which no ε pays for; and what a
    private way costs."""
    chosen, lab = private.private_choice(model), model.lab
    text = N_("Choosing bounds from this picture uses the data and is not private.")
    if chosen is None:
        text = N_(
            "Choosing bounds from this picture uses the data and is not private. Know them from "
            "outside, or choose them privately."
        )
    yield Sentence("warning", Message(text), "warn")
    if chosen is None:
        return
    # What is chosen is the upper bound; the axis may be that of the lower one.
    times = times_the_least(model, chosen.error)
    beside = say("{times} times the least error", times=factor(times))
    if times < 1:
        beside = say("less than any bound on this axis")
    text = N_("A choice by {way} takes ε = {part} of {all} and leads to ±{error}, {beside}.")
    if not private.public_grid(model):
        text = N_(
            "A choice by {way} takes ε = {part} of {all} and leads to ±{error}, {beside}; it is "
            "private only on a grid that is known from outside."
        )
    told = say(
        text,
        way=Message(WAYS[lab.choose]),
        part=Num(chosen.epsilon, 3, "up"),
        all=Num(lab.mechanism.epsilon, 5),
        error=error_num(chosen.error),
        beside=beside,
    )
    yield Sentence("chosen", told)


def _parts(model: ClippingModel) -> Sentence:
    here = law.errors_here(model)
    values = {
        "bias": error_num(abs(float(here.bias[0]))),
        "noise": error_num(float(here.noise[0])),
        "sampling": error_num(float(here.sampling[0])),
        "total": error_num(float(here.total[0])),
    }
    text = N_(
        "The squares of bias ({bias}) and noise ({noise}) add up to that of the total ({total})."
    )
    if model.lab.sampling:
        text = N_(
            "The squares of bias ({bias}), noise ({noise}) and sampling error ({sampling}) add up "
            "to that of the total ({total})."
        )
    return Sentence("parts", Message(text, values))


def _private(model: ClippingModel) -> Iterator[Sentence]:
    """What the choice looks for, and where its grid misses the column."""
    if private.private_choice(model) is None:
        return
    text = N_(
        "The choice looks for the bound that {q} of the rows do not exceed; one person moves its "
        "score by at most {delta}."
    )
    q, delta = Num(model.lab.q, 6, percent=True), Num(private.score_sensitivity(model), 5, "up")
    yield Sentence("private", say(text, q=q, delta=delta))
    why = private.missed(model)
    if why:
        yield Sentence("missed", why, "warn")


def _keeps(model: ClippingModel) -> Sentence:
    text = N_("The best bounds here leave {kept} of the rows as they are.")
    if best_at_edge(model):
        text = N_(
            "The best bounds here leave {kept} of the rows as they are; they lie at the end of the "
            "axis."
        )
    return Sentence("keeps", say(text, kept=Num(kept_by_best(model), 5, "down", percent=True)))


def _found(model: ClippingModel) -> Iterator[Sentence]:
    """The best bound, to be taken over with what that costs."""
    if model.bounds.moving == "lower":
        return
    text = N_(
        "The upper bound {best} was found on the data: no ε pays for it, so an answer clipped to "
        "it is not private."
    )
    yield Sentence("found", say(text, best=bound_num(best_bound(model))), "warn")


def _named(model: ClippingModel) -> Iterator[Sentence]:
    """The bound that the private choice takes most often, with what that costs."""
    chosen = private.private_choice(model)
    if chosen is None:
        return
    text = N_("It names {chosen} most often; who uses what it names has spent ε = {part} on it.")
    if not private.public_grid(model):
        text = N_(
            "It names {chosen} most often; who uses what it names has spent ε = {part} on it, and "
            "the grid tells the data besides."
        )
    bound = bound_num(float(chosen.grid[chosen.likeliest]))
    yield Sentence("named", say(text, chosen=bound, part=Num(chosen.epsilon, 3, "up")))


def _order(model: ClippingModel) -> tuple[Sentence, ...]:
    """Where the published answer is a function of several noisy ones: what the lines leave out."""
    if model.question.direct:
        return ()
    if model.level == known.FIRST:
        return (
            Sentence(
                "order", say("The noise is worked out to first order; the exact errors follow.")
            ),
        )
    exact = float(law.law_here(model).total[0])
    first = float(known.first_order(model, known.in_force(model)).total[0])
    values = {"exact": error_num(exact), "first": error_num(first), "trials": Num(model.trials)}
    mean = model.lab.statistic == "mean"
    if not model.by_law:
        text = N_(
            "The lines are of first order: they give ±{first} here, {trials} simulated "
            "{trials:answer|answers} ±{exact}."
        )
        if mean:
            text = N_(
                "The lines are of first order: they give ±{first} here, quadrature over the exact "
                "law ±{exact}."
            )
        return (Sentence("order", Message(text, values)),)
    where = N_("A formula of first order is off at some bounds of the axis")
    if law.off_here(model):
        where = N_("A formula of first order is off here (±{first} at these bounds)")
    text = (
        N_("{off}, so every error is by quadrature over the exact law.")
        if mean
        else N_("{off}, so every error is from {trials} {trials:draw|draws}.")
    )
    told = say(text, off=Message(where, values), trials=values["trials"])
    return (
        Sentence("order", told, "warn"),
        Sentence(
            "drift",
            say(
                "The bias here is also that of dividing by a noisy count and of clamping the "
                "answer."
            ),
        ),
    )


def _sampling(model: ClippingModel) -> tuple[Sentence, ...]:
    if not model.lab.sampling:
        return ()
    text = N_(
        "Sampling error is that of the clipped {statistic} over other samples of as many rows; "
        "narrower bounds lower it too."
    )
    if model.data.contributions > 1:
        text = N_(
            "Sampling error is that of the clipped {statistic} over other samples of as many rows, "
            "drawn one by one: "
            "where the rows of a person are alike it is larger."
        )
    return (Sentence("sampling", say(text, statistic=Message(STATISTIC[model.lab.statistic]))),)


def _lower(model: ClippingModel) -> tuple[Sentence, ...]:
    """Under add/remove a sum about 0 gains nothing from a higher lower bound."""
    if not known.lower_bound_idle(model):
        return ()
    text = N_(
        "Raising the lower bound does not lower the noise: who joins or leaves still moves the sum "
        "by up to {high}."
    )
    return (Sentence("lower", say(text, high=Num(law.moved_by_one(model), 4, "up"))),)


def _sensitivity(model: ClippingModel) -> tuple[Sentence, ...]:
    """How far one person can move what is measured, and how several measurements share the
    budget."""
    made = [
        (name, s.why)
        for name, s, _ in law.sensitivities(model, model.bounds.low, model.bounds.high)
        if s.why.text
    ]
    if len(made) == 1:
        return (Sentence("sensitivity", made[0][1]),)
    told = tuple(
        Sentence(
            f"sensitivity_{name}" if i else "sensitivity",
            say("{name}: {why}", name=Message(MEASURES[name]), why=why),
        )
        for i, (name, why) in enumerate(made)
    )
    return (*told, Sentence("sharing", sharing_words(law.promised(model).shared)))


def _promise(model: ClippingModel) -> tuple[Sentence, ...]:
    g = law.guarantee(model)
    if g.violated:
        return (Sentence("promise", g.note, "bad"),)
    return (Sentence("promise", g.note, "warn"),) if not g.proven else ()


NOISES = {
    "sum": N_("Noise of the sum"),
    "mean": N_("Noise of the mean"),
    "variance": N_("Noise of the variance"),
    "squares": N_("Noise of the squares"),
    "count": N_("Noise of the count"),
}


def facts(model: ClippingModel) -> tuple[Fact, ...]:
    """The strip: the total error, its parts, the best bound, the private choice; or the noise
    alone."""
    if not model.lab.show_truth:
        return _hidden_facts(model)
    here, best = law.errors_here(model), best_bound(model)
    total, noise, sampling = (
        error_num(float(part[0])) for part in (here.total, here.noise, here.sampling)
    )
    parts = say("noise {noise}", noise=noise)
    if model.lab.sampling:
        parts = say("{noise}, sampling {sampling}", noise=parts, sampling=sampling)
    least = error_num(float(errors_at_best(model).total[0]))
    return (
        Fact("total", say("Total error"), say("±{x}", x=total), parts, value=total.value),
        _bias_fact(model),
        _clipped_fact(model),
        Fact(
            "best",
            say("Best bound here"),
            say("{x}", x=bound_num(best)),
            say("±{error}, not private", error=least),
            "good",
            best,
        ),
        *_private_fact(model),
    )


def _bias_fact(model: ClippingModel) -> Fact:
    here, truth = law.errors_here(model), unclipped(model)
    bias = float(here.bias[0])
    label, share = say("Clipping bias"), _of_answer(bias, truth)
    if model.by_law:
        clipped_alone = float(model.question.bias(here.clips, model.rows)[0])
        label, share = say("Bias"), say("by clipping {x}", x=error_num(clipped_alone, sign=True))
    return Fact("bias", label, say("{x}", x=error_num(bias, sign=True)), share, "second", bias)


def _clipped_fact(model: ClippingModel) -> Fact:
    n = model.rows.rows
    clipped = float(law.errors_here(model).clips.clipped[0])
    note = say("{k} of {n} {n:row|rows}", k=Num(clipped), n=Num(n))
    share = say("{x}", x=Num(clipped / n, 3, percent=True))
    return Fact("clipped", say("Clipped"), share, note, value=clipped / n)


def _private_fact(model: ClippingModel) -> tuple[Fact, ...]:
    chosen = private.private_choice(model)
    if chosen is None:
        return ()
    bound = float(chosen.grid[chosen.likeliest])
    note = say(
        "then ±{error}; {chance} likely",
        chance=Num(float(chosen.chances[chosen.likeliest]), 3, percent=True),
        error=error_num(chosen.error),
    )
    label = N_("Chosen privately") if private.public_grid(model) else N_("Chosen with noise")
    ink = choice.CHOICE_INKS[model.lab.choose]
    return (Fact("private", Message(label), say("{x}", x=bound_num(bound)), note, ink, bound),)


def _hidden_facts(model: ClippingModel) -> tuple[Fact, ...]:
    """The noise of each measurement: what it makes of a mean or a variance depends on the data."""
    made: list[Fact] = []
    moved = law.sensitivities(model, model.bounds.low, model.bounds.high)
    for (name, _, spread), (_, sensitivity, _) in zip(noises(model), moved, strict=True):
        note = say("one person moves it by up to {x}", x=Num(sensitivity.l1, 4, "up"))
        key = "noise" if not made else f"noise_{name}"
        text = say("±{x}", x=error_num(spread))
        made.append(Fact(key, Message(NOISES[name]), text, note, value=spread))
    return tuple(made)


def _of_answer(error: float, answer: float) -> Message:
    if not answer:
        return Message("")
    return say("{share} of the answer", share=Num(error / abs(answer), 3, sign=True, percent=True))


def tables(model: ClippingModel) -> Iterator[Table]:
    """The errors at the bounds in force, at the best ones and after the private choice; and each
    candidate."""
    if not model.lab.show_truth:
        return
    rows = [
        _row(N_("in force"), law.errors_here(model)),
        _row(N_("best here: not private"), errors_at_best(model)),
    ]
    chosen = private.private_choice(model)
    if chosen is not None:
        squares = [error_num(math.sqrt(s)) for s in chosen.squares]
        gone, public = Message("–"), private.public_grid(model)
        way = N_("chosen privately, on average") if public else N_("chosen with noise, on average")
        rows.append((Message(way), gone, gone, *squares, error_num(chosen.error), gone))
    bias = say("bias") if model.by_law else say("clipping")
    heads = {
        "bounds": say("bounds"),
        "low": say("lower"),
        "high": say("upper"),
        "bias": bias,
        "noise": say("noise"),
        "sampling": say("sampling"),
        "total": say("total"),
        "clipped": say("rows clipped"),
    }
    columns = tuple(zip(heads, zip(*rows, strict=True), strict=True))
    title = say("Root mean square errors")
    yield Table("errors", title, columns, shown=True, heads=tuple(heads.values()), exact=True)
    if chosen is not None:
        columns = (
            ("candidate", tuple(map(float, chosen.grid))),
            ("chance", tuple(map(float, chosen.chances))),
            ("error", tuple(map(float, chosen.errors))),
        )
        yield Table("candidates", say("Candidates for the bound"), columns, exact=True)


def _row(name: str, parts: Parts) -> tuple[Any, ...]:
    clips = parts.clips
    errors = [
        error_num(abs(float(part[0])))
        for part in (parts.bias, parts.noise, parts.sampling, parts.total)
    ]
    share = Num(float(clips.clipped[0]) / clips.rows, 3, percent=True)
    low, high = bound_num(float(clips.low[0])), bound_num(float(clips.high[0]))
    return (Message(name), low, high, *errors, share)
