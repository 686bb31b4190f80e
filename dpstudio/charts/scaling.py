"""Between data and pixels: axes to 0 … 1, tick marks, and curves thinned and cut to what is
seen."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array, Axis, Figure, Heat
from dpstudio.values.dates import as_year
from dpstudio.values.messages import number

Measure = Callable[[str], tuple[float, float]]
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MARKS = 6  # numbers on an axis, however long it is
_WHOLE = 32  # letters of a name under or beside an axis; longer ones are cut
_HAIR = 1e-9  # of an axis: a point so near its end is on it


def to_unit(axis: Axis, values: ArrayLike) -> Array:
    """Data on the axis as 0 (low end) … 1 (high end). On a log axis what is not positive is NaN; an
    empty range gives NaN."""
    out = np.asarray(values, dtype=np.float64)
    low, high = axis.range
    with np.errstate(all="ignore"):
        if axis.log:
            out = np.log10(
                np.where(np.isnan(out) | (out > 0), out, axis.floor if axis.floored else np.nan)
            )
            low, high = (math.log10(end) if end > 0 else math.nan for end in (low, high))
        return (out - low) / (high - low) if high != low else np.full_like(out, np.nan)


def share(axis: Axis, value: float) -> float:
    """`to_unit` of one number, without the cost of an array."""
    low, high = axis.range
    if axis.log:
        if not (low > 0 and high > 0):
            return math.nan
        value = axis.floor if axis.floored and value <= 0 else value
        if not value > 0:
            return math.nan
        low, high, value = math.log10(low), math.log10(high), math.log10(value)
    return (value - low) / (high - low) if high != low else math.nan


# Where a point lies beyond a chart: across and upwards.
WAYS = {"left": (-1, 0), "right": (1, 0), "down": (0, -1), "up": (0, 1)}


def beyond(figure: Figure, x: ArrayLike, y: ArrayLike) -> list[tuple[float, float, str]]:
    """Of points those that lie beyond the axes: where an arrow stands for each, in 0 … 1 of both
    axes, and which of WAYS it points. What has no place on an axis at all has no arrow."""
    places = zip(*(np.ravel(to_unit(*of)) for of in ((figure.x, x), (figure.y, y))), strict=True)
    out = []
    for across, up in ((float(a), float(b)) for a, b in places):
        if math.isnan(across) or math.isnan(up):
            continue
        far = {"left": -across, "right": across - 1, "down": -up, "up": up - 1}
        way = max(far, key=lambda name: far[name])
        if far[way] > _HAIR:
            out.append((min(max(across, 0.0), 1.0), min(max(up, 0.0), 1.0), way))
    return out


def squared(figure: Figure, width: float, height: float) -> Figure:
    """A `square` figure for a plot area of width x height px: the axis that has room to spare
    reaches as far on both sides."""
    if not figure.square or not (width > 0 and height > 0):
        return figure
    across, up = (axis.range[1] - axis.range[0] for axis in (figure.x, figure.y))
    unit = max(across / width, up / height)
    if not (math.isfinite(unit) and unit > 0):
        return figure

    def reaching(axis: Axis, length: float) -> Axis:
        middle, half = (axis.range[0] + axis.range[1]) / 2, unit * length / 2
        return (
            axis
            if abs(2 * half - (axis.range[1] - axis.range[0])) < 1e-9 * half
            else replace(axis, range=(middle - half, middle + half))
        )

    return replace(figure, x=reaching(figure.x, width), y=reaching(figure.y, height))


def shades(layer: Heat, ground: ArrayLike, ink: ArrayLike, below: ArrayLike) -> NDArray[np.uint8]:
    """The colours of a heat map's cells, shape (rows, columns, 3), from three RGB colours of 0 …
    255; a NaN has that of the ground."""
    values = np.nan_to_num(
        np.asarray(layer.values, dtype=np.float64),
        nan=0.0 if layer.low < 0 < layer.high else layer.low,
    )
    zero = 0.0 if layer.low < 0 < layer.high else layer.low
    with np.errstate(divide="ignore", invalid="ignore"):
        above = (
            np.clip((values - zero) / (layer.high - zero), 0, 1)
            if layer.high > zero
            else np.zeros_like(values)
        )
        under = (
            np.clip((zero - values) / (zero - layer.low), 0, 1)
            if layer.low < zero
            else np.zeros_like(values)
        )
    base, full, other = (np.asarray(colour, dtype=np.float64) for colour in (ground, ink, below))
    mixed = base + above[..., None] * (full - base) + under[..., None] * (other - base)
    return np.rint(mixed).astype(np.uint8)


def cell_word(value: float) -> str:
    """What is written in a cell of a heat map."""
    return number(value, 3)


def cell_words(layer: Heat, colours: NDArray[np.uint8]) -> list[tuple[int, int, str, bool]]:
    """(row, column, number, whether its ground is dark) for each cell of a heat map; a number is
    written where it has room."""
    light = colours @ np.array([0.299, 0.587, 0.114])
    values = np.asarray(layer.values)
    return [
        (
            int(row),
            int(column),
            cell_word(float(values[row, column])),
            bool(light[row, column] < 140),
        )
        for row, column in np.argwhere(np.isfinite(values))
    ]


def ticks(
    axis: Axis,
    length_px: float,
    spacing_px: float = 70,
    *,
    measure: Measure | None = None,
    vertical: bool = False,
) -> list[tuple[float, str]]:
    """Tick positions in data units and their labels, about one in `spacing_px` pixels, and no more
    than MARKS or two more.

    With `measure` (text -> width, height in px) labels that would touch are thinned, by height
    where `vertical`. An empty or unusable range has no ticks.
    """
    low, high = axis.range
    if not (math.isfinite(low) and math.isfinite(high) and low < high) or length_px <= 0:
        return []
    if axis.ticks:
        slack = 1e-9 * (high - low)
        seen = ((at, text) for at, text in axis.ticks if low - slack <= at <= high + slack)
        found = [(at, elided(text, _WHOLE)) for at, text in seen]
    elif axis.log:
        found = _log_ticks(low, high, length_px, spacing_px)
    else:
        spacing_px = max(spacing_px, length_px / MARKS)
        found = _linear_ticks(low, high, length_px, spacing_px, float(axis.whole))
        name = axis.label if isinstance(axis.label, str) else axis.label.values.get("")
        if isinstance(name, str):  # of a column, as it is in the table
            found = [(at, as_year(name, at, text)) for at, text in found]
    return _apart(axis, found, length_px, measure, vertical) if measure else found


def elided(text: str, limit: int) -> str:
    """The text, cut to `limit` characters of which the last is then an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _linear_ticks(
    low: float, high: float, length: float, spacing: float, finest: float = 0.0
) -> list[tuple[float, str]]:
    # 0.8: a step of the 1-2-5 ladder may come a little closer than asked, rather than be twice too
    # wide.
    least = max(finest, 0.8 * spacing * (high / length - low / length))
    power = 10.0 ** math.floor(math.log10(least)) if least > 1e-300 else 0.0
    step = next((m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9)), 0.0)
    if step <= max(abs(low), abs(high)) * 1e-12 or not math.isfinite(step):
        return []
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    at = [float(f"{k * step:.15g}") if abs(k) < 1e9 else k * step for k in range(first, last + 1)]
    return [(value, _linear_label(value, step, max(abs(low), abs(high)))) for value in at]


