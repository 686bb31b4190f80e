"""The selection mechanisms: exponential, report noisy max, permute-and-flip; and their
catalogue."""

import math
from fractions import Fraction

import numpy as np

from dpstudio.privacy.mechanisms.law import Array
from dpstudio.privacy.mechanisms.selection import (
    Indices,
    Scores,
    Selection,
    blocks,
    legendre,
    log_sum,
)
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_, Message, say

_LN2 = math.log(2)
# Steps of the grid to one unit of noise, for a winner that leaves the program.
_GRID = Fraction(1 << 30)


def softmax(z: Array) -> Array:
    """ln of e^(z_i) / Σ e^(z_j), shape (n,) to (n,): the exponential mechanism on scores in units
    of the noise (McSherry & Talwar 2007)."""
    return np.asarray(z - log_sum(z))


class Exponential(Selection):
    """P(i) ∝ exp(rate·score): the exponential mechanism.

    For monotone scores ε/Δ is enough: the weight of i and the sum of all weights move the same way,
    each by a factor between 1 and e^ε, and so their ratio by a factor between e^(−ε) and e^ε.
    """

    key = "exponential"
    label = N_("Exponential")
    formula = N_("P(i) ∝ exp(ε·qᵢ/2Δ); ε/Δ where monotone")
    source = "McSherry & Talwar 2007, Theorem 6"
    ink = "exponential"

    def log_chances(self, z: Array) -> Array:
        """z − ln Σ e^z."""
        return softmax(z)

    def simulate(self, rng: np.random.Generator, scores: Scores, size: int) -> Indices:
        """Draw a candidate with equal chances, keep it with probability e^z, else draw again: what
        is kept has P ∝ e^z."""
        keep = np.exp(self.scaled(scores))
        winners, waiting = np.empty(size, dtype=np.int64), np.arange(size)
        while len(waiting):
            tried = rng.integers(0, len(keep), (len(waiting), 32))
            kept = rng.random(tried.shape) < keep[tried]
            done = kept.any(axis=1)
            winners[waiting[done]] = tried[done, np.argmax(kept[done], axis=1)]
            waiting = waiting[~done]
        return winners

    def leave(self, chance: ReleaseRandom, scores: Scores) -> int:
        """As `simulate`, with exact coins."""
        return kept(chance, self.exactly(scores))


def kept(chance: ReleaseRandom, losses: list[Fraction]) -> int:
    """A candidate drawn with P ∝ e^−loss: one of all alike, kept with probability e^−loss, else
    drawn again."""
    while True:
        tried = chance.randbelow(len(losses))
        if chance.coin(losses[tried]):
            return tried


LAPLACE, GUMBEL = "laplace", "gumbel"
NOISES = {LAPLACE: N_("Laplace"), GUMBEL: N_("Gumbel")}
# Ends of panels in units of the noise, counted from a score: close by, where the integrand bends,
# they are narrow.
_STEPS = np.array([0.5, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64])
_REACH = 45.0


