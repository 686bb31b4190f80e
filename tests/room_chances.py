"""The law of a report of a phone, counted out."""

from fractions import Fraction

from dpstudio.privacy.room import Question, law
from dpstudio.privacy.room.law import GRR, OUE


def chances(asked: Question, epsilon: float, answer: int) -> dict[int, Fraction]:
    """The exact chance of every report that can be sent, of who answers with `answer`."""
    used = law(asked, epsilon)
    if used.mechanism == OUE:
        return dict(_bits(used, answer))
    if used.mechanism == GRR:
        return {told: used.p if told == answer else used.q for told in range(used.d)}
    up = Fraction(answer, used.d - 1)  # of coins 0 or 1
    one = up * used.p + (1 - up) * used.q
    return {0: 1 - one, 1: one}


def _bits(used, answer):
    for value in range(1 << used.d):
        chance = Fraction(1)
        for i in range(used.d):
            one = used.p if i == answer else used.q
            chance *= one if value >> i & 1 else 1 - one
        yield value, chance
