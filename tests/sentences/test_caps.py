"""Caps and ends: what a number says where a search, a bound or a float ends. What was looked at no
further says so; one total is one text."""

import math
import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from random_states import random_state
from running import little, opened

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.many_answers.composition import bound_words, parameters, shortcut
from dpstudio.labs.many_answers.composition.model import composition_model, valued
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.one_answer.selection.parameters import Selection
from dpstudio.labs.series_model import by_adding
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.privacy.mechanisms.geometric import Geometric
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import Message, Num, by_log, number, render, safely

DATA = Dataset(pd.DataFrame({"x": [1.0]}), "one row")


def test_what_is_too_small_for_a_float_is_a_power_of_ten() -> None:
    assert str(by_log(-math.inf)) == "0"
    assert str(by_log(math.log(2.5e-7), 2)) == "2.5·10⁻⁷"
    for power in (-301, -1234, -99_999):
        log = (power + 0.4) * math.log(10)
        assert [render(by_log(log, 3, way)).count("10") for way in ("up", "down")] == [1, 1]
        assert render(by_log(log, 3, "down")) == render(by_log(power * math.log(10) + 1e-9))
        assert render(by_log(log, 3, "up")) == render(by_log((power + 1) * math.log(10) - 1e-9))


def test_a_choice_that_is_all_but_certain() -> None:
    """Selection on a large table at ε = 50: the chance to miss is far below every float, and said by
    its power; nowhere is it 0, or the best chosen for certain."""
    data = opened("adult")
    state = Selection()
    found = little(state.with_(mechanism=state.mechanism.at(50.0)), data)
    said = render(found.sentence("compare").say)
    assert re.search(r"at most 10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]{3,}\.", said), said
    assert render(found.fact("chance").text).startswith("1 − 10⁻")
    assert render(found.fact("typical").text).startswith("10⁻")


def test_numpy_rounds_as_python_does() -> None:
    rng = random.Random(3)
    halves = [rng.randrange(1, 10**6) * 10.0 ** -rng.randrange(1, 6) + 5e-7 for _ in range(2000)]
    for value in (2.675, 1.005, 0.285, 40.55, 8.345, *halves):
        for digits in (2, 3, 4):
            assert number(np.float64(value), digits) == number(value, digits)
            assert safely(np.float64(value), digits) == safely(value, digits)


def test_a_target_that_any_answer_meets_names_the_end_of_the_search() -> None:
    found = little(Explore(target=1e9, target_unit="absolute"), opened("adult"))
    said = found.sentence("needed")
    assert "every ε looked at, from 10⁻⁶ on" in render(said.say)
    assert said.tone == "good"


# Composition

EVERY = tuple(kind.key for kind in ACCOUNTANTS)


def stages(state: parameters.Composition) -> list[Findings]:
    return list(state.run(Context(Dataset(DATA._frame, "fresh"), effort=LITTLE)))


def test_a_bound_that_is_still_to_come_is_said_to_be() -> None:
    first, last = stages(parameters.Composition(answers=100, bounds=EVERY))
    assert "total" in first.coarse
    assert "being worked out" in render(first.sentence("numeric").say)
    assert "being" not in render(last.sentence("numeric").say)
    assert not last.coarse
    (only,) = stages(parameters.Composition(answers=100, bounds=("sequential",)))[-1:]
    assert not only.coarse


def test_a_bound_that_ends_says_where() -> None:
    """Beyond 10,000 answers the numeric bound keeps its curve up to there, and the strip names its
    end."""
    state = parameters.Composition(answers=10_001, bounds=("sequential", "renyi", "pld"), view_k=10)
    found = stages(state.with_(mechanism=Laplace(epsilon=0.01)))[-1]
    line = found.figure("total").layer("pld")
    assert 9_000 <= line.x[-1] <= 10_000
    assert "up to k = 10,000" in render(line.label)
    assert "ends at k = 10,000" in render(found.fact("total").note)
    inside = stages(state.with_(answers=10_000, view_k=10))[-1]
    assert "ends" not in render(inside.fact("total").note)
    assert "up to" not in render(inside.figure("total").layer("pld").label)


def test_a_cap_is_no_answer() -> None:
    """Where a bound was looked at no further, the budget buys so many or more."""
    state = parameters.Composition(budget=10_000, answers=10, bounds=("sequential", "renyi"))
    found = stages(state.with_(mechanism=Laplace(epsilon=0.001)))[-1]
    assert render(found.fact("afford").text) == "1,000,000 or more"
    assert "it buys 1,000,000 or more" in render(found.sentence("mitigations").say)
    found = stages(state.with_(budget=20.0))[-1]
    assert "more" not in render(found.fact("afford").text)


def test_the_end_of_a_search_is_no_end_of_a_proof() -> None:
    model = composition_model(
        parameters.Composition(bounds=EVERY).with_(mechanism=Laplace(epsilon=0.001)), DATA
    )
    found = shortcut.zones(model)
    assert found is not None
    assert found.proved == found.most
    assert "where the search ended" in render(bound_words.shortcut_sentence(model).say)


def shown(found: Findings) -> Iterator[tuple[str, Any]]:
    """(where, message) of the strip, sentences, labels and cells."""
    yield from ((s.key, s.say) for s in found.sentences)
    yield from ((f"fact {f.key}", f.text) for f in found.facts)
    for figure in found.figures:
        yield from ((f"figure {figure.key}", layer.label) for layer in figure.layers)
    for table in found.tables:
        for name, cells in table.columns:
            yield from ((f"table {table.key} {name}", cell) for cell in cells)


def numbers(message: Any, field: str = "") -> Iterator[tuple[str, Num]]:
    if isinstance(message, Num):
        yield field, message
    elif isinstance(message, Message):
        for name, value in message.values.items():
            yield from numbers(value, name)


@pytest.mark.parametrize("seed", range(8))
def test_one_total_is_one_text(seed: int) -> None:
    """Above, in sentences, at curves and in tables a total ε has the same digits, rounded the same
    way (the certified ends, which stand for themselves, have more)."""
    rng = random.Random(seed)
    state = random_state(parameters.Composition, seed, DATA).with_(
        given="equal" if seed % 4 else "list",
        answers=rng.randint(2, 400),
        mechanism=rng.choice([Laplace, Geometric])(epsilon=round(rng.uniform(0.01, 3), 3)),
        people=2,
    )
    model = composition_model(state, DATA, fine=True)
    totals = {v.epsilon for v in valued(model)} | {by_adding(model)}
    texts: dict[float, set[str]] = {}
    for where, message in shown(little(state, DATA)):
        for field, value in numbers(message):
            if value.value in totals and field not in ("low", "high") and "group" not in where:
                texts.setdefault(float(value.value), set()).add(str(value))
    assert texts
    assert {total: seen for total, seen in texts.items() if len(seen) > 1} == {}
