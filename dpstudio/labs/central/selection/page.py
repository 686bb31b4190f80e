"""The page of the lab Selection."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.data.column_roles import GROUP, MEASURE, columns_for
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs.central.selection.charts import charts, with_winner
from dpstudio.labs.central.selection.curves import curves_done, work_out_curves
from dpstudio.labs.central.selection.facts_words import facts, tables, with_winner_words
from dpstudio.labs.central.selection.hidden_charts import hidden_charts
from dpstudio.labs.central.selection.model import (
    SelectionModel,
    replays,
    selection_model,
    unseen_winner,
)
from dpstudio.labs.central.selection.parameters import Selection
from dpstudio.labs.central.selection.words import sentences
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Answers, Page, Refused
from dpstudio.privacy.queries import CHOICES
from dpstudio.privacy.queries.candidates import ColumnChoosing
from dpstudio.privacy.queries.typed_scores import Typed
from dpstudio.values.messages import say
from dpstudio.values.problem import Problem


def _stages(lab: Selection, context: Context) -> Iterator[SelectionModel]:
    """The curve of noisy max is an integral at every ε: many candidates take a while, once."""
    model = selection_model(lab, context)
    if not model.hidden and not curves_done(model):
        yield model
        work_out_curves(model)
    yield model


def _answers(model: SelectionModel) -> Answers:
    if model.hidden:
        return Answers(unseen_winner(model))
    asked = model.asked
    return Answers(replays(model), model.scores.values, asked.best, asked.labels)


def _advice(model: SelectionModel) -> Iterator[Problem]:
    """What qualifies the picture without stopping it."""
    notes = model.asked.openness if model.hidden else model.asked.notes
    return (Problem("query.attested", note, stops=False) for note in notes)


def _problems(lab: Selection, data: Dataset) -> Iterator[Problem]:
    if data.rows == 0 and not isinstance(lab.query, Typed):
        yield Problem("data", say("The table has no rows. Open another table."))
        return
    yield from lab.query.problems(data, lab.adjacency)


def _refused(lab: Selection, data: Dataset) -> Refused:
    if any(column.numeric for column in data.columns):
        return {"query": {}}
    why = say("This table has no column of numbers. Ask for the most common value instead.")
    numeric = (k for k in CHOICES if issubclass(k, ColumnChoosing) and k.of_numbers())
    return {"query": {kind.key: why for kind in numeric}}


def _suited(lab: Selection, data: Dataset) -> Selection:
    """The lab with the question about another column where its own cannot be asked, or with another
    question; with typed scores where none can."""
    query = lab.query
    if not isinstance(query, ColumnChoosing):
        return lab
    if any(p.field == "query.where" for p in query.problems(data, lab.adjacency)):
        query = query.with_(where=Where())
    # Candidates and grids belonged to the other column.
    choosing = (kind for kind in CHOICES if issubclass(kind, ColumnChoosing))
    kinds = dict.fromkeys((type(query), *choosing))
    others = (
        kind(where=query.where, column=name)  # type: ignore[call-arg]
        for kind in kinds
        for name in columns_for(data, MEASURE if kind.of_numbers() else GROUP)
        if data.info(name).numeric or not kind.of_numbers()
    )
    for answerable in (query, *others):
        if not any(p.stops for p in answerable.problems(data, lab.adjacency)):
            return lab.with_(query=answerable)
    return lab.with_(query=Typed())


def _frame(lab: Selection, findings: Findings, index: int) -> Findings:
    """Pictures and words with another simulated winner; a hidden answer has one only."""
    if not any(figure.key == "winners" for figure in findings.figures):
        return findings
    index %= len(findings.replays)
    return with_winner(with_winner_words(findings, index), index)


PAGE = Page(
    stages=_stages,
    charts=lambda model: (hidden_charts if model.hidden else charts)(model),
    facts=facts,
    leads=("typical", "interval", "answer"),
    sentences=sentences,
    tables=tables,
    headline=lambda model: ("promise",) if model.hidden else ("named", "needed", "compare"),
    advice=_advice,
    answers=_answers,
    problems=_problems,
    refused=_refused,
    suited=_suited,
    frame=_frame,
)
