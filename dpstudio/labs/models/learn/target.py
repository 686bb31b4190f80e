"""What a score that is wanted takes: which ε, or under the promise in use how much noise, how many
steps, how large a sample, how many rows."""

from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.models.learn import model as learn
from dpstudio.labs.models.learn.learners.gradient_descent import GradientDescent
from dpstudio.labs.models.learn.learners.learner import Learner, Replays, Task
from dpstudio.labs.models.learn.model import LearnModel, from_epsilon, here
from dpstudio.labs.models.learn.parameters import Learn
from dpstudio.labs.models.learn.task import fewer, known, sampled, task_of
from dpstudio.privacy.learning.training_promise import chance_for, steps_for
from dpstudio.privacy.rates import Rate, least_better, least_explained, rate
from dpstudio.values.messages import say
from dpstudio.values.passing import Passing, passing

# What is tried, as far as the sliders go.
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
TIMES = tuple(2.0**i for i in range(-7, 4))
LEAST_ROWS, MOST_ROWS = 20, 100_000
IN_ORDER = ("noise", "rows")  # from one value on all are good enough; the others have a best one


def solves(lab: Learn) -> str:
    """What is solved for; ε where the learner has no such setting."""
    return lab.solve if lab.solve in lab.learner.targets else "epsilon"


def swept(lab: Learn, context: Context, curve: learn.Curve) -> learn.Sweep | None:
    """The scores under the promise in use at other values of what is solved for; none of ε, which
    has its curve. Raises Stopped where the run is cancelled."""
    what, data, learner = solves(lab), context.data, lab.learner
    if what == "epsilon":
        return None
    if what == "noise":
        assert isinstance(learner, GradientDescent)
        sigmas = [learner.noise(e, context.check) for e in curve.epsilons.tolist()]
        return learn.Sweep(array(sigmas), curve.scores)
    runs, found = learn.few_runs(context.effort), []
    tried = _tried(lab, data, what)
    for place, value in enumerate(tried):
        context.check()
        context.progress(place / len(tried), say("Looking for what the score takes"))
        found.append(_scores(lab, context, what, value, runs))
    return learn.Sweep(array(tried), array(found))


def _tried(lab: Learn, data: Dataset, what: str) -> list[float]:
    """Values of a setting, with the one in use among them, increasing."""
    learner = lab.learner
    if what == "rows":
        rows = len(task_of(lab, data).x)
        most = max(rows, MOST_ROWS)
        tried = [float(round(times * rows)) for times in TIMES]
        return [count for count in tried if LEAST_ROWS <= count <= most] or [rows]
    assert isinstance(learner, GradientDescent)
    values = (*STEPS, learner.steps) if what == "steps" else (*SHARES, learner.chance)
    return sorted(set(map(float, values)))


def _scores(lab: Learn, context: Context, what: str, value: float, runs: int) -> np.ndarray:
    """The scores of so many models at one value of a setting; remembered."""
    data, check = context.data, context.check
    if what != "rows":
        setting = {"steps": round(value)} if what == "steps" else {"chance": value}
        return learn.scores_at(lab, data, replace(lab.learner, **setting), runs, lab.epsilon, check)
    task = task_of(lab, data)
    question = "of rows", lab.learner, lab.adjacency, lab.seed, runs, lab.epsilon, value

    def made() -> np.ndarray:
        other = fewer(task, value / len(task.x), lab.seed)
        return _of_rows(lab, data, other, learn.looked(lab, runs, check))

    return task.remember(question, made)


def _of_rows(lab: Learn, data: Dataset, task: Task, seen: Replays) -> np.ndarray:
    """The scores of models of other rows, of whom about as many are known as there are."""
    learner, rows = lab.learner.unguessed(), len(task.x)
    public = known(lab, sampled(lab, data), learner)
    public = replace(public, rows=public.rows and rows, learnt=(rows, task.people))
    return array(learner.scores(task, public, seen))


def wanted_score(model: learn.LearnModel) -> float:
    """The score that is wanted: so far from always giving one answer to no noise."""
    crowd = majority(model)
    return crowd + model.lab.wanted * (learn.noiseless(model) - crowd)


def _good(model: learn.LearnModel, scores: np.ndarray) -> np.ndarray:
    """Where half of the models score at least what is wanted."""
    return np.asarray(np.median(scores, axis=1) >= wanted_score(model))


def wanted_epsilon(model: learn.LearnModel) -> Passing:
    """From which ε on, of those drawn and the one in use, half of the models reach it."""
    return learn.from_epsilon(model, lambda scores: _good(model, scores))


