"""What is painted in our own way looks as pyqtgraph, whose way it stands for, paints it."""

import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
import shiboken6
from hand import paint_now, settle
from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget, QWidgetItem
from pytestqt.qtbot import QtBot

from dpstudio.charts.figure import (
    Area,
    Axis,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Heat,
    Layer,
    Line,
    Ribbon,
    Rule,
)
from dpstudio.charts.inks import Stroke, bar_opacity, stroke
from dpstudio.charts.scaling import cell_words
from dpstudio.gui.board import axis_items, header, plotview, strokes
from dpstudio.gui.board.board import Board
from dpstudio.gui.board.card_pool import FIRST
from dpstudio.gui.board.cells import Cells, has_room
from dpstudio.gui.board.coordinates import faded, pen
from dpstudio.gui.board.headline import Headline
from dpstudio.gui.board.strip import Strip
from dpstudio.gui.parts.layout_pass import IdleStep
from dpstudio.gui.parts.theme import Look, style_sheet
from dpstudio.gui.parts.wrapping import WrappingButton
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.findings import Fact, Findings, Sentence
from dpstudio.values.messages import Message


def painted(item: Any, paint: Callable[..., None]) -> np.ndarray:
    """The pixels of an item alone, where it stands."""
    picture = QImage(460, 300, QImage.Format.Format_RGB32)
    picture.fill(0xFFFFFF)
    painter = QPainter(picture)
    painter.setTransform(item.sceneTransform())
    paint(painter)
    painter.end()
    held = np.frombuffer(picture.constBits(), np.uint8).reshape(300, 460, 4)
    return held[..., :3].astype(int)


def layer_pixels(view: plotview.PlotView, key: str) -> np.ndarray:
    """A layer as we paint it."""

    def paint(painter: QPainter) -> None:
        for piece in view.area.layers.pieces(key):
            piece(painter)

    return painted(view.area.layers, paint)


def in_pyqtgraph(layer: Layer, look: Look) -> Any:
    """The item of pyqtgraph for a layer."""
    soft = look.color(layer.ink)
    if isinstance(layer, Line):
        return pg.PlotCurveItem(
            layer.x, layer.y, pen=pen(look, layer.ink, stroke(layer)), antialias=True
        )
    if isinstance(layer, Area):
        soft.setAlphaF(layer.opacity)
        given = {"pen": None, "brush": soft, "fillLevel": 0, "stepMode": "center"}
        return pg.PlotCurveItem(layer.edges, layer.heights, antialias=False, **given)
    if isinstance(layer, Ribbon):
        soft.setAlphaF(layer.opacity)
        x, y = np.r_[layer.x, layer.x[::-1]], np.r_[layer.high, layer.low[::-1]]
        given = {"pen": None, "brush": soft, "fillLevel": "enclosed"}
        return pg.PlotCurveItem(x, y, antialias=True, **given)
    if isinstance(layer, Columns):
        soft = faded(look, layer.ink, bar_opacity(layer.ink))
        ends = {"x0": layer.x - layer.width / 2, "x1": layer.x + layer.width / 2, "y0": 0.0}
        return pg.BarGraphItem(y1=layer.heights, brush=soft, pen=None, **ends)
    if isinstance(layer, Rule):
        across = 90 if layer.axis == "x" else 0
        return pg.InfiniteLine(layer.at, across, pen=pen(look, layer.ink, stroke(layer)))
    assert isinstance(layer, Dots)
    return pg.ScatterPlotItem(layer.x, layer.y, pen=None, brush=soft, size=7, antialias=True)


def apart(view: plotview.PlotView, layer: Layer) -> np.ndarray:
    """How far in each pixel a layer that we paint differs from what pyqtgraph makes of it."""
    theirs = in_pyqtgraph(layer, view.look)
    view.plot.vb.addItem(theirs, ignoreBounds=True)
    view.plot.vb.prepareForPaint()
    theirs.boundingRect()  # by which it finds its ends
    pixels = painted(theirs, lambda painter: theirs.paint(painter, None, view.viewport()))
    view.plot.vb.removeItem(theirs)
    ours = layer_pixels(view, layer.key)
    assert (ours != 255).any()
    assert (pixels != 255).any()
    return np.abs(ours - pixels).max(axis=2)


