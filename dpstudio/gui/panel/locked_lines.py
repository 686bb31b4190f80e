"""A list whose entries can be locked: a box with one entry a line, and beside each line the lock
that keeps it as it is."""

from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QGridLayout, QWidget

from dpstudio.gui.panel.form import Field
from dpstudio.gui.parts.boxes import LinesBox
from dpstudio.gui.parts.focus_ring import ringed
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import Lockable, ParamError

_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class LockedLinesField(Field):
    """Several entries, one a line: added, taken out, put in another order and locked, by typing or
    by hand.

    A locked one may be moved, but is neither changed nor taken out before it is unlocked.
    """

    def __init__(self, store: Store, path: str, domain: Lockable):
        super().__init__(store, path, domain)
        self.kept = domain
        self.box = EntryLines()
        self.box.setAccessibleName(tr(domain.label))
        keys = tr(
            N_("Ctrl+Enter takes the list over. Alt+↑ and Alt+↓ move a line, Ctrl+L locks it.")
        )
        self.setToolTip(f"{self.toolTip()} {keys}".strip())
        self.locks = LockColumn(self.box, domain)
        self.box.given.connect(self._given)
        self.box.restored.connect(self._restored)
        self.box.moved.connect(self._move)
        self.box.locked.connect(self._toggle)
        self.locks.clicked.connect(self._toggle)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(2)
        grid.addWidget(self.locks, 0, 0)
        grid.addWidget(self.box, 0, 1)
        grid.addWidget(self.complaint, 1, 0, 1, 2)
        grid.setColumnStretch(1, 1)

    def _given(self, text: str) -> bool:
        """Ask for the list as it is typed; whether it was taken."""
        try:
            after = self.domain.check(
                " | ".join(line for line in text.splitlines() if line.strip())
            )
            gone = self.kept.broken(self.value(), after)
            if gone is not None:
                sentence = N_(
                    "“{release}” is in the list as locked: unlock it before you change it or take "
                    "it out."
                )
                raise ParamError(
                    "", say(sentence, release=str(gone).removesuffix(f" {self.kept.lock}"))
                )
        except ParamError as error:
            self.complaint.say(error.sentence)
            self.box.refuse()
            self.stale()
            return False
        taken = self.ask(after)
        self.show_state()
        return taken

    def _restored(self) -> None:
        self.complaint.say("")
        self.stale()

    def _settled(self) -> bool:
        """Whether what stands in the box is the state, or could be made it."""
        return self.box.toPlainText() == self.box.held or self._given(self.box.toPlainText())

    def _toggle(self, line: int) -> None:
        """Lock or unlock the release of a line, after taking over what was typed."""
        place = self.box.place(line)
        if self._settled() and 0 <= place < len(self.value()):
            self.ask(
                tuple(
                    self.kept.toggled(entry) if k == place else entry
                    for k, entry in enumerate(self.value())
                )
            )
        self.show_state()
        self.locks.lay()

    def _move(self, line: int, by: int) -> None:
        place = self.box.place(line)
        if not self._settled():
            return
        entries = list(self.value())
        if place in range(len(entries)) and place + by in range(len(entries)):
            entries.insert(place + by, entries.pop(place))
            self.ask(tuple(entries))
            self.show_state()
            self.box.go(place + by)

    def show_state(self) -> None:
        value = self.value()
        if value is None:
            return
        self.box.show_text("\n".join(self.domain.show((entry,)) for entry in value))
        self.locks.lay()
        if not self.box.typing():
            self.complaint.say("")


class EntryLines(LinesBox):
    """The box. `moved(line, by)` and `locked(line)` are asked for by keys."""

    moved = Signal(int, int)
    locked = Signal(int)

    def place(self, line: int) -> int:
        """Which entry stands in a line of the text, counted from 0; one line may hold several,
        parted by |."""
        above = self.toPlainText().splitlines()[:line]
        return sum(1 for text in above for part in text.split("|") if part.strip())

    def go(self, line: int) -> None:
        """Put the cursor at the end of a line."""
        cursor = QTextCursor(self.document().findBlockByNumber(line))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        self.setTextCursor(cursor)

    def _fit(self) -> None:
        """As high as its lines; a bar to scroll only where there are more than eight."""
        wanted = round(self.document().size().height())
        rows = max(1, min(self.MOST, wanted))
        self.setFixedHeight(
            rows * self.fontMetrics().lineSpacing()
            + 2 * (self.frameWidth() + round(self.document().documentMargin()))
        )
        policy = (
            Qt.ScrollBarPolicy.ScrollBarAsNeeded
            if wanted > self.MOST
            else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        if self.verticalScrollBarPolicy() != policy:
            self.setVerticalScrollBarPolicy(policy)

    def event(self, event: QEvent) -> bool:
        # Qt gives these keys to the box; where nothing is being typed they belong to the window.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and not self.typing()
        ):
            history = event.matches(QKeySequence.StandardKey.Undo) or event.matches(
                QKeySequence.StandardKey.Redo
            )
            if history:
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        line, key = self.textCursor().blockNumber(), Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and key in _KEYS:
            self.moved.emit(line, _KEYS[key])
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_L:
            self.locked.emit(line)
            self.go(min(line, self.blockCount() - 1))
        else:
            super().keyPressEvent(event)
            return
        event.accept()


