"""The page of the group Start: three doors (an own table, the census, the last work), the first
lessons as pictures, and what ε means."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpstudio.charts.figure import Area, Axis, Figure
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import EXAMPLES, open_table
from dpstudio.files.write.bare_svg import bare_svg
from dpstudio.files.write.palette import palette
from dpstudio.gui.board.render import svg_to_image
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import hair, label
from dpstudio.gui.parts.theme import Theme, frame_color
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.lessons import GAP, LessonTile, columns_for, lessons, pictured
from dpstudio.gui.shell.recent_names import named
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.settings import Settings
from dpstudio.gui.state.store import Store
from dpstudio.labs import LABS, MEANING, Group
from dpstudio.values.messages import N_, Message, Num, say, with_name

HIGH = 176  # px of a door at normal type
LESSONS, RECENT = 6, 4
_CENSUS, _OLD = EXAMPLES[0], 50


class _Door(QFrame):
    """One of the three ways in; a click anywhere goes through it."""

    def __init__(self, title: str, line: str, go: QPushButton | None):
        super().__init__()
        self.setObjectName("card")
        self.go = go
        column = QVBoxLayout(self)
        column.setContentsMargins(23, 15, 23, 23)
        column.setSpacing(4)
        column.addWidget(label(title, "headline"))
        self.line = label(line, "muted", wrap=True)
        column.addWidget(self.line)
        self.told, self.picture = label("", "muted"), QLabel(self)
        self.told.setParent(self)
        self.told.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.inner = QVBoxLayout()
        self.inner.setSpacing(0)
        column.addLayout(self.inner)
        column.addStretch()
        if go is not None:
            row = QHBoxLayout()
            row.addWidget(go, 0, Qt.AlignmentFlag.AlignBottom)
            row.addStretch()
            beside = QVBoxLayout()
            beside.setSpacing(0)
            beside.addWidget(self.told)
            beside.addWidget(self.picture)
            row.addLayout(beside)
            column.addLayout(row)
        else:
            self.told.hide()
            self.picture.hide()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.go is not None and event.button() == Qt.MouseButton.LeftButton:
            self.go.click()


class StartPage(QScrollArea):
    """`chosen(key)`: a page is wanted; `taught(Talk)`: a lesson; `file`: a table is to be chosen;
    `reopened(path)`: one is to be opened. `neared(key)`: a page may be wanted soon. `rearranged`:
    widgets came or went."""

    chosen = Signal(str)
    taught = Signal(object)
    file = Signal()
    reopened = Signal(str)
    neared = Signal(str)
    rearranged = Signal()

    def __init__(
        self, group: Group, all_lessons: str, store: Store, jobs: Jobs, theme: Theme, kept: Settings
    ):
        super().__init__()
        self.store, self.theme, self.kept = store, theme, kept
        self.drawer = jobs.channel("start")
        self.drawer.value.connect(self._on_value)
        self.lessons: dict[str, LessonTile] = {}
        self._look: object = None
        self._columns = 0
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        ground = QFrame()
        ground.setObjectName("sheet")
        self.setWidget(ground)
        self.column = QVBoxLayout(ground)
        self.column.setContentsMargins(24, 16, 24, 16)
        self.column.setSpacing(8)
        self._row(tr(group.label), tr(N_("Nothing you open leaves this machine.")), "page-name")
        asks = N_("What may be told about many, without telling about one?")
        self.column.addWidget(label(tr(asks), "headline", wrap=True))
        self._hair()
        self._add_doors()
        self._hair()
        told = tr(N_("each asks, lets you guess, and then shows"))
        everyone = push(tr(N_("all lessons")), "link")
        everyone.clicked.connect(partial(self.chosen.emit, all_lessons))
        self._row(tr(N_("Lessons")), told, "title", everyone)
        self.taught_grid = self._grid()
        self._hair()
        there = push(tr(MEANING.label), "link")
        there.setAccessibleName(shown(with_name(Message(MEANING.label), Message(MEANING.asks))))
        there.clicked.connect(partial(self.chosen.emit, MEANING.key))
        self._row(tr(MEANING.asks), tr(MEANING.help), "title", there)
        self.column.addStretch(1)

    def _row(self, name: str, told: str, style: str, end: QWidget | None = None) -> None:
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(label(name, style))
        row.addWidget(label(told, "muted", wrap=True), 1)
        if end is not None:
            row.addWidget(end)
        self.column.addLayout(row)

    def _hair(self) -> None:
        self.column.addSpacing(8)
        self.column.addWidget(hair())
        self.column.addSpacing(8)

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(GAP)
        self.column.addLayout(grid)
        return grid

    def _add_doors(self) -> None:
        choose = push(tr(N_("Choose a file …")), "primary")
        choose.clicked.connect(self.file)
        begin = push(tr(N_("Begin")))
        begin.setAccessibleName(tr(N_("Begin with the census")))
        begin.clicked.connect(self._begin_census)
        rows = say("{n:# person|# people} of 1994, one row each", n=Num(_CENSUS.rows or 0))
        kinds = tr(N_("or drop one here: csv, Excel, Parquet, pictures"))
        self.own = _Door(tr(N_("Open a table")), kinds, choose)
        self.census = _Door(tr(N_("Try the census")), shown(rows), begin)
        self.last = _Door(tr(N_("Last work")), "", None)
        self.doors = self._grid()
        self.works: list[QPushButton] = []

    def _begin_census(self) -> None:
        data = self.store.data
        if data is None or data.origin != _CENSUS.key:
            self.reopened.emit(_CENSUS.key)
        self.chosen.emit(LABS[0].key)

    # What is drawn

    def begin(self) -> None:
        """The page is opened: name the last work, and draw what is not drawn in this look."""
        self._name_works()
        dark, scale = self.theme.look.dark, self.theme.look.scale * self.devicePixelRatioF()
        if (dark, scale) != self._look:
            self._look = (dark, scale)
            self._columns = 0
            for name, lesson in lessons(LESSONS):
                if name not in self.lessons:
                    tile = self.lessons[name] = LessonTile(lesson)
                    tile.go.clicked.connect(partial(self.taught.emit, lesson))
                self.lessons[name].show_picture(pictured(name, dark, scale))
            self.arrange()
            side = frame_color(self.theme.look, "side").name()
            ground = palette(dark)["surface"]
            work = partial(_pictures, (dark, scale, side, ground), self.store.data)
            self.drawer.submit(work, cancel=True)

    def leave(self) -> None:
        """The page is left: what is not drawn yet is drawn when it is opened again."""
        if self.drawer.busy:
            self.drawer.cancel()
            self._look = None

    def _name_works(self) -> None:
        """The tables and sessions that were open last; the census has a door of its own."""
        last = [each for each in self.kept.recent if each != _CENSUS.key]
        for work in self.works:
            self.last.inner.removeWidget(work)
            work.hide()
            work.deleteLater()
        self.works = []
        for origin, name in list(named(last).items())[:RECENT]:
            work = push(name.replace("&", "&&"), "link", origin)
            work.setAccessibleName(shown(say("Open {name}", name=name)))
            work.clicked.connect(partial(self.reopened.emit, origin))
            self.last.inner.addWidget(work, 0, Qt.AlignmentFlag.AlignLeft)
            self.works.append(work)
        empty = tr(N_("nothing yet: what you look at waits here"))
        self.last.line.setText(tr(N_("opens as you left it")) if self.works else empty)
        self.rearranged.emit()

    def _on_value(self, found: tuple[str, QImage | int]) -> None:
        name, value = found
        if isinstance(value, QImage):
            value.setDevicePixelRatio(self.devicePixelRatioF())
            door = self.own if name == "own" else self.census
            door.picture.setPixmap(QPixmap.fromImage(value))
        else:
            told = say("{n} over {age}", n=Num(value), age=Num(_OLD))
            self.census.told.setText(shown(told))

    # Where it stands

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Put doors and lessons into as many columns as have room, three at most."""
        px = self.theme.look.px
        columns, wide = columns_for(self.viewport().width() - 48, px)
        for door in (self.own, self.census, self.last):
            door.setFixedWidth(wide)
        for lesson in self.lessons.values():
            lesson.fit(wide, self.theme.look)
        if columns == self._columns:
            return
        self._columns = columns
        for grid, widgets in (
            (self.doors, (self.own, self.census, self.last)),
            (self.taught_grid, tuple(self.lessons.values())),
        ):
            grid.setHorizontalSpacing(px(GAP))
            for place, widget in enumerate(widgets):
                if isinstance(widget, _Door):
                    widget.setMinimumHeight(px(HIGH))
                grid.addWidget(widget, place // columns, place % columns)
            for column in range(4):
                grid.setColumnStretch(column, column == columns)
        self.rearranged.emit()


def _pictures(
    look: tuple[bool, float, str, str], data: Dataset | None, work: Work
) -> Iterator[tuple[str, QImage | int]]:
    """The pictures of the doors."""
    dark, scale, side, ground = look
    yield "own", svg_to_image(_cells(dark, side, ground), scale)
    census = data if data is not None and data.origin == _CENSUS.key else None
    ages, counts = _ages(census or open_table(_CENSUS.key, cancelled=work.cancelled))
    yield "census", int(counts[ages > _OLD].sum())
    inks = {**palette(dark), "grey": palette(dark)["axis"], "blue": palette(dark)["accent"]}
    svg = bare_svg(_histogram(ages, counts), inks, (184, 76), ground=ground)
    yield "census", svg_to_image(svg, scale)


def _ages(data: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """How many people of the census there are of each age."""
    ages = np.arange(17, 91)
    edges = tuple(float(age) - 0.5 for age in (*ages, 91))
    return ages, data.histogram("age", edges, Where())


def _histogram(ages: np.ndarray, counts: np.ndarray) -> Figure:
    edges = np.array([*(ages - 0.5), ages[-1] + 0.5])
    parts = (("grey", counts * (ages <= _OLD)), ("blue", counts * (ages > _OLD)))
    layers = tuple(Area(ink, ink, edges=edges, heights=held, opacity=1.0) for ink, held in parts)
    return Figure("ages", "", Axis("", range=(edges[0], edges[-1])), Axis(""), layers)


def _cells(dark: bool, side: str, ground: str) -> str:
    """A table of five columns, of which one cell is a person's."""
    inks = palette(dark)
    head, cell, own = inks["text"], inks["hair"], inks["accent"]
    cells = "".join(
        f'<rect x="{18 * column}" y="{18 * row}" width="16" height="15" '
        f'fill="{head if row == 0 else own if (row, column) == (2, 2) else cell}"/>'
        for row in range(4)
        for column in range(5)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="70" viewBox="0 0 90 70">'
        f'<rect width="90" height="70" fill="{ground}"/>{cells}</svg>'
    )
