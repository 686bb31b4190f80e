"""What Learn says of a score that is wanted, and of the border of the test rows."""

from __future__ import annotations

from typing import Any

from dpstudio.labs.findings import Sentence
from dpstudio.labs.learning.learn.learners.gradient_descent import GradientDescent
from dpstudio.labs.learning.learn.model import LearnModel, counted, majority, noiseless, shown
from dpstudio.labs.learning.learn.target import (
    allowed,
    best_value,
    cheapest,
    most_rows,
    noise_of,
    offered,
    people_of,
    solves,
    wanted_epsilon,
    wanted_score,
    wanted_value,
)
from dpstudio.values.messages import N_, Num, Say, say


def wanted(model: LearnModel) -> tuple[Sentence, ...]:
    """What a target takes, of what is solved for."""
    if noiseless(model) <= majority(model):
        text = N_("Without noise this model is no better than one answer: there is no target.")
        return (Sentence("wanted", say(text), "warn"),)
    what = solves(model.lab)
    if what != model.lab.solve:
        text = N_("“{name}” has no steps and no samples: solve for ε or for rows.")
        return (Sentence("wanted", say(text, name=Say(model.lab.learner.label)), "warn"),)
    if what == "epsilon":
        return (_epsilon(model),)
    if model.sweep is None:
        return ()
    if what in ("steps", "batch"):
        return (_setting(model),)
    return (_noise(model) if what == "noise" else _rows(model),)


def _epsilon(model: LearnModel) -> Sentence:
    """Which ε it takes, by this learner and by the one that needs least."""
    score, own, best = wanted_score(model), wanted_epsilon(model), cheapest(model)
    values: dict[str, Any] = {"score": shown(model, score)}
    text = N_("A score of {score} is reached by half of the models at no ε drawn here.")
    if own is not None:
        values["own"] = Num(own, 3, "up")
        text = N_("A score of {score} is reached by half of the models from ε = {own} on.")
    told = Say(text, values)
    if best is None or best[0] is model.lab.learner:
        return Sentence("wanted_epsilon", told)
    name, least = Say(best[0].label), Num(best[1], 3, "up")
    text = N_("{told} “{name}” reaches it first: from ε = {least} on.")
    again = {"own": values["own"]} if own is not None else {}
    return Sentence(
        "wanted_epsilon", Say(text, {"told": told, "name": name, "least": least, **again})
    )


def _promised(model: LearnModel) -> dict[str, Any]:
    learner = model.lab.learner
    assert isinstance(learner, GradientDescent)
    return {
        "score": shown(model, wanted_score(model)),
        "epsilon": Num(model.lab.epsilon, 5),
        "delta": Num(learner.delta, 3, "up"),
        "steps": Num(learner.steps),
        "share": Num(learner.chance, 3, percent=True),
    }


def _noise(model: LearnModel) -> Sentence:
    """How much noise it takes, and how the promise can be kept with it."""
    found, values = wanted_value(model), _promised(model)
    if found is None:
        text = N_("A score of {score} is reached by half of the models at no ε drawn here.")
        return Sentence("wanted", Say(text, values), "warn")
    values["noise"] = Num(found, 3, "down")
    if not model.whole:
        text = N_("A score of {score} takes noise of σ = {noise} clips at most.")
        return Sentence("wanted", Say(text, values))
    most, largest = allowed(model)
    values |= {"most": Num(most), "largest": Num(largest, 3, "down", percent=True)}
    text = N_(
        "A score of {score} takes noise of σ = {noise} clips at most. (ε, δ) = ({epsilon}, "
        "{delta}) allows that with {most} steps of {share} at most, or {steps} steps of {largest}."
    )
    return Sentence("wanted", Say(text, values))


def _setting(model: LearnModel) -> Sentence:
    """How many steps or how large a sample it takes, and what scores most."""
    found, (best, top) = wanted_value(model), best_value(model)
    steps, value = solves(model.lab) == "steps", offered(model)
    values = {
        **_promised(model),
        "value": round(value) if steps else value,
        "most": shown(model, top),
        "noise": Num(noise_of(model, value), 3, "up"),
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
    return Sentence(key, Say(text, values), "warn" if found is None else "plain")


def _named(model: LearnModel, value: float) -> Say:
    if solves(model.lab) == "steps":
        return say("{n} steps", n=Num(value))
    text = N_("samples of {share} (about {people} people)")
    share, people = Num(value, 3, percent=True), Num(people_of(model, value), 3)
    return say(text, share=share, people=people)


def _rows(model: LearnModel) -> Sentence:
    """From how many rows on half of the models reach it."""
    found, (_, top) = wanted_value(model), best_value(model)
    values = {
        "score": shown(model, wanted_score(model)),
        "epsilon": Num(model.lab.epsilon, 5),
        "rows": Num(counted(model)[0]),
        "most": shown(model, top),
        "tried": Num(most_rows(model)),
    }
    if found is None:
        text = N_(
            "At ε = {epsilon} half of the models reach a score of {score} with no number of rows "
            "up to {tried}, at best {most}."
        )
        return Sentence("wanted", Say(text, values), "warn")
    values["found"] = Num(found, 3, "up")
    text = N_(
        "At ε = {epsilon} half of the models reach a score of {score} from {found} rows like these "
        "on; {rows} are learnt from."
    )
    return Sentence("wanted", Say(text, values))


def border(model: LearnModel) -> tuple[Sentence, ...]:
    """What the promise is to where the border of the test rows lies at a share of all."""
    if model.lab.split != "last" or model.known.replace:
        return ()
    text = N_(
        "The promise is to rows that are learnt from. Where the last rows test, who comes or goes "
        "can move one more row over the border: to a row of the table it is a promise to two."
    )
    return (Sentence("border", say(text)),)
