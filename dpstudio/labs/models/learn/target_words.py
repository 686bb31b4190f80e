"""What Learn says of a score that is wanted, and of the border of the test rows."""

from dataclasses import replace
from typing import Any

from dpstudio.labs.findings import Sentence, Table
from dpstudio.labs.models.learn import model as known
from dpstudio.labs.models.learn import target
from dpstudio.labs.models.learn.learners.gradient_descent import GradientDescent
from dpstudio.labs.models.learn.learners.learner import PLACES, Learner
from dpstudio.labs.models.learn.model import LearnModel
from dpstudio.labs.models.learn.target import majority
from dpstudio.labs.passing_words import wanted_epsilon
from dpstudio.privacy.learning.training_promise import MOST_STEPS
from dpstudio.values.messages import N_, Message, Num, say


def wanted(model: LearnModel) -> tuple[Sentence, ...]:
    """What a target takes, of what is solved for."""
    if known.noiseless(model) <= majority(model):
        text = N_("Without noise this model is no better than one answer: there is no target.")
        return (Sentence("wanted", say(text), "warn"),)
    what = target.solves(model.lab)
    if what != model.lab.solve:
        text = N_("“{name}” has no steps and no samples: solve for ε or for rows.")
        return (Sentence("wanted", say(text, name=Message(model.lab.learner.label)), "warn"),)
    if what == "epsilon":
        return (_epsilon(model),)
    if model.sweep is None:
        return ()
    if what in ("steps", "batch"):
        return (_setting(model),)
    return (_noise(model) if what == "noise" else _rows(model),)


def _epsilon(model: LearnModel) -> Sentence:
    """Which ε it takes, by this learner and by the one that needs least."""
    own, best = target.wanted_epsilon(model), target.cheapest(model)
    what = say("A score of {score}", score=known.shown(model, target.wanted_score(model)))
    said = wanted_epsilon(own, what, N_("the models"), None if own.at else _nowhere(model))
    if best is None:
        return said
    # What the arrow beside it sets stands in the outer message.
    told = Message(
        (first := _first(model, said.say, *best)).text, {**said.say.values, **first.values}
    )
    return replace(said, say=told)


def _first(model: LearnModel, told: Message, learner: Learner, epsilon: float) -> Message:
    """With the learner that reaches it at an ε at which this one does not."""
    values = {"told": told, "name": Message(learner.label), "least": Num(epsilon, 3, "up")}
    other, own = (known.promised(model, each)[1] for each in (learner, model.lab.learner))
    if other == own:
        return Message(N_("{told} “{name}” reaches it at ε = {least} already."), values)
    ends = {"other": Num(other, 3, "up"), "here": Num(own, 3, "up")}
    text = N_(
        "{told} “{name}” reaches it at ε = {least} already, with δ = {other} for {here} here."
    )
    return Message(text, {**values, **ends})


def _nowhere(model: LearnModel) -> Message:
    """That no ε drawn is enough, and whether it is for the noise."""
    values = {
        "score": known.shown(model, target.wanted_score(model)),
        "epsilon": Num(model.lab.epsilon, 5),
        "calm": known.shown(model, known.calm(model)),
    }
    text = N_(
        "A score of {score} is reached by half of the models at no ε drawn here. It is the noise: "
        "without it the same learner scores {calm}."
    )
    if known.calm(model) < target.wanted_score(model):
        text = N_(
            "A score of {score} is reached by half of the models at no ε drawn here. It is not the "
            "noise alone: without it the same learner, as it is set, scores {calm}."
        )
    return Message(text, values)


def _promised(model: LearnModel) -> dict[str, Any]:
    learner = model.lab.learner
    assert isinstance(learner, GradientDescent)
    return {
        "score": known.shown(model, target.wanted_score(model)),
        "epsilon": Num(model.lab.epsilon, 5),
        "delta": Num(learner.delta, 3, "up"),
        "steps": Num(learner.steps),
        "share": Num(learner.chance, 3, percent=True),
    }


