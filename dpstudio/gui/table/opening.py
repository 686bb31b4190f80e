"""Opening tables and sessions in the background, and saving sessions: what is loaded stays until
the new one is whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

from dpstudio.data.codebook import EMPTY, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.files.arrow_columns import release_unused
from dpstudio.files.asking import Kept, file_digest, kept_from_json, row_words, unsettled
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.source import Watch
from dpstudio.files.session import SUFFIX, Session, SessionError, read_session, write_session
from dpstudio.files.tables import (
    CancelledError,
    Opened,
    TableError,
    example,
    open_with_report,
    paste_table,
)
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.jobs import Runner
from dpstudio.gui.table.importing import Importer
from dpstudio.gui.table.watching import Stamp, Watcher, stamp_of
from dpstudio.labs import Lab
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import ParamError

if TYPE_CHECKING:
    from dpstudio.gui.shell.studio import Studio

_REMEMBERED = 32
_PASTED = N_("the pasted table")


@dataclass(frozen=True, eq=False)
class Request:
    """What is to be opened: a file or an example, or a pasted text; for a session that was read
    from `path`, or `again`."""

    where: str = ""
    pasted: str | None = None
    session: Session | None = None
    path: Path | None = None
    again: bool = False
    codebook: Codebook = EMPTY
    labs: tuple[Lab, ...] = ()

    @property
    def name(self) -> Say | str:
        known = example(self.where)
        return (
            Say(_PASTED)
            if self.pasted is not None
            else known.label
            if known
            else Path(self.where).name
        )


@dataclass(frozen=True, eq=False)
class Got:
    """What was read. `chosen` holds what a person chose; it is `settled` where nobody need be
    asked, `tried` from the preview."""

    request: Request
    opened: Opened
    chosen: Choices
    settled: bool
    asked: bool
    tried: bool = False
    note: Say | None = None
    stamp: Stamp = None


class Opener(QObject):
    """Brings tables and sessions to the studio; every failure is a sentence in the bar."""

    _progress = Signal(float)

    def __init__(self, studio: Studio):
        super().__init__(studio)
        self.studio, self.window = studio, studio.window
        self.loader = Runner(self)
        self.importer = Importer(studio, self)
        self.watcher = Watcher(self)
        self.session_path: Path | None = None
        self.open_now: Got | None = None
        self._loading: Say | str = ""
        self._afterwards = ""
        self._behind: Got | None = None
        self.loader.value.connect(self._on_read)
        self.loader.failed.connect(self._on_failure)
        self._progress.connect(self._on_progress)
        self.watcher.changed.connect(self._on_changed)
        self.watcher.known.connect(self._keep)

    def open(self, where: str) -> None:
        """Open a table, an example or a session."""
        if where.endswith(SUFFIX):
            self._open_session(Path(where))
        else:
            self._load(Request(where))

    def _open_session(self, path: Path) -> None:
        try:
            session = read_session(path)
        except SessionError as error:
            self._fall_back(shown(error.sentence))
            return
        table = Path(session.table)
        beside = path.parent / table.name
        # A session that was moved together with its table finds it beside itself.
        moved = example(session.table) is None and not table.exists() and beside.exists()
        self._load(Request(str(beside) if moved else session.table, session=session, path=path))

    def paste(self) -> None:
        """Open the table on the clipboard, or the file that was copied there."""
        mime: QMimeData | None = QGuiApplication.clipboard().mimeData()
        files = (
            [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]
            if mime is not None
            else []
        )
        if files:
            self.open(files[0])
        elif mime is not None and mime.text().strip():
            self._load(Request(pasted=mime.text()))
        else:
            self.window.say(
                tr(N_("There is no table on the clipboard: copy its cells first, then paste.")),
                tone="warn",
            )

    def reload(self) -> None:
        """Read the file of the open table anew; labs, codebook and history stay."""
        now = self.open_now
        if now is None:
            return
        if now.request.pasted is not None:
            self.window.say(
                tr(N_("A pasted table has no file to be read anew. Copy it and paste it again.")),
                tone="warn",
            )
            return
        self._load(replace(now.request, session=None, again=True))

    def read_otherwise(self) -> None:
        """Show how the open table was read, to choose otherwise."""
        now = self.open_now
        if now is None:
            return
        if now.opened.report.format in ("Parquet", "Arrow"):
            self.window.say(
                tr(
                    N_(
                        "A file of this format says itself how it is read: there is nothing to "
                        "choose."
                    )
                ),
                tone="warn",
            )
            return
        request = self._fitting(replace(now.request, session=None, again=True))
        self.importer.ask(replace(now, request=request, note=None), now=True)

    def _load(self, request: Request) -> None:
        self.importer.rest()
        request = self._fitting(request)
        self._loading = request.name
        self.window.message.working(
            shown(say("Opening {name} …", name=self._name())), 0.0, self.cancel
        )
        self.loader.submit(
            partial(_read, request, None, self._kept(request), self._progress.emit), cancel=True
        )

    def _fitting(self, request: Request) -> Request:
        """With what the table will be fitted to, which is worked out in the background as well."""
        if request.session is not None:
            return replace(request, codebook=request.session.codebook, labs=request.session.labs)
        return replace(
            request, codebook=self.studio.store.state.codebook, labs=self.studio.store.wanted()
        )

    def read(self, request: Request, choices: Choices) -> None:
        """Read what is looked at in the preview as the person chose; the newest choice waits for
        the one before to stop."""
        self._loading = request.name
        self.loader.submit(partial(_read, request, choices, None, self._progress.emit), cancel=True)

    def cancel(self) -> None:
        """Leave the opening; at the very start there is then no table."""
        self.loader.cancel()
        self.window.message.say("")
        if self.studio.store.data is None:
            self.window.top.name_table(tr(N_("No table")))
            self.window.say(
                tr(N_("No table is open.")), tr(N_("Open …")), self.studio.saver.ask_open, ""
            )

    def _name(self) -> str:
        return shown(self._loading) if isinstance(self._loading, Say) else tr(self._loading)

    def _on_progress(self, share: float) -> None:
        if self.importer.reading:
            self.importer.tell(share)
        elif self.loader.busy and self.window.message.progress.isVisible():
            self.window.message.progress.setValue(round(100 * share))

    def _on_read(self, got: Got) -> None:
        if got.tried:
            self.importer.show_read(got)
        elif got.settled:
            self.accept(got)
        elif self.studio.store.data is None:
            # There is always a table: the first example stands behind the preview.
            self._behind = got
            self.open("adult")
        else:
            self.window.message.say("")
            self.importer.ask(got)

    def accept(self, got: Got) -> None:
        """Show the table that was read."""
        data, request = got.opened.data, got.request
        self.importer.leave()
        self._say(self._afterwards)
        self._afterwards = ""
        self.open_now = got
        if request.again:
            self.studio.take_again(data)
        else:
            # Only now: a session that could not be opened must not be the one that Save writes
            # over.
            self.session_path = request.path
            self.studio.take(data, request.session)
        release_unused()
        if request.where:
            self._remember(str(request.path.absolute()) if request.path else data.origin)
        self.watcher.watch(
            data if example(request.where) is None else None,
            got.stamp,
            got.opened.report.choices if got.asked else None,
        )
        self._tell(got)
        if self._behind is not None:
            behind, self._behind = self._behind, None
            self.importer.ask(behind)

    def _tell(self, got: Got) -> None:
        """What is to be known of the table that was opened."""
        data, session = got.opened.data, got.request.session
        book, kept = got.request.codebook, session is not None or got.request.again
        if kept and book.person and self.studio.store.state.codebook.person != book.person:
            text = N_(
                "This table has no column “{column}” that could say whose row it is: each row is "
                "now a person. Check the unit of privacy."
            )
            self.window.say(shown(say(text, column=book.person)), tone="warn")
        elif session is not None and session.digest and session.digest != data.digest:
            self.window.say(
                tr(
                    N_(
                        "The table has changed since this session was saved. The charts show it as "
                        "it is now."
                    )
                ),
                tone="warn",
            )
        elif got.asked and not got.tried and row_words(got.opened.report.counts):
            # As was chosen before, but never in silence.
            told = " ".join(shown(text) for text in row_words(got.opened.report.counts))
            self.window.say(told, tr(N_("Look …")), self.read_otherwise, "warn")

    def _on_failure(self, error: Exception) -> None:
        sentence = (
            shown(error.sentence)
            if isinstance(error, TableError)
            else f"{self._name()}: {type(error).__name__}: {error}"
        )
        if self.importer.reading:
            self.importer.fail("" if isinstance(error, CancelledError) else sentence)
        elif isinstance(error, CancelledError):
            self.window.message.say("")
        else:
            self._fall_back(sentence)

    def _say(self, text: str) -> None:
        self.window.say(text, tr(N_("Open another …")) if text else "", self.studio.saver.ask_open)

    def _fall_back(self, text: str) -> None:
        """Say why nothing was opened; at the start, open the first example all the same."""
        if self.studio.store.data is None and not self._afterwards:
            self._afterwards = text
            self.open("adult")
        else:
            self._say(text)

    # The file on the disk

    def _on_changed(self, there: bool) -> None:
        now = self.open_now
        if now is None:
            return
        if there:
            text = say(
                "{name} has changed on the disk. The charts show it as it was.",
                name=Path(now.request.where).name,
            )
            self.window.say(shown(text), tr(N_("Reload")), self.reload, "warn")
        else:
            text = say(
                "{name} is not there any more. The table stays as it was read.",
                name=Path(now.request.where).name,
            )
            self.window.say(shown(text), tone="warn")

    # Sessions and what is remembered

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
        self.window.say(tr(text), tone="warn")
        return True

    def save(self, path: Path) -> None:
        """Write the session; the sentence of a failure goes to the bar."""
        data = self.studio.store.data
        if data is None or self.nowhere():
            return
        try:
            write_session(self.studio.session(data), path)
        except SessionError as error:
            self.window.say(
                shown(error.sentence), tr(N_("Save elsewhere …")), self.studio.saver.ask_save
            )
            return
        self.session_path = path
        self.studio.store.history.setClean()
        self._remember(str(path.absolute()))
        self.studio.title()

    def _remember(self, origin: str) -> None:
        recent = [r for r in self.recent() if r != origin]
        self.window.kept.setValue("files/recent", [origin, *recent][:8])

    def recent(self) -> list[str]:
        """The newest eight tables and sessions, the last first."""
        held: Any = self.window.kept.value("files/recent", [])
        return [str(r) for r in ([held] if isinstance(held, str) else held or [])]

    def _readings(self) -> dict[str, Any]:
        try:
            held = json.loads(str(self.window.kept.value("files/readings", "{}")))
        except ValueError:
            return {}
        return held if isinstance(held, dict) else {}

    def _keep(self, origin: str, kept: Kept) -> None:
        """Remember how a file was chosen to be read, for as long as its bytes are the same."""
        others = {path: reading for path, reading in self._readings().items() if path != origin}
        newest = dict([*others.items(), (origin, kept.to_json())][-_REMEMBERED:])
        self.window.kept.setValue("files/readings", json.dumps(newest))

    def _kept(self, request: Request) -> Kept | None:
        session = request.session
        if session is not None:
            return (
                Kept(session.digest, session.reading)
                if session.reading is not None and session.digest
                else None
            )
        if not request.where or example(request.where) is not None:
            return None
        return kept_from_json(self._readings().get(str(Path(request.where).absolute())))


def _read(
    request: Request, choices: Choices | None, kept: Kept | None, progress: Any, cancelled: Any
) -> Iterator[Got]:
    """The table, read with `choices` from the preview; else as was `kept` of the same bytes; else
    as the file shows."""
    note, stamp = None, stamp_of(Path(request.where))
    same = (
        kept is not None
        and choices is None
        and file_digest(Path(request.where), cancelled) == kept.digest
    )
    chosen = choices or (kept.choices if kept is not None and same else Choices())
    if request.pasted is not None:
        opened = paste_table(request.pasted, progress, cancelled, chosen)
    else:
        opened = open_with_report(request.where, progress, cancelled, chosen)
    settled = same or not unsettled(opened.report)
    if kept is not None and not same and choices is None:
        # Chosen for other bytes: what was chosen then may be wrong now, and nobody would see it.
        settled = settled and opened.report.choices == kept.choices
        note = (
            None
            if settled
            else say(
                "The file has changed since you chose how to read it. Look whether it is right as "
                "it is read now."
            )
        )
    _warm(opened.data, request, cancelled)
    yield Got(
        request,
        opened,
        chosen,
        settled,
        asked=same,
        tried=choices is not None,
        note=note,
        stamp=stamp,
    )


def _warm(data: Dataset, request: Request, cancelled: Any) -> None:
    """Choose the rows of persons and fit the labs once here: what that needs is remembered, so the
    thread that draws need not wait."""
    watch = Watch(None, cancelled)  # of a long table each of these takes a while
    with suppress(ParamError):  # then the studio says that there is no such column
        data = watch.run(partial(data.described, request.codebook))
    for lab in request.labs:
        watch.run(partial(lab.suited, data))
