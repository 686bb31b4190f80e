"""The page of the lab Anonymity."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Sentence
from dpstudio.labs.outcome import Outcome, PublishedTable
from dpstudio.labs.page import Page
from dpstudio.labs.whole_tables.anonymity import charts, published
from dpstudio.labs.whole_tables.anonymity.attack_charts import attack_charts
from dpstudio.labs.whole_tables.anonymity.attack_words import attack_sentences
from dpstudio.labs.whole_tables.anonymity.bridge_charts import bridge_chart
from dpstudio.labs.whole_tables.anonymity.bridge_words import bridge_sentences
from dpstudio.labs.whole_tables.anonymity.choices.algorithms import FullDomain, Mondrian
from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence
from dpstudio.labs.whole_tables.anonymity.choices.trees import column_of
from dpstudio.labs.whole_tables.anonymity.height_charts import lattice_charts
from dpstudio.labs.whole_tables.anonymity.height_words import height_sentences, tree_sentence
from dpstudio.labs.whole_tables.anonymity.heights import empty, fixed, too_many, walk
from dpstudio.labs.whole_tables.anonymity.hierarchies import lacks
from dpstudio.labs.whole_tables.anonymity.identifiers import check_identifiers
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, can_keep, dial, keeps, stages
from dpstudio.labs.whole_tables.anonymity.parameters import BRIDGE, COST, TOLD, Anonymity
from dpstudio.labs.whole_tables.anonymity.population_words import population_sentences
from dpstudio.labs.whole_tables.anonymity.presence_population import hides, one_class
from dpstudio.labs.whole_tables.anonymity.preview_words import preview_table
from dpstudio.labs.whole_tables.anonymity.two_releases import second_lab
from dpstudio.labs.whole_tables.anonymity.weighed import rows_of
from dpstudio.labs.whole_tables.anonymity.words import facts, sentences
from dpstudio.labs.whole_tables.rows import table
from dpstudio.labs.whole_tables.rows.register import population
from dpstudio.privacy.anonymity.mondrian import RELAXED
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem

_NOBODY = N_("At these heights no class keeps this: all rows are left out. Name higher ones.")


def _problems(lab: Anonymity, data: Dataset) -> Iterator[Problem]:
    yield from (stopped := tuple(table.unasked(lab.show_truth, data)))
    if stopped:
        return
    try:
        rows = rows_of(lab, data)
        table.known_columns(lab.known, data)
        check_identifiers(lab, data)
        yield from _second(lab, data)
        yield from _too_many(lab, data, rows, "quasi")
        if isinstance(lab.algorithm, FullDomain):
            fixed(lab, data, rows)
    except ParamError as error:
        yield Problem(error.field, error.sentence)
        return
    yield from (stopped := tuple(table.few_rows(lab, rows)))
    if stopped:
        return
    yield from table.rare_left_out(lab, rows)
    yield from _unlisted(lab, rows)
    yield from _unkept(lab)
    parts = isinstance(lab.algorithm, FullDomain)  # of a table, where rows may be left out
    if not (can_keep if parts else keeps)(lab.promise, rows):
        yield _unpromised(lab, rows)
    elif not isinstance(lab.promise, Presence) and _nobody(lab, data, rows):
        yield Problem("algorithm.heights", say(_NOBODY))


def _unpromised(lab: Anonymity, rows: table.SensitiveRows) -> Problem:
    """That no class keeps what is promised."""
    text = N_("The whole table as one class does not keep this. Ask for less.")
    key = dial(lab.promise)
    small = len(rows.kept) < lab.promise.k or not key
    return Problem(f"promise.{'k' if small else key}", say(text))


def _unlisted(lab: Anonymity, rows: table.SensitiveRows) -> Iterator[Problem]:
    """Which values a hierarchy that somebody wrote lacks: that stops nothing, for who has one may
    be left out."""
    for column in (*rows.columns, rows.sensitive):
        if words := lacks(column, lab.trees):
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
        yield from _too_many(second, data, rows_of(second, data), field)
    except ParamError as error:
        yield Problem(field, error.sentence, stops=False)


def _too_many(
    lab: Anonymity, data: Dataset, rows: table.SensitiveRows, field: str
) -> Iterator[Problem]:
    """Why the heights of hierarchies are not searched. Raises ParamError for what has none."""
    if nodes := too_many(lab, data, rows):
        text = N_(
            "{n} {n:way|ways} to generalise {n:is|are} too many. Name fewer quasi-identifiers."
        )
        yield Problem(field, say(text, n=Num(nodes)), stops=field == "quasi")


def _nobody(
    lab: Anonymity, data: Dataset, rows: table.SensitiveRows, second: Dataset | None = None
) -> bool:
    return isinstance(lab.algorithm, FullDomain) and empty(lab, data, rows, second)


def _unkept(lab: Anonymity) -> Iterator[Problem]:
    """Why nothing keeps the bounds of a promise among people."""
    promise = lab.promise
    if not isinstance(promise, Presence):
        return
    if promise.least > promise.most:
        text = N_("The least chance is above the most. Lower it.")
        yield Problem("promise.least", say(text))
    if isinstance(lab.algorithm, Mondrian) and lab.algorithm.way == RELAXED:
        text = N_(
            "Boxes that share a value overlap, and somebody may fit several: δ-presence is not "
            "kept. Cut beside the median."
        )
        yield Problem("algorithm.way", say(text))


def _within(lab: Anonymity, context: Context) -> Iterator[Problem]:
    """What only the population tells, of the promise that is kept against one, and only the search
    among heights, where it does not help to leave out no row, or some of them are named."""
    promise, data, second = lab.promise, context.data, context.second
    if not isinstance(promise, Presence):
        rows, algorithm = rows_of(lab, data), lab.algorithm
        kept = keeps(promise, rows)
        if isinstance(algorithm, FullDomain) and (algorithm.heights or not kept):
            *_, walked = walk(lab, data, rows, promise, context.check)
            if not walked.judged.k:
                yield Problem("algorithm.heights", say(_NOBODY)) if kept else _unpromised(lab, rows)
        return
    if second is None and lab.whole:
        text = N_(
            "δ-presence is kept among a population: open its table beside this one, or publish "
            "only some rows of this one."
        )
        yield Problem("promise", say(text))
    elif not hides(lab, data, promise, second):
        yield _unhidden(lab, data, promise, second)
    elif _nobody(lab, data, rows_of(lab, data), second):
        text = N_(
            "At these heights, all others at their top, this is not kept for somebody of the "
            "population. Name other heights."
        )
        yield Problem("algorithm.heights", say(text))


def _unhidden(lab: Anonymity, data: Dataset, promise: Presence, second: Dataset | None) -> Problem:
    fit, outside = one_class(lab, data, second)
    rows = len(rows_of(lab, data).kept)
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
    return Problem("promise.least", say(text, outside=Num(outside)))


def _suited(lab: Anonymity, data: Dataset) -> Anonymity:
    """With columns that the table has."""
    sensitive = table.suited_sensitive(lab.sensitive, data)
    taken = sensitive, *lab.identifiers
    return lab.with_(
        sensitive=sensitive,
        quasi=table.suited_quasi(lab.quasi, taken, data),
        trees=tuple(line for line in lab.trees if data.has(column_of(line))),
        identifiers=tuple(name for name in lab.identifiers if data.has(name)),
    )


def _charts(model: AnonymityModel) -> Iterator[Figure]:
    yield charts.plane_chart(model)
    yield charts.sizes_chart(model)
    yield charts.mosaic_chart(model)
    if model.walked is not None and model.done:
        yield from lattice_charts(model)
    if model.lab.look == TOLD:
        yield from attack_charts(model)
    if model.lab.look == COST and model.whole:
        yield from charts.loss_charts(model)
        yield from charts.count_charts(model)
    if model.lab.look == BRIDGE:
        yield bridge_chart(model)


def _sentences(model: AnonymityModel) -> Iterator[Sentence]:
    yield from sentences(model)
    yield from attack_sentences(model)
    if model.done:
        yield from population_sentences(model)
        yield from bridge_sentences(model)
    if model.walked is not None:
        yield from height_sentences(model, model.walked)
    if model.done and model.lab.treed:
        yield tree_sentence(model)


def _outcomes(model: AnonymityModel) -> Iterator[Outcome]:
    if model.whole and published.has_table(model):
        make = partial(published.published_table, model)
        again = partial(published.script, model) if published.has_script(model.lab) else None
        title, told = say("The anonymised table"), partial(published.report, model)
        yield PublishedTable(
            "published", title, make, told, again, partial(published.beside, model)
        )


PAGE = Page(
    stages=stages,
    awaits=lambda model: not model.done,
    charts=_charts,
    facts=facts,
    leads=("sure", "loss"),
    sentences=_sentences,
    headline=lambda model: ("risk", "same"),
    tables=lambda model: (preview_table(model),),
    outcomes=_outcomes,
    problems=_problems,
    within=_within,
    suited=_suited,
    second=lambda lab, data, second: population(lab, rows_of(lab, data), data, second),
    publishes=published.untold,
)
