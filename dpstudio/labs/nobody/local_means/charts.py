"""Local means' charts of surveys and of reports, as plain figures."""

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Array,
    Axis,
    Columns,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    nice_above,
)
from dpstudio.labs.local_curves import interval_band, normal_density
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.nobody.local_means import surveys as means_surveys
from dpstudio.labs.nobody.local_means.errors import Rival, drawn, mine, rivals
from dpstudio.labs.nobody.local_means.model import MeansModel, mean_words, notes, people_in, truth
from dpstudio.labs.simulated_answer import ANSWER, told_on
from dpstudio.values.messages import N_, Message, Num, plain, say

_BARS = 41
_LINE = 181


def sources(model: MeansModel) -> str:
    """Where the protocols come from."""
    return "; ".join(dict.fromkeys(r.protocol.source for r in rivals(model)))


def rival_line(
    model: MeansModel, rival: Rival, x: Array, y: Array, name: Message | str = ""
) -> Line:
    """The curve of a protocol through (x, y): under its own name, or that of a way to send
    several numbers, which then has its dash too."""
    ink, label = rival.protocol.ink, name or Message(rival.protocol.label)
    dash = rival.dash if name else ""
    return Line(rival.key, ink, label, x, y, dash=dash, width=width(model, rival))


def width(model: MeansModel, rival: Rival) -> float:
    """How thick a line is: that of the protocol in use stands out."""
    return 2.6 if rival.key == mine(model).key else 1.6


def estimates_chart(model: MeansModel) -> Figure:
    """The mean that many surveys estimate, under the normal law of the exact variance; or one
    survey, and what it says."""
    lab, sd, answer = model.lab, means_surveys.deviation(model), means_surveys.first_estimate(model)
    middle = truth(model) if lab.show_truth else answer
    reach = nice_above(3.6 * sd)
    low, high = middle - reach, middle + reach
    x = np.linspace(low, high, model.effort.of_points(_LINE))
    normal = normal_density(x, middle, sd)
    layers: list[Layer] = [interval_band(lab.confidence, means_surveys.interval(model))]
    text = say("one survey, and where the exact mean may be")
    if lab.show_truth:
        found, edges = means_surveys.surveys(model), np.linspace(low, high, _BARS + 1)
        heights = np.histogram(found, edges)[0] / (len(found) * np.diff(edges))
        layers.append(Area("draws", lab.protocol.ink, "", edges, heights))
        text = say("{trials} {trials:survey|surveys}, exact variance", trials=Num(len(found)))
    layers.append(Line("normal", "text", say("normal"), x, normal, width=1.6))
    if lab.show_truth:
        layers.append(
            Rule("truth", "truth", say("truth"), middle, told=told_on(high - low, middle))
        )
    layers.append(Rule("answer", "answer", ANSWER[0], answer))
    return Figure(
        "published",
        say("What surveys estimate"),
        Axis(mean_words(model), range=(low, high)),
        Axis(say("density"), room=1.1, hidden=True),
        tuple(layers),
        text,
        notes=notes(model),
        exact=lab.show_truth,
        simulated=True,
        source=lab.protocol.source,
    )


def report_chart(model: MeansModel) -> Figure:
    """What one person with the chosen value sends: steps, spikes, and Laplace noise."""
    # The hybrid is made of two of the others: it is drawn without them, and they without it.
    apart = ("piecewise", "duchi") if mine(model).key == "hybrid" else ("hybrid",)
    seen = [r for r in drawn(model) if r.protocol.key not in apart]
    laws = {r.key: means_surveys.report_law(model, r) for r in seen}
    peaks = [float(y.max()) for _, y, _ in laws.values() if len(y)]
    # A large ε makes the piecewise peak so high and narrow that nothing else would be seen beside
    # it: it may leave the chart.
    top = nice_above(1.15 * min(max(peaks), 6 * min(peaks)))
    middle = model.scale.middle
    layers: list[Layer] = []
    ends = [abs(x - middle) for _, _, atoms in laws.values() for x, _ in atoms]
    for rival in sorted(seen, key=lambda r: r.key == mine(model).key):
        x, y, atoms = laws[rival.key]
        if len(x):
            layers.append(rival_line(model, rival, x, y))
            if rival.protocol.key != "local_laplace":
                ends.append(float(np.max(np.abs(x - middle))))
        layers += _spikes(model, rival, atoms, top)
    words = say("holds {value}", value=Num(model.value, 4))
    layers.append(Handle("here", "truth", words, model.value, 0.03 * top, "value"))
    reach = nice_above(1.2 * max(ends))
    text = N_("where this number is sent; spikes are probabilities")
    if model.d == 1:
        text = N_("exact; spikes are probabilities")
    label = say("reported {column}", column=plain(model.column))
    return Figure(
        "report",
        say("One person’s report"),
        Axis(label, range=(middle - reach, middle + reach)),
        Axis(say("density"), range=(0.0, top), hidden=True),
        tuple(layers),
        Message(text),
        notes=notes(model),
        exact=model.lab.show_truth,
        source=sources(model),
    )


