"""The rows of a panel: the editor that each parameter asks for, what is said beside it, and the
buttons that lead elsewhere."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from dpstudio.gui.panel import design, fields, form, question, sentences
from dpstudio.gui.panel.editors import BesideField, FormGrid, KindField, editor
from dpstudio.gui.panel.frames import hold_still
from dpstudio.gui.panel.stages import StagesSlider
from dpstudio.gui.parts import buttons, labels, wrapping
from dpstudio.gui.parts.choice_list import OUTDENT
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.store import Store
from dpstudio.labs import Lab
from dpstudio.labs.panel import Hands, Line, Makes, OpensRoom, OwnFile, Row, Says, Stages
from dpstudio.values.parameters import (
    Choice,
    Domain,
    Maybe,
    OneOf,
    ParamError,
    Real,
    domains,
    roles,
)


class Rows(QObject):
    """Makes them, and holds what was made. `paths`: every parameter that the panel has an editor
    for. `handed(lab)`, `filed(row)`, `room_wanted`: a button was pressed; `stepped(index)`: another
    stage is to be seen; `unfolded`: the question has another shape; `wanted(path)`: a person goes
    there."""

    handed = Signal(str)
    filed = Signal(object)
    room_wanted = Signal()
    stepped = Signal(int)
    unfolded = Signal()
    wanted = Signal(str)

    def __init__(
        self, store: Store, theme: Theme, kind: type[Lab], paths: list[str], parent: QObject
    ):
        super().__init__(parent)
        self.store, self.theme, self.kind, self._paths = store, theme, kind, paths
        self._lab = store.state.held(kind.key)  # which may not be open yet
        self.question: question.Question | None = None
        self.fields: dict[str, form.Field] = {}
        self.lines: dict[str, sentences.SaysLine] = {}
        self.tips: list[sentences.DeltaTip | sentences.SliderEnds] = []
        self.opens: list[tuple[wrapping.WrappingButton, OpensRoom]] = []
        self.stages: list[StagesSlider] = []
        self._form: FormGrid | None = None
        self._inset: QVBoxLayout | None = None
        self._title = ""

    def begin(self, title: str) -> None:
        """The rows from here on stand in a part of that title."""
        self._form, self._inset, self._title = None, None, title

    def _domain(self, path: str) -> Domain:
        """The domain of a parameter; of a family's, where the members share it, that of the last
        which has it."""
        name, _, rest = path.partition(".")
        domain = domains(self.kind)[name]
        if not rest:
            return domain
        assert isinstance(domain, OneOf)
        return next(
            domains(kind)[rest] for kind in reversed(domain.family()) if rest in domains(kind)
        )

    def add(self, column: QVBoxLayout, row: Row) -> list[QWidget]:
        """Put a row into a card; what is to be seen of it while it has anything to show."""
        if isinstance(row, Hands | OpensRoom | Makes | OwnFile):
            button = wrapping.WrappingButton(tr(row.text))
            button.setToolTip(tr(row.tip))
            self.opens += [(button, row)] if isinstance(row, OpensRoom) else []
            self.within(column).addWidget(button)
            button.pressed.connect(partial(hold_still, button))  # what is refused stands above it
            button.clicked.connect(self._pressed(row, column))
            self._form = None
            return [button]
        if isinstance(row, Says):
            line = self.lines[row.key] = sentences.SaysLine(self.store, row)
            self.within(column).addWidget(line)
            self._form = None
            return [line]
        if isinstance(row, Stages):
            self.stages.append(StagesSlider(row))
            self.stages[-1].stepped.connect(self.stepped)
            self.within(column).addWidget(self.stages[-1])
            self._form = None
            return [self.stages[-1]]
        if isinstance(row, Line):
            self._add_line(column, row)
            self._form = None
            return [self.fields[path] for _, path, _ in row.parts]
        if self._add_special(column, row, self._domain(row)):
            self._form = None
        else:
            self._add_plain(column, row)
        held = self.fields.get(row, self.question)
        return [] if held is None else [held]

    def _pressed(self, row: Hands | OpensRoom | Makes | OwnFile, column: QVBoxLayout) -> Any:
        """What a button does."""
        if isinstance(row, Hands):
            return partial(self.handed.emit, row.to)
        if isinstance(row, OwnFile):
            return partial(self.filed.emit, row)
        if isinstance(row, OpensRoom):
            return self.room_wanted
        complaint = labels.ProblemLabel()
        self.within(column).addWidget(complaint)
        return partial(self._make, row, complaint)

    def _make(self, row: Makes, complaint: labels.ProblemLabel) -> None:
        try:
            self.store.edit(row.make(self.store.lab))
            complaint.say("")
            if row.then:
                self.wanted.emit(row.then)
        except ParamError as error:
            complaint.say(error.sentence)

    def _add_special(self, column: QVBoxLayout, path: str, domain: Domain) -> bool:
        """The editors that are asked for by name; False where the usual one will do."""
        asked, store = design.editor_of(domain), self.store
        if isinstance(domain, OneOf) and asked == "sentence":
            self.question = question.Question(store, path, domain)
            self.question.unfolded.connect(self.unfolded)
            self.within(column).addWidget(self.question)
            self.question.body(getattr(self._lab, path).key)
        elif isinstance(domain, Real) and asked == "budget":
            head = labels.label(tr(domain.label), "value")
            self._keep(form.SliderField(store, path, domain, "large", head), column)
            self._tip(sentences.SliderEnds(self.fields[path]), column)
        elif isinstance(domain, Real) and asked == "failure":
            self._keep(form.SliderField(store, path, domain), column)
            self._tip(sentences.DeltaTip(self.fields[path]), column)
        elif asked == "coordinate":
            self._keep(fields.CoordinateField(store, path, domain), column)
        else:
            return False
        return True

    def _add_plain(self, column: QVBoxLayout, path: str) -> None:
        """Editors that follow each other share a form, so that their captions stand in one
        column."""
        domain = self._domain(path)
        field: form.Field
        if isinstance(domain, OneOf):
            field = self._kind(path, domain)
        else:
            field = editor(self.store, path, domain)
        field.dress(self.theme.look)
        self.fields[path] = field
        value = getattr(self._lab, path, None)
        if isinstance(field, KindField | fields.ChipsField | fields.RowsField) and field.listed:
            self._outer(column, field)
        else:
            if self._form is None:
                self._form = FormGrid()
                self.within(column).addWidget(self._form)
            self._form.add(field, value, named=domain.label == self._title)
        if isinstance(field, KindField):
            field.inner.make(value)
            for name, beside in self._besides(path):
                self.fields[name] = BesideField(self.store, name, beside, field)

    def _outer(self, column: QVBoxLayout, field: form.Field) -> None:
        """Put a list into a card: its rows go beyond the words of the others, to the edges."""
        self._form = self._inset = None
        chosen = isinstance(field, fields.ChipsField | fields.RowsField)
        if chosen and field.domain.label != self._title:
            field.caption = labels.label(tr(field.domain.label), "muted", wrap=True)
            self.within(column).addWidget(field.caption)
            self._inset = None
        column.addWidget(field)

    def within(self, column: QVBoxLayout) -> QVBoxLayout:
        """The end of a card, for what stands as far from its edges as words do."""
        if self._inset is None:
            self._inset = QVBoxLayout()
            self._inset.setContentsMargins(OUTDENT, 0, OUTDENT, 0)
            self._inset.setSpacing(column.spacing())
            column.addLayout(self._inset)
        return self._inset

    def _kind(self, path: str, domain: OneOf) -> KindField:
        """The editor of a `Parameters`, without those of its parameters that stand elsewhere."""
        inner = path + "."
        apart = [other.removeprefix(inner) for other in self._paths if other.startswith(inner)]
        beside = next(self._besides(path), ("", None))[1]
        return KindField(self.store, path, domain, apart, beside.words if beside else ())

    def _besides(self, path: str) -> Iterator[tuple[str, Choice]]:
        """What says which options of a list are drawn beside the chosen one."""
        for name, role in roles(self.kind).items():
            domain = domains(self.kind)[name]
            if role.beside == path and isinstance(domain, Choice):
                yield name, domain

    def _tip(self, tip: sentences.DeltaTip | sentences.SliderEnds, column: QVBoxLayout) -> None:
        self.tips.append(tip)
        self.within(column).addWidget(tip)

    def _keep(self, field: form.Field, column: QVBoxLayout) -> None:
        self.fields[field.path] = field
        self.within(column).addWidget(field)

    def _add_line(self, column: QVBoxLayout, line: Line) -> None:
        row = buttons.Words()
        inner = self.within(column)
        inner.addWidget(row)
        for words, path, letters in line.parts:
            domain = self._domain(path)
            made = fields.BoundField if isinstance(domain, Maybe) else form.BoxField
            if isinstance(domain, Real) and domain.percent:
                made = fields.PercentField
            if letters:
                field: form.Field = made(self.store, path, domain, letters, apart=True)
            else:
                assert isinstance(domain, Choice)
                field = form.ComboField(self.store, path, domain)
                field.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            row.add(*([labels.label(tr(words))] if words else []), field)
            self.fields[path] = field
            if letters:
                field.advice = labels.ProblemLabel()
                inner.addWidget(field.complaint)
                inner.addWidget(field.advice)