def _noise(model: LearnModel) -> Sentence:
    """How much noise it takes, and how the promise can be kept with it."""
    found, values = target.wanted_passing(model), _promised(model)
    score = values["score"]
    told = found.said(
        lambda before, at: say(
            "A score of {score} is reached with noise of σ = {noise} {noise:clip|clips}, not with "
            "{before}.",
            score=score,
            noise=Num(at, 3, "down"),
            before=Num(before, 3, "up"),
        ),
        lambda most: say(
            "A score of {score} is reached with all noise drawn, up to σ = {noise} "
            "{noise:clip|clips}.",
            score=score,
            noise=Num(most, 3, "down"),
        ),
        lambda _: _nowhere(model),
    )
    if found.at is None or not model.whole:
        return Sentence("wanted", told, "warn" if found.at is None else "plain")
    text = N_(
        "{told} (ε, δ) = ({epsilon}, {delta}) allows the first with {steps_at} or {share_at}."
    )
    ways = {"steps_at": _most_steps(model), "share_at": _most_share(model)}
    return Sentence("wanted", Message(text, {**values, **ways, "told": told}))


def _most_steps(model: LearnModel) -> Message:
    """How many steps the promise allows at that noise."""
    most, share = target.allowed(model)[0], _promised(model)["share"]
    if most >= MOST_STEPS:
        return say(
            "{most} {most:step|steps} of {share} and more", most=Num(MOST_STEPS), share=share
        )
    if not most:
        return say("no step of {share}", share=share)
    return say("{most} {most:step|steps} of {share} at most", most=Num(most), share=share)


def _most_share(model: LearnModel) -> Message:
    """How large a sample the promise allows at that noise."""
    largest, steps = target.allowed(model)[1], _promised(model)["steps"]
    if not largest:
        return say("no sample in {steps} {steps:step|steps}", steps=steps)
    shown_ = Num(largest, 3, "down", percent=True)
    return say("{steps} {steps:step|steps} of {largest}", steps=steps, largest=shown_)


def _setting(model: LearnModel) -> Sentence:
    """How many steps or how large a sample it takes, and what scores most."""
    found, (best, top) = target.wanted_value(model), target.best_value(model)
    steps, value = target.solves(model.lab) == "steps", target.offered(model)
    values = {
        **_promised(model),
        "value": round(value) if steps else value,
        "most": known.shown(model, top),
        "noise": Num(target.noise_of(model, value), 3, "up"),
        "named": _named(model, value),
        "best": _named(model, best),
    }
    text = N_(
        "Under (ε, δ) = ({epsilon}, {delta}) a score of {score} takes {named}, with noise of σ = "
        "{noise}. Most is scored by {best}: {most}."
    )
    if found is None:
        text = N_(
            "Under (ε, δ) = ({epsilon}, {delta}) no number of steps tried reaches a score of "
            "{score}. Most is scored by {best}, with noise of σ = {noise}: {most}."
        )
        if not steps:
            text = N_(
                "Under (ε, δ) = ({epsilon}, {delta}) no sample tried reaches a score of {score}. "
                "Most is scored by {best}, with noise of σ = {noise}: {most}."
            )
    key = "wanted_steps" if steps else "wanted_chance"
    return Sentence(key, Message(text, values), "warn" if found is None else "plain")


def _named(model: LearnModel, value: float) -> Message:
    if target.solves(model.lab) == "steps":
        return say("{n} {n:step|steps}", n=Num(value))
    text = N_("samples of {share} (about {people} {people:person|people})")
    share, people = Num(value, 3, percent=True), Num(target.people_of(model, value), 3)
    return say(text, share=share, people=people)


