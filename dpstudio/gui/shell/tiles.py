"""Pages of tiles: a picture, what it is of, and a button that leads there."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QEnterEvent, QImage, QKeyEvent, QMouseEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout

from dpstudio.charts.figure import Figure
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.gui.board.render import svg_to_image
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Look, Theme
from dpstudio.gui.parts.tr import tr

# A tile in px at normal type; the picture is drawn larger and made smaller.
WIDE, GAP = 300, 16
PICTURE, SHRUNK = (480, 270), 0.6
_ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


def picture(figure: Figure, dark: bool, scale: float, hidden: frozenset[str]) -> QImage:
    """A chart without some of its layers, `scale` times as large as it is drawn."""
    svg = figure_svg(figure, palette(dark), *PICTURE, translate=tr, hidden=hidden)
    return svg_to_image(svg, scale)


class Tile(QFrame):
    """One thing to turn to: its `title`, a `line` of it, and a button. `wanted`: a person turns to
    it; `neared` by the pointer before."""

    wanted = Signal()
    neared = Signal()

    def __init__(self, title: str, line: str, go: str):
        super().__init__()
        self.setObjectName("card")
        self.picture, self.go = QLabel(), push(go)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.go.clicked.connect(self.wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.picture)
        column.addWidget(label(title, "title", wrap=True))
        if line:
            column.addWidget(label(line, "muted", wrap=True))
        column.addStretch()
        column.addWidget(self.go, 0, Qt.AlignmentFlag.AlignLeft)

    def keep_room(self, look: Look) -> None:
        """Room for a picture as large as the type is."""
        self.picture.setFixedHeight(look.px(round(PICTURE[1] * SHRUNK)))

    def fit(self, wide: int, look: Look) -> None:
        """Its width is that of all."""
        self.setFixedWidth(wide)

    def show_picture(self, image: QImage) -> None:
        """What was drawn of it, for the screen it is on."""
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self.picture.setPixmap(QPixmap.fromImage(image))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.neared.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self.wanted.emit()


class TilePage(QScrollArea):
    """Tiles by their names, in grids of as many columns as there is room for; arrows go between
    them. `rearranged`: tiles came."""

    rearranged = Signal()

    def __init__(self, theme: Theme):
        super().__init__()
        self.theme = theme
        self.tiles: dict[str, Any] = {}
        self._grids: list[tuple[QGridLayout, list[Any]]] = []
        self._columns = 0
        ground = QFrame()
        ground.setObjectName("sheet")
        self.column = QVBoxLayout(ground)
        self.column.setContentsMargins(24, 16, 24, 16)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(ground)

    @property
    def scale(self) -> float:
        """How large pictures are drawn for the screen."""
        return SHRUNK * self.theme.look.scale * self.devicePixelRatioF()

    def add_grid(self) -> QGridLayout:
        """Another grid, into which the tiles that come next are put."""
        grid = QGridLayout()
        grid.setSpacing(GAP)
        self._grids.append((grid, []))
        return grid

    def add_tile(self, name: str, tile: Any) -> None:
        """A tile at the end of the last grid."""
        self.tiles[name] = tile
        self._grids[-1][1].append(tile)
        tile.keep_room(self.theme.look)
        tile.go.installEventFilter(self)
        self._columns = 0

    def draw_again(self) -> None:
        """Room for pictures of another size."""
        for tile in self.tiles.values():
            tile.keep_room(self.theme.look)
        self._columns = 0
        self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def fitted(self, room: int) -> tuple[int, int]:
        """How many columns have `room` px, and how wide each is."""
        columns = max(1, room // (self.theme.look.px(WIDE) + GAP))
        return columns, (room + GAP) // columns - GAP

    def arrange(self) -> None:
        """Put the tiles where they have room."""
        room = self.viewport().width() - 48
        columns, wide = self.fitted(room)
        for tile in self.tiles.values():  # one width for all, whatever stands in them
            tile.fit(wide, self.theme.look)
        if columns == self._columns:
            return
        self._columns = columns
        for grid, tiles in self._grids:
            for place, tile in enumerate(tiles):
                grid.addWidget(tile, place // columns, place % columns)
            for column in range(max(grid.columnCount(), columns + 1)):
                grid.setColumnStretch(column, column == columns)
        self.rearranged.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            by = _ARROWS.get(Qt.Key(event.key()))
            if by is not None and isinstance(watched, QPushButton):
                self._go(watched, *by)
                return True
        return super().eventFilter(watched, event)

    def _go(self, here: QPushButton, down: int, right: int) -> None:
        """The focus to the tile beside, or above or below; beyond the last of them it stays."""
        rows = list(self._seen())
        flat = [tile for tiles in rows for tile in tiles]
        row, at = next((r, c) for r, s in enumerate(rows) for c, t in enumerate(s) if t.go is here)
        wanted = flat.index(rows[row][at]) + right
        if down and 0 <= row + down < len(rows):
            wanted = flat.index(rows[row + down][min(at, len(rows[row + down]) - 1)])
        if 0 <= wanted < len(flat):
            flat[wanted].go.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.ensureWidgetVisible(flat[wanted])

    def _seen(self) -> Iterator[list[Tile]]:
        """The tiles that are not folded away, row by row."""
        for _, tiles in self._grids:
            seen = [tile for tile in tiles if tile.isVisibleTo(self)]
            for first in range(0, len(seen), self._columns):
                yield seen[first : first + self._columns]
