"""The page of the lab Disclosure risk."""

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.page import Page
from dpstudio.labs.whole_tables.risk.charts import (
    known_chart,
    plane_chart,
    population_charts,
    sizes_chart,
    suda_chart,
)
from dpstudio.labs.whole_tables.risk.model import RiskModel, stages
from dpstudio.labs.whole_tables.risk.parameters import Risk
from dpstudio.labs.whole_tables.risk.words import facts, sentences
from dpstudio.labs.whole_tables.rows import table
from dpstudio.labs.whole_tables.rows.register import population
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem


def _problems(lab: Risk, data: Dataset) -> Iterator[Problem]:
    yield from (stopped := tuple(table.unasked(lab.show_truth, data)))
    if stopped:
        return
    try:
        rows = table.rows_of(lab, data)
        table.known_columns(lab.known, data)
    except ParamError as error:
        yield Problem(error.field, error.sentence)
        return
    yield from table.few_rows(lab, rows)
    yield from table.rows_as_people(data)


def _charts(model: RiskModel) -> Iterator[Figure]:
    yield plane_chart(model)
    yield sizes_chart(model)
    if model.done:
        yield from (c for c in (known_chart(model), suda_chart(model)) if c is not None)
    yield from population_charts(model)


PAGE = Page(
    row_by_row=True,
    stages=stages,
    charts=_charts,
    facts=facts,
    leads=("population", "journalist", "marketer"),
    sentences=sentences,
    headline=lambda model: ("risk", "highest", "known"),
    awaits=lambda model: not model.done,
    refines=("known", "suda"),
    problems=_problems,
    suited=lambda lab, data: lab.with_(
        quasi=table.suited_quasi(lab.quasi, (), data), known=table.suited_known(lab.known, (), data)
    ),
    second=lambda lab, data, second: population(lab, table.rows_of(lab, data), data, second),
)