def _linear_label(value: float, step: float, most: float) -> str:
    if value == 0:
        return "0"
    sign, size = "−" if value < 0 else "", abs(value)
    fine = math.floor(math.log10(step) + 1e-9)
    top = math.floor(math.log10(most) + 1e-9)
    if (top >= 7 or top <= -4) and top - fine <= 5:
        power = math.floor(math.log10(size) + 1e-9)
        return sign + _scientific(size / 10.0**power, power, max(0, power - fine))
    text = f"{size:,.{max(0, -fine)}f}"
    return sign + (text.rstrip("0").rstrip(".") if "." in text else text)


def _scientific(head: float, power: int, places: int) -> str:
    text = f"{head:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    exponent = "10" + str(power).translate(_SUPERSCRIPT)
    return exponent if text == "1" else f"{text}·{exponent}"


def _log_ticks(low: float, high: float, length: float, spacing: float) -> list[tuple[float, str]]:
    first, last = math.log10(low), math.log10(high)
    # Logarithms of floats tell no narrower range apart.
    if last - first < 1e-8:
        return []
    decade_px, slack = length / (last - first), 1e-9 * (last - first)
    heads = (1, 2, 5) if last - first < 2 and decade_px > 60 else (1,)
    many = math.floor(last + slack) - math.ceil(first - slack) + 1
    stride = max(1, math.ceil(0.6 * spacing / decade_px), math.ceil(many / (MARKS + 2)))
    found = []
    for power in range(math.floor(first), math.ceil(last) + 1):
        for head in heads:
            value = float(f"{head}e{power}")
            if (
                power % stride == 0
                and value > 0
                and first - slack <= math.log10(value) <= last + slack
            ):
                found.append((value, _log_label(head, power)))
    # A part of a decade may hold too few of these: its ticks are then those of a linear axis.
    return (
        found
        if len(found) >= 2 or last - first > 1
        else _linear_ticks(low, high, length, spacing) or found
    )


def _log_label(head: int, power: int) -> str:
    if power >= 4 or power <= -4:
        return _scientific(head, power, 0)
    return f"{head * 10**power:,}" if power >= 0 else f"{head * 10.0**power:.{-power}f}"


def _apart(
    axis: Axis, found: list[tuple[float, str]], length: float, measure: Measure, vertical: bool
) -> list[tuple[float, str]]:
    """The densest choice of every nth tick in which no two labels touch; words, unless they are a
    scale, in their order of importance."""
    if len(found) < 2:
        return found
    if axis.ticks and not _even(found):
        return _important(axis, found, length, measure, vertical)
    centre = to_unit(axis, [at for at, _ in found]) * length
    size = np.array([measure(text)[1 if vertical else 0] for _, text in found])
    for stride in range(1, len(found) + 1):
        at, half = centre[::stride], size[::stride] / 2
        between = 1 if vertical else 16 if axis.ticks else 8  # those at the ends may be moved in
        if np.all(np.abs(np.diff(at)) >= half[1:] + half[:-1] + between):
            return found[::stride]
    return found[:1]


