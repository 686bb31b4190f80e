"""The numbers of a list of choices: each is what the page says of that choice, once it is chosen."""

import pytest
from running import FEW, little

from dpstudio.data.dataset import Dataset
from dpstudio.labs.naming import every_lab
from dpstudio.labs.page import Lab, compares_nothing
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import render
from dpstudio.values.parameters import OneOf, domains, switch

STATES = (
    "explore",
    "explore mechanism.epsilon=2 measure=rmse",
    "explore query=histogram largest=yes show_truth=no",
    "selection mechanism.epsilon=2",
    "local_counts judged=part",
    "local_means dims=4",
)


def test_what_numbers_are_compared_by_is_declared_by_these() -> None:
    """Elsewhere one would be trained, audited or composed for each choice, or is no error alone."""
    said = [lab.key for lab in every_lab() if lab.page().compared is not compares_nothing]
    assert said == ["explore", "selection", "local_counts", "local_means"]


@pytest.mark.parametrize("words", STATES)
def test_a_number_of_a_list_is_that_of_the_page_where_its_choice_is_made(
    adult: Dataset, words: str
) -> None:
    lab: Lab = lab_of_words(words.split()).suited(adult)
    for path, told in little(lab, adult, FEW).compared.items():
        domain = domains(type(lab))[path]
        assert isinstance(domain, OneOf)
        kinds = {kind.key: kind for kind in domain.family()}
        chosen = getattr(lab, path)
        assert chosen.key in told.numbers
        assert len(told.numbers) > 2
        for key in told.numbers:
            other = lab.with_(**{path: switch(kinds[key], chosen)})
            again = little(other, adult, FEW).compared[path]
            assert render(again.numbers[key]) == render(told.numbers[key]), key
            assert render(again.what) == render(told.what)


def test_what_is_hidden_compares_nothing_that_tells_of_it(adult: Dataset) -> None:
    lab = lab_of_words(["selection", "show_truth=no"]).suited(adult)
    assert little(lab, adult, FEW).compared == {}
    lab = lab_of_words(["explore"]).suited(adult)
    shown, hidden = (little(lab.with_(show_truth=on), adult, FEW).compared for on in (True, False))
    assert {k: render(v) for k, v in shown["mechanism"].numbers.items()} == {
        k: render(v) for k, v in hidden["mechanism"].numbers.items()
    }
