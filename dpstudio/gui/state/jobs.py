"""All work off the GUI thread: channels, in each of which one job runs and the newest waits, and
worker processes for what takes seconds."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Event, Lock
from time import monotonic, thread_time
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QThreadPool, Signal

from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.values.messages import Message
from dpstudio.values.stopping import while_wanted
from dpstudio.values.workers import WORKERS

R = TypeVar("R")
_MOST_PROCESSES = 4
_NOTHING = Message("")
UNKNOWN = -1.0  # share of what does not say how far it is
SHOWN_MOST_S = 2.0  # who does not hear that a picture was painted goes on all the same
SEEN_S = 0.04  # between two words on how far a job is
STILL_S = 0.04  # what a hand left that holds still for so long is shown whole
REST_S = 0.12  # a hand that holds still for so long may want to see it finer
# What came ahead of a value is not followed by it while a newer job waits, unless nothing whole was
# told for WHOLE_S, or so many times what the last one took to follow: showing it takes time too.
WHOLE_S, TIMES = 1.0, 20


def findings_of(lab: Lab, context: Context) -> Iterator[Findings]:
    """The findings of a lab, the first quickly, later ones more exact."""
    return lab.run(context)


class Work:
    """What a job is given. It is no QRunnable: PySide keeps those, and with them the job's table,
    for ever."""

    def __init__(self, channel: Channel, number: int, job: Job):
        self._channel, self._number, self._job = channel, number, job
        self._told = self._whole = False
        self._began = 0.0  # in the time of its thread
        self._said, self._doing = 0.0, _NOTHING

    def cancelled(self) -> bool:
        """Whether nobody waits for the job any more, or but to see finer, or whole, what a newer
        one has left."""
        return self._unwanted or self._outdone

    @property
    def _outdone(self) -> bool:
        channel = self._channel
        if not channel.waits or self._whole or not self._told:
            return channel.waits and self._whole
        return monotonic() < channel.whole_at + max(WHOLE_S, TIMES * channel.took)

    @property
    def _unwanted(self) -> bool:
        return self._number <= self._channel.cancelled_up_to

    def progress(self, share: float, doing: Message = _NOTHING) -> None:
        """Tell which share of the job is done, from 0 to 1 or UNKNOWN, and what is being done; no
        oftener than an eye can see."""
        now = monotonic()
        if doing != self._doing or now >= self._said + SEEN_S:
            self._said, self._doing = now, doing
            self._tell("progress", (share, doing))

    def _tell(self, what: str, value: Any) -> None:
        self._channel._outcome.emit((self._number, what, value))

    def run(self) -> None:
        """Do the job; each value that it yields is told while it is wanted. It is refined only when
        its first value has been shown, for both need the interpreter; while a hand moves, only when
        that rests; and not where a newer job waits: under the hand the next picture is worth
        more."""
        self._began = thread_time()
        try:
            with while_wanted(lambda: self._unwanted):
                self._tell_all()
            self._tell("end", None)
        except Exception as error:
            where = "".join(traceback.format_tb(error.__traceback__))
            error.__traceback_text__ = where  # type: ignore[attr-defined]
            self._tell("error", error)

    def _tell_all(self) -> None:
        for value in self._job(self):
            if self._unwanted:
                break
            self._channel.shown.clear()
            self._tell("value", value)
            self._pause(whole=not getattr(value, "ahead", False))
            if self._outdone:
                break

    def _pause(self, *, whole: bool) -> None:
        """Let a first value be shown, or what came ahead of it."""
        first, channel = not self._whole, self._channel
        if whole and first:
            channel.whole_at, channel.took = monotonic(), thread_time() - self._began
        self._told, self._whole = True, whole
        if first and not (channel.waits or self._unwanted):
            channel.shown.wait(SHOWN_MOST_S)
            if channel.moved:
                channel.stirred.wait(REST_S if whole else STILL_S)
        self._began = thread_time()


Job = Callable[[Work], Iterator[Any]]


def _never() -> bool:
    return False


class Channel(QObject):
    """Runs jobs one at a time. While one runs, only the newest of those submitted is kept.

    `shown`: the value that was told last has been painted, or need not be, of which `go_on` is to
    be told where something is `painting`. `value(object)` brings each yielded value of a job that
    is still wanted, one that comes `ahead` of the next among them, `progress(share, Say)`
    how far it is, `failed(object)` the exception that ended one; `idle()` says that nothing is left
    to do.
    """

    value = Signal(object)
    progress = Signal(float, object)
    failed = Signal(object)
    idle = Signal()
    _outcome = Signal(object)

    def __init__(self, pool: QThreadPool, parent: QObject | None = None):
        super().__init__(parent)
        self.cancelled_up_to = 0
        self._pool = pool
        self._number = 0
        self._running: int | None = None
        self._waiting: Job | None = None
        self._closed = False
        self.shown, self.stirred = Event(), Event()
        self.moved = False
        self.whole_at = self.took = 0.0
        self.painting: Callable[[], bool] = _never  # whether some of it is still to be painted
        self._outcome.connect(self._hear)

    @property
    def busy(self) -> bool:
        """Whether a job runs, though it may not be wanted any more."""
        return self._running is not None

    @property
    def waits(self) -> bool:
        """Whether a newer job waits for the one that runs."""
        return self._waiting is not None

    @property
    def heard(self) -> bool:
        """Whether the newest job was, or will be, heard to its end: nobody cancelled it."""
        return self._number > self.cancelled_up_to

    def go_on(self, ahead: bool = False) -> None:
        """Let the running job be refined, unless something of it is still to be painted: who knows
        of that calls this again; with `ahead` that was painted which came ahead of its value."""
        if ahead or not self.painting():
            self.shown.set()

    def grasp(self, holds: bool) -> None:
        """A hand moves what is worked out, or has let go of it."""
        self.moved = holds
        if not holds:
            self.stirred.set()

    def submit(self, job: Job, *, cancel: bool = False) -> None:
        """Run `job(work)` soon. With `cancel` (a structural change) the running one is told to stop
        and is not heard."""
        if self._closed:
            return
        if cancel:
            self.cancel()
        if self._running is None:
            self._start(job)
        else:
            self._waiting = job
            self._stir()

    def cancel(self) -> None:
        """Tell the running job to stop, and forget the one that waits."""
        self.cancelled_up_to = self._number
        self._waiting = None
        self._stir()

    def _stir(self) -> None:
        self.shown.set()
        self.stirred.set()

    def close(self) -> None:
        """Take no job any more."""
        self._closed = True
        self.cancel()

    def _start(self, job: Job) -> None:
        self._number += 1
        self._running, self._waiting = self._number, None
        self.shown.clear()
        self.stirred.clear()
        self._pool.start(Work(self, self._number, job).run)

    def _hear(self, outcome: tuple[int, str, Any]) -> None:
        number, what, value = outcome
        wanted = number > self.cancelled_up_to
        if what in ("value", "progress"):
            if wanted and what == "value":
                self.value.emit(value)
                self.go_on()
            elif wanted:
                self.progress.emit(*value)
            return
        self._running = None
        if what == "error" and wanted:
            self.failed.emit(value)
        if self._running is not None:
            return  # who heard of the failure began anew
        if self._waiting is not None:
            self._start(self._waiting)
        else:
            self.idle.emit()


class Processes(Executor):
    """Worker processes, made when the first function is handed over. Where they die, new ones are
    made for the next."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Run a function of a module in another process; both it and what it is given must be able
        to travel there. Raises RuntimeError after `shutdown`."""
        with self._lock:
            if self._closed:
                raise RuntimeError("no work is taken any more")
            try:
                return self._made().submit(fn, *args, **kwargs)
            except BrokenProcessPool:
                self._pool = None
                return self._made().submit(fn, *args, **kwargs)

    def _made(self) -> ProcessPoolExecutor:
        if self._pool is None:
            most = min(_MOST_PROCESSES, max(1, (os.cpu_count() or 2) - 1))
            self._pool = ProcessPoolExecutor(most, mp_context=WORKERS)
        return self._pool

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes, though they be in the middle of something."""
        with self._lock:
            self._closed, pool, self._pool = True, self._pool, None
        if pool is None:
            return
        # There is no public way before Python 3.14: a shutdown alone waits for what runs.
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=wait, cancel_futures=cancel_futures)


class Jobs(QObject):
    """The one service that works in the background: its channels, each made when it is first named,
    and its worker processes."""

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.pool = QThreadPool(self)
        self.processes = Processes()
        self._channels: dict[str, Channel] = {}

    def channel(self, name: str) -> Channel:
        """The channel of that name. Channels do not wait for each other."""
        if name not in self._channels:
            self._channels[name] = Channel(self.pool, self)
            self.pool.setMaxThreadCount(len(self._channels))
        return self._channels[name]

    def busy(self, *names: str) -> bool:
        """Whether one of these channels has work; where none is named, any of them."""
        return any(self._channels[n].busy for n in names or self._channels if n in self._channels)

    def close(self) -> None:
        """Stop everything and wait; nothing is taken after it. To be called before the application
        ends."""
        for channel in self._channels.values():
            channel.close()
        self.processes.shutdown()
        self.pool.waitForDone()
