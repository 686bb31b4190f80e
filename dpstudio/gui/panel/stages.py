"""The slider over the stages of a chart that is gone through one after the other."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from dpstudio.gui.parts.boxes import PanelSlider
from dpstudio.gui.parts.labels import LiveLabel, label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.labs.panel import Stages
from dpstudio.values.messages import N_, Num, say


class StagesSlider(QWidget):
    """Hidden where there is but one stage. `stepped(index)`: which answer is to be seen; number 0
    is the stage with which the page opens."""

    stepped = Signal(int)

    def __init__(self, row: Stages):
        super().__init__()
        self.first = row.first
        self.place, self.slider = LiveLabel("muted"), PanelSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr(row.name))
        self.slider.setToolTip(tr(N_("Which step the chart shows.")))
        self.slider.setPageStep(1)
        self.slider.setMinimum(1)
        self.slider.valueChanged.connect(self._step)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        grid.addWidget(label(tr(row.name), wrap=True), 0, 0)
        grid.addWidget(self.place, 0, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.slider, 1, 0, 1, 2)
        self.hide()

    def show_answer(self, index: int, stages: int) -> None:
        """Which of so many answers is on the screen."""
        there = stages > 1
        if there:
            stage = (index + self.first(stages)) % stages + 1
            with QSignalBlocker(self.slider):
                self.slider.setMaximum(stages)
                self.slider.setValue(stage)
            self.place.show_text(shown(say("{n} of {count}", n=Num(stage), count=Num(stages))))
        if self.isHidden() == there:
            self.setVisible(there)

    def _step(self, stage: int) -> None:
        stages = self.slider.maximum()
        self.stepped.emit((stage - 1 - self.first(stages)) % stages)
