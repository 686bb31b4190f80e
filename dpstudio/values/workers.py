"""Processes that work for this one, and end with it."""

import signal
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread
from typing import Any


class Worker(SpawnProcess):
    """One that ends, idle or in the middle of something, when who started it is gone: who is killed
    tells nobody, and an idle worker would wait for ever."""

    def run(self) -> None:
        Thread(target=_end_with_parent, daemon=True).start()
        super().run()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent
    parent.join()
    signal.raise_signal(signal.SIGTERM)


class _Workers(SpawnContext):
    Process = Worker


# Not by fork: the process that asks has threads.
WORKERS = _Workers()

_WAIT = 0.1  # seconds between two looks at whether anybody waits


def apart(
    work: Callable[..., Any],
    *given: Any,
    heard: Callable[[Any], None] | None = None,
    alive: Callable[[], None] = lambda: None,
) -> Any:
    """What `work` makes of what it is given, in a process of its own. Where somebody has `heard`
    from it, it is given `told`, which tells them; `alive` is called all the time, and ends the work
    where it raises. RuntimeError with what was said where it fails, or ends with its process."""
    here, far = WORKERS.Pipe(duplex=False)
    telling = heard is not None
    process = WORKERS.Process(target=_apart, args=(far, telling, work, given), daemon=True)
    process.start()
    far.close()
    try:
        while True:
            while not here.poll(_WAIT):
                alive()
            kind, found = here.recv()
            if kind is None and heard is not None:
                heard(found)
            elif kind:
                return found
            else:
                raise RuntimeError(found)
    except EOFError:
        raise RuntimeError("the process ended") from None
    finally:
        process.terminate()
        process.join()
        here.close()


def _apart(
    far: Connection, telling: bool, work: Callable[..., Any], given: tuple[Any, ...]
) -> None:
    more = {"told": lambda what: far.send((None, what))} if telling else {}
    try:
        far.send((True, work(*given, **more)))
    except Exception as error:
        far.send((False, str(error)))
