"""Selection's strip, sentences and tables: every number computed, upper bounds rounded up."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from dpstudio.labs.central.selection.model import SelectionModel
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.persons import kept_sentences
from dpstudio.privacy.mechanisms.choosing import GUMBEL, Exponential, NoisyMax, PermuteFlip
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Num, Say, plain, say

_ROWS = 14


def chance(missed: float) -> Say:
    """A probability near 1 by what it lacks: 1 − 6.14·10⁻⁶."""
    if missed > 0.001:
        return say("{p}", p=Num(1 - missed, 4, percent=True))
    return (
        say("1 − {missed}", missed=Num(missed, 3, "up"))
        if missed > 0
        else say("{p}", p=Num(1.0, 4, percent=True))
    )


def facts(model: SelectionModel) -> tuple[Fact, ...]:
    """The strip: the best, a simulated winner, how often the best wins, what is lost, what it
    costs."""
    lab, asked = model.lab, model.asked
    best, key = asked.best, lab.mechanism.key
    tied = int(model.is_best.sum())
    score = say("{score} {unit}", score=Num(float(model.scores.values[best]), 4), unit=asked.unit)
    if asked.metric:
        score = say("on the grid: exact, not private")
    elif tied > 1:
        score = say("{score}, and {others} as good", score=score, others=tied - 1)
    label = say("Exact quantile") if asked.metric else say("Best")
    missed, lost = model.missed(key), model.losses[key]
    return (
        Fact("truth", label, plain(asked.labels[best]), score, "truth", asked.labels[best]),
        Fact("answer", say("Simulated winner"), Say(""), "", "answer", None),
        Fact(
            "chance", say("Chance of the best"), chance(missed), _against(model), value=1 - missed
        ),
        Fact(
            "typical",
            say("Lost on average"),
            say("{x}", x=Num(lost, 3, "up")),
            say("{unit} short of the best", unit=asked.unit),
            value=lost,
        ),
        _interval(model),
        _cost(model),
    )


def _against(model: SelectionModel) -> Say:
    """The blind guess beside it."""
    return say("{p} by a blind draw", p=Num(float(model.is_best.mean()), 2, percent=True))


def _interval(model: SelectionModel) -> Fact:
    within = model.error(model.lab.mechanism)
    label = say(
        "{confidence} of winners", confidence=Num(model.lab.confidence, 4, "down", percent=True)
    )
    if model.asked.metric:
        return Fact(
            "interval",
            label,
            say("±{w}", w=Num(within, 3, "up")),
            say("about the exact quantile"),
            value=within,
        )
    note = say("{unit} short of the best", unit=model.asked.unit)
    return Fact("interval", label, say("≤ {w}", w=Num(within, 3, "up")), note, value=within)


def _cost(model: SelectionModel) -> Fact:
    epsilon = model.lab.mechanism.epsilon
    return Fact(
        "cost",
        say("One such answer costs"),
        say("ε = {x}", x=Num(epsilon, 5, "up")),
        _scale(model),
        value=epsilon,
    )


def _scale(model: SelectionModel) -> Say:
    """The noise on one score."""
    return say(
        "noise scale {scale} per score",
        scale=Num(1 / model.lab.mechanism.rate(model.scores), 3, "up"),
    )


def hidden_facts(model: SelectionModel) -> tuple[Fact, ...]:
    """The strip of a hidden answer."""
    label = model.asked.labels[int(model.unseen_winner[0, 0])]
    within = model.promised(model.lab.mechanism)
    return (
        Fact(
            "answer",
            say("Simulated winner"),
            plain(label),
            say("simulated: not a release"),
            "answer",
            label,
        ),
        Fact(
            "interval",
            say(
                "{confidence} of winners",
                confidence=Num(model.lab.confidence, 4, "down", percent=True),
            ),
            say("≤ {w}", w=Num(within, 3, "up")),
            say("{unit} short, whatever the scores are", unit=model.asked.unit),
            value=within,
        ),
        _cost(model),
    )


def with_winner_words(findings: Findings, index: int) -> Findings:
    """The strip and the sentence with simulated winner number `index` in them."""
    winner = int(findings.replays[index % len(findings.replays), 0])
    parts = dict(next(t for t in findings.tables if t.key == "parts").columns)
    label, error = str(parts["candidate"][winner]), float(parts["error"][winner])
    note = say("{error} off", error=Num(error, 3)) if error else say("the best")
    fact = replace(findings.fact("answer"), text=plain(label), note=note, value=label)
    told = tuple(
        replace(s, say=say(s.say.text, **{**s.say.values, "answer": plain(label)}))
        if s.key == "answer"
        else s
        for s in findings.sentences
    )
    return replace(
        findings,
        facts=tuple(fact if f.key == "answer" else f for f in findings.facts),
        sentences=told,
    )


def sentences(model: SelectionModel) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    asked = model.asked
    best = plain(asked.labels[asked.best])
    text = N_("The exact quantile is {best} on this grid; a simulated winner is {answer}.")
    if not asked.metric:
        text = N_("The best is {best}; a simulated winner is {answer}.")
    told = [
        compare(model),
        needed(model),
        Sentence("answer", say(text, best=best, answer="")),
        _within(model),
        promise(model),
        never(model),
        Sentence("sensitivity", asked.why),
        monotone(model),
        *_variant(model),
        odds(model),
        Sentence(
            "simulated", say("Noise here is simulated for looking; it is not a private release.")
        ),
        *_kept(model),
    ]
    return tuple(told)


def _kept(model: SelectionModel) -> tuple[Sentence, ...]:
    """Typed scores come from no table, so none of its rows matter."""
    lab = model.lab
    return (
        ()
        if model.asked.typed
        else kept_sentences(model.data, lab.query, lab.adjacency, 0, show_truth=lab.show_truth)
    )


def hidden_sentences(model: SelectionModel) -> tuple[Sentence, ...]:
    label = plain(model.asked.labels[int(model.unseen_winner[0, 0])])
    return (
        promise(model),
        Sentence("answer", say("A simulated winner is {answer}.", answer=label)),
        never(model),
        Sentence("sensitivity", model.asked.why),
        monotone(model),
        *_variant(model),
        odds(model),
        *_kept(model),
        Sentence(
            "simulated", say("Noise here is simulated for looking; it is not a private release.")
        ),
    )


def compare(model: SelectionModel) -> Sentence:
    """Which of the three loses least, and by how much."""
    ranked = sorted(model.mechanisms, key=lambda m: model.losses[m.key])
    first, second, third = (model.losses[m.key] for m in ranked)
    names = [Say(m.label) for m in ranked]
    missed = max(model.missed(m.key) for m in ranked)
    if bool(model.is_best.all()):
        return Sentence(
            "compare",
            say("All candidates are equally good, so that no mechanism can lose anything."),
        )
    if missed < 1e-4:
        text = N_(
            "All three choose the best almost surely: another wins with a probability of at most "
            "{missed}."
        )
        return Sentence("compare", say(text, missed=Num(missed, 2, "up")), "good")
    if third <= first * 1.005:
        text = N_("The three are practically alike: each loses {loss} {unit} on average.")
        return Sentence("compare", say(text, loss=Num(third, 3, "up"), unit=model.asked.unit))
    text = N_(
        "{first} loses least: {a} {unit} on average, against {b} with {second} and {c} with "
        "{third}, so {share} less than the last."
    )
    return Sentence(
        "compare",
        say(
            text,
            first=names[0],
            second=_inside(names[1]),
            third=_inside(names[2]),
            a=Num(first, 3),
            b=Num(second, 3),
            c=Num(third, 3),
            unit=model.asked.unit,
            share=Num(1 - first / third, 2, "down", percent=True),
        ),
    )


_WITHIN = {
    Exponential.label: N_("the exponential mechanism"),
    NoisyMax.label: N_("noisy max"),
    PermuteFlip.label: N_("permute-and-flip"),
}


def _inside(name: Say) -> Say:
    """A mechanism's name inside a sentence."""
    return Say(_WITHIN[name.text])


