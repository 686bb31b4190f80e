"""Dimension's charts as plain figures."""

import math
from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Handle, Layer, Line
from dpstudio.charts.inks import OUTSIDE
from dpstudio.labs.one_answer.dimension import model as dimension
from dpstudio.labs.one_answer.dimension import parameters
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import Message, Num, say

_K_RANGE = (0.85, 1.2 * parameters.K_MOST)
_BESIDE = 1.5  # times what is drawn, that the axis of errors reaches beyond it


def _sources(model: dimension.DimensionModel) -> str:
    return "; ".join(dimension.mechanism(model, key).source for key in model.lab.drawn)


def error_chart(model: dimension.DimensionModel) -> Figure:
    """Error against k for every drawn mechanism, with a dot where two meet and a handle at the
    chosen k, which has the one flag."""
    lab = model.lab
    k = np.geomspace(1, parameters.K_MOST, model.effort.of_points(121))
    curves = {key: dimension.errors(model, key, k) for key in lab.drawn}
    layers: list[Layer] = []
    for key, curve in curves.items():
        made = dimension.mechanism(model, key)
        dash = "" if dimension.guarantee(model, key).proven else OUTSIDE
        told = say("{e}", e=Num(dimension.error_here(model, key)))
        layers.append(Line(key, made.ink, Message(made.label), k, curve, dash=dash, told=told))
    for (one, other), at in dimension.meetings(model).items():
        for i, where in enumerate(at):
            key = f"meet_{one}_{other}_{i}"
            layers.append(Dots(key, "text", "", [where], [dimension.error(model, one, where)]))
    shown = dimension.winner(model) if dimension.honest(model) else lab.drawn[0]
    here = dimension.error_here(model, shown)
    words = say("k {k} → {error}", k=Num(lab.k), error=Num(here))
    layers.append(
        Handle("here", dimension.mechanism(model, shown).ink, words, float(lab.k), here, "k")
    )
    every = np.concatenate([*curves.values(), [here]])
    every = every[np.isfinite(every) & (every > 0)]
    return Figure(
        "error",
        say("Error as the answer grows"),
        Axis(say("coordinates k"), log=True, range=_K_RANGE),
        # Not by whole decades, of which one could be empty.
        Axis(
            dimension.error_words(model),
            log=True,
            range=(float(every.min()) / _BESIDE, float(every.max()) * _BESIDE),
        ),
        tuple(layers),
        say(
            "exact, ε = {epsilon}, δ = {delta}",
            epsilon=Num(lab.epsilon, 5),
            delta=Num(lab.delta, 3, "up"),
        ),
        source=_sources(model),
        told=say("at k = {k}", k=Num(lab.k)),
    )


def _diamond(radius: float) -> tuple[Array, Array]:
    """(x, y) of the points whose L1 norm is `radius`."""
    return radius * np.array([1, 0, -1, 0, 1]), radius * np.array([0, 1, 0, -1, 0])


def _circle(radius: float) -> tuple[Array, Array]:
    """(x, y) of the points whose L2 norm is `radius`."""
    angle = np.linspace(0, 2 * math.pi, 181)
    return radius * np.cos(angle), radius * np.sin(angle)


_MOVES = {"all": (1.0, 1.0), "one": (1.0, 0.0), "two": (1.0, -1.0)}


def balls_chart(model: dimension.DimensionModel) -> Figure:
    """Two coordinates: the L1 and the L2 ball that hold every move of one person, and the farthest
    move."""
    s = dimension.sensitivity(model, 2)
    move = _MOVES[model.lab.growth]
    layers: tuple[Layer, ...] = (
        Line("ball_l1", "laplace", say("L1 = {l1}", l1=Num(s.l1)), *_diamond(s.l1)),
        Line("ball_l2", "gaussian", say("L2 = {l2}", l2=Num(s.l2, 4)), *_circle(s.l2)),
        Line("move", "truth", "", [0, move[0]], [0, move[1]], width=2.5),
        Dots("neighbour", "truth", say("one person"), [move[0]], [move[1]]),
    )
    return Figure(
        "balls",
        say("How far one person moves it"),
        Axis(say("1st coordinate"), room=1.25, even=True),
        Axis(say("2nd coordinate"), room=1.25, even=True),
        layers,
        say("k = 2: the L1 ball and the L2 ball"),
        square=True,
    )


def crossing_chart(model: dimension.DimensionModel) -> Figure:
    """The k at which two mechanisms meet, against ε: it moves for the exact Gaussian and stands
    still for the textbook's."""
    lab = model.lab
    curves = {pair: dimension.meeting_curve(model, pair) for pair in dimension.pairs(model)}
    meeting = {pair: curve for pair, curve in curves.items() if np.isfinite(curve[1]).any()}
    highest = max([50.0, *(float(np.nanmax(k)) for _, k in meeting.values())])
    layers = [
        line for pair, curve in meeting.items() for line in _meeting_lines(model, pair, *curve)
    ]
    return Figure(
        "crossing",
        say("Where they meet"),
        Axis(Message("ε"), log=True, range=(0.9 * EPSILON.low, 57.0)),
        Axis(
            say("k of equal error"),
            log=True,
            range=(_K_RANGE[0], 1.2 * 10 ** math.ceil(math.log10(highest))),
        ),
        (*layers, _meeting_here(model)),
        say("who errs least below and above each line, δ = {delta}", delta=Num(lab.delta, 3, "up")),
        source=_sources(model),
    )


def _meeting_lines(
    model: dimension.DimensionModel, pair: dimension.MechanismPair, epsilons: Array, k: Array
) -> Iterator[Line]:
    """The line of one pair, named by who wins below it and who above it."""
    gap = dimension.gap_on_knots(model, pair)
    below, above = (
        dimension.mechanism(model, key) for key in (pair if gap[-1] > gap[0] else pair[::-1])
    )
    label = say("{below} → {above}", below=Message(below.label), above=Message(above.label))
    key, dash = "_".join(pair), "solid" if pair[0] == "laplace" else "dot"
    if "textbook" in pair:
        # The theorem ends at ε = 1.
        unproven = np.where(epsilons >= 1, k, np.nan)
        yield Line(f"{key}_unproven", above.ink, "", epsilons, unproven, dash=OUTSIDE)
        k = np.where(epsilons <= 1, k, np.nan)
    yield Line(key, above.ink, label, epsilons, k, dash=dash)


def _meeting_here(model: dimension.DimensionModel) -> Handle:
    """The first meeting at the chosen ε, to be dragged along it."""
    lab = model.lab
    first = next(((pair, at[0]) for pair, at in dimension.meetings(model).items() if at), None)
    if first is None:
        words = say("ε {epsilon}: none meet", epsilon=Num(lab.epsilon, 5))
        return Handle("here", "muted", words, lab.epsilon, 1.0, "epsilon")
    pair, at = first
    words = say("ε {epsilon} → k = {k}", epsilon=Num(lab.epsilon, 5), k=dimension.meeting_num(at))
    return Handle(
        "here", dimension.mechanism(model, pair[1]).ink, words, lab.epsilon, at, "epsilon"
    )
