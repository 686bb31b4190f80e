"""What is charged for noise as it is drawn, against sums and integrals over its law."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpstudio.plans.charge import GAUSSIAN, NUMERIC, PURE, RANGED, Part, Unit, charge, excess, quick
from dpstudio.privacy.accounting.gdp import gdp_epsilon

DELTA = Fraction(1, 10**5)
GRID = np.linspace(-14, 14, 56_001)


def lost(epsilon: float, mu: float, steps: list[tuple[float, int]]) -> float:
    """δ at ε of a Gaussian shift by μ deviations beside counts by geometric noise at ε₀ a step, that
    move by so many: Σ max(0, p − e^ε q) over all of them."""
    p, q = stats.norm.pdf(GRID - mu) * (GRID[1] - GRID[0]), stats.norm.pdf(GRID)
    q = q * (GRID[1] - GRID[0])
    held = {0.0: 1.0}  # chances of each loss of the counts
    for each, by in steps:
        k = np.arange(-400, 401 + by)
        ours = np.exp(-each * np.abs(k - by)) * math.tanh(each / 2)
        losses = np.round(each * (np.abs(k) - np.abs(k - by)), 12)
        new = dict[float, float]()
        for one, chance in held.items():
            for two in np.unique(losses):
                both = float(np.round(one + two, 12))
                new[both] = new.get(both, 0.0) + chance * float(ours[losses == two].sum())
        held = new
    if mu == 0:
        return sum(c * max(0.0, 1 - math.exp(epsilon - x)) for x, c in held.items())
    return sum(
        c * float(np.maximum(0, p - math.exp(epsilon - x) * q).sum()) for x, c in held.items()
    )


@pytest.mark.parametrize(
    ("rhos", "counts"),
    [
        ((Fraction(1, 50),), ()),
        ((Fraction(1, 50), Fraction(1, 8)), ()),
        ((), ((Fraction(1, 4), 1),) * 6),
        ((Fraction(1, 50), Fraction(1, 80)), ((Fraction(3, 10), 1), (Fraction(2, 5), 2))),
    ],
)
def test_a_charge_is_no_less_than_is_lost(
    rhos: tuple[Fraction, ...], counts: tuple[tuple[Fraction, int], ...]
) -> None:
    """At just that ε no more than δ is lost, and at a hundredth less more is: by the tightest bound
    nothing is charged for nothing."""
    parts = [Part(GAUSSIAN, rho) for rho in rhos]
    parts += [Part(PURE, epsilon, steps=by) for epsilon, by in counts]
    found = charge(parts, Unit(), DELTA)
    mu = math.sqrt(2 * sum(map(float, rhos)))
    steps = [(float(epsilon) / by, by) for epsilon, by in counts]
    assert lost(float(found.epsilon), mu, steps) <= float(DELTA) * (1 + 1e-6)
    assert lost(float(found.epsilon) * 0.99, mu, steps) > float(DELTA)
    assert found.rho == sum(rhos) + sum(e * e / 2 for e, _ in counts)
    assert (found.bound == NUMERIC) == bool(counts)


def test_choices_are_charged_by_their_range() -> None:
    """Two exponential mechanisms at their worst: one candidate of which the chance grows by e^ε, or
    by less where all others shrink. No pair of laws of that range loses more."""
    parts = [Part(RANGED, Fraction(1, 2)), Part(RANGED, Fraction(1, 3))]
    found = charge(parts, Unit(), DELTA)
    assert found.rho == (Fraction(1, 4) + Fraction(1, 9)) / 8
    for share in np.linspace(0.01, 0.99, 25):  # losses t and t − ε, of chances that add up to 1
        held = {0.0: 1.0}
        for epsilon in (0.5, 1 / 3):
            high = epsilon * share
            up = (
                (1 - math.exp(high - epsilon))
                * math.exp(high)
                / math.expm1(epsilon)
                * math.exp(epsilon - high)
            )
            up = (
                math.exp(high)
                * (1 - math.exp(high - epsilon))
                / (math.exp(high) - math.exp(high - epsilon))
            )
            held = {
                a + b: c * d
                for a, c in held.items()
                for b, d in ((high, up), (high - epsilon, 1 - up))
            }
        e = float(found.epsilon)
        assert sum(c * max(0.0, 1 - math.exp(e - x)) for x, c in held.items()) <= float(DELTA)


def test_on_a_fine_grid_the_exact_profile_of_gaussian_noise_holds() -> None:
    """Discrete noise of σ on steps of 2⁻³ σ to 2⁻⁸ σ: δ is off by the square of the step, a hundredth
    of it at most; on 2⁻²⁹ σ by less than a double tells."""
    mu = 0.5
    epsilon = float(gdp_epsilon(np.array(mu), 1e-6))
    off = []
    for bits in range(3, 9):
        h = 2.0**-bits
        k = np.arange(-14 << bits, (14 << bits) + 1) * h
        for phase in (0.0, 0.37, 0.71):  # where the kink lies between two steps
            x = k + phase * h
            p, q = np.exp(-((x - mu) ** 2) / 2), np.exp(-(x**2) / 2)
            delta = float(np.maximum(0, p - math.exp(epsilon) * q).sum() / q.sum())
            off.append(abs(delta / 1e-6 - 1) / h**2)
    assert max(off) < 10
    assert max(off) * 2.0**-58 < 1e-15


@pytest.mark.parametrize("delta", [0.0, 1e-10, 1e-3])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_too_much_is_known_at_once(delta: float, seed: int) -> None:
    """On both sides of the ε that is searched for, whatever parts are mixed."""
    rng = np.random.default_rng(seed)
    kinds = [PURE, RANGED, *([GAUSSIAN] * 3 if delta else [])]
    for _ in range(20):
        parts = [
            Part(kinds[rng.integers(len(kinds))], 10 ** rng.uniform(-4, 0.5), 2, lot)
            for lot in (None, None, 0, 0, 0)
        ]
        unit = Unit(rows=int(rng.integers(1, 3)))
        total = quick(parts, unit, delta)
        assert excess(parts, unit, total * (1 + 1e-4), delta) < 0
        assert excess(parts, unit, total * (1 - 1e-4), delta) > 0
