"""What is wrong with the names of a chart, read off the pure layout, in the language in force: for the
suite and the soak."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations

import numpy as np
from random_states import random_state
from running import little

from dpstudio.charts.axis_titles import HERO, Titles, laid_out
from dpstudio.charts.figure import Array, Dots, Figure, Handle, Line, Rule, Words
from dpstudio.charts.label_layout import Layout, Placed
from dpstudio.charts.lanes import fitted
from dpstudio.charts.scaling import Measure, clip, squared, to_unit
from dpstudio.charts.written import size_of, written
from dpstudio.files.language import shown
from dpstudio.files.tables import open_table
from dpstudio.files.write.text_width import text_width
from dpstudio.labs.naming import every_lab

Box = tuple[float, float, float, float]


def faults(figure: Figure, width: float, height: float, scale: float) -> Iterator[str]:
    """Each in a sentence, for a chart that has width x height px with its names."""
    size, large = 12 * scale, HERO[0] * scale

    def measure(text: str) -> tuple[float, float]:
        return text_width(text, size), 1.22 * size

    def of_hero(text: str) -> tuple[float, float]:
        return text_width(text, large), 1.22 * large

    left, least = 40 * scale, 0.38
    if figure.lanes is not None:
        left = fitted(figure, figure.lanes, width, (measure,) * 3, shown).left
        width, least = width - left, 0.2 * width / (width - left)
    measures = (measure, measure, measure, measure, of_hero)
    laid, titles = laid_out(figure, (width, height), left, measures, (14 * scale, 0), shown)
    yield from _titled(laid, titles)
    plot = width - laid.gutter, height - laid.head
    if plot[0] < least * width or plot[1] < 0.45 * height:
        yield f"{plot[0]:.0f} x {plot[1]:.0f} px are left to the plot"
    yield from _dropped(figure, laid)
    yield from unequal(figure, laid)
    yield from _worded(figure, plot, measure)
    boxes = [(label, _box(label)) for label in laid.labels]
    for label, box in boxes:
        side, foot = 0.0, 0.8
        if figure.lanes is not None:  # names stand at the left, the key on the row of the numbers
            side, foot = left, 2.0 if box[2] <= 0 else 0.8
        if box[0] < -side - 0.5 or box[2] > plot[0] + laid.gutter + 0.5:
            yield f"“{label.text}” leaves the picture sideways"
        if box[1] < -laid.head - 0.6 * size - 1 or box[3] > plot[1] + foot * size:
            yield f"“{label.text}” leaves the picture"
        if box[3] > 0 and box[2] > 0 and box[0] < plot[0] and box[1] < plot[1]:
            yield f"“{label.text}” lies in the plot"
        own = of_hero if label.type == HERO else measure
        wide = max(own(line)[0] for line in label.lines)
        if wide > label.width + 0.5:
            yield f"“{label.text}” is cut"
    # Letters leave a tenth of a line free, which close lines may share.
    lead = max(1.0, 0.13 * size)
    for (one, a), (two, b) in combinations(boxes, 2):
        if a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - lead and b[1] < a[3] - lead:
            yield f"“{one.text}” meets “{two.text}”"
    segments = [*_drawn(figure.without(laid.merged), *plot), *_leaders(laid)]
    for key, lines in segments:
        for label, box in boxes:
            if key != label.key and len(lines) and _struck(lines, box):
                yield f"“{label.text}” is struck by {key}"


def _titled(laid: Layout, titles: Titles) -> Iterator[str]:
    """What is wrong with the titles of the axes, of which none is turned."""
    for title in (titles.x, titles.y):
        if title is not None and "…" in title.text:
            yield f"the title {title.text} is cut"
    if titles.y is None:
        return
    a = _box(titles.y)
    if a[1] < -laid.head - 0.5 or a[3] > -0.4 * titles.y.height:
        yield f"the title {titles.y.text} does not stand above the numbers"
    for label in laid.labels:
        stems = [(x, y, x, y) for x, y in label.leader]
        for b in (_box(label), *stems):
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] - 1 and b[1] < a[3] - 1:
                yield f"the title {titles.y.text} meets “{label.text}”"


def _worded(figure: Figure, plot: tuple[float, float], measure: Measure) -> Iterator[str]:
    """What is wrong with words that stand in a chart; letters stand at points, and so
    where these do."""
    seen, boxes = squared(figure, *plot), list[tuple[str, Box]]()
    for layer in seen.layers:
        if isinstance(layer, Words):
            ends = to_unit(seen.x, layer.x) * plot[0], (1 - to_unit(seen.y, layer.y)) * plot[1]
            at, axes = np.stack(ends, axis=1), (seen.x, seen.y)
            line = measure("Ag")[1]
            large = size_of(layer, plot, line / (12 * 1.22)) / 12

            def loud(text: str, large: float = large) -> tuple[float, float]:
                wide, high = measure(text)
                return wide * large, high * large

            for one in written(layer, at, axes, plot, loud, shown):
                right = one.left + one.width if one.mark is None else one.mark[0] + one.mark[2] / 2
                high = line * large
                box = one.left, one.top + 0.1 * high, right, one.top + 0.9 * high
                if len(one.text) == 1:
                    continue
                if min(box[0], box[1]) < -1 or box[2] > plot[0] + 1 or box[3] > plot[1] + 1:
                    yield f"“{one.text}” leaves the plot"
                boxes.append((one.text, box))
    for (one, a), (two, b) in combinations(boxes, 2):
        if a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5:
            yield f"“{one}” stands over “{two}”"


def run_geometry(seed: int, states: int = 12) -> int:
    """Every lab at its defaults and at random states, at all sizes and type scales; how many faults
    were found, each of which is printed."""
    data, rng, bad = open_table("adult"), random.Random(seed), 0
    for kind in every_lab():
        labs = [kind(), *(random_state(kind, rng.randrange(10**9), data) for _ in range(states))]
        for lab in labs:
            for figure in little(lab, data).figures:
                for width, height in itertools.product(
                    (300, 376, 560, 784, 1400), (150, 230, 420, 900)
                ):
                    # Type grows with the window: no chart is as low as this.
                    for scale in (s for s in (1.0, 1.15, 1.5) if height / s >= 150):
                        for fault in faults(figure, width, height, scale):
                            bad += 1
                            where = f"{kind.key} {figure.key} {width}x{height} x{scale}"
                            print(f"{where}: {fault} ({lab})", flush=True)
    print(f"geometry: {bad} faults")
    return bad


def _dropped(figure: Figure, laid: Layout) -> Iterator[str]:
    """Named curves in sight that no label tells of; those that are hushed are told of as others."""
    told, quiet = " ".join(label.text for label in laid.labels), dict(figure.hushed)
    for layer in figure.layers:
        # A name may be folded after a blank or a mark.
        name = (
            re.sub("(?<=[、，；])|(?=（)", " ", shown(layer.label))
            if layer.key not in quiet
            else ""
        )
        words = name.split()
        if words and isinstance(layer, Line) and _sight(figure, layer) and words[0] not in told:
            yield f"“{' '.join(words)}” is not named"


def unequal(figure: Figure, laid: Layout) -> Iterator[str]:
    """Names joined by "=" of curves that differ where both are worked out, or are told so; numbers
    of curves in one row that it does not hold."""
    drawn = [layer for layer in figure.layers if isinstance(layer, Line)]
    lines = {line.key: line for line in drawn if shown(line.label).strip()}
    words = {key: shown(line.label).strip() for key, line in lines.items()}
    for label in laid.labels:
        pairs = permutations(lines, 2) if label.key in lines else ()
        for a, b in (pair for pair in pairs if not laid.merged.isdisjoint(pair)):
            one, two = lines[a], lines[b]
            if words[a] != words[b] and f"{words[a]} = {words[b]}" in label.text:
                told = shown(one.told), shown(two.told)
                if told[0] != told[1] or _differ(one, two):
                    yield f"“{label.text}” joins what is not equal"
            for line in (one, two):
                # As a name of its own, not as a part of another line's.
                whole = rf"(^|= |≈ |, ){re.escape(words[line.key])}($| =| ≈|, |: )"
                own = line.key in laid.merged and re.search(whole, label.text)
                if own and shown(line.told) not in label.text:
                    yield f"“{label.text}” lacks {shown(line.told)}"


def _differ(one: Line, two: Line) -> bool:
    """Whether two curves have fewer than two places in common, across or up, or differ there."""
    for swapped in (False, True):
        places = [_places(line, swapped) for line in (one, two)]
        both = places[0].keys() & places[1].keys()
        if len(both) > 1:
            pairs = ((places[0][at], places[1][at]) for at in both)
            # A step has two heights at one place.
            return any(
                abs(a - min(b, key=lambda y: abs(a - y))) > 1e-8 * abs(a)
                for ys, b in pairs
                for a in ys
            )
    return True


def _places(line: Line, swapped: bool) -> dict[float, list[float]]:
    out: dict[float, list[float]] = {}
    for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True):
        if np.isfinite(x - y):
            out.setdefault(y if swapped else x, []).append(x if swapped else y)
    return out


def _sight(figure: Figure, line: Line) -> bool:
    x, y = to_unit(figure.x, line.x), to_unit(figure.y, line.y)
    with np.errstate(invalid="ignore"):
        return int(((x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)).sum()) > 1


def _box(label: Placed) -> Box:
    left = label.x - (label.height / len(label.lines) if label.swatch else 0.0)
    return left, label.y, label.x + label.width, label.y + label.height


def _drawn(figure: Figure, width: float, height: float) -> Iterator[tuple[str, Array]]:
    """Rows (x, y, x, y) in px of what is drawn, cut to the plot."""
    for layer in figure.layers:
        if isinstance(layer, Line):
            x, y = to_unit(figure.x, layer.x) * width, (1 - to_unit(figure.y, layer.y)) * height
            cut, seen = clip(x, y, width, height)
            yield layer.key, cut[seen]
        elif isinstance(layer, Rule):
            axis = figure.x if layer.axis == "x" else figure.y
            at = float(to_unit(axis, layer.at))
            if 0 <= at <= 1:
                x, y = at * width, (1 - at) * height
                row = (x, 0, x, height) if layer.axis == "x" else (0, y, width, y)
                yield layer.key, np.array([row], dtype=np.float64)
        elif isinstance(layer, Dots | Handle):
            x = np.ravel(to_unit(figure.x, layer.x)) * width
            y = (1 - np.ravel(to_unit(figure.y, layer.y))) * height
            with np.errstate(invalid="ignore"):
                seen = (x >= 0) & (x <= width) & (y >= 0) & (y <= height)
            x, y = x[seen], y[seen]
            yield layer.key, np.stack((x - 3, y, x + 3, y), axis=1)


def _leaders(laid: Layout) -> Iterator[tuple[str, Array]]:
    for label in laid.labels:
        for points in (label.leader, label.dotted):
            if points:
                rows = [(*one, *two) for one, two in pairwise(points)]
                yield label.key, np.array(rows, dtype=np.float64)


def _struck(lines: Array, box: Box) -> bool:
    """Whether a segment goes through a box, a px inside its edges."""
    left, top, right, bottom = box
    moved = lines - np.array([left + 1, top + 1, left + 1, top + 1])
    x = np.stack((moved[:, 0], moved[:, 2]), axis=1)
    y = np.stack((moved[:, 1], moved[:, 3]), axis=1)
    if right - left < 3 or bottom - top < 3:
        return False
    return any(
        clip(one, two, right - left - 2, bottom - top - 2)[1].any()
        for one, two in zip(x, y, strict=True)
        if max(one) >= 0 and min(one) <= right - left and max(two) >= 0 and min(two) <= bottom - top
    )
