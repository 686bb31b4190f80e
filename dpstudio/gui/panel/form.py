"""Editors made from a field's domain. Each shows the state, asks the store for changes, and writes
errors below itself."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpstudio.gui.panel.frames import hold_still
from dpstudio.gui.parts import boxes, declared, labels, theme, wrapping
from dpstudio.gui.parts.explanation import tip_of
from dpstudio.gui.parts.tr import Again, shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import Message
from dpstudio.values.parameters import Choice, Domain, Flag, ParamError, Real, roles

STEPS = 1000
_NOTHING = object()
_DIGITS = 9  # beyond these a box shows a rounded value; it stays as it is until another is typed


class Field(QWidget):
    """Base of every editor of one parameter at a dotted path.

    It hides, and its caption with it, while the `Parameters` that is chosen has no such parameter.
    It is refreshed with every change of the state, and shows it anew where what it shows of it,
    `seen`, is another than before.
    """

    def __init__(self, store: Store, path: str, domain: Domain):
        super().__init__()
        self.store, self.path, self.domain = store, path, domain
        self.complaint = labels.ProblemLabel(self)
        self.caption: QWidget | None = None
        self.advice: labels.ProblemLabel | None = None
        self._seen: Any = _NOTHING
        self._judged: tuple[Any, Any] | None = None  # for what it was refreshed last
        if domain.help:
            self.setToolTip(tr(domain.help))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.setToolTip(tip_of(self.domain.label, self.toolTip()))

    def value(self) -> Any:
        held: Any = self.store.lab
        for name in self.path.split("."):
            held = getattr(held, name, None)
            if held is None:
                return None
        return held

    def present(self) -> bool:
        """Whether the state has this parameter, and it plays a part."""
        return declared.plays(self.store.lab, self.path, self.store.data)

    def seen(self) -> Any:
        """What is to be seen of the state, and of what it offers."""
        return self.value()

    def stale(self) -> None:
        """What stands here may not be the state: the next refresh shows it anew."""
        self._seen, self._judged = _NOTHING, None

    def refresh(self) -> None:
        """Show the state where it changed, or nothing where it has no such parameter."""
        lab, data, name = self.store.lab, self.store.data, self.path.partition(".")[0]
        held, judged = getattr(lab, name, None), self._judged
        if judged is not None and judged[0] is held and judged[1] is data:
            return
        role = roles(type(lab)).get(name)
        # Whether it plays a part may hang on other parameters of the lab.
        apart = role is not None and not (role.active_when or role.of or role.holds)
        self._judged = (held, data) if apart else None
        present = self.present()
        if self.isHidden() == present:
            self.setVisible(present)
        if present and self.changed():
            self.show_state()

    def offers_anew(self) -> None:
        """What it offers or refuses may be other than at the last refresh."""
        self._judged = None
        self.refresh()

    def changed(self) -> bool:
        """Whether there is something to show that was not seen at the last refresh."""
        before, self._seen = self._seen, self.seen()
        return bool(before != self._seen)

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        if self.caption is not None:
            self.caption.setVisible(visible)

    def ask(self, value: Any, gesture: str | None = None) -> bool:
        """Ask for a new value; a refusal becomes the sentence below and changes nothing."""
        hold_still(self)
        try:
            self.store.set(self.path, value, gesture)
        except ParamError as error:
            self.complaint.say(error.sentence)
            self.stale()
            return False
        self.complaint.say("")
        return True

    def warn(self, message: Message | str, tone: str = "bad") -> None:
        """Say, apart from what was wrong with the typing, what the findings have against the
        value."""
        if self.advice is None:
            if not message:
                return
            self.advice = labels.ProblemLabel(self)
            self.advice.setContentsMargins(self.complaint.contentsMargins())
            layout = self.layout()
            if isinstance(layout, QGridLayout):
                layout.addWidget(self.advice, layout.rowCount(), 0, 1, layout.columnCount())
            elif layout is not None:
                layout.addWidget(self.advice)
        self.advice.say(message, tone)

    def tone(self) -> str:
        """How grave what is said below it is: "bad", "warn", or "" where nothing is."""
        said = [words for words in (self.complaint, self.advice) if words and not words.isHidden()]
        return min((words.objectName() for words in said), default="")

    def show_state(self) -> None:
        """Take the value from the store, silently."""
        raise NotImplementedError

    def show_findings(self, findings: Findings) -> None:
        """Take from the findings what the editor offers or refuses."""

    def dress(self, look: theme.Look) -> None:
        """Take another look; only what paints itself needs to."""

    def host(self) -> QWidget:
        """Where it is seen: itself, but for what is said within another editor."""
        return self


class TypedField(Field):
    """A field with a box for typing: a refusal marks the box, Esc takes the typing and the sentence
    back."""

    box: boxes.LineBox

    def _listen(self, box: boxes.LineBox) -> None:
        self.box = box
        box.setAccessibleName(tr(self.domain.label))
        box.given.connect(self._given)
        box.restored.connect(self._forget)

    def _forget(self) -> None:
        self.complaint.say("")
        self.stale()

    def _given(self, text: str) -> None:
        if self.ask(text):
            self.show_state()
        else:
            self.box.refuse()


class BoxField(TypedField):
    """A typed value."""

    def __init__(
        self, store: Store, path: str, domain: Domain, chars: int = 0, apart: bool = False
    ):
        super().__init__(store, path, domain)
        self._listen(boxes.LineBox("", chars))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.box)
        # A narrow box has no room for a sentence: then its row places the complaint.
        if not apart:
            layout.addWidget(self.complaint)

    def _words(self) -> str:
        value = self.value()
        return "" if value is None else shown(self.domain.said(value))

    def _given(self, text: str) -> None:
        super()._given(self.domain.show(self.value()) if text and text == self._words() else text)

    def retell(self, _: Again) -> None:
        """Of another page, which may have something else of that name, it is said when it opens."""
        self.stale()
        if self.isVisible():
            self.show_state()

    def show_state(self) -> None:
        self.box.show_text(self._words())
        if not self.box.isModified():
            self.complaint.say("")

    def propose(self, text: str) -> None:
        """What is in force while the box is empty."""
        self.box.setPlaceholderText(text)


class SliderField(TypedField):
    """A slider with a typed box; one drag is one step of the history."""

    def __init__(
        self,
        store: Store,
        path: str,
        domain: Real,
        box_name: str = "",
        caption: QWidget | None = None,
    ):
        super().__init__(store, path, domain)
        self.real = domain
        self.slider = boxes.PanelSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 20)
        self.slider.setSingleStep(STEPS // 100)
        self.slider.setAccessibleName(tr(domain.label))
        self._listen(boxes.LineBox(box_name, 7))
        self.box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._gesture: str | None = None
        self._start: tuple[int, Any] = (0, None)
        self.slider.sliderPressed.connect(self._press)
        self.slider.sliderReleased.connect(self._release)
        self.slider.valueChanged.connect(self._move)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.addWidget(caption or labels.label(tr(domain.label), wrap=True), 0, 0)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.box, 0, 1, alignment=Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.slider, 1, 0, 1, 2)
        grid.addWidget(self.complaint, 2, 0, 1, 2)

    def _press(self) -> None:
        self._gesture = self.store.grasp()
        self._start = (self.slider.value(), self.value())

    def _release(self) -> None:
        self._gesture = None
        self.stale()
        self.store.let_go()

    def _move(self, position: int) -> None:
        self.stale()
        value = self.real.at(position / STEPS)
        if self._gesture is not None and abs(position - self._start[0]) <= STEPS / max(
            1, self.slider.width()
        ):
            # Back within a pixel of where the drag began: the value that was there, which may lie
            # between pixels.
            value = self._start[1]
        self.ask(value, self._gesture)

    def show_state(self) -> None:
        value = self.value()
        text = self.real.show(value)
        self.box.show_text(text if len(text) <= _DIGITS else f"{value:.4g}")
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(STEPS * min(1.0, max(0.0, self.real.position(value)))))
        if not self.box.isModified():
            self.complaint.say("")


class ChoiceField(Field):
    """A choice of which some may be refused, each with its reason; hidden where there is nothing
    left to choose."""

    def __init__(self, store: Store, path: str, domain: Choice):
        super().__init__(store, path, domain)
        self.words = domain.words
        self.refused: Mapping[str, Message] = {}

    def present(self) -> bool:
        return super().present() and not self.words.keys() <= {*self.refused, self.value()}

    def seen(self) -> Any:
        return self.value(), self.refused

    def show_findings(self, findings: Findings) -> None:
        refused = findings.refused.get(self.path, {})
        if refused != self.refused:
            self.refused = refused
            self.offers_anew()


class ComboField(ChoiceField):
    """A choice from a list."""

    def __init__(self, store: Store, path: str, domain: Choice):
        super().__init__(store, path, domain)
        self.combo = boxes.combo(domain.label)
        for key, text in domain.words.items():
            self.combo.addItem(tr(text), key)
        self.combo.activated.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.combo)
        layout.addWidget(self.complaint)

    def _choose(self, place: int) -> None:
        self.ask(self.combo.itemData(place))

    def show_state(self) -> None:
        value = self.value()
        place = self.combo.findData(value)
        if place != self.combo.currentIndex():
            self.combo.setCurrentIndex(place)
        for place in range(self.combo.count()):
            word = self.combo.itemData(place)
            why = self.refused.get(word)
            item = self.combo.model().item(place)  # type: ignore[attr-defined]
            if item.isEnabled() != (why is None or word == value):
                item.setEnabled(why is None or word == value)
                item.setToolTip(shown(why) if why else "")


class FlagField(Field):
    """A yes or no."""

    def __init__(self, store: Store, path: str, domain: Flag):
        super().__init__(store, path, domain)
        self.check = wrapping.WrappingCheck(tr(domain.label))
        self.check.toggled.connect(self.ask)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.check)
        layout.addWidget(self.complaint)

    def show_state(self) -> None:
        with QSignalBlocker(self.check):
            self.check.setChecked(bool(self.value()))
