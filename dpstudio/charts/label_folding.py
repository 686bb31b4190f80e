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
