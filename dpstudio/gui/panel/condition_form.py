"""The condition builder: rows of column, operator and value joined by and/or; or the same as
text."""

import re
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from dpstudio.data.column_roles import FEATURE, columns_for
from dpstudio.data.conditions import OPERATORS, ORDERED, Test, Value, Where
from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts import boxes, labels, wrapping
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.shared_settings import columns_asked, holder
from dpstudio.gui.state.store import Store
from dpstudio.values.dates import date_text, days_of
from dpstudio.values.messages import N_
from dpstudio.values.parameters import ParamError, Real

_SHOWN = {
    "=": N_("is"),
    "!=": N_("is not"),
    "<": "<",
    "<=": "≤",
    ">": ">",
    ">=": "≥",
    "in": N_("one of"),
    "not in": N_("none of"),
    "is missing": N_("is missing"),
    "is not missing": N_("is given"),
}
_MANY = 60
_ROWS = 24  # a row takes 20 ms; a condition of more comparisons is shown as text


def shown_values(test: Test) -> str:
    """The values as a person types them: words plain, in a list quoted where a comma or a blank
    would be lost."""
    many = test.operator in ("in", "not in")
    out = []
    for value in test.values:
        text = (
            value
            if isinstance(value, str)
            else f"{value:.0f}"
            if value == int(value) and abs(value) < 1e15
            else repr(value)
        )
        awkward = many and (
            text != text.strip() or set(text) & set(",，、") or text.startswith('"') or not text
        )
        out.append('"' + text.replace('"', '""') + '"' if awkward else text)
    return ", ".join(out)


def split_values(text: str) -> list[str]:
    """The parts of a list; what stands in double quotes, its own doubled, is one part."""
    found = re.findall(r'\s*(?:"((?:[^"]|"")*)"\s*|([^,，、]+))(?:[,，、]|$)', text)
    parts = (quoted.replace('""', '"') or plain.strip() for quoted, plain in found)
    return [part for part in parts if part]


def _middle(data: Dataset, column: str) -> Value:
    """A value about the middle of a column of numbers or dates, to compare with."""
    extent = data.extent(column)
    middle = float(round((extent.low + extent.high) / 2)) if extent else 0.0
    return date_text(middle) if data.info(column).type == "date" else middle


def _by_rows(where: Where) -> bool:
    """Whether a condition is shown as rows; else as text alone."""
    return len(where.parts) <= _ROWS and all(isinstance(part, Test) for part in where.parts)


