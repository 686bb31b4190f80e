"""What stops or qualifies a state of Anonymity."""

from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.lacking import short
from dpstudio.labs.whole_tables.anonymity.attacked import second_lab
from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence
from dpstudio.labs.whole_tables.anonymity.identifiers import check_identifiers
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.labs.whole_tables.anonymity.ways.way import Way
from dpstudio.labs.whole_tables.anonymity.weighed import task_of
from dpstudio.labs.whole_tables.rows import table
from dpstudio.privacy.anonymity.column_hierarchies import lacks
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem

_NOBODY = N_("At these heights no class keeps this: all rows are left out. Name higher ones.")


def problems(lab: Anonymity, data: Dataset) -> Iterator[Problem]:
    """What stops or qualifies a state, whatever the population."""
    yield from (stopped := tuple(table.unasked(lab.show_truth, data)))
    if stopped:
        return
    way = lab.algorithm
    try:
        task = task_of(lab, data)
        table.known_columns(lab.known, data)
        check_identifiers(lab, data)
        yield from _second(lab, data)
        yield from _too_many(way, task, "quasi")
        way.check(task)
    except ParamError as error:
        yield Problem(error.field, error.sentence)
        return
    yield from (stopped := tuple(table.few_rows(lab, task.rows)))
    if stopped:
        return
    yield from table.rare_left_out(lab, task.rows)
    yield from table.rows_as_people(data)
    yield from _unlisted(task)
    yield from _unkept(lab)
    if not (task.keeps if way.boxes else task.can_keep):
        yield _unpromised(lab, task)
    elif not isinstance(lab.promise, Presence) and way.empty(task):
        yield Problem("algorithm.heights", say(_NOBODY))


def _unpromised(lab: Anonymity, task: Task) -> Problem:
    """That no class keeps what is promised."""
    text = N_("All rows as one class of {columns} do not keep this. Ask for less.")
    key = task.promise.dial
    small = len(task.rows.kept) < task.promise.k or not key
    told = say(text, columns=short(lab.quasi))
    return Problem(f"promise.{'k' if small else key}", told)


def _unlisted(task: Task) -> Iterator[Problem]:
    """Which values a hierarchy that somebody wrote lacks: that stops nothing, for who has one may
    be left out."""
    for column in (*task.rows.columns, task.rows.sensitive):
        if words := lacks(column, task.trees):
            text = N_(
                "The hierarchy of “{column}” has no line for {n} of its values, such as “{value}”: "
                "each is itself up to the top."
            )
            told = say(text, column=column.name, n=Num(len(words)), value=words[0])
            yield Problem("trees", told, stops=False)


def _second(lab: Anonymity, data: Dataset) -> Iterator[Problem]:
    """Why the table cannot be published a second time by other columns, which stops nothing."""
    second = second_lab(lab)
    if second.quasi == lab.quasi and type(second.algorithm) is type(lab.algorithm):
        return
    field = "again_quasi" if lab.again_quasi else "again_by"
    try:
        yield from _too_many(second.algorithm, task_of(second, data), field)
    except ParamError as error:
        yield Problem(field, error.sentence, stops=False)


def _too_many(way: Way, task: Task, field: str) -> Iterator[Problem]:
    """Why the heights of hierarchies are not searched. Raises ParamError for what has none."""
    if nodes := way.too_many(task):
        text = N_(
            "{n} {n:way|ways} to generalise {n:is|are} too many. Name fewer quasi-identifiers."
        )
        yield Problem(field, say(text, n=Num(nodes)), stops=field == "quasi")


def _unkept(lab: Anonymity) -> Iterator[Problem]:
    """Why nothing keeps the bounds of a promise among people."""
    promise = lab.promise
    if not isinstance(promise, Presence):
        return
    if promise.least > promise.most:
        text = N_("The least chance is above the most. Lower it.")
        yield Problem("promise.least", say(text))
    if lab.algorithm.overlaps:
        text = N_(
            "Boxes that share a value overlap, and somebody may fit several: δ-presence is not "
            "kept. Cut beside the median."
        )
        yield Problem("algorithm.way", say(text))


def within(lab: Anonymity, context: Context) -> Iterator[Problem]:
    """What only the population tells, of the promise that is kept against one, and only the search
    among heights, where it does not help to leave out no row, or some of them are named."""
    promise, way = lab.promise, lab.algorithm
    task = task_of(lab, context.data, context.second, context.check)
    if not isinstance(promise, Presence):
        if way.fruitless(task):
            nobody = Problem("algorithm.heights", say(_NOBODY))
            yield nobody if task.keeps else _unpromised(lab, task)
    elif task.second is None and lab.whole:
        text = N_(
            "δ-presence is kept among a population: open its table beside this one, or publish "
            "only some rows of this one."
        )
        yield Problem("promise", say(text))
    elif not way.hides(task):
        yield _unhidden(len(task.rows.kept), way.fit_one(task), task, promise)
    elif way.empty(task):
        text = N_(
            "At these heights, all others at their top, this is not kept for somebody of the "
            "population. Name other heights."
        )
        yield Problem("algorithm.heights", say(text))


def _unhidden(rows: int, fit: int, task: Task, promise: Presence) -> Problem:
    if rows > promise.most * fit:
        text = N_(
            "All {n} {n:row as one class fits|rows as one class fit} {fit:# person|# people}, "
            "whoever they are. Allow more."
        )
        return Problem("promise.most", say(text, n=Num(rows), fit=Num(fit)))
    if rows < promise.least * fit:
        text = N_(
            "All {n} {n:row as one class fits|rows as one class fit} {fit:# person|# people}, "
            "whoever they are. Ask for less."
        )
        return Problem("promise.least", say(text, n=Num(rows), fit=Num(fit)))
    text = N_(
        "People of the population lie outside of all that the rows hold ({outside}): surely they "
        "are not in the table. Ask for 0, or for hierarchies."
    )
    return Problem("promise.least", say(text, outside=Num(len(task.register.people) - fit)))
