"""Certificates: what Composition calls certified, proved, true or false, and what Explore says that
answers cost, against losses taken straight from the densities of the mechanisms and convolved by one
plain transform; the zones of the texts' formula by brute force."""

import itertools
import math
import random
from functools import cache

import numpy as np
import pandas as pd
import pytest
from random_states import random_state
from running import little, opened
from scipy import special

from dpstudio.data.codebook import codebook_words
from dpstudio.data.dataset import Dataset
from dpstudio.labs import series
from dpstudio.labs.many_answers.composition import certificate, parameters, shortcut
from dpstudio.labs.many_answers.composition.model import composition_model, tightest
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.release_list import Line, Parts, lines
from dpstudio.privacy.accounting import ACCOUNTANTS, REPLACE, Ledger, Numeric, Spend, shortcut_zones
from dpstudio.privacy.accounting.losses import worst_of
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.privacy.mechanisms import MECHANISMS, Additive, Sensitivity
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.values.messages import raw, render

FRAME = pd.DataFrame({"who": [1, 1, 2, 3], "x": [1.0, 2.0, 3.0, 4.0]})
ALONE = Dataset(FRAME, "one row each")
SEVERAL = ALONE.described(codebook_words((), "who", "3"))
PLACES = 1 << 14
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
Loss = tuple[np.ndarray, np.ndarray, float]


@cache
def losses(
    mechanism: Additive, rows: int, shift: float, chance: float = 1.0, joins: bool = True
) -> Loss:
    """(losses, their masses, mass that is lost) of a number that moves by `shift`, from the density
    alone: the logarithm of its ratio to the moved one, at every node of a fine grid. It moves with
    a chance where that is below 1, of who joins or who leaves; such a mechanism loses nothing."""
    law = mechanism.law(Sensitivity(float(rows), float(rows), float(rows)))
    leak = sum(mass for _, mass in law.atoms)
    reach = 60 * law.mean_abs / (1 - leak) + 2 * shift
    if law.discrete:
        x = np.arange(-math.ceil(reach) - 1, math.ceil(reach) + 2, dtype=np.float64)
        width = np.ones_like(x)
    else:
        kinks = law.kinks(-reach, reach)
        ends = np.unique(np.concatenate([np.linspace(-reach, reach, 1501), kinks, kinks + shift]))
        half = np.diff(ends)[:, None] / 2
        x = (ends[:-1, None] + half * (1 + NODES)).ravel()
        width = (half * WEIGHTS).ravel()
    here, there = law.density(x), law.density(x - shift)
    there = (1 - chance) * here + chance * there if chance < 1 else there
    here, there = (here, there) if joins else (there, here)
    seen = here * width > 1e-18
    with np.errstate(divide="ignore"):
        found = np.log(here[seen]) - np.log(there[seen])
    sure = np.isfinite(found)
    masses = (here * width)[seen]
    return found[sure], masses[sure], leak + float(masses[~sure].sum())


