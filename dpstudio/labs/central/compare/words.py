"""Compare's strip, sentences and table: who wins, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpstudio.labs.central.explore.model import Scene
from dpstudio.labs.central.explore.words import answer_facts, sensitivity_sentence, truth_sentence
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.persons import kept_sentences
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.central.compare.model import Field

JUDGED = {
    "half_width": N_("half-width at {confidence}"), "mean_abs": N_("mean absolute error"), "rmse": N_("root mean square "
"error"),
}  # fmt: skip


def judged_by(field: Field) -> Say:
    return say(
        JUDGED[field.lab.measure], confidence=Num(field.lab.confidence, 4, "down", percent=True)
    )


def _name(scene: Scene) -> Say:
    return Say(scene.lab.mechanism.label)


def facts(field: Field) -> tuple[Fact, ...]:
    """The answer through the mechanism that is looked at, then the winner and the runner-up."""
    out = list(answer_facts(field.focus))
    for place, title in enumerate((N_("Least error"), N_("Next"))):
        if place < len(field.ranking):
            scene = field.ranking[place]
            error = field.errors[scene.lab.mechanism.key]
            text = say("{name} ±{error}", name=_name(scene), error=Num(error, 3, "up"))
            out.append(
                Fact(
                    ("winner", "next")[place],
                    Say(title),
                    text,
                    judged_by(field),
                    scene.lab.mechanism.ink,
                    error,
                )
            )
    return tuple(out)


def sentences(field: Field) -> tuple[Sentence, ...]:
    out = [
        _winner(field),
        _guarantees(field),
        truth_sentence(field.focus),
        sensitivity_sentence(field.focus),
    ]
    lab = field.focus.lab
    out += kept_sentences(
        field.focus.data, lab.query, lab.adjacency, field.focus.part, show_truth=lab.show_truth
    )
    for scene in field.scenes:
        guarantee = scene.release.guarantee
        if not guarantee.sound:
            out.append(
                Sentence(
                    f"promise_{scene.lab.mechanism.key}",
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


def _winner(field: Field) -> Sentence:
    """Who wins among those that keep their promise; the others are named after."""
    kept = [scene for scene in field.ranking if not scene.release.guarantee.violated]
    broken = [scene for scene in field.ranking if scene.release.guarantee.violated]
    told = (
        _contest(field, kept)
        if kept
        else say("No mechanism chosen here keeps its promise at this ε.")
    )
    for scene in broken:
        told = say(
            "{told} {name} breaks its promise here and does not count.",
            told=told,
            name=_name(scene),
        )
    return Sentence("winner", told, "warn" if broken else "plain")


def _contest(field: Field, kept: list[Scene]) -> Say:
    best, *others = kept
    least = field.errors[best.lab.mechanism.key]
    values = {"best": _name(best), "error": Num(least, 3, "up"), "what": judged_by(field)}
    if not others:
        return say(
            "{best} is alone here: {what} ±{error}. Choose more mechanisms to compare.", **values
        )
    if least <= 0:
        return say("{best} wins: at this ε it is practically never wrong.", **values)
    second, *rest = others
    gap = field.errors[second.lab.mechanism.key]
    values |= {"second": _name(second)}
    if gap <= least * 1.0005:
        return _and_last(
            field, say("{best} and {second} are level: {what} ±{error}.", **values), rest, least
        )
    values |= {"gap": Num(1 - least / gap, 2, "down", percent=True), "other": Num(gap, 3, "up")}
    told = say("{best} wins: {what} ±{error}, {gap} less than {second} (±{other}).", **values)
    return _and_last(field, told, rest, least)


def _and_last(field: Field, told: Say, rest: list[Scene], least: float) -> Say:
    """The sentence, and how far behind the last one is."""
    if not rest:
        return told
    times = field.errors[rest[-1].lab.mechanism.key] / least
    return say(
        "{told} {last} is {times} times as far off.",
        told=told,
        last=_name(rest[-1]),
        times=Num(times, 2, "down"),
    )


def _names(scenes: list[Scene]) -> Say:
    """Names after one another; “none” of no one."""
    if not scenes:
        return say("none")
    told = _name(scenes[0])
    for scene in scenes[1:]:
        told = say("{told}, {name}", told=told, name=_name(scene))
    return told


def _guarantees(field: Field) -> Sentence:
    kept = [scene for scene in field.scenes if scene.release.guarantee.sound]
    pure = [scene for scene in kept if scene.lab.mechanism.pure]
    if len(kept) < len(field.scenes):
        text = N_("Proven to keep ε = {epsilon}: {kept}. Not so: {others}.")
        others = [scene for scene in field.scenes if scene not in kept]
        return Sentence(
            "guarantees",
            say(text, epsilon=Num(field.lab.epsilon, 5), kept=_names(kept), others=_names(others)),
            "warn",
        )
    if not pure or len(pure) == len(field.scenes):
        return Sentence(
            "guarantees",
            say("All have the same guarantee: ε = {epsilon}.", epsilon=Num(field.lab.epsilon, 5)),
        )
    text = N_(
        "All keep ε = {epsilon}; {n} of them with δ = 0, which is the stronger promise, the others "
        "with δ = {delta}."
    )
    return Sentence(
        "guarantees",
        say(text, epsilon=Num(field.lab.epsilon, 5), n=len(pure), delta=Num(field.lab.delta)),
    )


def tables(field: Field) -> tuple[Table, ...]:
    """The exact figures of every mechanism."""
    scenes = field.ranking
    guarantees = [scene.release.guarantee for scene in scenes]
    laws = [scene.law for scene in scenes]
    widths = [scene.error(scene.law, "half_width") for scene in scenes]
    heads = (
        say("Mechanism"), Say("ε"), Say("δ"), say("mean |error|"), say("RMSE"),
        say("± at {confidence}", confidence=Num(field.lab.confidence, 4, "down", percent=True)), say("Law"),
    )  # fmt: skip
    how = {"exact": N_("exact"), "quadrature": N_("by quadrature"), "simulation": N_("simulated")}
    shown = Table(
        "figures",
        say("Exact figures") if field.focus.how == "exact" else say("Figures"),
        (
            ("mechanism", tuple(_name(scene) for scene in scenes)),
            ("epsilon", tuple(Num(g.epsilon, 5) for g in guarantees)),
            ("delta", tuple(Num(g.delta, 3, "up") for g in guarantees)),
            ("mean_abs", tuple(Num(law.mean_abs, 3, "up") for law in laws)),
            ("rmse", tuple(Num(math.sqrt(law.variance), 3, "up") for law in laws)),
            ("half_width", tuple(Num(width, 3, "up") for width in widths)),
            ("law", tuple(Say(how[scene.how]) for scene in scenes)),
        ),
        shown=True,
        heads=heads,
        exact=field.lab.show_truth and field.focus.telling,
    )
    x, y, keys = field.hull
    corners = (
        ("epsilon", tuple(map(float, x))),
        ("error", tuple(map(float, y))),
        ("mechanism", keys),
    )
    hull = Table("hull", say("Lower hull"), corners, exact=shown.exact)
    return shown, hull
