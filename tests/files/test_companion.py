"""The companion to the texts: every place opens, runs, and gives the numbers that are held of it."""

import json
from functools import cache

import pytest
from running import LEAST, opened

from dpstudio import cli
from dpstudio.files.assets import asset
from dpstudio.files.companion import Place, found, place_named, places, places_named, texts
from dpstudio.files.tables import EXAMPLES
from dpstudio.files.talk import judged
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.labs.promise.printed.listings import ERRATA
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.parameters import ParamError

PLACES = list(places())
# Curves by ε whose points between are held: little effort draws their ends alone.
WHOLE = {"book:svm-and-f1", *(f"book:figure-6.{number}" for number in (19, 20, 21))}


def agrees(digits: str, value: object) -> bool:
    """Whether a number, rounded to as many digits as these are, is them; words are equal."""
    try:
        held = float(digits)
        given = float(value)
    except (TypeError, ValueError):
        return str(value) == digits
    mantissa, _, power = digits.lower().partition("e")
    places = len(mantissa.partition(".")[2]) - int(power or 0)
    return abs(given - held) <= 0.5 * 10.0**-places * (1 + 1e-9)


@cache
def findings(lab: Lab, table: str, effort: Effort = LEAST) -> Findings:
    return lab.last(Context(opened(table), effort=effort))


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_a_place_opens_and_gives_its_numbers(place: Place) -> None:
    if place.out:
        assert not place.words
        assert not place.finds
        return
    lab = place.lab()
    held = findings(lab, place.table, *([Effort()] if place.key in WHOLE else []))
    assert not [problem for problem in held.problems if problem.stops]
    if place.chart:
        assert held.figure(place.chart)
    if place.ask is not None and not place.ask.options:
        assert "too much" in judged(place.ask, 1e9, held)
    for path, digits in place.finds:
        assert agrees(digits, found(held, path)), f"{path} is {found(held, path)}, not {digits}"


def test_every_article_and_chapter_has_a_talk_that_asks() -> None:
    """Of chapter 1 alone there is none: it tells what the others work out. The right option of each
    question follows from numbers that the place is held to."""
    for text in texts():
        path = asset(f"companion/questions/{text.key}.json")
        asked = [place for place in text.places if place.ask is not None]
        assert len(json.loads(path.read_text(encoding="utf-8"))) == len(asked)
        for chapter in text.chapters:
            among = [place.ask for place in chapter.places if place.ask is not None]
            assert len(among) >= 4 or (text.key, chapter.key) in {("book", "1"), ("book", "A")}
        for place in asked:
            assert place.ask is not None
            assert place.words
            assert place.ask.text.endswith("?")
            assert bool(place.ask.options) != bool(place.ask.fact)
            assert place.ask.fact or (len(place.ask.options) > place.ask.right and place.finds)


def test_places_are_told_apart_and_whole() -> None:
    keys = [place.key for place in PLACES]
    assert len(keys) == len(set(keys))
    tables, errata = {each.key for each in EXAMPLES}, {each.key for each in ERRATA}
    for place in PLACES:
        assert place.about.endswith((".", "?"))
        assert len(place.about) <= 90, place.about
        assert bool(place.words) != bool(place.out), place.key
        assert place.table in tables
        if place.erratum:
            assert place.erratum.split()[0] in errata
            assert not list(lab_of_words(place.corrected_words).problems(opened("adult")))
    assert sum(bool(place.out) for place in PLACES) <= 12
    assert all(text.name and text.by and list(text.places) for text in texts())


def test_a_place_is_found_as_people_type_it() -> None:
    assert place_named("coins:proposition 2.1") == place_named("Proposition 2.1")
    assert place_named("gauss:averaging-attack-k-500").words[0] == "averaging"
    assert len(places_named("图 4")) == 1
    assert {p.chapter for p in places_named("第四章")} == {"4"}
    assert place_named("列表4.7").key == "book:listing-4.7"
    assert len(places_named("section 4.2")) == 3
    assert {p.chapter for p in places_named("exercise 1")} == {"2", "6", "7", "9"}
    assert place_named("练习 2.1") == place_named("table 2.1")
    with pytest.raises(ParamError, match=r"coins:laplace-mechanism|may be"):
        place_named("Laplace mechanism")
    with pytest.raises(ParamError, match="dpstudio places"):
        place_named("listing 99.9")


def test_a_number_is_held_wherever_a_lab_tells_it() -> None:
    """In a fact, a cell, a sentence or a layer of a chart; what is not there is an error."""
    place = place_named("book:naive-bayes-at-ε-1")
    held = findings(place.lab(), place.table)
    assert found(held, "chart/score/printed/1") == 78.59
    assert found(held, "sentence/score/epsilon") == 1.0
    for path in ("nothing", "nothing/0/0", "sentence/score/nothing", "sentence/nothing/epsilon"):
        with pytest.raises(KeyError):
            found(held, path)


def test_numbers_agree_as_far_as_their_digits_go() -> None:
    assert agrees("0.140", 0.1402)
    assert not agrees("0.124", 0.1402)
    assert agrees("1.5e3", 1_549)
    assert not agrees("1.5e3", 1_551)
    assert agrees("Cancer", "Cancer")


def test_the_command_line_lists_and_runs_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["places", "coins"]) == 0
    assert capsys.readouterr().out.count("\ncoins:") == len(list(texts()[2].places)) - 1
    assert cli.main(["places", "表 99"]) == 2
    assert cli.main(["run", "--place", "30 of 100", "coins=biased_coins", "--json"]) == 0
    got = capsys.readouterr()
    assert json.loads(got.out)["lab"]["coins"]["kind"] == "biased_coins"
    assert "10 % are" in got.err
    assert cli.main(["run", "--place", "most common symptom", "seed=1"]) == 0  # on its own table
    assert "fever" in capsys.readouterr().out
    assert cli.main(["run", "--place"]) == 2
