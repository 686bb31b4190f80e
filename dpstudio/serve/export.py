"""The noisy reports as a table that any lab opens."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpstudio.files.read.typing.marks import MARKS, is_value
from dpstudio.files.write.csvout import table_csv
from dpstudio.labs.findings import Table
from dpstudio.privacy.room import Question, Report, Reports, written
from dpstudio.values.messages import N_, Translate, unchanged

TITLE = N_("Noisy reports of a room")
# A number that every reader writes as it was.
_PLAIN = re.compile(r"(0|-?[1-9]\d*)(\.\d*[1-9])?", re.ASCII)


def reports_table(questions: Mapping[str, Question], reports: Reports) -> Table:
    """One row a report, in the order of `reports`; that of the questions and their rounds tells how
    manieth time one is asked. `answers` is the mark of those that could be given, `epsilon` the one
    that was chosen, and what the coins really cost is never more; `round` counts how often the
    question was asked, at whichever ε."""
    rows = [report for report in reports if report.question in questions]
    place = {key: at for at, key in enumerate(questions)}
    times = _times(questions, sorted(rows, key=lambda r: (place[r.question], r.round)))
    columns = (
        ("question", tuple(questions[r.question].text for r in rows)),
        ("answers", tuple(questions[r.question].mark for r in rows)),
        ("mechanism", tuple(r.mechanism for r in rows)),
        ("epsilon", tuple(r.epsilon for r in rows)),
        ("report", tuple(written(questions[r.question], r) for r in rows)),
        ("round", tuple(times[r.question, r.round] for r in rows)),
    )
    return Table("reports", TITLE, columns)


def reports_csv(
    questions: Mapping[str, Question], reports: Reports, translate: Translate = unchanged
) -> str:
    """The same as a CSV file, in which words that a reader takes for something else, as a missing
    cell or a date, have an apostrophe, as formulas have. No title above, which of a row or two
    would leave open where the table begins."""
    made = reports_table(questions, reports)
    columns = tuple((name, _guarded(cells)) for name, cells in made.columns)
    return table_csv(replace(made, title="", columns=columns), {}, translate, enclosed=True)


def _guarded(cells: Sequence[Any]) -> tuple[Any, ...]:
    """Numbers stay where all are: a word above a number would look like a second header."""
    words = [cell for cell in cells if isinstance(cell, str)]
    if all(map(_PLAIN.fullmatch, words)):
        return tuple(cells)
    odd = {c for c in words if c in MARKS or c.lower() in ("true", "false") or is_value(c)}
    return tuple(f"'{cell}" if cell in odd else cell for cell in cells)


def _times(questions: Mapping[str, Question], rows: Iterable[Report]) -> dict[tuple[str, int], int]:
    """For each key and round the how manieth time it is that the question is asked, as far as
    anybody answered."""
    times: dict[tuple[str, int], int] = {}
    for asked in dict.fromkeys((report.question, report.round) for report in rows):
        alike = [key for key, _ in times if questions[key].same(questions[asked[0]])]
        times[asked] = len(alike) + 1
    return times