def cheapest(model: learn.LearnModel) -> tuple[Learner, float] | None:
    """The other learner that reaches it first, at an ε at which this one does not, and that ε."""
    own, found = wanted_epsilon(model), list[tuple[float, Learner]]()
    for learner, curve in model.rivals:
        at = passing(curve.epsilons, _good(model, curve.scores)).at
        if at is not None and (own.at is None or (own.before is not None and at <= own.before)):
            found.append((at, learner))
    least = min(found, key=lambda pair: pair[0], default=None)
    return None if least is None else (least[1], least[0])


def wanted_passing(model: learn.LearnModel) -> Passing:
    """From which value on of what is solved for, the most noise or the fewest rows tried first,
    half of the models reach it."""
    assert model.sweep is not None
    return passing(model.sweep.values, _good(model, model.sweep.scores))


def wanted_value(model: learn.LearnModel) -> float | None:
    """The value of what is solved for that reaches it: of those tried the most noise, the fewest
    rows, steps or people; None where none does."""
    assert model.sweep is not None
    if solves(model.lab) in IN_ORDER:
        return wanted_passing(model).at
    values, good = model.sweep.values, _good(model, model.sweep.scores)
    return float(values[int(good.argmax())]) if good.any() else None


def best_value(model: learn.LearnModel) -> tuple[float, float]:
    """The value of those tried whose models score most, and the median of their scores."""
    assert model.sweep is not None
    middle = np.median(model.sweep.scores, axis=1)
    return float(model.sweep.values[int(middle.argmax())]), float(middle.max())


def offered(model: learn.LearnModel) -> float:
    """What is worth setting: what reaches the score, and where nothing does what scores most."""
    found = wanted_value(model)
    return best_value(model)[0] if found is None else found


def noise_of(model: learn.LearnModel, value: float) -> float:
    """σ, in clips, that the promise asks for at this many steps or this share sampled."""
    learner = model.lab.learner
    assert isinstance(learner, GradientDescent)
    steps = solves(model.lab) == "steps"
    other = replace(learner, **({"steps": round(value)} if steps else {"chance": value}))
    return other.noise(model.lab.epsilon)


def people_of(model: learn.LearnModel, share: float) -> float:
    """About how many people a share sampled is."""
    learner = model.lab.learner
    assert isinstance(learner, GradientDescent)
    return share * learner.guess(model.known)


@once
def allowed(model: learn.LearnModel) -> tuple[int, float]:
    """With the most noise at which the score is reached: the most steps, and the largest share
    sampled, that the promise in use allows; 0 where none is small enough."""
    learner, sigma, epsilon = model.lab.learner, wanted_value(model), model.lab.epsilon
    assert isinstance(learner, GradientDescent)
    assert sigma is not None
    return (
        steps_for(sigma, learner.chance, epsilon, learner.delta),
        chance_for(sigma, learner.steps, epsilon, learner.delta),
    )


@once
def majority(model: LearnModel) -> float:
    """The score of the best single answer for all rows that test: the class that most of them
    have, or their mean, whose R² is 0."""
    return 0.0 if model.numbers else rate_of_one(model).right


@once
def rate_of_one(model: LearnModel) -> Rate:
    """How often the majority class of the rows that test is right, there and among rows like
    these: people are drawn, whose rows may all be alike."""
    counts, people = _tested(model), people_testing(model)
    right = float(counts.max() / counts.sum())
    return replace(rate(round(right * people), people), right=right)


def people_testing(model: LearnModel) -> int:
    """How many people test."""
    return task_of(model.lab, model.data).testers


def _tested(model: LearnModel) -> np.ndarray:
    """How many rows that test each class has."""
    task = task_of(model.lab, model.data)
    return np.bincount(task.test_y.astype(np.int64), minlength=task.classes)


@once
def bar(model: LearnModel) -> float:
    """A model that scores more is better than one answer, at 95 %."""
    n = people_testing(model)
    return least_explained(n) if model.numbers else least_better(majority(model), n)


def commonest(model: LearnModel) -> str:
    """The class that most rows that test have."""
    return model.known.label.words[int(_tested(model).argmax())]


def mean_label(model: LearnModel) -> float:
    """The mean of the numbers that rows that test have as their label."""
    label, y = model.known.label, task_of(model.lab, model.data).test_y
    return float(label.low + (label.high - label.low) * (y.mean() + 1) / 2)


def below(model: LearnModel) -> float:
    """The share of models at the ε in use that score no more than one answer."""
    return float(np.mean(here(model) <= majority(model)))


def unsure(model: LearnModel) -> float:
    """The share of those that score more, and no more than may be chance."""
    scores = here(model)
    return float(np.mean((scores > majority(model)) & (scores <= bar(model))))


def useful(model: LearnModel) -> Passing:
    """From which ε on fewer than half of the models score no more than one answer."""
    crowd = majority(model)
    return from_epsilon(model, lambda scores: np.mean(scores <= crowd, axis=1) < 0.5)
