"""Guarantee's charts as plain figures: two answers, odds, the best test, the loss, its curve,
belief, and two fates of one promise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Array,
    Axis,
    Band,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.budget.guarantee.model import decade_below
from dpstudio.labs.budget.guarantee.words import ifs, sides
from dpstudio.labs.law_curves import law_curve
from dpstudio.privacy.neighbours.attacker import advantage_bound, posterior, power_bound
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.budget.guarantee.model import GuaranteeModel

_PAIR_SOURCE = "Wasserman & Zhou 2010; Dong, Roth & Su 2022 (trade-off functions)"
_DEEP = 1e-15
_ICONS = 10


def _source(model: GuaranteeModel) -> str:
    return f"{model.lab.mechanism.source}; {_PAIR_SOURCE}"


def _promised(model: GuaranteeModel) -> Say:
    """The promise as it stands under a chart."""
    if model.delta:
        return say(
            "ε = {epsilon}, δ = {delta}", epsilon=Num(model.epsilon, 5), delta=Num(model.delta)
        )
    return say("ε = {epsilon}, δ = 0", epsilon=Num(model.epsilon, 5))


def density_chart(model: GuaranteeModel) -> Figure:
    """Both output laws, the envelope e^±ε about the one without the person, and what stands above
    it, which δ pays for."""
    law, shift = model.law, model.seen.shift
    with_label, without_label = sides(model)
    middle = model.value - shift / 2
    half = nice_above(
        1.05 * (max(law.half_width(0.99), 3.0 if law.discrete else 1e-12) + abs(shift) / 2)
    )
    inside, outside = (
        _curve(model, centre, half, middle) for centre in (model.value, model.value - shift)
    )
    top = nice_above(1.12 * float(np.max(inside[1], initial=1e-300)))
    above = math.exp(min(700.0, model.epsilon))
    layers: list[Layer] = [*_excess(model, middle, half, above)]
    layers += [
        Line("high", "bad", say("× e^ε"), outside[0], outside[1] * above, dash="dash", width=1.5),
        Line("low", "bad", say("× e^−ε"), outside[0], outside[1] / above, dash="dot", width=1.5),
        Line("without", "muted", without_label, *outside),
        Line("with", model.lab.mechanism.ink, with_label, *inside),
    ]
    text = N_("{share} exactly here")
    for i, (place, mass) in enumerate(law.atoms):
        for key, centre, ink in (
            ("with", model.value, "bad"),
            ("without", model.value - shift, "muted"),
        ):
            label = say(text, share=Num(mass, 3, percent=True)) if key == "with" else ""
            layers.append(Rule(f"atom_{key}_{i}", ink, label, centre + place, dash="dot"))
    paid = model.pair.delta(model.epsilon)
    words = (
        say("red: what stands above e^ε × the other, {paid} in all", paid=_chance(paid))
        if paid > _DEEP
        else say("never above e^ε × the other: δ = 0")
    )
    if model.partial:
        words = say("one of the {moved} numbers that move", moved=Num(model.seen.moved))
        if model.seen.moved == 1:
            words = say("one number of an answer whose noise hangs together")
    return Figure(
        "densities",
        say("With you and without"),
        Axis(_unit(model), range=(middle - half, middle + half)),
        Axis(Say(N_("pmf") if law.discrete else N_("density")), range=(0.0, top), hidden=True),
        tuple(layers),
        words,
        notes=model.asked.notes if model.lab.show_truth else model.asked.openness,
        exact=model.lab.show_truth,
        source=_source(model),
    )


def _unit(model: GuaranteeModel) -> Say:
    """What the number looked at is; counted from the answer with the person where that is
    hidden."""
    asked, m = model.asked, model.measurement
    what: Say = asked.unit if asked.linear else Say(m.name)
    if len(asked.labels) == len(m.values) and asked.vector:
        what = say("{what} · {part}", what=what, part=plain(asked.labels[model.seen.part]))
    return what if model.lab.show_truth else say("{what}, less the exact one with you", what=what)


def _chance(value: float) -> Num:
    """A probability or δ; what is lost in rounding is none."""
    return Num(value if value > _DEEP else 0.0, 3, "up")


def _share(value: float) -> Num:
    return Num(value, 3, "up", percent=True)


def _curve(model: GuaranteeModel, centre: float, half: float, middle: float) -> tuple[Array, Array]:
    """(x, density or pmf) of the noise about `centre` over the chart."""
    x, y = law_curve(model.law, middle - half - centre, middle + half - centre)
    return array(x + centre), y


def _excess(model: GuaranteeModel, middle: float, half: float, above: float) -> list[Layer]:
    """What the law with the person has above e^ε times the law without: an area as large as the δ
    that it needs, atoms apart."""
    law, centre, shift = model.law, model.value, model.seen.shift
    if law.discrete:
        first = math.ceil(middle - half - centre)
        k = np.arange(first, first + min(2 * half + 1, 4000.0)) + centre
        edges = np.append(k - 0.5, k[-1] + 0.5)
    else:
        edges = np.linspace(middle - half, middle + half, 401)
        k = (edges[1:] + edges[:-1]) / 2
    gap = np.maximum(0.0, law.density(k - centre) - above * law.density(k - centre + shift))
    gap = np.where(gap > 1e-9 * law.density(k - centre), gap, 0.0)
    return [Area("pays", "bad", "", edges, gap)]


def odds_chart(model: GuaranteeModel) -> Figure:
    """A hundred equally likely answers with the person and a hundred without: those that make the
    attacker believe are full."""
    shares = model.believing
    layers: list[Layer] = []
    for block, (share, case) in enumerate(zip(shares, ifs(model), strict=True)):
        count = min(100, round(100 * share))
        places = np.arange(100)
        x, y = places % _ICONS + 13 * block + 0.5, _ICONS - places // _ICONS - 0.5
        key = ("with", "without")[block]
        ink = (model.lab.mechanism.ink, "muted")[block]
        layers.append(Dots(f"{key}_other", "grid", "", x[count:], y[count:], 0.8))
        layers.append(Dots(key, ink, "", x[:count], y[:count], 0.8))
        ends = array([13.0 * block, 13.0 * block + _ICONS])
        layers.append(
            Line(
                f"{key}_head",
                ink,
                say(
                    "{x} of 100, {case}", x=Num(100 * share if share > 1e-4 else 0.0, 3), case=case
                ),
                ends,
                [10.6, 10.6],
                width=1.5,
            )
        )
    text = N_("full: answers after which {prior} sure turns to more than {threshold}")
    return Figure(
        "odds",
        say("100 possible answers"),
        Axis("", range=(-1.0, 24.0), hidden=True, ticks=((-1.0, ""),)),
        Axis("", range=(-0.5, 12.5), hidden=True),
        tuple(layers),
        say(
            text,
            threshold=Num(model.lab.threshold, 4, percent=True),
            prior=Num(model.lab.prior, 4, percent=True),
        ),
        exact=model.in_row,
        source=_source(model),
    )


def tradeoff_chart(model: GuaranteeModel) -> Figure:
    """The trade-off curve: what the best test misses against its false alarms, in the region that
    (ε, δ) leaves."""
    lab, epsilon, delta = model.lab, model.epsilon, model.delta
    alpha = np.unique(
        np.concatenate(
            [
                np.linspace(0, 1, 201),
                np.geomspace(1e-6, 0.05, 80),
                [(1 - delta) / (1 + math.exp(epsilon))],
            ]
        )
    )
    missed = 1 - model.pair.power(alpha)
    edges = np.linspace(0, 1, 257)
    low = 1 - power_bound(edges[1:], epsilon, delta)
    here = 1 - model.hits
    text = N_("{alpha} false alarms → {missed} missed")
    label = say(
        text, alpha=Num(lab.false_positives, 3, percent=True), missed=Num(here, 3, percent=True)
    )
    layers: tuple[Layer, ...] = (
        Area("closed", "muted", "", edges, low),
        Line("guess", "muted", say("guessing"), [0, 1], [1, 0], dash="dot", width=1.5),
        Line(
            "bound",
            "bad",
            say("no test lies below"),
            alpha,
            1 - power_bound(alpha, epsilon, delta),
            dash="dash",
        ),
        Line("law", lab.mechanism.ink, Say(lab.mechanism.label), alpha, missed),
        Handle("here", lab.mechanism.ink, label, lab.false_positives, here, "false_positives"),
    )
    text = N_("advantage {advantage}, at most {most} by ε and δ")
    return Figure(
        "test",
        say("The best attacker"),
        Axis(say("false alarms"), range=(0.0, 1.0)),
        Axis(say("missed"), range=(0.0, 1.02)),
        layers,
        say(
            text,
            advantage=_share(model.pair.advantage),
            most=Num(advantage_bound(epsilon, delta), 3, "up", percent=True),
        ),
        exact=model.in_row,
        source="Kairouz, Oh & Viswanath 2015, Theorem 2.1; " + _PAIR_SOURCE,
    )


def loss_chart(model: GuaranteeModel) -> Figure:
    """The distribution function of the privacy loss with the person in, and without; every jump is
    an atom."""
    lab, reach = model.lab, model.loss_reach
    x, inside, outside = model.pair.loss_curve(-reach, reach)
    layers: list[Layer] = [Band("kept", "band", "", -model.epsilon, model.epsilon)]
    case, other = ifs(model)
    speaks = N_("privacy loss: how much it speaks for “in”")
    if lab.adjacency != ADD_REMOVE:
        speaks = N_("privacy loss: how much it speaks for your row")
    layers.append(Line("without", "muted", other, x, outside, width=1.5))
    layers.append(Line("with", lab.mechanism.ink, case, x, inside))
    jumps = model.pair.jumps(-reach, reach)
    sizes = [
        model.pair.above(float(j))[0] - model.pair.above(float(j), strictly=True)[0] for j in jumps
    ]
    seen = [(float(j), size) for j, size in zip(jumps, sizes, strict=True) if size > 1e-4]
    if seen:
        tops = array([1 - model.pair.above(j, strictly=True)[0] for j, _ in seen])
        layers.append(Dots("jumps", lab.mechanism.ink, "", [j for j, _ in seen], tops))
    layers.append(
        Rule(
            "epsilon",
            "bad",
            say("ε = {epsilon}", epsilon=Num(model.epsilon, 5)),
            model.epsilon,
            dash="dash",
        )
    )
    return Figure(
        "loss",
        say("Privacy loss of an answer"),
        Axis(Say(speaks), range=(-reach, reach)),
        Axis(say("share of answers"), range=(0.0, 1.04)),
        tuple(layers),
        _loss_words(model),
        exact=model.in_row,
        source=_source(model),
    )


def _loss_words(model: GuaranteeModel) -> Say:
    """How many answers have the largest loss, or go beyond ε."""
    most = model.pair.most
    if math.isfinite(most) and not model.pair.certain:
        share = model.pair.above(most)[0]
        if share > 1e-9:
            return say(
                "{share} of answers have the largest loss, {loss}",
                share=Num(share, 3, percent=True),
                loss=Num(most, 3),
            )
        return say("no answer reaches the largest loss, {loss}", loss=Num(most, 3))
    return say("{beyond} of answers go beyond ε", beyond=_share(model.beyond))


def curve_chart(model: GuaranteeModel) -> Figure:
    """Hockey stick: the δ that each ε needs, against the promise."""
    lab, pair = model.lab, model.pair
    high = nice_above(1.6 * model.epsilon)

    def points() -> tuple[Array, Array]:
        return pair.delta_curve(high)

    key = (
        "guarantee",
        "delta",
        model.laws,
        tuple(person.move.shifts for person in model.people),
        high,
    )
    x, y = model.data.remember(key, points)
    low = decade_below(model.delta) * 1e-2 if model.delta else 1e-6
    at = pair.delta(model.epsilon)
    # A curve that has no end leaves the chart below, one that ends falls to its floor.
    shown = np.maximum(y, 1e-3 * low) if math.isinf(pair.most) else np.where(y >= low, y, 0.0)
    layers: list[Layer] = [Line("law", lab.mechanism.ink, Say(lab.mechanism.label), x, shown)]
    if model.delta:
        layers.append(
            Rule(
                "delta",
                "bad",
                say("δ = {delta}", delta=Num(model.delta)),
                model.delta,
                axis="y",
                dash="dash",
            )
        )
    text = N_("ε {epsilon} → δ {delta}")
    layers.append(
        Handle(
            "here",
            lab.mechanism.ink,
            say(text, epsilon=Num(model.epsilon, 5), delta=_chance(at)),
            model.epsilon,
            max(at, low) if at > _DEEP else at,
            "mechanism.epsilon",
        )
    )
    return Figure(
        "curve",
        say("The δ that each ε needs"),
        Axis(Say("ε′"), range=(0.0, high)),
        Axis(Say("δ(ε′)"), log=True, range=(low, 1.5), floored=True),
        tuple(layers),
        say("exact for this law; promised: {promise}", promise=_promised(model)),
        exact=model.in_row,
        source=lab.mechanism.source,
    )


def posterior_chart(model: GuaranteeModel) -> Figure:
    """Belief after the answer against belief before: what ε leaves, and what an answer of the
    largest loss does."""
    lab, epsilon = model.lab, model.epsilon
    prior = np.concatenate([[0.0], np.linspace(0.002, 0.998, 167), [1.0]])
    after = float(posterior(lab.prior, epsilon))
    text = N_("{prior} before → {after} at most")
    label = say(
        text, prior=Num(lab.prior, 4, percent=True), after=Num(after, 3, "up", percent=True)
    )
    layers: list[Layer] = [
        Line("same", "muted", say("nothing learnt"), [0, 1], [0, 1], dash="dot", width=1.5),
        Line("low", "bad", say("at least"), prior, posterior(prior, -epsilon), dash="dash"),
        Line("high", "bad", say("at most"), prior, posterior(prior, epsilon), dash="dash"),
    ]
    most = model.pair.most
    if most < epsilon * (1 - 1e-9):
        y = posterior(prior, most)
        layers.append(Line("law", lab.mechanism.ink, Say(lab.mechanism.label), prior, y))
    layers.append(Handle("here", "bad", label, lab.prior, after, "prior"))
    words: Say = say("no answer leads beyond")
    if model.beyond:
        words = say("{beyond} of answers lead beyond", beyond=_share(model.beyond))
    return Figure(
        "posterior",
        say("Belief before and after"),
        Axis(say("belief before the answer"), range=(0.0, 1.0)),
        Axis(say("belief after it"), range=(0.0, 1.02)),
        tuple(layers),
        words,
        exact=model.in_row,
        source="Bayes; Kasiviswanathan & Smith 2014",
    )


def fates_chart(model: GuaranteeModel) -> Figure:
    """Two mechanisms of one (ε, δ): how often the loss goes beyond ε, and how far."""
    high = nice_above(2.6 * model.epsilon)
    delta = model.delta or 1e-5
    low = decade_below(delta) * 1e-4
    layers: list[Layer] = []
    for mechanism, _, pair in model.fates:
        y = np.linspace(0, high, 241)
        if 0 < pair.most < high:
            y = np.sort(np.append(y, [pair.most * (1 - 1e-9), pair.most * (1 + 1e-9)]))
        beyond, _ = pair.beyond(y)
        layers.append(_tail(mechanism, y, np.where(beyond > low * 1e-3, beyond, np.nan)))
    layers.append(
        Rule(
            "epsilon",
            "muted",
            say("ε = {epsilon}", epsilon=Num(model.epsilon, 5)),
            model.epsilon,
            dash="dot",
        )
    )
    return Figure(
        "fates",
        say("Same ε and δ, two fates"),
        Axis(say("privacy loss"), range=(0.0, high)),
        Axis(say("share beyond"), log=True, range=(low, 2.0)),
        tuple(layers),
        say(
            "both ε = {epsilon}, δ = {delta}; one fades out, the other tells all",
            epsilon=Num(model.epsilon, 5),
            delta=Num(delta),
        ),
        exact=model.in_row,
        source="; ".join(mechanism.source for mechanism, _, _ in model.fates),
    )


def _tail(mechanism: Any, x: Array, y: Array) -> Line:
    return Line(mechanism.key, mechanism.ink, Say(mechanism.label), x, y)