class _Row(QWidget):
    """One comparison; `proposed` while a value stands in it that the rows gave."""

    changed = Signal()
    dropped = Signal()

    def __init__(self, data: Dataset, test: Test):
        super().__init__()
        self.data, self.proposed = data, False
        self.column, self.operator, self.value = (
            boxes.combo(N_("Column")),
            boxes.combo(N_("Comparison")),
            boxes.LineBox(),
        )
        self.value.setAccessibleName(tr(N_("Value")))
        self.known = QStringListModel(self)
        self._complete()
        self.drop = QPushButton("×")
        self.drop.setObjectName("quiet")
        self.drop.setAccessibleName(tr(N_("Remove this condition")))
        self.drop.setToolTip(tr(N_("Remove this condition")))
        for info in data.columns:
            boxes.add_name(self.column, info.name, info.name)
        self.column.setMinimumContentsLength(5)
        self.operator.setMinimumContentsLength(2)
        layout = QGridLayout(self)  # of two lines: the panel is narrow, and may not be pushed
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.setColumnStretch(1, 1)
        layout.addWidget(self.column, 0, 0, 1, 2)
        layout.addWidget(self.drop, 0, 2)
        layout.addWidget(self.operator, 1, 0)
        layout.addWidget(self.value, 1, 1, 1, 2)
        self.column.activated.connect(self._on_column)
        self.operator.activated.connect(self._on_operator)
        self.value.given.connect(lambda _: self._on_value())
        self.drop.clicked.connect(self.dropped)
        self.show_test(test)

    def show_test(self, test: Test) -> None:
        if self.column.findData(test.column) < 0:
            boxes.add_name(self.column, test.column, test.column)
        self.column.setCurrentIndex(self.column.findData(test.column))
        self._offer(test.operator)
        self.kept: Test | None = test
        self.value.show_text(shown_values(test))
        self.value.setVisible(not test.operator.startswith("is "))

    def _type(self) -> str:
        name = self.column.currentData()
        return self.data.info(name).type if self.data.has(name) else "number"

    def _words(self) -> bool:
        return self._type() in ("category", "other")

    def _offer(self, operator: str) -> None:
        words = self._words()
        self.operator.clear()
        for name in OPERATORS:
            if not (words and name in ORDERED):
                self.operator.addItem(tr(_SHOWN[name]), name)
        self.operator.setCurrentIndex(max(0, self.operator.findData(operator)))
        known = self.data.distinct(self.column.currentData(), _MANY) if words else ()
        names = [word for word, _ in known]
        if self.known.stringList() != names:
            self.known.setStringList(names)
        first = names[0] if names else ""
        self.value.setPlaceholderText("2020-03-31" if self._type() == "date" else first)

    def _complete(self) -> None:
        """Offer the words of the column while a value is typed. One for good: Enter in its list
        shows the row anew while Qt is still in it, and one that were replaced would be gone."""
        completer = QCompleter(self.known, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.value.setCompleter(completer)
        completer.activated.connect(self._on_word)

    def _on_word(self, word: str) -> None:
        self.value.setText(word)
        self.value.editingFinished.emit()

    def _on_column(self) -> None:
        self._offer(self.operator.currentData())
        name = self.column.currentData()
        if self._words():
            known = self.data.distinct(name, 1)
            self.value.show_text(known[0][0] if known else "")
        else:
            self.value.show_text(shown_values(Test(name, ">", (_middle(self.data, name),))))
        self.proposed = True
        self._edited()

    def _on_value(self) -> None:
        self.proposed = False
        self._edited()

    def _on_operator(self) -> None:
        self.value.setVisible(not self.operator.currentData().startswith("is "))
        self._edited()

    def _edited(self) -> None:
        # Until it is edited itself a row gives back its own comparison, whatever its text can show
        # of it.
        self.kept = None
        self.changed.emit()

    def test(self) -> Test:
        """The comparison as it stands; ParamError where the value is no number."""
        if self.kept is not None:
            return self.kept
        operator, column = self.operator.currentData(), self.column.currentData()
        if operator.startswith("is "):
            return Test(column, operator)
        parts = (
            split_values(self.value.text())
            if operator in ("in", "not in")
            else [self.value.text().strip()]
        )
        values = tuple(self._value(p) for p in parts) or (self._value(""),)
        return Test(column, operator, values)

    def _value(self, text: str) -> Value:
        if self._words():
            return text
        if self._type() == "date":
            return date_text(days_of(text))
        try:
            return Real("", low=-1e300, high=1e300).check(text)
        except ParamError:
            raise ParamError("", N_("Type a number to compare with.")) from None


class ConditionForm(QWidget):
    """Edits a condition of the open lab, such as `query.where`."""

    def __init__(self, store: Store, path: str):
        super().__init__()
        self.store, self.path = store, path
        self.where: Where | None = None
        self.data: Dataset | None = None
        self.rows: list[_Row] = []
        self.written: set[Test] = set()  # by a person, of this table
        self.as_text = False
        self.box = boxes.LineBox()
        self.box.setAccessibleName(tr(N_("Condition as text")))
        self.box.setPlaceholderText('age > 50 and sex = "Male"')
        self.box.given.connect(self._typed)
        self.everyone = labels.label(tr(N_("all of them")), "muted")
        self.complaint = labels.ProblemLabel()
        self.body = QVBoxLayout()
        self.body.setSpacing(6)
        self.and_, self.or_, self.text = (
            self._link(t, f)
            for t, f in (
                (N_("+ and …"), lambda: self._add("and")),
                (N_("+ or …"), lambda: self._add("or")),
                (N_("as text"), self._flip),
            )
        )
        links = QHBoxLayout()
        links.setSpacing(2)
        for button in (self.and_, self.or_):
            links.addWidget(button)
        links.addStretch()
        links.addWidget(self.text)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(4)
        outer.addWidget(self.everyone)
        outer.addLayout(self.body)
        outer.addWidget(self.box)
        outer.addWidget(self.complaint)
        outer.addLayout(links)

    def _link(self, text: str, act: Callable[[], None]) -> QPushButton:
        button = wrapping.WrappingButton(tr(text))
        button.setObjectName("link")
        button.clicked.connect(lambda: act())
        return button

    def show_state(self) -> None:
        """Show the condition of the state; rows are kept where only their values changed."""
        where: Any = self.store.lab
        for name in self.path.split("."):
            where = getattr(where, name, None)
        data = self.store.data
        if where is None or data is None:
            return
        if where == self.where and data is self.data:
            return
        simple = _by_rows(where)
        tests = [part for part in where.parts if isinstance(part, Test)]
        if data is not self.data:
            self.written.clear()
        if data is not self.data or len(tests) != len(self.rows) or not simple:
            self._build(data, tests if simple else [])
        else:
            for row, test in zip(self.rows, tests, strict=True):
                row.show_test(test)
        for row in self.rows:
            row.proposed = where.proposed and row.test() not in self.written
        self.where, self.data = where, data
        self.box.show_text(str(where))
        self.complaint.say("")
        self._arrange(simple)

    def _build(self, data: Dataset, tests: list[Test]) -> None:
        for row in self.rows:
            self.body.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        for place, test in enumerate(tests):
            row = _Row(data, test)
            row.changed.connect(self._changed)
            row.dropped.connect(lambda place=place: self._remove(place))
            self.body.addWidget(row)
            self.rows.append(row)

    def _arrange(self, simple: bool) -> None:
        text = self.as_text or not simple
        for row in self.rows:
            row.setVisible(not text)
        self.box.setVisible(text)
        assert self.where is not None
        self.everyone.setVisible(not text and not self.rows)
        joined = self.where.joined if len(self.rows) > 1 else ""
        self.and_.setVisible(not text and joined != "or")
        self.and_.setText(tr(N_("+ and …") if self.rows else N_("+ only those with …")))
        self.or_.setVisible(not text and joined != "and" and bool(self.rows))
        self.text.setText(tr(N_("as rows")) if text else tr(N_("as text")))
        self.text.setVisible(simple)

    def _flip(self) -> None:
        self.as_text = not self.as_text
        self._arrange(_by_rows(self.where or Where()))

    def _add(self, joined: str) -> None:
        data = self.data
        if data is None or self.where is None:
            return
        words = [c.name for c in data.columns if not c.ordered]
        asked = columns_asked(holder(self.store.lab, self.path))
        used = {t.column for t in self.where.tests()} | asked
        left = [c.name for c in data.columns if c.name not in used] or [data.columns[0].name]
        column = columns_for(data, FEATURE, left)[0]
        if column in words:
            known = data.distinct(column, 1)
            test = Test(column, "=", (known[0][0] if known else "",))
        else:
            test = Test(column, ">", (_middle(data, column),))
        if not self.where.proposed:
            self.written.update(self.where.tests())
        self.written.discard(test)
        joined = joined if self.where.parts else "and"
        self._set(Where(joined, (*self.where.parts, test), proposed=True))

    def _remove(self, place: int) -> None:
        if self.where is not None:
            parts = tuple(p for i, p in enumerate(self.where.parts) if i != place)
            left = any(row.proposed for i, row in enumerate(self.rows) if i != place)
            self._set(Where(self.where.joined, parts, left))

    def _changed(self) -> None:
        try:
            parts = tuple(row.test() for row in self.rows)
        except ParamError as error:
            self.complaint.say(error.sentence)
            return
        self.written.update(p for p, row in zip(parts, self.rows, strict=True) if not row.proposed)
        joined = self.where.joined if self.where else "and"
        self._set(Where(joined, parts, any(row.proposed for row in self.rows)))

    def _typed(self, text: str) -> None:
        try:
            self.store.set(self.path, text)
        except ParamError as error:
            self.complaint.say(error.sentence)
            self.box.refuse()

    def _set(self, where: Where) -> None:
        self.complaint.say("")
        self.store.set(self.path, where)
