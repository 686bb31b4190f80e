"""What Clusters knows: the points, the noisy steps, and scores against ε."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.data.column_roles import describing
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import sample_of, unit
from dpstudio.data.memory import Sized
from dpstudio.labs.context import Effort
from dpstudio.labs.local_curves import ladder
from dpstudio.labs.memo import once
from dpstudio.labs.models.clusters.parameters import LEAST_RUNS, Clusters, TableRows
from dpstudio.privacy.learning import cluster_scores, lloyd
from dpstudio.privacy.learning.lloyd import Split, Steps
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.privacy.queries import REPLACE
from dpstudio.values.passing import Passing, passing_beside

COLUMNS_MOST, CLASSES_MOST = 64, 20
GRID, FEW = 9, 3
DRAWN = 1_500  # points of a picture: more of them cost frames


@dataclass(frozen=True, eq=False)
class Cloud(Sized):
    """Points in the box [−1, 1]^d, (n, d), the name of each column, and the class of each point,
    (n,), or None. `left_out` rows have a value missing; `unattested` columns have bounds that
    nobody says are public; one person has `most` rows at most. `made` ones are nobody's."""

    x: Array
    names: tuple[str, ...]
    classes: NDArray[np.int64] | None
    left_out: int = 0
    unattested: tuple[str, ...] = ()
    most: int = 1
    made: bool = True


@dataclass(frozen=True, eq=False)
class ClustersModel:
    """One state of the lab; a `quick` one has no curve and no other scores, and fewer runs;
    one `alone` has the run that is drawn, which is the same however many there are."""

    lab: Clusters
    data: Dataset
    effort: Effort
    quick: bool = False
    alone: bool = False

    @property
    def key(self) -> str:
        """The score in use: without classes the inertia stands for what compares with them."""
        score = self.lab.score
        return score if score == "silhouette" or cloud(self).classes is not None else "inertia"


def at_ease() -> None:
    """The `check` of a model that nobody stops."""


def columns_of(points: TableRows, data: Dataset) -> tuple[str, ...]:
    """The columns that are named, or all of numbers but the classes, the first 64."""
    if points.features:
        return points.features
    names = (c.name for c in data.columns if c.numeric and data.missing(c.name) < data.rows)
    others = (name for name in names if name != points.classes)
    return tuple(describing(data, others))[:COLUMNS_MOST]


def classes_of(points: TableRows, data: Dataset) -> str | None:
    """The column of classes, where the table has it and it holds few enough."""
    name = points.classes
    if not data.has(name) or name in columns_of(points, data):
        return None
    return None if data.more_than(name, CLASSES_MOST) else name


def cloud_of(lab: Clusters, data: Dataset) -> Cloud:
    """The points of a state, remembered. Raises ParamError as `sample_of` does."""
    points, seed = lab.points, lab.seed
    if isinstance(points, TableRows):
        return data.remember(("cloud", points), lambda: _read(points, data))

    def made() -> Cloud:
        rng = np.random.Generator(np.random.SFC64([seed, 11]))
        x, classes = cluster_scores.four_gaussians(rng, getattr(points, "size", 0))
        return Cloud(x, ("x", "y"), classes)

    return data.remember(("cloud", points, seed), made)


def _read(points: TableRows, data: Dataset) -> Cloud:
    sample = sample_of(data, columns_of(points, data), classes_of(points, data), classes=True)
    # Rounding may put a number that lies on its bound beyond 1.
    x = np.clip(unit(sample), -1, 1)
    names = tuple(feature.name for feature in sample.features)
    classes = None if sample.label is None else sample.y.astype(np.int64)
    return Cloud(x, names, classes, sample.left_out, sample.unattested, sample.most, made=False)


@once
def cloud(model: ClustersModel) -> Cloud:
    """The points."""
    return cloud_of(model.lab, model.data)


