"""The attacker who knows a few columns of some rows of one's own table, not all of them rightly,
and looks for these rows in the table without names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.codebook import QUASI
from dpstudio.data.column_roles import columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attackers.attacker import AttackedQuestion, Attacker, Replays
from dpstudio.labs.attacks.linkage.attackers.linkage.model import LinkedShares
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.privacy.anonymity.classes import Codes, grouped
from dpstudio.privacy.attacks.guessing import measured
from dpstudio.privacy.attacks.linked import by_words, eccentricity, joined
from dpstudio.values.fields import real
from dpstudio.values.lists import WordLines, Words
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param
from dpstudio.values.problem import Problem

T = TypeVar("T")
TRIED, FEW, _LEAST, _LARGE = 100, 20, 10, 200_000


class Joining(Attacker):
    """Rows of one's own table, by columns that somebody else's table has too."""

    key = "joining"
    label = N_("This table")
    what = say(
        "A table with names has some columns of this one, for some of its rows, and not all values "
        "rightly. A join asks for all of them; a scoreboard takes the row that fits best, rare "
        "values most. That table is the one that is open beside this one, else drawn from this one."
    )
    source = "Sweeney 2002; Narayanan & Shmatikov 2008"
    noisy = False
    exact = True

    columns: tuple[str, ...] = param(
        ("age", "native-country", "occupation", "education", "marital-status", "race", "sex"),
        WordLines(
            N_("Columns known"), N_("Those that both tables have, in this order."), purpose="quasi"
        ),
    )
    false: float = real(
        0.1,
        N_("False values"),
        N_("So many of the known values are those of somebody else, where they are drawn."),
        low=0.0,
        high=1.0,
        percent=True,
    )
    sure: float = real(
        0.5,
        N_("Sure above"),
        N_("How far the best row must be above the second, in standard deviations."),
        low=0.0,
        high=10.0,
    )

    who: tuple[str, ...] = param(
        (),
        Words(
            N_("Who is who"),
            N_("Columns of both tables that tell a person, so that it is seen who is found."),
            empty=N_("nobody knows"),
            purpose="identifier",
        ),
    )

    def halts(self, data: Dataset) -> Iterator[Problem]:
        if not self.columns:
            yield Problem("attacker.columns", say("Name at least one column."))
        for name in self.columns:
            if not data.has(name) or data.info(name).type == "other":
                text = N_("This table has no column “{column}”. Name others.")
                yield Problem("attacker.columns", say(text, column=name))
                return
        if data.rows < _LEAST:
            text = N_("The table has {rows} {rows:row|rows}; too few to look for one of them.")
            yield Problem("attacker", say(text, rows=Num(data.rows)))

    def suited(self, data: Dataset) -> Joining:
        names = tuple(c.name for c in data.columns if c.type in ("category", "integer"))
        if names and any(not data.has(name) for name in self.columns):
            return replace(self, columns=tuple(columns_for(data, QUASI, names)[:7]))
        return self

    def beside_it(self, data: Dataset, second: Dataset) -> Message | bool:
        if not second.rows:
            return say("The table beside this one has no rows, so nobody of it is looked for.")
        for name in (*self.columns, *self.who):
            if not (data.has(name) and second.has(name)):
                text = N_("Not both tables have a column “{column}”, so the second is not read.")
                return say(text, column=name)
            if _kind(data, name) != _kind(second, name):
                text = N_("“{column}” holds other values in the second table: it is not read.")
                return say(text, column=name)
        return True

    def stages(
        self, asked: AttackedQuestion, looked: Replays, context: Context
    ) -> Iterator[JoiningModel]:
        yield JoiningModel(self, looked, context.data, context.check, context.second)


def _kind(data: Dataset, name: str) -> str:
    kind = data.info(name).type
    return "number" if kind == "integer" else kind


@dataclass(frozen=True, eq=False)
class JoiningModel:
    """One state of the attack on a table; who is looked for is in the `second`, where there is one,
    else in the table itself."""

    attacker: Joining
    looked: Replays
    data: Dataset
    check: Callable[[], None]
    second: Dataset | None = None

    @property
    def named(self) -> Dataset:
        """The table of those who are looked for."""
        return self.data if self.second is None else self.second

    def remember(self, question: Hashable, answer: Callable[[], T]) -> T:
        """As a Dataset remembers, of both tables."""
        return self.named.remember((question, self.data._rows_of), answer)


@once
def _both(model: JoiningModel) -> Codes:
    names = model.attacker.columns
    return model.remember(("joining", names), lambda: _codes(model, names))


def _codes(model: JoiningModel, names: tuple[str, ...]) -> Codes:
    """These columns of the table, and below them of the second one, in the same codes."""
    tables = (model.data,) if model.second is None else (model.data, model.second)
    return np.stack([_coded(tables, name) for name in names], axis=1)


def _coded(tables: tuple[Dataset, ...], name: str) -> Codes:
    if tables[0].info(name).ordered:
        numbers = [np.asarray(data._held.numbers(name), dtype=np.float64) for data in tables]
        _, codes = np.unique(np.concatenate(numbers), return_inverse=True)
        return np.asarray(codes.ravel(), dtype=np.int64)
    held = dict.fromkeys(word for data in tables for word, _ in data.distinct(name, data.rows + 1))
    places = [data._held.places(name, tuple(held)) for data in tables]
    return np.concatenate(places).astype(np.int64)


def table(model: JoiningModel) -> Codes:
    """The columns without names, (rows, columns) of codes; a missing value is one of its own."""
    return _both(model)[: model.data.rows]


def _persons(model: JoiningModel) -> tuple[Codes, Codes] | None:
    """Which person each row is of, of the table and of the one with names; below 0 where that is
    missing, and None where nobody knows."""
    names, rows = model.attacker.who, model.data.rows
    if model.second is None:
        return np.arange(rows), np.arange(rows)
    if not names:
        return None
    of, _ = grouped(_codes(model, names))
    lacking = [
        np.any([each._held.absent(name) for name in names], axis=0)
        for each in (model.data, model.second)
    ]
    return np.where(lacking[0], -1, of[:rows]), np.where(lacking[1], -2, of[rows:])


def told(model: JoiningModel) -> bool:
    """Whether it can be seen who is found rightly."""
    return model.second is None or bool(model.attacker.who)


def tried(model: JoiningModel) -> int:
    """How many rows are looked for: fewer in a large table, of which each is compared."""
    most = TRIED if model.data.rows <= _LARGE else FEW
    return min(model.named.rows, model.looked.effort.of_draws(most, FEW))


@once
def known(model: JoiningModel) -> tuple[np.ndarray, Codes]:
    """Which rows are looked for, (tried,), and what is known of them, (tried, columns)."""
    rng = model.looked.generator(90)
    rows = table(model) if model.second is None else _both(model)[model.data.rows :]
    whom = rng.permutation(len(rows))[: tried(model)]
    if model.second is not None:  # its values are as false as they are
        return whom, rows[whom]
    others = rng.integers(0, len(rows), (len(whom), rows.shape[1]))
    wrong = rng.random(others.shape) < model.attacker.false
    return whom, np.where(wrong, rows[others, np.arange(rows.shape[1])], rows[whom])


@once
def found(model: JoiningModel) -> LinkedShares:
    """By the scoreboard, rightly and wrongly, and by a join that is right; where nobody knows who
    is right, all that are found. Remembered."""
    looked, attacker = model.looked, model.attacker

    def made() -> LinkedShares:
        (whom, said), persons = known(model), _persons(model)
        rows, many = table(model), table(model).shape[1]
        of, true = (None, whom) if persons is None else (persons[0], persons[1][whom])
        counts = np.zeros((3, many))
        for person, values in zip(true.tolist(), said, strict=True):
            model.check()
            for place, scores in enumerate(by_words(values, rows)):
                sure = eccentricity(scores) > attacker.sure
                right = of is None or of[int(scores.argmax())] == person
                counts[0, place] += sure and right
                counts[1, place] += sure and not right
        for place in range(many):
            only = joined(said[:, : place + 1], rows[:, : place + 1]).only
            counts[2, place] = np.count_nonzero((only >= 0) & (of is None or of[only] == true))
        right, wrong, exact = (measured(each, len(whom), looked.confidence) for each in counts)
        return LinkedShares(right, wrong if told(model) else None, exact)

    key = ("joining found", attacker, looked.seed, tried(model), looked.confidence)
    return model.remember(key, made)


def here(model: JoiningModel) -> tuple[float, float | None, float]:
    """The shares found by all columns: rightly, wrongly where that is known, and by a join."""
    each = found(model)
    wrong = None if each.wrong is None else float(each.wrong.share[-1])
    return float(each.right.share[-1]), wrong, float(each.joined.share[-1])


@once
def scores(model: JoiningModel) -> Array:
    """How well each row fits what is known of the first who is looked for, the best first."""
    (*_, last) = by_words(known(model)[1][0], table(model))
    return array(np.sort(last)[::-1])


def clear(model: JoiningModel) -> float:
    """How far the best of them is above the second, in standard deviations."""
    return eccentricity(scores(model))
