"""Where the names of a chart stand: curves in a gutter at the right, at the height of their ends;
what stands upright above its upper end; what fills in a key. Pure, shared by the live view and the
SVG writer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from dpstudio.charts.figure import Figure
from dpstudio.charts.inks import Corners, Stroke, sampled
from dpstudio.charts.label_ends import ONE_PX
from dpstudio.charts.label_folding import evenly, folded
from dpstudio.charts.label_gutter import room_for_names, spread
from dpstudio.charts.label_head import Standing, Upright, passed, stood
from dpstudio.charts.label_names import Name, names_of
from dpstudio.charts.scaling import Measure
from dpstudio.values.messages import Message, Num, render, say

Points = tuple[tuple[float, float], ...]
_LOOSE = 0.12  # of a line, that names stand apart where there is room
_TIGHT = 0.9  # of the usual distance of lines, where there are many
# Of a picture: the width that names take at most, and the height that they may fill with a key.
_MOST, _FULL = 0.42, 0.8
_OVER = 0.42  # of a line, that the first name may stand above the plot
_MARK, _SAMPLE = 1.1, 1.5  # how many lines wide the mark of a key is, and the sample of a stroke
_NEAR = 0.05  # of the plot, that a curve may end before its edge and have a line lead to its name
# In lines: a picture that is at least so wide has a gutter of one width; a name and its value.
WIDE, _GUTTER, _APART = 37, 11, 0.8
# Of a hero, whose names are larger: how high it is at least, its gutter, and how far apart a few
# of them stand.
_HIGH, _OF_HERO, _FREE, _FEW = 14, 9.9, 0.65, 6
_SMALL = 12, 400  # px at normal type and weight, of the head of values
LEAD = 1.5  # lines between the plot and the names beside it


GROUND = "ground"


class Placed(NamedTuple):
    """The name of a layer: px from the top left of the plot area, y down, of its text box.

    `leader` is drawn from the end of a curve to the name, `dotted` along the row of a bracket; a
    `swatch` ("dot" or "box", the mark of what has no end) stands left of the text, a line high: of
    the `opacity` of what fills, or of the `corners` of the marker of dots (none: a circle). GROUND
    fills the whole box.
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
    opacity: float = 1.0
    corners: Corners = ()
    value: str = ""  # right-aligned at the end of its first line
    type: tuple[int, int] = (0, 0)  # px at normal type and weight; none: those of names
    sample: Stroke | None = None  # of what leads to it, or drawn before the name where nothing does

    @property
    def sampled(self) -> Points:
        """Where its stroke is drawn: what leads to it, or the two ends of a sample."""
        if self.leader:
            return self.leader
        line, middle = self.height / len(self.lines), self.y + self.height / 2
        return (self.x - 1.3 * line, middle), (self.x - 0.35 * line, middle)

    @property
    def text(self) -> str:
        """The name in one line."""
        said = self.name
        return f"{said}: {self.value}" if self.value else said

    @property
    def name(self) -> str:
        """The same without its value."""
        return "".join(f"{line} " if line[-1:] != "-" else line for line in self.lines).strip()


@dataclass(frozen=True)
class Layout:
    """The room that names take at the right of the plot area and above it, in px; the names; and
    the curves that are not drawn because another is the same to the eye; what lies under names."""

    gutter: float = 0.0
    head: float = 0.0
    labels: tuple[Placed, ...] = ()
    merged: frozenset[str] = frozenset()
    grounds: tuple[Placed, ...] = ()