def persons_rows(model: ClustersModel) -> int:
    """How often one person moves a count: each of their rows once, twice where it is replaced."""
    most = 1 if not isinstance(model.lab.points, TableRows) else model.data.contributions
    return most * (2 if model.lab.adjacency == REPLACE else 1)


def width(model: ClustersModel) -> int:
    """d: how many columns a point has; the points themselves are not looked at."""
    points = model.lab.points
    return len(columns_of(points, model.data)) if isinstance(points, TableRows) else 2


def steps_of(model: ClustersModel) -> int:
    """How many steps there are, set before the first."""
    lab = model.lab
    if lab.stepping == "given":
        return lab.steps
    # Noise is as many times larger as a person moves counts: as if ε were that many times less.
    paid = lab.epsilon / persons_rows(model)
    return lloyd.steps_for(paid, lab.about, lab.k, width(model))


def split_of(model: ClustersModel) -> Split:
    """The noise of every step."""
    lab, d, steps = model.lab, width(model), steps_of(model)
    if lab.split == "printed":
        return lloyd.printed_split(lab.epsilon, d, steps)
    split = lloyd.su_split if lab.split == "su" else lloyd.even_split
    return split(lab.epsilon, d, steps, persons_rows(model))


def cost(model: ClustersModel) -> float:
    """The ε that all steps together cost in truth."""
    return split_of(model).spent(width(model), persons_rows(model))


def holds(model: ClustersModel) -> bool:
    """Whether that is no more than is promised."""
    return cost(model) <= model.lab.epsilon * (1 + 1e-9)


def count_cost(model: ClustersModel) -> float:
    """What the counts of one step cost."""
    return persons_rows(model) / split_of(model).count


def sum_cost(model: ClustersModel) -> float:
    """What the sums of one step cost, all coordinates together."""
    return width(model) * persons_rows(model) / split_of(model).total


def step_cost(model: ClustersModel) -> float:
    """What one step costs."""
    return count_cost(model) + sum_cost(model)


def right_guesses(model: ClustersModel) -> int:
    """Of 100 guesses from even odds, how many are right on average at most after all steps."""
    return right_of_100(model.lab.epsilon, 0.0)


def runs_of(model: ClustersModel) -> int:
    """How often k-means is run at each ε."""
    if model.alone:
        return 1
    runs = LEAST_RUNS if model.quick else model.lab.runs
    return model.effort.of_draws(runs, FEW)


def _question(model: ClustersModel) -> tuple[Hashable, ...]:
    lab = model.lab
    how = lab.points, lab.adjacency, lab.k, lab.stepping, lab.steps, lab.about, lab.split, lab.start
    return "clusters", *how, lab.seed, runs_of(model)


def _starts(model: ClustersModel) -> Array:
    lab, rng = model.lab, np.random.Generator(np.random.SFC64([model.lab.seed, 12]))
    draw = lloyd.spread_starts if lab.start == "spread" else lloyd.starts
    return draw(rng, runs_of(model), lab.k, width(model))


def found(model: ClustersModel) -> Steps:
    """The noisy steps of all runs at the ε in use; remembered."""

    def made() -> Steps:
        rng = np.random.Generator(np.random.SFC64([model.lab.seed, 13]))
        shape = runs_of(model), steps_of(model), model.lab.k, width(model)
        noise = lloyd.lloyd_noise(rng, *shape)
        return lloyd.lloyd(cloud(model).x, _starts(model), split_of(model), noise)

    return model.data.remember((*_question(model), "steps", model.lab.epsilon), made)


def exact(model: ClustersModel) -> Steps:
    """The same runs from the same first centres without noise; as many steps."""

    def made() -> Steps:
        return lloyd.exact_lloyd(cloud(model).x, _starts(model), steps_of(model))

    return model.data.remember((*_question(model), "exact", steps_of(model)), made)


def one(model: ClustersModel) -> ClustersModel:
    """The state with the run alone that is drawn."""
    return replace(model, quick=False, alone=True)


