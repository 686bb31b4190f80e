"""A language that marks what it says, and what is written on the screen without its marks."""

import re
from collections.abc import Iterator
from functools import cache

from hand import DIRECTLY, place
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QMenu, QWidget

from dpstudio.files.language import LANGUAGES
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.panel.form import Field
from dpstudio.gui.parts.labels import ElidedLabel
from dpstudio.gui.shell.menus import LANGUAGE
from dpstudio.gui.shell.studio import Studio
from dpstudio.privacy.accounting import ACCOUNTANTS

SPOKEN = {LANGUAGE, *LANGUAGES.values()}  # in every language as they are
LETTER, WORD = re.compile(r"[^\W\d_]"), re.compile(r"[^\W\d_]{3,}")
KNOWN = re.compile(r"Ctrl|Shift|Esc|Space|Tab|F5|dpstudio|Lap|exp|min|max|ln")


def texts(studio: Studio) -> Iterator[tuple[QWidget, str, str]]:
    """(widget, what of it, text) of everything that is written on the screen, in menus and in
    tooltips."""
    window = studio.window
    others: set[QWidget] = {*studio.pages.column.panels.values(), *window.board.card_pool.every}
    others -= {studio.panel, *window.board.items}
    met: list[QWidget] = [window]
    for widget in within(window, others):
        met.append(widget)
        if isinstance(widget, QMenu):
            widget.aboutToShow.emit()
        if widget.isHidden() and not isinstance(widget, QMenu):
            continue
        if isinstance(widget, ElidedLabel):
            yield widget, "", widget.whole
        elif isinstance(widget, QLabel | QAbstractButton):
            yield widget, "", widget.text()
        elif isinstance(widget, QComboBox):
            yield from ((widget, "", widget.itemText(i)) for i in range(widget.count()))
        elif isinstance(widget, QLineEdit):
            yield widget, "placeholder", widget.placeholderText()
        yield widget, "tooltip", widget.toolTip()
        yield widget, "accessible", widget.accessibleName()
        if isinstance(widget, PlotView):
            titles = [one for one in widget.labels.titles[:2] if one is not None]
            yield from ((widget, f"axis {one.key}", one.text) for one in titles)
            yield from ((widget, "label", one.text) for one in widget.labels.layout.labels)
    for action in (a for part in met for a in part.findChildren(QAction, options=DIRECTLY)):
        yield window, "action", action.text()
        if action.toolTip() != re.sub("[&…]", "", action.text()).strip():
            yield window, "action tooltip", action.toolTip()
    yield window, "window", window.windowTitle()


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
    values |= SPOKEN
    values |= {kind.source for kind in ACCOUNTANTS}  # what is cited stands in every language
    values |= {
        str(f.domain.show(f.value())) for f in studio.panel.findChildren(Field) if f.present()
    }
    wrong, known = set(), sorted(values - {""}, key=len, reverse=True)
    for widget, what, text in texts(studio):
        left = unmarked(text)
        if not LETTER.search(left):
            continue
        for value in known:
            left = left.replace(value, "")
        if WORD.search(KNOWN.sub("", left)):
            wrong.add(f"{place(studio, widget)} {type(widget).__name__} {what}: {text}")
    return wrong
