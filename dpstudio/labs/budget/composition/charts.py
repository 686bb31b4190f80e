"""The composition lab's charts of bounds as plain figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.charts.scaling import to_unit
from dpstudio.labs.budget.composition.releases import Line as Release
from dpstudio.labs.budget.composition.releases import Parts, lines
from dpstudio.privacy.accounting import REPLACE, Accountant, Sequential
from dpstudio.values.messages import N_, Num, Say, plain, render, say

if TYPE_CHECKING:
    from dpstudio.labs.budget.composition.ledger import Valued
    from dpstudio.labs.budget.composition.model import CompositionModel

_THIN = 1.5
# In parts of an axis: what is nearer shares its words; how many names a label holds; how far apart
# the words of crossings are.
_CLOSE, _TOGETHER, _APART = 0.1, 3, 0.18
_ALONE = ("sequential", "parallel", "group_privacy", "gdp_clt")
MOST_NAMED, MOST_WORDED = 14, 10
ZONES = (
    ("proved", "good", N_("texts: proved")),
    ("true", "warn", N_("texts: true")),
    ("false", "bad", N_("texts: false")),
)


SHORT = {
    "sequential": N_("adding up"), "drv": N_("DRV 2010"), "kov35": N_("KOV 3.5"), "kov33": N_("KOV 3.3"), "optimal": N_("optimum"),
    "zcdp": N_("zCDP"), "zcdp_tight": N_("tight zCDP"), "gdp": N_("Gaussian DP"), "gdp_clt": N_("GDP limit"), "pld": N_("numeric"),
    "shortcut": N_("texts"),
}  # fmt: skip


def name_of(bound: Accountant) -> Say:
    if bound.key == "group_privacy":
        return say("group of {people}", people=getattr(bound, "people", 2))
    return Say(bound.label)


def short_of(bound: Accountant) -> Say:
    """The name that stands at a curve."""
    return Say(SHORT[bound.key]) if bound.key in SHORT else name_of(bound)


def _delta_words(model: CompositionModel) -> Say:
    if model.own_delta > 0:
        return say(
            "at a total δ of Σδ + δ′ = {delta} (adding up: Σδ)", delta=Num(model.delta, 3, "up")
        )
    return say("at a total δ = δ′ = {delta} (adding up: 0)", delta=Num(model.delta, 3, "up"))


def sources_of(model: CompositionModel) -> str:
    return "; ".join(dict.fromkeys(a.source for a in model.drawn if a.source))


def only(values: Array, mask: np.ndarray) -> Array:
    """The curve where `mask` holds, with a point of overlap so that its parts meet; gaps are
    NaN."""
    keep = mask.copy()
    keep[1:] |= mask[:-1] & ~mask[1:]
    return array(np.where(keep, values, np.nan))


def total_chart(model: CompositionModel) -> Figure:
    """Total ε against k by every bound: solid where it is proved and better than adding up, else
    dashed or dotted."""
    layers: list[Layer] = [_envelope(model)]
    x, y = _axes(model)
    own = [a for a in model.drawn if not (a.key == "shortcut" and model.zones is not None)]
    names = shared_names(own, {a.key: _end(model, a) for a in own}, y)
    for bound in model.drawn:
        layers += (
            _curve(model, bound, names[bound.key]) if bound in own else _shortcut(model, bound)
        )
    layers += _crossings(model, x, y)
    cost, label = model.best.epsilon, short_of(model.best.bound)
    words = say(
        "k {k} → ε {total} ({bound})", k=Num(model.answers), total=Num(cost, 3, "up"), bound=label
    )
    if model.equal:
        layers.append(
            Handle("here", model.best.bound.ink, words, float(model.answers), cost, "answers")
        )
    else:
        layers.append(Dots("here", model.best.bound.ink, words, [model.answers], [cost]))
    return Figure(
        "total",
        say("Total ε of k answers"),
        x,
        y,
        tuple(layers),
        _delta_words(model),
        source=sources_of(model),
    )


def shared_names(
    bounds: Sequence[Accountant], ends: Mapping[str, float], axis: Axis, down: bool = False
) -> dict[str, Say | str]:
    """The words at each curve, by bound. Curves whose `ends` are too near to each other on the axis
    share one label, from the least to the largest (`down`: from the largest on), which stands at
    the first of them."""
    names: dict[str, Say | str] = {a.key: short_of(a) for a in bounds}
    units = {key: float(to_unit(axis, end)) for key, end in ends.items() if key not in _ALONE}
    at = {key: 1 - unit if down else unit for key, unit in units.items() if math.isfinite(unit)}
    order = sorted((a for a in bounds if 0 <= at.get(a.key, -1.0) <= 1), key=lambda a: at[a.key])
    while order:
        first = order[0]
        together = [a for a in order if at[a.key] - at[first.key] < _CLOSE][:_TOGETHER]
        for other in together[1:]:
            names[first.key] = say("{told}, {one}", told=names[first.key], one=short_of(other))
            names[other.key] = ""
        order = order[len(together) :]
    return names


def _end(model: CompositionModel, bound: Accountant) -> float:
    """Where a curve leaves the chart on the right; NaN where it ends before."""
    x, y = model.curves[bound.key]
    return float(y[-1]) if len(x) and x[-1] == model.k[-1] else math.nan


def _axes(model: CompositionModel) -> tuple[Axis, Axis]:
    plain = model.plain if not model.equal else model.spend.epsilon * model.top
    if model.lab.scale == "log":
        tops = [
            float(y[0])
            for _, y in model.curves.values()
            if len(y) and np.isfinite(y[0]) and y[0] > 0
        ]
        least = min([model.spend.epsilon if model.equal else model.plain, *tops])
        low, high = 10 ** math.floor(math.log10(least) + 0.05), 1.5 * nice_above(plain)
        across = Axis(
            say("answers k"),
            log=True,
            range=(0.85, 1.25 * max(model.top if model.equal else model.answers, 2)),
            whole=True,
        )
        return across, Axis(say("total ε"), log=True, range=(low, max(high, 10 * low)))
    top = model.top if model.equal else model.answers
    # Adding up may leave the chart through its top, so that the bounds below it stay apart.
    ends = [_end(model, a) for a in model.drawn if a.key not in _ALONE]
    reach = max([model.best.epsilon, *(1.2 * end for end in ends if end < plain * (1 - 1e-9))])
    high = nice_above(1.1 * plain if reach <= model.best.epsilon else min(reach, 1.1 * plain))
    return Axis(say("answers k"), range=(0.0, 1.03 * top), whole=True), Axis(
        say("total ε"), range=(0.0, high)
    )


def _envelope(model: CompositionModel) -> Line:
    """The least of all proved bounds, drawn broad behind them."""
    k = model.k
    least, known = np.full(len(k), np.inf), np.full(len(k), True)
    for bound in model.bounds:
        if bound.envelope and bound.key in model.curves and len(model.curves[bound.key][0]):
            x, y = model.curves[bound.key]
            at = np.searchsorted(k, x)
            least[at] = np.fmin(least[at], y)
            # A slow bound is worked out at fewer k: between them the least is not known.
            known[(k <= x[-1]) & ~np.isin(k, x)] = False
    return Line(
        "envelope",
        "grid",
        Say(""),
        k[known],
        np.where(np.isfinite(least), least, np.nan)[known],
        width=9.0,
    )


def _curve(model: CompositionModel, bound: Accountant, label: Say | str) -> list[Layer]:
    x, y = model.curves[bound.key]
    if not bound.envelope or not bound.proven or bound.approximate or bound not in model.bounds:
        return [Line(bound.key, bound.ink, label, x, y, dash="dash", width=_THIN)]
    plain = (
        np.interp(x, *model.curves["sequential"])
        if "sequential" in model.curves
        else np.full(len(x), np.inf)
    )
    worse = y > plain * (1 + 1e-9)
    solid = ~worse & np.isfinite(y)
    made: list[Layer] = []
    if worse.any():
        made.append(
            Line(
                f"{bound.key}_worse",
                bound.ink,
                "" if solid.any() else label,
                x,
                only(y, worse),
                dash="dot",
                width=_THIN,
            )
        )
    if solid.any() or not worse.any():
        made.append(Line(bound.key, bound.ink, label, x, only(y, ~worse)))
    return made


def _shortcut(model: CompositionModel, bound: Accountant) -> list[Layer]:
    """The texts' formula in its three zones, each in the colour of what can be said of it."""
    x, y = model.curves[bound.key]
    ends = (0, model.zones.proved, model.zones.true, math.inf)
    made: list[Layer] = []
    for (key, ink, label), low, high in zip(ZONES, ends, ends[1:], strict=False):
        inside = (x > low) & (x <= high)
        if inside.any():
            dash = "solid" if key == "proved" else "dash"
            made.append(
                Line(f"shortcut_{key}", ink, Say(label), x, only(y, inside), dash=dash, width=2.5)
            )
    return made


