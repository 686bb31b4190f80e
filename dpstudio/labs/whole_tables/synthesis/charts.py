"""Synthesis' charts of one column: histograms with a range to drag, distances and phantom people
against ε, and noise by the number of cells."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Band,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.data.cells import EDGE_DIGITS
from dpstudio.labs.local_curves import epsilon_axis, ladder, with_point
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.synthesis import distances
from dpstudio.labs.whole_tables.synthesis.distances import clamped
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel, place_of
from dpstudio.labs.whole_tables.synthesis.ways.noisy_cells import NoisyCells, phantoms
from dpstudio.privacy.synthetic.marginals import counted
from dpstudio.values.messages import N_, Message, Num, plain, say


def column_chart(model: SynthesisModel) -> Figure:
    """One column: true, noisy and synthetic counts, and the range that is asked."""
    axis, found, asked = (
        model.axes[place_of(model)],
        distances.histograms(model),
        distances.asked_range(model),
    )
    lab, shown = (
        model.lab,
        [each for each in (found.true, found.noisy, found.made) if each is not None],
    )
    top = nice_above(1.12 * max(1.0, *(float(each.max()) for each in shown)))
    layers: list[Layer] = [Band("range", "band", "", asked.low, asked.high)]
    if found.true is not None:
        layers.append(_steps("true", "truth", say("true"), found.edges, found.true))
    layers.append(_steps("made", lab.way.ink, say("synthetic"), found.edges, found.made))
    if found.noisy is not None:
        middle = found.edges[1:] / 2 + found.edges[:-1] / 2
        layers.append(Dots("noisy", "answer", say("noisy counts"), middle, found.noisy))
    layers += [
        Handle("low", "text", _ends(model)[0], asked.low, 0.94 * top, "low"),
        Handle("high", "text", _ends(model)[1], asked.high, 0.86 * top, "high"),
    ]
    ticks: tuple[tuple[float, str], ...] = ()
    if not axis.edges:
        ticks = tuple((float(i), label) for i, label in enumerate(axis.labels))
    low = min(0.0, *(float(each.min()) for each in shown))
    return Figure(
        "column",
        say("{column}: true and made up", column=plain(axis.name)),
        Axis(plain(axis.name), range=(float(found.edges[0]), float(found.edges[-1])), ticks=ticks),
        Axis(_unit(model), range=(-nice_above(-1.3 * low) if low < 0 else 0.0, top)),
        tuple(layers),
        say("drag the ends of the range; the last cell holds missing values")
        if axis.missing
        else say("drag the ends of the range"),
        exact=found.true is not None,
        simulated=True,
        source=lab.way.source,
    )


def _unit(model: SynthesisModel) -> Message:
    """What is counted: rows are people where each person has one."""
    return say("rows") if model.data.person else say("people")


def _ends(model: SynthesisModel) -> tuple[Message, Message]:
    """What stands at both ends of the range: of whole numbers those that are in it."""
    axis, asked = model.axes[place_of(model)], distances.asked_range(model)
    if not axis.edges:
        return Message(""), Message("")
    if axis.whole:
        least, greatest = axis.ends(asked.first, asked.last)
        return plain(least), plain(greatest)
    low, high = (say("{at}", at=Num(at, EDGE_DIGITS)) for at in (asked.low, asked.high))
    beyond = axis.missing and asked.last == axis.size
    return low, plain(axis.labels[-1]) if beyond else high


def _steps(key: str, ink: str, label: Message, edges: Array, counts: Array) -> Line:
    """A histogram as a line with steps."""
    x, y = np.repeat(edges, 2)[1:-1], np.repeat(counts, 2)
    return Line(key, ink, label, x, y, width=1.8)


def distance_chart(model: SynthesisModel) -> Iterator[Figure]:
    """How far the column lies from the true one at each ε."""
    curve, here, floor = (
        model.curve,
        distances.column_distances(model),
        distances.sampling_floor(model),
    )
    if curve is None or here is None or floor is None:
        return
    ink = model.lab.way.ink
    lines = (
        ("variation", ink, say("total variation"), curve.variation),
        ("kolmogorov", "first", say("Kolmogorov–Smirnov"), curve.kolmogorov),
        ("wasserstein", "second", say("Wasserstein, of the range"), curve.wasserstein),
    )
    # Words have no order, and so no distribution function.
    drawn = lines if model.axes[place_of(model)].edges else lines[:1]
    layers: list[Layer] = []
    for (key, colour, label, y), own in zip(drawn, here, strict=False):
        epsilons, through = with_point(curve.epsilons, model.lab.epsilon, (y, own))
        layers.append(Line(key, colour, label, epsilons, np.maximum(through, 1e-12)))
    words = say("ε = {epsilon}", epsilon=Num(model.lab.epsilon, 4))
    layers += [
        Rule("floor", "muted", say("rows drawn one by one, no noise"), floor, "y", "dot"),
        Handle("here", ink, words, model.lab.epsilon, max(here[0], 1e-6), "epsilon"),
    ]
    values = np.concatenate([np.ravel(y) for *_, y in drawn] + [[floor, here[0]]])
    positive = values[values > 0]
    low = 10.0 ** np.floor(np.log10(float(positive.min()))) if len(positive) else 1e-4
    yield Figure(
        "distance",
        say("Distance from the truth"),
        epsilon_axis(),
        Axis(say("distance, 0 to 1"), log=True, range=(float(low), 1.3), floored=True),
        tuple(layers),
        say("{column} alone", column=plain(model.axes[place_of(model)].name)),
        exact=True,
        simulated=True,
        source="Levina & Bickel 2001 (Wasserstein); sampling: De Moivre 1730",
    )


def phantom_chart(model: SynthesisModel) -> Iterator[Figure]:
    """People who never were, by what is done to negative counts."""
    curves, here = phantom_curves(model), distances.phantom_people(model)
    if curves is None or here is None:
        return
    x, clip, threshold, moved = curves
    top = nice_above(1.1 * float(max(clip.max(), 1.0)))
    at = Num(here, 4, sign=True)
    layers = (
        Line("clip", "laplace", say("negative to 0"), x, np.maximum(clip, 1e-6)),
        Line("threshold", "second", say("below the threshold to 0"), x, threshold),
        Line("moved", "third", say("in other cells, by the nearest counts from 0 on"), x, moved),
        Handle(
            "here", "text", say("{people}", people=at), model.lab.epsilon, max(here, 0.0), "epsilon"
        ),
    )
    yield Figure(
        "phantoms",
        say("People who never were"),
        epsilon_axis(),
        Axis(say("rows added on average"), range=(min(0.0, 1.1 * float(threshold.min())), top)),
        layers,
        say("on average, before counts are scaled; the nearest counts from 0 on are simulated"),
        exact=True,
        simulated=True,
        source=N_("Σ e^(−εc)/(2ε) over all cells"),
    )


def cells_chart(model: SynthesisModel) -> Figure:
    """What one noisy table of one, two or three columns costs, by its cells."""
    found, (x, y) = cell_counts(model), noise_line(model)
    inks = ("first", "second", "third")
    layers: list[Layer] = [Line("noise", "muted", say("cells · scale"), x, y, width=1.2)]
    names = (say("one column"), say("two"), say("three"))
    for name, ink, (cells, noise) in zip(names, inks, found, strict=True):
        if len(cells):
            layers.append(Dots(f"w{len(layers)}", ink, name, cells, noise))
    if model.task is not None:
        rows = float(len(model.task.codes))
        layers.append(Rule("people", "truth", say("rows in the table"), rows, "y", "dash"))
    low, high = float(x[0]), float(x[-1])
    return Figure(
        "cells",
        say("Noise by the number of cells"),
        Axis(say("cells"), log=True, range=(low, high)),
        Axis(say("noise of all cells, rows"), log=True, range=(float(y[0]) / 2, 2 * float(y[-1]))),
        tuple(layers),
        say("mean sum of Laplace noise at ε = {epsilon}", epsilon=Num(model.lab.epsilon, 4)),
        exact=model.task is not None,
        source=N_("E|noise| of a cell is its scale"),
    )


_POINTS = 41


@once
def phantom_curves(model: SynthesisModel) -> tuple[Array, Array, Array, Array] | None:
    """(ε, people added by clamping, by the threshold, people in other cells by the nearest counts),
    each (points,); None where there is nothing to clamp."""
    way, task = model.lab.way, model.task
    if task is None or not isinstance(way, NoisyCells) or way.printed:
        return None
    exact = task.remember(
        ("clamped", clamped(model)), lambda: counted(task.codes, model.known.sizes, clamped(model))
    )
    # Cells that hold alike many are worked out once.
    values, times = np.unique(exact, return_counts=True)
    many = array(times)
    at = ladder(model.effort.of_points(_POINTS))
    places = [replace(model.known, epsilon=epsilon) for epsilon in at.tolist()]

    def line(repair: str) -> Array:
        made = way.with_(repair=repair)
        return array([phantoms(made, known, values, many) for known in places])

    # Simulated, and the same at whichever ε.
    question = "moved", clamped(model), way.scale(model.known) * model.known.epsilon, at.tobytes()
    return at, line("clip"), line("threshold"), task.remember(question, lambda: line("simplex"))


@once
def cell_counts(model: SynthesisModel) -> tuple[tuple[Array, Array], ...]:
    """For tables of one, two and three columns: (their cells, the mean sum of the sizes of their
    noise), at the whole ε for each."""
    sizes, scale = model.known.sizes, model.known.steps / model.known.epsilon
    out = []
    for width in (1, 2, 3):
        cells = array(sorted({math.prod(each) for each in combinations(sizes, width)}))
        out.append((cells, array(cells * scale)))
    return tuple(out)


@once
def noise_line(model: SynthesisModel) -> tuple[Array, Array]:
    """(cells, the mean sum of the sizes of their noise) over all that is drawn."""
    most = max(float(cells.max()) for cells, _ in cell_counts(model) if len(cells))
    x = np.geomspace(1.0, 10.0 ** math.ceil(math.log10(most) + 0.05), 41)
    return array(x), array(x * model.known.steps / model.known.epsilon)
