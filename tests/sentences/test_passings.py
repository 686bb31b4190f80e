"""From where on something holds, over every lab that says it: at the value that is named the model,
worked out anew, holds, and at the one before it does not; at an end of what was tried no value is
named as one from which on it does."""

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from running import first_rows, opened

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.models.components import model as components
from dpstudio.labs.models.components.draws import captured_at, enough, here, rows_needed, seeds
from dpstudio.labs.models.components.parameters import Components
from dpstudio.labs.models.learn.learners import gradient_descent, logistic_output, naive_bayes
from dpstudio.labs.models.learn.model import NEAR, LearnModel, few_runs, looked, noiseless
from dpstudio.labs.models.learn.model import enough as enough_for_learning
from dpstudio.labs.models.learn.model import here as scores_here
from dpstudio.labs.models.learn.parameters import Learn
from dpstudio.labs.models.learn.target import (
    _scores,
    majority,
    useful,
    wanted_epsilon,
    wanted_passing,
    wanted_score,
)
from dpstudio.labs.models.learn.task import task_of
from dpstudio.labs.nobody.owners.model import OwnersModel
from dpstudio.labs.nobody.owners.parameters import Owners, Trusting
from dpstudio.labs.nobody.owners.trust import asked_of, error
from dpstudio.labs.nobody.owners.trust import enough as people_enough
from dpstudio.labs.nobody.owners.words import trust_sentences
from dpstudio.privacy.learning.components import captured
from dpstudio.privacy.learning.ways import WAYS
from dpstudio.values.messages import render
from dpstudio.values.passing import Passing, passing_beside, solved

QUICK = Effort(points=0.1, draws=0.1)
ROOT = Path(__file__).parents[2]
CURVE = "test_the_curve_reaches_the_target_from_there_on_and_not_just_below"
# Every search of a lab for where something begins, and the test that works it out anew.
SEARCHES = {
    "one_answer/explore/model.py needed": "test_inverses.check_target",
    "one_answer/explore/model.py epsilon_needed": "test_inverses.check_target",
    "one_answer/explore/model.py _least": "test_inverses.check_target",
    "one_answer/explore/model.py _least_for_each": "test_inverses.check_target",
    "one_answer/selection/curves.py epsilon_needed": "test_inverses.check_winner",
    "one_answer/selection/curves.py _least_epsilon": "test_inverses.check_winner",
    "models/components/draws.py enough": "test_passings.check_components",
    "models/components/draws.py rows_needed": "test_passings.check_components",
    "models/components/draws.py _from": "test_passings.check_components",
    "models/learn/model.py from_epsilon": "test_passings.check_epsilons",
    "models/learn/model.py enough": "test_passings.check_epsilons",
    "models/learn/target.py useful": "test_passings.check_epsilons",
    "models/learn/target.py wanted_epsilon": "test_passings.check_epsilons",
    "models/learn/target.py wanted_passing": "test_passings.check_settings",
    "models/learn/learners/learner.py Growth": "test_learning.half_reach_half",
    "nobody/owners/trust.py enough": "test_passings.check_people",
    "models/clusters/model.py wanted_epsilon": f"../labs/test_targets.{CURVE}",
    "nobody/local_learning/model.py wanted_epsilon": f"../labs/test_targets.{CURVE}",
}


