"""The numeric loss distribution: its two values hold the truth between them, and stand beside those
of dp-accounting."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.privacy.accounting import GaussianDP, Ledger, Numeric, Optimal, Spend
from dpstudio.privacy.accounting.lattice import Part, Round
from dpstudio.privacy.accounting.losses import loss_of, rounded_down, rounded_up
from dpstudio.privacy.accounting.numeric import MOST_PLACES, _losses, lattice_step, values_of
from dpstudio.privacy.accounting.tilted import WIDTH, Tilted
from dpstudio.privacy.mechanisms import Sensitivity, catastrophe, staircase
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussian
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.privacy.mechanisms.geometric import Geometric
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.mechanisms.law import hockey_stick
from dpstudio.privacy.mechanisms.loss import Loss, response
from dpstudio.values.messages import render

NUMERIC = Numeric()


def laplace(epsilon: float, count: int = 1) -> Spend:
    return Spend.of(Laplace().at(epsilon, 0.0), count=count)


def gaussian(epsilon: float, count: int = 1, delta: float = 1e-5) -> Spend:
    return Spend.of(AnalyticGaussian().at(epsilon, delta), count=count)


@pytest.mark.vectors("laplace_k")
def test_laplace_vectors(vector: dict) -> None:
    given_ = vector["inputs"]
    lower, upper = NUMERIC.bracket(
        Ledger((laplace(1 / given_["b"], given_["k"]),)), given_["delta"]
    )
    assert lower <= vector["expected"] + 1e-9
    assert vector["expected"] - vector["tol"] <= upper
    assert upper == pytest.approx(vector["expected"], rel=1e-4)


def test_five_hundred_laplace_answers() -> None:
    """500 Laplace answers at ε = 1 cost 258.3 (the facts have 258.4, from a coarser grid); the
    printed 214.6 pays δ = 0.040."""
    ledger = Ledger((laplace(1.0, 500),))
    assert NUMERIC.epsilon(ledger, 1e-5) == pytest.approx(258.3, abs=0.02)
    assert NUMERIC.delta(ledger, 214.6) == pytest.approx(0.040, abs=0.0006)


@pytest.mark.vectors("laplace_pld", "epsdelta_pld")
def test_unequal_vectors(vector: dict) -> None:
    given_ = vector["inputs"]
    if vector["group"] == "laplace_pld":
        found = NUMERIC.epsilon(
            Ledger(tuple(laplace(1 / b, n) for b, n in given_["terms"])), given_["delta"]
        )
    else:
        found = NUMERIC.delta(Ledger(tuple(Spend(e, d) for e, d in given_["terms"])), given_["eps"])
    assert found == pytest.approx(vector["expected"], abs=vector["tol"])


@pytest.mark.vectors("laplace_calibrate_k", "dlaplace_calibrate_k")
def test_calibration_vectors(vector: dict) -> None:
    given_, expected = vector["inputs"], vector["expected"]
    size = given_["sensitivity"]
    integers = vector["group"] == "dlaplace_calibrate_k"
    like = Spend.of(Geometric() if integers else Laplace(), Sensitivity(size, size, size))
    if given_["delta"] == 0:
        each = given_["eps"] / given_["k"]
        assert NUMERIC.epsilon(Ledger((like.at(each).times(given_["k"]),)), 0.0) == pytest.approx(
            given_["eps"]
        )
    else:
        low, high = 0.01, 1.0
        for _ in range(14):
            each = (low + high) / 2
            fits = (
                float(
                    NUMERIC.curve(like.at(each), np.array([float(given_["k"])]), given_["delta"])[0]
                )
                <= given_["eps"]
            )
            low, high = (each, high) if fits else (low, each)
    assert (each / size if integers else size / each) == pytest.approx(expected, abs=vector["tol"])


@given(st.floats(-2, 1), st.integers(1, 10_000), st.floats(-290, -1))
def test_the_truth_is_between_the_two_values(log_epsilon: float, k: int, log_delta: float) -> None:
    """Gaussian noise against Gaussian DP, randomised response against the exact optimum; Laplace
    loses no more than that."""
    epsilon, delta, ks = 10**log_epsilon, 10**log_delta, np.array([float(k)])
    for spend, bound, width in (
        (gaussian(epsilon), GaussianDP(), 3e-4),
        (Spend(epsilon), Optimal(), 1e-7),
    ):
        lower, upper = (float(v[0]) for v in NUMERIC.curves(spend, ks, delta))
        exact = float(bound.curve(spend, ks, delta)[0])
        assert lower <= exact * (1 + 1e-8) + 1e-12
        assert exact <= upper * (1 + 1e-8) + 1e-12
        assert upper - lower <= width * upper + 1e-4 * epsilon
    lower, upper = (float(v[0]) for v in NUMERIC.curves(laplace(epsilon), ks, delta))
    assert 0 <= lower <= upper <= k * epsilon * (1 + 1e-12)
    assert upper <= exact * (1 + 1e-4) + 1e-9 * k * epsilon
    assert upper - lower <= 3e-4 * upper + 1e-4 * epsilon


@pytest.mark.parametrize(
    "spend",
    [
        laplace(0.7),
        laplace(9.0),
        Spend.of(Geometric(epsilon=1.3), Sensitivity(3.0, 3.0, 3.0)),
        Spend.of(staircase.Staircase(epsilon=1.1)),
        gaussian(0.8),
        Spend.of(TextbookGaussian(epsilon=3.0)),
        Spend.of(DiscreteGaussian(epsilon=1.0)),
        Spend.of(DiscreteGaussian(epsilon=4.0), Sensitivity(2.0, 2.0, 2.0)),
        Spend.of(catastrophe.Catastrophe(epsilon=0.9, delta=1e-3)),
        Spend(0.6, 1e-4),
    ],
    ids=lambda s: s.mechanism.key if s.mechanism else "pair",
)
def test_one_and_two_releases(spend: Spend) -> None:
    """One release is the hockey stick of its own law; two are that, averaged over the loss of the
    other by brute force."""
    shift = spend.mechanism.reach(spend.sensitivity) if spend.mechanism else 0.0
    loss = loss_of(spend)
    fine = rounded_up(loss, spend.epsilon / 400, -60.0)
    x = fine.start + spend.epsilon / 400 * np.arange(len(fine.masses))

    def once(epsilon: float) -> float:
        if spend.mechanism is None:
            return spend.delta + (1 - spend.delta) * max(
                0.0, 1 - math.exp(epsilon - spend.epsilon)
            ) / (1 + math.exp(-spend.epsilon))
        law = spend.mechanism.law(spend.sensitivity)
        return (
            law.delta(epsilon, shift) if epsilon >= 0 else hockey_stick(law, epsilon, shift, 20_001)
        )

    for epsilon in (0.0, 0.31 * spend.epsilon, 0.85 * spend.epsilon):
        lower, upper = NUMERIC.delta_bracket(Ledger((spend,)), epsilon)
        assert lower <= once(epsilon) * (1 + 1e-7)
        assert once(epsilon) <= upper * (1 + 1e-7)
        assert upper == pytest.approx(lower, rel=2e-3, abs=1e-12)
    if len(x) < 5000:  # a lattice of its own in any case: δ of two from the plain double sum
        twice = 1.2 * spend.epsilon
        seen = np.maximum(-np.expm1(np.minimum(0.0, twice - x[:, None] - x)), 0.0)
        plain = 1 - (1 - fine.lost) ** 2 + float(fine.masses @ seen @ fine.masses)
        lower, upper = NUMERIC.delta_bracket(Ledger((spend.times(2),)), twice)
        assert lower <= plain * (1 + 1e-9)
        assert plain == pytest.approx(upper, rel=2e-3, abs=1e-12)


def test_a_tilt_that_does_not_suit_a_whole_band() -> None:
    """Found by fuzzing: sums of few large losses, where one tilt for several k leaves nothing but
    rounding errors of one of them."""
    for epsilon, delta, k in (
        (5.614703583048053, 0.00019367906202719942, [4, 9, 92, 1373, 2650]),
        (1.6382177391, 5.128394436e-180, [2063, 2502, 6903]),
    ):
        ks = np.array(k, dtype=np.float64)
        lower, upper = NUMERIC.curves(Spend(epsilon), ks, delta)
        exact = Optimal().curve(Spend(epsilon), ks, delta)
        assert np.all(lower <= exact * (1 + 1e-9))
        assert np.all(exact <= upper * (1 + 1e-9))
        assert upper == pytest.approx(lower, rel=1e-6)
    ks = np.array([3.0, 15.0, 29.0, 52.0])
    lower, upper = NUMERIC.curves(laplace(4.1664156573976046), ks, 1.645508825915731e-10)
    assert np.all(lower <= upper)
    assert upper == pytest.approx(lower, rel=1e-4)


def test_roundings_keep_their_side() -> None:
    """Rounded up: δ(ε) of the lattice law is at least that of the release at every ε, and both
    masses are kept; down: at most."""
    for spend in (
        laplace(0.37),
        laplace(4.0),
        gaussian(1.0),
        Spend.of(catastrophe.Catastrophe(epsilon=0.9, delta=1e-3)),
    ):
        loss = loss_of(spend)
        law, shift = spend.mechanism.law(spend.sensitivity), spend.sensitivity.l1
        for cut in (8, 21, 50.5):
            step = spend.epsilon / cut
            for rounded, sign in (
                (rounded_up(loss, step, -60.0), 1),
                (rounded_down(loss, step, -60.0), -1),
            ):
                x = rounded.start + step * np.arange(len(rounded.masses))
                assert rounded.masses.min() >= 0
                if sign > 0:
                    assert rounded.masses.sum() + rounded.lost == pytest.approx(1.0, abs=1e-12)
                    assert rounded.masses @ np.exp(-x) == pytest.approx(
                        1 - spend.delta * (spend.mechanism.key == "catastrophe"), abs=1e-9
                    )
                for epsilon in np.linspace(0, 0.99 * spend.epsilon, 40):
                    value = rounded.lost + float(
                        rounded.masses @ np.maximum(-np.expm1(np.minimum(0, epsilon - x)), 0)
                    )
                    assert sign * (value - law.delta(float(epsilon), shift)) >= -1e-12


def test_coordinates_of_laplace_noise_lose_no_more_than_one() -> None:
    """Moving two coordinates by a and b is dominated by moving one by a + b, at every ε (for
    Laplace noise, by its own curve)."""
    for a, b in ((0.3, 0.3), (1.0, 0.2), (2.0, 2.0)):
        both = Ledger((laplace(a), laplace(b)))
        for epsilon in np.linspace(0, a + b, 23):
            assert (
                NUMERIC.delta_bracket(both, float(epsilon))[0]
                <= NUMERIC.delta(Ledger((laplace(a + b),)), float(epsilon)) + 1e-12
            )


def test_unequal_releases() -> None:
    """Beyond what can be enumerated: a lattice, above what enumeration says and close to it."""
    few = tuple(Spend(e, count=n) for e, n in ((0.1, 30), (0.25, 20), (0.4, 10)))
    exact = Optimal().epsilon(Ledger(few), 1e-6)
    lower, upper = NUMERIC.bracket(Ledger(few), 1e-6)
    assert lower <= exact <= upper == pytest.approx(exact, rel=2e-4)
    many = tuple(Spend(0.05 + i / 300, count=3) for i in range(40))
    assert Optimal().epsilon(Ledger(many), 1e-6) == pytest.approx(
        NUMERIC.epsilon(Ledger(many), 1e-6), rel=1e-12
    )
    mixed = Ledger(
        (
            laplace(0.1, 100),
            gaussian(0.3, 20),
            Spend.of(Geometric(epsilon=0.2), count=7),
            Spend.of(staircase.Staircase(epsilon=0.3)),
        )
    )
    lower, upper = NUMERIC.bracket(mixed, 1e-6)
    assert lower <= upper <= lower * 1.01


def test_few_large_losses_beside_many_small_ones() -> None:
    """What comes round the circle is a few large losses, of which no Gaussian tail tells: the value
    was five times that of adding up."""
    near = Spend.of(DiscreteGaussian(epsilon=50.0, delta=1e-9), count=1000)
    others = [(Laplace, 0.01, 1000), (Laplace, 50.0, 3), (Geometric, 0.01, 1), (Laplace, 0.001, 1)]
    rest = [Spend.of(kind(epsilon=epsilon), count=n) for kind, epsilon, n in others]
    least, whole = (Numeric().epsilon(Ledger(each), 0.01) for each in ((near,), (near, *rest)))
    assert least <= whole <= least + sum(spend.count * spend.epsilon for spend in rest)


@pytest.mark.parametrize("chance", [1.0, 0.001])
@pytest.mark.parametrize(
    "large", [AnalyticGaussian().at(5.0, 1e-5), TextbookGaussian().at(20.0, 0.1)]
)
def test_tiny_losses_do_not_cut_large_ones_to_pieces(large: Any, chance: float) -> None:
    """Beside Gaussian noise the ends of two hardly felt Laplace answers set the step: six million
    places and gigabytes. What these add is between nothing and their adding up."""
    tiny = Laplace().at(0.1 if chance < 1 else 1e-4, 0.0)
    world = Spend.of(large), Spend.of(tiny, count=2, chance=chance)
    losses, delta = _losses(world), 2 * large.total_delta
    step, _ = lattice_step(losses)
    widest = max(20 * loss.ratio for loss, _ in losses[:1])
    assert widest / step < MOST_PLACES / 2
    low, high = (values_of(losses, np.ones(1), delta, up=up)[0] for up in (False, True))
    alone = [values_of(losses[:1], np.ones(1), delta, up=up)[0] for up in (False, True)]
    assert alone[0] - 1e-9 <= high <= alone[1] + 1e-3 + 1e-3 * high
    assert 0 <= high - low < 1e-3 * high


@pytest.mark.parametrize("ratio", [1e-9, 1e-6, 1e-4, 3e-4, 1e-3, 3e-3])
def test_a_tiny_gaussian_loss_hides_no_other(ratio: float) -> None:
    """Its peak is narrower than a step, and was seen by no node of a cell: its mass was gone, and
    what stood beside it cost ε = 0, as its certified upper value said."""
    tiny, large = Loss(ratio=ratio), Loss(ratio=0.2)
    for step in (ratio / 2, 3 * ratio, 8 * ratio, 1e3 * ratio):
        up, down = (each(tiny, step, -60.0) for each in (rounded_up, rounded_down))
        for found in (up, down):
            assert math.fsum(found.masses) + found.lost == pytest.approx(1, abs=1e-13)
        places = up.start + np.arange(len(up.masses)) * step
        assert math.fsum(up.masses * np.exp(-places)) == pytest.approx(1, abs=1e-13)
    for beside in (Loss(ratio=0.1), response(0.1)):
        low, high = (
            [values_of(losses, np.ones(1), 1e-6, up=up)[0] for up in (False, True)]
            for losses in (((large, 1), (beside, 1)), ((large, 1), (beside, 1), (tiny, 1)))
        )
        assert low[0] <= high[1] <= low[1] + 6 * ratio + 1e-3 * low[1]
        # Nor do many cost less than none: each was rounded down by half a step.
        many = (large, 1), (beside, 1), (Loss(ratio=ratio / 30), 1000)
        assert values_of(many, np.ones(1), 1e-6, up=False)[0] >= low[0] * (1 - 1e-3)


@pytest.mark.parametrize("width", [1e-9, 1e-11, 1e-12, 1e-300])
def test_a_laplace_loss_far_below_a_step_is_one_of_its_places(width: float) -> None:
    """Both of its ends were taken for 0, and its lattice had no second place."""
    alone, both = Ledger((laplace(1.0),)), Ledger((laplace(1.0), laplace(width, 2)))
    low, high = NUMERIC.bracket(both, 1e-6)
    assert low <= high == pytest.approx(NUMERIC.epsilon(alone, 1e-6), abs=1e-5)


def test_what_it_refuses() -> None:
    """A δ below what is lost for certain, and too many releases; not a law without one worst pair,
    of which it is an upper bound."""
    leaky = Ledger((Spend.of(catastrophe.Catastrophe(epsilon=0.5, delta=1e-4), count=10),))
    assert NUMERIC.refuse_delta(leaky, 1e-2) is None
    assert math.isfinite(NUMERIC.epsilon(leaky, 1e-2))
    why = NUMERIC.refuse_delta(leaky, 1e-4)
    assert why is not None
    assert render(why).endswith(".")
    assert NUMERIC.epsilon(leaky, 1e-4) == math.inf
    noise = Ledger((gaussian(1.0, 10),))
    assert NUMERIC.refuse_delta(noise, 1e-250) is None
    cut = NUMERIC.refuse_delta(noise, 1e-320)
    assert cut is not None
    assert "cuts off" in render(cut)
    assert NUMERIC.epsilon(noise, 1e-320) == math.inf
    assert NUMERIC.refuse(Ledger((laplace(0.1, 10_001),))) is not None
    uneven = Spend.of(
        DiscreteGaussian(), Sensitivity(3.0, math.sqrt(5), 2.0, l0=2, dims=2, moves=((1.0, 2.0),))
    )
    # Without one worst pair of neighbours only (ε, δ) is used, and what comes out is no more than
    # an upper bound.
    bare = Ledger((Spend(uneven.epsilon, uneven.delta),))
    assert NUMERIC.epsilon(Ledger((uneven,)), 1e-3) == NUMERIC.epsilon(bare, 1e-3)
    assert not NUMERIC.attained(Ledger((uneven,)))
    assert NUMERIC.step(noise, 1e-6) > 0 == NUMERIC.step(Ledger((Spend(0.3, count=9),)), 1e-6)


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_against_dp_accounting(epsilon: float) -> None:
    """Called directly, where it is installed, below the ε ≈ 700 from which it overflows: within
    1e-4, its grid rounding up as ours."""
    library: Any = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    for k, interval in ((1, 1e-5), (7, 1e-5), (100, 1e-4), (300, 1e-4)):
        theirs = library.from_laplace_mechanism(
            1 / epsilon, value_discretization_interval=interval * max(1, epsilon)
        )
        for delta in (1e-5, 1e-9):
            reference = theirs.self_compose(k).get_epsilon_for_delta(delta)
            assert NUMERIC.curve(laplace(epsilon), np.array([float(k)]), delta)[0] == pytest.approx(
                reference, rel=1e-4
            )


def test_integer_noise_against_dp_accounting() -> None:
    library: Any = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    spend = Spend.of(DiscreteGaussian(epsilon=1.0))
    sigma = spend.mechanism.law(spend.sensitivity).sigma
    theirs = library.from_discrete_gaussian_mechanism(
        sigma, value_discretization_interval=1e-4
    ).self_compose(30)
    lower, upper = NUMERIC.bracket(Ledger((spend.times(30),)), 1e-6)
    # Their grid rounds every loss up by half a step on average; ours is the lattice of these losses
    # itself.
    assert upper <= theirs.get_epsilon_for_delta(1e-6) <= upper + 30 * 1e-4
    assert upper == pytest.approx(lower, rel=1e-6)
    count = Spend.of(Geometric(epsilon=0.6), Sensitivity(2.0, 2.0, 2.0), count=50)
    theirs = library.from_discrete_laplace_mechanism(
        0.3, 2, value_discretization_interval=1e-4
    ).self_compose(50)
    ours = NUMERIC.epsilon(Ledger((count,)), 1e-6)
    assert ours <= theirs.get_epsilon_for_delta(1e-6) * (1 + 1e-9) <= ours + 50 * 1e-4


@pytest.mark.parametrize(("least", "most"), [(1, 2), (60, 160), (3000, 10_000)])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0])
def test_sums_over_frequencies_round_less_than_is_allowed(
    epsilon: float, least: int, most: int
) -> None:
    """The sums block by block against plain ones in long doubles, whose phases are exact."""
    step = epsilon / 50
    loss = loss_of(Spend.of(Laplace(epsilon=epsilon)))
    up = rounded_up(loss, step, -40.0)
    one = Round(step, (Part(up.start, up.masses, 2),))
    k = np.array([least, (least + most) // 2, most], dtype=np.float64)
    tilted = Tilted.of(one, one.tilt_for_delta(most, math.log(1e-6)), least, most)
    powers = tilted.powers(k)
    at = np.round(k * (tilted.cumulants[1] - one.start) / step)
    found = tilted.sums(powers, at)
    every = (tilted.blocks[:, None] + np.arange(WIDTH)).ravel()
    for i, place in enumerate(at.astype(np.int64)):
        turns = (place * every) % tilted.points
        angle = turns.astype(np.longdouble) * (2 * np.arccos(np.longdouble(-1)) / tilted.points)
        for tail, value in zip(powers.tails[i].reshape(2, -1), (f[i] for f in found), strict=True):
            plain = np.sum(tail.real * np.cos(angle) - tail.imag * np.sin(angle))
            assert abs(float(plain - value)) <= 0.2 * powers.noise[i]
