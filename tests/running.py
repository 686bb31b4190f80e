"""Runs labs for tests: with little effort where nothing that is asserted depends on how finely a
curve is drawn or how many draws stand for a law, and from the words of a command line."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from dpstudio.cli import commands
from dpstudio.cli.loading import given as loaded
from dpstudio.data.codebook import codebook_words
from dpstudio.data.dataset import Dataset
from dpstudio.files import language
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.source import Cancelled, Progress
from dpstudio.files.tables import Opened, example, open_table, open_with_report
from dpstudio.labs.context import LITTLE, Context, Effort
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind, successor_of_words
from dpstudio.labs.page import Lab, nothing, run
from dpstudio.labs.worded import with_words
from dpstudio.privacy.mechanisms.additive import Additive, Sensitivity
from dpstudio.privacy.mechanisms.law import Law

# Where only the form of what is found is asserted: of the draws that an audit makes at LITTLE, and
# that take nearly all of its time, as many as any lab makes at least.
LEAST = Effort(points=0.1, draws=0.01, replays=5)
# As many points as any curve has at least stand for it; a fourth of what the screen shows, as LITTLE
# has them, takes half as long again.
FEW = Effort(points=0.1, draws=LITTLE.draws, replays=LITTLE.replays)
FEW_POINTS = Effort(points=0.1)
# Looks with an ε of their own that a page does not open on, beside what it opens on.
LOOKS: dict[str, tuple[tuple[str, ...], ...]] = {"owners": ((), ("looks=trusting",))}
# How a plain CSV file is read where all of it is told, but for what columns hold.
PLAIN = Choices(
    format="text",
    rows="every",
    encoding="utf-8",
    delimiter="comma",
    quote="double",
    escape="doubled",
    newlines="none",
    comment="none",
    skip=0,
    footer=0,
    header="yes",
    ragged="pad",
    decimal="point",
    dates="dmy",
    century="window",
    units="numbers",
)


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Another language, with nothing else that a window would do."""
    language.use(language.written(tag))
    try:
        yield
    finally:
        language.use(language.written(language.ENGLISH))


def little(lab: Lab, data: Dataset, effort: Effort = FEW) -> Findings:
    """The last findings of a lab on a table, with little effort."""
    return lab.last(Context(data, effort=effort))


def with_facts(lab: Lab, context: Context) -> Findings:
    """The last findings of a lab, without what is drawn and said: but where a simulated answer is
    put into that and into facts at once, all of it."""
    page = lab.page()
    bare = replace(page, parts=(), facts=page.facts, charts=nothing, sentences=nothing,
                   tables=nothing)  # fmt: skip
    *_, last = run(page if page.frame else bare, lab, context, last=True)
    return last


def found(words: str, data: Dataset, effort: Effort = LEAST) -> Findings:
    """The last findings of the lab of these words on a table."""
    lab, _ = lab_of(words.split())
    return little(lab, data, effort)


def facts(words: str, data: Dataset, effort: Effort = LEAST) -> dict[str, Any]:
    """The values of its facts by key."""
    return {fact.key: fact.value for fact in found(words, data, effort).facts}


def lab_of(words: list[str]) -> tuple[Lab, argparse.Namespace]:
    """The lab that `dpstudio run` makes of these words, and what they say of the table."""
    was = successor_of_words(words)
    kind = lab_kind(was.lab)
    given = commands._lab_words(kind, words[1:])
    assert given is not None
    return with_words(kind(), given.settings, was, loaded), given


opened = cache(open_table)


@cache
def first_rows(rows: int) -> Dataset:
    """So many rows of Adult, with what is published of it; quicker than a frame of all of them
    is."""
    adult = opened("adult")
    made = Dataset(adult._table.take(np.arange(rows)), f"{rows} rows")
    made.documented = adult.documented
    return made


_read = cache(open_with_report)


def read_once(
    where: str,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    choices: Choices | None = None,
) -> Opened:
    """As `open_with_report`; but a table that comes with dpstudio is read once a process. It costs
    a third of what opening a window does, and gives the same frozen table every time."""
    if (choices or Choices()) == Choices() and example(where) is not None:
        return _read(where)
    return open_with_report(where, progress, cancelled, choices)


def state_of(words: list[str]) -> tuple[Lab, Dataset]:
    """The lab and the table of words such as those of tests/reference/states.json."""
    lab, given = lab_of(words)
    book = codebook_words(given.about, given.person, given.most)
    return lab, opened(given.data).described(book)


def leaves(kind: type[Additive]) -> bool:
    """Whether noise of this kind says how it is drawn exactly; without that nothing leaves."""
    return type(kind().law(Sensitivity(1.0, 1.0, 1.0))).leave is not Law.leave
