"""Two laws of an answer, with one person and without: what the best attacker makes of them."""

import math

import numpy as np
from laws import staircase_height
from scipy import special


def laplace_test(ratio, alpha):
    """(advantage, true positives at this rate of false ones) of the best test of Laplace noise that
    is moved by ratio times its scale: its likelihood ratio is exp(ratio) at most (Neyman & Pearson
    1933)."""
    advantage = -math.expm1(-ratio / 2)
    if alpha <= math.exp(-ratio) / 2:
        return advantage, alpha * math.exp(ratio)
    if alpha <= 0.5:
        return advantage, 1 - math.exp(-ratio) / (4 * alpha)
    return advantage, 1 - math.exp(-ratio) * (1 - alpha)


def gaussian_test(mu, alpha):
    """The same of Gaussian noise that is moved by mu times sigma."""
    hits = special.ndtr(special.ndtri(alpha) + mu)
    return 2 * float(special.ndtr(mu / 2)) - 1, float(hits)


def leaky_test(ratio, alpha, delta):
    """The same of Laplace noise that is missing with probability delta: then all is told."""
    advantage, _ = laplace_test(ratio, alpha)
    hits = laplace_test(ratio, min(1.0, alpha / (1 - delta)))[1]
    return delta + (1 - delta) * advantage, delta + (1 - delta) * hits


def best_test(inside, outside, alpha):
    """The same of answers that are one of several: those with the largest ratio first, the last of
    them by a coin."""
    order = np.argsort(-(inside / np.maximum(outside, 1e-300)), kind="stable")
    inside, outside = inside[order], outside[order]
    false, true = np.cumsum(outside), np.cumsum(inside)
    hits = float(np.interp(alpha, np.append(0.0, false), np.append(0.0, true)))
    return float(np.maximum(inside - outside, 0).sum()), hits


def geometric_test(loss, shift, alpha):
    """The same of geometric noise that is moved by a whole number of steps."""
    reach = math.ceil(45 / loss) + shift
    k = np.arange(-reach, reach + shift + 1)
    with_person = math.tanh(loss / 2) * np.exp(-loss * np.abs(k - shift))
    return best_test(with_person, math.tanh(loss / 2) * np.exp(-loss * np.abs(k)), alpha)


def staircase_test(epsilon, gamma, alpha):
    """The same of staircase noise that is moved by one whole step: its loss is epsilon, nothing or
    -epsilon."""
    b = math.exp(-epsilon)
    most = 0.5 + staircase_height(epsilon, gamma) * min(gamma, 1 - gamma)
    inside = np.array([most, max(0.0, 1 - most - most * b), most * b])
    return best_test(inside, inside[::-1], alpha)


def belief_after(prior, loss):
    """How sure somebody is after an answer of this privacy loss (Bayes)."""
    return 1 / (1 + (1 - prior) / prior * math.exp(-loss))
