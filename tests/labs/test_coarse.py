"""A value that a finer result will tell otherwise is marked so until it is fine, and never after."""

from collections.abc import Iterator
from typing import Any

import pytest
from running import FEW, lab_of

from dpstudio.data.dataset import Dataset
from dpstudio.labs import LABS
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import Message, render

STATES = (
    "membership attacker=shadows",
    "composition answers=100",
    "owners looks=sharing",
    "learn learner=decision_tree",
    "explore answers=50",
)


def told(findings: Findings) -> Iterator[tuple[str, str, str]]:
    """All numbers in words: of which fact, sentence or figure, at which of its places."""
    for fact in findings.facts:
        yield fact.key, "text", render(fact.text)
    for sentence in findings.sentences:
        yield sentence.key, "say", render(sentence.say)
    for figure in findings.figures:
        for layer in figure.layers:
            if layer.label:
                yield figure.key, layer.key, _words(layer.label)
        for n, column in enumerate(figure.lanes.columns if figure.lanes is not None else ()):
            for tick, cell in zip(figure.y.ticks, column.cells, strict=True):
                yield figure.key, f"{n} {tick[1]}", _words(cell)  # two may be without a head


def _words(said: Any) -> str:
    return render(said) if isinstance(said, Message) else str(said)


@pytest.mark.parametrize("words", [*(about.key for about in LABS), *STATES])
def test_what_is_coarse_is_marked_until_it_is_fine(words: str, adult: Dataset) -> None:
    lab, _ = lab_of(words.split())
    fresh = Dataset(adult._frame, "fresh")  # nothing is remembered
    found = list(lab.run(Context(fresh, effort=FEW)))
    last = {(of, place): words for of, place, words in told(found[-1])}
    assert not found[-1].coarse
    for findings in found[:-1]:
        marked = {
            of for of, place, words in told(findings) if last.get((of, place), words) != words
        }
        assert marked <= findings.coarse
