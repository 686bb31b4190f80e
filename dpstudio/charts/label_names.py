"""What each layer of a chart wants to be called, and where: at a curve's end, above what stands
upright, or in a key. Pure."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dpstudio.charts.figure import (
    Area,
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
from dpstudio.charts.inks import GREY, Corners, Stroke, bar_opacity, marker, stroke
from dpstudio.charts.label_ends import Anchor, Traces, coincide, traces
from dpstudio.charts.scaling import share, to_unit
from dpstudio.values.messages import Message, Num, enumerated, plain, say, with_name

_LEVEL = 1e-6  # of the height: so little a straight bracket rises


class Name(NamedTuple):
    """What a layer wants: a place (share of the plot area), and the kind of it."""

    key: str
    text: str
    ink: str
    x: float = 0.0
    y: float = 0.0
    kind: str = "end"  # or "spot" (the end of what is one dot), "stem", "over", "dot", "box"
    foot: float = 0.0  # how far down a stem leads, a share of the height
    opacity: float = 1.0  # of what fills, as it is drawn
    corners: Corners = ()  # of the marker of dots; none is a circle
    value: str = ""  # what stands at the right of it
    parted: float = 0.0  # how high it was where it last ran alone
    led: bool = True  # whether a line leads to it: not from where several curves are one
    stroke: Stroke | None = None  # of a curve
    level: bool = False  # drawn at one height from end to end
    shared: bool = False  # by curves that are one to the eye

    def narrow(self, words: Callable[[Message | str], str]) -> "Name":
        """Without a column for its value, which only a shared name keeps."""
        text = _told(self.text, self.value, words) if self.shared else self.text
        return self._replace(text=text, value="")


def names_of(
    figure: Figure, height: float, line: float, text: Callable[[Message | str], str]
) -> tuple[list[Name], frozenset[str]]:
    """The names of what is in sight, and the curves that others are drawn for."""
    quiet = {key for key, _ in figure.hushed}
    words = {
        layer.key: text(layer.label).strip()
        for layer in figure.layers
        if layer.label and layer.key not in quiet
    }
    named = [layer for layer in figure.layers if words.get(layer.key)]
    lines = [layer for layer in named if isinstance(layer, Line) and len(layer.x) > 1]
    curves = traces(figure, lines)
    leads = curves.leads(height)
    order = {line.key: k for k, line in enumerate(lines)}
    drawn = [i for i, lead in enumerate(leads) if lead == i and len(curves.points[i])]
    places = curves.anchors(drawn, height) | _leaving(curves, drawn, 1.12 * line / height)
    out: list[Name] = []
    for layer in named:
        own = words[layer.key]
        if isinstance(layer, Line):
            k = order.get(layer.key, -1)
            if k < 0 or leads[k] != k or not len(curves.points[k]):
                continue
            same = [(lines[i], words[lines[i].key]) for i, lead in enumerate(leads) if lead == k]
            own, told = _shared(same, text)
            curve = _of_line(layer, own, curves, k, places[k])
            curve = curve._replace(shared=len(same) > 1)
            # Elsewhere there is no column for values.
            beside = curve.kind == "end"
            out.append(
                curve._replace(value=told)
                if beside
                else curve._replace(text=_told(own, told, text))
            )
        else:
            told = text(layer.told) if isinstance(layer, Rule) else ""
            level = isinstance(layer, Rule) and layer.axis == "y"
            name = _of_layer(figure, layer, own if level or not told else f"{own} {told}")
            if name is not None:
                out.append(name._replace(value=told) if level else name)
            if isinstance(layer, Heat) and layer.other:
                below = f"{layer.key} below"
                out.append(Name(below, text(layer.other), layer.below, kind="box"))
    if quiet:
        many = sum(bool(one.label) for one in figure.layers if one.key in quiet)
        words_ = text(say("{n} {n:other|others}", n=Num(float(many))))
        out.append(Name("hushed", words_, GREY, 1.0, 1.0, led=False, stroke=Stroke((), 2.0)))
    merged = frozenset(lines[i].key for i, lead in enumerate(leads) if lead != i)
    return out, merged


def _shared(
    curves: list[tuple[Line, str]], text: Callable[[Message | str], str]
) -> tuple[str, str]:
    """The name of curves that are one to the eye, and what is told of all: "=" joins those that are
    equal and told so; the others stand side by side, each with its number, or joined by "≈" where
    they have none."""
    if len(curves) == 1:
        return curves[0][1], text(curves[0][0].told)
    alike: list[tuple[Line, str, list[str]]] = []
    for line, own in curves:
        told = text(line.told)
        held = [names for one, said, names in alike if said == told and coincide(one, line)]
        same = held[0] if held else None
        if same is None:
            alike.append((line, told, [own]))
        elif own not in same:
            same.append(own)
    if len(alike) == 1:
        return " = ".join(alike[0][2]), alike[0][1]
    parts = [_told(" = ".join(names), told, text) for _, told, names in alike]
    parts = [*dict.fromkeys(parts)]
    if all(told for _, told, _ in alike):
        return text(enumerated(map(plain, parts))), ""
    return " ≈ ".join(parts), ""


def _told(name: str, told: str, text: Callable[[Message | str], str]) -> str:
    return text(with_name(name, told)) if told else name


def _leaving(curves: Traces, drawn: list[int], step: float) -> dict[int, Anchor]:
    """Where the curves that leave through top or bottom are named: a line's height from there and
    from one another, the one that leaves last nearest to the middle."""
    out, sides = {}, [curves.leaves(k) for k in drawn]
    for side in ("top", "bottom"):
        these = [k for k, through in zip(drawn, sides, strict=True) if through == side]
        these.sort(key=lambda k: curves.ends[k][0])
        for number, k in enumerate(these):
            far = min((number + 0.4) * step, 0.9)
            x, y = curves.at_height(k, far if side == "top" else 1 - far)
            out[k] = Anchor(x, y, y)
    return out


def _of_line(line: Line, own: str, curves: Traces, which: int, at: Anchor) -> Name:
    left, top, right, bottom = curves.boxes[which]
    if line.named == "head":
        return Name(line.key, own, line.ink, (left + right) / 2, kind="over")
    if right - left < 1e-3 < bottom - top:
        return Name(line.key, own, line.ink, left, kind="stem", foot=top)
    level = bottom - top < _LEVEL < right - left
    # A row that several share leads to none of them: it would run through the others.
    alone = not level or curves.alone_in_row(which)
    name = Name(line.key, own, line.ink, at.x, at.y, level=level and alone)
    return name._replace(parted=at.parted, led=at.alone and alone, stroke=stroke(line))


def _of_layer(figure: Figure, layer: Layer, own: str) -> Name | None:
    """The name of what is no curve; None where nothing of it is in sight."""
    name = Name(layer.key, own, layer.ink, kind="box")
    if isinstance(layer, Rule):
        axis = figure.x if layer.axis == "x" else figure.y
        at = share(axis, layer.at)
        if not 0 <= at <= 1:
            return None
        return (
            name._replace(x=at, kind="stem")
            if layer.axis == "x"
            else name._replace(x=1.0, y=1 - at, parted=1 - at, kind="end")
        )
    if isinstance(layer, Band):
        low, high = (min(max(share(figure.x, end), 0.0), 1.0) for end in (layer.low, layer.high))
        seen = high > low
        return name._replace(ink="muted", x=float(low + high) / 2, kind="over") if seen else None
    if isinstance(layer, Handle):
        x, y = share(figure.x, layer.x), 1 - share(figure.y, layer.y)
        if not np.isfinite(x + y):
            return None
        return name._replace(
            ink="text", x=min(max(x, 0.0), 1.0), kind="stem", foot=min(max(y, 0.0), 1.0)
        )
    if isinstance(layer, Dots):
        return _of_dots(figure, layer, name)
    if isinstance(layer, Area | Ribbon):
        return name._replace(opacity=layer.opacity)
    if isinstance(layer, Columns):
        return name._replace(opacity=bar_opacity(layer.ink))
    return name if isinstance(layer, Heat) else None


def _of_dots(figure: Figure, layer: Dots, name: Name) -> Name | None:
    """Dots that stand for a curve are named at their last, others in the key."""
    x, y = to_unit(figure.x, layer.x), 1 - to_unit(figure.y, layer.y)
    with np.errstate(invalid="ignore"):
        seen = np.flatnonzero((x >= 0) & (x <= 1) & (y >= 0) & (y <= 1))
    if not len(seen):
        return None
    name = name._replace(corners=marker(layer))
    if layer.diameter or (len(layer.x) > 1 and (figure.x.ticks or figure.y.ticks)):
        return name._replace(kind="dot")
    last = seen[np.argmax(x[seen])]
    high = float(y[last])
    return name._replace(x=float(x[last]), y=high, parted=high, kind="spot")
