"""Dimension's four charts as plain figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.central.dimension.noise import (
    K_MOST,
    MEASURES,
    SHAPES,
    length_density,
    unit_error,
)
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.gaussian import special
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.central.dimension.parameters import DimensionModel

_K_RANGE = (0.85, 1.2 * K_MOST)
_SHARE = 0.9


def error_words(model: DimensionModel) -> Say:
    """The measure in words, as it stands under a chart and inside a sentence."""
    if model.lab.measure == "largest":
        text = N_("largest error over all coordinates at {confidence}")
        return say(text, confidence=Num(model.lab.confidence, 4, "down", percent=True))
    return Say(
        {
            "deviation": N_("standard deviation of one coordinate"),
            "mean_abs": N_("mean absolute error of one coordinate"),
            "length": N_("mean length (L2 norm) of the whole error"),
        }[model.lab.measure]
    )


def error_chart(model: DimensionModel) -> Figure:
    """Error against k for every drawn mechanism, with each meeting marked and a handle at the
    chosen k."""
    lab = model.lab
    k = np.geomspace(1, K_MOST, 121)
    layers: list[Layer] = []
    everything = []
    for key in lab.drawn:
        curve = model.errors(key, k)
        everything.append(curve)
        mechanism = model.mechanism(key)
        dash = "solid" if model.guarantee(key).proven else "dash"
        layers.append(Line(key, mechanism.ink, Say(mechanism.label), k, curve, dash=dash))
    for (one, other), at in model.meetings.items():
        for i, where in enumerate(at):
            ink = model.mechanism(other).ink if one == "laplace" else "muted"
            # Meetings with L2-norm noise have no word here, where four would lie over each other;
            # the next chart names them.
            label = say("k = {k}", k=meeting_num(where)) if one == "laplace" else ""
            layers.append(
                Rule(
                    f"meet_{one}_{other}_{i}",
                    ink,
                    label,
                    where,
                    dash="dash" if one == "laplace" else "dot",
                )
            )
    best = model.best(lab.k) if model.honest else lab.drawn[0]
    here = model.error(best, lab.k)
    words = say("k {k} → {error}", k=Num(lab.k), error=Num(here))
    layers.append(Handle("here", model.mechanism(best).ink, words, float(lab.k), here, "k"))
    return Figure(
        "error",
        say("Error as the answer grows"),
        Axis(say("coordinates k"), log=True, range=_K_RANGE),
        Axis(error_words(model), log=True, range=_decades(np.concatenate(everything))),
        tuple(layers),
        say("exact, ε = {epsilon}, δ = {delta}", epsilon=Num(lab.epsilon, 5), delta=Num(lab.delta)),
        source="; ".join(model.mechanism(key).source for key in lab.drawn),
    )


def meeting_num(k: float) -> Num:
    """A meeting to two places after the point: the whole k on either side of it must be plain."""
    return Num(k, 3 + math.floor(math.log10(k)))


def _decades(values: Array) -> tuple[float, float]:
    low, high = float(np.min(values)), float(np.max(values))
    return float(10 ** np.floor(np.log10(low) - 0.05)), float(10 ** np.ceil(np.log10(high) + 0.05))


def cloud_radius(shape: str, scale: float, share: float) -> float:
    """The smallest region of the plane that holds `share` of unit noise times `scale` ends where
    the norm is this.

    The L1 norm of two Laplace coordinates and the radius of L2-norm noise are both Gamma(2); the
    normal radius is Rayleigh.
    """
    if shape == "normal":
        return scale * math.sqrt(-2 * math.log1p(-share))
    return scale * float(special().gammaincinv(2, share))


def _diamond(radius: float) -> tuple[Array, Array]:
    return array(radius * np.array([1, 0, -1, 0, 1])), array(radius * np.array([0, 1, 0, -1, 0]))


def _circle(radius: float) -> tuple[Array, Array]:
    angle = np.linspace(0, 2 * math.pi, 181)
    return array(radius * np.cos(angle)), array(radius * np.sin(angle))


_MOVES = {"all": (1.0, 1.0), "one": (1.0, 0.0), "two": (1.0, -1.0)}


def balls_chart(model: DimensionModel) -> Figure:
    """Two coordinates: the L1 and the L2 ball that hold every move of one person, and the farthest
    move."""
    sensitivity = model.sensitivity(2)
    reach = nice_above(1.25 * sensitivity.l1)
    move = _MOVES[model.lab.growth]
    layers: tuple[Layer, ...] = (
        Line(
            "ball_l1",
            "laplace",
            say("L1 = {l1}", l1=Num(sensitivity.l1)),
            *_diamond(sensitivity.l1),
        ),
        Line(
            "ball_l2",
            "gaussian",
            say("L2 = {l2}", l2=Num(sensitivity.l2, 4)),
            *_circle(sensitivity.l2),
        ),
        Line("move", "answer", "", [0, move[0]], [0, move[1]], width=2.5),
        Dots("neighbour", "answer", say("one person"), [move[0]], [move[1]]),
    )
    return Figure(
        "balls",
        say("How far one person moves it"),
        Axis(say("1st coordinate"), range=(-reach, reach)),
        Axis(say("2nd coordinate"), range=(-reach, reach)),
        layers,
        say("k = 2: the L1 ball and the L2 ball"),
        square=True,
    )


def clouds_chart(model: DimensionModel) -> Figure:
    """Two coordinates: the regions of highest density that hold 90 % of each noise, around one
    answer."""
    lab = model.lab
    radii = {key: cloud_radius(SHAPES[key], model.scale(key, 2), _SHARE) for key in lab.drawn}
    reach = nice_above(1.1 * max(radii.values()))
    layers: list[Layer] = []
    for key, radius in radii.items():
        mechanism = model.mechanism(key)
        x, y = (_diamond if key == "laplace" else _circle)(radius)
        layers.append(Line(f"{key}_90", mechanism.ink, Say(mechanism.label), x, y))
    move = _MOVES[lab.growth]
    layers.append(Line("move", "answer", "", [0, move[0]], [0, move[1]], width=2.5))
    return Figure(
        "clouds",
        say("The noise that hides it"),
        Axis(say("1st coordinate"), range=(-reach, reach)),
        Axis(say("2nd coordinate"), range=(-reach, reach)),
        tuple(layers),
        say("k = 2: 90 % of each noise; red: one person"),
        square=True,
        source="; ".join(model.mechanism(key).source for key in lab.drawn),
    )


def crossing_chart(model: DimensionModel) -> Figure:
    """The k at which two mechanisms meet, against ε: it moves for the exact Gaussian and stands
    still for the textbook's."""
    lab = model.lab
    layers: list[Layer] = []
    highest = 50.0
    for pair in model.pairs:
        epsilons, k = model.meeting_curve(pair)
        if not np.isfinite(k).any():
            continue
        highest = max(highest, float(np.nanmax(k)))
        # Named by who wins below the line and who above it.
        below, above = pair if model.grid(pair)[-1] > model.grid(pair)[0] else pair[::-1]
        label = say(
            "{below} → {above}",
            below=Say(model.mechanism(below).label),
            above=Say(model.mechanism(above).label),
        )
        key, ink = "_".join(pair), model.mechanism(above).ink
        dash = "solid" if pair[0] == "laplace" else "dot"
        if "textbook" in pair:
            # The theorem ends at ε = 1.
            layers.append(
                Line(
                    f"{key}_unproven",
                    ink,
                    "",
                    epsilons,
                    np.where(epsilons >= 1, k, np.nan),
                    dash="dash",
                    width=1.5,
                )
            )
            k = np.where(epsilons <= 1, k, np.nan)
        layers.append(Line(key, ink, label, epsilons, k, dash=dash))
    first = next(((pair, at[0]) for pair, at in model.meetings.items() if at), None)
    if first is not None:
        pair, at = first
        handle = Handle(
            "here",
            model.mechanism(pair[1]).ink,
            say("ε {epsilon} → k = {k}", epsilon=Num(lab.epsilon, 5), k=meeting_num(at)),
            lab.epsilon,
            at,
            "epsilon",
        )
    else:
        words = say("ε {epsilon}: none meet", epsilon=Num(lab.epsilon, 5))
        handle = Handle("here", "muted", words, lab.epsilon, 1.0, "epsilon")
    return Figure(
        "crossing",
        say("Where they meet"),
        Axis(Say("ε"), log=True, range=(0.9 * EPSILON.low, 57.0)),
        Axis(
            say("k of equal error"),
            log=True,
            range=(_K_RANGE[0], 1.2 * 10 ** math.ceil(math.log10(highest))),
        ),
        (*layers, handle),
        say("who errs least below and above each line, δ = {delta}", delta=Num(lab.delta)),
        source="; ".join(model.mechanism(key).source for key in lab.drawn),
    )


