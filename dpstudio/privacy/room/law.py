"""The exact law of a report in whole numbers, the same for the phone that draws it and for the
estimate."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpstudio.privacy.local.protocol import Support
from dpstudio.privacy.room.question import CHOICE, NUMBER, Question, Report
from dpstudio.privacy.sampling import exponential_above

WORD = 1 << 32  # what crypto.getRandomValues gives a phone at once
FAIR, WARNER, GRR, OUE, DUCHI = "fair_coins", "warner", "grr", "oue", "duchi"


@dataclass(frozen=True)
class Law:
    """A randomiser over d answers. A number r is drawn from 0 … whole − 1, all alike likely.

    Coins: r < own tells the truth, else a fair coin says which of the two. Duchi: the same, of an
    end of the range, to which the number was rounded first: up with (v − low)/(high − low). GRR: r
    < own tells the truth, else the (r − own) // other-th of the other options. OUE: each option has
    an r of its own; its bit is 1 where r < own for one's own, r < other for the rest.
    """

    mechanism: str
    d: int
    whole: int
    own: int
    other: int = 0

    @property
    def p(self) -> Fraction:
        """The chance that a report speaks for the answer of who sends it; of Duchi, for the end of
        the range to which it was rounded."""
        if self.mechanism in (GRR, OUE):
            return Fraction(self.own, self.whole)
        return Fraction(self.whole + self.own, 2 * self.whole)

    @property
    def q(self) -> Fraction:
        """The chance that it speaks for one certain other answer."""
        if self.mechanism in (GRR, OUE):
            return Fraction(self.other, self.whole)
        return 1 - self.p

    @property
    def odds(self) -> Fraction:
        """The largest ratio of a report's chances over two answers: e^ε."""
        if self.mechanism == OUE:
            return self.p * (1 - self.q) / ((1 - self.p) * self.q)
        return self.p / self.q

    @property
    def spent(self) -> float:
        """The ε that a report costs, from the whole numbers: never above the one that was asked
        for."""
        return math.log(self.odds)

    @property
    def support(self) -> Support:
        """p and q as the other local protocols give them."""
        p, q = self.p, self.q
        return Support(float(p), float(q), float(1 - p), float(1 - q), float(p - q))


@lru_cache(maxsize=256)
def law(asked: Question, epsilon: float) -> Law:
    """The randomiser of a question at an ε: the whole numbers that come nearest from the private
    side."""
    shrink = exponential_above(Fraction(epsilon))
    if asked.kind == CHOICE and asked.unary:
        other = math.ceil(WORD * shrink / (1 + shrink))
        return Law(OUE, asked.answers, WORD, WORD // 2, other)
    if asked.kind == CHOICE:
        d = asked.answers
        other = math.floor(WORD / (1 / shrink + d - 1))
        own = math.floor(other / shrink)
        return Law(GRR, d, own + (d - 1) * other, own, other)
    own = math.floor(WORD * (1 - shrink) / (1 + shrink))
    if asked.kind == NUMBER:
        return Law(DUCHI, asked.answers, WORD, own)
    return Law(FAIR if 2 * own == WORD else WARNER, 2, WORD, own)


def randomise(asked: Question, epsilon: float, answer: int, below: Callable[[int], int]) -> int:
    """A report's value of who answers with `answer`, counted from 0 for the first option or for
    `low`: what the page does in a phone. `below(n)` gives integers from 0 to n − 1 alike."""
    used = law(asked, epsilon)
    if used.mechanism == OUE:
        return sum(
            (below(used.whole) < (used.own if i == answer else used.other)) << i
            for i in range(used.d)
        )
    if used.mechanism == GRR:
        drawn = below(used.whole)
        if drawn < used.own:
            return answer
        told = (drawn - used.own) // used.other
        return told + (told >= answer)
    if used.mechanism == DUCHI:
        answer = int(below(used.d - 1) < answer)
    return answer if below(used.whole) < used.own else below(2)


def possible(asked: Question, report: Report) -> bool:
    """Whether a phone that is asked so can have sent it."""
    if report.epsilon not in asked.epsilons:
        return False
    used = law(asked, report.epsilon)
    values = {OUE: 1 << used.d, DUCHI: 2}.get(used.mechanism, used.d)
    fits = report.mechanism == used.mechanism and type(report.value) is int
    return fits and 0 <= report.value < values
