"""The page of the lessons: a card for each that is shipped, with a picture of a step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.assets import asset
from dpstudio.files.session import SessionError
from dpstudio.files.tables import EXAMPLES, TableError, open_table
from dpstudio.files.talk import SUFFIX, Step, Talk, read_talk
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.gui.board.render import svg_to_image
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Look, Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.labs.context import LITTLE, Context, Effort
from dpstudio.values.messages import N_, say

# A card in px at normal type; the picture is drawn larger and made smaller.
WIDE, GAP = 300, 16
PICTURE, SHRUNK = (480, 270), 0.6
# Small pictures need few points, but as many draws as the lesson speaks of.
EFFORT = Effort(points=LITTLE.points, replays=LITTLE.replays)


class LessonCard(QFrame):
    """One lesson. `begun(Talk)`: a person wants it."""

    begun = Signal(object)

    def __init__(self, lesson: Talk):
        super().__init__()
        self.setObjectName("card")
        self.lesson = lesson
        self.picture, self.go = QLabel(), push(tr(N_("Begin")))
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.go.setAccessibleName(shown(say("Begin {lesson}", lesson=tr(lesson.name))))
        self.go.clicked.connect(partial(self.begun.emit, lesson))
        count = label(shown(say("{n} steps", n=len(lesson.steps))), "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.picture)
        column.addWidget(label(tr(lesson.name), "title", wrap=True))
        column.addWidget(label(tr(lesson.about), "muted", wrap=True))
        column.addStretch()
        column.addWidget(count)
        column.addWidget(self.go, 0, Qt.AlignmentFlag.AlignLeft)

    def keep_room(self, look: Look) -> None:
        """Room for a picture as large as the type is."""
        self.picture.setFixedHeight(look.px(round(PICTURE[1] * SHRUNK)))

    def show_picture(self, image: QImage) -> None:
        """The picture of its first step has been drawn, for the screen it is on."""
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self.picture.setPixmap(QPixmap.fromImage(image))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self.begun.emit(self.lesson)


class LessonsPage(QScrollArea):
    """`chosen(Talk)`: a lesson is to begin; `new`, `other`: a talk is to be made, or opened;
    `rearranged`: cards came."""

    chosen = Signal(object)
    new = Signal()
    other = Signal()
    rearranged = Signal()

    def __init__(self, jobs: Jobs, theme: Theme):
        super().__init__()
        self.theme = theme
        self.cards: dict[str, LessonCard] = {}
        self.drawer = jobs.channel("lessons")
        self.drawer.value.connect(self._on_value)
        self._look: tuple[bool, float] | None = None
        self._columns = 0
        self.ground = QFrame()
        self.ground.setObjectName("sheet")
        self.grid = QGridLayout()
        self.grid.setSpacing(GAP)
        column = QVBoxLayout(self.ground)
        column.setContentsMargins(24, 16, 24, 16)
        row, words = QHBoxLayout(), QVBoxLayout()
        words.addWidget(label(tr(N_("Lessons")), "headline"))
        words.addWidget(
            label(tr(N_("Each points, asks, and then shows. Your own work waits.")), "muted", True)
        )
        row.addLayout(words, 1)
        self.make = push(tr(N_("Make a talk or lesson")))
        self.open = push(tr(N_("Open one …")))
        self.make.clicked.connect(self.new)
        self.open.clicked.connect(self.other)
        row.addWidget(self.make)
        row.addWidget(self.open)
        column.addLayout(row)
        column.addLayout(self.grid)
        column.addStretch()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self.ground)

    def begin(self, data: Dataset | None) -> None:
        """The page is opened: read the lessons and draw their pictures, once for a look. `data` is
        the table that is open, which need not be read again."""
        look = self.theme.look
        scale = SHRUNK * look.scale * self.devicePixelRatioF()
        if (look.dark, scale) != self._look:
            self._look, self._columns = (look.dark, scale), 0
            for card in self.cards.values():
                card.keep_room(look)
            self._arrange()
            work = partial(_lessons, asset("lessons"), look.dark, scale, data)
            self.drawer.submit(work, cancel=True)

    def _on_value(self, found: tuple[str, Talk | QImage]) -> None:
        name, value = found
        if isinstance(value, QImage):
            self.cards[name].show_picture(value)
        elif name not in self.cards:
            card = self.cards[name] = LessonCard(value)
            card.begun.connect(self.chosen)
            card.keep_room(self.theme.look)
            self._columns = 0
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        room = self.viewport().width() - 48
        columns = max(1, room // (self.theme.look.px(WIDE) + GAP))
        if columns == self._columns:
            return
        self._columns = columns
        for place, card in enumerate(self.cards.values()):
            self.grid.addWidget(card, place // columns, place % columns)
        for column in range(self.grid.columnCount()):
            self.grid.setColumnStretch(column, column < columns)
        self.rearranged.emit()


def _lessons(
    folder: Path, dark: bool, scale: float, data: Dataset | None, work: Work
) -> Iterator[tuple[str, Talk | QImage]]:
    """The lessons by the names of their files, then a picture of each that can be drawn."""
    found = dict[str, Talk]()
    for path in sorted(folder.glob("*" + SUFFIX)):
        try:
            found[path.name] = read_talk(path)
        except SessionError:
            continue  # a broken file of another version, beside those that are shipped
        yield path.name, found[path.name]
    tables = {data.origin: data} if data is not None else {}
    for name, lesson in found.items():
        if lesson.steps and not work.cancelled():
            image = _picture(_pictured(lesson), dark, scale, tables, work)
            if image is not None:
                yield name, image


def _pictured(lesson: Talk) -> Step:
    """The first step; but where that asks, one whose chart does not tell the answer, if any."""
    first, *others = lesson.steps
    if first.ask is None:
        return first
    return next((s for s in others if s.ask is None and s.chart != first.chart), first)


def _picture(
    step: Step, dark: bool, scale: float, tables: dict[str, Dataset], work: Work
) -> QImage | None:
    """The chart of a step, `scale` times as large as it is drawn; None where there is none, as of a
    table that is not there."""
    figure = _figure(step, tables, work)
    if figure is None:
        return None
    hidden = frozenset(step.hidden.get(figure.key, ()))
    svg = figure_svg(figure, palette(dark), *PICTURE, translate=tr, hidden=hidden)
    return svg_to_image(svg, scale)


def _figure(step: Step, tables: dict[str, Dataset], work: Work) -> Figure | None:
    try:
        if step.table not in tables and (step.table or not tables):
            tables[step.table] = open_table(step.table or EXAMPLES[0].key, cancelled=work.cancelled)
        data = tables.get(step.table) or next(iter(tables.values()))
        data = data.described(step.codebook)
        parts = list(step.lab.run(Context(data, effort=EFFORT, cancelled=work.cancelled)))
    except TableError:
        return None
    figures = {figure.key: figure for figure in parts[-1].figures} if parts else {}
    return figures.get(step.chart) or next(iter(figures.values()), None)