def place_labels(
    figure: Figure,
    width: float,
    height: float,
    measure: Measure,
    *,
    least: tuple[float, float] = (0.0, 0.0),
    clear: float = 0.0,
    text: Callable[[Message | str], str] = render,
    hero: bool = False,
) -> Layout:
    """Names for the visible layers of a plot area that takes width x height px with its names.

    `least` is the gutter and head to keep at least, so that a plot does not shift to and fro under
    the hand; the title of its y axis reaches to `clear` px in the upper row of the head. Names of
    a `hero` are larger, and so stand further apart in a gutter that is as wide as it was.
    """
    if not min(width, height) > 2 * (line := measure("Ag")[1]):
        return Layout()
    names, merged = names_of(figure, 0.8 * height, line, text)
    lead = LEAD * line
    keys = [name for name in names if name.kind in ("dot", "box")]
    ends = [_led(name) for name in names if name.kind in ("end", "spot")]
    over: list[Name] = []
    # What stands upright has a row above the plot, if not more.
    left = height - line * (not {"stem", "over"}.isdisjoint([name.kind for name in names]))
    if not _roomy(keys, ends, width, left, line, measure):
        ends = [name.narrow(text) for name in ends]
    lines = _in_lines([*keys, *ends], width, left, line, measure)
    if _crowded(lines, width, left, line):
        over = [*keys, *(name._replace(kind="dot") for name in ends if name.kind == "spot")]
        ends = [name for name in ends if name.kind == "end"]
    elif not ends:
        over = keys
    beside = [] if over else keys
    if over:
        lines = _in_lines(ends, width, left, line, measure)
    across = max([lead + w for _, w in lines.values()], default=0.0)
    gutter = min(max(across, _least(hero, across, width, line), least[0]), 0.6 * width)
    head, above = _head(names, over, width, gutter, clear, line, measure)
    head = min(max(head, least[1]), 0.5 * height)
    plot = width - gutter, height - head
    # Names beside the plot may stand as high as what is named above it, where there is room.
    under = (one.y + one.height for one in above if one.x + one.width > plot[0])
    top = max([-max(_OVER * line, head), *under])
    boxes = _Boxes(*plot, gutter, line, lead, top, _loose(hero, len(lines)), measure, text)
    labels = boxes.aside(beside, ends, {k: parts for k, (parts, _) in lines.items()})
    labels = [*(_down(label, plot[1]) for label in above), *labels]
    labels += _told(text(figure.told).strip(), labels, width, head, measure)
    return Layout(gutter, head, tuple(labels), merged)


def large(width: float, height: float, line: float) -> bool:
    """Whether a picture in lines of that height is one of a hero."""
    return width >= WIDE * line and height >= _HIGH * line


def _least(hero: bool, across: float, width: float, line: float) -> float:
    """The px that a gutter with names takes at least."""
    return line * (_OF_HERO if hero else _GUTTER) if across and width >= WIDE * line else 0.0


def _loose(hero: bool, many: int) -> float:
    """The lines that so many names stand apart where there is room."""
    return _FREE if hero and many <= _FEW else _LOOSE


def _told(
    words: str, labels: list[Placed], width: float, head: float, measure: Measure
) -> list[Placed]:
    """The head of the values beside names, over the first of them where nothing else stands."""
    first = min((one for one in labels if one.value), key=lambda one: one.y, default=None)
    if not words or first is None:
        return []
    wide, line = measure(words)
    left, top = width - wide, first.y - line
    near = [one for one in labels if one.y < top + line and top < one.y + one.height]
    if top < -head or any(one.x + one.width > left - line for one in near):
        return []
    return [Placed("told", (words,), left, top, wide, line, "muted", type=_SMALL)]


def _led(name: Name) -> Name:
    """What ends far from its name has a mark or a sample instead of a line to it."""
    return name._replace(led=name.level or (name.led and 1 - name.x <= _NEAR))


def _in_lines(
    names: list[Name], width: float, height: float, line: float, measure: Measure
) -> dict[str, tuple[tuple[str, ...], float]]:
    """Names for the gutter in lines, each with the px that it takes across; they are folded less
    where the lines would need more than the height."""
    out: dict[str, tuple[tuple[str, ...], float]] = {}
    for room in (room_for_names(width), _MOST * width - LEAD * line):
        for name in names:
            beside = measure(name.value)[0] + _APART * line if name.value else 0.0
            beside += _mark(name) * line
            parts = evenly(name.text, room - beside, measure)
            out[name.key] = parts, beside + max([measure(part)[0] for part in parts])
        if sum([_tight(parts) for parts, _ in out.values()]) * line <= _FULL * height:
            break
    return out


