"""Drives the program with scripted random hands and watches what it does: `python tests/soak.py
[--minutes 10] [--seed 1]`, fuzzes the reader of tables (`--fuzz SECONDS`), and opens, cancels and
asks large files (`--large ROWS`: 10,000,000 are a CSV of 1 GB). `--only cross` opens no window: it
asks every question with every mechanism in every setting, of which the suite tries the pairs;
`--only choices` gives every lab each of its settings alone, of which the suite tries a third, six at once;
`--only numbers` looks where each number that is said comes from, in twice the states of the suite;
`--only states` runs 900 states of all labs at random; `--only kill` kills the program with -9 fifty
times, and looks what the next start makes of it, `--only ledger` so a ledger as it is spent from and released from, `--only laws` draws
200,000 releases of each kind; `--only hidden` lets every lab leave without the
exact answer, of all pairs of neighbours; `--only polluted` reads tables under 820 pollutions;
`--only releases` tries to find rows that 2,000 published tables left out;
`--only subjects` deletes each subject in a copy, with all that uses it, and runs what is left there;
`--only whole` runs tests of which the suite draws some cases with all of them (`--screens` names some
of their files);
`--only scripts` runs the scripts of 60 states, each in a process of its own;
`--only engines` asks a folder of Parquet files of `--large` rows, beside SQL by hand;
`--only painted` looks at every screen at every size as it is painted; `--only room` opens rooms to
200 phones each, over loopback, and takes pictures of the page in a browser.

Needs a display, or runs offscreen without one. Ends with a summary; exit 1 where something broke,
leaked or blocked. What the hands do is in soak_hands.py, what they open besides in soak_large.py.
"""

import argparse
import ctypes
import faulthandler
import gc
import os
import random
import sys
import tempfile
import threading
import time
import traceback
import warnings
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QObject, Qt, QThreadPool, QTimer, qInstallMessageHandler, qVersion
from PySide6.QtGui import QGuiApplication, QPixmapCache
from PySide6.QtWidgets import QApplication
from soak_hands import Hand, make_files
from soak_large import ask_large, make_large, make_messy, open_large

from dpstudio.files.arrow_columns import release_unused
from dpstudio.files.session import SessionError
from dpstudio.files.tables import CancelledError, TableError
from dpstudio.gui.shell.app import leave_the_start_aside, make_app, make_window
from dpstudio.gui.shell.files import saving
from dpstudio.labs import LABS

BEAT_MS = 5
# How long the GUI thread may be blocked in one beat of 1,000: where others take the machine, and
# where this run has it for itself.
LIMIT_MS, IDLE_MS = 100.0, 50.0
GROWTH = 0.05  # from the second third of a run to the last
# What Qt may say without harm.
ALLOWED = (
    "This plugin does not support propagateSizeHints",
    "This plugin does not support raise",
    "This plugin does not support grabbing the keyboard",
    "Mouse event occurs outside target window",  # the hand's own: a popup took the place of the window
)
SETTLE_MS, HANG_S = 10_000, 60


class Log:
    """What went wrong, each kind with how often it came and the first words of it."""

    def __init__(self) -> None:
        self.bad: Counter[str] = Counter()
        self.allowed: Counter[str] = Counter()
        self.doing = ""
        sys.excepthook = lambda kind, error, trace: self.error("exception", error)
        threading.excepthook = lambda args: self.error("exception in a thread", args.exc_value)
        sys.unraisablehook = lambda args: self.error("unraisable exception", args.exc_value)
        warnings.showwarning = lambda message, kind, file, line, *_: self.add(
            f"{kind.__name__}: {message} ({file}:{line})"
        )
        warnings.simplefilter("always")
        qInstallMessageHandler(lambda kind, _, text: self.add(f"Qt: {text}"))

    def add(self, text: str) -> None:
        known = next((words for words in ALLOWED if words in text), "")
        if known:
            self.allowed[known] += 1
            return
        if text not in self.bad:
            print(f"! {self.doing}: {text}", flush=True)
        self.bad[text] += 1

    def error(self, what: str, error: BaseException | None) -> None:
        self.add(f"{what}: " + "".join(traceback.format_exception(error)) if error else what)


