"""The editor of a field, chosen by its domain, and forms made of several: a caption on the left,
the editor on the right."""

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QVBoxLayout, QWidget

from dpstudio.data.conditions import Condition
from dpstudio.gui.board.handles import slides
from dpstudio.gui.panel.fields import (
    ChipsField,
    ColumnField,
    ConditionField,
    Decorate,
    LinesField,
    PercentField,
    SegmentsField,
    TextField,
    stack,
)
from dpstudio.gui.panel.form import BoxField, ComboField, Field, FlagField, SliderField
from dpstudio.gui.panel.locked_lines import LockedLinesField
from dpstudio.gui.parts import boxes, buttons, labels
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.store import Store
from dpstudio.labs.findings import Findings
from dpstudio.values import parameters
from dpstudio.values.messages import Message
from dpstudio.values.texts import Text

_FEW = 6
_LONG = 14  # letters of a choice that need the whole width of the panel
_LETTERS = 26  # as many as stand in one row of buttons


class KindField(Field):
    """A `Parameters` of a family, and below it the parameters that the chosen one has, but for
    those that stand elsewhere (`skip`)."""

    def __init__(self, store: Store, path: str, domain: parameters.OneOf, skip: Iterable[str] = ()):
        super().__init__(store, path, domain)
        kinds = list(domain.family())
        self.picker: buttons.Segments | QComboBox
        if len(kinds) <= _FEW:
            self.picker = buttons.Segments({kind.key: kind.label for kind in kinds})
            self.picker.chosen.connect(self._choose)
        else:
            self.picker = boxes.combo(domain.label)
            for kind in kinds:
                self.picker.addItem(tr(kind.label), kind.key)
            self.picker.activated.connect(self._activate)
        self.refused: Mapping[str, Message] = {}
        self.inner = KindForm(store, path, skip)
        stack(self, self.picker, self.inner)
        layout = self.layout()
        assert layout is not None
        layout.setSpacing(7)

    def _activate(self, place: int) -> None:
        self._choose(self.picker.itemData(place))  # type: ignore[union-attr]

    def _choose(self, key: str) -> None:
        self.store.choose(self.path, key)

    def changed(self) -> bool:
        return True  # its editors see for themselves

    def show_state(self) -> None:
        key = self.value().key
        if isinstance(self.picker, buttons.Segments):
            self.picker.show_choice(key, self.refused)
        else:
            self.picker.setCurrentIndex(self.picker.findData(key))
        self.inner.show_state()

    def show_findings(self, findings: Findings) -> None:
        self.refused = findings.refused.get(self.path, {})
        self.show_state()
        self.inner.show_findings(findings)


class KindForm(QWidget):
    """The parameters of the `Parameters` at a path, a form for each member of the family, made when
    it is first chosen."""

    def __init__(self, store: Store, path: str, skip: Iterable[str] = ()):
        super().__init__()
        self.store, self.path, self.skip = store, path, frozenset(skip)
        self.forms: dict[str, FormGrid] = {}
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)

    @property
    def fields(self) -> list[Field]:
        """The editors of the `Parameters` that is chosen."""
        kind = parameters.get(self.store.lab, self.path)
        return self.forms[kind.key].fields if kind.key in self.forms else []

    def make(self, kind: Any) -> None:
        """Make the form of a `Parameters`, where there is none yet."""
        if kind.key in self.forms:
            return
        form = self.forms[kind.key] = FormGrid()
        # The condition comes last: it is read after what it is a condition on.
        known = parameters.settings(type(kind))
        for name in sorted(known, key=lambda name: isinstance(known[name], Condition)):
            if name not in self.skip:
                field = editor(self.store, f"{self.path}.{name}", known[name])
                form.add(field, getattr(kind, name))
        self.column.addWidget(form)

    def show_state(self) -> None:
        kind = parameters.get(self.store.lab, self.path)
        self.make(kind)
        for key, form in self.forms.items():
            if form.isHidden() == (key == kind.key and bool(form.fields)):
                form.setVisible(key == kind.key and bool(form.fields))
        shown = bool(self.forms[kind.key].fields)
        if self.isHidden() == shown:
            self.setVisible(shown)
        self.forms[kind.key].show_state()

    def show_findings(self, findings: Findings) -> None:
        for field in self.fields:
            field.show_findings(findings)


class FormGrid(QWidget):
    """Editors one below the other. Those that do not name themselves have a caption on the left."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: list[Field] = []
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setSpacing(6)
        self.grid.setColumnStretch(1, 1)

    def add(self, field: Field, value: Any = None, named: bool = False) -> None:
        """`value` of a parameter whose lab may not be open yet; `named`: the head of the card says
        already what it is."""
        row = self.grid.rowCount()
        self.fields.append(field)
        if isinstance(field, SliderField | FlagField | KindField) or named:
            self.grid.addWidget(field, row, 0, 1, 2)
            return
        # One beside a list may take further lines: a panel has little width to give.
        field.caption = labels.label(tr(field.domain.label), "muted", wrap=True)
        if isinstance(
            field, ChipsField | SegmentsField | ConditionField | LockedLinesField | LinesField
        ) or _wide(field, field.value() if value is None else value):
            self.grid.addWidget(field.caption, row, 0, 1, 2)
            self.grid.addWidget(field, row + 1, 0, 1, 2)
            return
        self.grid.addWidget(field.caption, row, 0, Qt.AlignmentFlag.AlignTop)
        field.caption.setContentsMargins(0, 5, 0, 0)
        self.grid.addWidget(field, row, 1)

    def show_state(self) -> None:
        for field in self.fields:
            field.refresh()


def _wide(field: Field, value: Any) -> bool:
    """Whether a word of a list, or a list of numbers, would be cut beside its caption."""
    if isinstance(field, BoxField) and value is not None:
        return len(field.domain.show(value)) > _LONG
    if not (isinstance(field, ComboField) and isinstance(field.domain, parameters.Choice)):
        return False
    return max(len(tr(text)) for text in field.domain.words.values()) > _LONG


def editor(
    store: Store, path: str, domain: parameters.Domain, decorate: Decorate | None = None
) -> Field:
    """The editor of one parameter, by what it may hold."""
    if isinstance(domain, parameters.OneOf):
        return KindField(store, path, domain)
    if isinstance(domain, parameters.Several):
        return ChipsField(store, path, domain, decorate)
    if isinstance(domain, parameters.Choice):
        short = (
            len(domain.words) <= 3
            and sum(len(tr(text)) + 2 for text in domain.words.values()) <= _LETTERS
        )
        return SegmentsField(store, path, domain) if short else ComboField(store, path, domain)
    if isinstance(domain, parameters.Flag):
        return FlagField(store, path, domain)
    if isinstance(domain, parameters.Column):
        return ColumnField(store, path, domain)
    if isinstance(domain, Condition):
        return ConditionField(store, path, domain)
    if isinstance(domain, parameters.Lockable):
        return LockedLinesField(store, path, domain)
    if isinstance(domain, Text):
        return TextField(store, path, domain)
    if domain.listed:
        return LinesField(store, path, domain)
    if isinstance(domain, parameters.Real) and domain.percent:
        return PercentField(store, path, domain)
    if isinstance(domain, parameters.Real) and slides(domain):
        return SliderField(store, path, domain)
    field = BoxField(store, path, domain)
    if domain.empty:
        field.propose(tr(domain.empty))
    return field
