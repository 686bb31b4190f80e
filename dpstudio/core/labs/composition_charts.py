"""The composition lab's charts of bounds as plain figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.core.accounting import REPLACE, Accountant, Sequential
from dpstudio.core.figure import Array, Axis, Dots, Figure, Handle, Layer, Line, Rule, array, nice_above
from dpstudio.core.labs.composition_releases import Line as Release
from dpstudio.core.labs.composition_releases import Parts, lines
from dpstudio.core.wording import N_, Num, Say, plain, render, say

if TYPE_CHECKING:
    from dpstudio.core.labs.composition_scene import Scene

_THIN = 1.5
MOST_NAMED = 14
ZONES = (("proved", "good", N_("texts: proved")), ("true", "warn", N_("texts: true")), ("false", "bad", N_("texts: false")))


SHORT = {
    "sequential": N_("adding up"), "drv": N_("DRV 2010"), "kov35": N_("KOV 3.5"), "kov33": N_("KOV 3.3"), "optimal": N_("optimum"),
    "zcdp": N_("zCDP"), "zcdp_tight": N_("zCDP, tight"), "gdp": N_("Gaussian DP"), "gdp_clt": N_("GDP limit"), "pld": N_("numeric"),
    "shortcut": N_("texts"),
}  # fmt: skip


def name_of(bound: Accountant) -> Say:
    if bound.key == "group_privacy":
        return say(N_("group of {people}"), people=getattr(bound, "people", 2))
    return Say(bound.label)


def short_of(bound: Accountant) -> Say:
    """The name that stands at a curve."""
    return Say(SHORT[bound.key]) if bound.key in SHORT else name_of(bound)


def _delta_words(scene: Scene) -> Say:
    if scene.own_delta > 0:
        return say(N_("at a total δ of Σδ + δ′ = {delta} (adding up: Σδ)"), delta=Num(scene.delta, 3, "up"))
    return say(N_("at a total δ = δ′ = {delta} (adding up: 0)"), delta=Num(scene.delta, 3, "up"))


def _sources(scene: Scene) -> str:
    return "; ".join(dict.fromkeys(a.source for a in scene.drawn if a.source))


def only(values: Array, mask: np.ndarray) -> Array:
    """The curve where `mask` holds, with a point of overlap so that its parts meet; gaps are NaN."""
    keep = mask.copy()
    keep[1:] |= mask[:-1] & ~mask[1:]
    return array(np.where(keep, values, np.nan))


def total_chart(scene: Scene) -> Figure:
    """Total ε against k by every bound: solid where it is proved and better than adding up, else dashed or dotted."""
    layers: list[Layer] = [_envelope(scene)]
    for bound in scene.drawn:
        layers += _shortcut(scene, bound) if bound.key == "shortcut" and scene.zones is not None else _curve(scene, bound)
    layers += _crossings(scene)
    cost, label = scene.best.epsilon, short_of(scene.best.bound)
    words = say(N_("k {k} → ε {total} ({bound})"), k=Num(scene.answers), total=Num(cost, 3, "up"), bound=label)
    if scene.equal:
        layers.append(Handle("here", scene.best.bound.ink, words, float(scene.answers), cost, "answers"))
    else:
        layers.append(Dots("here", scene.best.bound.ink, words, array([scene.answers]), array([cost])))
    x, y = _axes(scene)
    return Figure("total", Say(N_("Total ε of k answers")), x, y, tuple(layers), _delta_words(scene), source=_sources(scene))


def _axes(scene: Scene) -> tuple[Axis, Axis]:
    plain = scene.plain if not scene.equal else scene.spend.epsilon * scene.top
    if scene.lab.scale == "log":
        tops = [float(y[0]) for _, y in scene.curves.values() if len(y) and np.isfinite(y[0]) and y[0] > 0]
        least = min([scene.spend.epsilon if scene.equal else scene.plain, *tops])
        low, high = 10 ** math.floor(math.log10(least) + 0.05), 1.5 * nice_above(plain)
        across = Axis(Say(N_("answers k")), log=True, range=(0.85, 1.25 * max(scene.top if scene.equal else scene.answers, 2)), whole=True)
        return across, Axis(Say(N_("total ε")), log=True, range=(low, max(high, 10 * low)))
    top = scene.top if scene.equal else scene.answers
    return Axis(Say(N_("answers k")), range=(0.0, 1.03 * top), whole=True), Axis(Say(N_("total ε")), range=(0.0, nice_above(1.1 * plain)))


def _envelope(scene: Scene) -> Line:
    """The least of all proved bounds, drawn broad behind them."""
    k = scene.k
    least = np.full(len(k), np.inf)
    for bound in scene.bounds:
        if bound.envelope and bound.key in scene.curves:
            x, y = scene.curves[bound.key]
            at = np.searchsorted(k, x)
            least[at] = np.fmin(least[at], y)
    return Line("envelope", "grid", Say(""), array(k), array(np.where(np.isfinite(least), least, np.nan)), width=9.0)


def _curve(scene: Scene, bound: Accountant) -> list[Layer]:
    x, y = scene.curves[bound.key]
    label = short_of(bound)
    if not bound.envelope or not bound.proven or bound.approximate or bound not in scene.bounds:
        return [Line(bound.key, bound.ink, label, x, y, dash="dash", width=_THIN)]
    plain = np.interp(x, *scene.curves["sequential"]) if "sequential" in scene.curves else np.full(len(x), np.inf)
    worse = y > plain * (1 + 1e-9)
    solid = ~worse & np.isfinite(y)
    made: list[Layer] = []
    if worse.any():
        made.append(Line(f"{bound.key}_worse", bound.ink, "" if solid.any() else label, x, only(y, worse), dash="dot", width=_THIN))
    if solid.any() or not worse.any():
        made.append(Line(bound.key, bound.ink, label, x, only(y, ~worse)))
    return made


def _shortcut(scene: Scene, bound: Accountant) -> list[Layer]:
    """The texts' formula in its three zones, each in the colour of what can be said of it."""
    x, y = scene.curves[bound.key]
    ends = (0, scene.zones.proved, scene.zones.true, math.inf)
    made: list[Layer] = []
    for (key, ink, label), low, high in zip(ZONES, ends, ends[1:], strict=False):
        inside = (x > low) & (x <= high)
        if inside.any():
            dash = "solid" if key == "proved" else "dash"
            made.append(Line(f"shortcut_{key}", ink, Say(label), x, only(y, inside), dash=dash, width=2.5))
    return made


