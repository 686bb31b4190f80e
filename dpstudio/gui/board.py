"""The charts of a lab: cards in a grid, one of which can fill the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from dpstudio.core.wording import N_
from dpstudio.gui.theme import Look
from dpstudio.gui.tr import shown, tr
from dpstudio.gui.widgets import Elided, label, restyle

if TYPE_CHECKING:
    from dpstudio.core.figure import Figure
    from dpstudio.gui.plotview import PlotView

PLAY_MS = 600


class ChartCard(QFrame):
    """One chart with its title, its menu and, where there are answers to replay, play and step."""

    dragged = Signal(str, float, bool)
    nudged = Signal(str, int)
    wanted = Signal(str, str)
    stepped = Signal()
    played = Signal(bool)

    def __init__(self, look: Look):
        super().__init__()
        self.setObjectName("card")
        self.look = look
        self.figure: Figure | None = None
        self.view: PlotView | None = None
        self.replays = 0
        self.title, self.subtitle = label("", "title"), Elided("subtitle")
        self.play, self.step = QPushButton("▶"), QPushButton(tr(N_("Step")))
        self.play.setCheckable(True)
        self.play.setToolTip(tr(N_("Play: one simulated answer after the other")))
        self.play.setAccessibleName(tr(N_("Play")))
        self.step.setToolTip(tr(N_("The next simulated answer")))
        self.play.toggled.connect(self._on_play)
        self.step.clicked.connect(self.stepped)
        self.menu_button = QToolButton()
        self.menu_button.setText("⋯")
        self.menu_button.setAccessibleName(tr(N_("Chart menu")))
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.menu_button.setMenu(self.menu)
        for button in (self.play, self.step, self.menu_button):
            button.setObjectName("quiet")
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.subtitle, 1)
        for button in (self.play, self.step, self.menu_button):
            head.addWidget(button)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(14, 8, 8, 4)
        self.body.setSpacing(2)
        self.body.addLayout(head)
        self.body.addStretch(1)
        self._words = ""
        self._hidden: frozenset[str] = frozenset()

    def show_figure(self, figure: Figure) -> None:
        self.figure = figure
        self.make_view()
        assert self.view is not None
        if self.view.isHidden():
            self.view.show()
        title = shown(figure.title)
        if title != self.title.text():
            self.title.setText(title)
        self._words = shown(figure.subtitle)
        self._subtitle("")
        replayed = figure.key == "published" and self.replays > 1
        if self.play.isVisibleTo(self) != replayed:
            self.play.setChecked(False)
            self.play.setVisible(replayed)
            self.step.setVisible(replayed)
        self.view.setAccessibleName(title)
        self.view.show_figure(figure)

    def make_view(self) -> None:
        """Make the plot, hidden until it has a figure; does nothing the second time."""
        if self.view is not None:
            return
        from dpstudio.gui.plotview import PlotView  # pyqtgraph is imported after the window is on the screen

        self.view = PlotView(self.look)
        self.view.hidden = self._hidden
        self.view.dragged.connect(self.dragged)
        self.view.nudged.connect(self.nudged)
        self.view.read.connect(self._subtitle)
        self.view.zoomed_in.connect(lambda _: self._subtitle(""))
        self.view.installEventFilter(self)
        self.body.takeAt(1)
        self.body.addWidget(self.view, 1)
        self.view.hide()

    def _subtitle(self, reading: str) -> None:
        """What lies under the pointer, else what the chart shows, and how to leave a zoom."""
        zoomed = self.view is not None and self.view.zoomed
        self.subtitle.show_text(reading or (tr(N_("zoomed: double-click shows the whole axis")) if zoomed else self._words))

    def dress(self, look: Look) -> None:
        if look == self.look:
            return
        self.look = look
        if self.view is not None:
            self.view.dress(look)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            restyle(self, focused=event.type() == QEvent.Type.FocusIn)
        if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Space and self.play.isVisible():  # type: ignore[attr-defined]
            self.play.toggle()
            return True
        return False

    def _on_play(self, playing: bool) -> None:
        self.play.setText("❚❚" if playing else "▶")
        self.play.setAccessibleName(tr(N_("Pause")) if playing else tr(N_("Play")))
        self.played.emit(playing)

    def _fill_menu(self) -> None:
        self.menu.clear()
        if self.figure is None or self.view is None:
            return
        for text, what in (
            (N_("Fill the window"), "present"), (N_("Copy picture"), "copy"), (N_("Copy data"), "copy-data"), (N_("Save as PNG …"), "png"),
            (N_("Save as SVG …"), "svg"), (N_("Save as PDF …"), "pdf"),
            (N_("Save as CSV …"), "csv"), (N_("Save without the exact answer …"), "without"),
        ):  # fmt: skip
            self._act(tr(text), partial(self._want, what))
        self.menu.addSeparator()
        self._act(tr(N_("Whole axis again")), self.view.reset_zoom).setEnabled(self.view.zoomed)
        self.menu.addSeparator()
        for layer in self.figure.layers:
            name = shown(layer.label)
            if name and not layer.key.endswith("here"):
                action = self._act(name, partial(self.flip, layer.key))
                action.setCheckable(True)
                action.setChecked(layer.key not in self.view.hidden)

    def _want(self, what: str) -> None:
        if self.figure is not None:
            self.wanted.emit(self.figure.key, what)

    def _act(self, text: str, act: Callable[[], None]) -> QAction:
        action = self.menu.addAction(text)
        action.triggered.connect(lambda _=False: act())
        return action

    def hide_layers(self, hidden: frozenset[str]) -> None:
        """Hide just these curves, now and in the figures to come."""
        self._hidden = hidden
        if self.view is not None:
            self.view.hide_layers(hidden)

    def flip(self, key: str) -> None:
        """Hide or show one curve."""
        if self.view is not None:
            self.view.hide_layers(self.view.hidden ^ {key})


class Board(QWidget):
    """Up to four charts; `replayed(index)` says which simulated answer is to be shown."""

    dragged = Signal(str, float, bool)
    nudged = Signal(str, int)
    wanted = Signal(str, str)
    replayed = Signal(int)

    def __init__(self, look: Look):
        super().__init__()
        self.look = look
        self.cards = [ChartCard(look) for _ in range(4)]
        self.filled: int | None = None
        self.index = 0
        self.timer = QTimer(self)
        self.timer.setInterval(PLAY_MS)
        self.timer.timeout.connect(self._next)
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setSpacing(10)
        for place, card in enumerate(self.cards):
            self.grid.addWidget(card, place // 2, place % 2)
            card.dragged.connect(self.dragged)
            card.nudged.connect(self.nudged)
            card.wanted.connect(self.wanted)
            card.stepped.connect(self._next)
            card.played.connect(lambda on: self.timer.start() if on else self.timer.stop())
        for i in range(2):
            self.grid.setRowStretch(i, 1)
            self.grid.setColumnStretch(i, 1)

    def show_figures(self, figures: tuple[Figure, ...], replays: int) -> None:
        """Show the charts; `replays` simulated answers can be stepped through."""
        for place, card in enumerate(self.cards):
            card.replays = replays
            if place < len(figures):
                card.show_figure(figures[place])
            self._place(place, place < len(figures))

    def _place(self, place: int, used: bool) -> None:
        visible = used and self.filled in (None, place)
        if self.cards[place].isVisibleTo(self) != visible:
            self.cards[place].setVisible(visible)

    def fill(self, place: int | None) -> None:
        """Let one chart fill the board, or show all."""
        used = [card.figure is not None for card in self.cards]
        self.filled = place
        for i in range(2):
            self.grid.setRowStretch(i, 1 if place is None or place // 2 == i else 0)
            self.grid.setColumnStretch(i, 1 if place is None or place % 2 == i else 0)
        for i in range(len(self.cards)):
            self._place(i, used[i])
        if place is not None:
            self.cards[place].dress(self.look)
        if place is not None and self.cards[place].view is not None:
            self.cards[place].view.setFocus()  # type: ignore[union-attr]

    def turn(self, by: int) -> None:
        """The next or previous chart, while one fills the board."""
        used = [i for i, card in enumerate(self.cards) if card.figure is not None]
        if self.filled is not None and used:
            self.fill(used[(used.index(self.filled) + by) % len(used)])

    def focused(self) -> int:
        """The chart that has the focus, else the first."""
        return next((i for i, card in enumerate(self.cards) if card.view is not None and card.view.hasFocus()), 0)

    def dress(self, look: Look) -> None:
        """Take another look; charts that are not to be seen take it when they are."""
        self.look = look
        for place, card in enumerate(self.cards):
            if self.filled in (None, place):
                card.dress(look)

    def _next(self) -> None:
        self.index += 1
        self.replayed.emit(self.index)

    def stop(self) -> None:
        """End every replay."""
        for card in self.cards:
            card.play.setChecked(False)
        self.timer.stop()
