"""Hadamard response: a person sends one symbol, more often one at which the own row of a Hadamard
matrix is +1."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import Protocol, Report, Values, named, whole
from dpstudio.values.messages import N_, Num, say


def walsh(x: ArrayLike) -> Array:
    """Walsh–Hadamard transform of the last axis, whose length is a power of two: Σ_y
    (−1)^popcount(r & y)·x_y for each r."""
    found = np.array(x, dtype=np.float64)
    shape, half = found.shape, 1
    while half < shape[-1]:
        pairs = found.reshape(*shape[:-1], -1, 2, half)
        found = np.stack(
            (pairs[..., 0, :] + pairs[..., 1, :], pairs[..., 0, :] - pairs[..., 1, :]), axis=-2
        ).reshape(shape)
        half *= 2
    return found


@dataclass(frozen=True)
class Blocks:
    """`count` blocks of `width` symbols each, a power of two: value v has row v // count + 1 of the
    matrix of block v mod count."""

    count: int
    width: int

    @property
    def half(self) -> int:
        """Symbols of the block at which a row is +1."""
        return self.width // 2

    @property
    def symbols(self) -> int:
        """K, how many symbols there are."""
        return self.count * self.width

    def plus(self, values: Values, index: Values) -> Values:
        """The symbol at which the row of each value is +1 for the index-th time, index below
        `half`.

        In the row r these are the places y with an even number of bits in common with it. All bits
        but the lowest that r has are free; that one makes the number even.
        """
        row = values // self.count + 1
        lowest = row & -row
        free = index // lowest * (2 * lowest) + index % lowest
        odd = np.bitwise_count((free & row).astype(np.uint64)) & 1
        return np.asarray(values % self.count * self.width + free + lowest * odd, dtype=np.int64)

    def signs(self, symbol: Values, d: int) -> Array:
        """What each symbol adds to the total of each value: ±1 in its own block and 0 in others;
        shape (len(symbol), d)."""
        values = np.arange(d)
        place, block = symbol % self.width, symbol // self.width
        odd = np.bitwise_count((place[:, None] & (values // self.count + 1)).astype(np.uint64)) & 1
        return np.where(block[:, None] == values % self.count, 1.0 - 2.0 * odd, 0.0)


class Hadamard(Protocol):
    """Hadamard response (HR) in its general form, with B blocks so that it stays good at large ε.

    Of the K symbols, those at which the row of one's value is +1 are sent e^ε times as often as
    each other. A symbol adds that row's sign to a value's total, and nothing outside its block, so
    the totals have the mean n_v·(e^ε − 1)/(e^ε + 2B − 1).
    """

    key = "hadamard"
    label = N_("Hadamard response (HR)")
    short = "HR"
    source = "Acharya, Sun & Zhang 2019"
    formula = N_("P(y) ∝ eᵋ where H(v, y) = +1, else 1")
    ink = "hadamard"
    pure = False

    def blocks(self, d: int) -> Blocks:
        """The power of two of blocks with the least `rare`; Acharya, Sun & Zhang's rule is near
        min(e^ε, 2d)/2 to that."""
        counts = (2**power for power in range((d - 1).bit_length() + 1))
        found = min(counts, key=lambda count: self._rare(d, count))
        # The first row, all +1, tells nothing and is left out.
        return Blocks(found, 1 << math.ceil(d / found).bit_length())

    def _parts(self, count: int) -> tuple[float, float, float]:
        """Variance that one person adds to an estimate: who holds the value, another of its block,
        one of another block."""
        shrink, gap = math.exp(-self.epsilon), -math.expm1(-self.epsilon)
        all_ = 1 + (2 * count - 1) * shrink
        own = ((2 * count + 2) + (2 * count - 2) * shrink) * shrink / gap / gap
        return own, all_ * (1 + shrink) / gap / gap, 2 * all_ * shrink / gap / gap

    def _rare(self, d: int, count: int) -> float:
        _, near, far = self._parts(count)
        size, larger = divmod(d, count)
        share = ((count - larger) * size * (size - 1) + larger * (size + 1) * size) / (d * (d - 1))
        return near * share + far * (1 - share)

    def rare(self, d: int) -> float:
        """As the others hold all other values alike, and on average over the values: who shares a
        block adds more than the rest."""
        return self._rare(d, self.blocks(d).count)

    def bits(self, d: int) -> float:
        return math.log2(self.blocks(d).symbols)

    def _gain(self, d: int) -> float:
        """Mean that a person adds to the own total: (e^ε − 1)/(e^ε + 2B − 1)."""
        return -math.expm1(-self.epsilon) / (
            1 + (2 * self.blocks(d).count - 1) * math.exp(-self.epsilon)
        )

    def estimate(self, totals: ArrayLike, n: float) -> Array:
        """Totals over their gain; n is not needed."""
        totals = np.asarray(totals, dtype=np.float64)
        return np.asarray(totals / self._gain(totals.shape[-1]))

    def limits(self, d: int) -> tuple[float, float]:
        return -1.0, 1.0

    def variance(self, counts: ArrayLike) -> Array:
        """Who shares the value's block adds more than who is in another."""
        counts = np.asarray(counts, dtype=np.float64)
        count = self.blocks(len(counts)).count
        own, near, far = self._parts(count)
        block = np.arange(len(counts)) % count
        same = np.bincount(block, weights=counts, minlength=count)[block]
        return np.asarray(counts * own + (same - counts) * near + (counts.sum() - same) * far)

    def expected(self, counts: ArrayLike) -> Array:
        counts = np.asarray(counts, dtype=np.float64)
        return np.asarray(counts * self._gain(len(counts)))

    def numbers(self, d: int) -> int:
        """The symbols themselves are drawn, one survey after the other."""
        return d * self.blocks(d).half + 2_000

    def draw(self, rng: np.random.Generator, counts: ArrayLike, surveys: int = 1) -> Array:
        """Exact in law, jointly too: some send any symbol at all, the rest one of those where their
        row is +1."""
        people = whole(counts)
        d = len(people)
        blocks = self.blocks(d)
        told = rng.binomial(people, self._gain(d), size=(surveys, d))
        symbols = rng.multinomial(
            people.sum() - told.sum(axis=1), np.full(blocks.symbols, 1 / blocks.symbols)
        ).astype(np.float64)
        values = np.arange(d)
        if d * blocks.half < people.sum():
            # Fewer symbols than people: count those who chose each.
            where = blocks.plus(values[:, None], np.arange(blocks.half)).ravel()
            for survey in range(surveys):
                chosen = rng.multinomial(
                    told[survey], np.full(blocks.half, 1 / blocks.half)
                ).ravel()
                symbols[survey] += np.bincount(where, weights=chosen, minlength=blocks.symbols)
        else:
            for survey in range(surveys):
                who = np.repeat(values, told[survey])
                symbols[survey] += np.bincount(
                    blocks.plus(who, rng.integers(0, blocks.half, len(who))),
                    minlength=blocks.symbols,
                )
        return self._totals(symbols, d)

    def _totals(self, symbols: Array, d: int) -> Array:
        """Totals from how often each symbol came, shape (…, K): one transform for each block."""
        blocks, values = self.blocks(d), np.arange(d)
        found = walsh(symbols.reshape(*symbols.shape[:-1], blocks.count, blocks.width))
        return np.asarray(found[..., values % blocks.count, values // blocks.count + 1])

    def reports(self, rng: np.random.Generator, values: Values, d: int) -> Values:
        """Symbols in 0 … K − 1, shape of `values`."""
        blocks = self.blocks(d)
        told = blocks.plus(values, rng.integers(0, blocks.half, len(values)))
        return np.where(
            rng.random(len(values)) < self._gain(d),
            told,
            rng.integers(0, blocks.symbols, len(values)),
        )

    def tally(self, reports: Any, d: int) -> Array:
        return self._totals(
            np.bincount(reports, minlength=self.blocks(d).symbols).astype(np.float64), d
        )

    def channel(self, d: int) -> Array:
        blocks = self.blocks(d)
        weights = (
            math.log(blocks.half)
            + self.epsilon
            + math.log1p((2 * blocks.count - 1) * math.exp(-self.epsilon))
        )
        return np.asarray(self.epsilon * (self.listed(d) > 0) - weights)

    def listed(self, d: int) -> Array:
        """±1 for the values of the symbol's block, 0 for others; shape (K, d)."""
        blocks = self.blocks(d)
        return blocks.signs(np.arange(blocks.symbols), d)

    def one(self, rng: np.random.Generator, value: int, labels: tuple[str, ...]) -> Report:
        d = len(labels)
        told = int(self.reports(rng, np.array([value]), d)[0])
        hit = self.blocks(d).signs(np.array([told]), d)[0] > 0
        supports = tuple(int(v) for v in np.flatnonzero(hit))
        shown = say(
            "symbol {symbol} of {symbols}",
            symbol=Num(told + 1),
            symbols=Num(self.blocks(d).symbols),
        )
        if supports:
            shown = say(
                "{symbol}, which stands for {values}", symbol=shown, values=named(supports, labels)
            )
        return Report(np.where(hit, self.epsilon, 0.0), supports, shown)