def _crossings(scene: Scene) -> list[Layer]:
    made: list[Layer] = []
    for key, k in scene.crossings.items():
        if k is not None and 1 < k <= scene.top and key in scene.curves:
            bound = next(a for a in scene.drawn if a.key == key)
            made.append(Dots(f"cross_{key}", bound.ink, "", array([k]), array([k * scene.spend.epsilon])))
    return made


def loose_chart(scene: Scene) -> Figure:
    """ε of every bound at this k in order, and how much looser than the tightest each is."""
    # In a small card there is room for the ends and the middle of the story; the table has every figure.
    bars = []
    for v in scene.values:
        words = _mark(scene, v.bound.key, v.counts)
        if (not words.text and v is scene.values[-1]) or v.bound.key in ("sequential", scene.best.bound.key):
            text = N_("{total}: tightest") if v.loose <= 1 else N_("{total}, × {loose}")
            words = say(text, total=Num(v.epsilon, 4, "up"), loose=Num(v.loose, 3, "up"))
        bars.append((short_of(v.bound), v.epsilon, v.bound.ink, v.bound.key, words))
    cap = nice_above(1.35 * max(scene.best.epsilon, min(scene.plain, 4 * scene.best.epsilon)))
    return _bars(
        "loose",
        Say(N_("How loose each bound is")),
        Axis(say(N_("total ε of {k} answers"), k=Num(scene.answers)), range=(0.0, cap)),
        bars,
        say(N_("× the tightest; {delta}"), delta=_delta_words(scene)),
        _sources(scene),
    )


def _mark(scene: Scene, key: str, counts: bool) -> Say:
    """What stands beside a bar that is no bound on one person's loss."""
    if key == "shortcut" and scene.zones is not None and scene.answers > scene.zones.true:
        return say(N_("{total}: false"), total=Num(scene.claimed, 4))
    if key == "gdp_clt":
        return Say(N_("approximate"))
    return Say("") if counts or key == "shortcut" else say(N_("{people} people"), people=scene.lab.people)


