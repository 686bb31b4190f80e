"""Fuzzing the reader: random bytes, broken files, and a known table under random dialects. `fuzz`
runs as long as it is told."""

import csv
import io
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nasty import CORPUS

from dpstudio.files.read import opening, outcome, source
from dpstudio.files.read.choices import Choices

LONGEST = 20.0  # seconds for a small file: more is a hang
_SIGNS = "aA1, ;\t|\"'\n\r\\0.9-:#é\0?_x\x01"
_MAGIC = (
    b"PAR1",
    b"ARROW1",
    b"SQLite format 3\0",
    b"PK\3\4",
    b"\x1f\x8b",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"BZh9",
    b"[{",
    b'{"a":',
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\xff\xff\xff\xff",
)
_WORDS = (
    "red",
    "Blue moon",
    "x",
    "Größe",
    "O'Neil",
    "a,b",
    'say "hi"',
    "semi;colon",
    "tab\there",
    "two\nlines",
    "50%",
    "",
    "naïve",
    "per|pipe",
    "New York",
)


def attempt(body: bytes, choices: Choices | None = None) -> outcome.Read | outcome.TableError:
    """The reading, or the error that says why there is none. Any other exception is a failure."""
    watch = source.Watch()
    try:
        return opening.read_source(source.Source("table.txt", watch, body=body), choices, watch)
    except outcome.TableError as error:
        return error


def tried(body: bytes) -> tuple[str, outcome.Read | None]:
    """(certain | asked | refused, the reading, as proposed where it was asked), the same when it is
    read again; and never a hang."""
    began = time.monotonic()
    found = attempt(body)
    assert time.monotonic() - began < LONGEST, "a hang"
    if isinstance(found, outcome.TableError):
        sentence = str(found)
        assert sentence.endswith("."), sentence
        assert "\n" not in sentence, sentence
        if not isinstance(found, outcome.UncertainError):
            return "refused", None
        again = attempt(body, found.preview.choices)
        assert isinstance(again, outcome.Read), f"asked, then refused: {again}"
        assert again.counts.kept == found.preview.counts.kept == again.table.num_rows
        assert found.preview.settings()
        return "asked", again
    again = attempt(body, found.choices)
    assert isinstance(again, outcome.Read), str(again)
    assert again.table.equals(found.table), "read again with its own choices it is another table"
    return "certain", found


def random_bytes(rng: random.Random) -> str:
    """Bytes of no meaning, or signs that mean much to a reader."""
    size = rng.choice((1, 3, 20, 200, 2000))
    if rng.random() < 0.4:
        body = rng.randbytes(size)
    else:
        signs = rng.choices(_SIGNS, [rng.random() for _ in _SIGNS], k=size)
        body = "".join(signs).encode(
            rng.choice(("utf-8", "utf-16", "cp1252", "utf-16-be")), "replace"
        )
    if rng.random() < 0.2:
        body = rng.choice(_MAGIC) + body
    return tried(body)[0]


def broken_file(rng: random.Random) -> str:
    """A file of the corpus cut, with bytes changed, a part twice, or a part gone."""
    body = bytearray(rng.choice(CORPUS).body[:20_000] or b"a")
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, to = sorted((rng.randrange(len(body) + 1), rng.randrange(len(body) + 1)))
        what = rng.randrange(4)
        if what == 0:
            del body[at:]
        elif what == 1 and body:
            body[min(at, len(body) - 1)] = rng.randrange(256)
        elif what == 2:
            body[at:at] = body[at:to]
        else:
            del body[at : min(to, at + 50)]
        if not body:
            break
    return tried(bytes(body))[0] if body else "refused"


@dataclass(frozen=True)
class Known:
    """A table, and how it was written."""

    names: list[str]
    rows: list[list[Any]]
    body: bytes
    how: dict[str, Any]


