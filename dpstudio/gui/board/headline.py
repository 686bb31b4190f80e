"""The line above the charts: who wins and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpstudio.gui.parts.labels import Live, retone
from dpstudio.gui.parts.tr import shown

if TYPE_CHECKING:
    from dpstudio.labs.findings import Findings

_TONES = {
    "plain": "headline",
    "good": "headline-good",
    "warn": "headline-warn",
    "bad": "headline-bad",
}


class Headline(QWidget):
    """The sentences that the findings put first; hidden where there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Live] = []
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(4, 0, 4, 0)
        self.column.setSpacing(2)
        self.hide()

    def show_findings(self, findings: Findings) -> None:
        sentences = [findings.sentence(key) for key in findings.headline]
        while len(self.lines) < len(sentences):
            line = Live("headline", wrap=True)
            self.lines.append(line)
            self.column.addWidget(line)
        for place, line in enumerate(self.lines):
            if place < len(sentences):
                retone(line, _TONES[sentences[place].tone])
                line.show_text(shown(sentences[place].say))
            if line.isHidden() == (place < len(sentences)):
                line.setVisible(place < len(sentences))

    @property
    def empty(self) -> bool:
        return all(line.isHidden() or not line.text() for line in self.lines)
