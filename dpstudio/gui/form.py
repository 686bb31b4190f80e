"""Editors made from a field's domain. Each shows the state, asks the store for changes, and writes errors below itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from dpstudio.core.params import Choice, Domain, Flag, ParamError, Real
from dpstudio.core.wording import Say
from dpstudio.gui.store import Store
from dpstudio.gui.tr import shown, tr

STEPS = 1000


def label(text: str, name: str = "", wrap: bool = False) -> QLabel:
    """A label whose style is chosen by object name."""
    out = QLabel(text)
    out.setObjectName(name)
    out.setWordWrap(wrap)
    out.setTextFormat(Qt.TextFormat.PlainText)
    return out


def restyle(widget: QWidget, **properties: Any) -> None:
    """Set dynamic properties and let the style sheet see them."""
    if all(widget.property(name) == value for name, value in properties.items()):
        return
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class Complaint(QLabel):
    """The sentence under a field: hidden when there is nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setObjectName("bad")
        self.hide()

    def say(self, message: Say | str, tone: str = "bad") -> None:
        text = shown(message)
        if text != self.text() or tone != self.objectName():
            self.setObjectName(tone)
            self.setText(text)
            self.style().unpolish(self)
            self.style().polish(self)
        self.setVisible(bool(text))


class Field(QWidget):
    """Base of every editor of one parameter at a dotted path."""

    def __init__(self, store: Store, path: str, domain: Domain):
        super().__init__()
        self.store, self.path, self.domain = store, path, domain
        self.complaint = Complaint()
        if domain.help:
            self.setToolTip(tr(domain.help))

    def value(self) -> Any:
        held: Any = self.store.lab
        for name in self.path.split("."):
            held = getattr(held, name, None)
            if held is None:
                return None
        return held

    def ask(self, value: Any, gesture: str | None = None) -> bool:
        """Ask for a new value; a refusal becomes the sentence below and changes nothing."""
        try:
            self.store.set(self.path, value, gesture)
        except ParamError as error:
            self.complaint.say(error.sentence)
            return False
        self.complaint.say("")
        return True

    def show_state(self) -> None:
        """Take the value from the store, silently."""
        raise NotImplementedError


class Box(QLineEdit):
    """A one-line box that gives up its text on Enter or when it is left; Esc takes the typing back."""

    given = Signal(str)

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self.held = ""
        self.editingFinished.connect(self._finish)

    def show_text(self, text: str) -> None:
        """Show a value, unless the person is typing another."""
        if self.isModified() and self.hasFocus():
            return
        self.held = text
        if self.text() != text:
            self.setText(text)
        restyle(self, wrong=False)

    def refuse(self) -> None:
        restyle(self, wrong=True)

    def _finish(self) -> None:
        if self.isModified() or self.text() != self.held:
            self.setModified(False)
            self.given.emit(self.text())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.setModified(False)
            self.show_text(self.held)
            event.accept()
            return
        super().keyPressEvent(event)


class BoxField(Field):
    """A typed value."""

    def __init__(self, store: Store, path: str, domain: Domain, width: int = 0, name: str = ""):
        super().__init__(store, path, domain)
        self.box = Box(name)
        self.box.setAccessibleName(tr(domain.label))
        if width:
            self.box.setFixedWidth(width)
        self.box.given.connect(self._given)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.box)
        layout.addWidget(self.complaint)
        self.setFocusProxy(self.box)

    def _given(self, text: str) -> None:
        if not self.ask(text):
            self.box.refuse()
        else:
            self.show_state()

    def show_state(self) -> None:
        value = self.value()
        self.box.show_text("" if value is None else self.domain.show(value))
        if not self.box.isModified():
            self.complaint.say("")

    def propose(self, text: str) -> None:
        """What is in force while the box is empty."""
        self.box.setPlaceholderText(text)


