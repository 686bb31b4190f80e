"""Who is named among candidates that have names: a lane for each, the largest count first, and one
for all others where they are many."""

from dpstudio.charts.figure import Axis, Column, Dots, Figure, Lanes, Layer, Rule
from dpstudio.labs.named_rows import bar, slim
from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.one_answer.selection.chance_names import lane_chances
from dpstudio.labs.percents import shares_axis
from dpstudio.values.messages import Message, Num, say

_ABOVE, _BELOW = 0.27, -0.27  # of a lane: the marks of the other mechanisms, beside the bar


def named_chart(model: selection.SelectionModel) -> Figure:
    """Exact chances of the chosen mechanism as bars, of the others as marks above and below them,
    and all of them as numbers; a star by the count of the one that is named."""
    laid, held = selection.laid_out(model), selection.row_chances(model)
    *others, mechanism = selection.chosen_last(model)
    lanes, own = range(laid.count), held[mechanism.key]
    layers: list[Layer] = [
        Rule(
            "blind", "muted", say("uniform draw"), selection.blind_chance_each(model), dash="target"
        )
    ]
    for lane in lanes:
        layers.append(bar(f"bar/{lane}", mechanism.ink, float(own[lane]), float(lane), laid.count))
    for m, aside in zip(others, (_ABOVE, _BELOW), strict=True):
        at = [lane + aside * slim(laid.count) for lane in lanes]
        layers.append(Dots(m.key, m.ink, Message(m.label), held[m.key], at))
    return Figure(
        "published",
        say("Who is named"),
        shares_axis(say("chance to be named"), *held.values()),
        Axis(
            model.asked.what, range=(-0.5, laid.count - 0.5), ticks=laid.ticks(model.asked.labels)
        ),
        tuple(layers),
        say("exact chances; bar: the chosen mechanism, marks: the others"),
        notes=model.asked.notes,
        exact=model.exact,
        simulated=True,
        lanes=_lanes(model),
    )


def _lanes(model: selection.SelectionModel) -> Lanes:
    """The scores and the chances; the best is the one that stands out."""
    laid, scores = selection.laid_out(model), model.scores.values
    counts = [say("{x}", x=Num(float(scores[i]), 4)) for i in laid.named]
    blank = [Message("")] if laid.others else []
    columns = tuple(
        Column(
            Message(m.label), lane_chances(model, m.key), (m.ink,), strong=m is model.lab.mechanism
        )
        for m in selection.mechanisms(model)
    )
    best = [float(laid.rows[model.asked.best])]
    return Lanes(
        (Column(model.asked.unit, (*counts, *blank), ("muted",), left=True), *columns),
        chosen=0,
        star=Dots("answer", "answer", say("named in this run"), [0.0], best),
    )
