"""The reader against files as the world gives them: wrong 0, and no question of a clean file."""

from __future__ import annotations

from collections import Counter

import pytest
from fuzz_reading import attempt
from nasty import CORPUS, Nasty
from polluted import CLEAN as FINE
from polluted import Polluted, polluted, verdict
from test_reading import outcome
from wild import CLEAN, WILD

from dpstudio.files.asking import note_words
from dpstudio.files.read.outcome import Read
from dpstudio.values.messages import render


@pytest.mark.parametrize("nasty", WILD, ids=lambda n: n.name)
def test_wild(nasty: Nasty) -> None:
    outcome(nasty)


def test_clean_files_are_not_asked_about() -> None:
    verdicts = Counter(type(attempt(n.body)) is Read for n in WILD if n.name in CLEAN)
    assert verdicts == {True: len(CLEAN)}
    assert len({n.name for n in WILD}) == len(WILD) >= 180


@pytest.mark.parametrize("nasty", [*CORPUS, *WILD], ids=lambda n: n.name)
def test_what_was_left_out_or_changed_is_said(nasty: Nasty) -> None:
    """Of a certain reading: lines that are no rows, names made anew, and words taken for missing."""
    found = attempt(nasty.body)
    if not isinstance(found, Read):
        return
    told = " ".join(render(note) for note in note_words(found))
    counts = found.counts
    for n in (counts.comments, counts.empty, counts.footer):
        assert not n or f"{n} " in told
    assert not counts.preamble or "comments" in told or "separated by" in told or "value" in told
    assert all(f"“{w}”" in told for c in found.columns for w, _ in c.missing if w)


@pytest.mark.parametrize("case", polluted()[::17], ids=lambda case: case.name)
def test_polluted(case: Polluted) -> None:
    """Some of more than 500; `tests/soak.py --only polluted` tries all."""
    what, why = verdict(case)
    assert what != "wrong", why
    assert case.kind != FINE or what == "certain", why
