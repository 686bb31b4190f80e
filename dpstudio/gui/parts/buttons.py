"""Buttons in a group: of which one is down, or several."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from dpstudio.gui.parts.tr import altered, shown, tr
from dpstudio.gui.parts.wrapping import WrappingButton, WrappingCheck
from dpstudio.values.messages import Message


def plain_text(words: str) -> str:
    """Words as the text of a button: Qt reads a single & as a mnemonic."""
    return altered(words, lambda text: text.replace("&", "&&"))


W = TypeVar("W", bound=QWidget)

_GAP, _LEAST = 6, 24
_WORDY = 16  # letters from which on a button would be a bar


def push(text: str, name: str = "", tip: str = "") -> QPushButton:
    """A button with its name for who does not see it; Enter presses it, as Space does."""
    button = QPushButton(text)
    button.setAutoDefault(True)
    button.setObjectName(name)
    button.setToolTip(tip)
    button.setAccessibleName(tip or text)
    return button


@lru_cache(maxsize=1000)  # layouts ask for the same words at a few widths in turn
def packed(costs: tuple[int, ...], room: int) -> list[list[int]]:
    """The places of words in the fewest rows of at most `room` px, as even as the order allows; a
    word that is wider has a row of its own."""
    lines = 1
    while lines < len(costs):
        limit = max([*costs, -(-sum(costs) // lines)])
        while limit <= room:
            rows: list[list[int]] = [[]]
            taken = 0
            for place, cost in enumerate(costs):
                if rows[-1] and taken + cost > limit:
                    rows.append([])
                    taken = 0
                rows[-1].append(place)
                taken += cost
            if len(rows) <= lines:
                return rows
            limit += 4
        lines += 1
    return [[place] for place in range(len(costs))]


def _need(button: QWidget) -> int:
    """The px that its words take in one line."""
    return button.sizeHint().width()


class _Flow(QWidget, Generic[W]):
    """Widgets, such as buttons, that share the width, in as many rows as their words need; with
    `columns`, in at most so many of one width, so that no word is cut. In a bar they stand in one
    `line`."""

    def __init__(self, columns: int = 0, line: bool = False):
        super().__init__()
        self.buttons: dict[str, W] = {}
        self._columns, self._line = columns, line
        self.natural = False
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _lines(self, width: int) -> list[list[W]]:
        """Those that are seen, in rows of this width."""
        seen = [button for button in self.buttons.values() if not button.isHidden()]
        # In columns words may take further lines; else only those that are wider than all.
        needs = [b.minimumSizeHint() if self._columns else b.sizeHint() for b in seen]
        costs = tuple([need.width() + _GAP for need in needs])
        return [[seen[place] for place in row] for row in self._places(costs, width + _GAP)]

    def _places(self, costs: tuple[int, ...], room: int) -> list[list[int]]:
        if self._line:
            return [list(range(len(costs)))]
        if not self._columns or not costs:
            return packed(costs, room)
        n = max(1, min(self._columns, room // max(costs)))
        return [list(range(k, min(k + n, len(costs)))) for k in range(0, len(costs), n)]

    def minimumSizeHint(self) -> QSize:
        needs = [b.minimumSizeHint().width() for b in self.buttons.values() if not b.isHidden()]
        width = _LEAST * len(needs) if self._line else max([0, *needs])
        return QSize(width, self.heightForWidth(max(width, self.width())))

    def sizeHint(self) -> QSize:
        least = self.minimumSizeHint()
        needs = [_need(b) + _GAP for b in self.buttons.values() if not b.isHidden()]
        return QSize(sum(needs) - _GAP, least.height()) if self._line else least

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        heights = [_high(row, self._share(len(lines[0]), width)) for row in lines if row]
        return sum(heights) + _GAP * max(0, len(heights) - 1)

    def event(self, event: QEvent) -> bool:
        # While it is hidden Qt asks for no layout: words that changed meanwhile are placed anew.
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # its rows may be others
        self._place()

    def _share(self, across: int, width: int) -> int:
        """The px of width that a button has which may take further lines."""
        return (width - _GAP * (across - 1)) // across if self._columns else width

    def _place(self) -> None:
        top, lines = 0, self._lines(self.width())
        for row in lines:
            high, left = _high(row, self._share(len(lines[0]), self.width())), 0.0
            # In columns the last row leaves free what it has no button for.
            weights = [1 if self._columns else _need(button) for button in row]
            across = len(lines[0]) if self._columns else len(row)
            parts = across if self._columns else sum(weights)
            share = 1.0 if self.natural else (self.width() - _GAP * (across - 1)) / parts
            for button, weight in zip(row, weights, strict=True):
                wide = share * weight
                button.setGeometry(round(left), top, round(left + wide) - round(left), high)
                left += wide + _GAP
            top += high + _GAP


class Words(_Flow[QWidget]):
    """Words and editors one after another, each as wide as it is."""

    def __init__(self) -> None:
        super().__init__()
        self.natural = True

    def add(self, *parts: QWidget) -> QWidget:
        """Put parts at the end, which stay together; what holds them."""
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for part in parts:
            row.addWidget(part)
        self.buttons[str(len(self.buttons))] = holder
        return holder


def _high(row: Sequence[QWidget], width: int) -> int:
    """The height of a row: words that have no more than this width may need further lines."""
    hints = [(button, button.sizeHint()) for button in row]
    needs = [
        button.heightForWidth(width)
        if hint.width() > width and button.hasHeightForWidth()
        else hint.height()
        for button, hint in hints
    ]
    return max(needs)


class Segments(_Flow[QPushButton]):
    """A few buttons of which one is down; those that cannot work are greyed with the reason as
    tooltip. `columns` sets them in a grid."""

    chosen = Signal(str)

    def __init__(self, options: Mapping[str, str], columns: int = 0, line: bool = False):
        super().__init__(columns, line)
        self._shown: tuple[str, tuple[str, ...]] | None = None
        for key, text in options.items():
            button = WrappingButton(plain_text(tr(text)), self)
            button.setCheckable(True)
            button.setObjectName("segment")
            button.clicked.connect(partial(self._choose, key))
            self.buttons[key] = button

    def _choose(self, key: str) -> None:
        # A click on the one that is down would lift it; it stays down until the state says
        # otherwise.
        self.buttons[key].setChecked(True)
        self._shown = None
        self.chosen.emit(key)

    def show_choice(self, key: str, refused: Mapping[str, Message] | None = None) -> None:
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


class Chips(_Flow[QAbstractButton]):
    """Buttons of which several may be down, or boxes to tick where one says more than a word or
    two; `flipped(key)` asks to turn one over."""

    flipped = Signal(str)

    def __init__(self, options: Mapping[str, str], tips: Mapping[str, str] | None = None):
        # By the words as they are written: a panel is made alike in every language.
        ticked = any(len(text) > _WORDY for text in options.values())
        super().__init__(columns=int(ticked))
        self._tips = tips or {}
        self._shown: tuple[Any, ...] = ()
        for key, text in options.items():
            button = (WrappingCheck if ticked else WrappingButton)(plain_text(tr(text)), self)
            button.setCheckable(True)
            button.setObjectName("" if ticked else "segment")
            button.clicked.connect(partial(self._flip, key))
            self.buttons[key] = button

    def _flip(self, key: str) -> None:
        self._shown = ()
        self.flipped.emit(key)

    def show_chosen(
        self, keys: Sequence[str], refused: Mapping[str, Message] | None = None
    ) -> None:
        refused = refused or {}
        now = (tuple(keys), tuple(refused))
        if now == self._shown:
            return
        self._shown = now
        for name, button in self.buttons.items():
            why = refused.get(name)
            button.setChecked(name in keys)
            button.setEnabled(why is None or name in keys)
            button.setToolTip(shown(why) if why else self._tips.get(name, ""))
