"""The charts of Local means that compare errors: against ε, against the number of people, and of
numbers that each holds."""

import math

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.local_curves import chosen_point, epsilon_axis
from dpstudio.labs.nobody.local_means import errors as means_errors
from dpstudio.labs.nobody.local_means.charts import rival_line, sources
from dpstudio.labs.nobody.local_means.model import CENTRAL, MeansModel, error_words, worst
from dpstudio.values.messages import N_, Message, Num, plain, say


def _error_axis(model: MeansModel, errors: Array) -> Axis:
    """Whole decades about the errors."""
    low, high = np.log10([np.min(errors), np.max(errors)])
    decades = float(10 ** np.floor(low - 0.05)), float(10 ** np.ceil(high + 0.05))
    return Axis(_error_label(model), log=True, range=decades)


def _error_label(model: MeansModel) -> Message:
    return say("± {column}", column=plain(model.column))


def _least(model: MeansModel) -> float:
    """Where the axis of ε starts."""
    return 0.0009 if model.protocol.epsilon < 0.05 else 0.045


def tradeoff_chart(model: MeansModel) -> Figure:
    """Error against ε for all protocols."""
    epsilon, here, least = model.protocol.epsilon, means_errors.own_error(model), _least(model)
    x = means_errors.epsilons(model)
    lines = [
        rival_line(model, r, x, means_errors.scaled(model, means_errors.curve(model, r)))
        for r in means_errors.drawn(model)
    ]
    # Beyond 10 all but Laplace and Duchi fall without end: the axis follows them no further than
    # the point in use.
    followed = (x >= least) & (x <= max(10.0, epsilon))
    seen = np.concatenate([[here], *(line.y[followed] for line in lines)])
    words = say("ε {epsilon} → ±{error}", epsilon=Num(epsilon, 5), error=Num(here, 3, "up"))
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        epsilon_axis(least),
        _error_axis(model, seen),
        (*lines, chosen_point(model.protocol, words, epsilon, here)),
        error_words(model),
        exact=model.lab.show_truth,
        source=sources(model),
    )


def contest_chart(model: MeansModel) -> Figure:
    """Every error as a share of that of Laplace noise, against ε: who wins where, with a dot
    wherever two err alike."""
    x, laplace = means_errors.epsilons(model), means_errors.drawn(model)[0]
    layers: list[Layer] = [
        rival_line(
            model, r, x, np.sqrt(means_errors.curve(model, r) / means_errors.curve(model, laplace))
        )
        for r in means_errors.drawn(model)
    ]
    for i, (one, other, at) in enumerate(means_errors.changes(model)):
        key, label = f"cross_{one.key}_{other.key}_{i}", say("{epsilon}", epsilon=Num(at, 5))
        layers.append(Rule(f"{key}_at", "muted", label, at, dash="dot"))
        layers.append(Dots(key, "text", "", [at], [means_errors.relative(model, one, at)]))
    epsilon, here = (
        model.protocol.epsilon,
        means_errors.own_error(model) / means_errors.errors(model)[laplace.key],
    )
    words = say("ε {epsilon} → {share}", epsilon=Num(epsilon, 5), share=Num(here, 3))
    layers.append(chosen_point(model.protocol, words, epsilon, here))
    return Figure(
        "contest",
        say("Who wins where"),
        epsilon_axis(_least(model)),
        Axis(say("error, Laplace = 1"), range=(0.0, max(1.6, nice_above(1.1 * here)))),
        tuple(layers),
        Message(N_("worst values") if worst(model) else N_("this column’s values")),
        exact=model.lab.show_truth,
        source=sources(model),
    )


def people_chart(model: MeansModel) -> Figure:
    """Error against the number of people: each for themselves, and all through one trusted
    collector."""
    n, needed, here, ink = (
        model.n,
        means_errors.enough(model),
        means_errors.own_error(model),
        model.protocol.ink,
    )
    left = 10.0 ** math.floor(math.log10(min(n, needed) / 3))
    right = 10.0 ** math.ceil(math.log10(3 * max(n, needed)))
    x = np.geomspace(left, right, model.effort.of_points(49))
    local, trusted = here * np.sqrt(n / x), means_errors.central(model, 1) / x
    name = say("{protocol}, no trust", protocol=Message(model.protocol.label))
    few, many = say("{n}", n=Num(means_errors.enough_people(model))), say("{n}", n=Num(n))
    layers = (
        Line("central", "muted", CENTRAL, x, trusted),
        Line("local", ink, name, x, local),
        Line("gap", "muted", "", [needed, n], [here, here], dash="dot", width=1.5),
        Rule("needed", "muted", few, needed, dash="dot"),
        Rule("asked", ink, many, float(n), dash="dot"),
        Dots("enough", "muted", "", [needed], [here]),
        Dots("here", ink, "", [float(n)], [here]),
    )
    return Figure(
        "people",
        say("What trusting nobody costs"),
        Axis(say("people asked"), log=True, range=(left, right)),
        _error_axis(model, np.concatenate([local, trusted])),
        layers,
        say("both at ε = {epsilon}", epsilon=Num(model.protocol.epsilon, 5)),
        exact=model.lab.show_truth,
        source=f"{model.protocol.source}; Laplace: Dwork, McSherry, Nissim & Smith 2006",
    )


def dims_chart(model: MeansModel) -> Figure:
    """Error of this mean against how many numbers each person's report is about."""
    d, here = means_errors.sizes(model), means_errors.own_error(model)
    shown = means_errors.rivals(model) if model.d > 1 else means_errors.both_ways(model)
    lines = [rival_line(model, r, d, means_errors.over_sizes(model, r), r.name) for r in shown]
    words = say("d {d} → ±{error}", d=Num(model.d), error=Num(here, 3, "up"))
    # Laplace noise on every number runs away from all others: the axis does not follow it.
    low = float(np.min([line.y for line in lines]))
    high = max(here, float(np.max([line.y for line in lines[1:]])))
    return Figure(
        "dims",
        say("Several numbers each"),
        Axis(say("numbers each person holds d"), log=True, range=(0.85, 1.2 * d[-1]), whole=True),
        Axis(_error_label(model), log=True, range=(low / 1.6, 2.5 * high)),
        (*lines, Handle("here", model.protocol.ink, words, float(model.d), here, "dims")),
        say("this one mean, ε = {epsilon} in all", epsilon=Num(model.protocol.epsilon, 5)),
        exact=model.lab.show_truth,
        source=sources(model),
    )
