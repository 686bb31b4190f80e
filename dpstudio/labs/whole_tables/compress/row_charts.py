"""Compress' charts of the rows themselves: along two directions, turned back, and what is lost."""

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Heat, Layer, Line, Rule, nice_above
from dpstudio.labs.percents import percent_axis
from dpstudio.labs.whole_tables.compress import lost as compress_lost
from dpstudio.labs.whole_tables.compress import model as compress
from dpstudio.labs.whole_tables.compress.charts import k_axis
from dpstudio.privacy.compression.projections import PRIVACY
from dpstudio.values.messages import N_, Message, Num, say, worded

_CLASS_INKS = ("laplace", "gaussian", "staircase", "discrete_gaussian", "l2norm", "textbook")
_STRIPS = {"pca": N_("PCA"), "inverse": N_("inverse"), "decoder": N_("decoder")}
_SCREE = 60


def plane_chart(model: compress.CompressModel, which: int) -> Figure:
    """Some rows along the first two directions, coloured by a label."""
    z, codes = compress_lost.dots(model)
    label, layers = compress.held(model).labels[which], list[Layer]()
    counts = np.bincount(codes[which].astype(np.int64), minlength=len(label.words))
    first = np.argsort(-counts, kind="stable")[: len(_CLASS_INKS)]
    rest = ~np.isin(codes[which], first)
    if rest.any():
        layers.append(Dots("others", "muted", say("others"), z[rest, 0], z[rest, 1], marker="dot"))
    for ink, code in zip(_CLASS_INKS, first.tolist(), strict=False):
        some = codes[which] == code
        word = label.words[code]
        text = word if isinstance(word, Message) else say("{word}", word=word)
        layers.append(Dots(f"class_{code}", ink, text, z[some, 0], z[some, 1]))
    reach = nice_above(1.05 * float(np.abs(z).max()))
    one = compress.most(model, model.lab.way) == 1
    under = say("{n} {n:row|rows}; the second axis is chance", n=Num(len(z)))
    return Figure(
        "plane_privacy" if which == PRIVACY else "plane_utility",
        say("The same rows by {label}", label=compress.label_name(model, which))
        if which == PRIVACY
        else say("Rows by {label}", label=compress.label_name(model, which)),
        Axis(say("1st direction, in deviations"), range=(-reach, reach)),
        Axis(say("chance") if one else say("2nd"), range=(-reach, reach)),
        tuple(layers),
        under
        if one
        else say("{n} {n:row|rows}, {way}", n=Num(len(z)), way=Message(model.lab.way.short)),
        simulated=True,
    )


def lost_chart(model: compress.CompressModel) -> Figure:
    """The share of the variance that is not had back, by the number of directions."""
    layers, mine = list[Layer](), model.lab.way
    for key in compress.shown_ways(model):
        way = compress.way_of(model, key)
        ks, lost = compress_lost.ks_of_errors(model, way), compress_lost.lost_by_inverse(model, way)
        width = 2.6 if key == mine.key else 1.4
        layers.append(Line(key, way.ink, Message(way.short), ks[1:], lost[1:], width=width))
        if len(ks) < 4:
            layers.append(Dots(f"{key}_dots", way.ink, "", ks[1:], lost[1:]))
    ks, lost = compress_lost.ks_of_errors(model, mine), compress_lost.lost_by_decoder(model, mine)
    layers.append(Line("decoder", "answer", say("a decoder"), ks[1:], lost[1:]))
    layers.append(Rule("here", "target", say("K"), float(compress.k_of(model)), dash="dash"))
    return Figure(
        "lost",
        say("What cannot be had back"),
        k_axis(
            max(
                compress.most(model, compress.way_of(model, key))
                for key in compress.shown_ways(model)
            )
        ),
        percent_axis(say("of the variance"), 0.0, 1.02),
        tuple(layers),
        say("minimum-norm inverse; the best linear decoder of {way}", way=Message(mine.short)),
        simulated=compress.drawn(model, *compress.shown_ways(model)),
        source="Pearson 1901; Eckart & Young 1936",
    )


