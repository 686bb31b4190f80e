"""What an ink has besides its colours, on the screen and in exports alike: a dash and a marker, so
that nothing is told by its colour alone; and grey for what no eye could tell apart by colour."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from dpstudio.charts.figure import (
    Area,
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
from dpstudio.charts.ink_table import INKS

Corners = tuple[tuple[float, float], ...]

_ORDER = {name: place for place, (name, ink) in enumerate(INKS.items()) if ink.marker}
_FILLED = (Handle, Area, Columns, Heat, Ribbon)
# What a line is that stands for no ink of its own; "outside" is a bound where its theorem does not
# hold, or one that is worse than adding up: thin, dotted and pale, as nothing else is.
_DASHES: dict[str, tuple[float, ...]] = {"dash": (4, 2), "dot": (1, 2), "outside": (1, 3)}
OUTSIDE = "outside"
_PALE, _THIN = 0.6, 1.2
_BROAD = 6.0  # px from which on a line is a bar, and has no dash
# What has no colour of its own, and what shares one with another ink, drawn with it or not.
GREY = "muted"
_GREYS = ("parallel", "group_privacy", "gdp_clt", "shortcut")
_TWINS = {"fair_coins": "sue", "biased_coins": "oue", "warner": "the", "first": "laplace"}
_TWIN = _TWINS | {twin: ink for ink, twin in _TWINS.items()}
_SHARING = frozenset((*_GREYS, *_TWIN))
# What carries no meaning: grounds, and the grey of what is drawn for reference.
PLAIN = frozenset(
    ("surface", "ground", "ghost", "grid", "hair", "axis", "band", "accent_soft", "text", GREY)
)
MOST = 8  # inks in a chart
SAMPLE = 14.0  # px of a stroke before its name
# Of a row, how large a mark is that is read of by itself, and of the plot's width at most.
_TOLD, _ACROSS = 0.185, 0.055


@dataclass(frozen=True)
class Stroke:
    """How a line is drawn: its dashes in widths of the pen, its width in px, its opacity."""

    dashes: tuple[float, ...]
    width: float
    opacity: float = 1.0


def stroke(layer: Line | Rule) -> Stroke:
    """The stroke of a curve or a rule."""
    if isinstance(layer, Rule):
        width = 2.0 if layer.ink in ("truth", "answer") else 1.3
        return Stroke(dashes(layer.dash), width)
    if layer.width > _BROAD:
        return Stroke((), layer.width)
    if layer.dash == OUTSIDE:
        return Stroke(dashes(OUTSIDE), min(layer.width, _THIN), _PALE)
    return Stroke(dashes(layer.dash or layer.ink), layer.width)


def sampled(drawn: Stroke) -> Stroke:
    """The same in a sample: its dashes so long that whole ones are seen, at both ends alike. Of a
    longer one a sample would show a dash and what looks like a dot."""
    if not drawn.dashes:
        return drawn
    first, whole, room = drawn.dashes[0], sum(drawn.dashes), SAMPLE / drawn.width
    times = max(1, round((room - first) / whole))
    fit = room / (times * whole + first)
    return replace(drawn, dashes=tuple(fit * part for part in drawn.dashes))


def dashed(layers: Iterable[Layer]) -> bool:
    """Whether a curve has dashes: then no part of the chart can be painted alone, for the dashes of
    a part would begin elsewhere. Straight lines, rules and edges of bands, are no such curves."""
    return any(isinstance(layer, Line) and stroke(layer).dashes for layer in layers)


def known(ink: str) -> bool:
    """Whether an ink has a dash and a marker of its own."""
    return ink in INKS and bool(INKS[ink].marker)


def bar_opacity(ink: str) -> float:
    """How opaque bars of an ink are: paler where they are the truth, so that whiskers of the same
    black are seen on them."""
    return 0.55 if ink == "truth" else 1.0


def seen_as(ink: str) -> str:
    """The ink whose colour a curve has by itself: its own, or grey."""
    return GREY if ink in _GREYS else ink


@lru_cache(maxsize=128)
def dashes(name: str) -> tuple[float, ...]:
    """The dashes of an ink, or of a name such as "dot"; none where it is drawn solid."""
    return _DASHES[name] if name in _DASHES else INKS[name].dashes if name in INKS else ()


_STAR = 16.0  # px at normal type, in a chart that leads


def marker(layer: Dots) -> Corners:
    """The corners of the marker of dots, in a square of side 1 about (0, 0), y up; none is a
    circle, as dots that are counted are where they name no other."""
    return () if layer.diameter and not layer.marker else shape(layer.marker or layer.ink)


def shape(name: str) -> Corners:
    """The corners of a marker by its own name or by that of an ink that has it."""
    ink = INKS.get(name)
    return SHAPES[name if name in SHAPES else (ink and ink.marker) or "circle"]


def dot_size(layer: Dots, figure: Figure, width: float, height: float, scale: float) -> float:
    """The diameter of dots in px, in a plot of this size: as wide as a column, or as high as one
    step where stacks are tall; that of a marker where each stands for itself, larger where it is
    read of by itself and rows are high, and where it is one star: what was drawn by chance."""
    (left, right), (low, high) = figure.x.range, figure.y.range
    if not layer.diameter:
        if layer.marker == "star" and len(layer.x) == 1:
            return min(_STAR, max(_STAR / 2, 0.05 * height / scale)) * scale
        least = (9.0 if layer.picks or layer.tells else 7.0) * scale
        told = min(_TOLD * height / (high - low), _ACROSS * width)
        return max(least, told) if layer.tells else least
    across, up = layer.diameter / (right - left) * width, height / (high - low)
    return max(2.0, 0.92 * min(across, up))


def _regular(count: int, turn: float = 90.0, inner: float = 1.0) -> Corners:
    """A polygon with corners on a circle; every other one `inner` times as far out."""
    angles = (math.radians(turn + 360 * i / count) for i in range(count))
    radii = (0.56 * (inner if i % 2 else 1.0) for i in range(count))
    return tuple((r * math.cos(a), r * math.sin(a)) for r, a in zip(radii, angles, strict=True))


def _plus(turn: float) -> Corners:
    arm, half = 0.56, 0.16
    one = ((half, half), (half, arm), (-half, arm))
    angles = [math.radians(turn + 90 * quarter) for quarter in range(4)]
    return tuple(
        (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a))
        for a in angles
        for x, y in one
    )


def _ring(inner: float) -> Corners:
    """The inner square of a hollow one, the other way round."""
    corners = [(inner * x, inner * y) for x, y in _regular(4, 45)]
    return (corners[0], *reversed(corners))


SHAPES: dict[str, Corners] = {
    "circle": (),
    "square": _regular(4, 45),
    "diamond": _regular(4),
    "up": _regular(3),
    "down": _regular(3, 270),
    "left": _regular(3, 180),
    "right": _regular(3, 0),
    "pentagon": _regular(5),
    "hexagon": _regular(6),
    "star": _regular(10, inner=0.45),
    "plus": _plus(0),
    "cross": _plus(45),
    "stroke": ((0.12, 0.6), (-0.12, 0.6), (-0.12, -0.6), (0.12, -0.6)),
    # Their outlines run there and back, so that what lies within the inner one is not filled.
    "hollow": (*_regular(4, 45), _regular(4, 45)[0], *_ring(0.7)),
    "pierced": (*_regular(4, 45), _regular(4, 45)[0], *_ring(0.4)),
    "lock": (
        *((0.4, -0.5), (0.4, 0.08), (0.3, 0.08), (0.3, 0.5), (-0.3, 0.5), (-0.3, 0.08)),
        *((-0.17, 0.08), (-0.17, 0.37), (0.17, 0.37), (0.17, 0.08), (-0.4, 0.08), (-0.4, -0.5)),
    ),
}


def inks_of(figure: Figure) -> list[str]:
    """The inks of a chart that mean something, the ones that matter most first: those of a point
    that is dragged and of what is filled, then by the width of their lines."""
    weights: dict[str, float] = {}
    for layer in figure.layers:
        for ink in (layer.ink, layer.below) if isinstance(layer, Heat) else (layer.ink,):
            if ink not in PLAIN:
                weights[ink] = max(weights.get(ink, 0.0), _weight(layer))
    return sorted(weights, key=lambda ink: (-weights[ink], _ORDER.get(ink, 0)))


def _weight(layer: Layer) -> float:
    if isinstance(layer, _FILLED):
        return math.inf
    return layer.width if isinstance(layer, Line) else 0.0


def told_apart(figure: Figure) -> Figure:
    """The figure with grey in place of inks beyond eight and of those that another one is taken
    for; these keep their dashes and markers."""
    inks = {layer.ink for layer in figure.layers} - PLAIN
    heats = sum(isinstance(layer, Heat) for layer in figure.layers)
    if len(inks) + heats <= MOST and inks.isdisjoint(_SHARING):
        return figure
    kept: list[str] = []
    for ink in inks_of(figure):
        if len(kept) < MOST and _TWIN.get(ink) not in kept and ink not in _GREYS:
            kept.append(ink)
    coloured = PLAIN.union(kept)
    if all(layer.ink in coloured for layer in figure.layers):
        return figure
    layers = (layer if layer.ink in coloured else greyed(layer) for layer in figure.layers)
    return replace(figure, layers=tuple(layers))


def greyed(layer: Layer) -> Layer:
    """A layer in grey, with the dash and the marker of its ink."""
    if isinstance(layer, Line):
        return replace(layer, ink=GREY, dash=layer.dash or layer.ink)
    if isinstance(layer, Dots):
        return replace(layer, ink=GREY, marker=layer.marker or layer.ink)
    return replace(layer, ink=GREY)
