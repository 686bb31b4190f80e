"""Compare's strip, sentences and table: who wins, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dpstudio.labs import answer_words
from dpstudio.labs.answer_model import AnswerModel, error, error_law, error_of
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.one_answer.compare.model import Comparison, ranking, standing, times
from dpstudio.labs.winners import by_less, factor, listed
from dpstudio.values.messages import N_, Message, Num, say

_JUDGED = {
    "half_width": N_("half-width at {confidence}"),
    "mean_abs": N_("mean absolute error"),
    "rmse": N_("root mean square error"),
}
_HOW = {"exact": N_("exact"), "quadrature": N_("by quadrature"), "simulation": N_("simulated")}


def _judged_by(model: Comparison) -> Message:
    confidence = Num(model.lab.confidence, 4, "down", percent=True)
    what = say(_JUDGED[model.lab.measure], confidence=confidence)
    if not model.focus.asked.vector or model.focus.all_parts:
        return what
    return say("{what} for “{part}”", what=what, **answer_words.named_part(model.focus))


def _name(scene: AnswerModel) -> Message:
    return Message(scene.mechanism.label)


def facts(model: Comparison) -> Iterator[Fact]:
    """The answer through the mechanism that is looked at, then the winner and the runner-up."""
    for fact in answer_words.answer_facts(model.focus):
        own = say("{what} ({mechanism})", mechanism=_name(model.focus), what=fact.label)
        yield fact if fact.key == "truth" else replace(fact, label=own)
    places = (("winner", say("Least error")), ("next", say("Next")))
    for (key, title), scenes in zip(places, standing(model), strict=False):
        scene, names = scenes[0], listed([_name(one) for one in scenes])
        text = say("{name} ±{error}", name=names, error=Num(error(scene), 3, "up"))
        yield Fact(key, title, text, _judged_by(model), scene.mechanism.ink, error(scene))


def sentences(model: Comparison) -> Iterator[Sentence]:
    """Who wins, what is promised, and what holds of the answer that is looked at."""
    yield _winner(model)
    yield _guarantees(model)
    yield answer_words.truth_sentence(model.focus)
    yield answer_words.sampling_sentence(model.focus)
    yield answer_words.sensitivity_sentence(model.focus, model.scenes)
    yield from answer_words.persons_sentences(model.focus)
    for scene in model.scenes:
        promise = answer_words.promise_sentence(scene, f"promise_{scene.mechanism.key}")
        if promise is not None:
            yield promise
    yield Sentence("hint", say("Click a lane to see that answer on your data."))
    yield answer_words.simulated_sentence()


def _winner(model: Comparison) -> Sentence:
    """Who wins among those that keep their promise; the others are named after."""
    kept = [scene for scene in ranking(model) if not scene.release.guarantee.violated]
    broken = [scene for scene in ranking(model) if scene.release.guarantee.violated]
    told = say("No mechanism chosen here keeps its promise at this ε.")
    if kept:
        told = _contest(model, *(scenes for scenes in standing(model) if scenes[0] in kept))
    remark = kept[0].release.guarantee.note if kept else Message("")
    if remark.text:
        told = say("{told} Of {name}: {remark}", told=told, name=_name(kept[0]), remark=remark)
    for scene in broken:
        text = N_("{told} {name} breaks its promise here and does not count.")
        told = say(text, told=told, name=_name(scene))
    return Sentence("winner", told, "warn" if broken or remark.text else "plain")


def _contest(model: Comparison, best: list[AnswerModel], *others: list[AnswerModel]) -> Message:
    """Those with the least error against the next, and the last: each a tier of equal errors."""
    least = Num(error(best[0]), 3, "up")
    names = listed([_name(scene) for scene in best])
    values = {"best": names, "error": least, "what": _judged_by(model)}
    if not others and not best[1:]:
        text = N_("{best} is alone here: {what} ±{error}. Choose more mechanisms to compare.")
        return Message(text, values)
    if error(best[0]) <= 0:
        text = N_("{best} wins: at this ε it is practically never wrong.")
        if best[1:]:
            text = N_("{best} are level: at this ε they are practically never wrong.")
        return Message(text, values)
    told, rest = Message(N_("{best} are level: {what} ±{error}."), values), others
    if not best[1:]:
        second, *rest_of = others
        rest = tuple(rest_of)
        text = N_("{best} wins: {what} ±{error}, {gap} less than {second} (±{other}).")
        gap = by_less(error(best[0]), error(second[0]))
        values |= {"second": listed([_name(s) for s in second]), "gap": gap}
        told = Message(text, {**values, "other": Num(error(second[0]), 3, "up")})
    if not rest:
        return told
    last = rest[-1]
    text = N_("{told} {last} is {times} times as far off.")
    if last[1:]:
        text = N_("{told} {last} are {times} times as far off.")
    far = factor(times(best[0], last[0]))
    return say(text, told=told, last=listed([_name(scene) for scene in last]), times=far)


def _names(scenes: Sequence[AnswerModel]) -> Message:
    """Names after one another; “none” of no one."""
    if not scenes:
        return say("none")
    told = _name(scenes[0])
    for scene in scenes[1:]:
        told = say("{told}, {name}", told=told, name=_name(scene))
    return told


def _guarantees(model: Comparison) -> Sentence:
    """What all promise, or who keeps it and who does not."""
    kept = [scene for scene in model.scenes if scene.release.guarantee.sound]
    others = [scene for scene in model.scenes if scene not in kept]
    pure = sum(scene.mechanism.pure for scene in kept)
    epsilon = Num(model.lab.epsilon, 5)
    if others:
        text = N_("Proven to keep ε = {epsilon}: {kept}. Not so: {others}.")
        told = say(text, epsilon=epsilon, kept=_names(kept), others=_names(others))
        return Sentence("guarantees", told, "warn")
    if pure in (0, len(kept)):
        return Sentence(
            "guarantees", say("All have the same guarantee: ε = {epsilon}.", epsilon=epsilon)
        )
    text = N_(
        "All keep ε = {epsilon}; {n} of them with δ = 0, which is the stronger promise, the others "
        "with δ = {delta}."
    )
    told = say(text, epsilon=epsilon, n=pure, delta=Num(model.lab.delta, 3, "up"))
    return Sentence("guarantees", told)


def tables(model: Comparison) -> Iterator[Table]:
    """The exact figures of every mechanism."""
    scenes = ranking(model)
    guarantees = [scene.release.guarantee for scene in scenes]
    confidence = Num(model.lab.confidence, 4, "down", percent=True)
    telling = model.lab.show_truth and model.focus.law_depends_on_answer

    def errors(measure: str) -> tuple[Num, ...]:
        found = (error_of(scene, error_law(scene), measure) for scene in scenes)
        return tuple(Num(error, 3, "up") for error in found)

    shown = (
        ("mechanism", say("Mechanism"), tuple(map(_name, scenes))),
        ("epsilon", Message("ε"), tuple(Num(g.epsilon, 5) for g in guarantees)),
        ("delta", Message("δ"), tuple(Num(g.delta, 3, "up") for g in guarantees)),
        ("mean_abs", say("mean |error|"), errors("mean_abs")),
        ("rmse", say("root mean square"), errors("rmse")),
        ("half_width", say("± at {confidence}", confidence=confidence), errors("half_width")),
        ("law", say("Law"), tuple(Message(_HOW[scene.how]) for scene in scenes)),
    )
    title = say("Exact figures") if model.focus.how == "exact" else say("Figures")
    columns, heads = tuple((key, cells) for key, _, cells in shown), tuple(h for _, h, _ in shown)
    yield Table("figures", title, columns, shown=True, heads=heads, exact=telling)
