"""Whether what changes by itself may move, and for how long: not for who asks for less motion."""

import sys

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QStyle

EASE_MS = 200
_KEY = "look/less_motion"
_CLIENT_AREA_ANIMATION = 0x1042  # SPI_GETCLIENTAREAANIMATION


def less(kept: QSettings) -> bool:
    """What was chosen, else what the system says: Windows by its own switch, others by the style
    of Qt, which has no word for it."""
    if kept.contains(_KEY):
        return bool(kept.value(_KEY, False, type=bool))
    if sys.platform == "win32":
        import ctypes

        on = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(on), 0)
        return not on.value
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    return QApplication.style().styleHint(hint) == 0


def choose(kept: QSettings, less: bool) -> None:
    """Remember it, and let what is seen follow at once."""
    kept.setValue(_KEY, less)
    take(kept)


def take(kept: QSettings) -> None:
    """Let everything in this process move as it was chosen."""
    QApplication.instance().setProperty(_KEY, less(kept))  # type: ignore[union-attr]


def ease_ms() -> int:
    """How long an axis takes to its new range, in ms; 0: it is there at once."""
    app = QApplication.instance()
    return 0 if app is None or app.property(_KEY) else EASE_MS
