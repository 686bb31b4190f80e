"""Synthesis' charts of what the table is good for, and of what attackers make of it."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Columns, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.local_curves import epsilon_axis
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel, other_of, place_of
from dpstudio.labs.whole_tables.synthesis.parameters import SPLITS
from dpstudio.labs.whole_tables.synthesis.scores import Uses, voters
from dpstudio.labs.whole_tables.synthesis.uses import learners
from dpstudio.values.messages import N_, Message, Num, plain, say, worded

_SOURCE = (
    N_("k nearest by columns that differ (Cover & Hart 1967)")
    + "; SVM: Cortes & Vapnik 1995, C = 10"
)


def use_charts(model: SynthesisModel) -> Iterator[Figure]:
    """Scores against ε, and attacks on rows that were used and that were not."""
    found = model.uses
    if found is None:
        return
    yield _right(model, found)
    yield from _sizes(model, found)
    yield _error(model, found)
    yield _grouped(model, found)
    yield _attacks(model, found)


def _name(model: SynthesisModel, place: int | None) -> Message:
    assert place is not None
    return plain(model.axes[place].name)


def _right(model: SynthesisModel, found: Uses) -> Figure:
    ink, x = model.lab.way.ink, found.epsilons
    words = say("ε = {epsilon}", epsilon=Num(model.lab.epsilon, 4))
    real = found.real
    layers: list[Layer] = [
        Line("made", ink, say("nearest, learnt from synthetic rows"), x, 100 * found.line("right")),
        Line("machine", "first", say("SVM, learnt from them"), x, 100 * found.line("machine")),
        Line(
            "back",
            "second",
            say("nearest, tried on synthetic rows"),
            x,
            100 * found.line("right_back"),
        ),
        Line(
            "machine_back", "third", say("SVM, tried on them"), x, 100 * found.line("machine_back")
        ),
        Rule("real", "truth", say("nearest, real rows for both"), 100 * real.right, "y", "dash"),
        Rule("real_machine", "truth", say("SVM, real rows for both"), 100 * real.machine, "y"),
        Rule("crowd", "muted", say("the majority class"), 100 * found.crowd, "y", "dot"),
        Handle("here", ink, words, model.lab.epsilon, 100 * found.here.right, "epsilon"),
    ]
    return Figure(
        "classes",
        say("Telling {column} by the others", column=_name(model, other_of(model))),
        epsilon_axis(),
        Axis(say("accuracy, %"), range=(0.0, 101.0)),
        tuple(layers),
        say(
            "{k:# nearest row|# nearest rows}; SVM of {m:# row|# rows}; made of {part}, tried on "
            "the others",
            part=_part(model),
            k=Num(voters()),
            m=Num(learners(model)),
        ),
        exact=True,
        simulated=True,
        source=_SOURCE,
    )


def _part(model: SynthesisModel) -> Message:
    """How many people the table is made of."""
    return Message(SPLITS[model.lab.split])


def _sizes(model: SynthesisModel, found: Uses) -> Iterator[Figure]:
    """The same task by the least number of rows in a group, where the way has groups."""
    if not found.variants:
        return
    sizes = np.array([float(size) for size, _ in found.variants])
    right, machine = (
        np.array([100 * getattr(score, name) for _, score in found.variants])
        for name in ("right", "machine")
    )
    layers = (
        Line("made", model.lab.way.ink, say("nearest, learnt from synthetic rows"), sizes, right),
        Line("machine", "first", say("SVM, learnt from them"), sizes, machine),
        Rule("real", "truth", say("nearest, real rows"), 100 * found.real.right, "y", "dash"),
        Rule("real_machine", "truth", say("SVM, real rows"), 100 * found.real.machine, "y"),
        Rule("crowd", "muted", say("the majority class"), 100 * found.crowd, "y", "dot"),
    )
    yield Figure(
        "sizes",
        say("Telling {column}, by rows in a group", column=_name(model, other_of(model))),
        Axis(say("rows in a group k"), range=(float(sizes[0]) - 5, float(sizes[-1]) + 5)),
        Axis(say("accuracy, %"), range=(0.0, 101.0)),
        layers,
        say("ε = {epsilon}; made of {part}", epsilon=Num(model.lab.epsilon, 4), part=_part(model)),
        exact=True,
        simulated=True,
        source=_SOURCE,
    )


def _error(model: SynthesisModel, found: Uses) -> Figure:
    ink, x, y = model.lab.way.ink, found.epsilons, found.line("error")
    words = say("ε = {epsilon}", epsilon=Num(model.lab.epsilon, 4))
    back = found.line("error_back")
    real, here = (float(np.nan_to_num(each.error)) for each in (found.real, found.here))
    top = nice_above(1.15 * max(np.nan_to_num([*y, *back, real, 1e-9]).tolist()))
    layers: list[Layer] = [
        Line("made", ink, say("learnt from synthetic rows"), x, y),
        Line("back", "second", say("tried on synthetic rows"), x, back),
        Rule("real", "truth", say("learnt from real rows"), real, "y", "dash"),
        Handle("here", ink, words, model.lab.epsilon, here, "epsilon"),
    ]
    return Figure(
        "regression",
        say("Least squares of {column}", column=_name(model, place_of(model))),
        epsilon_axis(),
        Axis(say("mean squared error, of the range"), range=(0.0, top)),
        tuple(layers),
        say("made of {part}, tried on the others", part=_part(model)),
        exact=True,
        simulated=True,
        source=_SOURCE,
    )


def _grouped(model: SynthesisModel, found: Uses) -> Figure:
    ink = model.lab.way.ink
    words = say("ε = {epsilon}", epsilon=Num(model.lab.epsilon, 4))
    layers: list[Layer] = [
        Line("made", ink, say("found in synthetic rows"), found.epsilons, found.line("grouped")),
        Handle("here", ink, words, model.lab.epsilon, found.here.grouped, "epsilon"),
    ]
    return Figure(
        "groups",
        say("Two groups (k-means)"),
        epsilon_axis(),
        Axis(say("agreement with real rows (NMI)"), range=(0.0, 1.05)),
        tuple(layers),
        say("words by their place; made of {part}, tried on the others", part=_part(model)),
        exact=True,
        simulated=True,
        source=_SOURCE,
    )


def _attacks(model: SynthesisModel, found: Uses) -> Figure:
    x = np.arange(3, dtype=np.float64)
    bars: list[Layer] = []
    sides = (
        ("used", model.lab.way.ink, say("on rows that were used"), found.attacks.used, -0.2),
        ("control", "muted", say("on rows that were not"), found.attacks.control, 0.2),
    )
    for key, ink, label, rates, aside in sides:
        right, low, high = ([100 * getattr(r, n) for r in rates] for n in ("right", "low", "high"))
        bars.append(Columns(key, ink, label, x + aside, right, 0.36, low, high))
    names = [worded(name) for name in (say("singled out"), say("linked"), say("inferred"))]
    most = max(rate.high for rate in (*found.attacks.used, *found.attacks.control))
    return Figure(
        "attacks",
        say("Attacks, with a control group"),
        names_axis("", names),
        Axis(say("% right"), range=(0.0, min(101.0, nice_above(110 * most)))),
        tuple(bars),
        say("only what is above the control group comes from being in the table"),
        exact=True,
        simulated=True,
        source="Giomi, Boenisch, Wehmeyer & Tasnádi 2023; Wilson 1927",
    )