def needed(model: SelectionModel) -> Sentence:
    """The ε at which the best wins with the confidence."""
    epsilon, lab = model.epsilon_needed, model.lab
    if epsilon is None:
        return Sentence("needed", say("Any winner is a best one, whatever ε is."))
    met = lab.mechanism.epsilon >= epsilon * (1 - 1e-6)
    text = N_(
        "The best wins with probability {confidence} from ε = {epsilon} on, and so it does here."
    )
    missed = N_(
        "The best wins with probability {confidence} from ε = {epsilon} on; here with {chance}."
    )
    told = say(
        text if met else missed,
        confidence=Num(lab.confidence, 4, "down", percent=True),
        epsilon=Num(epsilon, 3, "up"),
        chance=chance(model.missed(lab.mechanism.key)),
    )
    return Sentence("needed", told, "good" if met else "warn")


def _within(model: SelectionModel) -> Sentence:
    within = Num(model.error(model.lab.mechanism), 3, "up")
    confidence = Num(model.lab.confidence, 4, "down", percent=True)
    if model.asked.metric:
        return Sentence(
            "interval",
            say(
                "{confidence} of winners are within ±{w} of the exact quantile.",
                confidence=confidence,
                w=within,
            ),
        )
    text = N_("{confidence} of winners are short of the best by at most {w} {unit}.")
    if not within.value:
        text = N_("At least {confidence} of winners are the best.")
    return Sentence("interval", say(text, confidence=confidence, w=within, unit=model.asked.unit))


