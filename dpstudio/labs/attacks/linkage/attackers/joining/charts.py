"""The charts of linkage of one's own table."""

from dpstudio.charts.figure import Figure
from dpstudio.labs.attacks.linkage.attackers.joining.model import JoiningModel, clear, found, scores
from dpstudio.labs.attacks.linkage.attackers.linkage.charts import found_chart, scores_chart
from dpstudio.values.messages import say


def charts(model: JoiningModel) -> tuple[Figure, ...]:
    """Who is found against the columns that are known, and the scoreboard of one row."""
    source, names = model.attacker.source, model.attacker.columns
    named = tuple(f"+ {name}" if i else name for i, name in enumerate(names))
    hero = found_chart(
        found(model),
        named,
        say("columns known"),
        source,
        model.looked.confidence,
        chosen=len(names) - 1,
        exact=True,
    )
    return hero, scores_chart(scores(model), clear(model), source, exact=True)
