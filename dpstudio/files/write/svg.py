"""A figure as a standalone SVG that QSvgRenderer and rsvg draw alike: no stylesheets, no clip
paths, every mark cut to the plot here."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dpstudio.charts.axis_titles import ACROSS, ROW, UP, Titles, hairlines, laid_out
from dpstudio.charts.figure import Figure
from dpstudio.charts.inks import Stroke
from dpstudio.charts.label_layout import GROUND, Layout, Placed
from dpstudio.charts.lanes import BAR, USUAL, chosen_span, fitted
from dpstudio.charts.scaling import squared, ticks
from dpstudio.charts.tick_names import SHARE, TickNames, moved_in, tick_names
from dpstudio.files.write.foot import Paragraph
from dpstudio.files.write.marks import Plot, marks, paint, px, stroked
from dpstudio.files.write.palette import word_ink
from dpstudio.files.write.sheet import BARE, EDGE, OFFSET, Sheet, around
from dpstudio.files.write.svg_text import escaped, words_said
from dpstudio.files.write.text_width import text_width
from dpstudio.values.messages import Translate, ended, joint, unchanged

# After Inter what is no wider than it, where there is such a font: words were measured in Inter.
FONTS = (
    "Inter, Arial, 'Liberation Sans', 'Noto Sans SC', 'Noto Sans CJK SC', 'DejaVu Sans', sans-serif"
)


def figure_svg(
    figure: Figure,
    palette: Mapping[str, str],
    width: float = 640,
    height: float = 420,
    *,
    scale: float = 1.0,
    translate: Translate = unchanged,
    hidden: frozenset[str] = frozenset(),
    foot: Sequence[Paragraph] = (),
    metadata: Mapping[str, str] | None = None,
    titled: bool = True,
    grows: bool = False,
) -> str:
    """The figure as SVG text of width x height px; where it `grows`, title and footer come on top.

    `palette` maps inks to hex and holds "surface", "text", "muted" and "grid"; an unknown ink is
    drawn as "text". `scale` enlarges type and strokes within the same size. Layers in `hidden` are
    left out; of `foot` so much is drawn as a fifth of the height holds. `metadata` is embedded as
    JSON. Any text is fine; ValueError if the size is not positive.
    """
    if not (width > 0 and height > 0 and scale > 0):
        raise ValueError("a picture needs a width, a height and a scale above 0")
    sheet = Sheet(figure.without(hidden).worded(translate), palette, translate, scale)
    body, height, top, bottom = around(sheet, (width, height), foot, titled, grows)
    laid = _laid(sheet, width, top, bottom)
    plot, names, seen = laid.plot, laid.names, laid.sheet.figure
    if plot.width > 1 and plot.height > 1:
        body += [*_hairs(laid), *marks(seen.without(names.merged), plot, palette, scale)]
        body += words_said(seen, plot, palette, scale, sheet.words)
        body += _axes(laid, width) + _labels(laid.sheet, plot, names)
    told = (figure.subtitle, figure.x.label, figure.y.label, *figure.notes)
    said = (ended(part, translate) for part in map(sheet.words, told) if part)
    notes = joint(translate).join(said)
    embedded = json.dumps(dict(metadata or {}), ensure_ascii=False, sort_keys=True)
    size = f'width="{px(width)}" height="{px(height)}"'
    lines = (
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" {size} '
        f'viewBox="0 0 {px(width)} {px(height)}" font-family="{FONTS}">',
        f"<title>{escaped(sheet.words(figure.title))}</title>",
        f"<desc>{escaped(notes)}</desc>",
        f"<metadata>{escaped(embedded)}</metadata>",
        f'<rect x="0" y="0" {size} fill="{paint(palette, "surface")}"/>',
        *body,
        "</svg>\n",
    )
    return "\n".join(lines)


_Ticks = Sequence[tuple[float, str]]


@dataclass(frozen=True)
class _Laid:
    """The sheet with equal scales where its figure wants them, its plot area, the names beside and
    above that, the numbers and words below it, those at its left, and the titles of its axes."""

    sheet: Sheet
    plot: Plot
    names: Layout
    below: TickNames
    side: _Ticks
    titles: Titles

    @property
    def edges(self) -> tuple[float, float]:
        """The ends of lanes in px: those of names and numbers."""
        return EDGE * self.sheet.scale, self.plot.left + self.plot.width + self.names.gutter


def _laid(sheet: Sheet, width: float, top: float, bottom: float) -> _Laid:
    seen, s, wanted, spare = sheet.figure, sheet.scale, 0.0, 0.0
    measure, line = sheet.measure(12 * s), sheet.measure(12 * s)("0")[1]
    share = SHARE * (bottom - top - OFFSET * s - line)
    # The room depends on the ticks, and they on the room.
    for _ in range(4):
        deep, wide = wanted, width + spare
        room, side = _plot_area(sheet, wide, top, bottom - deep)
        # Without names there the last number of the axis below needs some room, and above it half
        # of the upper number at the side, or of a name.
        names, titles = laid_out(
            sheet.figure,
            (room.width, room.height),
            room.left - EDGE * s,
            (measure, measure, *sheet.rows),
            (0.0 if sheet.figure.x.hidden else 14 * s, line / 2),
            sheet.words,
        )
        plot = Plot(
            room.left,
            room.top + names.head,
            max(room.width - names.gutter, 0.0),
            max(room.height - names.head, 0.0),
        )
        sheet = replace(sheet, figure=squared(seen, plot.width, plot.height))
        below = _tick_names(sheet, plot, width, share)
        titled = titles.x is not None and not titles.beside
        wanted = max(deep, below.tall - line + titled * ROW * line)
        spare += width - EDGE * s - _right(sheet, plot, names, titles, below, width)
        if wanted == deep and abs(width + spare - wide) < s and not seen.square:
            break
    return _Laid(sheet, plot, names, _tick_names(sheet, plot, width, deep), side, titles)


def _right(
    sheet: Sheet, plot: Plot, names: Layout, titles: Titles, below: TickNames, width: float
) -> float:
    """Where what stands beside the plot ends: a gutter may be wider than what is in it, but lanes
    take all of it."""
    if sheet.figure.lanes is not None:
        return plot.left + plot.width + names.gutter
    ends, font = _ends(sheet, plot, width), 12 * sheet.scale
    told = [*names.labels, *([titles.x] if titles.x is not None else [])]
    beside = [
        (one.x, one.width if one.value else max(text_width(line, font) for line in one.lines))
        for one in told
    ]
    numbers = below.marks if not below.turned else ()
    for at, (_, words) in zip(
        plot.x(sheet.figure, [at for at, _ in numbers]), numbers, strict=True
    ):
        wide = max(text_width(line, font) for line in words.split("\n"))
        beside.append((moved_in(float(at), wide, plot.width, ends) - wide / 2, wide))
    return plot.left + max([plot.width, *(x + wide for x, wide in beside)])


def _tick_names(sheet: Sheet, plot: Plot, width: float, room: float) -> TickNames:
    """What stands below the plot, in at most `room` px beyond one line."""
    s = sheet.scale
    if sheet.figure.x.hidden:
        return TickNames((), sheet.measure(12 * s)("0")[1])
    ends = _ends(sheet, plot, width)
    return tick_names(sheet.figure.x, plot.width, ACROSS * s, sheet.measure(12 * s), room, ends)


def _ends(sheet: Sheet, plot: Plot, width: float) -> tuple[float, float]:
    """The px beyond both ends of the axis below into which its words may reach."""
    edge = EDGE * sheet.scale
    return max(0.0, plot.left - edge), max(0.0, width - edge - plot.left - plot.width)


def _plot_area(sheet: Sheet, width: float, top: float, bottom: float) -> tuple[Plot, _Ticks]:
    """The rectangle of the data, inside the room that ticks need, and the ticks at its left."""
    s, x, y, measure = sheet.scale, sheet.figure.x, sheet.figure.y, sheet.measure(12 * sheet.scale)
    bottom -= (EDGE - BARE) * s if x.hidden else (OFFSET + 3) * s + measure("0")[1]
    marked: _Ticks = ()
    left, right = EDGE * s, width - EDGE * s
    if sheet.figure.lanes is not None:
        own = *sheet.rows, measure
        left += fitted(sheet.figure, sheet.figure.lanes, right - left, own, sheet.words).left
        marked = [(at, "") for at, _ in y.ticks]
    elif not y.hidden:
        marked = ticks(y, max(bottom - top, 1), UP * s, measure=measure, vertical=True)
        left += max((text_width(text, 12 * s) for _, text in marked), default=0) + OFFSET * s
    return Plot(left, top, max(right - left, 0.0), max(bottom - top, 0.0)), marked


def _axes(laid: _Laid, width: float) -> list[str]:
    """The words and marks of the axes, outside the plot area."""
    sheet, plot, s = laid.sheet, laid.plot, laid.sheet.scale
    figure, high = sheet.figure, sheet.measure(12 * s)("0")[1]
    bottom = plot.top + plot.height
    out = [] if figure.x.hidden else _across(laid, width)
    places = plot.top + plot.y(figure, [at for at, _ in laid.side])
    end = ' text-anchor="end"'
    for at, (_, text) in zip(places.tolist(), laid.side, strict=True):
        if text:
            out.append(sheet.text(text, plot.left - OFFSET * s, at + 4 * s, 12 * s, "muted", end))
    under = bottom + OFFSET * s
    if not laid.titles.beside:
        under += laid.below.tall + (ROW - 1) * high
    for title, down in ((laid.titles.y, plot.top), (laid.titles.x, under)):
        if title is not None:
            y = down + title.y + 0.8 * title.height
            out.append(sheet.text(title.text, plot.left + title.x, y, 12 * s, "muted"))
    return out


def _across(laid: _Laid, width: float) -> list[str]:
    """The axis below the plot, with the words that stand there."""
    sheet, plot, s = laid.sheet, laid.plot, laid.sheet.scale
    figure, bottom = sheet.figure, plot.top + plot.height
    high, ends = sheet.measure(12 * s)("0")[1], _ends(sheet, plot, width)
    middle, out = ' text-anchor="middle"', []
    out.append(sheet.line(plot.left, bottom, plot.left + plot.width, bottom))
    places = plot.x(figure, [at for at, _ in laid.below.marks])
    for at, (_, words) in zip(places.tolist(), laid.below.marks, strict=True):
        x = plot.left + at
        out.append(sheet.line(x, bottom, x, bottom + 4 * s))
        if laid.below.turned:
            place = f"{px(x + 4 * s)},{px(bottom + OFFSET * s)}"
            turn = f' text-anchor="end" transform="translate({place}) rotate(-90)"'
            out.append(sheet.text(words, 0, 0, 12 * s, "muted", turn))
            continue
        for k, line in enumerate(words.split("\n")):
            if line:
                x = plot.left + moved_in(at, text_width(line, 12 * s), plot.width, ends)
                y = bottom + OFFSET * s + (k + 0.8) * high
                out.append(sheet.text(line, x, y, 12 * s, "muted", middle))
    return out


def _hairs(laid: _Laid) -> list[str]:
    """The hairlines at the ticks."""
    sheet, plot = laid.sheet, laid.plot
    figure, right, bottom = sheet.figure, plot.left + plot.width, plot.top + plot.height
    below, side = ([at for at, _ in marks] for marks in (laid.below.marks, laid.side))
    upright, level = hairlines(figure, below, side)
    across = (plot.left + plot.x(figure, upright)).tolist()
    up = (plot.top + plot.y(figure, level)).tolist()
    if figure.lanes is not None:
        ends = laid.edges
        wash = _wash(sheet, plot, *ends)
        return [
            *wash,
            *(sheet.line(x, plot.top, x, bottom, "hair") for x in across),
            *(sheet.line(ends[0], y, ends[1], y, "hair") for y in up),
        ]
    return [
        *(sheet.line(x, plot.top, x, bottom, "hair") for x in across),
        *(sheet.line(plot.left, y, right, y, "hair") for y in up),
    ]


def _wash(sheet: Sheet, plot: Plot, left: float, right: float) -> list[str]:
    """What lies under the chosen lane."""
    span = chosen_span(sheet.figure)
    if span is None:
        return []
    low, high = sorted((plot.top + plot.y(sheet.figure, span)).tolist())
    boxes = ((right - left, "ground"), (BAR * sheet.scale, "text"))
    return [
        f'<rect x="{px(left)}" y="{px(low)}" width="{px(wide)}" height="{px(high - low)}" '
        f'fill="{paint(sheet.palette, ink)}"/>'
        for wide, ink in boxes
    ]


def _labels(sheet: Sheet, plot: Plot, names: Layout) -> list[str]:
    """The names of the layers, what leads to them, and the marks of what has no end."""
    return [part for name in (*names.grounds, *names.labels) for part in _name(sheet, plot, name)]


def _name(sheet: Sheet, plot: Plot, name: Placed) -> list[str]:
    s, out = sheet.scale, []
    thin = "muted" if name.ink == "text" else name.ink
    drawn = [(name.leader, thin, Stroke((), 1.0)), (name.dotted, thin, Stroke((1.0, 2.0), 1.0))]
    if name.sample is not None:
        drawn = drawn[bool(name.leader) :]
        drawn.append((name.sampled, name.ink, name.sample))
    for points, ink, each in drawn:
        if points:
            along = plot.points(*zip(*points, strict=True))
            style = stroked(sheet.palette, ink, each, s)
            out.append(f'<polyline points="{along}" {style}/>')
    high = name.height / len(name.lines)
    x, y = plot.left + name.x, plot.top + name.y
    if name.swatch:
        side = 0.62 * high
        out.append(_swatch(sheet, name, x - 0.35 * high - side, y + 0.19 * high, side, x, y))
    fill, (size, weight) = word_ink(sheet.palette, name.ink), name.type
    type_ = f'font-size="{px((size or 12) * s)}"'
    type_ += f' font-weight="{weight}"' if weight > USUAL else ""
    for number, line in enumerate(name.lines):
        if line:
            place = f'x="{px(x)}" y="{px(y + (number + 0.8) * high)}" {type_}'
            out.append(f'<text {place} fill="{fill}">{escaped(line)}</text>')
    if name.value:
        place = f'x="{px(x + name.width)}" y="{px(y + 0.8 * high)}" {type_}'
        told = escaped(name.value)
        out.append(f'<text {place} fill="{fill}" text-anchor="end">{told}</text>')
    return out


def _swatch(
    sheet: Sheet, name: Placed, left: float, top: float, side: float, *corner: float
) -> str:
    """The mark of what fills, or of dots, `side` px across."""
    across, up = left + side / 2, top + side / 2
    fill = f'fill="{paint(sheet.palette, name.ink)}"'
    if name.swatch in ("box", GROUND):
        pale = f' fill-opacity="{px(name.opacity)}"' if name.opacity < 1 else ""
        box = f'x="{px(left)}" y="{px(top)}" width="{px(side)}" height="{px(side)}"'
        if name.swatch == GROUND:
            wide, high = px(name.width), px(name.height)
            box = f'x="{px(corner[0])}" y="{px(corner[1])}" width="{wide}" height="{high}"'
        return f"<rect {box} {fill}{pale}/>"
    if name.corners:
        corners = (f"{px(across + x * side)},{px(up - y * side)}" for x, y in name.corners)
        return f'<polygon points="{" ".join(corners)}" {fill}/>'
    return f'<circle cx="{px(across)}" cy="{px(up)}" r="{px(side / 2)}" {fill}/>'
