"""The same work on one block after another, on all processors."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from dpstudio.files.read.source import Watch

B = TypeVar("B")
T = TypeVar("T")
_THREADS = min(4, os.cpu_count() or 1)


class Pool(Generic[B, T]):
    """Threads beside the one that calls; to be closed."""

    def __init__(self, watch: Watch):
        self.watch = watch
        # The thread that calls works as well: one thread a processor, so that none waits for
        # another that holds the interpreter and has no processor to run on.
        self.threads = ThreadPoolExecutor(max(1, _THREADS - 1))

    def over(
        self, blocks: Iterable[B], work: Callable[[B], T], alone: Callable[[B], bool]
    ) -> Iterator[T]:
        """`work` on every block, in order. The threads work while the next blocks are made; where
        that is far ahead of them, it waits and a hand is lent. The first block is done before any
        other is begun, and here where it is `alone`. Raises CancelledError."""
        ahead: deque[tuple[Future[T], B]] = deque()
        for number, block in enumerate(blocks):
            self.watch.ask()
            if number == 0 and alone(block):
                yield work(block)
                continue
            if number == 1 and ahead:
                ahead[0][0].result()
            ahead.append((self.threads.submit(work, block), block))
            while len(ahead) > 1 and ahead[0][0].done():
                yield ahead.popleft()[0].result()
            if len(ahead) > _THREADS + 1:
                self._lend(ahead, work)
        while self._lend(ahead, work):
            pass
        for future, _ in ahead:
            self.watch.ask()
            yield future.result()

    def _lend(self, ahead: deque[tuple[Future[T], B]], work: Callable[[B], T]) -> bool:
        """Work here on the last block that no thread has begun; False where there is none."""
        self.watch.ask()
        for place in reversed(range(len(ahead))):
            future, block = ahead[place]
            if future.cancel():
                mine: Future[T] = Future()
                mine.set_result(work(block))
                ahead[place] = mine, block
                return True
        return False

    def close(self) -> None:
        """Wait for what has begun; nothing else begins."""
        self.threads.shutdown(cancel_futures=True)
