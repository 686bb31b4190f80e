"""What is set once, or seldom, folds to one sentence or to its name, which opens it again."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy

from dpstudio.gui.parts.labels import LiveLabel, label, retone
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_, Num, say

_MARKS = {
    "bad": ("✕", N_("something in it cannot be")),
    "warn": ("!", N_("something in it is to be seen")),
}


class Folding(QPushButton):
    """Words with a chevron; pressed it is open. Right opens it, and Left folds it."""

    def __init__(self, words: QLabel, *more: QLabel):
        super().__init__()
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.words, self.chevron = words, label("▾", "muted")
        self.row = QHBoxLayout(self)
        self.row.addWidget(self.words, 1)
        for part in (*more, self.chevron):
            self.row.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)
        for part in (self.words, *more, self.chevron):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.toggled.connect(self.tell_fold)

    def tell_fold(self, opened: bool) -> None:
        """Say whether it is open."""
        self.chevron.setText("▴" if opened else "▾")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self.setChecked(event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return self.row.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.row.totalMinimumSize()


class FoldingSentence(Folding):
    """A sentence of several lines."""

    words: LiveLabel

    def __init__(self) -> None:
        super().__init__(LiveLabel("sentence", wrap=True))
        self.setObjectName("sentence")
        self.row.setContentsMargins(0, 4, 0, 4)
        self.tell_fold(False)

    def tell_fold(self, opened: bool) -> None:
        super().tell_fold(opened)
        told = N_("What is asked of the table. A press folds its parts away.")
        if not opened:
            told = N_("What is asked of the table. A press opens its parts, to change them.")
        self.setToolTip(tr(told))

    def show_text(self, text: str) -> None:
        """The sentence as it now is."""
        self.words.set_text(text)
        self.setAccessibleName(text)


class FoldingHead(Folding):
    """The name of a part of the panel, which tells while it is folded what is to be found in it."""

    def __init__(self, title: str) -> None:
        self.title, self.found = title, label("", "muted")
        self._told: tuple[int, str] = (0, "")
        super().__init__(label(title, "head", wrap=True), self.found)
        self.setObjectName("sentence")
        self.row.setContentsMargins(0, 6, 0, 6)
        self.tell_fold(False)

    def tell(self, changed: int, tone: str) -> None:
        """How many settings in it are not as they start, and whether anything in it is "bad", or to
        be seen, "warn"."""
        if (changed, tone) != self._told:
            self._told = changed, tone
            self.tell_fold(self.isChecked())

    def tell_fold(self, opened: bool) -> None:
        super().tell_fold(opened)
        changed, tone = self._told
        words = shown(say("{n} changed", n=Num(changed, 3))) if changed else ""
        mark, why = _MARKS.get(tone, ("", ""))
        retone(self.found, tone or "muted")
        self.found.setText("  ".join(filter(None, (words, mark))))
        self.found.setVisible(bool(words or mark) and not opened)
        told: str = self.title
        for one in filter(None, (words, tr(why))):
            told = shown(say("{told}, {one}", told=told, one=one))
        self.setAccessibleName(told)
        self.setToolTip(tr(why))
