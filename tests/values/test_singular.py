"""No message counts "1 rows": every message of the catalogue, with a 1 in each of its fields."""

from __future__ import annotations

import re
import string

import pytest
from translations import held

from dpstudio.values.messages import Num, render, say

# A number, what may describe it, and what looks like a plural; times are times at 1 too.
PLURAL = re.compile(
    r"(?<![\w.,])1 (?:(?!of |as |and |the |these |by |from |with )[a-z]+ )?(people|[a-z]+s)\b"
)
# What follows a field that is no count, or is no plural.
OTHER = re.compile(
    r"adds|alarms|as|asks|becomes|begins|bounds|breaks|buys|changes|class|comes|costs|covers|declares|doe"
    r"s|earns|ends|enters|equals|errs|goes|happens|has|holds|is|its|keeps|leads|leaves|less|look"
    r"s|loses|means|misses|moves|ms|needs|places|plus|prints|proves|ra"
    r"ises|repeats|runs|sends|shows|stands|subtracts|takes|tells|tests|this|times|turns|unpacks|was|wins|yes"
)


def fields(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def test_no_message_counts_one_of_many() -> None:
    # What a talk says names fields of findings, which are no message's own.
    found = [
        (match[0], text)
        for text in sorted(text for text in held() if not any("." in f for f in fields(text)))
        for match in PLURAL.finditer(render(say(text, **dict.fromkeys(fields(text), Num(1)))))
        if not OTHER.fullmatch(match[1])
    ]
    assert found == []


# Words that stand before many alone.
MANY = re.compile(r"\b(these|those|both) 1 (?!at\b|to\b)[a-z]+", re.IGNORECASE)


def test_no_message_points_at_one_as_at_many() -> None:
    assert MANY.search(render(say("on these {n} test rows", n=Num(1))))
    found = [
        (match[0], text)
        for text in sorted(text for text in held() if not any("." in f for f in fields(text)))
        for match in MANY.finditer(render(say(text, **dict.fromkeys(fields(text), Num(1)))))
    ]
    assert found == []


# A verb of many after 1, alone or of some; what stands after "and", a number or a unit is no count.
VERB = re.compile(
    r"(?<![=±×] )(?<!and )(?<!of )(?<!height )(?<!count )(?<![\w.,])1 (?:(?:more|people) |of (?:(?!and|as|they|who)"
    r"[^\s.,;:]+ ){1,4}?)?(are|were|have|do)\b"
)


def test_no_verb_of_many_follows_one() -> None:
    assert VERB.search("1 of 1 rows are left")
    assert VERB.search("1 are left")
    found = [
        (match[0], text)
        for text in sorted(text for text in held() if not any("." in f for f in fields(text)))
        for name in fields(text)
        for match in VERB.finditer(
            render(say(text, **{**dict.fromkeys(fields(text), Num(2)), name: Num(1)}))
        )
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        ("{n} rows are left out", "1 row is left out", "2 rows are left out"),
        ("{k} of {n} such answers", "1 of 1 such answer", "2 of 2 such answers"),
        ("{n} people hold it", "1 person holds it", "2 people hold it"),
        ("{n} times as many people", "1 times as many people", "2 times as many people"),
        ("{n} of releases", "1 of releases", "2 of releases"),
        (
            "with {n} these releases lose",
            "with 1 these releases lose",
            "with 2 these releases lose",
        ),
        ("{n} are counted", "1 is counted", "2 are counted"),
        ("{k} of the {n} rows do", "1 of the 1 row does", "2 of the 2 rows do"),
        ("{k} of the rows as they are", "1 of the rows as they are", "2 of the rows as they are"),
        ("and {n} others", "and 1 other", "and 2 others"),
        ("{n} lines that begin with #", "1 line that begins with #", "2 lines that begin with #"),
    ],
)
def test_what_is_counted_agrees_with_its_number(text: str, one: str, two: str) -> None:
    values = dict.fromkeys(fields(text), Num(1))
    assert render(say(text, **values)) == one
    assert render(say(text, **dict.fromkeys(values, Num(2)))) == two
    # A translation has its own grammar.
    assert render(say(text, **values), lambda message: f"«{message}»") == f"«{text}»".format(
        **dict.fromkeys(values, "1")
    )


def test_a_count_or_a_unit_within_a_message_agrees_too() -> None:
    assert render(say("{told} left", told=say("{n} rows", n=1))) == "1 row left"
    assert render(say("{n} rows", n=say("{x}", x=Num(1)))) == "1 row"
    assert render(say("at most {n} {unit}", n=Num(1), unit=say("rows"))) == "at most 1 row"
    assert render(say("{n} {unit}", n=Num(1), unit=say("years old"))) == "1 years old"
