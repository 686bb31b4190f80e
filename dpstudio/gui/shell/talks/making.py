"""What is set becomes a step: what is on the screen, on its table, with the chart that is seen."""

from typing import Any

from dpstudio.files.talk import Step
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pictures import Pictures
from dpstudio.gui.state.player import Player
from dpstudio.gui.table.opening import Opener
from dpstudio.labs.question import reads_table


class Making:
    """Records steps of a player's talk."""

    def __init__(self, window: Window, opener: Opener, pictures: Pictures, player: Player):
        self.window, self.opener, self.pictures, self.player = window, opener, pictures, player

    @property
    def seen(self) -> bool:
        """Whether there is anything on the screen to be a step; where its table is in no file, that
        is said."""
        there = self.opener.store.data is not None and bool(self.window.board.items)
        return there and not self.opener.nowhere()

    def add(self) -> None:
        """Add what is set now after the step on the screen."""
        self.player.put_in(Step(self._title, **self._state()))

    def retake(self) -> None:
        """Let the step on the screen be what is set now; what is written of it stays."""
        step = self.player.step
        if step is not None and self.seen:
            made = self._state()
            point = {} if step.lab.key == made["lab"].key else {"point": ""}
            self.player.change(**made, **point)

    @property
    def _card(self) -> Any:
        board = self.window.board
        return board.items[board.filled or 0]

    @property
    def _title(self) -> str:
        title: str = self._card.title.text()
        return title

    def _state(self) -> dict[str, Any]:
        """The lab and how it is looked at; with the chart that fills the screen or the first."""
        store, board = self.opener.store, self.window.board
        lab, data = store.lab, store.data
        reads = data is not None and reads_table(lab)
        hidden = {
            key: tuple(sorted(names))
            for (of, key), names in board.hidden.items()
            if of == lab.key and names
        }
        return {
            "lab": lab,
            "table": data.origin if data is not None and reads else "",
            "digest": data.digest if data is not None and reads else "",
            "chart": self._card.key,
            "hidden": hidden,
            "index": self.pictures.index,
            "codebook": store.state.codebook,
            "reading": self.opener.reading,
            "second": self.opener.beside.stands if lab.page().second is not None else None,
        }
