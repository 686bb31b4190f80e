"""What stops Synthesis on a table, what qualifies it, and the nearest state that a table can
answer."""

from collections.abc import Iterator

from dpstudio.data.column_roles import FEATURE, columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import MOST_WORDS
from dpstudio.labs.lacking import no_rows
from dpstudio.labs.page import Refused
from dpstudio.labs.whole_tables.synthesis import model as known
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel
from dpstudio.labs.whole_tables.synthesis.parameters import TYPED, Synthesis
from dpstudio.labs.whole_tables.synthesis.ways import WAYS
from dpstudio.labs.whole_tables.synthesis.ways.tree import SpanningTree
from dpstudio.values.messages import N_, Message, Num, listed, say
from dpstudio.values.parameters import ParamError, switch
from dpstudio.values.problem import Problem

_FEW = 5
_MUCH = 1.25  # times as many rows, or as few


def problems(lab: Synthesis, data: Dataset) -> Iterator[Problem]:
    """Everything that stops or qualifies this state, each at its field."""
    if data.rows == 0:
        yield Problem("data", no_rows(data))
        return
    try:
        held = known.cells(lab, data)
        why = known.refusal(lab, data)
    except ParamError as error:
        yield Problem(error.field, error.sentence)
        return
    if why is not None:
        yield Problem("size" if _paid(lab, data) else "way", why)
        return
    if not len(held.codes):
        yield Problem("missing", say("No row has a value in every column. Choose fewer columns."))
        return
    if held.unattested:
        text = N_(
            "The bounds or words of {columns} come from the data: this is not private. Choose "
            "others, or say on the page of the table what is known from outside it."
        )
        names = listed(held.unattested)
        told, left = say(text, columns=names), tuple(held.unattested)
        yield Problem("data.attested", told, stops=False, columns=left)
    claim = lab.way.claim(known.known_of(lab, data, held.axes))
    if not claim.holds:
        text = N_("This does not keep the promise ε = {epsilon}.")
        yield Problem("way", say(text, epsilon=Num(lab.epsilon, 5)), stops=False, grave=True)


def advice(model: SynthesisModel) -> Iterator[Problem]:
    """That far more or fewer rows are made than there are, though nobody said how many."""
    if model.task is None or model.lab.size == TYPED:
        return
    there, made = len(model.task.codes), known.made_rows(model)
    if max(there, made) > _MUCH * min(there, made):
        text = N_(
            "{made} {made:row is|rows are} made of {there}: the sum of noisy counts decides how "
            "many. Take fewer columns or bins, or a larger ε."
        )
        yield Problem("epsilon", say(text, made=Num(made), there=Num(there)), stops=False)


def refused(lab: Synthesis, data: Dataset) -> Refused:
    """The ways that have no table for these columns, each with the reason."""
    if any(p.stops and p.field not in ("way", "size") for p in problems(lab, data)):
        return {}
    told = {kind.key: lab.with_(way=switch(kind, lab.way)) for kind in WAYS}
    whys = {key: _why(made, data) for key, made in told.items() if not _paid(made, data)}
    return {"way": {key: why for key, why in whys.items() if why is not None}}


def _why(lab: Synthesis, data: Dataset) -> Message | None:
    """Why the way has no table: one that reads more columns than the way in use may miss some."""
    try:
        return known.refusal(lab, data)
    except ParamError as error:
        return error.sentence


def _paid(lab: Synthesis, data: Dataset) -> bool:
    """Whether the way lacks nothing but a public number of rows."""
    return _why(lab, data) is not None and _why(lab.with_(size=TYPED), data) is None


def suited(lab: Synthesis, data: Dataset) -> Synthesis:
    """The lab with columns that the table has, where those named are not there."""
    usable = [c.name for c in data.columns if _usable(data, c.name)]
    named = tuple(name for name in lab.columns if name in usable)
    named = named or tuple(columns_for(data, FEATURE, usable)[:_FEW])
    if not named:
        return lab
    made = lab.with_(columns=named)
    if lab.column not in named:
        made = made.with_(column=named[0])
    if lab.other not in named or made.other == made.column:
        rest = [name for name in named if name != made.column]
        made = made.with_(other=rest[0] if rest else made.other)
    if known.refusal(made, data) is not None:
        made = made.with_(way=switch(SpanningTree, made.way))
    return made


def _usable(data: Dataset, column: str) -> bool:
    info = data.info(column)
    if info.type == "other" or data.missing(column) == data.rows:
        return False
    return (
        info.ordered
        or bool(data.about(column).categories)
        or not data.more_than(column, MOST_WORDS)
    )
