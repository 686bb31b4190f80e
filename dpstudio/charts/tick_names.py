"""Names under a chart, so that each is read: on one line, folded, in two rows that take turns, or
turned upright. One layout for the screen and for what is exported."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, Axis
from dpstudio.charts.label_folding import folded
from dpstudio.charts.scaling import Measure, ticks, to_unit

MOST = 60  # names; of more some are left out
# px between two names, and the share of a plot's height that names may take beyond one line.
_GAP, SHARE = 8.0, 0.35
_HAIR = 1e-6  # px: room that was made for lines is enough for them
# (rows that take turns, lines of a name), the calmest first.
_WAYS = ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2))
# The letters of a cut name by which it is told from others.
_LETTERS = "Abcd…"


@dataclass(frozen=True)
class TickNames:
    """Marks of an axis in data units, their words in lines (of which the first may be empty); they
    take `tall` px below the axis. `turned`: they read upwards."""

    marks: tuple[tuple[float, str], ...]
    tall: float
    turned: bool = False


def tick_names(
    axis: Axis,
    length: float,
    spacing: float,
    measure: Measure,
    room: float,
    ends: tuple[float, float] = (np.inf, np.inf),
) -> TickNames:
    """The ticks of an axis `length` px long under a chart, about one number in `spacing` px.

    Words take at most `room` px in height beyond one line, and reach at most `ends` px beyond the
    axis at the left and right, so that one at its end may be moved in: a number that would then
    touch the next one is left out. Words without a letter are a scale, which is thinned as numbers
    are, unless each is a name and all have room; they are not cut.
    """
    high = measure("0")[1]
    kept = ticks(axis, length, spacing, measure=measure)
    thinned = TickNames(_within(axis, kept, length, measure, ends), high)
    lettered = any(letter.isalpha() for _, text in kept for letter in text)
    if not (axis.ticks and (lettered or axis.named)):
        return thinned
    places = (to_unit(axis, [at for at, _ in kept]) * length).tolist()
    wide = [2 * min(x + ends[0], length + ends[1] - x) for x in places]
    whole = ((at, shortened(text, px, measure)) for (at, text), px in zip(kept, wide, strict=True))
    thinned = TickNames(tuple(whole), high)
    found, room = sorted(ticks(axis, length, spacing)), room + _HAIR
    if len(found) > MOST:
        return thinned
    names, at = [text for _, text in found], [at for at, _ in found]
    centre = np.append(-ends[0], np.append(to_unit(axis, at) * length, length + ends[1]))
    for rows, lines in _WAYS:
        if rows * lines == 1 or (rows * lines - 1) * high <= room:
            fit = _fit(names, centre, rows, lines, measure)
            if fit is not None:
                return TickNames(tuple(zip(at, fit, strict=True)), rows * lines * high)
    return (_cut(found, centre, measure, room) if lettered else None) or thinned


def moved_in(at: float, wide: float, length: float, ends: tuple[float, float]) -> float:
    """The middle of words `wide` px across at a mark `at` px along an axis of `length`, beyond
    whose ends they may reach so far."""
    return min(max(at, wide / 2 - ends[0]), length + ends[1] - wide / 2)


def _within(
    axis: Axis,
    kept: Sequence[tuple[float, str]],
    length: float,
    measure: Measure,
    ends: tuple[float, float],
) -> tuple[tuple[float, str], ...]:
    """The marks, the first and last without words where these would not stand apart."""
    order = sorted(range(len(kept)), key=lambda k: kept[k][0])
    wide = [measure(kept[k][1])[0] for k in order]
    places = to_unit(axis, [kept[k][0] for k in order]) * length
    middle = [moved_in(x, w, length, ends) for x, w in zip(places.tolist(), wide, strict=True)]
    out = list(kept)
    for end, other in ((0, 1), (-1, -2)) if len(kept) > 2 else ():
        if abs(middle[end] - middle[other]) < (wide[end] + wide[other]) / 2 + 2 * _GAP:
            out[order[end]] = (kept[order[end]][0], "")
    return tuple(out)


def _fit(
    names: Sequence[str], centre: Array, rows: int, lines: int, measure: Measure
) -> list[str] | None:
    """The names in at most so many lines, where none touches its neighbours in its row."""
    out, right = [], dict.fromkeys(range(rows), float(centre[0]))
    for i, (text, room) in enumerate(zip(names, _rooms(centre, rows), strict=True)):
        made = folded(text, room, measure) if lines > 1 else (text,)
        half = max(measure(line)[0] for line in made) / 2
        middle, row = float(centre[i + 1]), i % rows
        if len(made) > lines or middle - half < right[row] or middle + half > centre[-1]:
            return None
        right[row] = middle + half + _GAP
        out.append("\n" * (row * lines) + "\n".join(made))
    return out


def _rooms(centre: Array, rows: int) -> list[float]:
    """How wide each name may be where every `rows`-th one stands beside it; `centre` begins and
    ends with what bounds them all."""
    first, last = float(centre[0]), float(centre[-1])
    places = centre[1:-1].tolist()

    def halves() -> Iterator[float]:
        for i, at in enumerate(places):
            before = (at - places[i - rows] - _GAP) / 2 if i >= rows else at - first
            after = (places[i + rows] - at - _GAP) / 2 if i + rows < len(places) else last - at
            yield min(before, after)

    return [2 * half for half in halves()]


def _cut(
    found: list[tuple[float, str]], centre: Array, measure: Measure, room: float
) -> TickNames | None:
    """Names too long for all that, cut by an ellipsis: in two rows where that leaves some letters
    that tell them apart, else turned; None where there is no room for either."""
    (least, high), wide = measure(_LETTERS), _rooms(centre, 2)
    names, at = [text for _, text in found], [at for at, _ in found]
    if min(wide) >= least and high <= room:
        short = _told_apart(names, wide, measure)
        if len(set(short)) == len(set(names)):
            rows = ["\n" * (i % 2) + text for i, text in enumerate(short)]
            return TickNames(tuple(zip(at, rows, strict=True)), 2 * high)
    if np.min(np.diff(centre[1:-1]), initial=np.inf) < high or high + room < least:
        return None
    short = _told_apart(names, [high + room] * len(names), measure)
    tall = max(measure(text)[0] for text in short)
    return TickNames(tuple(zip(at, short, strict=True)), tall, turned=True)


def _told_apart(names: Sequence[str], rooms: Sequence[float], measure: Measure) -> list[str]:
    """Names cut to their rooms: at their ends, and those that would then be alike in the middle."""
    pairs = list(zip(names, rooms, strict=True))
    short = [shortened(text, room, measure) for text, room in pairs]
    return [
        shortened(text, room, measure, middle=True) if short.count(cut) > 1 else cut
        for (text, room), cut in zip(pairs, short, strict=True)
    ]


def shortened(text: str, room: float, measure: Measure, *, middle: bool = False) -> str:
    """The text, cut to `room` px: an ellipsis stands at its end, or in its middle."""
    if measure(text)[0] <= room:
        return text

    def cut(kept: int) -> str:
        last = kept // 2 if middle else 0
        return text[: kept - last].rstrip() + "…" + text[len(text) - last :].lstrip()

    # By halves: a text may be of a thousand words.
    fits = bisect_right(range(1, len(text)), room, key=lambda kept: measure(cut(kept))[0])
    return cut(fits) if fits else "…"