def kind_of(doing: str) -> str:
    """The kind of action: its name, and of turning to a lab whether that is the first time."""
    words = doing.removeprefix("pause after ").split(" ")
    return " ".join(words[: 2 if words[0] == "turn" else 1])


class Heart(QObject):
    """A timer in the GUI thread; how late each beat comes is how long the thread was blocked."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps = array("d")  # no objects, which would be counted as what is left
        self.worst: list[tuple[float, str]] = []
        self.by_kind: dict[str, array[float]] = {}
        self.doing, self.last = "", time.perf_counter()
        self.timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self.beat)
        self.timer.start()

    def beat(self) -> None:
        now = time.perf_counter()
        gap, self.last = max(0.0, (now - self.last) * 1e3 - BEAT_MS), now
        self.gaps.append(gap)
        self.by_kind.setdefault(kind_of(self.doing), array("d")).append(gap)
        if len(self.worst) < 10 or gap > self.worst[-1][0]:
            self.worst = sorted([*self.worst, (gap, self.doing)], reverse=True)[:10]

    def skip(self) -> None:
        """What the soak itself did does not count."""
        self.last = time.perf_counter()


def resident() -> dict[str, int]:
    """Memory of the process now, in MB: its own, and pages of libraries, which come as these are
    used."""
    lines = Path("/proc/self/status").read_text().splitlines()
    told = dict(line.split(":", 1) for line in lines)
    return {
        "anonymous": int(told["RssAnon"].split()[0]) >> 10,
        "libraries": int(told["RssFile"].split()[0]) >> 10,
    }


def held_memory() -> float:
    """What is really held, in MB: by malloc, by Arrow and by numpy's large arrays, without what the
    allocators keep of what is gone, which makes steps in `rss` that mean nothing."""
    import pyarrow

    class Info(ctypes.Structure):  # mallinfo2 of the GNU C library
        _fields_ = [
            (name, ctypes.c_size_t)
            for name in [
                "arena",
                "ordblks",
                "smblks",
                "hblks",
                "hblkhd",
                "usmblks",
                "fsmblks",
                "uordblks",
                "fordblks",
                "keepcost",
            ]
        ]

    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Info
    info = mallinfo()
    arrow = pyarrow.default_memory_pool()
    apart = 0 if arrow.backend_name == "system" else arrow.bytes_allocated()
    return float(info.uordblks + info.hblkhd + apart) / 2**20


def left_memory() -> dict[str, float]:
    """What the process has though nothing happens, by kind: MB that are really held, thousands of
    small objects of Python, and MB of all its own, once the allocators gave back what they could.
    Where this last alone grows, it is they who keep what is gone. Qt's pictures, of which it keeps
    up to 10 MB, do not count."""
    QPixmapCache.clear()
    release_unused()
    ctypes.CDLL(None).malloc_trim(0)
    return {"held": held_memory(), "small": sys.getallocatedblocks() / 1e3, **resident()}


class Soak(QObject):
    """Opens a window, lets a hand at it for some seconds, closes it, counts what is left; and so on
    until time is up."""

    def __init__(self, minutes: float, seed: int, log: Log, folder: Path, large: list[Path]):
        super().__init__()
        self.rng, self.log, self.seconds = random.Random(seed), log, 60 * minutes
        self.files, self.out = (
            [*make_files(folder / "files"), *make_messy(folder / "messy", self.rng)],
            folder / "out",
        )
        self.large, self.let_go = large, list[float]()
        self.out.mkdir()
        self.start, self.warm = time.monotonic(), min(60.0, 15 * minutes)
        self.heart = Heart()
        self.memory: list[tuple[float, dict[str, int]]] = []
        self.left: list[dict[str, float]] = []
        self.kinds: list[Counter[str]] = []
        self.done: Counter[str] = Counter()
        self.turns: Counter[str] = Counter()
        self.sampler = QTimer(self, interval=10_000)
        self.sampler.timeout.connect(self.sample)
        self.sampler.start()
        self.script = self.windows()
        self.next = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self.next.timeout.connect(self.step)
        self.next.start(0)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.start

    def sample(self) -> None:
        if self.elapsed >= self.warm:
            self.memory.append((self.elapsed, resident()))

    def step(self) -> None:
        """Let the script do its next piece; it says how many milliseconds it then waits."""
        try:
            wait = next(self.script)
        except StopIteration:
            QApplication.exit(0)
            return
        except Exception as error:
            self.log.error("the soak itself", error)
            QApplication.exit(1)
            return
        self.next.start(wait)

    def name(self, doing: str) -> None:
        self.heart.doing = self.log.doing = doing

    def windows(self) -> Iterator[int]:
        if self.large:
            yield from self.large_files()
        while self.elapsed < self.seconds:
            self.name("start window")
            window = make_window(self.rng.choice([None, None, None, *map(str, self.files)]))
            window.show()
            window.activateWindow()
            yield from self.until(lambda w=window: w.studio is not None)
            if self.rng.random() > 0.1:  # else it is closed while it reads its first table
                self.watch(window.studio)
                yield from self.until(lambda s=window.studio: s.store.data is not None)
                hand, end = (
                    Hand(window, self.rng, self.files, self.out, self.turns),
                    self.elapsed + self.rng.uniform(8, 24),
                )
                while self.elapsed < min(end, self.seconds):
                    yield from self.act(hand)
                hand = None
            yield from self.close(window)
            window = None
            yield from self.count()

    def large_files(self) -> Iterator[int]:
        """Before all else, in a window of their own; the time that it takes is not of the
        minutes."""
        window = make_window()
        window.show()
        yield from self.until(
            lambda w=window: w.studio is not None and w.studio.store.data is not None
        )
        self.watch(window.studio)
        for path in self.large:
            yield from open_large(self, window, path)
        yield from self.close(window)
        window = None
        yield from self.count()
        for path in self.large:
            yield from ask_large(self, path)
        self.left.clear()
        self.start = time.monotonic()

    def until(self, true: Any, limit: int = SETTLE_MS) -> Iterator[int]:
        end = time.monotonic() + limit / 1e3
        while not true():
            if time.monotonic() > end:
                self.log.add(f"waited {limit / 1e3:g} s in vain: {self.heart.doing.split(' ')[0]}")
                return
            yield 10

    def watch(self, studio: Any) -> None:
        """Failures that the program caught itself, and said in the bar, are failures all the
        same."""
        log = self.log
        studio.pictures.runner.failed.connect(
            lambda error: log.add(f"lab failed: {getattr(error, '__traceback_text__', error)}")
        )
        studio.opener.loader.failed.connect(
            lambda error: (
                None
                if isinstance(error, TableError | CancelledError | SessionError)
                else log.add(f"opening failed: {getattr(error, '__traceback_text__', error)}")
            )
        )

    def act(self, hand: Hand) -> Iterator[int]:
        # A GUI thread that hangs says where, and ends.
        faulthandler.dump_traceback_later(HANG_S, exit=True)
        name, script = hand.next()
        try:
            for wait in script:
                self.name(f"{name} {hand.detail}")
                yield wait
        except Exception as error:
            self.log.error(f"in {name}", error)
        self.done[kind_of(f"{name} {hand.detail}")] += 1
        self.name(f"pause after {name} {hand.detail}")
        yield self.rng.choice((0, 0, 20, 100))

    def close(self, window: Any) -> Iterator[int]:
        self.name("close window")
        studio = window.studio
        jobs = studio.jobs
        window.studio.unsaved.discard() if window.studio else window.close()
        if jobs.pool.activeThreadCount():
            self.log.add("a job still runs in a closed window")
        lasting = [t for t in window.findChildren(QTimer) if t.isActive() and not t.isSingleShot()]
        if lasting:
            self.log.add(
                f"timers still run in a closed window: "
                f"{[(str(t.parent()), t.interval()) for t in lasting]}"
            )
        yield 50
        window.deleteLater()
        studio = jobs = window = lasting = None
        yield 50

    def count(self) -> Iterator[int]:
        """What is still there after a window is gone."""
        self.name("count")
        QGuiApplication.clipboard().clear()
        yield 300
        gc.collect()
        held = [o for o in gc.get_objects() if isinstance(o, QObject)]
        ours = [
            o for o in held if type(o).__module__.startswith("dpstudio") and shiboken6.isValid(o)
        ]
        names = Counter(type(o).__name__ for o in ours)
        threads = [
            t
            for t in threading.enumerate()
            if t is not threading.main_thread()
            and t.name != "stacks"
            and not isinstance(t, threading._DummyThread)
        ]
        self.left.append(
            {
                "minute": self.elapsed / 60,
                "windows": len(QApplication.topLevelWidgets()),
                "threads": len(threads),
                "pool": QThreadPool.globalInstance().activeThreadCount(),
                "timers": sum(
                    isinstance(o, QTimer) and shiboken6.isValid(o) and o.isActive() for o in held
                ),
                "ours": len(ours),
                "objects": len(gc.get_objects()),
                "modules": len(sys.modules),
                **left_memory(),
            }
        )
        self.kinds.append(Counter(type(o).__qualname__ for o in gc.get_objects()))
        if names:
            print(f"left after window {len(self.left)}: {dict(names)}", flush=True)
        del held, ours, threads
        self.heart.skip()
        yield 0


def report(soak: Soak) -> bool:
    """Print what was measured; whether all of it is good."""
    gaps, faults = np.array(soak.heart.gaps), []
    share = [float(np.percentile(gaps, q)) for q in (50, 99, 99.9, 100)]
    print(f"\n{soak.elapsed / 60:.1f} minutes, {len(soak.left)} windows, {sum(soak.done.values())} "
f"actions, Qt {qVersion()} on "
          f"{QGuiApplication.platformName()}, load {os.getloadavg()[1]:.2f}")  # fmt: skip
    named = ", ".join(
        f"{name} {ms:.1f}"
        for name, ms in zip(("median", "99 %", "99.9 %", "max"), share, strict=True)
    )
    print(f"GUI thread blocked, ms over {len(gaps)} beats: {named}")
    print(f"  {int((gaps > LIMIT_MS).sum())} beats above {LIMIT_MS:g} ms")
    print("  action            times  99.9 %  longest, ms")
    for kind, held in sorted(soak.heart.by_kind.items(), key=lambda item: -max(item[1])):
        high = np.percentile(held, 99.9)
        print(f"  {kind:<16}{soak.done[kind] or '':>7}{high:>8.0f}{max(held):>9.0f}")
    if soak.let_go:
        print(
            f"let go of a large file in {np.median(soak.let_go):.0f} ms (median), "
            f"{max(soak.let_go):.0f} ms at most, of {len(soak.let_go)}"
        )
    for gap, doing in soak.heart.worst:
        print(f"  {gap:6.0f} ms  {doing}")
    if share[2] > (IDLE_MS if os.getloadavg()[1] < 2 else LIMIT_MS):
        faults.append(f"the GUI thread was blocked for {share[2]:.0f} ms at the 99.9th percentile")
    faults += memory(soak.memory, soak.left)
    for name in soak.left[0] if soak.left else ():
        print(f"after each window, {name}:", *[f"{left[name]:.4g}" for left in soak.left])
    if len(soak.kinds) > 5:
        more = soak.kinds[-1] - soak.kinds[len(soak.kinds) // 3]
        print("more objects than after a third of the windows:", dict(more.most_common(25)))
    settled = soak.left[1:]
    for name in ("windows", "threads", "pool", "timers", "ours"):
        if settled and settled[-1][name] > settled[0][name]:
            faults.append(f"{name} left behind grew from {settled[0][name]} to {settled[-1][name]}")
    print("allowed messages:", dict(soak.log.allowed))
    for text, n in soak.log.bad.most_common():
        faults.append(
            f"{n} x {text.strip().splitlines()[0]} … {text.strip().splitlines()[-1]}"[:300]
        )
    print("\nFAULTS:" if faults else "\nno faults", *faults, sep="\n- " if faults else "")
    return not faults


KINDS = {
    "held": "held after a window, MB",
    "small": "small objects of Python after a window, thousands",
    "anonymous": "all its own after a window, MB",
}


def memory(samples: list[tuple[float, dict[str, int]]], left: list[dict[str, float]]) -> list[str]:
    """Growth of each kind of memory: while the hand works, and after each window. What libraries
    take comes as they are used, and is told only."""
    if len(samples) < 9 or len(left) < 9:
        print("memory: too short a run to judge")
        return []
    at = [second / 60 for second, _ in samples]
    grows("pages of libraries, MB", at, [float(mb["libraries"]) for _, mb in samples])
    faults = grows("memory of its own, MB", at, [float(mb["anonymous"]) for _, mb in samples])
    ends = [after["minute"] for after in left]
    for kind, words in KINDS.items():
        faults += grows(words, ends, [after[kind] for after in left])
    return faults


def grows(kind: str, minutes: list[float], much: list[float]) -> list[str]:
    """A fault where the last third of a run has more than the second had, and still rises. The
    first is that of caches that fill."""
    third = len(much) // 3
    first, second, last = (float(np.median(part)) for part in np.array_split(much, 3))
    slope = float(np.polyfit(minutes[-third:], much[-third:], 1)[0])
    print(
        f"{kind}: medians of thirds {first:.0f}, {second:.0f}, {last:.0f}, peak {max(much):.0f}; "
        f"in the last third {slope:+.2f} a minute"
    )
    rises = last > (1 + GROWTH) * second and slope > 0
    return [f"{kind}: grew from {second:.0f} to {last:.0f} and still rises"] if rises else []


class _NoDialog:
    """Stands where Qt's file dialogs would block everything."""

    def __init__(self, log: Log):
        self.log = log

    def __getattr__(self, name: str) -> Any:
        self.log.add(f"a modal dialog: {name}")
        return lambda *_: "" if name == "getExistingDirectory" else ("", "")


