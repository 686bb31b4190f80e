"""What is read in the background: a table as it was asked for, or a session and then its table."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from dpstudio.data.codebook import EMPTY, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.files import asking
from dpstudio.files.engines.costs import CostlyError, Spending, spending
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.source import Watch
from dpstudio.files.session import SUFFIX, Session, read_session
from dpstudio.files.tables import (
    Opened,
    TableError,
    called,
    example,
    may_be_elsewhere,
    open_with_report,
    paste_table,
)
from dpstudio.files.writing import sweep
from dpstudio.gui.state.jobs import Work
from dpstudio.gui.table.watching import Stamp, stamp_of
from dpstudio.labs import Lab
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import ParamError

_PASTED = N_("the pasted table")


@dataclass(frozen=True, eq=False)
class Request:
    """What is to be opened: a file, an example or a session, or a pasted text; `again` for the
    table that is open.

    Once a session was read from `path`, it is in `session`, and `where` is its table. `codebook`
    and `labs` are what the table will be fitted to. `unsaved`: what is opened so is in no file yet,
    but in that `draft`, if any. One that is opened `beside` the first may have been `kept` by a
    session, which saw bytes of that `digest`. With `costly` it is opened whatever a question costs.
    """

    where: str = ""
    pasted: str | None = None
    session: Session | None = None
    path: Path | None = None
    again: bool = False
    codebook: Codebook = EMPTY
    labs: tuple[Lab, ...] = ()
    unsaved: bool = False
    draft: Path | None = None
    beside: bool = False
    kept: asking.Kept | None = None
    digest: str = ""
    costly: bool = False

    @property
    def name(self) -> Message | str:
        known = example(self.where)
        return (
            Message(_PASTED)
            if self.pasted is not None
            else known.label
            if known
            else called(self.where)
        )


@dataclass(frozen=True, eq=False)
class TableRead:
    """What was read. `chosen` holds what a person chose; it is `settled` where nobody need be
    asked, `tried` from the preview."""

    request: Request
    opened: Opened
    chosen: Choices
    settled: bool
    asked: bool
    tried: bool = False
    note: Message | None = None
    stamp: Stamp = None
    alike: bool = False  # as was chosen for a file of the same shape


def in_database(request: Request) -> bool:
    """Whether the table stands behind an address, and not in a file."""
    return "://" in request.where


class AskedFirstError(TableError):
    """Questions about the table that is asked for cost so much that a person says whether."""

    def __init__(self, request: Request, sentence: Message):
        self.request = replace(request, costly=True)
        super().__init__(sentence)


class MovedTableError(TableError):
    """The table of a session cannot be read where the session says; `request` holds the session."""

    def __init__(self, request: Request, sentence: Message):
        self.request = request
        super().__init__(sentence)


def read(
    request: Request, readings: Mapping[str, Any], shapes: Mapping[str, Any], work: Work
) -> Iterator[TableRead]:
    """The table, as it was chosen to be read when it had the same bytes, else as one of its shape
    was, else as the file shows. `readings` are those choices by file, `shapes` by shape. Raises
    SessionError or TableError."""
    if request.where.endswith(SUFFIX):
        request = _of_session(Path(request.where))
    kept = _kept(request, readings)
    try:
        with spending(Spending(anything=request.costly)):
            got = _got(request, None, kept, work)
    except CostlyError as error:
        raise AskedFirstError(request, error.sentence) from error
    except TableError as error:
        if request.session is None:
            raise
        why = error.sentence
        if not request.where:
            why = say("This table was pasted, and a session keeps no rows: locate it as a file.")
        elif not in_database(request) and not os.path.lexists(request.where):
            text = N_(
                "The table was {path}, and no file is there now. It may have been moved, renamed "
                "or deleted, or its disk is not there."
            )
            why = say(text, path=request.where)
        raise MovedTableError(request, why) from error
    shape = "" if got.settled or kept is not None else asking.shape_of(got.opened.report)
    like = asking.as_for_the_like(shapes, shape)
    if like is not None:
        so = _got(request, like, None, work)
        got = replace(so, settled=True, asked=True, tried=False, alike=True)
    yield got


def read_so(request: Request, choices: Choices, work: Work) -> Iterator[TableRead]:
    """The table as a person chose in the preview."""
    yield _got(request, choices, None, work)


def _of_session(path: Path) -> Request:
    session = read_session(path)
    sweep(path)
    return of_session(session, path, found_beside(path, session.table))


def found_beside(path: Path | None, table: str) -> str:
    """Where the table that a file names is: a file that was moved together with its table finds it
    beside itself, but none in place of a database."""
    if "://" in table:
        return table
    beside = path.parent / Path(table).name if path is not None and table else None
    moved = beside is not None and example(table) is None and not Path(table).exists()
    return str(beside) if moved and beside is not None and beside.exists() else table


def of_session(session: Session, path: Path | None, where: str) -> Request:
    """To open a session that was read from `path`, if any, on the table that is at `where`."""
    return Request(where, None, session, path, False, session.codebook, session.labs)


def _kept(request: Request, readings: Mapping[str, Any]) -> asking.Kept | None:
    """How the bytes of a file, or of a session's table, were chosen to be read."""
    session = request.session
    if session is not None:
        known = session.reading is not None and session.digest
        return asking.Kept(session.digest, session.reading) if known and session.reading else None
    if request.kept is not None:
        return request.kept
    if not request.where or example(request.where) is not None:
        return None
    return asking.kept_from_json(readings.get(str(Path(request.where).absolute())))


def _got(
    request: Request, choices: Choices | None, kept: asking.Kept | None, work: Work
) -> TableRead:
    """Read with `choices` from the preview; else as was `kept` of the same bytes; else as the file
    shows."""
    note, stamp, cancelled = None, stamp_of(Path(request.where)), work.cancelled
    same = (
        kept is not None
        and choices is None
        and (
            may_be_elsewhere(request.where)  # whose mark is known once it is open
            or asking.file_digest(Path(request.where), cancelled) == kept.digest
        )
    )
    chosen = choices or (kept.choices if kept is not None and same else Choices())
    if request.pasted is not None:
        opened = paste_table(request.pasted, work.progress, cancelled, chosen)
    else:
        opened = open_with_report(request.where, work.progress, cancelled, chosen)
    settled = same or not asking.unsettled(opened.report)
    if kept is not None and not same and choices is None:
        # Chosen for other bytes: what was chosen then may be wrong now, and nobody would see it.
        settled = settled and opened.report.choices == kept.choices
        text = N_(
            "The file has changed since you chose how to read it. Look whether it is right as "
            "it is read now."
        )
        note = None if settled else say(text)
    _warm(opened.data, request, work)
    return TableRead(request, opened, chosen, settled, same, choices is not None, note, stamp)


def _warm(data: Dataset, request: Request, work: Work) -> None:
    """Choose the rows of persons and fit the labs once here: what that needs is remembered, so the
    thread that draws need not wait."""
    watch = Watch(None, work.cancelled)  # of a long table each of these takes a while
    # A statement is stopped from the thread that waits for its answer.
    run = watch.run if data.asked is None else _now
    with suppress(ParamError):  # then the studio says that there is no such column
        data = run(partial(data.described, request.codebook))
    for lab in request.labs:
        run(partial(lab.suited, data))


def _now(work: Callable[[], Any]) -> Any:
    return work()
