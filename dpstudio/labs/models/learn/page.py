"""The page of the lab Learn."""

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.labs.context import Context
from dpstudio.labs.models.learn import model as known
from dpstudio.labs.models.learn import parameters, part_charts, target_words, words
from dpstudio.labs.models.learn.charts import pipeline_chart, score_chart
from dpstudio.labs.models.learn.learners.learner import Learner
from dpstudio.labs.models.learn.leaving import model_leaves
from dpstudio.labs.models.learn.model import Curve, LearnModel
from dpstudio.labs.models.learn.problems import problems, refused, suited
from dpstudio.labs.models.learn.target import solves, swept
from dpstudio.labs.models.learn.target_charts import target_charts
from dpstudio.labs.page import Page


def _stages(lab: parameters.Learn, context: Context) -> Iterator[LearnModel]:
    """Few models at few ε (of a slow learner at three), what else could be learnt, and then all
    models."""
    if not lab.show_truth:
        yield known.learn_model(lab, context, None, whole=True)
        return
    data, effort, learner = context.data, context.effort, lab.learner
    few, coarse = known.few_runs(effort), known.grid(effort, first=True)
    runs, points = known.all_runs(lab, effort), known.grid(effort, first=False)
    ready = known.curve_known(lab, data, learner, runs, points)
    rivals = known.rivals_of(lab, data) if lab.others else ()
    if learner.slow and not known.curve_known(lab, data, learner, few, coarse):
        sketch = known.curve_of(
            lab, context, learner, known.least_runs(effort), known.ends_and_here(lab)
        )
        yield known.learn_model(lab, context, sketch, whole=False)
    curve = known.curve_of(
        lab, context, learner, runs if ready else few, points if ready else coarse
    )
    found: tuple[tuple[Learner, Curve], ...] = ()
    for rival in rivals:
        if not known.curve_known(lab, data, rival, few, coarse):
            yield known.learn_model(lab, context, curve, found, whole=False)
        found = (*found, (rival, known.curve_of(lab, context, rival, few, coarse)))
    if not ready:
        yield known.learn_model(lab, context, curve, found, whole=False)
        curve = known.curve_of(lab, context, learner, runs, points)
    if solves(lab) not in ("epsilon", "noise"):
        yield known.learn_model(lab, context, curve, found, whole=False)
    yield known.learn_model(lab, context, curve, found, swept(lab, context, curve), whole=True)


def _charts(model: LearnModel) -> Iterator[Figure]:
    if model.curve is not None:
        yield score_chart(model)
        yield from target_charts(model)
    yield pipeline_chart(model)
    if model.curve is not None:
        yield from part_charts.view_charts(model)
    yield part_charts.split_chart(model)


PAGE = Page(
    row_by_row=True,
    stages=_stages,
    charts=_charts,
    source=lambda model: model.lab.learner.source,
    facts=words.facts,
    leads=("interval", "useless", "enough"),
    sentences=words.sentences,
    tables=target_words.tables,
    headline=lambda model: ("score", "without", "taught" if model.numbers else "use"),
    outcomes=words.statement_text,
    problems=problems,
    refused=refused,
    suited=suited,
    glance=known.glance,
    awaits=lambda model: not model.whole,
    releases=model_leaves,
    refines=("score", "interval", "enough", "useless", "best", "chance", "use", "wanted_epsilon"),
)
