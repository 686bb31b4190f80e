"""Ink names to colours: one set of hues, readable on a light and on a dark ground and apart for colour-blind eyes."""

from __future__ import annotations

from collections.abc import Mapping

_LIGHT = {
    "surface": "#ffffff",
    "ground": "#f5f5f3",
    "text": "#1c1e21",
    "muted": "#62666c",
    "grid": "#dfe1e4",
    "band": "#eef0ef",
    "accent": "#0b6bbf",
    "accent_soft": "#e5f0fa",
    "truth": "#111111",
    "answer": "#b3201f",
    "target": "#1f7a4d",
    "good": "#1f7a4d",
    "warn": "#8a5a00",
    "bad": "#b3201f",
    "laplace": "#0b6bbf",
    "geometric": "#7a4fb5",
    "gaussian": "#c2570c",
    "textbook": "#8a6d00",
    "staircase": "#007a70",
    "discrete_gaussian": "#b03a6b",
    "l2norm": "#557a00",
    "catastrophe": "#7a5230",
    "exponential": "#0b6bbf",
    "noisy_max": "#c2570c",
    "permute_flip": "#007a70",
    "sequential": "#62666c",
    "drv": "#8d5cc2",
    "tanh": "#b0347a",
    "optimal": "#1f7a4d",
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
    "truth": "#ffffff",
    "answer": "#ff8a80",
    "target": "#5fc796",
    "good": "#5fc796",
    "warn": "#e5b567",
    "bad": "#ff8a80",
    "laplace": "#5aaef5",
    "geometric": "#b99af0",
    "gaussian": "#f0a05a",
    "textbook": "#d9bd4f",
    "staircase": "#4fd0c2",
    "discrete_gaussian": "#f088b4",
    "l2norm": "#a9cf5a",
    "catastrophe": "#cfa07a",
    "exponential": "#5aaef5",
    "noisy_max": "#f0a05a",
    "permute_flip": "#4fd0c2",
    "sequential": "#a3a8af",
    "drv": "#c09af0",
    "tanh": "#ee8fc0",
    "optimal": "#6fd3a2",
}


def palette(dark: bool) -> Mapping[str, str]:
    """Ink name to "#rrggbb"."""
    return _DARK if dark else _LIGHT