def _mark(name: Name) -> float:
    """How many lines wide the mark or the sample before a name is."""
    if name.kind == "end":
        return 0.0 if name.led or name.stroke is None else _SAMPLE
    return 0.0 if name.kind == "spot" and name.led else _MARK


def _tight(parts: tuple[str, ...]) -> float:
    """The least height of a name in lines: those of other names come closer than its own."""
    return len(parts) - 1 + _TIGHT


def _crowded(
    lines: dict[str, tuple[tuple[str, ...], float]], width: float, height: float, line: float
) -> bool:
    """Whether names have no room beside a chart of this size: the widest leaves the plot too little
    of the width, or all together need most of the height."""
    wide = LEAD * line + max([w for _, w in lines.values()], default=0.0) > _MOST * width
    return wide or sum([len(parts) for parts, _ in lines.values()]) * line > _FULL * height


def _roomy(
    keys: list[Name], ends: list[Name], width: float, height: float, line: float, measure: Measure
) -> bool:
    """Whether all names stand beside a chart of this size with their values, which give way
    first."""
    if not any(name.value for name in ends):
        return True
    lines = _in_lines([*keys, *ends], width, height, line, measure)
    high = sum([_tight(parts) for parts, _ in lines.values()]) * line
    return high <= height and not _crowded(lines, width, height, line)


def _down(label: Placed, height: float) -> Placed:
    """The dotted part of a stem, given as a share of the height, in px."""
    if not label.dotted:
        return label
    (x, _), (_, foot) = label.dotted
    return label._replace(dotted=((x, 0.0), (x, foot * height)))


# Places


def _head(
    names: list[Name],
    keys: list[Name],
    width: float,
    gutter: float,
    clear: float,
    line: float,
    measure: Measure,
) -> tuple[float, list[Placed]]:
    """The height of the head and the names in it. A dotted stem ends at a share of the height. A
    key that needs one row begins right of the title of y, and stands in a row of what is upright
    where it has room there."""
    upright = [name for name in names if name.kind in ("stem", "over")]
    plot = width - gutter
    lines = [folded(name.text, width, measure) for name in upright]
    wide = [max([measure(part)[0] for part in parts]) for parts in lines]
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
    pad = _MARK * line
    whole = sum([measure(name.text)[0] + pad + line for name in keys]) - line
    x = start = clear if clear + whole <= width else 0.0
    upper = [
        (one, there) for one, there in zip(wanted, places, strict=True)
        if there.row + one.rows == rows
    ]  # fmt: skip
    free = start + whole <= width and all(passed(*pair, start, start + whole) for pair in upper)
    rows += bool(keys) and not (rows and free)
    for name in keys:
        w = measure(name.text)[0]
        if x > start and x + pad + w > width:
            x, rows = 0.0, rows + 1
        box = Placed(name.key, (name.text,), x + pad, -rows * line - 2, w, line, name.ink)
        out.append(_marked(box, name))
        x += pad + w + line
    return (rows * line + 4 if rows else 0.0), out


def _as_parted(ends: list[Name], near: float) -> list[Name]:
    """Those that end as one, within `near` of the height, in the order that they had where they
    parted. No line leads to them that could cross another; those to which one does keep theirs."""
    out, held = list[Name](), list[Name]()
    for name in ends:
        if held and name.y - held[-1].y >= near:
            out += _merged(held)
            held = []
        held.append(name)
    return out + _merged(held)


