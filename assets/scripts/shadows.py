"""Models that tell who they learnt from: logistic regression, and an attacker with models of his
own."""

import numpy as np
from scipy import special


def invented_people(rng, people, count, models):
    """Rows in the unit ball with a 1 behind each, labels -1 and +1 that these tell for most, and
    whom each model learns from: half of all."""
    x = rng.uniform(-1, 1, (people, count))
    tells = x @ rng.normal(size=count) / np.sqrt(count)
    y = np.where(tells + 0.5 * rng.normal(size=people) > 0, 1.0, -1.0)
    places = rng.random((models, people)).argsort(axis=1, kind="stable")
    x = np.column_stack([x, np.ones(people)]) / np.sqrt(count + 1)
    return x, y, places < people // 2


def logistic_weights(x, y, ridge, passes=100):
    """The minimiser of the sum of ln(1 + e^(-y w x)) + ridge |w|^2/2, by Newton's method with steps
    that are halved until it falls."""
    rows, w = x * y[:, None], np.zeros(x.shape[1])

    def height(w):
        return np.logaddexp(0, -rows @ w).sum() + ridge * w @ w / 2

    for _ in range(passes):
        wrong = special.expit(-rows @ w)
        slope = ridge * w - wrong @ rows
        curve = rows.T @ (rows * (wrong * (1 - wrong))[:, None]) + ridge * np.eye(len(w))
        step = np.linalg.solve(curve, slope)
        while height(w - step) > height(w) * (1 + 1e-12):
            step /= 2
        w = w - step
        if np.linalg.norm(slope) < 1e-10:
            break
    return w


def noisy_descent(x, y, ridge, sigma, steps, rng):
    """The same after some steps along everybody's gradients, each at most 1 long as rows are, with
    normal noise in every step. (Abadi et al. 2016)"""
    w, rows = np.zeros(x.shape[1]), x * y[:, None]
    pace = 1 / (len(x) / 4 + ridge)
    for _ in range(steps):
        slope = -special.expit(-rows @ w) @ rows + sigma * rng.normal(size=len(w))
        w = w - pace * (slope + ridge * w)
    return w


def label_confidences(weights, x, y):
    """How likely each model takes everybody's own label to be, (models, people)."""
    return special.expit((weights @ x.T) * y)


def members_found(told, member, alarms):
    """The share of members that attacked models, the second half, give away with so many false
    alarms: people are scored by normal laws of the logits of the first half, of those that learnt
    from somebody and of the others, with one spread. (Carlini et al. 2022)"""
    own = len(told) // 2
    p = np.clip(told, 1e-9, 1 - 1e-9)
    logits = np.log(p) - np.log1p(-p)
    known, inside = logits[:own], member[:own]
    means, squares, counts = [], 0.0, 0.0
    for side in (inside, ~inside):
        many = np.maximum(side.sum(axis=0), 1)
        means.append(np.where(side, known, 0).sum(axis=0) / many)
        squares = squares + (np.where(side, known - means[-1], 0) ** 2).sum(axis=0)
        counts = counts + many
    spread = np.maximum(squares / np.maximum(counts - 2, 1), 1e-6)
    scores = ((logits[own:] - means[1]) ** 2 - (logits[own:] - means[0]) ** 2) / (2 * spread)
    target = member[own:]
    threshold = np.quantile(scores[~target], 1 - alarms, method="higher")
    return float(np.mean(((scores > threshold) & target).sum(axis=1) / target.sum(axis=1)))
