"""The page of the lab Local learning."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.charts.figure import Figure
from dpstudio.labs.context import Context
from dpstudio.labs.nobody.local_learning import charts, fits, parameters, part_charts, words
from dpstudio.labs.nobody.local_learning import model as local
from dpstudio.labs.nobody.local_learning.problems import problems, suited
from dpstudio.labs.page import Answers, Page
from dpstudio.labs.persons import one_row_each


def _stages(lab: parameters.LocalLearning, context: Context) -> Iterator[local.LocalModel]:
    """Few surveys at few ε, then many, then the other protocols."""
    data, effort = context.data, context.effort
    model = local.LocalModel(lab, data, effort, check=context.check)
    if not lab.show_truth:
        yield model
        return
    context.check()  # the rows are read by now: what is asked of them takes as long again
    mine, *rivals = local.ways_drawn(lab, data)
    context.check()
    (coarse, start), (fine, many) = local.looks(lab, effort)
    first = fits.curve_of(lab, data, mine, coarse, start, context.check)
    fit = local.chosen_fit(lab, context, start)
    yield replace(model, curves=((mine, first),), fit=fit, whole=False)
    whole = fits.curve_of(lab, data, mine, fine, many, context.check)
    curves: tuple[tuple[fits.Way, fits.Curve], ...] = ((mine, whole),)
    model = replace(model, fit=local.chosen_fit(lab, context, many))
    yield replace(model, curves=curves, whole=not rivals)
    few = local.few_runs(effort)
    for place, way in enumerate(rivals, 1):
        curves = (*curves, (way, fits.curve_of(lab, data, way, fine, few, context.check)))
        yield replace(model, curves=curves, whole=place == len(rivals))


def _charts(model: local.LocalModel) -> Iterator[Figure]:
    if model.fit is None:
        yield part_charts.report_chart(model)
        yield charts.spent_chart(model)
        return
    yield charts.score_chart(model)
    yield part_charts.report_chart(model)
    yield from part_charts.feature_chart(model)
    yield from charts.printed_chart(model)
    yield charts.spent_chart(model)


def _answers(model: local.LocalModel) -> Answers:
    names = tuple(local.question_name(model, i) for i in range(local.questions(model)))
    return Answers(part=local.looked_at(model), labels=names)


PAGE: Page[parameters.LocalLearning, local.LocalModel] = Page(
    row_by_row=True,
    stages=_stages,
    glance=local.glance,
    awaits=lambda model: not model.whole,
    refines=("score", "span", "wanted_epsilon"),
    charts=_charts,
    facts=words.facts,
    leads=("noiseless", "majority", "answers"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("score" if model.fit else "spent", "span", "use", "printed"),
    answers=_answers,
    problems=problems,
    suited=suited,
    reads=one_row_each,
)
