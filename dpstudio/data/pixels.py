"""Columns that are the pixels of a picture, by their names."""

import re
from collections.abc import Iterable

_PIXEL = re.compile(r".*?(\d+)_(\d+)$")


def picture_shape(names: Iterable[str]) -> tuple[int, int] | None:
    """The rows and columns of a picture whose pixels are columns such as “pixel_2_7”, in the order
    of a page; None for others."""
    found = [_PIXEL.fullmatch(name) for name in names]
    if len(found) < 4 or not all(found):
        return None
    places = [(int(m[1]), int(m[2])) for m in found if m]
    (top, left), (down, across) = min(places), max(places)
    whole = [(y, x) for y in range(top, down + 1) for x in range(left, across + 1)]
    return (down - top + 1, across - left + 1) if places == whole else None


def pixels_of(names: Iterable[str]) -> tuple[str, ...]:
    """Those of these columns that are pixels, where they make a whole picture; else none."""
    found = tuple(name for name in names if _PIXEL.fullmatch(name))
    return found if picture_shape(found) is not None else ()
