"""Clusters' strip, sentences and table."""

import math
from collections.abc import Iterator
from typing import Any

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.models.clusters import model as clusters
from dpstudio.labs.models.clusters.parameters import SCORES, opens
from dpstudio.labs.models.clusters.plane import in_step
from dpstudio.labs.passing_words import wanted_epsilon
from dpstudio.privacy.queries import REPLACE
from dpstudio.values.messages import N_, Message, Num, listed, say


def facts(model: clusters.ClustersModel) -> tuple[Fact, ...]:
    """How far runs spread, the noise on a centre, how often one stays; then the scores."""
    steps = clusters.steps_of(model)
    counted = Fact("steps", say("steps"), say("{n}", n=Num(steps)), "", "text", steps)
    if not model.lab.show_truth:
        return (counted,)
    low, high = clusters.ends(model)
    text = say("{low} … {high}", low=Num(low, 3), high=Num(high, 3))
    name, score = Message(SCORES[model.key]), clusters.median(model)
    band = say("{confidence} of the runs", confidence=at_confidence(model.lab.confidence))
    moved, stays = clusters.radius(model), clusters.lost(model)
    share = say("{share}", share=Num(stays, 3, percent=True))
    whole = clusters.noiseless(model)
    return (
        Fact("interval", band, text, name, "laplace", (low, high)),
        Fact(
            "radius",
            say("noise on a centre"),
            say("±{r}", r=Num(moved, 3, "up")),
            say("the box reaches from −1 to 1"),
            "answer",
            moved,
        ),
        Fact("lost", say("steps in which a centre stays"), share, say("count < 1"), "text", stays),
        Fact("score", name, say("{x}", x=Num(score, 3)), say("median"), "laplace", score),
        Fact("noiseless", say("without noise"), say("{x}", x=Num(whole, 3)), "", "truth", whole),
        _each(model),
        counted,
    )


def _each(model: clusters.ClustersModel) -> Fact:
    text = N_("for {n:the one step|each of {n} steps}")
    cost = clusters.step_cost(model)
    label = say(text, n=Num(clusters.steps_of(model)))
    return Fact("each", label, say("ε = {e}", e=Num(cost, 3, "up")), "", "text", cost)


def sentences(model: clusters.ClustersModel) -> tuple[Sentence, ...]:
    """What the promise costs, what it is, and how it is spent."""
    said = (*_odds(model), _theorem(model), _split(model))
    if not model.lab.show_truth:
        text = N_("Points and scores are hidden: this shows how the budget is spent.")
        return (Sentence("score", say(text)), *said)
    rows = clusters.moves(model)
    found = *_score(model), *_better(model), *_wanted(model), *_stays(model)
    found = in_step(rows, opens(len(rows))), *found
    return *found, *said, _rows(model), _exact(model)


def _score(model: clusters.ClustersModel) -> Iterator[Sentence]:
    """The score at this ε, without noise, and by centres that were never moved."""
    values: dict[str, Any] = {
        "epsilon": Num(model.lab.epsilon, 5),
        "name": Message(SCORES[model.key]),
        "score": Num(clusters.median(model), 3),
        "whole": Num(clusters.noiseless(model), 3),
    }
    text = N_("At ε = {epsilon} the {name} is {score}, and {whole} without noise.")
    if math.isnan(clusters.median(model)):
        text = N_("At ε = {epsilon} all points lie in one cluster: there is no silhouette.")
    yield Sentence(
        "score", Message(text, values), "warn" if math.isnan(values["score"].value) else "plain"
    )
    text, none = (
        N_("In the median of runs; it is {none} by the first centres alone, which see no point."),
        clusters.untaught(model),
    )
    if not math.isnan(none):
        tone = "plain" if _useful(model) else "warn"
        yield Sentence("untaught", say(text, none=Num(none, 3)), tone)


def _better(model: clusters.ClustersModel) -> tuple[Sentence, ...]:
    """Why noise seems to help, where the median is better with it and so are most runs."""
    noisy, whole, of = clusters.median(model), clusters.noiseless(model), clusters.pairs(model)
    ahead = noisy < whole if model.key == "inertia" else noisy > whole
    if not ahead or of.better <= of.worse:
        return ()
    values = {
        "better": Num(of.better, 3, percent=True),
        "worse": Num(of.worse, 3, percent=True),
        "lower": Num(of.lower, 3, percent=True),
    }
    text = N_(
        "From {better} of the first centres runs score better with noise, from {worse} worse. In "
        "{lower} of the former inertia is lower too: without noise k-means settles near its "
        "start, and noise carries it further."
    )
    if of.lower < 0.5:
        text = N_(
            "From {better} of the first centres runs score better with noise, from {worse} worse. "
            "Yet only in {lower} of the former inertia is lower too, which is all that k-means "
            "lowers: this score asks for something else."
        )
    return (Sentence("better", Message(text, values)),)


