"""The noisy reports as a table that any lab opens."""

from __future__ import annotations

from collections.abc import Mapping

from dpstudio.files.write.csvout import table_csv
from dpstudio.labs.findings import Table
from dpstudio.privacy.room import Question, Reports, written
from dpstudio.values.messages import N_, Translate, unchanged

TITLE = N_("Noisy reports of a room")


def reports_table(questions: Mapping[str, Question], reports: Reports) -> Table:
    """One row a report, in the order they were kept: question, mechanism, epsilon, report, round.
    `epsilon` is the one that was chosen; what the coins really cost is never more."""
    rows = [report for report in reports if report.question in questions]
    columns = (
        ("question", tuple(questions[r.question].text for r in rows)),
        ("mechanism", tuple(r.mechanism for r in rows)),
        ("epsilon", tuple(r.epsilon for r in rows)),
        ("report", tuple(written(questions[r.question], r) for r in rows)),
        ("round", tuple(r.round for r in rows)),
    )
    return Table("reports", TITLE, columns)


def reports_csv(
    questions: Mapping[str, Question], reports: Reports, translate: Translate = unchanged
) -> str:
    """The same as a CSV file."""
    return table_csv(reports_table(questions, reports), {}, translate)
