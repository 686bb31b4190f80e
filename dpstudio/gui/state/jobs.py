"""Work off the GUI thread: one job runs, the newest waits."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, Signal

Job = Callable[[Callable[[], bool]], Iterator[Any]]


class _Task:
    """One job. It is no QRunnable: PySide keeps those, and with them the job's table, for ever."""

    def __init__(self, runner: Runner, number: int, job: Job):
        self.runner, self.number, self.job = runner, number, job

    def run(self) -> None:
        try:
            for value in self.job(self._cancelled):
                if self._cancelled():
                    break
                self.runner._outcome.emit((self.number, "value", value))
            self.runner._outcome.emit((self.number, "end", None))
        except Exception as error:
            error.__traceback_text__ = "".join(traceback.format_tb(error.__traceback__))  # type: ignore[attr-defined]
            self.runner._outcome.emit((self.number, "error", error))

    def _cancelled(self) -> bool:
        return self.number <= self.runner.cancelled_up_to


class Runner(QObject):
    """Runs jobs one at a time. While one runs, only the newest of those submitted is kept.

    `value(object)` brings each yielded value of a job that is still wanted, `failed(object)` the
    exception that ended one, `idle()` says that nothing is left to do.
    """

    value = Signal(object)
    failed = Signal(object)
    idle = Signal()
    _outcome = Signal(object)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.pool = QThreadPool(self)
        self.pool.setMaxThreadCount(1)
        self.cancelled_up_to = 0
        self._number = 0
        self._running: int | None = None
        self._waiting: Job | None = None
        self._closed = False
        self._outcome.connect(self._hear)

    @property
    def busy(self) -> bool:
        return self._running is not None

    def submit(self, job: Job, *, cancel: bool = False) -> None:
        """Run `job(cancelled)` soon. With `cancel` (a structural change) the running one is told to
        stop and is not heard."""
        if self._closed:
            return
        if cancel:
            self.cancel()
        if self._running is None:
            self._start(job)
        else:
            self._waiting = job

    def cancel(self) -> None:
        self.cancelled_up_to = self._number
        self._waiting = None

    def close(self) -> None:
        """Stop and wait; nothing is taken after it. To be called before the application ends."""
        self._closed = True
        self.cancel()
        self.pool.waitForDone()

    def _start(self, job: Job) -> None:
        self._number += 1
        self._running = self._number
        self.pool.start(_Task(self, self._number, job).run)

    def _hear(self, outcome: tuple[int, str, Any]) -> None:
        number, what, value = outcome
        wanted = number > self.cancelled_up_to
        if what == "value":
            if wanted:
                self.value.emit(value)
            return
        self._running = None
        if what == "error" and wanted:
            self.failed.emit(value)
        if self._waiting is not None:
            job, self._waiting = self._waiting, None
            self._start(job)
        else:
            self.idle.emit()
