"""What must be fixed before the first answer is seen stands beside every total of several, and
sentence, table and certificate tell alike which bounds allow noise that is chosen on the way."""

import pytest
from random_states import random_state
from running import FEW, first_rows

from dpstudio.labs.bound_names import short_of
from dpstudio.labs.many_answers.composition import parameters, words
from dpstudio.labs.many_answers.composition.model import KINDS, composition_model, proved
from dpstudio.labs.one_answer.explore.panel import TO_COMPOSITION
from dpstudio.labs.winners import listed
from dpstudio.privacy.accounting import Numeric
from dpstudio.values.messages import Message, render

DATA = first_rows(50)
WORDS = {True: "with budget and bound set beforehand", False: "not proved"}


@pytest.mark.parametrize("seed", range(6))
def test_sentence_table_and_certificate_tell_what_bounds_declare(seed: int) -> None:
    state = random_state(parameters.Composition, seed, DATA)
    chosen = tuple(KINDS), ("pld",), ("sequential",)
    for lab in (state, *(state.with_(bounds=bounds, answers=40) for bounds in chosen)):
        model = composition_model(lab, DATA, fine=True, effort=FEW)
        if model.delta >= 1:
            continue
        told = {sentence.key: render(sentence.say) for sentence in words.sentences(model)}
        assert ("fixed" in told) == (model.answers > 1)
        assert ("adaptive" in told) == (model.answers > 1 and bool(proved(model)))
        for on_the_way in (True, False) if "adaptive" in told else ():
            names = [short_of(b) for b in proved(model) if bool(b.adaptive) == on_the_way]
            assert (WORDS[on_the_way] in told["adaptive"]) == bool(names), told["adaptive"]
            assert not names or f"by {render(listed(names))}" in told["adaptive"]
        if "certified" in told.get("numeric", ""):
            assert ("fixed beforehand" in told["numeric"]) == (not Numeric.adaptive)
        rows = dict(words.tables(model)[0].columns)
        labels = {render(Message(kind.label)): kind for kind in KINDS.values()}
        for name, said in zip(rows["bound"], rows["adaptive"], strict=True):
            kind = labels.get(render(name))
            if kind is not None and render(said) != "–":
                assert render(said) == ("proved" if kind.adaptive else "not proved")


def test_who_adds_to_the_list_is_told_what_is_fixed() -> None:
    assert "fixed before the first" in TO_COMPOSITION.tip
