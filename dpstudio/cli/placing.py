"""Places of the texts in the words of a call: which there are, and the state that shows one."""

import sys
from collections.abc import Iterator
from typing import Any

from dpstudio.cli.parsing import PLACE, UsageError
from dpstudio.files.language import shown, tr
from dpstudio.values.lines import padded
from dpstudio.values.messages import N_, listed, say


def place_lines(asked: str) -> Iterator[str]:
    """A line for every place, or for those of a text, of a chapter, or of a name. Raises
    UsageError where there is none."""
    from dpstudio.files.companion import places_named, texts

    among = {place for text in texts() if text.key == asked for place in text.places}
    among |= set(places_named(asked)) if asked else set()
    if asked and not among:
        known = listed(text.key for text in texts())
        why = N_(
            "No place of the texts is called “{asked}”. Say a text ({known}), “chapter 3”, or "
            "“listing 4.7”; without a word all are listed."
        )
        raise UsageError(say(why, asked=asked, known=known))
    for text in texts():
        yield from (_line(place) for place in text.places if not asked or place in among)


def _line(place: Any) -> str:
    told = " ".join(place.words)
    if place.out:
        told = shown(say("not here: {why}", why=say(place.out)))
    return f"{place.key:32} {padded(tr(place.about), 60)} {told}"


def words_of_place(words: list[str]) -> list[str]:
    """The words of a call with the lab, the settings and the table of a place in its stead; what
    else is said stands after them and counts. Raises UsageError, ParamError."""
    from dpstudio.files.companion import place_named

    at = words.index(PLACE)
    if at + 1 == len(words):
        text = N_("Say which place after {option}; “dpstudio places” lists them.")
        raise UsageError(say(text, option=PLACE))
    place = place_named(words[at + 1])
    place.lab()  # which raises where it is out of scope
    print(f"dpstudio: {tr(place.about)}", file=sys.stderr)
    if place.prints:
        has = say("the text has there: {what}", what=say(place.prints))
        print(f"dpstudio: {shown(has)}", file=sys.stderr)
    if place.erratum:
        corrected = " ".join(place.corrected_words)
        also = say("see also: {call}", call=f"dpstudio run {corrected}")
        print(f"dpstudio: {shown(also)}", file=sys.stderr)
    rest = [*words[:at], *words[at + 2 :]]
    table = [] if "--data" in rest else ["--data", place.table]
    return [*place.words, *table, *rest]
