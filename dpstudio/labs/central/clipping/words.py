"""Clipping's strip, sentences and tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpstudio.labs.central.clipping.charts import bound_num
from dpstudio.labs.central.clipping.choice import CHOICE_INKS, WAYS, rank_sensitivity
from dpstudio.labs.central.clipping.errors import Parts
from dpstudio.labs.central.clipping.model import FIRST, Scene
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
    "sum": N_("Noise of the sum"), "mean": N_("Noise of the mean"), "variance": N_("Noise of the "
"variance"),
    "squares": N_("Noise of the squares"), "count": N_("Noise of the count"),
}  # fmt: skip
# The measurements of a release, as the first word of a sentence.
MEASURES = {"sum": N_("Sum"), "squares": N_("Squares"), "count": N_("Count")}


def headline(scene: Scene) -> tuple[str, ...]:
    if not scene.lab.show_truth:
        return ("hidden",)
    return ("error", "warning", "missed") if scene.missed else ("error", "warning")


def facts(scene: Scene) -> tuple[Fact, ...]:
    """The strip: the total error, its parts, the best bound, the private choice; or the noise
    alone."""
    if not scene.lab.show_truth:
        return _hidden_facts(scene)
    here, n = scene.here, scene.rows.rows
    total, bias = float(here.total[0]), float(here.bias[0])
    clipped = float(here.clips.above[0] + here.clips.below[0])
    parts = say("noise {noise}", noise=Num(float(here.noise[0]), 3, "up"))
    if scene.lab.sampling:
        parts = say(
            "{noise}, sampling {sampling}",
            noise=parts,
            sampling=Num(float(here.sampling[0]), 3, "up"),
        )
    best = float(scene.at_best.total[0])
    label, share = N_("Clipping bias"), _of_answer(bias, scene.truth)
    if scene.by_law:
        clipped_alone = float(scene.question.bias(here.clips, scene.rows)[0])
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
            say("{x}", x=bound_num(scene, scene.best)),
            say("±{error}, not private", error=Num(best, 3, "up")),
            "good",
            scene.best,
        ),
        *_private_fact(scene),
    )


def _private_fact(scene: Scene) -> tuple[Fact, ...]:
    chosen = scene.chosen
    if chosen is None:
        return ()
    bound = float(chosen.grid[chosen.likeliest])
    note = say(
        "then ±{error}; {chance} likely",
        chance=Num(float(chosen.chances[chosen.likeliest]), 3, percent=True),
        error=Num(chosen.error, 3, "up"),
    )
    label = N_("Chosen privately") if scene.public_grid else N_("Chosen with noise")
    return (
        Fact(
            "private",
            Say(label),
            say("{x}", x=bound_num(scene, bound)),
            note,
            CHOICE_INKS[scene.lab.choose],
            bound,
        ),
    )


def _hidden_facts(scene: Scene) -> tuple[Fact, ...]:
    """The noise of each measurement: what it makes of a mean or a variance depends on the data."""
    made: list[Fact] = []
    for (name, _, spread), (_, sensitivity, _) in zip(
        scene.noises, scene.sensitivities(*scene.bounds), strict=True
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


def sentences(scene: Scene) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    if not scene.lab.show_truth:
        text = N_(
            "Bias, sampling error and the best bound come from the data and are hidden; the noise "
            "does not."
        )
        return (
            Sentence("hidden", Say(text)),
            *_stand_ins(scene),
            *_sensitivity(scene),
            *_promise(scene),
            *_kept(scene),
        )
    return (
        _error(scene),
        _warning(scene),
        _parts(scene),
        *_private(scene),
        *_missed(scene),
        _keeps(scene),
        *_order(scene),
        *_sampling(scene),
        *_lower(scene),
        *_sensitivity(scene),
        *_promise(scene),
        *_kept(scene),
    )


def _kept(scene: Scene) -> tuple[Sentence, ...]:
    """What the rows left out change at the bounds in force: from both columns in order, as bounds
    move often."""

    def compared() -> tuple[Say, Say, Say]:
        low, high = scene.bounds
        tables = (scene.rows, Scene(scene.lab, scene.data.whole).rows)
        here, whole = (float(scene.question.answer(rows.clip([low], [high]))[0]) for rows in tables)
        return THE_ANSWER, shown(here), shown(whole)

    return left_out(scene.data, compared, show_truth=scene.lab.show_truth)


def _stand_ins(scene: Scene) -> tuple[Sentence, ...]:
    """Proposed bounds would tell the data: the ends of the grid stand in for them."""
    lab = scene.lab
    if scene.told.whole or (
        lab.high is not None and (lab.centre if lab.moving == "both" else lab.low) is not None
    ):
        return ()
    low, high = scene.bounds
    text = N_(
        "Bounds left empty would come from the data; here they are taken as {low} and {high}."
    )
    return (Sentence("stand_ins", say(text, low=Num(low, 6), high=Num(high, 6))),)


def _error(scene: Scene) -> Sentence:
    here, best = float(scene.here.total[0]), float(scene.at_best.total[0])
    values: dict[str, Any] = {
        "bound": bound_num(scene, scene.at),
        "name": Say(NAMES[scene.lab.moving]),
        "statistic": Say(STATISTIC[scene.lab.statistic]),
        "error": Num(here, 3, "up"),
        "best": bound_num(scene, scene.best),
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


def _warning(scene: Scene) -> Sentence:
    """Reading the bounds off this picture is a use of the data, which no ε pays for; and what a
    private way costs."""
    chosen, lab = scene.chosen, scene.lab
    if chosen is None:
        text = N_(
            "Choosing bounds from this picture uses the data and is not private. Know them from "
            "outside, or choose them privately."
        )
        return Sentence("warning", Say(text), "warn")
    best = float(scene.at_best.total[0])
    text = N_(
        "Choosing bounds from this picture uses the data and is not private."
        " A choice by {way} takes ε = {part} of {all} and leads to ±{error}, {times} times the "
        "least error."
    )
    if not scene.public_grid:
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


def _parts(scene: Scene) -> Sentence:
    here = scene.here
    values = {
        "bias": Num(abs(float(here.bias[0])), 4),
        "noise": Num(float(here.noise[0]), 4),
        "sampling": Num(float(here.sampling[0]), 4),
        "total": Num(float(here.total[0]), 4),
    }
    if scene.lab.sampling:
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


def _private(scene: Scene) -> tuple[Sentence, ...]:
    chosen = scene.chosen
    if chosen is None:
        return ()
    text = N_(
        "The choice looks for the bound that {q} of the rows do not exceed; one person moves its "
        "score by at most {delta}."
    )
    lab = scene.lab
    delta = rank_sensitivity(lab.q, lab.adjacency, scene.data.contributions)
    return (
        Sentence("private", say(text, q=Num(lab.q, 6, percent=True), delta=Num(delta, 5, "up"))),
    )


def _missed(scene: Scene) -> tuple[Sentence, ...]:
    return (Sentence("missed", scene.missed, "warn"),) if scene.missed else ()


def _keeps(scene: Scene) -> Sentence:
    clips = scene.at_best.clips
    kept = 1 - float(clips.above[0] + clips.below[0]) / scene.rows.rows
    text = N_("The best bounds here leave {kept} of the rows as they are.")
    if scene.at_edge:
        text = N_(
            "The best bounds here leave {kept} of the rows as they are; they lie at the end of the "
            "axis."
        )
    return Sentence("keeps", say(text, kept=Num(kept, 5, "down", percent=True)))


def _order(scene: Scene) -> tuple[Sentence, ...]:
    """Where the published answer is a function of several noisy ones: what the lines leave out."""
    if scene.question.direct:
        return ()
    if scene.level == FIRST:
        return (
            Sentence(
                "order", say("The noise is worked out to first order; the exact errors follow.")
            ),
        )
    exact, first = (
        float(scene.exact_here.total[0]),
        float(scene.parts(np.array([scene.at])).total[0]),
    )
    values = {
        "exact": Num(exact, 3, "up"),
        "first": Num(first, 3, "up"),
        "trials": Num(scene.lab.trials),
    }
    mean = scene.lab.statistic == "mean"
    if not scene.by_law:
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


def _sampling(scene: Scene) -> tuple[Sentence, ...]:
    if not scene.lab.sampling:
        return ()
    text = N_(
        "Sampling error is that of the clipped {statistic} over other samples of as many rows; "
        "narrower bounds lower it too."
    )
    if scene.data.contributions > 1:
        text = N_(
            "Sampling error is that of the clipped {statistic} over other samples of as many rows, "
            "drawn one by one: "
            "where the rows of a person are alike it is larger."
        )
    return (Sentence("sampling", say(text, statistic=Say(STATISTIC[scene.lab.statistic]))),)


def _lower(scene: Scene) -> tuple[Sentence, ...]:
    """Under add/remove a sum about 0 gains nothing from a higher lower bound."""
    low, high = scene.bounds
    question = scene.question
    plain_sum = question.statistic == "sum" or (
        question.statistic == "mean" and not question.centred and not question.direct
    )
    if (
        scene.lab.moving != "lower"
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


def _sensitivity(scene: Scene) -> tuple[Sentence, ...]:
    """How far one person can move what is measured."""
    made = [(name, s.why) for name, s, _ in scene.sensitivities(*scene.bounds) if s.why.text]
    if len(made) == 1:
        return (Sentence("sensitivity", made[0][1]),)
    return tuple(
        Sentence(
            f"sensitivity_{name}" if i else "sensitivity",
            say("{name}: {why}", name=Say(MEASURES[name]), why=why),
        )
        for i, (name, why) in enumerate(made)
    )


def _promise(scene: Scene) -> tuple[Sentence, ...]:
    g = scene.guarantee
    if g.violated:
        return (Sentence("promise", g.note, "bad"),)
    return (Sentence("promise", g.note, "warn"),) if not g.proven else ()


def tables(scene: Scene) -> tuple[Table, ...]:
    """The errors at the bounds in force, at the best ones and after the private choice; and each
    candidate."""
    if not scene.lab.show_truth:
        return ()
    rows = [
        _row(scene, N_("in force"), scene.here),
        _row(scene, N_("best here: not private"), scene.at_best),
    ]
    chosen = scene.chosen
    if chosen is not None:
        squares = [Num(math.sqrt(s), 3, "up") for s in chosen.squares]
        gone = Say("–")
        way = (
            N_("chosen privately, on average")
            if scene.public_grid
            else N_("chosen with noise, on average")
        )
        rows.append((Say(way), gone, gone, *squares, Num(chosen.error, 3, "up"), gone))
    heads = (
        say("bounds"),
        say("lower"),
        say("upper"),
        Say(N_("bias") if scene.by_law else N_("clipping")),
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


def _row(scene: Scene, name: str, parts: Parts) -> tuple[Any, ...]:
    clips = parts.clips
    errors = [
        Num(abs(float(part[0])), 3, "up")
        for part in (parts.bias, parts.noise, parts.sampling, parts.total)
    ]
    share = Num(float(clips.above[0] + clips.below[0]) / clips.rows, 3, percent=True)
    return (
        Say(name),
        bound_num(scene, float(clips.low[0])),
        bound_num(scene, float(clips.high[0])),
        *errors,
        share,
    )
