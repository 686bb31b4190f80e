"""The charts of Local counts that compare protocols: against ε, against the number of people, and
of values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Handle, Heat, Layer, Line, Rule, array
from dpstudio.labs.local.counts.model import DOMAINS, LADDER, CountsModel, grouped, without_epsilon
from dpstudio.privacy.local import Protocol
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.unary import Optimised
from dpstudio.values.messages import N_, Num, Say, plain, safely, say
from dpstudio.values.params import domains

JUDGED = {
    "rare": N_("a value that nobody holds"), "part": N_("{part}"), "all": N_("all values on average"),
}  # fmt: skip
_DECADES = 5


def charts(model: CountsModel) -> tuple[Figure, ...]:
    return tradeoff_chart(model), people_chart(model), domain_chart(model), map_chart(model)


def judged_words(model: CountsModel, short: bool = False) -> Say:
    """What the error is that protocols are judged by; shorter in subtitles, and where nobody has a
    value but a yes or a no."""
    if model.lab.judged == "rare" and (short or model.asks):
        return say("a count of 0")
    return Say(
        JUDGED[model.lab.judged],
        {"part": plain(model.population.labels[model.part])} if model.lab.judged == "part" else {},
    )


def _subtitle(model: CountsModel) -> Say:
    text = N_("{judged}: half-width, {confidence}")
    return say(
        text,
        confidence=Num(model.lab.confidence, 4, "down", percent=True),
        judged=judged_words(model, short=True),
    )


def _unit(model: CountsModel) -> Say:
    return Say(N_("± % of the people") if model.lab.relative else N_("± people"))


def _reach(model: CountsModel) -> tuple[float, float]:
    """The error axis: from beyond all people, where an estimate says nothing, five decades down."""
    high = 10.0 ** math.ceil(math.log10(2 * model.n * model.scale(model.n)))
    return high * 10.0**-_DECADES, high


def _names(family: Sequence[Protocol]) -> Say:
    """Short names after one another."""
    told = Say(family[0].short)
    for protocol in family[1:]:
        told = say("{told}, {name}", told=told, name=Say(protocol.short))
    return told


def _line(model: CountsModel, family: Sequence[Protocol], x: Array, y: Array) -> Line:
    protocol = family[0]
    chosen = protocol is model.lab.protocol
    return Line(
        protocol.key,
        protocol.ink,
        _names(family),
        x,
        y,
        dash="solid" if chosen else "dash",
        width=2.5 if chosen else 1.4,
    )


def tradeoff_chart(model: CountsModel) -> Figure:
    """Error against ε of every protocol, with the ε at which the chosen one meets others, and the
    point to drag."""
    lab, n = model.lab, model.n
    low, high = _reach(model)
    # Curves do not change with ε: they are the same layers at every step of a drag, so that nothing
    # is drawn anew.
    key = (
        "local lines",
        model.judged_at,
        n,
        lab.confidence,
        lab.relative,
        without_epsilon(lab.protocol),
    )
    layers = model.data.remember(key, lambda: (*_lines(model), *_meetings(model)))
    here = _here(model, model.widths[lab.protocol.key] * model.scale(n), low, high)
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        Axis(Say("ε"), log=True, range=(0.0009, 57.0)),
        Axis(_unit(model), log=True, range=(low, high), floored=True),
        (*layers, here),
        _subtitle(model),
        exact=lab.show_truth,
        source=_sources(model),
    )


def _lines(model: CountsModel) -> list[Layer]:
    """The curve of each protocol, those that cannot be told apart as one, and where an estimate
    says nothing."""
    n = model.n
    factor = model.z * math.sqrt(n) * model.scale(n)
    layers: list[Layer] = [
        Rule(
            "everyone",
            "muted",
            say("all {n} people", n=Num(n)),
            n * model.scale(n),
            axis="y",
            dash="dot",
        )
    ]
    for family in reversed(model.families):
        protocol = family[0]
        curve = model.curve(protocol)
        if np.isfinite(curve).any():
            layers.append(_line(model, family, array(LADDER), array(factor * np.sqrt(curve))))
        else:
            place = array([protocol.claim]), array([model.widths[protocol.key] * model.scale(n)])
            layers.append(Dots(protocol.key, protocol.ink, Say(protocol.short), *place))
    return layers


def _meetings(model: CountsModel) -> list[Layer]:
    """A dot wherever the chosen curve meets another, and a rule with words where it meets that of
    the classic rival."""
    chosen, n = model.lab.protocol, model.n
    together = [family[0] for family in model.families]
    seen = [(other, epsilon) for other, epsilon in model.meetings if other in together]
    layers: list[Layer] = []
    rival = Direct if type(chosen) is not Direct else Optimised
    for k, (other, epsilon) in enumerate((o, e) for o, e in model.meetings if type(o) is rival):
        text = N_("{one} = {two} at ε = {at}")
        words = say(text, one=Say(chosen.short), two=Say(other.short), at=Num(epsilon, 3))
        layers.append(Rule(f"meet_{k}", other.ink, words, epsilon, dash="dot"))
    if seen:
        at = array([epsilon for _, epsilon in seen])
        variances = np.exp(np.interp(np.log(at), np.log(LADDER), np.log(model.curve(chosen))))
        layers.append(
            Dots("meetings", "text", "", at, model.z * np.sqrt(n * variances) * model.scale(n))
        )
    return layers


def _here(model: CountsModel, width: float, low: float, high: float) -> Layer:
    """The point of the chosen protocol; it can be dragged where ε is a parameter of its own."""
    protocol = model.lab.protocol
    text = N_("ε {epsilon} → ±{error} %") if model.lab.relative else N_("ε {epsilon} → ±{error}")
    words, y = (
        say(text, epsilon=Num(protocol.claim, 4), error=Num(width, 3, "up")),
        min(max(width, low * 1.6), high / 1.6),
    )
    if "epsilon" in domains(type(protocol)):
        return Handle("here", protocol.ink, words, protocol.claim, y, "protocol.epsilon")
    return Dots("here", protocol.ink, words, [protocol.claim], [y])


def _sources(model: CountsModel) -> str:
    return "; ".join(dict.fromkeys(p.source for p in model.protocols))


def people_chart(model: CountsModel) -> Figure:
    """Relative error against the number of people: locally it falls as 1/√n, with a trusted
    collector as 1/n."""
    lab, n = model.lab, model.n
    chosen = lab.protocol
    close = [
        p
        for p in model.ranking
        if abs(math.log(model.widths[p.key] / model.widths[chosen.key])) < 0.03
    ]
    together = [chosen, *(p for p in close if p is not chosen)]
    rival = next((p for p in model.ranking if p not in together), None)
    central, needed = 100 * model.central / n, n * max(model.times, 1.0)
    # Decades about this many people, as far as those that a local survey would need.
    first, last = 10.0 ** (math.floor(math.log10(n)) - 1), 10.0 ** math.ceil(math.log10(3 * needed))
    x = np.array([first, last])
    layers: list[Layer] = []
    for family in ([rival], together) if rival is not None else (together,):
        protocol = family[0]
        layers.append(
            _line(
                model, family, array(x), array(100 * model.z * np.sqrt(model.spread(protocol) / x))
            )
        )
    layers.append(Line("central", "good", say("trusted collector"), x, 100 * model.central / x))
    layers.append(Rule("n", "muted", say("n = {n}", n=Num(n)), float(n), dash="dot"))
    if model.times > 1:
        told = say("{times} times the people", times=Num(safely(model.times, 3, "down")))
        layers.append(Line("gap", "text", told, [n, needed], [central, central], width=1.2))
        layers.append(Dots("ends", "text", "", [n, needed], [central, central]))
    errors = [100 * model.widths[chosen.key] / n, central]
    low = 10.0 ** math.floor(math.log10(max(min(errors), 1e-9 * max(errors))) - 0.7)
    high = 10.0 ** math.ceil(math.log10(max(errors)) + 0.3)
    return Figure(
        "people",
        say("Local against central"),
        Axis(say("people n"), log=True, range=(first, last)),
        Axis(say("± % of the people"), log=True, range=(low, high)),
        tuple(layers),
        say(
            "{judged}, both at ε = {epsilon}",
            epsilon=Num(chosen.claim, 4),
            judged=judged_words(model, short=True),
        ),
        exact=lab.show_truth,
        source=chosen.source,
    )


def domain_chart(model: CountsModel) -> Figure:
    """Error against the number of values at this ε, and up to how many direct encoding wins over
    optimised unary encoding."""
    lab, n = model.lab, model.n
    factor = model.z * math.sqrt(n) * model.scale(n)
    layers: list[Layer] = []
    curves: dict[str, tuple[Array, Array]] = {}
    for protocol in (lab.protocol, *model.others):
        if model.level(protocol):
            x = array([d for d in DOMAINS if protocol.refuses(int(d)) is None])
            curves[protocol.key] = x, array([model.spread(protocol, int(d)) for d in x])
    for family in reversed(
        grouped([(p, curves[p.key][1]) for p in model.protocols if p.key in curves])
    ):
        first = lab.protocol if lab.protocol in family else family[0]
        x, y = curves[first.key][0], array(factor * np.sqrt(curves[first.key][1]))
        if len(x) > 1:
            layers.append(_line(model, [first, *(p for p in family if p is not first)], x, y))
        else:
            layers.append(Dots(first.key, first.ink, _names(family), x, y))
    values = factor * np.sqrt(np.concatenate([y for _, y in curves.values()]))
    border = border_at(model)
    if border is not None and 2 < border < DOMAINS[-1]:
        text = say("GRR = OUE at d = {d}", d=Num(border, 3))
        layers.append(Rule("border", Optimised.ink, text, border, dash="dot"))
    layers.append(Rule("d", "muted", say("d = {d}", d=Num(model.d)), float(model.d), dash="dot"))
    high = 10.0 ** math.ceil(math.log10(float(np.max(values))) + 0.05)
    low = max(
        10.0 ** math.floor(math.log10(float(np.min(values[values > 0]))) - 0.05),
        high * 10.0**-_DECADES,
    )
    return Figure(
        "domain",
        say("Error against values d"),
        Axis(say("values d"), log=True, range=(1.8, 1.1 * float(DOMAINS[-1]))),
        Axis(_unit(model), log=True, range=(low, high), floored=True),
        tuple(layers),
        _subtitle(model),
        exact=lab.show_truth,
        source=_sources(model),
    )


def border_at(model: CountsModel) -> float | None:
    """The d at which direct encoding and optimised unary encoding are equally far off: 3e^ε + 2 for
    a value that nobody holds.

    For other values, the whole d up to which the first wins; None where it never or always does.
    """
    epsilon = model.lab.protocol.claim
    if model.lab.judged == "rare":
        return 3 * math.exp(epsilon) + 2 if epsilon < 40 else None
    one, two = Direct().at(epsilon), Optimised().at(epsilon)
    assert one is not None
    assert two is not None

    def wins(d: int) -> bool:
        return model.spread(one, d) < model.spread(two, d)

    low, high = 2, int(DOMAINS[-1])
    if not wins(low) or wins(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if wins(middle) else (low, middle)
    return float(low)


def map_chart(model: CountsModel) -> Figure:
    """Which of direct and optimised unary encoding has less error, over ε and d, with the border
    and the point to drag."""
    chosen = model.lab.protocol
    # To two digits, which is finer than the cells are: where counts are hidden every survey has a
    # share of its own.
    share = {"rare": 0.0, "part": float(f"{model.share:.2g}"), "all": None}[model.lab.judged]
    drawn = model.data.remember(("local map", share), lambda: _plane(share))
    x, y = drawn[0].x, drawn[0].y
    layers: list[Layer] = [*drawn]
    here = min(max(chosen.claim, float(x[0])), float(x[-1])), min(float(model.d), float(y[-1]))
    words = say("ε {epsilon}, d {d}", epsilon=Num(chosen.claim, 4), d=Num(model.d))
    if "epsilon" in domains(type(chosen)):
        layers.append(Handle("here", chosen.ink, words, *here, "protocol.epsilon"))
    else:
        layers.append(Dots("here", "text", words, [here[0]], [here[1]]))
    return Figure(
        "map",
        say("Direct or unary"),
        Axis(Say("ε"), log=True, range=(float(x[0]), float(x[-1]))),
        Axis(say("values d"), log=True, range=(float(y[0]), float(y[-1]))),
        tuple(layers),
        say(
            "{judged}: less error with GRR (blue) or with OUE (orange)",
            judged=judged_words(model, short=True),
        ),
        exact=model.lab.show_truth,
        source=Optimised.source,
    )


def _plane(share: float | None) -> tuple[Heat, *tuple[Layer, ...]]:
    """The map and what is written on it, where a value is judged by that `share` of the people
    hold, or 1/d of them (None).

    Cells hold by how many % GRR has less error than OUE; below 0, OUE than GRR.
    """
    x, y = np.geomspace(0.05, 20, 41), np.geomspace(2, 1024, 31)
    middles, sizes = np.sqrt(x[1:] * x[:-1]), np.round(np.sqrt(y[1:] * y[:-1])).astype(np.int64)
    logs = np.empty((len(sizes), len(middles)))
    for column, epsilon in enumerate(middles):
        one, two = Direct().at(float(epsilon)), Optimised().at(float(epsilon))
        assert one is not None
        assert two is not None
        for row, d in enumerate(sizes.tolist()):
            part = 1 / d if share is None else share
            direct, unary = (
                part * s.own + (1 - part) * s.other for s in (one.support(d), two.support(d))
            )
            logs[row, column] = math.log(direct / unary) / 2
    gains = array(-100 * np.sign(logs) * -np.expm1(-np.abs(logs)))
    layers: list[Layer] = []
    for kind, won in ((Direct, gains > 20), (Optimised, gains < -20)):
        if won.any():
            row, column = (int(np.mean(found)) for found in np.nonzero(won))
            layers.append(
                Dots(kind.key, "surface", Say(kind.short), [middles[column]], [sizes[row]])
            )
    if share == 0:
        epsilons = np.linspace(x[0], math.log((y[-1] - 2) / 3), 60)
        layers.append(
            Line("border", "text", say("d = 3e^ε + 2"), epsilons, 3 * np.exp(epsilons) + 2)
        )
    heat = Heat(
        "gain", Direct.ink, say("% less error with GRR"), x, y, gains, -60.0, 60.0, Optimised.ink
    )
    return heat, *layers
