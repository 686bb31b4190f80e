"""The page as a script: read beside the page, over the charts, copied, or saved; as a notebook all
pages that were opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from dpstudio.files.session import Session, SessionError, write_text
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files.pages_out import unless_there
from dpstudio.gui.shell.frame.over_charts import OverCharts
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.store import Store
from dpstudio.labs.scripting.scripted import NoScript
from dpstudio.values.messages import N_, say

if TYPE_CHECKING:
    from dpstudio.gui.shell.files.script_pane import ScriptPane

_WAIT = 150  # ms after a change of the page


class Scripting(OverCharts["ScriptPane"]):
    """Shows the script of the page, and writes it anew as the page changes."""

    def __init__(self, window: Window, store: Store, session: Callable[[], Session | None]):
        super().__init__(window)
        self.store, self._session = store, session

    def made(self) -> ScriptPane:
        from dpstudio.gui.shell.files.script_pane import ScriptPane

        pane = ScriptPane()
        pane.copied.connect(self.copy)
        pane.saved.connect(self.ask)
        pane.chosen.connect(self.write)
        pane.every.connect(self._every_row)
        self._late = QTimer(self, singleShot=True, interval=_WAIT)
        self._late.timeout.connect(self.write)
        self.store.changed.connect(self._on_change)
        return pane

    def toggle(self) -> None:
        """Show the script of the page; away where a person reads it already."""
        if self.read:
            self.leave()
            return
        self.come()
        self.write()
        self.pane.text.setFocus()

    def write(self) -> None:
        """Write the script of the page as it is now, or why it has none."""
        if self.on:
            text, why = self._made()
            self.pane.read(text, why, proposed=self._proposed(why))

    def _proposed(self, why: str) -> bool:
        """Whether it is for a condition that rows proposed, and would be no more without it."""
        from dpstudio.files.write.taken_as_public import every_row, proposed_by_rows

        lab = self.store.lab
        said = proposed_by_rows(lab)
        return said is not None and shown(said) == why and proposed_by_rows(every_row(lab)) is None

    def _every_row(self) -> None:
        from dpstudio.files.write.taken_as_public import every_row

        self.store.edit(every_row(self.store.lab))

    def _made(self) -> tuple[str, str]:
        """(the text of the kind that is chosen, "") or ("", why there is none)."""
        from dpstudio.files.write.notebook import notebook, opened
        from dpstudio.files.write.script import python_script

        session, data, second = self._session(), self.store.data, self.store.second
        if session is None or data is None:
            return "", tr(N_("Open a table first."))
        try:
            if self.pane.kind == "notebook":
                return notebook(opened(session), data, second, tr), ""
            lab = session.lab(session.active)
            return python_script(lab, data, self.pane.kind, second, tr), ""
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
