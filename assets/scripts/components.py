"""Principal components under a promise: second moments with noise, noisy products, drawn
directions."""

import math

import numpy as np


def second_moments(x, centred):
    """Σ xxᵀ of rows, or of rows less their mean."""
    x = x - x.mean(axis=0) if centred else x
    return x.T @ x


def moves(centred, replaced, rows):
    """How far one person with so many rows |x| ≤ 1 moves the second moments: in the Frobenius norm,
    and by the most that vᵀAv can differ between two unit vectors. Who comes adds xxᵀ, or about the
    mean at most (x − x̄)(x − x̄)ᵀ with |x − x̄| ≤ 2 (Dwork, Talwar, Thakurta & Zhang 2014); who is
    replaced adds ½(dsᵀ + sdᵀ), d = x − y and s = x + y − 2·mean."""
    if not replaced:
        norm, width = (4, 4) if centred else (1, 1)
    else:
        norm, width = (4, 3 * math.sqrt(3)) if centred else (math.sqrt(2), 2)
    return rows * norm, rows * width


def mirrored(upper, p):
    """Symmetric matrices of their entries on and above the diagonal, row by row."""
    full = np.zeros((*upper.shape[:-1], p, p))
    full[(..., *np.triu_indices(p))] = upper
    return full + np.swapaxes(np.triu(full, 1), -1, -2)


def leading_vectors(a, k):
    """The eigenvectors of the k largest eigenvalues as columns, the largest first, each with a sign
    that is the same on every machine: its largest entry is positive."""
    vectors = np.linalg.eigh(a)[1][..., : -k - 1 : -1]
    size = np.abs(vectors)
    first = np.argmax(size >= (1 - 1e-6) * size.max(axis=-2, keepdims=True), axis=-2)
    return vectors * np.sign(np.take_along_axis(vectors, first[..., None, :], axis=-2))


def share_captured(a, v):
    """How much of the variance that k directions can capture these capture: tr VᵀAV over the sum of
    the k largest eigenvalues."""
    best = np.linalg.eigvalsh(a)[-v.shape[-1] :].sum()
    found = np.sum(v * (a @ v), axis=(-2, -1))
    return found / best if best > 0 else np.ones_like(found)


def power_directions(a, k, sigma, steps, draws, rng):
    """X ← qr(AX + σG), from a random start, so many times (Hardt & Price 2014)."""
    x = np.linalg.qr(rng.standard_normal((draws, len(a), k)))[0]
    noise = sigma * rng.standard_normal((steps, draws, len(a), k))
    for each in noise:
        x = np.linalg.qr(a @ x + each)[0]
    return x


def drawn_directions(a, k, strength, draws, rng):
    """k directions one after the other, each of density ∝ exp(c·vᵀAv) among those at right angles
    to the ones before: the exponential mechanism (Kapralov & Talwar 2013)."""
    basis = np.eye(len(a))[None]
    found = np.empty((draws, len(a), k))
    for turn in range(k):
        drawn = bingham(strength * np.swapaxes(basis, 1, 2) @ a @ basis, draws, rng)
        found[:, :, turn] = np.squeeze(basis @ drawn[:, :, None], -1)
        basis = basis @ np.linalg.qr(drawn[:, :, None], mode="complete")[0][:, :, 1:]
    return found


def bingham(a, draws, rng):
    """Unit vectors of density ∝ exp(vᵀAv), by rejection from angular central Gaussians (Kent,
    Ganeiber & Mardia 2018), one for each matrix, or all of a single one."""
    q = a.shape[-1]
    values = np.linalg.eigvalsh(a)
    vectors = np.broadcast_to(leading_vectors(a, q)[..., ::-1], (draws, q, q))
    widths = np.broadcast_to(values[:, -1:] - values, (draws, q))
    b = np.array([envelope(each) for each in widths[: len(a)]])
    b = np.broadcast_to(b[:, None], (draws, 1))
    spread = 1 / np.sqrt(1 + 2 * widths / b)
    best = (b - q + q * np.log(q / b)) / 2
    found, left = np.empty((draws, q)), np.arange(draws)
    while len(left):
        z = rng.standard_normal((len(left), q)) * spread[left]
        z /= np.linalg.norm(z, axis=1, keepdims=True)
        u = np.sum(z * z * widths[left], axis=1, keepdims=True)
        log_chance = q / 2 * np.log1p(2 * u / b[left]) - u - best[left]
        kept = rng.standard_exponential(len(left)) > -log_chance[:, 0]
        found[left[kept]] = z[kept]
        left = left[~kept]
    return np.squeeze(vectors @ found[:, :, None], -1)


def envelope(widths):
    """The b from 1 to q with Σ 1/(b + 2λ) = 1, which makes most of the candidates good."""
    low, high = 1.0, float(len(widths))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.sum(1 / (middle + 2 * widths)) > 1 else (low, middle)
    return (low + high) / 2


def serial_directions(scatters, k, sigma, draws, rng):
    """Owners in a row, each with Gaussian noise on its own second moments: the best k directions of
    the k that came and the k of its own go on to the next (Imtiaz & Sarwate 2018)."""
    p = scatters.shape[-1]
    carried = None
    for own in scatters:
        noise = sigma * mirrored(rng.standard_normal((draws, p * (p + 1) // 2)), p)
        kept = strongest_part(own + noise, k)
        carried = kept if carried is None else strongest_part(carried + kept, k)
    return leading_vectors(carried, k)


def strongest_part(a, k):
    """A matrix on its k leading directions alone, negative variances as 0."""
    u = leading_vectors(a, k)
    along = np.maximum(np.linalg.eigvalsh(a)[..., : -k - 1 : -1], 0)
    return (u * along[..., None, :]) @ np.swapaxes(u, -1, -2)