def _wanted(model: clusters.ClustersModel) -> tuple[Sentence, ...]:
    """Which ε a score takes that is wanted."""
    aim = None if model.quick else clusters.wanted_score(model)
    if aim is None:
        return ()
    what = say("A score of {score} ({name})", name=Message(SCORES[model.key]), score=Num(aim, 3))
    return (wanted_epsilon(clusters.wanted_epsilon(model, aim), what, N_("these runs")),)


def _useful(model: clusters.ClustersModel) -> bool:
    """Whether the clusters are nearer to those without noise than to the first centres."""
    here = clusters.median(model)
    return abs(here - clusters.noiseless(model)) < abs(here - clusters.untaught(model))


def _stays(model: clusters.ClustersModel) -> tuple[Sentence, ...]:
    stays = clusters.lost(model)
    text = N_(
        "In {share} of all steps the noisy count of a centre is below 1: it has nothing to go by, "
        "and stays where it is."
    )
    if not stays:
        return ()
    tone = "warn" if _useful(model) else "plain"  # one line of them is room enough
    return (Sentence("stays", say(text, share=Num(stays, 3, percent=True)), tone),)


def _odds(model: clusters.ClustersModel) -> tuple[Sentence, ...]:
    if not clusters.holds(model):
        return ()
    text = N_(
        "Of 100 people whose presence is an even guess, an attacker gets on average at most "
        "{right} right after all steps (50 before)."
    )
    if model.lab.adjacency == REPLACE:
        text = N_(
            "Of 100 people with one of two values at even odds, an attacker gets on average at "
            "most {right} right after all steps (50 before)."
        )
    return (Sentence("odds", say(text, right=Num(clusters.right_guesses(model)))),)


def _theorem(model: clusters.ClustersModel) -> Sentence:
    values: dict[str, Any] = {
        "epsilon": Num(model.lab.epsilon, 5),
        "steps": Num(clusters.steps_of(model)),
        "moved": Num(clusters.persons_rows(model)),
        "cost": Num(clusters.cost(model), 4, "up"),
    }
    if not clusters.holds(model):
        text = N_(
            "ε = {epsilon} is claimed: counts and sums spend it each as if the other did not. In "
            "truth {steps} {steps:step costs|steps cost} ε = {cost}."
        )
        return Sentence("theorem", Message(text, values), "bad")
    text = N_(
        "ε = {epsilon} for all {steps} {steps:step|steps} together, seen from the first to the "
        "last: in each of them one person moves counts by at most {moved}, and each coordinate of "
        "sums by as much."
    )
    if clusters.steps_of(model) == 1:
        text = N_(
            "ε = {epsilon} for the one step: one person moves counts by at most {moved}, and each "
            "coordinate of sums by as much."
        )
    if model.lab.split == "printed":
        text = N_(
            "As printed, and yet within ε = {epsilon}: the {steps} {steps:step costs|steps cost} ε "
            "= {cost}."
        )
    return Sentence("theorem", Message(text, values))


def _split(model: clusters.ClustersModel) -> Sentence:
    split = clusters.split_of(model)
    text = N_(
        "In each step counts take ε = {counts} (noise of scale {count}), sums ε = {sums} (scale "
        "{total} in each coordinate)."
    )
    values = {
        "counts": Num(clusters.count_cost(model), 3),
        "sums": Num(clusters.sum_cost(model), 3),
        "count": Num(split.count, 3, "up"),
        "total": Num(split.total, 3, "up"),
    }
    return Sentence("split", Message(text, values))


def _rows(model: clusters.ClustersModel) -> Sentence:
    held = clusters.cloud(model)
    if held.made:
        text = N_("{n} {n:point is|points are} made, and nobody’s.")
        return Sentence("rows", say(text, n=Num(len(held.x))))
    if held.unattested:
        text = N_("Bounds of {columns} come from the data: this is not private.")
        names = listed(held.unattested)
        return Sentence("rows", say(text, columns=names), "warn")
    text = N_(
        "{n:# row|# rows}, scaled by public bounds; {left:# row lacks a value and is|# rows lack a "
        "value and are} left out."
    )
    return Sentence("rows", say(text, n=Num(len(held.x)), left=Num(held.left_out)))


def _exact(model: clusters.ClustersModel) -> Sentence:
    text = N_(
        "Points and scores are exact, and so not private: who publishes them spends more than ε."
    )
    return Sentence("exact", say(text))


def tables(model: clusters.ClustersModel) -> tuple[Table, ...]:
    """Every score with noise and without."""
    if not model.lab.show_truth or model.quick:
        return ()
    keys = clusters.keys(model)
    found = [clusters.medians(model, key) for key in keys]
    columns = (
        ("score", tuple(Message(SCORES[key]) for key in keys)),
        *(
            (name, tuple(Num(row[i], 3) for row in found))
            for i, name in enumerate(("noisy", "exact", "plus"))
        ),
    )
    title = say("Scores at ε = {epsilon}", epsilon=Num(model.lab.epsilon, 5))
    heads = (
        say("median of the runs"),
        say("with noise"),
        say("without noise"),
        say("from k-means++ starts"),
    )
    return (Table("scores", title, columns, shown=True, heads=heads, exact=True),)
