"""What stands around a chart that is presented: its sentence and the question above it, ε or what
leads with its slider and its scale, the noise and the lock of the axes below."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QCursor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.board.board import EDGE
from dpstudio.gui.board.cards import Card
from dpstudio.gui.board.headline import signed, unbroken
from dpstudio.gui.panel.form import SliderField
from dpstudio.gui.panel.row_icons import shape
from dpstudio.gui.parts.declared import plays
from dpstudio.gui.parts.labels import BalancedLabel, LiveLabel, label
from dpstudio.gui.parts.overlay_bar import OVERLAY
from dpstudio.gui.parts.theme import Look, measured, style_sheet, word_color
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.slider_scale import SliderScale, written
from dpstudio.gui.state.store import Store
from dpstudio.labs.carry_over import epsilon_path, lever_path
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import about_lab
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Real, domains, get

# Sizes of type as parts of the height of the screen, and the px that they are at normal type. What
# stands beside each other below is as large as on a screen of 16:10 where there is less width.
SENTENCE, QUESTION, LEVER, NAME = 18, 36, 11, 24
# The margin of all, as a part of the height; the gutter beside the chart, below which the noise is
# named, as a share of it.
MARGIN, GUTTER = 17, 0.38
_MUTED = 12
_PLACES = 97  # of a slider, at which the widest value is looked for
_LAW = 18  # px of the name beside which a law has its usual size
_WIDTH = 1.6
# Of a sentence that is too long for one line of this size: the smaller ones, each as a part of the
# height, of which the largest is taken that has room for it; and what has two lines even so. Under
# a hand it does not grow before it has room to spare.
SMALLER, TWO_LINES, SPARE = (20, 22, 24), 27, 1.05


def pointer(look: Look) -> QCursor:
    """A pointer that is seen from the last row: a ring with a dot, in the colour of the text."""
    size = look.px(22)
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = QPointF(size / 2, size / 2)
    for ink, width in (("surface", look.px(4)), ("text", look.px(2))):
        painter.setPen(QPen(look.color(ink), width))
        painter.drawEllipse(middle, size / 3, size / 3)
    painter.setBrush(look.color("text"))
    painter.drawEllipse(middle, look.px(1), look.px(1))
    painter.end()
    return QCursor(picture)


class PresentingHeader(QWidget):
    """The sentence, the question, which of the charts it is, and the buttons of its card."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sentence, self.question = BalancedLabel("title"), BalancedLabel("subtitle")
        self.place = label("", "muted")
        self.card: Card | None = None
        words, above, self.below = QVBoxLayout(self), QHBoxLayout(), QHBoxLayout()
        words.setSpacing(0)
        for row, part in ((above, self.sentence), (self.below, self.question)):
            words.addLayout(row)
            row.addWidget(part, 1)
        above.addWidget(self.place, 0, Qt.AlignmentFlag.AlignTop)

    def take(self, card: Card | None) -> None:
        """Have the buttons of this card, which loses its row; those of another go back."""
        if card is self.card:
            return
        if self.card is not None:
            self.card.take_back()
        self.card = card
        if card is not None:
            self.below.addWidget(card.lend(), 0, Qt.AlignmentFlag.AlignBottom)


