"""What stands around a chart that is presented: its sentence and the question above it, ε or what
leads with its slider, the noise and the lock of the axes below."""

from dataclasses import replace

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QCursor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.charts.figure import Axis, Figure
from dpstudio.gui.board.headline import signed
from dpstudio.gui.panel.form import SliderField
from dpstudio.gui.parts.declared import plays
from dpstudio.gui.parts.labels import BalancedLabel, LiveLabel, label
from dpstudio.gui.parts.theme import Look, style_sheet
from dpstudio.gui.parts.tr import tr
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
_MUTED = 12
_WIDTH = 1.6
# The letters of a sentence that are read in one look, about two lines.
LETTERS = 80


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
    """The sentence, the question, and which of the charts it is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sentence, self.question = BalancedLabel("title"), BalancedLabel("subtitle")
        self.place = label("", "muted")
        row, words = QHBoxLayout(self), QVBoxLayout()
        words.setSpacing(row.spacing())  # not that beside the words
        row.addLayout(words, 1)
        row.addWidget(self.place, 0, Qt.AlignmentFlag.AlignTop)
        words.addWidget(self.sentence)
        words.addWidget(self.question)


class PresentingFooter(QFrame):
    """ε and what it is the ε of, or the parameter that leads. `locked(bool)`: the axes are to stand
    still."""

    locked = Signal(bool)

    def __init__(self, store: Store, look: Look, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("foot")
        self.store, self.look, self.noise_px = store, look, 800 // NAME
        self.epsilon, self.noise = LiveLabel("value"), BalancedLabel("value")
        self.lock = QPushButton(tr(N_("Lock the axes")))
        self.lock.setCheckable(True)
        self.lock.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the arrow keys to ε
        self.lock.setToolTip(
            tr(N_("Key L: on axes that stand still a small and a large ε look what they are"))
        )
        self.lock.toggled.connect(self.locked)
        self.field: SliderField | None = None
        self.middle = QVBoxLayout()
        right = QGridLayout()
        right.addWidget(self.noise, 0, 0)
        right.addWidget(self.lock, 1, 0, Qt.AlignmentFlag.AlignLeft)
        self.row = QHBoxLayout(self)
        self.row.addWidget(self.epsilon)
        self.row.addLayout(self.middle, 1)
        self.row.addLayout(right)

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
        self.epsilon.show_text(self._value(path))
        self.noise.show_text(tr(method if isinstance(method, str) else method.label))
        if path and self.field is not None:
            self.field.refresh()
        ink = self.look.color(getattr(method, "ink", "text")).name()
        self.noise.setStyleSheet(f"color: {ink}; font-size: {self.noise_px}px;")

    def _value(self, path: str) -> str:
        if not path:
            return ""
        if self._spends(path):
            return f"ε = {get(self.store.lab, path):.4g}"
        return self._domain(path).show(get(self.store.lab, path))

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
        ends = (domain.label, "")
        if self._spends(path):
            ends = (N_("more private"), N_("more accurate"))
        start, end = (label(tr(words) if words else "", "muted") for words in ends)
        if self.field is not None:
            self.field.hide()  # else it stands beside the new one until Qt comes to delete it
            self.field.deleteLater()
        self.field = SliderField(self.store, path, domain, caption=start)
        self.field.box.hide()
        grid = self.field.layout()
        assert isinstance(grid, QGridLayout)
        grid.addWidget(end, 0, 1, Qt.AlignmentFlag.AlignRight)
        self.middle.addWidget(self.field)


class PresentingFrame:
    """Header and footer of a window that presents; they are made when they are first needed."""

    def __init__(self, store: Store, look: Look, window: QWidget):
        self.store = store
        self.header, self.foot = PresentingHeader(window), PresentingFooter(store, look, window)
        self._held: dict[tuple[str, str], tuple[Axis, Axis]] | None = None
        self._height = 800
        self.foot.locked.connect(self._lock)

    def _lock(self, locked: bool) -> None:
        self.foot.lock.setText(tr(N_("Axes locked") if locked else N_("Lock the axes")))
        self._held = {} if locked else None

    def held(self, figure: Figure) -> Figure:
        """The figure on the axes on which it was first seen since they were locked."""
        if self._held is None:
            return figure
        key = (self.store.lab.key, figure.key)
        x, y = self._held.setdefault(key, (figure.x, figure.y))
        if (x.label, x.log, x.ticks, y.label, y.log) != (
            figure.x.label, figure.x.log, figure.x.ticks, figure.y.label, figure.y.log,
        ):  # fmt: skip
            self._held[key] = x, y = figure.x, figure.y
        return replace(figure, x=x, y=y)

    def show(self, findings: Findings, title: str, asks: str, place: str, told: str = "") -> None:
        """What is `told` in a talk, else the first sentence, else the name of the chart; the
        question; which of the charts, or of the steps, it is."""
        said = [told] if told else [signed(findings.sentence(key)) for key in findings.headline]
        sentence = said[0] if said else title
        if sentence != self.header.sentence.text():
            self.header.sentence.set_text(sentence)
            self._size_sentence()
        self.header.question.set_text(asks or tr(about_lab(self.store.lab.key).asks))
        self.header.place.setText(place)
        self.foot.show_state()

    def _size_sentence(self) -> None:
        """One of many words is smaller: it must leave the room to the chart."""
        share = SENTENCE if len(self.header.sentence.text()) <= LETTERS else 1.5 * SENTENCE
        self.header.sentence.setStyleSheet(f"font-size: {round(self._height / share)}px;")

    def dress(self, look: Look, width: int, height: int) -> None:
        """Type by the size of the screen."""
        self.foot.look, self._height = look, height
        margin, low = height // 17, min(height, round(width / _WIDTH))
        header, foot = self.header.layout(), self.foot.layout()
        assert header is not None
        assert foot is not None
        header.setContentsMargins(margin, margin // 2, margin, 0)
        header.setSpacing(margin // 2)
        foot.setContentsMargins(margin, margin // 4, margin, margin // 4)
        foot.setSpacing(low // 17)
        self.foot.setStyleSheet(style_sheet(replace(look, scale=low / QUESTION / _MUTED)))
        for part, size in (
            (self.header.question, height // QUESTION),
            (self.header.place, height // QUESTION),
            (self.foot.epsilon, low // LEVER),
        ):
            part.setStyleSheet(f"font-size: {size}px;")
        self.foot.noise_px = low // NAME
        self._size_sentence()
        self.foot.show_state()
