"""The chart of the composition lab's total ε: every bound over the number of answers."""

import math

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, nice_above
from dpstudio.charts.inks import OUTSIDE
from dpstudio.charts.scaling import to_unit
from dpstudio.labs.bound_names import name_here, total_of
from dpstudio.labs.law_curves import only
from dpstudio.labs.many_answers.composition import certificate, charts, names, shortcut
from dpstudio.labs.many_answers.composition import model as known
from dpstudio.labs.many_answers.composition.curves import (
    ASKED_FOR,
    crossings,
    curves,
    drawn,
    end_of,
    least_curve,
    worse_than_adding,
)
from dpstudio.labs.many_answers.composition.model import CompositionModel
from dpstudio.labs.series_model import by_adding, reach, supposed
from dpstudio.privacy.accounting import Accountant, Zones
from dpstudio.values.messages import N_, Message, Num, say

_APART = 0.18  # of the axis: how far apart the words of crossings are
ZONES = (
    ("proved", "solid", N_("texts: proved")),
    ("true", "dash", N_("texts: true")),
    ("false", OUTSIDE, N_("texts: false")),
)


def total_chart(model: CompositionModel) -> Figure:
    """Total ε against k by every bound, from where it is better than adding up; pale where it is
    not proved or never better. The least of all proved bounds is drawn broad behind them."""
    x, y = _axes(model)
    layers: list[Layer] = [Line("envelope", "grid", Message(""), *least_curve(model), width=9.0)]
    found = shortcut.zones(model)
    for bound in drawn(model):
        if bound.key == "shortcut" and found is not None:
            layers += _shortcut(model, bound, found)
        else:
            layers += _curve(model, bound, name_here(model, bound))
    layers += _crossings(model, x, y)
    layers += _at_k(model)
    layers.append(_here(model))
    return Figure(
        "total",
        say("Total ε of k answers"),
        x,
        y,
        tuple(layers),
        charts.delta_words(model),
        source=charts.sources_of(drawn(model)),
        told=say("ε at k = {k}", k=Num(model.answers)),
    )


def _at_its_end(model: CompositionModel, bound: Accountant) -> Message:
    """What a bound says at this k."""
    told = next((v.epsilon for v in known.valued(model) if v.bound == bound), math.inf)
    return say("{total}", total=total_of(told, bound)) if math.isfinite(told) else Message("")


def _at_k(model: CompositionModel) -> list[Layer]:
    """What every bound says at this k, on its curve."""
    k = float(model.answers)
    found = ((v.bound, v.epsilon) for v in known.valued(model) if v.bound in drawn(model))
    return [
        Dots(f"at_{bound.key}", bound.ink, "", [k], [epsilon])
        for bound, epsilon in found
        if bound.key != "shortcut"
    ]


def _here(model: CompositionModel) -> Layer:
    best, k = known.tightest(model), model.answers
    words = say(
        "k {k} → ε {total} ({bound})",
        k=Num(k),
        total=names.told_total(model),
        bound=names.tightest_names(model, short=True),
    )
    if model.equal:
        return Handle("here", best.bound.ink, words, float(k), best.epsilon, "answers")
    return Dots("here", best.bound.ink, words, [k], [best.epsilon])


def _axes(model: CompositionModel) -> tuple[Axis, Axis]:
    plain = by_adding(model) if not model.equal else model.spend.epsilon * reach(model)
    if supposed(model):  # what is true lies above
        stands = [end_of(model, a) for a in drawn(model) if a in known.standing(model)]
        plain = max([plain, *(1.1 * end for end in stands if math.isfinite(end))])
    if model.lab.scale == "log":
        tops = [float(y[0]) for _, y in curves(model).values() if len(y)]
        tops = [top for top in tops if np.isfinite(top) and top > 0]
        least = min([model.spend.epsilon if model.equal else by_adding(model), *tops])
        low, high = 10 ** math.floor(math.log10(least) + 0.05), 1.5 * nice_above(plain)
        across = Axis(say("answers k"), log=True, range=(0.85, 1.25 * reach(model)), whole=True)
        return across, Axis(say("total ε"), log=True, range=(low, max(high, 10 * low)))
    # The others are compared with adding up, which is seen whole.
    high = nice_above(max(plain, known.tightest(model).epsilon))
    top = reach(model) if model.equal else model.answers
    across = Axis(say("answers k"), range=(0.0, 1.03 * top), whole=True)
    return across, Axis(say("total ε"), range=(0.0, high))


def _curve(model: CompositionModel, bound: Accountant, label: Message | str) -> list[Layer]:
    key, ink, (x, y) = bound.key, bound.ink, curves(model)[bound.key]
    told = _at_its_end(model, bound)
    broken = bound.supposes(model.ledger)
    sure = bound.envelope and bound.proven and not bound.approximate and not broken
    if bound.most < reach(model) and label:
        label = say("{bound}, up to k = {most}", bound=label, most=Num(bound.most))
    if not sure or bound not in (*known.bounds(model), *certificate.ended(model)):
        return [Line(key, ink, label, x, y, dash=OUTSIDE, told=told)]
    worse = worse_than_adding(model, bound)
    if (~worse & np.isfinite(y)).any() or not worse.any():
        return [Line(key, ink, label, x, only(y, ~worse), told=told)]
    return [Line(f"{key}_worse", ink, label, x, y, dash=OUTSIDE, told=told)]


def _shortcut(model: CompositionModel, bound: Accountant, found: Zones) -> list[Layer]:
    """The texts' formula in its three zones, each in the dash of what can be said of it."""
    x, y = curves(model)[bound.key]
    ends = (0, found.proved, found.true, math.inf)
    made: list[Layer] = []
    for (key, dash, label), low, high in zip(ZONES, ends, ends[1:], strict=False):
        inside = (x > low) & (x <= high)
        if inside.any():
            part = only(y, inside)
            made.append(Line(f"shortcut_{key}", bound.ink, Message(label), x, part, dash, 2.5))
    return made


def _crossings(model: CompositionModel, across: Axis, up: Axis) -> list[Layer]:
    """Where bounds fall below adding up. That of advanced composition, which everybody asks for, is
    named first; those too near to a named one keep their dot and go without words."""
    made: list[Layer] = []
    bounds_ = {a.key: a for a in drawn(model)}
    found = {key: k for key, k in crossings(model).items() if k is not None and key in bounds_}
    said: list[float] = []
    order = sorted((key != ASKED_FOR, k, key) for key, k in found.items() if 1 < k <= reach(model))
    for _, k, key in order:
        place, cost, ink = float(to_unit(across, k)), k * model.spend.epsilon, bounds_[key].ink
        made.append(Dots(f"cross_{key}", ink, "", [k], [cost]))
        if all(abs(place - other) > _APART for other in said):
            # Words stay near a line, where those of a dot may go to the border: it rises to the
            # top, out of the curves.
            name = name_here(model, bounds_[key])
            words, ends = say("{bound} from k = {k}", bound=name, k=Num(k)), [cost, up.range[1]]
            made.append(Line(f"rise_{key}", ink, words, [k, k], ends, dash="dot", width=1.0))
            said.append(place)
    return made
