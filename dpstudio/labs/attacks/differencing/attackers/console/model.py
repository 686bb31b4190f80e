"""A console on one's own table: what it answers under a rule, and what follows for one row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.codebook import SENSITIVE
from dpstudio.data.column_roles import columns_for
from dpstudio.data.conditions import Test, Where
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import column_of, feature_of, is_number
from dpstudio.data.statements import AVERAGE, COUNT, LARGEST, SUM, Statement, Statements, meets
from dpstudio.labs.attacks.attackers.attacker import AttackedQuestion, Attacker, Replays
from dpstudio.labs.attacks.differencing.attackers.console import rules
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.privacy.attacks.database import AggregateQuestion as Question
from dpstudio.privacy.attacks.database import Learnt, Reply, known_exactly, learnt, replies
from dpstudio.privacy.attacks.denials import Step, audited
from dpstudio.values.fields import choice, integer
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Column, ParamError, Real, param
from dpstudio.values.problem import Problem

_ONE = Where("and", (Test("age", "=", (33.0,)), Test("native-country", "=", ("Taiwan",))))
_HALF, _REST = Test("sex", "=", ("Male",)), Test("sex", "=", ("Female",))


def tracker(one: Where, half: Test, rest: Test) -> tuple[Statement, ...]:
    """A row alone, then by the four sums of a tracker, and other questions."""
    sums = (one, Where("or", (one, half)), Where("or", (one, rest)))
    sets = (*sums, Where("and", (half,)), Where("and", (rest,)))
    more = (Statement(COUNT, one), Statement(AVERAGE, sets[3]), Statement(LARGEST, sets[3]))
    return (*(Statement(SUM, where) for where in sets), *more)


class Console(Attacker):
    """Questions about one's own table."""

    key = "console"
    label = N_("Query console")
    what = say(
        "Type questions about the protected column: COUNT, SUM, AVG or MAX, and WHERE on other "
        "columns. The attacker knows who is in which set, and solves all answers for one row."
    )
    source = (
        "Denning, Denning & Schwartz 1979; Chin & Özsoyoğlu 1982; Kenthapadi, Mishra & Nissim 2005"
    )
    noisy = False
    exact = True
    measures = False

    column: str = param(
        "hours-per-week",
        Column(
            N_("Protected column"), N_("Its numbers are summed."), numeric=True, purpose="sensitive"
        ),
    )
    asks_for: tuple[Statement, ...] = param(
        tracker(_ONE, _HALF, _REST),
        Statements(N_("Questions"), N_("One a line, such as SUM WHERE age > 50.")),
    )
    row_of: int = integer(
        3910, N_("Row"), N_("Whose number is attacked, counted from 1."), low=1, high=10**9
    )
    policy: str = choice(
        "size", N_("Rule"), N_("What the console answers."), options=rules.POLICIES
    )
    least: int = integer(
        5,
        N_("Least rows k"),
        N_("Of fewer nothing is told."),
        low=2,
        high=100_000,
        log=True,
        active_when=("policy", "size", "overlap", "suppression"),
    )
    shared: int = integer(
        1,
        N_("Overlap r"),
        N_("Two sets share at most so many."),
        low=1,
        high=10**6,
        active_when=("policy", "overlap"),
    )
    base: float = param(
        10.0,
        Real(
            N_("Rounded to"),
            N_("Answers, or numbers for ranges, are rounded to multiples of this."),
            low=0.01,
            high=10**6,
            log=True,
        ),
        active_when=("policy", "rounding", "recoding"),
    )

    @property
    def spends(self) -> bool:
        return self.policy in ("output", "data")

    @property
    def own_noise(self) -> bool:
        return self.policy == "data"

    def halts(self, data: Dataset) -> Iterator[Problem]:
        if not data.has(self.column) or not is_number(data, self.column):
            yield Problem("attacker.column", say("Choose a column of numbers."))
        elif data.extent(self.column) is None:
            yield Problem("attacker.column", say("Every value of this column is missing."))
        else:
            yield from self._asked_badly(data)

    def _asked_badly(self, data: Dataset) -> Iterator[Problem]:
        for each in self.asks_for:
            if any(test.column == self.column for test in each.where.tests()):
                text = N_(
                    "“{column}” is protected: a condition on it would hide who is in. Name others."
                )
                yield Problem("attacker.asks_for", say(text, column=self.column))
                return
            try:
                meets(data, each.where)
            except ParamError as error:
                yield Problem("attacker.asks_for", error.sentence)
                return
        if self.row_of > data.rows:
            text = N_("The table has {rows} {rows:row|rows}. Name one of them.")
            yield Problem("attacker.row_of", say(text, rows=Num(data.rows, 12)))

    def suited(self, data: Dataset) -> Console:
        if not list(self.halts(data)) or not data.rows:
            return self
        numbers = [c.name for c in data.columns if c.numeric and is_number(data, c.name)]
        for column in [self.column, *columns_for(data, SENSITIVE, numbers)]:
            row = min(self.row_of, data.rows)
            made = replace(self, column=column, row_of=row)
            made = replace(made, asks_for=_asks(data, column, row - 1))
            if not list(made.halts(data)):
                return made
        return self

    def stages(
        self, asked: AttackedQuestion, looked: Replays, context: Context
    ) -> Iterator[ConsoleModel]:
        yield ConsoleModel(self, asked, looked, context.data)


