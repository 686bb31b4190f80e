"""The page of the lab Many owners."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import array
from dpstudio.data.column_roles import MEASURE, classes_for, columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.lacking import no_rows, none_together
from dpstudio.labs.nobody.owners import asking, asking_charts, charts, live, parameters, words
from dpstudio.labs.nobody.owners import model as owners
from dpstudio.labs.page import Answers, Page, Part
from dpstudio.privacy.queries.query import no_column, no_numbers
from dpstudio.values.messages import N_, Num, listed, plain, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem


def _problems(lab: parameters.Owners, data: Dataset) -> Iterator[Problem]:
    asked = lab.looks
    if isinstance(asked, parameters.Asking):
        yield from asking.problems(asked, data)
    if not isinstance(asked, parameters.Sharing):
        return
    columns = owners.columns_of(asked, data)
    if data.rows == 0:
        yield Problem("data", no_rows(data))
    elif not columns:
        yield Problem("data", say("This table has no column of numbers. Open another table."))
    elif len(columns) > owners.COLUMNS_MOST:
        yield Problem(
            "looks.features",
            say("Name at most {most} {most:column|columns}.", most=owners.COLUMNS_MOST),
        )
    else:
        yield from _named(asked, columns, data)


def _named(asked: parameters.Sharing, columns: tuple[str, ...], data: Dataset) -> Iterator[Problem]:
    """What is wrong with a column, with the classes, or with all rows."""
    for name in columns:
        if absent := no_column(name, data, "looks.features"):
            yield absent
            return
        if data.info(name).type in ("date", "other"):
            yield Problem("looks.features", no_numbers(name, data))
            return
    if owners.by_classes(asked) and (problem := _classless(asked, data)) is not None:
        yield problem
        return
    try:
        held = owners.rows(asked, data)
    except ParamError as error:
        field = "looks.classes" if error.field == "label" else "looks.features"
        yield Problem(field, error.sentence)
        return
    if (many := owners.columns_shared(held)) > owners.COLUMNS_MOST:
        text = N_(
            "With one for each word, these columns are {n} {n:number|numbers}. At most "
            "{most:# is|# are} sent."
        )
        yield Problem("looks.features", say(text, n=Num(many), most=Num(owners.COLUMNS_MOST)))
    elif not len(held.x):
        yield Problem("looks.features", none_together(columns))


def _classless(asked: parameters.Sharing, data: Dataset) -> Problem | None:
    """Why a column makes no classes."""
    name = asked.classes
    if not data.has(name):
        return Problem("looks.classes", say("This table has no column “{column}”. Choose another.",
                                            column=name))  # fmt: skip
    if name in owners.columns_of(asked, data):
        text = N_("“{column}” is a feature already.")
    elif data.more_than(name, owners.CLASSES_MOST):
        text = N_("“{column}” has more than 20 different values. Choose a column with fewer.")
    else:
        return None
    return Problem("looks.classes", say(text, column=name))


def _suited(lab: parameters.Owners, data: Dataset) -> parameters.Owners:
    """With columns that the table has and the likeliest for classes; one matrix where it has no
    classes, and a count where it has no numbers."""
    asked = lab.looks
    if isinstance(asked, parameters.Asking) and any(asking.problems(asked, data)):
        fits = (lab.with_(looks=asked.with_(column=c)) for c in columns_for(data, MEASURE))
        return next((one for one in fits if not any(_problems(one, data))),
                    lab.with_(looks=parameters.Trusting()))  # fmt: skip
    if not isinstance(asked, parameters.Sharing):
        return lab
    if not data.has(asked.classes):
        asked = asked.with_(classes=classes_for(data) or asked.classes)
    if any(p.field == "looks.features" for p in _problems(lab.with_(looks=asked), data)):
        asked = asked.with_(features=())
    if any(p.field == "looks.classes" for p in _problems(lab.with_(looks=asked), data)):
        asked = asked.with_(scatter="pca")
    lab = lab.with_(looks=asked)
    return lab.with_(looks=parameters.Trusting()) if any(_problems(lab, data)) else lab


def _stages(lab: parameters.Owners, context: Context) -> Iterator[owners.OwnersModel]:
    """What needs no key first, then the times of operations, then the exchange and the scores."""
    model = owners.OwnersModel(lab, context.data, context.effort, last=False)
    asked, machine = model.sharing, context.machine
    if asked is None:
        yield replace(asking.run(model, context), last=True)
        return
    owners.here(model)
    yield model
    found = model.found
    if machine is not None:
        for timed in live.clocks(model, context, machine):
            context.progress(0.1, say("timing operations"))
            found = replace(found, clocks=timed)
        yield replace(model, found=found)
    if not lab.show_truth:
        yield replace(model, found=found, last=True)
        return
    for run in live.run_live(model, asked, context, machine) if machine is not None else ():
        context.progress(0.1 + 0.8 * run.done, say("encrypting the shares of each owner"))
        found = replace(found, live=run.live)
    context.check()
    context.progress(0.95, say("sorting rows into classes"))
    found = replace(found, scores=live.sort(model, asked, context))
    yield replace(model, found=found, last=True)


def _answers(model: owners.OwnersModel) -> Answers:
    """The messages, for the player."""
    if model.trusting is not None:
        return Answers()
    return Answers(array(np.arange(owners.STEPS + 1.0)[:, None]))


def _advice(model: owners.OwnersModel) -> Iterator[Problem]:
    if model.sharing is None:
        return
    names, classes = owners.here(model).unattested, model.sharing.classes
    if not model.lab.show_truth:
        # How many numbers an owner sends says how many classes there are.
        if owners.by_classes(model.sharing) and classes in names:
            text = N_(
                "The classes in {column} come from the data. Choose all rows, or name the words it "
                "may hold on the page of the table."
            )
            yield Problem("data.attested", say(text, column=plain(classes)), stops=False)
    elif names:
        text = N_("The bounds or words of {columns} come from the data: this is not private.")
        yield Problem("looks.features", say(text, columns=listed(names)), stops=False)


def _frame(lab: parameters.Owners, findings: Findings, index: int) -> Findings:
    return charts.with_step(findings, index)


def _hero_frame(model: owners.OwnersModel, found: Findings, index: int) -> Findings:
    return replace(
        _frame(model.lab, replace(found, tables=tuple(PAGE.tables(model))), index), tables=()
    )


PAGE = Page(
    stages=_stages,
    awaits=lambda model: not model.last,
    refines=("linear",),
    parts=(
        Part(
            (charts.error_chart, charts.budget_chart),
            words.trust_facts,
            words.trust_sentences,
            charts.models_table,
            when=lambda model: model.trusting is not None,
        ),
        Part(
            (asking_charts.steps_chart, asking_charts.rights_chart, asking_charts.order_chart),
            words.asked_facts,
            words.asked_sentences,
            words.steps_table,
            about=lambda model: model.asking,
        ),
        Part(
            (
                charts.flow_chart,
                charts.reads_chart,
                charts.bytes_chart,
                charts.bits_chart,
                charts.cost_chart,
            ),
            words.shares_facts,
            words.shares_sentences,
            words.shares_tables,
            about=lambda model: model.sharing,
        ),
    ),
    leads=("answer", "right", "count", "bytes", "parties", "shuffled", "coins"),
    headline=lambda model: (
        "worth",
        "answered",
        "order",
        "times",
        "shuffled",
        "sent",
        "equal",
        "rounding",
        "roles",
        "live",
        "enough",
    ),
    advice=_advice,
    answers=_answers,
    problems=_problems,
    suited=_suited,
    row_by_row=True,
    frame=_frame,
    hero_frame=_hero_frame,
)
