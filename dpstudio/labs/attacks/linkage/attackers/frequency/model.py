"""The attacker who reads a column that is encrypted word by word, by how often each code comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.column_roles import GROUP, columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import column_of, feature_of
from dpstudio.labs.attacks.attackers.attacker import AttackedQuestion, Attacker, Replays
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.privacy.attacks.linked import matched_frequencies
from dpstudio.values.fields import real
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import Column, ParamError, param
from dpstudio.values.problem import Problem

_SHARES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5)
_RUNS, _FEW = 20, 3


class Frequency(Attacker):
    """Words behind deterministic encryption."""

    key = "frequency"
    label = N_("Encrypted words")
    what = say(
        "A column is encrypted so that one word always becomes one code. Who knows how often words "
        "come among other people takes the most common code for the most common word, and so on."
    )
    source = "Naveed, Kamara & Wright 2015"
    noisy = False
    exact = True
    measures = False

    column: str = param(
        "occupation", Column(N_("Column"), N_("The column that is encrypted."), purpose="group")
    )
    known: float = real(
        0.1,
        N_("Share known"),
        N_("Of so many of the rows the attacker knows the words; the others are encrypted."),
        low=0.001,
        high=0.5,
        log=True,
        percent=True,
    )

    def halts(self, data: Dataset) -> Iterator[Problem]:
        try:
            feature = feature_of(data, self.column, "column", classes=True)
        except ParamError as error:
            yield Problem("attacker.column", error.sentence)
            return
        if len(feature.words) < 2 or data.rows - data.missing(self.column) < 4:
            yield Problem("attacker.column", say("Choose a column with two words or more."))

    def suited(self, data: Dataset) -> Frequency:
        if not list(self.halts(data)):
            return self
        each = (replace(self, column=name) for name in columns_for(data, GROUP))
        return next((one for one in each if not list(one.halts(data))), self)

    def stages(
        self, asked: AttackedQuestion, looked: Replays, context: Context
    ) -> Iterator[FrequencyModel]:
        yield FrequencyModel(self, looked, context.data, context.check)


@dataclass(frozen=True, eq=False)
class FrequencyModel:
    """One state of the attack on a column of the table."""

    attacker: Frequency
    looked: Replays
    data: Dataset
    check: Callable[[], None]


@once
def codes(model: FrequencyModel) -> np.ndarray:
    """The words of all rows that have one, as codes 0, 1, …; remembered."""
    column = model.attacker.column

    def read() -> np.ndarray:
        found = column_of(model.data, feature_of(model.data, column, "column", classes=True))
        return found[~np.isnan(found)].astype(np.int64)

    return model.data.remember(("frequency codes", column), read)


def words(model: FrequencyModel) -> tuple[str, ...]:
    """What the codes stand for."""
    return feature_of(model.data, model.attacker.column, "column", classes=True).words


def _split(model: FrequencyModel, share: float, run: int) -> tuple[np.ndarray, np.ndarray]:
    """How often each word comes among the known rows, and the codes of the others."""
    held = codes(model)
    order = model.looked.generator(40 + run).permutation(len(held))
    cut = min(len(held) - 1, max(1, round(share * len(held))))
    many = len(words(model))
    return np.bincount(held[order[:cut]], minlength=many), held[order[cut:]]


def _guessed(known: np.ndarray, secret: np.ndarray) -> np.ndarray:
    guess = matched_frequencies(secret, known.astype(np.float64))
    return np.append(guess, np.full(max(0, len(known) - len(guess)), -1))


def _read(model: FrequencyModel, share: float, run: int) -> tuple[float, float]:
    """The share of encrypted rows that are read right, and of words."""
    model.check()
    known, secret = _split(model, share, run)
    guess = _guessed(known, secret)
    there = np.unique(secret)
    return float(np.mean(guess[secret] == secret)), float(np.mean(guess[there] == there))


def runs(model: FrequencyModel) -> int:
    """How many splits of the rows are drawn by lot: what is read depends much on which are known,
    where words are nearly as frequent as each other."""
    return model.looked.effort.of_draws(_RUNS, _FEW)


def _remembered(model: FrequencyModel, shares: tuple[float, ...]) -> Array:
    """What is read of each run with these shares known: rows and words, (shares, runs, 2)."""

    def made() -> Array:
        return array([[_read(model, s, run) for run in range(runs(model))] for s in shares])

    key = ("frequency", model.attacker.column, shares, runs(model), model.looked.seed)
    return model.data.remember(key, made)


@once
def against(model: FrequencyModel) -> tuple[Array, Array]:
    """(shares known, (rows read right of each run, runs))."""
    return array(_SHARES), _remembered(model, _SHARES)[..., 0]


@dataclass(frozen=True)
class Read:
    """A share of rows or words that is read right: in the middle of the splits, in the least and in
    the most of them."""

    middle: float
    least: float
    most: float


@once
def here(model: FrequencyModel) -> tuple[Read, Read]:
    """The shares of encrypted rows and of words that are read right with the share that is
    known."""
    found = _remembered(model, (model.attacker.known,))[0].T
    rows, words = (Read(*map(float, (np.median(x), x.min(), x.max()))) for x in found)
    return rows, words


def commonest(model: FrequencyModel) -> float:
    """The share that is right who takes every code for the commonest word."""
    held = codes(model)
    return float(np.bincount(held).max() / len(held))


@dataclass(frozen=True, eq=False)
class Ranked:
    """Of the commonest words of the known rows: their shares there, those of the codes that are
    taken for them, and whether rightly."""

    names: tuple[str, ...]
    known: Array
    codes: Array
    right: tuple[bool, ...]


@once
def ranked(model: FrequencyModel) -> Ranked:
    """The first ten words of the attack."""
    known, secret = _split(model, model.attacker.known, 0)
    guess, many = _guessed(known, secret), np.bincount(secret, minlength=len(known))
    first = np.argsort(-known, kind="stable")[:10]
    taken = [int(np.flatnonzero(guess == word)[0]) if word in guess else -1 for word in first]
    shares = [many[code] / len(secret) if code >= 0 else 0.0 for code in taken]
    return Ranked(
        tuple(words(model)[word] for word in first),
        array(known[first] / known.sum()),
        array(shares),
        tuple(code == word for code, word in zip(taken, first.tolist(), strict=True)),
    )
