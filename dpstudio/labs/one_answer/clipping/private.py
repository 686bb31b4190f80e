"""The private choice of the upper bound on a grid, and what becomes of the error after it."""

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.one_answer.clipping import choice
from dpstudio.labs.one_answer.clipping.bounds import grid_between, proposed_bounds, told_bounds
from dpstudio.labs.one_answer.clipping.choice import Chosen
from dpstudio.labs.one_answer.clipping.errors import Parts, error_parts
from dpstudio.labs.one_answer.clipping.law import differ, furthest, law_parts
from dpstudio.labs.one_answer.clipping.model import CHECKED, FIRST, ROUGH, ClippingModel
from dpstudio.privacy.release.bound_choice import (
    exponential_chances,
    rank_sensitivity,
    search_chances,
)
from dpstudio.values.messages import N_, Message, Num, say

NODES, FEW_NODES = 25, 7


def _grid_of_steps(model: ClippingModel) -> tuple[float, float, int]:
    """The ends and number of equal steps that suit the column."""
    lab = model.lab
    proposed = proposed_bounds(lab, model.data)
    return choice.equal_ends(*proposed, lab.points, lab.mechanism.integers)


@once
def candidates(model: ClippingModel) -> Array:
    """The grid above the lower bound (or the centre): between the ends that are given, else fitted
    to the column, where there are fewer steps than asked for if fewer suit it."""
    lab, floor = model.lab, model.bounds.floor
    if lab.grid == "doubling":
        top = proposed_bounds(lab, model.data)[1]
        ends = choice.doubling_ends(floor, top, model.rows.median_above(floor))
        grid = choice.doubling(*grid_between(lab, *ends))
    else:
        start, end, fitting = _grid_of_steps(model)
        points = fitting if lab.grid_low is None and lab.grid_high is None else lab.points
        grid = array(np.linspace(*grid_between(lab, start, end), points))
    if lab.mechanism.integers:
        grid = np.unique(np.round(grid))
    return array(grid[grid > floor])


def score_sensitivity(model: ClippingModel) -> float:
    """By how much one person moves the score of a candidate."""
    return rank_sensitivity(model.lab.q, model.lab.adjacency, model.data.contributions)


def chooses(model: ClippingModel) -> bool:
    """Whether a private choice is asked for, and has two candidates."""
    return model.lab.choose != "none" and len(candidates(model)) >= 2


@once
def private_choice(model: ClippingModel) -> Chosen | None:
    """The private choice of the upper bound; None where none is asked for or the grid has no two
    candidates above the lower one. Raises Stopped."""
    lab, high = model.lab, candidates(model)
    if not chooses(model):
        return None
    epsilon = lab.mechanism.epsilon * lab.choose_epsilon
    law = exponential_chances if lab.choose == "exponential" else search_chances
    target = lab.q * model.rows.rows
    chances = law(_ranks(model, high), target, epsilon, score_sensitivity(model))
    parts = _errors_after(model, chances)
    bias, noise, sampling = (
        float(chances @ part**2) for part in (parts.bias, parts.noise, parts.sampling)
    )
    return Chosen(high, chances, array(parts.total), (bias, noise, sampling), epsilon)


def _ranks(model: ClippingModel, high: Array) -> Array:
    """Rows that the candidate keeps: those at or below it, or, where both bounds move, those
    between both."""
    if model.bounds.moving != "both":
        return model.rows.at_or_below(high)
    clips = model.rows.clip(model.bounds.below(high), high)
    return np.asarray(clips.rows - clips.below - clips.above)


def _errors_after(model: ClippingModel, chances: Array) -> Parts:
    """The errors with each candidate and the rest of ε: by the law where first order is off, at up
    to 25 of them and, for what the law adds, straight lines between."""
    lab, high = model.lab, candidates(model)
    low, count, mechanism = model.bounds.below(high), len(high), lab.mechanism
    rest = mechanism.at(mechanism.epsilon * (1 - lab.choose_epsilon), mechanism.total_delta)
    first = error_parts(model.question, model.rows, rest, low, high, lab.sampling)
    likely = int(np.argmax(chances))
    if model.question.direct:
        return first
    reach = furthest(model, low, high)
    if model.level == FIRST:
        return first.within(reach)
    if model.level == CHECKED:
        few = np.unique([0, likely, count - 1])
        some = error_parts(model.question, model.rows, rest, low[few], high[few], lab.sampling)
        if not differ(model, some, law_parts(model, low[few], high[few], rest)):
            return first
    nodes = np.linspace(0, count - 1, min(count, FEW_NODES if model.level == ROUGH else NODES))
    nodes = np.unique(np.append(np.round(nodes).astype(int), likely))
    law, places = law_parts(model, low[nodes], high[nodes], rest), np.arange(count)
    drift = np.interp(places, nodes, law.bias - first.bias[nodes])
    noise = np.interp(places, nodes, law.noise)
    return Parts(first.clips, first.bias + drift, noise, first.sampling).within(reach)


# What makes it private.


def public_grid(model: ClippingModel) -> bool:
    """Whether all ends of the grid that are typed are known from outside the data, and those that
    are not are of equal steps between such bounds of the codebook."""
    lab = model.lab
    typed = [end is not None for end in (lab.grid_low, lab.grid_high)]
    known = all(typed) or (lab.grid == "equal" and told_bounds(lab, model.data).public)
    return known and (lab.attested or not any(typed))


def public_other(model: ClippingModel) -> bool:
    """Whether the bound that is not chosen, or the centre, is given here or known from outside the
    data."""
    lab, about = model.lab, model.data.about(model.lab.column)
    if lab.moving == "both":
        return lab.centre is not None or told_bounds(lab, model.data).public
    return lab.low is not None or (about.low is not None and about.attested)


def not_public(model: ClippingModel) -> tuple[Message, ...]:
    """What of the bounds in force and of the grid nobody gave, nor knows from outside the data:
    said below a chart that leaves."""
    lab, about = model.lab, model.data.about(model.lab.column)
    high = lab.high is not None or (about.high is not None and about.attested)
    notes = list[Message]()
    if not (high and public_other(model)):
        notes.append(say("The bounds come from the data: this choice is not private."))
    if chooses(model) and not public_grid(model):
        notes.append(say("The grid comes from the data: this choice is not private."))
    return tuple(notes)


def clips_nothing(model: ClippingModel) -> bool:
    """Whether no candidate clips anything, though one could."""
    values = model.rows.values
    return bool(candidates(model)[0] >= values[-1] > values[0])


def missed(model: ClippingModel) -> Message | None:
    """Why no candidate can be a good one, where the grid lies beside the column."""
    if private_choice(model) is None:
        return None
    bottom, top = float(model.rows.values[0]), float(model.rows.values[-1])
    if clips_nothing(model):
        text = N_(
            "The grid misses the column: all candidates lie above its largest value ({top}), so "
            "none clips anything."
        )
        return say(text, top=Num(top, 6, "up"))
    if candidates(model)[-1] < bottom:
        text = N_(
            "The grid misses the column: all candidates lie below its smallest value ({bottom}), "
            "so each clips every row."
        )
        return say(text, bottom=Num(bottom, 6, "down"))
    return None
