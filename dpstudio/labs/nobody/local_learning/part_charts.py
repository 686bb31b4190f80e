"""Local learning's charts of one person's report, and of what is learnt of one feature."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, Axis, Columns, Dots, Figure, Heat, Layer, Line, nice_above
from dpstudio.labs.local_curves import at_confidence, normal_density
from dpstudio.labs.named_rows import named_rows, names_axis
from dpstudio.labs.nobody.local_learning import model as local
from dpstudio.labs.nobody.local_learning import reports
from dpstudio.values.messages import N_, Message, Num, plain, say

_LINE, _SURVEYS = 161, 12


def report_chart(model: local.LocalModel) -> Figure:
    """What leaves the phone of one person: a mark for each class and word, or a number for each
    class."""
    draw = _report_cells if reports.asks_word(model) else _report_numbers
    (x, y), layers = draw(model)
    what = plain(local.question_name(model, local.looked_at(model)))
    return Figure(
        "report",
        say("What leaves the phone"),
        x,
        y,
        layers,
        say("{what}, ε = {epsilon}", what=what, epsilon=Num(local.each_epsilon(model), 4)),
        exact=model.lab.show_truth,
        simulated=True,
        source=local.way_of(model).protocol.source,
    )


def _report_cells(model: local.LocalModel) -> tuple[tuple[Axis, Axis], tuple[Layer, ...]]:
    made, names, words = reports.report(model), local.class_names(model), local.word_names(model)
    c, w = made.sent.shape
    # Words from the top down, classes across.
    cells = made.sent.T[::-1]
    low, high = float(min(0.0, cells.min())), float(max(1.0, cells.max()))
    place, word = made.held
    layers = (
        Heat(
            "sent",
            local.way_of(model).protocol.ink,
            say("sent"),
            x=np.arange(c + 1) - 0.5,
            y=np.arange(w + 1) - 0.5,
            values=cells,
            low=low,
            high=high,
        ),
        # Beside the number of its cell.
        Dots("held", "truth", say("held"), [place + 0.3], [float(w - 1 - word)]),
    )
    up = names_axis("", words[::-1], 0.5)
    return (names_axis(say("class"), names, 0.5), replace(up, ticks=up.ticks[::-1])), layers


def _report_numbers(model: local.LocalModel) -> tuple[tuple[Axis, Axis], tuple[Layer, ...]]:
    made, names = reports.report(model), local.class_names(model)
    x = np.arange(len(names), dtype=np.float64)
    held = np.where(x == made.held[0], made.value, 0.0)
    reach = nice_above(1.1 * float(max(1.0, np.abs(made.sent).max())))
    layers = (
        Columns("held", "truth", say("held"), x - 0.2, held, 0.36),
        Columns(
            "sent", local.way_of(model).number.ink, say("sent"), x + 0.2, made.sent[:, 0], 0.36
        ),
    )
    text = (
        N_("twice its square, less 1") if reports.asks_square(model) else N_("number, bounds at ±1")
    )
    across = names_axis(say("class"), names)
    return (across, Axis(Message(text), range=(-reach, reach))), layers


def feature_chart(model: local.LocalModel) -> Iterator[Figure]:
    """What many surveys learn of one feature, beside what is exact."""
    if not reports.compared(model):
        return
    name = plain(local.question_name(model, local.looked_at(model)))
    yield _words_figure(model, name) if reports.asks_word(model) else _bells_figure(model, name)


def _words_figure(model: local.LocalModel, name: Message) -> Figure:
    """How likely each word is in the rarest class: exact, and as surveys estimate it."""
    lab, place, found = model.lab, reports.rarest(model), reports.chances(model)
    exact, (low, middle, high) = found.exact[place], found.found[:, place]
    # Bins stay in their order, the lowest on top.
    laid = named_rows(-np.arange(len(exact)) if local.in_order(model) else exact)
    kept = laid.named
    rows = laid.rows[kept]
    ink = local.way_of(model).protocol.ink
    layers = (
        _whiskers(ink, 100 * low[kept], 100 * high[kept], rows),
        Dots("found", ink, say("estimated"), 100 * middle[kept], rows),
        Dots("truth", "truth", say("exact"), 100 * exact[kept], rows, marker="stroke"),
    )
    top = nice_above(1.05 * 100 * float(max(high[kept].max(), exact.max())))
    return Figure(
        "feature",
        say("{name} in “{group}”", name=name, group=plain(local.class_names(model)[place])),
        Axis(say("% of the class"), range=(-0.02 * top, top)),
        Axis("", range=(-0.6, laid.count - 0.4), ticks=laid.ticks(local.word_names(model))),
        layers,
        say("whiskers hold {share} of surveys", share=at_confidence(lab.confidence)),
        exact=True,
        simulated=True,
    )


def _whiskers(ink: str, low: Array, high: Array, rows: Array) -> Line:
    x = np.column_stack([low, high, np.full(len(rows), np.nan)])
    return Line("whiskers", ink, "", x.ravel(), np.repeat(rows, 3), "solid", 1.4)


def _bells_figure(model: local.LocalModel, name: Message) -> Figure:
    """The bell curve of each of two classes: exact, and of a few surveys."""
    found, names = reports.bells(model), local.class_names(model)
    x = np.linspace(found.low, found.high, model.effort.of_points(_LINE))
    layers: list[Layer] = []
    tops = []
    for j, ink in zip(range(min(2, len(names))), ("accent", "second"), strict=False):
        exact = normal_density(x, float(found.means[j]), float(found.deviations[j]))
        tops.append(float(exact.max()))
        for i in range(min(_SURVEYS, len(found.found_means))):
            y = normal_density(
                x, float(found.found_means[i, j]), float(found.found_deviations[i, j])
            )
            layers.append(Line(f"survey{j}_{i}", ink, "", x, y, "outside", width=1.0))
        layers.append(Line(f"exact{j}", ink, plain(names[j]), x, exact, width=2.6))
    return Figure(
        "feature",
        say("{name} by class", name=name),
        Axis(name, range=(found.low, found.high)),
        Axis(say("density"), range=(0.0, nice_above(1.6 * max(tops))), hidden=True),
        tuple(layers),
        say("exact, and thin as some surveys estimate it"),
        exact=True,
        simulated=True,
    )