def score_of(model: ClustersModel, key: str, centres: Array) -> Array:
    """The score `key` of centres (runs, k, d): (runs,)."""
    held = cloud(model)
    if key == "inertia":
        return np.asarray(lloyd.inertia(held.x, centres) / max(1, len(held.x)))
    near = lloyd.nearest(held.x, centres)
    if key == "silhouette":
        rng = np.random.Generator(np.random.SFC64([model.lab.seed, 14]))
        return cluster_scores.silhouette(held.x, near, rng)
    assert held.classes is not None
    return cluster_scores.agreement(key, held.classes, near)


def scores(model: ClustersModel, key: str) -> Array:
    """The scores of all runs at the ε in use after the last step, (runs,); remembered."""
    question = (*_question(model), key, model.lab.epsilon)
    return model.data.remember(question, lambda: score_of(model, key, found(model).centres[:, -1]))


def whole_scores(model: ClustersModel, key: str) -> Array:
    """The same without noise."""
    question = (*_question(model), key, "exact", steps_of(model))
    return model.data.remember(question, lambda: score_of(model, key, exact(model).centres[:, -1]))


def median(model: ClustersModel) -> float:
    """Half of the runs score more."""
    return _median(scores(model, model.key))


def noiseless(model: ClustersModel) -> float:
    """Half of the runs without noise score more: where centres start, they may get stuck."""
    return _median(whole_scores(model, model.key))


def _median(values: Array) -> float:
    there = values[np.isfinite(values)]
    return float(np.median(there)) if len(there) else float("nan")


def medians(model: ClustersModel, key: str) -> tuple[float, float, float]:
    """Median score with noise, without, and by as many steps without it from starts of k-means++,
    which are points."""
    question = (*_question(model), "plus", steps_of(model))

    def plus() -> Array:
        rng, held = np.random.Generator(np.random.SFC64([model.lab.seed, 16])), cloud(model).x
        start = lloyd.plus_starts(rng, runs_of(model), model.lab.k, held)
        return lloyd.exact_lloyd(held, start, steps_of(model)).centres[:, -1]

    def best() -> Array:
        return score_of(model, key, model.data.remember(question, plus))

    found = (
        scores(model, key),
        whole_scores(model, key),
        model.data.remember((*question, key), best),
    )
    noisy, whole, started = map(_median, found)
    return noisy, whole, started


@dataclass(frozen=True)
class Pairs:
    """Of the first centres: from how many runs score better with noise than without, from how many
    worse, and of the former in how many the inertia is lower too; shares."""

    better: float
    worse: float
    lower: float


def pairs(model: ClustersModel) -> Pairs:
    """The runs with noise against those without, from the same first centres; less inertia is
    better."""
    gaps = {key: scores(model, key) - whole_scores(model, key) for key in (model.key, "inertia")}
    won = gaps[model.key] > 0 if model.key != "inertia" else gaps["inertia"] < 0
    behind = gaps[model.key] < 0 if model.key != "inertia" else gaps["inertia"] > 0
    lower = float(np.mean(gaps["inertia"][won] < 0)) if won.any() else 0.0
    return Pairs(float(np.mean(won)), float(np.mean(behind)), lower)


def keys(model: ClustersModel) -> tuple[str, ...]:
    """The scores that can be had."""
    alone = ("silhouette", "inertia")
    return (*cluster_scores.AGREEMENTS, *alone) if cloud(model).classes is not None else alone


def ends(model: ClustersModel) -> tuple[float, float]:
    """Between which that share of the runs scores."""
    tail = (1 - model.lab.confidence) / 2
    found = scores(model, model.key)
    there = found[np.isfinite(found)]
    low, high = np.quantile(there, [tail, 1 - tail]) if len(there) else (np.nan, np.nan)
    return float(low), float(high)


def untaught(model: ClustersModel) -> float:
    """The median score of the first centres, which no point has a part in."""
    question = (*_question(model), model.key, "starts")
    return _median(
        model.data.remember(question, lambda: score_of(model, model.key, _starts(model)))
    )


