"""A figure as a standalone SVG that QSvgRenderer and rsvg draw alike: no stylesheets, no clip
paths, every mark cut to the plot here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpstudio.charts.figure import Figure
from dpstudio.charts.label_layout import Layout, Placed, place_labels
from dpstudio.charts.scaling import Measure, squared, ticks, to_unit
from dpstudio.charts.tick_names import SHARE, TickNames, shortened, tick_names
from dpstudio.files.write.marks import Plot, marks, paint, px
from dpstudio.files.write.palette import word_ink
from dpstudio.files.write.text_width import text_width, wrapped
from dpstudio.values.messages import Message, Translate, render, unchanged

# After Inter what is no wider than it, where there is such a font: words were measured in Inter.
FONTS = "Inter, Arial, 'Liberation Sans', 'Noto Sans CJK SC', 'DejaVu Sans', sans-serif"
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Text for XML content and attributes; what XML 1.0 cannot hold becomes U+FFFD."""
    text = _ILLEGAL.sub("\ufffd", text)
    for plain, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(plain, entity)
    return text


@dataclass(frozen=True)
class _Sheet:
    """What every part of the drawing needs: the figure, the language, the colours and the size of
    the type."""

    figure: Figure
    palette: Mapping[str, str]
    translate: Translate
    scale: float

    def words(self, message: Message | str) -> str:
        return " ".join(render(message, self.translate).split())

    def text(self, words: str, x: float, y: float, size: float, ink: str, more: str = "") -> str:
        """A text element; (x, y) is the start of its baseline unless `more` says otherwise."""
        place = f'x="{px(x)}" y="{px(y)}" font-size="{px(size)}"'
        fill = paint(self.palette, ink)
        return f'<text {place} fill="{fill}"{more}>{escaped(words)}</text>'

    def line(self, x0: float, y0: float, x1: float, y1: float) -> str:
        """A line of an axis from one point to another."""
        stroke = f'stroke="{paint(self.palette, "grid")}" stroke-width="{px(self.scale)}"'
        return f'<path d="M{px(x0)},{px(y0)} L{px(x1)},{px(y1)}" fill="none" {stroke}/>'

    def measure(self, size: float) -> Measure:
        # A little generous: other renderers may fall back to a wider face.
        return lambda text: (text_width(text, size) * 1.03 + 1, 1.25 * size)


def figure_svg(
    figure: Figure,
    palette: Mapping[str, str],
    width: float = 640,
    height: float = 420,
    *,
    scale: float = 1.0,
    translate: Translate = unchanged,
    hidden: frozenset[str] = frozenset(),
    footer: tuple[str, ...] = (),
    metadata: Mapping[str, str] | None = None,
    titled: bool = True,
    grows: bool = False,
) -> str:
    """The figure as SVG text of width x height px; where it `grows`, title and footer come on top.

    `palette` maps inks to hex and holds "surface", "text", "muted" and "grid"; an unknown ink is
    drawn as "text". `scale` enlarges type and strokes within the same size. Layers in `hidden` are
    left out; each text of `footer` starts a line. `metadata` is embedded as JSON. Any text is fine;
    ValueError if the size is not positive.
    """
    if not (width > 0 and height > 0 and scale > 0):
        raise ValueError("a picture needs a width, a height and a scale above 0")
    sheet = _Sheet(figure.without(hidden), palette, translate, scale)
    head, top = _heading(sheet, width) if titled else ([], 10 * scale)
    if grows:
        height += top + height - _footing(sheet, width, height, footer)[1]
    foot, bottom = _footing(sheet, width, height, footer)
    sheet, plot, names, words = _laid(sheet, width, top, bottom)
    body = [*head, *foot]
    if plot.width > 1 and plot.height > 1:
        body += marks(sheet.figure.without(names.merged), plot, palette, scale)
        body += _axes(sheet, plot, width, words) + _labels(sheet, plot, names)
    told = (figure.subtitle, figure.x.label, figure.y.label, *figure.notes)
    notes = ". ".join(part for part in map(sheet.words, told) if part)
    embedded = json.dumps(dict(metadata or {}), ensure_ascii=False, sort_keys=True)
    size = f'width="{px(width)}" height="{px(height)}"'
    ground = paint(palette, "surface")
    lines = (
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" {size} '
        f'viewBox="0 0 {px(width)} {px(height)}" font-family="{FONTS}">',
        f"<title>{escaped(sheet.words(figure.title))}</title>",
        f"<desc>{escaped(notes)}</desc>",
        f"<metadata>{escaped(embedded)}</metadata>",
        f'<rect x="0" y="0" {size} fill="{ground}"/>',
        *body,
        "</svg>\n",
    )
    return "\n".join(lines)


