"""What is said of groups of people, and of persons with several rows, against the laws themselves:
every noise of the catalogue cut into cells, shifted as far as all of them may shift it, and
multiplied out."""

import itertools
import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from running import little
from scipy.special import ndtr

from dpstudio.data.codebook import Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.labs.many_answers.composition import certificate, groups, parameters, words
from dpstudio.labs.many_answers.composition.model import (
    CompositionModel,
    bounds,
    composition_model,
    tightest,
    tightest_delta,
)
from dpstudio.labs.many_answers.composition.model import bound_of as bound_named
from dpstudio.labs.series_model import NOTHING, by_adding, known, total_here
from dpstudio.labs.start.stories.stories.group import Group
from dpstudio.privacy.accounting import ADD_REMOVE, REPLACE, Ledger, Numeric, Sequential, Spend
from dpstudio.privacy.accounting.groups import group_privacy, group_worlds, together
from dpstudio.privacy.accounting.groups import group_promise as group_promise_of
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.privacy.mechanisms import MECHANISMS, Additive, gaussian, geometric, laplace
from dpstudio.privacy.mechanisms.catastrophe import Catastrophe
from dpstudio.values.messages import render
from dpstudio.values.parameters import put

PATH = Path(__file__).parent.parent / "reference" / "groups.json"
REFERENCE = json.loads(PATH.read_text(encoding="utf-8"))
ONE = Dataset(pd.DataFrame({"x": [1.0]}), "one row")
CELLS = 160


