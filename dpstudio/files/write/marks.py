"""The layers of a figure as SVG elements, cut to the plot area by geometry because QSvgRenderer
ignores clip paths."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import (
    Area,
    Array,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Heat,
    Layer,
    Line,
    Ribbon,
    Rule,
    Words,
)
from dpstudio.charts.inks import Stroke, bar_opacity, dashes, dot_size, marker, stroke
from dpstudio.charts.scaling import WAYS, beyond, cell_words, clip, shades, thin, to_unit
from dpstudio.charts.stacked import FILLED, stacked
from dpstudio.charts.written import headed

_EDGE, _WHISKER = Stroke(dashes("dot"), 1), Stroke((), 1.2)


def px(value: float) -> str:
    """A coordinate in px, to a hundredth."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def paint(palette: Mapping[str, str], ink: str) -> str:
    """The hex of an ink, safe inside an attribute."""
    return "".join(c for c in palette.get(ink, palette["text"]) if c.isalnum() or c == "#")


@dataclass(frozen=True)
class Plot:
    """The plot area in px of the picture."""

    left: float
    top: float
    width: float
    height: float

    def x(self, figure: Figure, values: ArrayLike) -> Array:
        """Data -> px from the left of the plot area."""
        return to_unit(figure.x, values) * self.width

    def y(self, figure: Figure, values: ArrayLike) -> Array:
        """Data -> px from the top of the plot area, y down."""
        return (1 - to_unit(figure.y, values)) * self.height

    def points(self, x: ArrayLike, y: ArrayLike) -> str:
        """Points in px of the plot area as "x,y x,y …" in px of the picture."""
        pairs = zip(np.asarray(x).tolist(), np.asarray(y).tolist(), strict=True)
        return " ".join(f"{px(self.left + a)},{px(self.top + b)}" for a, b in pairs)


def stroked(palette: Mapping[str, str], ink: str, drawn: Stroke, scale: float) -> str:
    """The attributes of a stroke, `scale` times as wide as usual."""
    width = drawn.width * scale
    pattern = ",".join(px(part * width) for part in drawn.dashes)
    more = f' stroke-dasharray="{pattern}"' if pattern else ""
    more += f' stroke-opacity="{px(drawn.opacity)}"' if drawn.opacity < 1 else ""
    return (
        f'fill="none" stroke="{paint(palette, ink)}" '
        f'stroke-width="{px(width)}" stroke-linejoin="round"{more}'
    )


def marks(figure: Figure, plot: Plot, palette: Mapping[str, str], scale: float = 1.0) -> list[str]:
    """The elements of all layers, the first lowest. Strokes and small dots are `scale` times their
    usual size."""
    pen = _Pen(figure, plot, palette, scale)
    out: list[str] = []
    for layer in figure.layers:
        out += pen.layer(layer)
    return out


def _polylines(x: Array, y: Array, width: float, height: float) -> list[Array]:
    """The visible runs (n, 2) of a curve in px; it breaks where a value is NaN or where it leaves
    the area."""
    cut, seen = clip(x, y, width, height)
    runs: list[list[tuple[float, float]]] = []
    end: tuple[float, float] | None = None
    for (ax, ay, bx, by), visible in zip(cut.tolist(), seen.tolist(), strict=True):
        if not visible:
            end = None
            continue
        if end is None or abs(end[0] - ax) + abs(end[1] - ay) > 1e-6:
            runs.append([(ax, ay)])
        runs[-1].append((bx, by))
        end = (bx, by)
    return [np.array(run) for run in runs]


