"""The page of the lessons: a picture of a step of each that is shipped, and its name beside it."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from dpstudio.files.assets import asset
from dpstudio.files.session import SessionError
from dpstudio.files.talk import SUFFIX, Talk, read_talk
from dpstudio.gui.board.render import svg_to_image
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Look, Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.tiles import TilePage
from dpstudio.values.messages import N_, Message, say

# In px at normal type: the narrowest and the widest column, between two, a picture.
LEAST, MOST, GAP, PICTURE = 280, 520, 36, (152, 112)
_TWICE = re.compile(r"(#[0-9a-f]{6})\|(#[0-9a-f]{6})")


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

    def __init__(self, theme: Theme):
        super().__init__(theme)
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

    def begin(self) -> None:
        """The page is opened: read the lessons and their pictures, once for a look."""
        dark, scale = self.theme.look.dark, self.scale
        if (dark, scale) != self._look:
            self._look = (dark, scale)
            self.draw_again()
            for name, lesson in lessons():
                if name not in self.tiles:
                    self._add(name, lesson)
                self.tiles[name].show_picture(pictured(name, dark, scale))

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


def lessons(most: int | None = None) -> Iterator[tuple[str, Talk]]:
    """The first lessons by the names of their files."""
    for path in sorted(asset("lessons").glob("*" + SUFFIX))[:most]:
        with suppress(SessionError):  # a broken file of another version, beside those shipped
            yield path.name, read_talk(path)


def pictured(name: str, dark: bool, scale: float) -> QImage:
    """The small picture that was drawn of a lesson when it was packaged; an empty image where none
    was. Each colour stands there twice: light and dark."""
    path = (asset("lessons") / "pictures" / name).with_suffix(".svg")
    if not path.exists():
        return QImage()
    svg = _TWICE.sub(rf"\{1 + dark}", path.read_text(encoding="utf-8"))
    return svg_to_image(svg, scale)
