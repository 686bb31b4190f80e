"""How often an attacker is right who guesses one of two things that were as likely before: exactly,
by draws with the interval that they allow, and at most."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.audit import clopper_pearson
from dpstudio.privacy.mechanisms.gaussian import special
from dpstudio.privacy.mechanisms.law import Law


@dataclass(frozen=True, eq=False)
class Guesses:
    """The share of guesses that were right, and between which it lies with a confidence; shape of
    the hits each."""

    share: Array
    low: Array
    high: Array


def measured(hits: ArrayLike, tests: int, confidence: float) -> Guesses:
    """The share of `tests` independent guesses that were right with its two-sided interval
    (Clopper & Pearson 1934)."""
    low, high = clopper_pearson(hits, tests, (1 + confidence) / 2)
    return Guesses(np.asarray(hits, dtype=np.float64) / tests, low, high)


def right_by_loss(inside: Array, outside: Array) -> int:
    """How many of these answers the best test tells right, by their privacy losses on either side,
    (draws,) each: “in” where the loss is not negative (Neyman & Pearson 1933)."""
    return int(np.count_nonzero(inside >= 0) + np.count_nonzero(outside < 0))


def mean_of_runs(shares: Array, confidence: float, draws: int = 1) -> Guesses:
    """The mean of the shares of independent runs, (points, runs), with its interval by Student's t:
    guesses within one run share its noise, and do not count as independent ones. Each share is a
    mean of so many `draws`, independent given the run (its people and groups).

    Where all n runs agree, a spread of 0 tells nothing. A mean further from what they say needs
    another outcome with a chance of more than 1 − (α/2)^(1/n), of which n runs show none with less
    than α/2 (Clopper & Pearson 1934 for 0 of n), however far off it is. Where the share is none or
    all, every draw agrees: then n counts the draws, and the mean is that of these runs."""
    runs = shares.shape[-1]
    middle, tail = shares.mean(axis=-1), (1 - confidence) / 2
    half = -float(special().stdtrit(runs - 1, tail)) * shares.std(axis=-1, ddof=1) / np.sqrt(runs)
    agree = np.ptp(shares, axis=-1) == 0
    same = tail ** (1 / np.where((middle == 0) | (middle == 1), runs * draws, runs))
    return Guesses(
        middle,
        np.where(agree, middle * same, np.maximum(middle - half, 0.0)),
        np.where(agree, 1 - (1 - middle) * same, np.minimum(middle + half, 1.0)),
    )


def log_ratio(law: Law, x: Array, shift: float) -> Array:
    """ln of density(x)/density(x − shift), an underflow counted as e^−690; shape of `x`. Atoms are
    left out."""
    return np.asarray(
        np.log(np.maximum(law.density(x), 1e-300))
        - np.log(np.maximum(law.density(x - shift), 1e-300))
    )


def loss_of(law: Law, shift: float, x: Array) -> Array:
    """The privacy loss of answers, ln of density(x − shift)/density(x): where the person is in, the
    answer is moved by `shift`. ±∞ where an atom gives it away; shape of `x`."""
    loss = -log_ratio(law, x, shift)
    for place, _ in law.atoms:
        loss = np.where(x == place + shift, np.inf, np.where(x == place, -np.inf, loss))
    return np.asarray(loss)