def _bars(key: str, title: Say, x: Axis, bars: list[tuple[Say, float, str, str, Say]], subtitle: Say, source: str) -> Figure:
    """Dots one below the other, the first on top, with their names on the axis."""
    layers: list[Layer] = []
    places = [float(len(bars) - 1 - i) for i in range(len(bars))]
    for place, (_, value, ink, name, said) in zip(places, bars, strict=True):
        end = min(value, x.range[1])
        layers.append(Dots(f"end_{name}", ink, said, array([end]), array([place])))
    ticks = tuple((place, render(name)) for place, (name, *_) in zip(places, bars, strict=True))
    y = Axis("", range=(-0.7, max(len(bars), 1) - 0.3), ticks=ticks)
    return Figure(key, title, x, y, tuple(layers), subtitle, source=source)


def privacy_chart(scene: Scene) -> Figure:
    """δ against ε of everything that is published, by every bound that has a curve."""
    layers: list[Layer] = []
    ends = []
    for bound in scene.bounds:
        if bound.key in ("group_privacy", "shortcut"):
            continue
        x, y = scene.privacy_curve(bound)
        seen = np.isfinite(x)
        if not seen.any():
            continue
        if bound.key not in ("drv", "sequential"):
            ends.append(float(np.nanmax(x)))
        dash = "dash" if bound.approximate or not bound.proven or not bound.envelope else "solid"
        if bound.key in ("sequential", "parallel"):
            dash = "dot"
        layers.append(Line(bound.key, bound.ink, short_of(bound), x, y, dash=dash))
    layers.append(Rule("delta", "muted", say(N_("δ = {delta}"), delta=Num(scene.delta, 3, "up")), scene.delta, axis="y", dash="dot"))
    layers.append(Dots("here", scene.best.bound.ink, "", array([scene.best.epsilon]), array([scene.delta])))
    return Figure(
        "privacy",
        Say(N_("δ against ε of the whole")),
        Axis(Say(N_("total ε")), range=(0.0, nice_above(1.08 * max([scene.best.epsilon, *ends])))),
        Axis(Say(N_("total δ")), log=True, range=(1e-12, 1.0)),
        tuple(layers),
        say(N_("{k} answers: each promise (ε, δ) on a curve holds at once"), k=Num(scene.answers)),
        source=_sources(scene),
    )


def afford_chart(scene: Scene) -> Figure:
    """How many answers a total budget buys, by every bound."""
    layers: list[Layer] = []
    counted = {a.key: scene.affordable(a) for a in scene.bounds if a.envelope}
    for bound in scene.bounds:
        if bound.envelope and bound.key in scene.curves:
            k, total = scene.curves[bound.key]
            if scene.top < counted[bound.key] < bound.most:  # a budget beyond what the other charts show
                k, total = array(np.append(k, counted[bound.key])), array(np.append(total, scene.lab.budget))
            layers.append(Line(bound.key, bound.ink, short_of(bound), total, k))
    best = max(counted, key=lambda key: counted[key], default="sequential")
    most = counted.get(best, 0)
    ink = next((a.ink for a in scene.bounds if a.key == best), "muted")
    words = say(N_("ε {budget} buys k = {k}"), budget=Num(scene.lab.budget, 4), k=Num(most))
    layers.append(Handle("here", ink, words, scene.lab.budget, float(max(most, 1)), "budget"))
    reach = max(nice_above(1.1 * scene.lab.budget), nice_above(scene.plain))
    log = scene.lab.scale == "log"
    low = 10 ** math.floor(math.log10(min(scene.lab.budget, scene.spend.epsilon)) + 1e-9)
    top = float(max(scene.top, 1.3 * most))
    return Figure(
        "afford",
        Say(N_("What a budget buys")),
        Axis(Say(N_("total ε")), log=log, range=(low if log else 0.0, 1.2 * reach)),
        Axis(Say(N_("answers k")), log=log, range=(0.8 if log else 0.0, 1.25 * top)),
        tuple(layers),
        say(N_("answers with ε = {epsilon} each"), epsilon=Num(scene.spend.epsilon, 4)),
        source=_sources(scene),
    )


