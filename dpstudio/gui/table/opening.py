"""Opening tables and sessions in the background: what is loaded stays until the new is whole."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QMimeData, QObject, QThreadPool, Signal
from PySide6.QtGui import QGuiApplication

from dpstudio.files.arrow_columns import release_unused
from dpstudio.files.asking import Kept, for_the_like, note_words, row_words
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import TablesInsideError
from dpstudio.files.session import SUFFIX, SessionError, changed, other_rows
from dpstudio.files.tables import EXAMPLES, CancelledError, TableError, example, may_be_elsewhere
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.jobs import Jobs
from dpstudio.gui.state.settings import Settings
from dpstudio.gui.state.store import Store
from dpstudio.gui.table import dropped, importing, watching
from dpstudio.gui.table.beside import Held, SecondTable
from dpstudio.gui.table.reading import (
    AskedFirstError,
    MovedTableError,
    Request,
    TableRead,
    in_database,
    read,
    read_so,
)
from dpstudio.values.messages import N_, Message, in_turn, say

_FIRST = EXAMPLES[0].key
# What is open, the session's file, its mark, and what is known of the table beside.
Open = tuple[TableRead | None, Path | None, str, Held]


class Bar(Protocol):
    """Where sentences are said."""

    def say(
        self, text: str, action: str = "", act: Callable[[], None] | None = None, tone: str = "bad"
    ) -> None:
        """Show a sentence, and a button that does `act`; nothing where the text is empty."""

    def soon(self, text: str, cancel: Callable[[], None]) -> None:
        """Show progress, with a button that cancels, unless it is done in a moment."""

    def advance(self, share: float) -> None:
        """Move the progress that is shown."""


class Opener(QObject):
    """Brings tables and sessions; every failure is a sentence in the bar.

    `opened(got)`: this is the table from now on; `empty`: there is none, and none is coming;
    `other`: a person asks for another file; `astray(request)`: for the table of a session,
    or for one within a file.
    `leaving(request)`: what is open now goes, for what is asked for there. `another`: a person
    asks for another file to stand beside the first. `stood(request, there)`: it stands there, or
    could not be read. `apart`: spellings that are merged are to be words of their own.
    """

    opened = Signal(object)
    empty = Signal()
    other = Signal()
    astray = Signal(object)
    leaving = Signal(object)
    another = Signal()
    stood = Signal(object, bool)
    apart = Signal()

    def __init__(
        self, store: Store, jobs: Jobs, kept: Settings, bar: Bar, theme: Theme, parent: QObject
    ):
        super().__init__(parent)
        self.store, self.kept, self.bar = store, kept, bar
        self.loader = jobs.channel("table")
        self.importer = importing.Importer(theme, self)
        self.watcher = watching.Watcher(self, jobs.channel("watch"))
        # The file of the session, and the mark of its bytes when they were last read or written.
        self.session_path: Path | None = None
        self.session_mark = ""
        self.open_now: TableRead | None = None
        self.beside = SecondTable(store, self.load, bar.say, self.another.emit)
        self._loading = Request()
        self._afterwards: tuple[str, str, Callable[[], None] | None] = ("", "", None)
        self._behind: TableRead | None = None
        self.loader.value.connect(self._on_read)
        self.loader.failed.connect(self._on_failure)
        self.loader.progress.connect(self._on_progress)
        self.watcher.changed.connect(self._on_changed)
        self.watcher.known.connect(self._keep)
        self.importer.wanted_so.connect(self._read_so)
        self.importer.unwanted.connect(self.loader.cancel)
        self.importer.accepted.connect(self._on_accepted)

    def open(self, where: str | None) -> None:
        """Open a table, an example or a session; the first example where none is named."""
        self.load(Request(where or _FIRST))

    def open_session(self, request: Request) -> None:
        """Open a session that was read, on the table that is named with it."""
        self.load(request)

    def paste(self) -> None:
        """Open the table on the clipboard, or the file that was copied there."""
        mime: QMimeData | None = QGuiApplication.clipboard().mimeData()
        urls = mime.urls() if mime is not None else []
        files = [url.toLocalFile() for url in urls if url.isLocalFile()]
        if files:
            dropped.one_of(files, self.open, self.bar.say)
        elif mime is not None and (text := mime.text().strip()):
            address = "\n" not in text and may_be_elsewhere(text)
            self.load(Request(text) if address else Request(pasted=mime.text()))
        else:
            text = N_("There is no table on the clipboard: copy its cells first, then paste.")
            self.bar.say(tr(text), tone="warn")

    def reload(self) -> None:
        """Read the file of the open table anew; labs, codebook and history stay."""
        now = self.open_now
        if now is None:
            return
        if now.request.pasted is not None:
            text = N_("A pasted table has no file to be read anew. Copy it and paste it again.")
            self.bar.say(tr(text), tone="warn")
            return
        self.load(replace(now.request, session=None, again=True))

    def read_otherwise(self) -> None:
        """Show how the open table was read, to choose otherwise."""
        now = self.open_now
        if now is None:
            return
        report = now.opened.report
        if now.opened.data.asked is not None and report.format != "text":
            text = N_(
                "A table in a database is read by the types that its columns have there: there is "
                "nothing to choose."
            )
            self.bar.say(tr(text), tone="warn")
            return
        if report.format == "columnar" and not report.choices.part:
            text = N_(
                "A file of this format says itself how it is read: there is nothing to choose."
            )
            self.bar.say(tr(text), tone="warn")
            return
        request = self._fitting(replace(now.request, session=None, again=True))
        self.importer.ask(replace(now, request=request, note=None), now=True)

    def load(self, request: Request) -> None:
        """Read what is asked for, in the background."""
        self.importer.rest()
        request = self._loading = self._fitting(request)
        if not request.digest:  # what a session brings with it comes without a word
            text = shown(say("Opening {name} …", name=self._name()))
            self.bar.soon(text, self.cancel)
        self.loader.submit(
            partial(read, request, self.kept.readings, self.kept.shapes), cancel=True
        )

    def _fitting(self, request: Request) -> Request:
        """With what the table will be fitted to, which is worked out in the background as well. A
        session, once it is read, brings its own."""
        if request.session is not None or request.beside or request.where.endswith(SUFFIX):
            return request
        return replace(request, codebook=self.store.state.codebook, labs=self.store.wanted())

    def _read_so(self, request: Request, choices: Choices) -> None:
        """Read what is looked at in the preview as the person chose; the newest choice waits for
        the one before to stop."""
        self._loading = request
        self.loader.submit(partial(read_so, request, choices), cancel=True)

    def cancel(self) -> None:
        """Leave the opening; at the very start there is then no table."""
        self.loader.cancel()
        self.bar.say("")
        if self.store.data is None:
            self.empty.emit()
            self.bar.say(tr(N_("No table is open.")), tr(N_("Open …")), self.other.emit, "")

    def _name(self) -> str:
        name = self._loading.name
        return shown(name) if isinstance(name, Message) else tr(name)

    def _on_progress(self, share: float, _: Message) -> None:
        if self.importer.reading:
            self.importer.tell(share)
        else:
            self.bar.advance(share)

    def _on_read(self, got: TableRead) -> None:
        if got.tried:
            self.importer.show_read(got)
        elif got.settled:
            self.accept(got)
        elif self.store.data is None:
            # There is always a table: the first example stands behind the preview.
            self._behind = got
            self.open(None)
        else:
            self.bar.say("")
            self.importer.ask(got)

    def _on_accepted(self, got: TableRead) -> None:
        self.bar.say("")
        if self.importer.shape:
            self.kept.keep_shape(self.importer.shape, for_the_like(got.opened.report.choices))
        self.accept(got)

    def accept(self, got: TableRead) -> None:
        """Show the table that was read."""
        data, request = got.opened.data, got.request
        self.importer.leave()
        if request.beside:
            self.beside.accept(got)
            self.stood.emit(request, True)
            return
        self.bar.say(*self._afterwards)
        self._afterwards = ("", "", None)
        self.open_now = got
        if not request.again:
            self.leaving.emit(request)
            # Only now: a session that could not be opened must not be the one that Save writes
            # over.
            self.session_path = request.path
            self.session_mark = request.session.mark if request.session is not None else ""
        self.opened.emit(got)
        QThreadPool.globalInstance().start(release_unused)
        if request.where:
            self.kept.keep_recent(str(request.path.absolute()) if request.path else data.origin)
        self._watch(got)
        self._tell(got)
        if self._behind is not None:
            behind, self._behind = self._behind, None
            self.importer.ask(behind)
        self.beside.follow(request)

    def _watch(self, got: TableRead) -> None:
        data = got.opened.data
        self.watcher.watch(
            data if example(got.request.where) is None else None,
            got.stamp,
            got.opened.report.choices if got.asked else None,
        )

    def held(self) -> Open:
        """The table that is open and the file of its session, to be put back."""
        return self.open_now, self.session_path, self.session_mark, self.beside.held()

    def put_back(self, held: Open) -> None:
        """The same table and session again, whose rows are still held: nothing is read."""
        if self.loader.busy:
            self.cancel()
        if held[0] is not self.open_now:
            self.importer.leave()
            self.bar.say("")
            if held[0] is not None:
                self._watch(held[0])
        self.open_now, self.session_path, self.session_mark, beside = held
        self.beside.put_back(beside)

    def _tell(self, got: TableRead) -> None:
        """What is to be known of the table that was opened."""
        data, session = got.opened.data, got.request.session
        book, kept = got.request.codebook, session is not None or got.request.again
        if kept and book.person and self.store.state.codebook.person != book.person:
            text = N_(
                "This table has no column “{column}” that could say whose row it is: each row is "
                "now a person. Check the unit of privacy."
            )
            self.bar.say(shown(say(text, column=book.person)), tone="warn")
        elif session is not None and session.digest and session.digest != data.digest:
            self.bar.say(shown(changed(session)), tone="warn")
        elif session is not None and (other := other_rows(session)) is not None:
            self.bar.say(shown(other), tone="warn")
        elif got.asked and not got.tried and not got.alike and row_words(got.opened.report.counts):
            # As was chosen before, but never in silence.
            told = shown(in_turn(row_words(got.opened.report.counts)))
            self.bar.say(told, tr(N_("Look …")), self.read_otherwise, "warn")
        elif got.alike:
            text = tr(N_("It was read as you chose for a file of the same shape."))
            odd = [shown(told) for told in row_words(got.opened.report.counts)]
            self.bar.say(" ".join([text, *odd]), tr(N_("Look …")), self.read_otherwise, "warn")
        elif not got.asked and example(got.request.where) is None:
            self._tell_notes([shown(note) for note in note_words(got.opened.report)])

    def _tell_notes(self, notes: list[str]) -> None:
        """What was left out or changed where nobody was asked."""
        if notes:
            more = (
                shown(say("And {n} more {n:note|notes}.", n=len(notes) - 2))
                if len(notes) > 2
                else ""
            )
            text = " ".join([*notes[:2], more]).strip()
            self.bar.say(text, tr(N_("Look …")), self.read_otherwise, "")

    def _on_failure(self, error: Exception) -> None:
        sentence = (
            shown(error.sentence)
            if isinstance(error, TableError | SessionError)
            else f"{self._name()}: {type(error).__name__}: {error}"
        )
        if self.importer.reading:
            self.importer.fail("" if isinstance(error, CancelledError) else sentence)
        elif isinstance(error, CancelledError):
            self.bar.say("")
        elif isinstance(error, TablesInsideError) and not self._loading.beside:
            look = partial(self.astray.emit, Request(error.path))
            if self.store.data is None:
                self._fall_back(sentence, tr(N_("Look there …")), look)
            else:
                self.bar.say("")
                look()
        elif isinstance(error, AskedFirstError):
            open_ = partial(self.load, error.request)
            self._fall_back(sentence, tr(N_("Open it all the same")), open_)
        elif isinstance(error, MovedTableError):
            find = partial(self.astray.emit, error.request)
            there = N_("Look there again …") if in_database(error.request) else None
            self._fall_back(sentence, tr(there or N_("Locate the table …")), find)
        elif self._loading.again and in_database(self._loading):
            self._fall_back(sentence, tr(N_("Look there again")), partial(self.load, self._loading))
        else:
            other = self.another if self._loading.beside else self.other
            if self._loading.beside:
                sentence = shown(say("The second table was not opened. {why}", why=sentence))
            self._fall_back(sentence, tr(N_("Open another …")), other.emit)
        if self._loading.beside and not self.importer.reading:
            self.stood.emit(self._loading, False)

    def _fall_back(self, text: str, action: str, act: Callable[[], None]) -> None:
        """Say why nothing was opened; at the start, open the first example all the same."""
        if self.store.data is None and not self._afterwards[0]:
            self._afterwards = text, action, act
            self.open(None)
        else:
            self.bar.say(text, action, act)

    # The file on the disk

    def _on_changed(self, there: bool) -> None:
        now = self.open_now
        if now is None:
            return
        name = Path(now.request.where).name
        if there:
            text = N_("{name} has changed on the disk. The charts show it as it was.")
            if in_database(now.request):
                text = N_(
                    "{name} has changed in its database. What was asked of it before stays as it "
                    "was until you reload it."
                )
                name = now.opened.data.name
            elif now.opened.data.asked is not None:
                text = N_(
                    "{name} has changed on the disk. What was asked of it before stays as it was "
                    "until you reload it."
                )
            self.bar.say(shown(say(text, name=name)), tr(N_("Reload")), self.reload, "warn")
        else:
            text = N_("{name} is not there any more. The table stays as it was read.")
            self.bar.say(shown(say(text, name=name)), tone="warn")

    def _keep(self, origin: str, kept: Kept) -> None:
        """Remember how a file was chosen to be read, for as long as its bytes are the same."""
        self.kept.keep_reading(origin, kept.to_json())

    @property
    def reading(self) -> Choices | None:
        """How the person chose to read the open table; None where nobody had to be asked."""
        now = self.open_now
        return now.opened.report.choices if now is not None and now.asked else None

    def nowhere(self) -> bool:
        """Whether the open table cannot be found again; the bar then says so."""
        if self.open_now is None or self.open_now.request.pasted is None:
            return False
        text = N_(
            "A session keeps where its table is, and a pasted table is nowhere. Save the table as "
            "a file, open that, then save."
        )
        self.bar.say(tr(text), tone="warn")
        return True