def length_chart(model: DimensionModel) -> Figure:
    """The law of the length of the whole error at the chosen k, exact for every mechanism."""
    lab = model.lab
    layers: list[Layer] = []
    lows, highs, tops = [], [], []
    for key in lab.drawn:
        unit, density = _length_curve(model, SHAPES[key])
        scale = model.scale(key, lab.k)
        mechanism = model.mechanism(key)
        r = unit * scale
        layers.append(Line(key, mechanism.ink, Say(mechanism.label), r, density))
        seen = np.flatnonzero(density > 0.01 * density.max())
        lows.append(float(r[seen[0]]))
        highs.append(float(r[seen[-1]]))
        tops.append(float(density.max()))
    return Figure(
        "length",
        say("Length of the whole error"),
        Axis(
            say("L2 norm of the error"),
            log=True,
            range=(1 / nice_above(1.05 / min(lows)), nice_above(1.05 * max(highs))),
        ),
        Axis(say("density per factor e"), range=(0.0, nice_above(1.1 * max(tops))), hidden=True),
        tuple(layers),
        say("exact law over all k = {k} coordinates", k=Num(lab.k)),
        source="; ".join(model.mechanism(key).source for key in lab.drawn),
    )


def _length_curve(model: DimensionModel, shape: str) -> tuple[Array, Array]:
    """(r, r·density) of unit noise about its mean length, where there is any to be seen."""
    k = model.lab.k

    def points() -> Array:
        middle = float(unit_error(shape, "length", np.array([float(k)]), 0.5)[0])
        # ln of the length has a deviation near 1/√2k, √5/2√k and 1/√k for the three shapes.
        spread = {"laplace": 1.12, "normal": 0.71, "ball": 1.0}[shape] / math.sqrt(k)
        r = middle * np.exp(np.linspace(-7.0, 5.0, 181) * spread)
        return array(np.stack([r, r * length_density(shape, k, r)]))

    both = model.data.remember(("dimension", "length", shape, k), points)
    return both[0], both[1]


def measure_label(model: DimensionModel) -> Say:
    return Say(MEASURES[model.lab.measure])