def each_chart(scene: Scene) -> Figure:
    """The inverse: what each of k equal answers may spend."""
    found = [(a, scene.each(a)) for a in scene.inverted]
    found = sorted(((a, e) for a, e in found if math.isfinite(e) and e > 0), key=lambda pair: -pair[1])
    named = {found[0][0].key, "sequential"} if found else set()
    bars = [(short_of(a), e, a.ink, a.key, say("{each}", each=Num(e, 4, "down")) if a.key in named else Say("")) for a, e in found]
    top = nice_above(1.3 * max((e for _, e in found), default=1.0))
    return _bars(
        "each",
        Say(N_("What each answer may spend")),
        Axis(Say(N_("ε of each answer")), range=(0.0, top)),
        bars,
        say(N_("{k} equal answers with δ = 0 of their own, ε = {budget} in all, δ′ = {delta}"),
            k=Num(scene.answers), budget=Num(scene.lab.budget, 4), delta=Num(scene.lab.slack)),
        _sources(scene),
    )  # fmt: skip


def group_chart(scene: Scene) -> Figure:
    """What holds for one person, held against groups: m times the ε, and a δ that grows faster."""
    people = np.arange(1.0, 11.0)
    layers: list[Layer] = []
    tops = []
    routes = {"best": (scene.group, scene.best.bound)}
    if scene.best.bound.key != "sequential":
        routes["added"] = (scene.group_by_adding, Sequential())
    for key, (route, bound) in routes.items():
        both = np.array([route(int(m)) for m in people])
        kept = np.where(both[:, 1] < 1, both[:, 0], np.nan)
        if np.isfinite(kept).any():
            tops.append(float(np.nanmax(kept)))
            layers.append(Line(key, bound.ink, short_of(bound), array(people), array(kept), dash="dash"))
            layers.append(Dots(f"{key}_counts", bound.ink, "", array(people), array(kept)))
    m = scene.lab.people
    epsilon, delta = scene.group(m) if scene.group(m)[1] < 1 else scene.group_by_adding(m)
    text = N_("{people} people: ε {total}, δ {delta}") if delta < 1 else N_("{people} people: nothing")
    words = say(text, people=m, total=Num(epsilon, 3, "up"), delta=Num(delta, 3, "up"))
    layers.append(Handle("here", "accent", words, float(m), epsilon, "people"))
    return Figure(
        "group",
        Say(N_("Families and groups")),
        Axis(Say(N_("people m in a group")), range=(0.5, 10.5), whole=True),
        Axis(Say(N_("total ε")), range=(0.0, nice_above(1.05 * max([epsilon, *tops])))),
        tuple(layers),
        Say(N_("m times the ε; δ grows by a factor m·e^((m − 1)ε), and a curve ends where it reaches 1")),
        source="Vadhan 2017, Lemma 2.2",
    )


def ledger_chart(scene: Scene) -> Figure:
    """The list as bars: answers after one another add up, parts over disjoint people start at the same place."""
    layers: list[Layer] = []
    rows = sum(len(lines(entry)) for entry in scene.entries)
    start, row = 0.0, rows - 1
    for place, entry in enumerate(scene.entries):
        repeats = entry.times if isinstance(entry, Parts) else 1
        costs = [line.times * line.mechanism.epsilon * repeats for line in lines(entry)]
        for part, (line, cost) in enumerate(zip(lines(entry), costs, strict=True)):
            said = Release(line.times * repeats, line.mechanism)
            words = plain(said) if rows <= MOST_NAMED else ""
            x, y = array([start, start + cost]), array([row, row])
            layers.append(Line(f"bar_{place}_{part}", line.mechanism.ink, words, x, y, width=8.0))
            row -= 1
        costs.sort()
        start += sum(costs[-2:]) if scene.lab.adjacency == REPLACE else costs[-1]
    layers.append(Rule("all", "sequential", say(N_("in all ε {total}"), total=Num(start, 4, "up")), start, dash="dash"))
    return Figure(
        "ledger",
        Say(N_("The list, one after another")),
        Axis(Say(N_("ε spent by adding up")), range=(0.0, nice_above(1.15 * start))),
        Axis("", range=(-0.7, rows - 0.3), hidden=True),
        tuple(layers),
        Say(N_("bars that start together are disjoint parts: the larger one counts")
            if scene.lab.adjacency != REPLACE
            else N_("bars that start together are disjoint parts: a person who is replaced may leave one and enter another, so two count")),
        source="Dwork & Roth 2014, Theorem 3.16; McSherry 2009, Theorem 4",
    )  # fmt: skip