def test_axes_and_layers_look_as_those_of_pyqtgraph(qtbot: QtBot) -> None:
    view = plotview.PlotView(Look())
    qtbot.addWidget(view)
    view.resize(460, 300)
    view.show()
    x = np.linspace(0.01, 9.5, 200)
    layers = (
        Line("line", "laplace", "a curve", x, np.exp(-x)),
        Area("area", "laplace", "", x[::10], np.exp(-x[5:200:10][:19])),
        Ribbon("ribbon", "gaussian", "", x, np.exp(-x) / 2, np.exp(-x / 2)),
        Columns("columns", "laplace", "", x[::40], np.exp(-x[::40] / 4)),
        Rule("rule", "truth", "", 3.3),
        Rule("level", "target", "", 0.4, axis="y"),
        Dots("dots", "answer", "", x[::20], np.cos(x[::20]) / 2, marker="truth"),
    )
    axes = Axis("ε", range=(0.0, 9.7)), Axis("error", range=(-1.0, 1.2))
    view.show_figure(Figure("chart", "", *axes, layers))
    view.grab()
    for side in ("left", "bottom"):
        axis = view.plot.axes[side]
        axis.hair = pg.mkPen(None)  # its words alone: pyqtgraph draws other lines
        axis.setPen(axis.hair)
        axis.setTickPen(axis.hair)
        ours = painted(axis, lambda p, axis=axis: axis_items.SideAxis.paint(axis, p, None, None))
        axis.picture = None
        theirs = painted(axis, lambda p, axis=axis: pg.AxisItem.paint(axis, p, None, None))
        axis.picture = None
        assert (ours != 255).any()
        assert (ours == theirs).all()
    for layer in layers:
        # A curve may run a hair beside itself.
        assert apart(view, layer).max() <= (24 if isinstance(layer, Line) else 0), layer.key
    line = Line("line", "laplace", "", x, np.sin(x))
    figure = Figure("chart", "", Axis("k", range=(0.0, 10.0)), Axis("", range=(-1.0, 1.0)), (line,))
    for size in ((170, 120), (460, 300)):
        view.resize(*size)
        view.show_figure(figure)
        view.grab()
        assert apart(view, line).max() <= 24


AXES = Axis("k", range=(0.0, 10.0)), Axis("error", range=(0.0, 2.0))


def pixels(view: plotview.PlotView, *layers: Layer, axes: tuple[Axis, Axis] = AXES) -> np.ndarray:
    """Layers alone, as a view paints them."""
    view.show_figure(Figure("chart", "", *axes, layers))
    view.grab()
    return np.minimum.reduce([layer_pixels(view, layer.key) for layer in layers])


def test_a_curve_stays_where_it_is_however_far_one_looks_into_it(qtbot: QtBot) -> None:
    view = plotview.PlotView(Look())
    qtbot.addWidget(view)
    view.resize(460, 300)
    ends, high = np.array([0.0, 10.0]), np.array([0.2, 1.4])
    level = np.full(2, 0.56)  # the line at 3, and so near as good as level
    for layer, near in (
        (Line("a", "laplace", "", ends, high), Line("a", "laplace", "", ends, level)),
        (
            Ribbon("a", "laplace", "", ends, high, high + 0.3),
            Ribbon("a", "laplace", "", ends, level, level + 0.3),
        ),
    ):
        straight = pixels(view, near)
        pixels(view, layer)
        view.area.setXRange(3 - 4e-8, 3 + 4e-8, padding=0)
        view.area.sigRangeChangedManually.emit([True, False])
        view.grab()
        assert view.zoomed
        # Alone it is not cut to the plot area.
        assert np.abs(layer_pixels(view, "a") - straight)[:, 100:400].max() <= 24
        view.reset_zoom()


