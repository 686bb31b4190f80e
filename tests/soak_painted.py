"""Every screen as it is painted, for `tests/soak.py --only painted`: at each size of the window and of
the type, light and dark by turns, presenting and not, nothing is cut, elided or overlapping."""

import itertools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import shiboken6
from geometry import faults
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from running import LOOKS

from dpstudio.files.assets import asset
from dpstudio.files.talk import read_talk
from dpstudio.files.write.paper import PAPERS
from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.shell.app import make_app, make_window
from dpstudio.gui.shell.frame.window import PANEL_MOST
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.settings import Settings
from dpstudio.labs import LABS
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.worded import with_words

SIZES = ((1024, 700), (1280, 800), (1440, 900), (1920, 1080), (2560, 1440))
SCALES = (1.0, 1.15, 1.5)
QUERIES, MECHANISMS = ("count", "sum", "mean", "histogram"), ("laplace", "gaussian")
WAIT_S = 60.0
ONE_SCREEN = (1280, 800, 1.0)  # on which a panel is whole as it opens


def run_painted(keys: list[str], only: Sequence[str] = ()) -> int:
    """How many faults the screens of these labs have, each of which is printed once a screen.
    `only`: labs, sizes ("1024x700") and types ("x1.5") to look at; none of a kind is all."""
    keys = [key for key in keys if key in only] or keys
    sizes = [size for size in SIZES if "{}x{}".format(*size) in only] or SIZES
    scales = [scale for scale in SCALES if f"x{scale:g}" in only] or SCALES
    sys.path.insert(0, str(Path(__file__).parent / "gui"))
    from hand import clipped, turn_page
    from page_frame import beside, listed, staged

    make_app()
    Settings.begun = True  # the doors of a first start have tests of their own
    window, bad, turn = make_window(None), 0, 0
    window.show()
    _until(lambda: window.studio is not None and window.studio.findings is not None)
    studio = window.studio
    assert studio is not None
    for (width, height), scale in itertools.product(sizes, scales):
        window.resize(width, height)
        window.theme.set_scale(scale)
        for key in keys:
            turn, dark = turn + 1, turn % 2 == 1  # of which no place depends
            window.theme.set_dark(dark)
            turn_page(studio, key)
            for state, presenting in _states(studio):
                if presenting:
                    window.present()
                    window.showNormal()
                window.resize(width, height)
                _settle(studio)
                around = [studio.stage().header, studio.stage().foot] if presenting else []
                found = {*clipped(studio, *around), *screen(studio, around)}
                found |= {*staged(studio)} if presenting else {*beside(window), *listed(window)}
                over = studio.panel.area.verticalScrollBar().maximum()
                if not (state or presenting) and (width, height, scale) == ONE_SCREEN and over:
                    found.add(f"the panel opens with {over} px more than one screen")
                bad += len(found)
                for fault in sorted(found):
                    where = f"{key}{state} {width}x{height} x{scale}"
                    print(where, "dark" * dark, "presenting" * presenting, fault, flush=True)
                if presenting:
                    window.leave_presenting()
            if (width, height, scale) == ONE_SCREEN:
                before = studio.store.lab
                bad += _still(studio, key) + _dragged(studio, key)
                studio.store.edit(before)  # what comes next opens as it does by itself
    bad += 0 if only else _lessons(studio)
    studio.unsaved.discard()
    bad += 0 if only else _pages(keys)
    print(f"painted: {bad} faults")
    return bad


class _Waits:
    """What of a test waits for the window."""

    def waitUntil(self, done: Callable[[], bool], timeout: int) -> None:
        _until(done)


def _still(studio: Studio, key: str) -> int:
    """How often something moved that no hand moved, when everything in a panel is pressed."""
    from still import pressed, targets

    bad = 0
    for target in targets(studio):
        if shiboken6.isValid(target) and target.isVisible():
            for fault in pressed(studio, _Waits(), target):
                bad += 1
                print(key, fault, flush=True)
    return bad


def _dragged(studio: Studio, key: str) -> int:
    """How often something moved under a hand but what it moves, also in looks with an ε of their
    own."""
    from dragged import dragged

    turn_back, found = studio.store.lab, list[str]()
    for words in LOOKS.get(key, ((),)):
        studio.store.edit(with_words(turn_back, words))
        _settle(studio)
        found += dragged(studio, _Waits())
    studio.store.edit(turn_back)
    _settle(studio)
    for fault in found:
        print(key, fault, flush=True)
    return len(found)


def _lessons(studio: Studio) -> int:
    """Of each step of each lesson, gone through at 1280 x 800, the chart that it is about is the
    hero, and wholly seen."""
    talks, board, bad = studio.talk.talks, studio.window.board, 0
    studio.window.theme.set_scale(1.0)
    studio.window.resize(1280, 800)
    for path in sorted(asset("lessons").glob("*.dptalk")):
        lesson = read_talk(path)
        talks.begin(lesson, shipped=True)
        for place, step in enumerate(lesson.steps):
            talks.player.go(place)
            _until(lambda: not talks.player.moving)
            _settle(studio)
            hero = board.items[0]
            if hero.key != step.chart or hero.visibleRegion().boundingRect() != hero.rect():
                bad += 1
                print(path.stem, place + 1, step.chart, "is not the hero, or cut", flush=True)
        talks.leave()
    return bad


