"""What stands below a chart that leaves: paragraphs, of which so much is drawn as has room. What is
left out stands in the file beside the drawing."""

from collections.abc import Sequence
from typing import NamedTuple

from dpstudio.files.write.text_width import wrapped

_MORE = "…"


class Part(NamedTuple):
    """A sentence or a setting. One of rank 0 is never left out, one of a higher rank the sooner."""

    text: str
    rank: int = 0


class Paragraph(NamedTuple):
    """Parts in their order, which begin a line. Where a list of settings is cut, it says so."""

    parts: tuple[Part, ...]
    joint: str = " "
    listed: bool = False

    @property
    def text(self) -> str:
        """The whole of it."""
        return self.joint.join(part.text for part in self.parts)


def fitted(foot: Sequence[Paragraph], size: float, room: float, most: float) -> list[str]:
    """The paragraphs in lines of `room` px set in `size` px, at most so many where all that may be
    left out is."""
    places = [
        (part.rank, number, place)
        for number, paragraph in enumerate(foot)
        for place, part in enumerate(paragraph.parts)
        if part.text
    ]
    kept, full, lines = set[tuple[int, int]](), set[int](), list[str]()
    for rank, number, place in sorted(places):
        if number in full:
            continue
        tried = _lines(foot, {*kept, (number, place)}, size, room)
        if rank and len(tried) > most:
            full.add(number)  # nothing that follows from what is left out
        else:
            kept, lines = {*kept, (number, place)}, tried
    return lines


def _lines(
    foot: Sequence[Paragraph], kept: set[tuple[int, int]], size: float, room: float
) -> list[str]:
    out = list[str]()
    for number, paragraph in enumerate(foot):
        parts = [part.text for k, part in enumerate(paragraph.parts) if (number, k) in kept]
        if parts and paragraph.listed and len(parts) < len(paragraph.parts):
            parts.append(_MORE)
        out += wrapped(paragraph.joint.join(parts), size, room)
    return out