def _crossings(model: CompositionModel, across: Axis, up: Axis) -> list[Layer]:
    """Where bounds fall below adding up. Those too near to one before them keep their dot and go
    without words."""
    made: list[Layer] = []
    said = -1.0
    for k, key in sorted(
        (k, key)
        for key, k in model.crossings.items()
        if k is not None and 1 < k <= model.top and key in model.curves
    ):
        bound = next(a for a in model.drawn if a.key == key)
        place = float(to_unit(across, k))
        made.append(Dots(f"cross_{key}", bound.ink, "", [k], [k * model.spend.epsilon]))
        if place - said > _APART:
            # Words stay near a line, where those of a dot may go to the border: it rises to the
            # top, out of the curves.
            ends = array([k * model.spend.epsilon, up.range[1]])
            made.append(
                Line(
                    f"rise_{key}",
                    bound.ink,
                    say("k = {k}", k=Num(k)),
                    [k, k],
                    ends,
                    dash="dot",
                    width=1.0,
                )
            )
            said = place
    return made


def loose_chart(model: CompositionModel) -> Figure:
    """ε of every bound at this k in order, and how much looser than the tightest each is."""
    bars = [
        (short_of(v.bound), v.epsilon, v.bound.ink, v.bound.key, _told(model, v))
        for v in model.values
    ]
    cap = nice_above(1.35 * max(model.best.epsilon, min(model.plain, 4 * model.best.epsilon)))
    return bars_chart(
        "loose",
        say("How loose each bound is"),
        Axis(say("total ε of {k} answers", k=Num(model.answers)), range=(0.0, cap)),
        bars,
        say("× the tightest; {delta}", delta=_delta_words(model)),
        sources_of(model),
    )


