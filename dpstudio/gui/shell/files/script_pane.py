"""A script to read, beside the page that it is of."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout

from dpstudio.gui.parts import buttons, labels, theme
from dpstudio.gui.parts.tr import Again, tr
from dpstudio.values.messages import N_

FIXED = ["DejaVu Sans Mono", "Menlo", "Consolas", "monospace"]
_CODE = 13  # px at normal type
# What it is written as, with the ending of its file.
_KINDS = {
    "script": (N_("As Python"), ".py"),
    "opendp": (N_("As OpenDP"), ".py"),
    "notebook": (N_("A notebook of the pages that were opened"), ".ipynb"),
}


class ScriptPane(QFrame):
    """The text, read alone, with what is done with it. `left`: a person is done; `copied` and
    `saved`: it is wanted so; `chosen`: another kind is; `every`: of every row."""

    left = Signal()
    copied = Signal()
    saved = Signal()
    chosen = Signal()
    every = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(tr(N_("What the script is written as")))
        for key, (label, _) in _KINDS.items():
            self.kinds.addItem(tr(label), key)
        self.kinds.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.kinds.setMinimumContentsLength(12)
        self.kinds.currentIndexChanged.connect(lambda _: self.chosen.emit())
        self.copy = buttons.push(tr(N_("Copy")), "quiet")
        self.save = buttons.push(tr(N_("Save …")), "quiet")
        self.shut = buttons.push("×", "quiet", tip=tr(N_("Close the script: Esc")))
        for button, signal in (
            (self.copy, self.copied),
            (self.save, self.saved),
            (self.shut, self.left),
        ):
            button.clicked.connect(signal)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName(tr(N_("Script")))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        self.why = labels.label("", "muted", wrap=True)
        self.all_rows = buttons.push(tr(N_("Count every row")))
        self.all_rows.clicked.connect(self.every)
        row, column = QHBoxLayout(), QVBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 0)
        row.addWidget(self.kinds, 1)
        for button in (self.copy, self.save, self.shut):
            row.addWidget(button)
        self.why.setContentsMargins(12, 4, 12, 4)
        column.setContentsMargins(1, 1, 1, 1)
        column.addLayout(row)
        column.addWidget(self.why)
        mends = QHBoxLayout()
        mends.setContentsMargins(12, 0, 12, 0)
        mends.addWidget(self.all_rows)
        mends.addStretch()
        column.addLayout(mends)
        column.addWidget(self.text, 1)

    @property
    def kind(self) -> str:
        """What it is written as."""
        return str(self.kinds.currentData())

    @property
    def ending(self) -> str:
        """How the name of its file ends."""
        return _KINDS[self.kind][1]

    def read(self, text: str, why: str, *, proposed: bool = False) -> None:
        """Show a script, at the line where the one before was read; or why there is none, such as
        a condition that was `proposed`, which a click takes out."""
        bar = self.text.verticalScrollBar()
        at = bar.value()
        self.text.setPlainText(text)
        bar.setValue(at)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self.all_rows.setVisible(proposed)
        for button in (self.copy, self.save):
            button.setEnabled(bool(text))

    def retell(self, _: Again) -> None:
        """The script in another language."""
        self.chosen.emit()

    def dress(self, look: theme.Look) -> None:
        """Take the type of the window."""
        families = ", ".join(f"'{family}'" for family in FIXED)
        self.text.setStyleSheet(f"font-family: {families}; font-size: {look.px(_CODE)}px;")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
