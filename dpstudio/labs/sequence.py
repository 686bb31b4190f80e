"""Who sends what to whom, as a sequence: a line for each party, time downwards, an arrow for each
message with its name above, and beside it what it holds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dpstudio.charts.figure import Axis, Dots, Layer, Line, Words
from dpstudio.values.messages import Message, Num, say

BETWEEN = 0.28  # of the width, from the line of one party to that of the next
_FIRST, _ALONE, _ASIDE = 0.112, 0.18, 0.786  # of the first line, with columns and without; of them
_SHARES = 0.5, 0.9  # of what stands beside it, that words and number may have of one line
_HALF = 0.44  # of a row, for each of the two lines beside it
_ROOM = 0.97  # of the way to the next line, for a name
_BAR, _CLEAR = 0.13, 0.009  # half the height of a bar in rows, and from its middle to an arrow
_NEXT, _HEAD = 0.5, 0.3  # of a row: from one to the next half, and above the first


@dataclass(frozen=True)
class Sent:
    """One message, from one party to another; what is sent by nobody stays where it is. `locked`:
    its receiver cannot read it. `holds`, `about` and `size` stand beside it, the last loudly where
    it was `counted`."""

    key: str
    one: str
    other: str
    ink: str
    name: Message
    locked: bool = False
    holds: Message | str = ""
    about: Message | str = ""
    size: Message | str = ""
    counted: bool = True


def axes(count: int) -> tuple[Axis, Axis]:
    """The axes of so many messages, which nobody sees: shares of the width, and rows."""
    across = Axis("", range=(0.0, 1.0), hidden=True)
    return across, Axis("", range=(-count - _NEXT, _HEAD), hidden=True)


def sequence(
    parties: Mapping[str, Message], sent: Sequence[Sent], columns: tuple[Message, Message] | None
) -> tuple[Layer, ...]:
    """The layers: `columns` are the heads of what stands beside; None: nothing does."""
    first, step = (_FIRST, BETWEEN) if columns else (_ALONE, 0.5 - _ALONE)
    at = {party: first + k * step for k, party in enumerate(parties)}
    room = min(_ROOM * step, 2 * first)
    layers: list[Layer] = []
    for party, x in at.items():
        ends = [-0.35, -len(sent) - _NEXT]
        layers.append(Line(f"life_{party}", "axis", "", [x, x], ends, "solid", 1.0, behind=True))
    heads = tuple(parties.values())
    top = [0.0] * len(heads)
    layers.append(
        Words(
            "parties",
            "text",
            "",
            heads,
            [*at.values()],
            top,
            room=room,
            strong=True,
            lines=1,
            tall=0.7,
        )
    )
    if columns:
        for head, anchor, x, share in zip(
            columns, ("start", "end"), (_ASIDE, 1.0), _SHARES, strict=True
        ):
            wide, key = share * (1.0 - _ASIDE), f"head_{anchor}"
            layers.append(
                Words(key, "muted", "", (head,), [x], [0.0], anchor, room=wide, lines=1, tall=0.7)
            )
    for row, message in enumerate(sent, 1):
        layers += _message(row, message, at, step)
    return tuple(layers)


def _message(row: int, sent: Sent, at: Mapping[str, float], step: float) -> Iterator[Layer]:
    start, end, y, key = at[sent.one], at[sent.other], -float(row), f"{row}_{sent.key}"
    way = (end > start) - (end < start)
    number = (say("{n}", n=Num(row)),)
    if row > 1:
        hair = [y + _NEXT, y + _NEXT]
        yield Line(f"{row}_hair", "hair", "", [0.0, 1.0], hair, "solid", 1.0, behind=True)
    yield Words(f"{row}_number", "muted", "", number, [0.0], [y], "start", strong=True, tall=1.0)
    if way:
        for x in (x for x in at.values() if min(start, end) <= x <= max(start, end)):
            bar = [y - _BAR, y + _BAR]
            yield Line(f"{row}_bar_{x:.2f}", sent.ink, "", [x, x], bar, "solid", 6.0)
        ends = [start + way * _CLEAR, end - way * _CLEAR]
        yield Line(key, sent.ink, "", ends, [y, y], "solid", 2.0, arrow=True)
        # Above the last stretch: over a longer arrow it would stand on the line of a third party.
        middle = max(start, end) - step / 2
        lock = "lock" if sent.locked else ""
        x, up, anchor = middle, 0.75, "middle"
    else:
        yield Dots(key, sent.ink, "", [start], [y], marker="circle")
        x, up, anchor, lock = start + 0.02, 0.0, "start", ""
    name, texts, room = f"{key}_name", (sent.name,), _ROOM * step
    yield Words(
        name,
        sent.ink,
        "",
        texts,
        [x],
        [y],
        anchor,
        up,
        room,
        strong=True,
        mark=lock,
        lines=1 + bool(way),
        tall=0.75,
    )
    yield from _beside(row, sent, y)


def _beside(row: int, sent: Sent, y: float) -> Iterator[Words]:
    """What a message holds, and under that its number of bytes at the right end."""
    width = 1.0 - _ASIDE
    for name, text, ink, x, anchor, up, share in (
        ("holds", sent.holds, "text", _ASIDE, "start", 0.5, 1.0),
        ("about", sent.about, "muted", _ASIDE, "start", -0.5, _SHARES[0]),
        ("size", sent.size, sent.ink if sent.counted else "muted", 1.0, "end", -0.5, _SHARES[1]),
    ):
        if text:
            strong = name == "size" and sent.counted
            room = share * width
            key = f"{row}_{name}"
            yield Words(
                key, ink, "", (text,), [x], [y], anchor, up, room, strong, lines=1, tall=_HALF
            )


def until(layers: Sequence[Layer], step: int) -> tuple[Layer, ...]:
    """The layers without the messages after number `step`."""
    rows = ((layer, layer.key.partition("_")[0]) for layer in layers)
    return tuple(layer for layer, row in rows if not (row.isdigit() and int(row) > step))
