"""What a training by sampled, noisy gradients promises, and the noise, the steps or the sample that
a promise allows."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpstudio.privacy.accounting import amplified, inverse, sampled_losses
from dpstudio.privacy.accounting.accountant import K_NUMERIC, Accountant
from dpstudio.privacy.accounting.numeric import Losses, Numeric, values_of
from dpstudio.privacy.accounting.renyi import Renyi, least_epsilon
from dpstudio.privacy.mechanisms.loss import Loss

RATIOS = (1e-6, 1e3)  # 1/σ that is looked for: every ε, δ, chance and steps on offer has one
MOST_STEPS = K_NUMERIC  # as many as the numeric bound sees
LOUD = 1e4  # σ from which on the numeric bound takes seconds
CHANCES = (1e-7, 1.0)
RTOL = 1e-5
Check = Callable[[], None]


def nothing() -> None:
    """The `check` of a caller that does not stop."""


@dataclass(frozen=True)
class Promise:
    """(ε, δ) to one person who joins or leaves, by the accountant that says least; `lower` is what
    the numeric one certifies that no accountant can go below, and `renyi` what Rényi's says. 0 and
    ∞ where that was not asked."""

    epsilon: float
    delta: float
    accountant: Accountant
    lower: float
    renyi: float


def renyi_epsilon(noise: float, chance: float, steps: int, delta: float) -> float:
    """Total ε at δ by Rényi divergences: Gaussian noise of σ = `noise` at sensitivity 1, so many
    Poisson samples with this chance (Mironov, Talwar & Zhang 2019)."""
    base = Loss(ratio=1 / noise)
    if chance == 1:
        return least_epsilon(lambda u: steps * (1 + u) * base.ratio**2 / 2, delta)
    return least_epsilon(lambda u: steps * amplified.sampled_rdp(base, chance, u), delta)


def numeric_epsilon(
    noise: float, chance: float, steps: int, delta: float, *, up: bool = True
) -> float:
    """The same by the numeric bound, certified from above (or below): ∞ (or 0) where it sees too
    little (steps beyond 10,000) or takes too long (σ beyond `LOUD`)."""
    if steps > K_NUMERIC or noise > LOUD:
        return math.inf if up else 0.0
    return float(values_of(_losses(noise, chance, steps), np.ones(1), delta, up=up)[0])


def _losses(noise: float, chance: float, steps: int) -> Losses:
    base = Loss(ratio=1 / noise)
    return ((base if chance == 1 else sampled_losses.Sampled(base, chance), steps),)


@lru_cache(maxsize=64)
def promise_of(noise: float, chance: float, steps: int, delta: float) -> Promise:
    """What all steps promise at δ, 0 < δ < 1."""
    # Constants of the mechanism, not answers about data.
    renyi = renyi_epsilon(noise, chance, steps, delta)
    numeric = numeric_epsilon(noise, chance, steps, delta)
    lower = numeric_epsilon(noise, chance, steps, delta, up=False)
    by: Accountant = Numeric() if numeric <= renyi else Renyi()
    return Promise(min(numeric, renyi), delta, by, lower, renyi)


def least_epsilon_of(noise: float, chance: float, steps: int, delta: float) -> float:
    """The ε of `promise_of`, without its lower value."""
    return min(
        numeric_epsilon(noise, chance, steps, delta), renyi_epsilon(noise, chance, steps, delta)
    )


def noise_for(
    chance: float, steps: int, epsilon: float, delta: float, check: Check = nothing
) -> float:
    """The least σ with which so many steps keep (ε, δ), to 1e-5, on the safe side; ∞ where none
    does. `check` is called between pieces of the work, and may raise."""

    def quick(ratio: float) -> float:
        check()
        return renyi_epsilon(1 / ratio, chance, steps, delta)

    def fully(ratio: float) -> float:
        check()
        return least_epsilon_of(1 / ratio, chance, steps, delta)

    near = inverse.largest_within(quick, epsilon, 1.0, *RATIOS, rtol=RTOL) or RATIOS[0]
    # Both accountants rise about alike, and the second costs ten times as much.
    once, twice = (max(quick(each * near), 1e-300) for each in (1, 2))
    slope = min(5.0, max(1.0, math.log2(twice / once)))
    ratio = inverse.largest_within(fully, epsilon, near, *RATIOS, rtol=RTOL, slope=slope)
    return 1 / ratio if ratio else math.inf


def chance_for(noise: float, steps: int, epsilon: float, delta: float) -> float:
    """The largest chance to be drawn with which so many steps keep (ε, δ), to 1e-5; 0 where none
    does."""

    def quick(chance: float) -> float:
        return renyi_epsilon(noise, chance, steps, delta)

    def fully(chance: float) -> float:
        return least_epsilon_of(noise, chance, steps, delta)

    near = inverse.largest_within(quick, epsilon, 0.01, *CHANCES, rtol=RTOL)
    return inverse.largest_within(fully, epsilon, near or CHANCES[0], *CHANCES, rtol=RTOL)


def steps_for(noise: float, chance: float, epsilon: float, delta: float) -> int:
    """The most steps, up to `MOST_STEPS`, that keep (ε, δ) with this noise and chance; 0 where one
    is too many."""

    def kept(steps: int) -> bool:
        return least_epsilon_of(noise, chance, steps, delta) <= epsilon

    low, high = 0, 1
    while high <= MOST_STEPS and kept(high):
        low, high = high, 2 * high
    high = min(high, MOST_STEPS + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low
