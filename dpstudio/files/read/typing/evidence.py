"""Words to types, by evidence over whole columns: numbers, dates, yes/no, and the words that mean
missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import ColumnRead, quoted
from dpstudio.files.read.typing import marks
from dpstudio.files.read.typing.arrays import integers, no_value, strings
from dpstudio.values.messages import Message, say

if TYPE_CHECKING:
    import pyarrow as pa

_SAMPLE = 1000
# So many distinct words are few, and so many rows are looked at before more are.
_FEW, _ROWS = 100, 1 << 16
TRUE = frozenset(("true", "t", "yes", "y"))
FALSE = frozenset(("false", "f", "no", "n"))


@dataclass(frozen=True)
class TypingChoices:
    """The choices under which the words of one file are typed, none of them "auto"."""

    decimal: str = "point"
    thousands: str = "none"
    dates: str = "dmy"
    century: str = "window"
    days: str = "days"
    units: str = "numbers"

    def made(self, choices: Choices) -> Choices:
        """The choices with these; dates that are told to be words stay so."""
        told = asdict(self) | ({"dates": "words"} if choices.dates == "words" else {})
        return choices.with_(**told)


@dataclass
class Column:
    """A column of words on the way to its type. `sample` holds words of it without marks and
    blanks; `looks` what they are like; `few` all distinct words, where these are few."""

    name: str
    words: pa.ChunkedArray
    sample: list[str]
    looks: str
    forced: str = ""
    few: frozenset[str] | None = None
    unit: str = ""


def column(name: str, words: pa.ChunkedArray, choices: Choices) -> Column:
    """Trims the words, and looks at a thousand of them."""
    few = _few_of(words)
    words = trimmed(words, few)
    few = few and frozenset(w.strip() for w in few)
    sample = _sampled(words)
    extra = set(choices.missing_words)
    told = [
        w
        for w in sample
        if w and w not in extra and (w not in marks.MARKS or choices.missing == "blank")
    ]
    return Column(
        name,
        words,
        told,
        _looks(told) if told else _looks_of_all(words, extra),
        choices.forced().get(name, ""),
        few,
    )


def _few_of(words: pa.ChunkedArray) -> frozenset[str] | None:
    """All distinct words, to be asked instead of the rows; None where there are many."""
    import pyarrow.compute as pc

    seen: set[str] = set()
    for start, stop in pairwise((0, *range(_SAMPLE, len(words), _ROWS), len(words))):
        found = pc.unique(words.slice(start, stop - start))
        if len(found) > _FEW:
            return None
        seen.update(w for w in found.to_pylist() if w is not None)
    return frozenset(seen) if len(seen) <= _FEW else None


def trimmed(words: pa.ChunkedArray, few: frozenset[str] | None) -> pa.ChunkedArray:
    """Without spaces at the ends, which no one sees; the same array where there are none."""
    import pyarrow.compute as pc

    if few is not None:
        return pc.utf8_trim_whitespace(words) if any(w != w.strip() for w in few) else words
    if any(pc.any(test(words, pattern=" ")).as_py() for test in (pc.starts_with, pc.ends_with)):
        return pc.utf8_trim_whitespace(words)
    # Other blanks are rare: the first thousand words tell.
    return (
        pc.utf8_trim_whitespace(words)
        if any(w != w.strip() for w in words.slice(0, _SAMPLE).to_pylist() if w)
        else words
    )


def _sampled(words: pa.ChunkedArray) -> list[str]:

    size = len(words)
    if size <= 2 * _SAMPLE:
        picked = words.to_pylist()
    else:
        picked = words.slice(0, _SAMPLE // 2).to_pylist()
        for chunk in words.chunks:  # one by one: to take from all at once copies them
            few = max(1, min(len(chunk), _SAMPLE // 2 * len(chunk) // size + 1))
            picked += (
                chunk.take(integers(i * (len(chunk) - 1) // few for i in range(few))).to_pylist()
                if len(chunk)
                else []
            )
    return [w for w in picked if w]


def _looks_of_all(words: pa.ChunkedArray, extra: set[str]) -> str:
    """Where the sample holds no value: what the distinct words of the whole are like."""
    import pyarrow.compute as pc

    rest = [
        w for w in pc.unique(words).to_pylist() if w and w not in marks.MARKS and w not in extra
    ]
    if not rest:
        return "blank"
    return _looks(rest[:_SAMPLE])


def _looks(told: Sequence[str]) -> str:
    """What nine in ten of the words are like; the whole decides."""
    need, counted = 0.9 * len(told), Counter(told)
    if sum(n for word, n in counted.items() if marks.is_number(word)) >= need:
        return "number"
    if sum(n for word, n in counted.items() if marks.is_date(word)) >= need:
        return "date"
    return "yes/no" if {word.lower() for word in counted} <= TRUE | FALSE else "words"


def matches(words: Any, pattern: str) -> Any:
    """Which words the pattern fits as a whole."""
    import pyarrow.compute as pc

    return pc.match_substring_regex(words, rf"^(?:{pattern})$")


def has(words: Any, pattern: str) -> bool:
    """Whether any of the words, as a whole, has this pattern (of RE2)."""
    import pyarrow.compute as pc

    return bool(pc.any(matches(words, pattern)).as_py())


def without_marks(
    words: pa.ChunkedArray,
    choices: Choices,
    known: Iterable[str],
    few: frozenset[str] | None = None,
) -> tuple[pa.ChunkedArray, tuple[tuple[str, int | None], ...]]:
    """The words with null for blanks and marks, and how many of each there were; `few` are all
    distinct words, where they are known."""
    import pyarrow.compute as pc

    meant = {"", *choices.missing_words, *(() if choices.missing == "blank" else known)}
    blank = words.null_count
    if few is not None and meant.isdisjoint(few):
        return words, (("", blank),) if blank else ()
    hit = pc.is_in(words, value_set=strings(sorted(meant), words.type))
    if not pc.any(hit).as_py():
        return words, (("", blank),) if blank else ()
    found = {
        str(e["values"]): int(e["counts"])
        for e in pc.value_counts(words.filter(hit)).to_pylist()
        if e["values"] is not None
    }
    signs = sorted(meant - {""} & set(found))
    if choices.missing != "blank" and _all_signs(words, hit):
        # A column of signs such as + and −: here the dash is a value.
        found = {w: n for w, n in found.items() if w == "" or w in choices.missing_words}
        if not found:
            return words, (("", blank),) if blank else ()
        hit = pc.is_in(words, value_set=strings(sorted(found), words.type))
    del signs
    found[""] = found.get("", 0) + blank
    counted = tuple(sorted(((w, n) for w, n in found.items() if n), key=lambda pair: -pair[1]))
    return pc.if_else(hit, no_value(words.type), words), counted


def _all_signs(words: pa.ChunkedArray, hit: Any) -> bool:
    """Whether everything else in the column is made of signs alone."""
    import pyarrow.compute as pc

    rest = pc.unique(words.filter(pc.invert(hit)).slice(0, 100_000)).to_pylist()
    rest = [w for w in rest if w]
    return bool(rest) and not any(c.isalnum() for w in rest for c in str(w))


def region_doubt(held: Column, read: ColumnRead) -> Message | None:
    """NA among codes of two letters may be Namibia, or missing."""
    if read.kind != "words" or not any(w == "NA" for w, _ in read.missing):
        return None
    told = set(held.sample)
    if len(told) >= 3 and all(len(w) == 2 and w.isalpha() and w.isupper() for w in told):
        return say(
            "NA in “{column}” may be a code of two letters as the others are, or mean missing",
            column=quoted(held.name),
        )
    return None
