"""Compare's strip, sentences and table: who wins, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpstudio.labs.central.explore.model import ExploreModel
from dpstudio.labs.central.explore.words import answer_facts, sensitivity_sentence, truth_sentence
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.persons import kept_sentences
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.central.compare.model import Comparison

JUDGED = {
    "half_width": N_("half-width at {confidence}"), "mean_abs": N_("mean absolute error"), "rmse": N_("root mean square error"),
}  # fmt: skip


def judged_by(comparison: Comparison) -> Say:
    return say(
        JUDGED[comparison.lab.measure],
        confidence=Num(comparison.lab.confidence, 4, "down", percent=True),
    )


def _name(model: ExploreModel) -> Say:
    return Say(model.lab.mechanism.label)


def facts(comparison: Comparison) -> tuple[Fact, ...]:
    """The answer through the mechanism that is looked at, then the winner and the runner-up."""
    out = list(answer_facts(comparison.focus))
    for place, title in enumerate((N_("Least error"), N_("Next"))):
        if place < len(comparison.ranking):
            model = comparison.ranking[place]
            error = comparison.errors[model.lab.mechanism.key]
            text = say("{name} ±{error}", name=_name(model), error=Num(error, 3, "up"))
            out.append(
                Fact(
                    ("winner", "next")[place],
                    Say(title),
                    text,
                    judged_by(comparison),
                    model.lab.mechanism.ink,
                    error,
                )
            )
    return tuple(out)


def sentences(comparison: Comparison) -> tuple[Sentence, ...]:
    out = [
        _winner(comparison),
        _guarantees(comparison),
        truth_sentence(comparison.focus),
        sensitivity_sentence(comparison.focus),
    ]
    lab = comparison.focus.lab
    out += kept_sentences(
        comparison.focus.data,
        lab.query,
        lab.adjacency,
        comparison.focus.part,
        show_truth=lab.show_truth,
    )
    for model in comparison.scenes:
        guarantee = model.release.guarantee
        if not guarantee.sound:
            out.append(
                Sentence(
                    f"promise_{model.lab.mechanism.key}",
                    guarantee.note,
                    "bad" if guarantee.violated else "warn",
                )
            )
    out.append(
        Sentence("hint", say("Click a dot of the frontier to see that answer on your data."))
    )
    out.append(
        Sentence(
            "simulated", say("Noise here is simulated for looking; it is not a private release.")
        )
    )
    return tuple(out)


def _winner(comparison: Comparison) -> Sentence:
    """Who wins among those that keep their promise; the others are named after."""
    kept = [model for model in comparison.ranking if not model.release.guarantee.violated]
    broken = [model for model in comparison.ranking if model.release.guarantee.violated]
    told = (
        _contest(comparison, kept)
        if kept
        else say("No mechanism chosen here keeps its promise at this ε.")
    )
    for model in broken:
        told = say(
            "{told} {name} breaks its promise here and does not count.",
            told=told,
            name=_name(model),
        )
    return Sentence("winner", told, "warn" if broken else "plain")


def _contest(comparison: Comparison, kept: list[ExploreModel]) -> Say:
    best, *others = kept
    least = comparison.errors[best.lab.mechanism.key]
    values = {"best": _name(best), "error": Num(least, 3, "up"), "what": judged_by(comparison)}
    if not others:
        return say(
            "{best} is alone here: {what} ±{error}. Choose more mechanisms to compare.", **values
        )
    if least <= 0:
        return say("{best} wins: at this ε it is practically never wrong.", **values)
    second, *rest = others
    gap = comparison.errors[second.lab.mechanism.key]
    values |= {"second": _name(second)}
    if gap <= least * 1.0005:
        return _and_last(
            comparison,
            say("{best} and {second} are level: {what} ±{error}.", **values),
            rest,
            least,
        )
    values |= {"gap": Num(1 - least / gap, 2, "down", percent=True), "other": Num(gap, 3, "up")}
    told = say("{best} wins: {what} ±{error}, {gap} less than {second} (±{other}).", **values)
    return _and_last(comparison, told, rest, least)


def _and_last(comparison: Comparison, told: Say, rest: list[ExploreModel], least: float) -> Say:
    """The sentence, and how far behind the last one is."""
    if not rest:
        return told
    times = comparison.errors[rest[-1].lab.mechanism.key] / least
    return say(
        "{told} {last} is {times} times as far off.",
        told=told,
        last=_name(rest[-1]),
        times=Num(times, 2, "down"),
    )


def _names(scenes: list[ExploreModel]) -> Say:
    """Names after one another; “none” of no one."""
    if not scenes:
        return say("none")
    told = _name(scenes[0])
    for model in scenes[1:]:
        told = say("{told}, {name}", told=told, name=_name(model))
    return told


def _guarantees(comparison: Comparison) -> Sentence:
    kept = [model for model in comparison.scenes if model.release.guarantee.sound]
    pure = [model for model in kept if model.lab.mechanism.pure]
    if len(kept) < len(comparison.scenes):
        text = N_("Proven to keep ε = {epsilon}: {kept}. Not so: {others}.")
        others = [model for model in comparison.scenes if model not in kept]
        return Sentence(
            "guarantees",
            say(
                text,
                epsilon=Num(comparison.lab.epsilon, 5),
                kept=_names(kept),
                others=_names(others),
            ),
            "warn",
        )
    if not pure or len(pure) == len(comparison.scenes):
        return Sentence(
            "guarantees",
            say(
                "All have the same guarantee: ε = {epsilon}.",
                epsilon=Num(comparison.lab.epsilon, 5),
            ),
        )
    text = N_(
        "All keep ε = {epsilon}; {n} of them with δ = 0, which is the stronger promise, the others "
        "with δ = {delta}."
    )
    return Sentence(
        "guarantees",
        say(
            text,
            epsilon=Num(comparison.lab.epsilon, 5),
            n=len(pure),
            delta=Num(comparison.lab.delta),
        ),
    )


def tables(comparison: Comparison) -> tuple[Table, ...]:
    """The exact figures of every mechanism."""
    scenes = comparison.ranking
    guarantees = [model.release.guarantee for model in scenes]
    laws = [model.law for model in scenes]
    widths = [model.error(model.law, "half_width") for model in scenes]
    heads = (
        say("Mechanism"), Say("ε"), Say("δ"), say("mean |error|"), say("RMSE"),
        say("± at {confidence}", confidence=Num(comparison.lab.confidence, 4, "down", percent=True)), say("Law"),
    )  # fmt: skip
    how = {"exact": N_("exact"), "quadrature": N_("by quadrature"), "simulation": N_("simulated")}
    shown = Table(
        "figures",
        say("Exact figures") if comparison.focus.how == "exact" else say("Figures"),
        (
            ("mechanism", tuple(_name(model) for model in scenes)),
            ("epsilon", tuple(Num(g.epsilon, 5) for g in guarantees)),
            ("delta", tuple(Num(g.delta, 3, "up") for g in guarantees)),
            ("mean_abs", tuple(Num(law.mean_abs, 3, "up") for law in laws)),
            ("rmse", tuple(Num(math.sqrt(law.variance), 3, "up") for law in laws)),
            ("half_width", tuple(Num(width, 3, "up") for width in widths)),
            ("law", tuple(Say(how[model.how]) for model in scenes)),
        ),
        shown=True,
        heads=heads,
        exact=comparison.lab.show_truth and comparison.focus.law_depends_on_answer,
    )
    x, y, keys = comparison.hull
    corners = (
        ("epsilon", tuple(map(float, x))),
        ("error", tuple(map(float, y))),
        ("mechanism", keys),
    )
    hull = Table("hull", say("Lower hull"), corners, exact=shown.exact)
    return shown, hull
