"""A figure that the program wrote, made again from what it says of itself, and compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dpstudio import __version__
from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.deployments import deployments
from dpstudio.files.ledger import Ledger, ledger_path
from dpstudio.files.machine import MACHINE
from dpstudio.files.recorded import Recorded
from dpstudio.files.session import SessionError, other_rows
from dpstudio.files.tables import EXAMPLES, example
from dpstudio.files.write.csvout import numbers_mark
from dpstudio.files.write.leaving import leave
from dpstudio.labs.context import SCREEN, Context, Effort
from dpstudio.labs.question import reads_table
from dpstudio.values.messages import N_, Message, render, say


@dataclass(frozen=True)
class Again:
    """What is `said` of a figure that was made again, and whether its numbers are the `same`."""

    same: bool
    said: tuple[Message, ...]


def table_of(held: Recorded, beside: Path) -> str:
    """Where the table of a figure is: an example, or a file of that name in the folder `beside`, or
    in this one; any table for what reads none. Raises SessionError where it is not found."""
    if not reads_table(held.lab):
        return EXAMPLES[0].key
    if example(held.table) is not None:
        return held.table
    name = Path(held.table).name  # a figure of somebody else's could say any path
    for folder in (beside, Path()):
        if name and (folder / name).is_file():
            return str(folder / name)
    text = N_("The table of this figure is “{name}”, and there is none here: say where it is.")
    raise SessionError(say(text, name=held.table))


def differs(held: Recorded, data: Dataset) -> Iterator[Message]:
    """In what the program or the table is another one than that of the figure."""
    if held.version != __version__:
        text = N_("It was made by dpstudio {theirs}; this is {ours}.")
        yield say(text, theirs=held.version, ours=__version__)
    if (other := other_rows(held)) is not None:
        yield other
    if reads_table(held.lab) and held.digest and held.digest != data.digest:
        text = N_("Its table is another one by now: its digest begins with {theirs}, not {ours}.")
        yield say(text, theirs=data.digest[:8], ours=held.digest[:8])


def again(held: Recorded, data: Dataset, effort: Effort = SCREEN) -> Again:
    """The figure made again of this table, as its columns were told then, and compared. Of one that
    left without the exact answer the draws that are kept are looked up: nothing is drawn anew.
    Raises SessionError, StaysError and ParamError."""
    if held.beside:
        raise SessionError(say("This figure is of two tables: open both, and its page, to see it."))
    said = list(differs(held, data))
    found = _figure(held, data.described(held.codebook), effort)
    if found is None:
        text = N_("This page makes no chart “{title}” any more.")
        return Again(False, (*said, say(text, title=held.title)))
    if not held.numbers:
        text = N_("It has no mark of its numbers, so they are not compared.")
        return Again(False, (*said, say(text)))
    same = numbers_mark(found.without(held.hidden)) == held.numbers
    if same:
        text = N_("Made again, its numbers are the same.")
    elif said:
        text = N_("Made again, its numbers are others.")
    else:
        text = N_("Made again, its numbers are others, of the same table and version.")
    return Again(same, (*said, say(text)))


def _figure(held: Recorded, data: Dataset, effort: Effort) -> Figure | None:
    if held.leaves:
        found = leave(held.lab, data, Ledger(ledger_path(), anew=False), effort).findings
    else:
        context = Context(data, effort=effort, machine=MACHINE, deployments=deployments)
        found = held.lab.last(context)
        for problem in found.problems:
            if problem.stops:
                raise SessionError(problem.say)
    return next((each for each in found.figures if render(each.title) == held.title), None)
