"""A language that marks what it says, and what is written on the screen without its marks."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from functools import cache

from hand import place
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QMenu, QWidget

from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.panel.form import Field
from dpstudio.gui.parts.labels import Elided
from dpstudio.gui.shell.studio import Studio
from dpstudio.privacy.accounting import ACCOUNTANTS

LETTER, WORD = re.compile(r"[^\W\d_]"), re.compile(r"[^\W\d_]{3,}")
KNOWN = re.compile(r"Ctrl|Shift|Esc|Space|Tab|F5|dpstudio|Lap|exp|min|max|ln")


class Marked(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"


def texts(studio: Studio) -> Iterator[tuple[str, str]]:
    """(where, text) of everything that is written on the screen, in menus and in tooltips."""
    window = studio.window
    others: set[QWidget] = {*studio.pages.column.panels.values(), *window.board.stock.every}
    others -= {studio.panel, *window.board.items}
    for widget in within(window, others):
        name = f"{place(studio, widget)} {type(widget).__name__}"
        if isinstance(widget, QMenu):
            widget.aboutToShow.emit()
        if widget.isHidden() and not isinstance(widget, QMenu):
            continue
        if isinstance(widget, Elided):
            yield name, widget.whole
        elif isinstance(widget, QLabel | QAbstractButton):
            yield name, widget.text()
        elif isinstance(widget, QComboBox):
            yield from ((name, widget.itemText(i)) for i in range(widget.count()))
        elif isinstance(widget, QLineEdit):
            yield name + " placeholder", widget.placeholderText()
        yield name + " tooltip", widget.toolTip()
        yield name + " accessible", widget.accessibleName()
        if isinstance(widget, PlotView):
            yield from (
                (f"{name} axis {side}", widget.plot.axes[side].labelText)
                for side in ("bottom", "left")
            )
            yield from ((f"{name} label", one.text) for one in widget.labels.layout.labels)
    for action in window.findChildren(QAction):
        if action.text() == "Export...":
            continue  # of pyqtgraph, in a menu that is switched off
        yield "action", action.text()
        if action.toolTip() != re.sub("[&…]", "", action.text()).strip():
            yield "action tooltip", action.toolTip()
    yield "window", window.windowTitle()


def within(widget: QWidget, others: set[QWidget]) -> Iterator[QWidget]:
    """All widgets in one, but for panels and cards of other labs, which were read on theirs."""
    for part in widget.children():
        if isinstance(part, QWidget) and part not in others:
            yield part
            yield from within(part, others)


@cache
def unmarked(text: str) -> str:
    """What of a text is written outside the marks."""
    depth, out = 0, ""
    for letter in text:
        depth += (letter == "⟦") - (letter == "⟧")
        out += letter if not depth and letter not in "⟦⟧" else ""
    return out


def untranslated(studio: Studio) -> set[str]:
    """What is shown and did not pass through the catalogue."""
    data = studio.store.data
    assert data is not None
    values = {column.name for column in data.columns} | {data.origin}
    values |= {
        word
        for column in data.columns
        if not column.numeric
        for word, _ in data.distinct(column.name)
    }
    values |= {kind.source for kind in ACCOUNTANTS}  # what is cited stands in every language
    values |= {
        str(f.domain.show(f.value())) for f in studio.panel.findChildren(Field) if f.present()
    }
    wrong, known = set(), sorted(values - {""}, key=len, reverse=True)
    for where, text in texts(studio):
        left = unmarked(text)
        if not LETTER.search(left):
            continue
        for value in known:
            left = left.replace(value, "")
        if WORD.search(KNOWN.sub("", left)):
            wrong.add(f"{where}: {text}")
    return wrong
