"""Guarantee's charts of the attack: the best test, the privacy loss, the δ that each ε needs, and
two fates of one promise."""

import math

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Axis,
    Band,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    nice_above,
)
from dpstudio.labs.promise.guarantee import loss
from dpstudio.labs.promise.guarantee.attack import advantage_allowed, missed, tradeoff
from dpstudio.labs.promise.guarantee.model import GuaranteeModel, in_row, whole_pair
from dpstudio.labs.promise.guarantee.terms import DEEP, PAIR_SOURCE, chance, ifs, pair_source, share
from dpstudio.privacy.neighbours.attacker import power_bound
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Message, Num, say


def _decade_below(value: float) -> float:
    """The power of ten at or below a positive value."""
    return float(10.0 ** math.floor(math.log10(value) + 1e-9))


def _promised(model: GuaranteeModel) -> Message:
    """The promise as it stands under a chart."""
    if model.delta:
        return say(
            "ε = {epsilon}, δ = {delta}",
            epsilon=Num(model.epsilon, 5),
            delta=Num(model.delta, 3, "up"),
        )
    return say("ε = {epsilon}, δ = 0", epsilon=Num(model.epsilon, 5))


def _epsilon_rule(model: GuaranteeModel, ink: str, dash: str) -> Rule:
    text = say("ε = {epsilon}", epsilon=Num(model.epsilon, 5))
    return Rule("epsilon", ink, text, model.epsilon, dash=dash)


def tradeoff_chart(model: GuaranteeModel) -> Figure:
    """The trade-off curve: what the best test misses against its false alarms, in the region that
    (ε, δ) leaves."""
    lab, ink = model.lab, model.lab.mechanism.ink
    alpha, least, fewest = tradeoff(model)
    edges = np.linspace(0, 1, model.effort.of_points(256) + 1)
    closed = 1 - power_bound(edges[1:], model.epsilon, model.delta)
    here = missed(model)
    label = say(
        "{alpha} false alarms → {missed} missed",
        alpha=Num(lab.false_positives, 3, percent=True),
        missed=Num(here, 3, percent=True),
    )
    held = model.promise.kept
    below = N_("no test lies below") if held else N_("none below, if the promise held")
    most = N_("advantage {advantage}, at most {most} by ε and δ")
    if not held:
        most = N_("advantage {advantage}, at most {most} if the promise held")
    layers: tuple[Layer, ...] = (
        Area("closed", "muted", "", edges, closed),
        Line("guess", "muted", say("guessing"), [0, 1], [1, 0], dash="dot", width=1.5),
        Line("bound", "limit", Message(below), alpha, fewest, dash="dash"),
        Line("law", ink, Message(lab.mechanism.label), alpha, least),
        Handle("here", ink, label, lab.false_positives, here, "false_positives"),
    )
    return Figure(
        "test",
        say("The best attacker"),
        Axis(say("false alarms"), range=(0.0, 1.0)),
        Axis(say("missed"), range=(0.0, 1.02)),
        layers,
        say(
            most, advantage=share(whole_pair(model).advantage), most=share(advantage_allowed(model))
        ),
        exact=in_row(model),
        source="Kairouz, Oh & Viswanath 2015, Theorem 2.1; " + PAIR_SOURCE,
    )


def loss_chart(model: GuaranteeModel) -> Figure:
    """The distribution function of the privacy loss with the person in, and without; every jump is
    an atom."""
    ink, reach = model.lab.mechanism.ink, loss.loss_reach(model)
    x, inside, outside = whole_pair(model).loss_curve(-reach, reach, model.effort.of_points(301))
    case, other = ifs(model)
    speaks = N_("privacy loss: how much it speaks for “in”")
    if model.lab.adjacency != ADD_REMOVE:
        speaks = N_("privacy loss: how much it speaks for your row")
    layers: list[Layer] = [
        Band("kept", "band", "", -model.epsilon, model.epsilon),
        Line("without", "muted", other, x, outside, width=1.5),
        Line("with", ink, case, x, inside),
    ]
    jumps = loss.jumps_seen(model)
    if jumps:
        layers.append(Dots("jumps", ink, "", [y for y, _ in jumps], [top for _, top in jumps]))
    return Figure(
        "loss",
        say("Privacy loss of an answer"),
        Axis(Message(speaks), range=(-reach, reach)),
        Axis(say("share of answers"), range=(0.0, 1.04)),
        (*layers, _epsilon_rule(model, "limit", "dash")),
        _loss_words(model),
        exact=in_row(model),
        source=pair_source(model),
    )


