"""Synthesis' strip, sentences and tables."""

from __future__ import annotations

import math
from typing import Any

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.persons import left_out
from dpstudio.labs.synthetic.synthesis.distances import (
    all_pairs,
    asked_range,
    column_distances,
    pair_figures,
    phantom_people,
    sampling_floor,
    singles,
)
from dpstudio.labs.synthetic.synthesis.model import (
    SynthesisModel,
    claimed,
    made_rows,
    other_of,
    place_of,
    right_guesses,
    true_rows,
)
from dpstudio.labs.synthetic.synthesis.parameters import TYPED
from dpstudio.values.messages import N_, Num, Say, plain, say

_HEAD = 10


def facts(model: SynthesisModel) -> tuple[Fact, ...]:
    """What the range holds by each table; how far the column and all pairs lie."""
    asked, ink = asked_range(model), model.lab.way.ink
    out = []
    if asked.true is not None:
        out.append(
            Fact("true", say("in the range, true"), _number(asked.true), "", "truth", asked.true)
        )
    if asked.noisy is not None:
        note = say("standard deviation {deviation}", deviation=Num(asked.deviation, 4))
        shown = _number(asked.noisy, 5)
        out.append(Fact("noisy", say("by noisy counts"), shown, note, "answer", asked.noisy))
    share = say("of {n} rows", n=Num(made_rows(model)))
    out.append(
        Fact("made", say("in the synthetic table"), _number(asked.made), share, ink, asked.made)
    )
    apart, floor, pairs = column_distances(model), sampling_floor(model), all_pairs(model)
    if apart is not None and floor is not None and not math.isnan(apart[0]):
        note = say("rows drawn without noise: {floor}", floor=Num(floor, 3))
        shown = say("{apart}", apart=Num(apart[0], 3))
        out.append(Fact("column", say("total variation, column"), shown, note, ink, apart[0]))
    if pairs is not None:
        note = say("largest {furthest}", furthest=Num(pairs.furthest, 3, "up"))
        shown = say("{mean}", mean=Num(pairs.mean, 3))
        out.append(Fact("pairs", say("total variation, mean pair"), shown, note, ink, pairs.mean))
    return tuple(out)


def _number(value: float, digits: int = 9) -> Say:
    return say("{value}", value=Num(value, digits))


def sentences(model: SynthesisModel) -> tuple[Sentence, ...]:
    """What the table keeps, what is promised, of whom, and what is not."""
    return (
        *_range(model),
        *_pairs(model),
        *_pair(model),
        *_odds(model),
        _theorem(model),
        *_phantoms(model),
        *_printed(model),
        _size(model),
        _rows(model),
        _simulated(model),
        *_persons(model),
    )


def _span(model: SynthesisModel) -> Say:
    """The range as people read it."""
    asked, axis = asked_range(model), model.axes[place_of(model)]
    names = {"column": plain(axis.name)}
    if axis.edges:
        low, high = Num(asked.low, 5), Num(asked.high, 5)
        return Say("“{column}” from {low} up to {high}", {**names, "low": low, "high": high})
    first, last = axis.labels[asked.first], axis.labels[asked.last - 1]
    if first == last:
        return Say("“{column}” = “{first}”", {**names, "first": plain(first)})
    return Say(
        "“{column}” from “{first}” to “{last}”",
        {**names, "first": plain(first), "last": plain(last)},
    )


