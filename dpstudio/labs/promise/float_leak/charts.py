"""The leak lab's charts as plain figures."""

import math

import numpy as np

from dpstudio.charts.figure import Axis, Band, Columns, Dots, Figure, Handle, Layer, Line, array
from dpstudio.labs.promise.float_leak.model import (
    BITS,
    LeakModel,
    ladder,
    power_of_two,
    share_curve,
    step_of,
)
from dpstudio.labs.promise.float_leak.parameters import ATTACKS
from dpstudio.privacy.attacks.float_bits import reachable
from dpstudio.privacy.attacks.float_samplers import SAMPLERS
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import Message, Num, plain, say, worded

_AROUND = 20


def share_chart(model: LeakModel) -> Figure:
    """The share of proving outputs against ε: by the spacing of doubles, and as counted here."""
    lab, x = model.lab, ladder(model)
    back = "grid" if model.attack == "grid" else "rounding"
    words = say(
        "ε {epsilon} → {share}",
        epsilon=Num(lab.epsilon, 5),
        share=Num(model.share, 3, "down", percent=True),
    )
    layers: tuple[Layer, ...] = (
        Line(
            "grid",
            "first",
            say("too fine for that answer"),
            x,
            share_curve(model, "grid"),
            dash="dash",
        ),
        Line("rounding", "third", say("no noise rounds to it"), x, share_curve(model, "rounding")),
        Line("back", "second", say("the other way round"), x, share_curve(model, back, back=True)),
        Handle("here", "text", words, lab.epsilon, model.share, "epsilon"),
    )
    if model.sampler.floats:
        under = say(
            "curves: by the spacing of doubles; point: {n} {n:output|outputs} tested bit by bit",
            n=Num(model.looked_at),
        )
    else:
        under = say(
            "curves: noise of doubles as they fall; point: {n} {n:output|outputs} of this noise",
            n=Num(model.looked_at),
        )
    return Figure(
        "share",
        say("Outputs that prove x ≠ {other}", other=Num(lab.other)),
        Axis(Message("ε"), log=True, range=(0.9 * EPSILON.low, 57.0)),
        Axis(say("share of outputs"), range=(-0.1, 1.03)),
        layers,
        under,
        simulated=True,
    )


def grid_chart(model: LeakModel) -> Figure:
    """The doubles around one output, and which of them can come from either answer."""
    lab, y = model.lab, model.mine.example
    step = float(np.spacing(abs(y)))
    places = np.arange(-_AROUND, _AROUND + 1, dtype=np.float64)
    doubles = y + places * step
    rows = [
        ("any noise", x, reachable(doubles, float(x)), ink)
        for x, ink in ((lab.answer, "first"), (lab.other, "second"))
    ]
    if model.sampler.reach is not None:
        for x, ink in ((lab.answer, "first"), (lab.other, "second")):
            rows.append(("this noise", x, model.sampler.reach(doubles, x, lab.epsilon), ink))
    layers: list[Layer] = []
    ticks = []
    for i, (word, x, mask, ink) in enumerate(rows):
        height = float(len(rows) - i)
        at = places[mask]
        layers.append(Dots(f"row_{i}", ink, "", at, np.full(len(at), height)))
        ticks.append((height, f"{x} + {word}"))
    layers.append(
        Line("here", "text", say("this output"), [0.0, 0.0], [0.55, len(rows) + 0.45], dash="dot")
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
        say("around {y}; any noise: any double, this noise: of this sampler", y=plain(repr(y))),
        simulated=True,
    )


def bits_chart(model: LeakModel) -> Figure:
    """How fine the outputs of either answer are: the exponent of the last bit that is set."""
    lab, bits = model.lab, model.mine.bits
    at = np.arange(BITS[0], BITS[1] + 1, dtype=np.float64)
    seen = np.flatnonzero(bits.sum(axis=0) > 0)
    low, high = (at[seen[0]], at[seen[-1]]) if len(seen) else (-60.0, -40.0)
    low, high = (
        min(low, -60.0) - 0.8,
        max(-44.0, min(float(high), -44.0 if model.sampler.floats else 20.0)) + 0.8,
    )
    layers: list[Layer] = []
    edge = math.log2(step_of(model)) - 0.5
    if edge > low:
        layers.append(
            Band("below", "band", say("never from {other}", other=Num(lab.other)), low, edge)
        )
    for side, (x, ink) in enumerate(((lab.answer, "first"), (lab.other, "second"))):
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
        Axis(say("share of outputs"), room=1.05),
        tuple(layers),
        say(
            "{n} {n:output|outputs} from either answer, ε = {epsilon}",
            n=Num(model.trials),
            epsilon=Num(lab.epsilon, 5),
        ),
        simulated=True,
    )


def samplers_chart(model: LeakModel) -> Figure:
    """Every sampler's share by each test."""
    lab = model.lab
    keys = list(SAMPLERS)
    heights = {key: float(len(keys) - i) for i, key in enumerate(keys)}
    layers = []
    for attack, ink in zip(
        ATTACKS, ("first", "third", "second"), strict=True
    ):  # as in the first chart
        held = [(key, model.every[key].of(attack)) for key in keys]
        found = [(key, shares[0]) for key, shares in held if shares is not None]
        picks = tuple((("sampler", key), ("attack", attack)) for key, _ in found)
        x, y = array([share for _, share in found]), array([heights[key] for key, _ in found])
        layers.append(Dots(attack, ink, Message(ATTACKS[attack]), x, y, picks=picks))
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
            ticks=tuple((heights[key], worded(SAMPLERS[key].label)) for key in keys),
        ),
        tuple(layers),
        say(
            "{n} {n:output|outputs} each, ε = {epsilon}",
            n=Num(model.compared),
            epsilon=Num(lab.epsilon, 5),
        ),
        simulated=True,
    )
