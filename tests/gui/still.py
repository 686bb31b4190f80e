"""What stands under the pointer stays there, and so does the hero: presses on each slider, segment
and row of a panel, with what moved. For the soak, which walks all labs, and for tests."""

from collections.abc import Iterator
from typing import Any

from hand import handle_at, mouse, paint_now, seen, settle
from page_frame import box
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractButton, QSlider, QWidget

from dpstudio.gui.panel.folding import Folding
from dpstudio.gui.shell.studio import Studio

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
REACH = 0.25, -0.35  # of a slider, where a hand goes to from where it was


def hero(studio: Studio) -> QRect:
    """Where the first chart stands in the window."""
    items = studio.window.board.items
    return box(items[0], studio.window) if items else QRect()


def targets(studio: Studio) -> list[QWidget]:
    """What of the panel is pressed: sliders, and what is one of several that exclude each other."""
    found = [w for w in seen(studio.panel) if isinstance(w, QSlider | QAbstractButton)]
    return [
        w
        for w in found
        if w.isEnabled()
        and (
            isinstance(w, QSlider)
            or (w.isCheckable() and w.objectName() != "all" and not isinstance(w, Folding))
        )
    ]


def pressed(studio: Studio, qtbot: Any, target: QWidget) -> Iterator[str]:
    """Press on it, move, let go and let the finer result arrive; what did not stand still."""
    window = studio.window
    studio.panel.area.ensureWidgetVisible(target)
    settle(qtbot, studio)
    paint_now()
    name = target.accessibleName() or getattr(target, "text", str)() or type(target).__name__
    QCursor.setPos(target.mapToGlobal(target.rect().center()))
    at, stood = box(target, window), hero(studio)

    def moved(when: str) -> Iterator[str]:
        settle(qtbot, studio)
        paint_now()
        now = box(target, window)
        if target.isVisible() and now.topLeft() != at.topLeft():
            yield f"{name}: it moved from {at.topLeft().toTuple()} to {now.topLeft().toTuple()} {when}"
        if hero(studio) != stood:
            yield f"{name}: the hero moved from {stood.getCoords()} to {hero(studio).getCoords()} {when}"

    if isinstance(target, QSlider):
        start = handle_at(target)
        mouse(target, QEvent.Type.MouseMove, start, NONE, NONE)
        mouse(target, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
        here = start
        for way in REACH:
            x = min(max(here.x() + round(way * target.width()), 8), target.width() - 8)
            here = QPoint(x, start.y())
            mouse(target, QEvent.Type.MouseMove, here, NONE, LEFT)
            yield from moved("under the hand")
        mouse(target, QEvent.Type.MouseButtonRelease, here, LEFT, NONE)
    else:
        middle = target.rect().center()
        mouse(target, QEvent.Type.MouseMove, middle, NONE, NONE)
        mouse(target, QEvent.Type.MouseButtonPress, middle, LEFT, LEFT)
        mouse(target, QEvent.Type.MouseButtonRelease, middle, LEFT, NONE)
    yield from moved("afterwards")
