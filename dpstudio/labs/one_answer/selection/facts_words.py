"""Selection's strip and tables: every number computed, upper bounds rounded up."""

from dataclasses import replace
from typing import Any

import numpy as np

from dpstudio.labs.findings import Compared, Fact, Findings, Table
from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.one_answer.selection.chance_names import cell, chance, in_tenths, small
from dpstudio.labs.one_answer.selection.curves import promised_loss
from dpstudio.values.messages import N_, Message, Num, by_log, plain, say

_ROWS = 14
# By whether several are exact.
_NEAREST = {False: N_("about the exact {named}"), True: N_("about the nearest exact {named}")}


def facts(model: selection.SelectionModel) -> tuple[Fact, ...]:
    """The strip: the best, a simulated winner, how often the best wins, what is lost, what it
    costs; or what may be told of a hidden answer."""
    if model.hidden:
        return _hidden_facts(model)
    asked, key = model.asked, model.lab.mechanism.key
    best, others = asked.best, selection.tied(model)
    score = asked.units(Num(float(model.scores.values[best]), 4))
    if asked.metric:
        score = say("on the grid: exact, not private")
        if others:
            score = say("and {others} more on the grid: exact, not private", others=others)
    elif others:
        score = say("{score}, and {others} as good", score=score, others=others)
    label = say("Exact {named}", named=asked.named) if asked.metric else say("Best")
    missed, lost = selection.log_missed(model, key), selection.losses(model)[key]
    blind = say("{p} by a uniform draw", p=Num(selection.blind_chance(model), 2, percent=True))
    return (
        Fact("truth", label, plain(asked.labels[best]), score, "truth", asked.labels[best]),
        Fact("answer", say("Simulated winner"), Message(""), "", "answer", None),
        Fact(
            "chance",
            say("Chance of the best"),
            chance(missed),
            blind,
            value=selection.reached(missed),
        ),
        Fact(
            "typical",
            say("Lost on average"),
            say("{x}", x=by_log(selection.log_loss(model, key), 3, "up")),
            say("{unit} short of the best", unit=asked.unit),
            value=lost,
        ),
        _interval(model),
        _cost(model),
    )


def compared(model: selection.SelectionModel) -> dict[str, Compared]:
    """How often each mechanism names a best candidate; nothing of hidden scores."""
    if model.hidden:
        return {}
    best, found = selection.best_ones(model), {}
    for key, logs in selection.log_chances(model).items():
        missed = selection.log_missed(model, key)
        named = selection.log_sum(logs[best])
        found[key] = in_tenths(selection.reached(missed), (named, missed))
    return {"mechanism": Compared(say("Chance of the best"), found)}


def _of_winners(model: selection.SelectionModel) -> Message:
    return say(
        "{confidence} of winners", confidence=Num(model.lab.confidence, 4, "down", percent=True)
    )


def _interval(model: selection.SelectionModel) -> Fact:
    within, label = selection.error_kept(model), _of_winners(model)
    if model.asked.metric:
        return Fact(
            "interval",
            label,
            say("±{w}", w=Num(within, 3, "up")),
            say(_NEAREST[bool(selection.tied(model))], named=model.asked.named),
            value=within,
        )
    note = say("{unit} short of the best", unit=model.asked.unit)
    return Fact("interval", label, say("≤ {w}", w=Num(within, 3, "up")), note, value=within)


def _cost(model: selection.SelectionModel) -> Fact:
    epsilon = model.lab.mechanism.epsilon
    spent = say("ε = {x}", x=Num(epsilon, 5, "up"))
    noise = say("noise scale {scale} per score", scale=Num(selection.noise_scale(model), 3, "up"))
    return Fact("cost", say("One such answer costs"), spent, noise, value=epsilon)


def _hidden_facts(model: selection.SelectionModel) -> tuple[Fact, ...]:
    label = model.asked.labels[int(selection.unseen_winner(model)[0, 0])]
    within = promised_loss(model, model.lab.mechanism)
    return (
        Fact(
            "answer",
            say("Simulated winner"),
            plain(label),
            say("simulated: not a release"),
            "answer",
            label,
        ),
        Fact(
            "interval",
            _of_winners(model),
            say("≤ {w}", w=Num(within, 3, "up")),
            say("{unit} short, whatever the scores are", unit=model.asked.unit),
            value=within,
        ),
        _cost(model),
    )


def with_winner_words(findings: Findings, index: int) -> Findings:
    """The strip and the sentence with simulated winner number `index` in them."""
    winner = int(findings.replays[index, 0])
    parts = dict(next(t for t in findings.tables if t.key == "parts").columns)
    label, error = str(parts["candidate"][winner]), float(parts["error"][winner])
    best = say("the best") if list(parts["error"]).count(0) == 1 else say("one of the best")
    note = say("{error} off", error=Num(error, 3)) if error else best
    fact = replace(findings.fact("answer"), text=plain(label), note=note, value=label)
    told = tuple(
        replace(s, say=say(s.say.text, **{**s.say.values, "answer": plain(label)}))
        if s.key == "answer"
        else s
        for s in findings.sentences
    )
    return replace(
        findings,
        facts=tuple(fact if f.key == "answer" else f for f in findings.facts),
        sentences=told,
    )


def tables(model: selection.SelectionModel) -> tuple[Table, ...]:
    """Probabilities over several ε, the best candidates first; and everything about each candidate
    at the current ε."""
    return () if model.hidden else (_probabilities(model), _parts(model))


def _probabilities(model: selection.SelectionModel) -> Table:
    lab, asked = model.lab, model.asked
    order = np.argsort(-model.scores.values, kind="stable")
    shown, rest = (
        (order, order[:0]) if len(order) <= _ROWS else (order[: _ROWS - 1], order[_ROWS - 1 :])
    )
    names: list[Any] = [plain(asked.labels[i]) for i in shown]
    scores: list[Any] = [Num(float(model.scores.values[i]), 4) for i in shown]
    if len(rest):
        names.append(say("{n} {n:other|others}", n=len(rest)))
        scores.append("")
    columns: list[tuple[str, tuple[Any, ...]]] = [
        ("candidate", tuple(names)),
        ("score", tuple(scores)),
    ]
    for epsilon in lab.at:
        logs = selection.log_chances_at(model, epsilon)
        cells: list[Any] = [
            cell(float(logs[i]), selection.log_sum(np.delete(logs, i))) for i in shown
        ]
        if len(rest):
            cells.append(small(selection.log_sum(logs[rest])))
        columns.append((f"epsilon_{epsilon:g}", tuple(cells)))
    return Table(
        "probabilities",
        say("{mechanism}: exact probabilities over ε", mechanism=Message(lab.mechanism.label)),
        tuple(columns),
        shown=True,
        heads=(asked.what, asked.unit, *(say("ε = {x}", x=Num(epsilon, 5)) for epsilon in lab.at)),
        exact=model.exact,
    )


def _parts(model: selection.SelectionModel) -> Table:
    asked = model.asked
    return Table(
        "parts",
        say("Candidates"),
        (
            ("candidate", asked.labels),
            ("score", tuple(map(float, model.scores.values))),
            ("error", tuple(map(float, asked.errors))),
            *(
                (m.key, tuple(map(float, selection.chances(model)[m.key])))
                for m in selection.mechanisms(model)
            ),
            ("simulated", tuple(map(float, selection.frequencies(model)))),
        ),
        exact=model.exact,
    )
