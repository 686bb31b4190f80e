"""Ink names to colours: one set of hues, readable on a light and on a dark ground and apart for
colour-blind eyes."""

from collections.abc import Mapping
from functools import lru_cache

from dpstudio.charts.ink_table import INKS

_LIGHT, _DARK = (
    {name: getattr(ink, ground) for name, ink in INKS.items() if ink.light}
    for ground in ("light", "dark")
)
# Printers lose pale greys: 3 : 1 on white for lines, 7 : 1 for words.
_PRINT = (
    _LIGHT
    | {"text": "#000000", "muted": "#46494e", "grid": "#8e9297", "band": "#e6e8e7"}
    | {"hair": "#dcdcd8", "axis": "#8e9297"}
)


# A projector in a room with daylight swallows what hardly differs from the ground: on a stage what
# lies behind, and may have a name, is stronger. Hairlines are not: they mean nothing.
_STAGE = {
    False: _LIGHT | {"grid": "#d2d4d7", "band": "#d4d6d8"},
    True: _DARK | {"grid": "#5c6269", "band": "#5c6269"},
}


_BLACK, _THROWN = 0.25, 2.2  # of a projector; and the least contrast of words through it


@lru_cache(maxsize=8)
def palette(dark: bool, printed: bool = False, stage: bool = False) -> Mapping[str, str]:
    """Ink name to "#rrggbb", on a screen, on the `stage` of a room, or `printed` on white."""
    if stage:
        return _STAGE[dark]
    return _PRINT if printed else _DARK if dark else _LIGHT


def word_ink(inks: Mapping[str, str], name: str, stage: bool = False) -> str:
    """An ink for words: mixed towards the colour of text until it reads on the surface at 4.5 : 1
    (WCAG 2.1, 1.4.3); strokes need 3 : 1 only. On a `stage` also through a projector."""
    text = inks["text"]
    return _readable(inks.get(name, text), text, inks.get("surface", "#ffffff"), stage)


@lru_cache(maxsize=256)
def _readable(ink: str, text: str, ground: str, stage: bool) -> str:
    (a, b), mixed = (rgb(ink), rgb(text)), ink
    for step in range(26):
        mixed = "#" + "".join(
            f"{round(x + (y - x) * step / 25):02x}" for x, y in zip(a, b, strict=True)
        )
        if contrast(mixed, ground) >= 4.5 and not (stage and thrown(mixed, ground) < _THROWN):
            break
    return mixed


def rgb(ink: str) -> tuple[int, ...]:
    """#rrggbb as three numbers of 0 … 255."""
    return tuple(int(ink[i : i + 2], 16) for i in (1, 3, 5))


def contrast(one: str, two: str) -> float:
    """The contrast of two inks, 1 to 21 (WCAG 2.1)."""
    low, high = sorted(map(_luminance, (one, two)))
    return (high + 0.05) / (low + 0.05)


def thrown(one: str, two: str) -> float:
    """The same as a projector shows them whose black is a quarter of white: at most 3.5."""
    low, high = sorted(_BLACK + (1 - _BLACK) * _luminance(ink) for ink in (one, two))
    return (high + 0.05) / (low + 0.05)


def _luminance(ink: str) -> float:
    r, g, b = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in rgb(ink))
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
