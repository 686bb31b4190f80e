"""The page of the lab Clusters."""

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.data.column_roles import classes_for
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.lacking import none_together
from dpstudio.labs.models.clusters import charts, parameters, plane, words
from dpstudio.labs.models.clusters import model as clusters
from dpstudio.labs.models.clusters.leaving import model_leaves
from dpstudio.labs.page import Answers, Page
from dpstudio.values.messages import N_, Num, listed, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem


def _problems(lab: parameters.Clusters, data: Dataset) -> Iterator[Problem]:
    if not isinstance(lab.points, parameters.TableRows):
        return
    names = clusters.columns_of(lab.points, data)
    if not names:
        text = N_("This table has no column of numbers. Take made clusters, or another table.")
        yield Problem("points", say(text))
    elif len(names) > clusters.COLUMNS_MOST:
        yield Problem(
            "points.features",
            say("Name at most {most} {most:column|columns}.", most=clusters.COLUMNS_MOST),
        )
    else:
        try:
            held = clusters.cloud_of(lab, data)
        except ParamError as error:
            where = "classes" if error.field == "label" else "features"
            yield Problem(f"points.{where}", error.sentence)
            return
        if not len(held.x):
            yield Problem("points.features", none_together(held.names))


def _advice(model: clusters.ClustersModel) -> Iterator[Problem]:
    if not clusters.holds(model):
        text = N_("This is as texts print it, and does not keep the promise ε = {epsilon}.")
        shown = say(text, epsilon=Num(model.lab.epsilon, 5))
        yield Problem("split", shown, stops=False, grave=True)
    if model.lab.show_truth and clusters.cloud(model).unattested:
        text = N_("The bounds of {columns} come from the data: this is not private.")
        names = listed(clusters.cloud(model).unattested)
        yield Problem("points.features", say(text, columns=names), stops=False)


def _suited(lab: parameters.Clusters, data: Dataset) -> parameters.Clusters:
    """With columns that the table has and the likeliest for classes; made clusters where it has no
    column of numbers."""
    points = lab.points
    if not isinstance(points, parameters.TableRows):
        return lab
    if not data.has(points.classes):
        points = points.with_(classes=classes_for(data) or points.classes)
    known = all(data.has(name) and data.info(name).numeric for name in points.features)
    lab = lab.with_(points=points if known else points.with_(features=()))
    return lab.with_(points=parameters.FourGaussians()) if any(_problems(lab, data)) else lab


def _stages(lab: parameters.Clusters, context: Context) -> Iterator[clusters.ClustersModel]:
    """Few runs first."""
    model = clusters.ClustersModel(lab, context.data, context.effort)
    if lab.show_truth:
        yield clusters.ClustersModel(lab, context.data, context.effort, quick=True)
        context.progress(0.1, say("running k-means at every ε"))
        clusters.by_epsilon(model, context.check)
        context.check()
    yield model


def _charts(model: clusters.ClustersModel) -> Iterator[Figure]:
    if model.lab.show_truth:
        yield plane.plane_chart(model)
        if not model.quick:
            yield charts.score_chart(model)
    yield charts.split_chart(model)
    if model.lab.show_truth:
        yield charts.step_chart(model)


def _answers(model: clusters.ClustersModel) -> Answers:
    return Answers(clusters.moves(model)) if model.lab.show_truth else Answers()


def _frame(lab: parameters.Clusters, findings: Findings, index: int) -> Findings:
    return plane.with_step(findings, index)


def _hero_frame(model: clusters.ClustersModel, found: Findings, index: int) -> Findings:
    return plane.with_step(found, index)


PAGE = Page(
    row_by_row=True,
    stages=_stages,
    awaits=lambda model: model.quick,
    refines=(
        "score",
        "interval",
        "lost",
        "noiseless",
        "radius",
        "better",
        "stays",
        "untaught",
        "wanted_epsilon",
    ),
    charts=_charts,
    source=lambda model: "Blum, Dwork, McSherry & Nissim 2005; Su, Cao, Li, Bertino & Jin 2016",
    facts=words.facts,
    leads=("score", "radius", "each"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("moved", "score", "untaught", "better", "stays"),
    advice=_advice,
    answers=_answers,
    problems=_problems,
    suited=_suited,
    frame=_frame,
    hero_frame=_hero_frame,
    releases=model_leaves,
)
