"""The ring of the focus is for the keyboard: a hand that clicks sees where it is. Enter presses the
button that has it, as Space does."""

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QGraphicsView,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from dpstudio.gui.parts.labels import restyle

_RING = "ring"  # of the style sheet
_ENTER = Qt.Key.Key_Return, Qt.Key.Key_Enter
_BARE = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier


def ringed(widget: QWidget | None) -> bool:
    """Whether a widget has the focus, and came to it by a key."""
    return widget is not None and bool(widget.property(_RING))


class FocusRing(QObject):
    """Tells the widget that has the focus whether a key brought it there; one to which the program
    gives it goes by what was used last."""

    def __init__(self, app: QApplication):
        super().__init__(app)
        self._keys = False
        app.focusChanged.connect(self._on_focus)

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and shiboken6.isValid(old):
            _mark(old, ring=False)
            old.removeEventFilter(self)
        if new is None:
            return
        if isinstance(new, QAbstractButton) and not isinstance(new, QCheckBox | QRadioButton):
            new.installEventFilter(self)
        by_key = Qt.WidgetAttribute.WA_KeyboardFocusChange  # which Qt sets, and leaves
        if new.window().testAttribute(by_key):
            self._keys = True
            _bring(new)
        elif QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._keys = False
        new.window().setAttribute(by_key, False)
        _mark(new, ring=self._keys)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter on a button, which Qt leaves to dialogs, is a click."""
        if not (isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress):
            return False
        if event.key() not in _ENTER or event.modifiers() not in _BARE:
            return False
        if not event.isAutoRepeat() and isinstance(watched, QAbstractButton):
            watched.click()
        return True


def _bring(widget: QWidget) -> None:
    """Scroll to what a key has come to: Qt does so within an area alone, not on the way into it."""
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()


def _mark(widget: QWidget, ring: bool) -> None:
    if isinstance(widget, QGraphicsView):  # no style sheet draws one: it would be polished in vain
        widget.setProperty(_RING, ring)
    else:
        restyle(widget, ring=ring)
