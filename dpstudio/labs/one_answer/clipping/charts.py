"""Clipping's charts as plain figures: the U-shape, who is clipped, the private choice, and where
the best bound moves."""

from collections.abc import Iterator
from dataclasses import replace

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
    nice_above,
)
from dpstudio.labs.one_answer.clipping import best as best_of
from dpstudio.labs.one_answer.clipping import bounds, choice, parameters, private
from dpstudio.labs.one_answer.clipping import model as known
from dpstudio.labs.one_answer.clipping.best import best_bound, drawn_errors
from dpstudio.labs.one_answer.clipping.law import dots, errors_here, law_at_dots
from dpstudio.labs.one_answer.clipping.model import ClippingModel
from dpstudio.values.messages import N_, Message, Num, plain, say

SOURCE = N_("Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019 (bias and noise against the bound)")
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


def charts(model: ClippingModel) -> Iterator[Figure]:
    """What the bound costs, who is clipped, the private choice, and the best bound by ε; or the
    noise alone."""
    if not model.lab.show_truth:
        yield noise_chart(model)
        return
    notes = private.not_public(model)
    yield replace(error_chart(model), notes=notes)
    yield replace(share_chart(model), notes=notes)
    if (chosen := private.private_choice(model)) is not None:
        yield replace(choice_chart(model, chosen), notes=notes)
    yield replace(best_chart(model), notes=notes)


def error_chart(model: ClippingModel) -> Figure:
    """Bias, noise, sampling error and their total against the moving bound, with the least total
    marked."""
    mechanism, at = model.lab.mechanism, model.bounds.at
    here = float(errors_here(model).total[0])
    words = say("{bound} → ±{error}", bound=bounds.bound_num(at), error=bounds.error_num(here))
    return Figure(
        "error",
        say("What the bound costs"),
        bound_axis(model),
        Axis(say("± error"), log=True, range=_error_range(model)),
        (
            *_error_curves(model),
            *_least(model),
            Handle("here", "text", words, at, here, sets(model)),
        ),
        how(model),
        exact=True,
        source=f"{mechanism.source}; {SOURCE}",
        told=say("at {bound}", bound=bounds.bound_num(at)),
    )


def _error_curves(model: ClippingModel) -> Iterator[Layer]:
    """The total and its parts, and the total by the law as dots."""
    x, errors = drawn_errors(model)
    here = errors_here(model)
    bias = say("bias") if model.by_law else say("clipping bias")
    parts = [("bias", "second", bias, np.abs(errors.bias), abs(float(here.bias[0])))]
    noise = float(here.noise[0])
    parts.append(("noise", model.lab.mechanism.ink, say("noise"), errors.noise, noise))
    if model.lab.sampling:
        own = float(here.sampling[0])
        parts.append(("sampling", "muted", say("sampling error"), errors.sampling, own))
    for key, ink, label, y, at in parts:
        yield Line(key, ink, label, x, _positive(y), width=1.5, told=_error(at))
    told = _error(float(here.total[0]))
    yield Line("total", "text", say("total"), x, errors.total, width=2.5, told=told)
    if model.level != known.FIRST:
        yield Dots("exact", "text", "", dots(model), law_at_dots(model).total)


def _error(size: float) -> Message:
    return say("±{error}", error=bounds.error_num(size))


def _least(model: ClippingModel) -> Iterator[Dots]:
    """A mark where the total is least, named beside the chart: the one flag is that of the hand."""
    best, total = best_bound(model), float(best_of.errors_at_best(model).total[0])
    if best != model.bounds.at and total > 0:
        told = say(
            "{bound} → ±{error}", bound=bounds.bound_num(best), error=bounds.error_num(total)
        )
        yield Dots("best", "text", _best(model), [best], [total], marker="cross", tells=((told,),))


def _best(model: ClippingModel) -> Message:
    return say("best {bound}", bound=bounds.bound_num(best_bound(model)))