def test_straight_pieces_are_painted_as_each_by_itself(qapp: QApplication) -> None:
    x = np.array([1, 2, np.nan, 3, 4, 5, np.nan, 6, np.nan, 7, 8, 9, np.nan, 10, 11]) * 20.0
    y = np.array([2, 11, 3, 4, np.nan, 9, 4, 5, 1, 12, 3, 8, 4, 5, 2.0]) * 10.0
    ends = [(run.start, run.stop) for run in strokes.runs(x, y)]
    assert ends == [(0, 2), (3, 4), (5, 6), (7, 8), (9, 12), (13, 15)]
    each = [strokes._polygon(x[start:stop], y[start:stop]) for start, stop in ends]
    for dash in ((), (4.0, 2.0)):
        drawn, pictures = pen(Look(), "laplace", Stroke(dash, 2.5)), []
        for painted in (strokes._strokes(drawn, x, y), [partial(strokes._stroked, drawn, each)]):
            picture = QImage(260, 140, QImage.Format.Format_RGB32)
            picture.fill(0xFFFFFF)
            painter = QPainter(picture)
            for piece in painted:
                piece(painter)
            painter.end()
            pictures.append(seen(picture).astype(int))
        assert np.abs(pictures[0] - pictures[1]).max() <= 4  # of 256, at the edges of strokes
        assert pictures[0].min() < 128


def test_numbers_are_written_where_every_cell_has_room(qtbot: QtBot) -> None:
    """Words that would not be written are not made."""
    look, made = Look(), Random(4)
    seen = set()
    for _ in range(60):
        rows, columns = made.randint(1, 5), made.randint(1, 5)
        x, y = (
            np.cumsum([0.0] + [made.choice((6.0, 9.0, 13.0, 30.0)) for _ in range(n)])
            for n in (columns, rows)
        )
        values = np.reshape(
            [made.choice((1.0, 0.123, np.nan)) for _ in range(rows * columns)], (rows, columns)
        )
        colours = np.zeros((rows, columns, 3), dtype=np.uint8)
        words = cell_words(Heat("a", "laplace", "", x, y, values, 0.0, 1.0), colours)
        cells = Cells(look, x, y, colours, words)
        picture = QImage(8, 8, QImage.Format.Format_RGB32)
        painter = QPainter(picture)
        cells(painter)
        painter.end()
        room = has_room(look, values, x, y)
        assert room or cells._font is None
        seen.add((room, cells._font is not None))
    assert seen >= {(True, True), (False, False)}


def test_what_has_no_place_bends_nothing_that_has_one(qtbot: QtBot) -> None:
    """A number beyond all others is a way out of the picture, a missing one is a gap; the rest is
    painted as without it. Warnings are errors here."""
    view = plotview.PlotView(Look())
    qtbot.addWidget(view)
    view.resize(460, 300)
    x, nan, inf = np.arange(1.0, 9.0), np.nan, np.inf

    def line(*y: float) -> Layer:
        return Line("line", "laplace", "", x[: len(y)], y)

    rising = pixels(view, line(0.2, 0.3, 1e6))
    assert (pixels(view, line(0.2, 0.3, 1e300)) == rising).all()
    assert (pixels(view, line(0.2, 0.3, inf, inf)) == pixels(view, line(0.2, 0.3))).all()
    log = Axis("k", log=True, range=(0.1, 10.0)), AXES[1]

    def area(*edges: float) -> Layer:
        return Area("area", "laplace", "", edges, [1.0, 0.5, 1.5][: len(edges) - 1])

    # A bin that begins at 0 begins at the left end of a log axis.
    left = pixels(view, area(0.1, 1.0, 2.0), axes=log)
    assert (pixels(view, area(0.0, 1.0, 2.0), axes=log) == left).all()

    def heat(*y: float) -> Layer:
        values = np.arange(1.0, 3.0 * len(y) - 2).reshape(-1, 3)
        return Heat("heat", "laplace", "", [1.0, 2.0, 4.0, 5.0], y, values)

    one = pixels(view, heat(0.5, 0.52))
    assert (pixels(view, heat(0.5, 0.52, nan)) == one).all()
    wide = Columns("bars", "laplace", "", [5.0], [1.0], width=1e9)
    assert (
        pixels(view, wide) == pixels(view, Columns("bars", "laplace", "", [5.0], [1.0], 20))
    ).all()
    nowhere = Columns("bars", "laplace", "", [nan, inf], [1.0, 1.0], 1.0, [0.1, nan], [inf, 1.0])
    assert (pixels(view, nowhere) == 255).all()


