"""δ(ε) and ε(δ) of sums of many independent losses on a lattice, each with a bound on its numeric
error."""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.lattice import Round
from dpstudio.privacy.accounting.tilted import CLEAR, Tilted


def log_delta_at(one: Round, k: float, epsilon: float) -> tuple[float, float]:
    """ln δ_finite(ε) of the round k times, and its relative error; −inf where nothing is above
    ε."""
    if epsilon >= k * (one.start + one.places * one.step) * (1 - 1e-15):
        return -math.inf, 0.0
    tilted = Tilted.of(one, one.tilt_for_epsilon(k, epsilon), k, k)
    ks, eps = np.array([k]), np.array([epsilon])
    at = np.floor((eps - k * one.start) / one.step + 1e-9) + 1
    powers = tilted.powers(ks)
    a, b = tilted.sums(powers, at)
    u = k * one.start + at * one.step - eps
    value = float((a - b * np.exp(-u))[0])
    error = float((powers.noise + tilted.round_the_circle(ks, eps))[0])
    scale = k * tilted.cumulants[0] - tilted.theta * float((eps + u)[0])
    if value <= error:
        return scale + math.log(2 * error), 1.0
    return scale + math.log(value), error / value


def solve(one: Round, k: Array, log_target: Array) -> tuple[Array, Array]:
    """ε ≥ 0 with δ_finite(ε) = target for each k (increasing), and a bound on its numeric error.
    Bands of k share a transform."""
    epsilon, error = np.zeros(k.shape), np.zeros(k.shape)
    waiting = _bands(k, log_target)
    while waiting:
        band = waiting.pop()
        ks, targets = k[band], log_target[band]
        middle = math.sqrt(ks[0] * ks[-1])
        tilted = Tilted.of(
            one, one.tilt_for_delta(middle, float(targets.min())), float(ks[0]), float(ks[-1])
        )
        # A long sum of many frequencies goes in slices, so that memory stays small.
        size = max(1, 400_000 // max(1, len(tilted.weight)))
        for part in range(0, len(ks), size):
            here = slice(band.start + part, min(band.start + part + size, band.stop))
            epsilon[here], error[here] = _solve(tilted, k[here], log_target[here])
        # Where the losses are few and large one tilt does not do for a whole band: halve it.
        if np.any(error[band] > _spare(one, epsilon[band])):
            if len(ks) > 1:
                cut = (band.start + band.stop) // 2
                waiting += [slice(band.start, cut), slice(cut, band.stop)]
            else:
                epsilon[band], error[band] = _retilted(
                    tilted, ks, targets, epsilon[band], error[band]
                )
    return epsilon, error


def _spare(one: Round, epsilon: Array) -> Array:
    """The numeric error that is small enough."""
    return np.asarray(1e-7 * epsilon + 1e-5 * one.step)


def _retilted(
    tilted: Tilted, k: Array, log_target: Array, epsilon: Array, error: Array
) -> tuple[Array, Array]:
    """The best of a few other tilts, for a sum of few losses that the saddle point does not
    suit."""
    for factor in (0.5, 2.0, 0.2):
        if error[0] <= _spare(tilted.one, epsilon)[0]:
            break
        again = Tilted.of(tilted.one, factor * tilted.theta, float(k[0]), float(k[0]))
        other, spare = _solve(again, k, log_target)
        if spare[0] < error[0]:
            epsilon, error = other, spare
    return epsilon, error


def _bands(k: Array, log_target: Array) -> list[slice]:
    """Slices of k within which one tilt does: the sums sit within 1.5 deviations of it."""
    if not len(k):
        return []
    z = math.sqrt(max(2.0, -2 * float(log_target.min())))
    ratio = (1 + 3 / z) ** 2
    starts = [0]
    for i in range(len(k)):
        if k[i] > k[starts[-1]] * ratio:
            starts.append(i)
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], len(k)], strict=True)]


def _solve(tilted: Tilted, k: Array, log_target: Array) -> tuple[Array, Array]:
    """(ε, error) for each k by one tilt: Newton's steps on ln δ inside a bracket, until ε lies on
    the segment between two places on which the target is met, and is known in closed form."""
    one, theta, h = tilted.one, tilted.theta, tilted.one.step
    value, mean, _ = tilted.cumulants
    start, top = k * one.start, k * (one.start + one.places * h)
    powers = tilted.powers(k)
    low, high = np.minimum(0.0, top), top
    epsilon = np.clip(k * mean - math.log1p(1 / theta), low, high - h / 2)
    segment = np.zeros((4, len(k)))
    # Where δ(0) is small enough already, ε is 0 and nothing needs to be found.
    a, b = tilted.sums(powers, np.floor(-start / h + 1e-9) + 1)
    y = start + (np.floor(-start / h + 1e-9) + 1) * h
    noise = powers.noise + tilted.round_the_circle(k, np.zeros(k.shape))
    done = np.log(np.maximum(a - b * np.exp(-y), 0.0) + noise) <= log_target + theta * y - k * value
    epsilon = np.where(done, 0.0, epsilon)
    idle = done
    for _ in range(200):
        if done.all():
            break
        at = np.floor((epsilon - start) / h + 1e-9) + 1
        a, b = tilted.sums(powers, at)
        y = start + at * h
        noise = powers.noise + 2 * math.exp(-CLEAR)
        with np.errstate(all="ignore"):  # places that are not taken up below
            goal = np.exp(np.clip(log_target + theta * y - k * value, -740, 700))
            inside = -np.log((a - goal) / b)  # y − ε on this segment, in closed form
            tail = np.exp(epsilon - y)
            now = a - b * tail
            good = now > noise
            miss = np.log(np.maximum(now, noise)) - (log_target + theta * y - k * value)
            slope = np.maximum(now, noise) / np.maximum(b * tail, 1e-300)
        # Below the noise a target can be met on the last segment alone, whose upper end is known to
        # be the top.
        sure = good & ((goal > noise) | (y >= top - h / 2))
        hit = sure & (inside >= -1e-9 * h) & (inside <= h * (1 + 1e-9))
        low, high = (
            np.where(~done & (miss > 0), epsilon, low),
            np.where(~done & (miss <= 0), epsilon, high),
        )
        settled = hit | (high - low <= 1e-14 * np.abs(high) + 1e-9 * h)
        segment = np.where(done, segment, np.stack([a, b, goal, y]))
        new = np.where(hit, y - inside, epsilon + miss * slope)
        new = np.where(hit | ((new > low) & (new < high)), new, (low + high) / 2)
        epsilon = np.where(done, epsilon, new)
        done = done | settled
    error = _within(segment, powers.noise + tilted.round_the_circle(k, epsilon), epsilon, top, h)
    return np.maximum(0.0, epsilon), np.where(idle, 0.0, error + 2e-9 * h)


def _within(segment: Array, noise: Array, epsilon: Array, top: Array, h: float) -> Array:
    """How far from ε the target may truly be met, when the sums of its segment are off by the
    noise; inf where nothing is known.

    On a segment δ is linear in e^ε, and convex over all: carried on to smaller ε the line stays
    below δ, to larger ε it proves nothing.
    """
    a, b, goal, y = segment
    with np.errstate(all="ignore"):
        least = y + np.log(np.where(a - goal > noise, a - goal - noise, np.nan) / (b + noise))
        u = -np.log((a - goal + noise) / np.where(b > noise, b - noise, np.nan))
    most = np.where(u >= 0, y - np.minimum(u, h), np.where(y >= top - h / 2, top, np.inf))
    error = np.maximum(epsilon - least, most - epsilon)
    return np.where(np.isnan(error), np.inf, np.maximum(error, 0.0))
