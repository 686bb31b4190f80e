"""From how far one row can move an answer to how far one person can, of whose rows at most m are
used.

All questions here add up what each row gives, so a person with m rows makes m changes of one row,
in any mixture. Norms are convex: no mixture moves further than m times the largest change of one
row, and m like rows reach that, in every norm and in all measurements at once. It is m and never
√m, since all rows may fall in one cell; and it is m for neighbours that replace one person too,
where up to m rows go and up to m others come. (A person may have no rows at all, which moves no
further.)
"""

from dataclasses import replace

from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.queries.measured import MeasuredQuestion, Move, Shift
from dpstudio.values.messages import N_, Message, Num, say


def by_person(asked: MeasuredQuestion, most: int) -> MeasuredQuestion:
    """What was asked, moved by up to `most` rows of one person instead of by one."""
    if most == 1:
        return asked
    parts = []
    for place, part in enumerate(asked.measurements):
        shifts = tuple(move.shifts[place] for move in asked.moves if place < len(move.shifts))
        parts.append(replace(part, sensitivity=grown(part.sensitivity, shifts, most)))
    return replace(
        asked, measurements=tuple(parts), moves=tuple(times(move, most) for move in asked.moves)
    )


def grown(one: Sensitivity, shifts: tuple[Shift, ...], most: int) -> Sensitivity:
    """The sensitivity of m rows from that of `one`, whose largest moves are `shifts`: every norm
    times m.

    Up to m times as many coordinates may move, though then none of them by m: `moves` are kept only
    where they are the worst for every noise with a log-concave law, else only the norms are known.
    """
    if most == 1:
        return one
    text = N_(
        "With one row each: {why} With up to {m} {m:row|rows} each it is {m} times as much: L1 = "
        "{l1}, L2 = {l2}."
    )
    l1, l2 = most * one.l1, most * one.l2
    sizes = {"l1": Num(l1, 4, "up"), "l2": Num(l2, 4, "up")}
    if one.dims == 1:  # all its norms are one number
        text = N_(
            "With one row each: {why} With up to {m} {m:row|rows} each it is {m} times as much: Δ "
            "= {delta}."
        )
        sizes = {"delta": Num(l1, 4, "up")}
    why = say(text, why=one.why, m=most, **sizes) if one.why.text else Message("")
    worst = _worst(one, shifts)
    moves = (tuple(most * size for size in worst),) if worst else ()
    return Sensitivity(l1, l2, most * one.linf, why, min(one.dims, most * one.l0), one.dims, moves)


def _worst(one: Sensitivity, shifts: tuple[Shift, ...]) -> tuple[float, ...]:
    """The sizes of the move of one row that, m times, is worse than every mixture of m rows; empty
    where no one is known to be.

    Under log-concave noise on each coordinate a move of a + b in one coordinate is worse than moves
    of a and of b in two: going there in two steps loses as much as both together do at most, and in
    one coordinate exactly as much (group privacy, Dong, Roth & Su 2022, Theorem 2.14, exact where
    likelihood ratios are monotone). So where one row moves a single coordinate by all of the L1
    norm, that is the worst; and where one row lowers one coordinate and raises another, both by the
    most that any row raises or lowers in all, no mixture raises or lowers more, and this is.
    """
    if one.l0 == 1 or any(len(shift) == 1 and abs(shift[0][1]) == one.l1 for shift in shifts):
        return (one.l1,)
    ways = [
        (sum(by for _, by in shift if by > 0), -sum(by for _, by in shift if by < 0))
        for shift in shifts
    ]
    most = max((max(way) for way in ways), default=0.0)
    across = any(
        len(shift) == 2 and way == (most, most) for shift, way in zip(shifts, ways, strict=True)
    )
    return (most, most) if across else ()


def times(move: Move, most: int) -> Move:
    """The move of `most` rows that all do what one does."""
    if most == 1:
        return move
    what = say("{what} ({m} {m:row|rows} at once)", what=move.what, m=most)
    return replace(
        move,
        what=what,
        shifts=tuple(tuple((part, most * by) for part, by in shift) for shift in move.shifts),
    )
