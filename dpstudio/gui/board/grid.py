"""Where the charts and tables of a lab stand: one hero, a few small multiples, and what waits under
the line below them. Pure; nothing of it knows a widget."""

from collections.abc import Sequence
from dataclasses import dataclass

COLUMNS = 12  # of the grid: rows of 1, 2, 3 and 4 share them evenly
BELOW, ASIDE = 2, 3  # small multiples below the hero, and beside it where there is the width
# Heights in px at normal type, and the least share of the room that belongs to the hero.
HERO, MULTIPLE, EASY, SHARE = 280, 216, 240, 0.5755
FITTED = 200  # of a row of multiples that is wholly seen for it
LEAST = 200  # of a hero: it is wholly seen wherever that leaves it so much
# A board less high than that, in px at normal type, has the hero alone: the rest waits.
LOW = 480
# The least width in px at normal type of a small chart that stands beside another: 80 of its axis
# and 120 of the names of its curves, and between them a plot as wide as both of them nearly are.
NARROW = 340


@dataclass(frozen=True)
class GridCell:
    """A cell of the grid. `height` in px; 0: as high as what stands there needs."""

    row: int
    column: int
    rows: int = 1
    columns: int = COLUMNS
    height: int = 0


def waiting(charts: int, wide: bool, beside: int = ASIDE) -> int:
    """How many charts wait until they are asked for, where at most `beside` small ones stand with
    the first."""
    return max(0, charts - 1 - min(beside, ASIDE if wide else BELOW))


def heights_for(
    multiples: int,
    wide: bool,
    room: tuple[int, int, int],
    scale: float,
    gap: int,
    abreast: int = ASIDE,
    narrow: bool = False,
    low: bool = False,
) -> tuple[int, int]:
    """(hero, one multiple) in px. `room`: px of height that are left for both, px that can be seen
    at once, of which SHARE is the hero's unless less is left, and px of what stands below them:
    small charts scroll before it gives way. `narrow`: names stand above the plots, which are the
    higher for it. One row of small charts is a little lower where it is wholly seen for that, or
    where a `low` hero below it is, which gives way for it too."""
    left, whole, under = room
    hero = max(round(HERO * scale), round(SHARE * whole))
    hero = min(hero, max(left, round(LEAST * scale)))
    small = round((EASY if narrow else MULTIPLE) * scale)
    below = not (wide or narrow) and 0 < multiples <= abreast
    if low and below:
        hero = max(min(hero, left - gap - round(FITTED * scale)), round(LEAST * scale))
    row = left - hero - gap
    if below and FITTED * scale <= row < small:
        return hero, row
    left -= under
    if multiples <= 0:
        return max(round(LEAST * scale), left), 0
    if wide:
        high = max(hero, small * multiples + gap * (multiples - 1), left)
        return high, (high - gap * (multiples - 1)) // multiples
    high = max(hero, left - gap - round(1.35 * small))
    rows = -(-multiples // abreast)
    return high, max(small, (left - high) // rows - gap)


def places_for(
    charts: int,
    more: bool,
    tables: Sequence[bool],
    wide: bool,
    sizes: tuple[int, int, int],
    beside: int = ASIDE,
    abreast: int = ASIDE,
    low: bool = False,
) -> tuple[list[GridCell | None], int]:
    """A place for each chart, then for each table, or None for what waits; and the row of the line
    that names what does. `more`: whether the charts that wait are asked for, `tables`: which of the
    tables are open, `sizes`: heights of the hero, of a multiple and of the other charts, in px; no
    more than `abreast` small charts have room beside each other. A `low` hero stands below its
    multiples where they have one row."""
    hero, small, other = sizes
    multiples = max(0, charts - 1 - waiting(charts, wide, beside))
    low = low and not wide and 0 < multiples <= abreast
    out: list[GridCell | None] = []
    if charts:
        aside = wide and multiples > 0
        across = COLUMNS * 2 // 3 if aside else COLUMNS
        out.append(GridCell(int(low), 0, max(1, multiples) if aside else 1, across, hero))
        for k in range(multiples):
            if aside:
                out.append(GridCell(k, across, 1, COLUMNS - across, small))
            else:
                row, column = divmod(k, min(multiples, abreast))
                width = COLUMNS // min(multiples, abreast)
                out.append(GridCell(row + (not low), column * width, 1, width, small))
    foot = row = max((place.row + place.rows for place in out if place is not None), default=0)
    row += 1
    rest, across = waiting(charts, wide, beside), min(abreast, 3 if wide else 2)
    for k in range(rest):
        width = COLUMNS // across
        place = GridCell(row + k // across, k % across * width, 1, width, other)
        out.append(place if more else None)
    row += -(-rest // across)
    for k, open_ in enumerate(tables):
        out.append(GridCell(row + k, 0) if open_ or not charts else None)
    return out, foot
