"""The error of one count of n people at equal (ε, δ), by whom they trust; and what they send."""

import math

from dpstudio.privacy.learning import partial_noise


def central(epsilon: float) -> float:
    """The standard deviation of a count with one Laplace noise: √2/ε, however many people."""
    return math.sqrt(2) / epsilon


def in_parts(family: str, epsilon: float, n: int, colluding: int) -> float:
    """That of a count with noise in parts, of which those who do not collude make a whole."""
    return math.sqrt(partial_noise.variance(family, n, colluding)) / epsilon


def local(epsilon: float, n: int) -> float:
    """That of a count of n answers by Warner’s coins: √n·e^(ε/2)/(e^ε − 1), the noise of the coins
    alone."""
    return math.sqrt(n) / (2 * math.sinh(epsilon / 2))


def colluders(share: float, n: int) -> int:
    """How many of n people join to take their own parts of a noise off: at most all but two."""
    return max(0, min(math.floor(share * n), n - 2))


# What one person sends: numbers under encryption with noise in parts (four normal numbers are
# squared after they are summed; the common factor of Laplace parts is put in later), else a bit.
SENT = {"central": 1, "gamma": 1, "laplace": 2, "gaussian": 5, "shuffled": 1, "local": 1}


def messages(model: str, n: int) -> int:
    """How many messages go for a count of n: to a shuffler and on, or to who adds and to the key
    holder and back."""
    if model == "shuffled":
        return 2 * n
    return n + 2 if model in partial_noise.FAMILIES else n


def bits(model: str, n: int, key: int) -> int:
    """How many bits these messages carry, with keys of so many bits: a ciphertext has twice as
    many."""
    if model in partial_noise.FAMILIES:
        return messages(model, n) * SENT[model] * 2 * key
    return messages(model, n) * SENT[model]
