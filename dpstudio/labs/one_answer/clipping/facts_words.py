"""Clipping's strip and tables."""

import math
from collections.abc import Iterator
from typing import Any

from dpstudio.labs.findings import Fact, Table
from dpstudio.labs.one_answer.clipping import choice, law, private
from dpstudio.labs.one_answer.clipping.best import best_bound, errors_at_best
from dpstudio.labs.one_answer.clipping.bounds import bound_num, error_num
from dpstudio.labs.one_answer.clipping.errors import Parts
from dpstudio.labs.one_answer.clipping.model import ClippingModel, noises, unclipped
from dpstudio.values.messages import N_, Message, Num, say

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
