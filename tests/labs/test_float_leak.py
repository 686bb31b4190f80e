"""Leak: every bit-level test against exact fractions, shares against formulas and the facts,
samplers against their own uniforms."""

import itertools
import json
import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.promise.float_leak.model import reaching
from dpstudio.labs.promise.float_leak.parameters import FloatLeak
from dpstudio.privacy.attacks import float_samplers
from dpstudio.privacy.attacks.float_bits import finest, last_bit, off_grid, proving_share, reachable
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError

DATA = Dataset(pd.DataFrame({"x": [1.0]}), "one row")


def run(**fields) -> Findings:
    found = FloatLeak(**fields).last(Context(DATA))
    return found


def rounds_to(x: int, n: Fraction) -> float:
    """fl(x + n): Python rounds a fraction to the nearest double, half to even."""
    return float(Fraction(x) + n)


def possible(y: float, x: int) -> bool:
    """Whether a double n has fl(x + n) = y, over all doubles in the interval of reals that round to
    y."""
    exact = Fraction(y) - x
    near = float(exact)
    tried = [near]
    for toward in (-math.inf, math.inf):
        n = near
        for _ in range(3):
            n = math.nextafter(n, toward)
            tried.append(n)
    return any(rounds_to(x, Fraction(n)) == y for n in tried)


def odd_doubles(rng: np.random.Generator, size: int) -> np.ndarray:
    """Doubles with random bits from 2⁻⁶⁰ to 2⁹, both signs, some of them next to powers of two."""
    y = np.ldexp(
        rng.integers(2**52, 2**53, size).astype(float), rng.integers(-112, -43, size)
    ) * rng.choice([-1.0, 1.0], size)
    near = np.ldexp(1.0, rng.integers(-4, 9, size)) * rng.choice([-1.0, 1.0], size)
    steps = rng.integers(-3, 4, size)
    near = near + steps * np.spacing(near / 2)
    return np.concatenate([y, near])


@pytest.mark.parametrize("x", [0, 1, 2, 3, 7, 1000, 1023, 999_999])
def test_reachable_by_exact_fractions(x: int) -> None:
    rng = np.random.default_rng(x)
    y = np.concatenate([odd_doubles(rng, 300), x + odd_doubles(rng, 150)])
    found = reachable(y, float(x))
    assert found.tolist() == [possible(float(v), x) for v in y]
    if x:
        assert 0.05 < found.mean() < 0.999
    # What is drawn from x can come from x, and lies on its finest grid.
    drawn = x + rng.laplace(0, 3, 20_000)
    assert reachable(drawn, float(x)).all()
    assert not off_grid(drawn, float(x)).any()
    # The grid test catches less than the rounding test, never more.
    assert not (off_grid(y, float(x)) & found).any()


def test_last_bits_by_exact_fractions() -> None:
    y = np.concatenate(
        [odd_doubles(np.random.default_rng(3), 300), [1.0, -6.0, 0.75, 2.0**-60, 3 * 2.0**-53]]
    )
    for value, j in zip(y, last_bit(y), strict=True):
        whole = Fraction(float(value)) / Fraction(2) ** int(j)
        assert whole.denominator == 1
        assert whole.numerator % 2 == 1
    assert np.isnan(last_bit(np.array([0.0])))[0]
    assert [finest(x) for x in (1, 2, 3, 1000)] == [2.0**-53, 2.0**-52, 2.0**-52, 2.0**-44]


def test_the_known_shares() -> None:
    """27 % at ε = 1 and none the other way round, and the facts' rates at other scales; derived,
    and counted."""
    derived = proving_share(np.array([2.0, 1.0, 0.5, 0.1]), 0, 1, grid=True)
    j = np.arange(1, 70)
    by_hand = [
        float(np.sum((np.exp(-(2.0 ** -(j + 1)) * e) - np.exp(-(2.0**-j) * e)) * (1 - 2.0**-j)))
        for e in (2, 1, 0.5, 0.1)
    ]
    assert derived == pytest.approx(by_hand, abs=1e-12)
    assert derived == pytest.approx([0.45, 0.272, 0.15, 0.03], abs=6e-3)
    assert np.all(proving_share(np.array([0.001, 1.0, 50.0]), 1, 0) == 0)
    found = run(trials=400_000)
    assert found.fact("share").value == pytest.approx(0.27179, abs=5 * math.sqrt(0.2 / 400_000))
    assert found.fact("reverse").value == 0
    assert render(found.sentence("verdict").say).startswith("27")
    assert "prove that the answer was not 1." in render(found.sentence("verdict").say)


