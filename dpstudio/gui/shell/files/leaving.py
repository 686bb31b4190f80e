"""What is worked out and written off the GUI thread when something leaves the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.jobs import Work
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import Message

if TYPE_CHECKING:
    from dpstudio.files.write.leave_notes import LeaveNotes
    from dpstudio.files.write.leaving import Left

# What is done with what leaves, and with the table that it was made of or the stand-in for it.
Leaves = Callable[[Lab, Findings, Dataset], None]


def drawn_to_leave(
    lab: Lab, data: Dataset, wanted: str, then: Leaves, work: Work
) -> Iterator[tuple[Left, Leaves]]:
    """What leaves without the exact answer, and what is to be done with it."""
    from dpstudio.files.ledger import Ledger, ledger_path
    from dpstudio.files.write.leaving import leave

    yield leave(lab, data, Ledger(ledger_path()), wanted=wanted), then


def exported(
    findings: Findings, lab: Lab, data: Dataset, folder: Path, look: Any, work: Work
) -> Iterator[tuple[Path, int]]:
    """All charts to a folder: where, and how many files."""
    from dpstudio.files.write.export import export_findings
    from dpstudio.gui.board.render import FigureImages

    made = export_findings(findings, lab, data, folder, FigureImages(), translate=tr, **look)
    yield folder, len(made)


def may_publish(
    lab: Lab, findings: Findings, data: Dataset | None, stays: Callable[[Exception], None]
) -> bool:
    """Whether the table for others may leave; else `stays` is told why it does not."""
    from dpstudio.files.write.leaving import StaysError
    from dpstudio.files.write.published import may_publish as check

    try:
        check(lab, data, findings.second)
    except StaysError as error:
        stays(error)
        return False
    return True


def noted(lab: Lab, data: Dataset, work: Work) -> Iterator[LeaveNotes]:
    """What is said before a table or a model leaves."""
    from dpstudio.files.write.leave_notes import notes_of

    yield notes_of(lab, data)


def model_drawn(
    lab: Lab, data: Dataset, path: Path, work: Work
) -> Iterator[tuple[list[Path], tuple[Message, ...]]]:
    """A model drawn and written: where, and what is told of it."""
    from dpstudio.files.ledger import Ledger, ledger_path
    from dpstudio.files.write.leaving import leave_model
    from dpstudio.files.write.model_file import model_files

    left = leave_model(lab, data, Ledger(ledger_path()))
    yield model_files(left.model, path), left.told


def published(
    findings: Findings, lab: Lab, data: Dataset, folder: Path, work: Work
) -> Iterator[tuple[Path, int]]:
    """The table for others to a folder of its own: where, and how many files."""
    from dpstudio.files.ledger import Ledger, ledger_path
    from dpstudio.files.write.published import publish

    yield folder, len(publish(findings, lab, data, folder, Ledger(ledger_path())))
