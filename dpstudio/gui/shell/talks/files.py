"""The file of a talk: read in the background, written, asked about where it is not saved; and the
tables that its steps name."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from dpstudio.files.session import Session, SessionError
from dpstudio.files.talk import SUFFIX, Step, Talk, file_name, read_talk, write_talk
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files.pages_out import unless_there
from dpstudio.gui.shell.frame.question import nothing
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.player import Player
from dpstudio.gui.table.opening import Opener
from dpstudio.gui.table.reading import Request, TableRead, found_beside, of_session
from dpstudio.values.messages import N_, say


class TalkFiles(QObject):
    """`read(path, talk)`: the talk that was asked for; `saved`: it was written."""

    read = Signal(object, object)
    saved = Signal()

    def __init__(self, window: Window, opener: Opener, jobs: Jobs, player: Player):
        super().__init__(window)
        self.window, self.opener, self.player = window, opener, player
        self.path: Path | None = None
        self._asked: object = None  # by what a table of a step is opened
        self._missing = ""  # one to stand beside the first that was not found
        player.table.connect(self._open_table)
        player.second.connect(self._open_second)
        opener.opened.connect(self._on_opened)
        opener.stood.connect(self._on_stood)
        self.reader = jobs.channel("talk")
        self.reader.value.connect(lambda found: self.read.emit(*found))
        self.reader.failed.connect(self._on_failure)

    def open(self, path: Path) -> None:
        """Read a talk; `read` brings it."""
        self.reader.submit(partial(_read, path), cancel=True)

    def ask_open(self) -> None:
        """Ask for a talk to open."""
        folder, kind = self.window.kept.folder, f"{tr(N_('Talks and lessons'))} (*{SUFFIX})"
        path, _ = QFileDialog.getOpenFileName(self.window, tr(N_("Open a talk")), folder, kind)
        if path:
            self.window.kept.keep_folder(path)
            self.open(Path(path))

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, SessionError):
            raise error
        self.window.say(shown(error.sentence), tr(N_("Open another …")), self.ask_open)

    # The tables of its steps

    def forget(self) -> bool:
        """Wait for no table any more; whether one was waited for."""
        asked, self._asked = self._asked, None
        return asked is not None

    def _open_table(self, step: Step) -> None:
        where = self.player.tables.found(step.table) or found_beside(self.path, step.table)
        view = {"hidden": {step.lab.key: {key: list(names) for key, names in step.hidden.items()}}}
        held = Session(
            step.table,
            step.digest,
            (step.lab,),
            step.lab.key,
            {**view, "index": step.index},
            step.codebook,
            step.reading,
        )
        self._asked = held
        self.opener.open_session(of_session(held, None, where))

    def _on_opened(self, got: TableRead) -> None:
        if got.request.session is self._asked and self.forget():
            self.player.opened()

    def _open_second(self, step: Step) -> None:
        if step.second is not None:
            table = step.second.table
            where = self.player.tables.found(table) or found_beside(self.path, table)
            self._asked = self.opener.beside.bring(step.second, where)

    def _on_stood(self, request: Request, there: bool) -> None:
        step = self.player.step
        named = step.second.table if step is not None and step.second is not None else ""
        if request is self._asked and self.forget():
            self._missing = "" if there else named
            self.player.stood(there)
        elif there and named and named == self._missing:  # a person has found it
            self.player.tables.locate(named, self.player.store.second)

    # Saving

    def save(self) -> bool:
        """Write the talk to its file, or to one that is asked for; whether it was written."""
        return self.ask_save() if self.path is None else self.write(self.path)

    def ask_save(self) -> bool:
        """Ask for a file, and write the talk to it; whether it was written."""
        talk = self.player.talk
        if talk is None:
            return False
        path, _ = QFileDialog.getSaveFileName(
            self.window,
            tr(N_("Save the talk")),
            os.path.join(self.window.kept.folder, file_name(talk.name) + SUFFIX),
            f"{tr(N_('Talks and lessons'))} (*{SUFFIX})",
        )
        if not path:
            return False
        self.window.kept.keep_folder(path)
        whole = Path(path if path.endswith(SUFFIX) else path + SUFFIX)
        return unless_there(self.window, whole, path, self.write)

    def write(self, path: Path) -> bool:
        """Write the talk; the sentence of a failure goes to the bar. Whether it was written."""
        if self.player.talk is None:
            return False
        try:
            write_talk(self.player.talk, path)
        except SessionError as error:
            self.window.say(shown(error.sentence), tr(N_("Save elsewhere …")), self.ask_save)
            return False
        self.path = path
        self.player.kept()
        self.saved.emit()
        self.window.say(shown(say("Saved {path}.", path=path)), tone="good")
        return True

    def sure(self) -> bool:
        """Whether nothing of the talk would be lost."""
        talk = self.player.talk
        return talk is None or not self.player.dirty or not talk.steps

    def ask(self, text: str, then: Callable[[], object]) -> None:
        """Ask what is to become of a talk that is not saved, before `then` is done."""
        talk = self.player.talk

        def save() -> None:
            if self.save():
                then()

        def discard() -> None:
            self.player.kept()
            then()

        answers = (
            (tr(N_("Save")), save),
            (tr(N_("Discard")), discard),
            (tr(N_("Cancel")), nothing),
        )
        name = talk.name if talk is not None else ""
        self.window.question.ask(shown(say(text, name=name)), answers)


def _read(path: Path, work: Work) -> Iterator[tuple[Path, Talk]]:
    yield path, read_talk(path)
