"""What is set once folds to one sentence, which opens it again."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy

from dpstudio.gui.parts.labels import LiveLabel, label
from dpstudio.gui.parts.tr import tr
from dpstudio.values.messages import N_


class FoldingSentence(QPushButton):
    """A sentence of several lines with a chevron; pressed it is open."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sentence")
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.words, self.chevron = LiveLabel("sentence", wrap=True), label("▾", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 4, 4, 4)
        row.addWidget(self.words, 1)
        row.addWidget(self.chevron, 0, Qt.AlignmentFlag.AlignTop)
        for part in (self.words, self.chevron):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.toggled.connect(self._tell)
        self._tell(False)

    def _tell(self, opened: bool) -> None:
        self.chevron.setText("▴" if opened else "▾")
        self.setToolTip(tr(N_("Fold") if opened else N_("Change the question")))

    def show_text(self, text: str) -> None:
        """The sentence as it now is."""
        self.words.set_text(text)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return layout.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return layout.totalMinimumSize()
