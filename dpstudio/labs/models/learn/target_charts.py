"""Learn's chart of what a score that is wanted takes."""

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Ribbon, Rule
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.models.learn.charts import scores_axis
from dpstudio.labs.models.learn.learners.gradient_descent import GradientDescent
from dpstudio.labs.models.learn.learners.learner import holding
from dpstudio.labs.models.learn.model import LearnModel, counted, median, noiseless, shown
from dpstudio.labs.models.learn.target import majority, solves, wanted_score, wanted_value
from dpstudio.values.messages import N_, Message, Num, say

_ACROSS = {
    "noise": N_("σ of the noise, in clips"),
    "steps": N_("steps"),
    "batch": N_("share sampled in each step"),
    "rows": N_("rows learnt from"),
}
_SETS = {"steps": "learner.steps", "batch": "learner.chance"}


def target_charts(model: LearnModel) -> tuple[Figure, ...]:
    """Score against what is solved for; nothing of ε, which has its own chart."""
    return () if model.sweep is None else (_chart(model),)


def _chart(model: LearnModel) -> Figure:
    assert model.sweep is not None
    what, learner, lab = solves(model.lab), model.lab.learner, model.lab
    by = 1 if model.numbers else 100
    x = model.sweep.values
    order = np.argsort(x, kind="stable")
    scores = by * model.sweep.scores[order].T
    low, high = holding(scores, lab.confidence)
    middle = np.median(scores, axis=0)
    whole, crowd, aim = (by * f(model) for f in (noiseless, majority, wanted_score))
    span = scores_axis(model, middle, low, whole, crowd)
    low, middle, high = (np.maximum(y, span.range[0]) for y in (low, middle, high))
    always = say("always the mean") if model.numbers else say("majority class")
    kept = say("{confidence} of the models", confidence=at_confidence(lab.confidence))
    name = say("wanted: {score}", score=shown(model, wanted_score(model)))
    layers: list[Layer] = [
        Ribbon("band", learner.ink, kept, x[order], low, high),
        Line("middle", learner.ink, say("median"), x[order], middle, width=2.6),
        Rule("noiseless", "truth", say("without noise"), whole, "y", "dash"),
        Rule("majority", "muted", always, crowd, "y", "dot"),
        Rule("wanted", "second", name, aim, "y", "dash"),
        _here(model, max(by * median(model), span.range[0])),
    ]
    found = wanted_value(model)
    if found is not None:
        y = float(np.interp(found, x[order], middle))
        layers.append(Dots("found", "second", say("reached"), [found], [y], marker="second"))
    first, last = float(x.min()), float(x.max())
    axis = Axis(Message(_ACROSS[what]), log=True, range=(first, max(last, 1.01 * first)))
    text = N_("{runs} {runs:model|models} each, at ε = {epsilon}")
    under = say(text, runs=Num(len(scores)), epsilon=Num(lab.epsilon, 5))
    if what == "noise":
        under = say(
            "{runs} {runs:model|models} at each ε; exact, not private", runs=Num(len(scores))
        )
    return Figure(
        "target",
        say("What the score takes"),
        axis,
        span,
        tuple(layers),
        under,
        exact=True,
        simulated=True,
    )


def _here(model: LearnModel, y: float) -> Layer:
    """The value in use."""
    what, learner = solves(model.lab), model.lab.learner
    if what == "rows":
        rows = counted(model)[0]
        return Dots("here", "text", say("{n} {n:row|rows}", n=Num(rows)), [float(rows)], [y])
    assert isinstance(learner, GradientDescent)
    if what == "noise":
        sigma = learner.noise(model.lab.epsilon)
        return Dots("here", learner.ink, say("σ = {noise}", noise=Num(sigma, 3)), [sigma], [y])
    words, at = say("{n} {n:step|steps}", n=Num(learner.steps)), float(learner.steps)
    if what == "batch":
        words, at = (
            say("{share} sampled", share=Num(learner.chance, 3, percent=True)),
            learner.chance,
        )
    return Handle("here", learner.ink, words, at, y, _SETS[what])
