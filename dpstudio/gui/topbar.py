"""The top bar: the table, the neighbours, history, export, present."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QWidget

from dpstudio.core.wording import N_
from dpstudio.gui.tr import tr
from dpstudio.gui.widgets import Segments, label

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

NEIGHBOURS = {"add_remove": N_("Add or remove one"), "replace": N_("Replace one")}


class TopBar(QFrame):
    """Only buttons; the studio gives them their actions with `fill`."""

    def __init__(self, window: QMainWindow):
        super().__init__(window)
        self.window_ = window
        self.setObjectName("topbar")
        self.table = self._menu_button(tr(N_("Opening …")))
        self.table.setAccessibleName(tr(N_("Table and files")))
        self.neighbours = Segments(NEIGHBOURS)
        self.neighbours.setAccessibleName(tr(N_("Neighbours")))
        self.undo, self.redo = QPushButton("↶"), QPushButton("↷")
        self.export, self.more = self._menu_button(tr(N_("Export")) + " ▾"), self._menu_button("⋯")
        self.more.setAccessibleName(tr(N_("View and help")))
        self.present = QPushButton(tr(N_("Present")) + "  F5")
        self.present.setObjectName("primary")
        for button, name in ((self.undo, N_("Undo")), (self.redo, N_("Redo")), (self.present, N_("Present: one chart fills the window"))):
            button.setToolTip(tr(name))
            button.setAccessibleName(tr(name))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(8)
        layout.addWidget(label("dpstudio", "brand"))
        layout.addSpacing(14)
        layout.addWidget(self.table)
        self.neighbours_word = label(tr(N_("Neighbours")), "muted")
        layout.addWidget(self.neighbours_word)
        layout.addWidget(self.neighbours)
        layout.addStretch()
        for widget in (self.undo, self.redo, self.export, self.more, self.present):
            layout.addWidget(widget)

    def _menu_button(self, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setMenu(QMenu(button))
        return button

    def show_neighbours(self, key: str | None) -> None:
        """Which tables are neighbours in the lab on the screen; None where that is no question there."""
        for part in (self.neighbours_word, self.neighbours):
            part.setVisible(key is not None)
        if key is not None:
            self.neighbours.show_choice(key)

    def name_table(self, text: str) -> None:
        """Show the table's name, the middle of a very long one left out."""
        short = text if len(text) <= 48 else text[:22] + " … " + text[-22:]
        self.table.setText(short + "  ▾")
        self.table.setToolTip(text if short != text else "")


def act(menu: QMenu, text: str, do: Callable[[], object], keys: str = "", owner: QWidget | None = None) -> QAction:
    """An action in a menu; its shortcut works in the whole window."""
    action = menu.addAction(text)
    action.triggered.connect(lambda _=False: do())
    if keys:
        action.setShortcuts([QKeySequence(k) for k in keys.split(" | ")])
        if owner is not None:
            owner.addAction(action)
    return action


def submenu(menu: QMenu, title: str, entries: Mapping[str, Callable[[], object]]) -> QMenu:
    inner = menu.addMenu(title)
    for text, do in entries.items():
        act(inner, text, do)
    return inner
