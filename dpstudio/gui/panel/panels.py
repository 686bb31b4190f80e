"""The side panel of a lab, made from its design. `show_state` after each change, `show_findings`
with each outcome."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QVBoxLayout, QWidget

from dpstudio.gui.board.strip import simulates
from dpstudio.gui.panel.design import design_for, editor_of, paths
from dpstudio.gui.panel.editors import FormGrid, KindField, editor
from dpstudio.gui.panel.fields import BoundField, ChipsField, CoordinateField, PercentField
from dpstudio.gui.panel.form import BoxField, ChoiceField, ComboField, Field, SliderField
from dpstudio.gui.panel.frames import PanelScroll, column_in, part
from dpstudio.gui.panel.mechanisms import MechanismField, as_mechanism, sketched
from dpstudio.gui.panel.protocols import ProtocolField
from dpstudio.gui.panel.question import Question
from dpstudio.gui.panel.sentences import DeltaTip, Ends, SaysLine
from dpstudio.gui.parts.buttons import Words
from dpstudio.gui.parts.labels import Complaint, label
from dpstudio.gui.parts.theme import Look, Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.parts.wrapping import WrappingButton
from dpstudio.gui.state.store import Store
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings
from dpstudio.labs.panel import Design, Hands, Line, OpensRoom, Row, Says, Section
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.values.messages import Say
from dpstudio.values.params import Choice, Domain, Maybe, OneOf, Real, Several, domains
from dpstudio.values.problem import Problem


class Panel(QFrame):
    """The whole column of parts, of which those that are pinned stay while the others scroll.
    `rearranged`: it may need another width; `handed(lab)`: what is set here is to be added to that
    lab; `room_wanted`: people are to be asked."""

    rearranged = Signal()
    handed = Signal(str)
    room_wanted = Signal()

    def __init__(self, store: Store, theme: Theme, kind: type[Lab]):
        super().__init__()
        self.setObjectName("side")
        self.store, self.theme, self.kind = store, theme, kind
        self._look = theme.look
        self.question: Question | None = None
        self.fields: dict[str, Field] = {}
        self.lines: dict[str, SaysLine] = {}
        self.tips: list[DeltaTip | Ends] = []
        self._shape: tuple[Any, ...] = ()
        self._form: FormGrid | None = None
        self._cards: list[tuple[Section, QFrame, list[list[QWidget]]]] = []
        self._opens: list[tuple[WrappingButton, OpensRoom]] = []
        self._drawn, self._warned = True, False
        self.rest = Complaint()
        self._lay_out(design_for(kind))
        self._listening = [
            field
            for field in self.fields.values()
            if type(field).show_findings is not Field.show_findings
        ]

    def _lay_out(self, design: Design) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        self.pinned, self.body, self.area = QWidget(), QWidget(), PanelScroll()
        self.parts = self.pinned, self.body
        for half in self.parts:
            half.installEventFilter(self)
        pinned, body = column_in(self.pinned, 16), column_in(self.body, 10)
        body.addWidget(self.rest)
        self._paths = paths(design)
        for section in design:
            frame, column = part(section.title)
            (pinned if section.pinned else body).addWidget(frame)
            if section is design[0]:
                frame.setObjectName("first")  # the bar of the window ends above it
            self._form, self._title = None, section.title
            self._cards.append((section, frame, [self._add(column, row) for row in section.rows]))
        body.addStretch()
        self.area.setWidget(self.body)
        whole.addWidget(self.pinned)
        whole.addWidget(self.area, 1)
        self.pinned.setVisible(any(section.pinned for section in design))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.rearranged.emit()  # something in it has another size: so may the whole
        return False

    def need(self) -> int:
        """The width in px below which something in it would be cut."""
        bar = self.area.verticalScrollBar().sizeHint().width()
        hints = self.pinned.minimumSizeHint(), self.body.minimumSizeHint()
        return max(hints[0].width(), hints[1].width() + bar)

    # What it is made of

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

    def _add(self, column: QVBoxLayout, row: Row) -> list[QWidget]:
        """Put a row into a card; what is to be seen of it while it has anything to show."""
        if isinstance(row, Hands | OpensRoom):
            button = WrappingButton(tr(row.text))
            button.setToolTip(tr(row.tip))
            button.clicked.connect(
                partial(self.handed.emit, row.to) if isinstance(row, Hands) else self.room_wanted
            )
            self._opens += [(button, row)] if isinstance(row, OpensRoom) else []
            column.addWidget(button)
            self._form = None
            return [button]
        if isinstance(row, Says):
            line = self.lines[row.key] = SaysLine(self.store, row)
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
        asked, store, look = editor_of(domain), self.store, self.theme.look
        if isinstance(domain, OneOf) and asked == "sentence":
            self.question = Question(store, path, domain)
            self.question.unfolded.connect(self._tell_shape)
            column.addWidget(self.question)
        elif isinstance(domain, OneOf) and asked == "sketches":
            self._keep(MechanismField(store, path, domain, look), column)
        elif isinstance(domain, OneOf) and asked == "colours":
            self._keep(ProtocolField(store, path, domain, look), column)
        elif isinstance(domain, Real) and asked == "budget":
            head = label(tr(domain.label), "value")
            self._keep(SliderField(store, path, domain, "large", head), column)
            self._tip(Ends(self.fields[path]), column)
        elif isinstance(domain, Real) and asked == "failure":
            self._keep(SliderField(store, path, domain), column)
            self._tip(DeltaTip(self.fields[path]), column)
        elif asked == "coordinate":
            self._keep(CoordinateField(store, path, domain), column)
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
            field: Field = KindField(self.store, path, domain, apart)
        else:
            field = editor(self.store, path, domain, as_mechanism if shaped else None)
        self.fields[path] = field
        if self._form is None:
            self._form = FormGrid()
            column.addWidget(self._form)
        self._form.add(field, named=domain.label == self._title)
        if isinstance(field, ChipsField):
            sketched(field.chips.buttons, self.theme.look)

    def _tip(self, tip: DeltaTip | Ends, column: QVBoxLayout) -> None:
        self.tips.append(tip)
        column.addWidget(tip)

    def _keep(self, field: Field, column: QVBoxLayout) -> None:
        self.fields[field.path] = field
        column.addWidget(field)

    def _add_line(self, column: QVBoxLayout, line: Line) -> None:
        row = Words()
        column.addWidget(row)
        for words, path, letters in line.parts:
            domain = self._domain(path)
            made = BoundField if isinstance(domain, Maybe) else BoxField
            if isinstance(domain, Real) and domain.percent:
                made = PercentField
            if letters:
                field: Field = made(self.store, path, domain, letters, apart=True)
            else:
                assert isinstance(domain, Choice)
                field = ComboField(self.store, path, domain)
                field.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            row.add(*([label(tr(words))] if words else []), field)
            self.fields[path] = field
            if letters:
                field.advice = Complaint()
                column.addWidget(field.complaint)
                column.addWidget(field.advice)

    # What is looked for in it

    def editors(self) -> Iterator[tuple[str, Field]]:
        """The editors of all parameters that play a part, those of the question too."""
        for field in self.findChildren(Field):
            if field.present():
                yield field.path, field

    def reveal(self, path: str) -> QWidget | None:
        """Bring the editor of a parameter to the eye, or the question as it stands; None where
        there is none."""
        question = self.question
        if question is not None and path == question.path:
            self.area.ensureWidgetVisible(question)
            return question
        field = dict(self.editors()).get(path)
        if field is not None:
            if question is not None and question.isAncestorOf(field):
                question.sentence.setChecked(True)
            self.area.ensureWidgetVisible(field)
        return field

    def go_to(self, path: str) -> None:
        """Bring the editor of a parameter to the eye, and give it the focus."""
        field = self.reveal(path)
        if field is None:
            return
        for widget in [field, *field.findChildren(QWidget)]:
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(self):
                widget.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def field(self, path: str) -> Any:
        """The editor of a parameter."""
        return self.fields[path]

    # What it shows

    def dress(self, look: Look) -> None:
        if look == self._look:
            return
        self._look = look
        for field in self.fields.values():
            field.dress(look)
            if isinstance(field, ChipsField):
                sketched(field.chips.buttons, look)

    def show_state(self) -> None:
        if self.question is not None:
            self.question.show_state()
        for field in self.fields.values():
            field.refresh()
        for tip in self.tips:
            tip.show_state()
        self._fold()
        self._tell_shape()

    def show_room(self, on: bool) -> None:
        """Whether a room is open."""
        for button, row in self._opens:
            button.setText(tr(row.shows if on else row.text))

    def _fold(self) -> None:
        """Hide the cards of which nothing is to be seen."""
        for section, frame, rows in self._cards:
            needed = not section.needs or getattr(self.store.lab, section.needs)
            seen = any(not part.isHidden() for parts in rows for part in parts) and (
                needed and (self._drawn or not section.drawn)
            )
            if frame.isHidden() == seen:
                frame.setVisible(seen)

    def _tell_shape(self) -> None:
        shape = (
            self.question.shape if self.question else (),
            *(field.isHidden() for field in self.fields.values()),
            self._inner(),
        )
        shape += tuple(frame.isHidden() for _, frame, _ in self._cards)
        if shape != self._shape:
            self._shape = shape
            self.rearranged.emit()

    def _inner(self) -> tuple[str, ...]:
        lab = self.store.lab
        return tuple(
            getattr(lab, name).key
            for name, domain in domains(type(lab)).items()
            if isinstance(domain, OneOf)
        )

    def show_findings(self, findings: Findings) -> None:
        if self.question is not None:
            self.question.show_findings(findings)
        for field in self._listening:
            if field.present() or isinstance(field, CoordinateField | ChoiceField):
                field.show_findings(findings)
        said = {sentence.key: sentence for sentence in reversed(findings.sentences)}
        for key, line in self.lines.items():
            line.show_sentence(said.get(key))
        self._show_problems(findings)
        self._drawn = simulates(findings) or bool(findings.problems)
        self._fold()
        self._tell_shape()

    def _show_problems(self, findings: Findings) -> None:
        """Each problem at its field, or at the Kind that holds it, or above everything."""
        if not findings.problems and not self._warned:
            return
        self._warned = bool(findings.problems)
        asked = () if self.question is None else (self.question.path, "data")
        told: dict[str, list[Problem]] = {}
        bad: set[str] = set()
        for problem in findings.problems:
            if problem.field.split(".")[0] not in asked:
                spot = self._spot(problem.field)
                told.setdefault(spot, []).append(problem)
                if problem.stops or (problem.grave and spot):
                    bad.add(spot)
        for path, field in self.fields.items():
            field.warn(*_joined(told.get(path, []), path in bad))
        self.rest.say(*_joined(told.get("", []), "" in bad))

    def _spot(self, path: str) -> str:
        while path and not (path in self.fields and self.fields[path].present()):
            path = path.rpartition(".")[0]
        return path


def _joined(problems: list[Problem], bad: bool) -> tuple[Say | str, str]:
    """One text for the problems of a field, and its tone."""
    text = " ".join(shown(problem.say) for problem in problems)
    return Say("{}", {"": text}) if text else "", "bad" if bad else "warn"
