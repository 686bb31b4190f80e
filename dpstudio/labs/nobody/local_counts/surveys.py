"""Simulated surveys of Local counts, what is done to their estimates, and one person's report."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.labs.local_curves import reading
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.local_counts.errors import deviations, part_width
from dpstudio.labs.nobody.local_counts.model import CountsModel
from dpstudio.privacy.local import POST
from dpstudio.privacy.local.protocol import Report
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.values.messages import Message, Num, say

# Random numbers drawn for the surveys of a picture: while a slider moves, and where it comes to
# rest (32 MB).
_QUICK, _MOST = 150_000, 4_000_000
_ROUNDING = 1e-12  # of n: by so little estimates differ that are the same
_FEW = 5  # below so many expected reports of a value a normal law is out of place


def processed(estimates: ArrayLike, n: float, key: str) -> Array:
    """Estimates, shape (…, d), after what is done to them."""
    return next(kind for kind in POST if kind.key == key)().apply(estimates, n)


# How many


def few_surveys(model: CountsModel) -> int:
    """How many surveys are drawn while a slider moves, and can be stepped through."""
    return min(model.effort.replays, max(24, _QUICK // model.lab.protocol.numbers(model.d)))


def all_surveys(model: CountsModel) -> int:
    """How many the lab asks for, at most as many as time and memory are spent on."""
    wanted = min(
        model.effort.of_draws(model.lab.trials), _MOST // model.lab.protocol.numbers(model.d)
    )
    return max(few_surveys(model), wanted)


def ready(model: CountsModel) -> bool:
    """Whether the surveys that the lab asks for are already drawn."""
    surveys = all_surveys(model)
    return surveys <= few_surveys(model) or model.data.known(_key(model, surveys))


# What they bring


def _key(model: CountsModel, surveys: int) -> tuple[object, ...]:
    return ("surveys", model.lab.protocol, model.lab.seed, surveys, model.counts.tobytes())


def _drawn(model: CountsModel, surveys: int) -> Array:
    """Totals of simulated surveys of the population, shape (surveys, d)."""

    def draw() -> Array:
        rng = np.random.Generator(np.random.SFC64([model.lab.seed, 1]))
        return array(model.lab.protocol.draw(rng, model.counts, surveys))

    return model.data.remember(_key(model, surveys), draw)


def replays(model: CountsModel) -> Array:
    """Totals of the surveys that are shown one by one, shape (surveys, d); a single one where the
    exact counts are hidden."""
    return _drawn(model, few_surveys(model)) if model.hidden is None else array(model.hidden)


@once
def estimates(model: CountsModel) -> Array:
    """Estimates of simulated surveys, shape (surveys, d)."""
    surveys = few_surveys(model) if model.quick else all_surveys(model)
    return model.lab.protocol.estimate(_drawn(model, surveys), model.n)


def estimate_of_others(shown: Array, values: NDArray[np.int64]) -> tuple[float, ...]:
    """How many hold none of some values by the estimates of one survey, shape (d,), which add up;
    nothing where there is no other value."""
    others = np.delete(shown, values)
    return (float(others.sum()),) if len(others) else ()


def estimate_words(value: float) -> Message:
    """An estimate to whole people."""
    return say("{x}", x=Num(value, len(f"{abs(value):.0f}")))


def spans(model: CountsModel) -> Array:
    """The ends of what each survey that is shown tells of the exact counts, which lie in 0 … n, and
    of the bar that stands there; shape (surveys, 2, d)."""
    raw = model.lab.protocol.estimate(replays(model), model.n)
    low, high = reading(raw, model.z * deviations(model), 0.0, model.n)
    shown = processed(raw, model.n, model.lab.post)
    return np.stack([np.minimum(low, shown), np.maximum(high, shown)], axis=1)


def interval(model: CountsModel) -> tuple[float, float]:
    """The ends between which raw estimates of the value looked at lie, of all that can be
    estimated."""
    centre, half = float(model.counts[model.part]), part_width(model)
    ends = model.n * np.array(model.lab.protocol.limits(model.d))
    found = model.lab.protocol.estimate(np.repeat(ends[:, None], model.d, axis=1), model.n)
    least, most = sorted(map(float, found[:, model.part]))
    return max(centre - half, least), min(centre + half, most)


def grain(model: CountsModel) -> float:
    """By how many people the estimate of the value looked at moves with its total."""
    ends = np.array([np.zeros(model.d), np.ones(model.d)])
    one, two = model.lab.protocol.estimate(ends, model.n)[:, model.part]
    return float(abs(two - one))


def off(value: float, truth: Array, part: int) -> float:
    """By how many people an estimate of one value is above the exact count of it."""
    return value - float(truth[part])


@once
def worked(model: CountsModel) -> dict[str, tuple[float, float]]:
    """For each way to work on estimates the root mean square error over all values, and the largest
    bias of one; simulated."""
    raw, out = estimates(model), {}
    for key in (kind.key for kind in POST):
        found = processed(raw, model.n, key)
        if np.max(np.abs(found - raw)) < _ROUNDING * model.n:  # such as totals that add up to n
            found = raw
        # Raw estimates have no bias, so that what is done to them is all the bias, and their own
        # noise is left out of it.
        bias = np.abs((found - raw).mean(axis=0))
        out[key] = float(np.sqrt(np.mean((found - model.counts) ** 2))), float(np.max(bias))
    return out


def seldom(model: CountsModel) -> float | None:
    """How often a value that nobody holds is reported on average, where that is so seldom that
    estimates are far from normal; else None."""
    protocol = model.lab.protocol
    if not protocol.pure:
        return None
    expected = model.n * protocol.support(model.d).q
    return expected if expected < _FEW else None


# One person


@once
def report(model: CountsModel) -> Report:
    """What a person who holds the part that is looked at sends."""
    rng = np.random.Generator(np.random.SFC64([model.lab.seed, 2]))
    return model.lab.protocol.one(rng, model.part, model.population.labels)


def prior(model: CountsModel) -> Array:
    """Belief in each value before the report: the share of the people who hold it; shape (d,)."""
    return model.counts / model.n


@once
def posterior(model: CountsModel) -> Array:
    """Belief after it, by Bayes; shape (d,)."""
    with np.errstate(divide="ignore"):
        logs = np.log(prior(model)) + report(model).likelihood
    odds = np.exp(logs - logs.max())
    return np.asarray(odds / odds.sum())


def right_guesses(model: CountsModel) -> int:
    """Of 100 guesses between two values that are as likely, how many are right after a report on
    average at most."""
    return right_of_100(model.lab.protocol.spent(model.d), 0.0)


def whole_bytes(bits: float) -> int:
    """Whole bytes that a report of so many bits takes."""
    return math.ceil(bits / 8 - 1e-9)
