"""What a tale is: a small story about privacy with parameters of its own, told in figures, facts,
sentences and a shown table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from dpstudio.charts.figure import Array, Axis, Columns, Figure, Layer, Line, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.findings import Findings
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.values.messages import Say, say
from dpstudio.values.params import Kind
from dpstudio.values.problem import Problem

_POINTS = 401


@dataclass(frozen=True)
class Desk:
    """What a tale is told from: the table, the draws, and whether exact answers may be shown."""

    data: Dataset
    seed: int
    trials: int
    show_truth: bool


@dataclass(frozen=True)
class Story(Kind):
    """Base of the tales. A member gives `tell`."""

    help: ClassVar[str] = ""

    def tell(self, desk: Desk) -> Findings:
        raise NotImplementedError

    def problems(self, data: Dataset) -> Iterator[Problem]:
        """Why this table cannot tell it, at a field of the tale."""
        yield from ()

    def suited(self, data: Dataset) -> Self:
        return self


@dataclass(frozen=True)
class Voice:
    """One curve of a story: its key, ink, name, noise and dash."""

    key: str
    ink: str
    label: Say
    law: Law
    dash: str = "solid"


def noise_chart(
    title: Say,
    subtitle: Say,
    x_label: Say,
    voices: tuple[Voice, ...],
    source: str,
    middles: Mapping[str, float] | None = None,
) -> Figure:
    """The exact densities of several noises over each other; `middles` moves some of them along."""
    centres = middles or {}
    reach = nice_above(
        1.05 * float(np.median([v.law.half_width(0.97) for v in voices]))
        + max(map(abs, centres.values()), default=0.0)
    )
    x = np.linspace(-reach, reach, _POINTS)
    layers: list[Layer] = []
    tops = []
    for voice in voices:
        centre = centres.get(voice.key, 0.0)
        at = np.sort(np.append(x, centre)) if abs(centre) < reach else x
        y = voice.law.density(at - centre)
        tops.append(float(y.max()))
        layers.append(Line(voice.key, voice.ink, voice.label, at, y, dash=voice.dash))
    return Figure(
        "noise",
        title,
        Axis(x_label, range=(-reach, reach)),
        Axis(say("density"), range=(0.0, nice_above(1.05 * max(tops))), hidden=True),
        tuple(layers),
        subtitle,
        source=source,
    )


def bars_chart(
    key: str,
    title: Say,
    subtitle: Say,
    y_label: Say,
    bars: tuple[tuple[str, str, Say, float], ...],
    source: str = "",
    names: tuple[str, ...] = (),
    x_label: Say | str = "",
) -> Figure:
    """Bars side by side, each with a label above it: (key, ink, label, height). Short `names` may
    stand below them."""
    heights = [height for *_, height in bars]
    layers: list[Layer] = []
    for i, (name, ink, label, height) in enumerate(bars):
        layers.append(Columns(name, ink, "", [float(i)], [height], 0.62))
        # The name runs along the upper edge of its bar.
        layers.append(
            Line(f"{name}_name", ink, label, [i - 0.4, i + 0.4], [height, height], width=1.5)
        )
    return Figure(
        key,
        title,
        Axis(
            x_label,
            range=(-0.7, len(bars) - 0.3),
            hidden=not names,
            ticks=tuple((float(i), name) for i, name in enumerate(names)) or ((-0.7, ""),),
        ),
        Axis(y_label, range=(0.0, nice_above(1.22 * max(heights)))),
        tuple(layers),
        subtitle,
        source=source,
    )


def curve(key: str, ink: str, label: Say | str, x: Array, y: Array, dash: str = "solid") -> Line:
    return Line(key, ink, label, x, y, dash=dash)
