"""Places of the texts in the words of a call: which there are, and the state that shows one."""

import sys
from collections.abc import Iterator
from typing import Any

from dpstudio.cli.parsing import PLACE, UsageError


def place_lines(asked: str) -> Iterator[str]:
    """A line for every place, or for those of a text, of a chapter, or of a name. Raises
    UsageError where there is none."""
    from dpstudio.files.companion import places_named, texts

    among = {place for text in texts() if text.key == asked for place in text.places}
    among |= set(places_named(asked)) if asked else set()
    if asked and not among:
        known = ", ".join(text.key for text in texts())
        raise UsageError(
            f"No place of the texts is called “{asked}”. Say a text ({known}), “chapter 3”, or "
            "“listing 4.7”; without a word all are listed."
        )
    for text in texts():
        yield from (_line(place) for place in text.places if not asked or place in among)


def _line(place: Any) -> str:
    told = f"not here: {place.out}" if place.out else " ".join(place.words)
    return f"{place.key:32} {place.about:60} {told}"


def words_of_place(words: list[str]) -> list[str]:
    """The words of a call with the lab, the settings and the table of a place in its stead; what
    else is said stands after them and counts. Raises UsageError, ParamError."""
    from dpstudio.files.companion import place_named

    at = words.index(PLACE)
    if at + 1 == len(words):
        raise UsageError(f"Say which place after {PLACE}; “dpstudio places” lists them.")
    place = place_named(words[at + 1])
    place.lab()  # which raises where it is out of scope
    print(f"dpstudio: {place.about}", file=sys.stderr)
    if place.prints:
        print(f"dpstudio: the text has there: {place.prints}", file=sys.stderr)
    if place.erratum:
        corrected = " ".join(place.corrected_words)
        print(f"dpstudio: see also: dpstudio run {corrected}", file=sys.stderr)
    rest = [*words[:at], *words[at + 2 :]]
    table = [] if "--data" in rest else ["--data", place.table]
    return [*place.words, *table, *rest]
