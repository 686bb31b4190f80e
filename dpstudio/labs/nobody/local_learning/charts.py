"""Local learning's charts of scores, as plain figures."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Handle, Layer, Line, Ribbon, Rule
from dpstudio.labs.local_curves import at_confidence, with_point
from dpstudio.labs.nobody.local_learning import as_printed
from dpstudio.labs.nobody.local_learning import model as local
from dpstudio.privacy.learning.local_printed import printed_epsilon
from dpstudio.values.messages import N_, Message, Num, say, worded

_SOURCE = N_("Yilmaz, Al-Rubaie & Chang 2020 (naive Bayes under local differential privacy)")


def score_chart(model: local.LocalModel) -> Figure:
    """Score against ε: a band over surveys, the other protocols, the model without noise and the
    commonest class."""
    lab, (way, curve) = model.lab, model.curves[0]
    own = local.span(model)[0], local.middle(model), local.span(model)[1]
    curves = zip(local.quantiles(curve, lab.confidence), own, strict=True)
    epsilons, *parts = with_point(curve.epsilons, lab.protocol.claim, *curves)
    low, median, high = (100 * part for part in parts)
    whole, crowd, here = (100 * f(model) for f in (local.noiseless, local.majority, local.middle))
    kept = say("{confidence} of surveys", confidence=at_confidence(lab.confidence))
    layers: list[Layer] = [Ribbon("band", way.ink, kept, epsilons, low, high)]
    for other, rival in model.curves[1:]:
        y = 100 * local.quantiles(rival, lab.confidence)[1]
        layers.append(Line(other.key, other.ink, other.name, rival.epsilons, y, width=1.6,
                           told=_told(local.rival_here(model, rival))))  # fmt: skip
    score = Num(local.middle(model), 3, percent=True)
    words = say("ε {epsilon} → {score}", epsilon=Num(lab.protocol.claim, 5), score=score)
    layers += [
        Line(way.key, way.ink, way.name, epsilons, median, width=2.6,
             told=_told(local.middle(model))),
        Rule("noiseless", "truth", say("without noise"), whole, "y", "dash",
             told=_told(local.noiseless(model))),
        Rule("majority", "muted", say("majority class"), crowd, "y", "dot",
             told=_told(local.majority(model))),
        Handle("here", way.ink, words, lab.protocol.claim, here, "protocol.epsilon"),
    ]  # fmt: skip
    text = N_("{runs} {runs:survey|surveys} at each ε; exact: not private")
    return Figure(
        "score",
        say("Privacy against score"),
        _epsilon(local.LOW, local.HIGH),
        Axis(say("accuracy, %"), range=_percent((np.median(low), median, whole, crowd))),
        tuple(layers),
        say(text, runs=Num(local.surveys(model))),
        exact=True,
        simulated=True,
        source=f"{_SOURCE}; {way.protocol.source}",
        told=say("at ε = {epsilon}", epsilon=Num(lab.protocol.claim, 5)),
    )


def _told(score: float) -> Message:
    """A score beside the name of its curve."""
    return say("{n}", n=Num(score, 3, percent=True))


def _epsilon(low: float, high: float) -> Axis:
    return Axis(say("ε a person spends"), log=True, range=(low * 0.9, high * 1.15))


def _percent(values: tuple[Array | float, ...]) -> tuple[float, float]:
    """An axis of percent around these, in steps of 5."""
    every = np.concatenate([np.ravel(v) for v in values])
    least, most = float(np.min(every)), float(np.max(every))
    return max(0.0, 5 * np.floor((least - 1) / 5)), min(101.0, 5 * np.ceil((most + 1.5) / 5))


def printed_chart(model: local.LocalModel) -> Iterator[Figure]:
    """What the texts print, against the ε of one report and against what a person really spends,
    beside one report a person."""
    if not as_printed.printable(model):
        return
    way, curve = model.curves[0]
    quoted, real, score = as_printed.printed_curve(model)
    mine = 100 * local.quantiles(curve, model.lab.confidence)[1]
    whole, crowd = 100 * local.noiseless(model), 100 * local.majority(model)
    seen: list[Array | float] = [mine, 100 * score, whole, crowd]
    layers: list[Layer] = [
        Rule("noiseless", "truth", say("without noise"), whole, "y", "dash"),
        Rule("majority", "muted", say("majority class"), crowd, "y", "dot"),
        Line("mine", way.ink, say("here"), curve.epsilons, mine, width=2.6),
        Line("quoted", "second", say("the code, by its word"), quoted, 100 * score, "outside"),
        Line("real", "second", say("the code, at its real ε"), real, 100 * score),
    ]
    found = as_printed.texts(model)
    if found is not None:
        protocols = [model.lab.protocol.at(e) or model.lab.protocol for e in found[0].tolist()]
        at = [printed_epsilon(p, model.asked.people.shape) for p in protocols]
        seen.append(found[1])
        layers += [
            Line("texts_quoted", "third", say("its own scores, by their word"), *found, "outside"),
            Line("texts", "third", say("its own scores, at their real ε"), at, found[1]),
        ]
    text = N_("{runs} {runs:survey|surveys}; its own test rows are others, and fewer")
    if found is None:
        text = N_("{runs} {runs:survey|surveys}")
    yield Figure(
        "printed",
        say("The code behind the figures: everything at full ε"),
        _epsilon(local.LOW, float(real[-1])),
        Axis(say("accuracy, %"), range=_percent(tuple(seen))),
        tuple(layers),
        say(text, runs=Num(local.few_runs(model.effort))),
        exact=True,
        simulated=True,
        source=N_("the code and tables beside an introductory book"),
    )


def spent_chart(model: local.LocalModel) -> Figure:
    """What one person spends: a report, all that are sent, and as printed."""
    ink = local.way_of(model).ink
    rows = [
        (say("each report"), local.each_epsilon(model), ink),
        (say("all that is sent"), local.spent_epsilon(model), ink),
    ]
    if as_printed.printable(model):
        rows += [
            (say("the figures’ code, really"), as_printed.printed_spent(model), "second"),
            (say("the figures’ code, added up"), as_printed.printed_added(model), "muted"),
        ]
    rows.reverse()
    layers: list[Layer] = []
    low = min(value for _, value, _ in rows) / 2
    for row, (_, value, ink) in enumerate(rows):
        words = say("{x}", x=Num(value, 3))
        layers.append(Line(f"bar{row}", ink, "", [low, value], [row, row], "solid", width=10.0))
        layers.append(Dots(f"end{row}", ink, words, [value], [float(row)]))
    ticks = tuple((float(row), worded(name)) for row, (name, _, _) in enumerate(rows))
    top = max(value for _, value, _ in rows)
    return Figure(
        "spent",
        say("What one person spends"),
        Axis(Message("ε"), log=True, range=(low, top * 3)),
        Axis("", range=(-0.7, len(rows) - 0.3), ticks=ticks[::-1]),
        tuple(layers),
        say("{many} {many:question|questions}", many=Num(local.questions(model))),
        source=_SOURCE,
    )
