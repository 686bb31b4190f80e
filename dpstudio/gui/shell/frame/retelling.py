"""Another language while the window is open: what stands in it is said again where it stands, and
nothing of its state is touched. What follows findings is drawn again by who draws it."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from dpstudio.gui.parts.boxes import NAMES_DATA
from dpstudio.gui.parts.labels import LiveLabel
from dpstudio.gui.parts.tr import Again

# What stands between words that were said apart: lines and keys, marks of what folds, and so on.
_JOINTS = tuple(
    map(re.compile, (r"(\s*[\n\t]\s*)", r"(  +|\s*[▾▸◂]\s*)", r"(\s· )", "(: )", r"( \()"))
)
Was = dict[tuple[int, int], tuple[str, str]]
_before: Was = {}  # of a place, what it said and says


def retell(again: Again) -> None:
    """Say all words of all windows once more, by what says a text again."""
    was = dict(_before)
    _before.clear()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for top in app.topLevelWidgets():
        for one in (top, *top.findChildren(QObject)):
            if isinstance(one, QWidget | QAction):
                _told(one, again, was)


def _told(one: QWidget | QAction, again: Again, was: Was) -> None:
    own = getattr(one, "retell", None)  # of what keeps or paints words of its own
    if own is not None:
        own(again)
    for place, (text, give) in enumerate(_texts(one)):
        if not text:
            continue
        first, now = was.get((id(one), place), ("", ""))
        # Two messages may have one text here, and two in the language that comes.
        said = first if now == text and again(first) == first else _said(text, again)
        if said != text:
            give(said)
            _before[id(one), place] = text, said


def _said(text: str, again: Again, level: int = 0) -> str:
    """A text said again; one that was never said as a whole, by its parts."""
    said = again(text) if text else ""
    if said != text or level == len(_JOINTS):
        return said
    first, *left = _JOINTS[level].split(text, 1)
    told = _said(first, again, level + 1)
    return "".join((told, left[0], _said(left[1], again, level))) if left else told


def _texts(one: QWidget | QAction) -> Iterator[tuple[str, Callable[[str], object]]]:
    """Each text of a widget or an entry, and what gives it another; none of what names data."""
    if isinstance(one, LiveLabel) and one.names_data:
        return
    yield one.toolTip(), one.setToolTip
    yield one.whatsThis(), one.setWhatsThis
    yield one.statusTip(), one.setStatusTip
    if isinstance(one, QAction):
        yield one.text(), one.setText
        return
    yield one.accessibleName(), one.setAccessibleName
    yield one.accessibleDescription(), one.setAccessibleDescription
    yield one.windowTitle(), one.setWindowTitle
    if isinstance(one, LiveLabel):
        yield one.whole, one.set_text
    elif isinstance(one, QLabel | QAbstractButton):
        yield one.text(), one.setText
    elif isinstance(one, QMenu):
        yield one.title(), one.setTitle
    elif isinstance(one, QLineEdit | QPlainTextEdit):
        yield one.placeholderText(), one.setPlaceholderText
    elif isinstance(one, QComboBox):
        yield from _items(one)


def _items(box: QComboBox) -> Iterator[tuple[str, Callable[[str], object]]]:
    for at in range(box.count()):
        if not box.itemData(at, NAMES_DATA):
            yield box.itemText(at), partial(box.setItemText, at)