def by_epsilon(model: ClustersModel, check: Callable[[], None] = at_ease) -> tuple[Array, Array]:
    """Values of ε and the scores of some runs there, (ε, runs), each remembered. `check` raises
    Stopped where nobody waits any more."""
    epsilons = ladder(model.effort.of_points(GRID, FEW))
    found = []
    for epsilon in epsilons.tolist():
        check()
        at = replace(model, lab=model.lab.with_(epsilon=epsilon), quick=True)
        found.append(scores(at, model.key))
    return epsilons, array(found)


def wanted_score(model: ClustersModel) -> float | None:
    """The score that is wanted: so far from the first centres alone to no noise; None where the
    steps gain nothing without noise."""
    start, whole = untaught(model), noiseless(model)
    gains = whole < start if model.key == "inertia" else whole > start
    return start + model.lab.wanted * (whole - start) if gains else None


def wanted_epsilon(model: ClustersModel, aim: float) -> Passing:
    """From which ε on, of those drawn and the one in use, half of the runs score at least that, or
    have at most that inertia."""
    epsilons, drawn = by_epsilon(model)
    middle = np.array([*map(_median, drawn), median(model)])
    good = middle <= aim if model.key == "inertia" else middle >= aim
    return passing_beside(epsilons, good[:-1], model.lab.epsilon, bool(good[-1]))


def by_step(model: ClustersModel) -> Array:
    """Inertia of a row after each step of the run drawn, the start first, (steps + 1,)."""
    return array(score_of(model, "inertia", found(one(model)).centres[0]))


@once
def axes(model: ClustersModel) -> tuple[int, int]:
    """The two columns that are drawn: those in which the points lie furthest apart."""
    spread = np.var(cloud(model).x, axis=0)
    first = np.sort(np.argsort(-spread, kind="stable")[:2])
    return int(first[0]), int(first[-1])


@once
def moves(model: ClustersModel) -> Array:
    """What each step of the run drawn did, in the two columns drawn: of each centre x and y before,
    after, and where its points alone would have put it; the deviation of the noise; and how far
    points and noise moved it, (steps, 9k)."""
    run, kept = found(one(model)), list(axes(model))
    before, after = run.centres[0, :-1], run.centres[0, 1:]
    alone = lloyd.moved(before, lloyd.sums(cloud(model).x, before))
    before, after, alone = (part[..., kept] for part in (before, after, alone))
    far = [np.linalg.norm(end - start, axis=-1) for start, end in ((before, alone), (alone, after))]
    places = [part[..., axis] for part in (before, after, alone) for axis in (0, 1)]
    return array(np.concatenate([*places, run.radii()[0], *far], axis=1))


def moved(rows: Array, step: int) -> tuple[float, float]:
    """How far in the median the noise of a step, from 0 on, moves a centre, and how far its points
    do; `rows` are its moves."""
    points, noise = np.split(rows[step], 9)[7:]
    return float(np.median(noise)), float(np.median(points))


def drawn(model: ClustersModel) -> tuple[Array, NDArray[np.intp]]:
    """Up to 1,500 points by lot in the columns drawn, (m, 2), and their row numbers."""
    x, rng = cloud(model).x, np.random.Generator(np.random.SFC64([model.lab.seed, 15]))
    chosen = rng.permutation(len(x))[:DRAWN]
    return array(x[np.ix_(chosen, np.array(axes(model)))]), chosen


def radius(model: ClustersModel) -> float:
    """The median deviation that the noise of a step puts on a coordinate of a centre, of those that
    moved, in units of the box; 0 where none did."""
    radii = found(model).radii()
    there = radii[radii > 0]
    return float(np.median(there)) if len(there) else 0.0


def lost(model: ClustersModel) -> float:
    """The share of steps of a centre in which its noisy count was below 1, and it stayed."""
    return float(np.mean(found(model).counts < 1))
