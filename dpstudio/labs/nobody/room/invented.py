"""Answers that are made up, and the example in which weights are wrong."""

import numpy as np

from dpstudio.labs.nobody.room.parameters import Invented
from dpstudio.privacy.room import Question, Report, Reports, law, randomise
from dpstudio.privacy.room.question import COINS, NUMBER

_STREAM = 1907
# Of 1,000 people 300 would say yes. The 510 who choose ε = 1 have all of them; the 490 who choose 2
# would say no. So the shares of the groups are 300/510 and 0.
SECRETIVE, OPEN, YES, CAREFUL, FREE = 510, 490, 300, 1.0, 2.0


def answers_of(asked: Question, source: Invented) -> list[int]:
    """What the invented people truly answer, by the place of the answer. The first option, or the
    yes, has its share, and the others share the rest alike; numbers are as near to one place as
    whole ones can be."""
    n, d = source.people, asked.answers
    first = round(source.share * n)
    if asked.kind == COINS:
        return [1] * first + [0] * (n - first)
    if asked.kind == NUMBER:
        total = round(source.share * (d - 1) * n)
        return [total // n + (i < total % n) for i in range(n)]
    return [0] * first + [1 + i % (d - 1) for i in range(n - first)]


def truth_of(asked: Question, source: Invented) -> tuple[float, ...]:
    """The share of each option among them, or the mean of their numbers."""
    answers = answers_of(asked, source)
    if asked.kind == NUMBER:
        return (asked.low + sum(answers) / len(answers),)
    return tuple(answers.count(option) / len(answers) for option in range(asked.answers))


def invented(asked: Question, source: Invented, seed: int) -> Reports:
    """Their reports, drawn from the seed in any order: for looking, no release. Each chooses an ε
    by chance, or, where it follows the answer, the smallest for what the question is about."""
    rng = np.random.Generator(np.random.SFC64([seed, _STREAM]))
    answers = np.array(answers_of(asked, source))
    rng.shuffle(answers)
    chosen = rng.integers(len(asked.epsilons), size=len(answers))
    if source.by_answer:
        about = answers == 0 if asked.kind not in (COINS, NUMBER) else answers > 0
        if asked.kind == NUMBER:
            about = answers > np.median(answers)
        chosen = np.where(about, 0, len(asked.epsilons) - 1)
    used = [law(asked, epsilon).mechanism for epsilon in asked.epsilons]

    def below(n: int) -> int:
        return int(rng.integers(n))

    return tuple(
        Report(
            asked.key,
            used[place],
            asked.epsilons[place],
            randomise(asked, asked.epsilons[place], answer, below),
        )
        for answer, place in zip(answers.tolist(), chosen.tolist(), strict=True)
    )


def example() -> tuple[tuple[float, int, float], tuple[float, int, float]]:
    """(ε, how many choose it, the share of them who would say yes) of both groups of it."""
    return (CAREFUL, SECRETIVE, YES / SECRETIVE), (FREE, OPEN, 0.0)


def misled() -> tuple[float, float, float]:
    """(true share, what head counts give on average, what inverse-variance weights give on average)
    where ε follows the answer, as above: each group's estimate is unbiased, so its mean is its own
    share."""
    _, people, shares = np.array(example()).T
    asked = Question("example", "?", epsilons=(CAREFUL, FREE))
    noise = np.array([law(asked, epsilon).support.other for epsilon in asked.epsilons])
    weights = people / noise
    return (
        YES / (SECRETIVE + OPEN),
        float(shares @ people / people.sum()),
        float(shares @ weights / weights.sum()),
    )
