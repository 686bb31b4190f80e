"""Synthesis' strip, sentences and tables."""

import math
from typing import Any

from dpstudio.data.cells import EDGE_DIGITS, Axis
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.whole_tables.synthesis import distances, promise_words, uses
from dpstudio.labs.whole_tables.synthesis import model as known
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel
from dpstudio.labs.whole_tables.synthesis.parameters import SPLITS
from dpstudio.privacy.rates import Rate
from dpstudio.values.messages import N_, Message, Num, listed, plain, say

_HEAD = 10


def facts(model: SynthesisModel) -> tuple[Fact, ...]:
    """What the range holds by each table; how far the column and all pairs lie."""
    asked, ink = distances.asked_range(model), model.lab.way.ink
    out = []
    if asked.true is not None:
        out.append(
            Fact("true", say("in the range, true"), _number(asked.true), "", "truth", asked.true)
        )
    if asked.noisy is not None:
        note: Message | str = ""
        if math.isfinite(asked.deviation):
            note = say("standard deviation {deviation}", deviation=Num(asked.deviation, 4))
        shown = _number(asked.noisy, 5)
        out.append(Fact("noisy", say("by noisy counts"), shown, note, "answer", asked.noisy))
    share = say("of {n} {n:row|rows}", n=Num(known.made_rows(model)))
    out.append(
        Fact("made", say("in the synthetic table"), _number(asked.made), share, ink, asked.made)
    )
    apart, floor, pairs = (
        distances.column_distances(model),
        distances.sampling_floor(model),
        distances.all_pairs(model),
    )
    if apart is not None and floor is not None and not math.isnan(apart[0]):
        note = say("rows drawn one by one, no noise: {floor}", floor=Num(floor, 3))
        shown = say("{apart}", apart=Num(apart[0], 3))
        out.append(Fact("column", say("total variation, column"), shown, note, ink, apart[0]))
    if pairs is not None:
        note = say("largest {furthest}", furthest=Num(pairs.furthest, 3))
        shown = say("{mean}", mean=Num(pairs.mean, 3))
        out.append(Fact("pairs", say("total variation, mean pair"), shown, note, ink, pairs.mean))
    return tuple(out)


def _number(value: float, digits: int = 9) -> Message:
    return say("{value}", value=Num(value, digits))


def sentences(model: SynthesisModel) -> tuple[Sentence, ...]:
    """What the table keeps, what is promised, of whom, and what is not."""
    return (
        *_range(model),
        *_pairs(model),
        *_diverges(model),
        *_pair(model),
        *_phantoms(model),
        *_used(model),
        *_attacked(model),
        *promise_words.promise_sentences(model),
    )


def _span(model: SynthesisModel) -> Message:
    """The range as people read it; the last cell may be that of who has no value."""
    asked, axis = distances.asked_range(model), model.axes[known.place_of(model)]
    end = min(asked.last, axis.size - axis.missing)
    if end <= asked.first:
        return Message(N_("“{column}” missing"), {"column": plain(axis.name)})
    said = _values(axis, asked.first, end)
    return said if end == asked.last else Message(N_("{span} or missing"), {"span": said})


def _values(axis: Axis, begin: int, end: int) -> Message:
    """The values of the cells `begin` to `end`, without it."""
    names = {"column": plain(axis.name)}
    if axis.edges and axis.whole:
        least, greatest = axis.ends(begin, end)
        ends = {"first": plain(least), "last": plain(greatest)}
        return Message(N_("“{column}” from {first} to {last}"), {**names, **ends})
    if axis.edges:
        low, high = (Num(edge, EDGE_DIGITS) for edge in (axis.edges[begin], axis.edges[end]))
        return Message(
            N_("“{column}” from {low} up to {high}"), {**names, "low": low, "high": high}
        )
    first, last = axis.labels[begin], axis.labels[end - 1]
    if first == last:
        return Message(N_("“{column}” = “{first}”"), {**names, "first": plain(first)})
    return Message(
        N_("“{column}” from “{first}” to “{last}”"),
        {**names, "first": plain(first), "last": plain(last)},
    )