def _asks(data: Dataset, protected: str, row: int) -> tuple[Statement, ...]:
    """A tracker for a row: tests on other columns until it is alone or four are made, and one half
    of the table."""
    cells = data.cells(row, row + 1)[0]
    tests: tuple[Test, ...] = ()
    halves: list[tuple[float, Test]] = []
    for column, cell in zip(data.columns, cells, strict=True):
        if column.name == protected or column.type not in ("category", "integer"):
            continue
        if column.type == "category" and (many := data.distinct(column.name, 50)):
            word, count = many[0]
            halves.append((abs(count / data.rows - 0.5), Test(column.name, "=", (word,))))
        if cell is None or cell != cell or len(tests) == 4:
            continue
        value = float(cell) if column.type == "integer" else str(cell)
        more = (*tests, Test(column.name, "=", (value,)))
        if not tests or data.count(Where("and", more)) < data.count(Where("and", tests)):
            tests = more if not tests or data.count(Where("and", tests)) > 1 else tests
    if not tests or not halves:
        return (Statement(SUM), Statement(COUNT), Statement(AVERAGE), Statement(LARGEST))
    half = min(halves, key=lambda each: each[0])[1]
    return tracker(Where("and", tests), half, replace(half, operator="!="))


@dataclass(frozen=True, eq=False)
class ConsoleModel:
    """One state of the console on a table."""

    attacker: Console
    asked: AttackedQuestion
    looked: Replays
    data: Dataset


@once
def values(model: ConsoleModel) -> Array:
    """The protected numbers of the rows that have one, (rows,)."""
    column = array(column_of(model.data, feature_of(model.data, model.attacker.column, "column")))
    return array(column[~np.isnan(column)])


@once
def bounds(model: ConsoleModel) -> tuple[float, float]:
    """Between which these lie, as everybody knows."""
    feature = feature_of(model.data, model.attacker.column, "column")
    return feature.low, feature.high


@once
def _place(model: ConsoleModel) -> int | None:
    """Where the attacked row is among those that have a number, None where it has none."""
    column = column_of(model.data, feature_of(model.data, model.attacker.column, "column"))
    row = model.attacker.row_of - 1
    return None if np.isnan(column[row]) else int(np.count_nonzero(~np.isnan(column[:row])))


def truth(model: ConsoleModel) -> float | None:
    """What the attacker wants to know; None where the row has no number."""
    place = _place(model)
    return None if place is None else float(values(model)[place])


