"""The navigation of a small window: a column of drawn glyphs, one a group of pages, from which the
names of the pages open over the page beside it."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.parts.focus_ring import ringed
from dpstudio.gui.parts.labels import restyle
from dpstudio.gui.parts.theme import Theme, frame_color
from dpstudio.gui.shell.frame.nav_column import NavColumn

if TYPE_CHECKING:
    from dpstudio.gui.shell.frame.navigation import Navigation

WIDE, HIGH, OVER = 40, 44, 200  # px, at any type: of the rail, of a glyph, of what opens over
_BOX, _PEN, _HERE = 20.0, 1.6, 3
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_MARK = re.compile(r"([MLCZ])([^MLCZ]*)")


@lru_cache(maxsize=64)
def strokes(glyph: str) -> QPainterPath:
    """The strokes of a glyph, written in the box of 20 by 20 as a path of SVG is: M, L, C and Z."""
    path = QPainterPath()
    for mark, numbers in _MARK.findall(glyph):
        at = [float(number) for number in numbers.split()]
        if mark == "M":
            path.moveTo(*at)
        elif mark == "L":
            for k in range(0, len(at), 2):
                path.lineTo(at[k], at[k + 1])
        elif mark == "C":
            path.cubicTo(*at)
        else:
            path.closeSubpath()
    return path


class RailButton(QPushButton):
    """A group by its glyph; `stepped(rows)`: the focus is to go down, or up."""

    stepped = Signal(int)

    def __init__(self, theme: Theme, glyph: str):
        super().__init__()
        self.theme, self.glyph = theme, glyph
        self.setObjectName("group")
        self.setFixedSize(WIDE - 1, HIGH)  # beside a border

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key == Qt.Key.Key_Right:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, here = self.theme.look, bool(self.property("here"))
        painter, inner = QPainter(self), self.rect().adjusted(0, 4, -4, -4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if here or self.underMouse():
            painter.fillRect(inner, frame_color(look, "wash"))
        if here:
            painter.fillRect(QRect(0, inner.top(), _HERE, inner.height()), look.color("text"))
        if ringed(self):
            painter.setPen(QPen(look.color("text"), 2, j=Qt.PenJoinStyle.MiterJoin))
            painter.drawRect(inner.adjusted(1, 1, -1, -1))
        painter.setPen(
            QPen(
                look.color("text" if here else "muted"),
                _PEN,
                c=Qt.PenCapStyle.RoundCap,
                j=Qt.PenJoinStyle.RoundJoin,
            )
        )
        painter.translate((self.width() - _BOX) / 2, (self.height() - _BOX) / 2)
        painter.drawPath(strokes(self.glyph))
        painter.end()


class Rail(QFrame):
    """Glyphs for the groups of a `column` of names, which is laid over the page while it is open,
    and goes when a page is chosen, at Escape, and when something else is pressed or has the focus.
    Empty until `fill`."""

    def __init__(self, column: NavColumn, theme: Theme):
        super().__init__()
        self.setObjectName("nav")
        self.column, self.theme = column, theme
        self.buttons: dict[str, RailButton] = {}
        self.open = False
        self._nav: Navigation | None = None
        self.setFixedWidth(WIDE)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 8, 1, 8)
        self._rows.setSpacing(0)
        self._rows.addStretch(1)
        self.hide()

    def fill(self, nav: Navigation) -> None:
        """A glyph for each group."""
        self._nav = nav
        for place, (name, head) in enumerate(nav.heads.items()):
            button = self.buttons[name] = RailButton(self.theme, head.glyph)
            button.setToolTip(head.name)
            button.setAccessibleName(head.name)
            button.setAccessibleDescription(head.toolTip())
            button.clicked.connect(partial(self._on_click, name))
            button.stepped.connect(partial(self._step, place))
            self._rows.insertWidget(place, button)
        nav.turned.connect(self.show_group)
        nav.asked.connect(lambda _: self.shut())

    def show_group(self, group: str) -> None:
        """Mark the group of the page that is shown."""
        for name, button in self.buttons.items():
            if restyle(button, here=name == group):
                button.update()

    def _step(self, place: int, by: int) -> None:
        buttons = [*self.buttons.values()]
        if 0 <= place + by < len(buttons):
            buttons[place + by].setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_click(self, name: str) -> None:
        if self.open and self._nav is not None and self._nav.opened == name:
            self.shut()
        else:
            self.show_names(name)

    def show_names(self, name: str) -> None:
        """Open the names of the pages over the page, those of one group unfolded."""
        nav, column, app = self._nav, self.column, QApplication.instance()
        if nav is None:
            return
        column.show()  # which brings it up to the look in force
        nav.unfold(name)
        self.place()
        column.raise_()
        nav.focus_on(name)
        if not self.open and isinstance(app, QApplication):
            self.open = True
            app.installEventFilter(self)
            app.focusChanged.connect(self._on_focus)

    def place(self) -> None:
        """Lay the names beside the glyphs, as high as these."""
        room = max(OVER, self.column.need())
        self.column.setFixedWidth(room)
        self.column.setGeometry(self.x() + self.width(), self.y(), room, self.height())

    def shut(self, back: bool = False) -> None:
        """Put the names away; the focus goes back to the glyph, where `back` or where it would go
        with them."""
        app = QApplication.instance()
        if not self.open or not isinstance(app, QApplication):
            return
        self.open = False
        app.removeEventFilter(self)
        app.focusChanged.disconnect(self._on_focus)
        if (back or self._holds(app.focusWidget())) and self._nav is not None:
            name = self._nav.opened or next(iter(self.buttons))
            self.buttons[name].setFocus(Qt.FocusReason.OtherFocusReason)
        self.column.hide()

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and (
            widget is self.column or self.column.isAncestorOf(widget) or self.isAncestorOf(widget)
        )

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and not self._holds(now):
            self.shut()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape, and what is pressed beside the names."""
        if not isinstance(watched, QWidget):
            return False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.shut(back=True)
                return True
        elif event.type() == QEvent.Type.MouseButtonPress and not self._holds(watched):
            self.shut()
        return False
