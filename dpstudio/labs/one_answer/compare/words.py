"""Compare's strip, sentences and table: who wins, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dpstudio.labs import answer_words
from dpstudio.labs.answer_model import AnswerModel, error, error_law, error_of
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.one_answer.compare.model import Comparison, broken, ranking, standing, times
from dpstudio.labs.winners import by_less, factor, listed, times_less
from dpstudio.values.messages import N_, Message, Num, enumerated, say

_JUDGED = {
    "half_width": N_("half-width at {confidence}"),
    "mean_abs": N_("mean absolute error"),
    "rmse": N_("root mean square error"),
}
_ERRS = {
    "half_width": N_("±{error} at {confidence}"),
    "mean_abs": N_("±{error} on average"),
    "rmse": N_("±{error} in root mean square"),
}
_HOW = {"exact": N_("exact"), "quadrature": N_("by quadrature"), "simulation": N_("simulated")}


def _judged_by(model: Comparison) -> Message:
    return _of_part(model, say(_JUDGED[model.lab.measure], confidence=_confidence(model)))


def _confidence(model: Comparison) -> Num:
    return Num(model.lab.confidence, 4, "down", percent=True)


def _of_part(model: Comparison, what: Message) -> Message:
    if not model.focus.asked.vector or model.focus.all_parts:
        return what
    return say("{what} for “{part}”", what=what, **answer_words.named_part(model.focus))


def _name(scene: AnswerModel) -> Message:
    return Message(scene.mechanism.label)


def facts(model: Comparison) -> Iterator[Fact]:
    """How far apart they are; the answer through the mechanism that is looked at; then the winner
    and the runner-up."""
    yield from _apart(model)
    for fact in answer_words.answer_facts(model.focus):
        own = say("{what} ({mechanism})", mechanism=_name(model.focus), what=fact.label)
        yield fact if fact.key == "truth" else replace(fact, label=own)
    places = (("winner", say("Least error")), ("next", say("Next best")))
    for (key, title), scenes in zip(places, standing(model), strict=False):
        scene, names = scenes[0], listed([_name(one) for one in scenes])
        text = say("{name} ±{error}", name=names, error=Num(error(scene), 3, "up"))
        yield Fact(key, title, text, _judged_by(model), scene.mechanism.ink, error(scene))


def _apart(model: Comparison) -> Iterator[Fact]:
    """How much less the best errs than what is looked at, or than the next where that is as good;
    how far off the last is; and how many give the stronger promise."""
    best, *others = standing(model)
    others = [scenes for scenes in others if not broken(scenes[0])]
    if others and error(best[0]) > 0:
        beside = next((scenes for scenes in others if model.focus in scenes), others[0])
        least, other = error(best[0]), error(beside[0])
        name, gap = listed([_name(one) for one in beside]), by_less(least, other)
        text = say("{gap}", gap=gap)
        value = gap.value if isinstance(gap, Num) else times_less(least, other)  # as it is shown
        yield Fact("less", say("less than {name}", name=name), text, "", "text", value)
    if others and error(best[0]) > 0 and others[-1] is not beside:
        name, far = listed([_name(one) for one in others[-1]]), times(best[0], others[-1][0])
        label = say("{name}, the farthest off", name=name)
        yield Fact("last", label, say("× {times}", times=factor(far)), "", "text", far)
    if model.scenes[1:]:
        pure = sum(one.release.guarantee.sound and one.mechanism.pure for one in model.scenes)
        text = say("{n} of {count}", n=Num(pure), count=Num(len(model.scenes)))
        yield Fact("pure", say("proven to keep ε with δ = 0"), text, "", "text", pure)


def headline(model: Comparison) -> tuple[str, ...]:
    """Who errs least; whose promise is broken here, or the winner's needs a remark; how much."""
    noted = [scene for scene in model.scenes if broken(scene)]
    noted += [scene for scene in standing(model)[0] if scene not in noted]
    promises = (f"promise_{scene.mechanism.key}" for scene in noted)
    return ("winner", "remark", *promises, "gap", "sampling")


def sentences(model: Comparison) -> Iterator[Sentence]:
    """Who wins, what is promised, and what holds of the answer that is looked at."""
    yield from _winner(model)
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


def _winner(model: Comparison) -> Iterator[Sentence]:
    """Who errs least among those that keep their promise, and by how much less than the others."""
    kept = [scenes for scenes in standing(model) if not broken(scenes[0])]
    if not kept:
        told = say("No mechanism chosen here keeps its promise at this ε.")
        yield Sentence("winner", told, "warn")
        return
    yield Sentence("winner", _best(model, *kept))
    winner = kept[0][0]
    if winner.release.guarantee.sound and winner.release.guarantee.note.text:
        text, note = N_("Of {name}: {remark}"), winner.release.guarantee.note
        yield Sentence("remark", say(text, name=_name(winner), remark=note), "warn")
    gap = _gap(*kept)
    if gap is not None:
        yield Sentence("gap", gap)


def _best(model: Comparison, best: list[AnswerModel], *others: list[AnswerModel]) -> Message:
    """Those with the least error, and of what; what breaks its promise may err less still."""
    least = error(best[0])
    values = {"best": listed([_name(scene) for scene in best]), "how": _errs(model, least)}
    if least <= 0:
        text = N_("{best} wins: at this ε it is practically never wrong.")
        if best[1:]:
            text = N_("{best} are level: at this ε they are practically never wrong.")
    elif best[1:]:
        text = N_("{best} are level: {how}.")
    elif not others:
        text = N_("{best} is alone here: {how}.")
    elif any(broken(scene) and error(scene) <= least for scene in model.scenes):
        text = N_("Of those that keep their promise {best} noise errs least: {how}.")
    else:
        text = N_("{best} noise errs least: {how}.")
    return Message(text, values)


def _errs(model: Comparison, least: float) -> Message:
    """An error in words, of what it is an error."""
    text = _ERRS[model.lab.measure]
    how = say(text, error=Num(least, 3, "up"), confidence=_confidence(model))
    focus = model.focus
    if focus.asked.vector or not model.lab.show_truth:
        return _of_part(model, how)
    truth = Num(focus.reference, answer_words.digits_of(focus))
    return say("{how}, of {truth}", how=how, truth=truth)


def _gap(best: list[AnswerModel], *others: list[AnswerModel]) -> Message | None:
    """How much less that is than the next errs, and how far off the last is; None of one that is
    alone, or never wrong."""
    if error(best[0]) <= 0:
        return None
    if not others:
        return None if best[1:] else say("Choose more mechanisms to compare.")
    last, far = listed([_name(s) for s in others[-1]]), factor(times(best[0], others[-1][0]))
    text = N_("{last} is {times} times as far off.")
    if others[-1][1:]:
        text = N_("{last} are {times} times as far off.")
    farthest = say(text, last=last, times=far)
    if best[1:]:
        return farthest
    values = {
        "second": listed([_name(s) for s in others[0]]),
        "gap": by_less(error(best[0]), error(others[0][0])),
        "other": Num(error(others[0][0]), 3, "up"),
    }
    told = say("That is {gap} less than {second} (±{other}).", **values)
    return say("{told} {farthest}", told=told, farthest=farthest) if others[1:] else told


def _names(scenes: Sequence[AnswerModel]) -> Message:
    """Names after one another; “none” of no one."""
    if not scenes:
        return say("none")
    return enumerated(map(_name, scenes))


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
    confidence = _confidence(model)
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
