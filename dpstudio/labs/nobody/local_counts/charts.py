"""The charts of Local counts that compare protocols: against ε, against the number of people, and
of values."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Handle, Layer, Line, Rule
from dpstudio.labs.local_curves import at_confidence, chosen_point, epsilon_axis, without_epsilon
from dpstudio.labs.nobody.local_counts import curves as local_counts_curves
from dpstudio.labs.nobody.local_counts import errors as counts_errors
from dpstudio.labs.nobody.local_counts.model import CountsModel, judged_words
from dpstudio.privacy.local import Protocol
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.histogram import Thresholded
from dpstudio.privacy.local.unary import Optimised
from dpstudio.values.messages import N_, Message, Num, plain, say

_DECADES = 5


def _subtitle(model: CountsModel) -> Message:
    return say(
        "{judged}: half-width, {confidence}",
        confidence=at_confidence(model.lab.confidence),
        judged=judged_words(model, short=True),
    )


def _unit(model: CountsModel) -> Message:
    return Message(N_("± % of the people") if model.lab.relative else N_("± people"))


def _names(family: Sequence[Protocol]) -> Message:
    """Short names after one another."""
    told = Message(family[0].short)
    for protocol in family[1:]:
        told = say("{told} = {name}", told=told, name=Message(protocol.short))
    return told


def _line(model: CountsModel, family: Sequence[Protocol], x: Array, y: Array) -> Line:
    """The curve of protocols that are told apart by name alone, in the ink of the first; the one in
    use is broader."""
    first, label = family[0], _names(family)
    if first is model.lab.protocol:
        return Line(first.key, first.ink, label, x, y, width=2.5)
    return Line(first.key, first.ink, label, x, y, width=1.4)


def _sources(model: CountsModel) -> str:
    return "; ".join(dict.fromkeys(p.source for p in counts_errors.protocols(model)))


def tradeoff_chart(model: CountsModel) -> Figure:
    """Error against ε of every protocol, with the ε at which the chosen one meets others, and the
    point to drag."""
    lab = model.lab
    # Curves do not change with ε: they are the same layers at every step of a drag, so that nothing
    # is drawn anew.
    key = (
        "local lines",
        local_counts_curves.judged_at(model),
        model.n,
        lab.confidence,
        lab.relative,
        without_epsilon(lab.protocol),
        model.effort,
    )
    layers = model.data.remember(key, lambda: (*_lines(model), *_met(model)))
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        epsilon_axis(),
        _error_axis(model),
        (*layers, _here(model)),
        _subtitle(model),
        exact=lab.show_truth,
        source=_sources(model),
    )


def _error_axis(model: CountsModel) -> Axis:
    """From beyond all people, where an estimate says nothing, five decades down."""
    high = 10.0 ** math.ceil(math.log10(2 * model.n * counts_errors.scale(model)))
    return Axis(_unit(model), log=True, range=(high * 10.0**-_DECADES, high), floored=True)


def _shown(model: CountsModel, variances: Array) -> Array:
    """Half-widths as they are shown, of variances over n; the same shape."""
    return model.z * np.sqrt(model.n * variances) * counts_errors.scale(model)


def _lines(model: CountsModel) -> list[Layer]:
    """The curve of the chosen protocol and of its classic rival by name, those of all others in
    grey, and where an estimate says nothing."""
    chosen, rival = model.lab.protocol, _rival(model)
    named = {
        family[0].key
        for family in local_counts_curves.families(model)
        if not {type(chosen), rival}.isdisjoint(map(type, family))
    }
    words, all_people = (
        say("all {n} {n:person|people}", n=Num(model.n)),
        model.n * counts_errors.scale(model),
    )
    layers: list[Layer] = [Rule("everyone", "muted", words, all_people, axis="y", dash="dot")]
    for family in reversed(local_counts_curves.families(model)):
        first, points = family[0], local_counts_curves.curve(model, family[0])
        if np.isfinite(points).any():
            x, y = local_counts_curves.epsilons(model), _shown(model, points)
            if first.key in named:
                layers.append(_line(model, family, x, y))
            else:
                layers.insert(1, Line(first.key, "grid", "", x, y, width=1.4))
        elif first.key in named:
            width = counts_errors.shown_width(model, first)
            layers.append(Dots(first.key, first.ink, Message(first.short), [first.claim], [width]))
    return layers


def _rival(model: CountsModel) -> type[Protocol]:
    """The classic rival of the protocol in use."""
    return Direct if type(model.lab.protocol) is not Direct else Optimised


def _met(model: CountsModel) -> list[Layer]:
    """A dot wherever the chosen curve meets another, and a rule with words where it meets that of
    the classic rival."""
    chosen = model.lab.protocol
    rival = _rival(model)
    text = N_("{one} = {two} at ε = {at}")
    layers: list[Layer] = []
    for k, (other, at) in enumerate(
        (o, e) for o, e in local_counts_curves.meetings(model) if type(o) is rival
    ):
        words = say(text, one=Message(chosen.short), two=Message(other.short), at=Num(at, 4))
        layers.append(Rule(f"meet_{k}", other.ink, words, at, dash="dot"))
    together = [family[0] for family in local_counts_curves.families(model)]
    seen = [epsilon for other, epsilon in local_counts_curves.meetings(model) if other in together]
    if seen:
        points = np.log(local_counts_curves.curve(model, chosen, local_counts_curves.LADDER))
        heights = _shown(
            model, np.exp(np.interp(np.log(seen), np.log(local_counts_curves.LADDER), points))
        )
        layers.append(Dots("meetings", "text", "", seen, heights))
    return layers


def _here(model: CountsModel) -> Layer:
    """The point of the chosen protocol; one beyond the chart is an arrow there."""
    protocol, width = model.lab.protocol, counts_errors.shown_width(model)
    text = N_("ε {epsilon} → ±{error} %") if model.lab.relative else N_("ε {epsilon} → ±{error}")
    words = say(text, epsilon=Num(protocol.claim, 4), error=Num(width, 3, "up"))
    return chosen_point(protocol, words, protocol.claim, width)


def people_chart(model: CountsModel) -> Figure:
    """Relative error of the value that is looked at against the number of people: locally it falls
    as 1/√n, with a trusted collector as 1/n."""
    n, trusted = model.n, 100 * counts_errors.central(model) / model.n
    needed = n * max(counts_errors.times(model), 1.0)
    # Decades about this many people, as far as those that a local survey would need.
    x = 10.0 ** np.array([math.floor(math.log10(n)) - 1, math.ceil(math.log10(3 * needed))])
    layers: list[Layer] = [
        _line(model, family, x, 100 * counts_errors.part_width(model, family[0]) / np.sqrt(n * x))
        for family in _rivals(model)
    ]
    layers.append(
        Line(
            "central", "muted", say("trusted collector"), x, 100 * counts_errors.central(model) / x
        )
    )
    layers.append(Rule("n", "muted", say("n = {n}", n=Num(n)), float(n), dash="dot"))
    if counts_errors.times(model) > 1:
        told = say("{times} times the people", times=Num(counts_errors.times_at_least(model)))
        layers.append(Line("gap", "text", told, [n, needed], [trusted, trusted], width=1.2))
        layers.append(Dots("ends", "text", "", [n, needed], [trusted, trusted]))
    errors = [100 * counts_errors.part_width(model) / n, trusted]
    low = 10.0 ** math.floor(math.log10(max(min(errors), 1e-9 * max(errors))) - 0.7)
    high = 10.0 ** math.ceil(math.log10(max(errors)) + 0.3)
    return Figure(
        "people",
        say("Local against central"),
        Axis(say("people n"), log=True, range=(float(x[0]), float(x[1]))),
        Axis(say("± % of the people"), log=True, range=(low, high)),
        tuple(layers),
        say(
            "{part}, both at ε = {epsilon}",
            epsilon=Num(model.lab.protocol.claim, 4),
            part=plain(model.population.labels[model.part]),
        ),
        exact=model.lab.show_truth,
        source=model.lab.protocol.source,
    )


def _rivals(model: CountsModel) -> list[list[Protocol]]:
    """The best protocol that can be told apart from the chosen one, and the chosen one with those
    that cannot."""
    chosen, width = model.lab.protocol, partial(counts_errors.part_width, model)
    compared = sorted(counts_errors.ranking(model), key=width)
    near = [
        p for p in compared if abs(math.log(width(p) / width(chosen))) < 0.03 and p is not chosen
    ]
    together = [chosen, *near]
    others = [p for p in compared if p not in together]
    return [*([p] for p in others[:1]), together]


def domain_chart(model: CountsModel) -> Figure:
    """Error against the number of values at this ε, and up to how many direct encoding wins over
    optimised unary encoding."""
    curves = local_counts_curves.over_values(model)
    layers: list[Layer] = []
    # In the order of the catalogue, the chosen one first of those that are alike.
    listed = [(p, curves[p.key][2]) for p in counts_errors.protocols(model) if p.key in curves]
    for family in reversed(local_counts_curves.grouped(listed)):
        family.sort(key=lambda p: p is not model.lab.protocol)
        first, x, variances = curves[family[0].key]
        y = _shown(model, variances)
        if len(x) > 1:
            layers.append(_line(model, family, x, y))
        else:
            layers.append(Dots(first.key, first.ink, _names(family), x, y))
    at = local_counts_curves.border(model)
    if at is not None and 2 < at < local_counts_curves.D_MOST:
        words = say("GRR = OUE at d = {d}", d=Num(at, 3))
        layers.append(Rule("border", Optimised.ink, words, at, dash="dot"))
    layers.append(Rule("d", "muted", say("d = {d}", d=Num(model.d)), float(model.d), dash="dot"))
    values = _shown(model, np.concatenate([variances for _, _, variances in curves.values()]))
    high = 10.0 ** math.ceil(math.log10(float(np.max(values))) + 0.05)
    low = 10.0 ** math.floor(math.log10(float(np.min(values[values > 0]))) - 0.05)
    return Figure(
        "domain",
        say("Values and protocol"),
        Axis(say("values d"), log=True, range=(1.8, 1.1 * local_counts_curves.D_MOST)),
        Axis(_unit(model), log=True, range=(max(low, high * 10.0**-_DECADES), high), floored=True),
        tuple(layers),
        _subtitle(model),
        exact=model.lab.show_truth,
        source=_sources(model),
    )


def theta_chart(model: CountsModel) -> Figure | None:
    """Error of thresholding against θ, with the θ of least error and the one in use; none for other
    protocols."""
    chosen = model.lab.protocol
    if not isinstance(chosen, Thresholded):
        return None
    x, variances = local_counts_curves.over_threshold(model, chosen)
    y, best = _shown(model, variances), chosen.with_(threshold="best").cut
    logs = np.log10(y)
    decades = 10.0 ** math.floor(logs.min()), 10.0 ** math.ceil(logs.max())
    width = counts_errors.shown_width(model, chosen)
    words = say("θ {theta} → ±{error}", theta=Num(chosen.cut, 4), error=Num(width, 3, "up"))
    here: Layer = Dots("here", chosen.ink, words, [chosen.cut], [width])
    if chosen.threshold == "hand":
        here = Handle("here", chosen.ink, words, chosen.cut, width, "protocol.theta")
    least = say("least for rare values: θ {theta}", theta=Num(best, 4))
    return Figure(
        "theta",
        say("Threshold and error"),
        Axis(say("threshold θ"), range=(float(x[0]), float(x[-1]))),
        Axis(_unit(model), log=True, range=decades),
        (
            Line("error", chosen.ink, "", x, y, width=2.5),
            Rule("least", "muted", least, best, dash="dot"),
            here,
        ),
        _subtitle(model),
        exact=model.lab.show_truth,
        source=chosen.source,
    )