def _told(model: CompositionModel, valued: Valued) -> Say:
    """How loose a bound is; of what is no bound on one person's loss, what it is."""
    bound, total = valued.bound, Num(valued.epsilon, 4, "up")
    if bound.key == "shortcut" and model.zones is None:
        return say("as printed")
    if bound.key == "shortcut" and model.zone == "false":
        return say("{total}: false", total=Num(valued.epsilon, 4))
    if bound.approximate:
        return say("approximate")
    if bound.key == "group_privacy":
        return say("{people} people", people=model.lab.people)
    if valued.counts and valued.loose <= 1:
        return say("{total}", total=total)
    return say("× {loose}", loose=Num(valued.loose, 3))


def beside_row(name: str, ink: str, words: Say, x: float, row: float) -> Line:
    """Words to the left or right of a place in a row. Those of a dot may go to the border, in
    another row; these belong to a short upright line, hidden by what stands there, and so stay in
    theirs."""
    padded = say("\u2002{words}\u2002", words=words) if words.text else words
    return Line(f"words_{name}", ink, padded, [x, x], [row - 0.03, row + 0.03], width=1.0)


def bars_chart(
    key: str,
    title: Say,
    x: Axis,
    bars: list[tuple[Say, float, str, str, Say]],
    subtitle: Say,
    source: str,
    beside: tuple[Layer, ...] = (),
) -> Figure:
    """Dots one below the other, the first on top, with their names on the axis and their words
    beside them."""
    layers: list[Layer] = [*beside]
    places = [float(len(bars) - 1 - i) for i in range(len(bars))]
    for place, (_, value, ink, name, words) in zip(places, bars, strict=True):
        end = min(value, x.range[1])
        # In so many rows there is room for the words of the ends and of adding up only.
        if len(bars) <= MOST_WORDED or place in (0, len(bars) - 1) or name == "sequential":
            layers.append(beside_row(name, ink, words, end, place))
        layers.append(Dots(f"end_{name}", ink, "", [end], [place]))
    ticks = tuple((place, render(words)) for place, (words, *_) in zip(places, bars, strict=True))
    y = Axis("", range=(-0.7, max(len(bars), 1) - 0.3), ticks=ticks)
    return Figure(key, title, x, y, tuple(layers), subtitle, source=source)


def privacy_chart(model: CompositionModel) -> Figure:
    """δ against ε of everything that is published, by every bound that has a curve."""
    layers: list[Layer] = []
    curves = {
        a: model.privacy_curve(a)
        for a in model.bounds
        if a.key not in ("group_privacy", "shortcut")
    }
    curves = {a: (x, y) for a, (x, y) in curves.items() if np.isfinite(x).any()}
    ends = [
        float(np.nanmax(x)) for a, (x, _) in curves.items() if a.key not in ("drv", "sequential")
    ]
    across = Axis(say("total ε"), range=(0.0, nice_above(1.08 * max([model.best.epsilon, *ends]))))
    names = shared_names(list(curves), {a.key: float(np.interp(0.0, np.log(y[::-1] / model.delta), x[::-1]))
                                               for a, (x, y) in curves.items()}, across)  # fmt: skip
    for bound, (x, y) in curves.items():
        dash = "dash" if bound.approximate or not bound.proven or not bound.envelope else "solid"
        if bound.key in ("sequential", "parallel"):
            dash = "dot"
        layers.append(Line(bound.key, bound.ink, names[bound.key], x, y, dash=dash))
    layers.append(
        Rule(
            "delta",
            "muted",
            say("δ = {delta}", delta=Num(model.delta, 3, "up")),
            model.delta,
            axis="y",
            dash="dot",
        )
    )
    layers.append(Dots("here", model.best.bound.ink, "", [model.best.epsilon], [model.delta]))
    return Figure(
        "privacy",
        say("δ against ε of the whole"),
        across,
        Axis(say("total δ"), log=True, range=(1e-12, 1.0)),
        tuple(layers),
        say("{k} answers: each promise (ε, δ) on a curve holds at once", k=Num(model.answers)),
        source=sources_of(model),
    )


