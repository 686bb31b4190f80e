"""Answers that are remembered by the frozen question that was asked, up to a bound."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any, TypeVar, cast

T = TypeVar("T")
_KEEP = 512


def _bytes_of(value: Any) -> int:
    parts = value if isinstance(value, tuple) else ()
    return int(getattr(value, "nbytes", 0)) + sum(map(_bytes_of, parts))


class Sized:
    """A dataclass that takes as much room as what stands in its fields, arrays above all."""

    @property
    def nbytes(self) -> int:
        """What remembering it costs."""
        return sum(_bytes_of(held) for held in vars(self).values())


class Memory:
    """At most 512 answers, and at most `room` bytes of them: the oldest are forgotten. Any thread
    may ask; the size of an answer is its `nbytes`, where it has such."""

    def __init__(self, room: int):
        self._room = room
        self._answers: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0
        self._lock = RLock()

    def remember(self, question: Hashable, answer: Callable[[], T]) -> T:
        """The answer to a question, worked out by `answer()` where it is not known."""
        with self._lock:
            known = self._answers.get(question)
            if known is not None:
                self._answers.move_to_end(question)
                return cast(T, known[0])
        value = answer()
        size = int(getattr(value, "nbytes", 0))
        with self._lock:
            if question not in self._answers:
                self._answers[question] = (value, size)
                self._bytes += size
            while len(self._answers) > _KEEP or (
                self._bytes > self._room and len(self._answers) > 1
            ):
                _, (_, freed) = self._answers.popitem(last=False)
                self._bytes -= freed
        return value

    def recall(self, question: Hashable) -> Any | None:
        """The answer to a question where it is known, and None where it is not."""
        with self._lock:
            if question not in self._answers:
                return None
            self._answers.move_to_end(question)
            return self._answers[question][0]

    def known(self, question: Hashable) -> bool:
        """Whether the answer to a question is remembered."""
        with self._lock:
            return question in self._answers

    def forget(self, unless: Callable[[Hashable], bool]) -> None:
        """Forget every answer but those to questions of which `unless` holds."""
        with self._lock:
            for question in [q for q in self._answers if not unless(q)]:
                _, freed = self._answers.pop(question)
                self._bytes -= freed


# What follows from parameters alone: another table, or what is told of one, leaves it as it is.
OF_NO_TABLE = Memory(1 << 26)
