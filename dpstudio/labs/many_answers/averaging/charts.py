"""The averaging lab's charts: the mean closing in on the truth, what the answers cost, and
what helps."""

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.charts.inks import OUTSIDE
from dpstudio.labs.bound_names import name_here
from dpstudio.labs.many_answers.averaging import model as known
from dpstudio.labs.many_answers.averaging.model import AveragingModel
from dpstudio.labs.series_model import reach
from dpstudio.privacy.accounting import Accountant, Sequential
from dpstudio.values.messages import N_, Message, Num, say

DRAWN = 6


def attack_chart(model: AveragingModel) -> Figure:
    """Running means of simulated answers to one question, between twice their exact standard
    deviation."""
    found, inside = known.averaging(model), known.seen(model)
    k, spread, moved = found.k[inside], found.spread[inside], float(model.data.contributions)
    runs = [found.means[path, inside] for path in range(DRAWN)]
    lowest = min(range(DRAWN), key=lambda path: float(runs[path][-1]))  # named below all others
    layers: list[Layer] = []
    for path, mean in enumerate(runs):
        name = say("six simulated runs") if path == lowest else ""
        layers.append(Line(f"path_{path}", "answer", name, k, mean, width=1.0))
    layers.append(Line("high", "first", say("± 2 deviations"), k, 2 * spread, width=1.5))
    layers.append(Line("low", "first", "", k, -2 * spread, width=1.5))
    layers.append(Rule("truth", "truth", say("without the person"), 0.0, axis="y"))
    layers.append(Rule("neighbour", "third", say("with the person"), moved, axis="y", dash="dash"))
    words = say(
        "k {k}: ± {deviation}",
        k=Num(known.count_asked(model)),
        deviation=Num(known.deviation(model)),
    )
    layers.append(_here(model, known.deviation(model), words))
    high = max(nice_above(2.2 * float(spread[0])), 1.5 * moved)
    return Figure(
        "attack",
        say("The averaging attack"),
        _averaged(model),
        Axis(say("mean of the answers"), range=(-high, high)),
        tuple(layers),
        say("one count asked again and again, truth 0: simulated means, exact deviation"),
        simulated=True,
        source=N_("sd of the mean: √(2/k)·Δ/ε for Laplace noise on a count"),
    )


def _here(model: AveragingModel, y: float, words: Message) -> Layer:
    """The answers of this state: equal ones can be dragged."""
    if model.equal:
        return Handle("here", "first", words, float(model.answers), y, "answers")
    return Dots("here", "first", words, [known.count_asked(model)], [y])


def _averaged(model: AveragingModel) -> Axis:
    across = (0.85, 1.25 * reach(model))
    return Axis(say("answers averaged"), log=True, range=across, whole=True)


def _bounds(model: AveragingModel) -> list[Accountant]:
    """Those that have a curve: adding up, and what says least here."""
    return list(dict.fromkeys((Sequential(), known.cheapest(model)[0])))


def _dash(model: AveragingModel, bound: Accountant) -> str:
    return OUTSIDE if bound.supposes(model.ledger) else ""


def _over(label: Message, *drawn: np.ndarray) -> Axis:
    """A logarithmic axis that holds what is drawn, 0 at its low end."""
    every = np.concatenate([np.ravel(each) for each in drawn])
    seen = every[np.isfinite(every) & (every > 0)]
    low, high = (float(seen.min()), float(seen.max())) if len(seen) else (1.0, 1.0)
    return Axis(label, log=True, range=(0.6 * low, nice_above(1.5 * high)), floored=True)


def cost_chart(model: AveragingModel) -> Figure:
    """What the answers cost together, by adding up and by the bound that says least."""
    layers: list[Layer] = []
    curves = {bound: known.cost_curve(model, bound) for bound in _bounds(model)}
    for bound, (k, total) in curves.items():
        name, dash = name_here(model, bound), _dash(model, bound)
        layers.append(Line(bound.key, bound.ink, name, k, total, dash))
    best, cost = known.cheapest(model)
    words = say("ε {total}", total=Num(cost, 4, "up"))
    layers.append(Dots("here", best.ink, words, [model.answers], [cost]))
    text = N_("the mean of k answers errs √k times less than one")
    return Figure(
        "cost",
        say("What they cost together"),
        Axis(say("answers"), log=True, range=(0.85, 1.25 * reach(model)), whole=True),
        _over(say("total ε"), *(total for _, total in curves.values()), np.array([cost])),
        tuple(layers),
        Message(text) if model.equal else "",
        source=best.source,
    )


def against_chart(model: AveragingModel) -> Figure:
    """How far off the mean of k equal answers is: each with an ε of its own, the first one given
    again, and all sharing the ε of one."""
    found, inside = known.averaging(model), known.seen(model)
    k, spread = found.k[inside], found.spread[inside]
    at, shared = known.shared_curve(model)
    one = np.full(len(k), spread[0])
    layers: tuple[Layer, ...] = (
        Line("own", "first", say("an ε for each"), k, spread),
        Line("again", "second", say("the first one again"), k, one),
        Line("shared", "third", say("one ε for all"), at, shared),
        Handle("here", "first", "", float(model.answers), known.deviation(model), "answers"),
    )
    return Figure(
        "against",
        say("Against averaging"),
        _averaged(model),
        _over(say("deviation of the mean"), spread, shared),
        layers,
        say("the first one again, or one ε for all: they cost what one answer does"),
        source=N_("Dwork & Roth 2014, Theorem 3.16 (adding up)"),
    )
