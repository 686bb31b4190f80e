"""Rows dealt to two sides by a coin each, which no other row has a part in."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Rows, Sample

Keys = NDArray[np.uint64]
# Steele, Lea & Flood 2014 (splitmix64): the odd step, and the two factors of its finaliser.
_STEP, _FIRST, _SECOND = (
    np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)


def tossed(sample: Sample, data: Dataset, share: float, seed: int) -> tuple[Rows, Rows]:
    """The numbers of the rows of `sample` to learn from and of those to test with, each in order:
    heads with chance `share`.

    The coin is a function of the seed and of what the row holds itself: of its features, its label
    and which of those that hold the same it is; of its person, where the table says whose it is.
    Who joins or leaves therefore changes one row (all of one person) of one part and nothing else,
    and who is replaced leaves one part and comes to one: a promise to a row that is learnt from is
    one to a row of the table, for every seed, also one that is known. How many rows there are to
    learn from is no public number. (Two contents share a key with chance 2⁻⁶⁴.)"""
    start = np.full(len(sample.x), seed, dtype=np.uint64)
    if data.person:
        keys = _mixed(start, _person_bits(data)[sample.kept])
    else:
        features = (*sample.features, *((sample.label,) if sample.label else ()))
        columns = (*sample.x.T, *((sample.y,) if sample.label else ()))
        keys = start
        for feature, column in zip(features, columns, strict=True):
            keys = _mixed(keys, _bits(column, feature.words))
        keys = _mixed(keys, _which(keys))
    heads = (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53 < share
    return np.flatnonzero(~heads).astype(np.int64), np.flatnonzero(heads).astype(np.int64)


def _mixed(keys: Keys, bits: Keys) -> Keys:
    """Keys that each bit of both has a part in."""
    z = (keys ^ bits) + _STEP
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return np.asarray(z ^ (z >> np.uint64(31)))


def _bits(column: NDArray[np.float64], words: tuple[str, ...]) -> Keys:
    """What a column holds as 64 bits: of a word its letters, since its place is one among the
    words that other rows may hold."""
    if words:
        return _word_bits(words)[column.astype(np.int64)]
    # −0 is 0.
    return np.asarray((column + 0.0).view(np.uint64))


def _word_bits(words: Iterable[str]) -> Keys:
    letters = (word.encode("utf-8", "surrogatepass") for word in words)
    digests = (blake2b(one, digest_size=8).digest() for one in letters)
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def _person_bits(data: Dataset) -> Keys:
    """The same for each row of the person that it is of. Two whole numbers that are one as doubles
    share a coin."""
    if data.info(data.person).type == "category":
        codes, words = data._held.codes(data.person)
        return _word_bits(words)[codes]
    return _bits(np.asarray(data._held.numbers(data.person), dtype=np.float64), ())


def _which(keys: Keys) -> Keys:
    """For each key which of its equals it is: 0, 1, …"""
    order = np.argsort(keys, kind="stable")
    place = np.arange(len(keys))
    other = np.diff(keys[order], prepend=~keys[order[:1]]) != 0
    which = np.empty(len(keys), dtype=np.uint64)
    which[order] = place - np.maximum.accumulate(np.where(other, place, 0))
    return which
