"""How classes are made: boxes that are halved, or hierarchies."""

from __future__ import annotations

from collections.abc import Sequence

from dpstudio.privacy.anonymity.mondrian import RELAXED, STRICT, TIES
from dpstudio.values.domains import Choice, Real
from dpstudio.values.lists import Words
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Parameters, param


class Algorithm(Parameters):
    """Base of how classes are made."""


class Mondrian(Algorithm):
    """Boxes, halved again and again."""

    key = "mondrian"
    label = N_("Mondrian: boxes halved")
    source = "LeFevre, DeWitt & Ramakrishnan 2006"

    way: str = param(
        STRICT,
        Choice(
            N_("Cut"),
            N_(
                "Below the median, as printed; on either side of it; or through it, rows of one "
                "value in two boxes."
            ),
            options={
                STRICT: N_("below the median"),
                TIES: N_("on either side"),
                RELAXED: N_("through it"),
            },
        ),
    )


class FullDomain(Algorithm):
    """Each column at one height of its hierarchy, rows of small classes left out."""

    key = "full_domain"
    label = N_("Hierarchies: one height a column")
    source = "Samarati 2001; Kohlmayer, Prasser, Eckert, Kemper & Kuhn 2012"

    suppressed: float = param(
        0.05,
        Real(
            N_("Rows left out"),
            N_("The share of rows that may be suppressed, so that others need less hiding."),
            low=0,
            high=1,
            percent=True,
        ),
        own=True,
        in_caption=True,
    )
    heights: tuple[str, ...] = param(
        (),
        Words(
            N_("Heights"),
            N_("Column=height, separated by |; the others stand as the search finds best."),
            empty=N_("those of least loss"),
        ),
        own=True,
    )


ALGORITHMS: Sequence[type[Algorithm]] = (Mondrian, FullDomain)
