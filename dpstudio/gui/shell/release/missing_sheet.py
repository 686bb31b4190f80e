"""The sheet that lists all that keeps a plan from the release desk, each with the way there."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from dpstudio.gui.parts.buttons import plain_text, push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.sheet import Sheet
from dpstudio.gui.shell.frame.window import Window
from dpstudio.labs.panel import Lack
from dpstudio.values.messages import N_


class MissingSheet(Sheet):
    """`go(lack)`: a person went to mend that one. `ways` has a button for each."""

    def __init__(self, window: Window, go: Callable[[Lack], object]):
        super().__init__(window, QWidget())
        self._go = go
        self.ways: list[QPushButton] = []
        self.does.hide()

    def ask(self, title: str, missing: Sequence[Lack]) -> None:
        """Show what is missing, of which there is something."""
        if self.isVisible():
            self.leave()
        rows, self.ways = self.anew(), []
        rows.addWidget(label(tr(N_("Missing")), "head"))
        for lack in missing:
            rows.addWidget(label(shown(lack.why), "warn", wrap=True))
            way = push(plain_text(tr(N_("Go there"))), "link")
            way.setAccessibleDescription(shown(lack.why))
            way.clicked.connect(partial(self._to, lack))
            rows.addWidget(way, alignment=Qt.AlignmentFlag.AlignLeft)
            self.ways.append(way)
        self.title.setText(title)
        self.rise()
        self.ways[0].setFocus()

    def _to(self, lack: Lack, _: bool = False) -> None:
        self.leave()
        self._go(lack)
