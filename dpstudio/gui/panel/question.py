"""The question of a lab: the kind of query, its columns and bounds, the condition."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpstudio.data.conditions import Where
from dpstudio.gui.panel.condition_form import ConditionForm
from dpstudio.gui.panel.editors import editor
from dpstudio.gui.panel.form import BoxField, Field, FlagField, SliderField
from dpstudio.gui.parts.buttons import Segments
from dpstudio.gui.parts.labels import Complaint, label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import N_, Say
from dpstudio.values.params import Column, Domain, Kind, Maybe, OneOf, ParamError, Words, domains

ASKS = {
    "count": N_("How many rows have"), "sum": N_("The sum of"), "mean": N_("The mean of"), "histogram": N_("How many rows there are by"),
    "variance": N_("The variance of"), "std": N_("The standard deviation of"), "counts": N_("How many rows have each of"),
    "contingency": N_("How many rows there are by"), "covariance": N_("The covariance of"), "grouped": N_("For each group"),
}  # fmt: skip
# The parameters that only a column of these types has.
_OF = {
    "number": ("low", "high", "bins", "edges"), "integer": ("low", "high", "bins", "edges"), "date": ("bins", "dates"),
    "category": ("categories",),
}  # fmt: skip
_SOME = {name for names in _OF.values() for name in names}
# Words that read better within the sentence than the name of the field does.
_CAPTIONS = {
    "bins": N_("intervals"),
    "edges": N_("or edges"),
    "dates": N_("or dates"),
    "categories": N_("categories"),
    "second": N_("and"),
    "by": N_("by"),
}
# Which column the words of a field are those of.
_WORDS_OF = {"categories": "column", "groups": "by", "down": "first", "across": "second"}
_PROPOSED = {"edges": N_("such as 0, 10, 20"), "dates": N_("such as 2019, 2020, 2021")}


class Body(QWidget):
    """What one query asks for besides its condition: columns, bounds in a row of their own, the
    rest below."""

    def __init__(self, store: Store, path: str, kind: type[Kind]):
        super().__init__()
        self.store, self.path, self.kind = store, path, kind
        self.fields: dict[str, Field] = {}
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setSpacing(6)
        self.grid.setColumnStretch(1, 1)
        self.grid.setColumnStretch(3, 1)
        known = {name: domain for name, domain in domains(kind).items() if name != "where"}
        columns = [name for name, domain in known.items() if isinstance(domain, Column)]
        self.either = "categories" in known and "low" in known and "by" not in known
        for name in columns:
            self._add(name, known[name], alone=name == columns[0])
        if isinstance(known.get("low"), Maybe) and isinstance(known.get("high"), Maybe):
            self._add_bounds(known)
        flags = [name for name in known if name in ("attested", "centred", "n_public")]
        for name in [n for n in known if n not in (*self.fields, *flags)] + flags:
            self._add(name, known[name])

    def _add(self, name: str, domain: Domain, alone: bool = False) -> None:
        field = self.fields[name] = editor(self.store, f"{self.path}.{name}", domain)
        row = self.grid.rowCount()
        if alone or isinstance(field, SliderField | FlagField):
            self.grid.addWidget(field, row, 0, 1, 4)
            return
        field.caption = label(tr(_CAPTIONS.get(name, domain.label)), "muted")
        self.grid.addWidget(field.caption, row, 0)
        self.grid.addWidget(field, row, 1, 1, 3)

    def _add_bounds(self, known: Mapping[str, Domain]) -> None:
        low, high = (
            BoxField(self.store, f"{self.path}.{name}", known[name], apart=True)
            for name in ("low", "high")
        )
        clipped = hasattr(self.kind, "bounds")
        row = self.grid.rowCount()
        for column, (field, words) in enumerate(
            ((low, N_("clipped to") if clipped else N_("from")), (high, N_("to")))
        ):
            field.caption = label(tr(words), "muted")
            self.grid.addWidget(field.caption, row, 2 * column)
            self.grid.addWidget(field, row, 2 * column + 1)
            self.grid.addWidget(field.complaint, row + 1 + column, 0, 1, 4)
        self.fields |= {"low": low, "high": high}

    def show_state(self) -> None:
        for field in self.fields.values():
            field.refresh()
        query, data = getattr(self.store.lab, self.path), self.store.data
        if self.either and data is not None and data.has(query.column):
            own = _OF.get(data.info(query.column).type, ())
            for name, field in self.fields.items():
                if name in _SOME:
                    field.setVisible(name in own)

    def propose(self) -> None:
        """Show what is in force in the boxes that were left empty; the worker has asked for it, so
        it is remembered."""
        query, data = getattr(self.store.lab, self.path), self.store.data
        if data is None or query.key != self.kind.key:
            return
        low = high = math.nan
        try:
            if hasattr(query, "bounds"):
                low, high = query.bounds(data)
            elif self.either and (edges := query.parts(data)[0]):
                low, high = edges[0], edges[-1]
        except (ParamError, TypeError, ValueError):
            pass
        bounds = {"low": low, "high": high}
        for name, field in self.fields.items():
            if isinstance(field, BoxField) and name in bounds:
                field.propose("" if math.isnan(bounds[name]) else f"{bounds[name]:g}")
            elif (
                isinstance(field, BoxField)
                and name in _WORDS_OF
                and (words := self._known(query, name))
            ):
                field.propose(" | ".join(words))
            elif isinstance(field, BoxField) and (
                name in _PROPOSED or isinstance(field.domain, Words)
            ):
                field.propose(tr(_PROPOSED.get(name, N_("all in the data"))))

    def _known(self, query: Kind, name: str) -> tuple[str, ...]:
        """The words that the codebook tells of the column that a box of words belongs to."""
        data = self.store.data
        return () if data is None else data.about(getattr(query, _WORDS_OF[name], "")).categories


class Question(QWidget):
    """What is asked: the kind of query as buttons, then the sentence. For any lab with a query at
    `path`."""

    def __init__(self, store: Store, path: str, domain: OneOf):
        super().__init__()
        self.store, self.path = store, path
        self.family: dict[str, type[Kind]] = {kind.key: kind for kind in domain.family()}
        self.kinds = Segments({key: kind.label for key, kind in self.family.items()}, fluid=True)
        self.kinds.chosen.connect(self._choose)
        self.asks = label("")
        self.where_word = label(tr(N_("over the rows with")), "muted")
        self.condition = ConditionForm(store, f"{path}.where")
        self.note = label("", "muted", wrap=True)
        self.open = Complaint()
        self.problem = Complaint()
        self._refused: Mapping[str, Say] = {}
        self.bodies: dict[str, Body] = {}
        self.place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.kinds)
        layout.addWidget(self.asks)
        layout.addLayout(self.place)
        for widget in (self.where_word, self.condition, self.problem, self.open, self.note):
            layout.addWidget(widget)

    def _choose(self, key: str) -> None:
        self.store.choose(self.path, key)

    @property
    def shape(self) -> tuple[Any, ...]:
        """What is to be seen: another one means that editors came or went."""
        return self._query().key, len(self.condition.rows)

    def _query(self) -> Any:
        return getattr(self.store.lab, self.path)

    def _body(self, key: str) -> Body:
        """The body of a query, made when it is first asked."""
        if key not in self.bodies:
            self.bodies[key] = Body(self.store, self.path, self.family[key])
            self.place.addWidget(self.bodies[key])
        return self.bodies[key]

    def show_state(self) -> None:
        query = self._query()
        key = query.key
        self.kinds.show_choice(key, self._refused)
        where = getattr(query, "where", Where())
        everyone = key == "count" and not where
        self.asks.setText(
            tr(N_("How many rows there are")) if everyone else tr(ASKS.get(key, query.label))
        )
        body = self._body(key)
        for name, one in self.bodies.items():
            one.setVisible(name == key and bool(one.fields))
        self.where_word.setVisible(key != "count" and bool(where))
        self.condition.setVisible(hasattr(query, "where"))
        body.show_state()
        self.condition.show_state()

    def show_findings(self, findings: Findings) -> None:
        self._refused = findings.refused.get(self.path, {})
        self.kinds.show_choice(self._query().key, self._refused)
        mine = [p for p in findings.problems if p.field.split(".")[0] in (self.path, "data")]
        stops = [p for p in mine if p.stops]
        self.problem.say(stops[0].say if stops else "")
        text = " ".join(shown(p.say) for p in mine if not p.stops)
        self.open.say(Say("{}", {"": text}) if text else "", "warn")
        why = next((s for s in findings.sentences if s.key == "sensitivity"), None)
        self.note.setText(shown(why.say) if why else "")
        self.note.setVisible(bool(self.note.text()))
        self._body(self._query().key).propose()
