"""What Synthesis says of its promise: what it costs, of whom, and what is not promised."""

from __future__ import annotations

import math
from typing import Any

from dpstudio.data.exact_sums import told_whole
from dpstudio.labs.findings import Sentence
from dpstudio.labs.persons import left_out
from dpstudio.labs.whole_tables.synthesis import model as known
from dpstudio.labs.whole_tables.synthesis.distances import singles
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel
from dpstudio.labs.whole_tables.synthesis.parameters import TYPED
from dpstudio.values.messages import N_, Message, Num, listed, plain, say


def promise_sentences(model: SynthesisModel) -> tuple[Sentence, ...]:
    """What is promised, of whom, and what breaks it."""
    return (
        *_odds(model),
        _theorem(model),
        *_printed(model),
        _size(model),
        *_only(model),
        _rows(model),
        *_publishing(model),
        _simulated(model),
        *_persons(model),
    )


def _odds(model: SynthesisModel) -> tuple[Sentence, ...]:
    """The risk in words, where the promise is kept."""
    if not known.claimed(model).holds:
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
    return (Sentence("odds", say(text, right=Num(known.right_guesses(model)))),)


def _theorem(model: SynthesisModel) -> Sentence:
    """What is promised, of whom, and by which theorem."""
    made, most = known.claimed(model), model.known.most
    unit = say("each row is a person")
    if model.data.person:
        unit = say("a person has at most {m} {m:row|rows}", m=Num(most))
    who = N_("who comes or goes") if not model.known.replace else N_("who is replaced")
    values: dict[str, Any] = {
        "epsilon": Num(made.epsilon, 5),
        "delta": Num(made.delta, 3, "up"),
        "who": Message(who),
        "unit": unit,
        "theorem": made.theorem,
    }
    if not made.holds:
        text = N_("ε = {epsilon} is claimed. {theorem} In truth no ε is known to hold.")
        if made.cost < math.inf:
            text = N_("ε = {epsilon} is claimed. {theorem} In truth it costs ε = {cost}.")
            values["cost"] = Num(made.cost, 4, "up")
        return Sentence("theorem", Message(text, values), "bad")
    text = N_("(ε, δ) = ({epsilon}, {delta}) for one person {who} ({unit}). {theorem}")
    if made.rho is not None:
        values["rho"] = Num(made.rho, 3, "up")
        text = N_(
            "(ε, δ) = ({epsilon}, {delta}) for one person {who} ({unit}), by ρ = {rho} in zCDP. "
            "{theorem}"
        )
    return Sentence("theorem", Message(text, values))


def _printed(model: SynthesisModel) -> tuple[Sentence, ...]:
    """What a mistake of the texts gives away."""
    printed = getattr(model.lab.way, "printed", "")
    if printed == "one":
        text = N_(
            "One noise for all cells of a table: the difference of any two of its counts is exact."
        )
        return (Sentence("printed", say(text), "bad"),)
    if printed == "twice" and not known.claimed(model).holds:
        text = N_("ε is spent once on the cells and once more on how many people there are.")
        return (Sentence("printed", say(text), "bad"),)
    alone = singles(model) if printed == "occurring" else None
    if alone is None:
        return ()
    text = N_(
        "Only cells that occur have a count: which ones these are is told exactly, and {alone} of "
        "them {alone:is there because of one row|are there because of one row each}."
    )
    return (Sentence("printed", say(text, alone=Num(alone)), "bad"),)


def _size(model: SynthesisModel) -> Sentence:
    """Where the number of rows comes from."""
    if model.lab.way.key == "groups" and not known.claimed(model).holds:
        text = N_("A row is made for each row of the table: their number is not private.")
        return Sentence("size", say(text), "warn")
    if model.lab.size == TYPED:
        return Sentence("size", say("The number of rows is public, and so tells nothing."))
    if model.known.people is not None and model.lab.way.key == "weights":
        return Sentence("size", say("Neighbours have as many rows: their number is public."))
    if getattr(model.lab.way, "printed", "") == "twice":
        if known.claimed(model).holds:
            text = N_("The number of rows has noise of its own: where one is replaced, it is free.")
            return Sentence("size", say(text))
        text = N_("The number of rows is asked for with noise of its own, at ε once more.")
        return Sentence("size", say(text), "bad")
    text = N_("The number of rows is what the noisy counts add up to: it costs nothing more.")
    return Sentence("size", say(text))


def _only(model: SynthesisModel) -> tuple[Sentence, ...]:
    """That one column alone is made."""
    if not model.lab.way.only_one:
        return ()
    text = N_("One histogram makes one column: the one that is drawn, “{column}”.")
    return (Sentence("only", say(text, column=plain(model.axes[0].name))),)


def _rows(model: SynthesisModel) -> Sentence:
    """Whose bounds are used, and which rows are not."""
    if unattested := _unattested(model):
        text = N_("Bounds or words of {columns} come from the data.")
        return Sentence("rows", say(text, columns=unattested), "warn")
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
                "All bounds and words are known from outside the data; {left} {left:row lacks a "
                "value, and is|rows lack a value, and are} left out."
            )
    return Sentence("rows", say(text, left=Num(model.left_out)))


def _unattested(model: SynthesisModel) -> Message | None:
    """The columns whose bounds or words nobody says are public, if any."""
    names = [axis.name for axis in model.axes if not axis.feature.attested]
    return listed(names) if names else None


def _publishing(model: SynthesisModel) -> tuple[Sentence, ...]:
    """How the table is published: drawn anew, not as it is seen."""
    if model.drawn:
        return ()
    if (why := known.stays(model.lab, model.known)) is not None:
        return (Sentence("publish", why, "warn"),)
    if unattested := _unattested(model):
        text = N_(
            "This table cannot be published while bounds or words of {columns} come from the data. "
            "Say on the page of the table what is known from outside it."
        )
        return (Sentence("publish", say(text, columns=unattested), "warn"),)
    text = N_(
        "What is seen is a simulation. “All charts without the exact answer” writes a table that "
        "is drawn anew, exactly, as CSV and Parquet with a file that says how."
    )
    if any(axis.type == "integer" and not told_whole(model.data, axis.name) for axis in model.axes):
        text = N_(
            "What is seen is a simulation. “All charts without the exact answer” writes a table "
            "that is drawn anew, exactly, as CSV and Parquet with a file that says how. Numbers "
            "have decimals there, unless the page of the table says that they are integers."
        )
    return (Sentence("publish", say(text)),)


def _simulated(model: SynthesisModel) -> Sentence:
    text = N_("Noise here is simulated for looking; it is not a private release.")
    return Sentence("simulated", say(text))


def _persons(model: SynthesisModel) -> tuple[Sentence, ...]:
    """Who a person is."""
    if model.task is None:
        return ()

    def compared() -> tuple[Message, Message, Message]:
        rows = say("{n}", n=Num(known.true_rows(model)))
        return say("the number of rows"), rows, rows

    return left_out(model.data, compared, show_truth=False)
