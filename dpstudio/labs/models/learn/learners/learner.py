"""What a learner is: one way to make a model under a promise. A learner is one file beside this one
and one name in `LEARNERS`; it gives numbers alone, which the lab draws and says."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import ClassVar, Self, TypeVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.features import Feature, Rows
from dpstudio.data.memory import Memory
from dpstudio.privacy.learning.training_promise import Check, nothing
from dpstudio.privacy.queries import REPLACE
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Parameters, domains
from dpstudio.values.passing import Passing

T = TypeVar("T")
ROOM = 16_000_000  # bytes of answers about the rows of one task
# Where noise can go on the way from a table to a model, in the order of that way.
PLACES = {
    "input": N_("input"),
    "objective": N_("objective"),
    "algorithm": N_("algorithm"),
    "output": N_("output"),
}


@dataclass(frozen=True)
class LearningFacts:
    """What is public of what is learnt, or taken to be: features and the label with their bounds
    or words, which tables are neighbours, how many rows one person has at most, and the `budget` ε
    and δ. About so many `rows` are learnt from where all neighbours of the table have as many, None
    else. `persons`: a column says whose row it is. From how many rows and people is learnt on this
    table is in `learnt`: for looking alone, where nobody types a guess, since it is not public."""

    features: tuple[Feature, ...]
    label: Feature
    adjacency: str
    most: int
    epsilon: float
    delta: float
    rows: int | None = None
    persons: bool = False
    learnt: tuple[int, int] = (10, 10)

    @property
    def moved(self) -> int:
        """Rows that one person takes away or adds: where one is replaced, both."""
        return self.most * (2 if self.replace else 1)

    @property
    def replace(self) -> bool:
        """Whether a neighbour has another person in the place of one."""
        return self.adjacency == REPLACE


@dataclass(frozen=True, eq=False)
class Task:
    """What is learnt from, and what is tested with. `x` (n, p) holds numbers in [−1, 1] and codes
    of words, `y` (n,) codes of classes, or numbers in [−1, 1] where there are 0 `classes`,
    `persons` (n,) whose row it is, where that is known; `testers` people test. What was worked out
    is kept with it."""

    x: Array
    y: Array
    test_x: Array
    test_y: Array
    sizes: tuple[int, ...]
    classes: int
    persons: Rows | None = None
    testers: int = 0
    kept: Memory = field(default_factory=lambda: Memory(ROOM))

    @property
    def nbytes(self) -> int:
        """What remembering it costs, with what it remembers itself."""
        return ROOM + int(self.x.nbytes + self.test_x.nbytes)

    @property
    def people(self) -> int:
        """How many persons are learnt from."""
        return len(self.x) if self.persons is None else len(np.unique(self.persons))

    def remember(self, question: Hashable, answer: Callable[[], T]) -> T:
        """The answer to a question about these rows, worked out once."""
        return self.kept.remember(question, answer)

    def linear(self) -> tuple[Array, Array]:
        """The rows to learn from and to test with as numbers in [−1, 1], each word a column of 0
        and 1; shape (·, numbers + words)."""
        return self.remember("linear", lambda: (self._columns(self.x), self._columns(self.test_x)))

    def _columns(self, x: Array) -> Array:
        parts = [
            x[:, i, None] == np.arange(size) if size else x[:, i, None]
            for i, size in enumerate(self.sizes)
        ]
        return np.hstack(parts).astype(np.float64)


# What a guess at a number of rows may be.
FEWEST, MOST = 10, 100_000_000


def guessed(rows: float) -> int:
    """A number of rows as a guess, which ends where the range of guesses does."""
    return round(min(max(rows, FEWEST), MOST))


@dataclass(frozen=True)
class Claim:
    """What is promised of the whole model: (ε, δ), by which theorem. `cost` is what it costs in
    truth, larger where it is as printed, infinite where nothing is known to hold."""

    epsilon: float
    delta: float
    theorem: Message
    cost: float

    @property
    def holds(self) -> bool:
        """Whether the promise is kept."""
        return self.cost <= self.epsilon * (1 + 1e-9)


@dataclass(frozen=True)
class Part:
    """A part of the budget: what it is spent on, in `row`, which may have several parts of other
    `kind`s; its ε, and the scale of the noise that this asks for, in units of what it is on."""

    row: Message
    kind: Message
    epsilon: float
    scale: float


@dataclass(frozen=True, eq=False)
class Densities:
    """For one number the densities that a model has for each class: without noise (classes,
    points), and between which most noisy ones lie; x (points,) in units of the feature."""

    feature: Feature
    x: Array
    exact: Array
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Chances:
    """For one feature of words how likely each is in each class: exact (classes, words), and
    between which most noisy ones lie."""

    feature: Feature
    exact: Array
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of a linear model by name: without noise (weights,), and between which most noisy
    ones lie."""

    names: tuple[str, ...]
    exact: Array
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Errors:
    """How far noise moves parameters: for each `kind` of them (kinds, rows), half of the noisy
    ones further than this, in shares of the range that they can have."""

    rows: tuple[Message, ...]
    kinds: tuple[Message, ...]
    typical: Array