@pytest.mark.parametrize(
    ("epsilon", "x", "other"),
    [(1.03, 0, 1), (19.3, 0, 1), (0.97, 5, 6), (0.0137, 3, 1000), (0.013, 100, 101), (2.9, 2, 0)],
)
def test_shares_are_as_derived(epsilon: float, x: int, other: int) -> None:
    """All three samplers of doubles, either test, scales 1/ε with many bits; to five standard
    errors and 0.2 percentage points."""
    for key in ("numpy", "inverse", "studio"):
        y = float_samplers.SAMPLERS[key].draw(np.random.default_rng(2), x, epsilon, 60_000)
        for seen, grid in ((off_grid(y, float(other)), True), (reaching(y, other), False)):
            share = float(proving_share(epsilon, x, other, grid=grid)[0])
            assert abs(seen.mean() - share) < 5 * math.sqrt(share * (1 - share) / len(y)) + 2e-3, (
                key,
                grid,
            )


def test_samplers_are_reproduced_to_the_last_bit() -> None:
    """From the same uniforms: numpy's Laplace generator and the inversion, and no sampler is told
    that its own output is impossible."""
    for scale in (1.0, 0.3, 1 / 0.37):
        uniform = np.random.default_rng(8).random(5000)
        assert np.array_equal(
            float_samplers.numpy_noise(uniform, scale),
            np.random.default_rng(8).laplace(0.0, scale, 5000),
        )
    assert float_samplers.inverse_noise(np.array([1.0, 0.5]), 2.0).tolist() == [
        0.0,
        2 * math.log(2),
    ]
    for key, x, epsilon in itertools.product(
        ("numpy", "inverse", "integer", "rounded"), (0, 1, 1000), (0.05, 1.0, 7.3)
    ):
        sampler = float_samplers.SAMPLERS[key]
        y = sampler.draw(np.random.default_rng(4), x, epsilon, 2000)
        assert sampler.reach is not None
        assert sampler.reach(y, x, epsilon).all(), (key, x, epsilon)
    assert np.array_equal(
        float_samplers.SAMPLERS["studio"].draw(np.random.default_rng(4), 3, 0.7, 100),
        LaplaceLaw(1 / 0.7).sample(np.random.default_rng(4), 100) + 3,
    )


def test_reach_misses_no_uniform() -> None:
    """An output that is called impossible for numpy's sampler is made by none of 4,000 uniforms on
    either side of its place."""
    epsilon, x = 1.0, 1
    y = float_samplers.SAMPLERS["numpy"].draw(np.random.default_rng(6), 0, epsilon, 60)
    impossible = y[~float_samplers.SAMPLERS["numpy"].reach(y, x, epsilon)]  # type: ignore[misc]
    assert len(impossible) > 30
    for value in impossible[:12]:
        n = value - x
        middle = round((math.exp(n) / 2 if n < 0 else 1 - math.exp(-n) / 2) * 2**53)
        uniforms = np.arange(max(1, middle - 2000), min(2**53, middle + 2000)) * 2.0**-53
        assert not np.any(float_samplers.numpy_noise(uniforms, 1 / epsilon) + x == value)


@pytest.mark.parametrize("epsilon", [0.02, 0.37, 1.0, 3.1])
def test_the_integer_sampler_is_discrete_laplace(epsilon: float) -> None:
    rate = float_samplers.rational(epsilon)
    assert rate == Fraction(str(epsilon))
    k, n = float_samplers.discrete_laplace(np.random.default_rng(1), rate, 60_000), 60_000
    r = math.exp(-epsilon)
    sizes = np.unique(np.minimum(np.abs(k), math.ceil(4 / epsilon)), return_counts=True)
    bins = np.linspace(0, math.ceil(4 / epsilon) + 1, min(20, math.ceil(4 / epsilon)) + 1).round()
    tail = np.append(1.0, 2 * r ** np.maximum(bins[1:-1], 1) / (1 + r))
    expected = -np.diff(np.append(tail, 0.0))
    seen = np.histogram(np.repeat(*sizes), bins)[0]
    assert stats.chisquare(seen, expected * n).pvalue > 1e-4
    assert stats.binomtest(int(np.sum(k > 0)), int(np.sum(k != 0)), 0.5).pvalue > 1e-4


def test_integers_and_grids_prove_nothing() -> None:
    for key in ("integer", "rounded"):
        for attack in ("grid", "rounding", "sampler"):
            found = run(sampler=key, attack=attack, trials=20_000)
            assert found.fact("share").value == found.fact("reverse").value == 0
            assert found.sentence("verdict").tone == "good"
    same = run(sampler="integer").figure("grid")
    assert np.array_equal(same.layer("row_2").x, same.layer("row_3").x)


