"""Who is chosen among candidates that have names: a row for each, the largest count first, and one
for all others where they are many."""

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Layer, Line, nice_above
from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.percents import percent_axis
from dpstudio.values.messages import Message, Num, say

_BAR, _STEM = 10.0, 1.5
_LANE = 0.17  # of a row, between the bar and the stems below it


def named_chart(model: selection.SelectionModel) -> Figure:
    """Exact chances of the chosen mechanism as bars, of the others as stems below them; whiskers
    from simulated winners."""
    mechanism, laid, held = (
        model.lab.mechanism,
        selection.laid_out(model),
        selection.row_chances(model),
    )
    rows = laid.rows
    at = np.arange(len(held[mechanism.key]), dtype=np.float64)
    layers: list[Layer] = []
    for lane, m in enumerate(reversed(selection.chosen_last(model))):
        chosen, y = m is mechanism, at - lane * _LANE - 0.12 * (lane > 0)
        x = held[m.key]
        ends = np.column_stack([np.zeros(len(x)), x, np.full(len(x), np.nan)])
        width = _BAR if chosen else _STEM
        layers.append(Line(f"{m.key}_bar", m.ink, "", ends.ravel(), np.repeat(y, 3), width=width))
        layers.append(Dots(f"{m.key}_end", m.ink, Message(m.label), x, y))
    # One for each candidate, in their order: where a simulated winner is marked.
    own = held[mechanism.key][rows.astype(np.int64)]
    layers += [_whiskers(model), Dots("chances", mechanism.ink, "", own, rows)]
    best = [int(model.asked.best)]
    layers.append(Dots("answer", "answer", say("this winner"), own[best], rows[best]))
    how = say(
        "exact chances; whiskers: {trials} simulated {trials:winner|winners} at {confidence}",
        trials=Num(model.trials),
        confidence=Num(model.lab.confidence, 4, "down", percent=True),
    )
    top = nice_above(1.12 * max(float(x.max()) for x in held.values()))
    return Figure(
        "published",
        say("Who is chosen"),
        # A mark at 0 does not stand on the names.
        percent_axis(say("chance to be named"), -0.015 * top, top, 6),
        Axis(model.asked.what, range=(-0.75, len(at) - 0.4), ticks=laid.ticks(model.asked.labels)),
        tuple(layers),
        how,
        notes=model.asked.notes,
        exact=model.exact,
        simulated=True,
    )


def _whiskers(model: selection.SelectionModel) -> Line:
    """Around the chance of each candidate that has a row."""
    laid = selection.laid_out(model)
    order = laid.named
    low, high = selection.wilson(selection.frequencies(model), model.trials, model.lab.confidence)
    x = np.column_stack([low[order], high[order], np.full(len(order), np.nan)])
    return Line("whiskers", "text", "", x.ravel(), np.repeat(laid.rows[order], 3), width=1.2)
