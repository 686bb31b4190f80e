"""What an audit draws: the scores of many outputs of a subject on either side."""

import math
from collections.abc import Callable

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.attacks.subject import Subject, score
from dpstudio.privacy.sampling import SimulationRandom

FIRST = 5_000
_LARGEST, _CELLS = 50_000, 1_000_000


def unheard(share: float) -> None:
    """Who draws, and tells nobody how far it is."""


def scores(
    subject: Subject, events: str, seed: int, trials: int, told: Callable[[float], None] = unheard
) -> Array:
    """Scores of `trials` outputs under D and under D′, shape (2, trials); `events` as for `score`.

    They are made in blocks with streams of their own, so that more draws begin with the same ones.
    `told` hears between blocks what share is made, and may raise to stop it.
    """
    out = np.empty((2, trials))
    for side in (0, 1):
        done = block = 0
        while done < trials:
            if block:
                told((side + done / trials) / 2)
            part = score(subject, events, outputs(subject, seed, side, block)[: trials - done])
            out[side, done : done + len(part)] = part
            done, block = done + len(part), block + 1
    return array(out)


def outputs(subject: Subject, seed: int, side: int, block: int) -> Array:
    """Outputs number `block` of one side (0: D, 1: D′), shape (n,) or (n, d): small blocks first,
    for the first picture and for few draws, then large ones."""
    wide = int(getattr(subject, "dims", 1))
    grown = FIRST << max(0, block - 1)
    size = max(FIRST, min(grown, _LARGEST, math.ceil(_CELLS / wide)))
    return subject.outputs(SimulationRandom(seed, 11, side, block).generator, side, size)
