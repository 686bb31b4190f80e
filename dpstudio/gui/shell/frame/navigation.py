"""The pages on the left, in groups by the question that they answer. One group is open at a time,
and what is seldom needed waits behind its "more". Nothing jumps under the hand: where a group folds
above the name that is pointed at, its room stays until the pointer has left."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.parts.labels import label, restyle
from dpstudio.gui.parts.tr import Again, shown, tr
from dpstudio.labs import About, Group
from dpstudio.values.messages import N_, say

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


def group_page(name: str) -> str:
    """The key of the page that shows a group."""
    return f"group {name}"


class _Row(QPushButton):
    """A name that is gone to. `stepped(rows)`: the focus is to go down, or up; `sidewards(right)`:
    a key to the right or the left was pressed."""

    stepped = Signal(int)
    sidewards = Signal(bool)

    def __init__(self, text: str, style: str, asks: str):
        super().__init__(text)
        self.setObjectName(style)
        self.setAccessibleName(text)
        self.setAccessibleDescription(asks)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.sidewards.emit(key == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)


class _Fold(_Row):
    """A name with pages below it. `pointed`: it is being clicked by a pointer."""

    def __init__(self, name: str, style: str, asks: str, glyph: str = ""):
        super().__init__(tr(name), style, asks)
        self.called = name  # as it was written: two names may have one text in a language
        self.name, self.glyph, self.open, self.pointed = tr(name), glyph, True, False
        self.setToolTip(asks)

    def show_open(self, opened: bool) -> None:
        self.open = opened
        self.setText(f"{'▾' if opened else '▸'}  {self.name}")
        said = N_("{name}, open") if opened else N_("{name}, folded")
        self.setAccessibleName(shown(say(said, name=self.name)))

    def retell(self, _: Again) -> None:
        """Its name in another language."""
        self.name = tr(self.called)
        self.show_open(self.open)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pointed = True
        super().mouseReleaseEvent(event)
        self.pointed = False


class _Page(_Row):
    """The name of a page; `neared` by the pointer or the focus before it is pressed."""

    neared = Signal()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.neared.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.neared.emit()


class _Below(QWidget):
    """What a name folds: pages, and what folds in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)

    def keep_room(self, kept: bool) -> None:
        """Whether its place stays empty while it is folded."""
        policy = self.sizePolicy()
        if policy.retainSizeWhenHidden() != kept:
            policy.setRetainSizeWhenHidden(kept)
            self.setSizePolicy(policy)


