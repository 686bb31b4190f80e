"""The attacker who asks of a model whether it learnt from somebody, by losses and by shadow
models."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dpstudio.charts.figure import Array, array
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.attacks.attackers import attacker as attackers_attacker
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.privacy.attacks import shadow
from dpstudio.privacy.attacks.guessing import Guesses, mean_of_runs
from dpstudio.privacy.learning.logistic_noise import add_remove, output_scale, unit_noise
from dpstudio.privacy.mechanisms.additive import Additive, Sensitivity
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, GaussianLaw
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.neighbours.ball import ball
from dpstudio.privacy.neighbours.one_number import pair_of
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.messages import N_, say

STEPS = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
RIDGES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
ALARMS = 0.01
WEIGHTS, STEPWISE, DELTA = "weights", "steps", 1e-5
_ONE = Sensitivity(1.0, 1.0, 1.0)


class Shadows(attackers_attacker.Attacker):
    """Members of what a model learnt from."""

    key = "shadows"
    label = N_("Members of a model")
    what = say(
        "A logistic model of invented people tells how sure it is of everybody’s label. Who trains "
        "shadow models with a person and without compares. Private models have noise of their "
        "own, whatever the mechanism."
    )
    source = "Yeom et al. 2018; Shokri et al. 2017; Carlini et al. 2022"

    people: int = integer(
        120, N_("People"), N_("A model learns from half of them."), low=40, high=1000, log=True
    )
    numbers: int = integer(
        30, N_("Numbers"), N_("What is known of each person."), low=2, high=60, log=True
    )
    models: int = integer(
        64,
        N_("Models"),
        N_("Half of them are the attacker’s own shadows, the others are attacked."),
        low=32,
        high=128,
        log=True,
    )
    ridge: float = real(
        0.1, N_("Λ"), N_("How strongly a model is held at 0."), low=0.001, high=100, log=True
    )

    private: str = choice(
        WEIGHTS,
        N_("Private by"),
        N_("Vector noise on the weights (δ = 0), or normal noise in each step (δ = 10⁻⁵)."),
        options={WEIGHTS: N_("noise on weights"), STEPWISE: N_("noise in each step")},
    )
    steps: int = integer(
        30,
        N_("Steps"),
        N_("Each along everybody’s gradient."),
        low=1,
        high=200,
        log=True,
        active_when=("private", STEPWISE),
    )

    @property
    def own_noise(self) -> bool:
        return True

    def stages(
        self,
        asked: attackers_attacker.AttackedQuestion,
        looked: attackers_attacker.Replays,
        context: Context,
    ) -> Iterator[ShadowsModel]:
        for whole in (False, True):
            context.check()
            yield ShadowsModel(self, asked, looked, context.check, whole)


@dataclass(frozen=True, eq=False)
class ShadowsModel:
    """One state of the attack; its people are invented. The `whole` one has models of every Λ."""

    attacker: Shadows
    asked: attackers_attacker.AttackedQuestion
    looked: attackers_attacker.Replays
    check: Callable[[], None]
    whole: bool


@once
def people(model: ShadowsModel) -> shadow.Crowd:
    """Who is learnt from, by each model."""
    attacker, rng = model.attacker, model.looked.generator(9)
    return shadow.crowd(rng, attacker.people, attacker.numbers, attacker.models)


def _weights(model: ShadowsModel, ridge: float) -> Array:
    """The exact weights of each model; remembered."""
    attacker = model.attacker
    key = "shadows", attacker.people, attacker.numbers, attacker.models, model.looked.seed, ridge
    model.check()
    return OF_NO_TABLE.remember(key, lambda: shadow.learnt(people(model), ridge))


def _private(model: ShadowsModel, epsilon: float) -> Array:
    """Weights with noise that keeps ε, for adding or removing one person."""
    attacker, rng = model.attacker, model.looked.generator(10)
    model.check()
    if attacker.private == STEPWISE:
        each = _step_noise(epsilon) * math.sqrt(attacker.steps)
        return shadow.descended(people(model), attacker.ridge, each, attacker.steps, rng)
    exact = _weights(model, attacker.ridge)
    noise = unit_noise(rng, *exact.shape)
    return exact + output_scale(epsilon, add_remove(attacker.ridge)) * noise


def _step_noise(epsilon: float) -> float:
    """The normal noise that keeps ε and δ for one step; √steps times as much in each does for all
    together, for everybody is in every step (Dong, Roth & Su 2022)."""
    return float(AnalyticGaussian(epsilon=epsilon, delta=DELTA).law(_ONE).sigma)


@dataclass(frozen=True, eq=False)
class AttackScores:
    """What both attacks get right of each model, (models,)."""

    shadows: Array
    loss: Array


def _shadows(model: ShadowsModel) -> int:
    """How many models are the attacker's own. They are no targets: what is measured of each target
    is then independent of the others, given these."""
    return model.attacker.models // 2


def _attacked(model: ShadowsModel, confidence: Array) -> AttackScores:
    member, own = people(model).member, _shadows(model)
    scores, targets = shadow.by_loss(confidence), member[own:]
    at = shadow.loss_threshold(scores[:own], member[:own])
    return AttackScores(
        shadow.right_by_model(_scores(model, confidence), targets, 0.0),
        shadow.right_by_model(scores[own:], targets, at),
    )


def _scores(model: ShadowsModel, confidence: Array) -> Array:
    own = _shadows(model)
    return shadow.by_shadows(confidence[:own], people(model).member[:own], confidence[own:])


@once
def success(model: ShadowsModel) -> tuple[attackers_attacker.Success, Guesses]:
    """Right guesses by shadow models against ε, and those by the loss alone; remembered."""
    attacker, looked = model.attacker, model.looked

    def made() -> tuple[attackers_attacker.Success, Guesses]:
        epsilons = attackers_attacker.budgets(looked.effort)
        told = [
            _attacked(model, shadow.confidences(people(model), _private(model, e)))
            for e in epsilons.tolist()
        ]
        shadows, loss = (
            mean_of_runs(array(each), looked.confidence)
            for each in ([t.shadows for t in told], [t.loss for t in told])
        )
        best = array([best_right(model, e) for e in epsilons.tolist()])
        return attackers_attacker.Success(
            epsilons, attackers_attacker.promised(own_noise(model), epsilons), best, None, shadows
        ), loss

    return OF_NO_TABLE.remember(("shadows", attacker, looked), made)


def best_right(model: ShadowsModel, epsilon: float) -> float:
    """How often the best attacker is right, who knows all others: on the weights, which one person
    moves by at most 1/Λ, or on all steps of a training, whose gradients one moves by 1."""
    if model.attacker.private == STEPWISE:
        return (1 + pair_of(GaussianLaw(_step_noise(epsilon)), 1.0).advantage) / 2
    return (1 + ball(epsilon, model.attacker.numbers + 1).advantage) / 2


def own_noise(model: ShadowsModel) -> Additive:
    """What has the same δ as the models."""
    return AnalyticGaussian(delta=DELTA) if model.attacker.private == STEPWISE else Laplace()


@dataclass(frozen=True, eq=False)
class Roc:
    """True against false positives, and the mean of the true ones of all models with 1 % of false
    ones."""

    alarms: Array
    found: Array
    few: Guesses


def _roc(model: ShadowsModel, confidence: Array) -> Roc:
    member = people(model).member[_shadows(model) :]
    scores = _scores(model, confidence)
    few = mean_of_runs(shadow.found_with(scores, member, ALARMS), model.looked.confidence)
    alarms, found = shadow.roc(scores, member)
    return Roc(array(alarms), array(found), few)


@once
def rocs(model: ShadowsModel) -> tuple[Roc, Roc]:
    """Of shadow models, on exact weights and at the ε in use."""
    exact = shadow.confidences(people(model), _weights(model, model.attacker.ridge))
    noisy = shadow.confidences(people(model), _private(model, model.asked.mechanism.epsilon))
    return _roc(model, exact), _roc(model, noisy)


@once
def here(model: ShadowsModel) -> tuple[float, float, float, float]:
    """Right guesses by shadow models: on exact weights, at the ε in use, how far off these may be
    of 100, and the best there."""
    epsilon = model.asked.mechanism.epsilon
    exact = shadow.confidences(people(model), _weights(model, model.attacker.ridge))
    noisy = shadow.confidences(people(model), _private(model, epsilon))
    found = [_attacked(model, each).shadows for each in (exact, noisy)]
    within = attackers_attacker.give_or_take(mean_of_runs(found[1], model.looked.confidence))
    return float(found[0].mean()), float(found[1].mean()), within, best_right(model, epsilon)


@once
def accuracy(model: ShadowsModel) -> tuple[float, float]:
    """Labels told right of who was not learnt from: by exact models and at the ε in use."""
    out = ~people(model).member
    both = []
    for weights in (
        _weights(model, model.attacker.ridge),
        _private(model, model.asked.mechanism.epsilon),
    ):
        both.append(shadow.labels_right(shadow.confidences(people(model), weights)[out]))
    return both[0], both[1]


@dataclass(frozen=True, eq=False)
class Against:
    """Right guesses of both attacks against something, (points,), and the share of labels that the
    models tell right of others."""

    x: Array
    shadows: Guesses
    loss: Guesses
    score: Array


def _against(model: ShadowsModel, x: tuple[float, ...], each: list[Array]) -> Against:
    told, out = [_attacked(model, confidence) for confidence in each], ~people(model).member
    return Against(
        array(x),
        mean_of_runs(array([t.shadows for t in told]), model.looked.confidence),
        mean_of_runs(array([t.loss for t in told]), model.looked.confidence),
        array([shadow.labels_right(confidence[out]) for confidence in each]),
    )


@once
def coarsened(model: ShadowsModel) -> Against:
    """Against the grid to which exact models round what they tell; 1 is the label alone."""
    exact = shadow.confidences(people(model), _weights(model, model.attacker.ridge))
    each = [shadow.coarse(exact, step) for step in STEPS]
    return _against(model, STEPS, each)


@once
def held(model: ShadowsModel) -> Against:
    """Against how strongly exact models are held at 0."""
    each = [shadow.confidences(people(model), _weights(model, ridge)) for ridge in RIDGES]
    return _against(model, RIDGES, each)
