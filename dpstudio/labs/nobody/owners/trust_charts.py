"""Charts of one count by whom its people trust."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.findings import Table
from dpstudio.labs.nobody.owners import trust
from dpstudio.labs.nobody.owners.model import OwnersModel
from dpstudio.values.messages import N_, Message, Num, say

NAMES = {
    "central": N_("one trusted curator"),
    "gamma": N_("gamma or Laplace parts"),
    "laplace": N_("Laplace parts"),
    "gaussian": N_("Gaussian parts"),
    "shuffled": N_("shuffled coins"),
    "proved": N_("shuffled, any protocol"),
    "local": N_("nobody is trusted"),
}
INKS = {
    "central": "truth",
    "gamma": "first",
    "laplace": "first",
    "gaussian": "gaussian",
    "shuffled": "staircase",
    "proved": "third",
    "local": "discrete_gaussian",
}
_SOURCES = (
    "Goryczka & Xiong 2017; Balle, Bell, Gascón & Nissim 2019; "
    "Feldman, McMillan & Talwar 2021, Theorem 3.1; Warner 1965"
)
_AXIS = Axis(say("people"), log=True, range=(0.9 * trust.PEOPLE[0], 1.1 * trust.PEOPLE[1]))


def error_chart(model: OwnersModel) -> Figure:
    """The error of a count against the number of people, by whom they trust."""
    drawn, asked = trust.curves(model), trust.asked_of(model)
    layers: list[Layer] = []
    for way in trust.WAYS:
        if way != "laplace":  # the same error as gamma parts
            y = drawn.errors[way]
            layers.append(Line(way, INKS[way], Message(NAMES[way]), drawn.people, y, width=2.4))
    layers += _handles(model)
    every = np.concatenate([y[np.isfinite(y)] for y in drawn.errors.values()])
    text = N_("at ε = {epsilon}, δ = {delta} where one is needed; {share} collude")
    share = Num(asked.colluding, 3, percent=True)
    return Figure(
        "error",
        say("Error of one count"),
        _AXIS,
        Axis(
            say("standard deviation, people"),
            log=True,
            range=(0.5 * float(every.min()), 2 * float(every.max())),
        ),
        tuple(layers),
        say(text, epsilon=Num(asked.epsilon, 5), delta=Num(asked.delta), share=share),
        source=_SOURCES,
    )


def _handles(model: OwnersModel) -> Iterator[Layer]:
    asked = trust.asked_of(model)
    error = trust.error("local", asked, asked.people)
    label = say("{n} {n:person|people} → {e}", n=Num(asked.people), e=Num(error, 3, "up"))
    yield Handle("here", INKS["local"], label, asked.people, error, "looks.people")


def budget_chart(model: OwnersModel) -> Figure:
    """How much each report may spend where a shuffler mixes them."""
    drawn, asked = trust.curves(model), trust.asked_of(model)
    lines = [
        Line(way, INKS[way], Message(NAMES[way]), drawn.people, drawn.budgets[way])
        for way in ("shuffled", "proved")
    ]
    coins, _ = trust.epsilon0(model)
    top = float(np.nanmax(drawn.budgets["shuffled"]))
    label = say("ε₀ = {e}", e=Num(coins, 3, "down"))
    layers: tuple[Layer, ...] = (
        *lines,
        Rule("asked", "muted", say("ε of all"), asked.epsilon, axis="y", dash="dot"),
        Handle("here", INKS["shuffled"], label, asked.people, coins, "looks.people"),
    )
    return Figure(
        "budget",
        say("What one report may spend"),
        _AXIS,
        Axis(say("ε₀ of one report"), range=(0.0, nice_above(1.05 * max(top, asked.epsilon)))),
        layers,
        say("so that all keep ({epsilon}, {delta})", epsilon=Num(asked.epsilon, 5),
            delta=Num(asked.delta)),
        source=_SOURCES,
    )  # fmt: skip


def colluding_chart(model: OwnersModel) -> Figure:
    """What it costs to be safe from people who take their parts of the noise off again."""
    x, found = trust.colluding_curves(model)
    asked, errors = trust.asked_of(model), trust.at_hand(model)
    lines = [
        Line(key, INKS[key], Message(NAMES[key]), x, found[key]) for key in ("gamma", "gaussian")
    ]
    label = say("{share} collude", share=Num(asked.colluding, 3, percent=True))
    height = float(np.interp(asked.colluding, x, found["gamma"]))
    return Figure(
        "colluding",
        say("What collusion costs"),
        Axis(say("share of people who collude"), range=(-0.02, 0.92)),
        Axis(say("error, one Laplace noise = 1"), log=True, range=(0.9, 12.0)),
        (*lines, Handle("here", "first", label, asked.colluding, height, "looks.colluding")),
        say("noise in parts, made larger for it"),
        source="Goryczka & Xiong 2017" if errors else "",
    )


_TRUSTS = {
    "central": (N_("the curator"), N_("every answer")),
    "gamma": (N_("no two who add and open"), N_("the noisy count")),
    "laplace": (N_("no two; one who draws √B"), N_("the noisy count")),
    "gaussian": (N_("no two; a circuit that squares"), N_("the noisy count")),
    "shuffled": (N_("the shuffler"), N_("noisy reports without names")),
    "local": (N_("nobody"), N_("noisy reports with names")),
}


def models_table(model: OwnersModel) -> Table:
    """Whom each way trusts, what is seen, what is sent, and the error."""
    errors, rows = trust.at_hand(model), []
    for way, (whom, seen) in _TRUSTS.items():
        messages, bits = trust.sends(model, way)
        name = say("gamma parts") if way == "gamma" else Message(NAMES[way])
        error = Num(errors[way], 3, "up")
        rows.append((name, Message(whom), Message(seen), Num(messages), Num(bits), error))
    heads = (say("way"), say("trusted"), say("collector sees"), say("messages"), say("bits"),
             say("error"))  # fmt: skip
    keys = ("way", "trusted", "sees", "messages", "bits", "error")
    columns = tuple((key, tuple(row[i] for row in rows)) for i, key in enumerate(keys))
    return Table("models", say("Whom one trusts, and what it costs"), columns, True, heads)
