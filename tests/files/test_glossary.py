"""The glossary: every term whole, alone with its names, in the letters of the program, and shown by
a state that works."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from dpstudio.data.dataset import Dataset
from dpstudio.files.glossary import Term, _folded, glossary, terms_in
from dpstudio.labs.worded import lab_of_words

# A name and the year, before or after 1900, and no more than where in it.
SOURCE = re.compile(
    r"[A-ZÉ][\w’'.-]+( [\w’'.-]+)*((, | & )[\w’'. -]+)*( et al\.)? (18|19|20)\d\d\b"
)
HAN = re.compile("[\u4e00-\u9fff]")


@pytest.mark.parametrize("each", glossary(), ids=lambda each: each.key)
def test_a_term_is_whole(each: Term) -> None:
    assert 1 <= len(re.findall(r"[.!?](?= |$)", each.says)) <= 2, "two sentences at most"
    assert each.says.endswith(".")
    assert len(each.says) <= 330
    assert each.formula
    assert not re.search(r"epsilon|delta|\^eps|\\", each.formula)
    assert all(SOURCE.match(part) for part in each.source.split("; ")), each.source
    assert HAN.search(each.chinese)
    assert each in terms_in(each.name), "its own name leads to it"


def test_no_name_is_of_two_terms() -> None:
    for names in (
        [each.key for each in glossary()],
        list(chain.from_iterable(set(map(_folded, (e.name, *e.also))) for e in glossary())),
        [name for each in glossary() for name in (each.chinese, *each.called)],
    ):
        assert sorted(names) == sorted(set(names))


def test_what_shows_a_term_opens_and_nothing_stops_it(adult: Dataset) -> None:
    """Not run here: random states are, where nothing stops them."""
    for words in {each.see: each.words for each in glossary()}.values():
        lab = lab_of_words(words)
        assert not [each for each in lab.page().problems(lab, adult) if each.stops], words


def test_terms_are_found_in_a_text() -> None:
    def keys(text: str) -> list[str]:
        return [each.key for each in terms_in(text)]

    assert keys("Noisy answers at ε, δ = 10⁻⁵") == ["epsilon", "delta"]
    assert keys("L1 sensitivity of a histogram")[0] == "l1_sensitivity"  # not sensitivity alone
    assert keys("Neighbours") == ["neighbours"]
    assert keys("the deltas of an epsilonic") == ["delta"]
    assert keys("选择：拉普拉斯机制的噪声") == ["laplace"]
    assert not keys("Save this table")