class NoisyMax(Selection):
    """Add noise of scale 1/rate to every score and tell which sum is the largest, and nothing else.

    Laplace noise at ε/Δ for monotone scores is Dwork & Roth 2014, Claim 3.9; the general case is in
    `Selection`. Gumbel noise gives the exponential mechanism exactly, and with it the proofs of
    that.
    """

    key = "noisy_max"
    label = N_("Noisy max")
    formula = N_("argmax qᵢ + Lap(2Δ/ε); Lap(Δ/ε) where monotone")
    source = "Dwork & Roth 2014, Claim 3.9"
    ink = "noisy_max"

    noise: str = choice(
        LAPLACE,
        N_("Noise"),
        N_("What is added to each score. Gumbel noise gives the exponential mechanism exactly."),
        options=NOISES,
    )

    def log_chances(self, z: Array) -> Array:
        """Those of the exponential mechanism with Gumbel noise, else by integration."""
        return softmax(z) if self.noise == GUMBEL else laplace_chances(z)

    def simulate(self, rng: np.random.Generator, scores: Scores, size: int) -> Indices:
        """Add noise to every score and take the largest, in blocks that fit in memory."""
        z, out = self.scaled(scores), []
        for part in blocks(size, len(z)):
            noise = (
                rng.gumbel(size=(part, len(z)))
                if self.noise == GUMBEL
                else rng.laplace(size=(part, len(z)))
            )
            out.append(np.argmax(z + noise, axis=1))
        return np.concatenate(out).astype(np.int64)

    def leave(self, chance: ReleaseRandom, scores: Scores) -> int:
        """Gumbel noise is the exponential mechanism. Laplace noise is discrete, on a grid of
        2^−30 of its scale, and the first of equal sums wins: with the other noise held fixed a
        candidate wins from some step on, and a neighbour moves that by the scores and by one step
        of rounding each, which the wider noise pays for."""
        losses = self.exactly(scores)
        if self.noise == GUMBEL:
            return kept(chance, losses)
        # Two steps of rounding are less than 2^−18 of any ε ≥ 0.001.
        scale = _GRID * (1 + Fraction(1, 1 << 18))
        sums = [chance.discrete_laplace(scale) - round(loss * _GRID) for loss in losses]
        return sums.index(max(sums))

    def remark(self) -> Message:
        """That Gumbel noise makes it the exponential mechanism."""
        if self.noise == GUMBEL:
            return say("With Gumbel noise this is the exponential mechanism exactly.")
        return Message("")


