"""What is lost against k, l and t, and how wrong counts become: what takes seconds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.choices.promises import Promise
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, published_as, task
from dpstudio.labs.whole_tables.rows.model import n
from dpstudio.privacy.anonymity.classes import Classes
from dpstudio.privacy.anonymity.loss import count_errors, discernibility, homogeneous

KS = (2, 3, 5, 7, 10, 15, 25, 50, 100, 250, 500, 1000)
TS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0)
_LS = 12
_QUESTIONS = 100
_SEARCHED = 3  # points of a curve where each is a search
_QUERIES_OF = 2  # columns that a count asks for


@dataclass(frozen=True)
class Point:
    """What one promise makes of the table: NCP from 0 to 1, discernibility, rows whose class has
    one sensitive value, and the mean error of counts, NaN where words of hierarchies stand for
    them, over which nobody knows how rows are spread."""

    at: float
    loss: float
    dm: float
    same: int
    error: float


def _point(model: AnonymityModel, at: float, promise: Promise) -> Point | None:
    """None where the whole table does not keep the promise."""

    def work() -> Point | None:
        model.check()
        if (found := published_as(model, promise=promise)) is None:
            return None
        made = found[1]
        same = homogeneous(model.rows.told(made.classes))[1]
        dm, error = float(discernibility(made.classes)), _error(model, made.classes)
        return Point(at, made.loss, dm, same, error)

    key = replace(task(model), promise=promise).key
    asked = "anonymity point", key, model.lab.algorithm, model.lab.seed, questions(model)
    return model.data.remember(asked, work)


def _few(model: AnonymityModel, values: Sequence[float]) -> list[float]:
    """As many of these values as a curve is worth, both ends among them."""
    most = len(values) if model.lab.algorithm.boxes else _SEARCHED
    many = model.effort.of_points(most, 2)
    places = np.unique(np.linspace(0, len(values) - 1, many).round().astype(int))
    return [values[place] for place in places]


def _curve(model: AnonymityModel, key: str, values: Sequence[float]) -> tuple[Point, ...]:
    """Some of these values of one dial of the promise, and the one that is set."""
    promise = model.lab.promise
    every = sorted({*_few(model, values), getattr(promise, key)})
    points = (_point(model, float(each), promise.with_(**{key: each})) for each in every)
    return tuple(point for point in points if point is not None)


@once
def by_k(model: AnonymityModel) -> tuple[Point, ...]:
    """What is lost against k, all else as it is."""
    return _curve(model, "k", [k for k in KS if k <= n(model)])


@once
def by_dial(model: AnonymityModel) -> tuple[Point, ...]:
    """The same against l or t, which the promise has."""
    most = min(_LS, model.rows.sensitive.values)
    key = model.lab.promise.dial
    return _curve(model, key, TS if key == "t" else [float(l) for l in range(1, most + 1)])


@once
def here(model: AnonymityModel) -> Point | None:
    """The point of the promise as it is."""
    return _point(model, float(model.lab.promise.k), model.lab.promise)


def boxes(model: AnonymityModel) -> Array:
    """Ranges of the first columns, each end a value of a row drawn by lot, (questions, columns,
    2)."""
    rng = np.random.default_rng((model.lab.seed, 71))
    asked = model.rows.quasi[:_QUERIES_OF]
    many = model.effort.of_points(_QUESTIONS, 10)
    ends = [each.places[rng.integers(0, n(model), (many, 2))] for each in asked]
    return array(np.sort(np.stack(ends, axis=1), axis=2))


def _error(model: AnonymityModel, classes: Classes) -> float:
    if not model.lab.algorithm.boxes:
        return float("nan")
    true, told = count_errors(model.rows.quasi[:_QUERIES_OF], classes, boxes(model))
    return float(np.abs(true - told).mean())


def questions(model: AnonymityModel) -> int:
    """How many counts are asked for."""
    return len(boxes(model))


def equal_epsilon(error: float) -> float:
    """The ε at which Laplace noise on one count errs as much on average: its mean is 1/ε."""
    return 1 / error if error > 0 else float("inf")
