"""A figure as a small picture without a word: its strokes alone, over the base of its plot."""

from collections.abc import Mapping

from dpstudio.charts.figure import Figure, Words
from dpstudio.charts.scaling import squared
from dpstudio.files.write.marks import Plot, marks, paint, px

EDGE = 12  # px around the plot


def bare_svg(
    figure: Figure,
    palette: Mapping[str, str],
    size: tuple[int, int],
    *,
    ground: str,
    hidden: frozenset[str] = frozenset(),
    line: float = 1.0,
) -> str:
    """The layers of a figure, but for those that are `hidden` or words, as SVG of `size` px on a
    `ground` (#rrggbb), with strokes `line` times as wide as usual."""
    wide, high = size
    told = frozenset(layer.key for layer in figure.layers if isinstance(layer, Words))
    plot = Plot(EDGE, EDGE, wide - 2 * EDGE, high - 2 * EDGE)
    seen = squared(figure.without(hidden | told), plot.width, plot.height)
    inks = {**palette, "surface": ground}
    left, base, right = px(plot.left), px(plot.top + plot.height), px(plot.left + plot.width)
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}">',
        f'<rect x="0" y="0" width="{wide}" height="{high}" rx="4" fill="{ground}"/>',
        *(mark for mark in marks(seen, plot, inks, line) if "<text" not in mark),
        f'<line x1="{left}" y1="{base}" x2="{right}" y2="{base}" '
        f'stroke="{paint(inks, "axis")}" stroke-width="1"/>',
        "</svg>",
    )
    return "\n".join(lines)
