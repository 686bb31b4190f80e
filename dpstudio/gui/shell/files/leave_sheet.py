"""The sheet before a table or a model leaves: what does, what it costs, what is attested and what
is missing, with the way there, and what stays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpstudio.files.write.leave_notes import LeaveNotes
from dpstudio.files.write.leaving import ColumnsStayError, MergedError, StaysError
from dpstudio.gui.parts.buttons import plain_text, push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.sheet import Sheet
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.table.attesting import APART
from dpstudio.values.messages import N_, say


class LeaveSheet(Sheet):
    """Where it is left, all stays as it is."""

    def __init__(
        self,
        window: Window,
        column: Callable[[str], object],
        stays: Callable[[Exception], object],
        apart: Callable[[], object],
    ):
        super().__init__(window, QWidget())
        self._column, self._stays, self._apart = column, stays, apart
        self.rows = QVBoxLayout()
        self._then: Callable[[], object] = lambda: None
        self.save = self.does
        self.save.clicked.connect(self._on_save)

    def ask(self, notes: LeaveNotes, then: Callable[[], object]) -> None:
        """Show the notes; `then` saves."""
        if self.isVisible():  # asked once more behind it: what takes its height is made anew
            self.leave()
        self._then = then
        self.rows = self.anew()
        self.title.setText(shown(notes.title))
        self.save.setText(shown(notes.title) + " …")
        self._section(N_("What leaves"), *map(shown, notes.leaves))
        self._section(N_("What it costs"), shown(notes.costs))
        if notes.attested is not None:
            self._section(N_("Attested: known from outside the rows"), shown(notes.attested))
        if notes.missing:
            self._section(N_("Missing"))
        for error in notes.missing:
            self.rows.addWidget(label(shown(error.sentence), "warn", wrap=True))
            self._offer(error)
        self._section(N_("What stays"), shown(notes.stays))
        self.save.setEnabled(not notes.missing)
        self.rows.setSpacing(self._window.theme.look.px(4))
        self.rise()
        (self.back if notes.missing else self.save).setFocus()

    def _section(self, head: str, *lines: str) -> None:
        self.rows.addSpacing(self._window.theme.look.px(8))
        self.rows.addWidget(label(tr(head), "head"))
        for line in lines:
            self.rows.addWidget(label(line, wrap=True))

    def _offer(self, error: StaysError) -> None:
        """The ways to what is missing: its columns on the page of the table, or how it is read."""
        if isinstance(error, MergedError):
            self._way(tr(APART), self._apart)
        elif isinstance(error, ColumnsStayError):
            for name in error.columns:
                text = shown(say("Tell what is known of “{column}”", column=name))
                self._way(plain_text(text), partial(self._column, name))
        elif getattr(error, "tellable", False):
            self._way(tr(N_("Tell how this file is read")), partial(self._stays, error))

    def _way(self, text: str, there: Callable[[], object]) -> None:
        button = push(text, "link")
        button.clicked.connect(partial(self._go, there))
        self.rows.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)

    def _go(self, there: Callable[[], object], _: bool = False) -> None:
        self.leave()
        there()

    def _on_save(self) -> None:
        self.leave()
        self._then()
