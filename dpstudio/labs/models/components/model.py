"""What everything in Components starts from: rows of length at most 1, their second moments, and
how far one person moves these."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.column_roles import describing
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import is_number, sample_of, unit
from dpstudio.data.memory import Sized
from dpstudio.labs.context import SCREEN, Context, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.models.components.parameters import Components, ManyOwners
from dpstudio.privacy.learning.components import Moved, in_the_ball, moved, second_moments
from dpstudio.privacy.learning.ways import WAYS, Check, Way, at_ease
from dpstudio.values.messages import Message

COLUMNS_MOST = 64
CLASSES_MOST = 20
_DELTA = 1e-5  # of the ways that need one, while one that needs none is looked at


@dataclass(frozen=True, eq=False)
class Rows(Sized):
    """Rows of length at most 1, shape (n, p), and their classes as codes, (n,) or (0,).
    `left_out` rows have a value missing; `unattested` columns have bounds that nobody says are
    public."""

    x: Array
    y: Array
    left_out: int
    unattested: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ComponentsModel:
    """One state of the lab. A `quick` one draws the chosen way alone. `check` raises Stopped where
    nobody waits any more: to be called between draws."""

    lab: Components
    data: Dataset
    columns: tuple[str, ...]
    effort: Effort = SCREEN
    quick: bool = False
    check: Check = at_ease

    @property
    def p(self) -> int:
        """How many columns there are."""
        return len(self.columns)

    @property
    def k(self) -> int:
        """How many directions are kept: at most as many as there are columns."""
        return min(self.lab.k, self.p)

    @property
    def many(self) -> ManyOwners | None:
        """The owners, where there are many."""
        holder = self.lab.holder
        return holder if isinstance(holder, ManyOwners) else None


def components_model(lab: Components, context: Context) -> ComponentsModel:
    """The state of the lab on a table that can answer it."""
    columns = columns_of(lab, context.data)
    return ComponentsModel(lab, context.data, columns, context.effort, check=context.check)


def columns_of(lab: Components, data: Dataset) -> tuple[str, ...]:
    """The columns that are named, or else all of numbers that hold any but the classes, the first
    64."""
    if lab.features:
        return lab.features
    names = (
        c.name
        for c in data.columns
        if c.name != lab.predicts and is_number(data, c.name) and data.missing(c.name) < data.rows
    )
    return tuple(describing(data, names))[:COLUMNS_MOST]


def classes_of(lab: Components, data: Dataset) -> str | None:
    """The column of classes, where the table has it and it holds some, and few enough."""
    name = lab.predicts
    if not data.has(name) or name in columns_of(lab, data):
        return None
    held = not data.more_than(name, CLASSES_MOST) and data.distinct(name, 1)
    return name if held else None


@once
def rows(model: ComponentsModel) -> Rows:
    """The rows that have every value, by their public bounds."""
    label = classes_of(model.lab, model.data)

    def read() -> Rows:
        sample = sample_of(model.data, model.columns, label, classes=True)
        x = in_the_ball(unit(sample))
        # Classes only sort what is drawn: their words are part of no release.
        unattested = tuple(f.name for f in sample.features if not f.attested)
        return Rows(array(x), array(sample.y), sample.left_out, unattested)

    return model.data.remember(("components", model.columns, label), read)


@once
def n(model: ComponentsModel) -> int:
    """How many rows there are."""
    return len(rows(model).x)


@once
def whole_n(model: ComponentsModel) -> int:
    """How many there would be with all rows of each person."""
    label = classes_of(model.lab, model.data)
    return len(sample_of(model.data.whole, model.columns, label, classes=True).x)


@once
def scatter(model: ComponentsModel) -> Array:
    """The exact second moments, shape (p, p)."""
    columns, centred = model.columns, model.lab.centred
    return model.data.remember(
        ("components scatter", columns, centred, classes_of(model.lab, model.data)),
        lambda: array(second_moments(rows(model).x, centred)),
    )


def move(model: ComponentsModel, centred: bool | None = None) -> Moved:
    """How far one person moves the second moments; `centred` as the lab has it if None."""
    about = model.lab.centred if centred is None else centred
    return moved(about, model.lab.adjacency, model.data.contributions)


def reach(model: ComponentsModel, centred: bool) -> float:
    """The same in the norm that the noise of the chosen way is made for."""
    return chosen(model).reach(move(model, centred), model.p)


def factor(model: ComponentsModel) -> float:
    """How many times as much noise the chosen way makes about the mean as about 0."""
    return reach(model, True) / reach(model, False)


def delta(model: ComponentsModel) -> float:
    """The δ of the ways that need one."""
    return float(getattr(model.lab.mechanism, "delta", _DELTA))


def epsilon(model: ComponentsModel) -> float:
    """The ε of all ways."""
    return model.lab.mechanism.epsilon


def way(model: ComponentsModel, key: str, at: float | None = None) -> Way:
    """A way of WAYS at ε `at`, the lab's if None; the chosen one with all that is set."""
    chosen = model.lab.mechanism
    kind = chosen if chosen.key == key else next(kind for kind in WAYS if kind.key == key)()
    return kind.at(epsilon(model) if at is None else at, delta(model))


def chosen(model: ComponentsModel) -> Way:
    """The way that is looked at."""
    return way(model, model.lab.mechanism.key)


def scale(model: ComponentsModel, at: float | None = None, centred: bool | None = None) -> float:
    """The scale of the noise of the chosen way."""
    made = way(model, model.lab.mechanism.key, at)
    return made.scale(move(model, centred), model.p, model.k)


def scales(model: ComponentsModel, epsilons: Array, centred: bool | None = None) -> Array:
    """The same at each of these ε; remembered, as it does not depend on the one that is chosen."""
    kind = way(model, model.lab.mechanism.key, 1.0)
    key = "components scales", kind, move(model, centred), model.p, model.k, epsilons.tobytes()
    return model.data.remember(
        key, lambda: array([scale(model, float(e), centred) for e in epsilons])
    )


def name(way: Way) -> Message:
    """What a way is called."""
    return Message(way.label)


def eigenvalues(model: ComponentsModel) -> Array:
    """The variance along each exact component, per row, the largest first; shape (p,)."""
    return np.asarray(np.linalg.eigvalsh(scatter(model))[::-1] / n(model))