def _loss_words(model: GuaranteeModel) -> Message:
    """How many answers have the largest loss, or go beyond ε."""
    most = loss.largest_loss(model)
    if math.isinf(most):
        return say("{beyond} of answers go beyond ε", beyond=share(loss.beyond(model)))
    reached = whole_pair(model).above(most)[0]
    if reached > 1e-9:
        text = N_("{share} of answers have the largest loss, {loss}")
        return say(text, share=Num(reached, 3, percent=True), loss=Num(most, 3))
    return say("no answer reaches the largest loss, {loss}", loss=Num(most, 3))


def curve_chart(model: GuaranteeModel) -> Figure:
    """Hockey stick: the δ that each ε needs, against the promise."""
    mechanism, delta = model.lab.mechanism, model.delta
    high = nice_above(1.6 * model.epsilon)
    low = _decade_below(delta) * 1e-2 if delta else 1e-6
    x, y = loss.delta_curve(model, high)
    at, endless = whole_pair(model).delta(model.epsilon), math.isinf(whole_pair(model).most)
    # A curve that has no end leaves the chart below, one that ends falls to its floor.
    shown = np.maximum(y, 1e-3 * low) if endless else np.where(y >= low, y, 0.0)
    layers: list[Layer] = [Line("law", mechanism.ink, Message(mechanism.label), x, shown)]
    if delta:
        text = say("δ = {delta}", delta=Num(delta, 3, "up"))
        layers.append(Rule("delta", "limit", text, delta, axis="y", dash="dash"))
    text = say("ε {epsilon} → δ {delta}", epsilon=Num(model.epsilon, 5), delta=chance(at))
    height = max(at, low) if at > DEEP else at
    layers.append(Handle("here", mechanism.ink, text, model.epsilon, height, "mechanism.epsilon"))
    return Figure(
        "curve",
        say("The δ that each ε needs"),
        Axis(Message("ε′"), range=(0.0, high)),
        Axis(Message("δ(ε′)"), log=True, range=(low, 1.5), floored=True),
        tuple(layers),
        say("exact for this law; promised: {promise}", promise=_promised(model)),
        exact=in_row(model),
        source=mechanism.source,
    )


def fates_chart(model: GuaranteeModel) -> Figure:
    """Two mechanisms of one (ε, δ): how often the loss goes beyond ε, and how far."""
    high = nice_above(2.6 * model.epsilon)
    delta = model.delta or loss.LEAST_DELTA
    low = _decade_below(delta) * 1e-4
    layers: list[Layer] = []
    for mechanism, _, whole in loss.fates(model):
        x, tail = loss.fate_curve(whole, high, model.effort.of_points(241))
        y = np.where(tail > low * 1e-3, tail, np.nan)
        layers.append(Line(mechanism.key, mechanism.ink, Message(mechanism.label), x, y))
    return Figure(
        "fates",
        say("Same ε and δ, two fates"),
        Axis(say("privacy loss"), range=(0.0, high)),
        Axis(say("share beyond"), log=True, range=(low, 2.0)),
        (*layers, _epsilon_rule(model, "muted", "dot")),
        say(
            "both ε = {epsilon}, δ = {delta}; one fades out, the other tells all",
            epsilon=Num(model.epsilon, 5),
            delta=Num(delta, 3, "up"),
        ),
        exact=in_row(model),
        source="; ".join(mechanism.source for mechanism, _, _ in loss.fates(model)),
    )
