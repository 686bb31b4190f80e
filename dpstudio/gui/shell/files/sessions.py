"""Opening by a dialog, and saving sessions: what of the screen a session keeps, and takes up
again."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from dpstudio.files.session import (
    PICTURES,
    SUFFIX,
    TALK,
    Session,
    SessionError,
    mark_of,
    write_session,
)
from dpstudio.files.tables import SUFFIXES
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.question import nothing
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.drafts import DraftLock, claim
from dpstudio.gui.state.history import Moment
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.opening import Opener
from dpstudio.gui.table.reading import Request, TableRead
from dpstudio.values.messages import N_, say

Hidden = dict[tuple[str, str], frozenset[str]]  # curves, by lab and figure


def view_of(hidden: Hidden, index: int, opened: tuple[str, ...]) -> dict[str, Any]:
    """How the labs are looked at, as JSON: hidden curves, the simulated answer that is shown, and
    which labs were opened."""
    by_lab: dict[str, dict[str, list[str]]] = {}
    for (lab, figure), keys in hidden.items():
        if keys:
            by_lab.setdefault(lab, {})[figure] = sorted(keys)
    return {"hidden": by_lab, "index": index, "opened": list(opened)}


def index_in(view: Mapping[str, Any]) -> int:
    """The simulated answer that was shown."""
    index = view.get("index", 0)
    return index if isinstance(index, int) and not isinstance(index, bool) else 0


def hidden_in(view: Mapping[str, Any], first: str) -> Hidden:
    """The curves that were hidden. When there was only one lab, the `first`, its figures stood
    there without it."""
    held = view.get("hidden", {})
    hidden: Hidden = {}
    for name, value in held.items() if isinstance(held, dict) else ():
        figures = value if isinstance(value, dict) else {name: value}
        lab = name if isinstance(value, dict) else first
        for figure, keys in figures.items():
            if isinstance(keys, list):
                hidden[str(lab), str(figure)] = frozenset(k for k in keys if isinstance(k, str))
    return hidden


def opened_in(view: Mapping[str, Any]) -> list[str] | None:
    """The labs that were opened; None where it was not said."""
    held = view.get("opened")
    return [key for key in held if isinstance(key, str)] if isinstance(held, list) else None


@dataclass(frozen=True, eq=False)
class SessionWriting:
    """A session as it was when it was to be written, to `path`. `since` is the mark that its file
    must still have, None where any may be replaced; `own` holds the marks that this window wrote
    since it was last at rest, by file; `wrote` is called as soon as it is written, off the GUI
    thread. `moment` and `of` are the state and the table of the window then."""

    session: Session
    path: Path
    since: str | None
    own: dict[Path, str]
    wrote: Callable[[], None]
    moment: Moment
    of: TableRead | None


class Sessions(QObject):
    """Asks where to, writes off the GUI thread, and says in the bar what failed. `chosen(path)`: a
    file is to be opened; `saved(moment)`: the session was written as it was at that moment.

    `wrote()` gives what is to be done as soon as the session, as it is now, is written.
    """

    chosen = Signal(str)
    saved = Signal(object)

    def __init__(
        self, window: Window, store: Store, jobs: Jobs, opener: Opener, index: Callable[[], int]
    ):
        super().__init__(window)
        self.window, self.store, self.opener, self._index = window, store, opener, index
        self.wrote: Callable[[], Callable[[], None]] = lambda: nothing
        self._lock: DraftLock | None = None
        self._then: Callable[[], object] | None = None
        self._own: dict[Path, str] = {}
        self._last: SessionWriting | None = None
        self._failed = ""  # what was said of the last that could not be written
        self._writer = jobs.channel("session")
        self._writer.value.connect(self._on_written)
        self._writer.failed.connect(self._on_unwritten)
        self._writer.idle.connect(self._on_idle)
        opener.another.connect(self.ask_beside)

    def session(self) -> Session | None:
        """Everything that a session keeps; None where no table is open."""
        data, state = self.store.data, self.store.state
        if data is None:
            return None
        others = (lab for lab in state.labs if lab.key != state.active)
        view = view_of(self.window.board.hidden, self._index(), self.store.opened)
        labs, reading = (*others, state.lab), self.opener.reading
        book, second = state.codebook, self.opener.beside.second
        digest, active = data.digest, state.active
        made = Session(data.origin, digest, labs, active, view, book, reading, second=second)
        return replace(made, state=data.state)

    def copy_command(self) -> None:
        """The call of the command line for the open page to the clipboard."""
        from dpstudio.files.command import command

        session = self.session()
        if session is None:
            return
        try:
            QGuiApplication.clipboard().setText(command(session))
        except SessionError as error:
            self.window.say(shown(error.sentence))
        else:
            self.window.say(tr(N_("Copied: paste it into a terminal.")), tone="good")

    def ask_open(self) -> None:
        """Ask for a table or a session to open."""
        kinds = (*SUFFIXES, SUFFIX, TALK, *PICTURES)
        path = self._ask_file(N_("Open"), N_("Tables, sessions and figures"), kinds)
        if path:
            self.chosen.emit(path)

    def ask_folder(self) -> None:
        """Ask for a folder of pictures to open as a table."""
        title, folder = tr(N_("Open a folder of pictures")), self.window.kept.folder
        path = QFileDialog.getExistingDirectory(self.window, title, folder)
        if path:
            self.window.kept.keep_folder(path)
            self.chosen.emit(path)

    def ask_beside(self) -> None:
        """Ask for a table to stand beside the one that is open."""
        path = self._ask_file(N_("Open a second table"), N_("Tables"), SUFFIXES)
        if path:
            self.opener.beside.open(path)

    def ask_table(self, request: Request) -> None:
        """Ask where the table of a session is now, and open the session on it."""
        path = self._ask_file(N_("Locate the table"), N_("Tables"), SUFFIXES)
        if path:
            self.opener.open_session(replace(request, where=path, unsaved=True))

    def _ask_file(self, title: str, what: str, suffixes: tuple[str, ...]) -> str:
        known, every = tr(what), tr(N_("All files"))
        filters = f"{known} ({' '.join('*' + suffix for suffix in suffixes)});;{every} (*)"
        folder = self.window.kept.folder
        path, _ = QFileDialog.getOpenFileName(self.window, tr(title), folder, filters)
        if path:
            self.window.kept.keep_folder(path)
        return path

    def save(self) -> None:
        """Write the session to its file, or to one that is asked for. What is being written under
        another name is of that name from now on."""
        path, last = self.opener.session_path, self._last
        if self.busy and last is not None and last.of is self.opener.open_now:
            path = last.path
        if path is None:
            self.ask_save()
        else:
            self.write(path)

    def ask_save(self) -> None:
        """Ask for a file, and write the session to it."""
        if self.opener.nowhere():
            return
        path, _ = QFileDialog.getSaveFileName(
            self.window,
            tr(N_("Save session")),
            os.path.join(self.window.kept.folder, "session" + SUFFIX),
            f"dpstudio (*{SUFFIX})",
        )
        if not path:
            return
        self.window.kept.keep_folder(path)
        # The dialog asked whether a file is to be replaced, of the name that was typed.
        whole = Path(path if path.endswith(SUFFIX) else path + SUFFIX)
        self.write(whole, sure=str(whole) == path or not whole.exists())

    def write(self, path: Path, sure: bool | None = None) -> None:
        """Write the session; the sentence of a failure goes to the bar. A file that changed since
        it was read or written here, or of which nobody is `sure`, is asked about first."""
        session = self.session()
        if session is None or self.opener.nowhere():
            return
        if sure is False:
            self._ask_over(path)
            return
        mine = sure is None and path == self.opener.session_path
        since = self.opener.session_mark if mine else None
        moment, of = self.store.history.moment(), self.opener.open_now
        self._last = asked = SessionWriting(
            session, path, since, self._own, self.wrote(), moment, of
        )
        self._writer.submit(partial(_write, asked))

    @property
    def busy(self) -> bool:
        """Whether it is being written."""
        return self._writer.busy

    def then(self, do: Callable[[], object]) -> None:
        """Do this once nothing is being written any more, unless that failed or asks."""
        self._then = do
        if not self.busy:
            self._on_idle()

    def _on_idle(self) -> None:
        self._last = None
        self._own.clear()  # what stands in a file from now on, another one may have written
        do, self._then = self._then, None
        if do is not None:
            do()

    def _on_unwritten(self, error: Exception) -> None:
        self._then = None
        if not isinstance(error, SessionError):
            raise error
        self._failed = shown(error.sentence)
        self.window.say(self._failed, tr(N_("Save elsewhere …")), self.ask_save)

    def _on_written(self, written: tuple[SessionWriting, str | None]) -> None:
        asked, mark = written
        path, same = asked.path, asked.of is self.opener.open_now
        if mark is None:
            self._then = None
            if same:
                self._ask_over(path)
            return
        self.window.kept.keep_recent(str(path.absolute()))
        self.window.message.unsay(self._failed)
        if not same:  # another table or session came meanwhile
            return
        another = path != self.opener.session_path
        self.opener.session_path, self.opener.session_mark = path, mark
        if another:
            self.hold()
        self.saved.emit(asked.moment)

    def _ask_over(self, path: Path) -> None:
        text = say(
            "{name} was written by another window or program in the meantime. What it holds now "
            "would be lost.",
            name=path.name,
        )
        answers = (
            (tr(N_("Save as …")), self.ask_save),
            (tr(N_("Overwrite")), partial(self.write, path, True)),
            (tr(N_("Cancel")), nothing),
        )
        self.window.question.ask(shown(text), answers)

    # Several windows

    def hold(self) -> None:
        """Take the session that is open now as this window's; say it where another has it."""
        self.free()
        path = self.opener.session_path
        if path is None:
            return
        try:
            self._lock = claim(path)
        except OSError:  # nothing can be kept on this machine, so nobody can know
            return
        if self._lock is None:
            text = say(
                "{name} is open in another window. What is saved there is not seen here: save this "
                "one under another name to keep both.",
                name=path.name,
            )
            answers = ((tr(N_("Save as …")), self.ask_save), (tr(N_("Go on")), nothing))
            self.window.question.ask(shown(text), answers, held=False)

    def free(self) -> None:
        """Let other windows have the session."""
        if self._lock is not None:
            self._lock.free()
            self._lock = None


def _write(asked: SessionWriting, work: Work) -> Iterator[tuple[SessionWriting, str | None]]:
    """Write a session: with its mark, or with None where its file holds something else than it
    did. Raises SessionError."""
    path, since, own = asked.path, asked.since, asked.own
    # What was saved here since it was asked for, by another save that came first, is no loss.
    if since is not None and path.exists() and mark_of(path) not in (since, own.get(path)):
        yield asked, None
        return
    own[path] = mark = write_session(asked.session, path)
    asked.wrote()
    yield asked, mark
