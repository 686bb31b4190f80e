"""One question over the sealed tables of several owners: a sum that a server adds without reading
it, and what a code that keeps the order of cells tells."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.learning.paillier import new_key
from dpstudio.privacy.owners.exchange import added, opened
from dpstudio.privacy.sampling import Below


def under_encryption(
    sent: Sequence[Sequence[int]], bits: int, below: Below
) -> tuple[list[int], int]:
    """(the sums over owners of what each sends, opened once; the first ciphertext sent), with a
    fresh key of so many bits."""
    key = new_key(bits, below)
    sealed = [[key.public.encrypt(number, below) for number in numbers] for numbers in sent]
    total = reduce(lambda one, other: added(one, other, key.public), sealed)
    n = key.public.n
    signed = [(v - n if 2 * v > n else v) for v in (m % n for m in opened(total, key))]
    return signed, sealed[0][0]


@dataclass(frozen=True, eq=False)
class Ordered:
    """The cells of all other owners in their order, as the server of an order-keeping code sees
    them, and what one owner makes of each by its own rows; shape (m,). `blind`: the share that its
    own commonest value is right of, without the order."""

    cells: Array
    guesses: Array
    blind: float

    @property
    def right(self) -> float:
        """The share of cells that are guessed exactly."""
        return float(np.mean(self.cells == self.guesses))


def by_order(own: Array, others: Array) -> Ordered | None:
    """Each cell guessed by the value of one's own that stands at the same share of all ranks; None
    where either has no rows (a sorting attack: Naveed, Kamara & Wright 2015)."""
    if not len(own) or not len(others):
        return None
    cells, ranks = np.sort(others), (np.arange(len(others)) + 0.5) / len(others)
    guesses = np.quantile(own, ranks, method="inverted_cdf")
    values, counts = np.unique(own, return_counts=True)
    blind = float(np.mean(others == values[np.argmax(counts)]))
    return Ordered(cells, np.asarray(guesses), blind)
