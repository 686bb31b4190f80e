"""Editors of single parameters, of more kinds: shares in percent, choices as buttons, columns,
conditions, entries one a line, bounds, a coordinate of the answer."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QGridLayout, QVBoxLayout, QWidget

from dpstudio.data.dataset import Dataset
from dpstudio.gui.panel import row_icons
from dpstudio.gui.panel.condition_form import ConditionForm
from dpstudio.gui.panel.form import BoxField, ChoiceField, Field
from dpstudio.gui.parts import boxes, buttons, choice_list
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import Again, shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.labs.findings import Findings
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.values import parameters
from dpstudio.values.domains import number_of
from dpstudio.values.messages import N_, Message, say, with_name

_EXACT = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive


def stack(field: Field, *widgets: QWidget) -> None:
    """Lay out an editor: its widgets one below the other, then its complaint."""
    layout = QVBoxLayout(field)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2)
    for widget in (*widgets, field.complaint):
        layout.addWidget(widget)


class PercentField(BoxField):
    """A share that is typed and shown in percent."""

    def _given(self, text: str) -> None:
        try:
            share = number_of(text.replace("%", "").replace(",", ".").strip()) / 100
            self.domain.check(share)
        except (ValueError, parameters.ParamError):
            assert isinstance(self.domain, parameters.Real)
            low, high = f"{100 * self.domain.low:g}", f"{100 * self.domain.high:g}"
            self.complaint.say(
                say(
                    "“{value}” is not a number from {low} to {high} (%).",
                    value=text.strip(),
                    low=low,
                    high=high,
                )
            )
            self.box.refuse()
            self.stale()
            return
        self.ask(share)
        self.show_state()

    def _words(self) -> str:
        value = self.value()
        return "" if value is None else shown(say("{x} %", x=f"{100 * value:.6g}"))


class SegmentsField(ChoiceField):
    """A choice of few words as a row of buttons."""

    def __init__(self, store: Store, path: str, domain: parameters.Choice):
        super().__init__(store, path, domain)
        self.segments = buttons.Segments(domain.words)
        self.segments.setAccessibleName(tr(domain.label))
        self.segments.chosen.connect(self.ask)
        stack(self, self.segments)

    def show_state(self) -> None:
        self.segments.show_choice(self.value(), self.refused)


class RowsField(ChoiceField):
    """A choice as a list, one row for each word."""

    listed = True

    def __init__(self, store: Store, path: str, domain: parameters.Choice):
        super().__init__(store, path, domain)
        self.rows = choice_list.ChoiceList(domain.words)
        self.rows.setAccessibleName(tr(domain.label))
        self.rows.chosen.connect(self.ask)
        stack(self, self.rows)
        self.complaint.setContentsMargins(choice_list.OUTDENT, 0, choice_list.OUTDENT, 0)

    def show_state(self) -> None:
        self.rows.show_chosen((self.value(),), self.refused)


def turned(held: tuple[str, ...], key: str) -> tuple[str, ...]:
    """Words with one more, or one less."""
    return tuple(word for word in held if word != key) if key in held else (*held, key)


class ChipsField(Field):
    """Some of a few words; those that have strokes in charts stand in a list. Of many those are
    seen that are chosen, or are as the lab starts; the others wait until they are asked for."""

    def __init__(self, store: Store, path: str, domain: parameters.Several):
        super().__init__(store, path, domain)
        named = {
            key: (with_name(Message(domain.words[key]), Message(formula)), source)
            for key, (formula, source) in domain.tips().items()
        }
        told = {key: "\n".join(map(shown, each)) for key, each in named.items()}
        laws = {kind.key: kind for kind in MECHANISMS}
        self.kinds = {word: laws.get(word, word) for word in domain.words}
        self.listed = row_icons.inked(self.kinds)
        self.chips: buttons.Chips | choice_list.ChoiceList
        if self.listed:
            self.chips = choice_list.ChoiceList(domain.words, single=False, tips=told)
            self.chips.chosen.connect(self._flip)
        else:
            self.chips = buttons.Chips(domain.words, told)
            self.chips.flipped.connect(self._flip)
        self.chips.setAccessibleName(tr(domain.label))
        self.refused: Mapping[str, Message] = {}
        stack(self, self.chips)
        if self.listed:  # what is under the rows stands where their strokes do
            self.complaint.setContentsMargins(choice_list.OUTDENT, 0, choice_list.OUTDENT, 0)

    def seen(self) -> Any:
        return self.value(), self.refused

    def _flip(self, key: str) -> None:
        self.ask(turned(self.value(), key))
        self.show_state()

    def show_state(self) -> None:
        held = self.value()
        self.chips.show_chosen(held, self.refused)
        if isinstance(self.chips, choice_list.ChoiceList) and len(self.kinds) > choice_list.MANY:
            self.chips.show_few((*held, *parameters.get(type(self.store.lab)(), self.path)))

    def show_findings(self, findings: Findings) -> None:
        refused = findings.refused.get(self.path, {})
        if refused != self.refused:
            self.refused = refused
            self.offers_anew()

    def dress(self, look: Look) -> None:
        if self.listed:
            row_icons.with_icons(self.chips.buttons, self.kinds, look)


class ColumnField(Field):
    """A column of the table, those that cannot serve left out: whose row it is groups nobody."""

    def __init__(self, store: Store, path: str, domain: parameters.Column):
        super().__init__(store, path, domain)
        self.numeric, self.words = domain.numeric, bool(getattr(domain, "words", False))
        self.combo = boxes.combo(domain.label)
        self.data: Dataset | None = None
        self.known = 0
        self.combo.activated.connect(self._choose)
        stack(self, self.combo)

    def _choose(self, place: int) -> None:
        column, lab, data = self.combo.itemData(place), self.store.lab, self.store.data
        self.stale()
        if data is None or column == self.value():
            return
        *outer, name = self.path.split(".")
        try:
            holder: parameters.Parameters = parameters.get(lab, ".".join(outer)) if outer else lab
            if name not in parameters.domains(type(holder)):
                return  # the list was still open when the question became another one
            changed = holder.with_(**{name: column}, **parameters.forgotten(holder, name))
            asked = parameters.put(lab, ".".join(outer), changed) if outer else changed
            self.store.edit_fitted(asked)  # type: ignore[arg-type]
        except parameters.ParamError as error:
            self.complaint.say(error.sentence)
            self.show_state()

    def seen(self) -> Any:
        return self.value(), self.store.data

    def show_state(self) -> None:
        data, value = self.store.data, self.value()
        if value is None or data is None:
            return
        if data is not self.data:
            self.combo.clear()
            for info in data.columns:
                if (
                    info.numeric
                    if self.numeric
                    else info.type == "category" and info.name != data.person
                    if self.words
                    else info.type != "other"
                ):
                    boxes.add_name(self.combo, info.name, info.name)
            self.data = data
            self.known = self.combo.count()
        if self.combo.findData(value, flags=_EXACT) not in range(self.known):
            # A column that is gone: it is shown, after those that there are, until another is
            # chosen.
            boxes.add_name(self.combo, value, value)
        self.combo.setCurrentIndex(self.combo.findData(value, flags=_EXACT))
        while (
            self.combo.count() > self.known and self.combo.currentIndex() != self.combo.count() - 1
        ):
            self.combo.removeItem(self.combo.count() - 1)


class ConditionField(Field):
    """A condition on rows, row by row or as text."""

    def __init__(self, store: Store, path: str, domain: parameters.Domain):
        super().__init__(store, path, domain)
        self.form = ConditionForm(store, path)
        stack(self, self.form)

    def seen(self) -> Any:
        return self.value(), self.store.data

    def show_state(self) -> None:
        self.form.show_state()


class LinesField(Field):
    """Several entries, one a line: added, taken out and put in another order by typing."""

    def __init__(self, store: Store, path: str, domain: parameters.Domain):
        super().__init__(store, path, domain)
        self.box = boxes.LinesBox()
        self.box.setAccessibleName(tr(domain.label))
        self.box.given.connect(self._given)
        self.box.restored.connect(self._restored)
        self.file = buttons.push(tr(N_("From a file …"))) if domain.loads else None
        if self.file is not None:
            self.file.clicked.connect(self._ask_file)
        stack(self, self.box, *filter(None, (self.file,)))

    def _ask_file(self) -> None:
        known, every = self.domain.loads, tr(N_("All files"))
        path, _ = QFileDialog.getOpenFileName(
            self.window(), tr(self.domain.label), "", f"{known};;{every} (*)"
        )
        if path:
            self.load(Path(path))

    def load(self, path: Path) -> None:
        """Read a file into the field, or say below it why that cannot be."""
        try:
            text = path.read_text("utf-8")
            self.ask(self.domain.loaded(self.value(), path.stem, text))
        except parameters.ParamError as error:
            self.complaint.say(error.sentence)
        except (OSError, UnicodeDecodeError):
            self.complaint.say(say("{path} cannot be read as text in UTF-8.", path=path.name))

    def _given(self, text: str) -> None:
        held = {self._said(entry): self.domain.show((entry,)) for entry in self.value() or ()}
        self._ask(" | ".join(held.get(line, line) for line in text.splitlines() if line.strip()))

    def _said(self, entry: str) -> str:
        return shown(self.domain.said((entry,)))

    def retell(self, _: Again) -> None:
        """Words of ours are said in another language; of another page, when it opens."""
        self.stale()
        if self.isVisible():
            self.show_state()

    def _ask(self, text: str) -> None:
        if self.ask(text):
            self.show_state()
        else:
            self.box.refuse()

    def _restored(self) -> None:
        self.complaint.say("")
        self.stale()

    def show_state(self) -> None:
        value = self.value()
        self.setVisible(value is not None)
        if value is not None:
            self.box.show_text("\n".join(map(self._said, value)))
            if not self.box.typing():
                self.complaint.say("")


class TextField(LinesField):
    """A text in one line of any length, which is seen whole."""

    def _given(self, text: str) -> None:
        text, value = " ".join(text.split()), self.value()
        self._ask(value if value and text == shown(self.domain.said(value)) else text)

    def show_state(self) -> None:
        value = self.value()
        self.setVisible(value is not None)
        if value is not None:
            self.box.show_text(shown(self.domain.said(value)))
            if not self.box.typing():
                self.complaint.say("")


class BoundField(BoxField):
    """A bound, which while it is empty is that of the codebook, where there is one."""

    def seen(self) -> Any:
        return self.value(), self._told()

    def show_state(self) -> None:
        super().show_state()
        self.propose(self._told())

    def _told(self) -> str:
        """What is known of the column that it belongs to."""
        above, _, name = self.path.rpartition(".")
        holder: Any = parameters.get(self.store.lab, above) if above else self.store.lab
        data, columns = self.store.data, parameters.roles(type(holder))[name].of
        known = None
        if data is not None and columns:
            known = getattr(data.about(getattr(holder, columns[0])), name, None)
        return tr(N_("from data")) if known is None else f"{known:g}"


class CoordinateField(Field):
    """Which part of an answer with several is looked at; hidden where there is only one."""

    def __init__(self, store: Store, path: str, domain: parameters.Domain):
        super().__init__(store, path, domain)
        self.combo = boxes.combo(domain.label)
        self.labels: tuple[str, ...] = ()
        self.combo.activated.connect(self._choose)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label(tr(N_("Look at")), "muted"), 0, 0)
        layout.addWidget(self.combo, 0, 1)
        layout.addWidget(self.complaint, 1, 0, 1, 2)
        layout.setColumnStretch(1, 1)

    def _choose(self, place: int) -> None:
        self.ask(self.combo.itemData(place))

    def present(self) -> bool:
        return bool(self.labels)

    def seen(self) -> Any:
        return self.value(), self.labels

    def show_state(self) -> None:
        self.combo.setCurrentIndex(max(0, self.combo.findData(self.value())))

    def show_findings(self, findings: Findings) -> None:
        """The parts there are, as the worker found them."""
        self.take(findings.labels)

    def take(self, labels: tuple[str, ...]) -> None:
        if labels != self.labels:
            self.combo.clear()
            self.combo.addItem(tr(N_("the largest part")), -1)
            for place, text in enumerate(labels):
                boxes.add_name(self.combo, text, place)
            self.labels = labels
            self.offers_anew()
