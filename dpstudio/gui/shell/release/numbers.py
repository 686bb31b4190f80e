"""The numbers of a line as they were published: a lane each, with what its bracket spans."""

from decimal import Decimal
from fractions import Fraction

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from dpstudio.charts.figure import Axis
from dpstudio.charts.scaling import ticks
from dpstudio.files.booked.releasing import Line
from dpstudio.gui.parts.labels import hair, label
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.plans import methods
from dpstudio.plans.plan import Plan
from dpstudio.plans.published import FITTED, SUMMED, TOTAL, Cell
from dpstudio.values.messages import N_, Num, in_turn, say

_HIGH, _BAR = 22, 8
_SMALL, _MIDDLE = (12, 400), Qt.AlignmentFlag.AlignCenter  # of the numbers along the axis


class _Lane(QWidget):
    """A bar from 0 to a number, with the bracket of its half-width, on the axis of all lanes."""

    def __init__(self, theme: Theme, value: float, half: float, ends: tuple[float, float]):
        super().__init__()
        self.theme, self.value, self.half, self.ends = theme, value, half, ends
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(80, self.theme.look.px(_HIGH))

    def _at(self, value: float) -> float:
        return place(value, self.ends, self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter, middle = self.theme.look, QPainter(self), self.height() / 2
        painter.setPen(QPen(look.color("grid"), 1))
        for value, _ in marks(self.ends, self.width()):
            painter.drawLine(round(self._at(value)), 0, round(self._at(value)), self.height())
        tall, ink = look.px(_BAR), look.color("text")
        zero, at = self._at(0), self._at(self.value)
        pale = look.color("text")
        pale.setAlphaF(0.22)
        box = QRectF(min(zero, at), middle - tall / 2, abs(at - zero), tall)
        painter.fillRect(box, pale)
        painter.setPen(QPen(look.color("axis"), 1))
        painter.drawLine(round(zero), 0, round(zero), self.height())
        painter.setPen(QPen(ink, 2))
        left, right = self._at(self.value - self.half), self._at(self.value + self.half)
        for x in (left, right):
            painter.drawLine(round(x), round(middle - tall / 2), round(x), round(middle + tall / 2))
        painter.drawLine(round(left), round(middle), round(right), round(middle))
        painter.end()


class _Scale(QWidget):
    """The numbers of the axis of all lanes, below them."""

    def __init__(self, theme: Theme, ends: tuple[float, float]):
        super().__init__()
        self.theme, self.ends = theme, ends
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(80, self.theme.look.px(_HIGH))

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = self.theme.look, QPainter(self)
        painter.setFont(look.font(*_SMALL))
        painter.setPen(look.color("axis"))
        painter.drawLine(0, 0, self.width(), 0)
        painter.setPen(look.color("muted"))
        for value, text in marks(self.ends, self.width()):
            wide = painter.fontMetrics().horizontalAdvance(text)
            left = place(value, self.ends, self.width()) - wide / 2
            left = min(max(left, 0.0), float(self.width() - wide))
            painter.drawText(QRectF(left, 0, wide + 1, self.height()), _MIDDLE, text)
        painter.end()


class _Body(QFrame):
    """The rows, with a hairline below each."""

    def __init__(self, theme: Theme):
        super().__init__()
        self.theme, self.grid = theme, QGridLayout(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self.theme.look.color("grid"))
        for row in range(self.grid.rowCount()):
            items = [self.grid.itemAtPosition(row, k) for k in range(self.grid.columnCount())]
            low = max([item.geometry().bottom() for item in items if item is not None], default=-1)
            painter.drawLine(0, low, self.width(), low)
        painter.end()


def place(value: float, ends: tuple[float, float], wide: int) -> float:
    """Where a number lies on an axis so many px wide."""
    low, high = ends
    return 1 + (value - low) / (high - low) * (wide - 3)


def marks(ends: tuple[float, float], wide: int) -> list[tuple[float, str]]:
    """The numbers along it."""
    return ticks(Axis("", range=ends), wide, 90)


def _ends(cells: tuple[Cell, ...]) -> tuple[float, float]:
    """From where to where the lanes go: all brackets, and 0."""
    pairs = [(float(Fraction(c.value)), float(Fraction(c.half))) for c in cells]
    low, high = min([0.0, *(v - h for v, h in pairs)]), max([0.0, *(v + h for v, h in pairs)])
    return (low, high) if high > low else (0.0, 1.0)


class Numbers(QFrame):
    """One line's numbers, below its name and how it was drawn."""

    def __init__(self, theme: Theme):
        super().__init__()
        self.theme = theme
        self.title, self.how = label("", "title"), label("", "muted", wrap=True)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.addWidget(hair())
        self.column.addWidget(self.title)
        self.warning = label("", "warn", wrap=True)
        self.column.addWidget(self.warning)
        self.column.addWidget(self.how)
        self.body = _Body(theme)
        self.column.addWidget(self.body)
        self.hide()

    def show_line(
        self, plan: Plan, line: Line | None, base: Fraction | None = None, person: str = ""
    ) -> None:
        """The numbers of a line that was published, in steps of `base`, of the rows that are used
        of each `person`; nothing of another."""
        self.setVisible(line is not None)
        if line is None:
            return
        name, entry = line.question.name, line.head.partition(":")[0]
        text = N_("{name}, published: entry {n} of the ledger")
        self.title.setText(shown(say(text, name=name, n=entry)))
        cells = line.cells(plan, base)
        self.warning.setText(shown(in_turn(methods.contradicts(line.fit))))
        self.warning.setVisible(bool(self.warning.text()))
        said = [*methods.intervals(plan, cells, base), *methods.loosened(cells, line.fit)]
        if person:
            said += list(methods.protects(plan, person))[1:]
        self.how.setText(shown(in_turn(said)))
        before, self.body = self.body, _Body(self.theme)
        self._fill(self.body.grid, cells, words=not line.question.additive)
        self.column.replaceWidget(before, self.body)
        before.hide()
        before.deleteLater()

    def _fill(self, grid: QGridLayout, cells: tuple[Cell, ...], *, words: bool) -> None:
        grid.setContentsMargins(0, 8, 0, 8)
        grid.setVerticalSpacing(0)
        grid.setHorizontalSpacing(8)
        grid.setColumnStretch(1, 1)
        drawn = tuple(cell for cell in cells if not _summed(cell))
        right, ends = Qt.AlignmentFlag.AlignRight, None if words else _ends(drawn)
        heads = N_("published"), N_("off by at most"), *(() if words else (N_("of it"),))
        for column, head in enumerate(heads, 2):
            grid.addWidget(label(tr(head), "muted", wrap=True), 0, column, right)
        for row, cell in enumerate(cells, 1):
            grid.addWidget(label(" · ".join(cell.labels)), row, 0, right)
            if _summed(cell):
                grid.addWidget(label(tr(N_("sum of published numbers")), "muted"), row, 1)
            elif ends is not None:
                value, half = float(Fraction(cell.value)), float(Fraction(cell.half))
                grid.addWidget(_Lane(self.theme, value, half, ends), row, 1)
            value_ = cell.value if words else _grouped(cell.value)
            grid.addWidget(label(value_, "title"), row, 2, right)
            half_width = label(f"±{_grouped(cell.half)} {cell.unit}".strip(), "muted")
            half_width.setToolTip(cell.method)
            grid.addWidget(half_width, row, 3, right)
            if not words and cell.part is not None:
                part = say("±{p}", p=Num(float(cell.part), 2, "up", percent=True))
                grid.addWidget(label(shown(part), "muted"), row, 4, right)
            if cell.flag:
                grid.addWidget(label(tr(N_("unreliable")), "warn"), row, 5)
        if ends is not None:
            grid.addWidget(_Scale(self.theme, ends), len(cells) + 1, 1)


def _summed(cell: Cell) -> bool:
    """Whether it is a total; of what is fitted by least squares too that adds up its cells."""
    return cell.method == SUMMED or (cell.method.startswith(FITTED) and TOTAL in cell.labels)


def _grouped(number: str) -> str:
    """It as it was published, to the last digit, in groups of three."""
    return number if "/" in number else f"{Decimal(number):,f}"
