"""Where the bound of a clipped answer may stand, where its error is least, and how one is chosen
privately."""

import math

import numpy as np
from laws import chance_inside, half_width_of
from tables import round_above


def axis_of(moving, low, high, centre, x):
    """(start, end, whether it is logarithmic) of the bounds that are tried: those in force and the
    column lie within. Bounds above zero, as of money, stand on a logarithm."""
    least, most = min(low, x.min()), max(high, x.max())
    if moving == "upper" and 0 <= low <= 0.002 * most:
        top = round_above(1.15 * most)
        return max(min(top / 200, high / 2), 2 * low), top, True
    if moving == "lower":
        return high - round_above(1.1 * (high - least)), high, False
    fixed = centre if moving == "both" else low
    reach = max(most - fixed, fixed - least) if moving == "both" else most - fixed
    return fixed, fixed + round_above(1.15 * reach), False


def steps_between(low, high, points, *, logarithm=False, whole=False, above=None, below=None):
    """So many bounds, at equal steps or equal factors, on the right side of the fixed one."""
    x = np.geomspace(low, high, points) if logarithm else np.linspace(low, high, points)
    x = np.unique(np.round(x)) if whole else x
    return x[x < below] if below is not None else x[x > above]


def least_at(error, x, between, points, turns):
    """Where the error is least: the best of some bounds, then of finer ones between its neighbours,
    and so on."""
    found, least = float(x[0]), math.inf
    for turn in range(turns + 1):
        errors = [error(bound) for bound in x]
        best = int(np.argmin(errors))
        if errors[best] < least:
            found, least = float(x[best]), errors[best]
        if turn == turns or len(x) < 3:
            break
        x = between(float(x[max(0, best - 1)]), float(x[min(len(x) - 1, best + 1)]), points)
    return found


def cells(cdf, *, whole, most=700):
    """(values, chances) of noise: every integer of a narrow one, else the middles of narrow cells,
    narrower about 0."""
    inside = np.zeros(1)
    far = half_width_of(
        lambda x: chance_inside(x, cdf, inside, whole=whole), 1 - 1e-10, whole=whole
    )
    if whole and 2 * far + 1 <= most:
        k = np.arange(-far, far + 1)
        return k, cdf(k) - cdf(k - 1)
    u = np.linspace(-1, 1, most + 1)
    ends = far * np.sign(u) * np.abs(u) ** 3
    return (ends[1:] + ends[:-1]) / 2, np.diff(cdf(ends))


def ratio_moments(total, count, of_total, of_count, middle, low, high):
    """(mean, standard deviation) of a noisy sum over a noisy count of at least 1, clamped: over
    every pair of noises, each with its chance."""
    (x, chances), (y, weights) = of_total, of_count
    answers = (total + x[:, None]) / np.maximum(count + y, 1.0) + middle
    answers = np.clip(answers, low, high)
    mean = chances @ answers @ weights
    return mean, math.sqrt(chances @ (answers - mean) ** 2 @ weights)


def variance_of_variance(c):
    """How far the variance of another sample of as many values would lie from theirs, squared."""
    n = len(c)
    fourth = np.mean((c - c.mean()) ** 4)
    return max((n - 1) / n**3 * ((n - 1) * fourth - (n - 3) * np.var(c) ** 2), 0.0)


def doubling_grid(floor, top, x, start, end):
    """Powers of two for an upper bound: up to the first that is not below `top`, from 1/64 of it or
    from the median of what lies above the lower bound on; or between ends that are given."""
    first, last = 0, 1
    if top > 0:
        last = math.ceil(math.log2(top) - 1e-12)
        first, held = last - 6, np.sort(x)
        below = np.searchsorted(held, floor, "right")
        typical = held[min(len(held), math.ceil((below + len(held)) / 2)) - 1]
        if typical > 0:
            first = max(min(first, math.floor(math.log2(typical))), last - 40)
        while first < last and 2.0**first <= floor:
            first += 1
        first = min(first, last - 1)
    low, high = between_ends(2.0**first, 2.0**last, start, end)
    return low * 2.0 ** np.arange(math.floor(math.log2(high / low) + 1e-9) + 1)


def equal_steps(low, high, start, end, points, *, whole):
    """At most so many candidates at equal round steps that hold `low` to `high`; or as many as are
    asked for between ends that are given."""
    least = max((high - low) / (points - 1), 1.0 if whole else 0.0)
    power = math.floor(math.log10(least)) - 1
    rungs = [(rung, power + more) for more in range(4) for rung in (1, 2, 5)]
    for rung, by in rungs:
        step = rung * 10.0**by if by >= 0 else rung / 10.0**-by
        first = math.floor(low / step + 1e-9) * step
        if step >= least * (1 - 1e-9) and first + step * (points - 1) >= high - 1e-9 * step:
            break
    steps = max(1, math.ceil((high - first) / step - 1e-9))
    if start is None and end is None:
        points = steps + 1
    return np.linspace(*between_ends(first, first + step * steps, start, end), points)


def between_ends(low, high, start, end):
    """The ends of the candidates: those that are given, else those proposed."""
    low, high = low if start is None else start, high if end is None else end
    if low < high:
        return low, high
    if start is not None:
        return low, low + max(1.0, abs(low))
    return high - abs(high) / 2 or -1.0, high


def search_chances(z, cdf):
    """The chance of each candidate where the first of at least rank 0 is searched for by halving,
    with fresh noise at each step."""
    down, chances = cdf(z), np.zeros(len(z))
    waiting = [(0, len(z) - 1, 1.0)]
    while waiting:
        low, high, chance = waiting.pop()
        if low == high:
            chances[low] = chance
            continue
        middle = (low + high) // 2
        waiting.append((low, middle, chance * down[middle]))
        waiting.append((middle + 1, high, chance * (1 - down[middle])))
    return chances
