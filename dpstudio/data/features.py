"""A table as the arrays that a model learns from: features with public bounds or public words, and
a label. What is not known from outside is taken from the data and marked so."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.codebook import About
from dpstudio.data.dataset import Dataset
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import ParamError

Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]
MOST_WORDS = 200


@dataclass(frozen=True)
class Feature:
    """A column of a model. `words` are its possible values, () for a number, which lies between
    `low` and `high`. `attested`: somebody says that these are known from outside the data."""

    name: str
    words: tuple[str, ...]
    low: float
    high: float
    attested: bool


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows that have every value. `x` (n, p): numbers clipped to their bounds, words as codes
    0, 1, …; `y` (n,) the label likewise, (0,) without one. `left_out` rows have a value missing or
    a word that is not among those known. `kept` (rows,) says which of the table these are, `whose`
    (rows,) whose each of those is, None where each row is a person; `most`: rows of one person at
    most."""

    features: tuple[Feature, ...]
    label: Feature | None
    x: Numbers
    y: Numbers
    left_out: int
    kept: NDArray[np.bool_]
    whose: Rows | None
    most: int

    @property
    def persons(self) -> Rows | None:
        """Whose each row is, (n,)."""
        return None if self.whose is None else self.whose[self.kept]

    @cached_property
    def people(self) -> int:
        """How many persons these rows are of."""
        return len(self.x) if self.persons is None else len(np.unique(self.persons))

    @property
    def nbytes(self) -> int:
        """What remembering it costs."""
        return int(self.x.nbytes + self.y.nbytes + 9 * len(self.kept))

    @property
    def unattested(self) -> tuple[str, ...]:
        """The columns whose bounds or words nobody says are public."""
        used = (*self.features, *((self.label,) if self.label else ()))
        return tuple(feature.name for feature in used if not feature.attested)


def sample_of(
    data: Dataset, features: Sequence[str], label: str | None, *, classes: bool = False
) -> Sample:
    """The features and the label of a table, remembered with it. With `classes` a label of numbers
    is one of words, each of its values one.

    Bounds and words are those of the codebook, else those published of the table, else the
    smallest and largest value or the words that are there, which `attested` then denies. Raises
    ParamError at “features” or “label” for a column that is not there, holds nothing, or more than
    200 words.
    """
    question = ("sample", tuple(features), label, classes)
    return data.remember(question, lambda: _sample(data, tuple(features), label, classes))


def _sample(data: Dataset, names: tuple[str, ...], label: str | None, classes: bool) -> Sample:
    if not names:
        text = N_("No column is named to learn from. Name one, or open a table with more columns.")
        if label is not None:
            text = N_(
                "No column is named to learn from beside “{column}”. Name one, or open a table "
                "with more columns."
            )
        raise ParamError("features", say(text, column=label or ""))
    if len(set(names)) < len(names):
        raise ParamError("features", say("A column is named twice. Name each once."))
    if label in names:
        raise ParamError("label", say("“{column}” is a feature already.", column=label))
    features = tuple(feature_of(data, name, "features") for name in names)
    target = None if label is None else feature_of(data, label, "label", classes)
    return sample_on(data, features, target)


def sample_on(data: Dataset, features: tuple[Feature, ...], label: Feature | None) -> Sample:
    """The rows of a table by features that are known already, whatever it says of them itself."""
    columns = [column_of(data, feature) for feature in (*features, *((label,) if label else ()))]
    table = np.stack(columns, axis=1) if data.rows else np.zeros((0, len(columns)))
    kept = np.asarray(~np.isnan(table).any(axis=1))
    table = table[kept]
    whose = None
    if data.person:
        whose = np.unique(data._who(data.person), return_inverse=True)[1].astype(np.int64)
    return Sample(
        features,
        label,
        np.ascontiguousarray(table[:, : len(features)]),
        table[:, len(features)].copy() if label else np.zeros(0),
        int(data.rows - np.count_nonzero(kept)),
        kept,
        whose,
        data.contributions,
    )


def _told(data: Dataset, name: str) -> tuple[About, ...]:
    return data.about(name), data.documented.about(name)


def is_number(data: Dataset, name: str) -> bool:
    """Whether a column holds numbers that nobody says are words."""
    told = any(about.categories for about in _told(data, name))
    return data.info(name).numeric and not told


