"""Dimension's strip, sentences and table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dpstudio.labs.central.dimension.charts import error_words, meeting_num
from dpstudio.labs.central.dimension.noise import K_MOST, after
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.values.messages import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.central.dimension.parameters import DimensionModel


def facts(model: DimensionModel) -> tuple[Fact, ...]:
    """The strip: who wins, every drawn error, where Laplace is overtaken, and the sensitivities."""
    lab, sensitivity = model.lab, model.sensitivity(model.lab.k)
    best = model.best(lab.k) if model.honest else None
    out = []
    for key in lab.drawn:
        mechanism, error = model.mechanism(key), model.error(key, lab.k)
        note = say("least here") if key == best else _over(model, key, best)
        out.append(
            Fact(key, Say(mechanism.label), say("±{x}", x=Num(error)), note, mechanism.ink, error)
        )
    meeting = next(
        ((pair, at[0]) for pair, at in model.meetings.items() if pair[0] == "laplace" and at), None
    )
    if meeting is not None:
        (_, other), at = meeting
        note = say("Laplace and {other} err alike", other=Say(model.mechanism(other).label))
        out.append(
            Fact("meeting", say("They meet at"), say("k = {k}", k=meeting_num(at)), note, value=at)
        )
    both = say("L1 {l1}, L2 {l2}", l1=Num(sensitivity.l1), l2=Num(sensitivity.l2))
    out.append(
        Fact(
            "sensitivity",
            say("One person moves it by"),
            both,
            say("the largest move of one person"),
            value=(sensitivity.l1, sensitivity.l2),
        )
    )
    return tuple(out)


def _over(model: DimensionModel, key: str, best: str | None) -> Say:
    if key not in model.honest:
        return say("breaks its promise")
    if best is None:
        return Say("")
    factor = model.error(key, model.lab.k) / model.error(best, model.lab.k)
    return (
        say("the same") if factor < 1 + 1e-9 else say("{factor} times as much", factor=Num(factor))
    )


def sentences(model: DimensionModel) -> tuple[Sentence, ...]:
    """Who wins and by how much, from where on that changes, where each pair meets, and what each
    promises."""
    found = [_winner(model), _change(model)]
    found += [_meeting(model, pair) for pair in model.pairs]
    found.append(Sentence("sensitivity", model.sensitivity(model.lab.k).why))
    found.append(_promise(model))
    for key in model.lab.drawn:
        guarantee = model.guarantee(key)
        if not guarantee.sound:
            found.append(
                Sentence(f"promise_{key}", guarantee.note, "bad" if guarantee.violated else "warn")
            )
    return tuple(found)


def _promise(model: DimensionModel) -> Sentence:
    """What the drawn mechanisms promise: a δ of 0 or not is part of the comparison."""
    pure = {model.mechanism(key).pure for key in model.lab.drawn}
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
        "promise", say(text, epsilon=Num(model.lab.epsilon, 5), delta=Num(model.lab.delta))
    )


def _winner(model: DimensionModel) -> Sentence:
    lab = model.lab
    if not model.honest:
        text = N_(
            "The only mechanism drawn breaks its promise at ε = {epsilon}: its errors are no "
            "result."
        )
        return Sentence("winner", say(text, epsilon=Num(lab.epsilon, 5)), "bad")
    best = model.best(lab.k)
    least = model.error(best, lab.k)
    values: dict[str, Any] = {
        "k": Num(lab.k),
        "best": Say(model.mechanism(best).label),
        "error": Num(least),
        "measure": error_words(model),
    }
    others = sorted((model.error(key, lab.k), key) for key in model.honest if key != best)
    if not others:
        return Sentence(
            "winner",
            say("With k = {k} coordinates {best} noise errs by {error} ({measure}).", **values),
        )
    second, key = others[0]
    values |= {
        "second": Say(model.mechanism(key).label),
        "other": Num(second),
        "factor": Num(second / least),
    }
    if second <= least * (1 + 1e-9):
        text = N_("With k = {k} {best} and {second} noise err alike, by {error} ({measure}).")
    else:
        text = N_(
            "With k = {k} {best} noise errs least, by {error}: {second} errs {factor} times as "
            "much, by {other} ({measure})."
        )
    return Sentence("winner", Say(text, values), "good")


def _change(model: DimensionModel) -> Sentence:
    if not model.honest:
        return Sentence("change", say("Choose a smaller ε, or draw another mechanism."))
    if len(model.honest) == 1:
        return Sentence(
            "change", say("Draw another mechanism that keeps its promise to compare it with.")
        )
    change = model.change
    if change is None:
        return Sentence(
            "change", say("That stays so for every larger k up to {most}.", most=Num(K_MOST))
        )
    whole, other, at = change
    text = N_("From k = {k} on it is {other} (equal at {at}).")
    return Sentence(
        "change",
        say(text, k=Num(whole), other=Say(model.mechanism(other).label), at=meeting_num(at)),
    )


def _meeting(model: DimensionModel, pair: tuple[str, str]) -> Sentence:
    one, other = (Say(model.mechanism(key).label) for key in pair)
    at = model.meetings[pair]
    key = "meeting_" + "_".join(pair)
    if at:
        more = model.error(pair[1], at[0] * 1.01) < model.error(pair[0], at[0] * 1.01)
        text = N_("{one} and {other} meet at k = {at}: from k = {k} on {winner} errs less.")
        return Sentence(
            key,
            say(
                text,
                one=one,
                other=other,
                at=meeting_num(at[0]),
                k=Num(after(at[0])),
                winner=other if more else one,
            ),
        )
    ends = [model.error(pair[0], k) / model.error(pair[1], k) for k in (1.0, 100.0)]
    winner = one if max(ends) <= 1 + 1e-9 else other
    return Sentence(
        key,
        say(
            "{one} and {other} do not cross for k up to 10,000: {winner} errs less.",
            one=one,
            other=other,
            winner=winner,
        ),
    )


def tables(model: DimensionModel) -> tuple[Table, ...]:
    """Exact figures of every drawn mechanism at the chosen k."""
    lab = model.lab
    sensitivity = model.sensitivity(lab.k)
    rows = []
    for key in lab.drawn:
        mechanism = model.mechanism(key)
        law = mechanism.law(sensitivity)
        promise = model.guarantee(key)
        shown = say(
            "({epsilon}, {delta})", epsilon=Num(promise.epsilon, 5), delta=Num(promise.delta)
        )
        if promise.violated:
            shown = say("{promise}: broken", promise=shown)
        elif not promise.proven:
            shown = say("{promise}: unproven", promise=shown)
        rows.append(
            (
                Say(mechanism.label),
                plain(mechanism.formula),
                Num(model.scale(key, lab.k), 4),
                Num(math.sqrt(law.variance), 4),
                Num(law.mean_abs, 4),
                Num(law.all_half_width(lab.confidence, lab.k), 4, "up"),
                Num(model.error(key, lab.k, "length"), 4),
                shown,
            )
        )
    heads = (
        say("mechanism"),
        say("noise"),
        say("scale"),
        say("standard deviation"),
        say("mean absolute error"),
        say("largest at {confidence}", confidence=Num(lab.confidence, 4, "down", percent=True)),
        say("mean length"),
        say("(ε, δ)"),
    )
    names = (
        "mechanism",
        "noise",
        "scale",
        "deviation",
        "mean_abs",
        "largest",
        "length",
        "guarantee",
    )
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    title = say("Exact figures at k = {k}", k=Num(lab.k))
    return (Table("figures", title, columns, shown=True, heads=heads),)
