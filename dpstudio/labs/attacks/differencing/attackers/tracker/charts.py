"""The charts of the query console."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Columns, Dots, Figure, Layer, Rule, nice_above
from dpstudio.labs.attacks.attackers.success_charts import hero
from dpstudio.labs.attacks.differencing.attackers.console.rules import POLICIES, SHORT
from dpstudio.labs.attacks.differencing.attackers.tracker import model as tracker
from dpstudio.labs.named_rows import names_axis
from dpstudio.values.messages import say


def charts(model: tracker.TrackerModel) -> Iterator[Figure]:
    """A tracker through noise, and what each rule costs attacker and analyst."""
    yield hero(model, tracker.success(model), *tracker.here(model)[::2])
    yield _rules_chart(model)


def _rules_chart(model: tracker.TrackerModel) -> Figure:
    """How far off the attacker's estimate and the analyst's sum are under each rule."""
    x = np.arange(len(POLICIES), dtype=np.float64)
    wrong, cost = tracker.offs(model), tracker.analyst(model)
    picks = tuple((("attacker.policy", policy),) for policy in POLICIES)
    most = 100.0
    top = nice_above(1.1 * max(1.0, tracker.guess(model), float(np.minimum(wrong, most).max())))
    layers: tuple[Layer, ...] = (
        Rule("guess", "muted", say("guessing the mean"), tracker.guess(model), "y", "dot"),
        Columns("attacker", "answer", say("attacker"), x - 0.2, np.minimum(wrong, top), 0.36),
        Columns("analyst", "target", say("analyst’s sum"), x + 0.2, np.minimum(cost, top), 0.36),
        Dots("choices", "text", "", x, x * 0, picks=picks),
    )
    return Figure(
        "rules",
        say("How far off under each rule"),
        names_axis("", SHORT),
        Axis(say("% off"), range=(-0.06 * top, top)),
        layers,
        say("0 is an exact salary"),
        simulated=True,
        source=model.attacker.source,
    )
