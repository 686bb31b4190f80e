"""The page of the lessons: a picture of a step of each that is shipped, and its name beside it."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.assets import asset
from dpstudio.files.session import SessionError
from dpstudio.files.tables import EXAMPLES, TableError, open_table
from dpstudio.files.talk import SUFFIX, Step, Talk, read_talk
from dpstudio.files.write.bare_svg import bare_svg
from dpstudio.files.write.palette import palette
from dpstudio.gui.board.render import svg_to_image
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Look, Theme, frame_color
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.tiles import TilePage
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.labs.context import LITTLE, Context, Effort
from dpstudio.values.messages import N_, Message, say

# Small pictures need few points, but as many draws as the lesson speaks of.
EFFORT = Effort(points=LITTLE.points, replays=LITTLE.replays)
# In px at normal type: the narrowest and the widest column, between two, a picture.
LEAST, MOST, GAP, PICTURE = 280, 520, 36, (152, 112)
# How a chart is drawn without some of its layers.
Draw = Callable[[Figure, frozenset[str]], QImage]


class LessonTile(QFrame):
    """A lesson: its picture, and at the right its name as a button, a line, its steps. `wanted`: a
    person turns to it."""

    wanted = Signal()

    def __init__(self, lesson: Talk):
        super().__init__()
        name, count = tr(lesson.name), shown(say("{n} {n:step|steps}", n=len(lesson.steps)))
        self.picture = QLabel()
        self.go = push("")
        self.go.clicked.connect(self.wanted)
        self.go.setObjectName("lesson")
        self.go.setAccessibleName(shown(say("Begin {lesson}", lesson=Message(lesson.name))))
        self.go.setAccessibleDescription(tr(lesson.about))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout(self.go)
        words.setContentsMargins(4, 4, 4, 0)
        for each, style in ((name, "title"), (tr(lesson.about), "muted")):
            words.addWidget(label(each, style, wrap=True))
        words.addStretch()
        words.addWidget(label(count, "small"))
        row.addWidget(self.go, 1, Qt.AlignmentFlag.AlignTop)
        self.words = words

    def keep_room(self, look: Look) -> None:
        """It has its room by `fit`."""

    def fit(self, wide: int, look: Look) -> None:
        """Room for the picture, and for the words beside it, of which a button knows nothing."""
        across, high = map(look.px, PICTURE)
        self.setFixedWidth(wide)
        self.picture.setFixedSize(across, high)
        self.go.setFixedWidth(wide - across - 16)
        self.go.setFixedHeight(max(high, self.words.totalHeightForWidth(self.go.width())))

    def show_picture(self, image: QImage) -> None:
        """What was drawn of it, for the screen it is on."""
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self.picture.setPixmap(QPixmap.fromImage(image))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.go.click()


class LessonsPage(TilePage):
    """`chosen(Talk)`: a lesson is to begin; `new`, `other`: a talk is to be made, or opened."""

    chosen = Signal(object)
    new = Signal()
    other = Signal()

    def __init__(self, jobs: Jobs, theme: Theme):
        super().__init__(theme, jobs.channel("lessons"))
        self.drawer.value.connect(self._on_value)
        self._look: tuple[bool, float] | None = None
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
        self.column.addLayout(row)
        self.column.addSpacing(GAP // 2)
        grid = self.add_grid()
        grid.setHorizontalSpacing(GAP)
        self.column.addLayout(grid)
        self.column.addStretch(1)

    @property
    def scale(self) -> float:
        return self.theme.look.scale * self.devicePixelRatioF()

    def fitted(self, room: int) -> tuple[int, int]:
        return columns_for(room, self.theme.look.px)

    def begin(self, data: Dataset | None) -> None:
        """The page is opened: read the lessons and draw their pictures, once for a look. `data` is
        the table that is open, which need not be read again."""
        dark, scale = self.theme.look.dark, self.scale
        if (dark, scale) != self._look:
            self._look = (dark, scale)
            self.draw_again()
            side = frame_color(self.theme.look, "side").name()
            work = partial(lessons, asset("lessons"), partial(drawn, dark, scale, side), data)
            self.drawer.submit(work, cancel=True)

    def _on_value(self, found: tuple[str, Talk | QImage]) -> None:
        name, value = found
        if isinstance(value, QImage):
            self.tiles[name].show_picture(value)
        elif name not in self.tiles:
            self._add(name, value)

    def _add(self, name: str, lesson: Talk) -> None:
        tile = LessonTile(lesson)
        tile.wanted.connect(partial(self.chosen.emit, lesson))
        self.add_tile(name, tile)
        self.arrange()


def columns_for(room: int, px: Callable[[float], int]) -> tuple[int, int]:
    """How many columns have `room` px, three at most, and how wide each is."""
    gap = px(GAP)
    columns = min(3, max(1, (room + gap) // (px(LEAST) + gap)))
    return columns, min(px(MOST), (room + gap) // columns - gap)


def lessons(
    folder: Path, draw: Draw, data: Dataset | None, work: Work, most: int | None = None
) -> Iterator[tuple[str, Talk | QImage]]:
    """The first lessons by the names of their files, then a picture of each that can be drawn."""
    found = dict[str, Talk]()
    for path in sorted(folder.glob("*" + SUFFIX))[:most]:
        try:
            found[path.name] = read_talk(path)
        except SessionError:
            continue  # a broken file of another version, beside those that are shipped
        yield path.name, found[path.name]
    tables = {data.origin: data} if data is not None else {}
    for name, lesson in found.items():
        if lesson.steps and not work.cancelled():
            step = _pictured(lesson)
            figure = _figure(step, tables, work)
            if figure is not None:
                yield name, draw(figure, frozenset(step.hidden.get(figure.key, ())))


def _pictured(lesson: Talk) -> Step:
    """The first step; but where that asks, one whose chart does not tell the answer, if any."""
    first, *others = lesson.steps
    if first.ask is None:
        return first
    return next((s for s in others if s.ask is None and s.chart != first.chart), first)


def drawn(dark: bool, scale: float, side: str, figure: Figure, hidden: frozenset[str]) -> QImage:
    """The small picture of a chart, on the ground `side`."""
    svg = bare_svg(figure, palette(dark), PICTURE, ground=side, hidden=hidden)
    return svg_to_image(svg, scale)


def _figure(step: Step, tables: dict[str, Dataset], work: Work) -> Figure | None:
    """The chart of a step; None where there is none, as of a table that is not there."""
    try:
        if step.table not in tables and (step.table or not tables):
            tables[step.table] = open_table(step.table or EXAMPLES[0].key, cancelled=work.cancelled)
        data = tables.get(step.table) or next(iter(tables.values()))
        data = data.described(step.codebook) if step.table else data
        parts = list(step.lab.run(Context(data, effort=EFFORT, cancelled=work.cancelled)))
    except TableError:
        return None
    figures = {figure.key: figure for figure in parts[-1].figures} if parts else {}
    return figures.get(step.chart) or next(iter(figures.values()), None)