def laplace_chances(z: Array) -> Array:
    """ln P(i) that z_i + Lap(1) is the largest, for z ≤ 0 with the best 0, shape (n,) to (n,);
    relative error about 1e-12, sooner 1e-10 at gaps of 10⁶.

    P(i) = ∫ f(x − z_i) Π_{j≠i} F(x − z_j) dx = ∫ e^G(x) h(x − z_i) dx with G = Σ ln F(x − z_j) over
    all j and h = f/F, which is 1 below 0. The integrand is analytic but at the scores:
    Gauss–Legendre over panels that end there, in log space.
    """
    levels, which, ties = np.unique(z, return_inverse=True, return_counts=True)
    if len(levels) == 1:
        return np.full(len(z), -math.log(len(z)))
    x, log_weights = _nodes(levels, ties, len(z))
    # Far below the lowest x a score acts through its tail alone: P falls as e^z there, and F is 1.
    floor = float(x.min()) - _REACH
    kept = levels > floor
    seen, weight = np.append(floor, levels[kept]), np.append(0, ties[kept])
    found = np.full(len(seen), -np.inf)
    chunk = max(16, 1_000_000 // len(seen))
    for at in range(0, len(x), chunk):
        u = x[at : at + chunk] - seen[:, None]
        below = np.minimum(u, 0.0)
        # ln F = below + c − ln 2 where u < 0 (c = −ln 2 there) and c above: c = ln(1 − e^(−u)/2).
        c = np.log1p(np.exp(below - u) / -2)
        total = weight @ (below + c) + log_weights[at : at + chunk]
        found = np.logaddexp(found, log_sum(total + (below - u) - c - _LN2))
    chances = np.where(kept, 0.0, levels - floor + found[0])
    chances[kept] = found[1:]
    return np.asarray(chances[which])


def _nodes(levels: Array, ties: Indices, count: int) -> tuple[Array, Array]:
    """Nodes x and the logarithms of their weights over all that matters: from 45 below the second
    best score (farther down the two best must both fall that far short of their own scores) to 45
    above the best."""
    second = levels[-1] if ties[-1] > 1 else levels[-2]
    low, high = second - _REACH, levels[-1] + _REACH + math.log(count)
    kinks = np.concatenate([[low], levels[levels > low], [high]])
    middle = (kinks[1:] + kinks[:-1]) / 2
    up, down = kinks[:-1, None] + _STEPS, kinks[1:, None] - _STEPS
    # Above the best score nothing begins at the upper end, so all its panels are counted from
    # below.
    middle[-1] = high
    ends = np.unique(
        np.concatenate([kinks, middle, up[up < middle[:, None]], down[down > middle[:, None]]])
    )
    half, centre = np.diff(ends) / 2, (ends[1:] + ends[:-1]) / 2
    parts = []
    # Between scores that lie close together the integrand hardly bends.
    for chosen, points in ((half <= 0.1, 6), (half > 0.1, 16)):
        nodes, weights = legendre(points)
        x = centre[chosen, None] + half[chosen, None] * nodes
        parts.append((x.ravel(), (np.log(half[chosen, None]) + np.log(weights)).ravel()))
    return np.concatenate([x for x, _ in parts]), np.concatenate([w for _, w in parts])


class PermuteFlip(Selection):
    """Take the candidates in random order; keep one with probability e^z, else go to the next. The
    best is always kept.

    It is report noisy max with exponential noise (Ding et al. 2021), so the proof in `Selection`
    holds, at ε/Δ for monotone scores too; its expected loss is never above that of the exponential
    mechanism (McKenna & Sheldon 2020).
    """

    key = "permute_flip"
    label = N_("Permute-and-flip")
    formula = N_("keep i with P = exp(−ε·lossᵢ/2Δ) in random order; ε/Δ where monotone")
    source = "McKenna & Sheldon 2020, Algorithm 1"
    ink = "permute_flip"

    def log_chances(self, z: Array) -> Array:
        """By an exact integral over the place in the order."""
        return flip_chances(z)

    def simulate(self, rng: np.random.Generator, scores: Scores, size: int) -> Indices:
        """Of all candidates whose coin falls on “keep”, the first in a random order."""
        keep, out = np.exp(self.scaled(scores)), []
        for part in blocks(size, len(keep)):
            order = rng.random((part, len(keep)))
            lands = rng.random((part, len(keep))) < keep
            out.append(np.argmin(np.where(lands, order, 2.0), axis=1))
        return np.concatenate(out).astype(np.int64)

    def leave(self, chance: ReleaseRandom, scores: Scores) -> int:
        """A candidate among those left, kept with probability e^−loss, else put aside."""
        losses = self.exactly(scores)
        left = list(range(len(losses)))
        while True:
            tried = left.pop(chance.randbelow(len(left)))
            if chance.coin(losses[tried]):
                return tried


def flip_chances(z: Array) -> Array:
    """ln P(i) that permute-and-flip keeps i, for z ≤ 0 with the best 0, shape (n,) to (n,).

    It is z_i + ln ∫₀¹ Π_{j≠i} (1 − p_j t) dt with p = e^z: t is the place of i in the order, and
    every j before it was not kept. The integrand is a polynomial, which Gauss–Legendre with enough
    nodes integrates exactly; all terms are positive.
    """
    levels, which, ties = np.unique(z, return_inverse=True, return_counts=True)
    p = np.exp(levels)
    degree = int(ties[levels > -_REACH].sum())
    nodes, weights = legendre(1 << max(3, math.ceil(math.log2(degree / 2 + 1))))
    t, log_weights = (nodes + 1) / 2, np.log(weights / 2)
    found = np.full(len(p), -np.inf)
    chunk = max(16, 1_000_000 // len(p))
    for at in range(0, len(t), chunk):
        misses = np.log1p(-p[:, None] * t[at : at + chunk])
        found = np.logaddexp(
            found, log_sum(ties.astype(np.float64) @ misses + log_weights[at : at + chunk] - misses)
        )
    return np.asarray((levels + found)[which])


SELECTIONS: list[type[Selection]] = [Exponential, NoisyMax, PermuteFlip]