class Navigation(QWidget):
    """`asked(key)`: a page is wanted, or that of a group; `neared(key)`: one may be soon; `folded`:
    rows came or went; `turned(group)`: a page of that group is shown, or of none."""

    asked = Signal(str)
    neared = Signal(str)
    folded = Signal()
    turned = Signal(str)

    def __init__(self, questions: Mapping[str, Group], groups: Mapping[str, Sequence[About]]):
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        self.heads: dict[str, _Fold] = {}
        self.more: dict[str, _Fold] = {}
        self.opened = ""
        self._group: dict[str, str] = {}
        self._waits: set[str] = set()
        self._below: dict[_Fold, _Below] = {}
        self._here = ""
        self._rows: list[_Row] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for name, pages in groups.items():
            self._add_group(name, questions[name], pages, column)
        column.addStretch()
        for row in self._rows:
            row.stepped.connect(partial(self._step, row))

    def _add_group(
        self, name: str, group: Group, pages: Sequence[About], column: QVBoxLayout
    ) -> None:
        head = self.heads[name] = _Fold(group.label, "group", tr(group.asks), group.glyph)
        head.clicked.connect(partial(self._on_head, name))
        head.sidewards.connect(partial(self._sidewards_head, name))
        part, into = "", self._add_fold(head, column)
        for about in pages:
            if about.more and name not in self.more:
                more = self.more[name] = _Fold(
                    N_("more"), "more", tr(N_("Pages that are seldom needed."))
                )
                more.setAccessibleDescription(tr(group.label))
                more.clicked.connect(partial(self._turn_more, name))
                more.sidewards.connect(partial(self._sidewards_more, name))
                into = self._add_fold(more, into)
            if about.part not in ("", part):
                part = about.part
                into.addWidget(label(tr(part), "page-part"))
            self._group[about.key] = name
            self._waits |= {about.key} if about.more else set()
            into.addWidget(self._add_page(about))

    def _add_fold(self, fold: _Fold, column: QVBoxLayout) -> QVBoxLayout:
        """The column of what it folds, put below it."""
        self._rows.append(fold)
        below = self._below[fold] = _Below()
        column.addWidget(fold)
        column.addWidget(below)
        fold.show_open(False)
        below.hide()
        return below.column

    def _add_page(self, about: About) -> QPushButton:
        button = self.buttons[about.key] = _Page(tr(about.label), "page", tr(about.asks))
        button.setCheckable(True)
        button.setToolTip(f"{tr(about.asks)}\n{tr(about.useful)}")
        button.clicked.connect(partial(self._ask, about.key))
        button.neared.connect(partial(self.neared.emit, about.key))
        button.sidewards.connect(partial(self._sidewards, about.key))
        self._rows.append(button)
        return button

    def _ask(self, key: str) -> None:
        self.buttons[key].setChecked(key == self._here)  # until the page is there
        self.asked.emit(key)

    def show_page(self, key: str) -> None:
        """Mark a page and open its group, or the group whose tiles are shown; what is neither marks
        none."""
        groups = {group_page(name): name for name in self.heads} | self._group
        group = groups.get(key, "")
        if key != self._here and group:
            self._open(group)
            if key in self._waits:
                self._show(self.more[group], True)
        self._here = key
        for name, button in self.buttons.items():
            button.setChecked(name == key)
        for name, head in self.heads.items():
            restyle(head, here=name == group)
        self.turned.emit(group)

    # Folding

    def unfold(self, name: str) -> None:
        """Open a group alone."""
        self._turn(name, opened=True)

    def focus_on(self, name: str) -> None:
        """Give the focus to the page of an open group that is shown, else to the group."""
        here = self.buttons.get(self._here)
        inside = here is not None and self._group[self._here] == name and here.isVisibleTo(self)
        self._go(here if inside and here is not None else self.heads[name])

    def _on_head(self, name: str) -> None:
        """A click shows the tiles; one on the name of the tiles that are shown folds or opens."""
        shown = self._here == group_page(name)
        self._turn(name, not (shown and self.heads[name].open))
        if not shown:
            self.asked.emit(group_page(name))

    def _turn(self, name: str, opened: bool) -> None:
        if self.heads[name].open != opened:
            self._open(name if opened else "", self.heads[name])
            self.folded.emit()

    def _sidewards_head(self, name: str, right: bool) -> None:
        if right and self.heads[name].open:
            self._go(next(self.buttons[key] for key, group in self._group.items() if group == name))
        self._turn(name, right)

    def _open(self, name: str, pointed: _Fold | None = None) -> None:
        """Open a group alone; where one folds above the name that is pointed at, its room is
        kept."""
        above = pointed is not None and pointed.pointed
        for other, head in self.heads.items():
            above = above and head is not pointed
            if head.open and other != name:
                self._below[head].keep_room(above)
            self._show(head, other == name)
        self.opened = name

    def _show(self, fold: _Fold, opened: bool) -> None:
        if fold.open != opened:
            fold.show_open(opened)
            self._below[fold].setVisible(opened)

    def _turn_more(self, name: str) -> None:
        self._show(self.more[name], not self.more[name].open)
        self.folded.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        for below in self._below.values():
            below.keep_room(False)

    # The keyboard

    def _step(self, row: _Row, by: int) -> None:
        seen = [other for other in self._rows if other.isVisibleTo(self)]
        at = seen.index(row) + by
        if 0 <= at < len(seen):
            self._go(seen[at])

    def _go(self, row: QWidget) -> None:
        row.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _sidewards(self, key: str, right: bool) -> None:
        if not right:
            name = self._group[key]
            self._go(self.more[name] if key in self._waits else self.heads[name])

    def _sidewards_more(self, name: str, right: bool) -> None:
        if self.more[name].open != right:
            self._turn_more(name)
        elif not right:
            self._go(self.heads[name])
