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
    from dpstudio.labs.local.means.model import Scene


def facts(scene: Scene) -> tuple[Fact, ...]:
    """The strip: the exact mean, one survey's, the error, the least error, a trusted collector's,
    and what is sent."""
    lab, error, best = scene.lab, scene.errors[scene.mine.key], scene.best
    out = []
    digits = places(scene.truth if lab.show_truth else float(scene.replays[0, 0]), error)
    if lab.show_truth:
        value = Num(scene.truth, digits)
        out.append(
            Fact(
                "truth",
                say("True mean"),
                say("{x}", x=value),
                say("exact: not private"),
                "truth",
                scene.truth,
            )
        )
    out.append(Fact("answer", say("One survey"), Say(""), _within(scene), "answer"))
    name = Say(scene.mine.protocol.label)
    out.append(
        Fact(
            "error",
            name,
            say("±{x}", x=Num(error, 3, "up")),
            scene.error_words,
            scene.protocol.ink,
            error,
        )
    )
    if best.key != scene.mine.key:
        least = scene.errors[best.key]
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
    central = scene.central(scene.n)
    out.append(
        Fact(
            "central",
            say("Central"),
            say("±{x}", x=Num(central, 3, "up")),
            say("were one trusted"),
            value=central,
        )
    )
    bits = scene.mine.protocol.bits(scene.d)
    out.append(Fact("bits", say("Each sends"), _bits(bits), value=bits))
    return tuple(out)


