"""What a hand does, with real events; what an eye reads; and waiting until the charts have caught
up."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QDeadlineTimer,
    QEvent,
    QMimeData,
    QPoint,
    QPointF,
    QSize,
    Qt,
    QUrl,
)
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpstudio.gui.board.more_line import MORE
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.panel.form import Field
from dpstudio.gui.panel.frames import Part
from dpstudio.gui.parts.labels import ElidedLabel
from dpstudio.gui.parts.layout_pass import IdleStep
from dpstudio.gui.shell.pages import LESSONS
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS
from dpstudio.labs.findings import Findings
from dpstudio.labs.one_answer.explore.parameters import Explore

WAIT = 60_000
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
DIRECTLY = Qt.FindChildOption.FindDirectChildrenOnly
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


def breathe() -> None:
    """Let what has happened be done, and others work for a millisecond: `QTest.qWait` sleeps with
    the interpreter in its hand, and what is worked out takes twice as long."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    time.sleep(0.001)


def settle(qtbot: QtBot, studio: Studio) -> Findings | None:
    """Wait until nothing is opened or worked out any more; the findings that are then shown."""
    qtbot.waitUntil(
        lambda: (
            not (
                studio.jobs.busy("table", "lab", "leave", "save", "fit")
                or studio.pages.column.waits
                or studio.pictures.busy
                or studio.window.style_sheets.changing
            )
        ),
        timeout=WAIT,
    )
    QCoreApplication.processEvents()
    return studio.findings


def paint_now() -> None:
    """Lay out what is to be laid out, and paint what is to be painted, which Qt does 5 ms later."""
    QCoreApplication.processEvents()
    late = time.monotonic() + WAIT / 1000
    for window in QApplication.topLevelWidgets():
        if window.isVisible():
            QApplication.sendEvent(window, QEvent(QEvent.Type.UpdateRequest))
            while any(step.isActive() for step in window.findChildren(IdleStep, options=DIRECTLY)):
                QCoreApplication.processEvents()
                assert time.monotonic() < late, "the window is laid out again and again"
    QCoreApplication.processEvents()


def save(studio: Studio, path: Path | None = None) -> bool:
    """Save the session, to its own file or to `path`, and wait; whether all that is set is
    saved."""
    studio.sessions.write(path) if path is not None else studio.sessions.save()
    return saved(studio)


def saved(studio: Studio) -> bool:
    """Wait until nothing is being saved; whether all that is set is."""
    while studio.sessions.busy:
        breathe()
    return studio.store.history.isClean()


def turn_page(studio: Studio, key: str) -> None:
    """Click the name of a page, and open before it its group and what waits there, where that is
    folded; wait until the page is there, which is made bit by bit when it is first opened."""
    button, nav = studio.pages.buttons[key], studio.pages.nav
    name = next(a.question for a in (*LABS, LESSONS) if a.key == key)
    rail = studio.window.rail
    if rail.isVisible() and not rail.open:
        QTest.mouseClick(rail.buttons[name], LEFT)
    for fold in (nav.heads[name], *([nav.more[name]] if name in nav.more else [])):
        if not button.isVisible():
            QTest.keyClick(fold, Qt.Key.Key_Right)
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    waits = QDeadlineTimer(WAIT)
    while studio.page != key and not waits.hasExpired():
        breathe()
    assert studio.page == key


def lab(studio: Studio) -> Explore:
    held = studio.store.lab
    assert isinstance(held, Explore)
    return held


def facts(studio: Studio) -> dict[str, str]:
    """The numbers of the page, all of them asked for: the name of each visible tile -> its value."""
    strip = studio.window.strip
    if not strip.whole:
        strip.unfold(True)
    return {tile.name: tile.value.text() for tile in strip.tiles if tile.isVisible()}


def asking(studio: Studio) -> Any:
    """The question of the lab, unfolded by a click on its sentence."""
    question = studio.panel.question
    if question is not None and not question.sentence.isChecked():
        QTest.mouseClick(question.sentence, LEFT)
        assert question.within.isVisibleTo(question)
    return question


