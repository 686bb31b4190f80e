"""A lab as it may leave the program without the exact answer: told of a stand-in for the table and
of what was drawn from it, so that nothing else of the table can be in it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.data.exact_sums import ExactSums, persons_named, so_many_persons
from dpstudio.data.stand_in import StandIn
from dpstudio.files.ledger import Export, Ledger, refuse_broken
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.told import not_apart
from dpstudio.files.write.drawn_words import drawn_exactly
from dpstudio.files.write.jsonout import findings_json
from dpstudio.files.write.taken_as_public import named_columns, proposed_by_rows, taken_as_public
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import NEIGHBOURS, ROW, TRUTH
from dpstudio.labs.context import LITTLE, SCREEN, Context, Draws, Effort
from dpstudio.labs.findings import Findings
from dpstudio.labs.outcome import ReleasedModel
from dpstudio.labs.person_question import without_question
from dpstudio.labs.public_reports import not_public
from dpstudio.labs.question import asked_types, compared_types, reads_table
from dpstudio.labs.winners import listed
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.queries import REPLACE
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom, UnattestedError
from dpstudio.values.messages import N_, Message, Num, SentenceError, enumerated, plain, render, say
from dpstudio.values.parameters import ParamError, Parameters, domains


class StaysError(SentenceError):
    """What cannot leave without the exact answer; `sentence` says why, and what to do."""


class ColumnsStayError(StaysError):
    """What cannot leave as long as nobody attests what is known of these columns."""

    def __init__(self, sentence: Message, columns: tuple[str, ...]):
        super().__init__(sentence)
        self.columns = columns


class MergedError(ColumnsStayError):
    """What cannot leave as long as the spellings of these columns are merged."""


class UntoldError(StaysError):
    """What cannot leave as long as rows decide how their file is read. `tellable`: whether somebody
    who knows may tell that of the open table; not of one that stands `beside` it."""

    def __init__(self, names: Sequence[str], *, beside: bool = False):
        why = not_apart(names)
        self.tellable = why is None and not beside
        if why is not None:
            return super().__init__(why)
        known = [
            say("“{name}”", name=Message(domains(Choices)[name].label)) for name in names[:_MOST]
        ]
        if len(names) > _MOST:
            known.append(say("{n} more", n=Num(len(names) - _MOST)))
        super().__init__(say(_UNTOLD_BESIDE if beside else _UNTOLD, choices=listed(known)))


_MOST = 4  # choices in a sentence
_UNTOLD = N_(
    "How this file is read follows from its rows where nobody tells it, and one row could change "
    "what leaves: {choices}. Tell it where the table is opened, if you know it from outside."
)
_UNTOLD_BESIDE = N_(
    "How the table beside is read follows from its rows where nobody tells it, and one row could "
    "change what leaves: {choices}. Tell it where it is opened, if you know it from outside."
)


Foreseen = tuple[tuple[Sequence[Any], Guarantee], ...]  # what will be drawn, each with its promise


@dataclass(frozen=True, eq=False)
class Left:
    """What leaves: the lab, what it found of the stand-in `data`, and what is to be `told` to who
    lets it leave, which is in no file."""

    lab: Lab
    findings: Findings
    data: StandIn
    told: tuple[Message, ...]


def leave(
    lab: Lab, table: Dataset, ledger: Ledger, effort: Effort = SCREEN, wanted: str = ""
) -> Left:
    """The lab without the exact answer; `wanted` is the key of the one chart or table that is to
    leave. Raises StaysError, and SessionError of the ledger.

    It is first told of two stand-ins with nothing in common but what is public, and of draws from
    one of them: where the findings differ, something in them would come from the rows. Only then is
    anything drawn of the table.
    """
    hidden, data, rows, least, foreseen = may_leave(lab, table, effort, wanted)
    # A stand-in of its own: what was remembered of the trial is not to be found again.
    public = StandIn(data, rows, least=least)
    draws = ledger.draws_of(data, _export(hidden, foreseen))
    found = _found(hidden, public, draws, effort)
    if reads_table(hidden):
        found = drawn_exactly(found)
    told = (*draws.told, *(taken_as_public(hidden, data) if reads_table(hidden) else ()))
    return Left(hidden, without_question(found), public, told)


def may_leave(
    lab: Lab, table: Dataset, effort: Effort = SCREEN, wanted: str = "", *, read: bool = False
) -> tuple[Lab, ExactSums, int | None, int, Foreseen]:
    """What is asked before anything is drawn: the lab without the exact answer, the table that it
    draws of, the rows of a stand-in, and what will be drawn. With `read`, how the table is read is
    asked elsewhere. Raises StaysError."""
    hidden, data = _as_told(lab, table, read=read)
    if TRUTH not in domains(type(lab)) and reads_table(lab):
        text = N_("Nothing here is drawn with noise: choose another page, or save it as it is.")
        raise StaysError(say(text))
    rows, least = data.rows if _public_rows(hidden, data) else None, _row(hidden)
    # Not of the table: that a row is there, or meets a condition, would be an answer too.
    _stop(hidden, StandIn(data, rows, least=least))
    foreseen: Foreseen = ()
    if reads_table(hidden):
        first, second = (StandIn(data, rows, which, least) for which in (0, 1))
        trial = _Tried(first)
        tried = _check(hidden, trial, second, effort, data)
        foreseen = trial.foreseen
        if wanted and wanted not in _keys(tried):
            raise StaysError(say(_ONLY_EXACT))
    return hidden, data, rows, least, foreseen


def _export(lab: Lab, foreseen: Foreseen) -> Export:
    # Reports of which each hides what one person sends promise it where another one sends them.
    known = REPLACE if hasattr(lab, "protocol") else ""
    return Export(render(Message(lab.label)), getattr(lab, NEIGHBOURS, known), foreseen)


def _as_told(lab: Lab, table: Dataset, *, read: bool = False) -> tuple[Lab, ExactSums]:
    """The lab without the exact answer, and the table that it draws of, read as is told. Raises
    StaysError."""
    if table.asked is not None and reads_table(lab):
        raise StaysError(say(_ELSEWHERE))
    if reads_table(lab):
        for error in () if read else read_by_rows(table):
            raise error
        if (why := proposed_by_rows(lab)) is not None:
            raise StaysError(why)
    hidden = lab.with_(**{TRUTH: False}) if TRUTH in domains(type(lab)) else lab
    room = lab.page().room
    if room is not None and room.reported(lab):
        raise StaysError(say(_NOISY))
    used = so_many_persons(hidden.reads(persons_named(table)))
    data = ExactSums(used, asked_types(hidden), compared_types(hidden))
    _ask_types(hidden, data)
    return hidden, data


_ELSEWHERE = N_(
    "Of a table in a database a plan leaves alone, without the exact answer: put the question into "
    "one on the page Plan, and release it on the page Release."
)


def read_by_rows(table: Dataset) -> Iterator[StaysError]:
    """Why nothing leaves as long as rows decide how it is read: each is to be told by itself."""
    if table.spelling.found:
        yield UntoldError(table.spelling.found)
    if columns := table.codebook.merged:
        text = N_(
            "The spellings of {columns} are merged for looking: which are of one word was seen in "
            "rows, and nobody attests it. Read them apart, as they stand in the file."
        )
        names = enumerated(plain(f"“{column}”") for column in columns)
        yield MergedError(say(text, columns=names), columns)


@dataclass(frozen=True, eq=False)
class LeftModel:
    """A model that leaves, and what is `told` to who lets it leave, which is in no file."""

    model: ReleasedModel
    told: tuple[Message, ...]


def leave_model(lab: Lab, table: Dataset, ledger: Ledger) -> LeftModel:
    """The model of a lab, drawn once and written down in the ledger; as in `leave` it is first told
    of two stand-ins, and all that is known of the table is drawn. Raises StaysError, and
    SessionError of the ledger."""
    tried = tried_model(lab, table)
    public = StandIn(tried.data, tried.rows)
    draws = ledger.draws_of(tried.data, _export(tried.lab, tried.foreseen))
    made = _model(tried.lab, public, draws)
    return LeftModel(made, (*draws.told, *taken_as_public(tried.lab, tried.data)))


@dataclass(frozen=True, eq=False)
class TriedModel:
    """A `model` of a stand-in, of which nothing is true but what it is made of and costs; the lab,
    and the table that the real one is drawn of, whose stand-ins have so many rows."""

    model: ReleasedModel
    lab: Lab
    data: ExactSums
    rows: int | None
    foreseen: Foreseen


def tried_model(lab: Lab, table: Dataset, *, read: bool = False) -> TriedModel:
    """What is asked before a model is drawn; with `read`, but how the table is read. Raises
    StaysError."""
    if lab.page().releases is None:
        raise StaysError(say("This page makes no model that could leave."))
    hidden, data = _as_told(lab, table, read=read)
    rows = data.rows if _public_rows(hidden, data) else None
    first, second = (StandIn(data, rows, which) for which in (0, 1))
    tried = _Tried(first)
    made, other = (_model(hidden, each, tried) for each in (first, second))
    _stop(hidden, first)
    if _model_text(made) != _model_text(other):
        raise StaysError(_FROM_DATA)
    return TriedModel(made, hidden, data, rows, tried.foreseen)


def _model(lab: Lab, data: StandIn, draws: Draws) -> ReleasedModel:
    releases = lab.page().releases
    assert releases is not None
    try:
        return releases(lab, Context(data, leaving=draws))
    except UnattestedError as error:
        raise ColumnsStayError(error.sentence, error.columns) from None
    except (NotDrawnError, ParamError) as error:
        raise StaysError(error.sentence) from None


def _model_text(model: ReleasedModel) -> str:
    return json.dumps([model.values, [render(line) for line in model.statement]], sort_keys=True)


def _ask_types(lab: Lab, data: ExactSums) -> None:
    """Raise StaysError where a column that is read as words has ends that are attested: whether
    they are numbers or dates would be what its rows say."""
    asked, names = asked_types(lab), named_columns(lab)
    for name, kind in data.spelling.types:
        about = data.about(name)
        bounded = about.attested and (about.low, about.high) != (None, None)
        if (
            kind in ("", "category")
            and bounded
            and not (about.type or name in asked)
            and name in names
        ):
            text = N_(
                "“{column}” is read as words and has bounds: say whether it holds whole numbers, "
                "numbers or dates (type=integer, type=number, type=date)."
            )
            raise StaysError(say(text, column=name))


def _stop(lab: Lab, data: StandIn) -> None:
    """Raise StaysError where the lab cannot be answered of any table of these columns."""
    stopped = next((p for p in lab.problems(data) if p.stops), None)
    if stopped is None:
        return
    if stopped.field == "mechanism" and any(c.type == "number" for c in data.columns):
        raise StaysError(say(_WHOLE, why=stopped.say))
    raise StaysError(stopped.say)


_WHOLE = N_(
    "{why} For what leaves, a column is one of integers only where you say so on the page of the "
    "table: one value could change it."
)


def _row(kind: Parameters) -> int:
    """The row that is asked about, counted from 1; 1 where none is."""
    held = [getattr(kind, name) for name in domains(type(kind))]
    return max(
        [getattr(kind, ROW, 1), *(_row(each) for each in held if isinstance(each, Parameters))]
    )


_NOISY = N_(
    "These reports hold the noise of who sent them: what is on the screen may leave as it is."
)
_ONLY_EXACT = N_("This chart shows nothing but the exact answer, so there is none without it.")


def _check(lab: Lab, tried: _Tried, second: StandIn, effort: Effort, data: Dataset) -> Findings:
    """What the lab finds of a stand-in for `data`. Raises StaysError where that tells it from the
    other."""
    first, little = tried.data, min(effort, LITTLE, key=lambda each: each.points)
    found, other = (_found(lab, each, tried, little) for each in (first, second))
    if _text(found) != _text(other):
        raise StaysError(not_public(data) or _FROM_DATA if _replaced(lab) else _FROM_DATA)
    return found


def _keys(findings: Findings) -> list[str]:
    """Of what can leave by itself."""
    return [*(each.key for each in findings.figures), *(each.key for each in findings.tables)]


class _Tried:
    """Draws of a stand-in, to see what would be made of those of the table."""

    def __init__(self, data: StandIn):
        self.data, self._drawn = data, dict[str, Any]()
        self._asked = dict[str, tuple[Sequence[Any], Guarantee]]()

    @property
    def foreseen(self) -> Foreseen:
        """What was drawn, each with its promise."""
        return tuple(self._asked.values())

    def draw(
        self,
        asked: Sequence[Any],
        promise: Guarantee,
        make: Callable[[Dataset, ReleaseRandom], Any],
    ) -> Any:
        refuse_broken(promise)
        name = json.dumps(asked)
        if name not in self._drawn:
            self._drawn[name] = make(self.data, ReleaseRandom(secrets.randbelow))
            self._asked[name] = (asked, promise)
        return self._drawn[name]


_FROM_DATA = say(
    "Something here would come from the data, such as bounds or categories. Type those that you "
    "know from outside the data, and say so."
)


def _public_rows(lab: Lab, data: Dataset) -> bool:
    """Whether neighbours have as many rows: where each is one person, and one is replaced, or sends
    another report."""
    return _replaced(lab) and not_public(data) is None


def _replaced(lab: Lab) -> bool:
    return bool(getattr(lab, NEIGHBOURS, REPLACE if hasattr(lab, "protocol") else "") == REPLACE)


def _found(lab: Lab, data: StandIn, draws: Draws, effort: Effort) -> Findings:
    """What the lab finds of a stand-in. Raises StaysError."""
    try:
        found = lab.last(Context(data, effort=effort, leaving=draws))
    except (NotDrawnError, ParamError) as error:
        raise StaysError(error.sentence) from None
    except (IndexError, ValueError):  # what was drawn does not fit another table's words
        raise StaysError(_FROM_DATA) from None
    for problem in found.problems:
        if problem.stops:
            raise StaysError(problem.say)
        if problem.field.endswith("attested"):
            text = N_(
                "{why} So it stays here: say that it is known from outside the data, where it is."
            )
            raise ColumnsStayError(say(text, why=problem.say), problem.columns)
    return found


def _text(findings: Findings) -> str:
    return json.dumps(findings_json(findings), sort_keys=True)