def promise(model: SelectionModel) -> Sentence:
    """What holds for any scores."""
    if model.count == 1:
        return Sentence("promise", say("There is one candidate only, and it always wins."))
    text = N_(
        "Whatever the scores of {n} candidates are, {confidence} of winners are short of the best "
        "by at most {w} {unit}."
    )
    return Sentence(
        "promise",
        say(
            text,
            n=model.count,
            confidence=Num(model.lab.confidence, 4, "down", percent=True),
            w=Num(model.promised(model.lab.mechanism), 3, "up"),
            unit=model.asked.unit,
        ),
    )


def never(model: SelectionModel) -> Sentence:
    text = N_(
        "Permute-and-flip never loses more than the exponential mechanism, and at best half as "
        "much (McKenna & Sheldon 2020)."
    )
    return Sentence("never", Say(text))


def monotone(model: SelectionModel) -> Sentence:
    """Which noise is used, and why it is enough."""
    if model.scores.monotone:
        text = N_(
            "Scores are monotone, so noise for ε/Δ is enough: the argument of Dwork & Roth 2014, "
            "Claim 3.9, holds for all three."
        )
    elif model.asked.scores.monotone:
        text = N_(
            "Noise is for ε/2Δ, though scores are monotone and ε/Δ would be proved: half of ε is "
            "left unused."
        )
    else:
        text = N_("Noise is for ε/2Δ: one person may raise one score and lower another.")
    return Sentence("monotone", Say(text))


def _variant(model: SelectionModel) -> tuple[Sentence, ...]:
    mechanism = model.lab.mechanism
    return (
        (Sentence("variant", mechanism.remark()),)
        if isinstance(mechanism, NoisyMax) and mechanism.noise == GUMBEL
        else ()
    )


def odds(model: SelectionModel) -> Sentence:
    """The risk in words: success of guessing from even odds, at most e^ε/(1 + e^ε)."""
    right = 1 / (1 + math.exp(-model.lab.mechanism.epsilon))
    text = N_(
        "Of 100 people with one of two values at even odds, an attacker gets at most {right} right "
        "after this answer (50 before)."
    )
    if model.lab.adjacency == ADD_REMOVE:
        text = N_(
            "Of 100 people whose presence is an even guess, an attacker gets at most {right} right "
            "after this answer (50 before)."
        )
    return Sentence("odds", say(text, right=Num(min(100, math.ceil(right * 100 - 1e-9)))))


def tables(model: SelectionModel) -> tuple[Table, ...]:
    """Probabilities over several ε, the best candidates first; and everything about each candidate
    at the current ε."""
    return _probabilities(model), _parts(model)


def _probabilities(model: SelectionModel) -> Table:
    lab, asked = model.lab, model.asked
    order = np.argsort(-model.scores.values, kind="stable")
    shown, rest = (
        (order, order[:0]) if len(order) <= _ROWS else (order[: _ROWS - 1], order[_ROWS - 1 :])
    )
    names: list[Any] = [plain(asked.labels[i]) for i in shown]
    scores: list[Any] = [Num(float(model.scores.values[i]), 4) for i in shown]
    if len(rest):
        names.append(say("{n} others", n=len(rest)))
        scores.append("")
    columns: list[tuple[str, tuple[Any, ...]]] = [
        ("candidate", tuple(names)),
        ("score", tuple(scores)),
    ]
    for epsilon in lab.at:
        logs = model.table(epsilon)
        chances = np.exp(logs)
        cells: list[Any] = [
            _cell(float(logs[i]), float(np.delete(chances, i).sum())) for i in shown
        ]
        if len(rest):
            cells.append(Num(float(chances[rest].sum()), 3))
        columns.append((f"epsilon_{epsilon:g}", tuple(cells)))
    return Table(
        "probabilities",
        say("{mechanism}: exact probabilities over ε", mechanism=Say(lab.mechanism.label)),
        tuple(columns),
        shown=True,
        heads=(asked.what, asked.unit, *(say("ε = {x}", x=Num(epsilon, 5)) for epsilon in lab.at)),
        exact=model.exact,
    )


def _cell(log_chance: float, missed: float) -> Num | Say:
    """A probability as people read it: near 1 by what it lacks, and never 0, for every candidate
    can win."""
    if log_chance < -690:
        return say("10{power}", power=superscript(math.floor(log_chance / math.log(10) + 0.5)))
    return chance(missed) if missed < 0.0005 else Num(math.exp(log_chance), 3)


def superscript(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _parts(model: SelectionModel) -> Table:
    asked = model.asked
    return Table(
        "parts",
        say("Candidates"),
        (
            ("candidate", asked.labels),
            ("score", tuple(map(float, model.scores.values))),
            ("error", tuple(map(float, asked.errors))),
            *((m.key, tuple(map(float, model.chances[m.key]))) for m in model.mechanisms),
            ("simulated", tuple(map(float, model.frequencies))),
        ),
        exact=model.exact,
    )
