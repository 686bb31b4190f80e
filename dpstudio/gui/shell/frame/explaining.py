"""F1: what it explains is under the focus or the pointer, and a tooltip names the terms there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QLabel, QToolTip, QWidget

from dpstudio.files.glossary import Term, terms_in
from dpstudio.files.manual import manual_page
from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.panel.folding import FoldingHead
from dpstudio.gui.panel.form import Field
from dpstudio.gui.parts import explanation
from dpstudio.gui.parts.explanation import Explanation
from dpstudio.gui.parts.focus_ring import ringed
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.manual import Manual
from dpstudio.gui.shell.frame.window import Window
from dpstudio.values.messages import N_, Message, listed, say

if TYPE_CHECKING:
    from dpstudio.gui.shell.frame.help_card import HelpCard

GAP = 8  # px around a card
_ELSEWHERE = (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)
_HEARD = (*_ELSEWHERE, QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
Target = tuple[QWidget, Explanation]


class Explaining(QObject):
    """Explains what is under the focus, or under the pointer; pressed again it leads to the manual.
    `see(words)`: the lab and the settings that show a term are wanted."""

    def __init__(self, window: Window, manual: Manual, see: Callable[[tuple[str, ...]], object]):
        super().__init__(window)
        self.window, self.manual, self.see = window, manual, see
        self._before: QWidget | None = None  # what had the focus
        self.ground = window.centralWidget() or window
        self.ground.installEventFilter(self)  # what a tooltip asks and no widget knows
        window.presented.connect(self.leave)

    @property
    def on(self) -> bool:
        """Whether something is explained."""
        return "card" in self.__dict__ and not self.card.isHidden()

    @cached_property
    def card(self) -> HelpCard:
        """In which it is explained, made when it is first wanted."""
        from dpstudio.gui.shell.frame.help_card import HelpCard

        window = self.window
        card = HelpCard(window.theme.look, self.ground)
        window.style_sheets.add(card)
        window.theme.changed.connect(self.leave)
        card.left.connect(self.leave)
        card.seen.connect(self._on_seen)
        card.terms.connect(self._on_terms)
        card.manual.connect(self.ask)
        card.copied.connect(self._on_copied)
        return card

    # What is asked

    def ask(self) -> None:
        """F1: explain what is there; again, or where nothing is, the manual."""
        if self.on or (self.manual.on and self._reading()):
            self.leave()
            self.manual.toggle()
            return
        found = self.found()
        if found is None or self.window.presenting:
            self.manual.toggle()
        else:
            self.show(*found)

    def _reading(self) -> bool:
        return self.manual.pane.isAncestorOf(QApplication.focusWidget() or self.window)

    def found(self) -> Target | None:
        """What is explained now: under the focus where a key brought it, else under the pointer,
        else under the focus."""
        focus = self.window.focusWidget()
        pointed = QApplication.widgetAt(QCursor.pos())
        order = (focus, pointed) if ringed(focus) else (pointed, focus)
        for widget in order:
            if widget is not None and self.window.isAncestorOf(widget):
                told = self.told(widget)
                if told is not None:
                    return told
        return None

    def told(self, widget: QWidget) -> Target | None:
        """What is said of a widget, or of what it is a part of; None where nothing is."""
        for part in self._upwards(widget):
            if isinstance(part, Field):
                return part.host(), explanation.of_parameter(part.domain, part.value())
            if isinstance(part, ChartCard):
                return self._of_chart(part)
            if isinstance(part, FoldingHead):
                return part, self._of_head(part)
            if isinstance(part, QLabel) and (field := self._captioned(part)) is not None:
                return field, explanation.of_parameter(field.domain, field.value())
            text, tip = _text(part), part.toolTip()
            tip = part.accessibleDescription() if tip == text else tip  # a glyph's tip is its name
            words = explanation.of_words(text, tip)
            if words is not None and not _of_field(part):
                return part, words
        return None

    def _upwards(self, widget: QWidget) -> Iterator[QWidget]:
        part: QWidget | None = widget
        while part is not None and part not in (self.window, self.ground):
            yield part
            part = part.parentWidget()

    def _captioned(self, label: QLabel) -> Field | None:
        """The field that a label names."""
        fields = self.window.panel.findChildren(Field)
        return next((field for field in fields if field.caption is label), None)

    def _of_head(self, head: FoldingHead) -> Explanation:
        """What a part of the panel that is folded holds."""
        whole = head.parentWidget()
        fields = whole.findChildren(Field) if whole is not None else []
        names = dict.fromkeys(f.domain.label for f in fields if f.present() and f.domain.label)
        told = N_("A press shows what stands in it, or folds it away.")
        if names:
            told = N_("A press shows what stands in it, or folds it away: {names}.")
        words = say(told, names=listed(Message(name) for name in names))
        return Explanation(head.words.text(), (shown(words),))

    def _of_chart(self, card: ChartCard) -> Target | None:
        if card.figure is None:
            return None
        hidden = card.view.hidden if card.view is not None else frozenset()
        if card.view is not None and card.view.underMouse():
            named = terms_in(card.view.words_at(card.view.mapFromGlobal(QCursor.pos())))
            if named:
                return card, explanation.of_term(named[0])
        return card, explanation.of_chart(card.figure.without(hidden))

    def read(self, key: str) -> None:
        """How a chart of the board is read."""
        card = self.window.board.card(key)
        if isinstance(card, ChartCard) and card.figure is not None:
            self.show(card, explanation.of_chart(card.figure))

    def term(self, term: Term) -> None:
        """A term that was looked for, below the box of Find."""
        self.show(self.window.top.seek, explanation.of_term(term))

    # The card

    def show(self, about: QWidget, told: Explanation) -> None:
        """Explain it beside where it stands; the focus stays there."""
        ground, look = self.ground, self.window.theme.look
        self._before = self.window.focusWidget()
        self.window.style_sheets.put(self.card)
        self.card.tell(told, look)
        beside = self._place(about)
        for part in self._upwards(about):
            if isinstance(part, Field):  # an option at its height, beside all of the control
                whole = self._place(part)
                beside.setLeft(min(beside.left(), whole.left()))
                beside.setRight(max(beside.right(), whole.right()))
        headline = self.window.headline
        within = about is headline or headline.isAncestorOf(about)
        spared = QRect() if within or not headline.isVisible() else self._place(headline)
        self.card.place(beside, ground.rect().adjusted(GAP, GAP, -GAP, -GAP), spared)
        QToolTip.hideText()
        self.card.show()
        self.card.raise_()
        app = QApplication.instance()
        assert app is not None
        app.installEventFilter(self)

    def _place(self, widget: QWidget) -> QRect:
        """What is seen of it, on the ground of the window."""
        seen = widget.visibleRegion().boundingRect() or widget.rect()
        return QRect(widget.mapTo(self.ground, seen.topLeft()), seen.size())

    def leave(self) -> None:
        """Put it away, and give the focus back."""
        if not self.on:
            return
        app = QApplication.instance()
        assert app is not None
        app.removeEventFilter(self)
        inside = self.card.isAncestorOf(QApplication.focusWidget() or self.window)
        self.card.hide()
        before, self._before = self._before, None
        if inside and before is not None and before.isVisible():
            before.setFocus()

    def _on_seen(self) -> None:
        words = self.card.told.see
        self.leave()
        self.see(words)

    def _on_copied(self) -> None:
        self.window.say(tr(N_("The formula is copied as LaTeX.")), tone="good")

    def _on_terms(self) -> None:
        told = self.card.told
        self.leave()
        self.manual.show(manual_page(told.page), told.heading)

    # Keys and tooltips

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ToolTip and watched is self.ground:
            assert isinstance(event, QHelpEvent)
            return self._on_tip(event.globalPos())
        if kind == QEvent.Type.Resize and watched is self.ground and self.on:
            self.leave()
        if kind not in _HEARD or not self.on:  # not to ask anything of a window that goes
            return False
        if kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            assert isinstance(event, QKeyEvent)
            return self._on_key(event)
        if kind in _ELSEWHERE and isinstance(watched, QWidget) and not self._inside(watched):
            self.leave()
        return False

    def _inside(self, widget: QWidget) -> bool:
        return widget is self.card or self.card.isAncestorOf(widget)

    def _on_key(self, event: QKeyEvent) -> bool:
        pressed = event.type() == QEvent.Type.KeyPress
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if pressed:
                self.leave()
            return True
        outside = not self._inside(QApplication.focusWidget() or self.window)
        if event.key() == Qt.Key.Key_Tab and pressed and outside:
            first = self.card.see if self.card.see.isVisible() else self.card.more
            first.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return False

    def _on_tip(self, at: QPoint) -> bool:
        """Name the terms where the pointer rests, and nothing there has a tooltip."""
        widget = QApplication.widgetAt(at)
        if widget is None or not self.window.isAncestorOf(widget):
            return False
        tip = explanation.tip_of(self._words_at(widget, at))
        if tip:
            QToolTip.showText(at, tip, widget)
        return bool(tip)

    def _words_at(self, widget: QWidget, at: QPoint) -> str:
        for part in self._upwards(widget):
            if isinstance(part, ChartCard):
                view = part.view
                return view.words_at(view.mapFromGlobal(at)) if view is not None else ""
            if _text(part):
                return _text(part)
        return ""


def _text(widget: QWidget) -> str:
    """What it says."""
    if isinstance(widget, QLabel | QAbstractButton):
        text = widget.text().replace("&&", "&").rstrip(" ▾!")  # signs that no name has
        return text or widget.accessibleName()
    return ""


def _of_field(widget: QWidget) -> bool:
    """Whether it belongs to the editor of a parameter and is no option of it."""
    if isinstance(widget, QAbstractButton) and not isinstance(widget, QCheckBox):
        return not widget.isCheckable() and _within(widget)
    return _within(widget)


def _within(widget: QWidget) -> bool:
    part = widget.parentWidget()
    while part is not None:
        if isinstance(part, Field):
            return True
        part = part.parentWidget()
    return False
