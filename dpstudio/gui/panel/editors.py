"""The editor of a field, chosen by its domain, and forms made of several: a caption on the left,
the editor on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.data.conditions import Condition
from dpstudio.data.dataset import Dataset
from dpstudio.gui.board.handles import slides
from dpstudio.gui.panel.condition_form import ConditionForm
from dpstudio.gui.panel.form import BoxField, ChoiceField, ComboField, Field, FlagField, SliderField
from dpstudio.gui.panel.releases_field import ReleasesField
from dpstudio.gui.parts.boxes import Lines, combo
from dpstudio.gui.parts.buttons import Chips, Segments
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.shared_settings import suited
from dpstudio.gui.state.store import Store
from dpstudio.labs.budget.composition.releases import Releases
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import (
    Choice,
    Column,
    Domain,
    Flag,
    Kind,
    Maybe,
    OneOf,
    ParamError,
    Real,
    Several,
    Words,
    domains,
    get,
    put,
)

Decorate = Callable[[QPushButton, str], None]
_EXACT = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive
# Shares that people type in percent.
PERCENT = ("confidence", "aim")
# What stands in a field that is left empty.
_HUGE = 2_000_000  # rows
_EMPTY = {"value": N_("from the bounds"), "more": N_("none"), "ranges": N_("from the data")}
_FEW = 6
_LETTERS = 26  # as many as stand in one row of buttons


class PercentField(BoxField):
    """A share that is typed and shown in percent."""

    def _given(self, text: str) -> None:
        try:
            share = float(text.replace("%", "").replace(",", ".").strip()) / 100
            self.domain.check(share)
        except (ValueError, ParamError):
            assert isinstance(self.domain, Real)
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
            return
        self.ask(share)
        self.show_state()

    def show_state(self) -> None:
        self.box.show_text(f"{100 * self.value():.6g} %")
        if not self.box.isModified():
            self.complaint.say("")


class SegmentsField(ChoiceField):
    """A choice of few words as a row of buttons."""

    def __init__(self, store: Store, path: str, domain: Choice):
        super().__init__(store, path, domain)
        self.segments = Segments(domain.words, fluid=True)
        self.segments.setAccessibleName(tr(domain.label))
        self.segments.chosen.connect(self.ask)
        _stack(self, self.segments)

    def show_state(self) -> None:
        self.segments.show_choice(self.value(), self.refused)


class ChipsField(Field):
    """Some of a few words."""

    def __init__(self, store: Store, path: str, domain: Several, decorate: Decorate | None = None):
        super().__init__(store, path, domain)
        self.chips = Chips(domain.words, decorate)
        self.chips.setAccessibleName(tr(domain.label))
        self.chips.flipped.connect(self._flip)
        self.refused: Mapping[str, Say] = {}
        _stack(self, self.chips)

    def _flip(self, key: str) -> None:
        held = self.value()
        self.ask(tuple(word for word in held if word != key) if key in held else (*held, key))
        self.chips.show_chosen(self.value(), self.refused)

    def show_state(self) -> None:
        self.chips.show_chosen(self.value(), self.refused)

    def show_findings(self, findings: Findings) -> None:
        self.refused = findings.refused.get(self.path, {})
        self.show_state()


class ColumnField(Field):
    """A column of the table, those that cannot serve left out."""

    def __init__(self, store: Store, path: str, domain: Column):
        super().__init__(store, path, domain)
        self.numeric, self.words = domain.numeric, bool(getattr(domain, "words", False))
        self.combo = combo(domain.label)
        self.data: Dataset | None = None
        self.known = 0
        self.combo.activated.connect(self._choose)
        _stack(self, self.combo)

    def _choose(self, place: int) -> None:
        column, lab, data = self.combo.itemData(place), self.store.lab, self.store.data
        if data is None or column == self.value():
            return
        *outer, name = self.path.split(".")
        try:
            holder: Kind = get(lab, ".".join(outer)) if outer else lab
            if name not in domains(type(holder)):
                return  # the list was still open when the question became another one
            changed = holder.with_(**{name: column}, **_forgotten(holder, name))
            asked = put(lab, ".".join(outer), changed) if outer else changed
            # Fitting it looks at the column, which in a huge table takes seconds: there the
            # findings say what is wrong with it.
            self.store.edit(suited(asked, data) if data.rows <= _HUGE else asked)  # type: ignore[arg-type]
        except ParamError as error:
            self.complaint.say(error.sentence)
            self.show_state()

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
                    else info.type == "category"
                    if self.words
                    else info.type != "other"
                ):
                    self.combo.addItem(info.name, info.name)
            self.data = data
            self.known = self.combo.count()
        if self.combo.findData(value, flags=_EXACT) not in range(self.known):
            # A column that is gone: it is shown, after those that there are, until another is
            # chosen.
            self.combo.addItem(value, value)
        self.combo.setCurrentIndex(self.combo.findData(value, flags=_EXACT))
        while (
            self.combo.count() > self.known and self.combo.currentIndex() != self.combo.count() - 1
        ):
            self.combo.removeItem(self.combo.count() - 1)


def _forgotten(holder: Kind, name: str) -> dict[str, Any]:
    """Bounds, edges and categories that belonged to the other column, as they start."""
    known = domains(type(holder))
    grouped = "by" in known
    if name == "column":
        gone = {"low", "high", "edges", "dates", "attested", "centre", "grid_low", "grid_high"} | (
            set() if grouped else {"categories"}
        )
    elif name == "by":
        gone = {"categories", "groups", "attested"}
    else:
        gone = {n for n in known if n.startswith(f"{name}_") or n.endswith(f"_{name}")} | {
            "attested"
        }
    start = type(holder)()
    return {n: getattr(start, n) for n in gone & set(known)}


class ConditionField(Field):
    """A condition on rows, row by row or as text."""

    def __init__(self, store: Store, path: str, domain: Domain):
        super().__init__(store, path, domain)
        self.form = ConditionForm(store, path)
        _stack(self, self.form)

    def show_state(self) -> None:
        self.form.show_state()


class KindField(Field):
    """A Kind of a family, and below it the parameters that the chosen one has, but for those that
    stand elsewhere (`skip`)."""

    def __init__(self, store: Store, path: str, domain: OneOf, skip: Iterable[str] = ()):
        super().__init__(store, path, domain)
        kinds = list(domain.family())
        self.picker: Segments | QComboBox
        if len(kinds) <= _FEW:
            self.picker = Segments({kind.key: kind.label for kind in kinds}, fluid=True)
            self.picker.chosen.connect(self._choose)
        else:
            self.picker = combo(domain.label)
            for kind in kinds:
                self.picker.addItem(tr(kind.label), kind.key)
            self.picker.activated.connect(self._activate)
        self.refused: Mapping[str, Say] = {}
        self.inner = KindForm(store, path, skip)
        _stack(self, self.picker, self.inner)
        layout = self.layout()
        assert layout is not None
        layout.setSpacing(7)

    def _activate(self, place: int) -> None:
        self._choose(self.picker.itemData(place))  # type: ignore[union-attr]

    def _choose(self, key: str) -> None:
        self.store.choose(self.path, key)

    def show_state(self) -> None:
        key = self.value().key
        if isinstance(self.picker, Segments):
            self.picker.show_choice(key, self.refused)
        else:
            self.picker.setCurrentIndex(self.picker.findData(key))
        self.inner.show_state()

    def show_findings(self, findings: Findings) -> None:
        self.refused = findings.refused.get(self.path, {})
        self.show_state()
        self.inner.show_findings(findings)


class KindForm(QWidget):
    """The parameters of the Kind at a path, a form for each member of the family, made when it is
    first chosen."""

    def __init__(self, store: Store, path: str, skip: Iterable[str] = ()):
        super().__init__()
        self.store, self.path, self.skip = store, path, frozenset(skip)
        self.forms: dict[str, FormGrid] = {}
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)

    @property
    def fields(self) -> list[Field]:
        """The editors of the Kind that is chosen."""
        kind = get(self.store.lab, self.path)
        return self.forms[kind.key].fields if kind.key in self.forms else []

    def show_state(self) -> None:
        kind = get(self.store.lab, self.path)
        if kind.key not in self.forms:
            form = self.forms[kind.key] = FormGrid()
            # The condition comes last: it is read after what it is a condition on.
            for name, domain in sorted(
                domains(type(kind)).items(), key=lambda one: isinstance(one[1], Condition)
            ):
                if name not in self.skip:
                    form.add(editor(self.store, f"{self.path}.{name}", domain))
            self.column.addWidget(form)
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

    def add(self, field: Field, named: bool = False) -> None:
        """`named`: the head of the card says already what it is."""
        row = self.grid.rowCount()
        self.fields.append(field)
        if isinstance(field, SliderField | FlagField | KindField) or named:
            self.grid.addWidget(field, row, 0, 1, 2)
            return
        field.caption = label(tr(field.domain.label), "muted")
        if isinstance(field, ChipsField | SegmentsField | ConditionField | ReleasesField):
            self.grid.addWidget(field.caption, row, 0, 1, 2)
            self.grid.addWidget(field, row + 1, 0, 1, 2)
            return
        self.grid.addWidget(field.caption, row, 0, Qt.AlignmentFlag.AlignTop)
        field.caption.setContentsMargins(0, 5, 0, 0)
        self.grid.addWidget(field, row, 1)

    def show_state(self) -> None:
        for field in self.fields:
            field.refresh()


class LinesField(Field):
    """Several entries, one a line: added, taken out and put in another order by typing."""

    def __init__(self, store: Store, path: str, domain: Domain):
        super().__init__(store, path, domain)
        self.box = Lines()
        self.box.setAccessibleName(tr(domain.label))
        self.box.given.connect(self._given)
        self.box.restored.connect(self._restored)
        _stack(self, self.box)

    def _given(self, text: str) -> None:
        if self.ask(" | ".join(line for line in text.splitlines() if line.strip())):
            self.show_state()
        else:
            self.box.refuse()

    def _restored(self) -> None:
        self.complaint.say("")

    def show_state(self) -> None:
        value = self.value()
        self.setVisible(value is not None)
        if value is not None:
            self.box.show_text("\n".join(self.domain.show((entry,)) for entry in value))
            if not self.box.typing():
                self.complaint.say("")


def editor(store: Store, path: str, domain: Domain, decorate: Decorate | None = None) -> Field:
    """The editor of one parameter, by what it may hold."""
    if isinstance(domain, OneOf):
        return KindField(store, path, domain)
    if isinstance(domain, Several):
        return ChipsField(store, path, domain, decorate)
    if isinstance(domain, Choice):
        short = (
            len(domain.words) <= 3
            and sum(len(tr(text)) + 2 for text in domain.words.values()) <= _LETTERS
        )
        return SegmentsField(store, path, domain) if short else ComboField(store, path, domain)
    if isinstance(domain, Flag):
        return FlagField(store, path, domain)
    if isinstance(domain, Column):
        return ColumnField(store, path, domain)
    if isinstance(domain, Condition):
        return ConditionField(store, path, domain)
    if isinstance(domain, Releases):
        return ReleasesField(store, path, domain)
    if domain.listed:
        return LinesField(store, path, domain)
    if isinstance(domain, Real) and path.split(".")[-1] in PERCENT:
        return PercentField(store, path, domain)
    if isinstance(domain, Real) and slides(domain):
        return SliderField(store, path, domain)
    field = BoxField(store, path, domain)
    if path in _EMPTY:
        field.propose(tr(_EMPTY[path]))
    elif isinstance(domain, Maybe):
        field.propose(tr(N_("from the data")))
    elif isinstance(domain, Words):
        field.propose(tr(N_("all in the data")))
    return field


def _stack(field: Field, *widgets: QWidget) -> None:
    layout = QVBoxLayout(field)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2)
    for widget in (*widgets, field.complaint):
        layout.addWidget(widget)
