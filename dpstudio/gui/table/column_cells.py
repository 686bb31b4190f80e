"""How cells in the list of columns are drawn: names with their marks, and tiny distributions."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from dpstudio.data.profile import Profile
from dpstudio.gui.parts.theme import Look

MARKS, QUIET = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2


class NameCell(QStyledItemDelegate):
    """A name, and on its right what else is to be said of the column."""

    def __init__(self, look: Look):
        super().__init__()
        self.look = look

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        box = QRectF(option.rect)
        self.initStyleOption(option, index)
        style, text = option.widget.style(), option.text
        option.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words = self.look.font(14)
        left = box.left() + self.look.px(8) + 3
        room = box.right() - self.look.px(6) - left - QFontMetrics(words).horizontalAdvance(text)
        right = self._marks(painter, box, index.data(MARKS), room)
        painter.setFont(words)
        painter.setPen(self.look.color("text"))
        name = QFontMetrics(words).elidedText(text, Qt.TextElideMode.ElideRight, int(right - left))
        painter.drawText(
            QRectF(left, box.top(), right - left, box.height()),
            int(Qt.AlignmentFlag.AlignVCenter),
            name,
        )
        painter.restore()

    def _marks(self, painter: QPainter, box: QRectF, marks: list[str], room: float) -> float:
        """Each as a word in a frame, or as a dot where the name leaves no room; where they
        begin."""
        font, pad = self.look.font(11, 600), self.look.px(5)
        metrics = QFontMetrics(font)
        high = metrics.height() + self.look.px(2)
        dots = sum(metrics.horizontalAdvance(mark) + 3 * pad for mark in marks) > room
        right = box.right() - pad
        painter.setFont(font)
        painter.setPen(self.look.color("good"))
        for mark in reversed(marks):
            width = self.look.px(7) if dots else metrics.horizontalAdvance(mark) + 2 * pad
            tall = width if dots else high
            pill = QRectF(right - width, box.center().y() - tall / 2, width, tall)
            painter.setBrush(
                self.look.color("good") if dots else QColor(Qt.GlobalColor.transparent)
            )
            painter.drawRoundedRect(pill, tall / 2, tall / 2)
            if not dots:
                painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), mark)
            right -= width + pad
        return right


class QuietCell(QStyledItemDelegate):
    """A text, in italics and muted where nobody has said it."""

    def __init__(self, look: Look):
        super().__init__()
        self.look = look

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        if index.data(QUIET):
            option.font.setItalic(True)
            for part in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
                option.palette.setColor(part, self.look.color("muted"))


class BarsCell(QStyledItemDelegate):
    """Draws the distribution: bars for words, a filled outline for numbers."""

    def __init__(self, look: Look):
        super().__init__()
        self.look = look

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        seen: Profile = index.data(Qt.ItemDataRole.UserRole)
        bars = seen.bars
        if not len(bars):
            return
        box = QRectF(option.rect).adjusted(8, 5, -8, -4)
        color = QColor(self.look.color("accent"))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not seen.words)
        painter.setPen(Qt.PenStyle.NoPen)
        heights = bars / bars.max() * box.height()
        step = box.width() / max(len(heights), 8)
        if seen.words:
            painter.setBrush(color)
            for i, height in enumerate(heights):
                painter.drawRect(
                    QRectF(
                        box.left() + i * step, box.bottom() - height, max(1.0, step * 0.75), height
                    )
                )
        else:
            color.setAlphaF(0.75)
            painter.setBrush(color)
            points = [QPointF(box.left(), box.bottom())]
            for i, height in enumerate(heights):
                top = box.bottom() - height
                points += [
                    QPointF(box.left() + i * step, top),
                    QPointF(box.left() + (i + 1) * step, top),
                ]
            painter.drawPolygon(
                QPolygonF([*points, QPointF(box.left() + len(heights) * step, box.bottom())])
            )
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(self.look.px(90), self.look.px(30))
