"""A window in which all that is to be laid out is so before anything is painted."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QMainWindow

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
