"""One column of the table: its chart, its numbers, what is to be said of it, and what a person
knows of it."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from dpstudio.data.codebook import MERGED
from dpstudio.data.profile import PERSON, Profile
from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.board.table_card import TableCard
from dpstudio.gui.parts.board_part import board_part
from dpstudio.gui.parts.labels import LiveLabel, ProblemLabel
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.table.data_about import AboutCard
from dpstudio.gui.table.describing import CodebookStore
from dpstudio.labs.findings import Fact, Findings
from dpstudio.labs.start.data.charts import findings
from dpstudio.values.messages import N_, noted

_WIDE = 820
_CHART, _ROW, _FRAME = 240, 28, 74
_GAP = 16


class ColumnChart(ChartCard):
    """A chart that is no part of a board: it has what the rest leaves it, but its least height."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def _fill_menu(self) -> None:
        self.menu.clear()
        if self.figure is not None and self.view is not None:
            self._offer(
                (N_("Copy picture"), "copy"),
                (N_("Copy data"), "copy-data"),
                (N_("Save as PNG …"), "png"),
                (N_("Save as SVG …"), "svg"),
                (N_("Save as PDF …"), "pdf"),
                (N_("Save as CSV …"), "csv"),
            )
            self.menu.addSeparator()
            self._act(tr(N_("Whole axis again")), self.view.reset_zoom).setEnabled(self.view.zoomed)


class ColumnTable(TableCard):
    """A table that is no part of a board."""

    def _fill_menu(self) -> None:
        self.menu.clear()
        self._offer((N_("Copy data"), "copy-data"), (N_("Save as CSV …"), "csv"))


class _Tile(QWidget):
    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.name, self.value = LiveLabel("muted"), LiveLabel("title")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.name)
        layout.addWidget(self.value)

    def show_fact(self, fact: Fact) -> None:
        self.name.set_text(shown(fact.label))
        self.value.set_text(shown(noted(fact.text, fact.note)))

    def need(self, look: Look) -> int:
        value = QFontMetrics(look.font(14, 600)).horizontalAdvance(self.value.text())
        return max(value, QFontMetrics(look.font(12)).horizontalAdvance(self.name.text())) + 6


