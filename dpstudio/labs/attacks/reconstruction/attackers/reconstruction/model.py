"""The attacker who asks for counts of many random groups and solves for everybody's bit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.attacks.attackers import attacker as attackers_attacker
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.privacy.attacks.answers import GroupAnswers as Told
from dpstudio.privacy.attacks.answers import asked as ask
from dpstudio.privacy.attacks.answers import least_absolute, recovered, solver
from dpstudio.privacy.attacks.guessing import Guesses, mean_of_runs
from dpstudio.privacy.mechanisms.additive import Additive, Sensitivity
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.neighbours.joint import joint
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.problem import Problem

SQUARES, PROGRAM = "squares", "program"
METHODS = {SQUARES: N_("least squares"), PROGRAM: N_("a linear program")}
RUNS, RUNS_PROGRAM, FEW = 12, 3, 3
NOISES = 25  # for each set of people: cheap, where all are solved by one product
MOST_CELLS = 60_000  # n·m up to which a linear program takes less than a second
_SHARES = (0.05, 0.125, 0.25, 0.375, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
_TIMES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


class Reconstruction(attackers_attacker.Attacker):
    """Everybody's secret bit from counts of random halves."""

    key = "reconstruction"
    label = N_("Reconstruction")
    what = say(
        "Asks how many of many random halves of the people have a secret bit, and solves for all "
        "bits at once. ε is that of all answers together."
    )
    source = "Dinur & Nissim 2003; Dwork, McSherry & Talwar 2007"

    people: int = integer(
        100, N_("People n"), N_("Each has a secret bit."), low=20, high=400, log=True
    )
    questions: int = integer(
        400, N_("Questions m"), N_("How many counts are asked for."), low=20, high=2000, log=True
    )
    method: str = choice(
        SQUARES, N_("Solves by"), N_("How bits are found from counts."), options=METHODS
    )
    noise: float = real(
        0.5,
        N_("Noise that stays, in √n"),
        N_(
            "Of the chart against the number of questions alone: the standard deviation of the "
            "noise of one answer on the curve where it stays, whatever ε is."
        ),
        low=0.01,
        high=4.0,
    )

    def problems(
        self, asked: attackers_attacker.AttackedQuestion, question: MeasuredQuestion | None
    ) -> Iterator[Problem]:
        if self.method == PROGRAM and self.people * self.questions > MOST_CELLS:
            text = N_("A linear program of n·m > {most} takes too long. Choose least squares.")
            yield Problem("attacker.method", say(text, most=Num(MOST_CELLS)))

    def stages(
        self,
        asked: attackers_attacker.AttackedQuestion,
        looked: attackers_attacker.Replays,
        context: Context,
    ) -> Iterator[ReconstructionModel]:
        slow, effort = self.method == PROGRAM, looked.effort
        few = replace(looked, effort=replace(effort, points=effort.points / 3, draws=0.15))
        whole = few if slow else looked
        for each, last in ((few, slow), (whole, True))[slow:]:
            model = ReconstructionModel(self, asked, each, context.data, context.check, last)
            yield model


@dataclass(frozen=True, eq=False)
class ReconstructionModel:
    """One state of the attack; the secret bits are fair coins, no row of the table. `whole`: no
    better one comes."""

    attacker: Reconstruction
    asked: attackers_attacker.AttackedQuestion
    looked: attackers_attacker.Replays
    data: Dataset
    check: Callable[[], None]
    whole: bool


def runs(model: ReconstructionModel) -> int:
    """How many times people, groups and noise are drawn anew."""
    full = RUNS_PROGRAM if model.attacker.method == PROGRAM else RUNS
    return model.looked.effort.of_draws(full, FEW)


@dataclass(frozen=True, eq=False)
class Run:
    """One set of people: their bits, the groups that are asked about, and the exact counts."""

    bits: Array
    told: Told
    solver: Array

    def share(self, noise: Array, method: str) -> float:
        """The share of bits that are recovered from the counts with each noise, (draws,
        questions), on average."""
        answers = self.told.answers + noise
        if method == PROGRAM:
            guesses = [least_absolute(Told(self.told.groups, each)) for each in answers]
            return float(np.mean([recovered(self.bits, guess) for guess in guesses]))
        # One by one: a product for all would be shared among threads, which wait for each other.
        found = np.array([self.solver @ each for each in answers])
        return float(np.mean((found > 0.5) == (self.bits > 0.5)))


def _sets(model: ReconstructionModel, questions: int) -> tuple[Run, ...]:
    """People and groups, the same at every noise; remembered."""
    people, many, looked = model.attacker.people, runs(model), model.looked

    def made() -> tuple[Run, ...]:
        rng, found = looked.generator(4), []
        for _ in range(many):
            bits = rng.integers(0, 2, people).astype(np.float64)
            told = ask(bits, questions, np.zeros(questions), rng)
            found.append(Run(bits, told, solver(told.groups)))
        return tuple(found)

    return OF_NO_TABLE.remember(("reconstruction", people, questions, many, looked.seed), made)


def sensitivity(questions: int) -> Sensitivity:
    """Of all counts together: one person may be in every group."""
    m = questions
    return Sensitivity(float(m), math.sqrt(m), 1.0, l0=m, dims=m, moves=((1.0,) * m,))


def _law(model: ReconstructionModel, mechanism: Additive, questions: int) -> Law:
    return mechanism.law(sensitivity(questions))


def noises(model: ReconstructionModel) -> int:
    """How many noises each set of people is answered with."""
    if model.attacker.method == PROGRAM:
        return 1
    return model.looked.effort.of_draws(NOISES, FEW)


def interval(model: ReconstructionModel, shares: Array) -> Guesses:
    """The mean of the shares of each set of people, (…, runs), and between what it lies."""
    return mean_of_runs(shares, model.looked.confidence, noises(model))


