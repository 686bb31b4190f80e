"""The top bar: the table, the neighbours, history, export, present."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMainWindow, QMenu, QPushButton, QWidget

from dpstudio.gui.parts.buttons import Segments
from dpstudio.gui.parts.labels import label, restyle
from dpstudio.gui.parts.tr import Again, tr
from dpstudio.values.messages import N_, Message, say

NEIGHBOURS = {"add_remove": N_("Add or remove one"), "replace": N_("Replace one")}
_SHORT = {"add_remove": N_("Add/remove"), "replace": N_("Replace")}
# What the table's name keeps of its letters, wherever there is room and at each step of giving way.
_LETTERS = (48, 48, 48, 48, 48, 30, 20, 12)
# From which step on the menu alone has Find, Help and the neighbours, and then history; the last
# step hides the brand.
_SEEKS, _UNDOES, _BRAND = 3, 4, len(_LETTERS) - 1


class TopBar(QFrame):
    """Only buttons; the studio gives them their actions with `fill`."""

    def __init__(self, window: QMainWindow):
        super().__init__(window)
        self.window_ = window
        self.setObjectName("topbar")
        self.table = self._menu_button(tr(N_("Opening …")))
        self.table.setAccessibleName(tr(N_("Table and files")))
        # A table that waits to be opened is a step of opening: it stands beside the open one.
        self.waiting = QPushButton(tr(N_("Opening …")))
        self.waiting.setToolTip(tr(N_("How a table will be read that is not open yet")))
        self.waiting.hide()
        self.neighbours = Segments(NEIGHBOURS, line=True)
        self.neighbours.setAccessibleName(tr(N_("Neighbours")))
        self.seek = QPushButton(tr(N_("Find")))
        self.undo, self.redo = QPushButton("↶"), QPushButton("↷")
        self.export = self._menu_button(tr(N_("Export")) + " ▾")
        self.more = self._menu_button("···")
        self.more.setAccessibleName(tr(N_("View and help")))
        self.help = self._menu_button(tr(N_("Help")))
        self.help.setAccessibleName(tr(N_("Help")))
        self.present = QPushButton(tr(N_("Present")) + "  F5")
        self.present.setObjectName("primary")
        self._tell()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(8)
        self.brand = label("dpstudio", "brand")
        self.neighbours_word = label(tr(N_("Neighbours")), "muted")
        for widget in (self.brand, self.table, self.waiting, self.neighbours_word, self.neighbours):
            layout.addWidget(widget)
        layout.addStretch()
        ends = self.export, self.help, self.more, self.present
        for widget in (self.seek, self.undo, self.redo, *ends):
            layout.addWidget(widget)
        self._giving: dict[QWidget, int] = {
            self.neighbours_word: 1,
            **dict.fromkeys((self.seek, self.neighbours, self.help), _SEEKS),
            **dict.fromkeys((self.undo, self.redo), _UNDOES),
            self.brand: _BRAND,
        }
        self._name = tr(N_("Opening …"))
        self._reminder = ""
        self._asked: tuple[str | None, str] = (None, "")

    def _tell(self) -> None:
        """What each button does, for the pointer, a reader of the screen and F1."""
        for button, name in (
            (self.seek, N_("Find a page, a parameter, a column or an action")),
            (self.undo, N_("Undo")),
            (self.redo, N_("Redo")),
            (self.present, N_("Present: one chart fills the screen")),
        ):
            button.setToolTip(tr(name))
            button.setAccessibleName(tr(name))
        for button, tip in (
            (self.export, N_("What can be taken out of this page: pictures, numbers, a script …")),
            (self.more, N_("Undo and reset, colours, less motion, language, size of type, help.")),
            (self.help, N_("What is under the focus, the manual, keys, how to cite this page.")),
        ):
            button.setToolTip(tr(tip))

    def minimumSizeHint(self) -> QSize:
        """It gives way by itself."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():  # its height follows from its words
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.fit()

    def retell(self, again: Again) -> None:
        """Its words in another language."""
        self._name, self._reminder = again(self._name), again(self._reminder)
        self.fit()

    def fit(self) -> None:
        """Words give way to shorter ones, step by step, until all buttons can be read."""
        for step in range(len(_LETTERS)):
            self._dress(step)
            gone = self._given_up(step)
            if self._needed(gone) <= self.width():
                break
        # Only now: to hide and show them again at each step would be felt.
        for part in self._giving:
            if part.isHidden() != (part in gone):
                part.setVisible(part not in gone)

    def _given_up(self, step: int) -> list[QWidget]:
        """What is not seen at that step."""
        return [part for part, first in self._giving.items() if step >= first]

    def _dress(self, step: int) -> None:
        """0: as it is best; 1: no word before the neighbours, no key on Present; 2: short
        neighbours; 3 and 4: what the menu has too is there alone; then ever shorter names."""
        _write(self.seek, tr(N_("Find")) + ("  Ctrl+K" if step < 1 else ""))
        _write(self.help, tr(N_("Help")) + ("  F1" if step < 1 else ""))
        _write(self.present, tr(N_("Present")) + ("  F5" if step < 1 else ""))
        for key, button in self.neighbours.buttons.items():
            _write(button, tr((NEIGHBOURS if step < 2 else _SHORT)[key]))
            if button.isEnabled():  # else the tip is the reason why not
                button.setToolTip("" if step < 2 else tr(NEIGHBOURS[key]))
        short = _middle_out(self._name, _LETTERS[step])
        _write(self.table, short + ("  !  ▾" if self._reminder else "  ▾"))
        opens = tr(N_("Opens tables, sessions and talks, and saves them."))
        told = self._name if short != self._name else "", self._reminder, opens
        self.table.setToolTip("\n".join(filter(None, told)))

    def _needed(self, gone: list[QWidget]) -> int:
        """The width in px at which nothing is cut, its chosen button bold, without what is
        `gone`."""
        layout = self.layout()
        assert layout is not None
        margins, waits = layout.contentsMargins(), not self.waiting.isHidden()
        parts = [w for w in self._parts() if w not in gone and (waits or w is not self.waiting)]
        for part in parts:
            part.ensurePolished()
        return (
            sum(part.sizeHint().width() for part in parts)
            + layout.spacing() * len(parts)
            + margins.left()
            + margins.right()
        )

    def _parts(self) -> list[QWidget]:
        left = [self.brand, self.table, self.waiting, self.neighbours_word, self.neighbours]
        return [
            *left,
            self.seek,
            self.undo,
            self.redo,
            self.export,
            self.help,
            self.more,
            self.present,
        ]

    def _menu_button(self, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setMenu(QMenu(button))
        return button

    def show_neighbours(self, key: str | None, lab: str) -> None:
        """Which tables are neighbours in the lab on the screen; None where that is no question
        there: then both stay where they are, greyed, with the reason."""
        why = say("{lab} asks nothing of neighbouring tables.", lab=Message(lab))
        none = dict.fromkeys(NEIGHBOURS, why) if key is None else {}
        self.neighbours.show_choice(key or "", none)
        if (key, lab) != self._asked:  # every step of a slider asks
            self._asked = (key, lab)
            self.fit()

    def show_waiting(self, waits: bool) -> None:
        """Whether a table waits to be opened."""
        self.waiting.setVisible(waits)
        self.fit()

    def show_page(self, data: bool, waiting: bool) -> None:
        """Whether what is seen is the page of the table, or that of one that waits."""
        if restyle(self.table, here=data) | restyle(self.waiting, here=waiting):
            self.fit()

    def name_table(self, text: str) -> None:
        """Show the table's name, the middle of a very long one left out."""
        self._name = text
        self.fit()

    def remind(self, text: str) -> None:
        """Keep a mark at the table of what was said of it; none where it is empty."""
        if text != self._reminder:
            self._reminder = text
            self.table.setAccessibleDescription(text)
            self.fit()


def _middle_out(text: str, letters: int) -> str:
    if len(text) <= letters:
        return text
    half = (letters - 3) // 2
    return (
        f"{text[:half].rstrip()} … {text[len(text) - half :].lstrip()}"
        if half > 12
        else f"{text[: letters - 1].rstrip(' ·')}…"
    )


def _write(button: QPushButton, text: str) -> None:
    if button.text() != text:
        button.setText(text)


def act(
    menu: QMenu, text: str, do: Callable[[], object], keys: str = "", owner: QWidget | None = None
) -> QAction:
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


def empty(menu: QMenu) -> None:
    """Take all out of a menu, also the menus within it, which `clear` leaves behind."""
    for inner in menu.findChildren(QMenu):
        inner.deleteLater()
    menu.clear()
