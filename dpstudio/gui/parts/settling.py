"""A window in which all that is to be laid out is so before anything is painted, and each part of
it once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLayout, QMainWindow

# What Qt puts off of widgets that come, go or change: layouts, of which each may ask those around
# it to be laid out next, and to be painted.
_PUT_OFF = *[QEvent.Type.LayoutRequest.value] * 6, QEvent.Type.UpdateLater.value


class Settling(QMainWindow):
    """Qt paints between what it put off, and again after each of it: charts of a page that is
    turned to up to four times. Here that is done first."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            for kind in _PUT_OFF:
                QCoreApplication.sendPostedEvents(None, kind)
        return super().event(event)


@contextmanager
def laid_out_later(*layouts: QLayout) -> Iterator[None]:
    """Within this nothing moves in these layouts, in which each widget that is shown would else lay
    out all others."""
    for layout in layouts:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for layout in layouts:
            layout.setEnabled(True)
