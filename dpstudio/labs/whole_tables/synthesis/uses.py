"""What the table that was made is good for, and what attackers make of it: made of the rows of one
part of the people, tried on those of the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.context import Context
from dpstudio.labs.whole_tables.synthesis import model as synthesis
from dpstudio.labs.whole_tables.synthesis.parameters import SHARES
from dpstudio.labs.whole_tables.synthesis.scores import NEAR, SEPARATED, Attacks, Scores, Uses
from dpstudio.labs.whole_tables.synthesis.ways.way import Task, Way
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.rates import Rate, rate
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.privacy.synthetic import chance, clusters, tasks
from dpstudio.privacy.synthetic.marginals import Codes
from dpstudio.values.messages import say

_LEARNT, _TRIED, _GUESSES, _AMONG = 3000, 800, 1000, 6000
# Each ε that is tried: the ends of its slider, and between them those of the texts, .1 to 1.
_AT = (EPSILON.low, 0.03, 0.1, 0.2, 0.4, 1.0, 5.0, EPSILON.high)
_PART = 250  # rows at a time between two looks at whether anybody waits


@dataclass(frozen=True, eq=False)
class _Halves:
    """Rows that tables are made of, others, and which columns are told and guessed. Of each column
    `sizes` cells, of which the first `steps` are numbers in their order, 0 for words."""

    task: Task
    others: Codes
    label: int
    number: int
    sizes: tuple[int, ...]
    steps: tuple[int, ...]
    tried: int
    learnt: int

    @property
    def used(self) -> Codes:
        """The rows that tables are made of."""
        return self.task.codes

    def scores(self, synthetic: Codes, real: Codes, alive: Callable[[], None]) -> Scores:
        """What is learnt from some rows, tried on real ones, and the other way round; `alive` is
        asked between two of them."""
        there = synthetic[: self.learnt], real[: self.tried]
        back = real[: self.learnt], synthetic[: self.tried]
        found = []
        for score in (self._right, self._machine, self._error):
            for known, asked in (there, back):
                alive()
                found.append(score(known, asked))
        right, right_back, machine, machine_back, error, error_back = found
        grouped = self._grouped(*there)
        return Scores(right, right_back, machine, machine_back, error, error_back, grouped)

    def _grouped(self, learnt: Codes, tried: Codes) -> float:
        found = tasks.two_centres(learnt / self._scale), self._centres
        one, two = (tasks.groups(tried / self._scale, centres) for centres in found)
        return tasks.agreement(one, two)

    @property
    def _scale(self) -> Array:
        return np.maximum(np.array(self.sizes, dtype=np.float64) - 1, 1)

    @cached_property
    def _centres(self) -> Array:
        """The centres of two groups of real rows."""
        return tasks.two_centres(self.used[: self.learnt] / self._scale)

    def _rest(self, place: int) -> list[int]:
        return [i for i in range(len(self.sizes)) if i != place]

    def _right(self, known: Codes, asked: Codes) -> float:
        rest, classes = self._rest(self.label), self.sizes[self.label]
        found = tasks.told(known[:, rest], known[:, self.label], asked[:, rest], classes, NEAR)
        return float(np.mean(found == asked[:, self.label]))

    def _machine(self, known: Codes, asked: Codes) -> float:
        rest, known = self._rest(self.label), known[:SEPARATED]
        sizes, steps = (tuple(many[i] for i in rest) for many in (self.sizes, self.steps))
        found = tasks.separated(
            (known[:, rest], known[:, self.label]), asked[:, rest], sizes, steps
        )
        return float(np.mean(found == asked[:, self.label]))

    def _error(self, known: Codes, asked: Codes) -> float:
        rest = self._rest(self.number)
        many = self.steps[self.number] or self.sizes[self.number]
        # Who has no number there has none to learn from, nor to be tried on.
        there = [rows[rows[:, self.number] < many] for rows in (known, asked)]
        if not all(map(len, there)):
            return math.nan
        pairs = [(rows[:, rest], rows[:, self.number] / max(many - 1, 1)) for rows in there]
        return tasks.squared_error(pairs[0], pairs[1], tuple(self.sizes[i] for i in rest))


def tried(model: synthesis.SynthesisModel) -> bool:
    """Whether there is anything to try: two columns, rows for two halves, a quick way, and a column
    that can be told."""
    return _triable(model) and not crowded(model)


def _triable(model: synthesis.SynthesisModel) -> bool:
    if model.task is None or synthesis.other_of(model) is None or not model.lab.way.quick:
        return False
    whose = synthesis.cells(model.lab, model.data).whose
    people = len(model.task.codes) if whose is None else len(np.unique(whose))
    share = SHARES[model.lab.split]
    return people * min(share, 1 - share) >= 2 * NEAR


def made_of(model: synthesis.SynthesisModel) -> int:
    """How many rows the table is made of that is tried."""
    return len(_lot(model)[0])


def learners(model: synthesis.SynthesisModel) -> int:
    """How many rows a machine learns from."""
    return min(made_of(model), model.effort.of_draws(_LEARNT, 100), SEPARATED)


def _lot(model: synthesis.SynthesisModel) -> tuple[clusters.Rows, clusters.Rows]:
    """The numbers of the rows that tables are made of and of the others, each in an order by lot:
    those of one part of the people, and those of the other; remembered."""
    assert model.task is not None
    asked = "lot", model.lab.seed, model.lab.split
    return model.task.remember(asked, lambda: _drawn_lot(model))


def _drawn_lot(model: synthesis.SynthesisModel) -> tuple[clusters.Rows, clusters.Rows]:
    assert model.task is not None
    rng, rows = (
        SimulationRandom(model.lab.seed, synthesis.STREAM, 2).generator,
        len(model.task.codes),
    )
    whose, lot = synthesis.cells(model.lab, model.data).whose, rng.permutation(rows)
    share = SHARES[model.lab.split]
    if whose is None:
        first_rows = int(share * rows)
        last = 2 * first_rows if share == 0.5 else rows
        return lot[:first_rows], lot[first_rows:last]
    people = rng.permutation(int(whose.max()) + 1)
    first = people[whose[lot]] < int(share * len(people))
    return lot[first], lot[~first]


def crowded(model: synthesis.SynthesisModel) -> bool:
    """Whether the column that is told can have more values than half of the rows that learn: most
    would come once or never, and nothing could be learnt of them."""
    other = synthesis.other_of(model)
    return _triable(model) and other is not None and 2 * model.known.sizes[other] > learners(model)


def uses_question(model: synthesis.SynthesisModel) -> tuple[Hashable, ...]:
    """What decides the answer of `uses`."""
    lab = model.lab
    places = synthesis.place_of(model), synthesis.other_of(model)
    asked = synthesis.asked_of(lab), lab.split
    return "uses", asked, lab.seed, places, lab.epsilon, model.effort


def uses(model: synthesis.SynthesisModel, context: Context) -> Uses:
    """What the table is good for at each ε, and what attackers make of it; remembered. Raises
    Stopped where the run is cancelled."""
    return context.data.remember(uses_question(model), lambda: _uses(model, context))


def _uses(model: synthesis.SynthesisModel, context: Context) -> Uses:
    halves, effort, way = _halves(model, context), context.effort, model.lab.way
    at = np.array(_AT)[np.linspace(0, len(_AT) - 1, effort.of_points(len(_AT), 2)).astype(int)]
    others = way.variants()[: effort.of_points(len(way.variants()), 1)]
    steps = len(at) + len(others) + 2

    def scored(epsilon: float, way: Way = way) -> Scores:
        made = _made(model, halves, way, epsilon, context)
        return halves.scores(made, halves.others, context.check)

    lines = []
    for place, epsilon in enumerate(at.tolist()):
        context.progress(place / steps, say("Trying tables at each ε"))
        question = (*uses_question(model)[:4], "at", epsilon, effort)
        lines.append(context.data.remember(question, partial(scored, epsilon)))
    by_size = []
    for place, (size, other) in enumerate(others):
        context.progress((len(at) + place) / steps, say("Trying groups of other sizes"))
        by_size.append((size, scored(model.lab.epsilon, other)))
    context.progress((steps - 2) / steps, say("Learning from real rows"))
    real = halves.scores(halves.used, halves.others, context.check)
    made = _made(model, halves, way, model.lab.epsilon, context)
    here = halves.scores(made, halves.others, context.check)
    context.progress((steps - 1) / steps, say("Attacking the table"))
    attacks = _attacks(made, halves, context)
    asked = halves.others[: halves.tried, halves.label]
    crowd = float(np.bincount(asked).max() / len(asked))
    return Uses(at, tuple(lines), real, crowd, here, attacks, len(asked), tuple(by_size))


def told_right(found: Uses) -> tuple[Rate, Rate, Rate]:
    """How often is told right what is learnt from synthetic rows, from real ones, and by the best
    single answer, with the chance of which rows were tried."""
    shares = found.here.right, found.real.right, found.crowd
    here, real, crowd = (rate(round(share * found.tried), found.tried) for share in shares)
    return here, real, crowd


def _halves(model: synthesis.SynthesisModel, context: Context) -> _Halves:
    task, other = model.task, synthesis.other_of(model)
    assert task is not None
    assert other is not None
    effort = model.effort
    few, many = effort.of_draws(_TRIED, 60), effort.of_draws(_LEARNT, 100)
    used, others = (task.codes[rows] for rows in _lot(model))
    task = Task(used, alive=context.check)
    parts = model.known.sizes, tuple(max(len(axis.edges) - 1, 0) for axis in model.axes)
    return _Halves(task, others, other, synthesis.place_of(model), *parts, few, many)


def _made(
    model: synthesis.SynthesisModel, halves: _Halves, way: Way, epsilon: float, context: Context
) -> Codes:
    """A table made of the rows used alone, in an order by lot."""
    context.check()
    lab, half = model.lab, len(halves.used)
    public = synthesis.known_of(lab, context.data, model.axes)
    people = half if public.people is not None else None
    known = replace(public, epsilon=epsilon, rows=half, people=people)
    rng = SimulationRandom(lab.seed, synthesis.STREAM, 3).generator
    rounds = max(1, synthesis.rounds_of(lab, context.effort) // 3)
    made = None
    for made in way.steps(halves.task, known, chance.Seeded(rng), rng, rounds):  # noqa: B007
        context.check()
    assert made is not None
    return rng.permutation(made.codes)


def _attacks(synthetic: Codes, halves: _Halves, context: Context) -> Attacks:
    effort = context.effort
    guesses, among = effort.of_draws(_GUESSES, 40), effort.of_draws(_AMONG, 200)

    def on(people: Codes) -> tuple[Rate, Rate, Rate]:
        targets, learnt = people[:guesses], synthetic[:among]
        alone = tasks.singled_out(synthetic, people, guesses)
        context.check()
        joined = tasks.linked(learnt, targets)
        context.check()
        return alone, joined, tasks.inferred(learnt, targets, halves.label)

    far = []
    for start in range(0, min(guesses, len(synthetic)), _PART):
        context.check()
        far.append(tasks.nearest(synthetic[start : min(start + _PART, guesses)], halves.used)[1])
    near = np.concatenate(far)
    return Attacks(
        on(halves.used), on(halves.others), float(np.mean(near == 0)), float(near.mean())
    )


def last_stages(
    model: synthesis.SynthesisModel, context: Context
) -> Iterator[synthesis.SynthesisModel]:
    """The state with what it is good for; first without, where that takes work."""
    if tried(model):
        if not context.data.known(uses_question(model)):
            yield replace(model, whole=False)
        model = replace(model, uses=uses(model, context))
    yield model
