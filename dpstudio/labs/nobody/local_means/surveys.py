"""Simulated surveys of Local means, the law of their estimates, and one person's report."""

import math
from itertools import pairwise

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Draws
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.labs.local_curves import normal_quantile, reading
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.local_means.errors import Rival, factor, mine, own_spread, spread
from dpstudio.labs.nobody.local_means.model import MeansModel, held, people_in, truth
from dpstudio.labs.nobody.local_means.people import people_of
from dpstudio.privacy.local import duchi, hybrid, number, piecewise
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.parameters import to_json

_QUICK = 240
_FEW = 10  # so few reports that make the variance leave no normal law
_LINE = 181

# The law of an estimate


@once
def deviation(model: MeansModel) -> float:
    """Standard deviation of the estimate, in the units of the column: for this very population, or,
    where nothing may be told of it, for the worst."""
    protocol, d = mine(model).protocol, model.d
    variance = own_spread(model, protocol, d) if model.lab.show_truth else protocol.worst(d)
    return model.scale.half * math.sqrt(variance / model.n)


def half_width(model: MeansModel) -> float:
    """Half-width of the normal law of the estimate at the confidence."""
    return normal_quantile(model.lab.confidence) * deviation(model)


def interval(model: MeansModel) -> tuple[float, float]:
    """The ends between which estimates lie at the confidence, of all that reports can average to;
    where the exact mean is hidden, between which that lies, of all within the bounds."""
    half, scale = half_width(model), model.scale
    if not model.lab.show_truth:
        low, high = reading(first_estimate(model), half, scale.low, scale.high)
        return float(low), float(high)
    most = scale.half * mine(model).protocol.most(model.d)
    middle = truth(model)
    return max(middle - half, scale.middle - most), min(middle + half, scale.middle + most)


def seldom(model: MeansModel) -> float | None:
    """How many reports say nothing of their sender on average, where those few make nearly all of
    the variance; else None."""
    protocol, d = mine(model).protocol, model.d
    if not isinstance(protocol, piecewise.Piecewise | hybrid.Hybrid) or protocol.kept(d) < d:
        return None
    few = model.n * math.exp(-protocol.epsilon / d / 2)
    return few if few < _FEW else None


# Surveys


def _trials(model: MeansModel) -> int:
    return model.effort.of_draws(model.lab.trials)


def _key(model: MeansModel) -> tuple[object, ...]:
    return (
        "local mean",
        "surveys",
        model.column,
        model.scale,
        model.where,
        mine(model).protocol,
        model.d,
        model.lab.seed,
        _trials(model),
    )


def waits(model: MeansModel) -> bool:
    """Whether the simulation of all surveys has still to be made."""
    return _trials(model) > _QUICK and not model.data.known(_key(model))


@once
def surveys(model: MeansModel) -> Array:
    """Estimates of simulated surveys in the units of the column, shape (trials,): fewer while the
    picture is quick."""
    rng = np.random.Generator(np.random.SFC64([model.lab.seed, 2]))
    if model.quick:
        return estimates(model, rng, 0, _QUICK)
    return model.data.remember(_key(model), lambda: estimates(model, rng, 0, _trials(model)))


def estimates(model: MeansModel, rng: np.random.Generator, place: int, count: int) -> Array:
    """Estimated means of column `place`, in its units; shape (count,)."""
    people, protocol = people_in(model, place), mine(model).protocol
    totals = protocol.totals(rng, people.t, people.many, count, model.d)
    return array(model.scales[place].units(totals / people.n))


def _unseen(model: MeansModel, place: int) -> np.random.Generator:
    """The noise of the one survey that is shown where the exact answer is hidden."""
    lab = model.lab
    told = [to_json(lab.query), to_json(lab.protocol), lab.more, lab.ranges, model.d, place]
    return hidden_noise(model.data, lab.seed, 4, told)


