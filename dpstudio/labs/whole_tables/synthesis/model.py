"""What Synthesis knows: the cells of the true table, the table that was made, and how far the two
lie apart."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.cells import EVERYWHERE, Axis, Cells, cells_of, values_of
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.labs.local_curves import ladder
from dpstudio.labs.whole_tables.synthesis.parameters import TYPED, Synthesis
from dpstudio.labs.whole_tables.synthesis.scores import Uses
from dpstudio.labs.whole_tables.synthesis.ways.way import (
    Claim,
    SynthesisFacts,
    SyntheticTable,
    Task,
)
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.privacy.queries import REPLACE
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.privacy.synthetic.chance import Seeded
from dpstudio.privacy.synthetic.marginals import kolmogorov, total_variation, wasserstein
from dpstudio.values.messages import Message, say

GRID, STREAM = 13, 17


@dataclass(frozen=True, eq=False)
class Distances:
    """Of the column looked at, at each ε: total variation, Kolmogorov–Smirnov, and Wasserstein in
    shares of the column's range."""

    epsilons: Array
    variation: Array
    kolmogorov: Array
    wasserstein: Array


@dataclass(frozen=True, eq=False)
class SynthesisModel:
    """One state of the lab. `task` is the true table, None where it is hidden; `drawn` says that
    what was `made` is no simulation and may leave, `whole` that nothing better comes."""

    lab: Synthesis
    data: Dataset
    effort: Effort
    axes: tuple[Axis, ...]
    left_out: int
    task: Task | None
    made: SyntheticTable
    curve: Distances | None
    seed: tuple[int, ...]
    drawn: bool
    whole: bool
    uses: Uses | None = None

    @property
    def known(self) -> SynthesisFacts:
        """What is public."""
        return known_of(self.lab, self.data, self.axes)


def columns_of(lab: Synthesis) -> tuple[str, ...]:
    """The columns that are made: all, or the one looked at."""
    if not lab.way.only_one:
        return lab.columns
    return (lab.column,) if lab.column in lab.columns else lab.columns[:1]


def cells(lab: Synthesis, data: Dataset) -> Cells:
    """The cells of the true table. Raises ParamError at “columns”."""
    return cells_of(data, columns_of(lab), lab.bins, lab.missing)


def known_of(lab: Synthesis, data: Dataset, axes: tuple[Axis, ...]) -> SynthesisFacts:
    """What is public of the table."""
    counts = lab.adjacency == REPLACE and data.contributions == 1 and lab.missing == EVERYWHERE
    rows = lab.written if lab.size == TYPED else None
    people = data.rows if counts else None
    return SynthesisFacts(axes, lab.adjacency, data.contributions, lab.epsilon, rows, people)


def task_of(lab: Synthesis, data: Dataset) -> Task:
    """The true table as codes; remembered."""
    question = "synthesis", columns_of(lab), lab.bins, lab.missing
    return data.remember(question, lambda: Task(cells(lab, data).codes))


def stages(lab: Synthesis, context: Context) -> Iterator[SynthesisModel]:
    """A first table, better ones, and then how far tables lie from the true one at each ε."""
    data, effort = context.data, context.effort
    held = cells(lab, data)
    model = None
    for made, whole in _tables(lab, context, held):
        context.check()
        model = _model(lab, context, held, made)
        if not whole:
            yield model
    assert model is not None
    if lab.show_truth and lab.way.quick:
        if not data.known(_curve_question(lab, effort)):
            yield model
        model = replace(model, curve=_curve(lab, context, held.axes))
    yield replace(model, whole=True)


def _model(
    lab: Synthesis, context: Context, held: Cells, synthetic: SyntheticTable
) -> SynthesisModel:
    task = task_of(lab, context.data) if lab.show_truth else None
    table = lab, context.data, context.effort, held.axes, held.left_out
    return SynthesisModel(*table, task, synthetic, None, (lab.seed,), drawn=False, whole=False)


def asked_of(lab: Synthesis) -> tuple[Hashable, ...]:
    """What decides a table, besides the rows and the seed."""
    size = lab.written if lab.size == TYPED else None
    return lab.way, columns_of(lab), lab.bins, lab.missing, lab.adjacency, size


def rounds_of(lab: Synthesis, effort: Effort) -> int:
    """In how many steps a table becomes better."""
    return effort.of_draws(lab.way.rounds, 1)


