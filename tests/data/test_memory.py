"""What is remembered: how much room it takes, and what is forgotten for it."""

from dataclasses import dataclass

import numpy as np

from dpstudio.data.memory import Memory, Sized


@dataclass(frozen=True, eq=False)
class _Part(Sized):
    x: np.ndarray
    word: str = "word"


@dataclass(frozen=True, eq=False)
class _Whole(Sized):
    x: np.ndarray
    parts: tuple[_Part, ...]
    none: np.ndarray | None = None


def test_what_stands_in_the_fields_takes_room() -> None:
    eight, part = np.zeros(1), _Part(np.zeros(2))
    assert (part.nbytes, _Whole(eight, (part, part)).nbytes) == (16, 40)
    memory = Memory(room=50)
    for question in "abc":
        memory.remember(question, lambda: _Whole(eight, (part,)))
    assert [memory.known(each) for each in "abc"] == [False, True, True]
