"""Sentences of Learn: of searches that meet an end of their range, of guesses, of what is better
than one answer, by simulation, brute force and other libraries."""

import math
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from forgotten import forgotten
from running import LEAST, little, opened
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression, Ridge

from dpstudio.data.codebook import codebook_words
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.leaving import StaysError, leave
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.models.learn import learners, page, row_words, target, target_words, words
from dpstudio.labs.models.learn import model as learn
from dpstudio.labs.models.learn.learners import least_squares, naive_bayes, regression_output
from dpstudio.labs.models.learn.learners.gradient_descent import GradientDescent
from dpstudio.labs.models.learn.learners.logistic_output import LogisticOutput
from dpstudio.labs.models.learn.learners.regression import moments_of
from dpstudio.labs.models.learn.parameters import Learn
from dpstudio.labs.models.learn.target import wanted_score
from dpstudio.labs.models.learn.task import known, sampled, task_of
from dpstudio.privacy.learning.moments import r_squared
from dpstudio.privacy.learning.training_promise import MOST_STEPS, renyi_epsilon
from dpstudio.privacy.rates import least_better, least_explained
from dpstudio.values.messages import Message, Num, render
from dpstudio.values.passing import passing

QUICK = Effort(points=0.1, draws=0.1)


def numbers(message: Message) -> set[float]:
    """Those of a message and of the messages in it."""
    found = set[float]()
    for value in message.values.values():
        found |= numbers(value) if isinstance(value, Message) else set()
        if isinstance(value, Num):
            found.add(value.value)
    return found


def test_a_search_begins_where_it_holds_for_good() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        holds = rng.random(rng.integers(1, 7)) < 0.6
        values = np.cumsum(rng.random(len(holds)))
        found = passing(values, holds)
        good = [i for i in range(len(holds)) if holds[i:].all()]
        assert found.at == (values[good[0]] if good else None)
        first = good[0] if good else len(holds)
        assert found.before == (values[first - 1] if first else None)


def stepped(model: learn.LearnModel, x: np.ndarray, from_: int) -> np.ndarray:
    """Scores (x, 5) that are all as wanted from one place on, and as one answer's before it."""
    low, high = target.majority(model) - 0.01, learn.noiseless(model)
    return np.where(np.arange(len(x)) >= from_, high, low)[:, None] * np.ones(5)


@pytest.mark.parametrize("learner", [LogisticOutput(), GradientDescent(steps=20)])
def test_a_search_that_meets_an_end_of_its_range_says_so(learner, adult: Dataset) -> None:
    """Whether the first value tried is enough, or not even the last: no number of an end is told as
    one from which on something holds. Between the ends two are told: the first that is enough, and
    the one before it that is not."""
    x = np.geomspace(0.01, 10, 7)
    lab = Learn(learner=learner, epsilon=float(x[3]), others=False)
    context = Context(adult, effort=QUICK)
    whats = ("epsilon", "rows", *(("noise",) if isinstance(learner, GradientDescent) else ()))
    for what in whats:
        model = learn.learn_model(lab.with_(solve=what), context, learn.Curve(x, x), whole=True)
        for from_ in range(8):
            scores = stepped(model, x, from_)
            values = {"noise": 8 / x, "rows": 1000 * x}.get(what, x)
            made = replace(
                model, curve=learn.Curve(x, scores), sweep=learn.Sweep(values, scores), whole=False
            )
            # What was drawn at the ε in use, which is one of them.
            made.__dict__[f"{learn.here.__module__}.{learn.here.__qualname__}"] = scores[3]
            (said,) = target_words.wanted(made)
            text, told = render(said.say), numbers(said.say)
            if from_ == 0:
                assert any(word in text for word in ("every ε", "all noise", "fewest tried")), text
            elif from_ == 7:
                assert any(word in text for word in ("no ε drawn", "no number of rows tried"))
                assert said.tone == "warn"
            else:
                assert {values[from_], values[from_ - 1]} <= told, text


def test_steps_beyond_those_that_are_counted_are_no_most() -> None:
    """With hardly any noise asked for, as many steps as the accountant sees are allowed."""
    assert renyi_epsilon(200.0, 0.001, MOST_STEPS, 1e-5) < 1
    lab = Learn(learner=GradientDescent(chance=0.001), epsilon=1.0, solve="noise", others=False)
    context, sigmas = Context(opened("adult"), effort=QUICK), np.array([400.0, 200.0])
    model = learn.learn_model(lab, context, learn.Curve(sigmas, sigmas), whole=True)
    scores = stepped(model, sigmas, 1)
    made = replace(
        model, curve=learn.Curve(np.array([0.1, 1.0]), scores), sweep=learn.Sweep(sigmas, scores)
    )
    (said,) = target_words.wanted(made)
    assert "10,000 steps of 0.1 % and more" in render(said.say)


