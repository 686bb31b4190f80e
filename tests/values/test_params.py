"""Domains, `Parameters` and numbers for people: what is refused, where, and which way it is rounded."""

import json
import math
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.data.conditions import parse as parse_where
from dpstudio.labs.naming import every_lab
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.queries import QUERIES
from dpstudio.privacy.queries.typed_scores import ScoreList
from dpstudio.values.dates import Dates, days_of
from dpstudio.values.domains import Choice, Column, Flag, Integer, Maybe, ParamError, Real, Share
from dpstudio.values.lists import Edges, Several, Words
from dpstudio.values.messages import Message, Num, number, render, safely, say
from dpstudio.values.parameters import (
    OneOf,
    Parameters,
    domains,
    from_json,
    get,
    param,
    put,
    switch,
    to_json,
)

LABS = every_lab()

FAMILIES = {"labs": LABS, "queries": QUERIES, "mechanisms": MECHANISMS, "accountants": ACCOUNTANTS}
KINDS = [kind for family in FAMILIES.values() for kind in family]
every = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)


@every
def test_every_bad_value_is_refused_by_name(kind: type[Parameters]) -> None:
    """Each field of each `Parameters` refuses its bad values with a sentence, in Python, as text and from
    JSON."""
    for name, value in kind.invalid_examples():
        with pytest.raises(ParamError) as caught:
            kind(**{name: value})
        assert caught.value.field == name, (name, value)
        assert render(caught.value.sentence).endswith((".", ":"))
        if isinstance(value, str):
            with pytest.raises(ParamError) as caught:
                put(kind(), name, value)
            assert caught.value.field.split(".")[0] == name
        with pytest.raises(ParamError) as caught:
            from_json([kind], {"kind": kind.key, name: value})
        assert caught.value.field.split(".")[0] == name


@every
def test_json_and_text_round_trip(kind: type[Parameters]) -> None:
    """Defaults survive JSON, and every shown value reads back to itself."""
    made = kind()
    assert from_json([kind], json.loads(json.dumps(to_json(made), allow_nan=False))) == made
    for name, domain in domains(kind).items():
        if not isinstance(domain, OneOf):
            value = getattr(made, name)
            assert domain.parse(domain.show(value)) == value, name
            assert render(domain.describe())
            assert domain.label


