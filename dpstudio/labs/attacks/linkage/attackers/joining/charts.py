"""The charts of linkage of one's own table."""

from dpstudio.charts.figure import Axis, Figure
from dpstudio.labs.attacks.linkage.attackers.joining.model import JoiningModel, clear, found, scores
from dpstudio.labs.attacks.linkage.attackers.linkage.charts import found_chart, scores_chart
from dpstudio.values.messages import say


def charts(model: JoiningModel) -> tuple[Figure, ...]:
    """Who is found against the columns that are known, and the scoreboard of one row."""
    names = model.attacker.columns
    ticks = tuple((i + 1.0, f"+ {name}" if i else name) for i, name in enumerate(names))
    axis = Axis(say("columns known"), range=(0.7, len(names) + 0.3), ticks=ticks)
    source, x = model.attacker.source, [i + 1.0 for i in range(len(names))]
    hero = found_chart(found(model), x, axis, source, exact=True)
    return hero, scores_chart(scores(model), clear(model), source, exact=True)