def test_rows_that_teach_are_no_end_of_a_guess() -> None:
    """At as many as are told half of the models reach half, at those tried before they do not; where none
    do, not even 10⁸ with a guess of 10⁸. What they reach without noise is scikit-learn's ridge."""
    data, met = opened("diabetes"), set[str]()
    for penalty, epsilon in ((1e-3, 1.0), (0.01, 0.3), (0.1, 1.0), (0.1, 40.0), (1.0, 50.0)):
        learner = regression_output.OutputRegression(penalty=penalty, radius=10.0)
        lab = Learn(epsilon=epsilon).suited(data).with_(learner=learner)
        model = learn.learn_model(
            lab, Context(data), learn.Curve(np.ones(1), np.ones((1, 20))), whole=True
        )
        found, task = learn.growth(model), task_of(lab, data)
        reached = partial(half_reach_half, model)
        x, y = rows_of(task)
        ridge = Ridge(alpha=penalty * len(x), fit_intercept=False).fit(x, y)
        explained = 1 - np.sum((y - ridge.predict(x)) ** 2) / np.sum((y - y.mean()) ** 2)
        assert found.calm == pytest.approx(explained, abs=1e-6)
        (said,) = row_words.taught(model)
        text = render(said.say)
        assert ("It is not the noise" in text) == (
            found.taught.at is None and explained < found.whole / 2
        )
        if found.taught.at is None:
            assert not reached(1e8)
            assert "not even 10⁸ rows" in text
            assert said.tone == "warn"
        else:
            assert reached(1.001 * found.taught.at)
            assert not reached(found.taught.before)
            assert found.taught.at < 1e8
        if "If the guess stays" in text:
            assert reached(1.001 * found.kept.at, kept=True)
            assert not reached(found.kept.before, kept=True)
        met.add(text.split(" rows")[0].split(" ", 1)[0] + str("stays" in text))
    assert len(met) > 1, met


def half_reach_half(model: learn.LearnModel, n: float, *, kept: bool = False) -> bool:
    """Whether half of the models of so many rows like these reach half of least squares, with the
    guess in use `kept`, or with one of as many rows."""
    learner, task = model.lab.learner, task_of(model.lab, model.data)
    public, mean = replace(model.known, learnt=(round(n), round(n))), moments_of(task) / len(task.x)
    made = learner.with_(about=learner.guess(model.known if kept else public))
    noise = made.noise(public, learn.looked(model.lab, 20), len(mean), round(n))
    scores = r_squared(made.read(n * mean, noise, public), mean)
    best = np.linalg.lstsq(*rows_of(task), rcond=None)[0]
    return float(np.median(scores)) >= float(r_squared(best, mean)) / 2


def rows_of(task) -> tuple[np.ndarray, np.ndarray]:
    """Features with a constant, and the label, scaled as they are learnt from."""
    x, _ = task.linear()
    scale = math.sqrt(len(task.sizes) + 2)
    return np.column_stack([x, np.ones(len(x))]) / scale, task.y / scale


@pytest.mark.parametrize("steps", [2, 100])
def test_what_a_training_lacks_besides_noise_is_told(steps: int, adult: Dataset) -> None:
    """The same training without noise, step by step with everybody in it: of few steps it falls
    short of a fit by scikit-learn, and then it is not the noise."""
    learner = GradientDescent(steps=steps, chance=0.2)
    lab = Learn(learner=learner, wanted=0.6, epsilon=0.5, others=False)
    context = Context(adult, effort=QUICK)
    model = learn.learn_model(lab, context, learn.Curve(np.ones(1), np.zeros((1, 3))), whole=True)
    model.__dict__[f"{learn.here.__module__}.{learn.here.__qualname__}"] = np.zeros(3)
    task = task_of(lab, adult)
    x, test = (
        np.column_stack([z, np.ones(len(z))]) / math.sqrt(z.shape[1] + 1) for z in task.linear()
    )
    w = np.zeros(x.shape[1])
    for _ in range(steps):
        slopes = x * (1 / (1 + np.exp(-x @ w)) - task.y)[:, None]
        slopes *= np.minimum(1, learner.clip / np.linalg.norm(slopes, axis=1))[:, None]
        w = w - learner.rate * (slopes.mean(axis=0) + learner.penalty * w)
    mine = float(np.mean((test @ w > 0) == task.test_y))
    assert learn.calm(model) == pytest.approx(mine, abs=0.01)
    fit = (
        LogisticRegression(C=1e4 / len(x), fit_intercept=False)
        .fit(x, task.y)
        .score(test, task.test_y)
    )
    assert learn.noiseless(model) == pytest.approx(fit, abs=0.01)
    (said,) = target_words.wanted(model)
    assert (
        ("not the noise alone" in render(said.say)) == (mine < wanted_score(model)) == (steps == 2)
    )


