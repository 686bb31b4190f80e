"""What a denial tells: an auditor who looks at the answer denies it where it would tell somebody's
value, and thereby tells something (Kenthapadi, Mishra & Nissim 2005)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

World = tuple[int, ...]
Question = Callable[[World], int]


@dataclass(frozen=True)
class Step:
    """One question: what was answered, None where it was denied; how many tables fit the answers
    alone, and how many where the denials count too; and what everybody is then known to have, None
    where it is open."""

    answer: int | None
    by_answers: int
    by_denials: int
    known: tuple[int | None, ...]


def _answers(world: World, asked: Sequence[Question], worlds: list[World]) -> list[int | None]:
    """What the auditor says of this table: never what would, with what was answered before, leave
    one value for anybody."""
    left, said = worlds, list[int | None]()
    for question in asked:
        answer = question(world)
        fits = [each for each in left if question(each) == answer]
        if any(one is not None for one in known(fits)):
            said.append(None)
        else:
            left = fits
            said.append(answer)
    return said


def known(worlds: Sequence[World]) -> tuple[int | None, ...]:
    """Everybody's value where all of these tables agree on it, else None."""
    return tuple(each[0] if len(set(each)) == 1 else None for each in zip(*worlds, strict=True))


def audited(truth: World, values: Sequence[int], asked: Sequence[Question]) -> list[Step]:
    """Every step of an audit of the table `truth`, whose values are among `values`: all tables of
    such values are tried."""
    worlds, steps = list(product(values, repeat=len(truth))), list[Step]()
    for many in range(1, len(asked) + 1):
        some = asked[:many]
        said = _answers(truth, some, worlds)
        told = [(q, a) for q, a in zip(some, said, strict=True) if a is not None]
        fits = [each for each in worlds if all(q(each) == a for q, a in told)]
        alike = [each for each in fits if _answers(each, some, worlds) == said]
        steps.append(Step(said[-1], len(fits), len(alike), known(alike)))
    return steps
