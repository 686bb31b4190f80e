"""Local means' strip, sentences and table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.local.means.charts import CENTRAL
from dpstudio.labs.local.means.model import ALIKE
from dpstudio.privacy.local.hybrid import TURN
from dpstudio.privacy.local.piecewise import sampled
from dpstudio.privacy.local.protocol import odds_factor
from dpstudio.values.messages import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.local.means.model import MeansModel


def facts(model: MeansModel) -> tuple[Fact, ...]:
    """The strip: the exact mean, one survey's, the error, the least error, a trusted collector's,
    and what is sent."""
    lab, error, best = model.lab, model.errors[model.mine.key], model.best
    out = []
    digits = places(model.truth if lab.show_truth else float(model.replays[0, 0]), error)
    if lab.show_truth:
        value = Num(model.truth, digits)
        out.append(
            Fact(
                "truth",
                say("True mean"),
                say("{x}", x=value),
                say("exact: not private"),
                "truth",
                model.truth,
            )
        )
    out.append(Fact("answer", say("One survey"), Say(""), _within(model), "answer"))
    name = Say(model.mine.protocol.label)
    out.append(
        Fact(
            "error",
            name,
            say("±{x}", x=Num(error, 3, "up")),
            model.error_words,
            model.protocol.ink,
            error,
        )
    )
    if best.key != model.mine.key:
        least = model.errors[best.key]
        out.append(
            Fact(
                "best",
                best.name,
                say("±{x}", x=Num(least, 3, "up")),
                say("least here"),
                best.protocol.ink,
                least,
            )
        )
    central = model.central(model.n)
    out.append(
        Fact(
            "central",
            say("Central"),
            say("±{x}", x=Num(central, 3, "up")),
            say("were one trusted"),
            value=central,
        )
    )
    bits = model.mine.protocol.bits(model.d)
    out.append(Fact("bits", say("Each sends"), _bits(bits), value=bits))
    return tuple(out)


def _within(model: MeansModel) -> Say:
    return say(
        "{confidence}: ±{x}",
        confidence=Num(model.lab.confidence, 4, "down", percent=True),
        x=Num(model.interval, 3, "up"),
    )


def _bits(bits: float) -> Say:
    return say("1 bit") if bits == 1 else say("{bits} bits", bits=Num(bits, 3, "up"))


def places(value: float, error: float) -> int:
    """Significant digits that show `value` to a tenth of its error."""
    if value == 0 or error <= 0:
        return 4
    return int(
        min(12, max(3, math.floor(math.log10(abs(value))) - math.floor(math.log10(error)) + 2))
    )


def answer_fact(value: float, confidence: float, findings: Findings) -> Fact:
    """The fact of one simulated survey."""
    held = findings.fact("answer")
    error = float(findings.fact("error").value)
    return Fact(
        "answer",
        held.label,
        say("{x}", x=Num(value, places(value, error))),
        held.note,
        held.ink,
        value,
    )


def sentences(model: MeansModel) -> tuple[Sentence, ...]:
    return (
        _winner(model),
        _central(model),
        _asked(model),
        *_clipped(model),
        _odds(model),
        _neighbours(model),
        *_crossings(model),
        *_several(model),
        _turn(model),
        *_seldom(model),
        *_hidden(model),
    )


def _winner(model: MeansModel) -> Sentence:
    """Who wins at this ε and by how much."""
    best, mine = model.best, model.mine
    least, own = model.errors[best.key], model.errors[mine.key]
    values: dict[str, Any] = {
        "epsilon": Num(model.protocol.epsilon, 5),
        "best": best.name,
        "mine": mine.name,
        "least": Num(least, 3, "up"),
        "own": Num(own, 3, "up"),
        "column": plain(model.column),
        "measure": model.error_words,
    }
    if best.key == mine.key:
        others = [
            (model.errors[r.key], r) for r in model.rivals if model.errors[r.key] > own * ALIKE
        ]
        second, rival = min(others, key=lambda pair: pair[0])
        values |= {"best": mine.name, "second": rival.name, "times": Num((second / least) ** 2, 3)}
        text = N_(
            "At ε = {epsilon} {best} errs least: ±{least} at {measure}. {second} would need "
            "{times} times as many people for that."
        )
        if own > min(model.errors.values()) * (1 + 1e-9):
            text = N_(
                "At ε = {epsilon} none errs noticeably less than {best}: ±{least} at {measure}. "
                "{second} would need {times} times as many"
                " people for that."
            )
        return Sentence("winner", Say(text, values), "good")
    values["times"] = Num((own / least) ** 2, 3)
    text = N_(
        "At ε = {epsilon} {best} errs least: ±{least} at {measure}. {mine} errs by ±{own} and "
        "would need {times} times as many people."
    )
    return Sentence("winner", Say(text, values))


def _central(model: MeansModel) -> Sentence:
    """What trusting nobody costs against one trusted collector at the same ε."""
    own, trusted, enough = model.errors[model.mine.key], model.central(model.n), model.enough
    values = {
        "central": Num(trusted, 3, "up"),
        "factor": Num(own / trusted, 3),
        "few": Num(math.ceil(enough - 1e-9)),
        "n": Num(model.n),
        "times": Num(model.n / enough, 3),
    }
    if own > trusted:
        text = N_(
            "A trusted collector would err by ±{central} at the same ε, and needs {few} people for "
            "what {n} tell here:"
            " {times} times as many are asked so that nobody has to be trusted."
        )
        return Sentence("central", Say(text, values))
    text = N_(
        "Here noise on each report costs no more than Laplace noise on the mean: a trusted "
        "collector would err by ±{central}."
    )
    return Sentence("central", Say(text, values))


def _asked(model: MeansModel) -> Sentence:
    """Who is asked; how many is known to whoever collects."""
    n = Num(model.n)
    if model.data.contributions > 1:
        text = N_(
            "Asked is each of the {n} rows that count and have every value; whose rows they are is "
            "no secret."
        )
        return Sentence("asked", say(text, n=n))
    if not model.where:
        return Sentence(
            "asked",
            say(
                "Asked are all {n} people with a value, each once; their number is no secret.", n=n
            ),
        )
    text = N_(
        "Asked are the {n} people who meet the condition and have every value, each once; that "
        "they are asked is no secret."
    )
    if not model.lab.query.where:
        text = N_(
            "Asked are the {n} people who have every value, each once; that they are asked is no "
            "secret."
        )
    elif not model.lab.more:
        text = N_(
            "Asked are the {n} people who meet the condition and have a value, each once; that "
            "they are asked is no secret."
        )
    return Sentence("asked", say(text, n=n))


def _clipped(model: MeansModel) -> tuple[Sentence, ...]:
    if not model.lab.show_truth or not model.people.clipped:
        return ()
    share = Num(model.people.clipped / model.n, 3, percent=True)
    text = N_(
        "{share} of the values lie beyond the bounds and are sent as the bound: what is estimated "
        "is the mean of clipped values."
    )
    return (Sentence("clipped", say(text, share=share)),)


def _odds(model: MeansModel) -> Sentence:
    """What one report says about its sender."""
    epsilon = model.protocol.epsilon
    factor = odds_factor(epsilon)
    text = N_(
        "Whatever a person sends, it multiplies the odds between any two values by at most e^ε = "
        "{factor}."
    )
    return Sentence("odds", say(text, factor=factor))


def _neighbours(model: MeansModel) -> Sentence:
    """What ε protects, here and in the hands of the trusted collector."""
    delta = Num(2 * model.d * model.half / model.n, 3, "up")
    text = N_(
        "ε covers any change of what one person holds, here and for the trusted collector, whose "
        "mean it moves by at most {delta}."
    )
    if model.d > 1:
        text = N_(
            "ε covers any change of the {d} numbers that one person holds, here and for the "
            "trusted collector, whose {d} means it moves"
            " by at most {delta} in all, each on this column’s scale."
        )
    if model.data.contributions > 1:
        text = N_(
            "ε covers any change of one row, here and for the trusted collector; somebody with {m} "
            "rows is covered by {m} times ε."
        )
    return Sentence(
        "neighbours", say(text, delta=delta, d=Num(model.d), m=Num(model.data.contributions))
    )


def _seldom(model: MeansModel) -> tuple[Sentence, ...]:
    """Where the estimate is far from normal."""
    if model.seldom is None:
        return ()
    text = N_(
        "Of {n} reports only {few} on average say nothing of their sender: so few leave the "
        "estimates far from a normal law."
    )
    return (Sentence("seldom", say(text, n=Num(model.n), few=Num(model.seldom, 2)), "warn"),)


def _crossings(model: MeansModel) -> tuple[Sentence, ...]:
    """Where two protocols err alike."""
    alike, leap = (
        N_("{one} and {other} err alike at ε = {epsilon}."),
        N_("{one} and {other} change places at ε = {epsilon}."),
    )
    return tuple(
        Sentence(
            f"crossing_{i}",
            say(
                alike if model.alike(*found) else leap,
                one=found[0].name,
                other=found[1].name,
                epsilon=Num(found[2], 5),
            ),
        )
        for i, found in enumerate(model.crossings)
    )


def _several(model: MeansModel) -> tuple[Sentence, ...]:
    """Whether to send every number or one of them."""
    if model.d == 1:
        return ()
    found = []
    for key in ("local_laplace", "duchi"):
        every, one = model.errors[key], model.errors[f"{key}_one"]
        name = Say(next(r for r in model.rivals if r.key == key).protocol.label)
        values = {
            "name": name,
            "d": Num(model.d),
            "times": Num(max(every / one, one / every) ** 2, 3),
        }
        text = N_(
            "{name}: sending all {d} numbers takes {times} times as many people as sending one "
            "drawn at random, with all of ε."
        )
        if every < one:
            text = N_(
                "{name}: at so large an ε sending one number drawn at random takes {times} times "
                "as many people as sending all {d}."
            )
        found.append(Sentence(f"several_{key}", Say(text, values)))
    return tuple(found)


def _turn(model: MeansModel) -> Sentence:
    """Which part of the hybrid speaks."""
    text = N_(
        "Hybrid is Duchi up to ε = {turn}; above that it is piecewise with probability {share} "
        "here."
    )
    epsilon = model.protocol.epsilon / sampled(model.protocol.epsilon, model.d)
    if epsilon <= TURN:
        return Sentence(
            "turn", say("Up to ε = {turn} hybrid is Duchi’s mechanism.", turn=Num(TURN, 4))
        )
    return Sentence(
        "turn",
        say(
            text,
            turn=Num(TURN, 4),
            share=Num(min(-math.expm1(-epsilon / 2), 1 - 1e-9), 3, "down", percent=True),
        ),
    )


def _hidden(model: MeansModel) -> tuple[Sentence, ...]:
    if model.lab.show_truth:
        return ()
    return (
        Sentence(
            "hidden", say("The exact answer is hidden, so errors are those of the worst values.")
        ),
    )


def tables(model: MeansModel) -> tuple[Table, ...]:
    """Every protocol at this ε: its error, how many people it needs beside the best, and what is
    sent."""
    least = min(model.errors.values())
    rows: list[tuple[Any, ...]] = []
    for rival in model.rivals:
        error = model.errors[rival.key]
        rows.append(
            (
                rival.name,
                Num(error, 3, "up"),
                Num((error / least) ** 2, 3),
                Num(rival.protocol.bits(model.d), 3, "up"),
            )
        )
    rows.append(
        (
            CENTRAL,
            Num(model.central(model.n), 3, "up"),
            Num(model.central(model.n) / least, 2),
            Say("–"),
        )
    )
    names = ("protocol", "error", "people", "bits")
    heads = (say("protocol"), say("error"), say("people, best = 1"), say("bits sent"))
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    title = say("Protocols at ε = {epsilon}", epsilon=Num(model.protocol.epsilon, 5))
    return (
        Table("protocols", title, columns, shown=True, heads=heads, exact=model.lab.show_truth),
    )