@pytest.mark.parametrize("key", float_samplers.SAMPLERS)
@pytest.mark.parametrize("other", [0, 1, 5, 4096])
def test_what_is_said_of_the_grid_holds_of_what_is_drawn(key: str, other: int) -> None:
    """Of doubles that fall as they fall it is said so, of noise on a grid nothing of doubles."""
    sampler = float_samplers.SAMPLERS[key]
    drawn = sampler.draw(np.random.default_rng(3), other, 1.0, 4000)
    for attack in ("grid", "rounding", "sampler"):
        found = run(sampler=key, other=other, answer=7, attack=attack, trials=1000)
        step = found.fact("grid").value
        assert not (np.remainder(drawn, step) if step > 1e-300 else drawn * 0).any()
        said = render(found.sentence("why").say), render(found.fact("grid").note)
        if sampler.grid:
            assert step == sampler.grid
            assert np.remainder(drawn, 2 * step).any()
            assert f"multiples of {'1' if step == 1 else '2⁻¹⁰'}," in said[0]
            assert not re.search("double|logarithm", " ".join(said))
        else:
            assert "multiples of it alone" in said[1] or other == 0


def test_stronger_attacks_prove_more() -> None:
    """Grid < rounding < sampler, and who knows the sampler proves it the other way round too."""
    shares = [run(attack=attack).fact("share").value for attack in ("grid", "rounding", "sampler")]
    assert shares[0] == pytest.approx(0.272, abs=0.01)
    assert shares[1] == pytest.approx(0.428, abs=0.01)
    assert shares[2] > 0.75
    assert run(attack="rounding").fact("reverse").value == 0
    assert run(attack="sampler").fact("reverse").value > 0.7
    standing = run(attack="sampler", sampler="studio")
    assert standing.fact("share").value == pytest.approx(shares[1], abs=0.01)
    assert "stands in" in render(standing.sentence("stands_in").say)


def test_charts_hold_what_was_counted() -> None:
    found = run()
    grid = found.figure("grid")
    assert 0.0 in grid.layer("row_0").x
    assert 0.0 not in grid.layer("row_1").x
    bits = found.figure("bits")
    below = bits.layer("bits_0").x + 0.2 < -53.5
    assert np.sum(bits.layer("bits_0").heights[below]) == pytest.approx(found.fact("share").value)
    assert np.sum(bits.layer("bits_1").heights[bits.layer("bits_1").x - 0.2 < -53.5]) == 0
    share = found.figure("share")
    at = np.interp(0.0, np.log(share.layer("grid").x), share.layer("grid").y)
    assert at == pytest.approx(share.layer("here").y, abs=0.01)
    # One ink for one test, in both charts; the curves are told apart by it.
    inks = {layer.key: layer.ink for layer in found.figure("samplers").layers}
    assert [share.layer(key).ink for key in ("grid", "rounding")] == [
        inks["grid"],
        inks["rounding"],
    ]
    assert len(set(inks.values())) == 3
    for layer in found.figure("samplers").layers:
        for picks in layer.picks:
            FloatLeak(**dict(picks))


def test_stages_fields_and_edges() -> None:
    data = Dataset(pd.DataFrame({"x": [1.0]}), "one")
    assert len(list(FloatLeak().run(data))) == 3
    assert len(list(FloatLeak().run(data))) == 1
    found: list[Findings] = []
    for one in FloatLeak(seed=2).run(data, lambda: bool(found)):
        found.append(one)
    assert len(found) == 1
    assert not list(FloatLeak(seed=3).run(data, lambda: True))
    with pytest.raises(ParamError) as caught:
        FloatLeak(answer=1)
    assert caught.value.field == "other"
    for fields in (
        {"epsilon": 0.001},
        {"epsilon": 50.0},
        {"answer": 1_000_000},
        {"answer": 3, "other": 0},
        {"other": 1_000_000, "epsilon": 0.003},
    ):
        for sampler in float_samplers.SAMPLERS:
            json.dumps(findings_json(run(trials=2000, sampler=sampler, **fields)), allow_nan=False)


def test_little_effort_draws_little_and_says_so() -> None:
    """Every number of outputs that is told is that of the draws, and the last findings are whole."""
    told: list[float] = []
    data = Dataset(pd.DataFrame({"x": [1.0]}), "one")
    context = Context(data, effort=LITTLE, progress=lambda share, doing: told.append(share))
    *_, found = FloatLeak().run(context)
    assert "of 10,000 outputs" in render(found.fact("share").note)
    assert "2,000 outputs each" in render(found.figure("samplers").subtitle)
    assert "What 2,000 outputs of each noise prove" in render(found.tables[0].title)
    assert len(found.figure("share").layer("grid").x) == LITTLE.of_points(73)
    assert found.fact("share").value == pytest.approx(0.272, abs=0.03)
    assert told == sorted(told)
    assert len(told) == len(float_samplers.SAMPLERS)
