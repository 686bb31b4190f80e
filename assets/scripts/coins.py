"""Rows dealt to two sides by a coin each, which no other row has a part in: who comes or leaves
moves nobody else to the other side."""

import hashlib

import numpy as np


def mixed(keys, bits):
    """Keys that each bit of both has a part in (splitmix64, Steele, Lea & Flood 2014)."""
    z = (keys ^ bits) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def bits_of(column):
    """What a column holds as 64 bits: a number as it is, of a word its letters."""
    if column.dtype != object:
        return (column.astype(float) + 0.0).view(np.uint64)  # −0 is 0
    words = dict.fromkeys(column)
    for word in words:
        letters = hashlib.blake2b(str(word).encode("utf-8", "surrogatepass"), digest_size=8)
        words[word] = int.from_bytes(letters.digest(), "little")
    return np.array([words[word] for word in column], dtype=np.uint64)


def heads(columns, share, seed, person=None):
    """Which rows come up heads: by the seed and what a row holds itself, and which it is of those
    that hold the same; or by its person, where the table says whose it is."""
    keys = np.full(len(columns[0]), seed, dtype=np.uint64)
    if person is not None:
        keys = mixed(keys, bits_of(person))
    else:
        for column in columns:
            keys = mixed(keys, bits_of(column))
        order, which = np.argsort(keys, kind="stable"), np.empty(len(keys), dtype=np.uint64)
        place = np.arange(len(keys))
        first = np.concatenate([[True], np.diff(keys[order]) != 0])[: len(keys)]
        which[order] = place - np.maximum.accumulate(np.where(first, place, 0))
        keys = mixed(keys, which)
    return (keys >> np.uint64(11)).astype(float) * 2.0**-53 < share