def _laid(
    sheet: _Sheet, width: float, top: float, bottom: float
) -> tuple[_Sheet, Plot, Layout, TickNames]:
    """The sheet with equal scales where its figure wants them, its plot area, the names beside and
    above that, and what stands below it."""
    seen, wanted, high = sheet.figure, 0.0, sheet.measure(11 * sheet.scale)("0")[1]
    # The room depends on the ticks, and they on the room.
    for _ in range(3 if seen.square or seen.x.ticks else 1):
        deep = wanted
        plot = _plot_area(sheet, width, top, bottom - deep)
        names = place_labels(
            sheet.figure,
            plot.width,
            plot.height,
            sheet.measure(12 * sheet.scale),
            # Without names there the last number of the axis below needs some room.
            least=(14 * sheet.scale, 0.0),
            text=sheet.words,
        )
        plot = Plot(
            plot.left,
            plot.top + names.head,
            max(plot.width - names.gutter, 0.0),
            max(plot.height - names.head, 0.0),
        )
        sheet = replace(sheet, figure=squared(seen, plot.width, plot.height))
        wanted = max(
            deep, _tick_names(sheet, plot, SHARE * (bottom - top - 42 * sheet.scale)).tall - high
        )
        if wanted == deep and not seen.square:
            break
    return sheet, plot, names, _tick_names(sheet, plot, deep)


def _tick_names(sheet: _Sheet, plot: Plot, room: float) -> TickNames:
    """What stands below the plot, in at most `room` px beyond one line."""
    s = sheet.scale
    if sheet.figure.x.hidden:
        return TickNames((), sheet.measure(11 * s)("0")[1])
    ends = plot.left - 2 * s, 18 * s
    return tick_names(sheet.figure.x, plot.width, 70 * s, sheet.measure(11 * s), room, ends)


def _heading(sheet: _Sheet, width: float) -> tuple[list[str], float]:
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


def _footing(
    sheet: _Sheet, width: float, height: float, footer: tuple[str, ...]
) -> tuple[list[str], float]:
    """The lines at the bottom, and the y in px above them."""
    s = sheet.scale
    lines = [
        line
        for text in footer
        for line in wrapped(sheet.translate(text) if text else "", 11 * s, width - 32 * s)
    ]
    top = height - 12 * s - len(lines) * 15 * s
    out = [
        sheet.text(line, 16 * s, top + (k + 0.8) * 15 * s, 11 * s, "muted")
        for k, line in enumerate(lines)
    ]
    return out, top - (8 * s if lines else 0)


def _plot_area(sheet: _Sheet, width: float, top: float, bottom: float) -> Plot:
    """The rectangle of the data, inside the room that ticks and axis labels need."""
    s, x, y = sheet.scale, sheet.figure.x, sheet.figure.y
    if not x.hidden:
        bottom -= 21 * s + (21 * s if sheet.words(x.label) else 0)
    left, right = 16 * s, width - 6 * s
    if not y.hidden:
        marked = ticks(
            y, max(bottom - top, 1), 55 * s, measure=sheet.measure(11 * s), vertical=True
        )
        left += max((text_width(text, 11 * s) for _, text in marked), default=0) + 8 * s
        left += 20 * s if sheet.words(y.label) else 0
    return Plot(left, top, max(right - left, 0.0), max(bottom - top, 0.0))


def _axes(sheet: _Sheet, plot: Plot, width: float, named: TickNames) -> list[str]:
    """Axis lines, ticks, their labels and the axis labels, outside the plot area."""
    out = [] if sheet.figure.x.hidden else _across(sheet, plot, width, named)
    return out + ([] if sheet.figure.y.hidden else _upwards(sheet, plot))