def sign_chart(model: compress.CompressModel) -> Figure:
    """The same of DCA with either sign of ρ′."""
    layers = list[Layer]()
    for sign, ink, text in ((1, "gaussian", say("ρ′ > 0")), (-1, "laplace", say("ρ′ < 0"))):
        way = compress_lost.signed(model, sign)
        ks, lost = compress_lost.ks_of_errors(model, way), compress_lost.lost_by_inverse(model, way)
        layers.append(Line("plus" if sign > 0 else "minus", ink, text, ks[1:], lost[1:]))
    return Figure(
        "sign",
        say("What the sign of ρ′ hides"),
        k_axis(compress.space(model).rank),
        percent_axis(say("of the variance lost"), 0.0, 1.02),
        tuple(layers),
        say("DCA, minimum-norm inverse"),
        simulated=compress.drawn(model),
        source="Kung 2017",
    )


def scree_chart(model: compress.CompressModel) -> Figure:
    """What the directions of the chosen way are ranked by."""
    values = compress_lost.ranked(model, model.lab.way)[0][:_SCREE]
    places = np.arange(1, len(values) + 1, dtype=np.float64)
    low, high = float(values.min()), float(values.max())
    edge = 0.06 * (high - low) or 1.0
    log = low > 0 and high > 100 * low
    least = low - edge if low < 0 else max(0.0, low - edge)
    ends = (low / 1.5, high * 1.5) if log else (least, high + edge)
    ink = model.lab.way.ink
    return Figure(
        "scree",
        say("Scree of {way}", way=Message(model.lab.way.short)),
        Axis(say("direction"), range=(0.4, len(values) + 0.6), whole=True),
        Axis(say("ranked by"), log=log, range=ends),
        (
            Line("values", ink, "", places, values),
            Dots("dots", ink, "", places, values),
            Rule("here", "target", say("K"), compress.k_of(model) + 0.5, dash="dash"),
        ),
        simulated=compress.drawn(model, model.lab.way.key),
    )


def strip_chart(model: compress.CompressModel) -> Figure:
    """One picture, and what is turned back from more and more directions."""
    names, cells = compress_lost.strip(model)
    high, wide = cells.shape
    ks = compress_lost.strip_ks(model)
    across, down = (wide + 1) / (len(ks) + 1), (high + 1) / len(names)
    heads = (N_("exact"), *(f"{k}" for k in ks))
    ticks = tuple((i * across + (across - 1) / 2, worded(head)) for i, head in enumerate(heads))
    texts = tuple(
        (high - i * down - (down - 1) / 2, worded(_STRIPS[name])) for i, name in enumerate(names)
    )
    heat = Heat("pictures", "truth", "", np.arange(wide + 1), np.arange(high + 1), cells)
    return Figure(
        "strip",
        say("Reconstructed from K directions"),
        Axis(say("directions K"), range=(-0.5, wide + 0.5), ticks=ticks),
        Axis("", range=(-0.5, high + 0.5), ticks=texts),
        (heat,),
        say(
            "row {row}; inverse and decoder: of {way}",
            row=Num(compress_lost.row_shown(model)),
            way=Message(model.lab.way.short),
        ),
        simulated=compress.drawn(model, model.lab.way.key),
        source="Kung 2017",
        square=True,
    )


def printed_chart(model: compress.CompressModel) -> Figure:
    """The error of PCA with rows in one order, as a listing compares them, and without the mean."""
    ks, (right, order, uncentred) = compress_lost.printed_errors(model)
    layers: tuple[Layer, ...] = (
        Line("right", "first", say("corrected"), ks, right),
        Line("order", "second", say("other rows’ pictures"), ks, order),
        Line("uncentred", "third", say("without the mean"), ks, uncentred),
    )
    top = nice_above(1.05 * float(max(order.max(), uncentred.max(), 1.0)))
    return Figure(
        "printed",
        say("As printed: it rises where it must fall"),
        k_axis(compress.space(model).rank),
        Axis(say("squared error, in the variance"), range=(0.0, top)),
        layers,
        say("PCA, reconstructed"),
        simulated=True,
        source=N_("Listing 9.3 of the text"),
    )
