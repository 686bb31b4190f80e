"""What the release desk does off the GUI thread, by the same functions as the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from dpstudio.files.booked.certificate import Stated, certificate, planned_certificate
from dpstudio.files.booked.releasing import (
    TABLE,
    Desk,
    Finish,
    Looked,
    Missing,
    Released,
    answered,
    looked,
    noted,
)
from dpstudio.files.booked.verify import UNCHECKED, Found, verified
from dpstudio.files.booked.written import write_certificate, write_release
from dpstudio.files.ledgers.amounts import LedgerError
from dpstudio.files.ledgers.book import Book, State
from dpstudio.files.ledgers.own import OwnLedger, known_beside, ledger_path, name_ledger
from dpstudio.files.read.choices import Choices
from dpstudio.files.session import SessionError
from dpstudio.files.tables import example
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.jobs import Work
from dpstudio.gui.table.watching import Stamp, stamp_of
from dpstudio.plans.plan import Plan
from dpstudio.values.messages import N_, Message, say


@dataclass(frozen=True)
class Given:
    """What lies on the desk: a plan, the file of a ledger, a table and how it is told to be read,
    the column that says whose row it is, and how what was published is finished."""

    plan: Plan | None = None
    ledger: Path | None = None
    where: str = ""
    choices: Choices = field(default_factory=Choices)
    person: str = ""
    finish: Finish = field(default_factory=Finish)

    @property
    def table(self) -> tuple[Any, ...]:
        """By which an opened table is known again, with the state of its file."""
        stamp: Stamp = None if example(self.where) is not None else stamp_of(Path(self.where))
        return self.where, self.choices, self.person, stamp


@dataclass(frozen=True, eq=False)
class Seen:
    """It as it was looked at, the lines that were published, their certificate, what is told of
    those that were published now, whether some of them can be fitted to others, and which other
    ledgers there are."""

    given: Given
    looked: Looked
    table: tuple[Any, ...]
    made: Released | None = None
    held: dict[str, Any] | None = None
    told: tuple[Message, ...] = ()
    fits: bool = False
    beside: tuple[Message, ...] = ()


def look(given: Given, before: Seen | None, work: Work) -> Iterator[Seen]:
    """Look at all of it; a table that is open as it is now is not opened again."""
    seen, ledger = _looked(given, before), given.ledger
    beside = () if ledger is None else tuple(known_beside(given.where, ledger))
    yield replace(seen, beside=beside)


def _looked(given: Given, before: Seen | None) -> Seen:
    table = given.table
    known = before is not None and before.table == table
    source = before.looked.source if before is not None and known else None
    book = None if given.ledger is None else Book(given.ledger)
    found = looked(given.plan, book, given.where, given.choices, given.person, source)
    drawn = answered(found)
    if drawn is None or book is None:
        return Seen(given, found, table)
    made, fits = given.finish.of(drawn), any(line.fit for line in drawn.fitted.lines)
    held = certificate(book, made, base=given.finish.base, translate=tr)
    return Seen(given, found, table, made, held, fits=fits)


def publish(seen: Seen, names: Sequence[str], work: Work) -> Iterator[Seen]:
    """Pay for the plan and draw these lines, each in one transaction; then look again. Nothing is
    drawn of a table whose file is another by now."""
    given, found = seen.given, seen.looked
    if given.table != seen.table:
        again = _looked(given, None)
        why = say("The file of the table has changed since it was looked at: look again.")
        yield replace(again, looked=replace(again.looked, missing=(Missing(TABLE, why),)))
        return
    assert found.plan is not None
    assert found.source is not None
    assert given.ledger is not None
    made = Desk(Book(given.ledger)).release(found.plan, found.source, names)
    told = dict.fromkeys(message for line in made.lines for message in line.told)
    told |= dict.fromkeys(noted(found.source, Book(given.ledger)))
    yield replace(_looked(given, seen), told=tuple(told))


def save(
    seen: Seen, finish: Finish, folder: Path, said: Stated, work: Work
) -> Iterator[tuple[Path, int]]:
    """The tables and the certificate of what was published, finished so, to a folder: where, and
    how many."""
    from dpstudio.gui.board.render import FigureImages

    drawn = answered(seen.looked)
    assert drawn is not None
    assert seen.given.ledger is not None
    book, pictures = Book(seen.given.ledger), FigureImages()
    made, base = finish.of(drawn), finish.base
    yield folder, len(write_release(made, book, folder, said=said, base=base, pictures=pictures))


def foretell(seen: Seen, folder: Path, said: Stated, work: Work) -> Iterator[tuple[Path, int]]:
    """A certificate of the plan to a folder, without answers: nothing is paid or drawn for it."""
    from dpstudio.gui.board.render import FigureImages

    given = seen.given
    assert given.plan is not None
    assert given.ledger is not None
    book = Book(given.ledger)
    certified = partial(planned_certificate, book, given.plan, (), said, given.person)
    yield folder, len(write_certificate(certified, book, folder, FigureImages()))


@dataclass(frozen=True, eq=False)
class Opened:
    """A ledger, what holds of a certificate against it, the one that was named for the table that
    is open, that of the user, where the others are booked, and what is said of others."""

    state: State
    found: tuple[Found, ...]
    of_table: Path | None
    own: Path
    beside: tuple[Message, ...] = ()


def read(path: Path, check: Path | None, where: str, work: Work) -> Iterator[Opened]:
    """A ledger, beside the table there."""
    yield _opened(path, check, where)


def _opened(path: Path, check: Path | None, where: str) -> Opened:
    own, of_table = OwnLedger(ledger_path()), None
    try:
        mine = own.state(anew=path == own.book.path)  # made, or taken over, where it is shown
        named = own.of(where, mine) if where and mine is not None else None
        of_table = None if named is None else named.path
    except SessionError:
        if path == own.book.path:
            raise
    book = Book(path)
    state = book.state()
    found = () if check is None else _judged(check, book)
    beside = tuple(known_beside(where, path))
    return Opened(state, found, of_table, own.book.path.absolute(), beside)


def alone(check: Path, work: Work) -> Iterator[tuple[Found, ...]]:
    """What holds of a certificate by itself, without its ledger."""
    yield tuple(each for each in _judged(check, None) if each.say.text != UNCHECKED)


def _judged(check: Path, book: Book | None) -> tuple[Found, ...]:
    try:
        return tuple(verified(check, book))
    except LedgerError as error:  # what was to be verified is no certificate
        return (Found(False, error.sentence),)


def changed(path: Path, change: Callable[[Book], Any], where: str, work: Work) -> Iterator[Opened]:
    """A ledger after a change by hand."""
    change(Book(path))
    yield _opened(path, None, where)


def of_table(where: str, book: Book) -> None:
    """From now on what leaves of the table there is booked in that ledger."""
    name_ledger(where, book.path)


def sentence_of(error: Exception) -> Message:
    """Why something failed."""
    found = getattr(error, "sentence", None)
    if isinstance(found, Message):
        return found
    text = N_("The program failed here ({kind}). What the ledger holds was paid for: look again.")
    return say(text, kind=type(error).__name__)
