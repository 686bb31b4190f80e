"""The side panel of a lab, made from its design. `show_state` after each change, `show_findings`
with each outcome."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QLayout, QVBoxLayout, QWidget

from dpstudio.gui.board.strip import simulates
from dpstudio.gui.panel import fields, form, frames, rows
from dpstudio.gui.panel.design import design_for, paths
from dpstudio.gui.panel.editors import FormGrid, KindField
from dpstudio.gui.panel.question import Question
from dpstudio.gui.panel.sentences import SaysLine
from dpstudio.gui.parts.choice_list import OUTDENT
from dpstudio.gui.parts.labels import ProblemLabel
from dpstudio.gui.parts.layout_pass import laid_out_later
from dpstudio.gui.parts.overlay_bar import OverlayBar
from dpstudio.gui.parts.theme import Look, Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.shared_settings import by_roles
from dpstudio.gui.state.store import Store
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings
from dpstudio.labs.panel import Design, Section
from dpstudio.values.messages import Message, in_turn
from dpstudio.values.parameters import OneOf, Parameters, domains, get
from dpstudio.values.problem import Problem

_TONED = form.Field | SaysLine


class Panel(QFrame):
    """The whole column of parts, of which those that are pinned stay while the others scroll. It is
    empty until `make_next` has made one part after the other, or `finish` all at once.
    `rearranged`: it may need another width; `handed(lab)`: what is set here is to be added to that
    lab; `filed(row)`: it goes out as a file, or comes in; `room_wanted`: people are to be asked;
    `stepped(index)`: another stage is to be seen."""

    rearranged = Signal()
    handed = Signal(str)
    filed = Signal(object)
    room_wanted = Signal()
    stepped = Signal(int)

    def __init__(self, store: Store, theme: Theme, kind: type[Lab]):
        super().__init__()
        self.setObjectName("side")
        self.store, self.theme, self.kind = store, theme, kind
        self._look, self._start = theme.look, kind()
        self._folded: list[tuple[frames.Part, list[form.Field | SaysLine]]] = []
        self._found: dict[frames.Part, tuple[set[str], list[Any]]] = {}
        self._shape: tuple[Any, ...] = ()
        self._cards: list[tuple[Section, frames.Part, list[QWidget]]] = []
        self._columns: list[QLayout] = []
        self._drawn, self._warned = True, False
        self.rest = ProblemLabel(self)
        self._listening: list[form.Field] = []
        design = design_for(kind)
        self.rows = rows.Rows(store, theme, kind, paths(design), self)
        self.fields, self.lines, self.tips = self.rows.fields, self.rows.lines, self.rows.tips
        self.rows.handed.connect(self.handed)
        self.rows.filed.connect(self.filed)
        self.rows.room_wanted.connect(self.room_wanted)
        self.rows.stepped.connect(self.stepped)
        self.rows.unfolded.connect(self._tell_shape)
        self.rows.wanted.connect(self._write_in)
        self._making = self._lay_out(design)

    @property
    def question(self) -> Question | None:
        """The question of the lab, where it asks one."""
        return self.rows.question

    def make_next(self) -> bool:
        """Make the next part; False when nothing is missing any more."""
        return next(self._making, None) is not None

    def finish(self) -> None:
        """Make all that is missing."""
        while self.make_next():
            pass

    def _lay_out(self, design: Design) -> Iterator[QWidget]:
        """Each part when it is there; last the whole, laid out at the size that it was given."""
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        self.pinned, self.body, self.area = QWidget(), QWidget(), frames.PanelScroll()
        self.parts = self.pinned, self.body
        for half in self.parts:
            half.installEventFilter(self)
        pinned, body = frames.column_in(self.pinned), frames.column_in(self.body)
        self._columns += pinned, body
        frames.set_edges(self._look, pinned, body)
        self.rest.setContentsMargins(OUTDENT, 0, OUTDENT, 4)
        body.addWidget(self.rest)
        self.area.setWidget(self.body)
        self.bar = OverlayBar(self.area, self)
        whole.addWidget(self.pinned)
        whole.addWidget(self.area, 1)
        self.pinned.setVisible(any(section.pinned for section in design))
        for section in design:
            frame = frames.Part(section.title, section.folded)
            (pinned if section.pinned else body).addWidget(frame)
            if section is design[0]:
                frame.lead()
            self.rows.begin(section.title)
            made = [each for row in section.rows for each in self.rows.add(frame.column, row)]
            self._cards.append((section, frame, made))
            if section.folded:
                self._folded.append((frame, [row for row in made if isinstance(row, _TONED)]))
            self._columns += frame.columns
            for widget in frame.findChildren(QWidget):
                widget.ensurePolished()  # now, not all of them when they are first seen
            yield frame
        body.addStretch()
        self._listening = [
            field
            for field in self.fields.values()
            if type(field).show_findings is not form.Field.show_findings
        ]
        self.grab(QRect(0, 0, 1, 1))  # what is hidden is laid out for a picture alone
        yield self

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.rearranged.emit()  # something in it has another size: so may the whole
        return False

    def need(self) -> int:
        """The width in px below which something in it would be cut."""
        return max(part.minimumSizeHint().width() for part in self.parts)

    # What is looked for in it

    def editors(self) -> Iterator[tuple[str, form.Field]]:
        """The editors of all parameters that play a part, those of the question too."""
        for field in self.findChildren(form.Field):
            held = field.parentWidget()
            other = isinstance(held, FormGrid) and held.isHidden()  # of a kind that is not chosen
            if field.present() and not other:
                yield field.path, field

    def reveal(self, path: str) -> QWidget | None:
        """Bring the editor of a parameter to the eye, or the question as it stands; None where
        there is none."""
        question = self.question
        if question is not None and path == question.path:
            self.area.ensureWidgetVisible(question)
            return question
        field = dict(self.editors()).get(path)
        if field is None:
            return None
        if question is not None and question.isAncestorOf(field):
            question.sentence.setChecked(True)
        host = field.host()
        for _, part, _ in self._cards:
            if part.isAncestorOf(host):
                part.unfold()
        self.area.ensureWidgetVisible(host)
        return host

    def _write_in(self, path: str) -> None:
        """Go to a parameter of what was just made, and show all that stands with it: whoever has
        the name to write looks for what comes after it."""
        self.go_to(path)
        host = self.reveal(path)
        for _, part, _ in self._cards:
            if host is not None and part.isAncestorOf(host):
                self.area.bring_whole(part)

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
        if self._columns:
            self.area.let_go()
        frames.set_edges(look, *self._columns[:2])
        for field in self.fields.values():
            field.dress(look)

    def show_state(self) -> None:
        with laid_out_later(*self._columns):
            question = self.question
            if question is not None:
                question.show_state()
            for field in self.fields.values():
                field.refresh()
            for tip in self.tips:
                tip.show_state()
            self._fold()
            self._tell_found()
        self._tell_shape()

    def show_room(self, on: bool) -> None:
        """Whether a room is open."""
        for button, row in self.rows.opens:
            button.setText(tr(row.shows if on else row.text))

    def _fold(self) -> None:
        """Hide the cards of which nothing is to be seen."""
        for section, frame, widgets in self._cards:
            needed = not section.needs or getattr(self.store.lab, section.needs)
            hidden = [widget.isHidden() for widget in widgets]
            seen = not all(hidden) and needed and (self._drawn or not section.drawn)
            if frame.isHidden() == seen:
                frame.setVisible(seen)

    def _tell_found(self) -> None:
        """Tell at the names of what is folded what is to be found there; in every frame of a drag,
        so that nothing is looked at which is as it was."""
        lab = self.store.lab
        for part, told in self._folded:
            edited = [row for row in told if isinstance(row, form.Field)]
            held = [getattr(lab, row.path.partition(".")[0]) for row in edited]
            tones = {row.tone() for row in told if not row.isHidden()}
            if (tones, held) != self._found.get(part):
                self._found[part] = tones, held
                inner = [
                    f for row in edited if isinstance(row, KindField) for f in row.inner.fields
                ]
                tones |= {field.tone() for field in inner}
                tone = next((tone for tone in ("bad", "warn") if tone in tones), "")
                paths = [field.path for field in (*edited, *inner) if field.present()]
                part.head.tell(sum(map(self._changed, paths)), tone)  # type: ignore[union-attr]

    def _changed(self, path: str) -> bool:
        """Whether a parameter was set by hand: what a table makes of it is no change."""
        name, _, rest = path.partition(".")
        start, kind = by_roles(self._start, self.store.data), getattr(self.store.lab, name)
        if rest and rest not in domains(type(kind)):
            return False  # a setting that follows from others
        if rest and type(getattr(start, name)) is not type(kind):
            start = start.with_(**{name: type(kind)()})
        was = _plain(start, path)
        held = _plain(self.store.lab, path)
        return bool(held != was and _plain(self.store.asked(), path) != was)

    def _tell_shape(self) -> None:
        if type(self.store.lab) is not self.kind:
            return  # something folds in a panel that is not seen
        question = self.question
        shape = (
            question.shape if question else (),
            *[field.isHidden() for field in self.fields.values()],
            self._inner(),
        )
        shape += tuple([frame.isHidden() for _, frame, _ in self._cards])
        if shape != self._shape:
            self._shape = shape
            self.rearranged.emit()

    def _inner(self) -> tuple[str, ...]:
        lab = self.store.lab
        known = domains(type(lab)).items()
        return tuple([getattr(lab, name).key for name, each in known if isinstance(each, OneOf)])

    def show_findings(self, findings: Findings) -> None:
        with laid_out_later(*self._columns):
            question = self.question
            if question is not None:
                question.show_findings(findings)
            for field in self._listening:
                if field.present() or isinstance(field, fields.CoordinateField | form.ChoiceField):
                    field.show_findings(findings)
            said = {sentence.key: sentence for sentence in reversed(findings.sentences)}
            for key, line in self.lines.items():
                if key in said or not line.isHidden():
                    line.show_sentence(said.get(key))
            self._show_problems(findings)
            self._drawn = simulates(findings) or bool(findings.problems)
            self._fold()
            self._tell_found()
        self._tell_shape()

    def show_answer(self, index: int, answers: int) -> None:
        """Which of so many simulated answers, or stages, is on the screen."""
        for stages in self.rows.stages:
            stages.show_answer(index, answers)

    def _show_problems(self, findings: Findings) -> None:
        """Each problem at its field, or at the `Parameters` that holds it, or above everything."""
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


def _plain(lab: Lab, path: str) -> Any:
    """A parameter; of a `Parameters` which it is, as its own are told apart."""
    held = get(lab, path)
    return held.key if isinstance(held, Parameters) else held


def _joined(problems: list[Problem], bad: bool) -> tuple[Message | str, str]:
    """One text for the problems of a field, and its tone."""
    text = shown(in_turn(problem.say for problem in problems))
    return Message("{}", {"": text}) if text else "", "bad" if bad else "warn"
