"""How a chart is put on paper or on a slide: its size in mm, its type in points, and what stands
around the art."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dpstudio.values.messages import N_

DPI = 96  # px an inch
FEWEST, MOST = 72, 1200  # dots an inch of a PNG
_MM = 25.4 / DPI
# A px of type is 3/4 pt: at this scale the 11, 12 and 14 px of a chart are 7.0, 7.7 and 8.9 pt.
_COLUMN = 0.85


@dataclass(frozen=True)
class Paper:
    """`width` and `height` are in mm, `scale` is that of type and strokes (1: 12 px, which are 9
    pt). The art is so high, and words above and below it come on top; where the size is `fixed`,
    they take of it. Without `screen` the ground is white and greys are dark enough for print. `dpi`
    is that of a PNG."""

    width: float
    height: float
    scale: float = _COLUMN
    title: bool = True
    caption: bool = True
    footer: bool = True
    screen: bool = False
    fixed: bool = False
    dpi: int = 300

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in px at 96 dpi."""
        return self.width / _MM, self.height / _MM


# The columns of most journals; a slide of 16 : 9 with type from 16 pt, a poster with type from 23.
PAPERS: Mapping[str, Paper] = {
    "one-column": Paper(85, 56),
    "two-columns": Paper(178, 80),
    "slide": Paper(338.667, 190.5, 2.0, fixed=True),
    "poster": Paper(400, 220, 2.8),
}
PAPER_NAMES: Mapping[str, str] = {
    "one-column": N_("One column, 85 mm"),
    "two-columns": N_("Two columns, 178 mm"),
    "slide": N_("Slide, 16 : 9"),
    "poster": N_("Poster, 400 mm"),
}


def in_mm(svg: str) -> str:
    """A picture whose size is told in mm: programs do not agree on how long a px is."""
    head = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox=')

    def told(found: re.Match[str]) -> str:
        wide, high = (f"{float(side) * _MM:.3f}" for side in found.groups())
        return f'width="{wide}mm" height="{high}mm" viewBox='

    return head.sub(told, svg, count=1)