def _range(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The range that is asked."""
    asked = distances.asked_range(model)
    values: dict[str, Any] = {
        "span": _span(model),
        "made": Num(asked.made, 9),
        "n": Num(known.made_rows(model)),
    }
    if asked.true is None:
        text = N_("{span}: {made} of {n} synthetic {n:row|rows}.")
        return (Sentence("range", Message(text, values)),)
    values["true"] = Num(asked.true, 9)
    text = N_("{span}: {true} in truth, {made} of {n:# synthetic row|# synthetic rows}.")
    told = Sentence("range", Message(text, values))
    if asked.noisy is None or not math.isfinite(asked.deviation):
        return (told,)
    text = N_("By noisy counts it is {noisy} (standard deviation {deviation}).")
    noisy = say(text, noisy=Num(asked.noisy, 5), deviation=Num(asked.deviation, 4))
    return told, Sentence("noisy", noisy)


def _diverges(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The distance that is infinite once a value is lost."""
    found = distances.diverges(model)
    if found is None:
        return ()
    if math.isinf(found):
        text = N_(
            "The Kullback–Leibler divergence of “{column}” from the synthetic one is infinite: a "
            "cell that has people has none in the synthetic table."
        )
    else:
        text = N_(
            "The Kullback–Leibler divergence of “{column}” from the synthetic one is {nats} nat; "
            "it would be infinite if a cell that has people had none in the synthetic table."
        )
    column = plain(model.axes[known.place_of(model)].name)
    return (Sentence("diverges", say(text, column=column, nats=Num(found, 3))),)


def _pairs(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The pair that is kept worst."""
    found = distances.all_pairs(model)
    if found is None:
        return ()
    a, b = (plain(model.axes[place].name) for place in found.worst)
    furthest = Num(found.furthest, 3)
    if len(model.axes) == 2:
        text = N_("“{a}” and “{b}” together: total variation {furthest}.")
        return (Sentence("pairs", say(text, a=a, b=b, furthest=furthest)),)
    text = N_("The pair kept worst is “{a}” and “{b}”: total variation {furthest}.")
    mean = say("Over all pairs it is {mean} on average.", mean=Num(found.mean, 3))
    worst = say(text, a=a, b=b, furthest=furthest)
    return Sentence("pairs", worst), Sentence("every_pair", mean)


def _pair(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The pair looked at: what it tells, and how much of that was kept."""
    found, other = distances.pair_figures(model), known.other_of(model)
    if found is None or other is None:
        return ()
    text = N_(
        "“{a}” and “{b}”, of values that occur: Cramér's V {true} in truth, {made} in the "
        "synthetic table. Drawn one by one, the two would be {apart} of total variation away; they "
        "share {bits} nat."
    )
    return (
        Sentence(
            "pair",
            say(
                text,
                a=plain(model.axes[known.place_of(model)].name),
                b=plain(model.axes[other].name),
                true=Num(found.true_v, 3),
                made=Num(found.made_v, 3),
                apart=Num(found.apart, 4),
                bits=Num(found.information, 3),
            ),
        ),
    )


def _phantoms(model: SynthesisModel) -> tuple[Sentence, ...]:
    """How many rows clamping adds to a table of counts."""
    found = distances.phantom_people(model)
    if found is None or model.task is None:
        return ()
    which = listed(model.axes[place].name for place in distances.clamped(model))
    text = N_(
        "Making the noisy counts of {which} positive changes how many rows they add up to by "
        "{rows} on average."
    )
    simplex = getattr(model.lab.way, "repair", "") == "simplex"
    if simplex:
        text = N_(
            "The nearest counts of {which} from 0 on keep the sum of the noisy ones; with noise "
            "and repair about {rows} {rows:row is|rows are} on average in cells where they are not "
            "(simulated)."
        )
    rows = Num(found, 2) if simplex else Num(found, 4, sign=True)
    return (Sentence("phantoms", say(text, which=which, rows=rows)),)


def _used(model: SynthesisModel) -> tuple[Sentence, ...]:
    """What is learnt from the table, beside what is learnt from real rows."""
    found, other = model.uses, known.other_of(model)
    if other is None:
        return ()
    name = plain(model.axes[other].name)
    if uses.crowded(model):
        text = N_(
            "What can be learnt of “{column}” is not tried: it can have {many:# value|# values}, "
            "and {rows:# row learns|# rows learn}, so that most would come once or never. Choose "
            "another column to draw it with, or fewer bins."
        )
        many, rows = Num(model.known.sizes[other]), Num(uses.learners(model))
        return (Sentence("used", say(text, column=name, many=many, rows=rows), "warn"),)
    if found is None:
        return ()
    text = N_(
        "Learnt from one table made of {part} of the people, and tried on {tried} "
        "{tried:row|rows} of the others: the accuracy on “{column}” is {made}, learnt from real "
        "rows {real}, by the best single answer {crowd}."
    )
    here, real, crowd = map(_rate, uses.told_right(found))
    useless = found.here.right <= found.crowd
    tried = Num(found.tried)
    part = Message(SPLITS[model.lab.split])
    told = say(text, part=part, made=here, column=name, real=real, crowd=crowd, tried=tried)
    return (Sentence("used", told, "warn" if useless else "plain"),)


def _attacked(model: SynthesisModel) -> tuple[Sentence, ...]:
    """What distances and attacks show, and that they prove nothing."""
    if model.uses is None:
        return ()
    found = model.uses.attacks
    text = N_(
        "Of a table made of {rows:# row|# rows}, those of {part} of the people, {copies} equal one "
        "of theirs; the nearest differs in {apart} {apart:column|columns} on average. This proves "
        "nothing: the promise comes from the noise alone, and tables made anew until one passes a "
        "test would tell what the test looked at."
    )
    values = {"copies": Num(found.copies, 3, percent=True), "apart": Num(found.apart, 3)}
    part, rows = Message(SPLITS[model.lab.split]), Num(uses.made_of(model))
    near = Sentence("near", say(text, rows=rows, part=part, **values))
    text = N_(
        "Guessing from the nearest of its rows is right for {used} of the rows of that part, and "
        "for {control} of others: only a difference beyond chance comes from being in it."
    )
    used, control = (_rate(rates[2]) for rates in (found.used, found.control))
    return near, Sentence("attacked", say(text, used=used, control=control))


def _rate(found: Rate) -> Message:
    """A rate and where it lies."""
    right, low, high = (Num(each, 3, percent=True) for each in (found.right, found.low, found.high))
    return say("{right} ({low} to {high} at 95 %)", right=right, low=low, high=high)


def tables(model: SynthesisModel) -> tuple[Table, ...]:
    """The first rows of the table that was made."""
    columns = known.head(model, _HEAD)
    heads = tuple(plain(name) for name, _ in columns)
    shown = tuple((name, tuple(_cell(value) for value in values)) for name, values in columns)
    title, exact = say("First rows of a simulated table"), model.task is not None
    first = _scores(model)
    return (*first, Table("head", title, shown, shown=True, heads=heads, exact=exact))


def _scores(model: SynthesisModel) -> tuple[Table, ...]:
    """Each column by its scores, as the field reports them, and its pairs on average."""
    found = distances.column_scores(model)
    if not found:
        return ()
    heads = {
        "column": say("column"),
        "ks": say("KS"),
        "tv": say("TV"),
        "contingency": say("1 − TV of its pairs"),
        "association": say("Cramér's V, mean difference"),
        "correlation": say("correlation score"),
    }
    rows = [
        (
            plain(model.axes[place].name),
            *(Num(score, 3) if score is not None else None for score in line),
        )
        for place, line in enumerate(found)
    ]
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(heads))
    title = say("Every column by its scores")
    return (Table("scores", title, columns, shown=True, heads=tuple(heads.values()), exact=True),)


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return Num(value, 4)
    return value if value is None or isinstance(value, int) else plain(str(value))
