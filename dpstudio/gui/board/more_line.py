"""The line below the charts that names what waits: further charts, and each table."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QWidget

from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.parts.wrapping import WrappingButton
from dpstudio.values.messages import N_, Num, say

MORE = "more"
_GAP, _SPARE = 8, 2  # the hint of a button is rounded otherwise while its words are broken


def entries(
    charts: int, tables: Sequence[tuple[str, str]], opened: set[str], low: bool = False
) -> list[tuple[str, str, bool]]:
    """What the line names as (key, words, whether it is open): further charts, and tables, given as
    (key, title), of which a `low` board tells the number."""
    out = []
    if charts:
        words = say("{n} more {n:chart|charts}", n=Num(charts))
        out.append((MORE, shown(words), MORE in opened))
    for number, (key, title) in enumerate(tables, 1):
        words = say("Table: {title}", title=title)
        if low:
            words = say("Table {n}", n=Num(number)) if len(tables) > 1 else say("Table")
        out.append((key, shown(words), key in opened))
    return out


class MoreLine(QWidget):
    """Buttons side by side, and in further lines where they need them; one that belongs to others
    may stand at the end. `flipped(key, open)`."""

    flipped = Signal(str, bool)

    def __init__(self, board: QWidget) -> None:
        super().__init__(board)
        self.buttons: dict[str, WrappingButton] = {}
        self._idle: list[WrappingButton] = []  # of pages that had more
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.buttonClicked.connect(self._on_click)
        self._told: tuple[tuple[str, str, bool], ...] = ()
        self._last: WrappingButton | None = None

    @property
    def empty(self) -> bool:
        return not self.buttons and (self._last is None or self._last.isHidden())

    def end_with(self, button: WrappingButton) -> None:
        """Let a button, when it is not hidden, stand at the right end."""
        self._last = button
        button.setParent(self)

    def offer(self, entries: Sequence[tuple[str, str, bool]]) -> None:
        """Show (key, words, whether it is open) for each thing that waits."""
        if tuple(entries) == self._told:
            return
        self._told = tuple(entries)
        for key in self.buttons.keys() - {key for key, _, _ in entries}:
            self._idle.append(self.buttons.pop(key))
        for key, words, open_ in entries:
            if key not in self.buttons:
                self.buttons[key] = self._idle.pop() if self._idle else self._make()
            button = self.buttons[key]
            button.setChecked(open_)
            button.setText(f"{'▾' if open_ else '▸'} {words}")
            button.show()
        for button in self._idle:
            button.hide()
        self.fit()

    def _make(self) -> WrappingButton:
        button = WrappingButton(parent=self)
        button.setObjectName("fold")
        button.setCheckable(True)
        button.setToolTip(tr(N_("A press shows what is folded here, or folds it away.")))
        self._group.addButton(button)
        return button

    def _on_click(self, button: WrappingButton) -> None:
        key = next(key for key, one in self.buttons.items() if one is button)
        self.flipped.emit(key, button.isChecked())

    def fit(self) -> None:
        """Put the buttons where there is room, and be as high as they need."""
        x = y = high = 0
        last = self._last if self._last is not None and not self._last.isHidden() else None
        for button in [*(self.buttons[key] for key, _, _ in self._told), *([last] if last else [])]:
            wide = min(button.sizeHint().width() + _SPARE, self.width())
            if x and x + wide > self.width():
                x, y = 0, y + high
            high = button.heightForWidth(wide)
            button.setGeometry(self.width() - wide if button is last else x, y, wide, high)
            x += wide + _GAP
        if self.height() != y + high or self.minimumHeight() != y + high:
            self.setFixedHeight(y + high)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()  # the type has another size
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
