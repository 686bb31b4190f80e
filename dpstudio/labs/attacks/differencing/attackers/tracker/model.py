"""The attacker at a query console: its rules, what they protect, and a tracker around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attackers.attacker import (
    AttackedQuestion,
    Attacker,
    Replays,
    Success,
    budgets,
    give_or_take,
    promised,
    right_at_best,
)
from dpstudio.labs.attacks.differencing.attackers.console.rules import POLICIES, rule
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.privacy.attacks import asking, console, guessing
from dpstudio.privacy.mechanisms.additive import Additive, Sensitivity
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.neighbours.joint import joint
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.messages import N_, say

PEOPLE, TARGET, TRIES, REPEATS = 16, 7, 60, 5
EXACT = 1e-9  # what is so little off was solved exactly
LOW, HIGH = 20_000.0, 120_000.0  # public bounds of a salary


class Tracker(Attacker):
    """A salary by sums over sets of colleagues."""

    key = "tracker"
    label = N_("Tracker")
    what = say(
        "Asks a console for the salary of one of 16 invented people: alone, then by the four sums "
        "of a tracker, then by random sets, and solves what was answered."
    )
    source = "Denning, Denning & Schwartz 1979; Dobkin, Jones & Lipton 1979"
    tries = True

    policy: str = choice("size", N_("Rule"), N_("What the console answers."), options=POLICIES)
    least: int = integer(
        3,
        N_("Least people k"),
        N_("Fewer are not summed."),
        low=2,
        high=8,
        active_when=("policy", "size", "overlap"),
    )
    shared: int = integer(
        1,
        N_("Overlap r"),
        N_("Two sets share at most so many."),
        low=1,
        high=6,
        active_when=("policy", "overlap"),
    )
    base: float = real(
        10_000.0,
        N_("Rounded to"),
        N_("Answers, or salaries for ranges, are rounded to multiples of this."),
        low=100,
        high=100_000,
        log=True,
        active_when=("policy", "rounding", "recoding"),
    )

    def stages(
        self, asked: AttackedQuestion, looked: Replays, context: Context
    ) -> Iterator[TrackerModel]:
        yield TrackerModel(self, asked, looked, context.data)


@dataclass(frozen=True, eq=False)
class TrackerModel:
    """One state of the attack; its people are invented."""

    attacker: Tracker
    asked: AttackedQuestion
    looked: Replays
    data: Dataset


@once
def salaries(model: TrackerModel) -> Array:
    """What everybody earns, (people,), in hundreds."""
    drawn = np.exp(model.looked.generator(12).normal(10.7, 0.35, PEOPLE))
    return array(np.clip(np.round(drawn, -2), LOW, HIGH))


def salary(model: TrackerModel) -> float:
    """What the attacker wants to know."""
    return float(salaries(model)[TARGET])


def _held(model: TrackerModel, policy: str, rng: np.random.Generator) -> Array:
    """The salaries as the console holds them."""
    values, base = salaries(model), model.attacker.base
    if policy == "recoding":
        return np.floor(values / base) * base + base / 2
    if policy == "suppression":
        low, high = np.quantile(values, [0.1, 0.9])
        return np.where((values < low) | (values > high), 0.0, values)
    if policy == "data":
        law = LaplaceLaw((HIGH - LOW) / model.asked.mechanism.epsilon)
        return values + law.sample(rng, PEOPLE)
    return values


def _answering(model: TrackerModel, policy: str, rng: np.random.Generator) -> asking.Answering:
    base = model.attacker.base
    if policy == "rounding":
        return lambda exact, who: float(np.round(exact / base) * base)
    if policy == "output":  # ε of all questions that may be asked, in equal parts
        law = LaplaceLaw(HIGH * (TRIES + 5) / model.asked.mechanism.epsilon)
        return lambda exact, who: exact + float(law.sample(rng, 1)[0])
    return lambda exact, who: exact


def _besieged(model: TrackerModel, policy: str, again: int) -> asking.Siege:
    rng = model.looked.generator(20 + again)
    held = _held(model, policy, rng)
    answering = _answering(model, policy, rng)
    return asking.besieged(
        held, TARGET, rule(replace(model.attacker, policy=policy)), answering, rng, TRIES
    )


@once
def siege(model: TrackerModel) -> asking.Siege:
    """The attack under the rule that is looked at; remembered."""
    return sieges(model)[model.attacker.policy][0]


@once
def sieges(model: TrackerModel) -> dict[str, tuple[asking.Siege, ...]]:
    """The attack under every rule, where chance is in it several times; remembered, but for those
    that know ε."""
    attacker, looked = model.attacker, model.looked
    noisy, chance = ("output", "data"), ("output", "data", "audit", "overlap")
    times = looked.effort.of_draws(REPEATS, 2)

    def made(policy: str) -> tuple[asking.Siege, ...]:
        many = times if policy in chance else 1
        return tuple(_besieged(model, policy, again) for again in range(many))

    key = "console", looked.seed, times, attacker.least, attacker.shared, attacker.base
    known: dict[str, tuple[asking.Siege, ...]] = {}
    for policy in POLICIES:
        more = (model.asked.mechanism.epsilon,) if policy in noisy else ()
        known[policy] = model.data.remember((*key, policy, *more), partial(made, policy))
    return known


def off(model: TrackerModel, policy: str) -> float:
    """How far off the attacker is, half of the time at least, in parts of the public range."""
    return float(np.median([_off(model, one) for one in sieges(model)[policy]]))


def off_here(model: TrackerModel) -> float:
    """How far off the attacker of the log is."""
    return _off(model, siege(model))


def _off(model: TrackerModel, one: asking.Siege) -> float:
    share = abs(taken(one) - salary(model)) / (HIGH - LOW)
    return share if share > EXACT else 0.0


def goes_around(model: TrackerModel) -> bool:
    """Whether the four sums of the tracker are answered where the person alone is not."""
    return all(entry.answer is not None for entry in siege(model).log if entry.how == "tracker")


def taken(siege: asking.Siege) -> float:
    """What the attacker takes the salary to be, who knows the public bounds."""
    return min(HIGH, max(LOW, siege.estimate))


def offs(model: TrackerModel) -> Array:
    """That under every rule, in %."""
    return array([100 * off(model, policy) for policy in POLICIES])


@once
def analyst(model: TrackerModel) -> Array:
    """How far off the sum of half of the people is under every rule, in % of the exact one."""
    half = np.arange(PEOPLE) % 2 == 0
    exact, found = float(salaries(model)[half].sum()), []
    for policy in POLICIES:
        errors = []
        for again in range(max(2, model.looked.effort.of_draws(REPEATS, 2))):
            rng = model.looked.generator(60 + again)
            told = float(_held(model, policy, rng)[half].sum())
            errors.append(abs(_answering(model, policy, rng)(told, half) - exact))
        found.append(100 * float(np.median(errors)) / exact)
    return array(found)


def guess(model: TrackerModel) -> float:
    """How far off the mean of all is, which the attacker knows before, in % of the range."""
    return 100 * abs(float(salaries(model).mean()) - salary(model)) / (HIGH - LOW)


def people_of(who: console.Mask) -> int:
    """How many are asked about."""
    return int(np.count_nonzero(who))


def asked_of(model: TrackerModel) -> tuple[int, int]:
    """How many questions were asked under the rule, and how many of them denied."""
    return len(siege(model).log), siege(model).denied


# The tracker through noise: is the person a yes, by the four counts of a tracker?
_FOUR = Sensitivity(4.0, 2.0, 1.0, l0=4, dims=4, moves=((1.0,) * 4,))
_SIGNS = np.array([1.0, 1.0, -1.0, -1.0])
_SEEN = 3  # of the four sets hold the person


def _hits(model: TrackerModel, mechanism: Additive) -> int:
    size = model.looked.draws()
    sides = [mechanism.noise(model.looked.generator(s), _FOUR, size, 4) @ _SIGNS for s in (13, 14)]
    return int(np.count_nonzero(sides[0] >= -0.5) + np.count_nonzero(sides[1] < 0.5))


def best_right(mechanism: Additive) -> float:
    """How often the best attacker is right who knows all others: three of the four counts hold the
    person."""
    return right_at_best(mechanism, joint([(mechanism.law(_FOUR), (1.0,) * _SEEN)]).advantage)


@once
def success(model: TrackerModel) -> Success:
    """How often the tracker is right about a yes, against ε of its four counts together."""
    mechanism, looked = model.asked.mechanism, model.looked
    epsilons = budgets(looked.effort)
    at = [mechanism.at(e, mechanism.total_delta) for e in epsilons.tolist()]

    def made() -> Success:
        hits = [_hits(model, each) for each in at]
        best = array([best_right(each) for each in at])
        told = guessing.measured(hits, 2 * looked.draws(), looked.confidence)
        return Success(epsilons, promised(mechanism, epsilons), best, None, told)

    return model.data.remember(("tracker", at[0], looked), made)


@once
def here(model: TrackerModel) -> tuple[float, float, float]:
    """At the ε in use: how often the tracker is right, how far off that may be of 100, and how
    often the best attacker is right."""
    hits, tests = _hits(model, model.asked.mechanism), 2 * model.looked.draws()
    told = guessing.measured(hits, tests, model.looked.confidence)
    return hits / tests, give_or_take(told), best_right(model.asked.mechanism)
