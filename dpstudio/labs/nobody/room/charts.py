"""Reports that arrive, what each ε says, what weights do, and what one report tells, as plain
figures."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import (
    Axis,
    Column,
    Dots,
    Figure,
    Lanes,
    Layer,
    Line,
    Ribbon,
    Rule,
    nice_above,
)
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.named_rows import brackets
from dpstudio.labs.nobody.room import invented, telling
from dpstudio.labs.nobody.room import model as room
from dpstudio.labs.percents import percent_axis
from dpstudio.privacy.local.protocol import odds_factor
from dpstudio.privacy.room import Estimate
from dpstudio.privacy.room.reports import ASSUMES
from dpstudio.values.messages import Message, Num, named, say, worded

_SOURCE = "Warner 1965; Kairouz, Bonawitz & Ramage 2016; Wang et al. 2017; Duchi et al. 2018"
_INKS = ("first", "second", "third")


def charts(model: room.RoomModel) -> Iterator[Figure]:
    """What there is to be seen: little while nobody has answered."""
    if model.whole is not None:
        yield groups_chart(model, model.whole)
    yield arriving_chart(model)
    if model.whole is not None:
        yield people_chart(model, model.whole)
    yield told_chart(model)
    yield misled_chart(model)


def arriving_chart(model: room.RoomModel) -> Figure:
    """The estimate and its interval of the first so many reports."""
    whole, n = model.whole, max(1, len(model.reports))
    people, values, half_widths = room.arriving(model) if whole else (np.array([0.0, 1.0]),) * 3
    layers: list[Layer] = []
    estimated = [room.value(model, whole)] if whole else []
    if whole is None:
        layers.append(Line("estimate", "answer", "", people, [np.nan, np.nan]))
    else:
        width = room.half(model, whole)
        here = say(
            "{x} ± {half}",
            x=telling.amount(model, room.value(model, whole), width),
            half=telling.spread(model, width, "up"),
        )
        layers += [
            Ribbon("interval", "answer", "", people, values - half_widths, values + half_widths),
            Line("estimate", "answer", here, people, values),
        ]
    true = room.truth(model)
    if true is not None and whole is not None:
        words = say("truly {x}", x=telling.amount(model, true, room.half(model, whole)))
        layers.append(Rule("truth", "truth", words, true, axis="y", dash="dash"))
    return Figure(
        "arriving",
        say("As reports arrive")
        if whole
        else say("“{question}”", question=named(model.question.text)),
        Axis(say("reports, in an order by lot"), range=(0.0, float(n)), whole=True),
        telling.axis(model, telling.looked_at(model, room.place(model)), _beyond(model, estimated)),
        tuple(layers),
        _subtitle(model),
        simulated=model.invented is not None,
        source=_SOURCE,
    )


def _subtitle(model: room.RoomModel) -> Message:
    if model.whole is None:
        return say("no report has arrived")
    return say(
        "{n} {n:report|reports}; shaded: {confidence}",
        n=Num(model.whole.n),
        confidence=at_confidence(model.lab.confidence),
    )


def groups_chart(model: room.RoomModel, whole: Estimate) -> Figure:
    """A lane for each ε, and for both ways to put them together: its estimate and interval."""
    rows, weighed = [("all", "answer", say("all, by head count"), whole)], room.by_weight(model)
    if len(model.groups) > 1:
        each = (
            (f"at_{k}", "first", say("ε {x}", x=Num(g.epsilon or 0, 3)), g)
            for k, g in enumerate(model.groups)
        )
        rows = [*each, *rows]
        if weighed is not None:
            rows.append(("weights", "third", say("all, by weight*"), weighed))
    layers, names, ends, many = list[Layer](), [], [], len(rows)
    for lane, (key, ink, name, found) in zip(reversed(range(many)), rows, strict=True):
        low, high = room.ends(model, found)
        ends += [low, high]
        layers.append(brackets(key, ink, [low], [high], [float(lane)], many))
        layers.append(Dots(f"{key}_middle", ink, "", [room.value(model, found)], [float(lane)]))
        names.append((float(lane), worded(name)))
    true, confidence = room.truth(model), at_confidence(model.lab.confidence)
    if true is not None:
        words = say("truly {x}", x=telling.amount(model, true, room.half(model, whole)))
        layers.append(Rule("truth", "truth", words, true, dash="dash"))
    told, widths = zip(*(_numbers(model, found) for *_, found in rows), strict=True)
    inks = tuple(ink for _, ink, _, _ in rows)
    columns = (
        Column(
            say("reports"),
            tuple(say("{n}", n=Num(found.n)) for *_, found in rows),
            ("muted",),
            left=True,
        ),
        Column(say("estimate"), told, inks, strong=True),
        Column(say("± at {x}", x=confidence), widths, ("muted",)),
    )
    place = room.place(model)
    return Figure(
        "groups",
        say("“{question}”", question=named(model.question.text)),
        telling.axis(model, telling.looked_at(model, place), _beyond(model, ends)),
        Axis(say("By ε"), range=(-0.5, many - 0.5), ticks=tuple(names)),
        tuple(layers),
        say("* {assumes}", assumes=Message(ASSUMES)) if many > 1 else "",
        simulated=model.invented is not None,
        source=_SOURCE,
        lanes=Lanes(columns, inks.index("answer"), inks),
    )


def _numbers(model: room.RoomModel, found: Estimate) -> tuple[Message, Message]:
    """What an estimate says, and half the width of its interval."""
    width = room.half(model, found)
    said = say("{x}", x=telling.amount(model, room.value(model, found), width))
    return said, say("{x}", x=telling.spread(model, width, "up"))


def _beyond(model: room.RoomModel, reached: list[float]) -> float:
    """How far beyond what can be answered an axis goes that has these values, in fifths of it."""
    least, most_ = telling.axis(model, Message("")).range
    reach = (most_ - least) / 7  # that axis has a fifth on either side
    over = max([0.0, *(least - x for x in reached), *(x - most_ for x in reached)])
    return min(1.0, 0.2 + 0.2 * float(np.ceil(over / reach)))


def people_chart(model: room.RoomModel, whole: Estimate) -> Figure:
    """Half the width of the interval against people, beside a trusted collector's."""
    n, aimed, missing = whole.n, room.aim(model.lab), room.more(model)
    all_ = telling.together(model, missing)
    low, high = 10 ** np.floor(np.log10(max(1, n / 4))), nice_above(2.0 * max(n, all_))
    people = np.geomspace(low, high, model.effort.of_points(61))
    own, trusted = telling.halves(model, people)
    here = room.half(model, whole)
    text = say("{n}: ± {x}", n=Num(n), x=telling.spread(model, here, "up"))
    layers: list[Layer] = [
        Line("trusted", "muted", say("trusted collector"), people, trusted, dash="dash"),
        Line("own", "first", say("this room"), people, own),
        Rule("aim", "target", say("± {x}", x=telling.wanted(model.lab)), aimed, axis="y"),
        Dots("here", "answer", text, [float(n)], [here]),
    ]
    if missing:
        words = say("{n} {n:person|people}", n=Num(all_))
        layers.append(Dots("needed", "target", words, [float(all_)], [aimed]))
    edges = [float(each) for each in (*own, *trusted, aimed) if each > 0]
    return Figure(
        "people",
        say("How many people it takes"),
        Axis(say("people"), log=True, range=(float(low), float(high))),
        Axis(
            say("half-width, {unit}", unit=_unit(model)),
            log=True,
            range=(min(edges) / 1.5, max(edges) * 1.5),
        ),
        tuple(layers),
        say("at {confidence}", confidence=at_confidence(model.lab.confidence)),
        simulated=model.invented is not None,
        source=_SOURCE,
    )


