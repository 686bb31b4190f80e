"""What every additive mechanism must keep, checked by routes that use none of its own closed forms
but the density."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from dpstudio.privacy.mechanisms import Additive, Sensitivity
from dpstudio.privacy.mechanisms.law import Law, hockey_stick

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_PANELS = 2000
CONFIDENCES = (0.5, 0.683, 0.9, 0.95, 0.99, 0.999)

# A mechanism that declares its own true δ is printed as it is, tight or not: here is what the
# textbook prints.
PRINTED_VARIANCE: dict[str, Callable[[Additive, Sensitivity], float]] = {
    "textbook": lambda m, s: 2 * s.l2**2 * math.log(1.25 / m.total_delta) / m.epsilon**2
}

# Steps that are too wide keep the loss at ε; how wide they are to be is told by the least error
# there is.
PRINTED_MEAN_ABS: dict[str, Callable[[Additive, Sensitivity], float]] = {
    "staircase": lambda m, s: s.linf * math.exp(m.epsilon / 2) / math.expm1(m.epsilon)
}


def even(size: float) -> Sensitivity:
    """A sensitivity that is the same in every norm."""
    return Sensitivity(size, size, size)


def sizes(kind: type[Additive]) -> tuple[float, ...]:
    return (1, 2, 5) if kind.integers else (1, 2, math.sqrt(2), 3.7)


def _support(law: Law, shift: float) -> np.ndarray:
    """The integers, or the ends of panels, on which the law and its shift live; a kink may be at 0
    and at the shift."""
    reach = (
        max(45 * law.mean_abs, -float(law.quantile(np.array([1e-25]))[0]))
        + abs(shift)
        + (40 if law.discrete else 0)
    )
    if law.discrete:
        return np.arange(-math.ceil(reach), math.ceil(reach) + 1, dtype=np.float64)
    kinks = law.kinks(-reach, reach)
    return np.unique(
        np.concatenate(
            [np.linspace(-reach, reach, _PANELS + 1), kinks, kinks + shift, [0.0, shift]]
        )
    )


def nodes(law: Law, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(places, weights) of Gauss–Legendre panels, a row each, or the integers."""
    if law.discrete:
        return ends, np.ones(len(ends))
    middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    return middle[:, None] + half[:, None] * _NODES, _WEIGHTS * half[:, None]


def integral(law: Law, f: Callable[[np.ndarray], np.ndarray], ends: np.ndarray) -> float:
    """∫ f over panels, or Σ f over the integers."""
    x, weights = nodes(law, ends)
    return float(np.sum(f(x) * weights))


def atoms(law: Law, f: Callable[[float], float]) -> float:
    return sum(mass * f(place) for place, mass in law.atoms)


def own_delta(law: Law, epsilon: float, shift: float) -> float:
    """Hockey-stick divergence of the density against its shift, with panels that end where the
    difference changes sign."""

    def gap(x: np.ndarray) -> np.ndarray:
        return law.density(x) - math.exp(epsilon) * law.density(x - shift)

    ends = _support(law, shift)
    if not law.discrete:
        positive = gap(ends) > 0
        at = np.flatnonzero(positive[1:] != positive[:-1])
        low, high, sign = ends[at].copy(), ends[at + 1].copy(), positive[at]
        for _ in range(70):
            middle = (low + high) / 2
            if ((middle == low) | (middle == high)).all():
                break
            same = (gap(middle) > 0) == sign
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        ends = np.unique(np.concatenate([ends, low]))
    # No atom of a law coincides with one of its shift here, so each is seen for certain.
    return integral(law, lambda x: np.maximum(gap(x), 0), ends) + (
        atoms(law, lambda _: 1.0) if shift else 0.0
    )


def blur(law: Law, shift: float) -> float:
    """What rounding of x − shift can do to an integral of a density with jumps, at its peak."""
    return 0.0 if law.discrete else float(8 * np.spacing(shift) * law.density(0.0))