def test_bars_stand_on_one_line_and_arrows_grow_with_the_type(qtbot: QtBot) -> None:
    view = plotview.PlotView(Look())
    qtbot.addWidget(view)
    view.resize(460, 300)
    heights = np.random.default_rng(1).uniform(0.1, 1.9, 20)
    pixels(view, Columns("bars", "laplace", "", np.arange(20.0) / 2, heights))
    # A foot that lies at half a px of the screen is painted there for all bars, or below for all.
    feet = view.area.layers.pieces("bars")[0].args[1]
    assert len({box.y() + box.height() for box in feet}) == 1
    arrows, ink = [], Dots("far", "truth", "", [5.0], [9.0])
    for scale in (1.0, 1.8):
        view.dress(Look(scale=scale))
        arrows.append((pixels(view, ink)[..., 0] < 128).sum())
    assert arrows[1] > 1.2 * arrows[0]


def test_marks_at_the_edge_are_whole_and_those_beyond_it_are_not_there(qtbot: QtBot) -> None:
    """Clipping’s first and last dots were cut by the edge of the plot, and its point at 0 %."""
    view = plotview.PlotView(Look())
    qtbot.addWidget(view)
    view.resize(460, 300)
    view.show()
    inside, edge = (
        Dots("dots", "laplace", "", [x, 10.002], [y, 1.0]) for x, y in ((5.0, 1.0), (0.0, 2.0))
    )
    counted = []
    for dots in (inside, edge):
        view.show_figure(Figure("chart", "", *AXES, (dots,)))
        shot = seen(view.grab().toImage()).astype(int)
        counted.append((shot[..., 0] - shot[..., 2] > 60).sum())
    # Where half a px begins differs.
    assert abs(counted[1] - counted[0]) <= 0.15 * counted[0]
    assert counted[0] > 20


def test_marks_are_painted_where_something_else_was_in_memory() -> None:
    """PySide knows things by their address, also such that are gone."""
    dots = strokes._stamps(np.full((3, 2), 20.0), "o", 10.0, "#000000")
    marks = dots.args[0]  # type: ignore[attr-defined]
    gone = shiboken6.wrapInstance(marks.ndarray().ctypes.data, QWidgetItem)
    assert marks.drawargs()[0] is gone
    picture = QImage(40, 40, QImage.Format.Format_RGB32)
    picture.fill(0xFFFFFF)
    painter = QPainter(picture)
    dots(painter)
    painter.end()
    assert picture.pixelColor(20, 20).lightness() == 0
    assert not shiboken6.isValid(gone)


def test_charts_that_were_left_before_they_came_come_one_after_the_other(qtbot: QtBot) -> None:
    """All at once would be felt: a lab was left, and turned to again."""
    board = Board(Look())
    qtbot.addWidget(board)
    views: dict[str, list[Figure]] = {
        lab: [Figure(key, "", Axis("x"), Axis("y"), ()) for key in keys]
        for lab, keys in (("first", "a"), ("other", "bcd"))
    }
    for lab in ("first", "other", "first", "other"):
        board.show_lab(lab)
        board.show_figures(views[lab], 0)
    assert [card.key for card in board.card_pool.missing] == list("bcd")
    assert not any(card.drawn for card in board.cards)
    qtbot.waitUntil(lambda: not board.busy)
    assert all(card.drawn for card in board.cards)


def seen(picture: QImage) -> np.ndarray:
    """The pixels of a picture."""
    picture = picture.convertToFormat(QImage.Format.Format_RGB32)
    held = np.frombuffer(picture.constBits(), np.uint8)
    return held.reshape(picture.height(), picture.width(), 4)[..., :3].copy()


