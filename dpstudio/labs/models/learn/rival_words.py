"""What Learn says of other learners beside the one in use."""

from typing import Any

from dpstudio.labs.findings import Sentence, Table
from dpstudio.labs.models.learn import model as known
from dpstudio.labs.models.learn.learners.learner import PLACES, Learner
from dpstudio.labs.models.learn.model import LearnModel
from dpstudio.values.messages import N_, Message, Num, say


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