def check_delta(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """delta(ε) is the hockey-stick divergence of the density."""
    law, shift = mechanism.law(sensitivity), mechanism.reach(sensitivity)
    for factor in (0.0, 0.3, 0.9, 1.0, 1.3):
        epsilon = factor * mechanism.epsilon
        claimed = mechanism.delta_at(epsilon, sensitivity)
        assert abs(claimed - own_delta(law, epsilon, shift)) < 1e-9 + blur(law, shift), (
            epsilon,
            claimed,
        )
        # The route of any law, by a fine grid, is slow: of 50,000 cells each is at most 2e-3 of the
        # noise's scale wide, which the middle of a cell errs by less than (2e-3)²/24 for.
        if factor in (0.3, 1.0):
            found = hockey_stick(law, epsilon, shift, 50_001)
            assert abs(claimed - found) < 2e-6 + blur(law, shift), (epsilon, claimed)


def check_promise(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """The promise holds wherever it is called proven, and where it does not hold it is flagged."""
    guarantee = mechanism.guarantee(sensitivity)
    assert (guarantee.epsilon, guarantee.delta) == (mechanism.epsilon, mechanism.total_delta)
    exact = own_delta(mechanism.law(sensitivity), guarantee.epsilon, mechanism.reach(sensitivity))
    broken = exact > guarantee.delta * (1 + 1e-6) + 1e-12 + blur(
        mechanism.law(sensitivity), mechanism.reach(sensitivity)
    )
    assert guarantee.violated == broken
    assert not (guarantee.proven and broken)


def check_tight(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """No noise is wasted: the largest loss (atoms apart) is ε, or the exact δ is δ, or the variance
    is as printed."""
    law, shift = mechanism.law(sensitivity), mechanism.reach(sensitivity)
    if mechanism.guarantee(sensitivity).true_delta is not None:
        assert math.isclose(
            law.variance, PRINTED_VARIANCE[mechanism.key](mechanism, sensitivity), rel_tol=1e-12
        )
    elif mechanism.pure or law.atoms:
        assert atoms(law, lambda _: 1.0) == mechanism.total_delta
        x = _support(law, shift)
        if not law.discrete:
            # Cells that rounding made, next to a jump, say nothing.
            wide = np.diff(x) > 1000 * np.spacing(np.abs(x[1:]) + shift)
            x = ((x[1:] + x[:-1]) / 2)[wide]
        x = x[(law.density(x) > 1e-290) & (law.density(x - shift) > 1e-290)]
        loss = float(np.max(np.abs(np.log(law.density(x)) - np.log(law.density(x - shift)))))
        assert math.isclose(loss, mechanism.epsilon, rel_tol=1e-9)
        if mechanism.key in PRINTED_MEAN_ABS:
            assert math.isclose(
                law.mean_abs, PRINTED_MEAN_ABS[mechanism.key](mechanism, sensitivity), rel_tol=1e-9
            )
    else:
        assert math.isclose(
            own_delta(law, mechanism.epsilon, shift),
            mechanism.total_delta,
            rel_tol=1e-5,
            abs_tol=1e-13,
        )


def check_moments(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """Mass 1, E|X|, E X² and the cdf follow from the density."""
    law = mechanism.law(sensitivity)
    ends = _support(law, 0)
    x, weights = nodes(law, ends)
    masses = law.density(x) * weights
    assert math.isclose(float(masses.sum()) + atoms(law, lambda _: 1.0), 1, rel_tol=1e-9)
    assert math.isclose(
        float((np.abs(x) * masses).sum()) + atoms(law, abs), law.mean_abs, rel_tol=1e-9
    )
    assert math.isclose(
        float((x * x * masses).sum()) + atoms(law, lambda x: x * x), law.variance, rel_tol=1e-9
    )
    for at in (-2.0, 0.0, 0.7, 3.0):
        point = math.floor(at * law.mean_abs) if law.discrete else at * law.mean_abs
        if law.discrete:
            mass = float(masses[ends <= point].sum())
        else:  # the panels below it, and a part of the next
            below = ends[ends < point]
            mass = float(masses[: max(0, len(below) - 1)].sum())
            mass += integral(law, law.density, np.append(below[-1:], point))
        mass += atoms(law, lambda x, point=point: float(x <= point))
        assert abs(mass - float(law.cdf(np.array([point]))[0])) < 1e-10


def check_inverse(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """quantile is the generalised inverse of the cdf, far into both tails."""
    law = mechanism.law(sensitivity)
    u = np.concatenate([[1e-9, 1e-6], np.linspace(0.001, 0.999, 401), [1 - 1e-6, 1 - 1e-9]])
    x = law.quantile(u)
    assert np.all(np.diff(x) >= 0)
    if law.discrete:
        assert np.all(x == np.round(x))
        assert np.all(law.cdf(x) >= u)
        assert np.all(law.cdf(x - 1) < u)
    else:
        jump = sum(mass * (x == place) for place, mass in law.atoms)
        assert np.all(law.cdf(x) - u > -1e-12)
        assert np.all(law.cdf(x) - jump - u < 1e-12)


def check_interval(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """half_width holds the confidence and nothing narrower does."""
    law = mechanism.law(sensitivity)

    def inside(w: float) -> float:
        ends = law.cdf(np.array([w, -w - 1 if law.discrete else -w]))
        return float(ends[0] - ends[1]) + atoms(law, lambda x: float(x == -w))

    widths = [law.half_width(c) for c in CONFIDENCES]
    for confidence, w in zip(CONFIDENCES, widths, strict=True):
        assert w >= 0
        assert inside(w) >= confidence - 1e-9
        narrower = w - 1 if law.discrete else w * (1 - 1e-6)
        assert w == 0 or inside(narrower) < confidence
    assert widths == sorted(widths)


def check_draws(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """Seeded draws follow the cdf and have the moments; the same seed gives the same draws."""
    law, n = mechanism.law(sensitivity), 40_000
    draws = law.sample(np.random.default_rng(7), n)
    assert np.array_equal(draws, law.sample(np.random.default_rng(7), n))
    assert law.variance * n < 100 or not np.array_equal(
        draws, law.sample(np.random.default_rng(8), n)
    )
    assert np.all(np.isfinite(draws))
    if law.discrete:
        assert np.all(draws == np.round(draws))
        cuts = np.unique(law.quantile(np.linspace(0.02, 0.98, 40)))
        share = np.diff(np.concatenate([[0.0], law.cdf(cuts), [1.0]]))
        seen = np.bincount(np.searchsorted(cuts, draws), minlength=len(share))
        kept = share * n > 5
        # What is too rare for the test is pooled.
        expected, found = (
            np.append(share[kept], share[~kept].sum()) * n,
            np.append(seen[kept], seen[~kept].sum()),
        )
        enough = expected > 1e-9
        chi = float(np.sum((found[enough] - expected[enough]) ** 2 / expected[enough]))
        if enough.sum() > 1:
            assert stats.chi2.sf(chi, max(1, enough.sum() - 1)) > 1e-4
    else:
        for place, mass in law.atoms:
            assert stats.binomtest(int(np.sum(draws == place)), n, mass).pvalue > 1e-4
        away = draws[~np.isin(draws, [place for place, _ in law.atoms])]
        kept = 1 - atoms(law, lambda _: 1.0)
        assert (
            stats.kstest(
                away, lambda x: (law.cdf(x) - sum(m * (x >= p) for p, m in law.atoms)) / kept
            ).pvalue
            > 1e-4
        )
    second = math.sqrt(law.variance)
    assert abs(np.mean(draws)) < 6 * second / math.sqrt(n)
    assert abs(np.mean(np.abs(draws)) - law.mean_abs) < 6 * second / math.sqrt(n)
    if law.variance * n > 1000:
        assert abs(np.mean(draws**2) / law.variance - 1) < 0.1


# One person moves three numbers by 1 each: L1 = 3, L2 = √3.
MOVED = Sensitivity(3.0, math.sqrt(3), 1.0, l0=3, dims=3, moves=((1.0, 1.0, 1.0),))


def check_vectors(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """Each coordinate of a noise vector follows the law; the same seed gives the same vectors."""
    law, n = mechanism.law(sensitivity), 12_000
    drawn = mechanism.noise(np.random.default_rng(11), sensitivity, n, sensitivity.dims)
    assert drawn.shape == (n, sensitivity.dims)
    assert np.array_equal(
        drawn, mechanism.noise(np.random.default_rng(11), sensitivity, n, sensitivity.dims)
    )
    at = np.unique(law.quantile(np.linspace(0.05, 0.95, 19)))
    for coordinate in drawn.T:
        seen = np.searchsorted(np.sort(coordinate), at, side="right") / n
        assert np.max(np.abs(seen - law.cdf(at))) < 5 * 0.5 / math.sqrt(n)


def joint_losses(mechanism: Additive, sensitivity: Sensitivity, n: int) -> np.ndarray:
    """ln P(x)/Q(x) at n vectors drawn from P, the noise, against Q, the noise moved by 1 in every
    coordinate."""
    law = mechanism.law(sensitivity)
    x = mechanism.noise(np.random.default_rng(12), sensitivity, n, sensitivity.dims)
    if mechanism.key == "l2norm":  # density ∝ e^(−ε‖b‖/Δ₂)
        rate = mechanism.epsilon / sensitivity.l2
        return (np.linalg.norm(x - 1, axis=1) - np.linalg.norm(x, axis=1)) * rate
    losses = (np.log(law.density(x)) - np.log(law.density(x - 1))).sum(axis=1)
    # All of a leaked vector is exact, and its neighbour never gives just that.
    return np.where((x == 0).all(axis=1), np.inf, losses) if law.atoms else losses


def check_joint_privacy(mechanism: Additive, sensitivity: Sensitivity) -> None:
    """The promise holds for the whole vector, and noise is not wasted: the largest loss is near ε,
    or δ near δ (by simulation)."""
    n, promise = 200_000, mechanism.guarantee(sensitivity)
    losses = joint_losses(mechanism, sensitivity, n)
    for epsilon in (0.5 * promise.epsilon, promise.epsilon):
        found = float(np.mean(np.maximum(-np.expm1(np.minimum(epsilon - losses, 0)), 0)))
        stated = mechanism.delta_at(epsilon, sensitivity)
        assert found <= stated + 5 * math.sqrt(max(stated, 1e-9) / n) + 1e-9
    if mechanism.pure:
        assert 0.9 * promise.epsilon <= np.max(losses) <= promise.epsilon * (1 + 1e-9)
    elif promise.true_delta is None:
        assert found == pytest.approx(promise.delta, rel=0.2)


CHECKS = (
    check_delta,
    check_promise,
    check_tight,
    check_moments,
    check_inverse,
    check_interval,
    check_draws,
)
