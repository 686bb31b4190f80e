"""Explore's strip, sentences and tables: every number computed, upper bounds rounded up."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpstudio.labs.central.explore.charts import target_text
from dpstudio.labs.central.explore.model import ExploreModel
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.persons import kept_sentences
from dpstudio.privacy.accounting import Advanced, AdvancedTanh, crossover
from dpstudio.privacy.mechanisms.catastrophe import leak_chance
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.central.explore.parameters import Explore


# The measurements of a release, as the first word of a sentence.
NAMES = {
    "sum": N_("Sum"), "count": N_("Count"), "squares": N_("Squares"), "sums": N_("Sums"), "counts": N_("Counts"),
    "mean": N_("Mean"), "spread": N_("Spread"), "moments": N_("Moments"),
}  # fmt: skip


def facts(model: ExploreModel) -> tuple[Fact, ...]:
    """The strip: the exact answer, a simulated one, the typical error, the interval, the cost of k
    answers."""
    return (*answer_facts(model), _cost_fact(model))


def answer_facts(model: ExploreModel) -> tuple[Fact, ...]:
    """The exact answer, a simulated one, the typical error and the interval."""
    lab, value, width = model.lab, model.reference, model.half_width
    digits = _digits(value, width)
    out = []
    if lab.show_truth:
        label = _labelled(model, N_("True answer"))
        out.append(
            Fact(
                "truth",
                label,
                say("{x}", x=Num(value, digits)),
                say("exact: not private"),
                "truth",
                value,
            )
        )
    answer = say("Simulated answer") if lab.show_truth else _labelled(model, N_("Simulated answer"))
    out.append(Fact("answer", answer, Say(""), "", "answer", None))
    return (*out, _typical(model), _interval_fact(model, digits))


def _typical(model: ExploreModel) -> Fact:
    typical = model.error(model.law, "mean_abs")
    text = say("±{x}", x=Num(typical, 3, "up"))
    note = say("mean absolute{share}", share=_share(typical, model.reference))
    if model.law.discrete and typical < 1e-6:
        # Integer noise is then almost always 0: a number such as 10⁻²² says nothing to anyone.
        text, note = Say("±0"), say("wrong less than once in a million")
    if model.all_parts:
        return Fact(
            "typical",
            say("Largest error, typically"),
            text,
            say("mean of the largest over all parts"),
            value=typical,
        )
    return Fact("typical", say("Typical error"), text, note, value=typical)


def _interval_fact(model: ExploreModel, digits: int) -> Fact:
    middle, width = model.reference, model.half_width
    # About a simulated answer the same interval speaks of where the exact one is.
    if model.lab.show_truth:
        text = (
            N_("{confidence} of releases, all parts")
            if model.all_parts
            else N_("{confidence} of answers")
        )
    else:
        text = (
            N_("about {confidence}: the exact answer")
            if model.law_depends_on_answer
            else N_("{confidence}: the exact answer")
        )
    return Fact(
        "interval",
        say(text, confidence=Num(model.lab.confidence, 4, "down", percent=True)),
        say(
            "{low} … {high}",
            low=Num(middle - width, digits, "down"),
            high=Num(middle + width, digits, "up"),
        ),
        say("within ±{width}{share}", width=Num(width, 3, "up"), share=_share(width, middle)),
        value=(middle - width, middle + width),
    )


def _cost_fact(model: ExploreModel) -> Fact:
    lab = model.lab
    accountant, cost = model.best
    delta = accountant.total_delta(lab.answers, model.release.guarantee.delta)
    label = (
        say("{k} such answers cost", k=Num(lab.answers))
        if lab.answers > 1
        else say("One such answer costs")
    )
    bound = Say(accountant.label)
    note = (
        say("at δ = {delta}, {bound}", delta=Num(delta, 3, "up"), bound=bound) if delta else bound
    )
    return Fact("cost", label, say("ε = {x}", x=Num(cost, 3, "up")), note, value=cost)


def with_answer_words(findings: Findings, index: int) -> Findings:
    """The strip with simulated answer number `index` in it."""
    answers = findings.replays[index % len(findings.replays)]
    part = findings.part
    value = float(answers[part])
    low, high = findings.fact("interval").value
    text = say("{x}", x=Num(value, _digits(value, (high - low) / 2) + 1))
    note: Say = say("simulated: not a release")
    if findings.truth is not None:
        truth = float(findings.truth[part])
        error = value - truth
        shown = Num(error, 3, sign=True)
        note = (
            say(
                "{error} · {share}",
                error=shown,
                share=Num(error / abs(truth), 3, sign=True, percent=True),
            )
            if truth
            else say("{error}", error=shown)
        )
    fact = replace(findings.fact("answer"), text=text, note=note, value=value)
    sentences = tuple(
        replace(s, say=say(s.say.text, **{**s.say.values, "answer": text}))
        if s.key == "answer"
        else s
        for s in findings.sentences
    )
    return replace(
        findings,
        facts=tuple(fact if f.key == "answer" else f for f in findings.facts),
        sentences=sentences,
    )


def _digits(value: float, width: float) -> int:
    """Significant digits that show `value` to about a hundredth of its noise."""
    if not value or not width:
        return 4
    return max(3, min(12, math.floor(math.log10(abs(value))) - math.floor(math.log10(width)) + 2))


def _labelled(model: ExploreModel, text: str) -> Say:
    return (
        say("{what} · {part}", what=Say(text), part=plain(model.asked.labels[model.part]))
        if model.asked.vector
        else Say(text)
    )


def _share(error: float, value: float) -> Say:
    return (
        say(", {share}", share=Num(error / abs(value), 2, "up", percent=True)) if value else Say("")
    )


def sentences(model: ExploreModel) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    lab = model.lab
    return tuple(
        s
        for s in (
            truth_sentence(model),
            _interval(model),
            needed(model),
            _cost(model),
            _crossing(model),
            odds(model),
            sensitivity_sentence(model),
            _promise(model),
            _bias(model),
            _leak(model),
            _pointer(model),
            *kept_sentences(
                model.data, lab.query, lab.adjacency, model.part, show_truth=lab.show_truth
            ),
            _outside(lab),
        )
        if s
    )


def truth_sentence(model: ExploreModel) -> Sentence:
    """The exact answer, where it is shown, and the simulated one that stands on the screen."""
    lab = model.lab
    if not lab.show_truth:
        return Sentence("answer", say("A simulated answer is {answer}.", answer=""))
    truth = float(model.truth[model.part])
    return Sentence(
        "answer",
        say(
            "The exact answer is {truth}; a simulated answer is {answer}.",
            truth=Num(truth, _digits(truth, model.half_width)),
            answer="",
        ),
    )


def _interval(model: ExploreModel) -> Sentence:
    many = model.lab.largest and model.asked.vector
    text = (
        N_(
            "In {confidence} of releases every one of the {parts} parts is within ±{width} of the "
            "exact value."
        )
        if many
        else N_("{confidence} of answers are within ±{width} of the exact one.")
    )
    return Sentence(
        "interval",
        say(
            text,
            confidence=Num(model.lab.confidence, 4, "down", percent=True),
            width=Num(model.half_width, 3, "up"),
            parts=len(model.truth),
        ),
    )


def needed(model: ExploreModel) -> Sentence:
    """The ε that the target needs, and whether it is met."""
    epsilon, lab = model.epsilon_needed, model.lab
    if epsilon is None:
        return Sentence(
            "needed", say("A share of 0 is 0: set the target in units instead of %."), "warn"
        )
    if not math.isfinite(epsilon):
        return Sentence(
            "needed",
            say("No ε up to 10,000 comes within ±{target}.", target=target_text(model)),
            "warn",
        )
    met = lab.mechanism.epsilon >= epsilon * (1 - 1e-9)
    text = N_("needs ε = {epsilon} — met") if met else N_("needs ε = {epsilon} — not met")
    return Sentence(
        "needed",
        say(text, epsilon=Num(epsilon, 3, "up")),
        "good" if met and not model.release.guarantee.violated else "warn",
    )


def _cost(model: ExploreModel) -> Sentence:
    lab, guarantee = model.lab, model.release.guarantee
    accountant, cost = model.best
    delta = accountant.total_delta(lab.answers, guarantee.delta)
    values = {
        "k": Num(lab.answers),
        "total": Num(cost, 3, "up"),
        "delta": Num(delta, 3, "up"),
        "bound": Say(accountant.label),
    }
    if lab.answers == 1:
        told = say("One such answer costs ε = {total} and δ = {delta}.", **values)
    elif accountant.key == "sequential":
        told = say(
            "{k} such answers cost ε = {total} and δ = {delta}: no bound here is visibly below "
            "adding up.",
            **values,
        )
    else:
        values["plain"] = Num(lab.answers * guarantee.epsilon, 4, "up")
        values["plain_delta"] = Num(min(1.0, lab.answers * guarantee.delta), 3, "up")
        text = N_(
            "{k} such answers cost ε = {total} and δ = {delta} by {bound}; adding up gives ε = "
            "{plain} with δ = {plain_delta}."
        )
        told = Say(text, values)
    return Sentence(
        "cost", say("If the promise held: {cost}", cost=told) if guarantee.violated else told
    )


def _crossing(model: ExploreModel) -> Sentence:
    """From which number of answers on advanced composition is worth it."""
    g = model.release.guarantee
    drv, tanh = (
        crossover(kind(delta_prime=model.lab.delta_prime), g.epsilon, g.delta)
        for kind in (Advanced, AdvancedTanh)
    )
    if drv and tanh:
        text = N_(
            "At the price of δ′ advanced composition beats adding up from k = {drv} on (DRV 2010), "
            "its tanh form from k = {tanh} on."
        )
    elif tanh:
        text = N_(
            "At the price of δ′ the tanh form beats adding up from k = {tanh} on; DRV 2010 does "
            "not (up to 10,000)."
        )
    else:
        text = N_("Neither DRV 2010 nor the tanh form beats adding up (up to k = 10,000).")
    return Sentence("crossover", say(text, drv=drv, tanh=tanh))


def odds(model: ExploreModel) -> Sentence:
    """The risk in words: success of guessing from even odds, at most (e^ε + δ)/(1 + e^ε)."""
    g = model.release.guarantee
    right = 1 / (1 + math.exp(-g.epsilon)) + g.delta / (1 + math.exp(g.epsilon))
    if model.lab.adjacency == ADD_REMOVE:
        text = N_(
            "Of 100 people whose presence is an even guess, an attacker gets at most {right} right "
            "after this answer (50 before)."
        )
    else:
        text = N_(
            "Of 100 people with one of two values at even odds, an attacker gets at most {right} "
            "right after this answer (50 before)."
        )
    return Sentence("odds", say(text, right=Num(min(100, math.ceil(right * 100 - 1e-9)))))


def sensitivity_sentence(model: ExploreModel) -> Sentence:
    """How far one person can move what is measured."""
    parts = model.asked.measurements
    if len(parts) == 1:
        return Sentence("sensitivity", parts[0].sensitivity.why)
    named = [say("{name}: {why}", name=Say(NAMES[m.name]), why=m.sensitivity.why) for m in parts]
    told = named[0]
    for more in named[1:]:
        told = say("{told} {more}", told=told, more=more)
    return Sentence("sensitivity", told)


def _bias(model: ExploreModel) -> Sentence | None:
    """What working on the answer afterwards costs: clamping lifts it."""
    if model.lab.post_processing == "none":
        return None
    bias = model.part_law.mean
    text = N_("Post-processing costs no privacy, but it biases this answer by {bias} on average.")
    return Sentence(
        "bias",
        say(text, bias=Num(bias if abs(bias) > 1e-9 else 0.0, 3, sign=True)),
        "warn" if abs(bias) > 1e-9 else "plain",
    )


def _pointer(model: ExploreModel) -> Sentence | None:
    """Where the texts' own way to do this is taken apart."""
    if model.lab.query.key != "covariance":
        return None
    return Sentence(
        "pointer",
        say(
            "The Wishart mechanism, which texts use for such matrices, is not private: see As "
            "printed."
        ),
    )