class Numbers(QWidget):
    """Facts one beside the other, in as many rows as they need; none is ever cut or left out."""

    def __init__(self) -> None:
        super().__init__()
        self.look = Look()
        self.tiles: list[_Tile] = []
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(_GAP)
        self.grid.setVerticalSpacing(6)
        self._facts = 0
        self._plan: tuple[int, int] = (0, 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def show_facts(self, facts: Sequence[Fact], look: Look) -> None:
        while len(self.tiles) < len(facts):
            self.tiles.append(_Tile(self))
        for tile, fact in zip(self.tiles, facts, strict=False):
            tile.show_fact(fact)
        self.look, self._facts, self._plan = look, len(facts), (0, 0)
        self.setVisible(bool(facts))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        needs = [tile.need(self.look) for tile in self.tiles[: self._facts]]
        if not needs:
            plan = (0, 1)
        else:
            rows = next(
                rows
                for rows in range(1, len(needs) + 1)
                if rows == len(needs) or _fits(needs, rows, self.width())
            )
            plan = (len(needs), -(-len(needs) // rows))
        if plan == self._plan:
            return
        for column in range(self.grid.columnCount()):
            self.grid.setColumnStretch(column, 0)
        self._plan = plan
        for place, tile in enumerate(self.tiles):
            self.grid.removeWidget(tile)
            if place < self._facts:
                self.grid.addWidget(tile, place // plan[1], place % plan[1])
                self.grid.setColumnStretch(place % plan[1], 1)
            tile.setVisible(place < self._facts)


def _fits(needs: Sequence[int], rows: int, room: int) -> bool:
    columns = -(-len(needs) // rows)
    widths = [max(needs[column::columns]) for column in range(columns)]
    return sum(widths) + _GAP * (columns - 1) <= room


class ColumnView(QScrollArea):
    """Everything about one column. `wanted(what, chart)`: an entry of the menu of the chart, or of
    the table of words; `person(name)`: this column is to say who a person is."""

    wanted = Signal(str, bool)
    person = Signal(str)

    def __init__(self, look: Look, book: CodebookStore):
        super().__init__()
        self.look, self.book = look, book
        self.seen: Profile | None = None
        self.findings = Findings()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.chart, self.words = ColumnChart(look), ColumnTable(look)
        self.chart.wanted.connect(lambda _, what: self.wanted.emit(what, True))
        self.words.wanted.connect(lambda _, what: self.wanted.emit(what, False))
        self.about = AboutCard(book)
        ground = QWidget()
        self.setWidget(ground)
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        # The chart has what the rest leaves it; without one the cards stay as high as they are.
        self.chart.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        column.addWidget(self.chart, 1)
        column.addWidget(self._numbers_card())
        self.below = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self.below.setSpacing(0)
        self.below.addWidget(self.about, 5)
        self.below.addWidget(self.words, 4)
        self.below.setAlignment(self.about, Qt.AlignmentFlag.AlignTop)
        column.addLayout(self.below)
        column.addItem(QSpacerItem(0, 0, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Expanding))
        for widget in (self.summary, self.about):
            widget.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _numbers_card(self) -> QFrame:
        self.summary, column = board_part()
        self.counts, self.quantiles = Numbers(), Numbers()
        self.said = [ProblemLabel() for _ in range(4)]
        self.use = QPushButton(tr(N_("Make it the unit of privacy")))
        self.use.clicked.connect(lambda: self.person.emit(self.book.column))
        self.merge = QPushButton(tr(N_("Merge them, for looking")))
        self.merge.clicked.connect(self._merge)
        for widget in (self.counts, self.quantiles, *self.said):
            column.addWidget(widget)
        for button in (self.use, self.merge):
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return self.summary

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.viewport().width() >= self.look.px(_WIDE)
        self.below.setDirection(
            QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        )

    # What it shows

    def show_profile(self, seen: Profile, bounds: tuple[float | None, float | None]) -> None:
        """A column as it was summed up; one that is not yet shows what is known of it."""
        other = self.seen is None or self.seen.name != seen.name
        self.seen, self.findings = seen, findings(seen, bounds)
        found = self.findings
        self.chart.setVisible(bool(found.figures))
        if found.figures:
            if other and self.chart.view is not None:
                self.chart.view.reset_zoom()
            self.chart.show_figure(found.figures[0])
        counts = [
            fact for fact in found.facts if fact.key in ("rows", "missing", "distinct", "mean")
        ]
        self.counts.show_facts(counts, self.look)
        self.quantiles.show_facts([fact for fact in found.facts if fact not in counts], self.look)
        for line, sentence in zip(
            self.said, [*found.sentences, *[None] * len(self.said)], strict=False
        ):
            line.say(
                sentence.say if sentence else "",
                "warn" if sentence and sentence.tone == "warn" else "muted",
            )
        self.words.setVisible(bool(found.tables))
        if found.tables:
            self.words.show_table(found.tables[0])
            rows = min(12, len(found.tables[0].columns[0][1]))
            self.words.setFixedHeight(self.look.px(_FRAME + _ROW * rows))
        self.about.show_column(seen)
        self._offer_person()
        self.summary.setVisible(seen.spread is not None or bool(found.sentences))
        if other:
            self.verticalScrollBar().setValue(0)

    def _offer_person(self) -> None:
        assert self.seen is not None
        self.use.setVisible(
            self.seen.looks == PERSON and self.book.store.state.codebook.person != self.seen.name
        )
        self.merge.setVisible(bool(self.seen.twins) and not self.book.lab.type)

    def _merge(self) -> None:
        self.book.take(replace(self.book.lab, type=MERGED, attested=False))

    def show_state(self) -> None:
        """What is known of the column changed."""
        if self.seen is not None:
            self.about.show_state()
            self._offer_person()

    def clear(self) -> None:
        self.seen = None

    def dress(self, look: Look) -> None:
        self.look = look
        self.chart.setMinimumHeight(look.px(_CHART))
        self.chart.dress(look)
        self.words.dress(look)
