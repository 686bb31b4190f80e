"""The page of the lab Selection."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.data.column_roles import GROUP, MEASURE, columns_for
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.lacking import no_rows
from dpstudio.labs.one_answer.selection import curves, facts_words, parameters, words
from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.one_answer.selection.charts import charts, marked, with_winner
from dpstudio.labs.one_answer.selection.hidden_charts import hidden_charts
from dpstudio.labs.page import Answers, Page, Refused
from dpstudio.privacy.queries import CHOICES, candidates, typed_scores
from dpstudio.privacy.queries.mode import MostMet
from dpstudio.values.messages import say
from dpstudio.values.problem import Problem


def _stages(lab: parameters.Selection, context: Context) -> Iterator[selection.SelectionModel]:
    """The curve of noisy max is an integral at every ε: many candidates take a while, once."""
    model = selection.selection_model(lab, context)
    if not model.hidden and not curves.curves_done(model):
        yield model
        curves.work_out_curves(model)
    yield model


def _answers(model: selection.SelectionModel) -> Answers:
    if model.hidden:
        return Answers(selection.unseen_winner(model))
    asked = model.asked
    return Answers(selection.replays(model), model.scores.values, asked.best, asked.labels)


def _advice(model: selection.SelectionModel) -> Iterator[Problem]:
    """What qualifies the picture without stopping it."""
    notes = model.asked.openness if model.hidden else model.asked.notes
    return (Problem("query.attested", note, stops=False) for note in notes)


def _problems(lab: parameters.Selection, data: Dataset) -> Iterator[Problem]:
    if data.rows == 0 and not isinstance(lab.query, typed_scores.Typed):
        yield Problem("data", no_rows(data))
        return
    yield from lab.query.problems(data, lab.adjacency)


def _refused(lab: parameters.Selection, data: Dataset) -> Refused:
    if any(column.numeric for column in data.columns):
        return {"query": {}}
    why = say("This table has no column of numbers. Ask for the most common value instead.")
    numeric = (k for k in CHOICES if issubclass(k, candidates.ColumnChoosing) and k.of_numbers())
    return {"query": {kind.key: why for kind in numeric}}


def _suited(lab: parameters.Selection, data: Dataset) -> parameters.Selection:
    """The lab with the question about another column where its own cannot be asked, or with another
    question; with typed scores where none can."""
    query = lab.query
    if not isinstance(query, candidates.ColumnChoosing | MostMet):
        return lab
    if any(p.field == "query.where" for p in query.problems(data, lab.adjacency)):
        query = query.with_(where=Where())
    # Candidates and grids belonged to the other column.
    choosing = (kind for kind in CHOICES if issubclass(kind, candidates.ColumnChoosing))
    own = (type(query),) if isinstance(query, candidates.ColumnChoosing) else ()
    kinds = dict.fromkeys((*own, *choosing))
    # Nor does what the page asks of its own example, of which nobody set anything.
    where = Where() if lab.query == type(lab)().query else query.where
    others = (
        kind(where=where, column=name)
        for kind in kinds
        for name in columns_for(data, MEASURE if kind.of_numbers() else GROUP)
        if data.info(name).numeric or not kind.of_numbers()
    )
    for answerable in (query, *others):
        if not any(p.stops for p in answerable.problems(data, lab.adjacency)):
            return lab.with_(query=answerable)
    return lab.with_(query=typed_scores.Typed())


def _frame(lab: parameters.Selection, findings: Findings, index: int) -> Findings:
    """Pictures and words with another simulated winner; a hidden answer has one only."""
    if not any(figure.key == "winners" for figure in findings.figures):
        return findings
    index %= len(findings.replays)
    return with_winner(facts_words.with_winner_words(findings, index), index)


def _hero_frame(model: selection.SelectionModel, found: Findings, index: int) -> Findings:
    if model.hidden:
        return found
    winner = int(found.replays[index % len(found.replays), 0])
    told = replace(found, tables=facts_words.tables(model))
    return replace(found, figures=(marked(told, winner),))


PAGE = Page(
    stages=_stages,
    charts=lambda model: iter(hidden_charts(model)) if model.hidden else charts(model),
    source=lambda model: model.lab.mechanism.source,
    facts=facts_words.facts,
    leads=("typical", "interval", "answer"),
    sentences=words.sentences,
    tables=facts_words.tables,
    headline=lambda model: ("promise",) if model.hidden else ("named", "needed", "compare"),
    advice=_advice,
    answers=_answers,
    planned=lambda lab: lab.query,
    problems=_problems,
    refused=_refused,
    compared=facts_words.compared,
    beside=2,
    suited=_suited,
    frame=_frame,
    hero_frame=_hero_frame,
)
