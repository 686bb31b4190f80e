"""The question who a person is, which every lab repeats until it is answered."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.data.dataset import Dataset
from dpstudio.data.person_columns import person_column
from dpstudio.labs.findings import Findings
from dpstudio.labs.spelled_twice import TWICE
from dpstudio.values.messages import N_, say
from dpstudio.values.problem import Problem

WHO = "data.person"
_TEXT = N_(
    "“{column}” seems to tell persons apart, and some have several rows; but nobody has said so, "
    "and each row is taken as a person: ε covers one row. Say who a person is under “Columns "
    "and rows of this table”."
)


def asked_about(data: Dataset) -> str:
    """The column that looks as if it said whose row it is, as long as nobody has said who a person
    is; else ""."""
    return "" if data.codebook.answered or not data.rows else person_column(data)


def who_is_a_person(data: Dataset) -> Iterator[Problem]:
    """That each row is taken as a person, where the table looks otherwise."""
    column = asked_about(data)
    if column:
        yield Problem(WHO, say(_TEXT, column=column), stops=False, grave=True)


def without_question(findings: Findings) -> Findings:
    """The findings as they may leave without the exact answer: whether the question arises, and
    whether a word has two spellings, is seen in the rows, and one row can decide it."""
    kept = tuple(each for each in findings.problems if each.field not in (WHO, TWICE))
    return findings if kept == findings.problems else replace(findings, problems=kept)
