"""The window: top bar, pages, panel, strip and charts. What stands in them is brought by the studio
within it, of which it only knows what it asks of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QFontMetrics,
    QKeyEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpstudio.gui.board.board import Board
from dpstudio.gui.board.headline import Headline
from dpstudio.gui.board.strip import Strip
from dpstudio.gui.parts.theme import Look, Theme, style_sheet
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.parts.widgets import label
from dpstudio.gui.shell.message import MessageBar
from dpstudio.gui.shell.topbar import TopBar
from dpstudio.gui.state.settings import Settings
from dpstudio.values.messages import N_

PANEL = 320


class Within(Protocol):
    """What the window asks of the studio within it."""

    def dress(self, look: Look) -> None:
        """Take another look."""

    def show_lab(self) -> None:
        """Turn to the page of the lab, as a chart of it is to be presented."""

    def nudge_budget(self, steps: int) -> None:
        """An arrow key was pressed while a chart is presented."""

    def open(self, where: str) -> None:
        """A file was dropped."""

    def look_at_file(self) -> None:
        """The window came forward: the file may be another by now."""

    def close(self) -> None:
        """The window closes."""


class Window(QMainWindow):
    """Shown at once with empty cards; right after the first paint `begin` makes the studio (labs,
    table, charts) within it."""

    def __init__(self, theme: Theme, kept: Settings, begin: Callable[[Window], Within]):
        super().__init__()
        self.theme, self.kept, self._begin = theme, kept, begin
        self.studio: Within | None = None
        self.presenting = False
        self._painted = False
        self.setWindowTitle("dpstudio")
        self.setAcceptDrops(True)
        self.resize(1440, 900)
        self.setMinimumSize(900, 600)
        self.top = TopBar(self)
        self.nav = QFrame()
        self.nav.setObjectName("nav")
        # In a low window, or at large type, the names of the pages scroll.
        self.nav_scroll = QScrollArea()
        self.nav_scroll.setWidgetResizable(True)
        self.nav_scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.nav_scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.nav_scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        names = QWidget()
        self.nav_layout = QVBoxLayout(names)
        self.nav_layout.setContentsMargins(8, 12, 8, 12)
        self.nav_layout.setSpacing(2)
        self.nav_scroll.setWidget(names)
        within = QVBoxLayout(self.nav)
        within.setContentsMargins(0, 0, 0, 0)
        within.addWidget(self.nav_scroll)
        self.message = MessageBar()
        self.strip = Strip()
        self.headline = Headline()
        self.board = Board(theme.look)
        self.board.setObjectName("ground")
        self.panel = QScrollArea()
        self.panel.setWidgetResizable(True)
        self.panel.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.panel.setFrameShape(QFrame.Shape.NoFrame)
        self.panel.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lay_out()
        theme.changed.connect(self._dress)
        self._dress(theme.look)
        if kept.geometry is not None:
            self.restoreGeometry(kept.geometry)

    def _lay_out(self) -> None:
        ground = QWidget()
        ground.setObjectName("ground")
        self.setCentralWidget(ground)
        outer = QVBoxLayout(ground)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.top)
        row = QHBoxLayout()
        row.setSpacing(0)
        outer.addLayout(row, 1)
        row.addWidget(self.nav)
        self.middle = QVBoxLayout()
        self.middle.setContentsMargins(12, 12, 12, 12)
        self.middle.setSpacing(10)
        row.addLayout(self.middle, 1)
        self.middle.addWidget(self.message)
        self.lab_page = QWidget()
        lab = QHBoxLayout(self.lab_page)
        lab.setContentsMargins(0, 0, 0, 0)
        lab.setSpacing(10)
        lab.addWidget(self.panel)
        charts = QVBoxLayout()
        charts.setSpacing(10)
        self.stopped = label("", "title", wrap=True)
        self.stopped.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stopped.hide()
        charts.addWidget(self.strip)
        charts.addWidget(self.headline)
        charts.addWidget(self.stopped)
        charts.addWidget(self.board, 1)
        lab.addLayout(charts, 1)
        self.middle.addWidget(self.lab_page, 1)

    def _dress(self, look: Look) -> None:
        self.panel.setFixedWidth(look.px(PANEL))
        self.fit_nav()
        self._dress_board(look)
        if self.studio is not None:
            self.studio.dress(look)

    def fit_nav(self) -> None:
        """Room for the names of the pages, the longest of which is bold when it is chosen."""
        look, words = self.theme.look, QFontMetrics(self.theme.look.font(13, 600))
        names = [words.horizontalAdvance(b.text()) for b in self.nav.findChildren(QPushButton)]
        self.nav.setFixedWidth(max([look.px(94), *(name + look.px(24) + 20 for name in names)]))

    def _dress_board(self, look: Look) -> None:
        """The charts at the size of the type, or at double size while one fills the window."""
        # A style sheet for these alone: dressing the whole application anew takes a tenth of a
        # second.
        big = replace(look, scale=min(2.6, 2 * look.scale)) if self.presenting else look
        sheet = style_sheet(big) if self.presenting else ""
        # Sentences need not be as large as titles, and must leave the room to the chart.
        said = (
            style_sheet(replace(look, scale=min(2.0, 1.6 * look.scale))) if self.presenting else ""
        )
        for part, dress in ((self.board, sheet), (self.headline, said)):
            if part.styleSheet() != dress:
                part.setStyleSheet(dress)
        self.board.dress(big)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self.begin)

    def begin(self) -> None:
        """Make what the first paint did not wait for."""
        if self.studio is None:
            self.studio = self._begin(self)

    # Presenting: one chart fills the window at double type

    def present(self, place: int | None = None) -> None:
        """Let one chart fill the window at double type, or go back."""
        if self.presenting:
            self.leave_presenting()
            return
        if self.studio is not None:
            self.studio.show_lab()
        place = self.board.focused() if place is None else place
        self.presenting = True
        for widget in (self.top, self.nav, self.panel):
            widget.hide()
        self.show_around()
        self.board.fill(place)
        self._dress_board(self.theme.look)

    def leave_presenting(self) -> None:
        if not self.presenting:
            return
        self.presenting = False
        for widget in (self.top, self.nav, self.panel):
            widget.show()
        self.show_around()
        self.board.fill(None)
        self._dress_board(self.theme.look)

    def show_around(self) -> None:
        """What stands above the charts, where it has something to say; above one that is presented
        only the headline."""
        for part in (self.strip, self.headline):
            seen = (
                self.stopped.isHidden()
                and not part.empty
                and not (self.presenting and part is self.strip)
            )
            if part.isHidden() == seen:
                part.setVisible(seen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.presenting and key == Qt.Key.Key_Escape:
            self.leave_presenting()
        elif self.presenting and key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.board.turn(1 if key == Qt.Key.Key_PageDown else -1)
        elif (
            self.presenting
            and key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            and self.studio is not None
        ):
            self.studio.nudge_budget(1 if key == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)

    # Files dropped on the window

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths and self.studio is not None:
            self.studio.open(paths[0])
            event.acceptProposedAction()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and self.isMinimized():
            self.board.stop()
        if (
            event.type() == QEvent.Type.ActivationChange
            and self.isActiveWindow()
            and self.studio is not None
        ):
            self.studio.look_at_file()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.leave_presenting()
        look = self.theme.look
        self.kept.keep_window(self.saveGeometry(), look.dark, look.scale)
        self.board.stop()
        if self.studio is not None:
            self.studio.close()
        super().closeEvent(event)

    def say(self, text: str, action: str = "", act: Any = None, tone: str = "bad") -> None:
        """A sentence in the bar, with a next step."""
        self.message.say(text, action, act, tone)

    def title(self, table: str, session: str = "", changed: bool = False) -> None:
        name = f"{session or table}{' •' if changed else ''}"
        self.setWindowTitle(tr(N_("{name} — dpstudio")).format(name=name))