def least_epsilon(parts: list[tuple[Loss, int]], delta: float) -> float:
    """The least ε at δ of independent releases, by one transform of their losses, each shared out
    between its two neighbours on a lattice."""
    top = sum(k * float(np.abs(x).max()) for (x, _, _), k in parts)
    spread = math.sqrt(sum(k * float(p @ x**2) for (x, p, _), k in parts))
    mean = sum(k * float(p @ x) for (x, p, _), k in parts)
    top = min(
        top, abs(mean) + 14 * spread + 3 * max(float(np.abs(x).max()) for (x, _, _), _ in parts)
    )
    step = 2.2 * top / PLACES
    total = np.ones(PLACES // 2 + 1, dtype=np.complex128)
    lost = 0.0
    for (x, p, gone), k in parts:
        at = x / step
        low = np.floor(at)
        row = np.zeros(PLACES)
        np.add.at(row, low.astype(int) % PLACES, p * (1 - (at - low)))
        np.add.at(row, (low.astype(int) + 1) % PLACES, p * (at - low))
        total *= np.fft.rfft(row) ** k
        lost = 1 - (1 - lost) * (1 - gone) ** k
    masses = np.maximum(np.fft.irfft(total, PLACES), 0)
    places = step * np.concatenate([np.arange(PLACES // 2), np.arange(-PLACES // 2, 0)])

    def above(epsilon: float) -> bool:
        return (
            lost + float(masses @ np.maximum(-np.expm1(np.minimum(epsilon - places, 0)), 0)) > delta
        )

    low, high = 0.0, top
    if not above(0.0):
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return high


def by_density(state: parameters.Composition, rows: int) -> float:
    """The total ε of the state at its total δ: the most over every choice of parts that one person
    may touch."""
    model = composition_model(state, ALONE)
    always = [
        (losses(e.mechanism, rows, float(rows)), e.times)
        for e in model.entries
        if isinstance(e, Line)
    ]
    picked = [
        itertools.combinations(
            [(losses(one.mechanism, rows, float(rows)), one.times * e.times) for one in lines(e)],
            min(2 if state.adjacency == REPLACE else 1, len(lines(e))),
        )
        for e in model.entries
        if isinstance(e, Parts)
    ]
    return max(
        least_epsilon([*always, *itertools.chain(*some)], model.delta)
        for some in itertools.product(*picked)
    )


def made(seed: int) -> parameters.Composition:
    """A random state of Composition that one transform can follow: at most 300 answers of at most
    ε = 4, every third a list with brackets; all bounds, δ far above rounding."""
    rng = random.Random(seed)
    kinds = list(MECHANISMS)

    def one() -> Additive:
        kind = kinds[(seed + rng.randrange(2) * 3) % len(kinds)]
        epsilon = round(math.exp(rng.uniform(math.log(0.05), math.log(4))), 4)
        delta = 10 ** rng.uniform(-6, -3)
        return kind(epsilon=epsilon) if kind.pure else kind(epsilon=epsilon, delta=delta)

    state = random_state(parameters.Composition, seed, ALONE).with_(
        given="equal",
        mechanism=one(),
        answers=rng.choice([1, 2, 7, 40, 176, 300]),
        delta_prime=10 ** rng.uniform(-6, -2),
        bounds=("sequential", "renyi", "pld", "shortcut"),
        adjacency=rng.choice(["add_remove", REPLACE]),
        view_k=300,
    )
    if seed % 3 == 0:
        listed = [f"{rng.randint(1, 9)} x {Line(1, one())}" for _ in range(2)]
        bracket = f"({Line(1, one())} + {Line(1, one())} + {Line(1, one())})"
        state = state.with_(given="list", releases=" | ".join([*listed, bracket]))
    return state


@pytest.mark.parametrize("seed", range(9))
def test_what_is_certified_is_so(seed: int) -> None:
    """Both ends against the density's own losses, and the tightest bound never below; with several
    rows a person nothing is certified of brackets."""
    state = made(seed)
    for data, rows in ((ALONE, 1), (SEVERAL, 3)):
        # Only integer noise and brackets are other than for one row.
        if rows > 1 and state.given == "equal" and not state.mechanism.integers:
            continue
        model = composition_model(state, data, fine=True)
        found = certificate.certified(model)
        if found is None or model.delta > 0.5:
            continue
        unknown = state.given == "equal" and state.mechanism.worst(UNIT) is None
        if unknown or (rows > 1 and state.given == "list"):
            assert not found.attained
            continue
        true = by_density(state, rows)
        hair = 2e-3 * true + 1e-3
        assert found.attained
        assert found.low <= true + hair, render(str(state))
        assert true - hair <= found.high, render(str(state))
        assert found.high - found.low <= 0.02 * true + 0.01
        assert tightest(model).epsilon >= true - hair
        if shortcut.stand(model) == "noise":
            assert true <= shortcut.claimed(model) < shortcut.optimum(model)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_certified_of_samples_is_so(seed: int) -> None:
    """Of who joins and of who leaves, each in all answers alike; of three rows each, too."""
    rng = random.Random(seed)
    kinds = [kind for kind in MECHANISMS if not kind(epsilon=1.0).total_delta]
    kinds += [kind for kind in MECHANISMS if kind.key in ("analytic_gaussian", "gaussian")]
    some = []
    for _ in range(3):
        kind, epsilon = rng.choice(kinds), round(math.exp(rng.uniform(-2, 1)), 3)
        noise = kind(epsilon=epsilon) if kind.pure else kind(epsilon=epsilon, delta=1e-4)
        some.append(Line(rng.randint(1, 60), noise, chance=rng.choice([0.02, 0.3, 0.9, 1.0])))
    state = parameters.Composition(given="list", releases=tuple(some), delta_prime=1e-4).with_(
        bounds=("sequential", "renyi", "pld"), adjacency="add_remove"
    )
    for data, rows in ((ALONE, 1), (SEVERAL, 3)):
        model = composition_model(state, data, fine=True)
        found = certificate.certified(model)
        assert found is not None
        true = max(
            least_epsilon(
                [
                    (losses(one.mechanism, rows, float(rows), one.chance, joins), one.times)
                    for one in some
                ],
                model.delta,
            )
            for joins in (False, True)
        )
        hair = 2e-3 * true + 1e-3
        assert tightest(model).epsilon >= true - hair
        assert true - hair <= found.high
        assert not found.attained or found.low <= true + hair


EVERY = tuple(kind.key for kind in ACCOUNTANTS)


def test_the_case_that_was_wrong() -> None:
    """In one dimension L2-norm noise is Laplace noise: 176 answers cost 107.58, not 127.64."""
    found = little(
        parameters.Composition(answers=176, delta_prime=1e-5, bounds=EVERY).with_(
            mechanism=_kind("l2norm")(epsilon=1.0)
        ),
        ALONE,
    )
    said = found.sentence("numeric").say
    assert "certified" in said.text
    assert raw(said.values["low"]) == pytest.approx(107.58, abs=0.005)
    assert raw(said.values["high"]) == pytest.approx(107.58, abs=0.01)
    assert found.sentence("shortcut").tone == "warn"


def _kind(key: str) -> type[Additive]:
    return next(kind for kind in MECHANISMS if kind.key == key)


class Unknown(_kind("laplace")):  # type: ignore[misc]
    """Noise that declares no loss of its own."""

    key = "unknown"

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> None:
        return None


def test_an_unknown_loss_is_an_upper_bound_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mechanism that says nothing of its loss, and one whose worst neighbours are not known: no
    number is about "these very mechanisms"."""
    monkeypatch.setattr("dpstudio.privacy.mechanisms.MECHANISMS", [*MECHANISMS, Unknown])
    monkeypatch.setattr(series, "MECHANISMS", [*MECHANISMS, Unknown])
    state = parameters.Composition(answers=20).with_(mechanism=Unknown(epsilon=1.0))
    said = little(state, ALONE).sentence("numeric").say
    assert "certified" not in said.text
    assert "upper bound" in said.text
    assert raw(said.values["high"]) >= by_density(state, 1)


@pytest.mark.parametrize("seed", range(8))
def test_what_explore_says_many_answers_cost_is_enough(seed: int) -> None:
    """ε at δ of k counts by this very noise is no more than what is said."""
    rng = random.Random(seed)
    kind = MECHANISMS[seed % len(MECHANISMS)]
    epsilon, delta = round(math.exp(rng.uniform(-2.5, 1)), 3), 10 ** rng.uniform(-5, -3)
    noise = kind(epsilon=epsilon) if kind.pure else kind(epsilon=epsilon, delta=delta)
    k = rng.choice([2, 9, 80])
    found = little(Explore(mechanism=noise, answers=k, delta_prime=1e-5), opened("adult"))
    said = found.sentence("cost").say.values
    if "total" in said:  # not where the promise itself is false
        at = max(float(said["delta"].value), 1e-7)
        true = least_epsilon([(losses(noise, 1, 1.0), k)], at)
        assert said["total"].value >= true * (1 - 2e-3) - 1e-3


# How one person can move the coordinates of an answer: its norms, how many at once, and the moves.
SHAPES = (
    Sensitivity(1.0, 1.0, 1.0),
    Sensitivity(3.0, 3.0, 3.0),
    Sensitivity(2.0, math.sqrt(2), 1.0, l0=2, dims=2, moves=((1.0, 1.0),)),
    Sensitivity(3.0, math.sqrt(5), 2.0, l0=2, dims=2, moves=((2.0, 1.0), (1.0, 1.0))),
    Sensitivity(2.0, 2.0, 2.0, l0=2, dims=5, moves=((2.0,), (1.0, 1.0))),
)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_a_declared_loss_dominates_every_move(kind: type[Additive]) -> None:
    """At every ε δ is at least that of each move, coordinate by coordinate and smaller ones too;
    where it is attained some move has just that δ. (L2-norm noise of several numbers depends on
    all: only ε is used of it.)"""
    mechanism = kind(epsilon=1.3) if kind.pure else kind(epsilon=1.3, delta=1e-3)
    for shape in SHAPES:
        spend = Spend.of(mechanism, shape)
        attained = worst_of(spend).attained
        if mechanism.key == "l2norm" and shape.dims > 1:
            assert not attained
            continue
        moves = [m for move in shape.patterns for m in (move, tuple(s / 2 for s in move))]
        if mechanism.integers:
            moves = [move for move in moves if all(s == round(s) for s in move)]
        gaps = []
        for epsilon in (0.2, 1.1):
            most = Numeric().delta(Ledger((spend,)), epsilon)
            each = [_moved_delta(mechanism, shape, move, epsilon) for move in moves]
            assert max(each) <= most * (1 + 3e-3) + 1e-9, (shape, epsilon)
            gaps.append(max(each) >= most * (1 - 5e-3) - 1e-9)
        assert not attained or all(gaps), shape


def _moved_delta(
    mechanism: Additive, shape: Sensitivity, move: tuple[float, ...], epsilon: float
) -> float:
    """δ(ε) of independent coordinates that move by so much each, from their densities; a leak takes
    all of them at once."""
    law = mechanism.law(shape)
    leak = sum(mass for _, mass in law.atoms)
    found, masses = np.zeros(1), np.ones(1)
    for shift in move:
        x, p = _one(law, shift, 2000 if len(move) == 1 else 60)
        found, masses = (found[:, None] + x).ravel(), (masses[:, None] * p).ravel()
    masses = masses * (1 - leak) / masses.sum()
    return leak + float(masses @ np.maximum(-np.expm1(np.minimum(epsilon - found, 0)), 0))


def _one(law: Law, shift: float, panels: int) -> tuple[np.ndarray, np.ndarray]:
    """The different losses of one coordinate and their masses."""
    reach = 16 * law.mean_abs + 2 * shift
    if law.discrete:
        x = np.arange(-math.ceil(reach), math.ceil(reach) + 1, dtype=np.float64)
        width = np.ones_like(x)
    else:
        kinks = law.kinks(-reach, reach)
        ends = np.concatenate([np.linspace(-reach, reach, panels + 1), kinks, kinks + shift])
        ends = np.unique(ends)
        half = np.diff(ends)[:, None] / 2
        x = (ends[:-1, None] + half * (1 + NODES)).ravel()
        width = (half * WEIGHTS).ravel()
    here, there = law.density(x), law.density(x - shift)
    found, at = np.unique(np.round(np.log(here / there), 9), return_inverse=True)
    return found, np.bincount(at, here * width)


# The texts' formula


def others(k: float, epsilon: float, delta: float) -> float:
    """The least of what is known of k pure releases besides the optimum, written out once more."""
    log_one, half = math.log(1 / delta), epsilon / 2
    root, drift = epsilon * math.sqrt(2 * k * log_one), k * epsilon * math.tanh(half)
    u = np.geomspace(1e-5, 1e9, 20_001)  # α − 1
    pay = (log_one - np.log1p(u)) / u - np.log1p(1 / u)
    response = np.logaddexp((1 + u) * epsilon, -u * epsilon) - np.logaddexp(0, epsilon)
    third = drift + epsilon * math.sqrt(
        2 * k * np.logaddexp(1, math.log(k * epsilon**2) / 2 + log_one)
    )
    return min(
        k * epsilon,
        root + k * epsilon * math.expm1(epsilon),
        root + drift,
        third,
        k * epsilon**2 / 2 + 2 * math.sqrt(k * epsilon**2 / 2 * log_one),
        float(np.min(k * epsilon**2 / 2 * (1 + u) + pay)),
        float(np.min(k * response / u + pay)),
    )


def optimal_delta(total: float, k: int, epsilon: float) -> float:
    """δ(total) of k randomised responses by the plain sum."""
    j = np.arange(k + 1)
    log_pmf = special.gammaln(k + 1) - special.gammaln(j + 1) - special.gammaln(k - j + 1)
    log_pmf = log_pmf + (k - j) * epsilon - k * np.logaddexp(0, epsilon)
    gap = total - (k - 2 * j) * epsilon
    return float(np.sum(np.exp(log_pmf[gap < 0]) * -np.expm1(gap[gap < 0])))


@pytest.mark.parametrize("seed", range(12))
def test_zones_of_the_shortcut_are_those_of_all_bounds(seed: int) -> None:
    """At both ends of each zone, and on either side: proved where some bound is below, true where
    the optimum is, else false."""
    rng = random.Random(seed)
    epsilon, delta = round(math.exp(rng.uniform(-2.3, 1.4)), 3), 10 ** rng.uniform(-12, -1)
    zones = shortcut_zones(epsilon, delta)
    inside = [rng.randint(1, zones.true) for _ in range(6)]
    for k in {*inside, zones.proved, zones.proved + 1, zones.true, zones.true + 1, 2 * zones.true}:
        claim = 2 * epsilon * math.sqrt(2 * k * math.log(1 / delta))
        if k < 1 or k > 50_000:
            continue
        assert (others(k, epsilon, delta) <= claim * (1 + 1e-6)) >= (k <= zones.proved), k
        assert (others(k, epsilon, delta) <= claim * (1 - 1e-6)) <= (k <= zones.proved), k
        assert (optimal_delta(claim, k, epsilon) <= delta * (1 + 1e-6)) == (k <= zones.true), k
