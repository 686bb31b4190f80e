"""The call that shows what is on the screen is read back as the same state."""

import shlex

import pytest
from random_states import tables_of_all_kinds, wide_state

from dpstudio.cli import parsing
from dpstudio.data.codebook import About, Codebook, codebook_words
from dpstudio.data.conditions import Where
from dpstudio.files.asking import chosen
from dpstudio.files.command import command
from dpstudio.files.read.choices import Choices
from dpstudio.files.session import Session, SessionError
from dpstudio.labs import LABS
from dpstudio.labs.worded import lab_of_words, words_of
from dpstudio.values.parameters import ParamError, get

BOOKS = (
    Codebook(),
    Codebook(person="patient id", most=3, people=40),
    Codebook(
        (
            ("age", About(type="integer", low=17, high=90, attested=True, source="the form")),
            ("sex", About(categories=("F x", "M"), attested=True, role="quasi")),
            ("seen", About(type="date", low=0, high=18_000)),
        ),
        each_row=True,
    ),
)


@pytest.mark.parametrize("about", LABS, ids=lambda about: about.key)
def test_words_make_any_state(about: object) -> None:
    tables = tables_of_all_kinds()
    for seed in range(6):
        lab, _ = wide_state(about.kind, seed, tables)  # type: ignore[attr-defined]
        try:
            words = words_of(lab)
        except ParamError as error:  # of what a page proposed, which must not look as if typed
            where = get(lab, error.field)
            assert isinstance(where, Where)
            assert where.proposed
            continue
        assert lab_of_words(words) == lab


@pytest.mark.parametrize("book", BOOKS)
def test_a_call_tells_the_table_and_what_is_known_of_it(book: Codebook) -> None:
    lab = lab_of_words(["explore", "query=mean", "query.column=age", 'query.where=sex = "it\'s"'])
    reading = Choices(delimiter="semicolon", decimal="comma")
    session = Session("/home/me/my table.csv", "", (lab,), "explore", {}, book, reading)
    program, run, key, *words = shlex.split(command(session))
    assert (program, run, key) == ("dpstudio", "run", "explore")
    given = parsing.run_parser(key).parse_intermixed_args(words)
    assert lab_of_words([key, *given.settings]) == lab
    assert given.data == session.table
    assert chosen(given.read)[0] == reading
    unit = {"each_row": given.each_row, "people": given.people}
    assert codebook_words(given.about, given.person, given.most, **unit) == book


def test_what_no_words_say_is_a_sentence() -> None:
    lab = lab_of_words(["explore", "query.where=age > 50"])
    with pytest.raises(SessionError, match="came from the clipboard"):
        command(Session("", "", (lab,), "explore"))
    assert command(Session("", "", (lab_of_words(["survey"]),), "survey")) == "dpstudio run survey"
