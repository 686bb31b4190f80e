"""The charts of the console on a table."""

import numpy as np

from dpstudio.charts.figure import Array, Axis, Columns, Dots, Figure, Layer, array, nice_above
from dpstudio.labs.attacks.differencing.attackers.console import model as console
from dpstudio.labs.attacks.differencing.attackers.console.rules import POLICIES, SHORT
from dpstudio.labs.named_rows import names_axis
from dpstudio.values.messages import Message, say

_MOST = 100.0  # % off; more is as useless
_FEW = 0.5  # where a set without rows is drawn on a logarithmic axis


def charts(model: console.ConsoleModel) -> tuple[Figure, ...]:
    """What each rule costs attacker and analyst, and how far off each answer is."""
    return _rules_chart(model), _answers_chart(model)


def _of_each(found: list[float | None]) -> Array:
    return array([min(_MOST, 100 * x) if x is not None else np.nan for x in found])


def _rules_chart(model: console.ConsoleModel) -> Figure:
    x = np.arange(len(POLICIES), dtype=np.float64)
    attacker = _of_each([console.off(model, policy) for policy in POLICIES])
    refused = _of_each([console.denied(model, policy) for policy in POLICIES])
    cost = _of_each([console.wrong(model, policy) for policy in POLICIES])
    picks = tuple((("attacker.policy", policy),) for policy in POLICIES)
    layers: tuple[Layer, ...] = (
        Columns("attacker", "answer", say("attacker off"), x - 0.27, attacker, 0.24),
        Columns("denied", "limit", say("denied"), x, np.nan_to_num(refused), 0.24),
        Columns("analyst", "target", say("answers off"), x + 0.27, np.nan_to_num(cost), 0.24),
        Dots("choices", "text", "", x, x * 0, picks=picks),
    )
    if np.isnan(attacker).any():  # nothing is wrong about a number that is not there
        layers = layers[1:]
    return Figure(
        "rules",
        say("What each rule does to attacker and analyst"),
        names_axis("", SHORT),
        Axis(say("%"), range=(-0.03 * _MOST, _MOST + 2)),
        layers,
        say("an attacker who is 0 % off knows the number"),
        exact=True,
        simulated=True,
        source=model.attacker.source,
    )


def _answers_chart(model: console.ConsoleModel) -> Figure:
    """Over how many rows each question is, and whether it was answered."""
    found = console.told(model).replies
    x = np.arange(1, len(found) + 1, dtype=np.float64)
    rows = np.array([max(reply.rows, _FEW) for reply in found], dtype=np.float64)
    none = np.array([reply.answer is None for reply in found])
    right = np.array([reply.answer == reply.exact for reply in found]) & ~none
    kinds = (
        ("exact", "answer", say("answered exactly"), "circle", right),
        ("changed", "target", say("answered otherwise"), "square", ~right & ~none),
        ("none", "limit", say("not answered"), "cross", none),
    )
    layers = [
        Dots(key, ink, name, x[kind], rows[kind], marker=marker)
        for key, ink, name, marker, kind in kinds
        if kind.any()
    ]
    top = nice_above(1.5 * float(rows.max()))
    return Figure(
        "answers",
        say("What is answered"),
        Axis(say("question"), range=(0.4, len(found) + 0.6), whole=True),
        Axis(say("rows asked about"), log=True, range=(_FEW / 1.5, top), floored=True),
        tuple(layers),
        say("under {rule}", rule=Message(POLICIES[model.attacker.policy])),
        exact=True,
        simulated=True,
        source=model.attacker.source,
    )
