"""Words go with their numbers: in every message of the catalogue, in English and in languages that
have one form or three."""

import gettext
import io
import string

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from grammar import of_many
from translations import held, ids

from dpstudio.files import language as speech
from dpstudio.gui.parts import tr as translations
from dpstudio.values.messages import Num, render, say
from dpstudio.values.plurals import counted, forms

# Fields that no count stands in: shares, which are said in percent, and names.
SHARES = {"after", "all", "changed", "confidence", "p", "q", "right", "share", "unique", "words"}
SHARES |= {"wrong"}
NAMES = {"best", "engine", "last", "path", "row", "epsilon"}
# A share too, and a number of millions.
NO_COUNTS = {"1 of the encrypted “2” are", "1 million letters"}
ROWS = "{n} {n:row is|rows are} left"
BOTH = "{k} of {n:# new row|# new rows} {k:is|are} left in {{{path}}}"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_no_message_counts_one_of_many() -> None:
    """Of one nothing says "1 rows", neither by the number that decides nor by another."""
    wrong = ["1 rows", "these 1 test", "1 of them are"]
    assert [*of_many("1 rows on these 1 test row; 1 of them are left, 1 to 1 letters")] == wrong
    found = []
    for each, decides in held():
        one, many = (each, each) if isinstance(each, str) else each
        names = fields(many)
        if any("." in name for name in names):
            continue  # what a talk says names fields of findings, which are no message's own
        for name in names - SHARES - NAMES:
            text = one if name == decides else many
            said = text.format(**{**dict.fromkeys(names, "2"), name: "1"})
            found += [(part, text) for part in of_many(said) if part not in NO_COUNTS]
    assert found == []


def test_the_forms_of_a_message_differ_in_words_alone() -> None:
    pairs = [(each, decides) for each, decides in held() if not isinstance(each, str)]
    assert len(pairs) > 400
    for (one, many), decides in pairs:
        assert decides in fields(many), many
        assert one != many, one
        assert fields(one) | {decides} == fields(many), one


@pytest.mark.parametrize(
    ("shown", "n"),
    [
        *(("1", 1), ("−1", 1), ("+1", 1), ("0", 0), ("1,000", 1000), ("1.5", 2), ("1.0", 2)),
        *(("1.2·10⁹", 10**6), ("10⁹", 10**6), ("∞", 10**6), ("–", 10**6), ("1 %", 10**6)),
        *(("1 to 2", 10**6), ("²", 10**6)),
    ],
)
def test_what_is_shown_decides(shown: str, n: int) -> None:
    assert counted(shown) == n


def test_one_takes_the_one_and_nothing_else_does() -> None:
    for one in ("1", 1, Num(1), Num(1.2, 1), Num(-1), Num(1, sign=True), say("{x}", x=Num(1))):
        assert " row is left" in render(say(ROWS, n=one))
    for n in (0, 2, Num(1.5), Num(0.9999, 3), Num(1000), Num(1e12), Num(0.01, percent=True)):
        assert " rows are left" in render(say(ROWS, n=n))


def test_a_sentence_and_its_phrases() -> None:
    assert [*ids(BOTH)] == [
        (("{k} of {n} is left in {{{path}}}", "{k} of {n} are left in {{{path}}}"), "k"),
        (("{n} new row", "{n} new rows"), "n"),
    ]
    assert forms(BOTH).whole == "{k} of {n} new rows are left in {{{path}}}"
    assert render(say(BOTH, k=1, n=2, path="x")) == "1 of 2 new rows is left in {x}"
    assert render(say(BOTH, k=2, n=Num(1), path="x")) == "2 of 1 new row are left in {x}"
    last = "the last {n:row is {what}|{n} rows are {what}}"
    assert render(say(last, n=1, what="one")) == "the last row is one"
    assert render(say(last, n=3, what="one")) == "the last 3 rows are one"
    for twice in ("{k:is|are} {n:is|are}", "{n:# row|# rows} {n:is|are}", "{n} {n:# row|# rows}"):
        with pytest.raises(ValueError, match="phrase of its own"):
            forms(twice)


def language(locale: str) -> gettext.GNUTranslations:
    """The template in a made-up language of so many forms, of which each text says its place."""
    catalog = Catalog(locale=locale)
    for each, _ in held():
        many = each if isinstance(each, str) else each[1]
        texts = tuple(f"{i}«{many}»" for i in range(catalog.num_plurals))
        catalog.add(each, f"«{many}»" if isinstance(each, str) else texts)
    for text in (ROWS, BOTH):
        for each, _ in ids(text):
            catalog.add(each, tuple(f"{i}«{each[1]}»" for i in range(catalog.num_plurals)))
    out = io.BytesIO()
    write_mo(out, catalog)
    out.seek(0)
    return gettext.GNUTranslations(out)


@pytest.mark.parametrize(
    ("locale", "places"), [("zh_CN", [0] * 5), ("pl", [0, 1, 2, 1, 2]), ("de", [0, 1, 1, 1, 1])]
)
def test_a_language_has_its_own_forms(
    locale: str, places: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech._Spoken, "catalogue", language(locale))
    for n, i in zip(("1", "3", "1,005", "1.5", "10⁹"), places, strict=True):
        assert translations.shown(say(ROWS, n=n)) == f"{i}«{n} rows are left»"
        said = translations.shown(say(BOTH, k="3", n=n, path="x"))
        assert said == f"{places[1]}«3 of {i}«{n} new rows» are left in {{x}}»"
        for each, _ in held():
            if not isinstance(each, str):
                assert translations.tr(*each, counted(n)) == f"{i}«{each[1]}»"
    assert translations.shown("Cancel") == "«Cancel»"
