"""Dimension's strip, sentences and table."""

import math
from typing import Any

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.one_answer.dimension import model as dimension
from dpstudio.labs.one_answer.dimension.contest import after
from dpstudio.labs.one_answer.dimension.parameters import K_MOST
from dpstudio.labs.winners import factor, level, listed
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: dimension.DimensionModel) -> tuple[Fact, ...]:
    """The strip: who wins, every drawn error, where Laplace is overtaken, and the sensitivities."""
    lab, s = model.lab, dimension.sensitivity(model, model.lab.k)
    out = []
    for key in lab.drawn:
        made, value = dimension.mechanism(model, key), dimension.error_here(model, key)
        text = say("±{x}", x=Num(value))
        out.append(Fact(key, Message(made.label), text, _beside(model, key), made.ink, value))
    for (one, other), at in dimension.meetings(model).items():
        if one == "laplace" and at:
            note = say("Laplace and {other} err alike", other=_name(model, other))
            text = say("k = {k}", k=dimension.meeting_num(at[0]))
            out.append(Fact("meeting", say("They meet at"), text, note, value=at[0]))
            break
    text, note = (
        say("L1 {l1}, L2 {l2}", l1=Num(s.l1), l2=Num(s.l2)),
        say("the largest move of one person"),
    )
    title = say("One person moves it by")
    return (*out, Fact("sensitivity", title, text, note, value=(s.l1, s.l2)))


def _name(model: dimension.DimensionModel, key: str) -> Message:
    return Message(dimension.mechanism(model, key).label)


def _beside(model: dimension.DimensionModel, key: str) -> Message:
    """How a mechanism does beside the best one."""
    if key not in dimension.honest(model):
        return say("breaks its promise")
    if key in dimension.standing(model)[0]:
        return say("least here")
    return say("{factor} times as much", factor=factor(dimension.excess(model, key)))


def sentences(model: dimension.DimensionModel) -> tuple[Sentence, ...]:
    """Who wins and by how much, from where on that changes, where each pair meets, and what each
    promises."""
    found = [_winner(model), _change(model), _measured(model)]
    found += [_meeting(model, pair) for pair in dimension.pairs(model)]
    found.append(Sentence("sensitivity", dimension.sensitivity(model, model.lab.k).why))
    found.append(_promise(model))
    for key in model.lab.drawn:
        promise = dimension.guarantee(model, key)
        if not promise.sound:
            tone = "bad" if promise.violated else "warn"
            found.append(Sentence(f"promise_{key}", promise.note, tone))
    return tuple(found)


def _promise(model: dimension.DimensionModel) -> Sentence:
    """What the drawn mechanisms promise: a δ of 0 or not is part of the comparison."""
    pure = {dimension.mechanism(model, key).pure for key in model.lab.drawn}
    if pure == {True}:
        text = N_("All that are drawn promise ε = {epsilon} with δ = 0.")
    elif pure == {False}:
        text = N_("Gaussian noise promises ε = {epsilon} with δ = {delta}, not with δ = 0.")
    else:
        text = N_(
            "Laplace and L2-norm noise promise ε = {epsilon} with δ = 0; Gaussian noise promises "
            "it with δ = {delta} only."
        )
    return Sentence(
        "promise", say(text, epsilon=Num(model.lab.epsilon, 5), delta=Num(model.lab.delta, 3, "up"))
    )


def _winner(model: dimension.DimensionModel) -> Sentence:
    """Who errs least at the chosen k, and by how much less than the next."""
    lab = model.lab
    if not dimension.honest(model):
        text = N_(
            "The only mechanism drawn breaks its promise at ε = {epsilon}: its errors are no "
            "result."
        )
        return Sentence("winner", say(text, epsilon=Num(lab.epsilon, 5)), "bad")
    best, *others = dimension.standing(model)
    values: dict[str, Any] = {
        "k": Num(lab.k),
        "best": listed([_name(model, key) for key in best]),
        "error": Num(dimension.error_here(model, best[0])),
    }
    if best[1:]:
        text = N_("With k = {k} {best} noise err alike, by {error}.")
        return Sentence("winner", Message(text, values), "good")
    if not others:
        text = N_("With k = {k} {k:coordinate|coordinates} {best} noise errs by {error}.")
        return Sentence("winner", Message(text, values))
    values |= {
        "second": listed([_name(model, key) for key in others[0]]),
        "other": Num(dimension.error_here(model, others[0][0])),
    }
    text = N_("With k = {k} {best} noise errs least, by {error}; {second} errs by {other}.")
    if others[0][1:]:
        text = N_("With k = {k} {best} noise errs least, by {error}; {second} err by {other}.")
    return Sentence("winner", Message(text, values), "good")


