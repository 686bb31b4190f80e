"""A console that answers counts, sums, averages and maxima of one protected column under a rule,
and an attacker who knows who is in which set and solves what was answered for one row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.data.statements import AVERAGE, COUNT, LARGEST
from dpstudio.privacy.attacks.console import Mask, Policy, RankAudit
from dpstudio.privacy.attacks.squeezed import SAME, squeezed

EMPTY, DENIED, NO_NOISE = "empty", "denied", "noise"
Said = Callable[[int, float], float | None]


@dataclass(frozen=True, eq=False)
class AggregateQuestion:
    """One question: `what` is COUNT, SUM, AVG or MAX, over the rows `who`, (rows,)."""

    what: str
    who: Mask


@dataclass(frozen=True)
class Reply:
    """Of one question: the exact answer, None over no rows; what was answered, None where it was
    not, and why not, “” where it was; and how many rows it was about."""

    exact: float | None
    answer: float | None
    why: str
    rows: int


def of(what: str, values: Array) -> float | None:
    """An exact answer about these values, (rows,); None of no rows, but for counts and sums."""
    if what == COUNT:
        return float(len(values))
    if what not in (AVERAGE, LARGEST):
        return float(values.sum())
    if not len(values):
        return None
    return float(values.mean() if what == AVERAGE else values.max())


def replies(
    asked: Sequence[AggregateQuestion], values: Array, held: Array, policy: Policy, said: Said
) -> list[Reply]:
    """What the console says to each question in turn. `values` (rows,) are the true ones, `held`
    those that it answers from; `said(i, answer)` makes what leaves of the i-th answer, None where
    it makes nothing. What was denied does not count as asked."""
    found, before = list[Reply](), list[AggregateQuestion]()
    kinds = _kinds([one.who for one in asked])
    for place, one in enumerate(asked):
        rows, exact = int(np.count_nonzero(one.who)), of(one.what, values[one.who])
        told_now = of(one.what, held[one.who])
        if exact is None or told_now is None:
            found.append(Reply(None, None, EMPTY, rows))
            continue
        if not _allowed(one, before, held, policy, kinds):
            found.append(Reply(exact, None, DENIED, rows))
            continue
        answer = said(place, told_now)
        found.append(Reply(exact, answer, "" if answer is not None else NO_NOISE, rows))
        if answer is not None:
            before.append(one)
    return found


def _family(what: str) -> str:
    return what if what in (COUNT, LARGEST) else "sum"


def _allowed(
    one: AggregateQuestion,
    before: list[AggregateQuestion],
    held: Array,
    policy: Policy,
    kinds: NDArray[np.int64],
) -> bool:
    """Whether the rule lets a question through. The audit looks at what it is an audit of: sums and
    averages together, counts, and, by their answers, maxima; other rules look at all sets."""
    if not isinstance(policy, RankAudit):
        return policy.answers(one.who, np.array([each.who for each in before], dtype=np.bool_))
    alike = [each.who for each in before if _family(each.what) == _family(one.what)]
    if one.what == LARGEST:
        return not extremes([(who, float(held[who].max())) for who in [*alike, one.who]], len(held))
    few = np.array([who[kinds] for who in alike], dtype=np.bool_).reshape(len(alike), len(kinds))
    return policy.answers(one.who[kinds], few)


def _codes(sets: Sequence[Mask]) -> NDArray[np.int64]:
    """Of each row a number for the sets that it is in, at most 62 of them; (rows,)."""
    codes = np.zeros(len(sets[0]), dtype=np.int64)
    for place, who in enumerate(sets):
        codes |= who.astype(np.int64) << place
    return codes


def _kinds(sets: Sequence[Mask]) -> NDArray[np.int64]:
    """Rows that stand for all: of those that are in the same sets, the first two."""
    codes = _codes(sets)
    _, first = np.unique(codes, return_index=True)
    others = np.delete(np.arange(len(codes)), first)
    second = others[np.unique(codes[others], return_index=True)[1]]
    return np.asarray(np.sort(np.concatenate((first, second))), dtype=np.int64)


def extremes(maxima: Sequence[tuple[Mask, float]], rows: int) -> dict[int, float]:
    """Each of the `rows` whose value follows from (set, its maximum): where one row alone can have
    a maximum, for the others are in a set whose maximum is smaller (Kleinberg, Papadimitriou &
    Raghavan 2003)."""
    most, found = np.full(rows, np.inf), dict[int, float]()
    for who, top in maxima:
        most[who] = np.minimum(most[who], top)
    for who, top in maxima:
        can = np.flatnonzero(who & (most >= top))
        if len(can) == 1:
            found[int(can[0])] = top
    return found


@dataclass(frozen=True, eq=False)
class Learnt:
    """What an attacker makes of all answers: an estimate of every row, (rows,), and the rows whose
    value it tells, were the answers exact."""

    estimate: Array
    told: NDArray[np.int64]


def learnt(
    asked: Sequence[AggregateQuestion],
    answers: Sequence[float | None],
    guess: float,
    ends: tuple[float, float],
) -> Learnt:
    """From sums and averages, whose sets are known, and maxima, all together: the estimate that is
    nearest to `guess` among those that fit the sums best, between the public `ends`, and what is
    told."""
    given = [(one, a) for one, a in zip(asked, answers, strict=True) if a is not None]
    given = [(one, a) for one, a in given if one.what != COUNT]
    rows = np.arange(len(asked[0].who))
    if not given or ends[0] == ends[1]:
        return Learnt(np.full(len(rows), guess), rows if ends[0] == ends[1] else rows[:0])
    _, first, of_row, many = np.unique(
        _codes([one.who for one, _ in given]),
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    sums = [(one, a) for one, a in given if one.what != LARGEST]
    kinds = np.array([one.who[first] for one, _ in sums], dtype=np.bool_).reshape(-1, len(many))
    sizes, width = kinds @ many, ends[1] - ends[0]
    averages = np.array([one.what == AVERAGE for one, _ in sums], dtype=np.bool_)
    totals = np.array([a for _, a in sums]) * np.where(averages, sizes, 1.0)
    # Of each kind its sum, about that of as many guesses, in parts of √rows: so the least squares
    # are those of rows.
    roots = np.sqrt(many)
    shift = np.linalg.lstsq(kinds * roots, totals - sizes * guess, rcond=None)[0]
    maxima = [(one.who[first], (a - ends[0]) / width) for one, a in given if one.what == LARGEST]
    low, high = squeezed(kinds, (totals - sizes * ends[0]) / width, maxima, many)
    estimate = np.clip(guess + shift / roots, ends[0] + width * low, ends[0] + width * high)
    return Learnt(estimate[of_row], np.flatnonzero((low == high)[of_row]))


def known_exactly(found: Learnt, values: Array, width: float) -> NDArray[np.int64]:
    """Of the rows that the answers tell, those whose estimate is right."""
    near = np.abs(found.estimate[found.told] - values[found.told]) <= SAME * width
    return found.told[near]
