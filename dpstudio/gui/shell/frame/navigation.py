"""The pages on the left, in groups by the question that they answer. A group folds; turning to a
page opens its group, and none folds by itself, so that nothing jumps under the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.parts.labels import restyle
from dpstudio.gui.parts.tr import tr
from dpstudio.labs import About, Group
from dpstudio.values.messages import N_


class _Head(QPushButton):
    """The name of a group; Left folds it and Right opens it, as a click does in turns."""

    turned = Signal(bool)

    def __init__(self, name: str):
        super().__init__()
        self.name = name
        self.open = True
        self.setObjectName("group")
        self.clicked.connect(lambda: self.turned.emit(not self.open))
        self.show_open(False)

    def show_open(self, opened: bool) -> None:
        self.open = opened
        self.setText(f"{'▾' if opened else '▸'}  {tr(self.name)}")
        said = N_("{name}, open") if opened else N_("{name}, folded")
        self.setAccessibleName(tr(said).format(name=tr(self.name)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.turned.emit(event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)


class _Page(QPushButton):
    """The name of a page; `neared` by the pointer or the focus before it is pressed."""

    neared = Signal()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.neared.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.neared.emit()


class Navigation(QWidget):
    """`asked(key)`: a page is wanted; `neared(key)`: it may be soon; `folded(names)`: the groups
    that a person opened have changed. `opened` are those at the start."""

    asked = Signal(str)
    neared = Signal(str)
    folded = Signal(tuple)

    def __init__(
        self,
        questions: Mapping[str, Group],
        groups: Mapping[str, Sequence[About]],
        opened: set[str],
    ):
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        self.heads: dict[str, _Head] = {}
        self._group: dict[str, str] = {}
        self._opened = opened & set(groups)
        self._here = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for name, labs in groups.items():
            head = self.heads[name] = _Head(questions[name].label)
            head.turned.connect(partial(self._turn, name))
            column.addWidget(head)
            for about in labs:
                self._group[about.key] = name
                column.addWidget(self._add_page(about))
        column.addStretch()
        for name in groups:
            self._show_group(name, name in self._opened)

    def _add_page(self, about: About) -> QPushButton:
        button = self.buttons[about.key] = _Page(tr(about.label))
        button.setObjectName("page")
        button.setCheckable(True)
        button.setToolTip(f"{tr(about.asks)}\n{tr(about.help)}")
        button.clicked.connect(partial(self._ask, about.key))
        button.neared.connect(partial(self.neared.emit, about.key))
        return button

    def _ask(self, key: str) -> None:
        self.buttons[key].setChecked(key == self._here)  # until the page is there
        self.asked.emit(key)

    def show_page(self, key: str) -> None:
        """Mark a page, and open its group where it was folded; a page that is none of a lab marks
        none."""
        if key in self._group and key != self._here:
            self._show_group(self._group[key], True)
        self._here = key
        for name, button in self.buttons.items():
            button.setChecked(name == key)
        for name, head in self.heads.items():
            restyle(head, here=self._group.get(key) == name)

    def _turn(self, name: str, opened: bool) -> None:
        """A person folds or opens a group: that is kept."""
        before = self._opened
        self._opened = before | {name} if opened else before - {name}
        self._show_group(name, opened)
        self.folded.emit(tuple(sorted(self._opened)))

    def _show_group(self, name: str, opened: bool) -> None:
        self.heads[name].show_open(opened)
        for key, button in self.buttons.items():
            if self._group[key] == name:
                button.setVisible(opened)
