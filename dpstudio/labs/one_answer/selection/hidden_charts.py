"""The charts of Selection where the exact scores are hidden: one simulated winner, and what holds
whatever the scores are."""

import numpy as np

from dpstudio.charts.figure import Axis, Band, Columns, Figure, Handle, Layer, Line, nice_above
from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.one_answer.selection.charts import short_label, trade_lines
from dpstudio.labs.one_answer.selection.curves import promised_loss, promised_shares
from dpstudio.labs.percents import percent_axis
from dpstudio.values.messages import N_, Message, Num, say


def hidden_charts(model: selection.SelectionModel) -> tuple[Figure, ...]:
    """Who is chosen, how far from the best at most, and the trade."""
    return _winner_chart(model), _error_chart(model), _promise_chart(model)


def _winner_chart(model: selection.SelectionModel) -> Figure:
    asked, mechanism, count = model.asked, model.lab.mechanism, model.count
    winner = int(selection.unseen_winner(model)[0, 0])
    numbers = asked.values
    place = numbers if numbers is not None else np.arange(count, dtype=np.float64)
    step = float(np.diff(place).min()) if count > 1 else 1.0
    # The winner is labelled first where room is short; the others stand in the order in which they
    # are listed.
    order = [winner, *(i for i in range(count) if i != winner)]
    ticks = () if numbers is not None else tuple((float(i), asked.labels[i]) for i in order)
    ends = (float(place[0]) - 0.6 * step, float(place[-1]) + 0.6 * step)
    words, wide = say("this winner"), 0.62 * step
    return Figure(
        "published",
        say("Who is named"),
        Axis(asked.what, range=ends, ticks=ticks),
        Axis(say("winner"), range=(0.0, 1.25), hidden=True),
        (Columns("answer", mechanism.ink, words, [place[winner]], [1.0], wide),),
        say("one simulated winner"),
        notes=asked.openness,
        simulated=True,
    )


def _error_chart(model: selection.SelectionModel) -> Figure:
    """The share of winners that are within a loss, at least, over all scores that so many
    candidates may have."""
    lab = model.lab
    reach = nice_above(1.15 * max(promised_loss(model, m) for m in selection.mechanisms(model)))
    told = say("{confidence} of winners", confidence=Num(lab.confidence, 4, "down", percent=True))
    within = promised_loss(model, lab.mechanism)
    layers: list[Layer] = [Band("interval", "band", told, 0.0, within)]
    for m in selection.chosen_last(model):
        layers.append(Line(m.key, m.ink, Message(m.label), *promised_shares(model, m)))
    return Figure(
        "error",
        say("How far from the best"),
        Axis(short_label(model), range=(0.0, reach)),
        percent_axis(say("share of winners"), 0.0, 1.06, 5),
        tuple(layers),
        say("at least this share, whatever the scores are"),
    )


def _promise_chart(model: selection.SelectionModel) -> Figure:
    """The loss that the confidence keeps whatever the scores are, against ε."""
    lab, epsilons = model.lab, np.array([0.001, 50.0])
    drawn = [
        (m, epsilons, promised_loss(model, m) * m.epsilon / epsilons)
        for m in selection.chosen_last(model)
    ]
    here, epsilon = promised_loss(model, lab.mechanism), lab.mechanism.epsilon
    values = np.concatenate([y for _, _, y in drawn])
    low, high = 0.1, 10.0
    if values.min() > 0:
        low = float(10.0 ** np.floor(np.log10(values.min())))
        high = float(10.0 ** np.ceil(np.log10(values.max())))
    # One candidate alone always wins: nothing is lost.
    text = N_("ε {epsilon} → at most {loss}") if here > 0 else N_("ε {epsilon} → {loss}")
    words = say(text, epsilon=Num(epsilon, 5), loss=Num(here, 3, "up"))
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        Axis(Message("ε"), log=True, range=(0.0009, 57.0)),
        Axis(short_label(model), log=True, range=(low, high), floored=True),
        (
            *trade_lines(lab.mechanism, drawn),
            Handle("here", lab.mechanism.ink, words, epsilon, here, "mechanism.epsilon"),
        ),
        say(
            "what {confidence} of winners keep whatever the scores are",
            confidence=Num(lab.confidence, 4, "down", percent=True),
        ),
    )