def field(studio: Studio, path: str) -> Any:
    """The visible editor of the parameter at a dotted path, in a question that is unfolded, or in a
    part of the panel that is."""
    asking(studio)
    for part in (
        studio.panel.findChildren(Part) if studio.page in studio.pages.column.panels else ()
    ):
        if any(f.path == path for f in part.findChildren(Field)):
            part.unfold()
    found = [f for f in studio.window.findChildren(Field) if f.path == path and f.isVisible()]
    assert len(found) == 1, f"{len(found)} editors of {path}"
    return found[0]


def chart(studio: Studio, key: str) -> PlotView:
    """A chart of the page; one that waits is asked for."""
    board = studio.window.board
    card = next(card for card in board.cards if card.figure is not None and card.figure.key == key)
    if card.waits:
        board.unfold(MORE)
    assert card.view is not None
    return card.view


def mouse(
    widget: QWidget, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, held: Qt.MouseButton
) -> None:
    where = QPointF(at)
    QApplication.sendEvent(
        widget,
        QMouseEvent(
            kind,
            where,
            QPointF(widget.mapToGlobal(at)),
            button,
            held,
            Qt.KeyboardModifier.NoModifier,
        ),
    )


def drag(widget: QWidget, points: Iterable[QPoint]) -> None:
    """Press at the first point, move through the others, release at the last."""
    first, *rest = points
    mouse(widget, QEvent.Type.MouseMove, first, NONE, NONE)
    mouse(widget, QEvent.Type.MouseButtonPress, first, LEFT, LEFT)
    for point in rest:
        mouse(widget, QEvent.Type.MouseMove, point, NONE, LEFT)
    mouse(widget, QEvent.Type.MouseButtonRelease, rest[-1], LEFT, NONE)