@dataclass(frozen=True, eq=False)
class Growth:
    """R² on a table like this one with more or fewer rows: between which most models with noise
    lie, and half of them, each (points,) at so many `rows`; `whole` of least squares without noise;
    `taught` is from how many rows on half of the models reach half of that, a guess at their number
    growing with them. Without noise the learner as it is set reaches `calm` of very many; `kept` is
    from how many on half reach it with the guess in use."""

    rows: Array
    low: Array
    middle: Array
    high: Array
    whole: float
    taught: Passing
    calm: float
    kept: Passing


@dataclass(frozen=True, eq=False)
class Plane:
    """Two numbers and the lines between two classes: some rows learnt from, (m, 2) in [−1, 1], and
    the class of each, (m,); weights (w₁, w₂, constant) of the line without noise, (3,), and of some
    with it, (lines, 3)."""

    features: tuple[Feature, ...]
    points: Array
    classes: Array
    exact: Array
    drawn: Array


View = Densities | Chances | Weights | Errors | Growth | Plane


@dataclass(frozen=True)
class Replays:
    """How closely a learner is looked at: so many models with noise from a seed, the share that a
    band keeps, and the feature that is drawn. `check` is to be called between pieces of long work,
    and raises where nobody waits for it any more."""

    runs: int
    seed: int
    confidence: float
    feature: str
    check: Check = field(default=nothing, compare=False)

    @property
    def generator(self) -> np.random.Generator:
        """Chance for looking at; the same for every ε, so that curves move smoothly."""
        return np.random.Generator(np.random.SFC64([self.seed, 7]))

    def ends(self, values: Array) -> tuple[Array, Array]:
        """Between which at least that share of values lies, over their first axis."""
        return holding(values, self.confidence)


def holding(values: Array, share: float) -> tuple[Array, Array]:
    """Two of the values, over their first axis, between which at least that share of them lies:
    where there are few, ends between two of them would leave out more."""
    tail = (1 - share) / 2
    low = np.quantile(values, tail, axis=0, method="lower")
    return low, np.quantile(values, 1 - tail, axis=0, method="higher")


class Learner(Parameters):
    """Base of every learner. `place` is where its noise goes, `where` says what it is added to,
    `ink` is that of its curves; `source` names the theorem. One that needs a δ has it as the
    parameter `delta`. Learners of one `family` make the same model with noise in other places.
    Those of `numbers` tell a number and score R², the others a class and score the share that is
    right. At each ε at most `most_runs` models are learnt, fewer where one takes long; a `slow` one
    is sketched first. A `single` one is drawn where it is chosen alone, in the place of those with
    noise at the same place: there is no room for all. `targets` can be solved for. One
    that is `seldom` wanted waits in the list until all are asked for."""

    editor = "strokes"
    most_runs: ClassVar[int] = 1_000
    slow: ClassVar[bool] = False
    single: ClassVar[bool] = False
    seldom: ClassVar[bool] = False
    numbers: ClassVar[bool] = False
    targets: ClassVar[tuple[str, ...]] = ("epsilon", "rows")
    family: ClassVar[str]
    place: ClassVar[str]
    where: ClassVar[str]
    ink: ClassVar[str]

    def refusal(self, known: LearningFacts) -> Message | None:
        """Why there is no proof for what is known, and what to choose instead."""
        if self.numbers and known.label.words:
            text = N_("“{column}” holds words. Choose a label of numbers, or what tells classes.")
            return say(text, column=known.label.name)
        if not (self.numbers or known.label.words):
            text = N_("“{column}” is a number. Choose a label of classes, or a regression.")
            return say(text, column=known.label.name)
        return None

    @property
    def guesses(self) -> bool:
        """Whether it needs a guess at how many rows are learnt from, where that is not public."""
        return "about" in domains(type(self))

    def guess(self, known: LearningFacts) -> int:
        """About how many rows are learnt from: as is typed, else as there are on this table."""
        typed: int | None = getattr(self, "about", None)
        return guessed(known.learnt[0]) if typed is None else typed

    def proposed(self, known: LearningFacts) -> bool:
        """Whether that guess is needed and comes from the rows."""
        return self.guesses and known.rows is None and self == self.unguessed()

    def unguessed(self) -> Self:
        """The learner whose guess is as many rows as there are."""
        return self.with_(about=None) if self.guesses else self

    def claim(self, known: LearningFacts) -> Claim:
        """What is promised at the budget."""
        raise NotImplementedError

    def keeps(self, known: LearningFacts) -> Claim:
        """The claim, without its theorem where that takes longer to say."""
        return self.claim(known)

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        """What the budget is spent on, and the noise that this asks for."""
        raise NotImplementedError

    def noiseless(self, task: Task, known: LearningFacts) -> float:
        """The score of the model without noise on the test rows: exact, not private."""
        raise NotImplementedError

    def scores(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        """The scores of models with noise, shape (runs,)."""
        raise NotImplementedError

    def calm(self, task: Task, known: LearningFacts, looked: Replays) -> float:
        """The score of the same learner as it is set without its noise: of one that stops early,
        or holds its weights at 0, not that of the model without noise."""
        return self.noiseless(task, known)

    def statement(self, known: LearningFacts) -> tuple[Message, ...]:
        """The privacy statement of a training, as the field prints it, where there is one."""
        return ()

    def views(self, task: Task, known: LearningFacts, looked: Replays) -> tuple[View, ...]:
        """What else there is to see of it."""
        return ()
