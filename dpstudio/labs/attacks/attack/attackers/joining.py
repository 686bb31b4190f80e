"""The attacker who knows a few columns of some rows of one's own table, not all of them rightly,
and looks for these rows in the table without names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attack.attackers.attacker import Asked, Attacker, Looked
from dpstudio.labs.attacks.attack.attackers.linkage import Found
from dpstudio.labs.context import Context
from dpstudio.labs.once import once
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.attacks.guessing import measured
from dpstudio.privacy.attacks.linked import by_words, eccentricity, joined
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Real, param
from dpstudio.values.problem import Problem

TRIED, FEW, _LEAST, _LARGE = 100, 20, 10, 200_000


@dataclass(frozen=True)
class Joining(Attacker):
    """Rows of one's own table, by columns that somebody else's table has too."""

    key: ClassVar[str] = "joining"
    label: ClassVar[str] = N_("Linkage of this table")
    what: ClassVar[Say] = say(
        "A table with names has some columns of this one, for some of its rows, and not all values "
        "rightly. A join asks for all of them; a scoreboard takes the row that fits best, rare "
        "values most. The second table is drawn from this one."
    )
    source: ClassVar[str] = "Sweeney 2002; Narayanan & Shmatikov 2008"
    noisy: ClassVar[bool] = False

    columns: tuple[str, ...] = param(
        ("age", "native-country", "occupation", "education", "marital-status", "race", "sex"),
        WordLines(N_("Columns known"), N_("Those that both tables have, in this order.")),
    )
    false: float = param(
        0.1,
        Real(
            N_("False values"),
            N_("So many of the known values are those of somebody else."),
            low=0.0,
            high=1.0,
            percent=True,
        ),
    )
    sure: float = param(
        0.5,
        Real(
            N_("Sure above"),
            N_("How far the best row must be above the second, in standard deviations."),
            low=0.0,
            high=10.0,
        ),
    )

    def halts(self, data: Dataset, show_truth: bool) -> Iterator[Problem]:
        if not show_truth:
            text = N_("This shows nothing but exact answers. Choose an attack through noise.")
            yield Problem("attacker", say(text))
            return
        if not self.columns:
            yield Problem("attacker.columns", say("Name at least one column."))
        for name in self.columns:
            if not data.has(name) or data.info(name).type == "other":
                text = N_("This table has no column “{column}”. Name others.")
                yield Problem("attacker.columns", say(text, column=name))
                return
        if data.rows < _LEAST:
            text = N_("The table has {rows} rows; too few to look for one of them.")
            yield Problem("attacker", say(text, rows=Num(data.rows)))

    def suited(self, data: Dataset) -> Joining:
        names = tuple(c.name for c in data.columns if c.type in ("category", "integer"))
        if names and any(not data.has(name) for name in self.columns):
            return replace(self, columns=names[:7])
        return self

    def stages(self, asked: Asked, looked: Looked, context: Context) -> Iterator[JoiningModel]:
        yield JoiningModel(self, looked, context.data)


@dataclass(frozen=True, eq=False)
class JoiningModel:
    """One state of the attack on a table."""

    attacker: Joining
    looked: Looked
    data: Dataset


@once
def table(model: JoiningModel) -> Codes:
    """The columns without names, (rows, columns) of codes; a missing value is one of its own."""

    def made() -> Codes:
        return np.stack([_codes(model.data, name) for name in model.attacker.columns], axis=1)

    return model.data.remember(("joining", model.attacker.columns), made)


def _codes(data: Dataset, name: str) -> Codes:
    held, info = data._held, data.info(name)
    if info.ordered:
        _, codes = np.unique(held.numbers(name), return_inverse=True)
        return np.asarray(codes.ravel(), dtype=np.int64)
    words = tuple(word for word, _ in data.distinct(name, data.rows + 1))
    return np.asarray(held.places(name, words), dtype=np.int64)


def tried(model: JoiningModel) -> int:
    """How many rows are looked for: fewer in a large table, of which each is compared."""
    most = TRIED if model.data.rows <= _LARGE else FEW
    return min(model.data.rows, model.looked.effort.of_draws(most, FEW))


@once
def known(model: JoiningModel) -> tuple[np.ndarray, Codes]:
    """Which rows are looked for, (tried,), and what is known of them, (tried, columns)."""
    rng, rows = model.looked.generator(90), table(model)
    whom = rng.permutation(len(rows))[: tried(model)]
    others = rng.integers(0, len(rows), (len(whom), rows.shape[1]))
    wrong = rng.random(others.shape) < model.attacker.false
    return whom, np.where(wrong, rows[others, np.arange(rows.shape[1])], rows[whom])


@once
def found(model: JoiningModel) -> Found:
    """By the scoreboard, rightly and wrongly, and by a join that is right; remembered."""
    looked, attacker = model.looked, model.attacker

    def made() -> Found:
        whom, said = known(model)
        rows, many = table(model), table(model).shape[1]
        counts = np.zeros((3, many))
        for row, values in zip(whom.tolist(), said, strict=True):
            for place, scores in enumerate(by_words(values, rows)):
                sure = eccentricity(scores) > attacker.sure
                best = int(scores.argmax())
                counts[0, place] += sure and best == row
                counts[1, place] += sure and best != row
        for place in range(many):
            only = joined(said[:, : place + 1], rows[:, : place + 1]).only
            counts[2, place] = np.count_nonzero(only == whom)
        return Found(*(measured(each, len(whom), looked.confidence) for each in counts))

    key = ("joining found", attacker, looked.seed, tried(model), looked.confidence)
    return model.data.remember(key, made)


def here(model: JoiningModel) -> tuple[float, float, float]:
    """The shares found by all columns: rightly, wrongly, and by a join."""
    each = found(model)
    return float(each.right.share[-1]), float(each.wrong.share[-1]), float(each.joined.share[-1])


@once
def scores(model: JoiningModel) -> Array:
    """How well each row fits what is known of the first who is looked for, the best first."""
    (*_, last) = by_words(known(model)[1][0], table(model))
    return array(np.sort(last)[::-1])


def clear(model: JoiningModel) -> float:
    """How far the best of them is above the second, in standard deviations."""
    return eccentricity(scores(model))
