"""What is said before a table or a model leaves: what does, what it costs, what is attested, what
is missing and where, and what stays. Nothing is drawn for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.files.write.leaving import Foreseen, StaysError, may_leave, read_by_rows, tried_model
from dpstudio.files.write.published import may_publish
from dpstudio.labs import Lab
from dpstudio.labs.context import LITTLE
from dpstudio.labs.outcome import ReleasedModel
from dpstudio.labs.winners import listed
from dpstudio.values.messages import N_, Message, Num, say

_MODEL: tuple[str, ...] = (
    N_("The model as JSON, with its columns, their bounds and words, and how it was drawn."),
    N_("Beside it a few lines of Python that make it a model of scikit-learn."),
)
_DRAWN: tuple[str, ...] = (
    N_("A synthetic table as CSV and Parquet, and a report of how it was drawn."),
)
_ROWS: tuple[str, ...] = (
    N_("Rows of this table as they are changed here, as CSV and Parquet, with a report."),
    N_("A script that makes them again, where nothing was drawn."),
)
_COSTS = N_(
    "{spent}, written into the ledger of this table before the file is. The same model of "
    "the same file costs nothing more."
)
_COSTS_TABLE = N_(
    "{spent}, written into the ledger of this table before the file is. The same table of the "
    "same file costs nothing more."
)
_NO_PROMISE = N_(
    "No ε says what it costs: this is no promise of differential privacy. The ledger notes that it "
    "left."
)
_STAYS = N_("The rows, every score and chart of this page, the digest of the file and the seed.")
_ROWS_STAY = N_("Identifiers, rows that are left out, and every score and chart of this page.")


@dataclass(frozen=True)
class LeaveNotes:
    """All that is said. What is `missing` keeps it here: each by what it says."""

    title: Message
    leaves: tuple[Message, ...]
    costs: Message
    attested: Message | None
    missing: tuple[StaysError, ...]
    stays: Message


def notes_of(lab: Lab, table: Dataset) -> LeaveNotes:
    """The notes of what the page of a lab lets leave: a model, or a table."""
    page, model, missing = lab.page(), None, list(read_by_rows(table))
    if table.codebook.merged:
        table = table.described(table.codebook.apart)
    foreseen: Foreseen = ()
    try:
        if page.releases is not None:
            tried = tried_model(lab, table, read=True)
            model, foreseen = tried.model, tried.foreseen
        elif page.publishes_drawn:
            *_, foreseen = may_leave(lab, table, LITTLE, read=True)
        else:
            may_publish(lab, table, read=True)
    except StaysError as error:
        missing.append(error)
    if page.releases is not None:
        title, leaves, costs = say("Save this model"), _MODEL, _cost(_COSTS, lab, foreseen)
    else:
        title, leaves = say("Save this table"), _DRAWN if page.publishes_drawn else _ROWS
        costs = _cost(_COSTS_TABLE, lab, foreseen) if page.publishes_drawn else say(_NO_PROMISE)
    told = None if model is None else _attested(model)
    rows = page.releases is None and not page.publishes_drawn
    stay = say(_ROWS_STAY if rows else _STAYS)
    grave = [problem.say for problem in lab.problems(table) if problem.grave] if rows else []
    return LeaveNotes(title, (*map(say, leaves), *grave), costs, told, tuple(missing), stay)


def _cost(text: str, lab: Lab, foreseen: Foreseen) -> Message:
    """What is paid for all that would be drawn, as the ledger adds it up; what is set for it, as
    long as that is not known."""
    if not foreseen:
        if (set_to := getattr(lab, "epsilon", None)) is None:
            return say("What it costs is told when nothing is missing.")
        unknown = N_("Set here: ε = {epsilon}. What is paid is told when nothing is missing.")
        return say(unknown, epsilon=Num(set_to, 5, "up"))
    epsilon, delta = (
        Num(sum(getattr(promise, name) for _, promise in foreseen), 5, "up")
        for name in ("epsilon", "delta")
    )
    spent = say("ε = {epsilon} with δ = {delta}", epsilon=epsilon, delta=delta)
    if not delta.value:
        spent = say("ε = {epsilon}", epsilon=epsilon)
    return say(text, spent=spent)


def _attested(model: ReleasedModel) -> Message:
    return listed(list(_columns(model.values["columns"])))


def _columns(columns: list[dict[str, Any]]) -> Iterator[Message]:
    """Each column with what is attested of it."""
    for column in columns:
        if "words" in column:
            n = Num(len(column["words"]))
            yield say("{column} ({n} {n:word|words})", column=column["name"], n=n)
        else:
            low, high = Num(column["low"], 6), Num(column["high"], 6)
            yield say("{column} ({low} to {high})", column=column["name"], low=low, high=high)
