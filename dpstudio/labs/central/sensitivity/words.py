"""What the sensitivity inspector knows: the moves under both adjacencies, in facts, sentences and a
table."""

from __future__ import annotations

import math

from dpstudio.labs.central.sensitivity.model import (
    SensitivityModel,
    mover,
    recommended,
    tempting,
    under,
)
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.persons import kept_sentences
from dpstudio.labs.question import MEASURED
from dpstudio.labs.winners import listed
from dpstudio.privacy.queries import ADJACENCIES
from dpstudio.values.messages import N_, Num, Say, say


def facts(model: SensitivityModel) -> tuple[Fact, ...]:
    """The numbers of the strip."""
    s = model.sensitivity
    name = Say(MEASURED[model.measurement.name])
    near = say("of the {name}", name=name)
    out = [
        Fact(key, Say(title), say("{x}", x=Num(value, 5, "up")), near, "accent", value)
        for key, title, value in (
            ("l1", N_("L1"), s.l1),
            ("l2", N_("L2"), s.l2),
            ("linf", N_("L∞"), s.linf),
        )
    ]
    text = say("{l0} of {dims}", l0=s.l0, dims=s.dims)
    out.append(Fact("l0", say("Numbers one person moves"), text, _near(model), "text", s.l0))
    least = recommended(model)
    best, sd = least[0]
    names = listed([Say(mechanism.label) for mechanism, _ in least])
    shown = say("{name} ±{sd}", name=names, sd=Num(sd, 3, "up"))
    at = Num(model.lab.epsilon, 5)
    note = say("standard deviation at ε = {epsilon}", epsilon=at)
    if best.total_delta:
        told = N_("standard deviation at ε = {epsilon}, δ = {delta}")
        note = say(told, epsilon=at, delta=Num(best.total_delta))
    out.append(Fact("least", say("Least noise"), shown, note, best.ink, sd))
    return tuple(out)


def _near(model: SensitivityModel) -> Say:
    return Say(ADJACENCIES[model.lab.adjacency])


def sentences(model: SensitivityModel) -> tuple[Sentence, ...]:
    """What is said of the question."""
    worst, s = mover(model), model.sensitivity
    sizes = worst.sizes(model.place)
    text = (
        N_(
            "The neighbour that moves this most: {what}. That is {l1} in L1, {l2} in L2 and {linf} "
            "in L∞."
        )
        if worst.reached
        else N_("At most this far: {what}. That is {l1} in L1, {l2} in L2 and {linf} in L∞.")
    )
    told = say(
        text,
        what=worst.what,
        l1=Num(sum(sizes), 5, "up"),
        l2=Num(math.hypot(*sizes), 5, "up"),
        linf=Num(max(sizes, default=0.0), 5, "up"),
    )
    farther = max(
        (m for m in model.asked.moves if m.reached),
        key=lambda m: sum(m.sizes(model.place)),
        default=worst,
    )
    if sum(farther.sizes(model.place)) > sum(sizes) * (1 + 1e-9):
        text = N_("{told} In L1 another moves it more: {what}, by {l1}.")
        told = say(
            text, told=told, what=farther.what, l1=Num(sum(farther.sizes(model.place)), 5, "up")
        )
    out = [Sentence("mover", told), Sentence("sensitivity", s.why), _other(model)]
    if s.l1 > s.l2 * (1 + 1e-9):
        text = N_(
            "L1 is {ratio} times L2: noise scaled to L2 is that much smaller, and for Laplace that "
            "would not be private."
        )
        out.append(Sentence("norms", say(text, ratio=Num(s.l1 / s.l2, 4, "down"))))
    text = N_("{name} would put less noise on it, ±{sd}, and is not recommended. {note}")
    for mechanism, sd, promise in tempting(model):
        values = {"name": Say(mechanism.label), "sd": Num(sd, 3, "up"), "note": promise.note}
        tone = "bad" if promise.violated else "warn"
        out.append(Sentence(f"tempting_{mechanism.key}", Say(text, values), tone))
    return (
        *out,
        *kept_sentences(
            model.data, model.lab.query, model.lab.adjacency, 0, show_truth=model.lab.show_truth
        ),
    )


def _other(model: SensitivityModel) -> Sentence:
    """The same question under the other adjacency."""
    key = next(k for k in ADJACENCIES if k != model.lab.adjacency)
    asked = under(model, key)
    if asked is None:
        return Sentence(
            "other",
            say(
                "This question cannot be asked with the neighbours “{other}”.",
                other=Say(ADJACENCIES[key]),
            ),
        )
    s = asked.measurements[min(model.place, len(asked.measurements) - 1)].sensitivity
    text = N_("With the neighbours “{other}” it would be {l1} in L1 and {l2} in L2.")
    return Sentence(
        "other",
        say(text, other=Say(ADJACENCIES[key]), l1=Num(s.l1, 5, "up"), l2=Num(s.l2, 5, "up")),
    )


def tables(model: SensitivityModel) -> tuple[Table, ...]:
    """Every move of every measurement under both adjacencies."""
    rows = []
    for key, label in ADJACENCIES.items():
        asked = under(model, key)
        for place, measurement in enumerate(asked.measurements if asked else ()):
            for move in asked.moves if asked else ():
                sizes = move.sizes(place)
                if sizes:
                    rows.append((Say(label), Say(MEASURED[measurement.name]), move, sizes))
    columns = (
        ("neighbours", tuple(r[0] for r in rows)),
        ("measurement", tuple(r[1] for r in rows)),
        ("move", tuple(r[2].what for r in rows)),
        ("l0", tuple(Num(len(r[3])) for r in rows)),
        ("l1", tuple(Num(sum(r[3]), 5, "up") for r in rows)),
        ("l2", tuple(Num(math.hypot(*r[3]), 5, "up") for r in rows)),
        ("linf", tuple(Num(max(r[3]), 5, "up") for r in rows)),
    )
    heads = (
        say("Neighbours"), say("What is measured"), say("Largest moves of one person"),
        say("moved"), Say("L1"), Say("L2"), Say("L∞"),
    )  # fmt: skip
    return (Table("moves", say("Largest moves"), columns, shown=True, heads=heads),)
