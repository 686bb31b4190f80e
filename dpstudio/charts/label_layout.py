"""Where the names of a chart stand: curves in a gutter at the right, at the height of their ends;
what stands upright above its upper end; what fills in a key. Pure, shared by the live view and the
SVG writer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

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
)
from dpstudio.charts.label_ends import Traces, traces
from dpstudio.charts.label_gutter import folded, room_for_names, spread
from dpstudio.charts.label_head import Standing, Upright, stood
from dpstudio.charts.scaling import Measure, share, to_unit
from dpstudio.values.messages import Num, Say, render, say

Points = tuple[tuple[float, float], ...]
_TIGHT = 0.9  # of the usual distance of lines, where there are many
_MARK = 1.1  # how many lines wide the mark of a key is


@dataclass(frozen=True)
class Placed:
    """The name of a layer: px from the top left of the plot area, y down, of its text box.

    `leader` is drawn from the layer to the name, `dotted` where it runs inside the plot; a
    `swatch` ("dot" or "box", the mark of what has no end) stands left of the text, a line high.
    """

    key: str
    lines: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float
    ink: str
    leader: Points = ()
    dotted: Points = ()
    swatch: str = ""

    @property
    def text(self) -> str:
        """The name in one line."""
        return " ".join(self.lines)


@dataclass(frozen=True)
class Layout:
    """The room that names take at the right of the plot area and above it, in px; the names; and
    the curves that are not drawn because another is the same to the eye."""

    gutter: float = 0.0
    head: float = 0.0
    labels: tuple[Placed, ...] = ()
    merged: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Name:
    """What a layer wants: a place (share of the plot area), and the kind of it."""

    key: str
    text: str
    ink: str
    x: float = 0.0
    y: float = 0.0
    kind: str = "end"  # or "stem", "over", "dot", "box"
    foot: float = 0.0  # how far down a stem leads, a share of the height


def place_labels(
    figure: Figure,
    width: float,
    height: float,
    measure: Measure,
    *,
    least: tuple[float, float] = (0.0, 0.0),
    text: Callable[[Say | str], str] = render,
) -> Layout:
    """Names for the visible layers of a plot area that takes width x height px with its names.

    `least` is the gutter and head to keep at least, so that a plot does not shift to and fro under
    the hand.
    """
    line = measure("Ag")[1]
    if not (width > 2 * line and height > 2 * line):
        return Layout()
    names, merged = _names(figure, 0.8 * height, line, text)
    keys = [name for name in names if name.kind in ("dot", "box")]
    ends = [name for name in names if name.kind == "end"]
    aside = [*keys, *ends] if ends else []
    room = room_for_names(width)
    lines = {name.key: folded(name.text, room, measure) for name in aside}
    widths = {
        key: max((measure(part)[0] for part in parts), default=0.0) for key, parts in lines.items()
    }
    lead = 1.5 * line
    marked = {name.key: _MARK * line for name in keys}
    widest = max((w + marked.get(key, 0.0) for key, w in widths.items()), default=0.0)
    gutter = lead + widest if aside else 0.0
    gutter = min(max(gutter, least[0]), 0.6 * width)
    head, above = _head(figure, names, [] if ends else keys, width, gutter, line, measure)
    head = min(max(head, least[1]), 0.5 * height)
    plot = width - gutter, height - head
    top = 0.0 if above else -line / 2
    boxes = _Boxes(plot[0], plot[1], line, lead, top, measure, text)
    above = [_down(label, plot[1]) for label in above]
    return Layout(gutter, head, (*above, *boxes.aside(keys if ends else [], ends, lines)), merged)


def _down(label: Placed, height: float) -> Placed:
    """The dotted part of a stem, given as a share of the height, in px."""
    if not label.dotted:
        return label
    (x, _), (_, foot) = label.dotted
    return replace(label, dotted=((x, 0.0), (x, foot * height)))


# What each layer wants


def _names(
    figure: Figure, height: float, line: float, text: Callable[[Say | str], str]
) -> tuple[list[_Name], frozenset[str]]:
    """The names of what is in sight, and the curves that others are drawn for."""
    words = {layer.key: text(layer.label).strip() for layer in figure.layers if layer.label}
    named = [layer for layer in figure.layers if words.get(layer.key)]
    lines = [layer for layer in named if isinstance(layer, Line) and len(layer.x) > 1]
    curves = traces(figure, lines)
    leads = curves.leads(height)
    order = {line.key: k for k, line in enumerate(lines)}
    drawn = [i for i, lead in enumerate(leads) if lead == i and len(curves.points[i])]
    away = _leaving(curves, drawn, 1.12 * line / height)
    out: list[_Name] = []
    for layer in named:
        own = words[layer.key]
        if isinstance(layer, Line):
            k = order.get(layer.key, -1)
            if k < 0 or leads[k] != k or not len(curves.points[k]):
                continue
            same = [words[lines[i].key] for i, lead in enumerate(leads) if lead == k]
            own = " = ".join(dict.fromkeys(same))
            at = away.get(k) or curves.anchor(k, drawn, height)
            out.append(_of_line(layer, own, curves.points[k], at))
        else:
            name = _of_layer(figure, layer, own)
            if name is not None:
                out.append(name)
            if isinstance(layer, Heat) and layer.other:
                below = f"{layer.key} below"
                out.append(_Name(below, text(layer.other), layer.below, kind="box"))
    merged = frozenset(lines[i].key for i, lead in enumerate(leads) if lead != i)
    return out, merged


def _leaving(curves: Traces, drawn: list[int], step: float) -> dict[int, tuple[float, float]]:
    """Where the curves that leave through top or bottom are named: a line's height from there and
    from one another, the one that leaves last nearest to the middle."""
    out = {}
    for side in ("top", "bottom"):
        these = [k for k in drawn if curves.leaves(k) == side]
        these.sort(key=lambda k: float(curves.points[k][:, 0].max()))
        for number, k in enumerate(these):
            far = min((number + 0.4) * step, 0.9)
            out[k] = curves.at_height(k, far if side == "top" else 1 - far)
    return out


def _of_line(line: Line, own: str, points: Array, at: tuple[float, float]) -> _Name:
    low, high = points.min(axis=0), points.max(axis=0)
    if line.named == "head":
        return _Name(line.key, own, line.ink, float(low[0] + high[0]) / 2, kind="over")
    if high[0] - low[0] < 1e-3 < high[1] - low[1]:
        return _Name(line.key, own, line.ink, float(low[0]), kind="stem", foot=float(low[1]))
    return _Name(line.key, own, line.ink, *at)


def _of_layer(figure: Figure, layer: Layer, own: str) -> _Name | None:
    """The name of what is no curve; None where nothing of it is in sight."""
    name = _Name(layer.key, own, layer.ink, kind="box")
    if isinstance(layer, Rule):
        axis = figure.x if layer.axis == "x" else figure.y
        at = share(axis, layer.at)
        if not 0 <= at <= 1:
            return None
        return (
            replace(name, x=at, kind="stem")
            if layer.axis == "x"
            else replace(name, x=1.0, y=1 - at, kind="end")
        )
    if isinstance(layer, Band):
        low, high = (min(max(share(figure.x, end), 0.0), 1.0) for end in (layer.low, layer.high))
        seen = high > low
        return replace(name, ink="muted", x=float(low + high) / 2, kind="over") if seen else None
    if isinstance(layer, Handle):
        x, y = share(figure.x, layer.x), 1 - share(figure.y, layer.y)
        if not np.isfinite(x + y):
            return None
        return replace(
            name, ink="text", x=min(max(x, 0.0), 1.0), kind="stem", foot=min(max(y, 0.0), 1.0)
        )
    if isinstance(layer, Dots):
        return _of_dots(figure, layer, name)
    return name if isinstance(layer, Area | Columns | Heat | Ribbon) else None


def _of_dots(figure: Figure, layer: Dots, name: _Name) -> _Name | None:
    """Dots that stand for a curve are named at their last, others in the key."""
    x, y = to_unit(figure.x, layer.x), 1 - to_unit(figure.y, layer.y)
    with np.errstate(invalid="ignore"):
        seen = np.flatnonzero((x >= 0) & (x <= 1) & (y >= 0) & (y <= 1))
    if not len(seen):
        return None
    if layer.diameter or (len(layer.x) > 1 and (figure.x.ticks or figure.y.ticks)):
        return replace(name, kind="dot")
    last = seen[np.argmax(x[seen])]
    return replace(name, x=float(x[last]), y=float(y[last]), kind="end")


# Places


def _head(
    figure: Figure,
    names: list[_Name],
    keys: list[_Name],
    width: float,
    gutter: float,
    line: float,
    measure: Measure,
) -> tuple[float, list[Placed]]:
    """The height of the head and the names in it. A dotted stem ends at a share of the height."""
    upright = [name for name in names if name.kind in ("stem", "over")]
    plot = width - gutter
    lines = [folded(name.text, width, measure) for name in upright]
    wide = [max(measure(part)[0] for part in parts) for parts in lines]
    wanted = [
        Upright(name.x * plot, w, len(parts), name.kind == "over")
        for name, w, parts in zip(upright, wide, lines, strict=True)
    ]
    places: list[Standing] = list(stood(wanted, width))
    out = []
    for name, want, at, parts in zip(upright, wanted, places, lines, strict=True):
        top = -(at.row + want.rows) * line - 2
        stem: Points = ((want.x, top + 0.15 * line), (want.x, 0.0)) if at.stem else ()
        dotted: Points = ((want.x, 0.0), (want.x, name.foot)) if at.stem and name.foot else ()
        high = want.rows * line
        out.append(Placed(name.key, parts, at.left, top, want.width, high, name.ink, stem, dotted))
    rows = max((at.row + want.rows for at, want in zip(places, wanted, strict=True)), default=0)
    x = 0.0
    for number, name in enumerate(keys):
        w, pad = measure(name.text)[0], _MARK * line
        if x and x + pad + w > width:
            x, rows = 0.0, rows + 1
        rows += not number
        out.append(
            Placed(
                name.key,
                (name.text,),
                x + pad,
                -rows * line - 2,
                w,
                line,
                name.ink,
                (),
                (),
                name.kind,
            )
        )
        x += pad + w + line
    return (rows * line + 4 if rows else 0.0), out


@dataclass(frozen=True)
class _Boxes:
    """Puts names beside a plot area of width x height px, in lines `line` px high, `lead` px from
    it and from `top` on."""

    width: float
    height: float
    line: float
    lead: float
    top: float
    measure: Measure
    text: Callable[[Say | str], str]

    def aside(
        self, keys: list[_Name], ends: list[_Name], lines: dict[str, tuple[str, ...]]
    ) -> list[Placed]:
        """The names in the gutter: the key at its top, the others at the height of their ends."""
        # What leaves through the top leaves the sooner the higher it is; so does what leaves below.
        ends = sorted(ends, key=lambda one: (round(one.y, 3), one.x if one.y < 0.5 else -one.x))
        names = [*keys, *ends]
        bottom = self.height + self.line / 2
        room = bottom - self.top
        names, lines = self._fitting(names, lines, room)
        sizes = [len(lines[name.key]) * self.line for name in names]
        loose = min(1.12, max(_TIGHT, room / sum(sizes))) if names else 1.0
        wanted = [-self.line if name in keys else name.y * self.height for name in names]
        sizes = [loose * size for size in sizes]
        at = spread(wanted, sizes, self.top, bottom)
        return [
            self._at(name, lines[name.key], float(middle), name in keys)
            for name, middle in zip(names, at, strict=True)
        ]

    def _fitting(
        self, names: list[_Name], lines: dict[str, tuple[str, ...]], room: float
    ) -> tuple[list[_Name], dict[str, tuple[str, ...]]]:
        """As many names as have room, and how many more there are."""
        most = room / (_TIGHT * self.line)
        if sum(len(lines[name.key]) for name in names) <= most:
            return names, lines
        kept, used = 0, 1
        while kept < len(names) and used + len(lines[names[kept].key]) <= most:
            used += len(lines[names[kept].key])
            kept += 1
        more = self.text(say("{n} more", n=Num(float(len(names) - kept))))
        last = _Name("", more, "muted", names[-1].x, 1.0)
        return [*names[:kept], last], {**lines, "": (more,)}

    def _at(self, name: _Name, lines: tuple[str, ...], middle: float, key: bool) -> Placed:
        high = len(lines) * self.line
        wide = max(self.measure(part)[0] for part in lines)
        gx = self.width + self.lead
        box = Placed(name.key, lines, gx, middle - high / 2, wide, high, name.ink)
        if key:
            return replace(box, x=gx + _MARK * self.line, swatch=name.kind)
        if not name.key:
            return box
        x, y = name.x * self.width, name.y * self.height
        leader = (self.width + 2, y), (self.width + 5, y), (gx - 7, middle), (gx - 3, middle)
        inside = self.width - x > 4
        return replace(box, leader=leader, dotted=((x + 4, y), (self.width, y)) if inside else ())
