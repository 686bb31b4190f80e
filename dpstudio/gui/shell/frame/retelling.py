"""Another language while the window is open: what stands in it is said again where it stands, and
nothing of its state is touched. What follows findings is drawn again by who draws it."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from dpstudio.gui.parts.boxes import NAMES_DATA
from dpstudio.gui.parts.keeping import entry, words
from dpstudio.gui.parts.labels import LiveLabel
from dpstudio.gui.parts.tr import Again, Said

# What stands between words that were said apart: lines and keys, marks of what folds, and so on.
_JOINTS = tuple(
    map(re.compile, (r"(\s*[\n\t]\s*)", r"(  +|\s*[▾▸◂]\s*)", r"(\s· )", "(: )", r"( \()"))
)


def retell(again: Again) -> None:
    """Say all words of all windows once more, by what says a text again."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for top in app.topLevelWidgets():
        for one in (top, *top.findChildren(QObject)):
            if isinstance(one, QWidget | QAction):
                _told(one, again)


def _told(one: QWidget | QAction, again: Again) -> None:
    own = getattr(one, "retell", None)  # of what keeps or paints words of its own
    if own is not None:
        own(again)
    for text, give in _texts(one):
        said = _said(text, again)
        if said != text:
            give(said)


def _said(text: str, again: Again, level: int = 0) -> str:
    """A text said again; one that was never said as a whole, by its parts."""
    if not text:
        return text
    said = again(text)
    if said != text or isinstance(text, Said) or level == len(_JOINTS):
        return said
    first, *left = _JOINTS[level].split(text, 1)
    told = _said(first, again, level + 1)
    return "".join((told, left[0], _said(left[1], again, level))) if left else told


def _texts(one: QWidget | QAction) -> Iterator[tuple[str, Callable[[str], object]]]:
    """Each text of a widget or an entry, and what gives it another; none of what names data."""
    if isinstance(one, LiveLabel):
        if one.names_data:
            return
        yield one.whole, one.set_text
    yield from words(one)
    if isinstance(one, QComboBox):
        for at in range(one.count()):
            if not one.itemData(at, NAMES_DATA):
                yield entry(one, at), partial(one.setItemText, at)
