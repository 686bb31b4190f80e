"""A sheet that lies over the window until it is answered, or left by Esc."""

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.values.messages import N_

WIDTH, EDGE = 560, 24  # px at normal type
_LEAST = 80  # of what is scrolled


class Sheet(QFrame):
    """A title, a `body`, and two buttons: `back`, and `does`, which does what it is for."""

    def __init__(self, window: Window, body: QWidget):
        super().__init__(window)
        self._window, self.body = window, body
        self.setObjectName("card")
        window.style_sheets.add(self)
        self.title = label("", "headline", wrap=True)
        self.does, self.back = push("", "primary"), push(tr(N_("Back")))
        self._before: QWidget | None = None
        self.whole, foot = QVBoxLayout(self), QHBoxLayout()
        self.area = QScrollArea()  # where there is more than the window is high
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(body)
        self.whole.addWidget(self.title)
        self.whole.addWidget(self.area)
        foot.addStretch()
        foot.addWidget(self.back)
        foot.addWidget(self.does)
        self.whole.addLayout(foot)
        self.back.clicked.connect(self.leave)
        window.resized.connect(self._again)
        self.hide()

    def anew(self) -> QVBoxLayout:
        """The rows of a new, empty body: what was said in the old one goes with it."""
        self.body = QWidget()
        rows = QVBoxLayout(self.body)
        rows.setContentsMargins(0, 0, 0, 0)
        self.area.setWidget(self.body)  # which deletes the old one
        self.body.show()
        return rows

    def rise(self) -> None:
        """Come up; what has the focus now gets it back."""
        if not self.isVisible():
            self._before = self._window.focusWidget()
        self.show()  # which tells its words their type: a hidden sheet measures them by the last
        self.fit()
        self.raise_()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:  # which its words are told after it
            QTimer.singleShot(0, self, self._again)

    def _again(self) -> None:
        """The window is of another size, or the type."""
        if self.isVisible():
            self.fit()

    def fit(self) -> None:
        """As high as what is in it, or as the window, in its middle."""
        px, layout = self._window.theme.look.px, self.whole
        self.setFixedWidth(min(px(WIDTH), self._window.width() - 2 * px(EDGE)))
        layout.setContentsMargins(px(EDGE), px(EDGE), px(EDGE), px(EDGE))
        layout.setSpacing(px(12))
        self.body.ensurePolished()
        wide, inside = self.width() - 2 * px(EDGE), self.body.layout()
        assert inside is not None
        inside.invalidate()  # what has come or gone in it is told to it later
        needs = max(inside.totalHeightForWidth(wide), inside.totalMinimumSize().height())
        self.area.setFixedHeight(needs)
        layout.invalidate()
        more = layout.totalHeightForWidth(self.width()) + 2 * px(EDGE) - self._window.height()
        self.area.setFixedHeight(max(needs - max(0, more), px(_LEAST)))
        by_key = Qt.FocusPolicy.TabFocus if more > 0 else Qt.FocusPolicy.NoFocus
        self.area.setFocusPolicy(by_key)
        layout.invalidate()
        high = layout.totalHeightForWidth(self.width())
        self.resize(self.width(), high)
        self.move(
            (self._window.width() - self.width()) // 2, max(0, (self._window.height() - high) // 2)
        )

    def leave(self) -> None:
        """Go, and give the focus back."""
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()
        self._before = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)
