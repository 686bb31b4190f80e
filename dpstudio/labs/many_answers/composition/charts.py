"""The composition lab's charts of bounds as plain figures: how loose each is, δ against ε, and
groups of people."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.charts.inks import OUTSIDE
from dpstudio.labs.bound_names import name_here, short_of, total_of
from dpstudio.labs.many_answers.composition import groups, names, shortcut
from dpstudio.labs.many_answers.composition import model as known
from dpstudio.labs.many_answers.composition.curves import drawn, privacy_curves
from dpstudio.labs.many_answers.composition.model import CompositionModel, Valued
from dpstudio.labs.series_model import by_adding
from dpstudio.labs.supposed import supposing
from dpstudio.privacy.accounting import Accountant
from dpstudio.values.messages import N_, Message, Num, say, worded


def delta_words(model: CompositionModel) -> Message:
    """At which δ every bound is judged."""
    text = (
        N_("at a total δ of Σδ + δ′ = {delta} (adding up: Σδ)")
        if model.own_delta > 0
        else N_("at a total δ = δ′ = {delta} (adding up: 0)")
    )
    return say(text, delta=Num(model.delta, 3, "up"))


def sources_of(bounds: Iterable[Accountant]) -> str:
    """Their sources, each once."""
    return "; ".join(dict.fromkeys(a.source for a in bounds if a.source))


def loose_chart(model: CompositionModel) -> Figure:
    """ε of every bound at this k in order, and how much looser than the tightest each is."""
    bars = [Bar(v.bound, v.epsilon, _told(model, v)) for v in known.valued(model)]
    best = known.tightest(model).epsilon
    cap = nice_above(1.35 * max(best, min(by_adding(model), 4 * best)))
    return bars_chart(
        "loose",
        say("How loose each bound is"),
        Axis(say("total ε of {k} {k:answer|answers}", k=Num(model.answers)), range=(0.0, cap)),
        bars,
        say("× the tightest; {delta}", delta=delta_words(model)),
        sources_of(drawn(model)),
    )


def _told(model: CompositionModel, v: Valued) -> Message:
    """How loose a bound is; of what is no bound on one person's loss, what it is."""
    bound, total = v.bound, total_of(v.epsilon, v.bound)
    if bound.supposes(model.ledger):
        return supposing(say("{total}", total=total))
    if bound.key == "shortcut" and shortcut.zones(model) is None:
        return say("as printed")
    if bound.key == "shortcut" and shortcut.stand(model) == "false":
        return say("{total}: false", total=total)
    if bound.approximate:
        return say("approximate")
    if bound.key == "group_privacy":
        return say("{people} {people:person|people}", people=model.lab.people)
    if v.counts and v.loose <= 1:
        return say("{total}", total=total)
    return say("× {loose}", loose=names.loose_of(v.loose))


def privacy_chart(model: CompositionModel) -> Figure:
    """δ against ε of everything that is published, by every bound that has a curve."""
    best, curves = known.tightest(model), privacy_curves(model)
    ends = [
        float(np.nanmax(x)) for a, (x, _) in curves.items() if a.key not in ("drv", "sequential")
    ]
    across = Axis(say("total ε"), range=(0.0, nice_above(1.08 * max([best.epsilon, *ends]))))
    layers: list[Layer] = []
    for bound, (x, y) in curves.items():
        sure = bound in known.standing(model) and bound.proven and not bound.approximate
        name = name_here(model, bound)
        layers.append(Line(bound.key, bound.ink, name, x, y, dash="" if sure else OUTSIDE))
    words = say("δ = {delta}", delta=Num(model.delta, 3, "up"))
    layers.append(Rule("delta", "muted", words, model.delta, axis="y", dash="dot"))
    layers.append(Dots("here", best.bound.ink, "", [best.epsilon], [model.delta]))
    return Figure(
        "privacy",
        say("δ against ε of the whole"),
        across,
        Axis(say("total δ"), log=True, range=(1e-12, 1.0)),
        tuple(layers),
        say(
            "{k} {k:answer|answers}: each promise (ε, δ) on a curve holds at once",
            k=Num(model.answers),
        ),
        source=sources_of(drawn(model)),
    )


def group_chart(model: CompositionModel) -> Figure:
    """What holds for one person, held against groups: m times the ε, and a δ that grows faster."""
    layers: list[Layer] = []
    tops = []
    for key, bound, people, epsilons in groups.group_curves(model):
        tops.append(float(np.nanmax(epsilons)))
        layers.append(Line(key, bound.ink, short_of(bound), people, epsilons))
        layers.append(Dots(f"{key}_counts", bound.ink, "", people, epsilons))
    m = model.lab.people
    found = groups.group_promise(model)
    epsilon, delta = found.epsilon, found.delta
    text = (
        N_("{people} {people:person|people}: next to nothing")
        if groups.hollow(found)
        else N_("{people} {people:person|people}: ε {total}, δ {delta}")
    )
    words = say(text, people=m, total=Num(epsilon, 4, "up"), delta=Num(delta, 3, "up"))
    layers.append(Handle("here", "text", words, float(m), epsilon, "people"))
    return Figure(
        "group",
        say("Families and groups"),
        Axis(say("people m in a group"), range=(0.5, 10.5), whole=True),
        Axis(say("total ε"), range=(0.0, nice_above(1.05 * max([epsilon, *tops])))),
        tuple(layers),
        say(
            "m times the ε, with the least δ that a bound leaves there; a curve ends where that is "
            "1"
        ),
        source="Vadhan 2017, Lemma 2.2; Dong, Roth & Su 2022, Theorem 2.14",
    )


MOST_WORDED = 10


@dataclass(frozen=True)
class Bar:
    """What a bound says, as a row: its value, and the words beside that."""

    bound: Accountant
    value: float
    words: Message


def bars_chart(
    key: str,
    title: Message,
    x: Axis,
    bars: Sequence[Bar],
    subtitle: Message,
    source: str,
    beside: tuple[Layer, ...] = (),
) -> Figure:
    """Dots one below the other, the first on top, with the names of their bounds on the axis and
    their words at the right."""
    layers: list[Layer] = [*beside]
    ticks = []
    for i, bar in enumerate(bars):
        place, end, name = float(len(bars) - 1 - i), x.range[1], bar.bound.key
        words: Message | str = ""
        # In so many rows there is room for the words of the ends and of adding up only.
        if len(bars) <= MOST_WORDED or i in (0, len(bars) - 1) or name == "sequential":
            words = bar.words
        row, ink = f"end_{name}", bar.bound.ink
        layers.append(
            Dots(row, ink, words, [bar.value], [place])
            if bar.value <= end  # a dot at the end would be a value; an arrow points beyond it
            else Line(row, ink, words, [0.93 * end, end], [place, place], arrow=True)
        )
        ticks.append((place, worded(short_of(bar.bound))))
    y = Axis("", range=(-0.7, max(len(bars), 1) - 0.3), ticks=tuple(ticks))
    return Figure(key, title, x, y, tuple(layers), subtitle, source=source)
