"""What several answers are as good for, rounding would choose: ties, signs, directions alike. Each is
moved by as little as another processor moves it."""

import numpy as np
import pytest

from dpstudio.privacy.attacks.float_samplers import inverse_noise, numpy_noise
from dpstudio.privacy.eigenvectors import eigh, signed
from dpstudio.privacy.learning.reduction import Moments, discriminant, principal
from dpstudio.privacy.nearest import nearest
from dpstudio.privacy.owners.shares import products

RNG = np.random.default_rng
HAIR = 1e-14


@pytest.mark.parametrize("k", [1, 3, 8])
def test_the_nearest_are_those_of_a_stable_sort(k: int) -> None:
    """Of whole numbers and of floats with many ties, moved by rounding or not."""
    far = RNG(1).integers(0, 4, (200, 8))
    expected = np.sort(np.argsort(far, axis=1, kind="stable")[:, :k], axis=1)
    assert (nearest(far, k) == expected).all()
    moved = (far + 1) / 3 * (1 + HAIR * RNG(2).normal(size=far.shape))
    assert (nearest(moved, k) == expected).all()
    assert (nearest(far[0], k) == expected[0]).all()
    assert (nearest(np.zeros((2, 8)), k) == np.arange(k)).all()


def test_an_eigenvector_has_one_sign() -> None:
    rng = RNG(3)
    a = rng.normal(size=(50, 5, 5))
    a += np.swapaxes(a, 1, 2)
    values, vectors = eigh(a)
    assert np.allclose(a @ vectors, vectors * values[:, None, :])
    flips = rng.choice([-1.0, 1.0], (50, 1, 5))
    assert (signed(vectors * flips) == vectors).all()
    # Two entries as large as each other but for rounding, of which either may be the larger.
    pair = np.array([[1.0, -1.0], [-1.0, 1.0]]) / np.sqrt(2)
    for hair in (HAIR, -HAIR):
        for turn in (1, -1):
            made = signed(turn * pair * (1 + hair * np.array([[0.0, 1.0], [1.0, 0.0]])))
            assert (made[0] > 0).all()
    assert signed(np.zeros((0, 3))).shape == (0, 3)


def test_directions_beyond_the_classes_are_the_same_ones() -> None:
    """Two classes have one direction; the second is no accident of rounding."""
    rng = RNG(4)
    x = rng.normal(size=(400, 5)) * np.array([0.3, 0.1, 0.4, 0.2, 0.25])
    member = np.eye(2)[(x[:, 0] + 0.1 * rng.normal(size=400) > 0).astype(int)]
    exact = Moments(member.mean(0), member.T @ x / 400, x.T @ x / 400)
    for seed in range(5):
        hair = HAIR * RNG(seed).normal(size=(5, 5))
        moved = Moments(exact.shares, exact.sums, exact.squares * (1 + hair + hair.T))
        for found in (discriminant, principal):
            assert np.allclose(found(moved, 3), found(exact, 3), rtol=0, atol=1e-6)


def test_logarithms_whose_last_bit_is_looked_at_are_the_c_library_s() -> None:
    """Both samplers call the same one, which no choice of numpy's instructions changes."""
    u = RNG(5).random(5000)
    assert (inverse_noise(2 * u[u < 0.5], 1.0) == -numpy_noise(u[u < 0.5], 1.0)).all()


def test_products_of_shares_add_rows_in_their_order() -> None:
    x = RNG(6).normal(size=(300, 3))
    told = np.zeros((3, 3))
    for row in x:
        told += np.outer(row, row)
    assert np.allclose(products(x, x), told, rtol=1e-13)
    assert (products(x, x) == products(x, x).T).all()
