"""Several counts asked at once as one vector query; how many of them one person can be in is worked
out from the conditions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.conditions import ORDERED, Conditions, Test, Value, Where, as_word, holds
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.queries import query
from dpstudio.values.dates import span_of
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import param
from dpstudio.values.problem import Problem

_PEOPLE = 60_000
_OTHER = "\x00"


def memberships(
    conditions: tuple[Where, ...], types: Mapping[str, str]
) -> frozenset[tuple[int, ...]] | None:
    """Which sets of the conditions one person can meet, as places in the list; None where there are
    too many to try.

    Every column is cut where a condition cuts it, and one value of each piece is tried, missing
    among them. That uses the conditions and the types of the columns (`types`), never the rows.
    """
    asked = {test.column for where in conditions for test in where.tests()}
    return _memberships(conditions, tuple((name, types[name]) for name in sorted(asked)))


@lru_cache(maxsize=64)
def _memberships(
    conditions: tuple[Where, ...], asked: tuple[tuple[str, str], ...]
) -> frozenset[tuple[int, ...]] | None:
    tests, types = dict[str, list[Test]](), dict(asked)
    conditions = tuple(_in_days(where, types) for where in conditions)
    for where in conditions:
        for test in where.tests():
            tests.setdefault(test.column, []).append(test)
    numbers = frozenset(name for name in tests if types[name] != "category")
    values = {name: _samples(found, types[name]) for name, found in tests.items()}
    if math.prod(map(len, values.values())) > _PEOPLE:
        return None
    people = (
        dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())
    )
    return frozenset(
        tuple(i for i, where in enumerate(conditions) if holds(where, person, numbers))
        for person in people
    )


def _in_days(where: Where, types: Mapping[str, str]) -> Where:
    """The same condition with comparisons of dates as comparisons of days since 1970."""
    parts = tuple(
        _in_days(part, types)
        if isinstance(part, Where)
        else _spans(part)
        if types[part.column] == "date"
        else part
        for part in where.parts
    )
    return Where(where.joined, parts)


def _spans(test: Test) -> Test | Where:
    if not test.values:
        return test
    spans = [span_of(as_word(value)) for value in test.values]
    (start, end), sign = spans[0], test.operator
    if sign in ORDERED:
        return Test(
            test.column,
            ">=" if sign in (">", ">=") else "<",
            (start if sign in ("<", ">=") else end,),
        )
    if sign in ("=", "in"):
        inside = (
            Where("and", (Test(test.column, ">=", (a,)), Test(test.column, "<", (b,))))
            for a, b in spans
        )
        return Where("or", tuple(inside))
    outside = (
        Where("or", (Test(test.column, "<", (a,)), Test(test.column, ">=", (b,)))) for a, b in spans
    )
    return Where("and", tuple(outside))


def _samples(tests: list[Test], kind: str) -> list[Value | None]:
    given = [value for test in tests for value in test.values]
    if kind == "category":
        return [*dict.fromkeys(map(as_word, given)), _OTHER, None]
    cuts = sorted({cut for cut in map(float, given) if not math.isnan(cut)})
    if kind == "integer":
        near = {float(math.floor(c)) for c in cuts if math.isfinite(c)} | {0.0}
        past = {max(c + 1, math.nextafter(c, math.inf)) for c in near} | {
            min(c - 1, math.nextafter(c, -math.inf)) for c in near
        }
        return [*sorted(near | past), None]
    # Beyond the outermost cuts, also where these are the largest floats there are; a column of
    # numbers may hold ±∞.
    ends = [-math.inf, -1.7e308, *cuts, 1.7e308, math.inf]
    between = [
        a / 2 + b / 2
        for a, b in itertools.pairwise(sorted(ends))
        if math.isfinite(a) and math.isfinite(b)
    ]
    return [*sorted({*ends, *between}), None]


def overlap_moves(
    sets: frozenset[tuple[int, ...]] | None, count: int, adjacency: str
) -> tuple[query.Move, ...]:
    """The largest moves of the vector of counts: every set that is not inside another; under
    replace one also from set to set."""
    if sets is None:
        every = tuple((i, 1.0) for i in range(count))
        return (
            query.Move(
                say(
                    "a person who meets all {k} {k:condition|conditions}, if there can be one",
                    k=count,
                ),
                (every,),
                reached=False,
            ),
        )
    if adjacency == query.ADD_REMOVE:
        best = max(sets, key=len)
        return (
            query.Move(
                say("a person who meets {k} of the conditions is added or removed", k=len(best)),
                (_ones(best, 1.0),),
            ),
        )
    a, b = _farthest(sorted(sets), count)
    gone, come = tuple(sorted(set(a) - set(b))), tuple(sorted(set(b) - set(a)))
    text = N_(
        "a person who meets {a} of the conditions is replaced by one who meets {b} {b:other|others}"
    )
    if not gone or not come:
        text = N_(
            "a person who meets none of the conditions is replaced by one who meets {b} of them"
        )
        gone, come = (), come or gone
    return (
        query.Move(say(text, a=len(gone), b=len(come)), ((*_ones(gone, -1.0), *_ones(come, 1.0)),)),
    )


def _farthest(sets: list[tuple[int, ...]], count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The two sets that differ in the most conditions: |a| + |b| − 2|a ∩ b|, for all pairs at
    once."""
    member = np.zeros((len(sets), count), dtype=np.float32)
    for i, held in enumerate(sets):
        member[i, list(held)] = 1
    sizes = member.sum(axis=1)
    best, pair = -1.0, (0, 0)
    for start in range(
        0, len(sets), 1024
    ):  # a block at a time: thousands of sets are millions of pairs
        apart = (
            sizes[start : start + 1024, None] + sizes - 2 * member[start : start + 1024] @ member.T
        )
        place = int(apart.argmax())
        if float(apart.flat[place]) > best:
            best, pair = float(apart.flat[place]), (start + place // len(sets), place % len(sets))
    return sets[pair[0]], sets[pair[1]]


def _ones(places: tuple[int, ...], by: float) -> tuple[tuple[int, float], ...]:
    return tuple((place, by) for place in places)


SEVERAL = Conditions(N_("Conditions"), N_("One count for each, separated by |."))
ASKED = (
    Where("and", (Test("age", ">", (50.0,)),)),
    Where("and", (Test("sex", "=", ("Male",)),)),
    Where("and", (Test("education-num", ">=", (13.0,)),)),
    Where("and", (Test("income", "=", (">50K",)),)),
)


def together(conditions: tuple[Where, ...], where: Where) -> tuple[Where, ...]:
    """Each of the conditions among the rows that meet `where`."""
    return tuple(Where("and", (where, each)) if where else each for each in conditions)


def several_problems(conditions: tuple[Where, ...], data: Dataset) -> Iterator[Problem]:
    """Why a table cannot answer one of the conditions: the first of them."""
    for condition in conditions:
        for problem in query.condition_problems(condition, data):
            yield Problem("query.conditions", problem.say)
            return


class Counts(query.Query):
    """k counts at once. Overlapping conditions: L1 = k, L2 = √k; conditions that exclude each
    other: L1 = L2 = 1; else between."""

    key = "counts"
    label = N_("Several counts")
    asks = N_("How many rows have each of")
    asked = N_("How many rows meet each of {conditions} {conditions:condition|conditions}")

    conditions: tuple[Where, ...] = param(ASKED, SEVERAL)

    def named(self) -> Mapping[str, Num]:
        return {"conditions": Num(len(self.conditions))}

    def sampling_variance(self, data: Dataset, truth: Array, part: int) -> float | None:
        return query.varied_count(float(truth[part]), data.rows)

    def measure_rows(self, data: Dataset, adjacency: str) -> query.MeasuredQuestion:
        wheres = together(self.conditions, self.where)
        truth = array([data.count(where) for where in wheres])
        types = {column.name: column.type for column in data.columns}

        def found() -> tuple[query.Move, ...]:
            sets = memberships(wheres, types)
            # A person who may have any number of rows may have none, and so meet nothing, whatever
            # the conditions are.
            return overlap_moves(
                sets | {()} if sets is not None and data.person else sets, len(wheres), adjacency
            )

        moves = data.remember(("overlap", wheres, adjacency), found)
        most = len(moves[0].shifts[0])
        if (
            most == 0
        ):  # no one can meet any of them, so nothing moves; a count is still asked for with noise
            moves = (
                query.Move(
                    say("no person can meet any of the conditions"), (((0, 1.0),),), reached=False
                ),
            )
            most = 1
        text = (
            N_(
                "One person changes at most {m} of the {k} {k:count|counts}, by 1 each: L1 = {m}, "
                "L2 = {l2}."
            )
            if adjacency == query.ADD_REMOVE
            else N_(
                "One person replaced changes at most {m} of the {k} {k:count|counts}, by 1 each: "
                "L1 = {m}, L2 = {l2}."
            )
        )
        why = say(text, m=most, k=len(wheres), l2=Num(math.sqrt(most), 4, "up"))
        part = query.Measurement(
            N_("counts"), truth, query.sensitivity_of(moves, 0, len(wheres), why), whole=True
        )
        labels = tuple(str(condition) for condition in self.conditions)
        return query.MeasuredQuestion(
            truth,
            labels,
            say("rows that meet it"),
            (part,),
            moves=moves,
            across=say("condition"),
            extent=query.COUNTED,
        )

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from super().problems(data, adjacency)
        yield from several_problems(self.conditions, data)