@pytest.mark.parametrize("kind", [kind for kind in learners.LEARNERS if kind().guesses])
def test_a_guess_that_nobody_types_is_of_this_table_and_stays_here(kind, adult: Dataset) -> None:
    """It is said, marked as no public number, and leaves nothing; a typed one that is far off is
    said beside the scores."""
    data = opened("diabetes") if kind.numbers else adult
    lab = Learn(learner=kind(), others=False, epsilon=1.0).suited(data).with_(learner=kind())
    rows, x = len(task_of(lab, data).x), np.ones(1)
    for about, times in ((None, 1), (50 * rows, 50)):
        made = lab.with_(learner=kind(about=about))
        model = learn.learn_model(made, Context(data), learn.Curve(x, x), whole=True)
        (said,) = row_words.guessed(model)
        guess = said.say.values["guess"].value
        assert guess == pytest.approx(times * rows, rel=0.05)
        assert (said.tone == "warn") == (times > 2)
        marked = [p for p in made.problems(data) if p.field == "learner.about"]
        assert [p.say.values["n"].value for p in marked] == [guess] * (about is None)
        facts = known(made, sampled(made, data), made.learner)
        rivals = [each for each in learn.rivals_of(made, data) if each.guesses]
        assert {each.guess(facts) for each in rivals} <= {guess}


def test_a_typed_guess_leaves_and_another_does_not() -> None:
    data = Dataset(pd.DataFrame({"x": [0.1, 0.9] * 40, "c": ["y", "n"] * 40}), "t", "", "0" * 64)
    data = data.described(
        codebook_words(("x: low=0 high=1 attested=yes", "c: categories=y|n attested=yes"))
    )
    for learner in (LogisticOutput(), GradientDescent(steps=5)):
        lab = Learn(features=("x",), predicts="c", learner=learner, others=False)
        with pytest.raises(StaysError):
            leave(lab, data, forgotten(), LEAST)
        assert leave(lab.with_(learner=learner.with_(about=100)), data, forgotten(), LEAST)


def test_who_promises_less_is_named_with_it(adult: Dataset) -> None:
    """Beside a learner without δ one with δ is no equal: the sentence and each row of the table
    say both."""
    found = little(Learn(epsilon=1.0), adult, LEAST)
    (table,) = found.tables
    columns = dict(table.columns)
    for name, promise in zip(columns["learner"], columns["promise"], strict=True):
        kind = next(kind for kind in learners.LEARNERS if kind.label == name.text)
        assert promise.values["delta"].value == getattr(kind(), "delta", 0.0)
    told = found.sentence("best").say
    assert "They do not promise the same" in render(told)
    assert (told.values["least"].value, told.values["most"].value) == (0.0, 1e-5)
    pure = little(Learn(epsilon=1.0, others=False), adult, LEAST)
    assert "best" not in {each.key for each in pure.sentences}


def test_more_than_one_answer_by_chance_is_seldom_more_than_is_told() -> None:
    """Of models that are as good as one answer: whatever share of rows the two disagree on, exactly;
    and of predictions that have nothing to do with the numbers, by simulation."""
    for n in (20, 40, 400):
        for right in (0.5, 0.7, 0.95):
            bar, wrong = least_better(right, n), round((1 - right) * n)
            m, b = np.arange(1, n + 1)[:, None], np.arange(wrong + 1)
            better = np.where((2 * b - m) / n > bar - right, binom.pmf(b, m, 0.5), 0).sum(axis=1)
            assert better.max() <= 0.05, (n, right)
    rng = np.random.default_rng(2)
    for n in (20, 200):
        y, told = rng.standard_normal((2, 4000, n))
        told *= 0.1
        explained = 1 - ((y - told) ** 2).sum(1) / ((y - y.mean(1, keepdims=True)) ** 2).sum(1)
        assert np.mean(explained > least_explained(n)) <= 0.05
    assert least_better(1.0, 10) == 1
    for n, right in product(range(1, 30), (0.0, 0.2, 0.5, 0.9)):
        assert right <= least_better(right, n) <= 1 >= least_explained(n)


