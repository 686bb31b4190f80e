"""Opening tables and sessions in the background, and saving sessions: what is loaded stays until the new one is whole."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from dpstudio.core.dataset import Dataset
from dpstudio.core.params import ParamError
from dpstudio.core.wording import N_, say
from dpstudio.files.session import SUFFIX, Session, SessionError, read_session, write_session
from dpstudio.files.tables import CancelledError, TableError, example, open_table
from dpstudio.gui.runner import Runner
from dpstudio.gui.tr import shown, tr

if TYPE_CHECKING:
    from dpstudio.gui.studio import Studio


class Opener(QObject):
    """Brings tables and sessions to the studio; every failure is a sentence in the bar."""

    _progress = Signal(float)

    def __init__(self, studio: Studio):
        super().__init__(studio)
        self.studio, self.window = studio, studio.window
        self.loader = Runner(self)
        self.session_path: Path | None = None
        self._loading = ""
        self._afterwards = ""
        self.loader.value.connect(self._on_loaded)
        self.loader.failed.connect(self._on_failure)
        self._progress.connect(self._on_progress)

    def open(self, where: str) -> None:
        """Open a table, an example or a session."""
        if where.endswith(SUFFIX):
            self._open_session(Path(where))
        else:
            self._load(where, None, None)

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
        self._load(str(beside) if moved else session.table, session, path)

    def _load(self, where: str, session: Session | None, path: Path | None) -> None:
        known = example(where)
        self._loading = tr(known.label) if known else Path(where).name
        self.window.message.working(shown(say(N_("Opening {name} …"), name=self._loading)), 0.0, self.cancel)
        self.loader.submit(partial(_read, where, session, path, self._progress.emit), cancel=True)

    def cancel(self) -> None:
        """Leave the opening; at the very start there is then no table."""
        self.loader.cancel()
        self.window.message.say("")
        if self.studio.store.data is None:
            self.window.top.name_table(tr(N_("No table")))
            self.window.say(tr(N_("No table is open.")), tr(N_("Open …")), self.studio.saver.ask_open, "")

    def _on_progress(self, share: float) -> None:
        if self.loader.busy and self.window.message.progress.isVisible():
            self.window.message.progress.setValue(round(100 * share))

    def _on_loaded(self, loaded: tuple[Dataset, Session | None, Path | None]) -> None:
        data, session, path = loaded
        self._say(self._afterwards)
        self._afterwards = ""
        # Only now: a session that could not be opened must not be the one that Save writes over.
        self.session_path = path
        self.studio.take(data, session)
        self._remember(str(path.absolute()) if path else data.origin)
        person = session.codebook.person if session is not None else ""
        if person and self.studio.store.state.codebook.person != person:
            text = N_(
                "This table has no column “{column}” that could say whose row it is: each row is now a person. Check the unit of privacy."
            )
            self.window.say(shown(say(text, column=person)), tone="warn")
        elif session is not None and session.digest and session.digest != data.digest:
            self.window.say(tr(N_("The table has changed since this session was saved. The charts show it as it is now.")), tone="warn")

    def _on_failure(self, error: Exception) -> None:
        if isinstance(error, CancelledError):
            self.window.message.say("")
            return
        self._fall_back(shown(error.sentence) if isinstance(error, TableError) else f"{self._loading}: {type(error).__name__}: {error}")

    def _say(self, text: str) -> None:
        self.window.say(text, tr(N_("Open another …")) if text else "", self.studio.saver.ask_open)

    def _fall_back(self, text: str) -> None:
        """Say why nothing was opened; at the start, open the first example all the same."""
        if self.studio.store.data is None and not self._afterwards:
            self._afterwards = text
            self.open("adult")
        else:
            self._say(text)

    def save(self, path: Path) -> None:
        """Write the session; the sentence of a failure goes to the bar."""
        data = self.studio.store.data
        if data is None:
            return
        try:
            write_session(self.studio.session(data), path)
        except SessionError as error:
            self.window.say(shown(error.sentence), tr(N_("Save elsewhere …")), self.studio.saver.ask_save)
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


def _read(where: str, session: Session | None, path: Path | None, progress: Any, cancelled: Any) -> Any:
    data = open_table(where, progress, cancelled)
    if session is not None:
        with suppress(ParamError):  # then the studio says that there is no such column
            data.described(session.codebook)  # rows are chosen here, and not on the thread that draws
    yield data, session, path