def _even(found: list[tuple[float, str]]) -> bool:
    """Whether words are the numbers of a scale: in order, at equal steps, without a letter."""
    steps = np.diff([at for at, _ in found])
    even = bool(steps[0] > 0 and np.allclose(steps, steps[0], rtol=1e-6, atol=0))
    return even and not any(
        letter.isalpha() or letter == "–" for _, text in found for letter in text
    )


def _important(
    axis: Axis, found: list[tuple[float, str]], length: float, measure: Measure, vertical: bool
) -> list[tuple[float, str]]:
    """Words one after the other, each where it touches none of those before it. Of a line's height
    its letters take four fifths."""
    kept: list[tuple[float, str]] = []
    spans: list[tuple[float, float]] = []
    for (at, text), centre in zip(
        found, to_unit(axis, [at for at, _ in found]) * length, strict=True
    ):
        half = 0.4 * measure(text)[1] + 0.5 if vertical else measure(text)[0] / 2 + 4
        if all(centre + half <= low or centre - half >= high for low, high in spans):
            kept.append((at, text))
            spans.append((centre - half, centre + half))
    return kept


def thin(x: ArrayLike, y: ArrayLike, limit: int = 500) -> tuple[Array, Array]:
    """The curve in about `limit` points: its ends, the lowest and highest of each stretch, and NaN
    gaps with their shores.

    Gaps come on top of `limit`, three points each. Points are kept, never invented; x and y need
    the same length.
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    n, stretches = len(x), max(1, limit // 2 - 1)
    if n <= limit:
        return x, y
    size = -(-n // stretches)
    padded = np.full(size * stretches, np.nan)
    padded[:n] = y
    rows = padded.reshape(stretches, size)
    offset = np.arange(stretches) * size
    hole = np.isnan(rows)
    lowest = offset + np.where(hole, np.inf, rows).argmin(axis=1)
    highest = offset + np.where(hole, -np.inf, rows).argmax(axis=1)
    bad = ~(np.isfinite(x) & np.isfinite(y))
    edge = np.flatnonzero(bad[1:] != bad[:-1]) if bad.any() else np.array([], dtype=np.int64)
    keep = np.zeros(len(padded), dtype=bool)
    keep[np.concatenate((lowest, highest, edge, edge + 1))] = True
    keep[[0, n - 1]] = True
    return x[keep[:n]], y[keep[:n]]


def corners(x: Array, y: Array, near: float) -> NDArray[np.intp]:
    """The places of those points that a curve needs: not of one that lies between its two
    neighbours, no further than `near` from the straight line through them. Of neighbours one stays;
    that is asked four times, each time of those that are left, so that the curve runs at most
    4 · `near` beside itself. Gaps and their shores stay."""
    kept = np.arange(len(x))
    for _ in range(4):
        dx, dy = x[2::2] - x[:-2:2], y[2::2] - y[:-2:2]
        mx, my = x[1:-1:2] - x[:-2:2], y[1:-1:2] - y[:-2:2]
        length, along, across = dx * dx + dy * dy, dx * mx + dy * my, dx * my - dy * mx
        straight = (across * across <= near * near * length) & (along >= 0) & (along <= length)
        # There and back to the same place is no straight line.
        straight &= (length > 0) | (mx * mx + my * my <= near * near)
        if not straight.any():
            break
        needed = np.ones(len(x), dtype=bool)
        needed[1:-1:2] = ~straight
        x, y, kept = x[needed], y[needed], kept[needed]
    return kept


def clip(x: Array, y: Array, width: float, height: float) -> tuple[Array, NDArray[np.bool_]]:
    """The n−1 segments of a polyline in px cut to the rectangle (0, 0, width, height): rows (x0,
    y0, x1, y1), and which are visible."""
    with np.errstate(all="ignore"):
        dx, dy = np.diff(x), np.diff(y)
        enter, leave = np.zeros(len(dx)), np.ones(len(dx))
        for start, change, size in ((x[:-1], dx, width), (y[:-1], dy, height)):
            # A hair of slack keeps what runs along the border; a hair of change keeps the quotient
            # finite.
            slope = np.where(change == 0, 1e-12, change)
            one, two = (-1e-6 - start) / slope, (size + 1e-6 - start) / slope
            enter, leave = (
                np.maximum(enter, np.minimum(one, two)),
                np.minimum(leave, np.maximum(one, two)),
            )
        seen = (enter <= leave) & np.isfinite(dx + dy)
        cut = np.stack(
            (x[:-1] + enter * dx, y[:-1] + enter * dy, x[:-1] + leave * dx, y[:-1] + leave * dy),
            axis=1,
        )
    return cut, seen
