"""Many owners: Paillier against another implementation, the protocol's identity in integers, the
serial protocol, and noise in parts."""

import json
import random
from functools import reduce
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from dpstudio.privacy.learning import components, owners, paillier, partial_noise

VECTORS = json.loads(
    (Path(__file__).parent.parent / "reference" / "paillier.json").read_text(encoding="utf-8")
)
BELOW = random.Random(1).randrange
KEY = paillier.new_key(128, BELOW)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{int(v['p']).bit_length()} bits")
def test_ciphertexts_are_those_of_another_implementation(vector: dict[str, str]) -> None:
    v = {name: int(value) for name, value in vector.items()}
    key = paillier.Private(v["p"], v["q"])
    public, n = key.public, key.public.n
    assert public.encrypt(v["a"], lambda below: v["r"]) == v["ca"]
    assert public.encrypt(v["b"], lambda below: v["s"]) == v["cb"]
    assert public.add(v["ca"], v["cb"]) == v["sum"]
    assert public.times(v["ca"], 3) == v["times3"]
    opened = {name: key.decrypt(v[name]) % n for name in ("ca", "cb", "sum", "times3")}
    assert opened == {
        "ca": v["a"], "cb": v["b"], "sum": (v["a"] + v["b"]) % n, "times3": 3 * v["a"] % n
    }  # fmt: skip


HALF = st.integers(-(2**100), 2**100)


@given(HALF, HALF, st.integers(-(2**20), 2**20))
def test_sums_and_products_under_encryption(a: int, b: int, factor: int) -> None:
    public = KEY.public
    one, other = public.encrypt(a, BELOW), public.encrypt(b, BELOW)
    assert KEY.decrypt(one) == a
    assert public.encrypt(a, BELOW) != one
    assert KEY.decrypt(public.add(one, other)) == a + b
    assert KEY.decrypt(public.times(one, factor)) == a * factor


