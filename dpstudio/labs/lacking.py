"""What a table lacks, in words that name its columns."""

from collections.abc import Iterable

from dpstudio.data.dataset import Dataset
from dpstudio.labs.winners import listed
from dpstudio.values.messages import N_, Message, Num, say

_MOST = 6  # names in a sentence


def short(names: Iterable[str]) -> Message:
    """Names in a sentence, not too many; at least one."""
    every = list(names)
    shown = [say("“{name}”", name=name) for name in every[:_MOST]]
    if len(every) > _MOST:
        shown.append(say("{n} more", n=Num(len(every) - _MOST)))
    return listed(shown)


def no_rows(data: Dataset) -> Message:
    """That a table has columns and nothing else."""
    text = N_("The table has no rows below {columns}. Open another table.")
    return say(text, columns=short(c.name for c in data.columns))


def none_together(names: Iterable[str]) -> Message:
    """That no row has a value in all of these columns."""
    return say("No row has a value in all of {columns}. Name fewer columns.", columns=short(names))


def few_together(rows: int, names: Iterable[str]) -> Message:
    """That hardly a row has a value in all of these columns, to learn from."""
    text = N_(
        "{n} {n:row has|rows have} a value in all of {columns}: too few to learn from and to test "
        "with. Open another table, or choose columns with fewer missing values."
    )
    return say(text, n=Num(rows), columns=short(names))


def few_to_hide(rows: int, names: Iterable[str]) -> Message:
    """That nobody can be like another one by these columns."""
    text = N_(
        "{n} {n:row is|rows are} too few to hide among others by {columns}. Open another table."
    )
    return say(text, n=Num(rows), columns=short(names))
