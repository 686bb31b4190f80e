"""One window for many tests: put back as it starts, and used again only where nothing on it then
differs from a new one. Making a window costs more than most of what is tried in it."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import shiboken6
from hand import WAIT, paint_now, seen, settle
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.data.dataset import Dataset
from dpstudio.gui.board.header import Header
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.panel.frames import PanelScroll, Part
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.choice_list import ChoiceList
from dpstudio.gui.parts.labels import LiveLabel
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.shell.lab_result import KeptResult, LabResult
from dpstudio.gui.shell.pages import NO_LABS
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.snapshot import first_state
from dpstudio.gui.table.opening import Open
from dpstudio.labs import LABS

SIZE = (1440, 900)
TRIES = 15
ASIDE = "many"
MOST_PANELS = 6  # more of them cost more to dress anew than another window
# What a tooltip has at its end once the pointer was there: it comes again where it comes again.
TERMS = re.compile(r"(^|\n)[^\n]*: F1$")
READ = ("text", "toolTip", "checked", "value", "currentText", "placeholderText", "accessibleName")


def face(studio: Studio) -> list[tuple[Any, ...]]:
    """All that can be seen of a window, and what it would do next: two with equal faces are used
    alike."""
    window, store = studio.window, studio.store
    parts = [_part(widget, window) for widget in seen(window)]
    beyond = (
        window.windowTitle(),
        window.theme.look,
        (window.width(), window.height()),
        sorted(studio.pages.column.panels),
        studio.pages.data_page is None,
        studio.pages.lessons_page is None,
        sorted(studio.pages.apart),
        studio.pages.import_page is None,
        studio.opener.session_path,
        studio.pictures.index,
        store.state,
        store.opened,
        store.history.count(),
        store.data is not None and (store.data.origin, store.data.codebook),
        window.board.hidden,
        window.board.filled,
    )
    return [*sorted(parts, key=repr), *((repr(thing),) for thing in beyond)]


def _folded(panel: Panel) -> None:
    """Fold what a test opened."""
    opened = [part.head for part in panel.findChildren(Part) if part.head is not None]
    opened += [rows.all for rows in panel.findChildren(ChoiceList)]
    opened += [panel.question.sentence] if panel.question is not None else []
    for fold in opened:
        fold.setChecked(False)


@cache
def _readable(kind: type[QWidget]) -> tuple[str, ...]:
    """Which of what is read a kind of widget has."""
    return tuple(name for name in READ if kind.staticMetaObject.indexOfProperty(name) >= 0)


def _part(widget: QWidget, window: QWidget) -> tuple[Any, ...]:
    at = widget.mapTo(window, widget.rect().topLeft())
    held = tuple(TERMS.sub("", str(widget.property(name))) for name in _readable(type(widget)))
    if isinstance(widget, LiveLabel):  # Qt knows its new words only a moment later
        held = widget.text(), *held[1:]
    drawn = repr(widget.plot.vb.viewRange()) if isinstance(widget, PlotView) else ""
    place = (at.x(), at.y(), widget.width(), widget.height())
    return (type(widget).__name__, place, widget.isEnabled(), widget.hasFocus(), held, drawn)


def _untouched(studio: Studio) -> bool:
    """Whether nothing was done that is kept."""
    first = first_state()
    held = studio.store.state, studio.store.history.count(), [*studio.pages.column.panels]
    return held == (first, 0, [first.active])


class Kept:
    """The window that waits for its next test, and its face when it was new."""

    def __init__(self) -> None:
        self.studio: Studio | None = None
        self.face: list[tuple[Any, ...]] = []
        self.data: Dataset | None = None
        self.open: Open = (None, None, "")
        self.drawn: LabResult | None = None
        self.focused: QWidget | None = None
        self.folder = Path()
        self.aside: Panel | None = None

    def bring_aside(self) -> None:
        """Let the lab that many tests begin with have the panel that was made for the first."""
        panel, self.aside = self.aside, None
        if panel is not None and shiboken6.isValid(panel) and self.studio is not None:
            self.studio.pages.column.panels[ASIDE] = panel
            _folded(panel)

    def owns(self, widget: QWidget | None) -> bool:
        """Whether a widget is the window, or belongs to it as its lists do."""
        if self.studio is None:
            return False
        while widget is not None and widget is not self.studio.window:
            widget = widget.parentWidget()
        return widget is not None

    def keep(self, studio: Studio) -> None:
        """Remember a new window, when nothing of it moves any more."""
        self.studio, before = studio, None
        while before != self.face:
            paint_now()
            before, self.face = self.face, face(studio)
        self.data, self.open = studio.store.data, studio.opener.held()
        self.focused = QApplication.focusWidget()
        self.drawn = studio.pictures.drawn

    def again(self, qtbot: QtBot) -> bool:
        """Put the window back as it was; False where it is not as a new one."""
        studio = self.studio
        assert studio is not None
        if {about.key for about in LABS} != {*studio.pages.buttons} - {*NO_LABS}:
            return False  # of another catalogue
        if len(studio.pages.column.panels) > MOST_PANELS:
            return False
        if studio.jobs.channel("save")._closed:
            return False  # it was closed: it may look as a new one, but works no more
        studio.window.show()
        studio.window.activateWindow()
        # What was looked for behind the last test, as drafts are, would ask in the next one.
        qtbot.waitUntil(lambda: not studio.jobs.busy(), timeout=WAIT)
        # Where something was done it is painted once, when all stands there.
        studio.window.setUpdatesEnabled(_untouched(studio))
        self._put_back(studio)
        studio.window.style_sheets.finish()
        self._begin_again(studio)
        settle(qtbot, studio)
        studio.window.setUpdatesEnabled(True)
        if self.focused is not None:
            self.focused.setFocus()
        # Layouts follow, one event after another.
        for _ in range(TRIES):
            paint_now()
            if face(studio) == self.face:
                return True
            qtbot.wait(20)
            if len(studio.pages.column.panels) > 1:
                # A name that came to lie under the pointer had the panel of its lab made.
                self._close_pages(studio)
        return False

    def _put_back(self, studio: Studio) -> None:
        window = studio.window
        window.leave_presenting()
        if studio.talk.on:
            studio.talk.talks.leave()
        window.theme.set_scale(1.0)
        window.theme.set_dark(Look().dark)
        window.showNormal()
        window.resize(*SIZE)
        window.say("")
        window.kept.held.clear()
        window.board.stop()
        window.board.hide_layers({})
        window.board.opened.clear()
        window.strip.unfold(False)
        window.headline.unfold(False)
        for area in window.findChildren(PanelScroll):  # else what was clicked stays where it was
            area.let_go()
        _folded(studio.pages.panel_of(first_state().active))
        for bar in window.findChildren(QScrollBar):
            bar.setValue(bar.minimum())
        for view in window.findChildren(PlotView):  # what is read under the pointer
            for left in (view.viewport(), view):
                QApplication.sendEvent(left, QEvent(QEvent.Type.Leave))
        window.question.leave()
        studio.sessions.free()
        studio.opener.put_back(self.open)

    def _begin_again(self, studio: Studio) -> None:
        """The first session, with the picture that was worked out for it."""
        pages, store, pictures, first = studio.pages, studio.store, studio.pictures, first_state()
        store._shelves.clear()
        if _untouched(studio) and face(studio) == self.face:
            return
        assert self.data is not None
        assert self.drawn is not None
        pictures.forget()
        pictures.index = 0
        pictures.kept[first.active] = KeptResult(self.drawn, whole=True)
        store.open_session(first, self.data.whole, ())
        if pictures._stands:
            pages.panel.show_findings(self.drawn.findings)
            pictures._show_charts()
        self._close_pages(studio)
        nav = pages.nav
        nav._here = ""
        nav._open("")
        for more in nav.more.values():
            nav._show(more, False)
        QApplication.sendEvent(nav, QEvent(QEvent.Type.Leave))  # and keeps no room
        for page in pages.group_pages.values():
            page.deleteLater()
        pages.group_pages.clear()
        if pages.lessons_page is not None:
            pages.lessons_page.deleteLater()
            pages.lessons_page = None
        for page in pages.apart.values():
            page.deleteLater()
        pages.apart.clear()
        studio.releasing.plan, studio.releasing.seen, studio.releasing.person = None, None, ""
        pages.turn(first.active)
        if pages.data_page is not None:
            pages.forget()
            pages.data_page.deleteLater()
            pages.data_page = None
        if pages.import_page is not None:
            studio.opener.importer.leave()
            pages.import_page.deleteLater()
            pages.import_page = studio.opener.importer.page = None
        for top in studio.window.findChildren(
            Header
        ):  # which keeps the room of words that are gone
            top.give_back()
        studio.naming.title()

    def _close_pages(self, studio: Studio) -> None:
        """Let go of all panels but that of the first lab."""
        column = studio.pages.column
        column.making.stop()  # what was near is not made any more
        column._leave()
        column._soon = column._wanted = ""
        for key in set(column.panels) - {first_state().active}:
            panel = column.panels.pop(key)
            panel.hide()
            if key == ASIDE and self.aside is None:
                self.aside = panel
            else:
                panel.deleteLater()
