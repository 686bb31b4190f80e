"""What one answer tells of one person."""

import math

import numpy as np


def laplace_advantage(losses, points=2**16):
    """The total variation between Laplace noise on several numbers and the same moved, each by so
    many of its scales: how much more often than by a coin the best guess is right, times two
    (Neyman & Pearson 1933). The loss of all of them together is a sum, whose law is that of the
    parts convolved; it is E of max(0, 1 − e^−loss)."""
    losses = [loss for loss in losses if loss > 0]
    if len(losses) < 2:
        return -math.expm1(-sum(losses) / 2)
    # Losses that are alike lie on the grid, so that those that cancel are 0 exactly.
    step = losses[0] / max(1, math.floor(losses[0] * points / (2.1 * sum(losses))))
    places = (np.arange(points) - points // 2) * step
    law = np.ones(points)
    for loss in losses:
        law = law * np.fft.fft(np.fft.ifftshift(loss_on(places, loss, step)))
    together = np.fft.fftshift(np.fft.ifft(law).real)
    return float(together @ np.maximum(0, -np.expm1(-np.maximum(places, 0))))


def loss_on(places, loss, step):
    """The law of the loss of one number on a grid: a with a chance of a half, −a with e^−a/2, and
    between of density e^((l − a)/2)/4; each is shared out to its two neighbours so that the mean
    stays. The second differences of E of max(0, x − loss) are these chances."""
    ends = np.append(places - step, [places[-1], places[-1] + step])
    inside = np.clip(ends, -loss, loss)
    below = (inside + loss) * math.exp(-loss) / 2 + np.exp((inside - loss) / 2)
    below -= math.exp(-loss) * (1 + (inside + loss) / 2)
    below += np.maximum(ends - loss, 0)  # above the largest loss all of it is below
    return np.diff(below, 2) / step