def known_table(rng: random.Random) -> Known:
    """Random columns of numbers and words under a random dialect that a program could have
    written."""
    width, height = rng.choice((1, 2, 3, 3, 5, 9)), rng.choice((1, 2, 5, 20, 60))
    kinds = [rng.choice(("int", "float", "word", "plain", "code", "date")) for _ in range(width)]
    names = [
        f"{rng.choice(('age', 'city', 'x', 'Total pay', 'größe', 'v'))}{i}" for i in range(width)
    ]
    rows = [[_value(kind, rng) for kind in kinds] for _ in range(height)]
    how = {
        "sep": rng.choice((",", ",", ";", "\t", "|", " ", ":", "^", "~", "\x1f")),
        "quoting": rng.choice(
            (csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC)
        ),
        "quote": rng.choice(('"', '"', '"', "'")),
        "double": rng.random() < 0.85,
        "end": rng.choice(("\n", "\n", "\r\n", "\r")),
        "encoding": rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252")),
        "head": rng.random() < 0.8,
        "decimal": rng.choice((".", ".", ",")),
        "before": rng.choice((0, 0, 0, 0, 1, 3)),
        "kinds": kinds,
    }
    if (
        how["end"] == "\r"
    ):  # the writer does not quote the other line end then, and no reader could tell
        rows = [[v.replace("\n", " ") if isinstance(v, str) else v for v in row] for row in rows]
    out = io.StringIO(newline="")
    escape = {"doublequote": how["double"], "escapechar": None if how["double"] else "\\"}
    writer = csv.writer(
        out,
        delimiter=how["sep"],
        quoting=how["quoting"],
        quotechar=how["quote"],
        lineterminator=how["end"],
        **escape,
    )
    for number in range(how["before"]):
        out.write(f"written by a program, line {number}{how['end']}")
    written = [[_shown(v, how["decimal"]) for v in row] for row in rows]
    writer.writerows([names, *written] if how["head"] else written)
    return Known(names, rows, out.getvalue().encode(how["encoding"], "replace"), how)


def _value(kind: str, rng: random.Random) -> Any:
    if kind == "int":
        return rng.choice((rng.randrange(100), rng.randrange(-5, 10**6), rng.randrange(10**4)))
    if kind == "float":
        return round(rng.uniform(-1000, 1000), rng.choice((1, 2, 3, 5)))
    if kind == "date":
        return f"20{rng.randrange(10, 30)}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}"
    if kind == "code":
        return f"{rng.randrange(10**5):05d}"
    return rng.choice(_WORDS) if kind == "word" else rng.choice(("red", "green", "blue", "grey"))


def _shown(value: Any, decimal: str) -> Any:
    return str(value).replace(".", decimal) if isinstance(value, float) else value


def known_dialect(rng: random.Random) -> str:
    """A certain reading has the shape, the names and the values of the table; AssertionError where
    it has not."""
    known = known_table(rng)
    verdict, found = tried(known.body)
    if verdict == "certain":
        assert found is not None
        _same(known, found)
    return verdict


def _same(known: Known, found: outcome.Read) -> None:
    table, how = found.table, known.how
    while len(known.names) > 1 and known.rows and not any(map(str, known.rows[-1])):
        known.rows.pop()  # rows of delimiters alone at the end are none, and it says so
    shape = (table.num_rows, table.num_columns)
    assert shape == (len(known.rows), len(known.names)), (shape, how, known.body[:300])
    if how["head"]:
        assert table.column_names == known.names, (table.column_names, how, known.body[:300])
    for place, kind in enumerate(how["kinds"]):
        got = table.column(place).to_pylist()
        for row, value in enumerate(known.rows):
            _same_value(kind, value[place], got[row], how, known.body[:300])


def _same_value(kind: str, want: Any, got: Any, *context: Any) -> None:
    if kind in ("int", "float"):
        assert abs(float(got) - want) < 1e-9, (want, got, *context)
    elif kind == "code":
        # A code without a needless zero in its column may be read as a number, which loses nothing.
        assert str(got) == str(want), (want, got, *context)
    elif kind == "date":
        assert str(got) == want, (want, got, *context)
    else:
        wanted = str(want).strip()
        assert (got or "") == wanted or (got is None and wanted in ("", "?")), (want, got, *context)


KINDS: dict[str, Callable[[random.Random], str]] = {
    "bytes": random_bytes,
    "broken": broken_file,
    "dialect": known_dialect,
}


def fuzz(seconds: float, seed: int = 0, say: Callable[[str], None] = print) -> Counter[str]:
    """Fuzz until the time is over; raises at the first failure after saying the seed that repeats
    it."""
    counts: Counter[str] = Counter()
    until, number = time.monotonic() + seconds, seed
    while time.monotonic() < until:
        for name, one in KINDS.items():
            try:
                counts[f"{name} {one(random.Random(number))}"] += 1
            except BaseException:
                say(f"failed: KINDS[{name!r}](random.Random({number}))")
                raise
        number += 1
    say(", ".join(f"{word} {n}" for word, n in sorted(counts.items())))
    return counts
