"""Clipping's strip, sentences and tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpstudio.labs.central.clipping.charts import bound_num
from dpstudio.labs.central.clipping.choice import CHOICE_INKS, WAYS, rank_sensitivity
from dpstudio.labs.central.clipping.errors import Parts
from dpstudio.labs.central.clipping.model import FIRST, ClippingModel
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.persons import THE_ANSWER, left_out, shown
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Num, Say, say

STATISTIC = {"sum": N_("sum"), "mean": N_("mean"), "variance": N_("variance")}
NAMES = {
    "upper": N_("upper bound"),
    "lower": N_("lower bound"),
    "both": N_("upper bound, mirrored below,"),
}
NOISES = {
    "sum": N_("Noise of the sum"), "mean": N_("Noise of the mean"), "variance": N_("Noise of the variance"),
    "squares": N_("Noise of the squares"), "count": N_("Noise of the count"),
}  # fmt: skip
# The measurements of a release, as the first word of a sentence.
MEASURES = {"sum": N_("Sum"), "squares": N_("Squares"), "count": N_("Count")}


def headline(model: ClippingModel) -> tuple[str, ...]:
    if not model.lab.show_truth:
        return ("hidden",)
    return ("error", "warning", "missed") if model.missed else ("error", "warning")


def facts(model: ClippingModel) -> tuple[Fact, ...]:
    """The strip: the total error, its parts, the best bound, the private choice; or the noise
    alone."""
    if not model.lab.show_truth:
        return _hidden_facts(model)
    here, n = model.here, model.rows.rows
    total, bias = float(here.total[0]), float(here.bias[0])
    clipped = float(here.clips.above[0] + here.clips.below[0])
    parts = say("noise {noise}", noise=Num(float(here.noise[0]), 3, "up"))
    if model.lab.sampling:
        parts = say(
            "{noise}, sampling {sampling}",
            noise=parts,
            sampling=Num(float(here.sampling[0]), 3, "up"),
        )
    best = float(model.at_best.total[0])
    label, share = N_("Clipping bias"), _of_answer(bias, model.truth)
    if model.by_law:
        clipped_alone = float(model.question.bias(here.clips, model.rows)[0])
        label, share = N_("Bias"), say("by clipping {x}", x=Num(clipped_alone, 3, sign=True))
    return (
        Fact("total", say("Total error"), say("±{x}", x=Num(total, 3, "up")), parts, value=total),
        Fact("bias", Say(label), say("{x}", x=Num(bias, 3, sign=True)), share, "bad", bias),
        Fact(
            "clipped",
            say("Clipped"),
            say("{x}", x=Num(clipped / n, 3, percent=True)),
            say(
                N_("{k} of {n} rows") if n != 1 else N_("{k} of one row"), k=Num(clipped), n=Num(n)
            ),
            value=clipped / n,
        ),
        Fact(
            "best",
            say("Best bound here"),
            say("{x}", x=bound_num(model, model.best)),
            say("±{error}, not private", error=Num(best, 3, "up")),
            "good",
            model.best,
        ),
        *_private_fact(model),
    )


def _private_fact(model: ClippingModel) -> tuple[Fact, ...]:
    chosen = model.chosen
    if chosen is None:
        return ()
    bound = float(chosen.grid[chosen.likeliest])
    note = say(
        "then ±{error}; {chance} likely",
        chance=Num(float(chosen.chances[chosen.likeliest]), 3, percent=True),
        error=Num(chosen.error, 3, "up"),
    )
    label = N_("Chosen privately") if model.public_grid else N_("Chosen with noise")
    return (
        Fact(
            "private",
            Say(label),
            say("{x}", x=bound_num(model, bound)),
            note,
            CHOICE_INKS[model.lab.choose],
            bound,
        ),
    )


def _hidden_facts(model: ClippingModel) -> tuple[Fact, ...]:
    """The noise of each measurement: what it makes of a mean or a variance depends on the data."""
    made: list[Fact] = []
    for (name, _, spread), (_, sensitivity, _) in zip(
        model.noises, model.sensitivities(*model.bounds), strict=True
    ):
        note = say("one person moves it by up to {x}", x=Num(sensitivity.l1, 4, "up"))
        key = "noise" if not made else f"noise_{name}"
        made.append(
            Fact(key, Say(NOISES[name]), say("±{x}", x=Num(spread, 3, "up")), note, value=spread)
        )
    return tuple(made)


def _of_answer(error: float, answer: float) -> Say:
    if not answer:
        return Say("")
    return say("{share} of the answer", share=Num(error / abs(answer), 3, sign=True, percent=True))


def sentences(model: ClippingModel) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    if not model.lab.show_truth:
        text = N_(
            "Bias, sampling error and the best bound come from the data and are hidden; the noise "
            "does not."
        )
        return (
            Sentence("hidden", Say(text)),
            *_stand_ins(model),
            *_sensitivity(model),
            *_promise(model),
            *_kept(model),
        )
    return (
        _error(model),
        _warning(model),
        _parts(model),
        *_private(model),
        *_missed(model),
        _keeps(model),
        *_order(model),
        *_sampling(model),
        *_lower(model),
        *_sensitivity(model),
        *_promise(model),
        *_kept(model),
    )


def _kept(model: ClippingModel) -> tuple[Sentence, ...]:
    """What the rows left out change at the bounds in force: from both columns in order, as bounds
    move often."""

    def compared() -> tuple[Say, Say, Say]:
        low, high = model.bounds
        tables = (model.rows, ClippingModel(model.lab, model.data.whole).rows)
        here, whole = (float(model.question.answer(rows.clip([low], [high]))[0]) for rows in tables)
        return THE_ANSWER, shown(here), shown(whole)

    return left_out(model.data, compared, show_truth=model.lab.show_truth)


def _stand_ins(model: ClippingModel) -> tuple[Sentence, ...]:
    """Proposed bounds would tell the data: the ends of the grid stand in for them."""
    lab = model.lab
    if model.told.whole or (
        lab.high is not None and (lab.centre if lab.moving == "both" else lab.low) is not None
    ):
        return ()
    low, high = model.bounds
    text = N_(
        "Bounds left empty would come from the data; here they are taken as {low} and {high}."
    )
    return (Sentence("stand_ins", say(text, low=Num(low, 6), high=Num(high, 6))),)


def _error(model: ClippingModel) -> Sentence:
    here, best = float(model.here.total[0]), float(model.at_best.total[0])
    values: dict[str, Any] = {
        "bound": bound_num(model, model.at),
        "name": Say(NAMES[model.lab.moving]),
        "statistic": Say(STATISTIC[model.lab.statistic]),
        "error": Num(here, 3, "up"),
        "best": bound_num(model, model.best),
        "least": Num(best, 3, "up"),
    }
    if here <= best * 1.01 or best == 0:
        text = N_(
            "With the {name} at {bound} the {statistic} is off by ±{error}: no bound on this axis "
            "is 1 % better."
        )
        return Sentence("error", Say(text, values), "good")
    if here < 2 * best:
        values["gain"] = Num(1 - best / here, 2, "down", percent=True)
        text = N_(
            "With the {name} at {bound} the {statistic} is off by ±{error}. The best here is "
            "{best} with ±{least}, {gain} less."
        )
    else:
        values["gain"] = Num(here / best, 2, "down")
        text = N_(
            "With the {name} at {bound} the {statistic} is off by ±{error}, {gain} times as much "
            "as at the best here, {best} (±{least})."
        )
    return Sentence("error", Say(text, values))


def _warning(model: ClippingModel) -> Sentence:
    """Reading the bounds off this picture is a use of the data, which no ε pays for; and what a
    private way costs."""
    chosen, lab = model.chosen, model.lab
    if chosen is None:
        text = N_(
            "Choosing bounds from this picture uses the data and is not private. Know them from "
            "outside, or choose them privately."
        )
        return Sentence("warning", Say(text), "warn")
    best = float(model.at_best.total[0])
    text = N_(
        "Choosing bounds from this picture uses the data and is not private."
        " A choice by {way} takes ε = {part} of {all} and leads to ±{error}, {times} times the "
        "least error."
    )
    if not model.public_grid:
        text = N_(
            "Choosing bounds from this picture uses the data and is not private."
            " A choice by {way} takes ε = {part} of {all} and leads to ±{error}, {times} times the "
            "least error;"
            " it is private only on a grid that is known from outside."
        )
    told = say(
        text,
        way=Say(WAYS[lab.choose]),
        part=Num(chosen.epsilon, 3, "up"),
        all=Num(lab.mechanism.epsilon, 5),
        error=Num(chosen.error, 3, "up"),
        times=Num(chosen.error / best, 3, "up") if best else Num(math.inf),
    )
    return Sentence("warning", told, "warn")


def _parts(model: ClippingModel) -> Sentence:
    here = model.here
    values = {
        "bias": Num(abs(float(here.bias[0])), 4),
        "noise": Num(float(here.noise[0]), 4),
        "sampling": Num(float(here.sampling[0]), 4),
        "total": Num(float(here.total[0]), 4),
    }
    if model.lab.sampling:
        return Sentence(
            "parts",
            say(
                "The squares of bias ({bias}), noise ({noise}) and sampling error ({sampling}) add "
                "up to that of the total ({total}).",
                **values,
            ),
        )
    return Sentence(
        "parts",
        say(
            "The squares of bias ({bias}) and noise ({noise}) add up to that of the total "
            "({total}).",
            **values,
        ),
    )


def _private(model: ClippingModel) -> tuple[Sentence, ...]:
    chosen = model.chosen
    if chosen is None:
        return ()
    text = N_(
        "The choice looks for the bound that {q} of the rows do not exceed; one person moves its "
        "score by at most {delta}."
    )
    lab = model.lab
    delta = rank_sensitivity(lab.q, lab.adjacency, model.data.contributions)
    return (
        Sentence("private", say(text, q=Num(lab.q, 6, percent=True), delta=Num(delta, 5, "up"))),
    )


def _missed(model: ClippingModel) -> tuple[Sentence, ...]:
    return (Sentence("missed", model.missed, "warn"),) if model.missed else ()


def _keeps(model: ClippingModel) -> Sentence:
    clips = model.at_best.clips
    kept = 1 - float(clips.above[0] + clips.below[0]) / model.rows.rows
    text = N_("The best bounds here leave {kept} of the rows as they are.")
    if model.at_edge:
        text = N_(
            "The best bounds here leave {kept} of the rows as they are; they lie at the end of the "
            "axis."
        )
    return Sentence("keeps", say(text, kept=Num(kept, 5, "down", percent=True)))


def _order(model: ClippingModel) -> tuple[Sentence, ...]:
    """Where the published answer is a function of several noisy ones: what the lines leave out."""
    if model.question.direct:
        return ()
    if model.level == FIRST:
        return (
            Sentence(
                "order", say("The noise is worked out to first order; the exact errors follow.")
            ),
        )
    exact, first = (
        float(model.exact_here.total[0]),
        float(model.parts(np.array([model.at])).total[0]),
    )
    values = {
        "exact": Num(exact, 3, "up"),
        "first": Num(first, 3, "up"),
        "trials": Num(model.lab.trials),
    }
    mean = model.lab.statistic == "mean"
    if not model.by_law:
        text = N_(
            "The lines are of first order: they give ±{first} here, {trials} simulated answers "
            "±{exact}."
        )
        if mean:
            text = N_(
                "The lines are of first order: they give ±{first} here, quadrature over the exact "
                "law ±{exact}."
            )
        return (Sentence("order", Say(text, values)),)
    where = N_("A formula of first order is off at some bounds of the axis")
    if abs(first - exact) > 0.01 * exact:
        where = N_("A formula of first order is off here (±{first} at these bounds)")
    text = (
        N_("{off}, so every error is by quadrature over the exact law.")
        if mean
        else N_("{off}, so every error is from {trials} draws.")
    )
    told = say(text, off=Say(where, values), trials=values["trials"])
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
    return (Sentence("sampling", say(text, statistic=Say(STATISTIC[model.lab.statistic]))),)


def _lower(model: ClippingModel) -> tuple[Sentence, ...]:
    """Under add/remove a sum about 0 gains nothing from a higher lower bound."""
    low, high = model.bounds
    question = model.question
    plain_sum = question.statistic == "sum" or (
        question.statistic == "mean" and not question.centred and not question.direct
    )
    if (
        model.lab.moving != "lower"
        or not plain_sum
        or question.adjacency != ADD_REMOVE
        or not -high <= low < high
    ):
        return ()
    text = N_(
        "Raising the lower bound does not lower the noise: who joins or leaves still moves the sum "
        "by up to {high}."
    )
    return (Sentence("lower", say(text, high=Num(high, 4))),)


def _sensitivity(model: ClippingModel) -> tuple[Sentence, ...]:
    """How far one person can move what is measured."""
    made = [(name, s.why) for name, s, _ in model.sensitivities(*model.bounds) if s.why.text]
    if len(made) == 1:
        return (Sentence("sensitivity", made[0][1]),)
    return tuple(
        Sentence(
            f"sensitivity_{name}" if i else "sensitivity",
            say("{name}: {why}", name=Say(MEASURES[name]), why=why),
        )
        for i, (name, why) in enumerate(made)
    )


def _promise(model: ClippingModel) -> tuple[Sentence, ...]:
    g = model.guarantee
    if g.violated:
        return (Sentence("promise", g.note, "bad"),)
    return (Sentence("promise", g.note, "warn"),) if not g.proven else ()


def tables(model: ClippingModel) -> tuple[Table, ...]:
    """The errors at the bounds in force, at the best ones and after the private choice; and each
    candidate."""
    if not model.lab.show_truth:
        return ()
    rows = [
        _row(model, N_("in force"), model.here),
        _row(model, N_("best here: not private"), model.at_best),
    ]
    chosen = model.chosen
    if chosen is not None:
        squares = [Num(math.sqrt(s), 3, "up") for s in chosen.squares]
        gone = Say("–")
        way = (
            N_("chosen privately, on average")
            if model.public_grid
            else N_("chosen with noise, on average")
        )
        rows.append((Say(way), gone, gone, *squares, Num(chosen.error, 3, "up"), gone))
    heads = (
        say("bounds"),
        say("lower"),
        say("upper"),
        Say(N_("bias") if model.by_law else N_("clipping")),
        say("noise"),
        say("sampling"),
        say("total"),
        say("rows clipped"),
    )
    names = ("bounds", "low", "high", "bias", "noise", "sampling", "total", "clipped")
    out = [
        Table(
            "errors",
            say("Root mean square errors"),
            tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names)),
            shown=True,
            heads=heads,
            exact=True,
        )
    ]
    if chosen is not None:
        columns = (
            ("candidate", tuple(map(float, chosen.grid))),
            ("chance", tuple(map(float, chosen.chances))),
            ("error", tuple(map(float, chosen.errors))),
        )
        out.append(Table("candidates", say("Candidates for the bound"), columns, exact=True))
    return tuple(out)


def _row(model: ClippingModel, name: str, parts: Parts) -> tuple[Any, ...]:
    clips = parts.clips
    errors = [
        Num(abs(float(part[0])), 3, "up")
        for part in (parts.bias, parts.noise, parts.sampling, parts.total)
    ]
    share = Num(float(clips.above[0] + clips.below[0]) / clips.rows, 3, percent=True)
    return (
        Say(name),
        bound_num(model, float(clips.low[0])),
        bound_num(model, float(clips.high[0])),
        *errors,
        share,
    )
