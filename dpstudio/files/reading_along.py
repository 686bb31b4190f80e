"""A chapter of a text as a lesson: a step for each of its places that is shown, and one more where
what is printed there is wrong."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpstudio.files.companion import Chapter, Place, Text
from dpstudio.files.language import shown
from dpstudio.files.talk import Step, Talk
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import N_

# How a place is said, in the language of the reader.
Tell = Callable[[Place], str]
AS_PRINTED = N_("{place}, as printed and corrected")


def _corrected(place: Place) -> bool:
    return bool(place.words and place.corrected_words not in ((), place.words))


def _steps(place: Place, tell: Tell, corrected: Tell) -> Iterator[Step]:
    if not place.words:
        return
    told = tell(place).replace("{", "(").replace("}", ")")  # in a step they would name a number
    yield Step(
        shown(place.title), place.lab(), place.table, say=told, chart=place.chart, ask=place.ask
    )
    if _corrected(place):
        yield Step(corrected(place), lab_of_words(place.corrected_words), place.table, say=told)


def lesson_of(
    text: Text, chapter: Chapter, name: str, tell: Tell, corrected: Tell, *, asking: bool = False
) -> Talk:
    """The chapter, gone through place by place under this name; or the places of it that ask, each
    with its question. `corrected` names the step after a place that is printed wrongly."""
    if asking:
        among = [place for place in chapter.places if place.ask is not None]
    else:  # who looks a place up is not asked first
        among = [replace(place, ask=None) for place in chapter.places]
    steps = (step for place in among for step in _steps(place, tell, corrected))
    return Talk(name, tuple(steps), text.by, lesson=True)


def first_step(chapter: Chapter, place: Place) -> int:
    """The number of the step of that lesson that shows a place."""
    earlier = chapter.places[: chapter.places.index(place)]
    return sum(bool(each.words) + _corrected(each) for each in earlier)
