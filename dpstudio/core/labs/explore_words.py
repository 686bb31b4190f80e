"""Explore's strip, sentences and tables: every number computed, upper bounds rounded up."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpstudio.core.accounting import Advanced, AdvancedTanh, crossover
from dpstudio.core.findings import Fact, Findings, Sentence, Table
from dpstudio.core.labs.explore_charts import target_text
from dpstudio.core.labs.explore_scene import Scene
from dpstudio.core.wording import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.core.labs.explore import Explore


def facts(scene: Scene) -> tuple[Fact, ...]:
    """The strip: the exact answer, a simulated one, the typical error, the interval, the cost of k answers."""
    lab, truth, width = scene.lab, float(scene.truth[scene.part]), scene.half_width
    value = scene.reference
    digits = _digits(value, width)
    typical = scene.error(scene.law, "mean_abs")
    cost_by, cost = scene.best
    out = []
    if lab.show_truth:
        out.append(
            Fact(
                "truth",
                _labelled(scene, N_("True answer")),
                say("{x}", x=Num(truth, digits)),
                Say(N_("exact: not private")),
                "truth",
                truth,
            )
        )
    out.append(Fact("answer", Say(N_("A simulated answer")), Say(""), "", "answer", None))
    out.append(
        Fact(
            "typical",
            Say(N_("Typical error")),
            say("±{x}", x=Num(typical, 3, "up")),
            say(N_("mean absolute{share}"), share=_share(typical, value)),
            value=typical,
        )
    )
    middle = value
    out.append(
        Fact(
            "interval",
            say(N_("{confidence} of answers"), confidence=Num(lab.confidence, 3, percent=True)),
            say("{low} … {high}", low=Num(middle - width, digits, "down"), high=Num(middle + width, digits, "up")),
            say(N_("within ±{width}{share}"), width=Num(width, 3, "up"), share=_share(width, value)),
            value=(middle - width, middle + width),
        )
    )
    guarantee = scene.release.guarantee
    total_delta = cost_by.total_delta(lab.answers, guarantee.delta)
    note = (
        say(N_("at δ = {delta}, {bound}"), delta=Num(total_delta, 3, "up"), bound=Say(cost_by.label))
        if total_delta
        else say(N_("{bound}"), bound=Say(cost_by.label))
    )
    out.append(Fact("cost", say(N_("{k} such answers cost"), k=Num(lab.answers)), say("ε = {x}", x=Num(cost, 3, "up")), note, value=cost))
    return tuple(out)


def with_answer_words(findings: Findings, index: int) -> Findings:
    """The strip with simulated answer number `index` in it."""
    answers = findings.replays[index % len(findings.replays)]
    part = findings.part
    value = float(answers[part])
    low, high = findings.fact("interval").value
    text = say("{x}", x=Num(value, _digits(value, (high - low) / 2) + 1))
    note: Say = Say(N_("simulated: not a release"))
    if findings.truth is not None:
        truth = float(findings.truth[part])
        error = value - truth
        shown = Num(error, 3, sign=True)
        note = (
            say("{error} · {share}", error=shown, share=Num(error / abs(truth), 3, sign=True, percent=True))
            if truth
            else say("{error}", error=shown)
        )
    fact = replace(findings.fact("answer"), text=text, note=note, value=value)
    sentences = tuple(
        replace(s, say=say(s.say.text, **{**s.say.values, "answer": text})) if s.key == "answer" else s for s in findings.sentences
    )
    return replace(findings, facts=tuple(fact if f.key == "answer" else f for f in findings.facts), sentences=sentences)


def _digits(value: float, width: float) -> int:
    """Significant digits that show `value` to about a hundredth of its noise."""
    if not value or not width:
        return 4
    return max(3, min(12, math.floor(math.log10(abs(value))) - math.floor(math.log10(width)) + 2))


def _labelled(scene: Scene, text: str) -> Say:
    return say("{what} · {part}", what=Say(text), part=plain(scene.asked.labels[scene.part])) if scene.asked.vector else Say(text)


def _share(error: float, value: float) -> Say:
    return say(N_(", {share}"), share=Num(error / abs(value), 2, "up", percent=True)) if value else Say("")


def sentences(scene: Scene) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    lab = scene.lab
    return tuple(
        s
        for s in (
            _truth(scene),
            _interval(scene),
            needed(scene),
            _cost(scene),
            _crossing(scene),
            odds(scene),
            _sensitivity(scene),
            _promise(scene),
            _outside(lab),
        )
        if s
    )


def _truth(scene: Scene) -> Sentence:
    lab = scene.lab
    if not lab.show_truth:
        return Sentence("answer", say(N_("A simulated answer is {answer}."), answer=""))
    truth = float(scene.truth[scene.part])
    return Sentence(
        "answer",
        say(
            N_("The exact answer is {truth}; a simulated answer is {answer}."),
            truth=Num(truth, _digits(truth, scene.half_width)),
            answer="",
        ),
    )


def _interval(scene: Scene) -> Sentence:
    many = scene.lab.largest and scene.asked.vector
    text = (
        N_("In {confidence} of releases every one of the {parts} parts is within ±{width} of the exact count.")
        if many
        else N_("{confidence} of answers are within ±{width} of the exact one.")
    )
    return Sentence(
        "interval",
        say(text, confidence=Num(scene.lab.confidence, 3, percent=True), width=Num(scene.half_width, 3, "up"), parts=len(scene.truth)),
    )


def needed(scene: Scene) -> Sentence:
    """The ε that the target needs, and whether it is met."""
    epsilon, lab = scene.epsilon_needed, scene.lab
    if epsilon is None:
        return Sentence("needed", Say(N_("A share of 0 is 0: set the target in units instead of %.")), "warn")
    if not math.isfinite(epsilon):
        return Sentence("needed", say(N_("No ε up to 10,000 comes within ±{target}."), target=target_text(scene)), "warn")
    met = lab.mechanism.epsilon >= epsilon * (1 - 1e-9)
    text = N_("needs ε = {epsilon} — met") if met else N_("needs ε = {epsilon} — not met")
    return Sentence("needed", say(text, epsilon=Num(epsilon, 3, "up")), "good" if met else "warn")


def _cost(scene: Scene) -> Sentence:
    lab, guarantee = scene.lab, scene.release.guarantee
    accountant, cost = scene.best
    return Sentence(
        "cost",
        say(
            N_("{k} such answers cost ε = {total} and δ = {delta} by {bound}; adding up gives ε = {plain}."),
            k=Num(lab.answers),
            total=Num(cost, 3, "up"),
            delta=Num(accountant.total_delta(lab.answers, guarantee.delta), 3, "up"),
            bound=Say(accountant.label),
            plain=Num(lab.answers * guarantee.epsilon, 4, "up"),
        ),
    )


def _crossing(scene: Scene) -> Sentence:
    guarantee = scene.release.guarantee
    drv, tanh = (crossover(kind(slack=scene.lab.slack), guarantee.epsilon, guarantee.delta) for kind in (Advanced, AdvancedTanh))
    never = Say(N_("never (up to 10,000)"))
    return Sentence(
        "crossover",
        say(
            N_("Advanced composition beats adding up from k = {drv} (DRV 2010) and {tanh} (tanh form) on."),
            drv=drv or never,
            tanh=tanh or never,
        ),
    )


def odds(scene: Scene) -> Sentence:
    """The risk in words: success of guessing from even odds, at most (e^ε + δ)/(1 + e^ε)."""
    g = scene.release.guarantee
    right = 1 / (1 + math.exp(-g.epsilon)) + g.delta / (1 + math.exp(g.epsilon))
    return Sentence(
        "odds",
        say(
            N_("Of 100 people like you, an attacker who would guess right about 50 is right about at most {right} after this answer."),
            right=Num(min(100, math.ceil(right * 100 - 1e-9))),
        ),
    )


def _sensitivity(scene: Scene) -> Sentence:
    parts = scene.asked.measurements
    whys = [m.sensitivity.why for m in parts]
    if len(whys) == 1:
        return Sentence("sensitivity", whys[0])
    return Sentence("sensitivity", say("{sum} {count}", sum=say(N_("Sum: {why}"), why=whys[0]), count=say(N_("Count: {why}"), why=whys[1])))


def _promise(scene: Scene) -> Sentence | None:
    g = scene.release.guarantee
    if g.violated:
        return Sentence("promise", g.note, "bad")
    return Sentence("promise", g.note, "warn") if not g.proven else None


def _outside(lab: Explore) -> Sentence:
    return Sentence("simulated", Say(N_("Noise here is simulated for looking; it is not a private release.")))


def tables(scene: Scene) -> tuple[Table, ...]:
    """The cost of k answers by each bound and, for a histogram, each part."""
    costs = scene.costs(scene.lab.answers)
    delta = scene.release.guarantee.delta
    bounds = Table(
        "bounds",
        Say(N_("Total ε by bound")),
        (
            ("bound", tuple(a.key for a in scene.accountants)),
            ("epsilon", tuple(costs[a.key] for a in scene.accountants)),
            ("delta", tuple(a.total_delta(scene.lab.answers, delta) for a in scene.accountants)),
            ("source", tuple(a.source for a in scene.accountants)),
        ),
    )
    law = scene.release.law
    half_width = scene.half_width if law is scene.law else law.half_width(scene.lab.confidence)
    noise = Table(
        "noise",
        Say(N_("The error law")),
        (
            ("quantity", ("mean_abs", "rmse", "half_width", "epsilon_needed")),
            ("value", (law.mean_abs, math.sqrt(law.variance), half_width, scene.epsilon_needed)),
        ),
    )
    if not scene.asked.vector:
        return bounds, noise
    columns: list[tuple[str, tuple[Any, ...]]] = [("part", tuple(scene.asked.labels))]
    if scene.lab.show_truth:
        columns.append(("exact", tuple(map(float, scene.truth))))
    columns.append(("simulated", tuple(map(float, scene.replays[0]))))
    return bounds, noise, Table("parts", Say(N_("Parts")), tuple(columns))
