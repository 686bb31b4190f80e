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


def wanted() -> bool:
    """Whether somebody waits for what this thread does."""
    cancelled = getattr(_HERE, "cancelled", None)
    return cancelled is None or not cancelled()


@contextmanager
def interrupting(
    stop: Callable[[], object], tell: Callable[[], object] | None = None
) -> Iterator[None]:
    """Call `stop`, on another thread, as soon as what this one does within is not wanted, and
    `tell` again and again until then."""
    cancelled = getattr(_HERE, "cancelled", None)
    if cancelled is None and tell is None:
        yield
        return
    done = Event()

    def watch() -> None:
        while not done.wait(_LOOK_S):
            if cancelled is not None and cancelled():
                stop()
            elif tell is not None:
                tell()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