def _merged(names: list[Name]) -> list[Name]:
    """What no line leads to as it parted, and what one leads to in the order given, each before
    the first that parted below it."""
    out = sorted([one for one in names if not one.led], key=lambda one: one.parted)
    least = 0
    for name in [one for one in names if one.led]:
        below = [k for k, one in enumerate(out) if k >= least and one.parted > name.parted]
        at = below[0] if below else len(out)
        out.insert(at, name)
        least = at + 1
    return out


def _marked(box: Placed, name: Name) -> Placed:
    swatch = name.kind if name.kind in ("dot", "box") else ""
    sample = sampled(name.stroke) if name.stroke else None
    return box._replace(swatch=swatch, opacity=name.opacity, corners=name.corners, sample=sample)


@dataclass(frozen=True)
class _Boxes:
    """Puts names beside a plot area of width x height px, in lines `line` px high, `lead` px from
    it and from `top` on; where there is room `loose` lines apart."""

    width: float
    height: float
    gutter: float
    line: float
    lead: float
    top: float
    loose: float
    measure: Measure
    text: Callable[[Message | str], str]

    def aside(
        self, keys: list[Name], ends: list[Name], lines: dict[str, tuple[str, ...]]
    ) -> list[Placed]:
        """The names in the gutter: the key at its top, the others at the height of their ends."""
        # What leaves through the top leaves the sooner the higher it is; so does what leaves below.
        ends = sorted(ends, key=lambda one: (round(one.y, 3), one.x if one.y < 0.5 else -one.x))
        ends = _as_parted(ends, ONE_PX / self.height)
        names = [*keys, *ends]
        bottom = self.height + self.line / 2
        room = bottom - self.top
        names, lines = self._fitting(names, lines, room)
        sizes = [len(lines[name.key]) * self.line for name in names]
        spare = (room - sum(sizes)) / max(1, len(names)) / self.line
        gap = self.line * min(self.loose, max(_TIGHT - 1, spare))
        wanted = [-self.line if name in keys else name.y * self.height for name in names]
        near = min(gap, _LOOSE * self.line)  # brackets lie in rows, which their names stand on
        sizes = [s + (near if one.level else gap) for s, one in zip(sizes, names, strict=True)]
        at = spread(wanted, sizes, self.top, bottom)
        return [
            self._at(name, lines[name.key], float(middle), name in keys)
            for name, middle in zip(names, at, strict=True)
        ]

    def _fitting(
        self, names: list[Name], lines: dict[str, tuple[str, ...]], room: float
    ) -> tuple[list[Name], dict[str, tuple[str, ...]]]:
        """As many names as have room, and how many more there are."""
        needs = [_tight(lines[name.key]) * self.line for name in names]
        if sum(needs) <= room:
            return names, lines
        kept, used = 0, _TIGHT * self.line
        while kept < len(names) and used + needs[kept] <= room:
            used += needs[kept]
            kept += 1
        more = self.text(say("{n} more", n=Num(float(len(names) - kept))))
        last = Name("", more, "muted", names[-1].x, 1.0)
        return [*names[:kept], last], {**lines, "": (more,)}

    def _at(self, name: Name, lines: tuple[str, ...], middle: float, key: bool) -> Placed:
        high = len(lines) * self.line
        wide, mark = max([self.measure(part)[0] for part in lines]), _mark(name) * self.line
        gx = self.width + self.lead
        box = Placed(name.key, lines, gx, middle - high / 2, wide, high, name.ink)
        if not name.key:
            return box
        if name.value:
            box = box._replace(value=name.value, width=self.gutter - self.lead - mark)
        if key or not name.led:
            kind = "dot" if name.kind == "spot" else name.kind
            return _marked(box._replace(x=gx + mark), name._replace(kind=kind))
        x, y = name.x * self.width, name.y * self.height
        leader = (self.width + 2, y), (self.width + 5, y), (gx - 7, middle), (gx - 3, middle)
        dotted = ((x + 4, y), (self.width, y)) if name.level and self.width - x > 4 else ()
        return box._replace(leader=leader, dotted=dotted)
