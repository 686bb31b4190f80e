"""The page of the lab Learn."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.labs.context import Context
from dpstudio.labs.learning.learn.charts import pipeline_chart, score_chart
from dpstudio.labs.learning.learn.learners.learner import Learner
from dpstudio.labs.learning.learn.model import (
    Curve,
    LearnModel,
    all_runs,
    curve_known,
    curve_of,
    doing,
    grid,
    learn_model,
    rivals_of,
)
from dpstudio.labs.learning.learn.parameters import LEAST_RUNS, Learn
from dpstudio.labs.learning.learn.part_charts import split_chart, view_charts
from dpstudio.labs.learning.learn.problems import problems, refused, suited
from dpstudio.labs.learning.learn.words import facts, sentences, tables
from dpstudio.labs.page import Page


def _stages(lab: Learn, context: Context) -> Iterator[LearnModel]:
    """Few models at few ε, all of them, and after these what else could be learnt."""
    if not lab.show_truth:
        yield learn_model(lab, context, None, whole=True)
        return
    runs, points = all_runs(lab, context.effort), grid(context.effort, first=False)
    told, rivals = doing(lab.learner), rivals_of(lab, context.data) if lab.others else ()
    coarse = grid(context.effort, first=True)
    if len(points) > len(coarse) and not curve_known(
        lab, context.data, lab.learner, runs, len(points)
    ):
        first = curve_of(lab, context, lab.learner, LEAST_RUNS, coarse, told)
        yield learn_model(lab, context, first, whole=False)
    curve = curve_of(lab, context, lab.learner, runs, points, told)
    yield learn_model(lab, context, curve, whole=not rivals)
    found: tuple[tuple[Learner, Curve], ...] = ()
    for rival in rivals:
        more = curve_of(lab, context, rival, LEAST_RUNS, coarse, doing(rival))
        found = (*found, (rival, more))
        yield learn_model(lab, context, curve, found, whole=len(found) == len(rivals))


def _charts(model: LearnModel) -> tuple[Figure, ...]:
    if model.curve is None:
        return pipeline_chart(model), split_chart(model)
    return score_chart(model), pipeline_chart(model), *view_charts(model), split_chart(model)


PAGE = Page(
    stages=_stages,
    charts=_charts,
    facts=facts,
    leads=("interval", "useless", "enough"),
    sentences=sentences,
    tables=tables,
    headline=lambda model: ("score", "use"),
    problems=problems,
    refused=refused,
    suited=suited,
    awaits=lambda model: not model.whole,
)
