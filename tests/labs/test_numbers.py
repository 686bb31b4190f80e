"""Every number that a lab says comes from its model: sentences, strip and labels compute nothing.

While a lab runs, all that the functions of its model (and of the floors below) return is written
down. A number in a message that is none of these, nor a parameter, was worked out beside the model,
where no test looks: that is how a sentence comes to say something false.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from label_meanings import misplaced
from recorder import states
from roundings import at_odds
from running import LEAST, lab_of, little, opened, state_of

import dpstudio
from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.naming import every_lab, successor_of_words
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.one_answer.sensitivity.parameters import SensitivityLab
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import Additive
from dpstudio.privacy.queries import ADJACENCIES, Query
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.privacy.queries.variance import Deviation, Variance
from dpstudio.values.messages import Message, Num, render
from dpstudio.values.parameters import Parameters, domains

ROOT = Path(dpstudio.__file__).parent
SAYING = ("words", "charts", "panel", "page")
SAID = (Message, Num, Sentence, Fact, Findings, Figure, Table)
NO_NUMBER = (bool, str, bytes, type(None))
LARGEST = 5_000  # numbers of one array that are written down
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>"}
BLOCK = 16_384  # that are compared at once


@cache
def knows(filename: str) -> bool:
    """Whether a file works numbers out, and does not only say or draw them."""
    if not filename.startswith(str(ROOT)):
        return False
    room, _, _ = filename.removeprefix(f"{ROOT}/").partition("/")
    last = Path(filename).stem.rsplit("_", 1)[-1]
    return room in ("data", "privacy") or (room == "labs" and last not in SAYING)


class Ledger:
    """The numbers that functions of models return while they are listened to."""

    def __init__(self) -> None:
        self.numbers: set[float] = set()
        self.arrays: list[np.ndarray] = []  # millions of numbers, a tenth of what a set takes
        # Values that were walked through, and how deep: many a function returns one again. All are
        # frozen below the window.
        self.walked: dict[int, tuple[object, int]] = {}

    def __enter__(self) -> Ledger:
        sys.setprofile(self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _heard(self, frame: FrameType, event: str, value: Any) -> None:
        # Most that is heard is a call, or what no model is: those are told first. Python hears
        # nothing while it is in here.
        if event != "return" or value is None or not knows(name := frame.f_code.co_filename):
            return
        # A list that a function makes on its way is its own affair; from Python 3.12 on it is not even
        # heard.
        if frame.f_code.co_name in COMPREHENSIONS:
            return
        # What a lab puts into words is no source; what the floors below say of theirs is.
        if not (isinstance(value, SAID) and "/labs/" in name):
            self.take(value)

    def take(self, value: Any, depth: int = 3) -> None:
        """Write down every number in a value."""
        sort = type(value)
        if sort is float:
            self.numbers.add(value)
        elif sort in NO_NUMBER:
            return
        elif isinstance(value, int | float | np.number):
            self.numbers.add(float(value))
        elif isinstance(value, np.ndarray):
            if value.dtype.kind in "iuf" and value.size <= LARGEST and id(value) not in self.walked:
                self.arrays.append(value.ravel().astype(np.float64))
                if not value.flags.writeable:  # what is frozen says the same again
                    self.walked[id(value)] = value, depth
        elif isinstance(value, Num):
            self.numbers.add(float(value.value))
        elif isinstance(value, Message):
            for held in value.values.values():
                self.take(held, depth)
        elif depth and isinstance(value, dict | MappingProxyType):
            for held in [*value.keys(), *value.values()]:
                self.take(held, depth - 1)
        elif depth and isinstance(value, list | tuple | set | frozenset):
            if len(value) <= LARGEST:
                for held in value:
                    self.take(held, depth - 1)
        elif depth and dataclasses.is_dataclass(value):
            if self.walked.get(id(value), (None, 0))[1] >= depth:
                return
            if getattr(type(value), "__dataclass_params__", None):
                self.walked[id(value)] = value, depth
            for field in dataclasses.fields(value):
                if field.name not in ("data", "codebook"):
                    self.take(getattr(value, field.name, None), depth - 1)

    def lacks(self, numbers: set[float]) -> set[float]:
        """Those of some finite numbers that were not returned, to the last bits, nor their
        logarithms (`by_log`)."""
        if not numbers:
            return set()
        held = np.concatenate([np.fromiter(self.numbers, np.float64), *self.arrays])
        wanted = np.array(sorted(numbers))
        reach = 1e-12 * np.abs(wanted)
        near = np.zeros(len(wanted), dtype=bool)
        with np.errstate(over="ignore"):
            # The last first, which are likelier said, and as many as stay near the processor: of
            # millions at once each step would fetch all of them anew.
            for end in range(len(held), 0, -BLOCK):
                some = held[max(0, end - BLOCK) : end]
                at = np.minimum(np.searchsorted(wanted + reach, some), len(wanted) - 1)
                near[at[np.abs(some - wanted[at]) <= reach[at]]] = True
                if near.all():
                    return set()
        # Two of them may be as near to each other, and logarithms are few.
        return {
            number
            for number in wanted[~near].tolist()
            if not (number > 0 and (held == math.log(number)).any())
            and not np.isclose(held, number, rtol=1e-12, atol=0).any()
        }


def parameters(kind: Parameters) -> Iterator[float]:
    """Every number among the parameters of a lab."""
    ledger = Ledger()
    for name in domains(type(kind)):
        held = getattr(kind, name)
        if isinstance(held, Parameters):
            yield from parameters(held)
        else:
            ledger.take(held)
    yield from ledger.numbers


def numbers(message: Any) -> Iterator[tuple[str, float]]:
    """(field, value) of every number in a message, nested ones included."""
    if isinstance(message, Message):
        for field, value in message.values.items():
            if isinstance(value, Num):
                yield field, float(value.value)
            elif isinstance(value, int | float) and not isinstance(value, bool):
                yield field, float(value)
            else:
                yield from numbers(value)


def messages(found: Findings) -> Iterator[tuple[str, Any]]:
    """(place, message) of everything that is said."""
    for sentence in found.sentences:
        yield f"sentence {sentence.key}", sentence.say
    for fact in found.facts:
        for part in (fact.label, fact.text, fact.note):
            yield f"fact {fact.key}", part
    for figure in found.figures:
        yield from said_in(figure)


def said_in(figure: Figure) -> Iterator[tuple[str, Any]]:
    """The messages of a chart."""
    for part in (figure.title, figure.subtitle, figure.x.label, figure.y.label, *figure.notes):
        yield f"chart {figure.key}", part
    for layer in figure.layers:
        yield f"chart {figure.key} layer {layer.key}", layer.label
    for column in figure.lanes.columns if figure.lanes is not None else ():
        for cell in (column.head, *column.cells):
            yield f"chart {figure.key} column {render(column.head)}", cell


def forget() -> None:
    """Drop what functions of whole modules remember: it is returned by nobody again."""
    for name in [name for name in sys.modules if name.startswith("dpstudio.")]:
        for held in remembering(name):
            held.cache_clear()
    OF_NO_TABLE.forget(lambda question: False)


@cache
def remembering(module: str) -> list[Any]:
    """The functions of an imported module that remember."""
    return [held for held in vars(sys.modules[module]).values() if hasattr(held, "cache_clear")]


def heard_of(lab: Lab, data: Dataset) -> tuple[Findings, list[tuple[str, str, float]]]:
    """What a lab finds, and (place, field, number) of what no model function gave."""
    forget()
    with Ledger() as ledger:
        # As a fresh table, for the same reason.
        fresh = Dataset(data.whole._table, data.name).described(data.codebook)
        found = little(lab, fresh, LEAST)
    assert found.figures
    ledger.take(data.codebook)
    ledger.numbers.update(parameters(lab))
    ledger.numbers.update((0.0, 1.0, 100.0, float(fresh.rows)))
    said = [(place, *told) for place, message in messages(found) for told in numbers(message)]
    lacking = ledger.lacks({number for _, _, number in said if math.isfinite(number)})
    return found, [told for told in said if told[2] in lacking]


# Beside the default, four states or five of tests/reference/states.json a lab, by their places there: with
# δ > 0 and with both adjacencies where the lab has these, both in the first two, which the suite
# tries (`soak.py --only numbers` all); then with persons, bounds that are known, a condition, and the
# answer hidden; a list with samples, and what is as printed.
IN_SUITE = 2
STATES = {
    "explore": (8, 16, 4, 12),
    "compare": (35, 46, 38, 52),
    "composition": (72, 60, 62, 66, 282),
    "guarantee": (84, 92, 90, 85),
    "dimension": (98, 99, 104, 102),
    "clipping": (121, 124, 125, 119),
    "selection": (141, 136, 143, 134),
    "sensitivity": (146, 155, 153, 150),
    "audit": (170, 174, 166, 164),
    "float_leak": (184, 186, 189, 180),
    "survey": (198, 201, 192, 193),
    "local_counts": (207, 212, 208, 211),
    "local_means": (224, 226, 228, 225),
    "stories": (238, 242, 239, 241),
    "printed": (255, 256, 268, 259),
    "components": (271, 272, 273, 274, 275),
    "local_learning": (277, 278, 279, 280, 281),
    "learn": (283, 284, 285, 286, 287),
    "compress": (289, 290, 291, 292),
    "clusters": (293, 295, 294, 296),
    "synthesis": (297, 298, 299),
    "anonymity": (300, 301, 313, 314),
    "masking": (315, 316, 317),
    "risk": (318,),
    "rules": (319,),
    "room": (302, 303),
    "owners": (304, 305),
    "membership": (306,),
    "differencing": (307, 308),
    "averaging": (309, 312, 310, 311),
}


def tried(kind: type[Lab], most: int | None = None) -> list[tuple[str, Lab, Dataset]]:
    """(words, lab, table) of the default of a lab and of its states, so many at most."""
    adult = opened("adult")
    made: list[tuple[str, Lab, Dataset]] = [("default", kind().suited(adult), adult)]
    for place in STATES.get(kind.key, ())[:most]:
        words = states()[place]
        made.append((" ".join(words), *state_of(words)))
    return made


def held(kind: Parameters) -> Iterator[tuple[str, Any]]:
    """Names and values of all parameters, those of a lab's question and mechanism too."""
    for name in domains(type(kind)):
        value = getattr(kind, name)
        yield name, value
        if isinstance(value, Parameters):
            yield from held(value)


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_every_number_that_is_said_comes_from_the_model(kind: type[Lab]) -> None:
    """And it reads alike wherever it stands: no two texts of one number contradict each other, and
    what stands at a curve, rule or dot is what its words say that it is."""
    check(kind, IN_SUITE)


