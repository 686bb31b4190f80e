"""What the parts of a panel stand in."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QVBoxLayout, QWidget

from dpstudio.gui.panel.folding import FoldingHead
from dpstudio.gui.parts.choice_list import OUTDENT
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr

# px beside the words of a panel, also where type is large; rows of a list go beyond them.
_EDGE, _NARROW, _LARGE = 24, 16, 1.5
_GAP = 7


class Part(QFrame):
    """A part of the panel under a hairline, with a small heading; what stands in it goes into its
    `column`. One that `folds` opens at its name, which tells meanwhile what is to be found in
    it."""

    def __init__(self, title: str, folds: bool) -> None:
        super().__init__()
        self.column = QVBoxLayout()
        self.column.setSpacing(_GAP)
        self.hair = QFrame()
        self.hair.setObjectName("hair")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0 if folds else 12)
        whole.setSpacing(0 if folds else _GAP)
        self.head: FoldingHead | None = None
        inset = QVBoxLayout()
        inset.setContentsMargins(OUTDENT, 0, OUTDENT, 0)
        inset.setSpacing(0 if folds else 12)
        inset.addWidget(self.hair)
        whole.addLayout(inset)
        if not folds:
            inset.addWidget(label(tr(title), "head", wrap=True))
            whole.addLayout(self.column)
            return
        self.column.setContentsMargins(0, 0, 0, 8)
        self.head = FoldingHead(tr(title))
        inset.addWidget(self.head)
        self.within = QWidget()
        self.within.setLayout(self.column)
        self.within.hide()
        self.head.toggled.connect(self.within.setVisible)
        whole.addWidget(self.within)

    @property
    def columns(self) -> list[QLayout]:
        """The layouts of what stands in it."""
        return [layout for layout in (self.layout(), self.column) if layout is not None]

    def lead(self) -> None:
        """Stand under the bar of the window, whose edge is its hairline."""
        self.hair.hide()
        self.setContentsMargins(0, 12, 0, 0)

    def unfold(self) -> None:
        """Let what is in it be seen."""
        if self.head is not None:
            self.head.setChecked(True)


def column_in(within: QWidget) -> QVBoxLayout:
    """A column with room for a scroll bar at its right edge."""
    column = QVBoxLayout(within)
    column.setSpacing(0)
    return column


def set_edges(look: Look, *columns: QLayout) -> None:
    """Keep these as far from the edges of the panel as the type allows."""
    edge = (_NARROW if look.scale >= _LARGE else _EDGE) - OUTDENT
    for column in columns:
        column.setContentsMargins(edge, 0, edge, 0)


class PanelScroll(QScrollArea):
    """What of a panel is not pinned; as high as there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
