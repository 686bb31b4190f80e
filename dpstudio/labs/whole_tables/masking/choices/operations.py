"""What can be done to a column."""

from collections.abc import Sequence
from typing import ClassVar

from dpstudio.privacy.anonymity.noise import LAPLACE, NORMAL, UNIFORM
from dpstudio.values.fields import choice, flag, integer, real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Parameters

STEPS_MOST = 200


class Operation(Parameters):
    """Base of what is done. With `numbers` it is done to the first quasi-identifier, which holds
    numbers then; else to the sensitive column."""

    numbers: ClassVar[bool] = False


class Swap(Operation):
    """Rows next to each other in the first quasi-identifier exchange their values."""

    key = "swap"
    label = N_("swap")
    source = "Dalenius & Reiss 1982"

    share: float = real(
        0.2,
        N_("Rows swapped"),
        N_("The chance that a pair of rows exchanges its values."),
        low=0,
        high=1,
        percent=True,
    )


class Permute(Operation):
    """Values are shuffled within groups of rows that are near each other."""

    key = "permute"
    label = N_("shuffle in groups")
    source = "Zhang, Koudas, Srivastava & Yu 2007"

    rows: int = integer(
        10,
        N_("Rows in a group"),
        N_("How many rows share their values at least, halved by quasi-identifiers."),
        low=2,
        high=20_000,
        log=True,
    )


class Pram(Operation):
    """Each value is kept by chance, or else replaced by another (PRAM)."""

    key = "pram"
    label = N_("PRAM")
    source = "Gouweleeuw, Kooiman, Willenborg & de Wolf 1998"

    keep: float = real(
        0.8,
        N_("Kept"),
        N_("The chance that a value stays; all others are alike likely to take its place."),
        low=0,
        high=1,
        percent=True,
    )


class Anatomy(Operation):
    """Two tables: who is in which group, and which values a group has."""

    key = "anatomy"
    label = N_("anatomy: two tables")
    source = "Xiao & Tao 2006"

    l: int = integer(
        3, N_("Values in a group l"), N_("How many values each group has."), low=2, high=20
    )


class TopCode(Operation):
    """Numbers beyond the outermost ones are drawn in."""

    key = "top_code"
    label = N_("top-code")
    source = "Hundepool et al. 2012"
    numbers = True

    share: float = real(
        0.05,
        N_("Coded on each side"),
        N_("The share of rows that are drawn in at either end."),
        low=0,
        high=0.5,
        percent=True,
    )


class MicroAggregate(Operation):
    """Numbers give way to the mean of the rows next to them."""

    key = "micro_aggregate"
    label = N_("micro-aggregate")
    source = "Domingo-Ferrer & Torra 2005"
    numbers = True

    rows: int = integer(
        1_000,
        N_("Rows in a mean"),
        N_("How many rows next to each other share their mean."),
        low=2,
        high=20_000,
        log=True,
    )


class Resample(Operation):
    """The first quasi-identifiers are drawn anew, each by itself, as printed: no promise, and no
    tie to other columns is left."""

    key = "resample"
    label = N_("draw anew, as printed")

    fitted: bool = flag(
        True,
        N_("From a bell curve"),
        N_("Numbers, of the mean and deviation of their column; else, as words, from its values."),
    )
    columns: int = integer(
        1,
        N_("Columns drawn"),
        N_("How many quasi-identifiers are drawn anew, the first ones, each by itself."),
        low=1,
        high=6,
    )


class Suppress(Operation):
    """Values that few rows have are blanked, or the whole column is."""

    key = "suppress"
    label = N_("suppress cells")
    source = "Hundepool et al. 2012"

    rows: int = integer(
        10,
        N_("Blank values of fewer rows"),
        N_("Cells of the first quasi-identifier whose value fewer rows have are blanked."),
        low=2,
        high=20_000,
        log=True,
    )
    column: bool = flag(False, N_("The whole column"), N_("Nothing of it is published."))


class Perturb(Operation):
    """Everybody adds noise before handing a number in; the spread of all is rebuilt from it."""

    key = "perturb"
    label = N_("add noise, rebuild")
    source = "Agrawal & Srikant 2000; Agrawal & Aggarwal 2001"
    numbers = True

    law: str = choice(
        NORMAL,
        N_("Noise law"),
        N_("The law is public: else nothing could be rebuilt."),
        options={UNIFORM: N_("uniform"), NORMAL: N_("normal"), LAPLACE: N_("Laplace")},
    )
    deviation: float = real(
        0.2,
        N_("Deviation of the noise"),
        N_("Its standard deviation as a share of the range of the column."),
        low=0.01,
        high=5,
        log=True,
        percent=True,
    )
    times: bool = flag(
        False,
        N_("Multiply"),
        N_("Numbers are multiplied by noise: it is added to their logarithm."),
    )
    steps: int = integer(
        20,
        N_("Steps of rebuilding"),
        N_("0 knows nothing; each step sharpens, and too many fit the noise."),
        low=0,
        high=STEPS_MOST,
    )


OPERATIONS: Sequence[type[Operation]] = (
    Pram,
    Swap,
    Permute,
    Anatomy,
    Perturb,
    TopCode,
    MicroAggregate,
    Suppress,
    Resample,
)
