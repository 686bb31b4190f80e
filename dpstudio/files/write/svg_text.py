"""Text in SVG: what XML can hold, and the words that stand in a chart."""

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from dpstudio.charts.figure import Figure, Words
from dpstudio.charts.inks import shape
from dpstudio.charts.written import size_of, written
from dpstudio.files.write.marks import Plot, px
from dpstudio.files.write.palette import word_ink
from dpstudio.files.write.text_width import text_width
from dpstudio.values.messages import Message

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Text for XML content and attributes; what XML 1.0 cannot hold becomes U+FFFD."""
    text = _ILLEGAL.sub("\ufffd", text)
    for plain, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(plain, entity)
    return text


def words_said(
    figure: Figure,
    plot: Plot,
    palette: Mapping[str, str],
    scale: float,
    text: Callable[[Message | str], str],
) -> Iterator[str]:
    """The elements of all words of a figure."""
    axes = figure.x, figure.y
    for layer in figure.layers:
        if not isinstance(layer, Words):
            continue
        at = np.stack((plot.x(figure, layer.x), plot.y(figure, layer.y)), axis=1)
        strong, room = layer.strong, (plot.width, plot.height)
        size = size_of(layer, room, scale) * scale

        def measure(said: str, strong: bool = strong, size: float = size) -> tuple[float, float]:
            return text_width(said, size, strong) * 1.03 + 1, 1.25 * size

        fill = f'fill="{word_ink(palette, layer.ink)}"'
        weight = ' font-weight="600"' if strong else ""
        # Another font may be wider: each stays where its anchor is.
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[layer.anchor]
        style = f'font-size="{px(size)}"{weight} text-anchor="{layer.anchor}" {fill}'
        for line in written(layer, at, axes, room, measure, text):
            x, y = plot.left + line.left + share * line.width, plot.top + line.top + size
            yield f'<text x="{px(x)}" y="{px(y)}" {style}>{escaped(line.text)}</text>'
            if line.mark is not None:
                x, y, side = line.mark
                corners = np.array(shape(layer.mark)).T * side
                points = plot.points(x + corners[0], y - corners[1])
                yield f'<polygon points="{points}" {fill}/>'