def _rows(model: LearnModel) -> Sentence:
    """From how many rows on half of the models reach it."""
    found, (_, top) = target.wanted_passing(model), target.best_value(model)
    values = {
        "score": known.shown(model, target.wanted_score(model)),
        "epsilon": Num(model.lab.epsilon, 5),
        "rows": Num(known.counted(model)[0]),
    }
    told = found.said(
        lambda before, at: say(
            "At ε = {epsilon} half of the models reach a score of {score} with {found:# row|# "
            "rows} like these and, of those tried, not with {before}; {rows} {rows:is|are} learnt "
            "from.",
            **values,
            found=Num(at, bare=True),
            before=Num(before),
        ),
        lambda at: say(
            "At ε = {epsilon} half of the models reach a score of {score} with {found:# row|# "
            "rows} like these already, the fewest tried; {rows} {rows:is|are} learnt from.",
            **values,
            found=Num(at, bare=True),
        ),
        lambda tried: say(
            "At ε = {epsilon} half of the models reach a score of {score} with no number of rows "
            "tried, up to {tried}, at best {most}.",
            **values,
            tried=Num(tried),
            most=known.shown(model, top),
        ),
    )
    return Sentence("wanted", told, "warn" if found.at is None else "plain")


def border(model: LearnModel) -> tuple[Sentence, ...]:
    """What the promise is to where the border of the test rows lies at a share of all."""
    if not known.crosses(model):
        return ()
    text = N_(
        "The promise is to rows that are learnt from. Where the last rows test, who comes or goes "
        "can move one more row over the border: to a row of the table it is a promise to two."
    )
    return (Sentence("border", say(text)),)


def others(model: LearnModel) -> tuple[Sentence, ...]:
    """Which learner does best at this ε, where this one keeps it."""
    if not model.rivals or not known.claim(model).holds:
        return ()
    own, rivals = model.lab.learner, model.rivals
    scores = [(known.median(model), own)]
    scores += [(known.at_epsilon(model, curve), learner) for learner, curve in rivals]
    best, winner = max(scores, key=lambda pair: pair[0])
    clear = [known.apart(model, curve) for _, curve in rivals]
    values = {"name": Message(winner.label), "score": known.shown(model, best)}
    text = N_("Of all learners drawn “{name}” scores most at this ε: {score}.")
    if not (all(clear) if winner is own else clear[[each for each, _ in rivals].index(winner)]):
        winner = own
        text = N_("At this ε no learner drawn scores more than this one by more than chance.")
        values = {}
    elif winner is not own:
        # Read between the points of a curve of few models.
        values["runs"] = Num(known.few_runs(model.effort))
        text = N_(
            "At this ε “{name}” would score more: about {score}, as {runs} {runs:model at each ε "
            "drawn tells|models at each ε drawn tell}."
        )
    told, deltas = (
        Message(text, values),
        [known.promised(model, learner)[1] for _, learner in scores],
    )
    if min(deltas) < max(deltas):
        text = N_(
            "{told} They do not promise the same: δ = {delta} for “{name}”, from {least} to "
            "{most} for all."
        )
        ends = {"least": Num(min(deltas), 3, "up"), "most": Num(max(deltas), 3, "up")}
        delta = Num(known.promised(model, winner)[1], 3, "up")
        told = Message(text, {"told": told, "delta": delta, "name": Message(winner.label), **ends})
    return (Sentence("best", told),)


def tables(model: LearnModel) -> tuple[Table, ...]:
    """Every learner drawn: where its noise goes, and its score at this ε."""
    if model.curve is None:
        return ()
    rows = [_row(model, model.lab.learner, known.median(model))]
    rows += [
        _row(model, learner, known.at_epsilon(model, curve)) for learner, curve in model.rivals
    ]
    heads = {
        "learner": say("learner"),
        "place": say("noise on"),
        "promise": say("(ε, δ)"),
        "score": say("accuracy"),
    }
    if model.numbers:
        heads["score"] = say("R²")
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(heads))
    title = say("Learners at ε = {epsilon}", epsilon=Num(model.lab.epsilon, 5))
    return (Table("learners", title, columns, shown=True, heads=tuple(heads.values()), exact=True),)


def _row(model: LearnModel, learner: Learner, score: float) -> tuple[Any, ...]:
    epsilon, delta = known.promised(model, learner)
    holds = known.claim_of(model, learner).holds
    text = N_("({epsilon}, {delta})") if holds else N_("claims ({epsilon}, {delta})")
    promise = say(text, epsilon=Num(epsilon, 5), delta=Num(delta, 3, "up"))
    return (
        Message(learner.label),
        Message(PLACES[learner.place]),
        promise,
        known.shown(model, score),
    )
