"""Whether who waits for the work of a thread still does: for what cannot look while it waits."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread, local

_HERE = local()
_LOOK_S = 0.05


@contextmanager
def while_wanted(cancelled: Callable[[], bool]) -> Iterator[None]:
    """What this thread does within is wanted until `cancelled()`."""
    before = getattr(_HERE, "cancelled", None)
    _HERE.cancelled = cancelled
    try:
        yield
    finally:
        _HERE.cancelled = before


@contextmanager
def interrupting(stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop`, on another thread, as soon as what this one does within is not wanted."""
    cancelled = getattr(_HERE, "cancelled", None)
    if cancelled is None:
        yield
        return
    done = Event()

    def watch() -> None:
        while not done.wait(_LOOK_S):
            if cancelled():
                stop()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
