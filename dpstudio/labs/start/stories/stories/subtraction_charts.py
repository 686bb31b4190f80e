"""The charts of the tales of differencing."""

import math

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Axis,
    Columns,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    nice_above,
)
from dpstudio.labs.start.stories.stories import subtraction
from dpstudio.labs.start.stories.stories.story import deviation
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import Num, say

_BINS = 80
_ROW = 0.05  # of the height, how far below the law it is said where all values lie


def guess_chart(attack: subtraction.Attack) -> Figure:
    """What the attacker works out: one exact number, or anything at all."""
    totals, law, telling = attack.totals, attack.law, attack.telling
    reach = nice_above(1.1 * max(law.half_width(0.95), abs(totals.high - totals.low)))
    low, high = totals.value - reach, totals.value + reach
    x = np.linspace(low, high, telling.effort.of_points(401))
    x = np.sort(np.append(x, totals.value))
    edges = np.linspace(low, high, _BINS + 1)
    heights = subtraction.simulated_attacks(attack, edges)
    top = nice_above(1.1 * float(max(law.density(np.zeros(1))[0], heights.max())))
    density, noisy = law.density(x - totals.value), say("from noisy totals")
    layers: list[Layer] = [
        Area("draws", "laplace", "", edges, heights),
        Line("law", "laplace", noisy, x, density),
    ]
    what = say("{column}, less the exact value", column=attack.unit)
    if totals.known:
        what, exact = attack.unit, say("exact: {x}", x=attack.amount(Num(totals.value, 7)))
        # Where every value lies is known before: an error wider than that tells nothing.
        ends, lie = np.clip([totals.low, totals.high], low, high), say("all values lie here")
        if totals.clipped or totals.crowded:
            lie = say("values are clipped to here")
        layers += [
            Rule("exact", "truth", exact, totals.value),
            Line("range", "muted", lie, ends, np.full(2, -_ROW * top), width=4),
        ]
    if attack.answered and low < attack.answered.guess < high:
        told = say("from the answers: {x}", x=attack.amount(Num(attack.answered.guess, 7)))
        layers.append(Rule("answered", "second", told, attack.answered.guess, dash="dash"))
    return Figure(
        "guess",
        say("What the attacker works out"),
        Axis(what, range=(low, high)),
        Axis(say("density"), range=(-2 * _ROW * top * totals.known, top), hidden=True),
        tuple(layers),
        say(
            "{trials} simulated {trials:attack|attacks} under the exact law",
            trials=Num(telling.trials),
        ),
        exact=attack.exact,
        simulated=True,
        source=attack.source,
    )


def published_chart(attack: subtraction.Attack) -> Figure:
    """The two averages, exact and as one simulated answer each, with whiskers that hold 95 %."""
    exact, noisy, width = subtraction.averages(attack)
    x = np.array([0.0, 1.0])
    high = float(np.max(np.maximum(exact, noisy) + width))
    low = float(np.min(np.minimum(exact, noisy) - width))
    top, bottom = nice_above(1.12 * max(high, 1e-9)), -nice_above(-low) if low < 0 else 0.0
    before, after = (attack.amount(Num(value, 6)) for value in exact)
    names = (say("exact, before: {x}", x=before), say("after: {x}", x=after))
    return Figure(
        "published",
        say("The averages that are published"),
        Axis("", range=(-0.6, 1.6), hidden=True, ticks=((-0.6, ""),)),
        Axis(attack.unit, range=(bottom, top)),
        (
            Columns("exact", "truth", "", x - 0.2, exact, 0.34),
            Columns("noisy", "laplace", "", x + 0.2, noisy, 0.34, noisy - width, noisy + width),
            *(
                Line(
                    f"name_{i}",
                    "truth",
                    name,
                    [i - 0.5, i + 0.1],
                    [exact[i], exact[i]],
                    width=1.5,
                    named="head",
                )
                for i, name in enumerate(names)
            ),
        ),
        say("exact beside noisy; whiskers hold 95 % (n is known to all)"),
        exact=attack.exact,
        simulated=True,
        source=attack.source,
    )


def errors_chart(attack: subtraction.Attack) -> Figure:
    """What noise does to the attacker, and what to the reader of the average, against ε."""
    epsilon = np.geomspace(EPSILON.low, EPSILON.high, attack.telling.effort.of_points(97))
    attacks, reads = subtraction.attacker(attack, epsilon), subtraction.reader(attack, epsilon)
    totals, (first, second), here = attack.totals, attack.epsilons, deviation(attack.law)
    values = np.log10(np.concatenate([attacks, reads]))
    low, high = 10.0 ** math.floor(values.min()), 10.0 ** math.ceil(values.max())
    label = say("ε₁ {e} → attacker ±{x}", e=Num(first, 4), x=attack.amount(Num(here, 3)))
    span, ends = totals.high - totals.low, say("lowest to highest")
    return Figure(
        "errors",
        say("Same noise, two readers"),
        Axis(say("ε of the first total"), log=True, range=(0.0009, 57.0)),
        Axis(say("standard deviation"), log=True, range=(low, high)),
        (
            Line("attack", "second", say("attacker, about one person"), epsilon, attacks),
            Line("reader", "third", say("reader, about the average"), epsilon, reads),
            Rule("range", "muted", ends, span, axis="y", dash="dot"),
            Handle("here", "second", label, first, here, "story.epsilon_1"),
        ),
        say("n = {n}; second total at ε = {e}", n=Num(totals.people), e=Num(second, 5)),
        exact=attack.exact,
        source=attack.source,
    )