class LockColumn(QWidget):
    """The locks in a column at the left of a box, each as high as the first row of its line.
    `clicked(line)`."""

    clicked = Signal(int)

    def __init__(self, box: EntryLines, kept: Lockable):
        super().__init__()
        self.box, self.kept = box, kept
        self.buttons: list[LockButton] = []
        # While the box takes another text it is empty for a moment; a lock that is hidden then
        # would lose the focus.
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.lay)
        box.updateRequest.connect(lambda *_: self._late.start(0))
        self.lay()

    def sizeHint(self) -> QSize:
        return QSize(round(1.5 * self.box.fontMetrics().height()), 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def lay(self) -> None:
        """A lock beside every line that is written and seen."""
        block, line, offset = self.box.document().firstBlock(), 0, self.box.contentOffset()
        high = self.box.fontMetrics().height()
        inside = self.box.viewport().rect()
        start = self.box.viewport().mapTo(self.box, QPoint(0, 0)).y()
        while block.isValid():
            if line >= len(self.buttons):
                made = LockButton(self)
                made.clicked.connect(partial(self.clicked.emit, line))
                self.buttons.append(made)
            top = self.box.blockBoundingGeometry(block).translated(offset).top()
            button = self.buttons[line]
            seen = (
                bool(block.text().strip()) and top > -high / 2 and top + high / 2 < inside.height()
            )
            button.setGeometry(0, round(start + top) - 1, self.width(), high + 2)
            button.show_line(block.text(), self.kept.says_locked(block.text()), seen)
            block, line = block.next(), line + 1
        for button in self.buttons[line:]:
            button.show_line("", False, False)

    def resizeEvent(self, event: object) -> None:
        self.lay()


class LockButton(QAbstractButton):
    """A padlock, open or closed, in the colours of the moment."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def show_line(self, text: str, locked: bool, seen: bool) -> None:
        """Show whether a line says that it is `locked`."""
        if self.isChecked() != locked:
            self.setChecked(locked)
        name = shown(say("Lock {release}", release=text.strip()))
        if name != self.accessibleName():
            self.setAccessibleName(name)
            self.setToolTip(
                tr(
                    N_(
                        "Locked: published or promised. It stays as it is, and only the others are "
                        "fitted to a budget. Click to unlock it."
                    )
                )
                if locked
                else tr(
                    N_(
                        "Lock this release, as published or promised: then it stays as it is, and "
                        "only the others are fitted to a budget."
                    )
                )
            )
        if self.isHidden() == seen:
            self.setVisible(seen)

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def enterEvent(self, event: object) -> None:
        self.update()

    def leaveEvent(self, event: object) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = QApplication.palette()
        roles = QPalette.ColorRole
        strong = self.isChecked() or self.underMouse()
        ink = colors.color(roles.Highlight if strong else roles.PlaceholderText)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if ringed(self):
            painter.setPen(QPen(colors.color(roles.Highlight), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        unit = self.height() / 18
        middle = QPointF(self.width() / 2, self.height() / 2)
        body = QRectF(middle.x() - 5 * unit, middle.y() - 1 * unit, 10 * unit, 7 * unit)
        painter.setPen(QPen(ink, 1.5 * unit))
        if self.isChecked():
            painter.setBrush(ink)
        painter.drawRoundedRect(body, 1.5 * unit, 1.5 * unit)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(_shackle(body, unit, self.isChecked()))
        painter.end()


def _shackle(body: QRectF, unit: float, closed: bool) -> QPainterPath:
    """The bow above the body; an open one hangs on its left side only."""
    left, right, top = body.left() + 2 * unit, body.right() - 2 * unit, body.top() - 2 * unit
    path = QPainterPath(QPointF(left, body.top()))
    path.lineTo(left, top)
    path.arcTo(QRectF(left, top - 3 * unit, right - left, 6 * unit), 180, -180)
    if closed:
        path.lineTo(right, body.top())
    return path
