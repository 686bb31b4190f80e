"""The page of the lab Many owners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Figure, array
from dpstudio.data.column_roles import classes_for
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import is_number
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.learning.owners import charts, trust_charts, trust_words, words
from dpstudio.labs.learning.owners.live import clocks, run_live, sort
from dpstudio.labs.learning.owners.model import (
    CLASSES_MOST,
    COLUMNS_MOST,
    STEPS,
    OwnersModel,
    by_classes,
    columns_of,
    here,
    rows,
)
from dpstudio.labs.learning.owners.parameters import Owners, Sharing, Trusting
from dpstudio.labs.page import Answers, Page
from dpstudio.privacy.queries.query import no_column, no_numbers
from dpstudio.values.messages import N_, plain, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem


def _problems(lab: Owners, data: Dataset) -> Iterator[Problem]:
    asked = lab.looks
    if not isinstance(asked, Sharing):
        return
    columns = columns_of(asked, data)
    if data.rows == 0:
        yield Problem("data", say("The table has no rows. Open another table."))
    elif not columns:
        yield Problem("data", say("This table has no column of numbers. Open another table."))
    elif len(columns) > COLUMNS_MOST:
        yield Problem("looks.features", say("Name at most {most} columns.", most=COLUMNS_MOST))
    else:
        yield from _named(asked, columns, data)


def _named(asked: Sharing, columns: tuple[str, ...], data: Dataset) -> Iterator[Problem]:
    """What is wrong with a column, with the classes, or with all rows."""
    for name in columns:
        if absent := no_column(name, data, "looks.features"):
            yield absent
            return
        if not is_number(data, name):
            yield Problem("looks.features", no_numbers(name, data))
            return
    if by_classes(asked) and (problem := _classless(asked, data)) is not None:
        yield problem
        return
    try:
        held = rows(asked, data)
    except ParamError as error:
        field = "looks.classes" if error.field == "label" else "looks.features"
        yield Problem(field, error.sentence)
        return
    if not len(held.x):
        text = N_("No row has all these values. Name fewer columns.")
        yield Problem("looks.features", say(text))


def _classless(asked: Sharing, data: Dataset) -> Problem | None:
    """Why a column makes no classes."""
    name = asked.classes
    if not data.has(name):
        return Problem("looks.classes", say("This table has no column “{column}”. Choose another.",
                                            column=name))  # fmt: skip
    if name in columns_of(asked, data):
        text = N_("“{column}” is a feature already.")
    elif data.more_than(name, CLASSES_MOST):
        text = N_("“{column}” has more than 20 different values. Choose a column with fewer.")
    else:
        return None
    return Problem("looks.classes", say(text, column=name))


def _suited(lab: Owners, data: Dataset) -> Owners:
    """With columns that the table has and the likeliest for classes; one matrix where it has no
    classes, and a count where it has no numbers."""
    asked = lab.looks
    if not isinstance(asked, Sharing):
        return lab
    if not data.has(asked.classes):
        asked = asked.with_(classes=classes_for(data) or asked.classes)
    known = all(data.has(name) and is_number(data, name) for name in asked.features)
    asked = asked if known else asked.with_(features=())
    if any(p.field == "looks.classes" for p in _problems(lab.with_(looks=asked), data)):
        asked = asked.with_(scatter="pca")
    lab = lab.with_(looks=asked)
    return lab.with_(looks=Trusting()) if any(_problems(lab, data)) else lab


def _stages(lab: Owners, context: Context) -> Iterator[OwnersModel]:
    """What needs no key first, then the times of operations, then the exchange and the scores."""
    model = OwnersModel(lab, context.data, context.effort, last=False)
    asked, machine = model.sharing, context.machine
    if asked is None:
        yield replace(model, last=True)
        return
    here(model)
    yield model
    found = model.found
    if machine is not None:
        for timed in clocks(model, context, machine):
            context.progress(0.1, say("timing operations"))
            found = replace(found, clocks=timed)
        yield replace(model, found=found)
    if not lab.show_truth:
        yield replace(model, found=found, last=True)
        return
    for run in run_live(model, asked, context, machine) if machine is not None else ():
        context.progress(0.1 + 0.8 * run.done, say("encrypting the shares of each owner"))
        found = replace(found, live=run.live)
    context.check()
    context.progress(0.95, say("sorting rows into classes"))
    found = replace(found, scores=sort(model, asked, context))
    yield replace(model, found=found, last=True)


def _charts(model: OwnersModel) -> Iterator[Figure]:
    asked = model.sharing
    if asked is None:
        yield trust_charts.error_chart(model)
        yield trust_charts.budget_chart(model)
        yield trust_charts.colluding_chart(model)
        return
    yield charts.flow_chart(model, asked)
    if model.lab.show_truth:
        yield charts.bits_chart(model, asked)
    yield charts.cost_chart(model, asked)
    yield charts.f1_chart(model, asked)


def _facts(model: OwnersModel) -> Iterator[Fact]:
    asked = model.sharing
    yield from trust_words.trust_facts(model) if asked is None else words.shares_facts(model, asked)


def _sentences(model: OwnersModel) -> Iterator[Sentence]:
    asked = model.sharing
    if asked is None:
        yield from trust_words.trust_sentences(model)
    else:
        yield from words.shares_sentences(model, asked)


def _tables(model: OwnersModel) -> tuple[Table, ...]:
    asked = model.sharing
    if asked is None:
        return (trust_charts.models_table(model),)
    return words.shares_tables(model, asked)


def _answers(model: OwnersModel) -> Answers:
    """The messages, for the player."""
    if model.sharing is None:
        return Answers()
    return Answers(array(np.arange(STEPS + 1.0)[:, None]))


def _advice(model: OwnersModel) -> Iterator[Problem]:
    if model.sharing is None:
        return
    names, classes = here(model).unattested, model.sharing.classes
    if not model.lab.show_truth:
        # How many numbers an owner sends says how many classes there are.
        if by_classes(model.sharing) and classes in names:
            text = N_(
                "The classes in {column} come from the data. Choose all rows, or name the words it "
                "may hold on the page of the table."
            )
            yield Problem("data.attested", say(text, column=plain(classes)), stops=False)
    elif names:
        text = N_("The bounds or words of {columns} come from the data: this is not private.")
        yield Problem("looks.features", say(text, columns=plain(", ".join(names))), stops=False)


def _frame(lab: Owners, findings: Findings, index: int) -> Findings:
    return charts.with_step(findings, index)


PAGE = Page(
    stages=_stages,
    awaits=lambda model: not model.last,
    charts=_charts,
    facts=_facts,
    leads=("count", "seconds", "shuffled", "coins"),
    sentences=_sentences,
    tables=_tables,
    headline=lambda model: ("worth", "shuffled", "equal", "roles", "live", "enough"),
    advice=_advice,
    answers=_answers,
    problems=_problems,
    suited=_suited,
    frame=_frame,
)