def _spikes(
    model: MeansModel, rival: Rival, atoms: tuple[tuple[float, float], ...], top: float
) -> list[Layer]:
    """The single values that a report takes, as high as they are probable."""
    layers: list[Layer] = []
    for i, (at, mass) in enumerate(atoms):
        name, share = Message(rival.protocol.label), Num(mass, 2, percent=True)
        label, ends = say("{name} {share}", name=name, share=share), [0.0, 0.88 * top * mass]
        thick = width(model, rival) + 1
        key = f"{rival.key}_{i}"
        layers.append(Line(key, rival.protocol.ink, label, [at, at], ends, width=thick))
    return layers


def variance_chart(model: MeansModel) -> Figure:
    """How far one person's report strays, against what the person holds."""
    t = np.linspace(-1, 1, model.effort.of_points(81))
    x = model.scale.units(t)
    curves = [(r, means_surveys.report_deviation(model, r, t)) for r in drawn(model)]
    place = model.scale.t(np.clip(model.value, model.scale.low, model.scale.high))
    here = float(means_surveys.report_deviation(model, mine(model), place))
    words = say("{value} → ±{error}", value=Num(model.value, 4), error=Num(here, 3, "up"))
    layers: tuple[Layer, ...] = (
        *(rival_line(model, rival, x, y) for rival, y in curves),
        Handle("here", model.protocol.ink, words, model.value, here, "value"),
    )
    low, high = model.scale.low, model.scale.high
    beyond = 0.03 * (high - low)
    return Figure(
        "variance",
        say("How far one report strays"),
        Axis(plain(model.column), range=(low - beyond, high + beyond)),
        Axis(say("standard deviation of a report"), room=1.12),
        layers,
        say("exact, ε = {epsilon}", epsilon=Num(model.protocol.epsilon, 5)),
        notes=notes(model),
        exact=model.lab.show_truth,
        source=sources(model),
    )


def columns_chart(model: MeansModel) -> tuple[Figure, ...]:
    """The mean of every column in one survey, each on the scale of its bounds, with whiskers of the
    error; nothing where one column is asked about."""
    lab = model.lab
    if not lab.more:
        return ()
    names = (model.column, *lab.more)
    places = np.arange(len(names), dtype=np.float64)
    answer, first, last = means_surveys.survey_bars(model)
    layers: list[Layer] = []
    if lab.show_truth:
        exact = [people_in(model, i).mean for i in range(len(names))]
        layers.append(Columns("truth", "truth", say("exact"), places - 0.21, exact, 0.38))
    x = places + (0.21 if lab.show_truth else 0.0)
    ink, text = lab.protocol.ink, say("one survey")
    layers.append(Columns("answer", ink, text, x, answer, 0.38, first, last))
    reach = nice_above(max(1.0, 1.05 * float(np.max(np.abs(answer)))))
    figure = Figure(
        "columns",
        say("All columns of one survey"),
        names_axis(say("column"), names),
        Axis(say("mean, bounds at −1 and 1"), range=(-reach, reach)),
        tuple(layers),
        say("each column from its own law; sent together they are not independent"),
        notes=notes(model),
        exact=lab.show_truth,
        simulated=True,
        source=lab.protocol.source,
    )
    return (figure,)
