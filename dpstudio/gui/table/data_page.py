"""The page of the table: columns in a list, the chosen one, rows, and who a person is."""

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from dpstudio.data.codebook import Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.data.profile import Profile, unsummed
from dpstudio.gui.parts import boxes, buttons, theme
from dpstudio.gui.parts.board_part import BETWEEN, board_part, on_board
from dpstudio.gui.parts.labels import ElidedLabel, label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.jobs import Jobs
from dpstudio.gui.state.store import Store
from dpstudio.gui.table import data_about, data_column, data_rows, describing
from dpstudio.gui.table.asked import AskedView
from dpstudio.gui.table.data_list import SORTS, ColumnList, ColumnModel
from dpstudio.labs.start.data.charts import public_bounds
from dpstudio.values.messages import N_, Num, named, say

_LEFT, _LEAST = 540, 410
_DETAIL = 305  # px at normal type that the column beside the list needs
_COLUMN, _ROWS, _ASKED = _VIEWS = "column", "rows", "asked"
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}


class DataPage(QWidget):
    """It is filled from a worker: `show_data` says which table, `show_profile` what was found of
    each column.

    `wanted(what, chart)`: the chart (or the table of words) is to be copied or saved.
    `troubled(sentence)`: what could not be done.
    """

    wanted = Signal(str, bool)
    troubled = Signal(object)
    rearranged = Signal()

    def __init__(self, store: Store, jobs: Jobs, describer: describing.Describer, look: theme.Look):
        super().__init__()
        on_board(self)
        self.store, self.look = store, look
        self.data: Dataset | None = None
        self.column = ""
        self._chosen: dict[str, str] = {}
        self._told: tuple[Dataset | None, Codebook] | None = None
        self.describer, self.describe = describer, describer.describe
        describer.failed.connect(self._on_refusal)
        self.model = ColumnModel(self._marks, lambda name: store.state.codebook.role(name))
        self.view = ColumnList(self.model, look)
        self.view.chosen.connect(self.choose)
        self.view.sorting.connect(self._sort)
        self.view.role.connect(self._tell_role)
        self.unit = data_about.UnitCard(store)
        self.unit.asked.connect(self.describe)
        self.column_view = data_column.ColumnView(
            look, describing.CodebookStore(store, self.describe)
        )
        self.column_view.wanted.connect(self.wanted)
        self.column_view.person.connect(self._make_person)
        self.rows = data_rows.RowsView(look, jobs.channel("rows"))
        self.asked = AskedView()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(BETWEEN)
        self.left = QWidget()
        left = QVBoxLayout(self.left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        left.addWidget(self.unit)
        left.addWidget(self._list_card(), 1)
        layout.addWidget(self.left)
        self.right = self._detail()
        layout.addWidget(self.right, 1)
        store.changed.connect(self.show_state)
        self.dress(look)

    def _list_card(self) -> QFrame:
        frame, column = board_part()
        self.title: QLabel = ElidedLabel("title")
        words = N_(
            "Exact, so not private: no session and no report holds it. What you copy or save here "
            "does."
        )
        self.note = label(tr(words), "muted", wrap=True)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr(N_("Find a column")))
        self.search.setAccessibleName(tr(N_("Find a column")))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._seek)
        self.search.installEventFilter(self)
        self.sort = boxes.combo(N_("Order of the columns"))
        for key, text in SORTS.items():
            self.sort.addItem(tr(text), key)
        self.sort.activated.connect(lambda place: self._sort(self.sort.itemData(place)))
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WindowShortcut)
        find.activated.connect(self.search.setFocus)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.search, 3)
        line.addWidget(self.sort, 2)
        column.addWidget(self.title)
        column.addWidget(self.note)
        column.addLayout(line)
        column.addWidget(self.view, 1)
        self.none = label(tr(N_("No column has these letters in its name.")), "muted", wrap=True)
        self.none.hide()
        column.addWidget(self.none)
        return frame

    def _detail(self) -> QWidget:
        frame, head = board_part(first=True)
        self.name, self.kind = ElidedLabel("title"), ElidedLabel("muted")
        self.name.names_data = True
        views = dict(zip(_VIEWS, (N_("Column"), N_("Rows"), N_("Asked")), strict=True))
        self.tabs = buttons.Segments(views, line=True)
        self.tabs.setAccessibleName(tr(N_("What is shown of the table")))
        self.tabs.chosen.connect(self.turn)
        line = QHBoxLayout()
        line.setSpacing(10)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self.name)
        names.addWidget(self.kind)
        line.addLayout(names, 1)
        line.addWidget(self.tabs)
        head.addLayout(line)
        table, inside = board_part()
        inside.addWidget(self.rows)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.column_view)
        self.stack.addWidget(table)
        statements, held = board_part()
        held.addWidget(self.asked)
        self.stack.addWidget(statements)
        right = QWidget()
        detail = QVBoxLayout(right)
        detail.setContentsMargins(0, 0, 0, 0)
        detail.setSpacing(0)
        detail.addWidget(frame)
        detail.addWidget(self.stack, 1)
        self.tabs.show_choice(_COLUMN)
        return right

    # The table and its columns

    def show_data(self, data: Dataset) -> None:
        """Another table, or the same in another way: names and types at once, the rest as it is
        found."""
        if data is self.data:
            return
        self.data = data
        text = N_("{table} · {rows:# row|# rows} · {columns:# column|# columns}")
        rows, columns = Num(data.rows), Num(len(data.columns))
        told = say(text, table=named(data.name), rows=rows, columns=columns)
        self.title.set_text(shown(told))  # type: ignore[attr-defined]
        held = self.model.held
        # What was found before stays to be seen until it is found anew.
        same = [info.name for info in data.columns] == list(held)
        self.model.show_columns(
            [held[c.name] if same else unsummed(data, c.name) for c in data.columns]
        )
        wanted = (
            self.column if self.column in self.model.held else self._chosen.get(data.origin, "")
        )
        if wanted not in self.model.held:
            wanted = data.columns[0].name if data.columns else ""
        self.column = ""
        self.choose(wanted)
        self.unit.show_state()
        self.tabs.buttons[_ASKED].setVisible(data.asked is not None)
        place = self.stack.currentIndex()
        if data.asked is None and place == _VIEWS.index(_ASKED):
            self.turn(_COLUMN)
        elif place:
            self.turn(_VIEWS[place])

    def show_profile(self, data: Dataset, seen: Profile) -> None:
        """What was found of a column."""
        if data is not self.data:
            return
        self.model.show_profile(seen)
        self.column_view.about.read_as[seen.name] = data.codebook.about(seen.name).type
        if seen.name == self.column:
            self._show_column()

    def clear(self) -> None:
        """Show no table until the next one is summed up."""
        self.data = None
        self.describer.cancel()
        self.rows.show_data(None)
        self.column_view.clear()
        self.model.show_columns([])
        for words in (self.title, self.name, self.kind):
            words.set_text("")  # type: ignore[attr-defined]

    def choose(self, name: str) -> None:
        """Look at a column."""
        if not name or name == self.column or self.data is None:
            return
        self.column = self._chosen[self.data.origin] = name
        self.view.choose(name)
        self.rows.show_column(name)
        self._show_column()

    def _show_column(self) -> None:
        seen, data = self.model.held.get(self.column), self.data
        if seen is None or data is None or not data.has(self.column):
            return
        self.name.set_text(seen.name)
        self._tell_kind(seen)
        self.column_view.show_profile(seen, public_bounds(data, seen.name))
        self.rearranged.emit()

    def _tell_kind(self, seen: Profile) -> None:
        summary = (
            seen.summary
            if seen.spread is not None
            else tr(N_("being counted …"))
            if seen.type != "other"
            else ""
        )
        kind = self.model.text(seen, 1)
        self.kind.set_text(f"{kind} · {summary}" if summary else kind)

    def _marks(self, name: str) -> tuple[str, ...]:
        return (N_("public"),) if self.store.state.codebook.about(name).attested else ()

    # The codebook

    def show_state(self, _: Any = None) -> None:
        """The codebook, as it now is."""
        told = (self.store.data, self.store.state.codebook)
        if self.data is None or self.data is not self.store.data or told == self._told:
            return  # read in another way, it is brought anew when this page is on the screen
        self._told = told
        self.model.tell_marks()
        self.unit.show_state()
        self.column_view.show_state()

    def _on_refusal(self, error: Exception) -> None:
        self.troubled.emit(error)
        self.unit.show_state()
        self.column_view.show_state()

    def _tell_role(self, name: str, role: str) -> None:
        self.describe(lambda book: book.with_role(name, role))

    def _make_person(self, name: str) -> None:
        self.describe(lambda book: book.with_person(name, book.most))

    # The hand

    def turn(self, key: str) -> None:
        """Show the column, the rows, or what was asked of the database."""
        self.tabs.show_choice(key)
        self.stack.setCurrentIndex(_VIEWS.index(key))
        if key == _ASKED:
            self.asked.show_data(self.data)
        if key == _ROWS:
            self.rows.show_data(self.data)
            self.rows.show_column(self.column)
        self.rearranged.emit()

    def _seek(self, text: str) -> None:
        self.model.arrange(sought=text)
        self._keep_choice()

    def _sort(self, key: str) -> None:
        if key == self.model.sorted_by:
            key = "file" if self.sender() is self.view else key
        self.sort.setCurrentIndex(self.sort.findData(key))
        self.model.arrange(sorted_by=key)
        self._keep_choice()

    def _keep_choice(self) -> None:
        self.none.setVisible(bool(self.model.held) and not self.model.rows)
        if self.model.place(self.column) is not None:
            self.view.choose(self.column)
        elif self.model.rows:
            self.view.step(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the search box the arrow keys walk through the list below it."""
        if watched is self.search and event.type() == QEvent.Type.KeyPress:
            key = event.key()  # type: ignore[attr-defined]
            if key in _STEPS:
                self.view.step(_STEPS[key])
                return True
            if key == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return False

    def dress(self, look: theme.Look) -> None:
        self.look = look
        self.left.setMaximumWidth(look.px(_LEFT))
        self.view.dress(look)
        self.column_view.dress(look)
        self.rows.dress(look)
        self._fit()
        self._show_column()

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The list takes half of a narrow page, and less where the column beside it needs that: of
        which it tells what it has no room for."""
        room = self.contentsRect().width()
        half = max(self.look.px(_LEAST), min(self.look.px(_LEFT), round(0.48 * room)))
        self.left.setFixedWidth(max(1, min(half, room - BETWEEN - self.look.px(_DETAIL))))