def searches(path: Path) -> Iterator[str]:
    """What returns or holds where something begins."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if "Passing" in text else ():
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            if "Passing" in ast.unparse(node.returns):
                yield node.name
        elif isinstance(node, ast.ClassDef):
            held = (part.annotation for part in node.body if isinstance(part, ast.AnnAssign))
            if any("Passing" in ast.unparse(each) for each in held):
                yield node.name


def test_every_search_is_worked_out_anew() -> None:
    labs = ROOT / "dpstudio" / "labs"
    found = {
        f"{path.relative_to(labs).as_posix()} {name}"
        for path in labs.rglob("*.py")
        for name in searches(path)
    }
    assert found == set(SEARCHES)
    for test in SEARCHES.values():
        file, _, name = test.rpartition(".")
        assert f"def {name}(" in (Path(__file__).parent / f"{file}.py").read_text("utf-8")


def test_only_between_two_values_is_one_named() -> None:
    """Words take no value of a search by themselves: `said` gives it to them."""
    for path in (ROOT / "dpstudio" / "labs").rglob("*words.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Num":
                taken = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
                assert not taken & {"before", "at"}, f"{path.name}: {ast.unparse(node)}"


@pytest.mark.parametrize("place", [-5.0, -1.0, 0.0, 0.3, 2.0, 9.0])
def test_a_search_tells_its_ends(place: float) -> None:
    """Of a step and of a line, between 0.1 and 1,000."""
    for fall in (lambda x: place - math.log(x), lambda x: 1.0 if math.log(x) < place else -1.0):
        found = solved(fall, 0.1, 1000.0, 1e-12)
        said = found.said(lambda b, a: ("between", b, a), lambda a: ("always", a),
                          lambda b: ("never", b))  # fmt: skip
        if place <= math.log(0.1):
            assert said == ("always", 0.1)
        elif place > math.log(1000):
            assert said == ("never", 1000.0)
        else:
            before, at = said[1:]
            assert before <= math.exp(place) * (1 + 1e-15) <= at * (1 + 1e-15)
            assert at <= before * (1 + 1e-9)
    rng = np.random.default_rng(3)
    for _ in range(100):
        values, own = np.sort(rng.random(5)), float(rng.random())
        held = passing_beside(values, values > 0.5, own, own > 0.5)
        tried = np.sort([*values, own])
        assert held.at == next((x for x in tried if x > 0.5), None)
        assert held.before == next((x for x in tried[::-1] if x <= 0.5), None)


def held(found: Passing, holds: Callable[[float], bool]) -> bool:
    """What is named is so; whether two values are, between which it begins."""
    if found.at is not None:
        assert holds(found.at)
    if found.before is not None:
        assert not holds(found.before)
    return found.at is not None and found.before is not None


def test_components_keep_enough_from_there_on() -> None:
    rng, between = np.random.default_rng(5), 0
    data = first_rows(600)
    for seed, kind in enumerate(WAYS):
        share = float(rng.choice([0.3, 0.8, 0.95, 0.999]))
        lab = Components(seed=seed + 1, enough=share).suited(data)
        lab = lab.with_(mechanism=kind(epsilon=float(10 ** rng.uniform(-1, 1))))
        between += check_components(components.components_model(lab, Context(data, effort=QUICK)))
    assert between >= 2


def check_components(model: components.ComponentsModel) -> int:
    """At an ε by the draws there; at so many rows by second moments that are so many times larger."""
    lab, way = model.lab, components.chosen(model)

    def keeps(at: float) -> bool:
        return bool(np.median(captured_at(model, way.key, at)) >= lab.enough)

    def many_keep(rows: float) -> bool:
        more = components.scatter(model) * (rows / components.n(model))
        looking = lab.seed, 61 + [kind.key for kind in WAYS].index(way.key)
        drawn = way.subspaces(
            more, model.k, components.move(model), seeds(model), looking, lambda: None
        )
        return bool(np.median(captured(more, drawn)) >= lab.enough)

    assert keeps(components.epsilon(model)) == bool(np.median(here(model)) >= lab.enough)
    return held(enough(model), keeps) + held(rows_needed(model), many_keep)


@pytest.mark.parametrize(
    ("learner", "solve"),
    [
        (naive_bayes.NaiveBayes(), "epsilon"),
        (naive_bayes.NaiveBayes(), "rows"),
        (logistic_output.LogisticOutput(), "rows"),
        (gradient_descent.GradientDescent(steps=5, chance=0.2, about=160), "noise"),
    ],
)
def test_models_are_as_good_from_there_on(learner, solve: str) -> None:
    """By models learnt anew, from a table that remembers none."""
    data = opened("house_votes_84")
    lab = Learn(epsilon=3.0, others=False, seed=2).suited(data)
    lab = lab.with_(learner=learner, solve=solve)
    *_, model = lab.page().stages(lab, Context(data, effort=QUICK))
    between = check_epsilons(model)
    if solve != "epsilon":
        between += check_settings(model)
    assert between >= 1


def anew(model: LearnModel, at: float) -> np.ndarray:
    """The scores of as many models at this ε, learnt by a table that remembers none."""
    runs = model.curve.scores.shape[1]
    if at == model.lab.epsilon and at not in model.curve.epsilons:
        runs = len(scores_here(model))
    fresh = Dataset(model.data._frame, "fresh").described(model.data.codebook)
    public, task = replace(model.known, epsilon=at), task_of(model.lab, fresh)
    return np.asarray(model.lab.learner.scores(task, public, looked(model.lab, runs)))


def check_epsilons(model: LearnModel) -> int:
    """Where fewer than half are useless, half lose no more than a hundredth, and half reach what is
    wanted."""
    asked = (
        (useful(model), lambda scores: np.mean(scores <= majority(model)) < 0.5),
        (
            enough_for_learning(model),
            lambda scores: np.mean(scores > noiseless(model) - NEAR) >= 0.5,
        ),
        (wanted_epsilon(model), lambda scores: np.median(scores) >= wanted_score(model)),
    )
    return sum(
        held(found, lambda at, good=good: bool(good(anew(model, at)))) for found, good in asked
    )


def check_settings(model: LearnModel) -> int:
    """Half reach what is wanted with as much noise, or as many rows, as is named."""

    def reached(value: float) -> bool:
        if model.lab.solve == "noise":
            place = int(np.argmin(np.abs(model.sweep.values - value)))
            scores = anew(model, float(model.curve.epsilons[place]))
        else:
            fresh = Dataset(model.data._frame, "fresh").described(model.data.codebook)
            context = Context(fresh, effort=QUICK)
            scores = _scores(model.lab, context, "rows", value, few_runs(QUICK))
        return bool(np.median(scores) >= wanted_score(model))

    return held(wanted_passing(model), reached)


def test_so_many_people_are_enough() -> None:
    rng, data, met = np.random.default_rng(8), first_rows(50), set[str]()
    for _ in range(12):
        looks = Trusting(
            epsilon=float(10 ** rng.uniform(-1.5, 0.7)),
            below=float(f"{10 ** rng.uniform(-3, -1):.2g}"),
        )
        met |= check_people(OwnersModel(Owners(looks=looks), data, QUICK))
    assert met == {"named", "more than"}


def check_people(model: OwnersModel) -> set[str]:
    """By the error at so many and at one fewer; beyond a million nobody is counted."""
    (said,) = (each for each in trust_sentences(model) if each.key == "enough")
    asked, met = asked_of(model), set[str]()
    for way, word in (("central", "one"), ("local", "other")):
        found = people_enough(model, way)
        assert found.before is None or found.before + 1 == (found.at or 1_000_001)
        held(found, lambda people, way=way: error(way, asked, int(people)) <= asked.below * people)
        text = render(said.say.values[word])
        assert text == ("more than 1,000,000" if found.at is None else f"{round(found.at):,}")
        met.add("more than" if found.at is None else "named")
    return met