def stacks(soak: Soak) -> None:
    """Print where the GUI thread is while it is blocked; costs a little itself."""
    main, told = threading.main_thread().ident, 0.0
    while True:
        time.sleep(0.02)
        late = time.perf_counter() - soak.heart.last
        if late > LIMIT_MS / 1e3 and told != soak.heart.last:
            told = soak.heart.last
            frames = traceback.extract_stack(sys._current_frames()[main])  # type: ignore[index]
            ours = [
                f"{Path(f.filename).name}:{f.lineno} {f.name}"
                for f in frames
                if "soak.py" not in f.filename
            ]
            print(
                f"~ {late * 1e3:.0f} ms [{soak.heart.doing}]",
                " < ".join(reversed(ours[-9:])),
                flush=True,
            )


def painted(words: str, language: str) -> int:
    """Every screen at every size, in a window of its own."""
    from soak_painted import run_painted

    with tempfile.TemporaryDirectory(prefix="dpstudio-painted-") as folder:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        for name in ("SETTINGS", "DRAFTS", "LEDGER"):
            os.environ[f"DPSTUDIO_{name}"] = str(Path(folder, name.lower()))
        os.environ["LANGUAGE"] = language
        return int(run_painted([about.key for about in LABS], words.split()) > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--stacks", action="store_true", help="print where the GUI thread is while it is blocked"
    )
    parser.add_argument(
        "--large",
        type=int,
        metavar="ROWS",
        default=0,
        help="first open a table of so many rows as CSV and Parquet",
    )
    parser.add_argument(
        "--fuzz",
        type=float,
        metavar="SECONDS",
        default=0,
        help="first fuzz the reader of tables for so long",
    )
    alone = ["cross", "choices", "states", "kill", "hidden", "geometry", "painted", "polluted"]
    alone += ["room", "releases", "subjects", "ledger", "laws", "numbers", "scripts", "engines"]
    alone += ["whole"]
    parser.add_argument("--only", choices=alone, help="run this alone")
    parser.add_argument("--times", type=int, default=50, help="how often to kill, how many rooms")
    parser.add_argument(
        "--screens",
        metavar="WORDS",
        default="",
        help="of the painted screens only these: labs, sizes and types, such as '1024x700 x1.5'; "
        "of subjects and whole only these",
    )
    parser.add_argument("--language", default="en", help="of geometry and painted, such as zh_CN")
    given = parser.parse_args()
    faulthandler.enable()
    if given.only == "cross":
        from crossed import run_cross

        return int(run_cross() > 0)
    if given.only == "subjects":
        from soak_subjects import run_subjects

        return int(run_subjects(given.screens.split()) > 0)
    if given.only == "whole":
        from drawn import run_whole

        return int(run_whole(given.screens.split()) > 0)
    if given.only == "choices":
        from choices import run_choices

        return int(run_choices() > 0)
    if given.only == "numbers":
        sys.path.insert(0, str(Path(__file__).parent / "labs"))
        from test_numbers import run_numbers

        return int(run_numbers() > 0)
    if given.only == "kill":
        from soak_kill import run_kills

        return int(run_kills(given.times, given.seed) > 0)
    if given.only == "ledger":
        sys.path.insert(0, str(Path(__file__).parent / "files"))
        from test_booked import run_ledger_kills
        from test_booked_release import run_release_kills
        from test_own_ledger import run_export_kills

        with tempfile.TemporaryDirectory(prefix="dpstudio-ledger-") as folder:
            faults = run_ledger_kills(Path(folder), given.times, given.seed)
            faults += run_export_kills(Path(folder), given.times, given.seed)
            return int(faults + run_release_kills(Path(folder), given.times, given.seed) > 0)
    if given.only == "laws":
        sys.path.insert(0, str(Path(__file__).parent / "files"))
        from test_booked_release import run_laws

        return int(run_laws(200_000) > 0)
    if given.only == "scripts":
        from scripts import run_scripts

        return int(run_scripts(given.seed) > 0)
    if given.only == "engines":
        from soak_engines import run_engines

        with tempfile.TemporaryDirectory(prefix="dpstudio-engines-") as folder:
            return int(run_engines(Path(folder), given.large or 100_000_000) > 0)
    if given.only == "room":
        from soak_room import run_room

        return int(run_room(given.times, given.seed) > 0)
    if given.only == "hidden":
        sys.path.insert(0, str(Path(__file__).parent / "files"))
        from neighbours import FORMATS
        from test_hidden_files import run_hidden
        from test_hidden_reading import run_files
        from test_hidden_release import run_release, run_without_answers

        with tempfile.TemporaryDirectory(prefix="dpstudio-hidden-") as folder:
            place = Path(folder)
            released = sum(run_release(name, place, 99) for name in FORMATS)
            alone = place / "alone"  # a ledger of its own
            alone.mkdir()
            released += run_without_answers(alone, 99)
            return int(released + run_files(place) + run_hidden(place) > 0)
    if given.only == "releases":
        sys.path.insert(0, str(Path(__file__).parent / "files"))
        from test_releases import run_releases

        return int(run_releases(range(2_000)) > 0)
    if given.only == "polluted":
        sys.path.insert(0, str(Path(__file__).parent / "files"))
        from polluted import run_polluted

        return int(run_polluted() > 0)
    if given.only == "states":
        from soak_states import run_states

        return int(run_states(given.seed) > 0)
    if given.only == "geometry":
        from geometry import run_geometry

        from dpstudio.files import language

        language.use(language.written(given.language))
        return int(run_geometry(given.seed) > 0)
    if given.only == "painted":
        return painted(given.screens, given.language)
    if given.fuzz:
        from fuzz_reading import fuzz

        fuzz(given.fuzz, given.seed * 1_000_000_000)
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="dpstudio-soak-") as folder:
        os.environ["DPSTUDIO_SETTINGS"] = str(Path(folder, "settings.ini"))
        os.environ["DPSTUDIO_DRAFTS"] = str(Path(folder, "drafts"))
        log = Log()
        saving.QFileDialog = _NoDialog(log)  # type: ignore[assignment,misc]
        saving.asked_folder = lambda *_: _NoDialog(log).getExistingDirectory()
        gc.disable()  # as the program does while it starts
        app = make_app()
        leave_the_start_aside()
        app.setQuitOnLastWindowClosed(False)
        large = make_large(Path(folder) / "large", given.large) if given.large else []
        soak = Soak(given.minutes, given.seed, log, Path(folder), large)
        if given.stacks:
            threading.Thread(target=stacks, args=(soak,), daemon=True, name="stacks").start()
        code = app.exec()
        faulthandler.cancel_dump_traceback_later()
        return 0 if report(soak) and code == 0 else 1


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # what the interpreter does while it ends is not the program's
