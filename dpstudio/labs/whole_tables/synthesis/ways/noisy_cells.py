"""What the ways share that count cells with Laplace noise and sample from what comes: how it is
made positive, and what texts print instead."""

import math
from collections.abc import Sequence

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.whole_tables.synthesis.ways.way import Claim, SynthesisFacts, Task, Way
from dpstudio.privacy.local.post import Simplex
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.synthetic.chance import Chance, laplace_gain, simplex_moved
from dpstudio.privacy.synthetic.marginals import Codes
from dpstudio.privacy.synthetic.tree import rounded
from dpstudio.values.fields import real
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import Choice, param

REPAIRS = {
    "clip": N_("negative to 0, then scaled"),
    "simplex": N_("nearest counts from 0 on"),
    "threshold": N_("small ones to 0, then scaled"),
}
PRINTED = {
    "": N_("as proved"),
    "one": N_("as printed: one noise for all cells"),
    "occurring": N_("as printed: only the cells that occur"),
    "twice": N_("as printed: ε once for the cells, once for n"),
}


def repair() -> Choice:
    """What is done to noisy counts before rows are drawn."""
    return Choice(
        N_("After the noise"),
        N_("How counts become shares: it costs no privacy, and makes people who never were."),
        options=REPAIRS,
    )


def printed() -> Choice:
    """As proved, or as texts print it."""
    return Choice(
        N_("Noise"),
        N_("As it is proved, or as texts print it, which breaks the promise."),
        options=PRINTED,
    )


class NoisyCells(Way):
    """Base of the ways with Laplace noise on cells."""

    ink = "laplace"
    source = "Dwork, McSherry, Nissim & Smith 2006; " + N_("clamped counts: see the formula")

    repair: str = param("clip", repair())
    least: float = real(
        2.0,
        N_("Threshold, in standard deviations"),
        N_("Noisy counts below so many standard deviations of their noise become 0."),
        low=0.0,
        high=10.0,
        active_when=("repair", "threshold"),
    )
    printed: str = param("", printed())

    def tables(self, known: SynthesisFacts) -> int:
        """How many tables of cells share ε."""
        return 1

    def scale(self, known: SynthesisFacts) -> float:
        """The scale of the noise of each cell: a row more or less is in one cell of each table."""
        return known.steps * self.tables(known) / known.epsilon

    def deviations(self, known: SynthesisFacts, *, drawn: bool = False) -> tuple[float, ...]:
        one = deviation(self, known)
        if drawn:
            one = math.sqrt(DiscreteLaplaceLaw(1 / self.scale(known)).variance)
        return (one,) * len(known.axes)

    def claim(self, known: SynthesisFacts) -> Claim:
        text = N_(
            "Each cell has Laplace noise: one row is in one cell of a table, so that all its cells "
            "together cost what one does. All else is made of the noisy counts."
        )
        cost = known.epsilon
        if self.printed == "twice" and known.replace:
            # a rows go and b come, each at most m: cells move by a + b, n by |a − b|, 2m in all.
            text = N_(
                "Each cell has Laplace noise, and so has the number of rows: who is replaced moves "
                "cells and number together by no more than cells alone."
            )
        elif self.printed:
            text = N_("No theorem: this is as printed.")
            cost = 2 * known.epsilon if self.printed == "twice" else math.inf
        return Claim(known.epsilon, 0.0, say(text), cost)

    def noisy(
        self, task: Task, known: SynthesisFacts, columns: Sequence[int], chance: Chance
    ) -> Array:
        """The counts of the cells of these columns with noise; their shape."""
        exact = task.counted(task.codes, known.sizes, columns)
        many = 1 if self.printed == "one" else exact.size
        noise = chance.laplace(self.scale(known), many)
        out = exact + (noise[0] if many == 1 else noise.reshape(exact.shape))
        return np.where(exact > 0, out, 0.0) if self.printed == "occurring" else out

    def positive(self, noisy: Array, known: SynthesisFacts) -> Array:
        """Counts that are at least 0; the shape of `noisy`."""
        if self.repair == "simplex":
            total = max(float(noisy.sum()), 1.0)
            return np.asarray(Simplex().apply(noisy.ravel(), total)).reshape(noisy.shape)
        least = self.least * deviation(self, known) if self.repair == "threshold" else 0.0
        return np.where(noisy >= least, np.maximum(noisy, 0.0), 0.0)

    def total(self, noisy: Array, task: Task, known: SynthesisFacts, chance: Chance) -> float:
        """How many people there are by what was counted; as printed, n is asked once more."""
        if self.printed == "twice":
            return float(len(task.codes) + chance.laplace(known.steps / known.epsilon, 1)[0])
        return float(noisy.sum())


def deviation(way: NoisyCells, known: SynthesisFacts) -> float:
    """The standard deviation of the noise of a cell: √2 times its scale."""
    return math.sqrt(2) * way.scale(known)


def phantoms(
    way: NoisyCells, known: SynthesisFacts, exact: Array, times: Array | float = 1.0
) -> float:
    """How many people making counts positive adds to cells of `exact` counts on average, exactly;
    the nearest counts from 0 on keep the noisy sum: of them, how many are then in cells where they
    are not, simulated. Each count is there so many `times`."""
    if way.repair == "simplex":
        return simplex_moved(way.scale(known), exact, times)
    least = way.least * deviation(way, known) if way.repair == "threshold" else 0.0
    return laplace_gain(way.scale(known), exact, least, times)


def drawn_cells(shares: Array, rows: int, rng: np.random.Generator) -> Codes:
    """The cell of each row, (rows,), as many of each as its share says to within 1."""
    flat = shares.ravel()
    return rng.permutation(np.repeat(np.arange(len(flat)), rounded(flat, rows, rng)))