def _leak(model: ExploreModel) -> Sentence | None:
    """The catastrophe mechanism publishes the truth now and then."""
    if model.lab.mechanism.key != "catastrophe":
        return None
    parts = model.asked.measurements
    k, deltas = model.lab.answers, [model.lab.mechanism.share(m.part).total_delta for m in parts]
    chance = (
        leak_chance(1 - math.prod(1 - delta for delta in deltas), k)
        if len(parts) > 1
        else leak_chance(deltas[0], k)
    )
    text = (
        N_("With {k} such answers at least one is the plain truth with probability {chance}.")
        if len(parts) == 1
        else N_(
            "With {k} such answers at least one has an exact number in it with probability "
            "{chance}."
        )
    )
    return Sentence("leak", say(text, k=Num(k), chance=Num(chance, 3, "up")), "warn")


def _promise(model: ExploreModel) -> Sentence | None:
    g = model.release.guarantee
    if g.violated:
        return Sentence("promise", g.note, "bad")
    return Sentence("promise", g.note, "warn") if not g.proven else None


def _outside(lab: Explore) -> Sentence:
    return Sentence(
        "simulated", say("Noise here is simulated for looking; it is not a private release.")
    )


def tables(model: ExploreModel) -> tuple[Table, ...]:
    """The cost of k answers by each bound and, for a histogram, each part."""
    costs = model.costs(model.lab.answers)
    delta = model.release.guarantee.delta
    bounds = Table(
        "bounds",
        say("Total ε by bound"),
        (
            ("bound", tuple(a.key for a in model.accountants)),
            ("epsilon", tuple(costs[a.key] for a in model.accountants)),
            ("delta", tuple(a.total_delta(model.lab.answers, delta) for a in model.accountants)),
            ("source", tuple(a.source for a in model.accountants)),
        ),
    )
    law = model.part_law
    half_width = model.half_width if law is model.law else law.half_width(model.lab.confidence)
    noise = Table(
        "noise",
        say("The error law"),
        (
            ("quantity", ("mean_abs", "rmse", "half_width", "epsilon_needed")),
            ("value", (law.mean_abs, math.sqrt(law.variance), half_width, model.epsilon_needed)),
        ),
    )
    if not model.asked.vector:
        return bounds, noise
    columns: list[tuple[str, tuple[Any, ...]]] = [("part", tuple(model.asked.labels))]
    if model.lab.show_truth:
        columns.append(("exact", tuple(map(float, model.truth))))
    columns.append(("simulated", tuple(map(float, model.replays[0]))))
    return bounds, noise, Table("parts", say("Parts"), tuple(columns), exact=model.lab.show_truth)
