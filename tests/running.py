"""Runs labs for tests: with little effort where nothing that is asserted depends on how finely a
curve is drawn or how many draws stand for a law, and from the words of a command line."""

from __future__ import annotations

from dpstudio import cli
from dpstudio.data.codebook import codebook_words
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import LITTLE, Context, Effort
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.page import Lab


def little(lab: Lab, data: Dataset, effort: Effort = LITTLE) -> Findings:
    """The last findings of a lab on a table, with little effort."""
    # A lab with a `run` of its own has not moved into the shape that takes a context.
    given = data if "run" in vars(type(lab)) else Context(data, effort=effort)
    *_, found = lab.run(given)
    return found


def state_of(words: list[str]) -> tuple[Lab, Dataset]:
    """The lab and the table that `dpstudio run` takes from these words, such as one of
    tests/reference/states.json."""
    kind = lab_kind(words[0])
    given = cli._lab_words(kind, words[1:])
    assert given is not None
    lab, typed = kind(), list[tuple[str, str]]()
    for word in given.settings:
        lab = cli._set(lab, word, typed)
    book = codebook_words(given.about, given.person, given.most)
    return lab, cli._told(cli._opened(given.data, given.read), book)
