"""What the table that was made is good for, and what attackers make of it: made of one half of the
rows, tried on the other."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.labs.context import Context, Effort
from dpstudio.labs.local_curves import ladder
from dpstudio.labs.synthetic.synthesis.model import (
    STREAM,
    SynthesisModel,
    asked_of,
    known_of,
    other_of,
    place_of,
    rounds_of,
)
from dpstudio.labs.synthetic.synthesis.scores import NEAR, Attacks, Scores, Uses
from dpstudio.labs.synthetic.synthesis.ways.way import Task
from dpstudio.privacy.sampling import Looking
from dpstudio.privacy.synthetic.chance import Seeded
from dpstudio.privacy.synthetic.marginals import Codes
from dpstudio.privacy.synthetic.tasks import (
    Rate,
    agreement,
    groups,
    inferred,
    linked,
    nearest,
    singled_out,
    squared_error,
    told,
    two_centres,
)
from dpstudio.values.messages import say

_POINTS, _LEARNT, _TRIED, _GUESSES, _AMONG = 7, 3000, 800, 1000, 6000


@dataclass(frozen=True, eq=False)
class _Halves:
    """Rows that tables are made of, others, and which columns are told and guessed."""

    used: Codes
    others: Codes
    label: int
    number: int
    sizes: tuple[int, ...]
    tried: int
    learnt: int

    def scores(self, learnt: Codes, real: Codes) -> Scores:
        """What is learnt from some rows, tried on real ones, and the other way round."""
        learnt, tried = learnt[: self.learnt], real[: self.tried]
        back = learnt[: self.tried]
        right = self._right(learnt, tried)
        other_way = self._right(real[: self.learnt], back)
        return Scores(right, other_way, self._error(learnt, tried), self._grouped(learnt, tried))

    def _grouped(self, learnt: Codes, tried: Codes) -> float:
        scale = np.maximum(np.array(self.sizes) - 1, 1)
        found = [two_centres(rows / scale) for rows in (learnt, self.used[: self.learnt])]
        one, two = (groups(tried / scale, centres) for centres in found)
        return agreement(one, two)

    def _right(self, known: Codes, asked: Codes) -> float:
        rest = [i for i in range(len(self.sizes)) if i != self.label]
        classes = self.sizes[self.label]
        found = told(known[:, rest], known[:, self.label], asked[:, rest], classes, NEAR)
        return float(np.mean(found == asked[:, self.label]))

    def _error(self, known: Codes, asked: Codes) -> float:
        rest = [i for i in range(len(self.sizes)) if i != self.number]
        scale = max(self.sizes[self.number] - 1, 1)
        pairs = [(rows[:, rest], rows[:, self.number] / scale) for rows in (known, asked)]
        return squared_error(pairs[0], pairs[1], tuple(self.sizes[i] for i in rest))


def tried(model: SynthesisModel) -> bool:
    """Whether there is anything to try: two columns, and rows for two halves."""
    enough = model.task is not None and len(model.task.codes) >= 4 * NEAR
    return enough and other_of(model) is not None


def uses_question(model: SynthesisModel) -> tuple[Hashable, ...]:
    """What decides the answer of `uses`."""
    lab = model.lab
    places = place_of(model), other_of(model)
    return "uses", asked_of(lab), lab.seed, places, lab.epsilon, model.effort


def uses(model: SynthesisModel, context: Context) -> Uses:
    """What the table is good for at each ε, and what attackers make of it; remembered. Raises
    Stopped where the run is cancelled."""
    return context.data.remember(uses_question(model), lambda: _uses(model, context))


def _uses(model: SynthesisModel, context: Context) -> Uses:
    halves, effort = _halves(model), context.effort
    at = ladder(effort.of_points(_POINTS, 2))
    lines = []
    for place, epsilon in enumerate(at.tolist()):
        context.progress(place / (len(at) + 1), say("Trying tables at each ε"))

        def scored(epsilon: float = epsilon) -> Scores:
            return halves.scores(_made(model, halves, epsilon, context), halves.others)

        question = (*uses_question(model)[:4], "at", epsilon, effort)
        lines.append(context.data.remember(question, scored))
    made = _made(model, halves, model.lab.epsilon, context)
    context.check()
    real = halves.scores(halves.used, halves.others)
    asked = halves.others[: halves.tried, halves.label]
    commonest = np.bincount(halves.used[:, halves.label]).argmax()
    return Uses(
        at,
        tuple(lines),
        real,
        float(np.mean(asked == commonest)),
        halves.scores(made, halves.others),
        _attacks(made, halves, effort),
    )


def _halves(model: SynthesisModel) -> _Halves:
    task, other = model.task, other_of(model)
    assert task is not None
    assert other is not None
    codes, effort = task.codes, model.effort
    lot = Looking(model.lab.seed, STREAM, 2).generator.permutation(len(codes))
    half = len(codes) // 2
    few, many = effort.of_draws(_TRIED, 60), effort.of_draws(_LEARNT, 100)
    used, others = codes[lot[:half]], codes[lot[half : 2 * half]]
    return _Halves(used, others, other, place_of(model), model.known.sizes, few, many)


def _made(model: SynthesisModel, halves: _Halves, epsilon: float, context: Context) -> Codes:
    """A table made of the rows used alone, in an order by lot."""
    context.check()
    lab, half = model.lab, len(halves.used)
    public = known_of(lab, context.data, model.axes)
    people = half if public.people is not None else None
    known = replace(public, epsilon=epsilon, rows=half, people=people)
    rng = Looking(lab.seed, STREAM, 3).generator
    rounds = max(1, rounds_of(lab, context.effort) // 3)
    made = None
    for made in lab.way.steps(Task(halves.used), known, Seeded(rng), rng, rounds):  # noqa: B007
        context.check()
    assert made is not None
    return rng.permutation(made.codes)


def _attacks(made: Codes, halves: _Halves, effort: Effort) -> Attacks:
    guesses, among = effort.of_draws(_GUESSES, 40), effort.of_draws(_AMONG, 200)

    def on(people: Codes) -> tuple[Rate, Rate, Rate]:
        targets = people[:guesses]
        return (
            singled_out(made, people, guesses),
            linked(made[:among], targets),
            inferred(made[:among], targets, halves.label),
        )

    _, far = nearest(made[:guesses], halves.used)
    return Attacks(on(halves.used), on(halves.others), float(np.mean(far == 0)), float(far.mean()))


def last_stages(model: SynthesisModel, context: Context) -> Iterator[SynthesisModel]:
    """The state with what it is good for; first without, where that takes work."""
    if tried(model):
        if not context.data.known(uses_question(model)):
            yield replace(model, whole=False)
        model = replace(model, uses=uses(model, context))
    yield model
