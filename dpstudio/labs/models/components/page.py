"""The page of the lab Components."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.data.column_roles import classes_for
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import is_number, sample_of
from dpstudio.labs.context import Context
from dpstudio.labs.lacking import no_rows, none_together
from dpstudio.labs.models.components import charts, owner_charts, owner_words, owners, words
from dpstudio.labs.models.components import model as components
from dpstudio.labs.models.components.leaving import model_leaves
from dpstudio.labs.models.components.parameters import Components, ManyOwners
from dpstudio.labs.models.components.protocol import clock, run_live
from dpstudio.labs.page import Page, Part, Refused
from dpstudio.privacy.learning.ways import WAYS, GaussianMatrix
from dpstudio.privacy.queries.query import no_column, no_numbers
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError, switch
from dpstudio.values.problem import Problem

_NOT_A_MATRIX = N_(
    "The proxy adds noise to a matrix that it cannot read; it cannot multiply with it, nor draw "
    "from it. Choose Gaussian or Laplace."
)


def _problems(lab: Components, data: Dataset) -> Iterator[Problem]:
    if isinstance(lab.holder, ManyOwners) and not lab.mechanism.matrix:
        yield Problem("mechanism", say(_NOT_A_MATRIX))
        return
    columns = components.columns_of(lab, data)
    if data.rows == 0:
        yield Problem("data", no_rows(data))
    elif not columns:
        yield Problem("data", say("This table has no column of numbers. Open another table."))
    elif len(columns) > components.COLUMNS_MOST:
        yield Problem(
            "features",
            say("Name at most {most} {most:column|columns}.", most=components.COLUMNS_MOST),
        )
    else:
        yield from _column_problems(columns, data)


def _column_problems(columns: tuple[str, ...], data: Dataset) -> Iterator[Problem]:
    """What is wrong with a column, or with all rows."""
    for name in columns:
        if absent := no_column(name, data, "features"):
            yield absent
            return
        if not is_number(data, name):
            yield Problem("features", no_numbers(name, data))
            return
    try:
        sample = sample_of(data, columns, None)
    except ParamError as error:
        yield Problem("features", error.sentence)
        return
    if not len(sample.x):
        yield Problem("features", none_together(columns))


def _refused(lab: Components, data: Dataset) -> Refused:
    if not isinstance(lab.holder, ManyOwners):
        return {"mechanism": {}}
    return {"mechanism": {way.key: say(_NOT_A_MATRIX) for way in WAYS if not way.matrix}}


def _suited(lab: Components, data: Dataset) -> Components:
    """With columns that the table has, the likeliest for classes where it has no such, and a way
    that a proxy can go."""
    if isinstance(lab.holder, ManyOwners) and not lab.mechanism.matrix:
        lab = lab.with_(mechanism=switch(GaussianMatrix, lab.mechanism))
    if not data.has(lab.predicts):
        lab = lab.with_(predicts=classes_for(data) or lab.predicts)
    known = all(data.has(name) and is_number(data, name) for name in lab.features)
    if known:
        return lab
    lab = lab.with_(features=())
    # As many components as columns keep all, and say nothing.
    return lab.with_(k=max(1, min(lab.k, len(components.columns_of(lab, data)) - 1)))


def _stages(lab: Components, context: Context) -> Iterator[components.ComponentsModel]:
    """The chosen way first, then the others, then what takes seconds with many owners."""
    model = components.components_model(lab, context)
    if lab.show_truth:
        components.scatter(model)
        yield replace(model, quick=True)
        context.check()
    if model.many is None or not lab.show_truth:
        yield model
        return
    yield from _with_owners(model, model.many, context)


def _with_owners(
    model: components.ComponentsModel, many: ManyOwners, context: Context
) -> Iterator[components.ComponentsModel]:
    found, machine = owners.WorkSoFar(), context.machine
    if machine is not None:
        found = owners.WorkSoFar(clock=clock(model, many, context, machine))
    yield owners.owners_model(model, found)
    for part in owners.compare(model, many, context):
        found = owners.both(found, part)
        context.progress(len(found.sizes) / 20, say("comparing the two protocols"))
        context.check()
    yield owners.owners_model(model, found)
    for run in run_live(model, many, context, machine) if machine is not None else ():
        context.progress(0.3 + 0.3 * run.done, say("encrypting"))
        found = owners.both(found, owners.WorkSoFar(live=run.live))
    yield owners.owners_model(model, found)
    if components.classes_of(model.lab, model.data) is None:
        return
    for part in owners.sort(model, many, context):
        found = owners.both(found, part)
        context.progress(0.6 + len(found.f1_sizes) / 20, say("sorting rows into classes"))
    yield owners.owners_model(model, found)


def _shown(model: components.ComponentsModel) -> bool:
    return model.lab.show_truth


def _many(model: components.ComponentsModel) -> ManyOwners | None:
    return model.many


def _compared(model: components.ComponentsModel) -> bool:
    """Whether what many owners do is worked out."""
    return isinstance(model, owners.OwnersModel)


def _advice(model: components.ComponentsModel) -> Iterator[Problem]:
    if model.lab.show_truth and components.rows(model).unattested:
        yield from (Problem("features", note, stops=False) for note in charts.notes(model))


PAGE = Page(
    row_by_row=True,
    stages=_stages,
    awaits=lambda model: model.quick,
    refines=("captured", "best", "wanted_epsilon"),
    parts=(
        Part(facts=words.facts, sentences=words.sentences, tables=words.tables),
        Part((charts.captured_chart,), when=_shown),
        Part((owner_charts.flow_chart,), sentences=owner_words.owner_sentences, about=_many),
        Part((owner_charts.kept_chart, owner_charts.f1_chart), when=_compared),
        Part((owner_charts.cost_chart,), when=_compared, about=_many),
        Part((charts.scree_chart, charts.projection_chart), when=_shown),
        Part((charts.noise_chart,)),
        Part((charts.rows_chart,), when=_shown),
        Part((charts.printed_chart,)),
        Part(facts=owner_words.owner_facts, when=_compared),
        Part(tables=owner_words.owner_tables, when=_many),
    ),
    leads=("enough", "rows", "noise"),
    headline=lambda model: ("captured", "protocols", "hidden", "blindly", "best"),
    advice=_advice,
    problems=_problems,
    refused=_refused,
    suited=_suited,
    releases=model_leaves,
)
