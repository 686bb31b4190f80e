"""The cards of the board: a chart with its menu and, where there are answers to replay, play and
step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from dpstudio.gui.parts.focus_ring import ringed
from dpstudio.gui.parts.labels import ElidedLabel, LiveLabel
from dpstudio.gui.parts.theme import Look, frame_color
from dpstudio.gui.parts.tr import Again, shown, tr
from dpstudio.values.messages import N_

if TYPE_CHECKING:
    from dpstudio.charts.figure import Figure
    from dpstudio.gui.board.plotview import PlotView

# After these the title may have another room, or other type.
_FITTED = (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.StyleChange, QEvent.Type.Show)
READ = "read"  # what is wanted of a chart where it is to be explained
# What the player says that it goes through.
_ANSWERS = N_("Play: one simulated answer after the other"), N_("The next simulated answer")
_STAGES = N_("Play: one step after the other"), N_("The next step")


class Card(QFrame):
    """A title, a subtitle, a menu, and below them what the card is about. `wanted(key, what)`: an
    entry of the menu."""

    wanted = Signal(str, str)

    def __init__(self, look: Look):
        super().__init__()
        self.setObjectName("piece")
        self.look = look
        self.waits = False
        self.key = ""
        self.title, self.subtitle = LiveLabel("title"), ElidedLabel("subtitle")
        # The title is read first: the subtitle has what it leaves.
        self.subtitle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.menu_button = QToolButton()
        self.menu_button.setText("···")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(tr(N_("This chart")), self)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.menu_button.setMenu(self.menu)
        self.tools = QWidget(self)
        self.buttons = QHBoxLayout(self.tools)
        self.buttons.setContentsMargins(0, 0, 0, 0)
        self.buttons.setSpacing(8)
        self.head = QGridLayout()
        self.head.setContentsMargins(0, 0, 0, 0)
        self.head.setHorizontalSpacing(8)
        self.head.setVerticalSpacing(0)
        self.head.setColumnStretch(1, 1)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(2, 2, 2, 2)  # within the ring
        self.body.setSpacing(0)
        # Before anything is in them: else PySide keeps the place of each part, and takes what comes
        # to lie where Qt deleted one, such as an action of a menu, for that place.
        self.body.addLayout(self.head)
        self.head.addWidget(self.title, 0, 0)
        self.head.addWidget(self.subtitle, 0, 1)
        self.head.addWidget(self.tools, 0, 2, Qt.AlignmentFlag.AlignTop)
        self._add_button(self.menu_button)

    def _add_button(self, button: QPushButton | QToolButton) -> None:
        """The menu stays the last one. A click leaves the arrow keys to the chart."""
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setObjectName("quiet")
        self.buttons.insertWidget(max(0, self.buttons.count() - 1), button)

    def lend(self) -> QWidget:
        """Give up the row above what it shows, and the buttons in it: the stage has a sentence
        there."""
        for part in (self.title, self.subtitle):
            part.hide()
        self.head.removeWidget(self.tools)
        return self.tools

    def take_back(self) -> None:
        """Have that row again."""
        self.head.addWidget(self.tools, 0, 2, Qt.AlignmentFlag.AlignTop)
        self.tools.show()
        for part in (self.title, self.subtitle):
            part.show()

    def _name(self, title: str) -> None:
        self.title.set_text(title)

    def event(self, event: QEvent) -> bool:
        if event.type() in _FITTED:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """A title that is wider than what the buttons leave takes further lines, and the subtitle
        stands below it."""
        if not self.title.text():
            return
        self.title.ensurePolished()
        beside = self.tools.sizeHint().width() + self.subtitle.minimumWidth()
        # More than the gaps: a card that is as narrow as an unbroken title lets it be is too wide.
        spare = self.width() - beside - 4 * self.head.horizontalSpacing()
        words = self.title.fontMetrics().horizontalAdvance(self.title.text())
        narrow = words > spare > 0
        if narrow != self.title.wordWrap():
            self.title.setWordWrap(narrow)
            across = (1, 0, 1, 3) if narrow else (0, 1, 1, 1)
            self.head.addWidget(self.subtitle, *across)
            self.head.setColumnStretch(0, int(narrow))
            self.head.setColumnStretch(1, int(not narrow))

    def heart(self) -> QWidget | None:
        """What takes the focus."""
        return None

    def dress(self, look: Look) -> None:
        self.look = look

    @property
    def drawn(self) -> bool:
        """Whether anything is drawn in it."""
        return False

    @property
    def changes(self) -> bool:
        """Whether a chart would look otherwise if it showed what it holds."""
        return False

    def show_held(self) -> None:
        """Show what it was given to hold."""

    def enlarge(self, large: bool) -> None:
        """It fills the window, or no more."""

    def wake(self) -> None:
        """It is seen from now on: show what came while it was not."""

    def need(self) -> int:
        """The height in px that it needs to show all it has; 0: any."""
        return 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """With a frame where it has the focus; by a style sheet it would be polished anew each
        time. The one that is presented has the focus anyhow: a frame would say nothing."""
        super().paintEvent(event)
        if getattr(self.window(), "presenting", False):
            return
        heart, painter = self.heart(), QPainter(self)
        if ringed(heart):
            painter.setPen(QPen(self.look.color("text"), 2, j=Qt.PenJoinStyle.MiterJoin))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        else:
            painter.fillRect(self.rect().adjusted(2, 0, -2, 1 - self.height()), self._hair())
        painter.end()

    def _hair(self) -> QColor:
        return frame_color(self.look, "line")

    def _fill_menu(self) -> None:
        raise NotImplementedError

    def _offer(self, *entries: tuple[str, str]) -> None:
        for text, what in entries:
            self._act(tr(text), partial(self._want, what))

    def _want(self, what: str) -> None:
        if self.key:
            self.wanted.emit(self.key, what)

    def _act(self, text: str, act: Callable[[], Any]) -> QAction:
        action = self.menu.addAction(text)
        action.triggered.connect(lambda _=False: act())
        return action


class ChartCard(Card):
    """One chart."""

    dragged = Signal(str, float, bool, object)
    nudged = Signal(str, int, object, float)
    picked = Signal(object, bool)
    flipped = Signal(str, object)
    stepped = Signal()
    played = Signal(bool)

    def __init__(self, look: Look):
        super().__init__(look)
        self.figure: Figure | None = None
        self.subtitle.torn = False
        self.view: PlotView | None = None
        self.replays = 0
        self.menu_button.setAccessibleName(tr(N_("Chart menu")))
        self.play, self.step = QPushButton("▶"), QPushButton(tr(N_("Step")))
        self.play.setCheckable(True)
        self.play.setAccessibleName(tr(N_("Play")))
        self.play.toggled.connect(self._on_play)
        self.step.clicked.connect(self.stepped)
        for button in (self.play, self.step):
            self._add_button(button)
            button.hide()  # until there are answers
        self.body.addStretch(1)
        self.whole = QPushButton(tr(N_("Whole")))
        self.whole.setToolTip(tr(N_("Whole axis again")))
        self.whole.clicked.connect(self._whole)
        self._add_button(self.whole)
        self.whole.hide()
        self._large = self._locked = False
        self._words = ""
        self._told: tuple[object, ...] = ()
        self._hidden: frozenset[str] = frozenset()

    @property
    def drawn(self) -> bool:
        """Whether there is a plot with a figure in it."""
        return self.view is not None and self.view.figure is not None

    @property
    def changes(self) -> bool:
        view, figure = self.view, self.figure
        return figure is not None and view is not None and not view.shows(figure)

    def hold_figure(self, figure: Figure) -> None:
        """Take a figure, which `wake` shows."""
        self.figure, self.key = figure.worded(tr), figure.key

    def show_figure(self, figure: Figure) -> None:
        self.hold_figure(figure)
        self.show_held()

    def show_held(self) -> None:
        figure = self.figure
        if self.waits or figure is None:
            return
        self.make_view()
        assert self.view is not None
        if self.view.isHidden():
            self.view.show()
        told = (figure.title, figure.subtitle)
        if told != self._told:
            self._told = told
            title = shown(figure.title)
            self._name(title)
            self.view.setAccessibleName(title)
            self._words = shown(figure.subtitle)
            self._subtitle()
        replayed = self.replays > 1
        if self.play.isVisibleTo(self) != replayed:
            self.play.setChecked(False)
            self.play.setVisible(replayed)
            self.step.setVisible(replayed)
        if replayed:
            for button, tip in zip(
                (self.play, self.step), _STAGES if figure.staged else _ANSWERS, strict=True
            ):
                if button.toolTip() != tr(tip):  # telling Qt costs an event
                    button.setToolTip(tr(tip))
        self.view.show_figure(figure)

    def retell(self, again: Again) -> None:
        """What it says, in another language; what is not seen says so when it is."""
        self._told = ()
        if self.isVisible():
            self.show_held()

    def wake(self) -> None:
        view = self.view
        # One that is shown already may be another picture: its axes are then its own, not yet held.
        if view is None or view.given is not self.figure or view.held.forgotten:
            self.show_held()

    def make_view(self) -> None:
        """Make the plot, hidden until it has a figure; does nothing the second time."""
        if self.view is not None:
            return
        from dpstudio.gui.board.plotview import (
            PlotView,
        )  # pyqtgraph is imported after the window is on the screen

        self.view = PlotView(self.look)
        self.view.hidden, self.view.large = self._hidden, self._large
        self.view.held.locked = self._locked
        self.view.dragged.connect(self.dragged)
        self.view.nudged.connect(self.nudged)
        self.view.picked.connect(self.picked)
        self.view.zoomed_in.connect(self._on_zoom)
        self.view.installEventFilter(self)
        self.body.setStretch(1, 0)  # the room that was kept for it
        self.body.addWidget(self.view, 1)
        self.view.hide()

    def heart(self) -> QWidget | None:
        return self.view

    def lock(self, locked: bool) -> None:
        """Whether the axes stand still."""
        self._locked = locked
        if self.view is not None:
            self.view.lock(locked)

    def enlarge(self, large: bool) -> None:
        self._large = large
        if self.view is not None:
            self.view.large = large

    def _whole(self) -> None:
        if self.view is not None:
            self.view.reset_zoom()

    def _on_zoom(self, zoomed: bool) -> None:
        self.whole.setVisible(zoomed)
        self._subtitle()

    def _subtitle(self) -> None:
        """What the chart shows, or how to leave a zoom."""
        zoomed = self.view is not None and self.view.zoomed
        self.subtitle.show_text(
            tr(N_("zoomed: double-click shows the whole axis")) if zoomed else self._words
        )

    def dress(self, look: Look) -> None:
        if look == self.look:
            return
        self.look = look
        if self.view is not None:
            self.view.dress(look)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        super().eventFilter(watched, event)
        if (
            event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Space  # type: ignore[attr-defined]
            and self.play.isVisible()
        ):
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
        self._offer(
            (N_("Fill the window"), "present"),
            (N_("Copy picture"), "copy"),
            (N_("Copy data"), "copy-data"),
            (N_("Save as PNG …"), "png"),
            (N_("Save as SVG …"), "svg"),
            (N_("Save as PDF …"), "pdf"),
            (N_("Save as CSV …"), "csv"),
            (N_("Save without the exact answer …"), "without"),
            (N_("Figure for print …"), "print"),
        )
        self.menu.addSeparator()
        self._offer((N_("How to read this chart"), READ))
        self.menu.addSeparator()
        self._act(tr(N_("Whole axis again")), self.view.reset_zoom).setEnabled(self.view.zoomed)
        self.menu.addSeparator()
        for layer in self.figure.layers:
            name = shown(layer.label)
            if name and not layer.key.endswith("here"):
                action = self._act(name, partial(self.flip, layer.key))
                action.setCheckable(True)
                action.setChecked(layer.key not in self.view.hidden)

    def hide_layers(self, hidden: frozenset[str]) -> None:
        """Hide just these curves, now and in the figures to come."""
        if hidden == self._hidden:
            return
        self._hidden = hidden
        if self.view is not None:
            self.view.hide_layers(hidden)

    def flip(self, key: str) -> None:
        """Hide or show one curve."""
        self.hide_layers(self._hidden ^ {key})
        self.flipped.emit(self.key, self._hidden)