def _range(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The range that is asked."""
    asked = asked_range(model)
    values: dict[str, Any] = {
        "span": _span(model),
        "made": Num(asked.made, 9),
        "n": Num(made_rows(model)),
    }
    if asked.true is None:
        text = N_("{span}: {made} of {n} synthetic rows.")
        return (Sentence("range", Say(text, values)),)
    values["true"] = Num(asked.true, 9)
    text = N_("{span}: {true} people in truth, {made} of {n} synthetic rows.")
    if asked.noisy is not None:
        values |= {"noisy": Num(asked.noisy, 5), "deviation": Num(asked.deviation, 4)}
        text = N_(
            "{span}: {true} people in truth, {noisy} by noisy counts (standard deviation "
            "{deviation}), {made} of {n} synthetic rows."
        )
    return (Sentence("range", Say(text, values)),)


def _pairs(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The pair that is kept worst."""
    found = all_pairs(model)
    if found is None:
        return ()
    a, b = (plain(model.axes[place].name) for place in found.worst)
    text = N_(
        "The pair kept worst is “{a}” and “{b}”: total variation {furthest}; over all pairs "
        "{mean} on average."
    )
    values = {"furthest": Num(found.furthest, 3, "up"), "mean": Num(found.mean, 3)}
    return (Sentence("pairs", say(text, a=a, b=b, **values)),)


def _pair(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The pair looked at: what it tells, and how much of that was kept."""
    found, other = pair_figures(model), other_of(model)
    if found is None or other is None:
        return ()
    text = N_(
        "“{a}” and “{b}”: Cramér's V {true} in truth, {made} in the synthetic table. Drawn one by "
        "one, the two would be {apart} of total variation away; they share {bits} nat."
    )
    return (
        Sentence(
            "pair",
            say(
                text,
                a=plain(model.axes[place_of(model)].name),
                b=plain(model.axes[other].name),
                true=Num(found.true_v, 3),
                made=Num(found.made_v, 3),
                apart=Num(found.apart, 4),
                bits=Num(found.information, 3),
            ),
        ),
    )


def _odds(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The risk in words, where the promise is kept."""
    if not claimed(model).holds:
        return ()
    text = N_(
        "Of 100 people whose presence is an even guess, an attacker gets on average at most "
        "{right} right after this table (50 before)."
    )
    if model.known.replace:
        text = N_(
            "Of 100 people with one of two values at even odds, an attacker gets on average at "
            "most {right} right after this table (50 before)."
        )
    return (Sentence("odds", say(text, right=Num(right_guesses(model)))),)


def _theorem(model: SynthesisModel) -> Sentence:
    """What is promised, of whom, and by which theorem."""
    made, most = claimed(model), model.known.most
    unit = say("each row is a person")
    if model.data.person:
        unit = say("a person has at most {m} rows", m=Num(most))
    who = N_("who comes or goes") if not model.known.replace else N_("who is replaced")
    values: dict[str, Any] = {
        "epsilon": Num(made.epsilon, 5),
        "delta": Num(made.delta, 3, "up"),
        "who": Say(who),
        "unit": unit,
        "theorem": made.theorem,
    }
    if not made.holds:
        text = N_("ε = {epsilon} is claimed. {theorem} In truth no ε is known to hold.")
        if made.cost < math.inf:
            text = N_("ε = {epsilon} is claimed. {theorem} In truth it costs ε = {cost}.")
            values["cost"] = Num(made.cost, 4, "up")
        return Sentence("theorem", Say(text, values), "bad")
    text = N_("(ε, δ) = ({epsilon}, {delta}) for one person {who} ({unit}). {theorem}")
    if made.rho is not None:
        values["rho"] = Num(made.rho, 3, "up")
        text = N_(
            "(ε, δ) = ({epsilon}, {delta}) for one person {who} ({unit}), by ρ = {rho} in zCDP. "
            "{theorem}"
        )
    return Sentence("theorem", Say(text, values))


def _phantoms(model: SynthesisModel) -> tuple[Sentence, ...]:
    """How many people clamping adds."""
    found = phantom_people(model)
    if found is None:
        return ()
    text = N_(
        "Making the noisy counts positive changes the number of people by {people} on average, "
        "most of them in cells that are empty."
    )
    return (Sentence("phantoms", say(text, people=Num(found, 4, sign=True))),)


def _printed(model: SynthesisModel) -> tuple[Sentence, ...]:
    """What a mistake of the texts gives away."""
    printed = getattr(model.lab.way, "printed", "")
    if printed == "one":
        text = N_("One noise for all cells: the difference of any two counts is exact.")
        return (Sentence("printed", say(text), "bad"),)
    if printed == "twice":
        text = N_("ε is spent once on the cells and once more on how many people there are.")
        return (Sentence("printed", say(text), "bad"),)
    alone = singles(model) if printed == "occurring" else None
    if alone is None:
        return ()
    text = N_(
        "Only cells that occur have a count: which ones these are is told exactly, and {alone} of "
        "them are there because of one person each."
    )
    return (Sentence("printed", say(text, alone=Num(alone)), "bad"),)


def _size(model: SynthesisModel) -> Sentence:
    """Where the number of rows comes from."""
    if model.lab.size == TYPED:
        return Sentence("size", say("The number of rows is public, and so tells nothing."))
    if model.known.people is not None and model.lab.way.key in ("weights", "groups"):
        return Sentence("size", say("Neighbours have as many rows: their number is public."))
    if model.lab.way.key == "groups":
        text = N_("A row is made for each row of the table: their number is not private.")
        return Sentence("size", say(text), "warn")
    text = N_("The number of rows is what the noisy counts add up to: it costs nothing more.")
    return Sentence("size", say(text))


def _rows(model: SynthesisModel) -> Sentence:
    """Whose bounds are used, and which rows are not."""
    unattested = [axis.name for axis in model.axes if not axis.feature.attested]
    if unattested:
        text = N_("Bounds or words of {columns} come from the data.")
        return Sentence("rows", say(text, columns=plain(", ".join(unattested))), "warn")
    text = N_(
        "All bounds and words are known from outside the data; a missing value has a cell of its "
        "own."
    )
    if not any(axis.missing for axis in model.axes):
        text = N_(
            "All bounds and words are known from outside the data; rows that lack a value are left "
            "out."
        )
        if model.task is not None:
            text = N_(
                "All bounds and words are known from outside the data; {left} rows lack a value, "
                "and are left out."
            )
    return Sentence("rows", say(text, left=Num(model.left_out)))


def _simulated(model: SynthesisModel) -> Sentence:
    text = N_("Noise here is simulated for looking; it is not a private release.")
    return Sentence("simulated", say(text))


def _persons(model: SynthesisModel) -> tuple[Sentence, ...]:
    """Who a person is."""
    if model.task is None:
        return ()

    def compared() -> tuple[Say, Say, Say]:
        rows = say("{n}", n=Num(true_rows(model)))
        return say("the number of rows"), rows, rows

    return left_out(model.data, compared, show_truth=False)


def tables(model: SynthesisModel) -> tuple[Table, ...]:
    """The first rows of the table that was made."""
    from dpstudio.labs.synthetic.synthesis.model import head

    columns = head(model, _HEAD)
    heads = tuple(plain(name) for name, _ in columns)
    shown = tuple((name, tuple(_cell(value) for value in values)) for name, values in columns)
    title, exact = say("First rows of a simulated table"), model.task is not None
    return (Table("head", title, shown, shown=True, heads=heads, exact=exact),)


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return Num(value, 4)
    return value if value is None or isinstance(value, int) else plain(value)