class Slide(QSlider):
    """A slider that does not take the wheel from the panel it is in, unless it has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class SliderField(Field):
    """A slider with a typed box; one drag is one step of the history."""

    def __init__(self, store: Store, path: str, domain: Real, box_name: str = "", caption: QWidget | None = None):
        super().__init__(store, path, domain)
        self.real = domain
        self.slider = Slide(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 20)
        self.slider.setSingleStep(STEPS // 100)
        self.slider.setAccessibleName(tr(domain.label))
        self.box = Box(box_name)
        self.box.setAccessibleName(tr(domain.label))
        self.box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.box.setFixedWidth(118 if box_name == "large" else 86)
        self._gesture: str | None = None
        self.slider.sliderPressed.connect(self._press)
        self.slider.sliderReleased.connect(self._release)
        self.slider.valueChanged.connect(self._move)
        self.box.given.connect(self._given)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.addWidget(caption or label(tr(domain.label)), 0, 0)
        grid.addWidget(self.box, 0, 1, alignment=Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.slider, 1, 0, 1, 2)
        grid.addWidget(self.complaint, 2, 0, 1, 2)
        self.setFocusProxy(self.slider)

    def _press(self) -> None:
        self._gesture = self.store.gesture()

    def _release(self) -> None:
        self._gesture = None

    def _move(self, position: int) -> None:
        self.ask(self.real.at(position / STEPS), self._gesture)

    def _given(self, text: str) -> None:
        if not self.ask(text):
            self.box.refuse()
        else:
            self.show_state()

    def show_state(self) -> None:
        value = self.value()
        self.setVisible(value is not None)
        if value is None:
            return
        self.box.show_text(self.real.show(value))
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(STEPS * min(1.0, max(0.0, self.real.position(value)))))
        if not self.box.isModified():
            self.complaint.say("")


class ComboField(Field):
    """A choice from a list."""

    def __init__(self, store: Store, path: str, domain: Choice):
        super().__init__(store, path, domain)
        self.options = domain.options
        self.combo = combo(domain.label)
        for key, text in domain.options.items():
            self.combo.addItem(tr(text), key)
        self.combo.activated.connect(lambda i: self.ask(self.combo.itemData(i)))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.combo)
        self.setFocusProxy(self.combo)

    def show_state(self) -> None:
        place = self.combo.findData(self.value())
        if place != self.combo.currentIndex():
            self.combo.setCurrentIndex(place)


def combo(name: str = "") -> QComboBox:
    """A combo box that may be narrower than its longest entry and does not eat the wheel."""
    out = _Combo()
    out.setAccessibleName(tr(name))
    out.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    out.setMinimumContentsLength(4)
    out.setMaxVisibleItems(20)
    return out


class _Combo(QComboBox):
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FlagField(Field):
    """A yes or no."""

    def __init__(self, store: Store, path: str, domain: Flag):
        super().__init__(store, path, domain)
        self.check = QCheckBox(tr(domain.label))
        self.check.toggled.connect(self.ask)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.check)
        layout.addWidget(self.complaint)
        self.setFocusProxy(self.check)

    def show_state(self) -> None:
        with QSignalBlocker(self.check):
            self.check.setChecked(bool(self.value()))


class Segments(QWidget):
    """A few buttons of which one is down; those that cannot work are greyed with the reason as tooltip."""

    chosen = Signal(str)

    def __init__(
        self, options: Mapping[str, str], columns: int = 0, fluid: bool = False, decorate: Callable[[QPushButton, str], None] | None = None
    ):
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        layout: Any = QGridLayout(self) if columns else QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for i, (key, text) in enumerate(options.items()):
            button = QPushButton(tr(text))
            button.setCheckable(True)
            button.setObjectName("segment")
            button.setMinimumWidth(24)
            button.setSizePolicy(QSizePolicy.Policy.Ignored if fluid else QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
            if decorate:
                decorate(button, key)
            self.buttons[key] = button
            if columns:
                layout.addWidget(button, i // columns, i % columns)
            else:
                # Room by the length of the word, so that none is cut.
                layout.addWidget(button, 5 + len(button.text()) if fluid else 0)

    def show_choice(self, key: str, refused: Mapping[str, Say] | None = None) -> None:
        refused = refused or {}
        for name, button in self.buttons.items():
            button.setChecked(name == key)
            why = refused.get(name)
            button.setEnabled(why is None or name == key)
            button.setToolTip(shown(why) if why else "")
