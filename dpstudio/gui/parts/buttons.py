"""Buttons in a group: of which one is down, or several."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import Say


def plain_text(words: str) -> str:
    """Words as the text of a button: Qt reads a single & as a mnemonic."""
    return words.replace("&", "&&")


def push(text: str, name: str = "", tip: str = "") -> QPushButton:
    """A button with its name for who does not see it; Enter presses it, as Space does."""
    button = QPushButton(text)
    button.setAutoDefault(True)
    button.setObjectName(name)
    button.setToolTip(tip)
    button.setAccessibleName(tip or text)
    return button


# As many letters as stand in one row of the side panel at its usual width.
ROOM = 28


def packed(texts: Sequence[str], room: int = ROOM, around: int = 2) -> list[list[int]]:
    """The places of words in rows of at most `room` letters, `around` for each, and as even as the
    order allows."""
    costs = [len(text) + around for text in texts]
    lines = 1
    while True:
        limit, rows = max([*costs, -(-sum(costs) // lines)]), [[]]  # type: ignore[var-annotated]
        while limit <= room:
            rows = [[]]
            for place, cost in enumerate(costs):
                if rows[-1] and sum(costs[k] for k in rows[-1]) + cost > limit:
                    rows.append([])
                rows[-1].append(place)
            if len(rows) <= lines:
                return rows
            limit += 1
        if lines >= len(costs):
            return [[place] for place in range(len(costs))]
        lines += 1


def _room(button: QPushButton) -> int:
    """The share of a row that a button's word takes in the heavier type of one that is down, with
    room around it for a dot."""
    font = button.font()
    font.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetricsF(font)
    return round(metrics.horizontalAdvance(button.text()) + metrics.height())


def _need(button: QPushButton) -> int:
    """The px below which its word would be cut in the heavier type of one that is down."""
    font = button.font()
    font.setWeight(QFont.Weight.DemiBold)
    bold = QFontMetricsF(font).horizontalAdvance(button.text())
    more = bold - QFontMetricsF(button.font()).horizontalAdvance(button.text())
    return math.ceil(button.sizeHint().width() + max(0.0, more))


class _Shared(QWidget):
    """Rows of buttons that share the width, in parts as their words need them."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[list[QPushButton]] = []

    def minimumSizeHint(self) -> QSize:
        """Buttons that share a width do not ask for it themselves: no word of theirs may be cut."""
        hint = super().minimumSizeHint()
        needs = [
            max(_need(button) / _room(button) for button in row) * sum(map(_room, row))
            + 6 * (len(row) - 1)
            for row in self._rows
        ]
        return QSize(max([hint.width(), *map(math.ceil, needs)]), hint.height())


class Segments(_Shared):
    """A few buttons of which one is down; those that cannot work are greyed with the reason as
    tooltip.

    `fluid` buttons share the width, in as many rows as their words need, `room` letters in each;
    `columns` sets them in a grid.
    """

    chosen = Signal(str)

    def __init__(
        self,
        options: Mapping[str, str],
        columns: int = 0,
        fluid: bool = False,
        decorate: Callable[[QPushButton, str], None] | None = None,
        room: int = ROOM,
    ):
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        self._room = room
        self._shown: tuple[str, tuple[str, ...]] | None = None
        for key, text in options.items():
            button = QPushButton(plain_text(tr(text)))
            button.setCheckable(True)
            button.setObjectName("segment")
            button.setMinimumWidth(24)
            button.setSizePolicy(
                QSizePolicy.Policy.Ignored if fluid else QSizePolicy.Policy.Preferred,
                QSizePolicy.Policy.Fixed,
            )
            button.clicked.connect(partial(self._choose, key))
            if decorate:
                decorate(button, key)
            self.buttons[key] = button
        if columns:
            self._lay_in_columns(columns)
        else:
            self._lay_in_rows(fluid)

    def _lay_in_columns(self, columns: int) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for place, button in enumerate(self.buttons.values()):
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            grid.addWidget(button, place // columns, place % columns)
        # Columns are as wide as each other: the widest word of all decides.
        self._rows = [[button] * columns for button in self.buttons.values()]
        for column in range(columns):
            grid.setColumnStretch(column, 1)

    def _lay_in_rows(self, fluid: bool) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        buttons = list(self.buttons.values())
        for places in (
            packed([button.text() for button in buttons], self._room)
            if fluid
            else [list(range(len(buttons)))]
        ):
            row = QHBoxLayout()
            row.setSpacing(6)
            column.addLayout(row)
            for place in places:
                row.addWidget(buttons[place], _room(buttons[place]) if fluid else 0)
            if fluid:
                self._rows.append([buttons[place] for place in places])

    def _choose(self, key: str) -> None:
        # A click on the one that is down would lift it; it stays down until the state says
        # otherwise.
        self.buttons[key].setChecked(True)
        self._shown = None
        self.chosen.emit(key)

    def show_choice(self, key: str, refused: Mapping[str, Say] | None = None) -> None:
        refused = refused or {}
        shown_now = (key, tuple(refused))
        if shown_now == self._shown:
            return
        self._shown = shown_now
        for name, button in self.buttons.items():
            button.setChecked(name == key)
            why = refused.get(name)
            button.setEnabled(why is None or name == key)
            button.setToolTip(shown(why) if why else "")


class Chips(_Shared):
    """Buttons of which several may be down; `flipped(key)` asks to turn one over."""

    flipped = Signal(str)

    def __init__(
        self, options: Mapping[str, str], decorate: Callable[[QPushButton, str], None] | None = None
    ):
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for key, text in options.items():
            button = QPushButton(plain_text(tr(text)))
            button.setCheckable(True)
            button.setObjectName("segment")
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            button.clicked.connect(partial(self._flip, key))
            if decorate:
                decorate(button, key)
            self.buttons[key] = button
        buttons = list(self.buttons.values())
        # With pictures they stand in two columns, as a picker's do.
        pairs = [list(range(len(buttons)))[k : k + 2] for k in range(0, len(buttons), 2)]
        for places in pairs if decorate else packed([b.text() for b in buttons]):
            row = QHBoxLayout()
            row.setSpacing(6)
            column.addLayout(row)
            for place in places:
                row.addWidget(buttons[place], 1 if decorate else _room(buttons[place]))
            if decorate and len(places) == 1:
                row.addStretch(1)
            mine = [buttons[place] for place in places]
            self._rows += [[button] * 2 for button in mine] if decorate else [mine]
        self._shown: tuple[Any, ...] = ()

    def _flip(self, key: str) -> None:
        self._shown = ()
        self.flipped.emit(key)

    def show_chosen(self, keys: Sequence[str], refused: Mapping[str, Say] | None = None) -> None:
        refused = refused or {}
        now = (tuple(keys), tuple(refused))
        if now == self._shown:
            return
        self._shown = now
        for name, button in self.buttons.items():
            why = refused.get(name)
            button.setChecked(name in keys)
            button.setEnabled(why is None or name in keys)
            button.setToolTip(shown(why) if why else "")
