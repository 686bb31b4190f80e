"""Words broken into lines. Needs no numpy: the window folds with it before anything is drawn."""

import re
from collections.abc import Callable

Measure = Callable[[str], tuple[float, float]]  # of a text: its width and height in px
# What stays together: up to a blank, but not one between a number and its sign, to a hyphen within
# a word, to a mark that parts clauses or names, or to a bracket, where no blank follows it.
_PARTS = re.compile(
    r"(?:\S|\s(?=%)|(?<=±)\s)+?"
    r"(?:(?<=[^\W\d])-(?=[^\W\d])|(?<!±)\s+(?!%)|(?<=[、，；])(?=\S)|(?<=\w)(?=（)|$)"
)


def folded(
    text: str, room: float, measure: Callable[[str], tuple[float, float]]
) -> tuple[str, ...]:
    """The text in lines no wider than `room`, broken at blanks, hyphens and marks; a word alone
    may be wider."""
    if measure(text)[0] <= room:  # nearly always
        return (text,)
    lines: list[str] = []
    for part in _PARTS.findall(text.strip()):
        longer = lines[-1] + part if lines else part
        if lines and measure(longer.rstrip())[0] <= room:
            lines[-1] = longer
        else:
            lines.append(part)
    return tuple(line.rstrip() for line in lines) or (text,)


def evenly(text: str, room: float, measure: Measure) -> tuple[str, ...]:
    """The same in as many lines, of which none is much shorter than it need be: "Sequential" over
    "(adding up)", not "up)" alone."""
    lines = folded(text, room, measure)
    while len(lines) > 1:
        widest = max([measure(line)[0] for line in lines])
        narrower = folded(text, widest - 1, measure)
        if len(narrower) > len(lines) or max([measure(line)[0] for line in narrower]) >= widest:
            break
        lines = narrower
    return lines
