"""The bar that asks how large a figure for print is to be, and what stands around it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QIntValidator, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.export import chart_svg
from dpstudio.files.write.palette import palette
from dpstudio.files.write.paper import FEWEST, MOST, PAPER_NAMES, PAPERS, Paper
from dpstudio.gui.board.render import svg_within
from dpstudio.gui.parts import boxes, buttons, labels
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.waiting import Bars
from dpstudio.gui.state.jobs import Channel, Work
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import TRUTH
from dpstudio.values.messages import N_, say

_PARTS = {
    "title": N_("Title"),
    "caption": N_("Caption"),
    "footer": N_("Footer"),
    "screen": N_("Colours of the screen"),
}
_DRAWN = N_("This is what is seen. What is saved without the exact answer is drawn then.")
_KINDS = {"pdf": N_("PDF …"), "svg": N_("SVG …"), "png": N_("PNG …"), "csv": N_("CSV …")}


@dataclass(frozen=True, eq=False)
class Seen:
    """A chart on the screen, of which some layers are `hidden`, and what it was made of."""

    figure: Figure
    lab: Lab
    data: Dataset
    hidden: frozenset[str]


# The room of the preview in px at normal type, and how long all is still before it is drawn.
_WIDE, _HIGH, _STILL_MS = 196, 150, 120


class PagePreview(QLabel):
    """A small picture of the page as it will be written, drawn off the GUI thread once all is
    still. `seen(key)` is the chart on the screen, None where there is none. `drawn(bool)`: whether
    another one will be, where no exact answer may leave: to draw that costs."""

    drawn = Signal(bool)

    def __init__(self, seen: Callable[[str], Seen | None], channel: Channel, theme: Theme):
        super().__init__()
        self._seen, self._channel, self._theme = seen, channel, theme
        self._asked: tuple[str, Paper] | None = None
        self.setObjectName("page")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAccessibleName(tr(N_("The page as it will be written")))
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_STILL_MS)
        self._still.timeout.connect(self._draw)
        channel.value.connect(self._show)
        channel.failed.connect(lambda error: self.clear())  # it is said when it is written
        theme.changed.connect(self.again)
        self._fit()

    def ask(self, key: str, paper: Paper) -> None:
        """Draw a chart on a page soon."""
        self._asked = key, paper
        self.again()

    def again(self) -> None:
        """What is on the screen may be another, or look otherwise."""
        self._fit()
        if self.isVisibleTo(self.window()):
            self._still.start()

    def _fit(self) -> None:
        self.setFixedSize(self._theme.look.px(_WIDE), self._theme.look.px(_HIGH))

    def _draw(self) -> None:
        seen = self._seen(self._asked[0]) if self._asked is not None else None
        if self._asked is None or seen is None:
            self.clear()
            return
        self.drawn.emit(getattr(seen.lab, TRUTH, True) is False)
        room = (self.size() - QSize(2, 2)) * self.devicePixelRatioF()
        look = {"dark": self._theme.look.dark, "hidden": seen.hidden, "paper": self._asked[1]}
        self._channel.submit(partial(_page, seen, look, room), cancel=True)

    def _show(self, image: QImage) -> None:
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self.setPixmap(QPixmap.fromImage(image))


def _page(seen: Seen, look: dict[str, Any], room: QSize, work: Work) -> Iterator[QImage]:
    svg = chart_svg(seen.figure, seen.lab, seen.data, translate=tr, **look)
    image = svg_within(svg, room.width() - 2, room.height() - 2)
    framed = QImage(image.size() + QSize(2, 2), image.format())
    framed.fill(QColor(palette(look["dark"])["axis"]))  # paper is as white as the bar
    painter = QPainter(framed)
    painter.drawImage(1, 1, image)
    painter.end()
    yield framed


class PrintBar(QFrame):
    """Hidden until it is asked for; what was chosen stays for the next figure. `save(key, kind,
    paper)` writes the chart, of which `preview` is the page."""

    def __init__(self, bars: Bars, save: Callable[[str, str, Paper], object], preview: PagePreview):
        super().__init__()
        self.preview = preview
        self.setObjectName("bar")
        self._lab = self._key = ""
        self._save, self.preset = save, next(iter(PAPERS))
        self.name = labels.label("", wrap=True)
        self.note = labels.label(tr(_DRAWN), "muted", wrap=True)
        self.note.hide()
        preview.drawn.connect(self.note.setVisible)
        self.sizes, self.parts = buttons.Segments(PAPER_NAMES), buttons.Chips(_PARTS)
        self.on = {"title", "caption", "footer"}
        self.dpi = boxes.LineBox(chars=4)
        self.dpi.setValidator(QIntValidator(FEWEST, MOST, self.dpi))
        self.dpi.show_text(str(Paper(1, 1).dpi))
        self.dpi.setAccessibleName(tr(N_("Dots an inch of a PNG")))
        self.shut = QPushButton(tr(N_("Close")))
        self.shut.clicked.connect(self.hide)
        self.kinds = {kind: QPushButton(tr(text)) for kind, text in _KINDS.items()}
        for kind, button in self.kinds.items():
            button.clicked.connect(partial(self._write, kind))
        self.sizes.chosen.connect(self._choose)
        self.parts.flipped.connect(self._flip)
        row, layout = QHBoxLayout(self), QVBoxLayout()
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(16)
        row.addWidget(preview, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(layout, 1)
        foot = buttons.Words()
        foot.add(labels.label(tr(N_("Save as"))), *self.kinds.values())
        foot.add(labels.label(tr(N_("dots an inch of a PNG"))), self.dpi)
        foot.add(self.shut)
        for part in (self.name, self.note, self.sizes, self.parts, foot):
            layout.addWidget(part)
        layout.addStretch()
        self._show()
        bars.add(self)

    def ask(self, lab: str, key: str, title: str) -> None:
        """Ask about the chart of this key of a lab."""
        self._lab, self._key = lab, key
        self.name.setText(shown(say("Figure for print: {title}", title=title)))
        self.show()
        self.preview.ask(key, self.paper)
        self.sizes.buttons[self.preset].setFocus()

    def leave(self, lab: str) -> None:
        """Another lab may be on the screen: its charts were not asked about."""
        if lab != self._lab:
            self.hide()

    @property
    def paper(self) -> Paper:
        """What is chosen."""
        parts = {part: part in self.on for part in _PARTS}
        asked = self.dpi.text() if self.dpi.hasAcceptableInput() else Paper(1, 1).dpi
        return replace(PAPERS[self.preset], **parts, dpi=int(asked))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _choose(self, preset: str) -> None:
        self.preset = preset
        self._show()

    def _flip(self, part: str) -> None:
        self.on ^= {part}
        self._show()

    def _show(self) -> None:
        self.sizes.show_choice(self.preset)
        self.parts.show_chosen([part for part in _PARTS if part in self.on])
        if self._key:
            self.preview.ask(self._key, self.paper)

    def _write(self, kind: str) -> None:
        self._save(self._key, kind, self.paper)