def _best_rule(model: ClippingModel, place: float | None = None) -> Rule:
    """Where the best bound lies: at itself, or at the `place` that it has on another axis."""
    at = best_bound(model) if place is None else place
    return Rule("best", "muted", _best(model), at, dash="dot")


def how(model: ClippingModel) -> Message:
    """How the errors of the first chart are known."""
    mean, trials = model.lab.statistic == "mean", Num(model.trials)
    if model.question.direct:
        return say("root mean square error, exact: total² = bias² + noise² + sampling²")
    if model.level == known.FIRST:
        return say("root mean square error, noise to first order")
    if model.by_law:
        text = (
            N_("root mean square error, noise by quadrature")
            if mean
            else N_("root mean square error, noise from {trials} {trials:draw|draws}")
        )
    elif mean:
        text = N_("root mean square error: lines to first order, dots by quadrature")
    else:
        text = N_(
            "root mean square error: lines to first order, dots from {trials} {trials:draw|draws}"
        )
    return say(text, trials=trials)


def _error_range(model: ClippingModel) -> tuple[float, float]:
    """Decades about the totals, and what lies up to a hundred times below the least of them."""
    totals = drawn_errors(model)[1].total
    if model.level == known.CHECKED:
        totals = np.append(totals, law_at_dots(model).total)
    positive = totals[totals > 0]
    if not len(positive):
        return 0.1, 10.0
    high = 10.0 ** np.ceil(np.log10(float(positive.max())) + 0.05)
    low = 10.0 ** np.floor(np.log10(float(positive.min())) - 0.5)
    return max(float(low), float(high) * 1e-9), float(high)


def _positive(values: Array) -> Array:
    """Zeros have no place on a logarithmic axis."""
    return np.where(values > 0, values, np.nan)


def bound_axis(model: ClippingModel) -> Axis:
    """The axis of the bound that moves."""
    return Axis(
        say(AXES[model.bounds.moving], column=plain(model.lab.column)),
        log=known.logarithmic(model),
        range=known.axis_range(model),
    )


def sets(model: ClippingModel) -> str:
    """The parameter that a handle on that axis sets."""
    return "low" if model.bounds.moving == "lower" else "high"


def share_chart(model: ClippingModel) -> Figure:
    """The share of rows that are cut to the upper and raised to the lower bound."""
    clips, here, n = known.first_order_along(model).clips, errors_here(model).clips, model.rows.rows
    moving, at = model.bounds.moving, model.bounds.at
    above, below = clips.above / n, clips.below / n
    layers: list[Layer] = []
    if above.max() > 0 or moving != "lower":
        words = say("above the upper bound")
        layers.append(Line("above", "second", words, known.ladder(model), 100 * above))
    if below.max() > 0 or moving != "upper":
        words = say("below the lower bound")
        layers.append(Line("below", "first", words, known.ladder(model), 100 * below))
    share = Num(float(here.clipped[0]) / n, 3, percent=True)
    words = say("{bound}: {share} clipped", bound=bounds.bound_num(at), share=share)
    mine = float((here.below if moving == "lower" else here.above)[0]) / n
    layers += [_best_rule(model), Handle("here", "text", words, at, 100 * mine, sets(model))]
    top = min(105.0, nice_above(108 * float(max(above.max(), below.max(), 0.001))))
    return Figure(
        "clipped",
        say("Who is clipped"),
        bound_axis(model),
        Axis(say("% of rows"), range=(0.0, top)),
        tuple(layers),
        say("the one row") if n == 1 else say("of {n} {n:row|rows}", n=Num(n)),
        exact=True,
    )


