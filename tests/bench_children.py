"""The processes that bench.py measures: each is started afresh, runs one function and prints one
JSON object.

Little is imported at the top, so that a bare process stays bare.
"""

import gc
import json
import os
import sys
import time

WARM = 12
PACE_MS = 20  # from a first picture to its finer one, about
SIZE = (1440, 900)


def _since_start() -> float:
    return (time.monotonic_ns() - int(os.environ["BENCH_START"])) / 1e6


def _spent() -> dict:
    """Milliseconds since the process was started: by the clock, and of processors."""
    return {"ms": _since_start(), "cpu": time.process_time() * 1e3}


def _memory() -> dict:
    """RSS now and at its peak, in MB."""
    with open("/proc/self/status") as file:
        held = dict(line.split(":", 1) for line in file)
    return {
        name: int(held[key].split()[0]) / 1024
        for name, key in (("now", "VmRSS"), ("peak", "VmHWM"))
    }


def _watch(widgets: list, done):
    """Call `done` once, right after the paint that left none of the widgets unpainted. Returns the
    watcher, to be kept."""
    from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt

    class Watcher(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.left: set[int] = set()
            for widget in widgets:
                widget.installEventFilter(self)

        def arm(self) -> None:
            self.left = {id(w) for w in widgets}

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and id(watched) in self.left:
                self.left.discard(id(watched))
                if not self.left:
                    # Filters run before the paint; this event arrives when the whole window has
                    # been painted.
                    QCoreApplication.postEvent(
                        self, QEvent(QEvent.Type.User), Qt.EventPriority.HighEventPriority.value
                    )
            return False

        def event(self, event: QEvent) -> bool:
            if event.type() == QEvent.Type.User:
                done()
            return super().event(event)

    return Watcher()


def bare() -> dict:
    """A bare Qt window."""
    from PySide6.QtWidgets import QApplication, QMainWindow

    app = QApplication([])
    window = QMainWindow()
    window.resize(*SIZE)
    out: dict = {}
    watcher = _watch([window], lambda: (out.update(_spent()), app.quit()))
    watcher.arm()
    window.show()
    app.exec()
    return out


def window() -> dict:
    """Our window, by the way of the command line."""
    import dpstudio.cli  # noqa: F401
    from dpstudio.gui.door import ready

    app, window = ready()
    window.resize(*SIZE)
    out: dict = {}
    watcher = _watch([window], lambda: (out.update(_spent()), app.quit()))
    watcher.arm()
    window.show()
    app.exec()
    return out


def _bare_plots():
    """Four pyqtgraph plots about as large as ours. Returns app, window, plots."""
    import lzma  # noqa: F401

    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import pyqtgraph as pg
    import scipy.special  # noqa: F401
    from PySide6.QtWidgets import QApplication, QGridLayout, QMainWindow, QWidget

    app = QApplication([])
    window, ground = QMainWindow(), QWidget()
    window.resize(*SIZE)
    window.setCentralWidget(ground)
    grid = QGridLayout(ground)
    grid.setContentsMargins(460, 150, 12, 12)
    plots = [pg.PlotWidget(background="w") for _ in range(4)]
    for i, plot in enumerate(plots):
        grid.addWidget(plot, i // 2, i % 2)
    return app, window, plots


def plots() -> dict:
    """A bare window that imports the same libraries, reads the same file and draws four simple
    curves."""
    app, window, plots = _bare_plots()
    import lzma

    import numpy as np
    import pandas as pd

    from dpstudio.files.assets import asset

    with lzma.open(asset("tables", "adult.csv.xz")) as file:
        rows = len(pd.read_csv(file, na_values=["?"]).head(32_561))
    x = np.linspace(0, 1, 361)
    for plot in plots:
        plot.plot(x, rows * np.exp(-5 * x))
    out: dict = {}
    watcher = _watch([p.viewport() for p in plots], lambda: (out.update(_spent()), app.quit()))
    watcher.arm()
    window.show()
    app.exec()
    return out


def _start(file: str = "adult"):
    """Our window, its charts drawn. Returns app, window and what was spent until then."""
    from PySide6.QtCore import QEventLoop

    from dpstudio.gui.door import ready

    app, window = ready(file)
    window.resize(*SIZE)  # as large as the floors: it makes itself as small as its screen else
    window.show()
    while window.studio is None:
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    loop, at = QEventLoop(), []

    def arm(_: object) -> None:  # the charts come with the first findings
        if hasattr(loop, "watcher"):
            return
        views = [card.view.viewport() for card in window.board.cards if card.isVisible()]
        watcher = _watch(views, lambda: (at.append(_spent()), loop.quit()))
        watcher.arm()
        loop.watcher = watcher

    window.studio.pictures.runner.value.connect(arm)
    loop.exec()
    window.studio.pictures.runner.value.disconnect(arm)
    return app, window, at[0]


def charts() -> dict:
    return _start()[2]


def _settle(app, window) -> None:
    from PySide6.QtCore import QEventLoop

    until = time.perf_counter() + 0.4
    while time.perf_counter() < until or window.studio.jobs.busy("lab"):
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


class _Paints:
    """Knows when each view was last painted: `kind`'s paint is timed, which must be asked for
    before the first view is made. Where `kind` shows figures, `asked` are the views that were given
    another one."""

    def __init__(self, kind: type) -> None:
        self.left: set = set()
        self.asked: set = set()
        self.done, self.at, paint = None, 0.0, kind.paintEvent

        def timed(view, event) -> None:
            paint(view, event)
            self.at = time.perf_counter()
            if view in self.left:
                self.left.discard(view)
                if not self.left and self.done:
                    self.done()

        kind.paintEvent = timed
        if show := getattr(kind, "_show", None):

            def asking(view, figure) -> None:
                self.asked.add(view)
                show(view, figure)

            kind._show = asking


class _Stepper:
    """Moves the ε slider and waits until every chart that the first findings changed has been
    painted, then until nothing is left to do."""

    def __init__(self, app, window, paints: _Paints) -> None:
        from PySide6.QtCore import QEventLoop, QTimer

        self.app, self.studio, self.paints, self.late = app, window.studio, paints, 0
        self.slider = self.studio.panel.field("mechanism.epsilon").slider
        self.loop, self.limit = QEventLoop(), QTimer(singleShot=True, interval=1000)
        self.limit.timeout.connect(self.loop.quit)
        self.studio.pictures.runner.value.connect(self._found)
        self.studio.pictures.settled.connect(self.loop.quit)
        self.found, self.at = False, 0.0
        paints.done = self._painted

    def _found(self, _: object) -> None:
        # Heard after the studio, so the charts hold the new findings and wait for their paint.
        if not self.found:
            self.found, self.paints.left = True, set(self.paints.asked)
            assert self.paints.left, "a step that moves no chart"

    def _painted(self) -> None:
        self.at = self.at or time.perf_counter()

    def step(self, position: int) -> tuple[float, float]:
        """Milliseconds from the slider to the first pixels, and until nothing was left to do."""
        self.found, self.at = False, 0.0
        self.paints.asked.clear()
        self.limit.start()
        start = time.perf_counter()
        self.slider.setValue(position)
        self.loop.exec()
        self.limit.stop()
        # Paints that the last findings asked for belong to this step too.
        for _ in range(3):
            self.app.processEvents()
        end = time.perf_counter()
        self.late += not self.at
        return ((self.at or end) - start) * 1e3, (end - start) * 1e3


def _positions(count: int) -> list[int]:
    """A drag over the range, there and back; no position twice in a row."""
    there = [30 + (i * 940) // (count // 2) for i in range(count // 2)]
    return there + [p - 3 for p in reversed(there)]


def steps(trials: str, steps: str, profile: str = "") -> dict:
    """Slider steps in one drag; the times of each, and memory at the end."""
    from dpstudio.gui.board.plotview import PlotView

    paints = _Paints(PlotView)
    app, window, _ = _start()
    window.resize(*SIZE)
    window.studio.store.set("trials", int(trials))
    _settle(app, window)
    stepper = _Stepper(app, window, paints)
    stepper.slider.setSliderDown(True)
    for position in _positions(WARM):
        stepper.step(position + 1)
    stepper.late = 0
    if profile:
        import cProfile

        tool = cProfile.Profile()
        tool.enable()
    times = [stepper.step(p) for p in _positions(int(steps))]
    if profile:
        tool.disable()
        tool.dump_stats(profile)
    stepper.slider.setSliderDown(False)
    painted, settled = zip(*times, strict=True)
    return {"ms": painted, "settled": settled, "late": stepper.late, **_memory()}


def _turn(app, window, key: str) -> None:
    """To the page of a lab, until it is drawn."""
    studio, until = window.studio, time.perf_counter() + 60
    studio.pages.bring(key)
    while time.perf_counter() < until and (
        studio.store.state.active != key or studio.pictures.drawn is None or studio.pictures.busy
    ):
        app.processEvents()
    _settle(app, window)


HAND_S = 3.0


def _read(figure):
    """A figure whose curves are called by what people read: numbers as they are rounded."""
    from dataclasses import replace

    from dpstudio.gui.parts.tr import shown

    named = (replace(layer, label=shown(layer.label)) for layer in figure.layers)
    return replace(figure, layers=tuple(named))


def _paced(app, act, seconds: float) -> float:
    """Call `act(seconds)` at the pace of a mouse, and give the time of processors that it took."""
    from PySide6.QtCore import QEventLoop, QTimer

    start, pace, spent = time.perf_counter(), QTimer(interval=8), time.process_time()
    pace.timeout.connect(lambda: act(time.perf_counter() - start))
    pace.start()
    while time.perf_counter() < start + seconds:
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    pace.stop()
    return (time.process_time() - spent) * 1e3


def hand(key: str, *words: str) -> dict:
    """A drag of what a lab is turned by for three seconds, of ε through three decades: the ms
    between paints of the first chart that it changes that show new data, of which none is counted
    twice. Where new data read and look as what is painted does, there is nothing to wait for.
    Beside it its floor: the same pictures at the same pace, with nothing to work out."""
    from itertools import cycle, pairwise

    from dpstudio.gui.board.layers import same_picture
    from dpstudio.gui.board.plotview import PlotView
    from dpstudio.gui.panel.form import SliderField
    from dpstudio.labs.carry_over import lever_path
    from dpstudio.labs.worded import with_words

    # Of each chart what it showed, when that was painted, and until when it was the newest.
    seen, paint, show = {}, PlotView.paintEvent, PlotView._show

    def watched(view, event) -> None:
        paint(view, event)
        if view in seen and not same_picture(seen[view][-1][0], view.given):
            seen[view].append([view.given, *[time.perf_counter()] * 2])

    def showed(view, figure, **how) -> None:
        show(view, figure, **how)
        if view in seen and same_picture(_read(seen[view][-1][0]), _read(figure)):
            seen[view][-1][::2] = figure, time.perf_counter()

    PlotView.paintEvent, PlotView._show = watched, showed
    app, window, _ = _start()
    _turn(app, window, key)
    studio = window.studio
    studio.store.edit(with_words(studio.store.lab, words))
    _settle(app, window)
    path, every = lever_path(studio.store.lab), studio.panel.findChildren(SliderField)
    seen_there = (field for field in every if field.isVisibleTo(studio.panel))
    slider = next((field.slider for field in seen_there if field.path == path), None)
    if slider is None:
        return {}
    slider.setSliderDown(True)
    cards = [card for card in window.board.cards if card.view and not card.waits]
    seen |= {card.view: [[card.view.given, *[time.perf_counter()] * 2]] for card in cards}
    spent = _paced(app, lambda s: slider.setValue(round(150 + 200 * s)), HAND_S)
    card = next((card for card in cards if len(seen[card.view]) > 1), cards[0])
    held = seen[card.view]
    _settle(app, window)
    seen.clear()
    seen[card.view] = [[card.view.given, *[time.perf_counter()] * 2]]
    pictures = cycle(given for given, *_ in held)
    _paced(app, lambda _: card.show_figure(next(pictures)), HAND_S / 2)
    gaps, floor = (
        [(b - a) * 1e3 for (_, _, a), (_, b, _) in pairwise(shown)]
        for shown in (held, seen[card.view])
    )
    return {"gaps": gaps, "floor": floor, "cpu": spent}


def calls(steps: str) -> dict:
    """Calls of our functions on the GUI thread in each step of one drag, and in how many files.
    Comprehensions are none: they are inlined from Python 3.12 on."""
    from collections import Counter

    import dpstudio
    from dpstudio.gui.board.plotview import PlotView

    home = os.path.dirname(dpstudio.__file__)
    paints = _Paints(PlotView)
    app, window, _ = _start()
    _settle(app, window)
    stepper = _Stepper(app, window, paints)
    stepper.slider.setSliderDown(True)
    for position in _positions(WARM):
        stepper.step(position + 1)
    counted: Counter = Counter()

    def count(frame, event, _) -> None:
        code = frame.f_code
        inlined = code.co_name in ("<listcomp>", "<dictcomp>", "<setcomp>")
        if event == "call" and not inlined and code.co_filename.startswith(home):
            counted[code.co_filename] += 1

    each = []
    for position in _positions(int(steps)):
        before = counted.total()
        sys.setprofile(count)
        stepper.step(position)
        sys.setprofile(None)
        each.append(counted.total() - before)
    stepper.slider.setSliderDown(False)
    return {"calls": each, "files": len(counted)}


def repaint(steps: str) -> dict:
    """The floor of a step: four plots of the same kind, given precomputed data and repainted.

    It moves at the pace of the steps: between two of those the processor waits for the finer
    picture and its caches grow cold, from which what is painted next must be fetched again.
    """
    import numpy as np
    import pyqtgraph as pg

    paints = _Paints(pg.PlotWidget)
    app, window, plots = _bare_plots()
    from PySide6.QtCore import QEventLoop, QTimer

    x, angles = np.linspace(0, 1, 361), np.linspace(0, 3, int(steps) + WARM)
    scatter = pg.ScatterPlotItem(pen=None, brush="b", size=14, antialias=True)
    area = pg.PlotCurveItem(
        [0.0, 1.0], [0.0], pen=None, brush=(0, 90, 200, 70), fillLevel=0, stepMode="center"
    )
    plots[0].addItem(scatter)
    plots[1].addItem(area)
    lines = [
        [pg.PlotCurveItem(pen=pg.mkPen("b", width=2), antialias=True) for _ in range(n)]
        for n in (0, 2, 2, 4)
    ]
    for plot, held in zip(plots, lines, strict=True):
        plot.setXRange(0, 1, padding=0)
        plot.setYRange(0, 1.2, padding=0)
        plot.disableAutoRange()
        for line in held:
            plot.addItem(line)
    data = [[np.abs(np.sin(x * (3 + i) + a)) for i in range(8)] for a in angles]
    loop, times = QEventLoop(), []
    window.show()
    paints.done = loop.quit
    for ys in data:
        start = time.perf_counter()
        paints.left = set(plots)
        scatter.setData(x=x[::7][:50], y=ys[0][::7][:50])
        area.setData(np.linspace(0, 1, 81), ys[1][:80])
        for line, y in zip((line for held in lines for line in held), ys, strict=True):
            line.setData(x, y)
        loop.exec()
        for _ in range(3):
            app.processEvents()
        times.append(((paints.at - start) * 1e3, (time.perf_counter() - start) * 1e3))
        paints.left.clear()
        QTimer.singleShot(PACE_MS, loop.quit)
        loop.exec()
    return dict(zip(("ms", "settled"), zip(*times[WARM:], strict=True), strict=True))


def opened(reader: str, path: str, rounds: str) -> dict:
    """Reading a file again and again, in ms, and by how many MB the peak of memory rose in the
    first reading.

    What is imported is so before. The digest of the file, which nobody waits for, is waited for
    between two readings.
    """
    import numpy  # noqa: F401
    import pandas as pd
    import pyarrow.parquet as pq

    from dpstudio.files.tables import open_table

    read = {"ours": open_table, "pandas": pd.read_csv, "arrow": pq.read_table}[reader]
    open_table("house_votes_84")
    before, times, spent, first = _memory(), [], [], {}
    for _ in range(int(rounds) + 1):
        start, used = time.perf_counter(), time.process_time()
        held = read(path)
        times.append((time.perf_counter() - start) * 1e3)
        spent.append((time.process_time() - used) * 1e3)
        first = first or _memory()
        getattr(held, "digest", None)
        del held
        gc.collect()  # a table refers to itself; else the next one would need new memory, which the system must clear
    return {
        "ms": times[1:],
        "cpu": spent[1:],
        "first": times[0],
        "peak": first["peak"] - before["now"],
    }


def cancelled(path: str, after: str) -> dict:
    """How long, in ms, an opening goes on after it was asked to stop `after` seconds from its
    start; 0 where it was done before."""
    from dpstudio.files.tables import CancelledError, open_table

    start = time.monotonic()
    end = start + float(after)
    try:
        open_table(path, cancelled=lambda: time.monotonic() >= end)
    except CancelledError:
        return {"ms": (time.monotonic() - end) * 1e3}
    return {"ms": 0.0}


def asked(path: str) -> dict:
    """A count, a mean and a histogram on a large table: ms of each, and MB of memory, also of the
    columns that they are about."""
    import pandas  # noqa: F401
    import pyarrow.compute
    import pyarrow.parquet  # noqa: F401

    from dpstudio.data.conditions import parse
    from dpstudio.files.tables import open_table
    from dpstudio.privacy.queries import ADD_REMOVE
    from dpstudio.privacy.queries.count import Count
    from dpstudio.privacy.queries.histogram import Histogram
    from dpstudio.privacy.queries.total import Mean

    open_table("house_votes_84")
    before, times, start = _memory(), {}, time.perf_counter()
    data = open_table(path)
    times["open"] = (time.perf_counter() - start) * 1e3
    questions = {
        "count": Count(where=parse("age > 50")),
        "mean": Mean(column="income", low=0.0, high=100_000.0),
        "histogram": Histogram(column="state"),
    }
    for name, query in questions.items():
        start = time.perf_counter()
        answer = query.ask(data, ADD_REMOVE)
        times[name] = (time.perf_counter() - start) * 1e3
        assert len(answer.truth), name
    # Two columns of numbers, and the codes of one of words.
    held = {name: mb - before["now"] for name, mb in _memory().items()}
    return {
        "ms": times,
        "columns": data.rows * (8 + 8 + 4) / 2**20,
        "lazy": data._table.lazy,
        **held,
    }


def find(each: str) -> dict:
    """Queries of the suite typed letter by letter over all that Find knows, one in `each` of them;
    and the floor: one search of all words of all that is known for what is typed."""
    import re
    from pathlib import Path

    from find_hits import window

    from dpstudio.gui.shell.frame.finding import best, grouped

    _, known = window()
    gc.disable()  # as in the window, where a timer has it
    lines = (Path(__file__).parent / "gui" / "find_typed.txt").read_text("utf-8").splitlines()
    typed = [line.partition(" = ")[0] for line in lines if line[:1] not in ("#", "")]
    words = [one.named.letters for one in known]
    grouped(best("first", known))
    keys, floor = [], []
    for query in typed[:: int(each)]:
        for end in range(1, len(query) + 1):
            start = time.process_time()
            grouped(best(query[:end], known))
            between = time.process_time()
            for text in words:
                re.search(re.escape(query[:end]), text)
            keys.append((between - start) * 1e3)
            floor.append((time.process_time() - between) * 1e3)
    return {"keys": keys, "floor": floor, "known": len(known)}


def speak(times: str) -> dict:
    """Another language with every page open, by turns: until the window is painted in it."""
    from dpstudio.files.language import CHINESE, ENGLISH
    from dpstudio.labs import LABS

    app, window, _ = _start()
    for about in LABS:
        _turn(app, window, about.key)
    ms, cpu = [], []
    for turn in range(2 * int(times)):
        _settle(app, window)
        start, spent = time.perf_counter(), time.process_time()
        window.studio.speak(ENGLISH if turn % 2 else CHINESE)
        window.repaint()
        ms.append((time.perf_counter() - start) * 1e3)
        cpu.append((time.process_time() - spent) * 1e3)
    return {"ms": ms, "cpu": cpu}


def rest() -> dict:
    app, window, _ = _start()
    _settle(app, window)
    return _memory()


def bare_rest() -> dict:
    app, window, plots = _bare_plots()
    watcher = _watch([p.viewport() for p in plots], app.quit)
    watcher.arm()
    window.show()
    app.exec()
    return _memory()


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])), flush=True)
    os._exit(0)  # what the end of the interpreter costs is not measured
