"""Second moments of rows that many owners hold: shares on a grid, the sum under encryption with a
masked mean (DPDPCA), and the serial protocol in which each owner adds noise (Imtiaz et al.)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.learning.components import second_moments, symmetric
from dpstudio.privacy.learning.paillier import Private, Public
from dpstudio.privacy.sampling import Below

FRACTION = 16  # binary digits after the point of a coordinate
HIDING = 64  # by so many binary digits a mask is wider than what it hides, where the key has room
_EXACT = 2**53  # integers up to here are exact in floats, and so are their sums
Integers = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Share:
    """What one owner knows of its rows in the units of the grid, exact integers: Σxxᵀ on and above
    the diagonal, row by row, in units of 4^−FRACTION, Σx in 2^−FRACTION, and how many rows."""

    moments: Integers
    sums: Integers
    rows: int


def on_grid(x: Array) -> Array:
    """Rows on the grid, as integers in floats: cut towards 0, so that none becomes longer and sums
    move no further than without a grid."""
    return np.trunc(np.ldexp(x, FRACTION))


def share_of(x: Array) -> Share:
    """The share of the owner of these rows |x| ≤ 1, shape (n, p). ValueError for 2²¹ rows and more:
    their sums would be rounded."""
    if len(x) * 4**FRACTION >= _EXACT:
        raise ValueError("an owner has less than 2,097,152 rows")
    z = on_grid(x)
    upper = (z.T @ z)[np.triu_indices(x.shape[1])]
    return Share(_whole(upper), _whole(z.sum(axis=0)), len(x))


def _whole(values: Array) -> Integers:
    return np.array([int(v) for v in values], dtype=object)


def pooled(shares: Sequence[Share]) -> Share:
    """The share of all of them together."""
    parts = list(shares)
    moments, sums = (
        np.sum([getattr(s, name) for s in parts], axis=0) for name in ("moments", "sums")
    )
    return Share(moments, sums, sum(s.rows for s in parts))


def scatter_times_n(share: Share) -> Integers:
    """n·Σ(x − x̄)(x − x̄)ᵀ on and above the diagonal, in units of 4^−FRACTION: an integer, where the
    scatter itself is a fraction."""
    i, j = np.triu_indices(len(share.sums))
    return np.asarray(share.rows * share.moments - share.sums[i] * share.sums[j])


def noise_times_n(noise: Array, rows: int) -> Integers:
    """Noise on the scatter, as the proxy adds it to n times the scatter: rounded to single units,
    since on multiples of n what is left modulo n would be exact."""
    return np.array([round(float(g) * rows * 4**FRACTION) for g in noise], dtype=object)


def matrix_of(times_n: Integers, rows: int, p: int) -> Array:
    """A matrix in the units of the data of n times its upper triangle on the grid."""
    return symmetric(np.array([float(v) for v in times_n]) / (rows * 4.0**FRACTION), p)


# The protocol: what each party does, and what it sees.


@dataclass(frozen=True, eq=False)
class Sealed:
    """Ciphertexts of moments and of sums, and the number of rows, which all parties learn."""

    moments: list[int]
    sums: list[int]
    rows: int


def sealed(share: Share, key: Public, below: Below) -> Sealed:
    """What an owner sends to the proxy; it needs nobody else for it, and may go."""
    moments, sums = (
        [key.encrypt(int(v), below) for v in part] for part in (share.moments, share.sums)
    )
    return Sealed(moments, sums, share.rows)


def added(one: Sealed, other: Sealed, key: Public) -> Sealed:
    """Two together, under encryption."""
    moments = [key.add(a, b) for a, b in zip(one.moments, other.moments, strict=True)]
    sums = [key.add(a, b) for a, b in zip(one.sums, other.sums, strict=True)]
    return Sealed(moments, sums, one.rows + other.rows)


def mask_bits(rows: int, key: Public) -> int:
    """How wide the mask of a sum is: HIDING digits wider than it, or as the key has room for its
    square."""
    return min(rows.bit_length() + FRACTION + HIDING, (key.n.bit_length() - 4) // 2)


def masked(total: Sealed, noise: Integers, key: Public, below: Below) -> Sealed:
    """What the proxy sends to the user: E[v + b] for a fresh random mask b, and E[nR + vbᵀ + bvᵀ +
    bbᵀ + noise], of which (v + b)(v + b)ᵀ leaves n times the noisy scatter.

    The text divides by n instead and takes multiples of n for b, which leaves v modulo n in the
    open; n is known to all here, so nothing is divided. `noise` is `noise_times_n`.
    """
    p, width = len(total.sums), mask_bits(total.rows, key)
    b = [below(2 << width) - (1 << width) for _ in range(p)]
    sums = [key.add(v, key.encrypt(b[i], below)) for i, v in enumerate(total.sums)]
    pairs = zip(*np.triu_indices(p), strict=True)
    moments = []
    for r, extra, (i, j) in zip(total.moments, noise, pairs, strict=True):
        crossed = key.add(key.times(total.sums[i], b[j]), key.times(total.sums[j], b[i]))
        known = key.encrypt(b[i] * b[j] + int(extra), below)
        moments.append(key.add(key.add(key.times(r, total.rows), crossed), known))
    return Sealed(moments, sums, total.rows)


def opened(received: Sealed, key: Private) -> tuple[Integers, Integers]:
    """What the user sees: n times the noisy scatter, as `scatter_times_n` has it, and the masked
    sums."""
    v = [key.decrypt(c) for c in received.sums]
    i, j = np.triu_indices(len(v))
    found = [key.decrypt(c) - v[a] * v[b] for c, a, b in zip(received.moments, i, j, strict=True)]
    return np.array(found, dtype=object), np.array(v, dtype=object)


@dataclass(frozen=True)
class Work:
    """How often each operation is done: encryptions by one owner, and by the proxy; sums and
    powers under encryption at the proxy; decryptions by the user."""

    owner: int
    proxy: int
    sums: int
    powers: int
    decryptions: int


def work(p: int, owners: int) -> Work:
    """The operations of the protocol for p columns."""
    pairs = p * (p + 1) // 2
    sent = pairs + p
    return Work(sent, sent, (owners - 1) * sent + 3 * pairs + p, 3 * pairs, sent)


# The serial protocol.


def dealt(x: Array, owners: int) -> Iterator[Array]:
    """The rows of each owner, dealt out in turn."""
    for place in range(owners):
        yield x[place::owners]


def serial_subspaces(
    scatters: Array, k: int, sigma: float, seeds: int, rng: np.random.Generator
) -> Array:
    """The k columns, shape (seeds, p, k), that the last of the owners with these scatters, shape
    (owners, p, p), has: each adds symmetric N(0, σ²) noise to its own, keeps P = U_k√Λ_k, and the
    top k of PPᵀ with those that came to it go on (Imtiaz & Sarwate 2018, as the text has it).

    Rows lie with one owner each, so every owner may spend all of (ε, δ) (parallel composition).
    """
    p = scatters.shape[-1]
    carried = np.zeros((seeds, p, p))
    vectors = np.zeros((seeds, p, k))
    for place, own in enumerate(scatters):
        noise = sigma * symmetric(rng.standard_normal((seeds, p * (p + 1) // 2)), p)
        _, kept = _largest(own + noise, k)
        vectors, carried = _largest(carried + kept, k) if place else _largest(kept, k)
    return vectors


def _largest(a: Array, k: int) -> tuple[Array, Array]:
    """The leading k eigenvectors, and the part PPᵀ of a matrix on them, negative values as 0."""
    values, vectors = eigh(a)
    top, u = np.maximum(values[..., : -k - 1 : -1], 0), vectors[..., : -k - 1 : -1]
    return u, np.asarray((u * top[..., None, :]) @ np.swapaxes(u, -1, -2))


def scatters_of(x: Array, owners: int, centred: bool) -> Array:
    """The scatter of each owner's rows, shape (owners, p, p)."""
    return np.stack([second_moments(rows, centred) for rows in dealt(x, owners)])
