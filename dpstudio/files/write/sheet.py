"""The page that a chart is drawn on: its margins, its type, and the words above and below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpstudio.charts.figure import Figure
from dpstudio.charts.lanes import SIZE
from dpstudio.charts.scaling import Measure
from dpstudio.files.write.foot import Paragraph, fitted
from dpstudio.files.write.marks import paint, px
from dpstudio.files.write.svg_text import escaped
from dpstudio.files.write.text_width import text_width, wrapped
from dpstudio.values.messages import Message, Translate, render

# px at normal type: the margin of a picture on all sides, and what lies between a plot and its
# numbers, or what stands below them.
EDGE, OFFSET = 16, 8
# The same margin for lines of type, whose letters begin below the upper edge of their line, and end
# above its lower one: above a picture, below it, and below numbers. A line of the foot.
_TOP, _FOOT, BARE, _LINE = 13, 15, 12, 15


@dataclass(frozen=True)
class Sheet:
    """What every part of the drawing needs: the figure, the language, the colours and the size of
    the type."""

    figure: Figure
    palette: Mapping[str, str]
    translate: Translate
    scale: float

    def words(self, message: Message | str) -> str:
        """A message in the language, on one line."""
        return " ".join(render(message, self.translate).split())

    def text(self, words: str, x: float, y: float, size: float, ink: str, more: str = "") -> str:
        """A text element; (x, y) is the start of its baseline unless `more` says otherwise."""
        place = f'x="{px(x)}" y="{px(y)}" font-size="{px(size)}"'
        fill = paint(self.palette, ink)
        return f'<text {place} fill="{fill}"{more}>{escaped(words)}</text>'

    def line(self, x0: float, y0: float, x1: float, y1: float, ink: str = "axis") -> str:
        """A line of an axis from one point to another."""
        stroke = f'stroke="{paint(self.palette, ink)}" stroke-width="{px(self.scale)}"'
        return f'<path d="M{px(x0)},{px(y0)} L{px(x1)},{px(y1)}" fill="none" {stroke}/>'

    def measure(self, size: float, bold: bool = False) -> Measure:
        """Width and height in px of words set in `size` px."""
        # A little generous: other renderers may fall back to a wider face.
        return lambda text: (text_width(text, size, bold) * 1.03 + 1, 1.25 * size)

    @property
    def rows(self) -> tuple[Measure, Measure]:
        """The usual and the strong words of lanes."""
        return self.measure(SIZE * self.scale), self.measure(SIZE * self.scale, bold=True)


def around(
    sheet: Sheet, size: tuple[float, float], foot: Sequence[Paragraph], titled: bool, grows: bool
) -> tuple[list[str], float, float, float]:
    """The words above and below a chart of `size` px, the height in px with them where it `grows`
    by them, and the y between which the chart has its room."""
    (width, height), s = size, sheet.scale
    head, top = _heading(sheet, width) if titled else ([], _TOP * s)
    height += top * grows
    # A fifth of the height at most: of one that grows by the lines, too.
    most = height / (4 if grows else 5) / (_LINE * s)
    lines = fitted(foot, 11 * s, width - 2 * EDGE * s, most)
    deep = (OFFSET + len(lines) * _LINE + _FOOT if lines else BARE) * s
    height += deep * grows
    start = height - (_FOOT + len(lines) * _LINE) * s
    below = [
        sheet.text(line, EDGE * s, start + (k + 0.8) * _LINE * s, 11 * s, "muted")
        for k, line in enumerate(lines)
    ]
    return [*head, *below], height, top, height - deep


def _heading(sheet: Sheet, width: float) -> tuple[list[str], float]:
    """Title and subtitle, on one line where they fit; and the y in px below them."""
    s = sheet.scale
    left, room, out = 16 * s, width - 32 * s, []
    title, subtitle = (
        wrapped(sheet.words(sheet.figure.title), 14 * s, room, True),
        sheet.words(sheet.figure.subtitle),
    )
    y = 12 * s
    for line in title:
        y += 16 * s
        out.append(sheet.text(line, left, y, 14 * s, "text", ' font-weight="600"'))
        y += 3 * s
    if (
        subtitle
        and len(title) == 1
        and text_width(title[0], 14 * s, True) + text_width("\u2003" + subtitle, 12 * s) <= room
    ):
        # Within one text element the renderer itself knows where the title ends, whatever font it
        # found.
        muted = paint(sheet.palette, "muted")
        style = f'font-size="{px(12 * s)}" font-weight="400" fill="{muted}"'
        aside = f"<tspan {style}>\u2003{escaped(subtitle)}</tspan>"
        out[-1] = (
            out[-1]
            .replace("<text ", '<text xml:space="preserve" ', 1)
            .replace("</text>", aside + "</text>")
        )
    else:
        for line in wrapped(subtitle, 12 * s, room):
            y += 16 * s
            out.append(sheet.text(line, left, y, 12 * s, "muted"))
    return out, y + 13 * s