def _pages(keys: list[str]) -> int:
    """The same of each chart on each paper, with its title and without."""
    sys.path.insert(0, str(Path(__file__).parent / "files"))
    from running import little, opened
    from test_rendered import uneven

    adult, bad = opened("adult"), 0
    for key in keys:
        lab = lab_kind(key)()
        for figure in little(lab, adult).figures:
            for (name, paper), titled in itertools.product(PAPERS.items(), (True, False)):
                for fault in uneven(figure, lab, adult, replace(paper, title=titled)):
                    bad += 1
                    print(key, figure.key, name, "titled" * titled, fault, flush=True)
    return bad


def _states(studio: Studio) -> Iterator[tuple[str, bool]]:
    """What is set of the open lab, and whether it is presented: its defaults in both ways, and of
    the first lab every question with either mechanism, of which the suite tries any two of
    question, mechanism and size."""
    yield from (("", False), ("", True))
    lab = studio.store.lab
    if lab.key != LABS[0].key:
        return
    for query, mechanism in itertools.product(QUERIES, MECHANISMS):
        studio.store.choose("query", query)
        studio.store.choose("mechanism", mechanism)
        yield f" {query} {mechanism}", False
    studio.store.edit(lab)


def _until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not done() and time.monotonic() < end:
        QTest.qWait(10)


def _settle(studio: Studio) -> None:
    QTest.qWait(30)
    _until(lambda: not (studio.jobs.busy("table", "lab", "fit") or studio.pictures.busy))
    _until(lambda: not any(c.view.held.easing for c in studio.window.board.cards if c.view))
    for _ in range(6):  # each part asks the one around it for room
        QTest.qWait(10)


def screen(studio: Studio, around: Sequence[QWidget] = ()) -> Iterator[str]:
    """What is wrong with the charts, and with words that lie on words."""
    window = studio.window
    for card in window.board.findChildren(ChartCard):
        if card.isVisible() and card.view is not None:
            yield from _chart(card)
    if window.panel.isVisible() and window.panel.width() > round(PANEL_MOST * window.width()):
        yield f"the panel takes {window.panel.width()} of {window.width()} px"
    for part in (window.headline, window.strip, window.page_line, window.panel, *around):
        words = [
            w
            for w in part.findChildren(QWidget)
            if isinstance(w, QLabel | QPushButton) and w.isVisible() and w.text()
        ]
        for one, two in itertools.combinations(words, 2):
            if not one.isAncestorOf(two) and not two.isAncestorOf(one):
                both = _box(one).intersected(_box(two))
                if both.width() > 1 and both.height() > 3:
                    yield f"“{one.text()}” lies on “{two.text()}”"


def _box(widget: QWidget) -> QRect:
    """What of it is seen: what is scrolled away lies on nothing."""
    seen, around = QRect(widget.mapTo(widget.window(), QPoint()), widget.size()), widget
    while not around.isWindow():
        around = around.parentWidget()
        seen &= QRect(around.mapTo(widget.window(), QPoint()), around.size())
    return seen


def _chart(card: ChartCard) -> Iterator[str]:
    """The names as they were really placed, and the room that was left to the plot."""
    view = card.view
    view.grab()  # one that is scrolled out of sight sets its names when it is painted
    figure, area = view.visible(), view.plot_area()
    if figure is None:
        return
    for name, title in (("left", view.labels.titles.y), ("bottom", view.labels.titles.x)):
        axis = view.plot.axes[name]
        words = [text for level in axis._tickLevels or () for _, text in level]
        words += [title.text] if title is not None else []
        if axis.isVisible():
            yield from (f"{figure.key}: “{word}” is cut" for word in words if "…" in word)
    # The names and numbers beside lanes are read as much as what is drawn in them.
    wide = (0.3 if figure.lanes is not None else 0.35) * view.width()
    if area.height() < 0.35 * view.height() or area.width() < wide:
        yield f"{figure.key}: {area.width():.0f} x {area.height():.0f} of {view.size().toTuple()}"
    for fault in faults(figure, *view.axes.room(figure), view.look.scale):
        yield f"{figure.key}: {fault}"
    titles = view.labels.titles
    below = [titles.x._replace(y=area.height() + view.axes.row)] if titles.x is not None else []
    above = [titles.y] if titles.y is not None else []
    for label in (*view.labels.layout.labels, *above, *below):
        left, top = area.left() + label.x, area.top() + label.y
        low = top + label.height if label in below else 0.0
        if left < -1 or left + label.width > view.width() + 1 or top < -3 or low > view.height():
            yield f"{figure.key}: “{label.text}” leaves the picture"
