"""What opens a lab: one sentence that says what is to be seen, and below it what else is said."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpstudio.charts.label_folding import folded
from dpstudio.gui.parts.labels import BalancedLabel, retone
from dpstudio.gui.parts.theme import Look, measuring
from dpstudio.gui.parts.tr import altered, shown

if TYPE_CHECKING:
    from dpstudio.labs.findings import Findings, Sentence


LOW_LINES = 2  # of the large sentence at most, where no numbers stand below it; else one
# A verdict has its sign besides its ink.
_SIGNED = re.compile(r" ([=<>≤≥]) (?=[\d−±])")
_SIGNS = {"good": "✓", "warn": "⚠", "bad": "✗"}


def signed(sentence: Sentence) -> str:
    """The words of a sentence, after the sign of its verdict where it is one."""
    return unbroken(f"{_SIGNS.get(sentence.tone, '')} {shown(sentence.say)}".lstrip())


def unbroken(said: str) -> str:
    """The same, with no line that ends between a number and its sign, or begins with a dot."""
    return altered(said, _unbroken)


def _unbroken(said: str) -> str:
    said = _SIGNED.sub("\u00a0\\1\u00a0", said)
    return said.replace(" %", "\u00a0%").replace("± ", "±\u00a0").replace(" · ", "\u00a0· ")


def waiting(findings: Findings) -> int:
    """How many of the sentences wait until all is asked for: neither the first nor what
    qualifies it."""
    return len(findings.headline[1:]) - bool(_qualifies(findings))


def _qualifies(findings: Findings) -> str:
    """The one that stands below the first whatever is asked for: the gravest warning."""
    tones = [(findings.sentence(key).tone, key) for key in findings.headline[1:]]
    graver = (key for tone in ("bad", "warn") for told, key in tones if told == tone)
    return next(graver, "")


class _Said(QWidget):
    """A sentence in the colour of text; its verdict alone is inked, and stands before it."""

    def __init__(self) -> None:
        super().__init__()
        self.sign, self.line = QLabel(), BalancedLabel("headline")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.line, 1)

    def show_sentence(self, sentence: Sentence, name: str) -> None:
        """Show it in a style: that of its name."""
        sign, words = _SIGNS.get(sentence.tone, ""), unbroken(shown(sentence.say))
        if self.line.objectName() != name:  # old words in large type would take lines of their own
            self.line.set_text(words)
        retone(self.line, name)
        if sign:
            retone(self.sign, f"{name}-{sentence.tone}")
            self.sign.setText(sign)
        if self.sign.isHidden() == bool(sign):
            self.sign.setVisible(bool(sign))
        self.line.show_text(words)


class Headline(QWidget):
    """The first of the sentences that the findings put first, large, but smaller before it would
    push the page down: where it takes a second line, in a `low` window a third. Small below it
    the gravest that warns, and where the page is `whole` all others. Hidden where there are none.
    It keeps the room of one that warns, and under a hand shows no more than have room."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[_Said] = []
        self.whole = self.low = self.held = self._small = False
        self.look = Look()
        self._findings: Findings | None = None
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self.column.addStretch(1)
        self.hide()

    @property
    def lines(self) -> list[BalancedLabel]:
        """The words of each sentence."""
        return [said.line for said in self.said]

    def unfold(self, whole: bool) -> None:
        """Show every sentence, or what must be read."""
        self.whole = whole
        self._tell()

    def give_way(self, low: bool) -> None:
        """Whether the window is low, where the sentence may have other lines."""
        self._small &= self.low == low
        self.low = low
        self._tell()

    def show_findings(self, findings: Findings, look: Look) -> None:
        before = self._findings.headline[:1] if self._findings is not None else ()
        self._small &= findings.headline[:1] == before  # else it is another sentence
        self._findings, self.look = findings, look
        self._tell()

    def _tell(self) -> None:
        findings = self._findings
        if findings is None:
            return
        sentences = [findings.sentence(key) for key in findings.headline]
        qualifies = _qualifies(findings)
        while len(self.said) < len(sentences):
            self.said.append(_Said())
            self.said[-1].hide()  # else a layout shows it, though nothing is said there
            self.column.insertWidget(len(self.said) - 1, self.said[-1])
        self._small = bool(sentences) and self._long(unbroken(shown(sentences[0].say)))
        for place, said in enumerate(self.said):
            seen = place < len(sentences) and (
                place == 0 or self.whole or sentences[place].key == qualifies
            )
            if seen:
                name = "said" if place else "headline-small" if self._small else "headline"
                said.show_sentence(sentences[place], name)
                said.line.mark(sentences[place].key in findings.coarse)
            if said.isHidden() == seen:
                said.setVisible(seen)
        self.setMinimumHeight(0 if self.low else self._kept())
        self._give_way()
        # Now: the numbers below are told next, and the room of both would else be kept for what
        # stood here before.
        QCoreApplication.sendPostedEvents(self, QEvent.Type.LayoutRequest.value)

    def _kept(self) -> int:
        """The height of a large sentence and a small one, or of two lines that are less large."""
        types = (20, 600), (14, 600), (12, 400)
        large, small, said = (math.ceil(measuring(self.look, *each)("x")[1]) for each in types)
        return max(large + self.column.spacing() + said, 2 * small)

    def _give_way(self) -> None:
        """Under a hand leave out what would need more room than there is; it comes when the hand
        lets go."""
        for said in reversed(self.said[1:]) if self.held else ():
            self.column.invalidate()
            if self.column.totalHeightForWidth(self.width()) <= self.height():
                break
            if not said.isHidden():
                said.hide()

    def hold(self, held: bool) -> None:
        """Whether a hand moves."""
        if held != self.held:
            self.held = held
            if not held:
                self._tell()

    def _long(self, words: str) -> bool:
        """Whether large type would take too many lines; one that was small stays so until it has
        room to spare."""
        room = self.width() - self.look.px(24) - self._small * self.width() // 8
        measure, most = measuring(self.look, 20, 600), LOW_LINES if self.low else 1
        # Chinese is broken where no blank is, too.
        long = measure(words)[0] > most * room or len(folded(words, room, measure)) > most
        return room > 0 and long

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._tell()

    @property
    def empty(self) -> bool:
        return all(said.isHidden() or not said.line.text() for said in self.said)