def choice_chart(model: ClippingModel, chosen: choice.Chosen) -> Figure:
    """How likely the private choice takes each candidate, exactly, and where the best bound lies
    among them."""
    lab, moving = model.lab, model.bounds.moving
    places = np.arange(len(chosen.grid), dtype=np.float64)
    # The likeliest are labelled first where room is short.
    order = np.argsort(-chosen.chances, kind="stable")
    ticks = tuple((float(places[i]), str(bounds.bound_num(float(chosen.grid[i])))) for i in order)
    ink, heights = choice.CHOICE_INKS[lab.choose], 100 * chosen.chances
    layers: list[Layer] = [Columns("chances", ink, "", places, heights, 0.8)]
    if moving != "lower":
        # Candidates are drawn at equal steps.
        place = float(np.interp(best_bound(model), chosen.grid, places))
        layers.append(_best_rule(model, place))
    name = (
        N_("candidates for the upper bound, the centre at {fixed}")
        if moving == "both"
        else N_("candidates for the upper bound, the lower one at {fixed}")
    )
    spent = say(
        "{way}: exact chances with ε {part} of {all}; then ±{error}",
        way=Message(parameters.CHOICES[lab.choose]),
        part=Num(chosen.epsilon, 3, "up"),
        all=Num(lab.mechanism.epsilon, 5),
        error=bounds.error_num(chosen.error),
    )
    top = min(105.0, nice_above(115 * float(chosen.chances.max())))
    x_words, ends = say(name, fixed=bounds.bound_num(model.bounds.floor)), (-0.6, len(places) - 0.4)
    public = private.public_grid(model)
    return Figure(
        "choice",
        say("A bound chosen privately") if public else say("A bound chosen with noise"),
        Axis(x_words, range=ends, ticks=ticks, named=True),
        Axis(say("% chance"), range=(0.0, top)),
        tuple(layers),
        spent,
        exact=True,
        source=choice.CHOICE_SOURCES[lab.choose],
    )


def best_chart(model: ClippingModel) -> Figure:
    """The best bound against ε: with more noise it moves inwards."""
    mechanism, curve, at = model.lab.mechanism, best_of.best_by_epsilon(model), model.bounds.at
    epsilon, best = mechanism.epsilon, best_bound(model)
    layers: list[Layer] = []
    if curve is not None:
        layers.append(Line("best", "second", say("best bound"), curve[0], curve[1]))
    words = say("in force {bound}", bound=bounds.bound_num(at))
    layers.append(Rule("bound", "text", words, at, axis="y", dash="dash"))
    words = say("ε {epsilon} → {bound}", epsilon=Num(epsilon, 5), bound=bounds.bound_num(best))
    layers.append(Handle("here", mechanism.ink, words, epsilon, best, "mechanism.epsilon"))
    return Figure(
        "best",
        say("Where the best bound lies"),
        Axis(Message("ε"), log=True, range=(0.0009, 57.0)),
        # Upright it has little room for words.
        replace(bound_axis(model), label=Message(SHORT[model.bounds.moving])),
        tuple(layers),
        say("the bound with the least total error on the axis, by ε"),
        exact=True,
        source=mechanism.source,
    )


def noise_chart(model: ClippingModel) -> Figure:
    """What may be told without the data: the noise against the bound."""
    name, spread, here = known.noises(model)[0]
    mechanism, at = model.lab.mechanism, model.bounds.at
    noise = Message(MEASURED[name])
    words = say("{bound} → ±{error}", bound=bounds.bound_num(at), error=bounds.error_num(here))
    shown = np.append(spread, here)
    low, high = float(shown[shown > 0].min(initial=0.1)), float(shown.max(initial=1.0))
    low = float(shown[shown > 0].min()) if (shown > 0).any() else low
    decades = (10.0 ** np.floor(np.log10(low) - 0.05), 10.0 ** np.ceil(np.log10(high) + 0.05))
    return Figure(
        "noise",
        say("What the bound costs in noise"),
        bound_axis(model),
        Axis(say("± noise"), log=True, range=(float(decades[0]), float(decades[1]))),
        (
            Line("noise", mechanism.ink, noise, known.ladder(model), _positive(spread)),
            Handle("here", "text", words, at, here, sets(model)),
        ),
        say("standard deviation of the {noise}; it does not depend on the data", noise=noise),
        source=mechanism.source,
    )
