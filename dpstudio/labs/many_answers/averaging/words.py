"""The averaging lab's strip and sentences: what the mean gives away, what the answers cost, and
what helps."""

import math
from collections.abc import Iterator

from dpstudio.labs.bound_names import name_of, total_of
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.many_answers.averaging import model as known
from dpstudio.labs.many_answers.averaging.model import AveragingModel
from dpstudio.labs.series_model import NOTHING, by_adding, smaller, supposed
from dpstudio.labs.supposed import supposing
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: AveragingModel) -> Iterator[Fact]:
    """The strip: how far off the mean is, from when it tells a person apart, what it all costs."""
    sees, (best, total) = known.deviation(model), known.cheapest(model)
    note = say("deviation of the mean")
    yield Fact(
        "deviation", say("Mean of k answers"), say("±{sd}", sd=Num(sees)), note, "answer", sees
    )
    cost, by = say("{total}", total=total_of(total)), name_of(best)
    if supposed(model) and best.supposes(model.ledger):
        by = supposing(by)
    yield Fact("total", say("Total ε"), cost, by, best.ink, total)
    enough = known.needed(model)
    if enough is not None:
        text = say("{k}", k=Num(enough))
        note = say("to err by half of one person")
        yield Fact("needed", say("Enough answers"), text, note, value=enough)


def sentences(model: AveragingModel) -> Iterator[Sentence]:
    """What the charts mean, the attack first."""
    yield _attack(model)
    yield _allowed(model)
    yield _cost(model)
    yield _needed(model)
    if len(known.asked_lines(model)) > 1:
        text = N_("Different answers are weighed by their precision: no other weights err by less.")
        yield Sentence("weighed", say(text))
    if any(spend.sampled for spend in model.ledger.spends):
        text = N_("Averaging is shown by somebody who knows of all others who was drawn.")
        yield Sentence("sampled", say(text))
    text = N_(
        "Against averaging: give a repeated question its first answer again, which costs nothing "
        "more."
    )
    yield Sentence("mitigations", say(text))
    if model.equal and model.answers > 1:
        yield _shared(model)


def _attack(model: AveragingModel) -> Sentence:
    right, error = known.right_simulated(model)
    # Fewer digits than those of the bounds; where it is held to these, it reads as they do.
    held = right == known.promised(model)
    share = Num(right, 4 if held else 3, "up" if held else "down", percent=True)
    text = N_("Averaging {k} {k:answer|answers} tells if one is in, in {right} ± {error} of cases.")
    said = say(
        text, k=Num(known.count_asked(model)), right=share, error=Num(error, 2, "up", percent=True)
    )
    return Sentence("attack", said, "warn" if known.telling(model) else "plain")


def _allowed(model: AveragingModel) -> Sentence:
    most = known.promised(model)
    text = N_("That is simulated; the bounds let nobody be right more than {most} on average.")
    if most >= NOTHING:
        text = N_("The bounds leave room for nearly all guesses to be right: {most} on average.")
    return Sentence("allowed", say(text, most=Num(most, 4, "up", percent=True)))


def _cost(model: AveragingModel) -> Sentence:
    best, total = known.cheapest(model)
    values = {
        "k": Num(model.answers),
        "total": total_of(total),
        "delta": Num(known.cost_delta(model), 3, "up"),
        "bound": name_of(best),
        "plain": total_of(by_adding(model)),
    }
    text = N_("Together {k} {k:answer costs|answers cost} ε = {total} at δ = {delta} ({bound}).")
    if best.supposes(model.ledger):
        text = N_(
            "If the promise held, {k} {k:answer|answers} would cost ε = {total} and δ = {delta}."
        )
        return Sentence("cost", Message(text, values), "bad")
    if smaller(total, by_adding(model)) and not supposed(model):
        text = N_(
            "Together {k} {k:answer costs|answers cost} ε = {total} at δ = {delta} ({bound}); "
            "adding up says {plain}."
        )
    return Sentence("cost", Message(text, values))


def _needed(model: AveragingModel) -> Sentence:
    enough = known.needed(model)
    if enough is None:
        text = N_(
            "Even all of them leave a standard deviation above half of what one person changes."
        )
        return Sentence("needed", say(text), "good")
    values = {"k": Num(enough)}
    text = N_(
        "From {k} {k:answer|answers} on the standard deviation of the mean is at most half of what "
        "one person changes."
    )
    told, total = Message(text, values), known.added_up(model, enough) if model.equal else math.nan
    if math.isfinite(total):
        text = N_("{told} By adding up so many cost ε = {total}.")
        if supposed(model):
            text = N_("{told} If the promise held, so many would cost ε = {total}.")
        told = say(text, told=told, total=total_of(total))
    return Sentence("needed", told)


def _shared(model: AveragingModel) -> Sentence:
    text = N_(
        "Or let all {k} share the ε of one: with ε = {each} each, which adds up to it, their mean "
        "errs by {sd}, where one answer errs by {one}."
    )
    said = say(
        text,
        k=Num(model.answers),
        each=Num(known.shared_epsilon(model), 3, "down"),
        sd=Num(known.shared_deviation(model, model.answers)),
        one=Num(known.shared_deviation(model, 1)),
    )
    return Sentence("shared", said)