def check(kind: type[Lab], most: int | None = None) -> None:
    missing, odd = {}, {}
    for words, lab, data in tried(kind, most):
        found, missing[words] = heard_of(lab, data)
        odd[words] = [*at_odds(found), *misplaced(lab, data, found)]
    count = sum(map(len, missing.values()))
    shown = "\n".join(f"{words}\n    {found}" for words, found in missing.items() if found)
    assert not count, f"{count} numbers are worked out beside the model:\n{shown}"
    assert {words: found for words, found in odd.items() if found} == {}


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_the_states_try_what_the_lab_has(kind: type[Lab]) -> None:
    """δ > 0 and both adjacencies, where any state of the lab has them."""
    had, here = set(), set()
    for place, words in enumerate(states()):
        if successor_of_words(words).lab == kind.key:
            lab, _ = lab_of(words)
            said = {(n, v) for n, v in held(lab) if n == "adjacency"}
            said |= {("δ > 0", True) for n, v in held(lab) if n == "delta" and v > 0}
            had |= said
            here |= (
                said if place in STATES.get(kind.key, ())[:IN_SUITE] or len(words) == 1 else set()
            )
    assert here == had


def run_numbers() -> int:
    """All states of all labs, for the soak; how many labs say what no model returned."""
    broken = 0
    for kind in every_lab():
        try:
            check(kind)
        except AssertionError as error:
            broken += 1
            print("!", kind.key, error)
    return broken


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", [Count, Sum, Mean, Variance, Deviation])
def test_answers_of_neighbours_are_those_of_the_rows(query: type[Query], adjacency: str) -> None:
    """By the rows of the table: what was said of a mean was held against itself alone."""
    asked: Any = query() if query is Count else query(column="age", low=20.0, high=71.0)
    data = opened("adult")
    for each in (asked, asked.with_(centred=False) if query is Mean else asked):
        lab = SensitivityLab(query=each, adjacency=adjacency)
        assert list(misplaced(lab, data, little(lab, data, LEAST))) == []


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_the_mass_of_clamped_answers_is_that_of_the_noise_below(kind: type[Additive]) -> None:
    """By quadrature of its density; only Laplace noise was held against another route."""
    data = Dataset(pd.DataFrame({"x": [1.0, 1.0, 0.0]}), "two")
    lab = Explore(
        query=Count(where="x > 0.5"), mechanism=kind(epsilon=0.4), post_processing="clamp"
    )
    found = little(lab, data, LEAST)
    labels = [layer.label for layer in found.figure("error").layers]
    shown = any("exactly here" in render(label) for label in labels)
    assert shown != kind.integers  # whose steps show it
    assert list(misplaced(lab, data, found)) == []