def cut(mechanism: Additive, shift: int, cells: int = CELLS) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of cells of the noise, shifted and not. To read only the cell is
    post-processing: no two laws are farther apart than before."""
    law = mechanism.law(UNIT)
    atoms = [mass for _, mass in law.atoms]
    leak = sum(atoms)
    far = float(law.quantile(np.array([1 - 1e-7 * (1 - leak)]))[0])
    ends = np.linspace(-far, far + shift, cells)
    ends = np.unique(np.round(ends)) + 0.5 if law.discrete else np.append(ends, [0.0, float(shift)])
    ends = np.unique(ends)
    both = []
    for centre in (float(shift), 0.0):
        inside = law.cdf(ends - centre) - sum(
            mass * (ends - centre >= place) for place, mass in law.atoms
        )
        both.append(np.diff(inside, prepend=0.0, append=1 - leak))
    if leak and shift:  # an atom tells which table it is
        both = [np.append(both[0], [leak, 0.0]), np.append(both[1], [0.0, leak])]
    return both[0], both[1]


def delta_of(parts: list[tuple[np.ndarray, np.ndarray]], epsilon: float) -> float:
    """δ(ε) of all of them together, every outcome gone through."""
    inside, outside = np.ones(1), np.ones(1)
    for p, q in parts:
        inside, outside = np.outer(inside, p).ravel(), np.outer(outside, q).ravel()
    return float(np.sum(np.maximum(0.0, inside - math.exp(min(epsilon, 700)) * outside)))


def model(fine: bool = True, data: Dataset = ONE, **fields: object) -> CompositionModel:
    return composition_model(parameters.Composition(**fields), data, fine)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_no_group_is_promised_more_than_holds(kind: type[Additive]) -> None:
    """Two answers, and one, shifted by up to m: never more apart than is said, at the ε that is
    quoted, that by adding up, and between; and a pure answer has no δ."""
    rng = random.Random(kind.key)
    for _ in range(4):
        epsilon, delta = 10 ** rng.uniform(-1, 0.3), 10 ** rng.uniform(-6, -1.5)
        made, people, k = kind().at(epsilon, delta), rng.randint(2, 5), rng.choice((1, 2))
        if kind.key == "textbook" and k == 2:  # false, and of two, as cells hold no smaller masses
            made, people = made.at(rng.uniform(6, 8), 0.1), 2
        at = model(mechanism=made, answers=k, people=people, fine=rng.random() < 0.7)
        said = groups.group_promise(at)
        for promise in (said, groups.group(at, people), groups.group_by_adding(at, people)):
            for moved in range(1, people + 1):
                true = delta_of([cut(made, moved)] * k, promise.epsilon)
                assert true <= promise.delta * (1 + 1e-6) + 1e-9, (made, k, people, moved)
        most = group_privacy(tightest(at).epsilon, tightest_delta(at), people)[1]
        assert groups.group(at, people).delta <= most * (1 + 1e-9)
        if made.pure:
            assert groups.group_by_adding(at, people).delta == 0


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_no_group_is_promised_what_is_no_promise(kind: type[Additive]) -> None:
    """At random sizes of all and at their ends: no δ of some size is paid for a smaller gain in ε,
    nobody is promised odds of 10³⁰⁰, and the floor of a float is no δ."""
    rng = random.Random(kind.key)
    for _ in range(8):
        made = kind().at(10 ** rng.uniform(-2, 1.6), 10 ** rng.uniform(-12, -1))
        k = rng.choice((1, 3, 40, 2000))
        k = max(1, min(k, int(0.4 / (made.total_delta or 1e-9))))
        slack = rng.choice((0.0, 1e-12, 1e-5, 0.1))
        at = model(mechanism=made, answers=k, people=rng.randint(2, 10), delta_prime=slack)
        said, added = groups.group_promise(at), groups.group_by_adding(at, at.lab.people)
        if said.delta > 1e-3 and added.delta == 0:
            assert said.epsilon <= (1 - said.delta) * added.epsilon
        sentence = words._group(at)
        told, promised = render(sentence.say), sentence.tone != "bad"
        assert promised == ("is promised" in told)
        assert (sentence.tone == "warn") == (promised and said.delta >= 0.01), told
        assert promised == (said.delta < NOTHING and said.epsilon <= 300 * math.log(10)), told
        assert not promised or "δ = 1.00·10⁻³⁰⁰" not in told


def test_the_referees_states() -> None:
    """60 Gaussian answers by 2μ-GDP; 13 catastrophes grouped first, and by their own law."""
    normal = gaussian.AnalyticGaussian(epsilon=1.1, delta=1e-6)
    at = model(mechanism=normal, answers=60, people=2)
    said, mu = groups.group_promise(at), 2 * math.sqrt(60) / normal.law(UNIT).sigma
    x = said.epsilon
    exact = ndtr(mu / 2 - x / mu) - math.exp(x) * ndtr(-mu / 2 - x / mu)
    assert x < 18.4
    assert said.delta == pytest.approx(float(exact), rel=1e-3)
    assert "next to nothing" not in str(little(at.lab, ONE).sentence("group").say)
    leaky = Spend.of(Catastrophe(epsilon=0.57, delta=1e-4), count=13)
    ledger, epsilon = Ledger((leaky,)), 2 * 13 * 0.57
    first = Sequential().world_delta((together(Spend(0.57, 1e-4, count=13), 2),), epsilon)
    assert first == pytest.approx(0.0036, abs=5e-5)
    own = max(Sequential().world_delta(world, epsilon) for world in group_worlds(ledger, 2))
    assert own == pytest.approx(0.0013)
    at = model(mechanism=leaky.mechanism, answers=13, people=2)
    assert groups.group_by_adding(at, 2).delta <= 1 - (1 - 1e-4) ** 13 + 1e-12


@pytest.mark.parametrize("state", REFERENCE, ids=lambda state: "-".join(map(str, state[:5])))
def test_groups_against_the_reference_library(state: list[Any]) -> None:
    """δ of a group by the law itself is that of dp-accounting; what is promised at that ε, by any
    bound, is never less (tests/reference/groups.py)."""
    key, scale, people, answers, epsilon, low, high = state
    made = put(next(kind for kind in MECHANISMS if kind.key == key)(), "scale", str(scale))
    ledger = Ledger((Spend.of(made, count=answers),))
    own = max(Numeric().world_delta(world, epsilon) for world in group_worlds(ledger, people))
    assert low * (1 - 1e-6) - 1e-12 <= own <= high * (1 + 1e-3) + 1e-12
    at = model(mechanism=made, answers=answers, people=people)
    said = groups.group_at(at, people, epsilon).delta
    assert low * (1 - 1e-6) - 1e-12 <= said <= high * (1 + 1e-3) + 1e-12


@pytest.mark.parametrize("adjacency", [ADD_REMOVE, REPLACE])
@pytest.mark.parametrize("rows", [1, 2])
def test_parts_by_everyone_who_may_be_in_them(adjacency: str, rows: int) -> None:
    """Brackets and groups of two, of persons with several rows: brute force over which parts each
    of them touches."""
    rng = random.Random(f"{adjacency} {rows}")
    kinds = (laplace.Laplace, geometric.Geometric, gaussian.AnalyticGaussian, Catastrophe)
    for _ in range(4):
        parts = [
            rng.choice(kinds)().at(10 ** rng.uniform(-0.7, 0.2), 10 ** rng.uniform(-4, -2))
            for _ in range(3)
        ]
        ledger = Ledger(tuple(Spend.of(m, group="a") for m in parts), adjacency, rows)
        touched = min(3, rows * (2 if adjacency == REPLACE else 1))
        for people in (1, 2):
            worlds = group_worlds(ledger, people)
            for epsilon in (0.0, 0.7 * people, people * 2.0):
                said = max(Numeric().world_delta(world, epsilon) for world in worlds)
                for picked in itertools.product(
                    itertools.combinations(range(3), touched), repeat=people
                ):
                    counts = [sum(i in one for one in picked) for i in range(3)]
                    pairs = [cut(m, n, 24) for m, n in zip(parts, counts, strict=True) if n]
                    assert delta_of(pairs, epsilon) <= said * (1 + 1e-6) + 1e-6


def test_a_group_does_worst_spread_over_parts_that_leak() -> None:
    """Two people in one part are told by one leak, in two parts by either of two."""
    leaky = Spend.of(Catastrophe(epsilon=1.0, delta=1e-3), group="a")
    smaller = Spend.of(Catastrophe(epsilon=0.9, delta=1e-3), group="a")
    bounds = (Sequential(), Numeric())
    for parts in ((leaky, leaky), (leaky, smaller)):
        promise = group_promise_of(bounds, Ledger(parts), 2, 2.0)
        assert promise.delta >= 1 - (1 - 1e-3) ** 2


def test_several_rows_add_up_in_brackets() -> None:
    """A list of the page: with two rows a person both parts count, in the total
    and by the budget; pure parts have no δ, nor has a group."""
    text = "(laplace 0.2 + laplace 0.3 + laplace 0.1)"
    shown = {"given": "list", "releases": text, "people": 3}
    bounds = ("sequential", "parallel", "optimal")
    for rows, adjacency, most in ((1, ADD_REMOVE, 0.3), (2, ADD_REMOVE, 0.5), (2, REPLACE, 0.6)):
        at = model(**shown, bounds=bounds, adjacency=adjacency, data=_of(rows))
        assert total_here(at, bound_named(at, "parallel")) == pytest.approx(most)
        assert (tightest(at).bound.key, tightest_delta(at)) == ("parallel", 0.0) or most == 0.6
        assert by_adding(at) == pytest.approx(0.6)
        found = groups.group_promise(at)
        assert (found.epsilon, found.delta) == (pytest.approx(3 * most), 0.0)
        told = little(at.lab, at.data).sentence("parallel").say.values
        assert rows == 1 or told["count"].value == at.ledger.touched


def _of(rows: int) -> Dataset:
    """A table of one person with so many rows, all of which are kept."""
    table = pd.DataFrame({"x": [1.0] * 3, "who": ["a"] * 3})
    return Dataset(table, "rows").described(Codebook(person="who", most=rows))


def test_the_story_and_the_lab_have_one_formula() -> None:
    """δ(1 + e^ε + … + e^((m−1)ε)), below the common form, in each that speaks of groups."""
    for epsilon, delta, m in itertools.product((1e-3, 0.5, 3.0), (1e-12, 1e-4), (2, 5, 10)):
        steps = min(1.0, sum(delta * math.exp(i * epsilon) for i in range(m)))
        assert group_privacy(epsilon, delta, m)[1] == pytest.approx(steps)
        assert Group(epsilon=epsilon, delta=delta, people=m).stepped_delta(m) == pytest.approx(
            steps
        )
        bare = together(Spend(epsilon, delta), m)
        assert (bare.epsilon, bare.delta) == (m * epsilon, pytest.approx(steps))
    assert group_privacy(0.0, 1e-6, 7) == (0.0, pytest.approx(7e-6))
    assert group_privacy(50.0, 1e-300, 1000)[1] == 1.0


def test_parts_need_no_delta() -> None:
    """Pure answers about disjoint parts cost the largest with δ = 0, where another bound says that
    ε with a δ."""
    at = model(given="list", releases="(laplace 0.3 + laplace 0.2)", bounds=("sequential", "renyi"))
    assert (tightest(at).bound.key, tightest(at).epsilon) == ("parallel", 0.3)
    assert tightest_delta(at) == 0
    asked = at.lab.with_(at_epsilon=0.4)
    assert render(little(asked, ONE).sentence("delta").say) == "At ε = 0.4 in all they need no δ."


def test_a_first_picture_waits_for_nothing_slow() -> None:
    """The optimum of many different releases, and groups that touch many parts, are left to later
    or to quicker bounds: no numeric bound is asked by a first picture."""
    text = " | ".join(f"60 x laplace {0.01 * i:.2f}" for i in range(1, 9))
    at = model(given="list", releases=text, bounds=("sequential", "optimal", "renyi"), fine=False)
    assert [bound.key for bound in bounds(at)] == ["sequential", "renyi"]
    assert certificate.awaited(at)
    assert "optimal" not in {bound.key for bound in known(at)}
