"""The numbers under the slider of a stage."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStyle, QStyleOptionSlider, QWidget

from dpstudio.charts.figure import Axis
from dpstudio.charts.scaling import ticks
from dpstudio.gui.panel.form import SliderField
from dpstudio.gui.parts.theme import Look
from dpstudio.values.parameters import Integer, Real


def written(real: Real, value: float) -> str:
    """A value of a parameter in digits; shares in percent."""
    return f"{real.show(100 * value)} %" if real.percent else real.show(value)


class SliderScale(QWidget):
    """The numbers under a slider, each below the place that the knob has there."""

    def __init__(self, field: SliderField, look: Look) -> None:
        super().__init__()
        self.field, self.look = field, look

    def sizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        slider, real, size = self.field.slider, self.field.real, self.fontMetrics()
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        style, whole = slider.style(), QStyle.ComplexControl.CC_Slider
        part = QStyle.SubControl.SC_SliderHandle
        knob = style.subControlRect(whole, option, part, slider).width()
        length = self.width() - knob
        wide = [size.horizontalAdvance(written(real, end)) for end in (real.low, real.high)]
        painter = QPainter(self)
        painter.setPen(self.look.color("muted"))
        axis = Axis("", real.log, (real.low, real.high), whole=isinstance(real, Integer))
        last = -knob
        for at, text in ticks(axis, length, 1.4 * max(*wide, 3 * size.averageCharWidth())):
            text = written(real, at) if real.percent else text
            across = size.horizontalAdvance(text)
            x = round(knob / 2 + real.position(at) * length - across / 2)
            x = max(0, min(x, self.width() - across))
            if x > last:
                painter.drawText(x, size.ascent(), text)
                last = x + across + size.averageCharWidth()
        painter.end()