class PresentingFooter(QFrame):
    """ε and what it is the ε of, or the parameter that leads. `locked(bool)`: the axes are to stand
    still."""

    locked = Signal(bool)

    def __init__(self, store: Store, look: Look, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("foot")
        self.store, self.look, self.noise_px = store, look, 800 // NAME
        self.epsilon, self.noise = LiveLabel("value"), BalancedLabel("value")
        self.lever = LiveLabel("muted")
        self.lock = QPushButton(tr(N_("Lock the axes")))
        self.lock.setObjectName("quiet")
        self.lock.setStyleSheet("padding-left: 0px")  # level with the name above
        self.lock.setCheckable(True)
        self.lock.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the arrow keys to ε
        self.lock.setToolTip(
            tr(N_("Key L: on axes that stand still a small and a large ε look what they are"))
        )
        self.lock.toggled.connect(self.locked)
        self.field: SliderField | None = None
        self._drawn: tuple[Any, Look] | None = None
        self._room: tuple[Any, int] = None, 0
        self.middle, left = QVBoxLayout(), QVBoxLayout()
        left.setSpacing(0)
        self.under = label(
            "", "muted"
        )  # as high as the name above: the value is level with the slider
        for part in (None, self.lever, self.epsilon, self.under, None):
            left.addStretch(1) if part is None else left.addWidget(part)
        self.right = QWidget()
        right = QGridLayout(self.right)
        right.setContentsMargins(0, 0, 0, 0)
        right.setHorizontalSpacing(0)
        right.setColumnStretch(1, 1)
        right.setRowStretch(0, 1)
        right.setRowStretch(3, 1)
        self.law = label("")
        right.addWidget(self.law, 1, 0)
        right.addWidget(self.noise, 1, 1)
        right.addWidget(self.lock, 2, 1, Qt.AlignmentFlag.AlignLeft)
        self.row = QHBoxLayout(self)
        self.row.addLayout(left)
        self.row.addLayout(self.middle, 1)
        self.row.addWidget(self.right)

    def show_state(self) -> None:
        """ε and the noise of the lab on the screen, or what leads; neither where it has none."""
        lab = self.store.lab
        path = lever_path(lab)
        path = path if plays(lab, path) else ""
        holder = path.rpartition(".")[0] if path == epsilon_path(lab) else ""
        method = lab.method or (get(lab, holder) if holder else "")
        if path and (
            self.field is None or (self.field.path, self.field.real) != (path, self._domain(path))
        ):
            self._take(path)
        for part in (self.epsilon, self.field):
            if part is not None:
                part.setVisible(bool(path))
        name, value = self._value(path, get(lab, path)) if path else ("", "")
        self.lever.setVisible(bool(name))
        self.under.setVisible(bool(name))
        self.lever.show_text(name)
        self.epsilon.setMinimumWidth(self._widest(path) if path else 0)
        self.epsilon.show_text(value)
        self.noise.show_text(tr(getattr(method, "short", "") or getattr(method, "label", method)))
        if path and self.field is not None:
            self.field.refresh()
        self._show_law(method)
        ink = word_color(self.look, getattr(method, "ink", "text")).name()
        self.noise.setStyleSheet(f"color: {ink}; font-size: {self._fitting()}px;")

    def _fitting(self) -> int:
        """The px of type in which the longest word of the name has room beside its law."""
        law = 0 if self.law.isHidden() else self.law.pixmap().deviceIndependentSize().width()
        room, longest = (
            self.right.width() - law - 4,
            max(self.noise.text().split() or [""], key=len),
        )
        sizes = range(self.noise_px, self.noise_px // 2, -1)
        fits = (s for s in sizes if measured(Look(), s, 600).horizontalAdvance(longest) <= room)
        return next(fits, self.noise_px // 2)

    def _show_law(self, method: Any) -> None:
        """The shape of the noise before its name, where it has one."""
        look = replace(self.look, scale=self.noise_px / _LAW)
        if (method, look) != self._drawn:
            self._drawn = method, look
            self.law.setPixmap(shape(method, look) if hasattr(method, "ink") else QPixmap())
            self.law.setVisible(hasattr(method, "ink"))

    def _widest(self, path: str) -> int:
        """The px that the value takes wherever its slider stands, which else moved under the hand
        that drags it."""
        self.epsilon.ensurePolished()
        domain, size = self._domain(path), self.epsilon.fontMetrics()
        key = path, domain, self.epsilon.font().toString()
        if self._room[0] != key:
            said = {self._value(path, domain.at(k / _PLACES))[1] for k in range(_PLACES + 1)}
            self._room = key, max(map(size.horizontalAdvance, said))
        return self._room[1]

    def _value(self, path: str, value: float) -> tuple[str, str]:
        """A name that stands above, and the value; "K = 3" where the name has a letter for it."""
        domain = self._domain(path)
        if self._spends(path):
            return "", f"ε = {value:.4g}"
        name = tr(domain.label)
        letter = next((word for word in reversed(name.split()) if len(word) == 1), "")
        said = written(domain, value)
        return ("" if name == letter else name), f"{letter} = {said}" if letter else said

    def _spends(self, path: str) -> bool:
        """Whether the parameter is an ε, and none of several."""
        return self._domain(path).label == EPSILON.label

    def _domain(self, path: str) -> Real:
        holder, _, name = path.rpartition(".")
        lab = self.store.lab
        domain = domains(type(get(lab, holder) if holder else lab))[name]
        assert isinstance(domain, Real)
        return domain

    def _take(self, path: str) -> None:
        domain = self._domain(path)
        spends = self._spends(path)
        ends = (N_("more private"), N_("more accurate")) if spends else ("", "")
        start, end = (label(tr(words) if words else "", "muted") for words in ends)
        if self.field is not None:
            self.field.hide()  # else it stands beside the new one until Qt comes to delete it
            self.field.deleteLater()
        self.field = SliderField(self.store, path, domain, caption=start)
        self.field.box.hide()
        grid = self.field.layout()
        assert isinstance(grid, QGridLayout)
        grid.addWidget(end, 0, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.field.complaint, 3, 0, 1, 2)
        self.scale = SliderScale(self.field, self.look)
        grid.addWidget(self.scale, 2, 0, 1, 2)
        self.middle.addWidget(self.field, 0, Qt.AlignmentFlag.AlignVCenter)


class PresentingFrame:
    """Header and footer of a window that presents; they are made when they are first needed."""

    def __init__(self, store: Store, look: Look, window: QWidget):
        self.store = store
        self.header, self.foot = PresentingHeader(window), PresentingFooter(store, look, window)
        self._height, self._room, self._share = 800, 1e9, SENTENCE
        self.foot.locked.connect(self._lock)

    def _lock(self, locked: bool) -> None:
        self.foot.lock.setText(tr(N_("Axes locked") if locked else N_("Lock the axes")))

    def show(self, findings: Findings, title: str, asks: str, place: str, told: str = "") -> None:
        """What is `told` in a talk, else the first sentence, else the name of the chart; the
        question, or what else is asked of the chart; which of the charts, or of the steps, it
        is."""
        said = [told] if told else [signed(findings.sentence(key)) for key in findings.headline]
        sentence = unbroken(said[0]) if said else title
        self.header.place.setText(place)
        self.header.sentence.mark(not told and bool({*findings.headline[:1]} & findings.coarse))
        if sentence != self.header.sentence.text():
            self.header.sentence.set_text(sentence)
            self._size_sentence()
        self.header.question.set_text(asks or tr(about_lab(self.store.lab.key).asks))
        self.foot.show_state()

    def _size_sentence(self) -> None:
        """One of many words is smaller: it must leave the room to the chart."""
        words, room = self.header.sentence.text(), self._room - self.header.place.sizeHint().width()

        def fits(share: int) -> bool:
            wide = measured(Look(), round(self._height / share), 600).horizontalAdvance(words)
            return wide * (SPARE if share < self._share else 1) <= room

        self._share = next(filter(fits, (SENTENCE, *SMALLER)), TWO_LINES)
        self.header.sentence.setStyleSheet(f"font-size: {round(self._height / self._share)}px;")

    def dress(self, look: Look, width: int, height: int) -> int:
        """Type by the size of the screen. The margin that all on it keeps, in px."""
        self.foot.look, self._height = look, height
        margin, low = height // MARGIN, min(height, round(width / _WIDTH))
        header, foot = self.header.layout(), self.foot.layout()
        assert header is not None
        assert foot is not None
        header.setContentsMargins(EDGE, margin * 3 // 4, EDGE + OVERLAY, margin // 3)
        foot.setContentsMargins(margin, margin // 4, margin, margin // 4)
        foot.setSpacing(low // 24)
        self.foot.right.setFixedWidth(round(min(low * GUTTER, width / 4.6)))
        for part in (self.header, self.foot):
            part.setStyleSheet(style_sheet(replace(look, scale=low / QUESTION / _MUTED)))
        for label_, size in (
            (self.header.question, height // QUESTION),
            (self.header.place, height // QUESTION),
            (self.foot.epsilon, low // LEVER),
        ):
            label_.setStyleSheet(f"font-size: {size}px;")
        self.foot.noise_px = low // NAME
        self._room, self._share = width - 2 * margin - foot.spacing(), SENTENCE
        self._size_sentence()
        self.foot.show_state()
        return margin
