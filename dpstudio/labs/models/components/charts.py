"""Components' charts: variance captured against ε, scree, projection, and the noise about 0 and
about the mean."""

import math

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Ribbon,
    Rule,
    nice_above,
)
from dpstudio.labs.models.components.draws import (
    by_chance,
    by_rows,
    curve,
    kept,
    plotted,
    projected,
    scree,
    seeds,
    shown,
    typical,
)
from dpstudio.labs.models.components.model import (
    ComponentsModel,
    chosen,
    delta,
    eigenvalues,
    epsilon,
    n,
    name,
    reach,
    rows,
    way,
)
from dpstudio.labs.models.components.noise import broken, noise_curves
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import Message, Num, say

EPSILONS = (0.9 * EPSILON.low, 1.1 * EPSILON.high)
SHARES = (0.0, 1.02)
_SCREE = 12


def notes(model: ComponentsModel) -> tuple[Message, ...]:
    """What qualifies the bounds."""
    if not rows(model).unattested:
        return ()
    return (say("The bounds come from the data: this choice is not private."),)


def sources(model: ComponentsModel) -> str:
    """Where the drawn ways come from."""
    return "; ".join(dict.fromkeys(way(model, key).source for key in shown(model)))


def ribbon(
    key: str, ink: str, x: Array, shares: Array, label: Message | str = "", told: Message | str = ""
) -> list[Layer]:
    """The middle of some draws and, behind it, where 90 % of them are; `shares` has shape (3,
    points)."""
    return [
        Ribbon(f"{key}_band", ink, "", x, shares[0], shares[2]),
        Line(key, ink, label, x, shares[1], width=2.6, told=told),
    ]


def _span(model: ComponentsModel) -> tuple[float, float]:
    """From just below the lowest that is drawn, so that curves part over the whole height, to a
    little above all there is."""
    mine, found = model.lab.mechanism.key, {key: curve(model, key)[1] for key in shown(model)}
    drawn = (shares if key == mine else shares[1] for key, shares in found.items())
    lowest = min([by_chance(model), *(float(shares.min()) for shares in drawn)])
    step = 10.0 ** math.floor(math.log10(max(1e-6, 1 - lowest))) / 2
    low = max(0.0, step * math.floor(lowest / step))
    return low, 1 + 0.03 * (1 - low)


def captured_chart(model: ComponentsModel) -> Figure:
    """The share of the variance that each way keeps, against ε."""
    mine, layers = model.lab.mechanism.key, list[Layer]()
    for key in sorted(shown(model), key=lambda key: key == mine):
        made, (x, shares) = way(model, key), curve(model, key)
        told = _share(typical(model, key))
        if key == mine:
            layers += ribbon(key, made.ink, x, shares, name(made), told)
        else:
            layers.append(Line(key, made.ink, name(made), x, shares[1], width=1.6, told=told))
    blind = by_chance(model)
    layers += [
        Rule("exact", "truth", say("no noise"), 1.0, axis="y", told=_share(1.0)),
        Rule("chance", "muted", say("random directions"), blind, axis="y", dash="dot",
             told=_share(blind)),
    ]  # fmt: skip
    text = say(
        "ε {epsilon} → {share}",
        epsilon=Num(epsilon(model), 5),
        share=Num(kept(model)[1], 3, "down", percent=True),
    )
    layers.append(
        Handle("here", chosen(model).ink, text, epsilon(model), kept(model)[1], "mechanism.epsilon")
    )
    return Figure(
        "captured",
        say("Variance captured by {k} {k:component|components}", k=Num(model.k)),
        Axis(say("ε"), log=True, range=EPSILONS),
        Axis(say("share of what {k} can hold", k=Num(model.k)), range=_span(model)),
        tuple(layers),
        say(
            "middle of {seeds} {seeds:draw|draws}, band: 90 % of them, δ = {delta}",
            seeds=Num(seeds(model)),
            delta=Num(delta(model), 3, "up"),
        ),
        notes=notes(model),
        exact=True,
        simulated=True,
        source=sources(model),
        told=say("at ε = {epsilon}", epsilon=Num(epsilon(model), 5)),
    )


def _share(of_all: float) -> Message:
    return say("{share}", share=Num(of_all, 3, "down", percent=True))


def scree_chart(model: ComponentsModel) -> Figure:
    """The variance along each component, exact and as the release tells it."""
    made, true, told = chosen(model), eigenvalues(model)[:_SCREE], scree(model)[:, :_SCREE]
    places = np.arange(1, len(true) + 1, dtype=np.float64)
    at = places[: told.shape[1]]
    label = say("published") if made.matrix else say("along those drawn")
    layers = (
        Ribbon("told_band", made.ink, "", at, told[0], told[2]),
        Line("true", "truth", say("exact"), places, true),
        Dots("true_dots", "truth", "", places, true),
        Line("told", made.ink, label, at, told[1]),
        Dots("told_dots", made.ink, "", at, told[1]),
    )
    ticks = tuple((float(place), f"{place:.0f}") for place in places)
    # Where noise drowns all it may leave the chart: what matters is seen against the exact ones.
    high = nice_above(1.1 * min(max(true[0], float(told[2].max())), 4 * true[0]))
    low = min(0.0, max(-0.5 * high, 1.1 * float(told[0].min())))
    return Figure(
        "scree",
        say("Scree"),
        Axis(say("component"), range=(0.6, len(true) + 0.4), ticks=ticks, whole=True),
        Axis(say("variance along it"), range=(low, high)),
        layers,
        say("ε = {epsilon}", epsilon=Num(epsilon(model), 5)),
        notes=notes(model),
        exact=True,
        simulated=True,
        source=made.source,
    )


