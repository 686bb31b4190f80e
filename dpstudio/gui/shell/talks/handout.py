"""The talk that is open as a hand-out: where to is asked, the steps are worked out behind, and how
far that is stands in the bar."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from dpstudio.files.ledger import Ledger, ledger_path
from dpstudio.files.talk import Talk, file_name
from dpstudio.gui.parts.tr import language, shown, tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.talks.files import TalkFiles
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.player import Player
from dpstudio.values.messages import N_, Message, say

# What a file dialog offers: an ending, and where what answers a question stands.
_KINDS = {
    N_("Web page, solutions folded (*.html)"): (".html", "folded"),
    N_("Web page, solutions last (*.html)"): (".html", "last"),
    N_("Web page without solutions (*.html)"): (".html", "none"),
    N_("PDF, solutions last (*.pdf)"): (".pdf", "last"),
    N_("PDF without solutions (*.pdf)"): (".pdf", "none"),
}


class HandOut(QObject):
    """Writes one at a time; a second one that is asked for meanwhile waits."""

    def __init__(self, window: Window, jobs: Jobs, player: Player, files: TalkFiles):
        super().__init__(window)
        self.window, self.player, self.files = window, player, files
        self._path = Path()
        self.writer = jobs.channel("handout")
        self.writer.progress.connect(self._on_progress)
        self.writer.value.connect(self._on_written)
        self.writer.failed.connect(self._on_failure)

    def ask(self) -> None:
        """Ask for a file, and write the hand-out to it."""
        talk = self.player.talk
        if talk is None or not talk.steps:
            self.window.say(tr(N_("There is no step yet: add what is on the screen first.")))
            return
        kinds = {tr(words): kind for words, kind in _KINDS.items()}
        usual = next(iter(kinds.values()))
        path, chosen = QFileDialog.getSaveFileName(
            self.window,
            tr(N_("Hand out")),
            os.path.join(self.window.kept.folder, file_name(tr(talk.name)) + usual[0]),
            ";;".join(kinds),
        )
        if not path:
            return
        self.window.kept.keep_folder(path)
        (ending, solutions), whole = kinds.get(chosen, usual), path
        typed = Path(path).suffix.lower()
        if typed not in {end for end, _ in kinds.values()}:
            whole += ending
        elif typed != ending:  # another kind of file than was chosen: what is usual there
            solutions = ""
        self.files.unless_there(Path(whole), path, partial(self.write, solutions=solutions))

    def write(self, path: Path, solutions: str = "") -> bool:
        """Begin to write the hand-out of the talk as it is now; whether there is one. `solutions`
        as `hand_out` has them."""
        talk = self.player.talk
        if talk is not None:
            self._path = path
            folder = self.files.path.parent if self.files.path is not None else None
            self.writer.submit(partial(_written, talk, path, folder, solutions))
        return talk is not None

    def _on_progress(self, share: float, doing: Message) -> None:
        self.window.message.working(shown(doing), share, self.writer.cancel)

    def _on_written(self, told: tuple[Message, ...]) -> None:
        done = (say("Saved {path}.", path=self._path), *told)
        self.window.say(" ".join(map(shown, done)), tone="good")

    def _on_failure(self, error: Exception) -> None:
        from dpstudio.files.session import SessionError, unwritten

        if not isinstance(error, SessionError | OSError):
            raise error
        text = shown(unwritten(self._path, error).sentence)
        self.window.say(text, tr(N_("Save elsewhere …")), self.ask)


def _written(
    talk: Talk, path: Path, folder: Path | None, solutions: str, work: Work
) -> Iterator[tuple[Message, ...]]:
    """What the draws of the hidden steps cost, once the file is written."""
    from dpstudio.files.handing_out import Tables, hand_out
    from dpstudio.gui.board.render import FigureImages

    told = list[Message]()
    hand_out(
        talk,
        path,
        Tables(folder, work.cancelled),
        Ledger(ledger_path()),
        FigureImages(),
        progress=work.progress,
        tell=told.append,
        language=language(),
        translate=tr,
        solutions=solutions,
    )
    yield tuple(told)
