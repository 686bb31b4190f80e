"""The page as a script: read beside the page, over the charts, copied, or saved; as a notebook all
pages that were opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from dpstudio.files.session import Session, SessionError, write_text
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files.pages_out import unless_there
from dpstudio.gui.shell.frame.manual import over_the_charts
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.store import Store
from dpstudio.labs.scripted import NoScript
from dpstudio.values.messages import N_, say

if TYPE_CHECKING:
    from dpstudio.gui.shell.files.script_pane import ScriptPane

_WAIT = 150  # ms after a change of the page


class Scripting(QObject):
    """Shows the script of the page, and writes it anew as the page changes. `rearranged`: it came,
    or went."""

    rearranged = Signal()

    def __init__(self, window: Window, store: Store, session: Callable[[], Session | None]):
        super().__init__(window)
        self.window, self.store, self._session = window, store, session
        self._before: QWidget | None = None

    @property
    def on(self) -> bool:
        """Whether it is to be seen."""
        return "pane" in self.__dict__ and not self.pane.isHidden()

    @property
    def parts(self) -> list[QWidget]:
        """What Tab goes through of it."""
        return [self.pane] if self.on else []

    @cached_property
    def pane(self) -> ScriptPane:
        """What it is read in, made when it is first asked for."""
        from dpstudio.gui.shell.files.script_pane import ScriptPane

        window, pane = self.window, ScriptPane()
        pane.hide()
        pane.setParent(window.centralWidget())
        window.style_sheets.add(pane)
        pane.left.connect(self.leave)
        pane.copied.connect(self.copy)
        pane.saved.connect(self.ask)
        pane.chosen.connect(self.write)
        window.theme.changed.connect(self._dress)
        window.presented.connect(self.leave)
        for beside in (window.nav, window.panel, window.question, window.message):
            beside.installEventFilter(self)
        self._late = QTimer(self, singleShot=True, interval=_WAIT)
        self._late.timeout.connect(self.write)
        self.store.changed.connect(self._on_change)
        return pane

    def toggle(self) -> None:
        """Show the script of the page; away where a person reads it already."""
        if self.on and self.pane.isAncestorOf(QApplication.focusWidget() or self.window):
            self.leave()
            return
        self.window.leave_presenting()
        self._before = self.window.focusWidget() if not self.on else self._before
        self.pane.show()
        self.pane.raise_()
        self._dress()
        self.write()
        self.pane.text.setFocus()
        self.rearranged.emit()

    def leave(self) -> None:
        """Close it, and give the focus back."""
        if not self.on:
            return
        self.pane.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()
        self._before = None
        self.rearranged.emit()

    def write(self) -> None:
        """Write the script of the page as it is now, or why it has none."""
        if self.on:
            self.pane.read(*self._made())

    def _made(self) -> tuple[str, str]:
        """(the text of the kind that is chosen, "") or ("", why there is none)."""
        from dpstudio.files.write.notebook import notebook, opened
        from dpstudio.files.write.script import python_script

        session, data, second = self._session(), self.store.data, self.store.second
        if session is None or data is None:
            return "", tr(N_("Open a table first."))
        try:
            if self.pane.kind == "notebook":
                return notebook(opened(session), data, second), ""
            lab = session.lab(session.active)
            return python_script(lab, data, self.pane.kind, second), ""
        except (NoScript, SessionError) as why:
            return "", shown(why.sentence)

    def copy(self) -> None:
        """What is shown to the clipboard."""
        QGuiApplication.clipboard().setText(self.pane.text.toPlainText())
        self.window.say(tr(N_("Copied.")), tone="good")

    def ask(self) -> None:
        """Ask for a file, and write it."""
        ending = self.pane.ending
        name = f"{self.store.state.active}{ending}"
        where = os.path.join(self.window.kept.folder, name)
        title, kinds = tr(N_("Save the script")), f"{tr(N_('Script'))} (*{ending})"
        path, _ = QFileDialog.getSaveFileName(self.window, title, where, kinds)
        if path:
            self.window.kept.keep_folder(path)
            whole = path if Path(path).suffix == ending else path + ending
            unless_there(self.window, Path(whole), path, partial(self._save, path=path))

    def _save(self, whole: Path, path: str = "") -> bool:
        try:
            write_text(whole, self.pane.text.toPlainText())
        except SessionError as error:
            self.window.say(shown(error.sentence), tr(N_("Save elsewhere …")), self.ask)
            return False
        self.window.say(shown(say("Saved {path}.", path=whole)), tone="good")
        return True

    def _on_change(self) -> None:
        if self.on:
            self._late.start()

    def _dress(self) -> None:
        if self.on:
            self.pane.dress(self.window.theme.look)
            self._place()

    def _place(self) -> None:
        self.pane.setGeometry(over_the_charts(self.window))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moved = QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide
        if event.type() in moved and self.on:
            self._place()
        return False
