"""The question of a lab: the kind of query, its columns and bounds, the condition."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpstudio.data.conditions import Condition
from dpstudio.gui.panel import condition_form, editors, folding, form
from dpstudio.gui.panel.frames import hold_still
from dpstudio.gui.parts import buttons, declared, labels
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.labs.findings import Findings
from dpstudio.labs.panel import WHY
from dpstudio.values import parameters
from dpstudio.values.messages import N_, Message, in_turn


class QuestionBody(QWidget):
    """What one query asks for besides its condition: columns, bounds in a row of their own, the
    rest below."""

    def __init__(self, store: Store, path: str, kind: type[parameters.Parameters]):
        super().__init__()
        self.store, self.path, self.kind = store, path, kind
        self.fields: dict[str, form.Field] = {}
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setSpacing(6)
        self.grid.setColumnStretch(1, 1)
        self.grid.setColumnStretch(3, 1)
        known = {
            name: parameters.domains(kind)[name]
            for name, domain in parameters.domains(kind).items()
            if not isinstance(domain, Condition)
        }
        columns = [name for name, domain in known.items() if isinstance(domain, parameters.Column)]
        for name in columns:
            self._add(name, known[name], alone=name == columns[0])
        for name, domain in known.items():
            other = parameters.roles(kind)[name].beside
            if other in known:
                self._add_pair((other, known[other]), (name, domain))
        flags = [name for name, domain in known.items() if isinstance(domain, parameters.Flag)]
        for name in [n for n in known if n not in (*self.fields, *flags)] + flags:
            self._add(name, known[name])

    def _caption(self, name: str, domain: parameters.Domain) -> QWidget:
        return labels.label(tr(parameters.roles(self.kind)[name].caption or domain.label), "muted")

    def _add(self, name: str, domain: parameters.Domain, alone: bool = False) -> None:
        field = self.fields[name] = editors.editor(self.store, f"{self.path}.{name}", domain)
        row = self.grid.rowCount()
        if alone or isinstance(field, form.SliderField | form.FlagField):
            self.grid.addWidget(field, row, 0, 1, 4)
            return
        field.caption = self._caption(name, domain)
        self.grid.addWidget(field.caption, row, 0)
        self.grid.addWidget(field, row, 1, 1, 3)

    def _add_pair(self, *parts: tuple[str, parameters.Domain]) -> None:
        """Two boxes in one row, and their complaints below."""
        row = self.grid.rowCount()
        for column, (name, domain) in enumerate(parts):
            field = form.BoxField(self.store, f"{self.path}.{name}", domain, apart=True)
            field.caption = self._caption(name, domain)
            self.grid.addWidget(field.caption, row, 2 * column)
            self.grid.addWidget(field, row, 2 * column + 1)
            self.grid.addWidget(field.complaint, row + 1 + column, 0, 1, 4)
            self.fields[name] = field

    def show_state(self) -> None:
        for field in self.fields.values():
            field.refresh()

    def propose(self) -> None:
        """Show what is in force in the boxes that were left empty; the worker has asked for it, so
        it is remembered."""
        query, data = getattr(self.store.lab, self.path), self.store.data
        if data is None or query.key != self.kind.key:
            return
        try:
            numbers = query.in_force(data)
        except (parameters.ParamError, TypeError, ValueError):
            numbers = {}
        for name, field in self.fields.items():
            if not isinstance(field, form.BoxField):
                continue
            if isinstance(field.domain, parameters.Maybe):
                field.propose(f"{numbers[name]:g}" if name in numbers else "")
            elif isinstance(field.domain, parameters.Words):
                field.propose(" | ".join(self._known(query, name)) or tr(field.domain.empty))

    def _known(self, query: parameters.Parameters, name: str) -> tuple[str, ...]:
        """The words that the codebook tells of the column that a box of words belongs to."""
        data, columns = self.store.data, parameters.roles(self.kind)[name].of
        return data.about(getattr(query, columns[0])).categories if data and columns else ()


def _condition(family: Mapping[str, type[parameters.Parameters]]) -> str:
    """The parameter of these queries that is their condition."""
    held = (item for kind in family.values() for item in parameters.domains(kind).items())
    return next(name for name, domain in held if isinstance(domain, Condition))


class Question(QWidget):
    """What is asked, as a sentence that unfolds to the kinds of query as buttons and the editors of
    the one that is chosen. For any lab with a query at `path`. `unfolded`: editors came or went."""

    unfolded = Signal()

    def __init__(self, store: Store, path: str, domain: parameters.OneOf):
        super().__init__()
        self.store, self.path = store, path
        self.family: dict[str, type[parameters.Parameters]] = {
            kind.key: kind for kind in domain.family()
        }
        self.kinds = buttons.Segments({key: kind.label for key, kind in self.family.items()})
        self.kinds.chosen.connect(self._choose)
        self.asks = labels.label("")
        self.where_word = labels.label(tr(N_("over the rows with")), "muted")
        self.which = _condition(self.family)
        self.condition = condition_form.ConditionForm(store, f"{path}.{self.which}")
        self.note = labels.label("", "muted", wrap=True)
        self.open = labels.ProblemLabel()
        self.problem = labels.ProblemLabel()
        self._refused: Mapping[str, Message] = {}
        self.bodies: dict[str, QuestionBody] = {}
        # What was shown last, each with what it was shown for.
        self._said: Any = None
        self._told: tuple[Any, ...] = ()
        self._proposed: tuple[Any, ...] = ()
        self.sentence = folding.FoldingSentence()
        self.sentence.toggled.connect(self._fold)
        self.place = QVBoxLayout()
        self.within = QWidget()
        inner = QVBoxLayout(self.within)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(7)
        inner.addWidget(self.kinds)
        inner.addWidget(self.asks)
        inner.addLayout(self.place)
        inner.addWidget(self.where_word)
        inner.addWidget(self.condition)
        self.within.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        for widget in (self.sentence, self.within, self.problem, self.open, self.note):
            layout.addWidget(widget)

    def _fold(self, opened: bool) -> None:
        self.within.setVisible(opened)
        self.unfolded.emit()

    def _choose(self, key: str) -> None:
        hold_still(self)
        self.store.choose(self.path, key)

    @property
    def shape(self) -> tuple[Any, ...]:
        """What is to be seen: another one means that editors came or went."""
        return self._query().key, len(self.condition.rows), self.sentence.isChecked()

    def _query(self) -> Any:
        return getattr(self.store.lab, self.path)

    def body(self, key: str) -> QuestionBody:
        """The body of a query, made when it is first asked."""
        if key not in self.bodies:
            self.bodies[key] = QuestionBody(self.store, self.path, self.family[key])
            self.place.addWidget(self.bodies[key])
        return self.bodies[key]

    def show_state(self) -> None:
        """Show the state: editors see for themselves what changed, the words around them follow
        the query."""
        there = declared.plays(self.store.lab, self.path, self.store.data)
        if self.isHidden() == there:
            self.setVisible(there)
        query = self._query()
        self.kinds.show_choice(query.key, self._refused)
        body = self.body(query.key)
        if query != self._said:
            self._said = query
            self._say(query)
        body.show_state()
        if not self.condition.isHidden():
            self.condition.show_state()

    def _say(self, query: Any) -> None:
        where = getattr(query, self.which, None)
        self.sentence.show_text(shown(query.sentence()))
        self.asks.setText(tr((query.asks_all if not where else "") or query.asks or query.label))
        for name, one in self.bodies.items():
            one.setVisible(name == query.key and bool(one.fields))
        self.where_word.setVisible(bool(where) and not query.asks_all)
        self.condition.setVisible(where is not None)

    def show_findings(self, findings: Findings) -> None:
        self._refused = findings.refused.get(self.path, {})
        self.kinds.show_choice(self._query().key, self._refused)
        mine = [p for p in findings.problems if p.field.split(".")[0] in (self.path, "data")]
        why = next((s.say for s in findings.sentences if s.key == WHY), None)
        told = (mine, why)
        if told != self._told:
            self._told = told
            stops = [p for p in mine if p.stops]
            self.problem.say(stops[0].say if stops else "")
            text = shown(in_turn(p.say for p in mine if not p.stops))
            self.open.say(Message("{}", {"": text}) if text else "", "warn")
            self.note.setText(shown(why) if why else "")
            self.note.setVisible(bool(self.note.text()))
        asked = (self._query(), self.store.data)
        if asked != self._proposed:
            self._proposed = asked
            self.body(self._query().key).propose()
