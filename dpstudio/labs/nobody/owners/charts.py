"""Charts of encrypted shares: who sends what, how exact it is, what it costs, and how components
from shares sort rows."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Axis, Columns, Dots, Figure, Handle, Layer, Line, nice_above
from dpstudio.labs.findings import Findings
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.nobody.owners import cost, parameters
from dpstudio.labs.nobody.owners import model as owners_model
from dpstudio.privacy.owners.shares import BITS_MOST
from dpstudio.values.messages import N_, Message, Num, render, say

SOURCE = "Paillier 1999; Al-Rubaie, Wu, Chang & Kung 2017"
_PLAIN, _SEALED, _BLINDED = "truth", "first", "gaussian"
_HEIGHTS = {"owners": 3.0, "user": 2.0, "holder": 1.0}
# (key, from, to, ink, words) of each message, in order; the last is what the user is left with.
_FLOW = (
    ("key", "holder", "owners", _PLAIN, N_("public key")),
    ("shares", "owners", "user", _SEALED, N_("shares, encrypted")),
    ("blinded", "user", "holder", _BLINDED, N_("sums, blinded")),
    ("circuit", "holder", "user", "muted", N_("circuit (stand-in)")),
    ("result", "user", "user", _PLAIN, N_("W, eigenvalues")),
)
_TIPS = {1.0: "staircase", 0.0: "truth", -1.0: "discrete_gaussian"}  # inks with such markers


def flow_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure:
    """Who sends what to whom, from left to right; the player goes through it."""
    owners = owners_model.owner_count(asked, owners_model.here(model).classes)
    names = {
        "owners": say("{n} {n:owner|owners}", n=Num(owners)),
        "user": say("data user"),
        "holder": say("key holder"),
    }
    ticks = tuple((at, render(names[party])) for party, at in _HEIGHTS.items())
    turns = tuple((float(place), str(place)) for place in range(1, owners_model.STEPS + 1))
    return Figure(
        "flow",
        say("Who sends what, and what its receiver sees"),
        Axis(
            say("one message after the other"), range=(0.4, owners_model.STEPS + 0.6), ticks=turns
        ),
        Axis("", range=(0.7, 3.3), ticks=ticks),
        tuple(_messages(owners_model.STEPS)),
        say("owners send once, and may go"),
        staged=True,
        source=SOURCE,
    )


def _messages(index: int) -> Iterator[Layer]:
    """The messages, of which those after number `index` are still to come."""
    for place, (key, one, other, ink, words) in enumerate(_FLOW, 1):
        start, end = _HEIGHTS[one], _HEIGHTS[other]
        way, now = float(np.sign(end - start)), place == index
        if place > index:
            ink = "grid"
        tip = end - 0.08 * way
        width, label = (4.5 if now else 2.5), Message(words)
        yield Line(key, ink, label, [place, place], [start, tip], "solid", width, "head")
        yield Dots(f"{key}_tip", ink, "", [place], [tip], marker=_TIPS[way])


def with_step(findings: Findings, index: int) -> Findings:
    """The drawing at another message: first all of them, then from the first one on."""
    step = index % (owners_model.STEPS + 1)
    flow = findings.figure("flow")
    table = next((t for t in findings.tables if t.key == "messages"), None)
    under = flow.subtitle
    if step and table is not None:
        seen = dict(table.columns)["seen"][step - 1]
        under = say("{n} of {all}: {seen}", n=Num(step), all=Num(owners_model.STEPS), seen=seen)
    moved = {layer.key: layer for layer in _messages(step or owners_model.STEPS)}
    layers = tuple(moved.get(layer.key, layer) for layer in flow.layers)
    changed = replace(flow, layers=layers, subtitle=under)
    figures = tuple(changed if f.key == "flow" else f for f in findings.figures)
    return replace(findings, figures=figures)


def bits_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure | None:
    """How far the scatter from shares is from numpy’s, by digits after the point; None where the
    exact one is hidden."""
    if not model.lab.show_truth:
        return None
    x, found, most = owners_model.by_bits(model)
    at, allowed = owners_model.at_bits(model)
    every = np.concatenate([found[found > 0], most])
    layers: tuple[Layer, ...] = (
        Line("most", "limit", say("most that rounding makes"), x, most),
        Line("found", "first", say("found"), x, np.maximum(found, 1e-300), width=2.6),
        Handle(
            "here",
            "first",
            say(
                "{bits} {bits:digit|digits} → {apart}", bits=Num(asked.bits), apart=Num(at, 2, "up")
            ),
            asked.bits,
            max(at, 1e-300),
            "looks.bits",
        ),
    )
    ends = (parameters.BITS_LEAST - 0.5, BITS_MOST + 0.5)
    return Figure(
        "bits",
        say("Shares against numpy"),
        Axis(say("binary digits after the point"), range=ends, whole=True),
        Axis(
            say("largest difference of an entry"),
            log=True,
            range=(0.3 * float(every.min()), 3 * float(every.max())),
        ),
        layers,
        say("at most {most} by rounding, whatever the key", most=Num(allowed, 2, "up")),
        exact=True,
    )


def cost_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure:
    """How long an owner encrypts by features and key: measured here, and published."""
    layers: list[Layer] = []
    heights = [row.dca[0] for row in cost.PUBLISHED] + [row.pca[0] for row in cost.PUBLISHED]
    for (bits, timed), ink in zip(model.found.clocks, ("first", "third"), strict=False):
        x, y = cost.owner_curve(asked, owners_model.here(model).classes, timed)
        heights += [float(y[0]), float(y[-1])]
        layers.append(Line(f"key_{bits}", ink, say("{b} {b:bit|bits}, here", b=Num(bits)), x, y))
    features = [row.p for row in cost.PUBLISHED]
    for key, ink, label, published in (
        ("pca", "gaussian", say("published, PCA"), [row.pca[0] for row in cost.PUBLISHED]),
        ("dca", "staircase", say("published, DCA"), [row.dca[0] for row in cost.PUBLISHED]),
    ):
        if (key == "dca") == owners_model.by_classes(asked):
            layers.append(Dots(f"published_{key}", ink, label, features, published))
    own = cost.seconds_here(model, asked)
    if own is not None:
        layers.append(
            Dots(
                "here", "truth", say("this table"), [owners_model.here(model).x.shape[1]], [own[0]]
            )
        )
        heights.append(own[0])
    return Figure(
        "cost",
        say("How long an owner encrypts"),
        Axis(say("features"), log=True, range=(1.8, 1.1 * cost.FEATURES_MOST)),
        Axis(say("seconds"), log=True, range=(0.5 * min(heights), 2 * max(heights))),
        tuple(layers),
        say("published: keys of 1,024 bits, other machines"),
        source="Al-Rubaie et al. 2017, Tables 9.1 and 9.2; measured here",
    )


def f1_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure:
    """F1 of discriminant components by the protocol and by numpy: published, and of this table."""
    protocol = [row.f1[0] for row in cost.PUBLISHED]
    exact = [row.f1[1] for row in cost.PUBLISHED]
    names = [row.name for row in cost.PUBLISHED]
    found = model.found.scores if owners_model.by_classes(asked) else None
    if found is not None:
        protocol, exact = [*protocol, 100 * found.shared], [*exact, 100 * found.exact]
        names.append(render(say("this table")))
    x = np.arange(len(names), dtype=np.float64)
    return Figure(
        "f1",
        say("Rows sorted by discriminant components"),
        names_axis("", names),
        Axis(say("weighted F1, %"), range=(0.0, nice_above(max(protocol + exact)))),
        (
            Columns("shared", "first", say("from shares"), x - 0.2, protocol, 0.36),
            Columns("exact", "third", say("numpy"), x + 0.2, exact, 0.36),
        ),
        say("published: Table 9.3, other tables"),
        exact=found is not None,
        simulated=found is not None,  # the rows to learn from are drawn
        source="Al-Rubaie et al. 2017, Table 9.3; scikit-learn, sklearn.svm.SVC",
    )
