"""Ink names to colours: one set of hues, readable on a light and on a dark ground and apart for
colour-blind eyes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

_LIGHT = {
    "surface": "#ffffff",
    "ground": "#f5f5f3",
    "text": "#1c1e21",
    "muted": "#62666c",
    "grid": "#dfe1e4",
    "band": "#eef0ef",
    "accent": "#0b6bbf",
    "accent_soft": "#e5f0fa",
    "truth": "#16181c",
    "answer": "#530868",
    "target": "#84879b",
    "good": "#1a7f45",
    "warn": "#8a5a00",
    "bad": "#c02626",
    "first": "#0179cf",
    "second": "#b8787a",
    "limit": "#b8787a",
    "third": "#3f3c13",
    "laplace": "#0179cf",
    "geometric": "#1042c4",
    "gaussian": "#e75305",
    "textbook": "#5b4b04",
    "staircase": "#024f49",
    "discrete_gaussian": "#a63a6f",
    "l2norm": "#5f6949",
    "catastrophe": "#461508",
    "exponential": "#0a6c77",
    "noisy_max": "#d26e05",
    "permute_flip": "#a059ba",
    "sequential": "#767777",
    "drv": "#ce68a8",
    "tanh": "#780000",
    "optimal": "#3973f4",
    "kov35": "#7a3a63",
    "kov33": "#3c5a46",
    "zcdp": "#968c6e",
    "zcdp_tight": "#4e35ae",
    "renyi": "#78641e",
    "gdp": "#789628",
    "pld": "#07174e",
    "reported": "#b8787a",
    "grr": "#0179cf",
    "sue": "#1042c4",
    "oue": "#e75305",
    "she": "#5b4b04",
    "the": "#a63a6f",
    "olh": "#024f49",
    "subset": "#5f6949",
    "hadamard": "#461508",
    "fair_coins": "#1042c4",
    "biased_coins": "#e75305",
    "warner": "#a63a6f",
    "local_laplace": "#0179cf",
    "duchi": "#e75305",
    "piecewise": "#024f49",
    "hybrid": "#a63a6f",
}
_DARK = {
    "surface": "#1d2024",
    "ground": "#141619",
    "text": "#e9eaec",
    "muted": "#a3a8af",
    "grid": "#383c42",
    "band": "#272b2f",
    "accent": "#5aaef5",
    "accent_soft": "#1f3448",
    "truth": "#f4f4f2",
    "answer": "#ba7eb2",
    "target": "#b2bbbf",
    "good": "#58c98c",
    "warn": "#e5b567",
    "bad": "#ff8f85",
    "first": "#40abff",
    "second": "#816a19",
    "limit": "#816a19",
    "third": "#f4bca7",
    "laplace": "#40abff",
    "geometric": "#5474ed",
    "gaussian": "#ee890a",
    "textbook": "#90875b",
    "staircase": "#13eafd",
    "discrete_gaussian": "#c35880",
    "l2norm": "#e3e258",
    "catastrophe": "#f7b39f",
    "exponential": "#33d2f4",
    "noisy_max": "#eec514",
    "permute_flip": "#d5477d",
    "sequential": "#7c7c7c",
    "drv": "#d058a9",
    "tanh": "#a09600",
    "optimal": "#c5d5ff",
    "kov35": "#da9bbf",
    "kov33": "#5a8c5a",
    "zcdp": "#fadcbe",
    "zcdp_tight": "#b993fe",
    "renyi": "#8c6e0a",
    "gdp": "#bebe6e",
    "pld": "#eeedef",
    "reported": "#816a19",
    "grr": "#40abff",
    "sue": "#5474ed",
    "oue": "#ee890a",
    "she": "#90875b",
    "the": "#c35880",
    "olh": "#13eafd",
    "subset": "#e3e258",
    "hadamard": "#f7b39f",
    "fair_coins": "#5474ed",
    "biased_coins": "#ee890a",
    "warner": "#c35880",
    "local_laplace": "#40abff",
    "duchi": "#ee890a",
    "piecewise": "#13eafd",
    "hybrid": "#c35880",
}


# Printers lose pale greys: 3 : 1 on white for lines, 7 : 1 for words.
_PRINT = _LIGHT | {"text": "#000000", "muted": "#46494e", "grid": "#8e9297", "band": "#e6e8e7"}


@lru_cache(maxsize=4)
def palette(dark: bool, printed: bool = False) -> Mapping[str, str]:
    """Ink name to "#rrggbb", on a screen or `printed` on white."""
    return _PRINT if printed else _DARK if dark else _LIGHT


def word_ink(inks: Mapping[str, str], name: str) -> str:
    """An ink for words: mixed towards the colour of text until it reads on the surface at 4.5 : 1
    (WCAG 2.1, 1.4.3); strokes need 3 : 1 only."""
    text = inks["text"]
    return _readable(inks.get(name, text), text, inks.get("surface", "#ffffff"))


@lru_cache(maxsize=256)
def _readable(ink: str, text: str, ground: str) -> str:
    (a, b), mixed = (rgb(ink), rgb(text)), ink
    for step in range(26):
        mixed = "#" + "".join(
            f"{round(x + (y - x) * step / 25):02x}" for x, y in zip(a, b, strict=True)
        )
        if contrast(mixed, ground) >= 4.5:
            break
    return mixed


def rgb(ink: str) -> tuple[int, ...]:
    """#rrggbb as three numbers of 0 … 255."""
    return tuple(int(ink[i : i + 2], 16) for i in (1, 3, 5))


def contrast(one: str, two: str) -> float:
    """The contrast of two inks, 1 to 21 (WCAG 2.1)."""
    low, high = sorted(map(_luminance, (one, two)))
    return (high + 0.05) / (low + 0.05)


def _luminance(ink: str) -> float:
    r, g, b = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in rgb(ink))
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
