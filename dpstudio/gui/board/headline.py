"""What opens a lab: one sentence that says what is to be seen, and below it what else is said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpstudio.gui.parts.labels import BalancedLabel, retone
from dpstudio.gui.parts.tr import shown

if TYPE_CHECKING:
    from dpstudio.labs.findings import Findings, Sentence


# A verdict has its sign besides its ink.
_SIGNED = re.compile(r" ([=<>≤≥]) (?=[\d−±])")
_SIGNS = {"good": "✓", "warn": "⚠", "bad": "✗"}


def signed(sentence: Sentence) -> str:
    """The words of a sentence, after the sign of its verdict where it is one."""
    return unbroken(f"{_SIGNS.get(sentence.tone, '')} {shown(sentence.say)}".lstrip())


def unbroken(said: str) -> str:
    """The same, with no line that ends between a number and its sign, or begins with a dot."""
    said = _SIGNED.sub("\u00a0\\1\u00a0", said)
    return said.replace(" %", "\u00a0%").replace("± ", "±\u00a0").replace(" · ", "\u00a0· ")


def waiting(findings: Findings) -> int:
    """How many of the sentences wait until all is asked for: neither the first nor a warning."""
    return sum(not _warns(findings.sentence(key)) for key in findings.headline[1:])


def _warns(sentence: Sentence) -> bool:
    return sentence.tone in ("warn", "bad")


class Headline(QWidget):
    """The first of the sentences that the findings put first, large; small below it those that
    warn, and where the page is `whole` all others. Hidden where there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[BalancedLabel] = []
        self.whole = False
        self._findings: Findings | None = None
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self.hide()

    def unfold(self, whole: bool) -> None:
        """Show every sentence, or what must be read."""
        self.whole = whole
        if self._findings is not None:
            self.show_findings(self._findings)

    def show_findings(self, findings: Findings) -> None:
        self._findings = findings
        sentences = [findings.sentence(key) for key in findings.headline]
        while len(self.lines) < len(sentences):
            line = BalancedLabel("headline")
            self.lines.append(line)
            self.column.addWidget(line)
        for place, line in enumerate(self.lines):
            seen = place < len(sentences) and (place == 0 or self.whole or _warns(sentences[place]))
            if seen:
                tone, name = sentences[place].tone, "said" if place else "headline"
                retone(line, name if tone == "plain" else f"{name}-{tone}")
                line.show_text(signed(sentences[place]))
            if line.isHidden() == seen:
                line.setVisible(seen)
        # Now: the numbers below are told next, and the room of both would else be kept for what
        # stood here before.
        QCoreApplication.sendPostedEvents(self, QEvent.Type.LayoutRequest.value)

    @property
    def empty(self) -> bool:
        return all(line.isHidden() or not line.text() for line in self.lines)
