"""The rows of a panel: the editor that each parameter asks for, what is said beside it, and the
buttons that lead elsewhere."""

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from dpstudio.gui.panel import design, fields, form, mechanisms, protocols, question, sentences
from dpstudio.gui.panel.editors import FormGrid, KindField, editor
from dpstudio.gui.parts import buttons, labels, wrapping
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.store import Store
from dpstudio.labs import Lab
from dpstudio.labs.panel import Hands, Line, OpensRoom, Row, Says
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.values.parameters import Choice, Domain, Maybe, OneOf, Real, Several, domains


class Rows(QObject):
    """Makes them, and holds what was made. `paths`: every parameter that the panel has an editor
    for. `handed(lab)`, `room_wanted`: a button was pressed; `unfolded`: the question has another
    shape."""

    handed = Signal(str)
    room_wanted = Signal()
    unfolded = Signal()

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
        self._form: FormGrid | None = None
        self._title = ""

    def begin(self, title: str) -> None:
        """The rows from here on stand in a part of that title."""
        self._form, self._title = None, title

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
        if isinstance(row, Hands | OpensRoom):
            button = wrapping.WrappingButton(tr(row.text))
            button.setToolTip(tr(row.tip))
            button.clicked.connect(
                partial(self.handed.emit, row.to) if isinstance(row, Hands) else self.room_wanted
            )
            self.opens += [(button, row)] if isinstance(row, OpensRoom) else []
            column.addWidget(button)
            self._form = None
            return [button]
        if isinstance(row, Says):
            line = self.lines[row.key] = sentences.SaysLine(self.store, row)
            column.addWidget(line)
            self._form = None
            return [line]
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

    def _add_special(self, column: QVBoxLayout, path: str, domain: Domain) -> bool:
        """The editors that are asked for by name; False where the usual one will do."""
        asked, store, look = design.editor_of(domain), self.store, self.theme.look
        if isinstance(domain, OneOf) and asked == "sentence":
            self.question = question.Question(store, path, domain)
            self.question.unfolded.connect(self.unfolded)
            column.addWidget(self.question)
            self.question.body(getattr(self._lab, path).key)
        elif isinstance(domain, OneOf) and asked == "sketches":
            self._keep(mechanisms.MechanismField(store, path, domain, look), column)
        elif isinstance(domain, OneOf) and asked == "colours":
            self._keep(protocols.ProtocolField(store, path, domain, look), column)
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
        shaped = isinstance(domain, Several) and set(domain.words) & {
            kind.key for kind in MECHANISMS
        }
        if isinstance(domain, OneOf):
            apart = [
                other.removeprefix(path + ".")
                for other in self._paths
                if other.startswith(path + ".")
            ]
            field: form.Field = KindField(self.store, path, domain, apart)
        else:
            field = editor(self.store, path, domain, mechanisms.as_mechanism if shaped else None)
        self.fields[path] = field
        if self._form is None:
            self._form = FormGrid()
            column.addWidget(self._form)
        value = getattr(self._lab, path, None)
        self._form.add(field, value, named=domain.label == self._title)
        if isinstance(field, KindField):
            field.inner.make(value)
        if isinstance(field, fields.ChipsField):
            mechanisms.sketched(field.chips.buttons, self.theme.look)

    def _tip(self, tip: sentences.DeltaTip | sentences.SliderEnds, column: QVBoxLayout) -> None:
        self.tips.append(tip)
        column.addWidget(tip)

    def _keep(self, field: form.Field, column: QVBoxLayout) -> None:
        self.fields[field.path] = field
        column.addWidget(field)
        if isinstance(field, mechanisms.FamilyPicker):
            field.more.make(getattr(self._lab, field.path))

    def _add_line(self, column: QVBoxLayout, line: Line) -> None:
        row = buttons.Words()
        column.addWidget(row)
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
                column.addWidget(field.complaint)
                column.addWidget(field.advice)