def group_chart(model: CompositionModel) -> Figure:
    """What holds for one person, held against groups: m times the ε, and a δ that grows faster."""
    people = np.arange(1.0, 11.0)
    layers: list[Layer] = []
    tops = []
    routes = {"best": (model.group, model.best.bound)}
    if model.best.bound.key != "sequential":
        routes["added"] = (model.group_by_adding, Sequential())
    for key, (route, bound) in routes.items():
        both = np.array([route(int(m)) for m in people])
        kept = np.where(both[:, 1] < 1, both[:, 0], np.nan)
        if np.isfinite(kept).any():
            tops.append(float(np.nanmax(kept)))
            layers.append(Line(key, bound.ink, short_of(bound), people, kept, dash="dash"))
            layers.append(Dots(f"{key}_counts", bound.ink, "", people, kept))
    m = model.lab.people
    epsilon, delta = model.group(m) if model.group(m)[1] < 1 else model.group_by_adding(m)
    text = (
        N_("{people} people: ε {total}, δ {delta}") if delta < 1 else N_("{people} people: nothing")
    )
    words = say(text, people=m, total=Num(epsilon, 3, "up"), delta=Num(delta, 3, "up"))
    layers.append(Handle("here", "accent", words, float(m), epsilon, "people"))
    return Figure(
        "group",
        say("Families and groups"),
        Axis(say("people m in a group"), range=(0.5, 10.5), whole=True),
        Axis(say("total ε"), range=(0.0, nice_above(1.05 * max([epsilon, *tops])))),
        tuple(layers),
        say(
            "m times the ε; δ grows by a factor m·e^((m − 1)ε), and a curve ends where it reaches 1"
        ),
        source="Vadhan 2017, Lemma 2.2",
    )


def ledger_chart(model: CompositionModel) -> Figure:
    """The list as bars: answers after one another add up, parts over disjoint people start at the
    same place."""
    layers: list[Layer] = []
    rows = sum(len(lines(entry)) for entry in model.entries)
    start, row = 0.0, rows - 1
    ends: list[tuple[str, float, float, int, Release]] = []
    for place, entry in enumerate(model.entries):
        repeats = entry.times if isinstance(entry, Parts) else 1
        costs = [line.times * line.mechanism.epsilon * repeats for line in lines(entry)]
        for part, (line, cost) in enumerate(zip(lines(entry), costs, strict=True)):
            ends.append(
                (
                    f"{place}_{part}",
                    start,
                    start + cost,
                    row,
                    Release(line.times * repeats, line.mechanism, entry.locked),
                )
            )
            row -= 1
        costs.sort()
        start += sum(costs[-2:]) if model.lab.adjacency == REPLACE else costs[-1]
    reach = nice_above(1.15 * start)
    for key, low, high, row, said in ends:
        ink, words = said.mechanism.ink, plain(said) if rows <= MOST_NAMED else Say("")
        # On the side where there is more room; at the bar itself where there is too little for so
        # many letters.
        full = max(reach - high, low) < 0.03 * len(str(said)) * reach
        layers.append(
            Line(f"bar_{key}", ink, words if full else "", [low, high], [row, row], width=8.0)
        )
        if words.text and not full:
            layers.append(beside_row(key, ink, words, high if reach - high >= low else low, row))
    # Beside the last rows only: further up the words of the bars would cross it.
    words, foot = (
        say("in all ε {total}", total=Num(start, 4, "up")),
        array([-0.7, min(1.0, rows / 3)]),
    )
    layers.append(Line("all", "sequential", words, [start, start], foot, dash="dash"))
    return Figure(
        "ledger",
        say("The list, one after another"),
        Axis(say("ε spent by adding up"), range=(0.0, reach)),
        Axis("", range=(-0.7, rows - 0.3), hidden=True),
        tuple(layers),
        Say(N_("bars that start together are disjoint parts: the larger one counts")
            if model.lab.adjacency != REPLACE
            else N_("bars that start together are disjoint parts: a person who is replaced may leave one and enter another, so two count")),
        source="Dwork & Roth 2014, Theorem 3.16; McSherry 2009, Theorem 4",
    )  # fmt: skip
