"""The page of the lab Compress."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Figure
from dpstudio.data.codebook import LABEL, SENSITIVE
from dpstudio.data.column_roles import columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.lacking import no_rows
from dpstudio.labs.memo import once
from dpstudio.labs.page import Page
from dpstudio.labs.whole_tables.compress import beside, charts, row_charts, rows, words
from dpstudio.labs.whole_tables.compress import model as compress
from dpstudio.labs.whole_tables.compress.parameters import SLOW, Compress, TableRows
from dpstudio.privacy.compression.projections import PRIVACY, UTILITY
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem

# Of numbers in [−1, 1]: what differs less is the same to doubles once it is squared.
_ALIKE = 1e-7


def _problems(lab: Compress, data: Dataset) -> Iterator[Problem]:
    if not isinstance(lab.points, TableRows):
        return
    if data.rows == 0:
        yield Problem("points", no_rows(data))
        return
    least = {"column": lab.points.utility, "least": Num(rows.LEAST_ROWS)}
    if data.rows < rows.LEAST_ROWS:
        text = N_(
            "The table has {n} {n:row|rows} to tell “{column}” by; it takes {least}. Open another, "
            "or take synthetic faces."
        )
        yield Problem("points.features", say(text, n=Num(data.rows), **least))
        return
    try:
        held = rows.held_of(lab, data)
    except ParamError as error:
        yield Problem(f"points.{error.field}", error.sentence)
        return
    if len(held.x) < rows.LEAST_ROWS:
        text = N_(
            "{n} {n:row has|rows have} all values with “{column}”; it takes {least}. Name fewer "
            "columns."
        )
        yield Problem("points.features", say(text, n=Num(len(held.x)), **least))
    elif (rank := min(held.x.shape[1], len(held.x) - 1)) > rows.RANK_MOST:
        text = N_(
            "The rows hold {p:# number|# numbers} each and vary in up to {rank:# direction|# "
            "directions}. At most {most} {most:is|are} taken: the work grows faster than they do. "
            "Name fewer columns, read pictures at fewer pixels, or keep to {rows:# row|# rows}."
        )
        sizes = {
            "p": held.x.shape[1],
            "rank": rank,
            "most": rows.RANK_MOST,
            "rows": rows.RANK_MOST + 1,
        }
        found = say(text, **{name: Num(count) for name, count in sizes.items()})
        yield Problem("points.features", found)
    elif _spread(held) < _ALIKE:
        text = N_("All rows are alike, whatever their “{column}”. Name other columns.")
        yield Problem("points.features", say(text, column=lab.points.utility))
    elif _fewest(held) < 2:
        text = N_("Of the rows that have all values, all are of one class. Name fewer columns.")
        yield Problem("points.features", say(text))


@once
def _spread(held: rows.Held) -> float:
    """How far apart any number of two rows lies at most."""
    return float(np.ptp(held.x, axis=0).max())


@once
def _fewest(held: rows.Held) -> int:
    """How many classes there are of the label that has fewest."""
    return min(len(np.unique(codes)) for codes in held.codes)


def _suited(lab: Compress, data: Dataset) -> Compress:
    """With labels and columns that the table has: the likeliest with few enough classes."""
    points = lab.points
    if not isinstance(points, TableRows):
        return lab
    good = [c.name for c in data.columns if rows.fits_as_label(data, c.name)]
    likely = columns_for(data, LABEL, good)
    utility = points.utility if points.utility in good else next(iter(likely), points.utility)
    rest = columns_for(data, SENSITIVE, (name for name in good if name != utility))
    privacy = points.privacy if points.privacy in rest else next(iter(rest), utility)
    if points.one_label and utility == points.utility:
        privacy = utility
    known = all(data.has(name) for name in points.features)
    kept = points.features if known and {utility, privacy}.isdisjoint(points.features) else ()
    return lab.with_(points=TableRows(features=kept, utility=utility, privacy=privacy))


def _stages(lab: Compress, context: Context) -> Iterator[compress.CompressModel]:
    """Few splits of the chosen way, then all of every way, then attackers that learn from rows.
    Where but the promise is another, few splits of what keeps it come first."""
    model = compress.compress_model(lab, context, 1)
    if not model.lab.shown:
        yield model
        return
    known, ways = compress.traded(model), compress.shown_ways(model)
    if not known:
        yield compress.compress_model(lab, context, 0)
    for place, key in enumerate(ways):
        way = compress.way_of(model, key)
        context.progress(0.6 * place / len(ways), say("Projecting: {way}", way=Message(way.label)))
        compress.directions(model, way)
    context.progress(0.6, say("drawing private directions"))
    if beside.can_be_private(model):
        if known and not beside.private_known(model):
            yield replace(model, quick=True)
        beside.private_directions(model)
        beside.private_rows(model)
    beside.by_strength(model)
    yield model
    model = compress.compress_model(lab, context, 2)
    for place, name in enumerate(SLOW):
        context.progress(0.7 + 0.15 * place, say("Attacking: {name}", name=Message(SLOW[name])))
        beside.told_by(model, name)
    yield model


def _charts(model: compress.CompressModel) -> Iterator[Figure]:
    if model.lab.shown:
        notes = charts.notes(model)
        yield from (replace(each, notes=notes, exact=model.of_table) for each in _of_rows(model))
    if not model.lab.shown or model.lab.view == "printed":
        yield charts.law_chart(model)


def _of_rows(model: compress.CompressModel) -> Iterator[Figure]:
    """The charts of rows and of splits of them."""
    yield charts.trade_chart(model)
    if model.lab.view == "printed":
        yield row_charts.sign_chart(model)
        yield row_charts.printed_chart(model)
        return
    if compress.held(model).shape is not None:
        yield row_charts.strip_chart(model)
    yield charts.attackers_chart(model)
    yield charts.by_k_chart(model)
    yield row_charts.plane_chart(model, UTILITY)
    yield row_charts.plane_chart(model, PRIVACY)
    yield row_charts.lost_chart(model)
    yield row_charts.scree_chart(model)


def _advice(model: compress.CompressModel) -> Iterator[Problem]:
    if model.lab.shown:
        yield from (Problem("points.features", note, stops=False) for note in charts.notes(model))


PAGE = Page(
    row_by_row=True,
    stages=_stages,
    awaits=lambda model: model.lab.shown and model.stage < 2,
    refines=("trade", "strongest", "learnt", "private", "private_rows", "attackers", "lost"),
    charts=_charts,
    source=lambda model: model.lab.way.source,
    facts=words.facts,
    leads=("gain", "strongest", "lost"),
    sentences=words.sentences,
    tables=words.tables,
    headline=lambda model: ("trade", "hidden", "no_promise", "without"),
    advice=_advice,
    problems=_problems,
    suited=_suited,
)