def _each(model: ReconstructionModel, questions: int, noise: Callable[[], Array]) -> Array:
    """The recovered share of each set of people with noises, (draws, questions), of its own."""
    found = []
    for run in _sets(model, questions):
        model.check()
        found.append(run.share(noise(), model.attacker.method))
    return array(found)


def _shares(model: ReconstructionModel, mechanism: Additive, questions: int) -> Array:
    """Recovered shares of each run through the mechanism, (runs,)."""
    rng, many = model.looked.generator(5), noises(model)
    return _each(
        model, questions, lambda: mechanism.noise(rng, sensitivity(questions), many, questions)
    )


def best_right(mechanism: Additive, law: Law, times: int) -> float:
    """The share that the best attacker has right of somebody in so many groups who knows all
    others' bits: by the exact law of all answers."""
    return attackers_attacker.right_at_best(mechanism, joint([(law, (1.0,) * times)]).advantage)


def _most_groups(model: ReconstructionModel, questions: int) -> int:
    """In how many groups anybody is at most."""
    sets = _sets(model, questions)
    return int(max(run.told.groups.sum(axis=0).max() for run in sets))


@once
def success(model: ReconstructionModel) -> attackers_attacker.Success:
    """The recovered share against ε; remembered for all ε."""
    attacker, looked, questions = model.attacker, model.looked, model.attacker.questions
    mechanism = model.asked.mechanism
    at = [
        mechanism.at(e, mechanism.total_delta)
        for e in attackers_attacker.budgets(looked.effort).tolist()
    ]

    def made() -> attackers_attacker.Success:
        shares = array([_shares(model, each, questions) for each in at])
        most = _most_groups(model, questions)
        best = array([best_right(each, _law(model, each, questions), most) for each in at])
        return attackers_attacker.Success(
            attackers_attacker.budgets(looked.effort),
            attackers_attacker.promised(mechanism, attackers_attacker.budgets(looked.effort)),
            best,
            None,
            interval(model, shares),
        )

    key = ("reconstruction", replace(attacker, noise=1.0), at[0], looked, len(at))
    return OF_NO_TABLE.remember(key, made)


@once
def within(model: ReconstructionModel) -> float:
    """How far the recovered share at the ε in use may be off, at the confidence; of 100."""
    shares = _shares(model, model.asked.mechanism, model.attacker.questions)
    return attackers_attacker.give_or_take(interval(model, shares))


@once
def exactly(model: ReconstructionModel) -> float:
    """The share of bits that this attack recovers from exact counts, on average."""
    questions = model.attacker.questions
    return float(_each(model, questions, lambda: np.zeros((1, questions))).mean())


@once
def share_here(model: ReconstructionModel) -> float:
    """The recovered share at the ε in use."""
    return float(_shares(model, model.asked.mechanism, model.attacker.questions).mean())


@once
def here(model: ReconstructionModel) -> tuple[float, float, float]:
    """At the ε in use: the recovered share, the best attacker's, and at most by ε and δ."""
    mechanism, questions = model.asked.mechanism, model.attacker.questions
    law, most = _law(model, mechanism, questions), _most_groups(model, questions)
    best = best_right(mechanism, law, most)
    most_right = attackers_attacker.promised(mechanism, array([mechanism.epsilon]))
    return share_here(model), best, float(most_right[0])


@once
def noise_here(model: ReconstructionModel) -> float:
    """The standard deviation of the noise of one answer at the ε in use, in √n."""
    law = _law(model, model.asked.mechanism, model.attacker.questions)
    return math.sqrt(law.variance / model.attacker.people)


@dataclass(frozen=True, eq=False)
class Against:
    """Recovered shares against something, (points,), with the interval of their mean."""

    x: Array
    told: Guesses


def _with_noise(model: ReconstructionModel, questions: int, share: float) -> Array:
    """Recovered shares of each run, (runs,), with Laplace noise of that standard deviation in
    √n."""
    law = LaplaceLaw(share * math.sqrt(model.attacker.people / 2))
    rng, many = model.looked.generator(6), noises(model)
    return _each(
        model, questions, lambda: law.sample(rng, many * questions).reshape(many, questions)
    )


@once
def against_noise(model: ReconstructionModel) -> Against:
    """The recovered share against the standard deviation of Laplace noise, in √n; remembered."""
    attacker, looked = model.attacker, model.looked

    def made() -> Against:
        shares = [_with_noise(model, attacker.questions, each) for each in _SHARES]
        return Against(array(_SHARES), interval(model, array(shares)))

    key = ("reconstruction noise", replace(attacker, noise=1.0), looked, runs(model))
    return OF_NO_TABLE.remember(key, made)


@once
def asked_more(model: ReconstructionModel) -> tuple[Against, Against]:
    """The recovered share against the number of questions: where the noise of each answer stays,
    and where ε of all together stays."""
    attacker, looked, mechanism = model.attacker, model.looked, model.asked.mechanism
    times = _TIMES if model.whole and attacker.method == SQUARES else _TIMES[1:6:2]
    many = [max(10, round(each * attacker.people)) for each in times]
    many = [each for each in many if each <= 2000 and each * attacker.people <= 400_000]

    def stays() -> Against:
        shares = [_with_noise(model, each, attacker.noise) for each in many]
        return Against(array(many), interval(model, array(shares)))

    def shared() -> Against:
        shares = [_shares(model, mechanism, each) for each in many]
        return Against(array(many), interval(model, array(shares)))

    key = ("reconstruction questions", attacker, looked, tuple(many))
    return OF_NO_TABLE.remember(key, stays), OF_NO_TABLE.remember((*key, mechanism), shared)
