"""Which sign parts the tenths and which groups thousands, against every way to read each word."""

import re
from itertools import combinations, combinations_with_replacement

import pyarrow as pa
import pytest

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.typing import evidence, numerals

MARKS, GROUPS = {"point": ".", "comma": ","}, {"none": "", "comma": ",", "point": ".", "space": " ", "apostrophe": "'"}  # fmt: skip
WORDS = (
    "1,5", "1.5", "1,2345", "1.2345", "1,234", "1.234", "12,345", "-7.125", "0,125", "0.125", ",5",
    ".5", "1234,567", "1234.567", "1,234,567", "1.234.567", "1,234.5", "1.234,5", "1 234", "1'234",
    "1 234,5", "1'234.5", "012,345", "7", "+1.5", "−2,5", "1e5", "1,5e3", "12,34,567", "1.23.456",
)  # fmt: skip


def read(word: str, decimal: str, grouping: str) -> float | None:
    """The number that a word is where these signs are known; None where it is none."""
    mark, group = re.escape(MARKS[decimal]), re.escape(GROUPS[grouping])
    plain = rf"\d+({mark}\d*)?([eE][+-]?\d+)?|{mark}\d+([eE][+-]?\d+)?"
    grouped = rf"[1-9]\d{{0,2}}({group}\d{{3}})+({mark}\d+)?" if group else r"(?!)"
    body = word.lstrip("+-−")
    if not re.fullmatch(f"{grouped}|{plain}", body):
        return None
    if group and re.fullmatch(grouped, body):
        body = body.replace(GROUPS[grouping], "")
    value = float(body.replace(MARKS[decimal], "."))
    return -value if word[0] in "-−" else value


def ways(words: tuple[str, ...]) -> dict[tuple[str, str], tuple[float, ...]]:
    """What a column is by every two signs by which all of its words are numbers."""
    out = {}
    for decimal in MARKS:
        for grouping in GROUPS:
            values = [read(word, decimal, grouping) for word in words if grouping != decimal]
            if values and None not in values:
                out[decimal, grouping] = tuple(v for v in values if v is not None)
    return out


def asked(words: tuple[str, ...], told: Choices, delimiter: str = "tab"):
    held = evidence.column("x", pa.chunked_array([list(words)]), told)
    signs, doubts = numerals.decided([held], told, delimiter)
    typed, _, said = numerals.numbers(held, signs, told)
    return signs, doubts, None if typed is None else tuple(typed.to_pylist()), said


@pytest.mark.parametrize("many", [1, 2, 3])
def test_numbers_are_what_the_only_reading_of_all_words_says(many: int) -> None:
    """Every column of so many words: read by signs under which all of them are numbers, if there are
    any; without a question where these agree, and never by half of them."""
    tried = {1: WORDS, 2: WORDS, 3: WORDS[::2]}[many]
    chosen = combinations_with_replacement(tried, 2) if many == 2 else combinations(tried, many)
    questions = 0
    for words in chosen:
        possible = ways(words)
        signs, doubts, typed, said = asked(words, Choices())
        questions += bool(doubts)
        if typed is None:
            # Codes and names of things stay words, and what no two signs explain.
            assert not possible or said or doubts, words
            continue
        assert typed == possible.get((signs.decimal, signs.thousands)), words
        if len(set(possible.values())) == 1:
            assert not doubts, words
        elif any(re.fullmatch(r"[-+−]?[1-9]\d{0,2},\d{3}", word) for word in words):
            # More than a thousand, or a little more than one: the one thing that is asked.
            assert doubts, words
            for decimal in doubts[0].values:
                told = Choices(decimal=decimal)
                again = asked(words, told)[2]
                assert again in [v for (d, _), v in possible.items() if d == decimal], words
    assert questions


def test_what_is_likelier_is_offered_first_and_settled_by_any_other_word() -> None:
    assert asked(("1,234",), Choices(), "tab")[1][0].values == ("point", "comma")
    assert asked(("1,234",), Choices(), "semicolon")[1][0].values == ("comma", "point")
    for other, value in (
        ("0,5", 1.234),
        ("0.5", 1234.0),
        ("1,234,567", 1234.0),
        ("2.500,5", 1.234),
    ):
        signs, doubts, typed, _ = asked(("1,234", other), Choices())
        assert (doubts, typed and typed[0]) == ((), value), (signs, other)


def test_few_large_numbers_are_seen_where_somebody_says_that_they_are_numbers() -> None:
    """Behind the first thousand words, with a word that is no number: 1 041,87 is not missing."""
    words = (*(f"{i % 90},{i % 10}" for i in range(1500)), "n.c.", "1 041,87", "12\u202f345,5")
    signs, _, typed, _ = asked(words, Choices(types=("x=number",)), "semicolon")
    assert (signs.decimal, signs.thousands) == ("comma", "space")
    assert typed is not None
    assert typed[-3:] == (None, 1041.87, 12345.5)
