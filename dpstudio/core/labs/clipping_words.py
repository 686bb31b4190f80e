"""Clipping's strip, sentences and tables."""

from __future__ import annotations

import math
from typing import Any

from dpstudio.core.findings import Fact, Sentence, Table
from dpstudio.core.labs.clipping_charts import bound_num
from dpstudio.core.labs.clipping_choice import CHOICE_INKS, CHOICES
from dpstudio.core.labs.clipping_errors import Parts
from dpstudio.core.labs.clipping_scene import Scene
from dpstudio.core.queries import ADD_REMOVE
from dpstudio.core.wording import N_, Num, Say, say

STATISTIC = {"sum": N_("sum"), "mean": N_("mean"), "variance": N_("variance")}
NAMES = {"upper": N_("upper bound"), "lower": N_("lower bound"), "both": N_("upper bound, mirrored below,")}


def headline(scene: Scene) -> tuple[str, ...]:
    return ("error", "warning") if scene.lab.show_truth else ("hidden",)


def facts(scene: Scene) -> tuple[Fact, ...]:
    """The strip: the total error, its parts, the best bound, the private choice; or the noise alone."""
    if not scene.lab.show_truth:
        return _hidden_facts(scene)
    here, n = scene.here, scene.rows.rows
    total, bias = float(here.total[0]), float(here.bias[0])
    clipped = float(here.clips.above[0] + here.clips.below[0])
    parts = say(N_("noise ±{noise}"), noise=Num(float(here.noise[0]), 3, "up"))
    if scene.lab.sampling:
        parts = say(N_("{noise}, sampling ±{sampling}"), noise=parts, sampling=Num(float(here.sampling[0]), 3, "up"))
    best = float(scene.at_best.total[0])
    return (
        Fact("total", Say(N_("Total error")), say("±{x}", x=Num(total, 3, "up")), parts, value=total),
        Fact("bias", Say(N_("Clipping bias")), say("{x}", x=Num(bias, 3, sign=True)), _of_answer(bias, scene.truth), "bad", bias),
        Fact(
            "clipped",
            Say(N_("Rows clipped")),
            say("{x}", x=Num(clipped / n, 3, percent=True)),
            say(N_("{k} of {n}"), k=Num(clipped), n=Num(n)),
            value=clipped / n,
        ),
        Fact(
            "best",
            Say(N_("Best bound here")),
            say("{x}", x=bound_num(scene, scene.best)),
            say(N_("±{error}, seen in the data: not private"), error=Num(best, 3, "up")),
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
        N_("{chance} likely, ε {epsilon}; then ±{error}"),
        chance=Num(float(chosen.chances[chosen.likeliest]), 3, percent=True),
        epsilon=Num(chosen.epsilon, 3, "up"),
        error=Num(chosen.error, 3, "up"),
    )
    return (
        Fact("private", Say(N_("Chosen privately")), say("{x}", x=bound_num(scene, bound)), note, CHOICE_INKS[scene.lab.choose], bound),
    )


def _hidden_facts(scene: Scene) -> tuple[Fact, ...]:
    _, _, spread = scene.noise_of
    _, sensitivity, _ = scene.sensitivities(*scene.bounds)[0]
    return (
        Fact("noise", Say(N_("Noise")), say("±{x}", x=Num(spread, 3, "up")), Say(N_("standard deviation")), value=spread),
        Fact("sensitivity", Say(N_("One person moves it by")), say("{x}", x=Num(sensitivity.l1, 4, "up")), value=sensitivity.l1),
    )


def _of_answer(error: float, answer: float) -> Say:
    if not answer:
        return Say("")
    return say(N_("{share} of the exact answer"), share=Num(error / abs(answer), 3, sign=True, percent=True))


def sentences(scene: Scene) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    if not scene.lab.show_truth:
        text = N_("Bias, sampling error and the best bound come from the data and are hidden; the noise does not.")
        return (Sentence("hidden", Say(text)), *_stand_ins(scene), *_sensitivity(scene), *_promise(scene))
    return (
        _error(scene),
        _warning(scene),
        _parts(scene),
        *_private(scene),
        _keeps(scene),
        *_order(scene),
        *_sampling(scene),
        *_lower(scene),
        *_sensitivity(scene),
        *_promise(scene),
    )


def _stand_ins(scene: Scene) -> tuple[Sentence, ...]:
    """Proposed bounds would tell the data: the public grid stands in for them."""
    lab = scene.lab
    if lab.high is not None and (lab.centre if lab.moving == "both" else lab.low) is not None:
        return ()
    low, high = scene.bounds
    text = N_("Bounds left empty would come from the data; here the public grid stands in for them: {low} to {high}.")
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
        text = N_("With the {name} at {bound} the {statistic} is off by ±{error}: no bound on this axis is 1 % better.")
        return Sentence("error", Say(text, values), "good")
    if here < 2 * best:
        values["gain"] = Num(1 - best / here, 2, "down", percent=True)
        text = N_("With the {name} at {bound} the {statistic} is off by ±{error}. The best here is {best} with ±{least}, {gain} less.")
    else:
        values["gain"] = Num(here / best, 2, "down")
        text = N_(
            "With the {name} at {bound} the {statistic} is off by ±{error}. The best here is {best} with ±{least}, {gain} times less."
        )
    return Sentence("error", Say(text, values))


def _warning(scene: Scene) -> Sentence:
    """Reading the bounds off this picture is a use of the data, which no ε pays for; and what a private way costs."""
    chosen, lab = scene.chosen, scene.lab
    if chosen is None:
        text = N_("Choosing bounds from this picture uses the data and is not private. Know them from outside, or choose them privately.")
        return Sentence("warning", Say(text), "warn")
    best = float(scene.at_best.total[0])
    text = N_(
        "Choosing bounds from this picture uses the data and is not private."
        " A private choice ({way}) takes ε = {part} of {all} and leads to ±{error}, {times} times the least error."
    )
    told = say(
        text,
        way=Say(CHOICES[lab.choose]),
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
            Say(
                N_("The squares of bias ({bias}), noise ({noise}) and sampling error ({sampling}) add up to that of the total ({total})."),
                values,
            ),
        )
    return Sentence("parts", Say(N_("The squares of bias ({bias}) and noise ({noise}) add up to that of the total ({total})."), values))


def _private(scene: Scene) -> tuple[Sentence, ...]:
    chosen = scene.chosen
    if chosen is None:
        return ()
    text = N_("The private choice looks for the bound that {q} of the rows stay below; one person moves its score by at most {delta}.")
    lab = scene.lab
    delta = max(lab.q, 1 - lab.q) if lab.adjacency == ADD_REMOVE else 1.0
    return (Sentence("private", say(text, q=Num(lab.q, 6, percent=True), delta=Num(delta, 5, "up"))),)


def _keeps(scene: Scene) -> Sentence:
    clips = scene.at_best.clips
    kept = 1 - float(clips.above[0] + clips.below[0]) / scene.rows.rows
    text = N_("The best bounds here leave {kept} of the rows as they are.")
    if scene.at_edge:
        text = N_("The best bounds here leave {kept} of the rows as they are; they lie at the end of the axis.")
    return Sentence("keeps", say(text, kept=Num(kept, 5, "down", percent=True)))


def _order(scene: Scene) -> tuple[Sentence, ...]:
    """Where the published answer is a function of several noisy ones: what the lines leave out."""
    if scene.question.direct:
        return ()
    if scene.exact_here is None:
        return (Sentence("order", Say(N_("The noise is worked out to first order; the exact errors follow as dots."))),)
    exact, first = scene.exact_here, float(scene.here.total[0])
    values = {"exact": Num(exact, 3, "up"), "first": Num(first, 3, "up"), "trials": Num(scene.lab.trials)}
    text = N_("The lines are of first order: they give ±{first} here, quadrature over the exact law ±{exact}.")
    if scene.lab.statistic == "variance":
        text = N_("The lines are of first order: they give ±{first} here, {trials} simulated answers ±{exact}.")
    off = abs(exact - first) > 0.1 * max(exact, first)
    return (Sentence("order", Say(text, values), "warn" if off else "plain"),)


def _sampling(scene: Scene) -> tuple[Sentence, ...]:
    if not scene.lab.sampling:
        return ()
    text = N_("Sampling error is that of the clipped {statistic} over other samples of as many rows; narrower bounds lower it too.")
    return (Sentence("sampling", say(text, statistic=Say(STATISTIC[scene.lab.statistic]))),)


def _lower(scene: Scene) -> tuple[Sentence, ...]:
    """Under add/remove a sum about 0 gains nothing from a higher lower bound."""
    low, high = scene.bounds
    question = scene.question
    plain_sum = question.statistic == "sum" or (question.statistic == "mean" and not question.centred and not question.direct)
    if scene.lab.moving != "lower" or not plain_sum or question.adjacency != ADD_REMOVE or not -high <= low < high:
        return ()
    text = N_("Raising the lower bound does not lower the noise: who joins or leaves still moves the sum by up to {high}.")
    return (Sentence("lower", say(text, high=Num(high, 4))),)


def _sensitivity(scene: Scene) -> tuple[Sentence, ...]:
    return tuple(
        Sentence(f"sensitivity_{name}" if i else "sensitivity", s.why)
        for i, (name, s, _) in enumerate(scene.sensitivities(*scene.bounds))
        if s.why.text
    )


def _promise(scene: Scene) -> tuple[Sentence, ...]:
    g = scene.guarantee
    if g.violated:
        return (Sentence("promise", g.note, "bad"),)
    return (Sentence("promise", g.note, "warn"),) if not g.proven else ()


def tables(scene: Scene) -> tuple[Table, ...]:
    """The errors at the bounds in force, at the best ones and after the private choice; and each candidate."""
    if not scene.lab.show_truth:
        return ()
    rows = [_row(scene, N_("in force"), scene.here), _row(scene, N_("best here: not private"), scene.at_best)]
    chosen = scene.chosen
    if chosen is not None:
        squares = [Num(math.sqrt(s), 3, "up") for s in chosen.squares]
        gone = Say("–")
        rows.append((Say(N_("chosen privately, on average")), gone, gone, *squares, Num(chosen.error, 3, "up"), gone))
    heads = (
        Say(N_("bounds")),
        Say(N_("lower")),
        Say(N_("upper")),
        Say(N_("clipping")),
        Say(N_("noise")),
        Say(N_("sampling")),
        Say(N_("total")),
        Say(N_("rows clipped")),
    )
    names = ("bounds", "low", "high", "bias", "noise", "sampling", "total", "clipped")
    out = [
        Table(
            "errors",
            Say(N_("Root mean square errors")),
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
        out.append(Table("candidates", Say(N_("Candidates of the private choice")), columns, exact=True))
    return tuple(out)


def _row(scene: Scene, name: str, parts: Parts) -> tuple[Any, ...]:
    clips = parts.clips
    errors = [Num(abs(float(part[0])), 3, "up") for part in (parts.bias, parts.noise, parts.sampling, parts.total)]
    share = Num(float(clips.above[0] + clips.below[0]) / clips.rows, 3, percent=True)
    return (Say(name), bound_num(scene, float(clips.low[0])), bound_num(scene, float(clips.high[0])), *errors, share)
