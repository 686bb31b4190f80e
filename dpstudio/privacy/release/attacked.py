"""What the best attacker gains from one answer, who knows all others: both laws of all numbers of
it together, with the person and without."""

from dpstudio.privacy.neighbours.joint import joint
from dpstudio.privacy.neighbours.pair import Pair
from dpstudio.privacy.neighbours.worst import worst
from dpstudio.privacy.release.release import Release


def attacked(release: Release) -> Pair:
    """The laws of the answer on two neighbours, for the person who moves it most; before it is
    worked on, which no attacker gains by."""
    pairs = []
    for move in release.asked.moves:
        by = [tuple(by for _, by in shift) for shift in move.shifts]
        pairs.append(joint(list(zip(release.laws, by, strict=True))))
    return worst(pairs)


def best_right(release: Release) -> float:
    """The share of guesses at one of two neighbours, as likely before, that the best attacker has
    right after the answer: half of 1 + the total variation of its laws (Neyman & Pearson 1933)."""
    return (1 + attacked(release).advantage) / 2
