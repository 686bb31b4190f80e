"""The head above a chart: what stands upright is named at its upper end, in as many rows as
needed."""

from collections.abc import Sequence
from typing import NamedTuple

_GAP, _CLEAR = 5.0, 3.0


class Upright(NamedTuple):
    """Words of `width` px in `rows` lines for what stands at `x` px; `over` it, or beside the stem
    that leads up to them."""

    x: float
    width: float
    rows: int = 1
    over: bool = False


class Standing(NamedTuple):
    """Where words stand: their left end in px, the lowest of their rows (0 touches the chart), and
    whether a stem can lead to them."""

    left: float
    row: int
    stem: bool = True


def stood(wanted: Sequence[Upright], width: float) -> tuple[Standing, ...]:
    """A place for each, inside 0 … width, so that no words touch others or the stem of others.
    Words go right of their stems, or all left of them where more stems then lead to their words:
    words without a stem stand over another's, and are false there."""
    found = _from_right(wanted, width)
    if all(at.stem or one.over for one, at in zip(wanted, found, strict=True)):
        return found
    mirrored = _from_right([one._replace(x=width - one.x) for one in wanted], width)
    others = tuple(
        at._replace(left=width - at.left - one.width)
        for one, at in zip(wanted, mirrored, strict=True)
    )
    return max(found, others, key=lambda places: sum(at.stem for at in places))


def _from_right(wanted: Sequence[Upright], width: float) -> tuple[Standing, ...]:
    """The same from the right: words go right of their stems, so that later stems stay free."""
    done: dict[int, Standing] = {}
    for k in sorted(range(len(wanted)), key=lambda k: (-wanted[k].x, wanted[k].over, -k)):
        done[k] = _placed(wanted, k, done, width)
    return tuple(done[k] for k in range(len(wanted)))


def _placed(wanted: Sequence[Upright], k: int, done: dict[int, Standing], width: float) -> Standing:
    one = wanted[k]
    most = max(0.0, width - one.width)
    top = max([at.row + wanted[i].rows for i, at in done.items()], default=0)
    middle = min(max(one.x - one.width / 2, 0.0), most)
    right, left = one.x + _GAP, one.x - _GAP - one.width
    beside = [side for side in (right, left) if 0 <= side <= most] or [middle]
    later = [
        other.x for i, other in enumerate(wanted) if i not in done and i != k and not other.over
    ]
    for freely in (True, False):
        for row in range(top + 1):
            for side in [middle] if one.over else beside:
                at = Standing(side, row, not one.over)
                # Words over the place of a stem to come would leave it no way up.
                if freely and any(side - _CLEAR < x < side + one.width + _CLEAR for x in later):
                    continue
                if all(_apart(one, at, wanted[i], other) for i, other in done.items()):
                    return at
    # Nothing crosses the top row; the stem would, so its ink alone tells whose words these are.
    return Standing(beside[0] if not one.over else middle, top, False)


def _apart(one: Upright, at: Standing, other: Upright, there: Standing) -> bool:
    """Whether two words and their stems leave each other alone."""
    beside = (
        at.left + one.width + 2 * _GAP <= there.left
        or there.left + other.width + 2 * _GAP <= at.left
    )
    level = at.row < there.row + other.rows and there.row < at.row + one.rows
    return (
        (beside or not level)
        and not _struck(one, at, other, there)
        and not _struck(other, there, one, at)
    )


def passed(one: Upright, at: Standing, start: float, end: float) -> bool:
    """Whether words from `start` to `end` beside these, in a row of theirs, leave them alone."""
    stem = one.x if at.stem else at.left
    left, right = min(at.left, stem), max(at.left + one.width, stem)
    return end + 2 * _GAP <= left or right + 2 * _GAP <= start


def _struck(one: Upright, at: Standing, other: Upright, there: Standing) -> bool:
    """Whether the stem of the other goes through these words; it ends at the top of its own."""
    return (
        there.stem
        and there.row + other.rows > at.row
        and at.left - _CLEAR < other.x < at.left + one.width + _CLEAR
    )
