"""The hands of the soak test: everything that a person may do, at random, and the files that they
open."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QPushButton,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from dpstudio.charts.figure import Handle
from dpstudio.files.tables import EXAMPLES
from dpstudio.gui.parts.boxes import LineBox
from dpstudio.labs import LABS

SETTLE_MS = 10_000

NUMBERS = ("0.5", "1", "1e-6", "3", "10", "0.01", "100", "17", "90", "2.5e3", "25 %", "0,7")
NONSENSE = (
    "", " ", "abc", "nan", "inf", "-1", "0", "1e999", "--", "é™", "🙂" * 9, "1,2,3", "9" * 60, "'; drop", "0x10", "1 2", "−3", "10, 5",
    "a" * 400, "__import__('os')", "\\", "%n", "{}",
)  # fmt: skip
CONDITIONS = (
    "age > 50", 'sex = "Female"', "age > 30 and hours-per-week < 60", 'age >= 17 or sex = "Male"', "nosuch > 5", "age >", "(((", "",
    "(age > 20 and age < 30) or age > 60", 'not age > 3', "age is missing", "age in (1, 2, 3)", "age < 0", '"', "age > 50 and" * 40,
)  # fmt: skip
PASTED = (
    "a\tb\n1\t2\n3\t4\n",
    "a\tb\n1\t2\n3\n",
    "1,5\n2,5\n3,5\n",
    "no table at all",
    '"',
    "a;b\n1,5;2\n",
    "x\n" * 3000,
)
NONE, LEFT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton


class Hand:
    """What a person does, one method an action: each yields the milliseconds until it goes on.
    `detail` says at what."""

    def __init__(
        self, window: Any, rng: random.Random, files: list[Path], out: Path, turns: Counter[str]
    ):
        self.window, self.studio, self.rng, self.files, self.out, self.turns = (
            window,
            window.studio,
            rng,
            files,
            out,
            turns,
        )
        self.detail = ""

    def next(self) -> tuple[str, Iterator[int]]:
        self.detail, name = "", self.rng.choice(ACTIONS)
        return name, getattr(self, name)()

    # Real events, through the window as the window system would send them

    def spot(self, widget: QWidget, at: QPoint | None = None) -> QPoint:
        inside = at if at is not None else widget.rect().center()
        place = widget.mapTo(self.window, inside)
        return QPoint(
            min(max(place.x(), 0), self.window.width() - 1),
            min(max(place.y(), 0), self.window.height() - 1),
        )

    def move(self, widget: QWidget, at: QPoint) -> None:
        QTest.mouseMove(self.window.windowHandle(), self.spot(widget, at))

    def press(self, widget: QWidget, at: QPoint | None = None) -> None:
        QTest.mousePress(self.window.windowHandle(), LEFT, NONE, self.spot(widget, at))

    def release(self, widget: QWidget, at: QPoint | None = None) -> None:
        QTest.mouseRelease(self.window.windowHandle(), LEFT, NONE, self.spot(widget, at))

    def click(self, widget: QWidget) -> Iterator[int]:
        if shiboken6.isValid(widget) and widget.isVisible() and widget.isEnabled():
            self.show(widget)
            yield 5
            self.press(widget)
            yield 20
            self.release(widget)
            yield self.rng.choice((5, 30, 120))

    def drag(
        self, widget: QWidget, start: QPoint, steps: Iterator[QPoint] | list[QPoint]
    ) -> Iterator[int]:
        self.move(widget, start)
        yield 15
        self.press(widget, start)
        last = start
        for last in steps:
            self.move(widget, last)
            yield self.rng.choice((4, 8, 12, 16))
        self.release(widget, last)
        yield 10

    def show(self, widget: QWidget) -> None:
        """Scroll the panel to a widget."""
        if self.studio.panel.body.isAncestorOf(widget):
            self.studio.panel.area.ensureWidgetVisible(widget)

    def seen(self, kind: type) -> list[Any]:
        return [w for w in self.window.findChildren(kind) if w.isVisible() and w.isEnabled()]

    def pick(self, things: list[Any], name: Any) -> Any:
        """One of those that had the fewest turns so far, so that all get theirs."""
        if not things:
            return None
        fewest = min(self.turns[name(t)] for t in things)
        thing = self.rng.choice([t for t in things if self.turns[name(t)] == fewest])
        self.turns[name(thing)] += 1
        self.detail = name(thing)
        return thing

    def walk(self, start: QPoint, width: int) -> list[QPoint]:
        """A hand's way to and fro, from slow to jerky."""
        points, x, pace = [], start.x(), self.rng.choice((1, 4, 15, 60))
        for _ in range(self.rng.randrange(10, 60)):
            x = min(
                width + 20,
                max(-20, x + self.rng.randint(-pace, pace) + self.rng.choice((-pace, pace)) // 2),
            )
            points.append(QPoint(x, start.y()))
        return points

    # The panel

    def drag_slider(self) -> Iterator[int]:
        slider = self.pick(self.seen(QSlider), lambda s: f"slider {s.accessibleName()}")
        if slider is not None:
            self.show(slider)
            yield 10
            start = handle_at(slider)
            yield from self.drag(slider, start, self.walk(start, slider.width()))

    def slide_by_keys(self) -> Iterator[int]:
        slider = self.pick(self.seen(QSlider), lambda s: f"keys {s.accessibleName()}")
        if slider is not None:
            slider.setFocus()
            for _ in range(self.rng.randrange(1, 25)):
                QTest.keyClick(
                    slider,
                    self.rng.choice(
                        (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
                    ),
                )
                yield 10

    def type_box(self) -> Iterator[int]:
        box = self.pick(self.seen(LineBox), lambda b: f"box {b.accessibleName()}")
        if box is None:
            return
        self.show(box)
        words = (
            CONDITIONS if "text" in box.accessibleName() else self.rng.choice((NUMBERS, NONSENSE))
        )
        yield from self.click(box)
        if not (shiboken6.isValid(box) and box.isVisible()):
            return
        box.selectAll()
        QTest.keyClick(box, Qt.Key.Key_Delete)
        for letter in self.rng.choice(words):
            if not shiboken6.isValid(box):
                return
            if letter.isascii():
                QTest.keyClicks(box, letter)
            else:  # as an input method does
                typed = QInputMethodEvent()
                typed.setCommitString(letter)
                QApplication.sendEvent(box, typed)
            yield self.rng.choice((0, 0, 15))
        key = self.rng.choice(
            (Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape)
        )
        if shiboken6.isValid(box):
            QTest.keyClick(box, key)
        yield 40

    def push(self) -> Iterator[int]:
        """The kinds of question, mechanisms, neighbours, links and rows of the condition, new
        draws, Use."""
        buttons = [
            b
            for b in self.seen(QPushButton)
            if b.objectName() in ("segment", "mechanism", "link", "quiet")
            or b in [line.use for line in self.studio.panel.lines.values()]
        ]
        button = self.pick(buttons, lambda b: f"button {b.text() or b.accessibleName()}")
        if button is not None:
            yield from self.click(button)

    def check(self) -> Iterator[int]:
        box = self.pick(self.seen(QCheckBox), lambda b: f"check {b.text()}")
        if box is not None:
            self.show(box)
            yield 5
            at = QPoint(8, box.height() // 2)
            self.press(box, at)
            self.release(box, at)
            yield 60

    def choose(self) -> Iterator[int]:
        combo = self.pick(self.seen(QComboBox), lambda c: f"combo {c.accessibleName()}")
        if combo is None:
            return
        self.show(combo)
        combo.setFocus()
        if self.rng.random() < 0.5:
            combo.showPopup()
            yield 60
        for _ in range(self.rng.randrange(1, 8)):
            popup = QApplication.activePopupWidget()
            if not shiboken6.isValid(combo):
                return
            QTest.keyClick(
                combo.view() if popup else combo,
                self.rng.choice((Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up)),
            )
            yield 15
        if shiboken6.isValid(combo) and combo.view().isVisible():
            QTest.keyClick(
                combo.view(),
                self.rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Escape)),
            )
        yield 30

    def undo_burst(self) -> Iterator[int]:
        top = self.window.top
        for _ in range(self.rng.randrange(3, 40)):
            button = self.rng.choice((top.undo, top.undo, top.redo))
            if button.isVisible() and button.isEnabled():
                self.press(button)
                self.release(button)
            yield self.rng.choice((0, 5, 40))

    # The charts

    def views(self) -> list[Any]:
        return [c.view for c in self.window.board.cards if c.isVisible() and c.drawn]

    def drag_point(self) -> Iterator[int]:
        held = [
            v
            for v in self.views()
            if any(
                isinstance(layer, Handle) and layer.key not in v.hidden for layer in v.figure.layers
            )
        ]
        view = self.pick(held, lambda v: f"point {v.figure.key}")
        if view is not None:
            item = next(iter(view.area.knobs.values()))
            start = view.mapFromScene(view.plot.vb.mapViewToScene(QPointF(item.pos())))
            yield from self.drag(view, start, self.walk(start, view.width()))

    def hover(self) -> Iterator[int]:
        view = self.pick(self.views(), lambda v: f"hover {v.figure.key}")
        for _ in range(40 if view is not None else 0):
            self.move(
                view, QPoint(self.rng.randrange(view.width()), self.rng.randrange(view.height()))
            )
            yield 10

    def zoom(self) -> Iterator[int]:
        view = self.pick(self.views(), lambda v: f"zoom {v.figure.key}")
        if view is None:
            return
        for _ in range(self.rng.randrange(2, 12)):
            at, turn = (
                view.viewport().rect().center(),
                QPoint(0, self.rng.choice((120, 120, -120, 1200))),
            )
            where = QPointF(view.viewport().mapToGlobal(at))
            wheel = QWheelEvent(
                QPointF(at),
                where,
                QPoint(),
                turn,
                Qt.MouseButton.NoButton,
                NONE,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(view.viewport(), wheel)
            yield 15
        yield from self.drag(
            view,
            view.rect().center() + QPoint(30, 5),
            self.walk(view.rect().center(), view.width())[:15],
        )
        if self.rng.random() < 0.7:
            QTest.mouseDClick(view.viewport(), LEFT, NONE, view.viewport().rect().center())
        yield 30

    def nudge(self) -> Iterator[int]:
        view = self.pick(self.views(), lambda v: f"arrows {v.figure.key}")
        for _ in range(self.rng.randrange(3, 30) if view is not None else 0):
            if not view.isVisible():
                return
            shift = self.rng.choice((NONE, NONE, Qt.KeyboardModifier.ShiftModifier))
            QTest.keyClick(view, self.rng.choice((Qt.Key.Key_Left, Qt.Key.Key_Right)), shift)
            yield 12

    def play(self) -> Iterator[int]:
        card = next(iter(self.window.board.cards), None)
        if card is None:  # of a lab that is being opened
            return
        yield from self.click(card.play)
        yield self.rng.choice((700, 1500))
        for _ in range(self.rng.randrange(8)):
            yield from self.click(card.step)
        if self.rng.random() < 0.8:
            yield from self.click(card.play)

    def hide_curves(self) -> Iterator[int]:
        card = self.pick(
            [c for c in self.window.board.cards if c.isVisible() and c.drawn],
            lambda c: f"curves of {c.figure.key}",
        )
        if card is None:
            return
        card.menu.popup(card.menu_button.mapToGlobal(QPoint(0, 20)))
        yield 60
        curves = [a for a in card.menu.actions() if a.isCheckable()]
        card.menu.close()
        for action in self.rng.sample(curves, self.rng.randrange(len(curves) + 1)):
            if shiboken6.isValid(action):
                action.trigger()
            yield 40

    # The window

    def present(self) -> Iterator[int]:
        yield from self.click(self.window.top.present)
        for _ in range(self.rng.randrange(1, 8)):
            keys = (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Right)
            QTest.keyClick(self.window, self.rng.choice(keys))
            yield self.rng.choice((30, 200))
        if self.rng.random() < 0.3:
            yield from self.open()
        QTest.keyClick(self.window, Qt.Key.Key_F5 if self.rng.random() < 0.3 else Qt.Key.Key_Escape)
        yield 50
        if self.window.presenting:
            self.window.leave_presenting()

    def look(self) -> Iterator[int]:
        theme = self.window.theme
        if self.rng.random() < 0.5:
            self.detail = "dark/light"
            theme.set_dark(not theme.look.dark)
        else:
            self.detail = "type size"
            for _ in range(self.rng.randrange(1, 5)):
                theme.step(self.rng.choice((-1, 0, 1, 1)))
                yield 100
        yield 100

    def resize(self) -> Iterator[int]:
        for _ in range(self.rng.randrange(1, 12)):
            self.window.resize(self.rng.randrange(900, 1600), self.rng.randrange(600, 1000))
            yield self.rng.choice((10, 60))

    def minimise(self) -> Iterator[int]:
        self.window.showMinimized()
        yield 200
        self.window.showNormal()
        self.window.activateWindow()
        yield 100

    def turn(self) -> Iterator[int]:
        key = self.pick([about.key for about in LABS], lambda key: f"turn {key}")
        self.detail = f"{'again' if key in self.studio.pages.column.panels else 'first'} {key}"
        self.studio.pages.bring(key)  # as its name does, bit by bit
        yield self.rng.choice((20, 400, 1500))

    def data_page(self) -> Iterator[int]:
        self.studio.show_page("data")
        yield self.rng.choice((10, 400))
        if self.rng.random() < 0.3:
            yield from self.open()
        page = self.studio.pages.data_page
        for _ in range(10 if page is not None and page.isVisible() else 0):
            page.view.verticalScrollBar().setValue(self.rng.randrange(40))
            yield 15
        yield from self.click(self.studio.pages.buttons["explore"])

    def menus(self) -> Iterator[int]:
        button = self.pick(
            [self.window.top.table, self.window.top.export, self.window.top.more],
            lambda b: f"menu {b.accessibleName()}",
        )
        button.menu().popup(button.mapToGlobal(QPoint(0, button.height())))
        yield 60
        for _ in range(6):
            QTest.keyClick(button.menu(), Qt.Key.Key_Down)
            yield 15
        button.menu().close()
        yield 20

    # Files

    def loaded(self) -> Iterator[int]:
        for _ in range(600):
            if not self.studio.jobs.busy("table", "session"):
                return
            yield 20

    def open(self) -> Iterator[int]:
        where = self.pick(
            [*(e.key for e in EXAMPLES), *map(str, self.files)], lambda w: f"file {Path(w).name}"
        )
        self.studio.open(where)
        fate = self.rng.random()
        if fate < 0.15:
            yield self.rng.choice((0, 5, 100))
            self.studio.opener.cancel()
        elif fate < 0.3:
            yield self.rng.choice((0, 20, 100))
            self.studio.open(self.rng.choice(EXAMPLES).key)
        yield from self.loaded()
        yield 100
        if self.rng.random() < 0.8:
            yield from self.preview()

    def paste(self) -> Iterator[int]:
        text = self.rng.choice(PASTED)
        self.detail = text[:20]
        QGuiApplication.clipboard().setText(text)
        self.studio.opener.paste()
        yield from self.loaded()
        yield 60
        yield from self.preview()

    def preview(self) -> Iterator[int]:
        """Where a table is asked about: some other choices, some steps back, and then it is opened,
        or left, or neither."""
        page = self.studio.opener.importer.page
        for _ in range(self.rng.randrange(5)):
            if page is None or not page.isVisible():
                return
            ways_out = (page.leave, page.accept)
            buttons = [
                b
                for b in page.findChildren(QPushButton)
                if b.isVisible() and b.isEnabled() and b not in ways_out
            ]
            steps = [
                b
                for b in (self.window.top.undo, self.window.top.redo)
                if b.isVisible() and b.isEnabled()
            ]
            button = self.rng.choice([*buttons, *steps * 3]) if buttons else None
            if button is not None:
                self.detail = f"preview, {button.text() or button.accessibleName()}"
                left = page.left if page.left.isAncestorOf(button) else None
                if left is not None:
                    left.ensureWidgetVisible(button)
                self.press(button)
                self.release(button)
            yield self.rng.choice((0, 20, 300))
        if page is None or not page.isVisible():
            return
        way = self.rng.random()
        if way < 0.5:
            yield from self.loaded()
            yield from self.click(page.accept)
        elif way < 0.7:
            yield from self.click(page.leave)
        elif way < 0.9:
            QTest.keyClick(page, Qt.Key.Key_Escape)
        yield 60

    def session(self) -> Iterator[int]:
        path = self.out / f"{self.rng.randrange(4)}.dpstudio"
        self.studio.sessions.write(path)
        if self.rng.random() < 0.5:  # else one goes on while it is being written
            yield from self.loaded()
        for name in ("drag_slider", "push", "type_box"):
            yield from getattr(self, name)()
        if self.rng.random() < 0.4 and path.exists():
            content = path.read_bytes()
            path = self.out / "cut.dpstudio"
            path.write_bytes(content[: self.rng.randrange(len(content))])
        self.detail = path.name
        self.studio.open(str(path))
        yield from self.loaded()
        yield 60

    def export(self) -> Iterator[int]:
        card = self.pick(
            [c for c in self.window.board.cards if c.isVisible() and c.drawn],
            lambda c: f"export {c.figure.key}",
        )
        if card is None or self.studio.store.data is None:
            return
        what = self.rng.choice(
            ("png", "svg", "csv", "copy", "copy-data", "folder", "without", "words", "nowhere")
        )
        self.detail, lab = f"{what} {card.figure.key}", self.studio.store.lab
        if what in ("png", "svg", "csv"):
            self.studio.saver.write(card.figure, lab, self.out / f"x.{what}", card.view.hidden)
        elif what == "nowhere":
            self.studio.saver.write(card.figure, lab, self.out / "none" / "x.png")
        elif what == "words":
            self.studio.saver.copy_words()
        elif what.startswith("copy"):
            self.studio.saver.chart(card.figure.key, what)
        else:
            self.studio.saver.folder(self.out / "all", what == "without")
        yield 60


def handle_at(slider: QSlider) -> QPoint:
    """The middle of a slider's handle."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    return (
        slider.style()
        .subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
        )
        .center()
    )


# How often each is done, by how often it stands here.
ACTIONS = (
    *("drag_slider",) * 10, *("drag_point",) * 8, *("slide_by_keys",) * 2, *("type_box",) * 9, *("push",) * 9, *("check",) * 3,
    *("choose",) * 5, *("undo_burst",) * 4, *("hover",) * 3, *("zoom",) * 3, *("nudge",) * 3, *("play",) * 2, *("hide_curves",) * 2,
    "present", "look", *("resize",) * 2, "minimise", *("data_page",) * 2, *("turn",) * 4, *("menus",) * 2, *("open",) * 4, *("session",) * 3,
    *("export",) * 3, *("preview",) * 3, "paste",
)  # fmt: skip


def make_files(folder: Path) -> list[Path]:
    """Tables good, bad and to be asked about, one that is missing and one that is a folder."""
    folder.mkdir()
    rng = np.random.default_rng(1)
    n = 300_000
    big = pd.DataFrame(
        {
            "age": rng.integers(17, 91, n),
            "income": rng.lognormal(10, 1, n).round(2),
            "sex": rng.choice(["F", "M"], n),
        }
    )
    big.to_csv(folder / "big.csv", index=False)
    few = big.head(500)
    few.to_csv(folder / "few.tsv", sep="\t", index=False)
    few.to_csv(folder / "few.csv.gz", index=False)
    few.to_csv(folder / "few.csv.zip", index=False)
    few.to_parquet(folder / "few.parquet")
    few[["sex"]].to_csv(folder / "words.csv", index=False)
    pd.DataFrame(rng.normal(size=(200, 150)), columns=[f"c{i}" for i in range(150)]).to_csv(
        folder / "wide.csv", index=False
    )
    texts = {
        "empty.csv": "", "head.csv": "age,sex\n", "one.csv": "age\n5\n", "ragged.csv": "a,b\n1,2\n1,2,3,4\n",
        "twice.csv": "a,a\n1,2\n3,4\n",
        "missing.csv": "age,x\n,1\n,2\n", "huge.csv": "age,x\n1e300,-1e300\n1e308,5\n",
        "odd.csv": 'age,"a ""b"" 名"\n1,é\n2,🙂\n', "same.csv": "age\n5\n5\n5\n",
        "mixed.csv": "age,x\n1,2\nabc,inf\n3,nan\n", "quote.csv": 'age,x\n1,"open\n2,3\n', "no.parquet": "age\n5\n",
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "latin.csv").write_bytes("age,name\n5,Müller\n".encode("latin-1"))
    (folder / "zeros.csv").write_bytes(bytes(5000))
    (folder / "cut.csv.gz").write_bytes((folder / "few.csv.gz").read_bytes()[:700])
    (folder / "folder.csv").mkdir()
    return [*sorted(folder.iterdir()), folder / "gone.csv", folder / "gone.dpstudio"]
