"""Masking's charts and tables of a column before and after."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array, Axis, Columns, Dots, Figure, Layer, Line, Rule, nice_above
from dpstudio.labs.findings import Table
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.percents import percent_axis, shares_axis
from dpstudio.labs.whole_tables.masking import perturbed
from dpstudio.labs.whole_tables.masking.choices.operations import Anatomy, Perturb
from dpstudio.labs.whole_tables.masking.model import MaskingModel
from dpstudio.labs.whole_tables.masking.operated import (
    BLANK,
    Operated,
    first_groups,
    first_people,
    masked,
    spread,
    telling,
    tie_curve,
)
from dpstudio.labs.whole_tables.rows.model import n
from dpstudio.privacy.anonymity.columns import words_of
from dpstudio.values.messages import Message, Num, plain, say

_ROWS = 12


def charts(model: MaskingModel) -> Iterator[Figure]:
    """What is left of the tie, then the column before and after; of numbers with noise their spread
    first."""
    if isinstance(model.lab.operation, Perturb):
        yield from perturbed_charts(model)
        yield _tie(model)
        return
    yield _tie(model)
    first, *others = masked(model)
    yield _spread(model, first, "operated", say("Before and after"))
    for place, made in enumerate(others, 2):
        title = say("“{column}” before and after", column=made.name)
        yield _spread(model, made, f"operated_{place}", title)


def _tie(model: MaskingModel) -> Figure:
    """A sensitive value along the first quasi-identifier, before and after."""
    first, (x, before, after) = model.rows.columns[0], tie_curve(model)
    if first.quasi.at is None:
        layers = _columns(x, np.nan_to_num(before), np.nan_to_num(after))
        across = names_axis(plain(first.name), first.words)
    else:
        wide = max(float(x[-1] - x[0]), 1.0)
        layers = _lines(x, before, after)
        across = Axis(plain(first.name), range=(float(x[0]) - wide / 50, float(x[-1]) + wide / 50))
    word = model.rows.sensitive.words[telling(model)]
    return Figure(
        "tie",
        say("What is left of the tie"),
        across,
        shares_axis(say("share with “{word}”", word=word), before, after),
        layers,
        say("of “{column}”, the value that differs most", column=model.lab.sensitive),
        exact=True,
        simulated=True,
        source=model.lab.operation.source,
    )


def _columns(x: Array, before: Array, after: Array) -> tuple[Layer, ...]:
    return (
        Columns("before", "truth", say("before"), x - 0.2, before, 0.38),
        Columns("after", "first", say("after"), x + 0.2, after, 0.38),
    )


def _lines(x: Array, before: Array, after: Array) -> tuple[Layer, ...]:
    return (
        Line("before", "truth", say("before"), x, before),
        Line("after", "first", say("after"), x, after),
        Dots("marks", "first", "", x, after),
    )


def _spread(model: MaskingModel, made: Operated, key: str, title: Message) -> Figure:
    """A column before and after."""
    x, before, after = spread(made)
    if made.words:
        layers = _columns(x, before, after)
        across = names_axis(plain(made.name), made.words)
    else:
        layers = _lines(x, before, after)[:2]
        across = Axis(plain(made.name), range=(float(x[0]), float(x[-1])))
    return Figure(
        key,
        title,
        across,
        shares_axis(say("share of rows"), before, after),
        layers,
        exact=True,
        simulated=True,
        source=model.lab.operation.source,
    )


def tables(model: MaskingModel) -> Iterator[Table]:
    """The first rows, before and after, or the two tables of anatomy."""
    if not isinstance(model.lab.operation, Anatomy):
        yield _preview(model)
        return
    people, names = first_people(model), [words_of(column) for column in model.rows.columns]
    columns = [
        (column.name, tuple(names[i][row[i]] for row in people))
        for i, column in enumerate(model.rows.columns)
    ]
    title = say("Anatomy: who is in which group, first lines")
    heads = (*(plain(name) for name, _ in columns), say("group"))
    made = (*columns, ("group", tuple(Num(row[-1]) for row in people)))
    yield Table("anatomy_people", title, made, shown=True, heads=heads, exact=True, rows=True)
    lines, words = first_groups(model), model.rows.sensitive.words
    parts = (
        ("group", tuple(Num(g) for g, _, _ in lines)),
        (model.lab.sensitive, tuple(words[v] for _, v, _ in lines)),
        ("count", tuple(Num(c) for _, _, c in lines)),
    )
    heads = (say("group"), plain(model.lab.sensitive), say("count"))
    title = say("Anatomy: what a group has, first lines")
    yield Table("anatomy_values", title, parts, shown=True, heads=heads, exact=True)


def _preview(model: MaskingModel) -> Table:
    """The first rows, with each column that is changed before and after."""
    rows, held = min(_ROWS, n(model)), []
    made = {each.name: each for each in masked(model)}
    for column in (*model.rows.columns, model.rows.sensitive):
        words, codes = words_of(column), column.quasi.codes[:rows]
        held.append((column.name, plain(column.name), tuple(words[code] for code in codes)))
        if changed := made.get(column.name):
            held.append((f"{column.name} after", say("after"), _after(changed, rows)))
    cells, heads = [(key, each) for key, _, each in held], [head for _, head, _ in held]
    title = say("First rows, before and after")
    return Table(
        "preview", title, tuple(cells), shown=True, heads=tuple(heads), exact=True, rows=True
    )


def _after(made: Operated, rows: int) -> tuple[Num | str, ...]:
    """Its first cells after."""
    return tuple(
        made.words[int(each)] if made.words else BLANK if np.isnan(each) else Num(float(each), 4)
        for each in made.after[:rows].tolist()
    )


def perturbed_charts(model: MaskingModel) -> Iterator[Figure]:
    """The column before, as handed in and rebuilt; and the distance against steps."""
    operation = model.lab.operation
    assert isinstance(operation, Perturb)
    x, (true, noisy, rebuilt) = perturbed.shown_at(model), perturbed.spreads(model)
    high = nice_above(1.05 * float(max(true.max(), rebuilt.max())))
    yield Figure(
        "operated",
        say("Rebuilt from noise"),
        Axis(plain(model.rows.columns[0].name), range=(float(x[0]), float(x[-1]))),
        percent_axis(say("share of rows"), 0.0, high),
        (
            Line("before", "truth", say("as it is"), x, true),
            Line("after", "muted", say("handed in"), x, noisy),
            Line("rebuilt", "first", say("rebuilt"), x, rebuilt),
        ),
        say("after {steps} {steps:step|steps}", steps=Num(operation.steps)),
        exact=True,
        simulated=True,
        source=operation.source,
    )
    y = perturbed.by_steps(model)
    here, before = perturbed.rebuilt_distance(model), perturbed.noisy_distance(model)
    steps = np.arange(len(y), dtype=np.float64)
    yield Figure(
        "steps",
        say("Step by step"),
        Axis(say("steps"), range=(0.0, float(steps[-1])), whole=True),
        Axis(say("distance to the spread as it is"),
             range=(0.0, nice_above(1.05 * max(float(y.max()), before)))),
        (
            Line("rebuilt", "first", say("rebuilt"), steps, y),
            Dots("here", "first", "", [float(operation.steps)], [here]),
            Rule("noisy", "muted", say("handed in"), before, axis="y", dash="dash"),
        ),
        say("total variation; too many steps fit the noise"),
        exact=True,
        simulated=True,
        source=operation.source,
    )  # fmt: skip
