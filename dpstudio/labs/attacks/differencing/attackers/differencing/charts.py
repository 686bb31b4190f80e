"""The charts of differencing."""

from collections.abc import Iterator

from dpstudio.charts.figure import Area, Axis, Figure, Layer, Line, Rule, nice_above
from dpstudio.labs.attacks.attackers.success_charts import hero
from dpstudio.labs.attacks.differencing.attackers.differencing import model as differencing
from dpstudio.values.messages import N_, Num, say


def charts(model: differencing.DifferencingModel) -> Iterator[Figure]:
    """Right guesses against ε, and what the attacker may come to believe."""
    yield hero(model, differencing.success(model), *differencing.here(model)[:2])
    yield _estimates_chart(model)


def _estimates_chart(model: differencing.DifferencingModel) -> Figure:
    """The law of the attacker's estimate for a person who adds nothing, and for one who adds most;
    simulated ones of this row."""
    seen, top, added = (
        differencing.estimates(model),
        differencing.gap(model),
        differencing.part(model),
    )
    ink = model.asked.mechanism.ink
    layers: list[Layer] = []
    if added is not None:
        layers.append(Area("estimates", "answer", "", seen.edges, seen.heights))
    layers += [
        Line("nothing", "target", say("adds nothing"), seen.x, seen.nothing),
        Line("all", ink, say("adds {gap}", gap=Num(top, 6)), seen.x, seen.all),
    ]
    if added is not None:
        words = say("row {row}: {part}", row=Num(model.attacker.row_of or 0), part=Num(added, 6))
        layers.append(Rule("row", "truth", words, added))
    text = N_("by the exact law of both noises")
    if added is not None:
        text = N_("simulated, before the exact law of both noises")
    high = nice_above(1.02 * float(max(seen.nothing.max(), seen.all.max(), seen.heights.max())))
    return Figure(
        "estimates",
        say("What is left after subtracting"),
        Axis(say("estimate of the person’s part"), range=(seen.edges[0], seen.edges[-1])),
        Axis("", range=(0.0, high), hidden=True),
        tuple(layers),
        say(text),
        exact=added is not None,
        simulated=added is not None,
        source=model.attacker.source,
    )
