"""What a script is told of the columns that a model learns from."""

from collections.abc import Sequence

from dpstudio.labs.scripted import Known, NoScript
from dpstudio.values.messages import say

BOUNDS, WORDS = "bounds", "words"  # what the script takes from the data, where nobody told it
Told = tuple[float | str, ...] | str


def told_of(known: Known, name: str, *, classes: bool = False) -> Told:
    """The bounds or words of a column that are told or published, else what of it the script
    takes from the data. With `classes` numbers are words."""
    given = known.about(name), known.documented(name)
    listed = next((about.categories for about in given if about.categories), ())
    if listed:
        return listed
    if known.type_of(name) == "category" or classes:
        return WORDS
    ends = ((about.low, about.high) for about in given)
    return next(((low, high) for low, high in ends if low is not None and high is not None), BOUNDS)


def told_of_all(known: Known, names: Sequence[str]) -> dict[str, Told]:
    """The same of several columns, by their names. Raises NoScript where none is named."""
    if not names:
        raise NoScript(
            say(
                "Which columns are used follows here from what they hold, and a script is written "
                "without looking. Name them."
            )
        )
    return {name: told_of(known, name) for name in names}
