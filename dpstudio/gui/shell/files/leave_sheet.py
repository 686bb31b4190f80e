"""The sheet before a table or a model leaves: what does, what it costs, what is attested and what
is missing, with the way there, and what stays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from dpstudio.files.write.leave_notes import LeaveNotes
from dpstudio.files.write.leaving import StaysError
from dpstudio.gui.parts.buttons import plain_text, push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.values.messages import N_, say

WIDTH, EDGE = 560, 24  # px at normal type


class LeaveSheet(QFrame):
    """Lies over the window until it is answered; Esc leaves it, and all as it is."""

    def __init__(
        self, window: Window, column: Callable[[str], object], stays: Callable[[Exception], object]
    ):
        super().__init__(window)
        self._window, self._column, self._stays = window, column, stays
        self.setObjectName("card")
        window.style_sheets.add(self)
        self.title = label("", "headline")
        self.body = QWidget()
        self.rows, self.ways = QVBoxLayout(), QHBoxLayout()
        self.save, self.back = push("", "primary"), push(tr(N_("Back")))
        self._then: Callable[[], object] = lambda: None
        self._before: QWidget | None = None
        self._whole, foot = QVBoxLayout(self), QHBoxLayout()
        self._whole.addWidget(self.title)
        self._whole.addWidget(self.body)
        foot.addStretch()
        foot.addWidget(self.back)
        foot.addWidget(self.save)
        self._whole.addLayout(foot)
        self.save.clicked.connect(self._on_save)
        self.back.clicked.connect(self.leave)
        self.hide()

    def ask(self, notes: LeaveNotes, then: Callable[[], object]) -> None:
        """Show the notes; `then` saves."""
        px = self._window.theme.look.px
        self._then, self._before = then, self._window.focusWidget()
        self._begin()
        self.title.setText(shown(notes.title))
        self.save.setText(shown(notes.title) + " …")
        self._section(N_("What leaves"), *map(shown, notes.leaves))
        self._section(N_("What it costs"), shown(notes.costs))
        if notes.attested is not None:
            self._section(N_("Attested: known from outside the rows"), shown(notes.attested))
        if notes.missing is not None:
            self._section(N_("Missing"), shown(notes.missing.error.sentence), style="warn")
            self._offer(notes.missing.error, notes.missing.columns)
            self.rows.addLayout(self.ways)
        self._section(N_("What stays"), shown(notes.stays))
        self.save.setEnabled(notes.missing is None)
        self.setFixedWidth(min(px(WIDTH), self._window.width() - 2 * px(EDGE)))
        layout = self._whole
        layout.setContentsMargins(px(EDGE), px(EDGE), px(EDGE), px(EDGE))
        layout.setSpacing(px(12))
        self.rows.setSpacing(px(4))
        high = layout.totalHeightForWidth(self.width())
        self.resize(self.width(), high)
        self.move(
            (self._window.width() - self.width()) // 2, max(0, (self._window.height() - high) // 2)
        )
        self.show()
        self.raise_()
        (self.save if notes.missing is None else self.back).setFocus()

    def _begin(self) -> None:
        """Empty: what was said before goes with what held it."""
        before, self.body = self.body, QWidget()
        self.rows, self.ways = QVBoxLayout(self.body), QHBoxLayout()
        self.rows.setContentsMargins(0, 0, 0, 0)
        self._whole.replaceWidget(before, self.body)
        self.body.show()
        before.hide()
        before.deleteLater()

    def _section(self, head: str, *lines: str, style: str = "") -> None:
        self.rows.addSpacing(self._window.theme.look.px(8))
        self.rows.addWidget(label(tr(head), "head"))
        for line in lines:
            self.rows.addWidget(label(line, style, wrap=True))

    def _offer(self, error: StaysError, columns: tuple[str, ...]) -> None:
        """The ways to what is missing: its columns on the page of the table, or how it is read."""
        for name in columns[:3]:
            text = shown(say("Tell what is known of “{column}”", column=name))
            button = push(plain_text(text), "link")
            button.clicked.connect(partial(self._go, partial(self._column, name)))
            self.ways.addWidget(button)
        if getattr(error, "tellable", False):
            button = push(tr(N_("Tell how this file is read")), "link")
            button.clicked.connect(partial(self._go, partial(self._stays, error)))
            self.ways.addWidget(button)
        self.ways.addStretch()

    def _go(self, there: Callable[[], object], _: bool = False) -> None:
        self.leave()
        there()

    def _on_save(self) -> None:
        self.leave()
        self._then()

    def leave(self) -> None:
        """Go, and give the focus back."""
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()
        self._before = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)
