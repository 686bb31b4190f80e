"""Learn's charts of scores and of the way of the noise, as plain figures."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Columns,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Ribbon,
    Rule,
)
from dpstudio.labs.local_curves import at_confidence, epsilon_axis, with_point
from dpstudio.labs.models.learn.learners import LEARNERS
from dpstudio.labs.models.learn.learners.learner import PLACES, Learner
from dpstudio.labs.models.learn.model import (
    LearnModel,
    at_epsilon,
    band,
    interval,
    median,
    noiseless,
    printed,
    shown,
)
from dpstudio.labs.models.learn.target import majority
from dpstudio.values.messages import N_, Message, Num, say, worded

_FLOW = 241
_WORST = -0.5  # R² below it is all alike: far worse than always saying the mean


def score_chart(model: LearnModel) -> Figure:
    """Score against ε: a band over the models with noise, the one without, the majority class,
    and what else could be learnt."""
    assert model.curve is not None
    lab, learner, curve = model.lab, model.lab.learner, model.curve
    by = 1 if model.numbers else 100
    own = interval(model)[0], median(model), interval(model)[1]
    curves = zip(band(curve, lab.confidence), own, strict=True)
    epsilons, *parts = with_point(curve.epsilons, lab.epsilon, *curves)
    low, middle, high = (by * part for part in parts)
    texts = printed(model)
    told = [] if texts is None else [by * score for score in texts.scores]
    whole, crowd, here = (by * f(model) for f in (noiseless, majority, median))
    span = scores_axis(model, middle, low, whole, max([crowd, *told]))
    if model.numbers:
        low, middle, high = (np.maximum(y, span.range[0]) for y in (low, middle, high))
    kept = say("{confidence} of the models", confidence=at_confidence(lab.confidence))
    layers: list[Layer] = [Ribbon("band", learner.ink, kept, epsilons, low, high)]
    layers += _rivals(model, span)
    score = shown(model, median(model))
    always = say("always the mean") if model.numbers else say("majority class")
    words = say("ε {epsilon} → {score}", epsilon=Num(lab.epsilon, 5), score=score)
    layers += [
        Line(learner.key, learner.ink, Message(learner.label), epsilons, middle, width=2.6,
             told=say("{n}", n=score)),
        Rule("noiseless", "truth", say("without noise"), whole, "y", "dash",
             told=say("{n}", n=shown(model, noiseless(model)))),
        Rule("majority", "muted", always, crowd, "y", "dot",
             told=say("{n}", n=shown(model, majority(model)))),
        Handle("here", learner.ink, words, lab.epsilon, max(here, span.range[0]), "epsilon"),
    ]  # fmt: skip
    if texts is not None:
        marks = np.maximum(by * np.array(texts.scores), span.range[0])
        name = say("as the texts print")
        layers.append(Dots("printed", "third", name, texts.epsilons, marks, marker="third"))
    runs = curve.scores.shape[1]
    return Figure(
        "score",
        say("Privacy against score"),
        epsilon_axis(),
        span,
        tuple(layers),
        say("{runs} {runs:model|models} at each ε; exact, not private", runs=Num(runs)),
        exact=True,
        simulated=True,
        told=say("at ε = {epsilon}", epsilon=Num(lab.epsilon, 5)),
    )


def _rivals(model: LearnModel, span: Axis) -> Iterator[Layer]:
    """What else could be learnt: middles of its scores, and what is in sight at the ε in use."""
    for rival, curve in model.rivals:
        x = curve.epsilons
        y = _seen((1 if model.numbers else 100) * band(curve, model.lab.confidence)[1], span)
        seen = np.isfinite(np.interp(model.lab.epsilon, x, y))
        told = say("{n}", n=shown(model, at_epsilon(model, curve))) if seen else ""
        yield Line(rival.key, rival.ink, Message(rival.label), x, y, width=1.6, told=told)


def _seen(y: Array, span: Axis) -> Array:
    """A curve from where it enters the chart on; all of one that never does."""
    inside = y >= span.range[0]
    return np.where(inside, y, np.nan) if inside.any() else y


def scores_axis(model: LearnModel, middle: Array, low: Array, whole: float, crowd: float) -> Axis:
    """The axis of scores, where curves of half of the models lie: of R² in steps of a tenth, and
    what lies further below than `_WORST` stands on its end; of shares in steps of 5 %."""
    least = min(float(middle.min()), float(np.median(low)))
    most = max(float(middle.max()), whole, crowd)
    if model.numbers:
        ends = max(_WORST, min(least, crowd) - 0.05), most + 0.05
        return Axis(say("R²"), range=(np.floor(10 * ends[0]) / 10, np.ceil(10 * ends[1]) / 10))
    top = min(101.0, 5 * np.ceil((most + 1.5) / 5))
    return Axis(say("accuracy, %"), range=(max(0.0, 5 * np.floor(min(least, crowd - 5) / 5)), top))


def pipeline_chart(model: LearnModel) -> Figure:
    """The way from a table to a model, with the place lit where the noise goes: what comes after it
    is noisy too. A click on another place takes what is learnt there."""
    learner, places = model.lab.learner, list(PLACES)
    lit = 1 + places.index(learner.place)
    x = np.linspace(0.25, len(places) + 0.75, _FLOW)
    noise = np.where(x > lit, 0.2 * np.sin(41 * (x - lit)) * np.sin(17 * (x - lit) + 1), 0.0)
    dark = [i + 1 for i in range(len(places)) if i + 1 != lit]
    first = {place: _taken(place, learner) for place in places}
    can = [i + 1 for i, place in enumerate(places) if first[place]]
    picks = tuple((("learner", first[places[i - 1]]),) for i in can)
    ends, words = [0.25, len(places) + 0.75], say("noise {where}", where=Message(learner.where))
    layers: tuple[Layer, ...] = (
        Columns("places", "grid", "", dark, [1.0] * len(dark), 0.8),
        Columns("lit", learner.ink, words, [lit], [1], 0.8),
        Line("flow", "text", "", x[x <= lit], 0.5 + noise[x <= lit], "solid"),
        Line("noisy", "answer", "", x[x >= lit], 0.5 + noise[x >= lit], "solid"),
        Dots("choices", "text", "", can, [0.5] * len(can), picks=picks),
        Dots("ends", "text", "", ends, [0.5, 0.5]),
    )
    stops = (N_("table"), *places, N_("model"))
    ticks = tuple((float(i), worded(stop)) for i, stop in enumerate(stops))
    return Figure(
        "pipeline",
        say("Where the noise goes"),
        Axis("", range=(-0.35, len(places) + 1.35), ticks=ticks),
        Axis("", range=(0.0, 1.3), hidden=True),
        layers,
        say("all that follows is noisy too"),
    )


def _taken(place: str, learner: Learner) -> str:
    """The learner that adds its noise at a place and tells the same, of this family where there is
    one; empty where there is none yet."""
    there = [k for k in LEARNERS if k.place == place and k.numbers == learner.numbers]
    same = [kind for kind in there if kind.family == learner.family]
    return (same or there)[0].key if there else ""