def feature_of(data: Dataset, name: str, field: str, classes: bool = False) -> Feature:
    """A column with its words or bounds, told, published or found. Raises ParamError at `field`."""
    if not data.has(name) or data.info(name).type == "other":
        text = N_("This table has no column “{column}” of numbers or words. Choose another.")
        raise ParamError(field, say(text, column=name))
    listed = next((a for a in _told(data, name) if a.categories), None)
    if listed:
        return Feature(name, listed.categories, 0.0, 0.0, listed.attested)
    if data.info(name).ordered and not classes:
        return _number(data, name, field)
    found = data.distinct(name, MOST_WORDS + 1)
    if not found or len(found) > MOST_WORDS:
        raise ParamError(field, _too_many([word for word, _ in found], name))
    # In an order that their numbers have no part in.
    words = tuple(sorted((word for word, _ in found), key=_order))
    return Feature(name, words, 0.0, 0.0, False)


def _too_many(found: Sequence[str], name: str) -> Message:
    """Why words are no features, and what to do with their column."""
    text = N_("Every value of “{column}” is missing. Choose another column.")
    if found:
        text = N_(
            "“{column}” has more than {most} different {most:word|words}. Choose another column, "
            "or name the words that count on the page of the table."
        )
    if any(_order(word)[0] < np.inf for word in found):
        text = N_(
            "“{column}” holds more than {most} different {most:word|words}, among them numbers. "
            "Read it as numbers on the page of the table, where its words are then missing; name "
            "the words that count there; or choose another column."
        )
    return say(text, column=name, most=MOST_WORDS)


def _order(word: str) -> tuple[float, str]:
    try:
        return float(word), word
    except ValueError:
        return np.inf, word


def _number(data: Dataset, name: str, field: str) -> Feature:
    for about in _told(data, name):
        if about.low is not None and about.high is not None:
            return Feature(name, (), about.low, about.high, about.attested)
    extent = data.extent(name)
    if extent is None:
        raise ParamError(field, say("Every value of “{column}” is missing.", column=name))
    high = extent.high if extent.high > extent.low else extent.low + 1
    return Feature(name, (), float(extent.low), float(high), False)


def column_of(data: Dataset, feature: Feature) -> Numbers:
    """Codes or clipped numbers of all rows, (rows,), NaN where there is none."""
    held = data._held
    if not feature.words:
        x = np.asarray(held.numbers(feature.name), dtype=np.float64)
        return np.clip(x, feature.low, feature.high)
    places = held.places(feature.name, feature.words).astype(np.float64)
    places[places == len(feature.words)] = np.nan
    return places


def unit(sample: Sample) -> Numbers:
    """The features scaled to [−1, 1] by their bounds, (n, p). Raises ParamError at “features”
    where one holds words, which have no place on a line."""
    for feature in sample.features:
        if feature.words:
            text = N_("“{column}” holds words. Choose columns of numbers here.")
            raise ParamError("features", say(text, column=feature.name))
    low = np.array([feature.low for feature in sample.features])
    high = np.array([feature.high for feature in sample.features])
    return np.asarray((sample.x - (low + high) / 2) / ((high - low) / 2), dtype=np.float64)


def one_hot(sample: Sample) -> Numbers:
    """Numbers scaled to [−1, 1], and for each word of the others a column of 0 and 1, shape (n,
    numbers + words); columns in the order of the features."""
    parts: list[NDArray[Any]] = []
    for place, feature in enumerate(sample.features):
        x = sample.x[:, place]
        if feature.words:
            parts.append(x[:, None] == np.arange(len(feature.words)))
        else:
            half = (feature.high - feature.low) / 2
            parts.append(((x - feature.low) / half - 1)[:, None])
    return np.hstack(parts).astype(np.float64)


def split(
    n: int, share_of_test: float, seed: int | None, persons: Rows | None = None
) -> tuple[Rows, Rows]:
    """The numbers of the rows to learn from and of those to test with, each in order: by lot, or,
    where `seed` is None, the last ones. All rows of a person (`persons`, (n,)) go one way, so that
    no one is tested who was learnt from. A share of all: who comes or goes can move others;
    `coins.tossed` moves nobody else."""
    who = np.arange(n) if persons is None else np.unique(persons, return_inverse=True)[1]
    people = int(who.max()) + 1 if n else 0
    order = np.arange(people) if seed is None else np.random.default_rng(seed).permutation(people)
    tested = np.zeros(people, dtype=np.bool_)
    tested[order[people - round(people * share_of_test) :]] = True
    test = tested[who]
    return np.flatnonzero(~test).astype(np.int64), np.flatnonzero(test).astype(np.int64)