def handle_at(slider: QSlider) -> QPoint:
    """The middle of a slider's handle."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    box = slider.style().subControlRect(
        QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
    )
    return box.center()


def along(start: QPoint, *ways: int, step: int = 4) -> list[QPoint]:
    """Points from `start` over `ways` pixels to the right (negative: to the left), one way after
    the other."""
    points, x = [start], start.x()
    for way in ways:
        points += [
            QPoint(x + (i if way > 0 else -i), start.y()) for i in range(step, abs(way) + 1, step)
        ]
        x += way
    return points


def knob_at(view: PlotView, key: str = "here") -> QPoint:
    """Where the point that can be dragged is seen to stand, in the viewport."""
    paint_now()
    assert view.figure is not None
    (layer,) = [layer for layer in view.figure.layers if layer.key == key]
    item = view.area.knobs[layer.key]
    return view.mapFromScene(view.plot.vb.mapViewToScene(QPointF(item.pos())))


def type_into(box: QLineEdit, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    box.setFocus()
    box.selectAll()
    if text:
        QTest.keyClicks(box, text)
    else:
        QTest.keyClick(box, Qt.Key.Key_Delete)
    QTest.keyClick(box, key)


def choose(combo: Any, value: Any) -> None:
    """Pick an entry as a person does: the box changes, then says that it was activated."""
    place = combo.findData(value)
    assert place >= 0, (
        f"{value} is not offered: {[combo.itemData(i) for i in range(combo.count())]}"
    )
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def seen(part: QWidget) -> Iterator[QWidget]:
    """All widgets in one that is seen that are so too; what lies in a hidden one, as the pages of
    other labs do, is not even asked."""
    for widget in part.findChildren(QWidget, options=DIRECTLY):
        if widget.isVisible():
            yield widget
            yield from seen(widget)


def cut(widget: QWidget) -> bool:
    """Whether a widget has less room than its text needs."""
    needed: QSize = widget.sizeHint()
    return needed.width() > widget.width() or needed.height() > widget.height() + 1


def place(studio: Studio, widget: QWidget) -> str:
    """Which part of the window a widget is in."""
    window = studio.window
    parts = {
        "top": window.top,
        "nav": window.rail if window.rail.isVisible() else window.nav,
        "panel": window.panel,
        "border": window.lab_page.handle(1),
        "strip": window.page_line,
        "charts": window.board,
    }
    return next(
        (name for name, part in parts.items() if part is widget or part.isAncestorOf(widget)), ""
    )


def tabbed(studio: Studio, key: Qt.Key = Qt.Key.Key_Tab, most: int = 200) -> list[QWidget]:
    """Where the focus goes from the first button on, by Tab, until it is back; so many at the
    most."""
    first = next(w for w in seen(studio.window) if w.focusPolicy() & Qt.FocusPolicy.TabFocus)
    top = studio.window.top.table
    (top if top.isVisible() else first).setFocus()
    out: list[QWidget] = []
    for _ in range(most):
        widget = QApplication.focusWidget()
        assert widget is not None
        if widget in out:
            break
        out.append(widget)
        QTest.keyClick(widget, key)
    return out


def short(widget: QWidget) -> bool:
    """Whether the words of a widget, broken into lines where it may, are wider or higher than
    it."""
    room = widget.size()
    if isinstance(widget, QLineEdit):
        return widget.fontMetrics().horizontalAdvance(widget.text()) > room.width() - 2
    if widget.hasHeightForWidth():
        return (
            widget.heightForWidth(room.width()) > room.height() + 1
            or widget.minimumSizeHint().width() > room.width()
        )
    return widget.sizeHint().width() > room.width()


def clipped(studio: Studio, *others: QWidget) -> list[str]:
    window = studio.window
    out = []
    for part in (
        window.top,
        window.nav,
        window.panel,
        window.headline,
        window.strip,
        window.board,
        *others,
    ):
        for widget in seen(part) if part.isVisible() else ():
            if isinstance(widget, ElidedLabel):
                continue
            text = widget.text() if isinstance(widget, QLabel | QPushButton | QLineEdit) else ""
            if text and short(widget):
                room, needed = widget.size().toTuple(), widget.sizeHint().toTuple()
                out.append(f"{place(studio, widget)} “{text}” has {room}, needs {needed}")
    body, room = studio.panel.body, studio.panel.area.viewport().width()
    if studio.panel.isVisible() and max(body.width(), body.minimumSizeHint().width()) > room:
        out.append(f"the panel is {body.width()} wide, needs {body.minimumSizeHint()}, has {room}")
    if (
        window.minimumSizeHint().width() > window.width()
        or window.minimumSizeHint().height() > window.height()
    ):
        out.append(f"the window needs {window.minimumSizeHint()} in {window.size()}")
    return out


# Talks


def calm(qtbot: QtBot, studio: Studio) -> None:
    """Wait until a step is on the screen, with its charts."""
    talks = studio.talk.talks
    qtbot.waitUntil(lambda: not studio.jobs.busy("talk", "lessons", "tiles"), timeout=WAIT)
    qtbot.waitUntil(lambda: not talks.player.moving, timeout=WAIT)
    settle(qtbot, studio)


def press(key: Qt.Key, widget: QWidget | None = None) -> None:
    held = widget or QApplication.focusWidget()
    assert held is not None
    QTest.keyClick(held, key)


def active(qtbot: QtBot, studio: Studio) -> None:
    with qtbot.waitActive(studio.window):
        studio.window.activateWindow()


def drop(
    window: QWidget,
    onto: QWidget,
    path: Path | list[Path],
    none: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """A file, or several, are dragged in and let go over a widget, as the window system tells it."""
    at, copy = onto.mapTo(window, QPoint(20, 20)), Qt.DropAction.CopyAction
    mime = QMimeData()
    paths = path if isinstance(path, list) else [path]
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    handle = window.windowHandle()
    QApplication.sendEvent(handle, QDragEnterEvent(at, copy, mime, LEFT, none))
    move = QDragMoveEvent(at, copy, mime, LEFT, none)
    move.setDropAction(copy)
    move.accept()  # as Qt does once the window has taken the drag
    QApplication.sendEvent(handle, move)
    assert move.isAccepted()
    QApplication.sendEvent(handle, QDropEvent(QPointF(at), copy, mime, LEFT, none))


def said(studio: Studio) -> str:
    """What the line below the top bar says, where it is seen."""
    bar = studio.window.message
    return bar.text.text() if bar.isVisible() else ""
