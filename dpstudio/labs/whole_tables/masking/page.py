"""The page of the lab Masking."""

from collections.abc import Iterator
from functools import partial

from dpstudio.data.dataset import Dataset
from dpstudio.labs.outcome import PublishedTable
from dpstudio.labs.page import Page
from dpstudio.labs.whole_tables.masking import parameters, published, words
from dpstudio.labs.whole_tables.masking.charts import charts, tables
from dpstudio.labs.whole_tables.masking.model import MaskingModel, impossible, stages
from dpstudio.labs.whole_tables.rows import table
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem


def _problems(lab: parameters.Masking, data: Dataset) -> Iterator[Problem]:
    yield from (stopped := tuple(table.unasked(lab.show_truth, data)))
    if stopped:
        return
    try:
        rows = table.sensitive_rows(lab, data)
    except ParamError as error:
        yield Problem(error.field, error.sentence)
        return
    yield from table.few_rows(lab, rows)
    yield from table.rare_left_out(lab, rows)
    if why := impossible(lab, rows):
        yield Problem("operation", why)


def _suited(lab: parameters.Masking, data: Dataset) -> parameters.Masking:
    """With columns that the table has, the first one of numbers where that is done to such."""
    sensitive = table.suited_sensitive(lab.sensitive, data)
    quasi = table.suited_quasi(lab.quasi, (sensitive,), data)
    if lab.operation.numbers and all(map(data.has, quasi)) and not data.info(quasi[0]).ordered:
        others = (c.name for c in data.columns if c.name not in (sensitive, *quasi))
        first = next((name for name in (*quasi, *others) if data.info(name).ordered), quasi[0])
        quasi = (first, *[name for name in quasi if name != first])
    return lab.with_(sensitive=sensitive, quasi=quasi)


def _outcomes(model: MaskingModel) -> Iterator[PublishedTable]:
    if published.ready(model):
        make, told = partial(published.published_table, model), partial(published.report, model)
        again, more = partial(published.script, model), partial(published.beside, model)
        yield PublishedTable("published", say("The masked table"), make, told, again, more)


PAGE = Page(
    row_by_row=True,
    stages=stages,
    charts=charts,
    facts=words.facts,
    leads=("alone",),
    sentences=words.sentences,
    headline=lambda model: ("operated", "promise", "nearest", "tie"),
    tables=tables,
    outcomes=_outcomes,
    problems=_problems,
    suited=_suited,
    publishes=lambda lab, data: published.stays(lab),
)
