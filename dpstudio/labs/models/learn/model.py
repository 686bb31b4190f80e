"""What Learn knows: the scores of models against ε, and what is promised of them."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Sample
from dpstudio.data.memory import Sized
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.local_curves import between, ladder
from dpstudio.labs.memo import once
from dpstudio.labs.models.learn.learners import LEARNERS
from dpstudio.labs.models.learn.learners.learner import (
    Claim,
    Growth,
    Learner,
    LearningFacts,
    Part,
    Replays,
    View,
    holding,
)
from dpstudio.labs.models.learn.parameters import LEAST_RUNS, Learn
from dpstudio.labs.models.learn.published import Published, published
from dpstudio.labs.models.learn.task import known, parts, sampled, task_of
from dpstudio.privacy.accounting.groups import group_privacy
from dpstudio.privacy.learning.training_promise import Check, nothing
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.values.messages import Message, Num, say
from dpstudio.values.parameters import switch
from dpstudio.values.passing import Passing, passing_beside

GRID, COARSE, FEW, SKETCH = 17, 9, 3, 5
NEAR = 0.01  # a score that is so little below that of the model without noise is as good


@dataclass(frozen=True, eq=False)
class Curve(Sized):
    """Scores of models with noise, (ε, runs), at each ε, with the bands found by what they hold."""

    epsilons: Array
    scores: Array
    bands: dict[float, tuple[Array, Array, Array]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Sweep:
    """Scores of models, (values, runs), at other values of the setting that is solved for."""

    values: Array
    scores: Array


@dataclass(frozen=True, eq=False)
class LearnModel:
    """One state of the lab. Without exact scores `curve` is None and `rivals` are empty; they are
    while they are being made, too: `whole` says that nothing better comes. Of a glance the scores
    at the ε in use lie `between` those of the curve."""

    lab: Learn
    data: Dataset
    effort: Effort
    sample: Sample
    curve: Curve | None
    rivals: tuple[tuple[Learner, Curve], ...]
    whole: bool
    sweep: Sweep | None = None
    between: bool = False

    @property
    def numbers(self) -> bool:
        """Whether a number is told and R² the score."""
        return self.lab.learner.numbers

    @property
    def known(self) -> LearningFacts:
        """What is public."""
        return known(self.lab, self.sample, self.lab.learner)


def looked(lab: Learn, runs: int, check: Check = nothing) -> Replays:
    """How closely a learner is looked at."""
    return Replays(runs, lab.seed, lab.confidence, lab.feature, check)


def all_runs(lab: Learn, effort: Effort) -> int:
    """How many models are learnt at each ε."""
    return effort.of_draws(min(lab.runs, lab.learner.most_runs), FEW)


def few_runs(effort: Effort) -> int:
    """How many are learnt for a first picture, and of what else could be learnt."""
    return effort.of_draws(LEAST_RUNS, FEW)


def least_runs(effort: Effort) -> int:
    """How many are learnt by a slow learner for a first sketch."""
    return effort.of_draws(SKETCH, FEW)


def grid(effort: Effort, first: bool) -> Array:
    """The values of ε at which models are learnt, as three digits say them: few of them for a first
    picture."""
    points = ladder(effort.of_points(COARSE if first else GRID, FEW))
    return array([float(f"{epsilon:.3g}") for epsilon in points.tolist()])


def ends_and_here(lab: Learn) -> Array:
    """The least and the largest ε, and the one in use: what a slow learner is sketched by."""
    return array(np.unique([*ladder(2).tolist(), lab.epsilon]))


def _named(lab: Learn, learner: Learner, runs: int, at: Hashable) -> Hashable:
    return "scores", learner, lab.adjacency, lab.seed, runs, at


def curve_known(lab: Learn, data: Dataset, learner: Learner, runs: int, epsilons: Array) -> bool:
    """Whether all of a curve is remembered."""
    return task_of(lab, data).kept.known(_named(lab, learner, runs, epsilons.tobytes()))


def scores_at(
    lab: Learn, data: Dataset, learner: Learner, runs: int, epsilon: float, check: Check = nothing
) -> Array:
    """The scores of so many models at one ε, (runs,); remembered."""
    task = task_of(lab, data)

    def made() -> Array:
        public = replace(known(lab, sampled(lab, data), learner), epsilon=epsilon)
        return array(learner.scores(task, public, looked(lab, runs, check)))

    return task.remember(_named(lab, learner, runs, epsilon), made)


def curve_of(lab: Learn, context: Context, learner: Learner, runs: int, epsilons: Array) -> Curve:
    """The scores of a learner at each ε, of which each is remembered, and all of them as one.
    Raises Stopped where the run is cancelled."""

    def made() -> Curve:
        found, doing = [], say("Learning: {name}", name=Message(learner.label))
        for place, epsilon in enumerate(epsilons.tolist()):
            context.check()
            context.progress(place / len(epsilons), doing)
            found.append(scores_at(lab, context.data, learner, runs, epsilon, context.check))
        return Curve(epsilons, array(found))

    return task_of(lab, context.data).remember(_named(lab, learner, runs, epsilons.tobytes()), made)


def rivals_of(lab: Learn, data: Dataset) -> tuple[Learner, ...]:
    """All other learners that have a proof for what is known, with what they share with this
    one."""
    sample = sampled(lab, data)
    here = lab.learner.place if lab.learner.single else ""
    kinds = [k for k in LEARNERS if not k.single and k.place != here]
    made = [switch(kind, lab.learner) for kind in kinds if kind is not type(lab.learner)]
    return tuple(one for one in made if one.refusal(known(lab, sample, one)) is None)


def learn_model(
    lab: Learn,
    context: Context,
    curve: Curve | None,
    rivals: tuple[tuple[Learner, Curve], ...] = (),
    sweep: Sweep | None = None,
    *,
    whole: bool,
) -> LearnModel:
    """The state of the lab with the scores that are made so far."""
    sample = sampled(lab, context.data)
    return LearnModel(lab, context.data, context.effort, sample, curve, rivals, whole, sweep)


@once
def here(model: LearnModel) -> Array:
    """The scores of models at the ε in use, as many as the curve has; shape (runs,)."""
    assert model.curve is not None
    if model.between:
        return between(model.curve.epsilons, model.curve.scores, model.lab.epsilon)
    lab, runs = model.lab, model.curve.scores.shape[1]
    return scores_at(lab, model.data, lab.learner, runs, lab.epsilon)


def glance(lab: Learn, context: Context) -> LearnModel | None:
    """The finest curve that is known, with a point between its points, and what is known of others;
    None where there is no curve yet."""
    if not lab.show_truth:
        return None
    data, effort, learner = context.data, context.effort, lab.learner
    few, coarse = few_runs(effort), grid(effort, first=True)
    finest = (all_runs(lab, effort), grid(effort, first=False)), (few, coarse)
    known = next((one for one in finest if curve_known(lab, data, learner, *one)), None)
    if known is None:
        return None
    rivals = rivals_of(lab, data) if lab.others else ()
    made = [r for r in rivals if curve_known(lab, data, r, few, coarse)]
    found = tuple((rival, curve_of(lab, context, rival, few, coarse)) for rival in made)
    curve = curve_of(lab, context, learner, *known)
    return replace(learn_model(lab, context, curve, found, whole=False), between=True)


@once
def median(model: LearnModel) -> float:
    """Half of the models at the ε in use score higher."""
    return float(np.median(here(model)))


@once
def interval(model: LearnModel) -> tuple[float, float]:
    """Between which that share of models scores at the ε in use."""
    low, high = looked(model.lab, len(here(model))).ends(here(model))
    return float(low), float(high)


@once
def noiseless(model: LearnModel) -> float:
    """The score of the model without noise."""
    lab, task = model.lab, task_of(model.lab, model.data)
    question = "noiseless", lab.learner, lab.adjacency
    return task.remember(question, lambda: float(lab.learner.noiseless(task, model.known)))


def shown(model: LearnModel, score: float, rounding: str = "near") -> Num:
    """A score as people read it: a share in percent, R² as a number."""
    return Num(score, 3, rounding, percent=not model.numbers)


@once
def calm(model: LearnModel) -> float:
    """The score of the learner in use, as it is set, without its noise."""
    task, seen = task_of(model.lab, model.data), looked(model.lab, few_runs(model.effort))
    question = "calm", model.lab.learner, model.lab.adjacency, model.lab.epsilon, seen
    return task.remember(question, lambda: model.lab.learner.calm(task, model.known, seen))


def band(curve: Curve, confidence: float) -> tuple[Array, Array, Array]:
    """(low, median, high) of the scores at each ε: at least that share lies between the ends."""
    if confidence not in curve.bands:
        low, high = holding(curve.scores.T, confidence)
        curve.bands[confidence] = array(low), array(np.median(curve.scores, axis=1)), array(high)
    return curve.bands[confidence]


def from_epsilon(model: LearnModel, fits: Callable[[Array], np.ndarray]) -> Passing:
    """From which ε on, of those drawn and the one in use, the scores fit."""
    assert model.curve is not None
    curve, own = model.curve, bool(fits(here(model)[None])[0])
    return passing_beside(curve.epsilons, fits(curve.scores), model.lab.epsilon, own)


def enough(model: LearnModel) -> Passing:
    """From which ε on half of the models lose less than a hundredth."""
    least = noiseless(model) - NEAR * (1 - 1e-9)  # of 100 rows one is a hundredth, and not less
    return from_epsilon(model, lambda scores: np.mean(scores > least, axis=1) >= 0.5)


def at_epsilon(model: LearnModel, curve: Curve) -> float:
    """The median score of a rival at the ε in use, between its points."""
    middle = band(curve, model.lab.confidence)[1]
    return float(np.interp(np.log(model.lab.epsilon), np.log(curve.epsilons), middle))


def apart(model: LearnModel, curve: Curve) -> bool:
    """Whether the medians of the learner in use and of a rival differ by more than the models
    learnt by chance explain: 1.96 standard errors of both, √(π/2) deviations over √runs each (the
    median of a normal law)."""
    own, where = here(model), np.log(curve.epsilons)
    other = np.interp(np.log(model.lab.epsilon), where, curve.scores.std(axis=1))
    errors = own.std() / np.sqrt(len(own)), other / np.sqrt(curve.scores.shape[1])
    differ = abs(at_epsilon(model, curve) - median(model))
    return bool(differ > 1.96 * np.sqrt(np.pi / 2) * np.hypot(*errors))


def claim(model: LearnModel) -> Claim:
    """What is promised."""
    return model.lab.learner.claim(model.known)


def claim_of(model: LearnModel, learner: Learner) -> Claim:
    """What a learner promises at the ε in use, but for its theorem."""
    return learner.keeps(known(model.lab, model.sample, learner))


def crosses(model: LearnModel) -> bool:
    """Whether who comes or goes can move one more person over the border of the test rows, which
    lies at a share of all."""
    return model.lab.split == "last" and not model.known.replace


def promised(model: LearnModel, learner: Learner) -> tuple[float, float]:
    """(ε, δ) of a learner to a person of the table: that to one who is learnt from, to two of whom
    it is a promise where one crosses the border."""
    made = claim_of(model, learner)
    if not crosses(model):
        return made.epsilon, made.delta
    return group_privacy(made.epsilon, made.delta, 2)


def right_guesses(model: LearnModel) -> int:
    """Of 100 guesses from even odds, how many are right on average at most after the model."""
    return right_of_100(*promised(model, model.lab.learner))


def statement(model: LearnModel) -> tuple[Message, ...]:
    """The privacy statement of the training, where there is one."""
    return model.lab.learner.statement(model.known)


def budget(model: LearnModel) -> tuple[Part, ...]:
    """What it is spent on."""
    return model.lab.learner.parts(model.known)


def words_found(model: LearnModel) -> bool:
    """Whether words come from the data: their number tells how the budget is spent, bounds of
    numbers do not."""
    used = (*model.known.features, model.known.label)
    return any(feature.words and not feature.attested for feature in used)


@once
def views(model: LearnModel) -> tuple[View, ...]:
    """What else there is to see of the learner."""
    if model.curve is None:
        return ()
    lab, runs = model.lab, model.curve.scores.shape[1]
    return lab.learner.views(task_of(lab, model.data), model.known, looked(lab, runs))


def growth(model: LearnModel) -> Growth | None:
    """How R² grows with the rows, where the learner knows."""
    return next((view for view in views(model) if isinstance(view, Growth)), None)


def as_proved(model: LearnModel) -> tuple[float, float] | None:
    """Of a learner that is as printed: the medians of its scores and, with as many models at the
    same ε, of those of the one that has a proof."""
    lab, learner = model.lab, model.lab.learner
    if not getattr(learner, "printed", ""):
        return None
    proved = replace(learner, printed="")  # type: ignore[call-arg]
    scores = scores_at(lab, model.data, proved, len(here(model)), lab.epsilon)
    return median(model), float(np.median(scores))


def printed(model: LearnModel) -> Published | None:
    """What the texts print of this model."""
    return published(model.data.origin, model.lab)


def nearest_printed(model: LearnModel, texts: Published) -> tuple[float, float]:
    """ε and score of the printed run nearest to the ε in use."""
    apart = np.abs(np.log(np.array(texts.epsilons) / model.lab.epsilon))
    return texts.epsilons[int(apart.argmin())], texts.scores[int(apart.argmin())]


def counted(model: LearnModel) -> tuple[int, int, int]:
    """Rows to learn from, to test with, and left out."""
    return *parts(model.lab, model.data), model.sample.left_out
