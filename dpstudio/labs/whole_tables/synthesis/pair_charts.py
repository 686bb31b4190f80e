"""Synthesis' charts of pairs of columns: heat maps of one pair, and all pairs as a matrix."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, Axis, Figure, Heat, nice_above
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.whole_tables.synthesis.distances import all_pairs, pair
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel
from dpstudio.values.messages import N_, Message, plain, say


def pair_charts(model: SynthesisModel) -> Iterator[Figure]:
    """The cells of two columns: true, synthetic, and their difference."""
    found = pair(model)
    if found is None:
        return
    way = model.lab.way
    tables = [table for table in (found.true, found.made) if table is not None]
    top = nice_above(max(1e-9, *(float(table.max()) for table in tables)))
    names = {"a": plain(model.axes[found.first].name), "b": plain(model.axes[found.second].name)}
    shown = say("% of rows")
    if found.true is not None:
        heat = Heat("cells", "truth", shown, *_edges(found.true), found.true.T, 0.0, top)
        yield _pair_figure(model, "pair_true", Message(N_("{a} and {b}, true"), names), heat)
    heat = Heat("cells", way.ink, shown, *_edges(found.made), found.made.T, 0.0, top)
    yield _pair_figure(model, "pair_made", Message(N_("{a} and {b}, synthetic"), names), heat)
    if found.true is not None:
        apart = found.made - found.true
        most = nice_above(max(1e-9, float(np.abs(apart).max())))
        few, cells = say("too few"), (*_edges(apart), apart.T, -most, most)
        heat = Heat("cells", way.ink, say("too many"), *cells, "truth", few)
        yield _pair_figure(model, "pair_difference", say("Synthetic less true"), heat)


def _edges(table: Array) -> tuple[Array, Array]:
    """The edges of cells that stand at whole numbers."""
    high, wide = table.shape
    return np.arange(high + 1) - 0.5, np.arange(wide + 1) - 0.5


def _pair_figure(model: SynthesisModel, key: str, title: Message, heat: Heat) -> Figure:
    found = pair(model)
    assert found is not None
    return Figure(
        key,
        title,
        _named(model, found.first),
        _named(model, found.second),
        (heat,),
        say("by cell"),
        exact=found.true is not None,
        simulated=key != "pair_true",
        source=model.lab.way.source,
    )


def _named(model: SynthesisModel, place: int) -> Axis:
    """The cells of a column by their names."""
    axis = model.axes[place]
    return replace(names_axis(plain(axis.name), axis.labels), range=(-0.5, axis.size - 0.5))


def matrix_charts(model: SynthesisModel) -> Iterator[Figure]:
    """All pairs: how far each lies from the true one, and how close its columns hang together."""
    found = all_pairs(model)
    if found is None:
        return
    ink = model.lab.way.ink
    top = nice_above(max(1e-9, float(found.variation.max())))
    away = Heat(
        "pairs", ink, say("total variation"), *_edges(found.variation), found.variation, 0.0, top
    )
    title, under = say("Every pair: distance"), say("total variation; diagonal: one column")
    yield _matrix(model, "variation", title, away, under)
    # Row 0 is the lowest: what numpy has above the diagonal is seen below it.
    both = np.triu(found.true_v, 1) + np.tril(found.made_v, -1)
    v = Heat("pairs", "truth", say("Cramér's V"), *_edges(both), both, 0.0, 1.0)
    title, under = say("Every pair: Cramér's V"), say("below the diagonal true, above synthetic")
    yield _matrix(model, "association", title, v, under)


def _matrix(model: SynthesisModel, key: str, title: Message, heat: Heat, under: Message) -> Figure:
    axis = names_axis("", [each.name for each in model.axes], 0.5)
    source = "Cramér 1946 (V)"
    return Figure(key, title, axis, axis, (heat,), under, exact=True, simulated=True, source=source)