class Watch(QObject):
    """Which rooms of a widget were painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.painted: list[QRect] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.painted.append(event.region().boundingRect())
        return False


def test_a_page_that_is_turned_back_to_paints_each_of_its_charts_once(
    studio: Studio, qtbot: QtBot
) -> None:
    """Qt would paint them between layouts, and with each widget that was shown; and at once, while
    whoever has done something meanwhile waits for both."""
    seen_charts = [card for card in studio.window.board.cards if not card.waits]
    assert len(seen_charts) > 1
    bring = studio.pages.bring
    bring("compare")
    settle(qtbot, studio)
    watches = [Watch(card.view.viewport()) for card in seen_charts if card.view is not None]
    painted_at_beat: list[bool] = []
    beat = QTimer(studio, interval=0)
    beat.timeout.connect(lambda: painted_at_beat.append(any(watch.painted for watch in watches)))
    beat.start()
    bring("explore")
    assert all(card.isVisible() for card in seen_charts)  # no empty page stands in between
    settle(qtbot, studio)
    qtbot.waitUntil(lambda: all(watch.painted for watch in watches))
    beat.stop()
    paint_now()
    assert [len(watch.painted) for watch in watches] == [1] * len(seen_charts)
    assert not painted_at_beat[0]


def test_words_of_another_page_leave_no_room_behind(qtbot: QtBot) -> None:
    """Charts would stand too low for a second, and then be painted anew."""
    top, headline, strip = header.Header(), Headline(), Strip()
    qtbot.addWidget(top)
    for part in (headline, strip):
        top.column.addWidget(part)
    top.resize(600, 300)
    top.show()
    kept = []
    for warnings, words in (3, "few"), (0, "other words " * 30):
        said = [Sentence(f"{n}", Message("This is so."), "warn") for n in range(1 + warnings)]
        told = Findings(
            facts=(Fact("fact", words, Message("5")),),
            sentences=tuple(said),
            headline=tuple(sentence.key for sentence in said),
        )
        top.give_back()
        headline.show_findings(told, Look())
        headline.show()
        strip.show_findings(told, Look())
        kept.append(top.need(top.width()))
        paint_now()
        assert kept[-1] == top.column.heightForWidth(top.width()), kept
    assert kept[0] > 0


def test_pieces_of_work_that_wait_are_done_in_a_round_each(qtbot: QtBot) -> None:
    """Else whoever does something meanwhile waits for all of them."""
    done: list[str] = []
    owner = QObject()
    beat = QTimer(owner, interval=0)
    beat.timeout.connect(partial(done.append, "."))
    beat.start()
    for name in "abc":
        IdleStep(owner, partial(done.append, name)).start()
    qtbot.waitUntil(lambda: "c" in done)
    beat.stop()
    assert [bool(part) for part in re.split("[abc]", "".join(done))[1:3]] == [True, True]


def test_the_cards_that_a_lab_lacks_are_made_one_at_a_time(qtbot: QtBot) -> None:
    board = Board(Look())
    qtbot.addWidget(board)
    stock, lab = board.card_pool, "new"
    many = [sum(stock.make_for(lab, charts, 1) for _ in range(9)) for charts in (FIRST + 2, FIRST)]
    assert many == [3, 0]
    before = stock.every
    stock.charts_for(lab, list("abcde"))
    stock.tables_for(lab, ["t"])
    assert {*stock.every} == {*before}


def test_progress_is_painted_with_all_else(studio: Studio, qtbot: QtBot) -> None:
    """The bar that shows it would paint the whole window while that is told of it."""
    watch = Watch(studio.window.centralWidget())
    message = studio.window.message
    message.working("A long way", 0.5, lambda: None)
    assert (message.progress.value(), message.progress.isVisible(), watch.painted) == (50, True, [])
    message.say("")


def test_fresh_charts_come_one_after_the_other(studio: Studio, qtbot: QtBot) -> None:
    """What was drawn stands until then."""
    board, drawn = studio.window.board, studio.pictures.drawn
    assert drawn is not None
    before = [card.view and card.view.given for card in board.cards if not card.waits]
    store = studio.store
    store.set("mechanism.epsilon", 0.7)
    settle(qtbot, studio)
    newest = studio.pictures.drawn
    assert newest is not None
    board.show_figures(drawn.findings.figures, 0, fresh=True)
    shown = [card.view and card.view.given for card in board.cards if not card.waits]
    assert board.busy
    assert all(one is not two for one, two in zip(before, shown, strict=True))
    qtbot.waitUntil(lambda: not board.busy)
    assert [card.view and card.view.given for card in board.cards if not card.waits] == before


def test_words_that_stand_in_two_lines_know_how_high_one_is(qtbot: QtBot) -> None:
    """Qt takes a line for whole px, whatever the type."""
    for scale in (1.0, 1.25, 1.5, 2.0):
        broken, whole = WrappingButton("Table: Exact figures"), WrappingButton("Table")
        for button in (broken, whole):
            qtbot.addWidget(button)
            button.setStyleSheet(style_sheet(Look(scale=scale)))
        broken.resize(90, 90)
        broken.grab()
        assert broken.heightForWidth(90) > whole.sizeHint().height()
        assert broken.heightForWidth(900) == whole.sizeHint().height()


@pytest.mark.parametrize(
    ("dash", "whole", "word"), [("solid", False, "k"), ("dash", True, "k"), ("dash", True, "")]
)
def test_under_the_hand_a_part_is_painted_as_the_whole(
    qtbot: QtBot, dash: str, whole: bool, word: str
) -> None:
    """A point that moves with its name: what the screen shows, painted in parts, is what is
    painted anew. A dashed curve is painted as a whole."""
    view = plotview.PlotView(Look())
    qtbot.addWidget(view)
    view.resize(460, 300)
    view.show()
    x = np.linspace(0.0, 10.0, 100)
    curve = Line("line", "laplace", "a curve", x, 1 + np.sin(x), dash=dash)
    rules = (
        Rule("aim", "target", "an aim", 0.6, axis="y", dash="dash"),
        Rule("by", "target", "a day", 3.1, dash="dash"),
        Band("band", "band", "a while", 2.5, 5.0),
    )
    ends = Axis("k", range=(0.0, 10.0)), Axis("error", range=(0.0, 2.0))
    watch = Watch(view.viewport())
    for step, at in enumerate((2.0, 3.0, 3.5, 9.0)):
        high = float(1 + np.sin(at))
        name = f"{word} {at} → {high:.3g}" if word else ""
        here = Handle("here", "laplace", name, at, high, "k")
        watch.painted.clear()
        view.show_figure(Figure("chart", "", *ends, (curve, *rules, here)))
        qtbot.waitUntil(lambda: bool(watch.painted))
        qtbot.wait(1)
        # At first the plot still takes the room that it has.
        area = view.plot_area().toRect().adjusted(2, 2, -2, -2)
        assert step < 2 or any(room.contains(area) for room in watch.painted) == whole
        shown = seen(view.screen().grabWindow(view.winId()).toImage())
        assert (shown == seen(view.grab().toImage())).all()


def test_a_window_of_another_size_is_painted_whole_once_it_rests(
    studio: Studio, qtbot: QtBot
) -> None:
    """Under X11 headings of cards that moved meanwhile stood twice until then; charts are asked
    themselves, since Qt leaves them out where the window is."""
    window, seen, charts = studio.window, [], []
    chart = window.board.cards[0].view.viewport()

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and watched is window:
                seen.append(event.region())
            if event.type() == QEvent.Type.Paint and watched is chart:
                charts.append(event.region())
            return False

    window.resize(window.width() - 8, window.height() - 8)
    assert window._rests.isActive()
    settle(qtbot, studio)
    paint_now()
    window._rests.stop()
    watch = Watch()
    window.installEventFilter(watch)
    chart.installEventFilter(watch)
    paint_now()
    assert not charts
    assert not any(region.contains(window.rect()) for region in seen)
    window._rests.timeout.emit()  # and at once: one that was asked for before may never come
    window.removeEventFilter(watch)
    chart.removeEventFilter(watch)
    assert any(region.contains(window.rect()) for region in seen)
    assert any(region.contains(chart.rect()) for region in charts)


def test_what_was_to_be_painted_before_another_dress_is_so_after_it(
    studio: Studio, qtbot: QtBot
) -> None:
    """A window that grew under X11 stayed as it was for good: Qt asks for no second paint where
    one was asked for, though that came when nothing might be painted."""
    window, seen = studio.window, []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                seen.append(event.region())
            return False

    watch = Watch()
    window.installEventFilter(watch)
    window.update()  # as where it grows
    window.style_sheets.change(window.style_sheets.sheet)
    window.style_sheets._next.stop()  # it takes its time
    paint_now()
    window._rests.stop()  # which does nothing while nothing may be painted
    assert not seen
    window.style_sheets.finish()
    qtbot.waitUntil(lambda: any(region.contains(window.rect()) for region in seen))
    window.removeEventFilter(watch)
