"""A file of pages, such as a hand-out or a report: where to is asked, it is worked out behind, and
how far that is stands in the bar."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from dpstudio.files.session import SessionError, unwritten
from dpstudio.files.tables import TableError
from dpstudio.files.write.leaving import StaysError
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.question import nothing
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.jobs import Job, Jobs
from dpstudio.values.messages import N_, Message, in_turn, say


class PagesOut(QObject):
    """Writes one at a time; a second one that is asked for meanwhile waits."""

    def __init__(self, window: Window, jobs: Jobs, channel: str):
        super().__init__(window)
        self.window, self._path = window, Path()
        self._again: Callable[[], object] = nothing
        self.writer = jobs.channel(channel)
        self.writer.progress.connect(self._on_progress)
        self.writer.value.connect(self._on_written)
        self.writer.failed.connect(self._on_failure)

    def ask_for(
        self,
        title: str,
        name: str,
        kinds: Mapping[str, tuple[str, Any]],
        write: Callable[[Path, Any], bool],
    ) -> None:
        """Ask for a file of one of these `kinds`, words with an ending and what is chosen by them,
        and `write` it; None is chosen where that cannot be in a file of the ending that is
        typed."""
        said = {tr(words): kind for words, kind in kinds.items()}
        usual = next(iter(said.values()))
        where = os.path.join(self.window.kept.folder, name + usual[0])
        path, asked = QFileDialog.getSaveFileName(self.window, title, where, ";;".join(said))
        if not path:
            return
        self.window.kept.keep_folder(path)
        (ending, chosen), whole = said.get(asked, usual), path
        typed = Path(path).suffix.lower()
        if typed not in {end for end, _ in said.values()}:
            whole += ending
        elif (typed, chosen) not in said.values():
            chosen = None
        unless_there(self.window, Path(whole), path, lambda to: write(to, chosen))

    def submit(self, path: Path, work: Job, again: Callable[[], object]) -> None:
        """Begin to write it; `again` asks for another file where that fails."""
        self._path, self._again = path, again
        self.writer.submit(work)

    def _on_progress(self, share: float, doing: Message) -> None:
        self.window.message.working(shown(doing), share, self.writer.cancel)

    def _on_written(self, told: tuple[Message, ...]) -> None:
        done = (say("Saved {path}.", path=self._path), *told)
        self.window.say(shown(in_turn(done)), tone="good")

    def _on_failure(self, error: Exception) -> None:
        if isinstance(error, StaysError | TableError):
            self.window.say(shown(error.sentence))
            return
        if not isinstance(error, SessionError | OSError):
            raise error
        text = shown(unwritten(self._path, error).sentence)
        self.window.say(text, tr(N_("Save elsewhere …")), self._again)


def unless_there(window: Window, whole: Path, typed: str, write: Callable[[Path], bool]) -> bool:
    """Write a file; where it is there and it is not what was typed, of which the dialog asked, it
    is asked first. Whether it was written."""
    if str(whole) != typed and whole.exists():
        text = say("There is a {name} already. Overwrite it?", name=whole.name)
        answers = ((tr(N_("Overwrite")), partial(write, whole)), (tr(N_("Cancel")), nothing))
        window.question.ask(shown(text), answers)
        return False
    return write(whole)
