"""The side panel of a lab, made from its design. `show_state` after each change, `show_findings`
with each outcome."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.board.strip import simulates
from dpstudio.gui.panel.design import asking, budgeted, design_for, paths, reporting
from dpstudio.gui.panel.editors import PERCENT, FormGrid, KindField, PercentField, editor
from dpstudio.gui.panel.form import BoxField, ChoiceField, ComboField, Field, SliderField, plays
from dpstudio.gui.panel.mechanisms import MechanismField, sketched
from dpstudio.gui.panel.protocols import ProtocolField
from dpstudio.gui.panel.question import Question
from dpstudio.gui.parts.boxes import combo
from dpstudio.gui.parts.labels import Complaint, Live, label, retone
from dpstudio.gui.parts.theme import Look, Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings
from dpstudio.labs.panel import Hands, Line, Row, Says, Section
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.values.messages import N_, Num, Say, safely, say
from dpstudio.values.params import (
    Choice,
    Domain,
    Maybe,
    OneOf,
    ParamError,
    Real,
    Several,
    domains,
    get,
)
from dpstudio.values.problem import Problem

_TONES = ("good", "warn", "bad")


def card(title: str) -> tuple[QFrame, QVBoxLayout]:
    """A panel with a small heading."""
    frame = QFrame()
    frame.setObjectName("card")
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(14, 10, 14, 12)
    layout.setSpacing(7)
    layout.addWidget(label(tr(title).upper(), "head"))
    return frame, layout


class _BoundField(BoxField):
    """A bound, which while it is empty is that of the codebook, where there is one."""

    def show_state(self) -> None:
        super().show_state()
        above, _, name = self.path.rpartition(".")
        held: Any = self.store.lab
        for part in filter(None, above.split(".")):
            held = getattr(held, part)
        data = self.store.data
        known = (
            None if data is None else getattr(data.about(getattr(held, "column", "")), name, None)
        )
        self.propose(tr(N_("from data")) if known is None else f"{known:g}")


class Panel(QWidget):
    """The whole column of cards. `rearranged`: fields came or went; `handed(lab)`: what is set here
    is to be added to that lab."""

    rearranged = Signal()
    handed = Signal(str)

    def __init__(self, store: Store, theme: Theme, kind: type[Lab]):
        super().__init__()
        self.store, self.theme, self.kind = store, theme, kind
        self.question: Question | None = None
        self.fields: dict[str, Field] = {}
        self.lines: dict[str, SaysLine] = {}
        self.tips: list[DeltaTip | Ends] = []
        self._shape: tuple[Any, ...] = ()
        self._form: FormGrid | None = None
        self._cards: list[tuple[Section, QFrame, list[list[QWidget]]]] = []
        self._drawn = True
        self.rest = Complaint()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(10)
        layout.addWidget(self.rest)
        design = design_for(kind)
        self._paths = paths(design)
        for section in design:
            frame, column = card(section.title)
            layout.addWidget(frame)
            self._form, self._title = None, section.title
            self._cards.append((section, frame, [self._add(column, row) for row in section.rows]))
        layout.addStretch()

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
        if isinstance(row, Hands):
            button = QPushButton(tr(row.text))
            button.setToolTip(tr(row.tip))
            button.clicked.connect(partial(self.handed.emit, row.to))
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
        return (
            [self.fields[row]]
            if row in self.fields
            else [self.question]
            if self.question is not None
            else []
        )

    def _add_special(self, column: QVBoxLayout, path: str, domain: Domain) -> bool:
        """The editors that are drawn by hand."""
        if isinstance(domain, OneOf) and asking(domain):
            self.question = Question(self.store, path, domain)
            column.addWidget(self.question)
        elif isinstance(domain, OneOf) and budgeted(domain):
            self._keep(MechanismField(self.store, path, domain, self.theme.look), column)
        elif isinstance(domain, OneOf) and reporting(domain):
            self._keep(ProtocolField(self.store, path, domain, self.theme.look), column)
        elif path.split(".")[-1] == "epsilon" and isinstance(domain, Real):
            self._keep(SliderField(self.store, path, domain, "large", label("ε", "value")), column)
            self.tips.append(Ends(self.fields[path]))
            column.addWidget(self.tips[-1])
        elif path.split(".")[-1] == "delta" and isinstance(domain, Real):
            self._keep(SliderField(self.store, path, domain), column)
            self.tips.append(DeltaTip(self.fields[path]))
            column.addWidget(self.tips[-1])
        elif path == "part":
            self._keep(PartField(self.store, path, domain), column)
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
                other.partition(".")[2] for other in self._paths if other.startswith(path + ".")
            ]
            field: Field = KindField(self.store, path, domain, apart)
        else:
            field = editor(self.store, path, domain, _as_mechanism if shaped else None)
        self.fields[path] = field
        if self._form is None:
            self._form = FormGrid()
            column.addWidget(self._form)
        self._form.add(field, named=domain.label == self._title)
        if shaped:
            sketched(field.chips.buttons, self.theme.look)  # type: ignore[attr-defined]

    def _keep(self, field: Field, column: QVBoxLayout) -> None:
        self.fields[field.path] = field
        column.addWidget(field)

    def _add_line(self, column: QVBoxLayout, line: Line) -> None:
        row = QHBoxLayout()
        row.setSpacing(4)
        column.addLayout(row)
        for words, path, letters in line.parts:
            domain = self._domain(path)
            made = (
                PercentField
                if path in PERCENT
                else _BoundField
                if isinstance(domain, Maybe)
                else BoxField
            )
            if letters:
                field: Field = made(self.store, path, domain, letters, apart=True)
            else:
                assert isinstance(domain, Choice)
                field = ComboField(self.store, path, domain)
                field.combo.setMinimumContentsLength(2)
            if words:
                row.addWidget(label(tr(words)))
            row.addWidget(field)
            self.fields[path] = field
            if letters:
                field.advice = Complaint()
                column.addWidget(field.complaint)
                column.addWidget(field.advice)
        row.addStretch()

    # What is looked for in it

    def field(self, path: str) -> Any:
        """The editor of a parameter."""
        return self.fields[path]

    @property
    def epsilon(self) -> Any:
        return self.fields["mechanism.epsilon"]

    @property
    def mechanisms(self) -> Any:
        """The buttons of the mechanisms."""
        return self.fields["mechanism"].segments  # type: ignore[attr-defined]

    @property
    def use(self) -> QPushButton | None:
        """The first button that takes over a value."""
        return next((line.use for line in self.lines.values() if line.row.sets), None)

    # What it shows

    def dress(self, look: Look) -> None:
        for field in self.fields.values():
            field.dress(look)
            if hasattr(field, "chips"):
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

    def _fold(self) -> None:
        """Hide the cards of which nothing is to be seen."""
        for section, frame, rows in self._cards:
            seen = any(not part.isHidden() for parts in rows for part in parts) and (
                self._drawn or not section.drawn
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
        for field in self.fields.values():
            if field.present() or isinstance(field, PartField | ChoiceField):
                field.show_findings(findings)
        for line in self.lines.values():
            line.show_findings(findings)
        self._show_problems(findings)
        self._drawn = simulates(findings) or bool(findings.problems)
        self._fold()
        self._tell_shape()

    def _show_problems(self, findings: Findings) -> None:
        """Each problem at its field, or at the Kind that holds it, or above everything."""
        broken = any(s.key == "promise" and s.tone == "bad" for s in findings.sentences)
        told: dict[str, list[Problem]] = {}
        for problem in findings.problems:
            if self.question is None or problem.field.split(".")[0] not in (
                self.question.path,
                "data",
            ):
                told.setdefault(self._spot(problem.field), []).append(problem)
        for path, field in self.fields.items():
            field.warn(*_joined(told.get(path, []), broken and path.startswith("mechanism")))
        self.rest.say(*_joined(told.get("", []), False))

    def _spot(self, path: str) -> str:
        while path and not (path in self.fields and self.fields[path].present()):
            path = path.rpartition(".")[0]
        return path


def _joined(problems: list[Problem], broken: bool) -> tuple[Say | str, str]:
    """One text for the problems of a field, and its tone."""
    text = " ".join(shown(problem.say) for problem in problems)
    bad = broken or any(problem.stops for problem in problems)
    return Say("{}", {"": text}) if text else "", "bad" if bad else "warn"


def _as_mechanism(button: QPushButton, key: str) -> None:
    button.setObjectName("mechanism")


class SaysLine(QWidget):
    """A sentence of the findings, and the button that takes over its value."""

    def __init__(self, store: Store, row: Says):
        super().__init__()
        self.store, self.row = store, row
        self.words = Live(row.style, wrap=True)
        self.use = QPushButton(tr(N_("Use")), self)
        self.use.clicked.connect(self._use)
        self.value: float | None = None
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.use)
        self.use.setVisible(bool(row.sets))
        if not row.sets:
            self.hide()

    def text(self) -> str:
        return self.words.text()

    def show_findings(self, findings: Findings) -> None:
        found = next((s for s in findings.sentences if s.key == self.row.key), None)
        self.words.show_text(shown(found.say) if found else "")
        seen = found is not None or (bool(self.row.sets) and plays(self.store.lab, self.row.sets))
        if self.isHidden() == seen:
            self.setVisible(seen)
        if found is not None and found.tone in _TONES:
            retone(self.words, found.tone)
        elif found is not None:
            retone(self.words, self.row.style)
        if self.row.sets:
            self._offer(found.say.values.get(self.row.value) if found else None)

    def _offer(self, value: Any) -> None:
        self.value = None
        domain = self._domain()
        if isinstance(value, Num):
            # Rounded in the fourth place to the safe side: what is set keeps what the sentence
            # says.
            value = safely(value.value, 4, value.rounding)
        try:
            self.value = domain.check(value)
        except ParamError:
            self.value = None
        self.use.setEnabled(self.value is not None)
        tip = (
            N_("Set {name} to this value")
            if self.value is not None
            else N_("{name} cannot have this value")
        )
        self.use.setToolTip(shown(say(tip, name=Say(domain.label))))

    def _domain(self) -> Domain:
        *outer, name = self.row.sets.split(".")
        held = get(self.store.lab, ".".join(outer)) if outer else self.store.lab
        return domains(type(held))[name]

    def _use(self) -> None:
        if self.value is not None:
            self.store.set(self.row.sets, self.value)


class Ends(QWidget):
    """What both ends of the slider of ε mean; there while the slider is."""

    def __init__(self, field: Field):
        super().__init__()
        self.field = field
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label(tr(N_("more private")), "muted"))
        row.addStretch()
        row.addWidget(label(tr(N_("more accurate")), "muted"))

    def show_state(self) -> None:
        if self.isHidden() != self.field.isHidden():
            self.setVisible(not self.field.isHidden())


class DeltaTip(Live):
    """What δ would be small: 1/n² of the table."""

    def __init__(self, field: Field):
        super().__init__("muted", wrap=True)
        self.field = field

    def show_state(self) -> None:
        data = self.field.store.data
        if self.isHidden() != self.field.isHidden():
            self.setVisible(not self.field.isHidden())
        if data is not None and data.rows:
            self.show_text(shown(say("1/n² = {delta} for this table", delta=Num(1 / data.rows**2))))


class PartField(Field):
    """Which part of an answer with several is looked at; hidden where there is only one."""

    def __init__(self, store: Store, path: str, domain: Domain):
        super().__init__(store, path, domain)
        self.combo = combo(N_("Part"))
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
                self.combo.addItem(text, place)
            self.labels = labels
        self.refresh()
