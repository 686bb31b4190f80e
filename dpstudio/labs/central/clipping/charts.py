"""Clipping's charts as plain figures: the U-shape, who is clipped, the private choice, and where
the best bound moves."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Columns,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.central.clipping.choice import CHOICE_INKS, CHOICE_SOURCES, CHOICES
from dpstudio.labs.central.clipping.model import CHECKED, FIRST, ClippingModel
from dpstudio.values.messages import N_, Num, Say, plain, say

SOURCE = "Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019 (bias and noise against the bound)"
AXES = {
    "upper": N_("upper bound, in {column}"),
    "lower": N_("lower bound, in {column}"),
    "both": N_("upper bound of both, in {column}"),
}
SHORT = {"upper": N_("upper bound"), "lower": N_("lower bound"), "both": N_("upper bound")}
MEASURED = {
    "sum": N_("noise of the sum"),
    "mean": N_("noise of the mean"),
    "variance": N_("noise of the variance"),
    "squares": N_("noise of the sum of squares"),
    "count": N_("noise of the count"),
}


def error_chart(model: ClippingModel) -> Figure:
    """Bias, noise, sampling error and their total against the moving bound, with the least total
    marked."""
    (x, sweep), mechanism = model.drawn, model.lab.mechanism
    here = float(model.here.total[0])
    bias = N_("bias") if model.by_law else N_("clipping bias")
    layers: list[Layer] = [
        Line("bias", "bad", Say(bias), x, _positive(np.abs(sweep.bias)), width=1.5),
        Line("noise", mechanism.ink, say("noise"), x, _positive(sweep.noise), width=1.5),
    ]
    if model.lab.sampling:
        layers.append(
            Line(
                "sampling", "muted", say("sampling error"), x, _positive(sweep.sampling), width=1.5
            )
        )
    layers.append(Line("total", "text", say("total"), x, sweep.total, width=2.5))
    if model.level != FIRST:
        layers.append(Dots("exact", "text", "", model.dots, model.at_dots.total))
    if model.chosen is not None:
        text = (
            N_("chosen privately ±{error}")
            if model.public_grid
            else N_("chosen with noise ±{error}")
        )
        words = say(text, error=Num(model.chosen.error, 3, "up"))
        layers.append(
            Rule(
                "private",
                CHOICE_INKS[model.lab.choose],
                words,
                model.chosen.error,
                axis="y",
                dash="dash",
            )
        )
    layers.append(
        Rule(
            "best",
            "good",
            say("best {bound}", bound=bound_num(model, model.best)),
            model.best,
            dash="dot",
        )
    )
    words = say("{bound} → ±{error}", bound=bound_num(model, model.at), error=Num(here, 3, "up"))
    layers.append(Handle("here", "accent", words, model.at, here, sets(model)))
    return Figure(
        "error",
        say("What the bound costs"),
        bound_axis(model),
        Axis(say("± error"), log=True, range=_error_range(model)),
        tuple(layers),
        how(model),
        exact=True,
        source=f"{mechanism.source}; {SOURCE}",
    )


def how(model: ClippingModel) -> Say:
    """How the errors of the first chart are known."""
    mean, trials = model.lab.statistic == "mean", Num(model.lab.trials)
    if model.question.direct:
        return say("root mean square error, exact: total² = bias² + noise² + sampling²")
    if model.level == FIRST:
        return say("root mean square error, noise to first order")
    if model.by_law:
        text = (
            N_("root mean square error, noise by quadrature")
            if mean
            else N_("root mean square error, noise from {trials} draws")
        )
    elif mean:
        text = N_("root mean square error: lines to first order, dots by quadrature")
    else:
        text = N_("root mean square error: lines to first order, dots from {trials} draws")
    return say(text, trials=trials)


def _error_range(model: ClippingModel) -> tuple[float, float]:
    """Decades about the totals, and what lies up to a hundred times below the least of them."""
    totals = model.drawn[1].total
    if model.level == CHECKED:
        totals = np.append(totals, model.at_dots.total)
    positive = totals[totals > 0]
    if not len(positive):
        return 0.1, 10.0
    high = 10.0 ** np.ceil(np.log10(float(positive.max())) + 0.05)
    low = 10.0 ** np.floor(np.log10(float(positive.min())) - 0.5)
    return max(float(low), float(high) * 1e-9), float(high)


def _positive(values: Array) -> Array:
    """Zeros have no place on a logarithmic axis."""
    return array(np.where(values > 0, values, np.nan))


def bound_axis(model: ClippingModel) -> Axis:
    return Axis(
        say(AXES[model.lab.moving], column=plain(model.lab.column)),
        log=model.log,
        range=model.range,
    )


def short_bound_axis(model: ClippingModel) -> Axis:
    """The same for an upright axis, which has little room for words."""
    return Axis(Say(SHORT[model.lab.moving]), log=model.log, range=model.range)


def bound_num(model: ClippingModel, bound: float) -> Num:
    return Num(bound, 4)


def sets(model: ClippingModel) -> str:
    return "low" if model.lab.moving == "lower" else "high"


def share_chart(model: ClippingModel) -> Figure:
    """The share of rows that are cut to the upper and raised to the lower bound."""
    clips, n = model.sweep.clips, model.rows.rows
    above, below = clips.above / n, clips.below / n
    layers: list[Layer] = []
    if above.max() > 0 or model.lab.moving != "lower":
        layers.append(Line("above", "bad", say("above the upper bound"), model.ladder, 100 * above))
    if below.max() > 0 or model.lab.moving != "upper":
        layers.append(
            Line("below", "accent", say("below the lower bound"), model.ladder, 100 * below)
        )
    layers.append(
        Rule(
            "best",
            "good",
            say("best {bound}", bound=bound_num(model, model.best)),
            model.best,
            dash="dot",
        )
    )
    both = float(model.here.clips.above[0] + model.here.clips.below[0]) / n
    one = (
        float(
            (model.here.clips.below if model.lab.moving == "lower" else model.here.clips.above)[0]
        )
        / n
    )
    words = say(
        "{bound}: {share} clipped",
        bound=bound_num(model, model.at),
        share=Num(both, 3, percent=True),
    )
    layers.append(Handle("here", "accent", words, model.at, 100 * one, sets(model)))
    top = min(105.0, nice_above(108 * float(max(above.max(), below.max(), 0.001))))
    return Figure(
        "clipped",
        say("Who is clipped"),
        bound_axis(model),
        Axis(say("% of rows"), range=(0.0, top)),
        tuple(layers),
        say("the one row") if n == 1 else say("of {n} rows", n=Num(n)),
        exact=True,
    )


def choice_chart(model: ClippingModel) -> Figure:
    """How likely the private choice takes each candidate, exactly, and where the best bound lies
    among them."""
    lab, chosen = model.lab, model.chosen
    assert chosen is not None
    places = np.arange(len(chosen.grid), dtype=np.float64)
    # The likeliest are labelled first where room is short.
    order = np.argsort(-chosen.chances, kind="stable")
    ticks = tuple((float(places[i]), str(bound_num(model, float(chosen.grid[i])))) for i in order)
    layers: list[Layer] = [
        Columns("chances", CHOICE_INKS[lab.choose], "", places, 100 * chosen.chances, 0.8)
    ]
    if lab.moving != "lower":
        layers.append(
            Rule(
                "best",
                "good",
                say("best {bound}", bound=bound_num(model, model.best)),
                _place(chosen.grid, model.best),
                dash="dot",
            )
        )
    fixed = model.centre if lab.moving == "both" else model.bounds[0]
    name = N_("candidates for the upper bound, the lower one at {fixed}")
    if lab.moving == "both":
        name = N_("candidates for the upper bound, the centre at {fixed}")
    spent = say(
        "{way}: exact chances with ε {part} of {all}; then ±{error}",
        way=Say(CHOICES[lab.choose]),
        part=Num(chosen.epsilon, 3, "up"),
        all=Num(lab.mechanism.epsilon, 5),
        error=Num(chosen.error, 3, "up"),
    )
    return Figure(
        "choice",
        Say(
            N_("A bound chosen privately") if model.public_grid else N_("A bound chosen with noise")
        ),
        Axis(
            say(name, fixed=bound_num(model, fixed)), range=(-0.6, len(places) - 0.4), ticks=ticks
        ),
        Axis(
            say("% chance"), range=(0.0, min(105.0, nice_above(115 * float(chosen.chances.max()))))
        ),
        tuple(layers),
        spent,
        exact=True,
        source=CHOICE_SOURCES[lab.choose],
    )


def _place(grid: Array, bound: float) -> float:
    """Where a bound stands between candidates that are drawn at equal steps."""
    return float(np.interp(bound, grid, np.arange(len(grid))))


def best_chart(model: ClippingModel) -> Figure:
    """The best bound against ε: with more noise it moves inwards."""
    mechanism, curve = model.lab.mechanism, model.curve
    layers: tuple[Layer, ...] = (
        () if curve is None else (Line("best", "good", say("best bound"), curve[0], curve[1]),)
    )
    layers += (
        Rule(
            "bound",
            "accent",
            say("in force {bound}", bound=bound_num(model, model.at)),
            model.at,
            axis="y",
            dash="dash",
        ),
        Handle(
            "here",
            mechanism.ink,
            say(
                "ε {epsilon} → {bound}",
                epsilon=Num(mechanism.epsilon, 5),
                bound=bound_num(model, model.best),
            ),
            mechanism.epsilon,
            model.best,
            "mechanism.epsilon",
        ),
    )
    return Figure(
        "best",
        say("Where the best bound lies"),
        Axis(Say("ε"), log=True, range=(0.0009, 57.0)),
        short_bound_axis(model),
        layers,
        say("the bound with the least total error on the axis, by ε"),
        exact=True,
        source=mechanism.source,
    )


def noise_chart(model: ClippingModel) -> Figure:
    """What may be told without the data: the noise against the bound."""
    name, spread, here = model.noises[0]
    mechanism = model.lab.mechanism
    layers: tuple[Layer, ...] = (
        Line("noise", mechanism.ink, Say(MEASURED[name]), model.ladder, _positive(spread)),
        Handle(
            "here",
            "accent",
            say("{bound} → ±{error}", bound=bound_num(model, model.at), error=Num(here, 3, "up")),
            model.at,
            here,
            sets(model),
        ),
    )
    shown = np.append(spread, here)
    low, high = float(shown[shown > 0].min(initial=0.1)), float(shown.max(initial=1.0))
    low = float(shown[shown > 0].min()) if (shown > 0).any() else low
    decades = (10.0 ** np.floor(np.log10(low) - 0.05), 10.0 ** np.ceil(np.log10(high) + 0.05))
    return Figure(
        "noise",
        say("What the bound costs in noise"),
        bound_axis(model),
        Axis(say("± noise"), log=True, range=(float(decades[0]), float(decades[1]))),
        layers,
        say(
            "standard deviation of the {noise}; it does not depend on the data",
            noise=Say(MEASURED[name]),
        ),
        source=mechanism.source,
    )
