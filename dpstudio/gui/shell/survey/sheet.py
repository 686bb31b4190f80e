"""The screen of a room that is open: where phones go, in type and as a code that a whole room can
read; what came; and what its presenter may do."""

import math
from dataclasses import replace

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from dpstudio.gui.parts.buttons import Words, push
from dpstudio.gui.parts.labels import LiveLabel, label
from dpstudio.gui.parts.theme import Look, style_sheet
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.survey.form import RoomForm
from dpstudio.values.messages import N_, Message, Num, enumerated, plain, say

# Sizes of type as parts of the height of the window; buttons are so many px at normal type.
_ADDRESS, _QUESTION, _COUNTS, _SMALL, _BUTTON, _NORMAL = 16, 20, 26, 40, 40, 13
_WIDE, _BAR = 760, 44  # px of a form, and of a bar of one line, at normal type
_LETTER = 0.62  # of its height, the width of a letter in bold type
_ONE = N_("One question is asked at a time: another takes no more answers, and keeps its reports")
_LEADING, _PART = 1.3, 0.3  # a line of its type; of the window's height, what a question may take


class QrCode(QWidget):
    """A text as a QR code, dark on white in any look, as large as it has room."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn: QSvgRenderer | None = None
        self.text = ""
        self.setAccessibleName(tr(N_("The address as a QR code")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_text(self, text: str) -> None:
        """The text that it leads to."""
        if text != self.text:
            from dpstudio.serve.sheet import qr_svg

            self.text = text
            self._drawn = QSvgRenderer(QByteArray(qr_svg(text).encode()))
            self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 120)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._drawn is None:
            return
        # Whole px for each dot, so that no lines show between them.
        dots = self._drawn.viewBox().width()
        side = max(1, min(self.width(), self.height()) // dots) * dots
        painter = QPainter(self)
        at = QRectF((self.width() - side) // 2, (self.height() - side) // 2, side, side)
        painter.fillRect(at, Qt.GlobalColor.white)
        self._drawn.render(painter, at)
        painter.end()


class OpenRoom(QWidget):
    """What stands there while a room is open. `asked(what)`: "stand" (take answers or no more),
    "again" (ask anew), "add" (ask what is set now too), "other" (set what is asked),
    "save", "print", "charts" or "stop"."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.code = QrCode()
        self.question, self.counts = label("", "", wrap=True), LiveLabel("", wrap=True)
        self.origin, self.path = label(""), label("")
        self.how, self.refused = label("", "muted", wrap=True), LiveLabel("muted", wrap=True)
        for part in (self.origin, self.path):
            part.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self.buttons = {
            "charts": push(tr(N_("Show the charts")), "primary"),
            "stand": push(""),
            "again": push(tr(N_("Ask everyone anew"))),
            "add": push(tr(N_("Ask this question instead"))),
            "other": push(tr(N_("Ask something else …"))),
            "save": push(tr(N_("Save the reports …"))),
            "print": push(tr(N_("Save the codes to print …"))),
            "stop": push(tr(N_("Stop the room"))),
        }
        tips = {
            "add": _ONE,
            "other": _ONE,
            "again": N_("Who answers again spends again: each phone adds up its own ε"),
            "save": N_("Noisy reports with their ε, as a table that labs open"),
        }
        for key, button in self.buttons.items():
            button.setToolTip(tr(tips.get(key, "")))
            button.clicked.connect(lambda _=False, key=key: self.asked.emit(key))
        self.acts = Words()
        for button in self.buttons.values():
            self.acts.add(button)
        self.row, self.column, self.words = QHBoxLayout(), QVBoxLayout(self), QVBoxLayout()
        self.column.addLayout(self.row, 1)
        self.column.addWidget(self.acts)
        self.row.addWidget(self.code, 2)
        self.row.addLayout(self.words, 3)
        self.words.addStretch()
        for part in (self.question, self.origin, self.path, self.how, self.counts, self.refused):
            self.words.addWidget(part)
        self.words.addStretch()
        self._address = ""
        self._most, self._least, self._height = 11, 11, 0

    def show_address(self, address: str, seats: int, fingerprint: str) -> None:
        """Where phones go, and what they need there."""
        self._address = address
        self.code.show_text(address)
        origin, _, path = address.rstrip("/").rpartition("/")
        self.origin.setText(f"{origin}/")
        self.path.setText(f"{path}/")
        text = say("One person can answer often: the address is open to all who see it.")
        if seats:
            text = say(
                "With a code: {n} {n:code|codes}, each answers each question once.", n=Num(seats)
            )
        if fingerprint:
            breaks = fingerprint.replace(":", ":\u200b")  # or it would be cut where it is too long
            print_ = say("SHA-256 of the certificate: {print}", print=plain(breaks))
            text = say("{one} {other}", one=text, other=print_)
        self.how.setText(shown(text))
        self._offer("print", bool(seats))

    def show_question(self, text: str, taking: bool, asked: bool) -> None:
        """What is asked now: whether it takes answers, and whether the room knows it at all."""
        if text != self.question.text():
            self.question.setText(text)
            self._fit()
        take = N_("Take no more answers") if taking else N_("Take answers again")
        self.buttons["stand"].setText(tr(take))
        self.buttons["stand"].setToolTip("" if taking else tr(_ONE))
        for key in ("stand", "again"):
            self._offer(key, asked)
        self._offer("add", not asked)
        self._offer("other", asked)

    def _offer(self, key: str, on: bool) -> None:
        """With what holds it, which would leave a gap."""
        holder = self.buttons[key].parentWidget()
        if holder is not None and holder.isHidden() == on:
            holder.setVisible(on)

    def show_counts(self, reports: int, taking: bool, asked: bool, refused: list[Message]) -> None:
        """How many came, if the room was asked at all."""
        text = say("{n} {n:report has|reports have} arrived", n=Num(reports))
        if not asked:
            text = say("Not asked yet: phones show what was asked before")
        elif not taking:
            text = say("{n} {n:report|reports}; no more are taken", n=Num(reports))
        self.counts.show_text(shown(text))
        said = say("Refused: {why}", why=enumerated(refused)) if refused else ""
        self.refused.show_text(shown(said))

    def dress(self, look: Look, width: int, height: int, barred: int) -> None:
        """Type by the size of the window: as large as the address has room. Its buttons stand above
        bars of `barred` px, and where there is none above the room of one: what a button says
        moves none of them."""
        letters = max(12, len(self.origin.text()))
        room = 0.6 * width - height // 12
        address = int(min(height / _ADDRESS, room / letters / _LETTER))
        self._most, self._height = min(height // _QUESTION, address), height
        self._least = look.px(11)
        self._fit()
        for part, px, weight in (
            (self.origin, address, 600),
            (self.path, min(height // _ADDRESS, int(1.5 * address)), 700),
            (self.counts, height // _COUNTS, 500),
            (self.how, height // _SMALL, 400),
            (self.refused, height // _SMALL, 400),
        ):
            part.setStyleSheet(f"font-size: {max(px, look.px(11))}px; font-weight: {weight};")
        scale = max(look.scale, height / _BUTTON / _NORMAL)
        self.acts.setStyleSheet(style_sheet(replace(look, scale=min(scale, 2.0))))
        gap = height // 40
        self.row.setSpacing(2 * gap)
        self.words.setSpacing(gap // 2)
        self.column.setContentsMargins(gap, gap, gap, max(gap, look.px(_BAR), barred))

    def _fit(self) -> None:
        """The question as large as all of it has room above the address, and its longest word in
        a line."""
        text, room = self.question.text() or "?", 0.6 * self.width() - self._height // 12
        words = int(room / _LETTER / max(map(len, text.split())))
        space = _PART * self._height * max(0.0, room) / (_LETTER * _LEADING * len(text))
        px = max(self._least, min(self._most, words, math.isqrt(int(space))))
        self.question.setStyleSheet(f"font-size: {px}px; font-weight: 600;")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


class RoomLine(QWidget):
    """The same in little, below a chart that is presented."""

    def __init__(self) -> None:
        super().__init__()
        self.code, self.address, self.counts = QrCode(), label(""), LiveLabel()
        row, words = QHBoxLayout(self), QVBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.code)
        row.addLayout(words, 1)
        words.addStretch()
        words.addWidget(self.address)
        words.addWidget(self.counts)
        words.addStretch()

    def show_room(self, address: str, counts: str) -> None:
        """Where phones go, and how many came."""
        self.code.show_text(address)
        self.address.setText(address)
        self.counts.show_text(counts)

    def dress(self, height: int) -> None:
        """Type by the height of the screen."""
        side = height // 7
        self.code.setFixedSize(side, side)
        for part, share, weight in ((self.address, 32, 600), (self.counts, 36, 400)):
            part.setStyleSheet(f"font-size: {height // share}px; font-weight: {weight};")


class RoomSheet(QFrame):
    """Fills the middle of the window: what is to be chosen, and then the room. `left`: the charts
    are to be seen again."""

    left = Signal()

    def __init__(self, form: RoomForm):
        super().__init__()
        self.setObjectName("sheet")
        self.form, self.room = form, OpenRoom()
        self.stack = QStackedLayout(self)
        self.stack.addWidget(form)
        self.stack.addWidget(self.room)
        form.left.connect(self.left)

    def show_room(self, on: bool) -> None:
        """The room that is open, or what is to be chosen before."""
        self.stack.setCurrentWidget(self.room if on else self.form)
        self.form.show_state()

    def take_focus(self) -> None:
        """Let the keyboard go on here."""
        here = self.stack.currentWidget() is self.room
        (self.room.buttons["charts"] if here else self.form.open).setFocus()

    def dress(self, look: Look, width: int, height: int, barred: int) -> None:
        """Type by the size of the window, whose bars have so many px."""
        self.form.fit(look.px(_WIDE))
        self.room.dress(look, width, height, barred)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
