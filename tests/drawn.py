"""What the suite draws of many cases: some of a catalogue's combinations, so that each entry is there and
all of them together meet every theme, size and language. `tests/soak.py --only whole` runs the same test
functions with all cases, in processes where WHOLE is in the environment."""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

WHOLE = "DPSTUDIO_WHOLE"
HERE = Path(__file__).parent


def whole() -> bool:
    """Whether all cases are tried."""
    return WHOLE in os.environ


def some(
    cases: Sequence[T], of: Callable[[T], Hashable] = lambda case: None, most: int = 1
) -> list[T]:
    """So many cases at most of each entry, which is what `of` gives of a case: drawn by the entry's own
    name, the same in each run. All cases, where all are tried."""
    if whole():
        return list(cases)
    held: dict[Hashable, list[int]] = {}
    for place, case in enumerate(cases):
        held.setdefault(of(case), []).append(place)
    kept = [
        place
        for entry, places in held.items()
        for place in random.Random(repr(entry)).sample(places, min(most, len(places)))
    ]
    return [cases[place] for place in sorted(kept)]


def examples(most: int, few: int | None = None) -> int:
    """How many examples of hypothesis a test tries: a third of them, where all are not."""
    return most if whole() else few or max(1, most // 3)


def run_whole(words: Sequence[str] = ()) -> int:
    """All cases of the tests that draw some, or of those whose file has one of these words in its name."""
    files = [
        str(path)
        for path in sorted(HERE.rglob("test_*.py"))
        if "from drawn import" in path.read_text("utf-8")
        and (not words or any(word in path.name for word in words))
    ]
    called = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *files]
    return subprocess.run(called, cwd=HERE.parent, env={**os.environ, WHOLE: "1"}).returncode
