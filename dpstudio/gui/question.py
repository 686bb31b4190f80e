"""The question of Explore: the kind of query, its column and bounds, the condition."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpstudio.core.dataset import Dataset
from dpstudio.core.findings import Findings
from dpstudio.core.labs.explore import Explore
from dpstudio.core.params import ParamError, domains
from dpstudio.core.queries import QUERIES
from dpstudio.core.queries.query import Clipping
from dpstudio.core.wording import N_, Say
from dpstudio.gui.condition_form import ConditionForm
from dpstudio.gui.form import BoxField, Field, FlagField, SliderField
from dpstudio.gui.store import Store
from dpstudio.gui.tr import shown, tr
from dpstudio.gui.widgets import Complaint, Segments, combo, label

ASKS = {
    "count": N_("How many rows have"), "sum": N_("The sum of"), "mean": N_("The mean of"), "histogram": N_("How many rows there are by"),
}  # fmt: skip


def _placeholder(value: float) -> str:
    return "" if math.isnan(value) else f"{value:g}"


_EXACT = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive


class ColumnField(Field):
    """A column of the table, those that cannot serve left out."""

    def __init__(self, store: Store, numeric: bool):
        super().__init__(store, "query.column", domains(QUERIES[1])["column"])
        self.numeric = numeric
        self.combo = combo(N_("Column"))
        self.data: Dataset | None = None
        self.known = 0
        self.combo.activated.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.combo)
        layout.addWidget(self.complaint)

    def _choose(self, place: int) -> None:
        column = self.combo.itemData(place)
        lab = self.store.lab
        if isinstance(lab, Explore) and self.store.data is not None and column != self.value():
            # Bounds, edges and categories belonged to the other column.
            gone = {
                n: type(lab.query)().__getattribute__(n)
                for n in ("low", "high", "edges", "categories", "attested")
                if hasattr(lab.query, n)
            }
            self.store.edit(lab.with_(query=lab.query.with_(column=column, **gone)).suited(self.store.data))

    def show_state(self) -> None:
        data, value = self.store.data, self.value()
        if value is None or data is None:
            return
        if data is not self.data:
            self.combo.clear()
            for info in data.columns:
                if info.numeric or (not self.numeric and info.type != "other"):
                    self.combo.addItem(info.name, info.name)
            self.data = data
            self.known = self.combo.count()
        if self.combo.findData(value, flags=_EXACT) not in range(self.known):
            # A column that is gone: it is shown, after those that there are, until another is chosen.
            self.combo.addItem(value, value)
        self.combo.setCurrentIndex(self.combo.findData(value, flags=_EXACT))
        while self.combo.count() > self.known and self.combo.currentIndex() != self.combo.count() - 1:
            self.combo.removeItem(self.combo.count() - 1)


class Question(QWidget):
    """What is asked: the kind of query as a row of buttons, then the sentence."""

    def __init__(self, store: Store):
        super().__init__()
        self.store = store
        self.kinds = Segments({q.key: q.label for q in QUERIES}, fluid=True)
        self.kinds.chosen.connect(lambda key: store.choose("query", key))
        self.asks = label("")
        self.where_word = label(tr(N_("over the rows with")), "muted")
        self.condition = ConditionForm(store)
        self.note = label("", "muted", wrap=True)
        self.open = Complaint()
        self.problem = Complaint()
        self._refused: Mapping[str, Say] = {}
        self.forms: dict[str, list[Field]] = {}
        self.bodies: dict[str, QWidget] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.kinds)
        layout.addWidget(self.asks)
        for query in QUERIES[1:]:
            body = self._body(query)
            self.bodies[query.key] = body
            layout.addWidget(body)
        for widget in (self.where_word, self.condition, self.problem, self.open, self.note):
            layout.addWidget(widget)

    def _body(self, query: type[Any]) -> QWidget:
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        known = domains(query)
        clipping = issubclass(query, Clipping)
        fields: list[Field] = [ColumnField(self.store, numeric=clipping)]
        grid.addWidget(fields[0], 0, 0, 1, 4)
        low, high = (BoxField(self.store, f"query.{name}", known[name], apart=True) for name in ("low", "high"))
        fields += [low, high]
        words = (N_("clipped to"), N_("to")) if clipping else (N_("from"), N_("to"))
        self._row(grid, 1, label(tr(words[0]), "muted"), low, label(tr(words[1]), "muted"), high)
        grid.addWidget(low.complaint, 2, 0, 1, 4)
        grid.addWidget(high.complaint, 3, 0, 1, 4)
        row = 4
        if query.key == "histogram":
            for name, text in (("bins", N_("intervals")), ("edges", N_("or edges")), ("categories", N_("categories"))):
                field = BoxField(self.store, f"query.{name}", known[name])
                fields.append(field)
                word = label(tr(text), "muted")
                field.caption = word  # type: ignore[attr-defined]
                grid.addWidget(word, row, 0)
                grid.addWidget(field, row, 1, 1, 3)
                row += 1
        if query.key == "mean":
            split = SliderField(self.store, "query.split", known["split"])  # type: ignore[arg-type]
            fields.append(split)
            grid.addWidget(split, row, 0, 1, 4)
            row += 1
        for name in ("attested", "centred", "n_public"):
            if name in known:
                flag = FlagField(self.store, f"query.{name}", known[name])  # type: ignore[arg-type]
                fields.append(flag)
                grid.addWidget(flag, row, 0, 1, 4)
                row += 1
        self.forms[query.key] = fields
        return body

    def _row(self, grid: QGridLayout, row: int, *widgets: QWidget) -> None:
        for column, widget in enumerate(widgets):
            grid.addWidget(widget, row, column)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)

    def show_state(self) -> None:
        lab = self.store.lab
        assert isinstance(lab, Explore)
        key = lab.query.key
        self.kinds.show_choice(key, self._refused)
        everyone = key == "count" and not lab.query.where
        self.asks.setText(tr(N_("How many rows there are")) if everyone else tr(ASKS.get(key, "")))
        for name, body in self.bodies.items():
            body.setVisible(name == key)
        self.where_word.setVisible(key != "count" and bool(lab.query.where))
        for field in self.forms.get(key, ()):
            field.show_state()
        if key == "histogram" and self.store.data is not None and self.store.data.has(lab.query.column):  # type: ignore[attr-defined]
            self._arrange_histogram(self.store.data.info(lab.query.column).numeric)  # type: ignore[attr-defined]
        self.condition.show_state()

    def _arrange_histogram(self, numeric: bool) -> None:
        for field in self.forms["histogram"]:
            name = field.path.split(".")[1]
            if name in ("low", "high", "bins", "edges", "categories"):
                field.setVisible((name == "categories") != numeric)
                caption = getattr(field, "caption", None)
                if caption is not None:
                    caption.setVisible((name == "categories") != numeric)
        grid = self.bodies["histogram"].layout()
        assert isinstance(grid, QGridLayout)
        for column in (0, 2):
            item = grid.itemAtPosition(1, column)
            word = item.widget() if item is not None else None
            if word is not None:
                word.setVisible(numeric)

    def show_findings(self, findings: Findings) -> None:
        self._refused = findings.refused.get("query", {})
        self.kinds.show_choice(self.store.lab.query.key, self._refused)  # type: ignore[attr-defined]
        stops = [p for p in findings.problems if p.stops and p.field.startswith(("query", "data"))]
        self.problem.say(stops[0].say if stops else "")
        notes = [p for p in findings.problems if not p.stops and p.field == "query.attested"]
        text = " ".join(shown(p.say) for p in notes)
        self.open.say(Say(text) if text else "", "warn")
        self.note.setText(shown(findings.sentence("sensitivity").say) if findings.figures else "")
        self.note.setVisible(bool(self.note.text()))
        self._propose()

    def _propose(self) -> None:
        """Show the bounds in force in the boxes that were left empty."""
        lab, data = self.store.lab, self.store.data
        if not isinstance(lab, Explore) or data is None or lab.query.key not in self.forms:
            return
        try:
            if isinstance(lab.query, Clipping):
                low, high = lab.query.bounds(data)
            else:
                edges, _ = lab.query.parts(data)  # type: ignore[attr-defined]
                low, high = (edges[0], edges[-1]) if edges else (0, 0)
        except ParamError:
            low = high = math.nan
        for field in self.forms[lab.query.key]:
            if isinstance(field, BoxField):
                name = field.path.split(".")[1]
                words = {
                    "low": _placeholder(low),
                    "high": _placeholder(high),
                    "categories": tr(N_("all in the data")),
                    "edges": tr(N_("such as 0, 10, 20")),
                }
                field.propose(words.get(name, ""))


class PartField(Field):
    """Which part of a histogram is looked at."""

    def __init__(self, store: Store, domain: Any):
        super().__init__(store, "part", domain)
        self.combo = combo(N_("Part"))
        self.labels: tuple[str, ...] = ()
        self.combo.activated.connect(lambda i: self.ask(self.combo.itemData(i)))
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label(tr(N_("Look at")), "muted"), 0, 0)
        layout.addWidget(self.combo, 0, 1)
        layout.addWidget(self.complaint, 1, 0, 1, 2)
        layout.setColumnStretch(1, 1)

    def show_state(self) -> None:
        lab = self.store.lab
        assert isinstance(lab, Explore)
        self.setVisible(lab.query.key == "histogram")
        self.combo.setCurrentIndex(max(0, self.combo.findData(lab.part)))

    def show_labels(self, labels: tuple[str, ...]) -> None:
        """The parts there are, as the worker found them."""
        if labels == self.labels:
            return
        self.combo.clear()
        self.combo.addItem(tr(N_("the largest part")), -1)
        for place, text in enumerate(labels):
            self.combo.addItem(text, place)
        self.labels = labels
        self.show_state()
