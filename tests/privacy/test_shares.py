"""Shares of scatter matrices against numpy, their exchange under encryption, and a count by whom
its people trust against enumeration."""

import math
import random
from functools import reduce
from itertools import product

import numpy as np
import pytest
from scipy import stats

from dpstudio.privacy.learning.paillier import Public, new_key
from dpstudio.privacy.owners import exchange, shares, shuffled, trust
from dpstudio.privacy.owners.shares import Sums

BELOW = random.Random(4).randrange
KEY = new_key(256, BELOW)
RNG = np.random.default_rng(5)
X = RNG.uniform(-1, 1, (60, 4)) * np.array([1, 0.7, 0.4, 0.1]) + np.array([0, 0.3, -0.5, 0.8])
X = np.clip(X, -1, 1)
Y = RNG.integers(0, 3, 60)
BITS = 20


def split(owners: int, x: np.ndarray = X) -> Sums:
    """What owners add up of rows dealt out in turn."""
    return shares.sums_of([(x[i::owners], Y[i::owners]) for i in range(owners)], 3)


def by_numpy(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scatter of all rows, within and between classes, by their definitions, per row."""
    d = x - x.mean(axis=0)
    inside = np.zeros((4, 4))
    outside = np.zeros((4, 4))
    for k in range(3):
        own = x[k == Y]
        inside += (own - own.mean(axis=0)).T @ (own - own.mean(axis=0))
        apart = own.mean(axis=0) - x.mean(axis=0)
        outside += len(own) * np.outer(apart, apart)
    return d.T @ d / len(x), inside / len(x), outside / len(x)


def test_as_many_ciphertexts_as_published() -> None:
    tables = ((8, 2), (10, 2), (14, 2), (24, 2), (34, 2), (50, 3))
    assert [shares.ciphertexts(p) for p, _ in tables] == [45, 66, 120, 325, 630, 1326]
    assert [shares.ciphertexts(p, k) for p, k in tables] == [54, 77, 135, 350, 665, 1428]
    assert len(split(2).shares(BITS)[0].listed()) == shares.ciphertexts(4, 3)


@pytest.mark.parametrize("owners", [1, 2, 7, 60])
def test_scatters_of_shares_are_numpys_whatever_the_owners(owners: int) -> None:
    """To the bound of rounding; and to the last bit where rows lie on the grid."""
    whole = split(owners).pooled(BITS)
    m = shares.moments_of(whole, BITS, within=False)
    most = shares.rounding(owners, len(X), BITS, 3) / len(X)
    for one, other in zip((shares.total(m), shares.within(m), shares.between(m)), by_numpy(X),
                          strict=True):  # fmt: skip
        assert np.abs(one - other).max() <= most
    # MCDO: S_W + S_B = S̄.
    assert shares.within(m) + shares.between(m) == pytest.approx(shares.total(m), abs=1e-15)
    grid = np.round(X * 2**8) / 2**8
    assert split(owners, grid).pooled(BITS).listed() == split(1, grid).shares(BITS)[0].listed()


def test_one_owner_for_each_class_sends_its_own_scatter() -> None:
    """SCDO: S_W is the sum of the shares; all else is as with MCDO."""
    parts = [(X[k == Y], Y[k == Y]) for k in range(3)]
    sums = shares.sums_of(parts, 3, within=True)
    m = shares.moments_of(sums.pooled(BITS), BITS, within=True)
    most = shares.rounding(3, len(X), BITS, 3) / len(X)
    for one, other in zip((shares.total(m), shares.within(m), shares.between(m)), by_numpy(X),
                          strict=True):  # fmt: skip
        assert np.abs(one - other).max() <= most
    # A class of which nobody has a row adds nothing.
    empty = shares.sums_of([*parts[:2], (X[:0], Y[:0])], 3, within=True).pooled(BITS)
    assert np.isfinite(shares.within(shares.moments_of(empty, BITS, True))).all()


def test_rounding_moves_no_entry_by_more_than_its_bound() -> None:
    """With so few digits that it is felt, also where every entry is rounded the same way."""
    for bits, owners in product((4, 7), (3, 30)):
        x = np.full((60, 4), 0.5 + 2.0 ** (-bits - 1) * 0.98)
        x[:, 1] = -1.0
        for rows in (x, X):
            m = shares.moments_of(split(owners, rows).pooled(bits), bits, within=False)
            found = shares.total(m), shares.within(m), shares.between(m)
            gap = max(np.abs(a - b).max() for a, b in zip(found, by_numpy(rows), strict=True))
            assert 60 * gap <= shares.rounding(owners, 60, bits, 3)


def test_what_comes_out_is_the_sum_to_the_last_digit() -> None:
    heard = dict.fromkeys(("encrypt", "add"), 0)

    class Heard(Public):
        def encrypt(self, *given):
            heard["encrypt"] += 1
            return super().encrypt(*given)

        def add(self, *given):
            heard["add"] += 1
            return super().add(*given)

    public, parts = Heard(KEY.public.n), split(3).shares(BITS)
    sent = [exchange.sealed(share, public, BELOW) for share in parts]
    total = reduce(lambda a, b: exchange.added(a, b, public), sent)
    hidden, masks = exchange.blinded(total, public, BELOW)
    seen = exchange.opened(hidden, KEY)
    expected = [sum(each) for each in zip(*(p.listed() for p in parts), strict=True)]
    found = exchange.trusted_box(seen, masks, public)
    assert found == expected
    assert min(expected) < 0
    w = exchange.work(4, 3, 3)
    assert heard == {"encrypt": 3 * w.owner + w.proxy, "add": w.sums}
    assert w.decryptions == len(seen)


def test_blinded_sums_are_uniform_whatever_they_hide() -> None:
    small = Public(KEY.public.n)
    for hidden in (0, KEY.public.n // 2 - 1):
        cipher = small.encrypt(hidden, BELOW)
        seen = [exchange.opened(exchange.blinded([cipher], small, BELOW)[0], KEY)[0]
                for _ in range(150)]  # fmt: skip
        assert stats.kstest([v / small.n + 0.5 for v in seen], "uniform").pvalue > 0.01


# The shuffler


def stick(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    return float(np.maximum(p - math.exp(epsilon) * q, 0).sum())


def cloned(epsilon0: float, epsilon: float, n: int, share: float) -> float:
    """δ of the pair to which n reports reduce, by all pairs (C, k): C ~ Bin(n − 1, share) clones,
    half of which say yes."""
    found, w = 0.0, 1 / (1 + math.exp(-epsilon0))
    for c in range(n):
        half = stats.binom.pmf(np.arange(c + 1), c, 0.5)
        more, same = np.append(0, half), np.append(half, 0)
        p, q = w * more + (1 - w) * same, (1 - w) * more + w * same
        found += stats.binom.pmf(c, n - 1, share) * stick(p, q, epsilon)
    return found


def mixed(epsilon0: float, epsilon: float, n: int) -> float:
    """The exact δ of n shuffled answers by coins: the largest over what the others hold."""
    w, worst = 1 / (1 + math.exp(-epsilon0)), 0.0
    for others in (0, (n - 1) // 3, n // 2, n - 1):
        law = np.convolve(
            stats.binom.pmf(np.arange(others + 1), others, w),
            stats.binom.pmf(np.arange(n - others), n - 1 - others, 1 - w),
        )
        p, q = np.convolve(law, [1 - w, w]), np.convolve(law, [w, 1 - w])
        worst = max(worst, stick(p, q, epsilon), stick(q, p, epsilon))
    return worst


@pytest.mark.parametrize(("epsilon0", "epsilon", "n"), [(1.0, 0.3, 40), (2.5, 0.7, 90), (4, 2, 25)])
def test_delta_of_shuffled_coins(epsilon0: float, epsilon: float, n: int) -> None:
    """All cases added up; and never less than the law of the answers themselves."""
    found = shuffled.coins_delta(epsilon0, epsilon, n)
    fair = 2 / (math.exp(epsilon0) + 1)
    assert found == pytest.approx(cloned(epsilon0, epsilon, n, fair), rel=1e-9, abs=1e-14)
    assert 0 < mixed(epsilon0, epsilon, n) <= found
    assert shuffled.coins_delta(epsilon0, epsilon0, n) == 0


def test_the_theorem_for_any_protocol_holds_of_what_it_is_proved_from() -> None:
    """Against the hockey stick of the clones’ own law, C ~ Bin(n − 1, e^−ε₀), and that of coins."""
    n, delta = 400, 1e-3
    for epsilon0 in (0.2, 0.6, shuffled.clones_most(delta, n)):
        epsilon = shuffled.clones(epsilon0, delta, n)
        theirs = cloned(epsilon0, epsilon, n, math.exp(-epsilon0))
        assert mixed(epsilon0, epsilon, n) <= theirs + 1e-15
        assert shuffled.coins_delta(epsilon0, epsilon, n) <= theirs <= delta
    assert math.isnan(shuffled.clones(1.6, delta, n))
    # By hand: ln(1 + tanh(½)·(8·√(e·ln 4000/10⁴) + 8e/10⁴)).
    by_hand = math.log(1 + math.tanh(0.5) * (8 * math.sqrt(math.e * math.log(4000) / 1e4)
                                             + 8 * math.e / 1e4))  # fmt: skip
    assert shuffled.clones(1.0, delta, 10_000) == pytest.approx(by_hand, rel=1e-12)


def test_budgets_are_the_largest_that_are_allowed() -> None:
    for n, epsilon, delta in ((3000, 0.5, 1e-5), (1_000_000, 1.0, 1e-9)):
        proved = shuffled.clones_budget(epsilon, delta, n)
        assert shuffled.clones(proved, delta, n) <= epsilon
        assert shuffled.clones(proved * 1.0001, delta, n) > epsilon
        coins = shuffled.coins_budget(epsilon, delta, n)
        assert coins > proved
        assert shuffled.coins_delta(coins, epsilon, n) <= delta
        assert shuffled.coins_delta(coins * 1.0001, epsilon, n) > delta
    assert math.isnan(shuffled.clones_budget(1.0, 1e-6, 243))
    assert shuffled.clones_budget(5.0, 1e-6, 300) == shuffled.clones_most(1e-6, 300)
    assert shuffled.coins_budget(1.0, 1e-12, 10) == pytest.approx(1.0, rel=1e-5)


def test_coins_of_a_large_epsilon_hide_nothing() -> None:
    """Where nobody is left to a coin, δ is 1 − e^(ε − ε₀): a ratio that rounded to 1 once made it 0,
    so that any ε₀ was allowed."""
    for epsilon in (30.0, 36.0, 45.0):
        for more in (1e-3, 0.3, 2.0):
            found = shuffled.coins_delta(epsilon + more, epsilon, 1000)
            assert found == pytest.approx(-math.expm1(-more), rel=1e-6)
        coins = shuffled.coins_budget(epsilon, 0.5, 1000)
        assert coins == pytest.approx(epsilon + math.log(2), rel=1e-5)


# The count


def test_errors_are_those_of_the_laws() -> None:
    """Nobody trusted: by all totals of few people; one holder: by the density of its noise."""
    for epsilon, n, yes in ((0.7, 9, 4), (2.0, 12, 12)):
        w = 1 / (1 + math.exp(-epsilon))
        law = np.convolve(
            stats.binom.pmf(np.arange(yes + 1), yes, w),
            stats.binom.pmf(np.arange(n - yes + 1), n - yes, 1 - w),
        )
        counts = (np.arange(n + 1) - n * (1 - w)) / (2 * w - 1)
        assert law @ counts == pytest.approx(yes)
        assert math.sqrt(law @ (counts - yes) ** 2) == pytest.approx(trust.local(epsilon, n))
        x = np.linspace(0, 60 / epsilon, 400_001)
        square = np.trapezoid(x**2 * epsilon * np.exp(-epsilon * x), x)
        assert trust.central(epsilon) == pytest.approx(math.sqrt(square), rel=1e-6)
        assert trust.in_parts("gamma", epsilon, n, 0) == pytest.approx(trust.central(epsilon))


def test_messages_and_their_bits() -> None:
    assert trust.colluders(0.5, 9) == 4
    assert trust.colluders(0.9, 3) == 1
    assert [trust.messages(way, 100) for way in ("central", "gamma", "shuffled", "local")] == [
        100, 102, 200, 100
    ]  # fmt: skip
    assert trust.bits("gaussian", 10, 2048) == 12 * 5 * 4096
    assert trust.bits("shuffled", 10, 2048) == 20
