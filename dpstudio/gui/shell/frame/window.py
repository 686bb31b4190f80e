"""The window: top bar, pages, panel, strip and charts. What stands in them is brought by the studio
within it, of which it only knows what it asks of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSize, Qt, QThreadPool, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from dpstudio.gui.board import board, headline, strip
from dpstudio.gui.board.overlays import StoppedOverlay, WorkingOverlay
from dpstudio.gui.parts.layout_pass import LayoutPass
from dpstudio.gui.parts.overlay_bar import OVERLAY
from dpstudio.gui.parts.style_sheets import StyleSheets
from dpstudio.gui.parts.theme import Look, Theme, style_sheet
from dpstudio.gui.parts.tr import shown
from dpstudio.gui.parts.turn_keys import PAGES, TURNS
from dpstudio.gui.shell.frame import (
    message,
    nav_column,
    page_line,
    question,
    rail,
    splitter,
    topbar,
    waiting,
)
from dpstudio.gui.shell.frame.studio_protocol import StudioProtocol
from dpstudio.gui.state.settings import Settings
from dpstudio.values.messages import say

if TYPE_CHECKING:
    from dpstudio.gui.shell.frame.presenting import PresentingFrame

# A new window, which with its title bar is no larger than its screen. That bar is the desktop's, of
# about this height; only to ask a style for a guess makes all names of QStyle, some 6 ms.
NEW, TITLE_BAR = QSize(1440, 900), 28
# The width of the panel at normal type, in px, and the share of the window that it never exceeds.
PANEL, PANEL_MOST = 266, 0.2915
_NARROW = 1100  # px at normal type below which the navigation is a rail
# Around the page, whose words begin and end 2 px further in: what has the focus wears a ring there.
# At the right there is room for a scroll bar besides.
SHEET = (22, 12, 10, 0)
# The height in px at which a chart that is presented has type of normal size, and how much larger
# it may be chosen: the words of its sentence grow no more, and the plot needs its room.
PRESENTED, LARGER = 440, 1.15


class Window(LayoutPass):
    """Shown at once with empty cards; after the first paint `prepare` brings in the background what
    `begin` makes the studio of. `prepared`: it is there; `presented`: a chart fills the window now,
    or none any more; `resized`."""

    prepared = Signal()
    presented = Signal()
    resized = Signal()

    def __init__(
        self,
        theme: Theme,
        kept: Settings,
        prepare: Callable[[Window], None],
        begin: Callable[[Window], StudioProtocol],
    ):
        super().__init__()
        self.theme, self.kept, self._prepare, self._begin = theme, kept, prepare, begin
        self.pool = QThreadPool(self)
        self.prepared.connect(self.begin)
        self.studio: StudioProtocol | None = None
        self.presenting = False  # true full screen: one chart, its sentence, and ε
        self.apart = False  # a page has a frame of its own
        self._painted = self._closed = False
        self.style_sheets = StyleSheets(self, style_sheet(theme.look))
        self.setWindowTitle("dpstudio")
        self.setAcceptDrops(True)
        self.resize(NEW.boundedTo(self.screen().availableSize() - QSize(0, TITLE_BAR)))
        self.setMinimumSize(900, 600)
        self.top = topbar.TopBar(self)
        self.nav = nav_column.NavColumn()
        self.rail = rail.Rail(self.nav, theme)
        self.message, self.question = message.MessageBar(), question.QuestionBar()
        self.presented.connect(lambda: self.message.put_aside(self.presenting))
        self.presented.connect(lambda: self.question.put_aside(self.presenting))
        self.strip = strip.Strip()
        self.page_line = page_line.PageLine(self.strip.more, self.strip.new)
        self.headline = headline.Headline()
        self.board = board.Board(theme.look)
        self.board.setObjectName("plain")
        self._unfold(kept.unfolded)
        self.strip.folded.connect(self._on_fold)
        self.board.folded.connect(self._on_fold)
        self.board.lowered.connect(self._on_low)
        self.panel = QWidget()
        self.panel_column = QVBoxLayout(self.panel)
        self.panel_column.setContentsMargins(0, 0, 0, 0)
        self._need = 0
        self._before = Qt.WindowState.WindowNoState
        self._lay_out()
        theme.changed.connect(self._dress)
        self._fit()
        if kept.geometry is not None:
            self.restoreGeometry(kept.geometry)

    def _lay_out(self) -> None:
        ground = QWidget()
        self.setCentralWidget(ground)
        self.outer = outer = QVBoxLayout(ground)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.top)
        self.row = row = QHBoxLayout()
        row.setSpacing(0)
        outer.addLayout(row, 1)
        row.addWidget(self.rail)
        row.addWidget(self.nav)
        pages = QWidget()
        self.middle = QVBoxLayout(pages)
        self.middle.setContentsMargins(0, 0, 0, 0)
        self.middle.setSpacing(0)
        row.addWidget(pages, 1)
        # The board is at least as wide as it must be; its side may be drawn wider.
        self.lab_page = splitter.SideSplitter(self.theme)
        self.lab_page.addWidget(self.panel)
        self.sheet = QFrame()
        self.sheet.setObjectName("sheet")
        self.charts = charts = QVBoxLayout(self.sheet)
        charts.setContentsMargins(*SHEET)
        charts.setSpacing(2)
        charts.addWidget(self.page_line)
        self.board.head.column.addWidget(self.headline)
        self.board.head.column.addWidget(self.strip)
        self.board.foot.end_with(self.strip.numbers)
        charts.addWidget(self.board, 1)
        charts.addStretch()  # where there is no board, what stands above it stays there
        self.stopped, self.working = StoppedOverlay(self.sheet), WorkingOverlay(self.sheet)
        self.lab_page.addWidget(self.sheet)
        self.lab_page.setStretchFactor(1, 1)
        self.lab_page.splitterMoved.connect(self._keep_panel)
        self.middle.addWidget(self.lab_page, 1)
        self.bars = waiting.Bars(pages, self.sheet, self.question, self.message)
        self.bars.covering.connect(self.board.cover)
        # The panels, which lie in `panel`, are parts of their own.
        border = self.lab_page.handle(1)
        self.style_sheets.add(
            self.top, self.rail, self.nav, self.question, self.message, border, self.sheet
        )

    def keep_foot(self, high: int) -> None:
        """Keep so much at the foot of the page for a bar that would lie over the charts; the first
        of them is as high as without it."""
        self.board.under = high
        if not self.presenting:
            left, top, right, _ = SHEET
            self.charts.setContentsMargins(left, top, right, high)

    def _unfold(self, held: list[tuple[str, str]]) -> None:
        """Show what a person had asked to see: of a lab what waits, and of all labs every number
        (which stands there without a lab)."""
        self.board.opened = {(lab, key) for lab, key in held if lab}
        self.strip.unfold(bool([key for lab, key in held if not lab]))
        self.headline.unfold(self.strip.whole)

    def _on_fold(self) -> None:
        self.headline.unfold(self.strip.said)
        self.board.head.give_back()
        self.show_around()
        self.board.note(self.strip.whole)
        self.kept.keep_unfolded([*sorted(self.board.opened), *[("", "all")] * self.strip.whole])

    def _on_low(self, low: bool) -> None:
        """In a low window numbers stand below the charts, where they are asked for."""
        notes = self.board.notes.layout()
        assert notes is not None
        (notes if low else self.board.head.column).addWidget(self.strip)
        self.strip.give_way(low)
        self.headline.give_way(low)
        self.headline.unfold(self.strip.said)
        self.show_around()

    def _dress(self, look: Look) -> None:
        within = [] if self.studio is None else [partial(self.studio.dress, look)]
        self.style_sheets.change(style_sheet(look), self._fit, *within)

    def _fit(self) -> None:
        self.fit_nav()
        self.fit_panel(self._need)
        self._dress_board()

    def fit_panel(self, need: int) -> None:
        """The panel as wide as it was drawn, at most its share of the window, but not so narrow
        that something in it would be cut."""
        self._need = need
        most = max(need, int(PANEL_MOST * self.width()))
        wanted = min(most, max(need, self.theme.look.px(self.kept.panel or PANEL)))
        self.panel.setMinimumWidth(need)
        self.panel.setMaximumWidth(most)
        self.lab_page.setSizes([wanted, max(1, self.lab_page.width() - wanted)])

    def _keep_panel(self) -> None:
        self.kept.keep_panel(round(self.panel.width() / self.theme.look.scale))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.theme.grow(event.size().height())
        if self.presenting and event.size() != event.oldSize():
            self._dress_board()
            self._point()
        if self._wide(event.size().width()) != self._wide(event.oldSize().width()):
            self.fit_nav()
        self.fit_panel(self._need)
        self.resized.emit()

    def fit_nav(self) -> None:
        """Room for the names of the pages and of their groups; in a small window for the rail from
        which these open."""
        wide, bare = self._wide(self.width()), self.presenting or self.apart
        if bare:
            self.rail.shut()
        if wide == (self.row.indexOf(self.nav) < 0):
            self.rail.shut()
            if wide:
                self.row.insertWidget(1, self.nav)
            else:
                self.row.removeWidget(self.nav)
        self.rail.setVisible(not (wide or bare))
        self.nav.setVisible((wide or self.rail.open) and not bare)
        if wide:
            px = self.theme.look.px
            self.nav.setFixedWidth(max(px(152) + 16, self.nav.need()) + px(8))
        elif self.rail.open:
            self.rail.place()

    def set_apart(self, apart: bool) -> None:
        """Whether the page has a frame of its own: then neither the top bar nor the names of other
        pages are there."""
        if apart != self.apart:
            self.apart = apart
            self.top.setVisible(not (apart or self.presenting))
            self.fit_nav()

    def _wide(self, width: int) -> bool:
        """Whether the navigation stands beside the page."""
        return width >= self.theme.look.px(_NARROW)

    def _dress_board(self, *place: int | None) -> None:
        """The charts at the size of the type, or by the height of the screen while one fills it;
        the one at a `place` does from now on, and none at None."""
        look, sheet = self.theme.look, ""
        big = look
        if self.presenting:
            # What was chosen enlarges the chart; what stands around it is as large as the screen
            # bears, and more of it would leave the chart no room.
            scale = self.height() / PRESENTED * min(LARGER, self.theme.chosen)
            big = replace(look, scale=scale, stage=True)
            # For the one chart alone, which nothing need set off: to dress all would be felt.
            sheet = style_sheet(big)
            margin = self._stage().dress(look, self.width(), self.height())
            left = margin - board.EDGE  # of the words, and so at the right
            self.charts.setContentsMargins(left, 0, left - OVERLAY, 0)
        self.stopped.setStyleSheet(sheet)
        (partial(self.board.fill, place[0]) if place else self.board.dress)(big, sheet)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, partial(self._prepare, self))

    def begin(self) -> None:
        """Make what the first paint did not wait for."""
        if self.studio is None and not self._closed:
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
        self._before = self.windowState()
        stage = self._stage()
        self.charts.insertWidget(0, stage.header)
        self.outer.addWidget(stage.foot)
        for widget in (self.top, self.panel, self.page_line):
            widget.hide()
        self.fit_nav()
        self.show_around()
        stage.header.show()
        stage.foot.show()
        self.showFullScreen()
        self._dress_board(place)
        self._point()
        self.presented.emit()

    def _stage(self) -> PresentingFrame:
        assert self.studio is not None
        return self.studio.stage()

    def _point(self) -> None:
        """A pointer that is seen from afar, while a chart is presented."""
        if self.presenting:
            from dpstudio.gui.shell.frame.presenting import pointer

            self.board.setCursor(pointer(replace(self.theme.look, scale=self.height() / PRESENTED)))
        else:
            self.board.unsetCursor()

    def leave_presenting(self) -> None:
        if not self.presenting:
            return
        self.presenting = False
        self.setWindowState(self._before)
        self._point()
        self._stage().foot.lock.setChecked(False)  # what holds them is not to be seen any more
        self._stage().header.hide()
        self._stage().foot.hide()
        self._stage().header.take(None)
        self.charts.setContentsMargins(*SHEET)
        for widget in (self.top, self.panel, self.page_line):
            widget.show()
        self.fit_nav()  # it may have been given other type just now
        self.show_around()
        self._dress_board(None)
        self.presented.emit()

    def show_around(self) -> None:
        """What stands above the charts, where it has something to say; above one that is presented
        its own sentence does."""
        for part in (self.strip, self.headline):
            seen = not part.empty and not self.presenting
            if part.isHidden() == seen:
                part.setVisible(seen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.presenting and key == Qt.Key.Key_Escape:
            self.leave_presenting()
        elif self.presenting and key == Qt.Key.Key_L:
            self._stage().foot.lock.toggle()
        elif by := TURNS.get(key, 0) if self.presenting else PAGES.get(key, 0):
            if not (self.studio is not None and self.studio.turn(by)) and self.presenting:
                self.board.turn(by)
        elif (
            self.presenting and key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.studio is not None
        ):
            self.studio.nudge_budget(1 if key == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, onwards: bool) -> bool:
        # Nobody sees the order before: to keep it at every change would be felt.
        if self.studio is not None:
            self.studio.tidy_tabs()
        return super().focusNextPrevChild(onwards)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths and self.studio is not None:
            from dpstudio.gui.table.dropped import one_of  # the first paint does not wait for it

            beside = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            one_of(paths, partial(self.studio.open, beside=beside), self.say)
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
        if self.studio is not None and not self.studio.may_close():
            event.ignore()
            return
        self.pool.waitForDone()
        self.style_sheets.finish()
        self.kept.keep_window(self.saveGeometry(), self.theme.look.dark, self.theme.chosen)
        self._closed = True
        self.board.stop()
        if self.studio is not None:
            self.studio.close()
        super().closeEvent(event)

    def say(self, text: str, action: str = "", act: Any = None, tone: str = "bad") -> None:
        """A sentence in the bar, with a next step."""
        self.message.say(text, action, act, tone)

    def title(self, table: str, session: str = "", changed: bool = False) -> None:
        name = f"{session or table}{' •' if changed else ''}"
        self.setWindowTitle(shown(say("{name} — dpstudio", name=name)))
