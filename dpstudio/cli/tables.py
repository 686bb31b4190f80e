"""The tables that a call names, read as its words say; what was done to them is told."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from dpstudio.cli.waiting import costs_told

if TYPE_CHECKING:
    from dpstudio.data.codebook import Codebook
    from dpstudio.data.dataset import Dataset
    from dpstudio.files.read.choices import Choices
    from dpstudio.labs import Lab


def opened(
    where: str,
    words: list[str],
    choices: Choices | None = None,
    *,
    leaves: bool,
    option: str = "--read",
) -> Dataset:
    """The table, read as the words of an option say, or with the choices of a session. Raises
    TableError: of one that can be read in more than one way with the options that settle it, and
    where it `leaves` before it is read, unless all of its reading is told."""
    from dpstudio.files.asking import (
        chosen,
        note_words,
        open_as_told,
        options,
        refuse_untold,
        row_words,
    )
    from dpstudio.files.engines.costs import CostlyError
    from dpstudio.files.language import shown
    from dpstudio.files.tables import TableError, UncertainError, example, open_with_report
    from dpstudio.values.messages import N_, plain, say

    if leaves:
        known = chosen(words)[0] if words or choices is None else choices
        refuse_untold(where, known, option)
    try:
        with costs_told(leaves=leaves):
            got = (
                open_as_told(where, words)
                if words or choices is None
                else open_with_report(where, choices=choices)
            )
    except CostlyError as error:
        text = N_("{why} Set the variable DPSTUDIO_ANY_COST=1 to open it all the same.")
        raise TableError(say(text, why=error.sentence)) from error
    except UncertainError as error:
        raise TableError(plain(options(error.preview, words, option))) from error
    notes = note_words(got.report) if example(where) is None else ()
    said = (*row_words(got.report.counts), *notes)
    if leaves:
        untold = say(
            "What reading left out or changed is not told beside what leaves. Run it without "
            "--without-truth or --publish to see it."
        )
        said = (untold,) if example(where) is None else ()
    for each in said:
        print(f"dpstudio: {shown(each)}", file=sys.stderr)  # as was chosen, but never in silence
    return got.data


def told_reading(where: str, words: list[str]) -> str:
    """The words of --read that tell how a table is read, every record as a row. Raises as `opened`
    does, and tells likewise."""
    import shlex

    from dpstudio.files.asking import note_words, open_as_told, options
    from dpstudio.files.language import shown
    from dpstudio.files.read.told import settled, told_words, why_stays
    from dpstudio.files.tables import TableError, UncertainError, open_with_report
    from dpstudio.values.messages import plain

    try:
        report = open_as_told(where, words).report
    except UncertainError as error:
        raise TableError(plain(options(error.preview, words))) from error
    choices, stays = settled(report), why_stays(report)
    notes = note_words(open_with_report(where, choices=choices).report)
    for each in (*notes, *([stays] if stays else [])):
        print(f"dpstudio: {shown(each)}", file=sys.stderr)
    return f"--read {shlex.quote(told_words(choices))}"


def needed(lab: Lab, *, hidden: bool) -> bool:
    """Whether the table is opened: for what leaves not where the lab reads none."""
    from dpstudio.labs.question import reads_table

    return not hidden or reads_table(lab)


def any_table() -> Dataset:
    """A table for what reads none."""
    from dpstudio.files.tables import EXAMPLES, open_table

    return open_table(EXAMPLES[0].key)


def told(data: Dataset, book: Codebook, *, leaves: bool) -> Dataset:
    """The table as the codebook describes it; a column that it lacks is a slip of the pen here, and
    so is a number for a date. Raises ParamError."""
    from dpstudio.values.messages import N_, say
    from dpstudio.values.parameters import ParamError

    for name, about in book.columns:
        untold = not about.type and (about.low, about.high) != (None, None)
        # That it holds dates follows from its rows: no word beside what leaves depends on it.
        if data.info(name).type == "date" and untold and not leaves:
            text = N_("“{column}” holds dates: write its bounds as dates, such as {example}.")
            raise ParamError(name, say(text, column=name, example="2020-03-31"))
    return described(data, book, leaves=leaves)


def described(data: Dataset, book: Codebook, *, leaves: bool) -> Dataset:
    """The same of a session, whose columns may be gone."""
    from dpstudio.files.asking import unread_words
    from dpstudio.files.language import shown

    made = data.described(book)
    for each in () if leaves else unread_words(made):
        print(f"dpstudio: {shown(each)}", file=sys.stderr)
    return made


def beside(
    where: str, words: list[str], choices: Choices | None = None, *, hidden: bool, leaves: bool
) -> Dataset | None:
    """The table beside the first; None, not even opened, where the call is for what leaves without
    the exact answer."""
    if hidden:
        print(f"dpstudio: {_UNREAD}", file=sys.stderr)
        return None
    return opened(where, words, choices, leaves=leaves, option="--read-beside")


_UNREAD = (
    "What leaves without the exact answer is of one table alone: that of --beside was not opened."
)


def unchanged(path: str, digest: str, data: Dataset) -> None:
    """Raise SessionError where a table is not the one that a session was saved with."""
    from dpstudio.files.session import SessionError
    from dpstudio.values.messages import say

    if digest and digest != data.digest:
        raise SessionError(
            say(
                "The table {path} has changed since the session was saved. Open the session in the "
                "window to accept it.",
                path=path,
            )
        )
