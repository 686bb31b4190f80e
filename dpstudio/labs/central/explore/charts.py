"""Explore's four charts as plain figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Array,
    Axis,
    Band,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.central.explore.model import ExploreModel
from dpstudio.labs.law_curves import atoms_drawn, decades, law_curve, only
from dpstudio.privacy.accounting import Advanced, AdvancedTanh, crossover
from dpstudio.privacy.accounting.accountant import K_MOST
from dpstudio.privacy.mechanisms.law import Largest
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.central.compare.parameters import Compare
    from dpstudio.labs.central.explore.parameters import Explore

BARS = 80

HOW = {
    "exact": N_("{trials} draws under the exact {what}"),
    "quadrature": N_("{trials} draws under the {what} by quadrature"),
    "simulation": N_("{trials} draws; the {what} is simulated too"),
}


def error_chart(model: ExploreModel) -> Figure:
    """How wrong it is: the histogram of simulated errors under their exact law."""
    lab, law = model.lab, model.law
    one_sided = isinstance(law, Largest)
    reach = model.reach if not one_sided else nice_above(1.1 * law.half_width(0.99))
    low, high = (0.0, reach) if one_sided else (-reach, reach)
    edges = _bins(low, high, law.discrete)
    counts = np.diff(np.searchsorted(model.uniforms, law.cdf(edges)))
    heights = counts / (lab.trials * np.diff(edges))
    x, y = law_curve(law, low, high)
    top = float(max(np.max(y[np.isfinite(y)], initial=0), np.max(heights, initial=0)))
    # An interval of integers holds its ends: the shading reaches over their bars.
    width, half = model.half_width, 0.5 if law.discrete else 0.0
    layers: list[Layer] = [
        Band(
            "interval",
            "band",
            say("{confidence} of errors", confidence=Num(lab.confidence, 4, "down", percent=True)),
            -width - half if not one_sided else 0.0,
            width + half,
        ),
        Area("draws", lab.mechanism.ink, "", edges, heights),
    ]
    if model.compare_with is not None:
        other = model.judged(model.compare_with)
        layers.append(
            Line(
                "beside",
                model.compare_with.mechanism.ink,
                Say(model.compare_with.mechanism.label),
                *law_curve(other, low, high),
                dash="dash",
            )
        )
    layers.append(Line("law", lab.mechanism.ink, Say(lab.mechanism.label), x, y))
    layers += atoms_drawn(law, low, high)
    what = N_("pmf") if law.discrete else N_("density")
    how = say(HOW[model.how], trials=Num(lab.trials), what=Say(what))
    label = N_("largest error over all parts") if one_sided else N_("error of one answer")
    return Figure(
        "error",
        say("How wrong it is"),
        Axis(Say(label), range=(low, high)),
        Axis(Say(what), range=(0.0, nice_above(1.04 * top)), hidden=True),
        tuple(layers),
        how,
        exact=lab.show_truth and model.law_depends_on_answer,
        simulated=True,
        source=lab.mechanism.source,
    )


def _bins(low: float, high: float, discrete: bool) -> Array:
    if not discrete:
        return np.linspace(low, high, BARS + 1)
    # Integers in cells of equal width, so that heights compare with the pmf.
    step = max(1.0, np.ceil((high - low) / BARS))
    first = 0.0 if low == 0 else -np.floor(-low / step) * step
    return np.asarray(np.arange(first, high + 1.5 * step, step) - 0.5)


def tradeoff_chart(model: ExploreModel) -> Figure:
    """Privacy against utility: exact expected error against ε, with the target and the ε that it
    needs."""
    lab = model.lab
    relative = lab.relative and model.reference != 0
    scale = 1 / abs(model.reference) * 100 if relative else 1.0
    mechanisms = [lab.mechanism] + (
        [model.compare_with.mechanism] if model.compare_with is not None else []
    )
    epsilons = model.curve(lab.mechanism)[0]
    errors = [
        model.curve(m)[1] if scale == 1 else array(model.curve(m)[1] * scale) for m in mechanisms
    ]
    here = model.error(model.law) * scale
    low, high = decades(np.concatenate([*errors, [here]]))
    layers: list[Layer] = []
    for mechanism, curve, dash in reversed(
        list(zip(mechanisms, errors, ("solid", "dash"), strict=False))
    ):
        key = "trade" if dash == "solid" else "beside"
        layers.append(Line(key, mechanism.ink, Say(mechanism.label), epsilons, curve, dash=dash))
    target = model.target if lab.measure == "half_width" else None
    if target is not None:
        name = say("target ±{target}", target=target_text(model))
        layers.append(Rule("target", "target", name, target * scale, axis="y", dash="dash"))
    text = (
        N_("ε {epsilon} → ±{error}")
        if lab.measure == "half_width"
        else N_("ε {epsilon} → error {error}")
    )
    words = say(text, epsilon=Num(lab.mechanism.epsilon, 5), error=Num(here, 3, "up"))
    layers.append(
        Handle("here", lab.mechanism.ink, words, lab.mechanism.epsilon, here, "mechanism.epsilon")
    )
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        Axis(Say("ε"), log=True, range=(0.0009, 57.0)),
        # Integer noise may have no error at all, which a logarithmic axis shows on its floor.
        Axis(_error_label(relative), log=True, range=(low, high), floored=True),
        tuple(layers),
        error_words(lab),
        exact=lab.show_truth
        and (
            model.law_depends_on_answer
            or relative
            or (target is not None and lab.target_unit == "percent")
        ),
        source=lab.mechanism.source,
    )


def target_text(model: ExploreModel) -> Say:
    lab = model.lab
    return (
        say("{share}", share=Num(lab.target / 100, 3, percent=True))
        if lab.target_unit == "percent"
        else say("{amount}", amount=Num(lab.target))
    )


def _error_label(relative: bool) -> Say:
    return Say(N_("± % of the answer") if relative else N_("± in units of the answer"))


def error_words(lab: Explore | Compare) -> Say:
    """What the error is, as a subtitle."""
    if lab.measure == "half_width":
        return say(
            "half-width that {confidence} of answers keep",
            confidence=Num(lab.confidence, 4, "down", percent=True),
        )
    return Say(
        N_("mean absolute error") if lab.measure == "mean_abs" else N_("root mean square error")
    )


def cost_chart(model: ExploreModel) -> Figure:
    """What many answers cost: total ε against k by each bound; dashed where a bound is worse than
    plain addition."""
    lab, guarantee = model.lab, model.release.guarantee
    wins = {
        a.key: crossover(a, guarantee.epsilon, guarantee.delta)
        for a in model.accountants
        if isinstance(a, Advanced | AdvancedTanh)
    }
    first = next((k for k in wins.values() if k is not None), None)
    top = min(
        float(K_MOST),
        nice_above(
            max(2.0 * lab.answers, 40.0, 1.5 * first if first and first < 8 * lab.answers else 0)
        ),
    )
    # The exact optimum is a little different for odd and even k: even ones make one smooth curve.
    k = 2 * np.round(np.linspace(1, np.sqrt(top), 56) ** 2 / 2)
    k = np.unique(
        np.concatenate(
            [k, [1.0, lab.answers], [at for at in wins.values() if at is not None and at < top]]
        )
    )
    k = k[k >= 1]
    totals = {a.key: a.total(k, guarantee.epsilon, guarantee.delta) for a in model.accountants}
    best = np.minimum.reduce(list(totals.values()))
    layers: list[Layer] = []
    for accountant in model.accountants:
        total, worse = totals[accountant.key], totals[accountant.key] > totals["sequential"]
        label = Say(accountant.label)
        if worse.any():
            layers.append(
                Line(
                    accountant.key + "_worse",
                    accountant.ink,
                    label if worse.all() else "",
                    k,
                    only(total, worse),
                    dash="dot",
                    width=1.5,
                )
            )
        layers.append(
            Line(
                accountant.key, accountant.ink, "" if worse.all() else label, k, only(total, ~worse)
            )
        )
    for key, at in wins.items():
        if at is not None and at < top:
            word = (
                N_("advanced wins from k = {k}")
                if key == "drv"
                else N_("tanh form wins from k = {k}")
            )
            layers.append(Rule("crossover", "muted", say(word, k=at), float(at), dash="dot"))
            break
    accountant, cost = model.best
    layers.append(
        Handle(
            "here",
            accountant.ink,
            say("k {k} → ε {total}", k=Num(lab.answers), total=Num(cost, 3, "up")),
            float(lab.answers),
            cost,
            "answers",
        )
    )
    high = nice_above(1.45 * max(float(best[-1]), cost))
    words = say(
        "total ε, δ′ = {delta_prime}, each answer {epsilon}",
        delta_prime=Num(lab.delta_prime),
        epsilon=Num(guarantee.epsilon, 5),
    )
    if guarantee.delta:
        total_delta = min(1.0, lab.answers * guarantee.delta + lab.delta_prime)
        words = say(
            "total ε at total δ = kδ + δ′ = {delta}; adding up: kδ", delta=Num(total_delta, 3, "up")
        )
    return Figure(
        "cost",
        say("What many answers cost"),
        Axis(say("answers k"), range=(0.0, 1.015 * top), whole=True),
        Axis(say("total ε"), range=(0.0, high)),
        tuple(layers),
        words,
        source="; ".join(a.source for a in model.accountants),
    )