def _measured(model: dimension.DimensionModel) -> Sentence:
    """What an error is here."""
    text = N_("An error here is the {measure}.")
    return Sentence("measured", say(text, measure=dimension.error_words(model)))


def _change(model: dimension.DimensionModel) -> Sentence:
    """From where on another mechanism errs least."""
    if not dimension.honest(model):
        return Sentence("change", say("Choose a smaller ε, or draw another mechanism."))
    if len(dimension.honest(model)) == 1:
        text = N_("Draw another mechanism that keeps its promise to compare it with.")
        return Sentence("change", say(text))
    changed = dimension.change(model)
    if changed is None:
        text = N_("That stays so for every larger k up to {most}.")
        return Sentence("change", say(text, most=Num(K_MOST)))
    whole, other, at = changed
    text = N_("From k = {k} on it is {other} (equal at {at}).")
    told = say(text, k=Num(whole), other=_name(model, other), at=dimension.meeting_num(at))
    return Sentence("change", told)


def _meeting(model: dimension.DimensionModel, pair: dimension.MechanismPair) -> Sentence:
    """Where two mechanisms err alike, and which errs less from there on."""
    values: dict[str, Any] = {
        "one": _name(model, pair[0]),
        "other": _name(model, pair[1]),
        "winner": _name(model, dimension.less_beyond(model, pair)),
    }
    text = N_("{one} and {other} do not cross for k up to 10,000: {winner} errs less.")
    at = dimension.meetings(model)[pair]
    if not at and level(*(dimension.error(model, key, 1.0) for key in pair)):
        text = N_("{one} and {other} are the same at k = 1, and up to 10,000 {winner} errs less.")
    if at:
        text = N_("{one} and {other} meet at k = {at}: from k = {k} on {winner} errs less.")
        values |= {"at": dimension.meeting_num(at[0]), "k": Num(after(at[0]))}
    return Sentence("meeting_" + "_".join(pair), Message(text, values))


def tables(model: dimension.DimensionModel) -> tuple[Table, ...]:
    """Exact figures of every drawn mechanism at the chosen k."""
    lab = model.lab
    rows = [_row(model, key) for key in lab.drawn]
    heads = {
        "mechanism": say("mechanism"),
        "noise": say("noise"),
        "scale": say("scale"),
        "deviation": say("standard deviation"),
        "mean_abs": say("mean absolute error"),
        "largest": say("largest at {confidence}", confidence=_confidence(model)),
        "length": say("mean length"),
        "guarantee": say("(ε, δ)"),
    }
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(heads))
    title = say("Exact figures at k = {k}", k=Num(lab.k))
    return (Table("figures", title, columns, shown=True, heads=tuple(heads.values())),)


def _confidence(model: dimension.DimensionModel) -> Num:
    return Num(model.lab.confidence, 4, "down", percent=True)


def _row(model: dimension.DimensionModel, key: str) -> tuple[Message | Num, ...]:
    """What the table says of one mechanism."""
    k = model.lab.k
    made, promise = dimension.mechanism(model, key), dimension.guarantee(model, key)
    law = made.law(dimension.sensitivity(model, k))
    shown = say(
        "({epsilon}, {delta})", epsilon=Num(promise.epsilon, 5), delta=Num(promise.delta, 3, "up")
    )
    if promise.violated:
        shown = say("{promise}: broken", promise=shown)
    elif not promise.proven:
        shown = say("{promise}: unproven", promise=shown)
    return (
        Message(made.label),
        Message(made.formula),
        Num(dimension.scale(model, key, k), 4),
        Num(math.sqrt(law.variance), 4),
        Num(law.mean_abs, 4),
        Num(law.all_half_width(model.lab.confidence, k), 4, "up"),
        Num(dimension.error(model, key, k, "length"), 4),
        shown,
    )
