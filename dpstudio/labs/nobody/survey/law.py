"""The exact law of the estimate over many surveys of people drawn from the population."""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.nobody.survey.model import SurveyModel, estimated
from dpstudio.privacy.local.coins import Coins

_WINDOW = 8.0  # standard deviations on either side: what lies beyond is about 1e-15
_CELLS = 160


def law(model: SurveyModel) -> tuple[Array, Array]:
    """(estimates, probabilities) of surveys like this one, where they matter."""
    lab, coins = model.lab, model.coins
    key = ("survey", "law", lab.n, lab.asked, lab.share, coins)
    counts, chances = model.data.remember(key, lambda: yes_law(coins, lab.share, lab.n, lab.asked))
    return estimated(lab, counts / model.answers), chances


def deviation(model: SurveyModel) -> float:
    """Standard deviation of the estimate at the true share."""
    lab = model.lab
    return math.sqrt(float(model.coins.sampling(lab.share, lab.n, lab.asked)))


def sure_within(model: SurveyModel) -> float:
    """How far from the true share the estimate stays at the confidence, by the normal law."""
    return model.z * deviation(model)


def coverage(model: SurveyModel) -> float:
    """The share of surveys whose normal interval holds the true share, by the exact law."""
    lab, (at, chances) = model.lab, law(model)
    spread = np.sqrt(model.coins.sampling(np.clip(at, 0, 1), lab.n, lab.asked))
    return float(chances[np.abs(at - lab.share) <= model.z * spread * (1 + 1e-12)].sum())


def yes_law(coins: Coins, share: float, n: int, asked: int) -> tuple[Array, Array]:
    """(numbers of yes, probabilities) among n·asked answers: binomial for one question, else a sum
    over people.

    The n-th power of one person's transform on a circle that is long enough for all that matters.
    """
    support = coins.support()
    one = share * _binomial(asked, support.p, support.not_p) + (1 - share) * _binomial(
        asked, support.q, support.not_q
    )
    k = np.arange(asked + 1)
    mean, most = n * float(one @ k), n * asked
    spread = math.sqrt(n * float(one @ (k - one @ k) ** 2))
    size = 1 << math.ceil(math.log2(min(most + 1, 2 * _WINDOW * spread + 64)))
    start = max(0, min(round(mean) - size // 2, most + 1 - size))
    chances = np.fft.irfft(np.fft.rfft(one, size) ** n, size)
    counts = np.arange(start, min(start + size, most + 1))
    found = np.maximum(chances[counts % size], 0.0)
    return counts.astype(np.float64), found / found.sum()


def _binomial(m: int, p: float, not_p: float) -> Array:
    return np.array([math.comb(m, k) * p**k * not_p ** (m - k) for k in range(m + 1)])


def cells(at: Array, chances: Array, low: float, high: float) -> tuple[Array, Array]:
    """(edges, probabilities) of a law on evenly spaced values, in at most so many cells between two
    ends."""
    step = float(at[1] - at[0]) if len(at) > 1 else high - low
    group = max(1, math.ceil((high - low) / step / _CELLS))
    first = int(np.searchsorted(at, low - group * step))
    last = int(np.searchsorted(at, high + group * step))
    last += -(last - first) % group
    kept = chances[first:last]
    kept = np.append(kept, np.zeros(-len(kept) % group))
    heights = kept.reshape(-1, group).sum(axis=1)
    return at[first] - step / 2 + group * step * np.arange(len(heights) + 1), heights