@pytest.mark.parametrize(
    ("domain", "text", "value"),
    [
        (Real("x", low=0, high=10), " 2.5 ", 2.5),
        (Real("x", low=-10, high=10), "−2.5", -2.5),
        (Real("x", low=0, high=1e6), "1e3", 1000.0),
        (Integer("k", low=1, high=10_000), "1,000", 1000),
        (Integer("k", low=1, high=10), 4.0, 4),
        (Integer("seed", low=0, high=2**62), str(2**62 - 1), 2**62 - 1),
        (Flag("f"), "on", True),
        (Flag("f"), "No", False),
        (Words("w"), " a | b c ", ("a", "b c")),
        (Words("w"), "", ()),
        (Words("w"), ' "a|b" | 5" | c"d', ("a|b", '5"', 'c"d')),
        (Edges("e"), "0; 1, 2.5", (0.0, 1.0, 2.5)),
        (Edges("e"), "0；1，2.5、3", (0.0, 1.0, 2.5, 3.0)),
        (Several("s", options={"a": "A", "b": "B", "c": "C"}), "c、a，b", ("a", "b", "c")),
        (Dates("d"), "2019-01-01，2020-01-01", ("2019-01-01", "2020-01-01")),
        (Maybe("m"), "", None),
        (Maybe("m"), "from data", None),
        (Maybe("m"), "3", 3.0),
        (Column("c"), " age ", " age "),
        (Choice("c", options={"a": "A"}), "a", "a"),
    ],
)
def test_typed_text(domain, text, value) -> None:
    found = domain.parse(text) if isinstance(text, str) else domain.check(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("value", [True, False, "", "0x10", "1..2", [1], {}, 10**400, "nan", "inf"])
def test_what_is_no_number(value) -> None:
    for domain in (Real("x", low=0, high=10), Integer("x", low=0, high=10)):
        with pytest.raises(ParamError):
            domain.check(value)


@pytest.mark.parametrize("value", ["1e400", "-1e400", 10**400, "9" * 400])
def test_a_number_that_is_too_large_is_told_so_beside_its_ends(value) -> None:
    """It was “inf is outside 1e-06 to 1e+12”."""
    for domain in (Real("x", low=1e-6, high=1e12), Integer("x", low=1, high=10**12)):
        with pytest.raises(ParamError) as refused:
            domain.check(value)
        said = str(refused.value)
        assert ("too small" if str(value)[0] == "-" else "too large") in said
        assert "to 1,000,000,000,000." in said
        assert f" {'1' if isinstance(domain, Integer) else '0.000001'} to" in said
    with pytest.raises(ParamError, match="beyond what a computer holds"):
        Real("x").check(value)


def test_a_refused_number_is_told_with_the_digits_that_it_has() -> None:
    for value, told in (
        (0.9999999999999, "0.9999999999999 is"),
        (0.1 + 0.2, "0.30000000000000004 is"),
    ):
        with pytest.raises(ParamError, match=re.escape(told)):
            Real("x", low=1.0, high=9.0).check(value)
    with pytest.raises(ParamError, match=re.escape("1 to 100,000.1.")):
        Real("x", low=1.0, high=100000.1).check(0.5)
    with pytest.raises(ParamError, match="744,073,709,551,616 is outside 0 to 18,446,744,073,709"):
        Integer("x", low=0, high=2**64 - 1).check(2**64)


@pytest.mark.parametrize("text", ["٣", "３", "1_0", "1_000", "²", "1e٣", "１,０００"])
def test_digits_are_those_of_ascii(text) -> None:
    """What `float`, `int` and a bare \\d take is no number wherever a person types one."""
    for domain in (
        Real("x", low=0, high=1e4),
        Integer("x", low=0, high=10_000),
        Share("x", low=0, high=1e4),
        Maybe("x", inner=Real("x")),
        Edges("x"),
        ScoreList("x"),
    ):
        with pytest.raises(ParamError):
            domain.parse(f"name {text}" if isinstance(domain, ScoreList) else text)
    if text != "²":  # a word like any other, which no column of numbers is compared with
        with pytest.raises(ParamError):
            parse_where(f"age < {text}")
    with pytest.raises(ParamError):
        days_of("٢٠٢٠-٠١-٠١")


def test_whole_numbers_stay_whole() -> None:
    """Beyond 2^53 a float cannot tell neighbours apart; the bounds and the digits of a seed still
    count."""
    seed = Integer("seed", low=0, high=2**62)
    with pytest.raises(ParamError):
        seed.check(2**62 + 1)
    assert seed.parse("4611686018427387901") == 4_611_686_018_427_387_901


@given(st.floats(0, 1))
def test_slider_positions(position: float) -> None:
    """A position becomes a value of the domain, to three digits, and the value goes back near the
    position."""
    for domain in (
        Real("ε", low=0.001, high=50, log=True),
        Real("c", low=0.5, high=0.999),
        Integer("k", low=1, high=10_000, log=True),
    ):
        value = domain.at(position)
        assert domain.check(value) == value
        assert domain.position(domain.at(0)) == 0
        assert domain.position(domain.at(1)) == pytest.approx(1)
        step = 0.1 if isinstance(domain, Integer) else 0.005
        assert domain.position(value) == pytest.approx(position, abs=step)


def test_errors_carry_the_dotted_field() -> None:
    lab = Explore()
    for path, value, field in [
        ("mechanism.epsilon", "0", "mechanism.epsilon"),
        ("mechanism.epsilon", math.nan, "mechanism.epsilon"),
        ("query.where", "age >", "query.where"),
        ("query", "nothing", "query"),
        ("mechanism.sigma", "1", "mechanism.sigma"),
        ("nothing", "1", "nothing"),
        ("answers.k", "1", "answers.k"),
        ("delta_prime", "2", "delta_prime"),
    ]:
        with pytest.raises(ParamError) as caught:
            put(lab, path, value)
        assert caught.value.field == field
        assert str(caught.value).startswith(f"{field}: ")
    with pytest.raises(ParamError) as caught:
        put(put(put(lab, "query", "sum"), "query.low", "5"), "query.high", "5")
    assert caught.value.field == "query.high"
    for data, field in [
        ({"kind": "explore", "mechanism": {"kind": "laplace", "epsilon": 0}}, "mechanism.epsilon"),
        ({"kind": "explore", "mechanism": {"kind": "laplace", "b": 1}}, "mechanism.b"),
        ({"kind": "explore", "mechanism": {"kind": "x"}}, "mechanism"),
        ({"kind": "explore", "query": {"kind": "sum", "low": 2, "high": 1}}, "query.high"),
        ({"kind": "explore", "query": []}, "query"),
        ({"kind": "explore", "extra": 1}, "extra"),
        ({"kind": "explore", "dots": "many"}, "dots"),
        ({"kind": "nothing"}, ""),
        ([], ""),
    ]:
        with pytest.raises(ParamError) as caught:
            from_json(LABS, data)
        assert caught.value.field == field


def test_budget_and_condition_survive_switching() -> None:
    """Another mechanism keeps ε and δ, another question keeps its column, bounds and condition."""
    lab = put(
        put(put(Explore(), "mechanism", "gaussian"), "mechanism.delta", "1e-7"),
        "mechanism.epsilon",
        "0.3",
    )
    assert put(lab, "mechanism", "textbook").mechanism == put(
        lab, "mechanism", "textbook"
    ).mechanism.with_(epsilon=0.3, delta=1e-7)
    assert get(put(lab, "mechanism", "geometric"), "mechanism.epsilon") == 0.3
    lab = put(
        put(put(put(lab, "query", "sum"), "query.column", "hours"), "query.where", "age > 3"),
        "query.high",
        "60",
    )
    mean = put(lab, "query", "mean").query
    assert (mean.key, mean.column, mean.high, str(mean.where)) == ("mean", "hours", 60.0, "age > 3")
    assert str(put(lab, "query", "count").query.where) == "age > 3"
    assert switch(MECHANISMS[0], {"epsilon": 0.7}).epsilon == 0.7
    assert switch(MECHANISMS[0], {"epsilon": "bad"}, {"epsilon": 0.7}).epsilon == 0.7


def test_a_kind_cannot_be_changed_or_hold_disagreeing_fields() -> None:
    class Span(Parameters):
        key = "span"
        low: float = param(0, Real("low", low=-10, high=10))
        high: float = param(1, Real("high", low=-10, high=10))

        def agree(self) -> None:
            if self.low >= self.high:
                raise ParamError("high", "Too low.")

    with pytest.raises(AttributeError):
        Span().low = 3  # type: ignore[misc]
    for make in (
        lambda: Span(low=2),
        lambda: Span().with_(low=2),
        lambda: from_json([Span], {"kind": "span", "low": 2}),
    ):
        with pytest.raises(ParamError) as caught:
            make()
        assert caught.value.field == "high"
    assert put(Span(), "low", "-3") == Span(low=-3)


def read(text: str) -> float:
    """The number that a text stands for."""
    text = text.replace(",", "").replace("−", "-").replace("+", "").replace("·", "*")
    power = re.search(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$", text)
    if not power:
        return float(text)
    digits = power[1].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    head = text[: power.start()].rstrip("*")
    return float(f"{head if head not in ('', '-') else head + '1'}e{digits}")


magnitudes = st.builds(
    lambda sign, m, e: sign * m * 10.0**e,
    st.sampled_from([1, -1]),
    st.floats(1, 10),
    st.integers(-300, 299),
)


@given(magnitudes, st.integers(1, 8))
@example(0.9999999, 3)
@example(9.999e-5, 3)
@example(9999999.5, 3)
@example(0.00099999, 2)
@example(99.96, 3)
@example(-1e-300, 3)
@example(1e23, 3)
def test_numbers_round_honestly(value: float, digits: int) -> None:
    """Up is never below the value and down never above, both within one unit of the last place; the
    digits keep the sign."""
    hair = 2e-12 * abs(value)
    up, near, down = (number(value, digits, rounding) for rounding in ("up", "near", "down"))
    assert read(up) >= value - hair
    assert read(down) <= value + hair
    # One unit of the last of `digits` places; numbers below 10^7 never lose whole units.
    unit = 10.0 ** (math.floor(math.log10(abs(value))) + 1 - digits)
    unit = min(unit, 1.0) if abs(value) < 1e7 else unit
    for text in (up, near, down):
        assert abs(read(text) - value) <= unit * (1 + 1e-9) + hair
    assert abs(read(near) - value) <= unit / 2 * (1 + 1e-6) + hair
    assert near.startswith("−") == (value < 0)
    assert number(-value, digits, "down") == (up[1:] if up.startswith("−") else "−" + up)


def test_numbers_as_people_read_them() -> None:
    for value, kwargs, text in [
        (0, {}, "0"),
        (-0.0, {}, "0"),
        (-0.0, {"sign": True, "rounding": "down"}, "0"),
        (6460, {}, "6,460"),
        (-1234567, {}, "−1,234,567"),
        (9_999_999, {"digits": 3}, "9,999,999"),
        (4.306791, {"rounding": "up"}, "4.31"),
        (0.0463735646, {"rounding": "up"}, "0.0464"),
        (29.957, {"rounding": "up"}, "30.0"),
        (1e-5, {}, "10⁻⁵"),
        (2.2654e-5, {"rounding": "up"}, "2.27·10⁻⁵"),
        (1.5e9, {}, "1.5·10⁹"),
        (17_926_487.0, {"digits": 12}, "17,926,487"),
        (99_999_999.5, {"digits": 12}, "99,999,999.5"),
        (0.95, {"percent": True}, "95 %"),
        (12.5, {"sign": True}, "+12.5"),
        (math.inf, {}, "∞"),
        (-math.inf, {}, "−∞"),
        (math.nan, {}, "–"),
        (1e-320, {"rounding": "up"}, None),
        (5e-324, {"rounding": "down"}, None),
        (1.7976931348623157e308, {"rounding": "up"}, None),
    ]:
        shown = number(value, **kwargs)
        assert text is None or shown == text
        assert not re.fullmatch(r"[−+-]0(\.0*)?( %)?", shown)


def test_sentences_are_filled_in_but_never_formatted_twice() -> None:
    """Data with braces in it stays data; nested messages are translated with their frame."""
    inner = say("{n} rows of {what}", n=Num(1234), what="{x}")
    assert render(say("There are {inner}.", inner=inner)) == "There are 1,234 rows of {x}."
    german = {
        "There are {inner}.": "Es gibt {inner}.",
        "{n} rows of {what}": "{n} Zeilen von {what}",
    }
    assert (
        render(say("There are {inner}.", inner=inner), lambda text: german.get(text, text))
        == "Es gibt 1,234 Zeilen von {x}."
    )
    assert render(Message("")) == ""
    assert str(ParamError("a.b", say("“{value}” is bad.", value="{}"))) == "a.b: “{}” is bad."


@pytest.mark.parametrize(
    "value",
    [1e-6, 0.046373565, 0.9999501, 7.0, 12_345_678.9, -0.00012345, 9.9996e-300, 0.0, math.inf],
)
def test_rounding_to_the_safe_side(value: float) -> None:
    """Four digits, on the side that is asked for; what has four digits stays."""
    up, down = safely(value, 4, "up"), safely(value, 4, "down")
    assert down <= value * (1 + 1e-11 if value > 0 else 1 - 1e-11)
    assert up >= value * (1 - 1e-11 if value > 0 else 1 + 1e-11)
    if value and math.isfinite(value):
        assert up - down <= 1.001 * 10 ** (math.floor(math.log10(abs(value))) - 3)
    assert safely(0.04638, 4, "up") == 0.04638
    assert safely(1e-6, 4, "up") == 1e-6
