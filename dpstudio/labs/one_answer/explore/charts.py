"""Explore's charts of the error, the trade and the cost as plain figures."""

import math

import numpy as np

from dpstudio.charts.figure import Area, Axis, Band, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.charts.inks import OUTSIDE
from dpstudio.labs.answer_charts import curve_words
from dpstudio.labs.answer_model import error, error_interval, error_law, judged
from dpstudio.labs.law_curves import atoms_drawn, law_curve, only
from dpstudio.labs.one_answer.explore import costs
from dpstudio.labs.one_answer.explore import model as explore
from dpstudio.labs.supposed import supposing
from dpstudio.privacy.mechanisms.law import Largest
from dpstudio.values.messages import N_, Message, Num, say

_HOW = {
    "exact": N_("{trials} {trials:draw|draws} under the exact {what}"),
    "quadrature": N_("{trials} {trials:draw|draws} under the {what} by quadrature"),
    "simulation": N_("{trials} {trials:draw|draws}; the {what} is simulated too"),
}
_WINS = {"drv": N_("advanced wins from k = {k}"), "tanh": N_("tanh form wins from k = {k}")}


def error_chart(model: explore.ExploreModel) -> Figure:
    """How wrong it is: the histogram of simulated errors under their exact law."""
    lab, law, ends = model.lab, error_law(model.answer), explore.error_range(model)
    edges, heights = explore.error_histogram(model)
    x, y = law_curve(law, *ends, model.answer.effort)
    top = float(max(np.max(y[np.isfinite(y)], initial=0), np.max(heights, initial=0)))
    # An interval of integers holds its ends: the shading reaches over their bars.
    hair = 0.5 if law.discrete else 0.0
    low, high = error_interval(model.answer)
    low = 0.0 if isinstance(law, Largest) else low - hair
    confidence = Num(lab.confidence, 4, "down", percent=True)
    shaded = say("{confidence} of errors", confidence=confidence)
    layers: list[Layer] = [
        Band("interval", "band", shaded, low, high + hair),
        Area("draws", lab.mechanism.ink, "", edges, heights),
    ]
    other = explore.beside(model)
    if other is not None:
        ink, label = other.mechanism.ink, Message(other.mechanism.label)
        curve = law_curve(judged(model.answer, other), *ends, model.answer.effort)
        layers.append(Line("beside", ink, label, *curve, width=1.5))
    layers.append(Line("law", lab.mechanism.ink, Message(lab.mechanism.label), x, y))
    layers += atoms_drawn(law, *ends)
    what = N_("chance") if law.discrete else N_("density")
    label = (
        say("largest error over all parts")
        if isinstance(law, Largest)
        else say("error of one answer")
    )
    return Figure(
        "error",
        say("How wrong it is"),
        Axis(label, range=ends),
        Axis(Message(what), range=(0.0, nice_above(1.04 * top)), hidden=True),
        tuple(layers),
        say(_HOW[model.answer.how], trials=Num(explore.trials(model)), what=Message(what)),
        exact=lab.show_truth and model.answer.law_depends_on_answer,
        simulated=True,
    )


def tradeoff_chart(model: explore.ExploreModel) -> Figure:
    """Privacy against utility: exact expected error against ε, with the target and the ε that it
    needs."""
    lab, other, share = model.lab, explore.beside(model), explore.relative(model)
    epsilons, curves = explore.trade_curves(model)
    here, ink = error(model.answer) * explore.scale(model), lab.mechanism.ink
    layers: list[Layer] = []
    if other is not None:
        label = Message(other.mechanism.label)
        layers = [Line("beside", other.mechanism.ink, label, epsilons, curves[1])]
    layers.append(Line("trade", ink, Message(lab.mechanism.label), epsilons, curves[0]))
    judged_by_width = lab.measure == "half_width"
    aim = explore.target(model) if judged_by_width and not explore.of_each(model) else None
    least = explore.epsilon_needed(model) if explore.of_each(model) else None
    if aim is not None:
        name = say("target ±{target}", target=explore.target_text(model))
        layers.append(
            Rule("target", "target", name, aim * explore.scale(model), axis="y", dash="dash")
        )
    if least is not None and least.at is not None and least.at <= epsilons[-1]:
        # Each part has its own width to keep: no height on this one curve stands for them all.
        name = say("±{target} of each", target=explore.target_text(model))
        layers.append(Rule("each", "target", name, least.at, dash="dash"))
    text = N_("ε {epsilon} → ±{error}") if judged_by_width else N_("ε {epsilon} → error {error}")
    epsilon = lab.mechanism.epsilon
    words = say(text, epsilon=Num(epsilon, 5), error=Num(here, 3, "up"))
    layers.append(Handle("here", ink, words, epsilon, here, "mechanism.epsilon"))
    unit = N_("± % of the answer") if share else N_("± in units of the answer")
    telling = (
        model.answer.law_depends_on_answer
        or share
        or least is not None
        or (aim is not None and lab.target_unit != "absolute")
    )
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        Axis(Message("ε"), log=True, range=(0.0009, 57.0)),
        # Integer noise may have no error at all, which a logarithmic axis shows on its floor.
        Axis(Message(unit), log=True, floored=True),
        tuple(layers),
        curve_words(model.answer),
        exact=lab.show_truth and telling,
    )


