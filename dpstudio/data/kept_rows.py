"""Which rows of a person are kept where that has more than are used: those that come first by the
MD5 of who that is and of what the row says. So they are the same in a file, in whatever order, and
in a database; and nobody's rows decide about those of another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import md5
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.columns import Columns, Mask, Rows

APART = "\x1f"  # between the texts of two columns
WHOLE = 2.0**53  # doubles from here on are all whole, and leave whole numbers out
_BLOCK = 1 << 16


def kept_rows(table: Columns, place: int, who: NDArray[Any], absent: Mask, most: int) -> Rows:
    """The rows, in order, of which at most `most` are of one person; `who` tells these apart, whom
    the column in this `place` names. Rows that are nobody's (`absent`) are left out."""
    import pandas as pd

    codes = pd.factorize(who)[0].astype(np.int32)  # half the time of sorting what names them
    codes[absent] = -1
    many = np.append(np.bincount(codes + np.int32(1))[1:] > most, False)[codes]
    kept = ~absent & ~many
    rows = np.flatnonzero(many)
    if len(rows):
        ranks = _ranks(table, place, rows)
        order = np.lexsort((ranks[:, 1], ranks[:, 0], codes[rows]))
        people = codes[rows[order]]
        starts = np.flatnonzero(np.concatenate([[True], people[1:] != people[:-1]]))
        before = np.repeat(starts, np.diff(np.append(starts, len(rows))))
        kept[rows[order[np.arange(len(rows)) - before < most]]] = True
    return np.flatnonzero(kept)


def _ranks(table: Columns, place: int, rows: Rows) -> NDArray[np.uint64]:
    """The MD5 of each row, shape (rows, 2)."""
    places = [place, *range(len(table.names))]
    told = [coded_texts(table, at, rows) for at in places]
    digests = b"".join(
        md5(APART.join(parts).encode("utf-8", "surrogatepass")).digest()
        for start in range(0, len(rows), _BLOCK)
        for parts in zip(
            *(texts[codes[start : start + _BLOCK]].tolist() for codes, texts in told), strict=True
        )
    )
    return np.frombuffer(digests, dtype=">u8").astype(np.uint64).reshape(-1, 2)


def coded_texts(table: Columns, place: int, rows: Rows) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """For each of the rows the place of what it says in a column, and these texts: whole numbers in
    digits, other doubles by their 8 bytes, dates and times as ISO has them, words behind their
    length; the last, empty one is of missing values. One value decides its text alone, and not
    what else is in the column."""
    import pandas as pd

    kind = table.types[place]
    if kind == "other":
        return table.absent(place)[rows].astype(np.int32), np.array(["?", ""], dtype=object)
    if kind == "category" or (kind == "integer" and _lost(table.numbers(place))):
        codes, words = table.codes(place)
        named = words if kind == "integer" else [f"{len(word)}:{word}" for word in words]
        return codes[rows], _texts(named)
    dates = kind == "date"
    held = table.moments(place) if dates else table.numbers(place)
    found, values = pd.factorize(held[rows])
    texts = _dates(values) if dates else _numbers(values)
    return found.astype(np.int32), _texts(texts)


def _lost(x: NDArray[Any]) -> bool:
    return x.dtype.kind == "f" and bool(np.any(np.abs(x) >= WHOLE))


def _texts(held: Iterable[str]) -> NDArray[Any]:
    return np.array([*held, ""], dtype=object)


def _numbers(values: NDArray[Any]) -> list[str]:
    """In digits where a number is whole and tells itself from the next."""
    if values.dtype.kind != "f":
        return list(map(str, values.tolist()))
    whole = (np.abs(values) < WHOLE) & (values == np.floor(values))
    if whole.all():
        return list(map(str, values.astype(np.int64).tolist()))
    held = values.astype(">f8").tobytes().hex()
    texts = [held[at : at + 16] for at in range(0, len(held), 16)]
    for at in np.flatnonzero(whole).tolist():
        texts[at] = str(int(values[at]))
    return texts


def _dates(values: NDArray[np.datetime64]) -> Iterator[str]:
    """Times to the microsecond; a day alone of those at midnight."""
    micro = values.astype("datetime64[us]")
    days = micro.astype("datetime64[D]")
    midnight = days.astype("datetime64[us]") == micro
    for day, moment, whole in zip(
        np.datetime_as_string(days), np.datetime_as_string(micro), midnight, strict=True
    ):
        yield str(day if whole else moment)
