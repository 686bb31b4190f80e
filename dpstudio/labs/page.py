"""What a lab is, and how every lab runs: a lab's parameters are a frozen value, its page declares
what is made of them, and this module makes it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any, ClassVar, Generic, Self, TypeVar

from dpstudio.charts.figure import Array, Figure, array
from dpstudio.charts.hushed import hushed
from dpstudio.charts.inks import told_apart
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import SECOND, Cancelled, Context, Stopped, never
from dpstudio.labs.findings import Compared, Fact, Findings, Sentence, Table, table_beside
from dpstudio.labs.fixes import mend_of
from dpstudio.labs.outcome import Outcome, ReleasedModel
from dpstudio.labs.person_question import who_is_a_person
from dpstudio.labs.question import reads_table
from dpstudio.labs.role_columns import own
from dpstudio.labs.room_protocol import Asks
from dpstudio.labs.row_sample import sampled
from dpstudio.labs.spelled_twice import counted_apart
from dpstudio.labs.supposed import said_once
from dpstudio.values.messages import Message
from dpstudio.values.parameters import Parameters
from dpstudio.values.problem import Problem

Refused = Mapping[str, Mapping[str, Message]]


@dataclass(frozen=True)
class Group:
    """Pages that answer one question: what they are called together, that question, and the strokes
    of their glyph in a box of 20 by 20, as a path of SVG says them (M, L, C and Z)."""

    label: str
    asks: str
    glyph: str


@dataclass(frozen=True)
class About:
    """What the catalogue says of a lab before its code is loaded: its key, and what people read of
    it: `asks` is the question that its page answers, in a line; `useful` says in another to whom it
    is useful, and after a colon what to do there first; `question` is the group that it stands in
    on the screen, there among those that `more` folds open, the same for everybody; `part` is what
    its neighbours in the group share that others there have not. One with `rooms` can ask a room of
    people; its page says what."""

    key: str
    label: str
    asks: str
    help: str
    question: str
    useful: str = ""
    part: str = ""
    more: bool = False
    rooms: bool = False

    @property
    def folder(self) -> str:
        """Where its code is below labs/: `GROUP.NAME`."""
        return f"{self.question}.{self.key}"

    @property
    def kind(self) -> type[Lab]:
        """The lab itself; imports its parameters, and what these need."""
        held = vars(import_module(f"dpstudio.labs.{self.folder}.parameters")).values()
        labs = (one for one in held if isinstance(one, type) and issubclass(one, Lab))
        return next(lab for lab in labs if lab.key == self.key)


def about(folder: str) -> About:
    """What the lab in a folder below labs/ says of itself; its `__init__` alone is imported."""
    found: About = import_module(f"dpstudio.labs.{folder}").ABOUT
    return found


class Lab(Parameters):
    """Base of every lab: parameters, and nothing else. What is made of them is declared in the
    `page` beside the `parameters`."""

    help: ClassVar[str] = ""
    # Whether its ε belongs to a demonstration, and is neither taken from the labs that were open
    # before nor given to others.
    own_budget: ClassVar[bool] = False
    # Whether it counts the rows of a person, though it asks about no column.
    counts_persons: ClassVar[bool] = False

    def __init_subclass__(cls, about: About | None = None, **more: Any) -> None:
        super().__init_subclass__(**more)
        if about is not None:
            cls.key, cls.label, cls.help = about.key, about.label, about.help

    @property
    def method(self) -> Parameters | str:
        """What is named beside that by which the lab is turned when it is presented: a
        `Parameters`, or in words; empty where it is what holds its ε, or where several are
        compared."""
        return ""

    @classmethod
    def beside(cls, module: str) -> Any:
        """A module of the lab's folder, imported when it is asked for: "page" or "panel"."""
        return import_module(f"{cls.__module__.rpartition('.')[0]}.{module}")

    @classmethod
    def page(cls) -> Page[Any, Any]:
        """What the lab's page declares."""
        page: Page[Any, Any] = cls.beside("page").PAGE
        return page

    def problems(self, data: Dataset) -> Iterator[Problem]:
        """Everything that stops or qualifies this state on this table, each at its field; pure and
        quick."""
        yield from self.page().problems(self, self.reads(data))

    def refused(self, data: Dataset) -> Refused:
        """Choices that cannot work, by field and option, each with the reason."""
        return self.page().refused(self, self.reads(data))

    def suited(self, data: Dataset) -> Self:
        """This lab, or the nearest one that this table can answer: used when a table is opened or
        the question changes. Where there is none, one that is refused in words of this table."""
        page, read = self.page(), self.reads(data)
        made: Self = page.suited(self, read)
        return own(made, read) if any(p.stops for p in page.problems(made, read)) else made

    def retold(self, before: Dataset, after: Dataset) -> Self:
        """This lab after another thing was told of who a person of the table is."""
        page = self.page()
        made: Self = page.retold(self, self.reads(before), self.reads(after))
        return made

    def reads(self, data: Dataset) -> Dataset:
        """The rows of a table that this lab asks."""
        return self.page().rows_read(data)

    def counted(self, data: Dataset) -> int:
        """How many rows what is said beside a setting may speak of: 0 where it must read none."""
        return data.rows

    def taking(self, other: Lab) -> Self | None:
        """This lab with what it can take from the state of another, or None where there is nothing
        to take."""
        made: Self | None = self.page().taking(self, other)
        return made

    def run(self, given: Context | Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:
        """Yield findings, the first quickly, later ones more exact. Where problems stop the lab,
        one with only those. A table alone is a context with all else as it starts."""
        context = given if isinstance(given, Context) else Context(given, cancelled=cancelled)
        yield from run(self.page(), self, context)

    def last(self, context: Context) -> Findings:
        """The last findings of `run`; those before them are never said or drawn. For who cannot
        cancel."""
        *_, found = run(self.page(), self, context, last=True)
        return found

    def frame(self, findings: Findings, index: int) -> Findings:
        """The findings with simulated answer number `index` (modulo how many there are) in its
        pictures and facts."""
        return self.page().framed(self, findings, index)


L = TypeVar("L", bound=Lab)
M = TypeVar("M")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one state. `replays` are simulated ones (m rows, one column a coordinate) to
    be shown one by one, `truth` the exact one; `part` is the coordinate that is looked at, and
    `labels` name the coordinates. `spans` are the ends of the interval that goes with each of them,
    shape (m, 2, coordinates)."""

    replays: Array = field(default_factory=lambda: array([]))
    truth: Array | None = None
    part: int = 0
    labels: tuple[str, ...] = ()
    spans: Array = field(default_factory=lambda: array([]))


def nothing(model: Any) -> tuple[Any, ...]:
    """What a page shows where it declares nothing."""
    return ()


def compares_nothing(model: Any) -> Mapping[str, Compared]:
    """The numbers of a lab whose lists of choices have none."""
    return {}


@dataclass(frozen=True)
class Part(Generic[M]):
    """What of a page is there together, for the models of which `when` holds: its charts, each made
    by a function of its own (which may give several, or None where there is none), and what is
    said with them. A part `about` something of the model is there where that is not None, and its
    functions take it after the model."""

    charts: tuple[Callable[..., Figure | Iterable[Figure] | None], ...] = ()
    facts: Callable[..., Iterable[Fact]] = nothing
    sentences: Callable[..., Iterable[Sentence]] = nothing
    tables: Callable[..., Table | Iterable[Table]] = nothing
    when: Callable[[M], Any] = lambda model: True
    about: Callable[[M], Any] | None = None

    def made(self, name: str, model: M) -> Iterator[Any]:
        """What its functions of that name make of a model."""
        given = (model,) if self.about is None else (model, self.about(model))
        if None in given[1:] or not self.when(model):
            return
        for make in self.charts if name == "charts" else (getattr(self, name),):
            made = nothing(model) if make is nothing else make(*given)
            yield from () if made is None else (made,) if isinstance(made, Figure | Table) else made


def of_parts(parts: Iterable[Part[M]], name: str, model: M) -> Iterator[Any]:
    """What the parts of a page make under one of their names, in the order in which they stand."""
    return (one for part in parts for one in part.made(name, model))


@dataclass(frozen=True)
class Page(Generic[L, M]):
    """What is made of a lab, declared. `stages` yields models, the first within a frame, each later
    one more exact; all else is what a model says.

    Charts are made one by one, the first before what only the others need: under a hand it is shown
    before they are made. Charts, facts, sentences and tables come from its `parts`, one after the
    other; a page without conditions gives them itself instead. A figure that names no `source` has
    that of the page.
    `headline` gives the keys of the sentences that stand above the charts; those that are not said
    are left out. `leads` gives the keys of the facts that are read first, which say something else
    than the first of these sentences. At most `beside` small charts stand with the first one.
    `compared` gives, by field, one number for each choice of a list, all from one function of the
    model; none where they would take a training each.
    `frame` puts one simulated answer into pictures and words, `hero_frame` into the first picture
    alone, which comes ahead of all else under a hand: None where that takes more than the picture.
    Where even the first of the `stages` takes longer than a hand waits, that picture is of a
    `glance`, a coarse model of which nothing else is shown; None where the stages are as quick.
    Where the lab hides the exact answer,
    `truth` and exact outcomes are dropped here, whatever the page gives. All of it is given the
    rows that the lab `reads`; one that is `row_by_row` reads a sample of a table that stays
    elsewhere. Its question, as a plan takes it over, is `planned`. Whether it reads the table
    beside the first as well, `second` of the context, or why it cannot, is said by `second`; no
    other lab is given it, and `within` gives the problems that stop it with that table
    or without. Where a model `awaits` a better one, what it `refines`, by the keys of facts,
    sentences and figures, is coarse until then, and marked so; `refines` may say it of each model.
    Where it makes tables for others, `publishes` says before one is made why it does not leave, by
    its choices and what columns hold alone, or that nothing stands in the way; `publishes_drawn`
    where they are drawn under a promise, and so leave without the exact answer. Where its model may
    leave, `releases` draws it once, of a context that is leaving.
    """

    stages: Callable[[L, Context], Iterator[M]]
    charts: Callable[[M], Iterator[Figure]] = lambda model: iter(())
    facts: Callable[[M], Iterable[Fact]] = nothing
    sentences: Callable[[M], Iterable[Sentence]] = nothing
    tables: Callable[[M], Iterable[Table]] = nothing
    parts: tuple[Part[M], ...] = ()
    source: Callable[[M], str] = lambda model: ""
    headline: Callable[[M], Iterable[str]] = nothing
    leads: tuple[str, ...] = ()
    beside: int = 3
    advice: Callable[[M], Iterable[Problem]] = nothing
    answers: Callable[[M], Answers] = lambda model: Answers()
    outcomes: Callable[[M], Iterable[Outcome]] = nothing
    problems: Callable[[L, Dataset], Iterable[Problem]] = lambda lab, data: ()
    within: Callable[[L, Context], Iterable[Problem]] = lambda lab, context: ()
    refused: Callable[[L, Dataset], Refused] = lambda lab, data: {}
    compared: Callable[[M], Mapping[str, Compared]] = compares_nothing
    suited: Callable[[L, Dataset], L] = lambda lab, data: lab
    retold: Callable[[L, Dataset, Dataset], L] = lambda lab, before, after: lab
    reads: Callable[[Dataset], Dataset] = lambda data: data
    row_by_row: bool = False
    second: Callable[[L, Dataset, Dataset], Message | bool] | None = None
    taking: Callable[[L, Lab], L | None] = lambda lab, other: None
    planned: Callable[[L], Parameters | None] = lambda lab: None
    frame: Callable[[L, Findings, int], Findings] | None = None
    hero_frame: Callable[[M, Findings, int], Findings] | None = None
    glance: Callable[[L, Context], M | None] = lambda lab, context: None
    awaits: Callable[[M], bool] = lambda model: False
    refines: tuple[str, ...] | Callable[[M], tuple[str, ...]] = ()
    room: Asks[L] | None = None
    publishes: Callable[[L, Dataset], Message | None] | None = None
    publishes_drawn: bool = False
    releases: Callable[[L, Context], ReleasedModel] | None = None

    def __post_init__(self) -> None:
        for name in ("charts", "facts", "sentences", "tables") if self.parts else ():
            object.__setattr__(self, name, partial(of_parts, self.parts, name))

    def rows_read(self, data: Dataset) -> Dataset:
        """The rows of a table that the lab asks: one that reads row by row has a sample of a table
        that stays elsewhere."""
        return self.reads(data.drawn if self.row_by_row else data)

    def framed(self, lab: L, findings: Findings, index: int) -> Findings:
        """`frame`, where there are simulated answers and pictures to put them into."""
        if self.frame is None or not len(findings.replays) or not findings.figures:
            return findings
        return self.frame(lab, findings, index)


def run(page: Page[L, M], lab: L, context: Context, *, last: bool = False) -> Iterator[Findings]:
    """The findings of a lab, stage by stage or of the last alone; only its problems where one of
    them stops it."""
    data = page.rows_read(context.data)
    asked = lab.counts_persons or reads_table(lab)
    said = *(who_is_a_person(data) if asked else ()), *sampled(data), *counted_apart(lab, data)
    problems = (*page.problems(lab, data), *said)
    context = context if data is context.data else replace(context, data=data)
    first = next((problem for problem in problems if problem.stops), None)
    if first is not None:
        known = replace(first, mend=mend_of(lab, data, first, page))
        told = (known if problem is first else problem for problem in problems)
        yield Findings(problems=tuple(told), refused=page.refused(lab, data))
        return
    try:
        context.check()
        context, unread = _beside(page, lab, context)
        stops = tuple(page.within(lab, context))
        if stops:
            said = (*problems, *unread, *stops)
            yield Findings(problems=said, refused=page.refused(lab, data))
            return
        models = page.stages(lab, context)
        ahead, refused = context.hero_first, None
        if ahead and (glance := page.glance(lab, context)) is not None:
            seen, ahead = next(_figures(page, glance, context)), False
            for found in _ahead(page, glance, seen, context.index):
                yield replace(found, coarse=found.coarse | {seen.key})
        for model in deque(models, maxlen=1) if last else models:
            figures = _figures(page, model, context)
            if ahead and (hero := next(figures, None)) is not None:
                yield from _ahead(page, model, hero, context.index)
                figures = chain((hero,), figures)
            ahead = False
            refused = page.refused(lab, data) if refused is None else refused
            found = _found(page, lab, model, tuple(figures), (*problems, *unread), refused, context)
            yield found if context.second is None else _of_two(found, context.second)
            context.check()
    except Stopped:
        return


def _ahead(page: Page[L, M], model: M, hero: Figure, index: int) -> Iterator[Findings]:
    """The first figure alone, with a simulated answer in it; nothing where that takes more."""
    found = Findings((hero,), ahead=True, coarse=_coarse(page, model))
    if page.frame is not None:
        told = page.answers(model)
        found = replace(found, replays=told.replays, part=told.part, spans=told.spans)
    if not len(found.replays):
        yield found
    elif page.hero_frame is not None:
        yield page.hero_frame(model, found, index)


def _of_two(found: Findings, second: Dataset) -> Findings:
    """The findings with the table beside the first, which each chart and table names where it
    leaves."""
    told = table_beside(second)
    figures = tuple(replace(each, beside=told) for each in found.figures)
    tables = tuple(replace(each, beside=told) for each in found.tables)
    return replace(found, second=second, figures=figures, tables=tables)


def _beside(page: Page[L, M], lab: L, context: Context) -> tuple[Context, tuple[Problem, ...]]:
    """The context with the table beside the first only where the lab can read it, and else why it
    cannot. What hides the exact answer, or leaves without it, never reads it."""
    if context.second is None:
        return context, ()
    hides = context.leaving is not None or not getattr(lab, "show_truth", True)
    reads = None if hides else page.second
    said = False if reads is None else reads(lab, context.data, context.second)
    if said is True:
        return context, ()
    others = {name: held for name, held in context.tables.items() if name != SECOND}
    told = (Problem("data", said, stops=False),) if isinstance(said, Message) else ()
    return replace(context, tables=others), told


def _ranked(facts: tuple[Fact, ...], leads: tuple[str, ...]) -> tuple[Fact, ...]:
    """The facts that lead in the order of `leads`, then all others in their own."""
    first = sorted((f for f in facts if f.key in leads), key=lambda f: leads.index(f.key))
    return *first, *(fact for fact in facts if fact.key not in leads)


def _coarse(page: Page[L, M], model: M) -> frozenset[str]:
    """What a better model will tell otherwise."""
    if callable(page.refines):
        return frozenset(page.refines(model))
    return frozenset(page.refines if page.refines and page.awaits(model) else ())


def _while_wanted(made: Iterable[T], context: Context) -> Iterator[T]:
    """What is made one by one, as long as somebody waits for it."""
    for each in made:
        context.check()
        yield each


def _figures(page: Page[L, M], model: M, context: Context) -> Iterator[Figure]:
    """The charts of one model, each made when it is asked for."""
    source = page.source(model)
    for each in _while_wanted(page.charts(model), context):
        yield hushed(told_apart(said_once(each if each.source else replace(each, source=source))))


def _found(
    page: Page[L, M],
    lab: L,
    model: M,
    figures: tuple[Figure, ...],
    problems: tuple[Problem, ...],
    refused: Refused,
    context: Context,
) -> Findings:
    """What one model says, with the first simulated answer in it."""
    sentences, answers = tuple(_while_wanted(page.sentences(model), context)), page.answers(model)
    shown = getattr(lab, "show_truth", True)
    said = {sentence.key for sentence in sentences}
    given = tuple(_while_wanted(page.facts(model), context))
    facts = _ranked(given, page.leads)
    found = Findings(
        figures,
        facts,
        sentences,
        tuple(page.tables(model)),
        problems + tuple(page.advice(model)),
        answers.replays,
        answers.truth if shown else None,
        answers.part,
        answers.labels,
        refused,
        tuple(key for key in page.headline(model) if key in said),
        tuple(made for made in page.outcomes(model) if shown or not made.exact),
        answers.spans,
        min(3, sum(fact.key in page.leads for fact in facts)) or 3,
        page.beside,
        coarse=_coarse(page, model),
        compared=page.compared(model),
    )
    return page.framed(lab, found, 0)