def cost_chart(model: explore.ExploreModel) -> Figure:
    """What many answers cost: total ε against k by each bound; pale where a bound is worse than
    plain addition."""
    answers, curves = model.lab.answers, costs.cost_curves(model)
    layers = _bounds(model, curves)
    if curves.wins is not None and not costs.supposes(model, costs.accountants(model)[0]):
        key, k = curves.wins
        layers.append(Rule("crossover", "muted", say(_WINS[key], k=k), float(k), dash="dot"))
    accountant, cost = costs.best(model)
    text = N_("k {k} → ε ≤ {total}") if costs.unrefined(model) else N_("k {k} → ε {total}")
    words = say(text, k=Num(answers), total=Num(cost, 4, "up"))
    if math.isinf(cost):
        words, cost = say("k {k} → no promise", k=Num(answers)), costs.added_up(model)[0]
    layers.append(Handle("here", accountant.ink, words, float(answers), cost, "answers"))
    ends = [float(total[-1]) for _, total in curves.curves.values() if math.isfinite(total[-1])]
    least = min(ends, default=cost)
    return Figure(
        "cost",
        say("What many answers cost"),
        Axis(say("answers k"), range=(0.0, 1.015 * curves.top), whole=True),
        Axis(say("total ε"), range=(0.0, nice_above(1.45 * max(least, cost)))),
        tuple(layers),
        _cost_words(model),
        source="; ".join(a.source for a in costs.accountants(model)),
    )


def _bounds(model: explore.ExploreModel, curves: costs.Costs) -> list[Layer]:
    """Each bound, pale where plain addition is below it; the name stands once."""
    layers: list[Layer] = []
    every, plain = curves.curves["sequential"]
    broken = costs.supposes(model, costs.accountants(model)[0])
    for bound in costs.accountants(model):
        k, total = curves.curves[bound.key]
        beside = plain if k is every else np.interp(k, every, plain)
        worse = total > beside * (1 + 1e-9)
        label = Message(bound.label)
        if broken:
            worse = np.full(k.shape, costs.supposes(model, bound))
            label = supposing(label) if worse.all() else label
        total, some = np.where(np.isfinite(total), total, np.nan), np.count_nonzero(worse)
        lost = some == len(worse)
        if some:
            key, line = bound.key + "_worse", only(total, worse)
            layers.append(Line(key, bound.ink, label if lost else "", k, line, dash=OUTSIDE))
        line = only(total, ~worse) if some else total
        layers.append(Line(bound.key, bound.ink, "" if lost else label, k, line))
    return layers


def _cost_words(model: explore.ExploreModel) -> Message:
    each = costs.guarantee(model)
    if each.delta:
        text = N_("total ε at total δ = kδ + δ′ = {delta}; adding up: kδ")
        told = say(text, delta=Num(costs.spent_delta(model), 3, "up"))
    else:
        text = N_("total ε, δ′ = {delta_prime}, each answer {epsilon}")
        told = say(
            text, delta_prime=Num(model.lab.delta_prime, 3, "up"), epsilon=Num(each.epsilon, 5)
        )
    if not model.fine and costs.refinable(model):
        return say("{told}; the numeric bound is being worked out", told=told)
    return told
