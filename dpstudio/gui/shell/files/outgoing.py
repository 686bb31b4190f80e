"""The button of a page that lets a table or a model leave: a sheet first, then where to, then it is
drawn and written."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog

from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files import leaving
from dpstudio.gui.shell.files.saving import Saver
from dpstudio.gui.shell.frame.topbar import act
from dpstudio.gui.shell.pages import DATA_PAGE, IMPORT_PAGE, Pages
from dpstudio.gui.state.jobs import Jobs
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.attesting import stays
from dpstudio.gui.table.opening import Opener
from dpstudio.labs.naming import lab_kind
from dpstudio.values.messages import N_, Message, in_turn, say

if TYPE_CHECKING:
    from dpstudio.data.dataset import Dataset
    from dpstudio.files.write.leave_notes import LeaveNotes
    from dpstudio.gui.shell.files.leave_sheet import LeaveSheet

MODEL, TABLE = N_("Save this model …"), N_("Save this table …")


class Outgoing:
    """Ties the button above the page, the sheet and what saves."""

    def __init__(self, pages: Pages, store: Store, jobs: Jobs, saver: Saver, opener: Opener):
        self.pages, self.store, self.saver = pages, store, saver
        self.window, self._stays = pages.window, partial(stays, opener)
        self._apart = opener.apart.emit
        self.button = push("", "link")
        self.window.page_line.add(self.button)
        self.button.clicked.connect(self.ask)
        menu = self.window.top.export.menu()
        self.entry = act(menu, tr(TABLE), self.ask)
        self._asked: tuple[Any, Dataset | None] = None, None
        self._left: tuple[str, Dataset | None] = (
            "",
            None,
        )  # which page, to tell what, of which table
        self.notes, self.drawer = jobs.channel("notes"), jobs.channel("model")
        self.notes.value.connect(self._on_notes)
        self.notes.failed.connect(self._stays)
        self.drawer.value.connect(self._on_drawn)
        self.drawer.failed.connect(self._stays)
        pages.turned.connect(self._follow)
        store.changed.connect(self._on_change)

    @cached_property
    def sheet(self) -> LeaveSheet:
        """What is asked first, made when it is first wanted."""
        from dpstudio.gui.shell.files.leave_sheet import LeaveSheet

        ways = self.pages.go_to_column, self._stays, self._apart
        return LeaveSheet(self.window, *(partial(self._leave_for, way) for way in ways))

    def _leave_for(self, way: Callable[..., object], *what: object) -> None:
        """Something that is missing is told elsewhere: the sheet comes back when it is."""
        self._left = self.store.state.active, self.store.data
        way(*what)

    def _come_back(self) -> None:
        """Something was told: show what is still missing."""
        (key, before), data = self._left, self.store.data
        if key == self.pages.page and data is not None and data is not before:
            self._left = "", None
            self.ask()

    def _on_change(self) -> None:
        """What is asked, or was said, is of what was there: of anything else it is asked anew."""
        if self._asked[0] not in (None, self.store.lab) or self._asked[1] is not self.store.data:
            self._forget()
        self._come_back()

    def _forget(self) -> None:
        self._asked = None, None
        self.notes.cancel()
        if "sheet" in self.__dict__ and self.sheet.isVisible():
            self.sheet.leave()

    def _follow(self) -> None:
        """Another page is there."""
        self._forget()
        page = lab_kind(self.store.state.active).page()
        text = MODEL if page.releases is not None else TABLE
        self.button.setText(tr(text))
        self.button.setAccessibleName(tr(text))
        there = page.releases is not None or page.publishes is not None
        self.button.setVisible(there)
        self.entry.setText(tr(text))
        self.entry.setEnabled(there)
        if self.pages.page not in (self._left[0], DATA_PAGE, IMPORT_PAGE):
            self._left = "", None
        self._come_back()

    def ask(self) -> None:
        """Look at what would leave, and show it."""
        if self.store.data is not None:
            self._asked = self.store.lab, self.store.data
            self.notes.submit(partial(leaving.noted, *self._asked), cancel=True)

    def _on_notes(self, notes: LeaveNotes) -> None:
        self.sheet.ask(notes, self._save)

    def _save(self) -> None:
        lab, data = self._asked
        page = lab.page()
        if page.releases is None:
            self.saver.ask_folder(without=page.publishes_drawn, alone=True)
            return
        kept = self.window.kept
        named = os.path.join(kept.folder, f"{lab.key}-model.json")
        path, _ = QFileDialog.getSaveFileName(
            self.window, tr(N_("Save this model")), named, "JSON (*.json)"
        )
        if path and data is not None:
            kept.keep_folder(path)
            where = Path(path).with_suffix(".json")
            self.drawer.submit(partial(leaving.model_drawn, lab, data, where))

    def _on_drawn(self, drawn: tuple[list[Path], tuple[Message, ...]]) -> None:
        (path, *_), told = drawn
        lines = (say("Saved {path}, with a loader beside it.", path=path), *told)
        self.window.say(shown(in_turn(lines)), tone="good")