def _tables(lab: Synthesis, context: Context, held: Cells) -> Iterator[tuple[SyntheticTable, bool]]:
    """The first table, one on the way, and the last; whether it is that. The last is
    remembered."""
    data, rounds = context.data, rounds_of(lab, context.effort)
    question = "made", asked_of(lab), lab.epsilon, lab.seed, rounds, lab.show_truth
    if data.known(question):
        yield data.remember(question, _never), True
        return
    asked = [str(part) for part in (*asked_of(lab), lab.epsilon)]
    noise = hidden_noise(data, lab.seed, STREAM, asked)
    rng = SimulationRandom(lab.seed, STREAM).generator if lab.show_truth else noise
    made, known = None, known_of(lab, data, held.axes)
    done, steps = 0, 1 + (rounds if rounds > 1 else 0)

    def told(share: float) -> None:
        doing = say("Making: {name}", name=Message(lab.way.label))
        context.progress(min((done + share) / steps, 1.0), doing)

    told(0.0)
    task = replace(task_of(lab, data), alive=context.check, told=told)
    for place, made in enumerate(lab.way.steps(task, known, Seeded(rng), rng, rounds)):
        context.check()
        done = place + 1
        told(0.0)
        if lab.way.rounds > 1 and place in (0, rounds // 3) and place < rounds:
            yield made, False
    last = made
    assert last is not None
    yield data.remember(question, lambda: last), True


def _never() -> SyntheticTable:
    raise AssertionError("it was remembered")


def _curve_question(lab: Synthesis, effort: Effort) -> tuple[Hashable, ...]:
    return "distances", asked_of(lab), lab.seed, _place(lab), effort


def _curve(lab: Synthesis, context: Context, axes: tuple[Axis, ...]) -> Distances:
    """Distances at each ε, of the first tables that a way gives; remembered."""
    data, place = context.data, _place(lab)
    task = replace(task_of(lab, data), alive=context.check)
    at = ladder(context.effort.of_points(GRID, 3))
    public = known_of(lab, data, axes)
    truth = _counts(task.codes, axes[place].size, place)

    def one(number: int, epsilon: float) -> tuple[float, float, float]:
        context.check()
        context.progress(number / len(at), say("Distances at each ε"))
        rng = SimulationRandom(lab.seed, STREAM, 1).generator
        known = replace(public, epsilon=epsilon)
        made = next(iter(lab.way.steps(task, known, Seeded(rng), rng, 1)))
        return distances(truth, _counts(made.codes, axes[place].size, place), axes[place].values)

    def found() -> Distances:
        lines = [one(number, epsilon) for number, epsilon in enumerate(at.tolist())]
        return Distances(at, *(array(line) for line in zip(*lines, strict=True)))

    return data.remember(_curve_question(lab, context.effort), found)


def _place(lab: Synthesis) -> int:
    """Where the column looked at stands among those made."""
    named = columns_of(lab)
    return named.index(lab.column) if lab.column in named else 0


def place_of(model: SynthesisModel) -> int:
    """Where the column looked at stands among those made."""
    return _place(model.lab)


def other_of(model: SynthesisModel) -> int | None:
    """Where the column that it is paired with stands; None where one column alone is made."""
    named, place = columns_of(model.lab), place_of(model)
    if model.lab.other in named and named.index(model.lab.other) != place:
        return named.index(model.lab.other)
    rest = [i for i in range(len(named)) if i != place]
    return rest[0] if rest else None


def _counts(codes: Any, size: int, place: int) -> Array:
    return np.bincount(codes[:, place], minlength=size).astype(np.float64)


def distances(truth: Array, other: Array, values: int) -> tuple[float, float, float]:
    """(total variation, Kolmogorov–Smirnov, Wasserstein) of two histograms with the same cells. The
    last two are those of the first cells, which hold `values`, each 1/(values − 1) from the next:
    what is missing has no place in an order. NaN where nobody is."""
    if truth.sum() <= 0 or other.sum() <= 0:
        return math.nan, math.nan, math.nan
    apart, one, two = total_variation(truth, other), truth[:values], other[:values]
    if one.sum() <= 0 or two.sum() <= 0:
        return apart, math.nan, math.nan
    at = np.linspace(0.0, 1.0, values) if values > 1 else np.zeros(1)
    return apart, kolmogorov(one, two), wasserstein(one, two, at)


def rows_made(model: SynthesisModel) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """The table that was made, column by column, with values from the bins."""
    rng = np.random.Generator(np.random.SFC64([*model.seed, 3]))
    return tuple(
        (axis.name, tuple(values_of(axis, model.made.codes[:, place], rng)))
        for place, axis in enumerate(model.axes)
    )


def head(model: SynthesisModel, rows: int) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """The first rows of the table that was made."""
    short = replace(model, made=SyntheticTable(model.made.codes[:rows], model.made.noisy))
    return rows_made(short)


def made_rows(model: SynthesisModel) -> int:
    """How many rows were made."""
    return len(model.made.codes)


def true_rows(model: SynthesisModel) -> int:
    """How many rows of the true table are counted."""
    assert model.task is not None
    return len(model.task.codes)


def stays(lab: Synthesis, known: SynthesisFacts) -> Message | None:
    """Why the table cannot be published, and what to choose instead."""
    if not lab.way.claim(known).holds:
        return say("This table cannot be published: its way has no proof. Choose another way.")
    return Message(lab.way.stays) if lab.way.stays else None


def claimed(model: SynthesisModel) -> Claim:
    """What is promised."""
    return model.lab.way.claim(model.known)


def right_guesses(model: SynthesisModel) -> int:
    """Of 100 guesses from even odds, how many are right on average at most after the table."""
    made = claimed(model)
    return right_of_100(made.epsilon, made.delta)


def refusal(lab: Synthesis, data: Dataset) -> Message | None:
    """Why the way has no table for these columns. Raises ParamError at “columns”."""
    held = cells(lab, data)
    return lab.way.refusal(known_of(lab, data, held.axes))