def _across(sheet: _Sheet, plot: Plot, width: float, named: TickNames) -> list[str]:
    """The axis below the plot, with the words that stand there."""
    s, axis, bottom = sheet.scale, sheet.figure.x, plot.top + plot.height
    right, high = plot.left + plot.width, sheet.measure(11 * s)("0")[1]
    middle, out = ' text-anchor="middle"', [sheet.line(plot.left, bottom, right, bottom)]
    places = plot.left + to_unit(axis, [at for at, _ in named.marks]) * plot.width
    for at, (_, words) in zip(places.tolist(), named.marks, strict=True):
        out.append(sheet.line(at, bottom, at, bottom + 4 * s))
        if named.turned:
            place = f"{px(at + 4 * s)},{px(bottom + 7 * s)}"
            turn = f' text-anchor="end" transform="translate({place}) rotate(-90)"'
            out.append(sheet.text(words, 0, 0, 11 * s, "muted", turn))
            continue
        for k, line in enumerate(words.split("\n")):
            # A label at the end of the axis moves in rather than leave the picture.
            half = text_width(line, 11 * s) / 2
            x = min(max(at, half + 2 * s), right + 18 * s - half)
            if line:
                out.append(sheet.text(line, x, bottom + 16 * s + k * high, 11 * s, "muted", middle))
    # Beside a narrow plot there is room for its name, up to what the y axis is called.
    label = _cut(sheet.words(axis.label), 12 * s, width - 36 * s)
    if label:
        half = text_width(label, 12 * s) / 2
        x = min(max(plot.left + plot.width / 2, 30 * s + half), width - 6 * s - half)
        y = bottom + 36 * s + named.tall - high
        out.append(sheet.text(label, x, y, 12 * s, "muted", middle))
    return out


def _upwards(sheet: _Sheet, plot: Plot) -> list[str]:
    """The axis at the left of the plot."""
    s, axis, left, top = sheet.scale, sheet.figure.y, plot.left, plot.top
    out = [sheet.line(left, top, left, top + plot.height)]
    marked = ticks(axis, plot.height, 55 * s, measure=sheet.measure(11 * s), vertical=True)
    places = top + (1 - to_unit(axis, [at for at, _ in marked])) * plot.height
    for at, (_, text) in zip(places.tolist(), marked, strict=True):
        out.append(sheet.line(left - 4 * s, at, left, at))
        end = ' text-anchor="end"'
        out.append(sheet.text(text, left - 7 * s, at + 4 * s, 11 * s, "muted", end))
    room = plot.height + 24 * s  # down to the numbers of the x axis, which stand further right
    label = _cut(sheet.words(axis.label), 12 * s, room)
    if label:
        more = max(0.0, text_width(label, 12 * s) - plot.height)
        place = f"{px(24 * s)},{px(top + (plot.height + more) / 2)}"
        turn = f' text-anchor="middle" transform="translate({place}) rotate(-90)"'
        out.append(sheet.text(label, 0, 0, 12 * s, "muted", turn))
    return out


def _cut(text: str, size: float, width: float) -> str:
    """The text, ended by an ellipsis where it is wider than `width` px."""
    return shortened(text, width, lambda words: (text_width(words, size), size))


def _labels(sheet: _Sheet, plot: Plot, names: Layout) -> list[str]:
    """The names of the layers, what leads to them, and the marks of what has no end."""
    return [part for name in names.labels for part in _name(sheet, plot, name)]


def _name(sheet: _Sheet, plot: Plot, name: Placed) -> list[str]:
    s, out = sheet.scale, []
    ink = "muted" if name.ink == "text" else name.ink
    for points, dash in (
        (name.leader, ""),
        (name.dotted, f' stroke-dasharray="{px(s)},{px(2 * s)}"'),
    ):
        if points:
            style = f'fill="none" stroke="{paint(sheet.palette, ink)}" stroke-width="{px(s)}"'
            out.append(
                f'<polyline points="{plot.points(*zip(*points, strict=True))}" {style}{dash}/>'
            )
    high = name.height / len(name.lines)
    x, y = plot.left + name.x, plot.top + name.y
    if name.swatch:
        side = 0.62 * high
        out.append(_swatch(sheet, name, x - 0.35 * high - side, y + 0.19 * high, side))
    fill = word_ink(sheet.palette, name.ink)
    for number, line in enumerate(name.lines):
        place = f'x="{px(x)}" y="{px(y + (number + 0.8) * high)}" font-size="{px(12 * s)}"'
        out.append(f'<text {place} fill="{fill}">{escaped(line)}</text>')
    return out


def _swatch(sheet: _Sheet, name: Placed, left: float, top: float, side: float) -> str:
    """The mark of what fills, or of dots, `side` px across."""
    across, up = left + side / 2, top + side / 2
    fill = f'fill="{paint(sheet.palette, name.ink)}"'
    if name.swatch == "box":
        pale = f' fill-opacity="{px(name.opacity)}"' if name.opacity < 1 else ""
        box = f'x="{px(left)}" y="{px(top)}" width="{px(side)}" height="{px(side)}"'
        return f"<rect {box} {fill}{pale}/>"
    if name.corners:
        corners = (f"{px(across + x * side)},{px(up - y * side)}" for x, y in name.corners)
        return f'<polygon points="{" ".join(corners)}" {fill}/>'
    return f'<circle cx="{px(across)}" cy="{px(up)}" r="{px(side / 2)}" {fill}/>'