def _unit(model: room.RoomModel) -> Message:
    return say("1 is all") if telling.axis(model, Message("")).ticks else say("in its own unit")


def told_chart(model: room.RoomModel) -> Figure:
    """Belief about one person before and after the report."""
    prior = np.linspace(0.001, 0.999, model.effort.of_points(121))
    layers: list[Layer] = [
        Line("same", "muted", "", [0, 1], [0, 1], dash="dot", width=1.5),
        *(
            Line(f"at_{k}", ink, say("ε {x}", x=Num(e, 3)), prior, telling.belief(model, e, prior))
            for k, (e, ink) in enumerate(zip(telling.chosen(model), _INKS, strict=False))
        ),
    ]
    return Figure(
        "told",
        say("What one report tells"),
        percent_axis(say("belief before, in an answer"), 0.0, 1.0, 5),
        percent_axis(say("after a report of it"), 0.0, 1.0, 5),
        tuple(layers),
        say("odds × {x} at most", x=odds_factor(telling.most(model).epsilon)),
        source="Bayes",
    )


def misled_chart(model: room.RoomModel) -> Figure:
    """The built-in example in which ε follows the answer."""
    true, heads, weights = invented.misled()
    (careful, many, secret), (free, others, open_) = invented.example()
    rows = (
        ("careful", "first", say("{n} choose ε {x}", n=Num(many), x=Num(careful)), secret),
        ("free", "first", say("{n} choose ε {x}", n=Num(others), x=Num(free)), open_),
        ("heads", "answer", say("by head count"), heads),
        ("weights", "third", say("by weight"), weights),
    )
    layers: list[Layer] = [Rule("truth", "truth", say("truly"), true, dash="dash")]
    for y, (key, ink, name, x) in enumerate(reversed(rows)):
        words = say("{name}: {x}", name=name, x=Num(x, 2, percent=True))
        layers.append(Line(f"{key}_line", ink, words, [0.0, x], [float(y)] * 2, width=2.5))
        layers.append(Dots(key, ink, "", [x], [float(y)]))
    return Figure(
        "misled",
        say("Where ε follows the answer"),
        percent_axis(say("“yes”, on average"), 0.0, 0.8, 5),
        Axis("", range=(-0.7, 3.7), hidden=True),
        tuple(layers),
        say("truly {x} yes", x=Num(true, 2, percent=True)),
        source="Warner 1965",
    )
