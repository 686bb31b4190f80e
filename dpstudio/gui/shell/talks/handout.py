"""The talk that is open as a hand-out."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from dpstudio.files.ledger import Ledger, ledger_path
from dpstudio.files.talk import Talk, file_name
from dpstudio.gui.parts.tr import language, tr
from dpstudio.gui.shell.files.pages_out import PagesOut
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.talks.files import TalkFiles
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.player import Player
from dpstudio.values.messages import N_, Message

# What a file dialog offers: an ending, and where what answers a question stands.
_KINDS = {
    N_("Web page, solutions folded (*.html)"): (".html", "folded"),
    N_("Web page, solutions last (*.html)"): (".html", "last"),
    N_("Web page without solutions (*.html)"): (".html", "none"),
    N_("PDF, solutions last (*.pdf)"): (".pdf", "last"),
    N_("PDF without solutions (*.pdf)"): (".pdf", "none"),
}


class HandOut(PagesOut):
    """Writes the hand-out of a talk."""

    def __init__(self, window: Window, jobs: Jobs, player: Player, files: TalkFiles):
        super().__init__(window, jobs, "handout")
        self.player, self.files = player, files

    def ask(self) -> None:
        """Ask for a file, and write the hand-out to it."""
        talk = self.player.talk
        if talk is None or not talk.steps:
            self.window.say(tr(N_("There is no step yet: add what is on the screen first.")))
            return
        self.ask_for(tr(N_("Hand out")), file_name(tr(talk.name)), _KINDS, self.write)

    def write(self, path: Path, solutions: str | None = None) -> bool:
        """Begin to write the hand-out of the talk as it is now; whether there is one. `solutions`
        as `hand_out` has them."""
        talk = self.player.talk
        if talk is not None:
            folder = self.files.path.parent if self.files.path is not None else None
            self.submit(path, partial(_written, talk, path, folder, solutions or ""), self.ask)
        return talk is not None


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
