"""Processes that work for this one, and end with it."""

import signal
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread


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
