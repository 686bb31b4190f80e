"""The editor of a field, chosen by its domain, and forms made of several: a caption on the left,
the editor on the right."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QVBoxLayout, QWidget

from dpstudio.data.conditions import Condition
from dpstudio.gui.board.handles import slides
from dpstudio.gui.panel import row_icons
from dpstudio.gui.panel.design import editor_of
from dpstudio.gui.panel.fields import (
    ChipsField,
    ColumnField,
    ConditionField,
    LinesField,
    PercentField,
    RowsField,
    SegmentsField,
    TextField,
    turned,
)
from dpstudio.gui.panel.form import BoxField, ComboField, Field, FlagField, SliderField
from dpstudio.gui.panel.frames import hold_still
from dpstudio.gui.panel.locked_lines import LockedLinesField
from dpstudio.gui.parts import boxes, buttons, choice_list, labels
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.labs.findings import Findings
from dpstudio.values import parameters
from dpstudio.values.messages import N_, Message, say, with_name
from dpstudio.values.texts import Text

_FEW = 6
_LONG = 14  # letters of a choice that need the whole width of the panel
_DIGITS = 7
_LETTERS = 26  # as many as stand in one row of buttons

Picker = choice_list.ChoiceList | buttons.Segments | QComboBox


class KindField(Field):
    """A `Parameters` of a family, and below it the parameters that the chosen one has, but for
    those that stand elsewhere (`skip`). Members with strokes of their own stand in a list, of which
    those named by `beside` may be drawn beside the chosen one; a line says what that is. Of many
    those that are seldom wanted wait, the same on every table, but for the chosen one."""

    def __init__(
        self,
        store: Store,
        path: str,
        domain: parameters.OneOf,
        skip: Iterable[str] = (),
        beside: Collection[str] = (),
    ):
        super().__init__(store, path, domain)
        self.kinds: Mapping[str, Any] = {kind.key: kind for kind in domain.family()}
        self.picker = self._picker(domain, beside)
        self.about = labels.LiveLabel("muted", wrap=True)
        self.about.hide()
        self.refused: Mapping[str, Message] = {}
        self.inner = KindForm(store, path, skip)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.picker)
        self.below = QVBoxLayout()
        edge = choice_list.OUTDENT if self.listed else 0
        self.below.setContentsMargins(edge, 0, edge, 0)
        self.below.setSpacing(7)
        for widget in (self.about, self.inner, self.complaint):
            self.below.addWidget(widget)
        layout.addLayout(self.below)

    def _picker(self, domain: parameters.OneOf, beside: Collection[str]) -> Picker:
        if editor_of(domain) == "strokes":
            names = {
                key: getattr(kind, "short", "") or kind.label for key, kind in self.kinds.items()
            }
            rows = choice_list.ChoiceList(names, beside=beside)
            rows.chosen.connect(self._choose)
            return rows
        if len(self.kinds) <= _FEW:
            segments = buttons.Segments({key: kind.label for key, kind in self.kinds.items()})
            segments.chosen.connect(self._choose)
            return segments
        combo = boxes.combo(domain.label)
        for kind in self.kinds.values():
            combo.addItem(tr(kind.label), kind.key)
        combo.activated.connect(lambda place: self._choose(combo.itemData(place)))
        return combo

    @property
    def listed(self) -> bool:
        """Whether it is a list, whose rows go beyond its words."""
        return isinstance(self.picker, choice_list.ChoiceList)

    def _choose(self, key: str) -> None:
        hold_still(self)
        self.store.choose(self.path, key)

    def changed(self) -> bool:
        return True  # its editors see for themselves

    def show_state(self) -> None:
        kind = self.value()
        if isinstance(self.picker, choice_list.ChoiceList):
            self.picker.show_chosen((kind.key,), self.refused)
            if len(self.kinds) > choice_list.MANY:
                seldom = {key for key, each in self.kinds.items() if getattr(each, "seldom", False)}
                self.picker.show_few(self.kinds.keys() - (seldom - {kind.key}))
            text = _about(kind)
            self.about.show_text(text)
            if self.about.isHidden() == bool(text):
                self.about.setVisible(bool(text))
        elif isinstance(self.picker, buttons.Segments):
            self.picker.show_choice(kind.key, self.refused)
        else:
            self.picker.setCurrentIndex(self.picker.findData(kind.key))
        self.inner.show_state()

    def show_findings(self, findings: Findings) -> None:
        self.refused = findings.refused.get(self.path, {})
        if isinstance(self.picker, choice_list.ChoiceList):
            told = findings.compared.get(self.path)
            self.picker.show_numbers(
                shown(told.what) if told else "",
                {key: shown(number) for key, number in told.numbers.items()} if told else {},
            )
        self.show_state()
        self.inner.show_findings(findings)

    def dress(self, look: Look) -> None:
        if isinstance(self.picker, choice_list.ChoiceList):
            row_icons.with_icons(self.picker.buttons, self.kinds, look)
        self.inner.dress(look)


def _about(kind: Any) -> str:
    """What the line below a list says of the `Parameters` that is chosen."""
    formula = getattr(kind, "formula", "")
    if not formula:
        return ""
    if getattr(kind, "short", ""):
        return shown(with_name(Message(kind.label), Message(formula)))
    if not hasattr(kind, "sketch"):
        return tr(formula)
    promise = tr(N_("pure ε-DP")) if kind.pure else tr(N_("(ε, δ)-DP"))
    return f"{promise}  ·  {shown(say('noise {law}', law=formula))}"


class BesideField(Field):
    """Which options of a list are drawn beside the chosen one, said in its rows: one of them, or
    several. Of itself nothing is seen but what is wrong."""

    def __init__(self, store: Store, path: str, domain: parameters.Choice, of: KindField):
        super().__init__(store, path, domain)
        assert isinstance(of.picker, choice_list.ChoiceList)
        self.setParent(of)
        self.resize(0, 0)  # in no layout, and over no row
        self.words, self.of, self.rows = domain.words, of, of.picker
        self.rows.flipped.connect(self._flip)
        self.refused: Mapping[str, Message] = {}
        self.advice = labels.ProblemLabel()
        for words in (self.complaint, self.advice):
            of.below.addWidget(words)

    def host(self) -> QWidget:
        return self.of

    def _flip(self, key: str) -> None:
        held = self.value()
        if isinstance(self.domain, parameters.Several):
            self.ask(turned(held, key))
        else:
            none = next(word for word in self.words if word not in self.rows.buttons)
            self.ask(none if held == key else key)
        self.show_state()

    def seen(self) -> Any:
        return self.value(), self.refused

    def show_state(self) -> None:
        held = self.value()
        self.rows.show_beside((held,) if isinstance(held, str) else held, self.refused)

    def show_findings(self, findings: Findings) -> None:
        refused = findings.refused.get(self.path, {})
        if refused != self.refused:
            self.refused = refused
            self.offers_anew()


class KindForm(QWidget):
    """The parameters of the `Parameters` at a path, a form for each member of the family, made when
    it is first chosen."""

    def __init__(self, store: Store, path: str, skip: Iterable[str] = ()):
        super().__init__()
        self.store, self.path, self.skip = store, path, frozenset(skip)
        self.forms: dict[str, FormGrid] = {}
        self._look: Look | None = None
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
                if self._look is not None:
                    field.dress(self._look)
        self.column.addWidget(form)

    def dress(self, look: Look) -> None:
        """Take another look, as what is made later will."""
        self._look = look
        for form in self.forms.values():
            for field in form.fields:
                field.dress(look)

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
    return max(len(text) for text in field.domain.words.values()) > _LONG


def editor(store: Store, path: str, domain: parameters.Domain) -> Field:
    """The editor of one parameter, by what it may hold."""
    if isinstance(domain, parameters.OneOf):
        return KindField(store, path, domain)
    if isinstance(domain, parameters.Several):
        return ChipsField(store, path, domain)
    if isinstance(domain, parameters.Choice) and editor_of(domain) == "rows":
        return RowsField(store, path, domain)
    if isinstance(domain, parameters.Choice):
        # By the words as they are written: a panel is made alike in every language.
        letters = sum(len(text) + 2 for text in domain.words.values())
        short = len(domain.words) <= 3 and letters <= _LETTERS
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
    field.box.least = _DIGITS  # a caption beside it takes further lines instead
    if domain.empty:
        field.propose(tr(domain.empty))
    return field
