"""Mondrian: multidimensional partitions by greedy halving (LeFevre, DeWitt & Ramakrishnan 2006),
all classes of a level at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import (
    Classes,
    Codes,
    Mask,
    dense,
    grouped,
    in_table,
    summed,
)
from dpstudio.privacy.anonymity.models import Rule
from dpstudio.privacy.anonymity.presence import Crowd, Standing

STRICT, TIES, RELAXED = "strict", "ties", "relaxed"


@dataclass(frozen=True, eq=False)
class Quasi:
    """A quasi-identifier: `codes` (n,) in the order of its values, `at` (values,) where they lie on
    a line, or none for words, of which only the number of different ones counts. Its width
    counts `weight` times."""

    codes: Codes
    at: Array | None = None
    weight: float = 1.0

    @property
    def places(self) -> Array:
        """Where each row lies, (n,); for words their code."""
        return np.asarray(self.codes if self.at is None else self.at[self.codes], dtype=np.float64)


def spans(quasi: Quasi, of: Codes, many: int) -> Array:
    """How wide each class is as a share of the whole table: the range of a number, how many of the
    words there are; 0 where nothing is left to cut. Times its weight, shape (many,)."""
    if quasi.at is None:
        _, present = _words_of(quasi.codes, of, many)
        return np.where(
            present > 1, quasi.weight * present / np.count_nonzero(np.bincount(quasi.codes)), 0.0
        )
    x = quasi.places
    low, high = np.full(many, np.inf), np.full(many, -np.inf)
    np.minimum.at(low, of, x)
    np.maximum.at(high, of, x)
    whole = float(np.ptp(x)) if len(x) else 0.0
    return quasi.weight * np.maximum(high - low, 0.0) / whole if whole > 0 else np.zeros(many)


def _words_of(codes: Codes, of: Codes, many: int) -> tuple[Codes, Codes]:
    """Which of the different words of its class each row has, in their order, (n,), and how many
    each class has, (many,)."""
    width = int(codes.max(initial=0)) + 1
    if in_table(many * width, len(codes)):
        found = np.zeros((many, width), dtype=np.bool_)
        found[of, codes] = True
        return (np.cumsum(found, axis=1) - 1)[of, codes], found.sum(1)
    pairs, place = np.unique(of * width + codes, return_inverse=True)
    held = np.bincount(pairs // width, minlength=many)
    return place - (np.cumsum(held) - held)[of], held


def halves(
    quasi: Quasi, of: Codes, many: int, way: str, rows: Codes | None = None
) -> Iterator[Mask]:
    """Ways to cut every class in two, each a mask of the rows that go left, (n,): below the median;
    with "ties" also up to and with it, the more even one first; with "relaxed" half of the rows,
    ties shared out. Words go by halves of those that are present, in their order. Of kinds `rows`
    says how many rows each is; these are not shared out."""
    if quasi.at is None:
        rank, present = _words_of(quasi.codes, of, many)
        yield rank < (present // 2)[of]
        return
    sizes = summed(of, many, rows)
    if way == RELAXED:
        order, starts = np.lexsort((quasi.codes, of)), np.cumsum(sizes) - sizes
        place = np.empty(len(of), dtype=np.int64)
        place[order] = np.arange(len(of))
        yield place - starts[of] < sizes[of] // 2
        return
    middle = _middle(quasi.codes, of, sizes, rows)
    below, upto = quasi.codes < middle[of], quasi.codes <= middle[of]
    if way == STRICT:
        yield below
        return
    # The cut that is nearer to halves comes first.
    off = [
        np.abs(2 * summed(of[cut], many, None if rows is None else rows[cut]) - sizes)
        for cut in (below, upto)
    ]
    first = (off[0] <= off[1])[of]
    yield np.where(first, below, upto)
    yield np.where(first, upto, below)


def _middle(codes: Codes, of: Codes, sizes: Codes, rows: Codes | None) -> Codes:
    """The code in the middle of each class, the upper one of two, (classes,): `median` of a list of
    even length is their mean, so that what lies below it lies below the upper one."""
    width = int(codes.max(initial=0)) + 1
    if in_table(len(sizes) * width, len(codes)):
        held = summed(of * width + codes, len(sizes) * width, rows)
        upto = np.cumsum(held.reshape(-1, width), axis=1)
        return np.asarray((upto <= (sizes // 2)[:, None]).sum(1))
    order = np.lexsort((codes, of))
    upto = np.arange(1, len(of) + 1) if rows is None else np.cumsum(rows[order])
    place = np.searchsorted(upto, np.cumsum(sizes) - sizes + sizes // 2, side="right")
    return codes[order[np.minimum(place, len(of) - 1)]]


def joined(quasi: Sequence[Quasi], classes: Classes) -> Classes:
    """The same where those are one that show the same: boxes that share a value out may end alike,
    and who reads the table cannot tell them apart. A rule that each keeps, both keep as one."""
    of, many, ends = classes.of, classes.many, list[Codes]()
    for each in quasi:
        if each.at is None:
            ends.append(_sets_of(each.codes, of, many))
            continue
        low, high = np.full(many, len(each.at)), np.full(many, -1)
        np.minimum.at(low, of, each.codes)
        np.maximum.at(high, of, each.codes)
        ends += [low, high]
    name, few = grouped(np.stack(ends, axis=1))
    return Classes(name[of], few)


def _sets_of(codes: Codes, of: Codes, many: int) -> Codes:
    """A number for the set of words that each class has, (many,)."""
    width = int(codes.max(initial=0)) + 1
    pairs = np.unique(of * width + codes)
    sets = np.split(pairs % width, np.searchsorted(pairs, width * np.arange(1, many)))
    known = dict[bytes, int]()
    return np.array([known.setdefault(each.tobytes(), len(known)) for each in sets])


def mondrian(
    quasi: Sequence[Quasi],
    sensitive: Codes,
    values: int,
    rule: Rule,
    way: str = TIES,
    check: Callable[[], None] = lambda: None,
    crowd: Crowd | None = None,
    rows: Codes | None = None,
) -> Iterator[Classes]:
    """Classes after each level, the last of which nothing more can be cut; every class of every
    level keeps the rule, and the bounds of the `crowd`, where there is one. `sensitive` (n,) are
    codes below `values`. Kinds may be given instead of rows, and how many `rows` each is: what is
    cut beside a value never parts them, so that the classes are the same.

    Each class tries its quasi-identifiers from the widest on, and is cut by the first whose halves
    both keep the rule. "strict" cuts below the median alone, as the texts' code does, "ties" also
    above it, "relaxed" through it. `check` is called between pieces of work and may raise. Where
    the whole table breaks the rule, or boxes may overlap in a crowd, nothing is given: ValueError.
    """
    if crowd is not None and way == RELAXED:
        raise ValueError("boxes that overlap fit people twice")
    if rows is not None and (crowd is not None or way == RELAXED):
        raise ValueError("kinds are not parted, and no crowd counts them")
    n = len(sensitive)
    of, many = np.zeros(n, dtype=np.int64), min(n, 1)
    if not n or not rule.kept(Classes(of, many).counts(sensitive, values, rows)).all():
        raise ValueError("the whole table as one class does not keep the rule")
    if crowd is not None and not crowd.one_kept:
        raise ValueError("the whole table as one class does not keep the bounds")
    standing = None if crowd is None else Standing(crowd)
    yield Classes(of, many)
    open_ = np.ones(many, dtype=np.bool_)
    while open_.any():
        wide = np.stack([spans(each, of, many) for each in quasi], axis=1)
        tries = np.argsort(-wide, axis=1, kind="stable")
        cut, left = np.zeros(many, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
        for turn in range(len(quasi)):
            for column, each in enumerate(quasi):
                check()
                trying = open_ & ~cut & (tries[:, turn] == column) & (wide[:, column] > 0)
                if trying.any():
                    _cut(each, trying, of, rows, sensitive, values, rule, way, standing,
                         cut, left)  # fmt: skip
        if not cut.any():
            return
        of, many, open_ = _divided(of, many, cut, left, standing)
        yield Classes(of, many)


def _cut(
    each: Quasi,
    trying: Mask,
    of: Codes,
    rows: Codes | None,
    sensitive: Codes,
    values: int,
    rule: Rule,
    way: str,
    standing: Standing | None,
    cut: Mask,
    left: Mask,
) -> None:
    """Cut the classes that are `trying` where the halves keep the rule, and the bounds of who is
    `standing` beside them; `cut` and `left` are changed."""
    places = np.flatnonzero(trying[of])
    small, few = dense(of[places])
    part, held = Quasi(each.codes[places], each.at), None if rows is None else rows[places]
    names = np.flatnonzero(trying)
    waiting = np.ones(few, dtype=np.bool_)
    for mask in halves(part, small, few, way, held):
        halved = Classes(2 * small + ~mask, 2 * few).counts(sensitive[places], values, held)
        full = halved.sum(1) > 0
        good = (rule.kept(halved) & full).reshape(few, 2).all(1) & waiting
        if standing is not None:
            good &= standing.kept(names, places, 2 * small + ~mask)
        waiting &= ~good
        cut[names[good]] = True
        chosen = good[small]
        left[places[chosen]] = mask[chosen]


def _divided(
    of: Codes, many: int, cut: Mask, left: Mask, standing: Standing | None
) -> tuple[Codes, int, Mask]:
    """Rows after a level, the right halves with new numbers, and the classes that are still open:
    one that nothing could cut stays closed. Who is `standing` goes along."""
    more = int(np.count_nonzero(cut))
    new = np.full(many, -1, dtype=np.int64)
    new[cut] = many + np.arange(more)
    after = np.where(cut[of] & ~left, new[of], of)
    if standing is not None:
        standing.move(cut, new, after, many + more)
    return after, many + more, np.concatenate((cut, np.ones(more, dtype=np.bool_)))
