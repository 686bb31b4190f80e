"""The bar that asks how large a figure for print is to be, and what stands around it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout

from dpstudio.files.write.paper import FEWEST, MOST, PAPER_NAMES, PAPERS, Paper
from dpstudio.gui.parts import boxes, buttons, labels
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_, say

_PARTS = {
    "title": N_("Title"),
    "caption": N_("Caption"),
    "footer": N_("Footer"),
    "screen": N_("Colours of the screen"),
}
_KINDS = {"pdf": N_("PDF …"), "svg": N_("SVG …"), "png": N_("PNG …"), "csv": N_("CSV …")}


class PrintBar(QFrame):
    """Hidden until it is asked for; what was chosen stays for the next figure. `save(key, kind,
    paper)` writes the chart."""

    def __init__(self, column: QVBoxLayout, save: Callable[[str, str, Paper], object]):
        super().__init__()
        self.setObjectName("bar")
        self._lab = self._key = ""
        self._save, self.preset = save, next(iter(PAPERS))
        self.name = labels.label("", wrap=True)
        self.sizes, self.parts = buttons.Segments(PAPER_NAMES), buttons.Chips(_PARTS)
        self.on = {"title", "caption", "footer"}
        self.dpi = boxes.LineBox(chars=4)
        self.dpi.setValidator(QIntValidator(FEWEST, MOST, self.dpi))
        self.dpi.show_text(str(Paper(1, 1).dpi))
        self.dpi.setAccessibleName(tr(N_("Dots an inch of a PNG")))
        self.shut = QPushButton(tr(N_("Close")))
        self.shut.clicked.connect(self.hide)
        self.kinds = {kind: QPushButton(tr(text)) for kind, text in _KINDS.items()}
        for kind, button in self.kinds.items():
            button.clicked.connect(partial(self._write, kind))
        self.sizes.chosen.connect(self._choose)
        self.parts.flipped.connect(self._flip)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        foot = buttons.Words()
        foot.add(labels.label(tr(N_("Save as"))), *self.kinds.values())
        foot.add(labels.label(tr(N_("dots an inch of a PNG"))), self.dpi)
        foot.add(self.shut)
        for part in (self.name, self.sizes, self.parts, foot):
            layout.addWidget(part)
        self._show()
        column.insertWidget(2, self)

    def ask(self, lab: str, key: str, title: str) -> None:
        """Ask about the chart of this key of a lab."""
        self._lab, self._key = lab, key
        self.name.setText(shown(say("Figure for print: {title}", title=title)))
        self.show()
        self.sizes.buttons[self.preset].setFocus()

    def leave(self, lab: str) -> None:
        """Another lab may be on the screen: its charts were not asked about."""
        if lab != self._lab:
            self.hide()

    @property
    def paper(self) -> Paper:
        """What is chosen."""
        parts = {part: part in self.on for part in _PARTS}
        asked = self.dpi.text() if self.dpi.hasAcceptableInput() else Paper(1, 1).dpi
        return replace(PAPERS[self.preset], **parts, dpi=int(asked))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _choose(self, preset: str) -> None:
        self.preset = preset
        self._show()

    def _flip(self, part: str) -> None:
        self.on ^= {part}
        self._show()

    def _show(self) -> None:
        self.sizes.show_choice(self.preset)
        self.parts.show_chosen([part for part in _PARTS if part in self.on])

    def _write(self, kind: str) -> None:
        self._save(self._key, kind, self.paper)