@once
def questions(model: ConsoleModel) -> tuple[Question, ...]:
    """What is asked, over the rows that have a number."""
    attacker, data = model.attacker, model.data

    def made() -> tuple[Question, ...]:
        column = column_of(data, feature_of(data, attacker.column, "column"))
        there = ~np.isnan(column)
        return tuple(Question(s.what, meets(data, s.where)[there]) for s in attacker.asks_for)

    return data.remember(("console", attacker.column, attacker.asks_for), made)


@dataclass(frozen=True, eq=False)
class ConsoleOutcome:
    """What the console replied under a rule, what the attacker made of it, and the rows that are
    known exactly."""

    replies: tuple[Reply, ...]
    learnt: Learnt
    exactly: int


def under(model: ConsoleModel, policy: str) -> ConsoleOutcome:
    """All questions under a rule; remembered."""
    attacker = replace(model.attacker, policy=policy, row_of=1)

    def made() -> ConsoleOutcome:
        rng, ends = model.looked.generator(80), bounds(model)
        held = rules.held_by(attacker, values(model), ends, model.asked.mechanism, rng)
        said = rules.answering(attacker, questions(model), ends, model.asked, rng)
        found = replies(questions(model), values(model), held, rules.rule(attacker), said)
        guess = float(values(model).mean())
        answers = [reply.answer for reply in found]
        solved = learnt(questions(model), answers, guess, ends)
        exact = known_exactly(solved, values(model), ends[1] - ends[0])
        return ConsoleOutcome(tuple(found), solved, len(exact))

    noise = (model.asked.mechanism, model.asked.adjacency) if attacker.spends else ()
    return model.data.remember(("console under", attacker, model.looked.seed, noise), made)


def told(model: ConsoleModel) -> ConsoleOutcome:
    """All questions under the rule in use."""
    return under(model, model.attacker.policy)


def taken(model: ConsoleModel, policy: str) -> float | None:
    """What the attacker takes the number of the row for under a rule."""
    place = _place(model)
    return None if place is None else float(under(model, policy).learnt.estimate[place])


def off(model: ConsoleModel, policy: str) -> float | None:
    """How far off that is, in parts of the public range; 0 where it is right."""
    guess, real = taken(model, policy), truth(model)
    if guess is None or real is None:
        return None
    low, high = bounds(model)
    share = abs(guess - real) / (high - low)
    return share if share > 1e-6 else 0.0


def denied(model: ConsoleModel, policy: str) -> float:
    """The share of questions that get no answer under a rule."""
    found = under(model, policy).replies
    return sum(reply.answer is None for reply in found) / len(found)


def wrong(model: ConsoleModel, policy: str) -> float | None:
    """How far off the answers are, half of them at most, in parts of the exact ones; None where
    none was answered."""
    each = [
        abs(reply.answer - reply.exact) / max(abs(reply.exact), 1.0)
        for reply in under(model, policy).replies
        if reply.answer is not None and reply.exact is not None
    ]
    return float(np.median(each)) if each else None


def rare(model: ConsoleModel) -> int:
    """How many rows have a number that fewer than k rows have."""
    _, many = np.unique(values(model), return_counts=True)
    return int(many[many < model.attacker.least].sum())


def trackable(model: ConsoleModel) -> bool:
    """Whether a tracker gets around the least set size for one row: T of k to n − k − 1 others."""
    return 2 * model.attacker.least < len(values(model))


def unseen_of(model: ConsoleModel) -> float:
    """What stands for rare numbers where these are suppressed."""
    return rules.unseen(values(model))


@lru_cache(maxsize=1)
def examples() -> tuple[tuple[Message, Message, tuple[Step, ...]], ...]:
    """What an audit tells by denying: of maxima, and of numbers that are 0 or 1; the question that
    it denies, what holds in all tables that are left, and the steps."""
    largest = audited((2, 3, 5), range(1, 6), [max, lambda w: max(w[:2])])
    bits = audited((1, 1, 0), (0, 1), [lambda w: w[0] + w[1]])
    return (
        (say("largest of A and B; of A, B, C it is 5"), say("C has 5"), tuple(largest)),
        (say("how many of A and B say yes"), say("A and B say the same"), tuple(bits)),
    )