def test_keys_are_as_long_as_they_say() -> None:
    assert KEY.public.n.bit_length() == 128
    assert KEY.p != KEY.q
    real = paillier.new_key(2048, BELOW)
    assert real.public.n.bit_length() == 2048
    assert real.decrypt(real.public.encrypt(-(1 << 900), BELOW)) == -(1 << 900)
    with pytest.raises(ValueError, match="fit"):
        KEY.public.encrypt(KEY.public.n // 2 + 1, BELOW)
    ticks = iter(range(1000))
    assert paillier.clocked(64, BELOW, lambda: float(next(ticks))) == (1.0,) * 4


def rows(n: int, p: int, seed: int = 2) -> np.ndarray:
    return components.in_the_ball(np.random.default_rng(seed).uniform(-1, 1, (n, p)))


def run(x: np.ndarray, noise: np.ndarray, parties: int = 5) -> tuple[np.ndarray, owners.Sealed]:
    """What the user opens, and what the user was sent."""
    public = KEY.public
    shares = [owners.share_of(part) for part in owners.dealt(x, parties)]
    sent = [owners.sealed(share, public, BELOW) for share in shares]
    total = reduce(lambda a, b: owners.added(a, b, public), sent)
    received = owners.masked(total, owners.noise_times_n(noise, len(x)), public, BELOW)
    return owners.opened(received, KEY)[0], received


def test_the_user_opens_the_noisy_scatter_to_the_last_digit() -> None:
    x, p = rows(97, 3), 3
    noise = np.random.default_rng(3).normal(0, 7, p * (p + 1) // 2)
    opened, received = run(x, noise)
    whole = owners.pooled([owners.share_of(part) for part in owners.dealt(x, 5)])
    assert list(opened) == list(owners.scatter_times_n(whole) + owners.noise_times_n(noise, 97))
    exact = owners.matrix_of(owners.scatter_times_n(whole), 97, p)
    # Cutting 16 digits after the point moves each coordinate by less than 2^−16.
    assert exact == pytest.approx(components.second_moments(x, True), abs=97 * 4 * 2.0**-16)
    assert received.rows == 97


def test_masks_are_fresh_and_wide() -> None:
    """What the user decrypts of the sums has no digit of them, and is another number each time."""
    x = rows(40, 2)
    seen = []
    for _ in range(30):
        _, received = run(x, np.zeros(3))
        seen.append([KEY.decrypt(c) for c in received.sums])
    width = 2 ** owners.mask_bits(40, KEY.public)
    assert width > 2**20 * 40 * 2**owners.FRACTION
    assert len({tuple(v) for v in seen}) == 30
    assert np.abs(np.array(seen, dtype=float)).mean() == pytest.approx(width / 2, rel=0.3)
    assert owners.mask_bits(40, paillier.Public(1 << 2048)) == 6 + owners.FRACTION + owners.HIDING


def test_on_the_grid_no_row_is_longer() -> None:
    x = rows(500, 4)
    z = np.ldexp(owners.on_grid(x), -owners.FRACTION)
    assert (np.abs(z) <= np.abs(x)).all()
    with pytest.raises(ValueError, match="owner"):
        owners.share_of(np.broadcast_to(np.zeros((1, 1)), (2**21, 1)))


def test_the_operations_are_counted() -> None:
    """As the protocol does them: each call of the key is heard."""
    heard = dict.fromkeys(("encrypt", "add", "times"), 0)

    class Heard(paillier.Public):
        def encrypt(self, *given):
            heard["encrypt"] += 1
            return super().encrypt(*given)

        def add(self, *given):
            heard["add"] += 1
            return super().add(*given)

        def times(self, *given):
            heard["times"] += 1
            return super().times(*given)

    public, p, parties = Heard(KEY.public.n), 3, 4
    shares = [owners.share_of(part) for part in owners.dealt(rows(20, p), parties)]
    sent = [owners.sealed(share, public, BELOW) for share in shares]
    total = reduce(lambda a, b: owners.added(a, b, public), sent)
    owners.masked(total, owners.noise_times_n(np.zeros(6), 20), public, BELOW)
    w = owners.work(p, parties)
    assert heard == {"encrypt": parties * w.owner + w.proxy, "add": w.sums, "times": w.powers}
    assert w.decryptions == len(total.moments) + len(total.sums)


def test_the_serial_protocol_without_noise_loses_nothing_it_keeps() -> None:
    """With k = p it ends with the pooled matrix; with k < p and noise each owner costs something."""
    x = rows(300, 4) * np.array([1, 0.6, 0.3, 0.1])
    parts = owners.scatters_of(x, 6, False)
    whole, rng = components.second_moments(x, False), np.random.default_rng(1)
    full = owners.serial_subspaces(parts, 4, 0.0, 1, rng)
    for k in (1, 2, 3):
        assert components.captured(whole, full[..., :k]) == pytest.approx(1.0, abs=1e-9)
    few, many = (owners.serial_subspaces(parts, 2, s, 200, rng) for s in (0.5, 20.0))
    assert components.captured(whole, many).mean() < components.captured(whole, few).mean() < 1


@pytest.mark.parametrize("family", partial_noise.FAMILIES)
def test_parts_add_up_to_one_laplace_noise(family: str) -> None:
    rng = np.random.default_rng(8)
    alone = partial_noise.parts(family, 10, 0, 20_000, rng)
    assert stats.kstest(alone, stats.laplace.cdf).pvalue > 0.01
    assert partial_noise.variance(family, 10, 0) == pytest.approx(2)
    for colluding in (0, 3, 8):
        found = partial_noise.parts(family, 10, colluding, 40_000, rng)
        assert found.var() == pytest.approx(partial_noise.variance(family, 10, colluding), rel=0.12)
    with pytest.raises(ValueError, match="collude"):
        partial_noise.parts(family, 10, 9, 5, rng)


def test_what_colluding_owners_leave() -> None:
    """The ε of gamma parts from the density of what is left, over a fine grid about its peak."""
    for colluding, epsilon in ((1, 1.0), (3, 0.5), (4, 2.0)):
        order = 0.5 - colluding / 10

        def log(x: np.ndarray, order: float = order) -> np.ndarray:
            x = np.abs(x)
            return order * np.log(x) + np.log(special.kve(order, x)) - x

        x = np.concatenate([[1e-300], np.geomspace(1e-12, 30, 4000)])
        both = np.concatenate([log(x) - log(x - epsilon), log(x) - log(x + epsilon)])
        worst = float(np.max(both[np.isfinite(both)]))
        assert partial_noise.bare(epsilon, 10, colluding) == pytest.approx(worst, rel=1e-6)
    assert partial_noise.bare(1.0, 10, 0) == 1.0
    assert partial_noise.bare(1.0, 10, 5) == np.inf