@dataclass(frozen=True)
class _Pen:
    figure: Figure
    plot: Plot
    palette: Mapping[str, str]
    scale: float

    def layer(self, layer: Layer) -> list[str]:
        if isinstance(layer, Line):
            x, y = thin(layer.x, layer.y, 2000)
            x, y = self.plot.x(self.figure, x), self.plot.y(self.figure, y)
            x, y, head = headed(x, y, self.scale) if layer.arrow else (x, y, [])
            out = self.curve(x, y, layer.ink, stroke(layer))
            if head:
                tip = self.plot.points(*zip(*head, strict=True))
                out.append(f'<polygon points="{tip}" fill="{paint(self.palette, layer.ink)}"/>')
            return out
        marks: dict[type[Layer], Callable[[Any], list[str]]] = {
            Band: self.band,
            Area: self.area,
            Ribbon: self.ribbon,
            Columns: self.columns,
            Dots: self.dots,
            Rule: self.rule,
            Heat: self.heat,
            Handle: self.handle,
            Words: lambda layer: [],  # they stand over all of it: `plot_words`
        }
        return marks[type(layer)](layer)

    def curve(self, x: Array, y: Array, ink: str, drawn: Stroke) -> list[str]:
        """A stroke through px of the plot area."""
        style = stroked(self.palette, ink, drawn, self.scale)
        runs = _polylines(x, y, self.plot.width, self.plot.height)
        return [f'<polyline points="{self.plot.points(*run.T)}" {style}/>' for run in runs]

    def band(self, layer: Band) -> list[str]:
        edges = self.plot.x(self.figure, [layer.low, layer.high])
        low, high = np.clip(edges, 0, self.plot.width)
        if not high > low:
            return []
        # The ink "band" is made to lie under everything; any other would hide what it marks.
        opacity = "" if layer.ink == "band" else ' fill-opacity="0.12"'
        out = [self.rect(low, high, 0, self.plot.height, layer.ink, opacity)]
        for x in edges[np.isfinite(edges)]:
            out += self.curve(np.array([x, x]), np.array([0, self.plot.height]), "muted", _EDGE)
        return out

    def rect(
        self, left: float, right: float, top: float, bottom: float, ink: str, more: str = ""
    ) -> str:
        """A filled rectangle; the sides in px of the plot area."""
        fill = f' fill="{paint(self.palette, ink)}"'
        return f"<rect {self._box(left, right, top, bottom)}{fill}{more}/>"

    def _box(self, left: float, right: float, top: float, bottom: float) -> str:
        place = f'x="{px(self.plot.left + left)}" y="{px(self.plot.top + top)}"'
        return f'{place} width="{px(right - left)}" height="{px(bottom - top)}"'

    def _floor(self) -> float:
        """The y in px of zero, from which bars rise; the bottom where zero is out of sight, as it
        is on a log axis."""
        if self.figure.y.log:
            return self.plot.height
        zero = float(self.plot.y(self.figure, [0.0])[0])
        return min(max(zero, 0.0), self.plot.height) if np.isfinite(zero) else self.plot.height

    def _tops(self, heights: Array, floor: float) -> Array:
        """The ends of bars in px; what is nothing has no height, on a log axis either."""
        tops = self.plot.y(self.figure, heights)
        return np.where(np.asarray(heights) > 0, tops, floor) if self.figure.y.log else tops

    def area(self, layer: Area) -> list[str]:
        x = np.repeat(self.plot.x(self.figure, layer.edges), 2)[1:-1]
        floor = self._floor()
        y = np.repeat(self._tops(layer.heights, floor), 2)
        # On a log axis an empty interval has no height, and an edge at 0 lies at the left end.
        x, y = np.where(np.isnan(x), 0, x), np.where(np.isnan(y), floor, y)
        if not len(x):
            return []
        # Cutting a staircase to a rectangle moves no corner but onto the border.
        inside_x, inside_y = np.clip(x, 0, self.plot.width), np.clip(y, 0, self.plot.height)
        if inside_x[-1] <= inside_x[0]:
            return []
        outline = (
            np.concatenate(([inside_x[0]], inside_x, [inside_x[-1]])),
            np.concatenate(([floor], inside_y, [floor])),
        )
        ink = f'fill="{paint(self.palette, layer.ink)}" fill-opacity="{px(layer.opacity)}"'
        fill = f'<polygon points="{self.plot.points(*outline)}" {ink}/>'
        return [fill, *self.curve(x, y, layer.ink, Stroke((), 1, 0.45))]

    def ribbon(self, layer: Ribbon) -> list[str]:
        x = self.plot.x(self.figure, np.concatenate([layer.x, layer.x[::-1]]))
        y = self.plot.y(self.figure, np.concatenate([layer.high, layer.low[::-1]]))
        if not len(x):
            return []
        y = np.where(np.isnan(y), self.plot.height, y)
        inside = np.clip(x, 0, self.plot.width), np.clip(y, 0, self.plot.height)
        ink = f'fill="{paint(self.palette, layer.ink)}" fill-opacity="{px(layer.opacity)}"'
        return [f'<polygon points="{self.plot.points(*inside)}" {ink}/>']

    def columns(self, layer: Columns) -> list[str]:
        left = np.clip(self.plot.x(self.figure, layer.x - layer.width / 2), 0, self.plot.width)
        right = np.clip(self.plot.x(self.figure, layer.x + layer.width / 2), 0, self.plot.width)
        floor = self._floor()
        top = np.clip(self._tops(layer.heights, floor), 0, self.plot.height)
        out, opacity = [], bar_opacity(layer.ink)
        pale = f' fill-opacity="{px(opacity)}"' if opacity < 1 else ""
        for a, b, y in zip(left.tolist(), right.tolist(), top.tolist(), strict=True):
            if b > a and abs(y - floor) > 1e-9:
                out.append(self.rect(a, b, min(y, floor), max(y, floor), layer.ink, pale))
        return out + self.whiskers(layer)

    def whiskers(self, layer: Columns) -> list[str]:
        """A line from `low` to `high` over each column, with caps at the ends that are in sight."""
        if layer.low is None or layer.high is None:
            return []
        x, out = self.plot.x(self.figure, layer.x), []
        cap = min(
            4 * self.scale,
            float(
                np.nanmin(
                    np.abs(self.plot.x(self.figure, layer.x + layer.width / 2) - x), initial=99
                )
            ),
        )
        for at, *ends in zip(
            x, *(self.plot.y(self.figure, part) for part in (layer.low, layer.high)), strict=True
        ):
            # Below the range of a log axis there is no end to draw: the whisker then runs to the
            # bottom.
            low, high = (self.plot.height + 1 if np.isnan(end) else end for end in ends)
            out += self.curve(np.array([at, at]), np.array([low, high]), "text", _WHISKER)
            for end in (low, high):
                out += self.curve(
                    np.array([at - cap, at + cap]), np.array([end, end]), "text", _WHISKER
                )
        return out

    def dots(self, layer: Dots) -> list[str]:
        across, up = partial(self.plot.x, self.figure), partial(self.plot.y, self.figure)
        if layer.stack:
            at, side = stacked(layer, across, up)
            (x, y), r = at.T, FILLED * side / 2
        else:
            x, y = across(layer.x), up(layer.y)
            r = dot_size(layer, self.figure, self.plot.width, self.plot.height, self.scale) / 2
        with np.errstate(invalid="ignore"):
            seen = (x >= 0) & (x <= self.plot.width) & (y >= 0) & (y <= self.plot.height)
        fill, out = f'fill="{paint(self.palette, layer.ink)}"', []
        if not layer.diameter:
            out = self.arrows(layer, r)
        angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        corners = 2 * r * np.array(marker(layer)).reshape(-1, 2).T
        for a, b in zip(x[seen].tolist(), y[seen].tolist(), strict=True):
            if layer.diameter > 0 and not (
                r <= a <= self.plot.width - r and r <= b <= self.plot.height - r
            ):
                rim = (
                    np.clip(a + r * np.cos(angle), 0, self.plot.width),
                    np.clip(b + r * np.sin(angle), 0, self.plot.height),
                )
                out.append(f'<polygon points="{self.plot.points(*rim)}" {fill}/>')
            elif corners.size:
                points = self.plot.points(a + corners[0], b - corners[1])
                out.append(f'<polygon points="{points}" {fill}/>')
            else:
                centre = f'cx="{px(self.plot.left + a)}" cy="{px(self.plot.top + b)}"'
                out.append(f'<circle {centre} r="{px(r)}" {fill}/>')
        return out

    def arrows(self, layer: Dots | Handle, r: float) -> list[str]:
        """What lies beyond the chart: an arrow at its edge that points there, hollow, so that none
        is taken for a dot."""
        ink, ground = paint(self.palette, layer.ink), paint(self.palette, "surface")
        style = f'fill="{ground}" stroke="{ink}" stroke-width="{px(1.5 * self.scale)}"'
        out = []
        for x, y, way in beyond(self.figure, layer.x, layer.y):
            across, up = WAYS[way]
            tip = np.array([x * self.plot.width, (1 - y) * self.plot.height])
            back, side = np.array([-across, up]) * 2 * r, np.array([up, across]) * r
            corners = np.array([tip, tip + back + side, tip + back - side]).T
            out.append(f'<polygon points="{self.plot.points(*corners)}" {style}/>')
        return out

    def heat(self, layer: Heat) -> list[str]:
        """A rectangle for each run of cells of one colour. Each reaches a hair under the next, or
        seams would show between them."""
        inks = ("surface", layer.ink, layer.below)
        colours = shades(layer, *(_rgb(paint(self.palette, ink)) for ink in inks))
        x = np.clip(self.plot.x(self.figure, layer.x), 0, self.plot.width)
        y = np.clip(self.plot.y(self.figure, layer.y), 0, self.plot.height)
        out = []
        for row in range(len(y) - 2, -1, -1):
            top, bottom = sorted((float(y[row]), float(y[row + 1])))
            line = colours[row]
            starts = np.flatnonzero(np.r_[True, (line[1:] != line[:-1]).any(axis=1)])
            for first, after in zip(
                starts.tolist(), [*starts[1:].tolist(), len(line)], strict=True
            ):
                left, right = sorted((float(x[first]), float(x[after])))
                if right > left and bottom > top and np.isfinite(left + right + top + bottom):
                    right, low = (
                        min(right + 0.4, self.plot.width),
                        min(bottom + 0.4, self.plot.height),
                    )
                    colour = "#" + "".join(f"{part:02x}" for part in line[first])
                    box = self._box(left, right, top, low)
                    out.append(f'<rect {box} fill="{colour}"/>')
        return out + self.numbers(layer, colours, x, y)

    def numbers(self, layer: Heat, colours: NDArray[np.uint8], x: Array, y: Array) -> list[str]:
        """The value of each cell in its middle, where it has room."""
        size, out = 11 * self.scale, []
        dark_first = sum(_rgb(paint(self.palette, "text"))) < sum(
            _rgb(paint(self.palette, "surface"))
        )
        for row, column, words, dark in cell_words(layer, colours):
            wide, high = abs(float(x[column + 1] - x[column])), abs(float(y[row + 1] - y[row]))
            if wide < 0.62 * size * len(words) + 6 or high < 1.4 * size:
                continue
            ink = paint(self.palette, "surface" if dark == dark_first else "text")
            middle = (
                self.plot.left + float(x[column] + x[column + 1]) / 2,
                self.plot.top + float(y[row] + y[row + 1]) / 2 + 0.35 * size,
            )
            place = f'x="{px(middle[0])}" y="{px(middle[1])}" font-size="{px(size)}"'
            out.append(f'<text {place} text-anchor="middle" fill="{ink}">{words}</text>')
        return out

    def rule(self, layer: Rule) -> list[str]:
        if layer.axis == "x":
            x, y = (
                np.repeat(self.plot.x(self.figure, [layer.at]), 2),
                np.array([0, self.plot.height]),
            )
        else:
            x, y = (
                np.array([0, self.plot.width]),
                np.repeat(self.plot.y(self.figure, [layer.at]), 2),
            )
        return self.curve(x, y, layer.ink, stroke(layer))

    def handle(self, layer: Handle) -> list[str]:
        (x,), (y,) = self.plot.x(self.figure, [layer.x]), self.plot.y(self.figure, [layer.y])
        if not (0 <= x <= self.plot.width and 0 <= y <= self.plot.height):
            return self.arrows(layer, 6 * self.scale)
        centre = (
            f'cx="{px(self.plot.left + x)}" cy="{px(self.plot.top + y)}" r="{px(6 * self.scale)}"'
        )
        rim = f'stroke="{paint(self.palette, "surface")}" stroke-width="{px(1.5 * self.scale)}"'
        return [f'<circle {centre} fill="{paint(self.palette, layer.ink)}" {rim}/>']


def _rgb(colour: str) -> tuple[int, int, int]:
    """#rrggbb as three numbers of 0 … 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
