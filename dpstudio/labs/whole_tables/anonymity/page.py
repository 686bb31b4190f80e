"""The page of the lab Anonymity."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.outcome import Outcome, PublishedTable
from dpstudio.labs.page import Page, Part
from dpstudio.labs.whole_tables.anonymity import (
    attack_charts,
    attack_words,
    bridge_charts,
    charts,
    parameters,
    population_words,
    problems,
    published,
    words,
)
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, stages
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.preview_words import preview_table
from dpstudio.labs.whole_tables.anonymity.weighed import rows_of
from dpstudio.labs.whole_tables.rows import table
from dpstudio.labs.whole_tables.rows.register import population
from dpstudio.privacy.anonymity.written import column_of
from dpstudio.values.messages import say

Chart = Callable[[AnonymityModel], Figure | Iterable[Figure] | None]


def _suited(lab: Anonymity, data: Dataset) -> Anonymity:
    """With columns that the table has."""
    sensitive = table.suited_sensitive(lab.sensitive, data)
    taken = sensitive, *lab.identifiers
    return lab.with_(
        sensitive=sensitive,
        quasi=table.suited_quasi(lab.quasi, taken, data),
        known=table.suited_known(lab.known, taken, data),
        trees=tuple(line for line in lab.trees if data.has(column_of(line))),
        identifiers=tuple(name for name in lab.identifiers if data.has(name)),
    )


def _looks(look: str, *charts: Chart, whole: bool = False) -> Part[AnonymityModel]:
    """The charts of one choice of what to look at."""
    return Part(charts, when=lambda model: model.lab.look == look and model.whole >= whole)


def _outcomes(model: AnonymityModel) -> Iterator[Outcome]:
    if model.whole and published.has_table(model):
        make = partial(published.published_table, model)
        again = partial(published.script, model) if published.has_script(model.lab) else None
        title, told = say("The anonymised table"), partial(published.report, model)
        yield PublishedTable(
            "published", title, make, told, again, partial(published.beside, model)
        )


PARTS: tuple[Part[AnonymityModel], ...] = (
    Part(
        (charts.plane_chart, charts.sizes_chart, charts.mosaic_chart),
        words.facts,
        words.sentences,
        preview_table,
    ),
    Part((charts.way_charts,)),
    _looks(parameters.TOLD, attack_charts.ruled_out_chart),
    _looks(parameters.TOLD, attack_charts.dimension_chart, whole=True),
    _looks(parameters.COST, charts.loss_charts, charts.count_chart, whole=True),
    _looks(parameters.BRIDGE, bridge_charts.bridge_chart),
    Part(sentences=attack_words.attack_sentences),
    Part(sentences=population_words.population_sentences, when=lambda model: model.done),
    Part(sentences=attack_words.bridge_sentences, when=lambda model: model.done),
    Part(sentences=words.way_sentences),
)

PAGE = Page(
    row_by_row=True,
    stages=stages,
    awaits=lambda model: not model.done,
    refines=("twice", "dimension", "counts", "both"),
    parts=PARTS,
    leads=("sure", "loss"),
    headline=lambda model: ("risk", "before", "same"),
    outcomes=_outcomes,
    problems=problems.problems,
    within=problems.within,
    suited=_suited,
    second=lambda lab, data, second: population(lab, rows_of(lab, data), data, second),
    publishes=published.untold,
)
