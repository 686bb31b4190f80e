"""The call of the command line that shows what is on the screen."""

import shlex
from collections.abc import Iterator

from dpstudio.data.codebook import words_of_codebook
from dpstudio.files.read.told import told_words
from dpstudio.files.session import Second, Session, SessionError
from dpstudio.labs.question import reads_table
from dpstudio.labs.worded import words_of
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError


def command(session: Session) -> str:
    """`dpstudio run …` for the open page of a session, to be pasted into a shell. Raises
    SessionError where no words say it."""
    lab = session.lab(session.active)
    try:
        words = ["dpstudio", "run", *words_of(lab)]
    except ParamError as error:
        raise SessionError(error.sentence) from None
    if reads_table(lab):
        if not session.table:
            text = N_("The table came from the clipboard: save it as a file first, and open that.")
            raise SessionError(say(text))
        words += [*_table("", session), *_known(session)]
        if lab.page().second is not None and session.second is not None:
            words += _table("beside", session.second)
    return shlex.join(words)


def _table(beside: str, held: Session | Second) -> Iterator[str]:
    yield from (f"--{beside or 'data'}", held.table)
    if held.reading is not None and (told := told_words(held.reading)):
        yield from (f"--read-{beside}" if beside else "--read", told)


def _known(session: Session) -> Iterator[str]:
    lines, unit = words_of_codebook(session.codebook)
    for line in lines:
        yield from ("--about", line)
    for name, text in unit.items():
        yield from (f"--{name}", text) if text else (f"--{name}",)