def _left(model: MeansModel, leaving: Draws) -> float:
    """The estimate of a survey that may leave the program: who has no value reports the middle of
    the bounds."""
    lab, protocol, d = model.lab, mine(model).protocol, model.d

    def drawn(data: Dataset, chance: ReleaseRandom) -> int:
        held = data.ordered(model.column, model.where)
        people = people_of(held.values, held.counts, model.scale)
        t, many = np.append(people.t, 0.0), np.append(people.many, data.rows - people.n)
        return protocol.leave(chance, t, many, d)

    asked = ["mean survey", lab.seed, to_json(lab.query), to_json(protocol), d]
    total = leaving.draw(asked, Guarantee(protocol.claim, 0.0), drawn) * protocol.unit(d)
    return float(model.scale.units(total / model.data.rows))


@once
def replays(model: MeansModel) -> Array:
    """Simulated estimates to be shown one by one, shape (surveys, 1); a single one where the exact
    answer is hidden."""
    if model.leaving is not None:
        return array([[_left(model, model.leaving)]])
    if not model.lab.show_truth:
        return array(estimates(model, _unseen(model, 0), 0, 1)[:, None])
    return array(surveys(model)[: model.effort.replays, None])


def first_estimate(model: MeansModel) -> float:
    """That of the first survey."""
    return float(replays(model)[0, 0])


def one_survey(model: MeansModel) -> tuple[float, ...]:
    """One estimate of every column, each from its own law: as they are sent together they are not
    independent."""
    rng = np.random.Generator(np.random.SFC64([model.lab.seed, 3]))
    shown, found = model.lab.show_truth, [first_estimate(model)]
    for place in range(1, len(model.scales)):
        noise = rng if shown else _unseen(model, place)
        found.append(float(estimates(model, noise, place, 1)[0]))
    return tuple(found)


def survey_bars(model: MeansModel) -> tuple[Array, Array, Array]:
    """(estimate, low, high) of every column in one survey, each on the scale of its bounds: the
    ends of what it tells of the exact mean, which lies within these, and of the bar that stands
    there; shape (columns,) each."""
    scales = zip(one_survey(model), model.scales, strict=True)
    answer = array([float(scale.t(mean)) for mean, scale in scales])
    variances = [spread(model, mine(model).protocol, place=i) for i in range(len(answer))]
    low, high = reading(answer, factor(model) * np.sqrt(array(variances) / model.n), -1.0, 1.0)
    return answer, np.minimum(low, answer), np.maximum(high, answer)


# One person


def report_law(
    model: MeansModel, rival: Rival
) -> tuple[Array, Array, tuple[tuple[float, float], ...]]:
    """(x, density, atoms) of what the rival sends of the value, in the units of the column, where
    it sends that number at all; an atom is (place, probability)."""
    protocol, d, t, scale = rival.protocol, model.d, held(model), model.scale
    none = array([])
    if isinstance(protocol, duchi.Duchi) and protocol.whole(d):
        size = protocol.size(d)
        return none, none, tuple((_at(model, z * size), (1 + z * t / size) / 2) for z in (-1, 1))
    assert isinstance(protocol, number.Sampled)
    one, times = protocol.part(d), d / protocol.kept(d)
    atoms = tuple((_at(model, times * place), mass) for place, mass in one.atoms(t))
    steps = one.steps(t)
    if not steps:
        return none, none, atoms
    if len(steps) > 1:
        # Steps stand upright: a point on either side of each.
        hair = 1e-3 * min(b - a for a, b in pairwise(steps) if b > a)
        x = np.sort(np.concatenate([np.array(steps) - hair, np.array(steps) + hair]))
    else:
        low, high = one.reach()
        line = np.linspace(2 * low, 2 * high, model.effort.of_points(_LINE))
        x = np.sort(np.concatenate([line, np.array(steps)]))
    return scale.units(times * x), one.density(x, t) / (times * scale.half), atoms


def _at(model: MeansModel, t: float) -> float:
    return float(model.scale.units(t))


def report_deviation(model: MeansModel, rival: Rival, t: Array) -> Array:
    """Standard deviation of the report of who holds t, in the units of the column; shape of t."""
    return model.scale.half * np.sqrt(rival.protocol.variance(t, model.d))