def test_a_useless_budget_is_not_praised() -> None:
    """At ε = 0.001 what scores more than the better single answer is told as chance."""
    data = opened("house_votes_84")
    for seed in (1, 2):
        # Not the party, which all votes follow alike: what is learnt of noise alone then tells
        # nearly everybody right, or nearly nobody.
        lab = Learn(epsilon=0.001, seed=seed, runs=200, others=False).suited(data)
        lab = lab.with_(predicts=data.columns[-1].name).suited(data)
        *_, model = page._stages(lab, Context(data, effort=Effort(points=0.1)))
        tested = task_of(lab, data).test_y
        by_chance = binom.ppf(0.999, len(tested), target.majority(model)) / len(tested)
        assert np.mean(learn.here(model) <= by_chance) == 1
        assert target.below(model) + target.unsure(model) == 1
        told = {sentence.key for sentence in words.sentences(model)}
        assert ("chance" in told) == (target.below(model) < 1)


def test_all_learners_say_what_they_are_without_noise(adult: Dataset) -> None:
    """Nothing of what is said names a number that is none."""
    for kind in learners.LEARNERS:
        data = opened("diabetes") if kind.numbers else adult
        lab = Learn(learner=kind(), others=False, epsilon=1.0).suited(data).with_(learner=kind())
        x = np.array([0.1, 10.0])
        model = learn.learn_model(
            lab, Context(data, effort=LEAST), learn.Curve(x, np.zeros((2, 3))), whole=True
        )
        assert np.isfinite(learn.calm(model))
        assert learn.calm(model) <= learn.noiseless(model) + 0.02
        for sentence in words.sentences(model):
            assert "nan" not in render(sentence.say)


def test_who_moves_one_more_over_the_border_has_the_promise_of_two() -> None:
    """Where the last rows test, the rows learnt from of two tables that differ in one are one or
    two apart, and what is said is a promise to as many; by lot they are one apart."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"x": rng.random(44), "c": np.tile(["a", "b"], 22)})
    for how, delta in (("last", 1e-5), ("lot", 1e-5), ("last", 0.0)):
        learner = least_squares.LeastSquares(delta=delta) if delta else naive_bayes.NaiveBayes()
        lab = Learn(features=("x",), predicts="c", learner=learner, split=how, epsilon=0.3)
        apart = set[int]()
        for n, gone in product(range(41, 45), (0, 9, 27, 40)):
            some = frame.head(n)
            apart.add(len(learnt(lab, some) ^ learnt(lab, some.drop(index=gone))))
        assert max(apart) == (2 if how == "last" else 1)
        model = learn.learn_model(lab, Context(Dataset(frame, "t", "t")), None, whole=True)
        epsilon, least = learn.promised(model, learner)
        assert epsilon == pytest.approx(0.3 * max(apart))
        assert least == pytest.approx(sum(delta * math.exp(0.3 * i) for i in range(max(apart))))
        told = {s.key: s.say for s in words.sentences(model)}
        assert told["theorem"].values["epsilon"].value == epsilon
        share = (math.exp(epsilon) + least) / (1 + math.exp(epsilon))
        assert told["odds"].values["right"].value == math.ceil(100 * share - 1e-9)
        assert ("border" in told) == (max(apart) == 2)


def learnt(lab: Learn, frame: pd.DataFrame) -> set[float]:
    """The values of the rows that are learnt from."""
    data = Dataset(frame.reset_index(drop=True), "t", "t").described(
        codebook_words(("x: low=0 high=1 attested=yes", "c: categories=a|b attested=yes"))
    )
    return set(np.round(task_of(lab, data).x[:, 0], 12).tolist())


def test_rows_of_one_person_are_one_chance() -> None:
    """Each row ten times, of one person each: the interval is that of the rows once."""
    frame = pd.DataFrame({"x": np.arange(60) % 7, "c": np.tile(["a", "a", "b"], 20)})
    ten = frame.loc[np.repeat(frame.index, 10)].assign(who=np.repeat(np.arange(60), 10))
    many = Dataset(ten.reset_index(drop=True), "t", "t").described(codebook_words((), "who", "10"))
    lab = Learn(features=("x",), predicts="c", split="last", test=0.3)
    found = [
        learn.learn_model(lab, Context(data), None, whole=True)
        for data in (Dataset(frame, "t", "t"), many)
    ]
    assert [len(task_of(lab, model.data).test_x) for model in found] == [18, 180]
    assert [target.people_testing(model) for model in found] == [18, 18]
    assert target.rate_of_one(found[0]) == target.rate_of_one(found[1])
    assert target.bar(found[0]) == target.bar(found[1])
