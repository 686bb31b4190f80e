"""The keys that turn pages: two anywhere, and on the screen the arrows too, as in any talk."""

from PySide6.QtCore import Qt

PAGES = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
TURNS = {**PAGES, Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