def projection_chart(model: ComponentsModel) -> Figure | None:
    """Some rows in the plane of the first two exact components, and the released axes in it; None
    where there is but one column."""
    if model.p < 2:
        return None
    dots, axes = projected(model)
    made = chosen(model)
    reach = nice_above(1.05 * float(np.abs(dots).max()))
    ends, whole = reach * axes, 9 * reach  # a square plot shows more across than up
    layers: list[Layer] = [
        Dots("rows", "muted", "", dots[:, 0], dots[:, 1], diameter=reach / 60),
        Line("first", "truth", say("exact"), [-whole, whole], [0, 0]),
        Line("second", "truth", "", [0, 0], [-whole, whole]),
    ]
    for place, (x, y) in enumerate(ends):
        label = say("released") if place == 0 else ""
        layers.append(Line(f"released_{place}", made.ink, label, [-x, x], [-y, y], width=2.6))
    return Figure(
        "projection",
        say("Axes, exact and released"),
        Axis(say("1st exact component"), range=(-reach, reach)),
        Axis(say("2nd"), range=(-reach, reach)),
        tuple(layers),
        say(
            "{rows} {rows:row|rows}, one draw; a short axis points out of the plane",
            rows=Num(plotted(model)),
        ),
        notes=notes(model),
        exact=True,
        simulated=True,
        source=made.source,
        square=True,
    )


def rows_chart(model: ComponentsModel) -> Figure:
    """The share that the chosen way keeps at the chosen ε among more or fewer such rows."""
    made, (counts, shares) = chosen(model), by_rows(model)
    enough = say("at least {share}", share=Num(model.lab.enough, 3, percent=True))
    layers: tuple[Layer, ...] = (
        Line("share", made.ink, name(made), counts, shares),
        Rule("exact", "truth", "", 1.0, axis="y"),
        Rule("enough", "target", enough, model.lab.enough, axis="y", dash="dash"),
        Dots(
            "here", made.ink, say("{n} {n:row|rows}", n=Num(n(model))), [n(model)], [kept(model)[1]]
        ),
    )
    return Figure(
        "rows",
        say("By the number of rows"),
        Axis(say("rows like these"), log=True, range=(10.0, 1e7)),
        Axis(say("variance captured"), range=SHARES),
        layers,
        say("ε = {epsilon}", epsilon=Num(epsilon(model), 5)),
        notes=notes(model),
        exact=True,
        simulated=True,
        source=made.source,
    )


def noise_chart(model: ComponentsModel) -> Figure:
    """The scale of the noise about 0 and about the mean: no row is needed for it."""
    made, (x, zero, mean) = chosen(model), noise_curves(model)
    here, there = reach(model, False), reach(model, True)
    layers: tuple[Layer, ...] = (
        Line("zero", "second", say("about 0: Δ = {d}", d=Num(here, 3, "up")), x, zero),
        Line("mean", made.ink, say("about the mean: Δ = {d}", d=Num(there, 3, "up")), x, mean),
    )
    high = float(max(zero.max(), mean.max()))
    low = float(min(zero.min(), mean.min()))
    return Figure(
        "noise",
        say("What centring costs"),
        Axis(say("ε"), log=True, range=EPSILONS),
        Axis(say("scale of the noise"), log=True, range=(0.7 * low, 1.4 * high)),
        layers,
        say("rows of length at most 1"),
        source=made.source,
    )


def printed_chart(model: ComponentsModel) -> Figure:
    """The ε that noise as printed really keeps."""
    x, centred, power = broken(model)
    layers: tuple[Layer, ...] = (
        Line("claimed", "truth", say("claimed"), x, x, dash="dash"),
        Line("centred", "gaussian", say("Δ₂ = 1 about the mean"), x, centred),
        Line("power", "staircase", say("|X|∞ in the power method"), x, power),
    )
    top = float(max(centred.max(), power.max()))
    return Figure(
        "printed",
        say("As printed, and what it keeps"),
        Axis(say("claimed ε"), log=True, range=EPSILONS),
        Axis(say("real ε"), log=True, range=(EPSILONS[0], 1.2 * top)),
        layers,
        say(
            "exact at δ = {delta}, {p} {p:column|columns}",
            delta=Num(delta(model), 3, "up"),
            p=Num(model.p),
        ),
        source="Balle & Wang 2018, Theorem 8; Dong, Roth & Su 2022, Corollary 3.3",
    )
