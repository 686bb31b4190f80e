"""A file that one process at a time reads, changes and writes."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(path: Path, wait: bool = True) -> Iterator[None]:
    """Wait until nobody else is at the file, and keep others out until the end; the lock is a file
    beside it, which stays, as another process may be waiting for it. Its folder is made, for the
    person alone. Raises OSError, and without `wait` also where somebody is at it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(beside, wait)
        yield
    finally:
        os.close(beside)  # which lets go of the lock


def _lock(number: int, wait: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
