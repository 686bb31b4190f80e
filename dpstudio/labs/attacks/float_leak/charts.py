"""The leak lab's charts as plain figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Axis,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    array,
    nice_above,
)
from dpstudio.labs.attacks.float_leak.bits import finest, reachable
from dpstudio.labs.attacks.float_leak.samplers import SAMPLERS
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.attacks.float_leak.parameters import Outputs

SOURCE = "Mironov 2012, On significance of the least significant bits for differential privacy"
_AROUND = 20


def share_ink(share: float) -> str:
    return "bad" if share > 0 else "good"


def share_chart(outputs: Outputs) -> Figure:
    """The share of proving outputs against ε: by the spacing of doubles, and as counted here."""
    from dpstudio.labs.attacks.float_leak.parameters import LADDER

    lab = outputs.lab
    back = "grid" if outputs.attack == "grid" else "rounding"
    words = say(
        "ε {epsilon} → {share}",
        epsilon=Num(lab.epsilon, 5),
        share=Num(outputs.share, 3, "down", percent=True),
    )
    layers: tuple[Layer, ...] = (
        Line(
            "grid",
            "accent",
            say("last bit below its grid"),
            LADDER,
            outputs.curve("grid"),
            dash="dash",
        ),
        Line("rounding", "warn", say("no noise rounds to it"), LADDER, outputs.curve("rounding")),
        Line("back", "answer", say("the other way round"), LADDER, outputs.curve(back, back=True)),
        Handle("here", share_ink(outputs.share), words, lab.epsilon, outputs.share, "epsilon"),
    )
    if outputs.sampler.floats:
        under = say(
            "curves: by the spacing of doubles; point: {n} outputs tested bit by bit",
            n=Num(outputs.looked_at),
        )
    else:
        under = say(
            "curves: noise of doubles as they fall; point: {n} outputs of this noise",
            n=Num(outputs.looked_at),
        )
    return Figure(
        "share",
        say("Outputs that prove x ≠ {other}", other=Num(lab.other)),
        Axis(Say("ε"), log=True, range=(0.9 * EPSILON.low, 57.0)),
        Axis(say("share of outputs"), range=(-0.1, 1.03)),
        layers,
        under,
        simulated=True,
        source=SOURCE,
    )


def grid_chart(outputs: Outputs) -> Figure:
    """The doubles around one output, and which of them can come from either answer."""
    lab, y = outputs.lab, outputs.mine.example
    step = float(np.spacing(abs(y)))
    places = np.arange(-_AROUND, _AROUND + 1, dtype=np.float64)
    doubles = y + places * step
    rows = [
        ("any noise", x, reachable(doubles, float(x)), ink)
        for x, ink in ((lab.answer, "accent"), (lab.other, "answer"))
    ]
    if outputs.sampler.reach is not None:
        for x, ink in ((lab.answer, "accent"), (lab.other, "answer")):
            rows.append(("this noise", x, outputs.sampler.reach(doubles, x, lab.epsilon), ink))
    layers: list[Layer] = []
    ticks = []
    for i, (word, x, mask, ink) in enumerate(rows):
        height = float(len(rows) - i)
        at = places[mask]
        layers.append(Dots(f"row_{i}", ink, "", at, np.full(len(at), height)))
        ticks.append((height, f"{x} + {word}"))
    layers.append(
        Line(
            "here",
            share_ink(outputs.share),
            say("this output"),
            [0.0, 0.0],
            [0.55, len(rows) + 0.45],
            dash="dot",
        )
    )
    return Figure(
        "grid",
        say("Which doubles can come out"),
        Axis(
            say("doubles away from the output (each {step})", step=power_of_two(step)),
            range=(-_AROUND - 0.7, _AROUND + 0.7),
            whole=True,
        ),
        Axis(say("answer + noise"), range=(0.4, len(rows) + 0.6), ticks=tuple(ticks)),
        tuple(layers),
        say(
            "around the output {y}: with any noise that is a double, and with noise of this sampler",
            y=plain(repr(y)),
        ),
        simulated=True,
        source=SOURCE,
    )


def power_of_two(value: float) -> Say:
    """2^j in words."""
    superscript = str(round(math.log2(value))).translate(
        str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    )
    return plain(f"2{superscript}")


def bits_chart(outputs: Outputs) -> Figure:
    """How fine the outputs of either answer are: the exponent of the last bit that is set."""
    from dpstudio.labs.attacks.float_leak.parameters import BITS

    lab, bits = outputs.lab, outputs.mine.bits
    at = np.arange(BITS[0], BITS[1] + 1, dtype=np.float64)
    seen = np.flatnonzero(bits.sum(axis=0) > 0)
    low, high = (at[seen[0]], at[seen[-1]]) if len(seen) else (-60.0, -40.0)
    low, high = (
        min(low, -60.0) - 0.8,
        max(-44.0, min(float(high), -44.0 if outputs.sampler.floats else 20.0)) + 0.8,
    )
    layers: list[Layer] = []
    if lab.other and math.log2(finest(lab.other)) > low:
        edge = math.log2(finest(lab.other)) - 0.5
        layers.append(
            Band("below", "band", say("never from {other}", other=Num(lab.other)), low, edge)
        )
    for side, (x, ink) in enumerate(((lab.answer, "accent"), (lab.other, "answer"))):
        layers.append(
            Columns(
                f"bits_{side}",
                ink,
                say("from {x}", x=Num(x)),
                at + 0.2 * (2 * side - 1),
                bits[side],
                0.38,
            )
        )
    return Figure(
        "bits",
        say("The last bits of the outputs"),
        Axis(
            say("last bit that is set: 2 to the power of"),
            range=(float(low), float(high)),
            whole=True,
        ),
        Axis(
            say("share of outputs"), range=(0.0, nice_above(1.05 * float(bits.max(initial=1e-9))))
        ),
        tuple(layers),
        say(
            "{n} outputs from either answer, ε = {epsilon}",
            n=Num(outputs.trials),
            epsilon=Num(lab.epsilon, 5),
        ),
        simulated=True,
        source=SOURCE,
    )


def samplers_chart(outputs: Outputs) -> Figure:
    """Every sampler's share by each test."""
    from dpstudio.labs.attacks.float_leak.parameters import ATTACKS, FIRST

    lab = outputs.lab
    keys = list(SAMPLERS)
    heights = {key: float(len(keys) - i) for i, key in enumerate(keys)}
    layers = []
    for attack, ink in zip(
        ATTACKS, ("accent", "warn", "bad"), strict=True
    ):  # as in the first chart
        held = [(key, outputs.tally(key, FIRST).shares[attack]) for key in keys]
        found = [(key, shares[0]) for key, shares in held if shares is not None]
        picks = tuple((("sampler", key), ("attack", attack)) for key, _ in found)
        x, y = array([share for _, share in found]), array([heights[key] for key, _ in found])
        layers.append(Dots(attack, ink, Say(ATTACKS[attack]), x, y, picks=picks))
    return Figure(
        "samplers",
        say("Every way to draw the noise"),
        Axis(
            say("share of outputs that prove x ≠ {other}", other=Num(lab.other)),
            range=(-0.03, 1.03),
        ),
        Axis(
            say("noise"),
            range=(0.4, len(keys) + 0.6),
            ticks=tuple((heights[key], SAMPLERS[key].label) for key in keys),
        ),
        tuple(layers),
        say("{n} outputs each, ε = {epsilon}", n=Num(FIRST), epsilon=Num(lab.epsilon, 5)),
        simulated=True,
        source=SOURCE,
    )
