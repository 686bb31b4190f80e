"""What is typed into a plan: numbers and lists come out as they were meant, or with a sentence."""

import re

import pytest

from dpstudio.plans.question import QUESTIONS, ByGroup
from dpstudio.values.parameters import ParamError, domains, find


@pytest.mark.parametrize(
    ("kind", "field", "text", "told"),
    [
        ("count", "size", "60.000", "“60.000” may mean 60 or 60000"),
        ("count", "size", "16.594", "type 16594"),
        ("count", "size", "60000", None),
        ("count", "target", "5 % of 16.594", "type 16594"),
        ("count", "target", "1.500", "may mean 1.5 or 1500"),
        ("count", "target", "1.125", None),
        ("sum", "high", "60.000", "may mean 60 or 60000"),
        ("sum", "high", "60.125", None),
        ("sum", "low", "-1.200", "may mean -1.2 or -1200"),
        ("histogram", "edges", "0; 20.000; 40.000", "may mean 20 or 20000"),
        ("histogram", "edges", "0, 1,500, 3,000", "“1,500” may mean 1, 500 or 1500"),
        ("histogram", "edges", "0; 1,500", "“1,500” may mean 1, 500 or 1500"),
        ("histogram", "edges", "1, 500, 1000", None),
        ("count", "times", "1.000", "may mean 1 or 1000"),
        ("sum", "high", "60.0001", None),
    ],
)
def test_a_point_that_may_part_thousands_is_asked_about(
    kind: str, field: str, text: str, told: str | None
) -> None:
    """Sixty thousand rows, as German writes them, were planned as sixty."""
    domain = domains(find(QUESTIONS, kind))[field]
    if told is None:
        assert domain.show(domain.parse(text)) == text
        return
    with pytest.raises(ParamError, match=re.escape(told)):
        domain.parse(text)


def test_typed_words_are_the_groups_that_were_meant_or_a_sentence() -> None:
    """Commas alone made one word of all of them."""
    domain = domains(ByGroup)["groups"]
    assert domain.parse("North, South; East") == ("North", "South", "East")
    assert domain.parse("Washington, DC | Austin, TX") == ("Washington, DC", "Austin, TX")
    assert domain.parse('"Washington, DC" | Austin') == ("Washington, DC", "Austin")
    assert domain.parse(domain.show(("A, B", "C"))) == ("A, B", "C")
    with pytest.raises(ParamError, match="“North South” is one word alone"):
        ByGroup(name="a", groups=domain.parse("North South"))