def _within(scene: Scene) -> Say:
    return say(
        "{confidence}: ±{x}",
        confidence=Num(scene.lab.confidence, 4, "down", percent=True),
        x=Num(scene.interval, 3, "up"),
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


def sentences(scene: Scene) -> tuple[Sentence, ...]:
    return (
        _winner(scene),
        _central(scene),
        _asked(scene),
        *_clipped(scene),
        _odds(scene),
        _neighbours(scene),
        *_crossings(scene),
        *_several(scene),
        _turn(scene),
        *_seldom(scene),
        *_hidden(scene),
    )


def _winner(scene: Scene) -> Sentence:
    """Who wins at this ε and by how much."""
    best, mine = scene.best, scene.mine
    least, own = scene.errors[best.key], scene.errors[mine.key]
    values: dict[str, Any] = {
        "epsilon": Num(scene.protocol.epsilon, 5),
        "best": best.name,
        "mine": mine.name,
        "least": Num(least, 3, "up"),
        "own": Num(own, 3, "up"),
        "column": plain(scene.column),
        "measure": scene.error_words,
    }
    if best.key == mine.key:
        others = [
            (scene.errors[r.key], r) for r in scene.rivals if scene.errors[r.key] > own * ALIKE
        ]
        second, rival = min(others, key=lambda pair: pair[0])
        values |= {"best": mine.name, "second": rival.name, "times": Num((second / least) ** 2, 3)}
        text = N_(
            "At ε = {epsilon} {best} errs least: ±{least} at {measure}. {second} would need "
            "{times} times as many people for that."
        )
        if own > min(scene.errors.values()) * (1 + 1e-9):
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


def _central(scene: Scene) -> Sentence:
    """What trusting nobody costs against one trusted collector at the same ε."""
    own, trusted, enough = scene.errors[scene.mine.key], scene.central(scene.n), scene.enough
    values = {
        "central": Num(trusted, 3, "up"),
        "factor": Num(own / trusted, 3),
        "few": Num(math.ceil(enough - 1e-9)),
        "n": Num(scene.n),
        "times": Num(scene.n / enough, 3),
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


def _asked(scene: Scene) -> Sentence:
    """Who is asked; how many is known to whoever collects."""
    n = Num(scene.n)
    if scene.data.contributions > 1:
        text = N_(
            "Asked is each of the {n} rows that count and have every value; whose rows they are is "
            "no secret."
        )
        return Sentence("asked", say(text, n=n))
    if not scene.where:
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
    if not scene.lab.query.where:
        text = N_(
            "Asked are the {n} people who have every value, each once; that they are asked is no "
            "secret."
        )
    elif not scene.lab.more:
        text = N_(
            "Asked are the {n} people who meet the condition and have a value, each once; that "
            "they are asked is no secret."
        )
    return Sentence("asked", say(text, n=n))


def _clipped(scene: Scene) -> tuple[Sentence, ...]:
    if not scene.lab.show_truth or not scene.people.clipped:
        return ()
    share = Num(scene.people.clipped / scene.n, 3, percent=True)
    text = N_(
        "{share} of the values lie beyond the bounds and are sent as the bound: what is estimated "
        "is the mean of clipped values."
    )
    return (Sentence("clipped", say(text, share=share)),)


def _odds(scene: Scene) -> Sentence:
    """What one report says about its sender."""
    epsilon = scene.protocol.epsilon
    factor = odds_factor(epsilon)
    text = N_(
        "Whatever a person sends, it multiplies the odds between any two values by at most e^ε = "
        "{factor}."
    )
    return Sentence("odds", say(text, factor=factor))


def _neighbours(scene: Scene) -> Sentence:
    """What ε protects, here and in the hands of the trusted collector."""
    delta = Num(2 * scene.d * scene.half / scene.n, 3, "up")
    text = N_(
        "ε covers any change of what one person holds, here and for the trusted collector, whose "
        "mean it moves by at most {delta}."
    )
    if scene.d > 1:
        text = N_(
            "ε covers any change of the {d} numbers that one person holds, here and for the "
            "trusted collector, whose {d} means it moves"
            " by at most {delta} in all, each on this column’s scale."
        )
    if scene.data.contributions > 1:
        text = N_(
            "ε covers any change of one row, here and for the trusted collector; somebody with {m} "
            "rows is covered by {m} times ε."
        )
    return Sentence(
        "neighbours", say(text, delta=delta, d=Num(scene.d), m=Num(scene.data.contributions))
    )


def _seldom(scene: Scene) -> tuple[Sentence, ...]:
    """Where the estimate is far from normal."""
    if scene.seldom is None:
        return ()
    text = N_(
        "Of {n} reports only {few} on average say nothing of their sender: so few leave the "
        "estimates far from a normal law."
    )
    return (Sentence("seldom", say(text, n=Num(scene.n), few=Num(scene.seldom, 2)), "warn"),)


def _crossings(scene: Scene) -> tuple[Sentence, ...]:
    """Where two protocols err alike."""
    alike, leap = (
        N_("{one} and {other} err alike at ε = {epsilon}."),
        N_("{one} and {other} change places at ε = {epsilon}."),
    )
    return tuple(
        Sentence(
            f"crossing_{i}",
            say(
                alike if scene.alike(*found) else leap,
                one=found[0].name,
                other=found[1].name,
                epsilon=Num(found[2], 5),
            ),
        )
        for i, found in enumerate(scene.crossings)
    )


def _several(scene: Scene) -> tuple[Sentence, ...]:
    """Whether to send every number or one of them."""
    if scene.d == 1:
        return ()
    found = []
    for key in ("local_laplace", "duchi"):
        every, one = scene.errors[key], scene.errors[f"{key}_one"]
        name = Say(next(r for r in scene.rivals if r.key == key).protocol.label)
        values = {
            "name": name,
            "d": Num(scene.d),
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


def _turn(scene: Scene) -> Sentence:
    """Which part of the hybrid speaks."""
    text = N_(
        "Hybrid is Duchi up to ε = {turn}; above that it is piecewise with probability {share} "
        "here."
    )
    epsilon = scene.protocol.epsilon / sampled(scene.protocol.epsilon, scene.d)
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


def _hidden(scene: Scene) -> tuple[Sentence, ...]:
    if scene.lab.show_truth:
        return ()
    return (
        Sentence(
            "hidden", say("The exact answer is hidden, so errors are those of the worst values.")
        ),
    )


def tables(scene: Scene) -> tuple[Table, ...]:
    """Every protocol at this ε: its error, how many people it needs beside the best, and what is
    sent."""
    least = min(scene.errors.values())
    rows: list[tuple[Any, ...]] = []
    for rival in scene.rivals:
        error = scene.errors[rival.key]
        rows.append(
            (
                rival.name,
                Num(error, 3, "up"),
                Num((error / least) ** 2, 3),
                Num(rival.protocol.bits(scene.d), 3, "up"),
            )
        )
    rows.append(
        (
            CENTRAL,
            Num(scene.central(scene.n), 3, "up"),
            Num(scene.central(scene.n) / least, 2),
            Say("–"),
        )
    )
    names = ("protocol", "error", "people", "bits")
    heads = (say("protocol"), say("error"), say("people, best = 1"), say("bits sent"))
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    title = say("Protocols at ε = {epsilon}", epsilon=Num(scene.protocol.epsilon, 5))
    return (
        Table("protocols", title, columns, shown=True, heads=heads, exact=scene.lab.show_truth),
    )
