"""Anonymity's strip and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio.labs.anonymity.anonymity.choices.promises import HIERARCHICAL
from dpstudio.labs.anonymity.anonymity.curves import (
    best_names,
    equal_epsilon,
    here,
    most_known,
    questions,
    special,
)
from dpstudio.labs.anonymity.anonymity.identifiers import alone_by_name, highest_before, suggested
from dpstudio.labs.anonymity.anonymity.model import (
    AnonymityModel,
    c_avg,
    dm,
    dropped,
    farthest,
    least_diverse,
    left_out,
    lines,
    loss,
    many,
    n,
    naming,
    prior,
    risk_before,
    same,
    smallest,
    suppressed,
    suppressed_share,
    valueless,
    weighed,
)
from dpstudio.labs.anonymity.anonymity.released import (
    counts_loss,
    redrawn,
    risk_left,
    seen,
    surest_left,
    ungrouped,
)
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.winners import listed
from dpstudio.privacy.anonymity.models import EQUAL, ORDERED, PRINTED
from dpstudio.values.lists import Words
from dpstudio.values.messages import N_, Message, Num, say


def share(value: float) -> Num:
    """A share in percent."""
    return Num(value, 3, percent=True)


def facts(model: AnonymityModel) -> Iterator[Fact]:
    """The strip, of the table that leaves: classes, who is found at most, and what is lost."""
    left = seen(model)
    note = say("{lines} lines of counts", lines=Num(lines(left)))
    name = say("Groups") if ungrouped(model) else say("Classes")
    yield Fact("classes", name, say("{n}", n=Num(many(left))), note, value=many(left))
    highest = risk_left(model).highest
    text = say("{share} before", share=share(highest_before(model)))
    yield Fact(
        "risk",
        say("Highest risk to be found"),
        say("{share}", share=Num(highest, 3, "up", percent=True)),
        text,
        value=highest,
    )
    if not ungrouped(model):
        text, lost = say("{loss}", loss=share(loss(model))), loss(model)
        yield Fact("loss", say("Lost"), text, _lost(model), value=lost)
    yield Fact(
        "sure",
        say("Surest guess"),
        say("{share}", share=share(surest_left(model))),
        say("of what is shown, not of what is true")
        if redrawn(model)
        else say("{share} of anybody", share=share(prior(model))),
        value=surest_left(model),
    )


def _lost(model: AnonymityModel) -> Message:
    """What the loss is a share of, and how many rows count as lost."""
    if not counts_loss(model):
        return say("of all widths (NCP), by classes alone")
    if suppressed(model):
        out = share(suppressed_share(model))
        return say("of hierarchies, with {share} of rows left out", share=out)
    if weighed(model):
        return say("of what is weighed")
    return say("of hierarchies") if model.walked else say("of all widths (NCP)")


def sentences(model: AnonymityModel) -> Iterator[Sentence]:
    """Who can be found, what is published, what it costs, and what it is not."""
    yield _risk(model)
    yield _published(model)
    yield from _known(model)
    yield from _special(model)
    yield _same(model)
    yield from _counts(model)
    if not ungrouped(model):
        yield _averages(seen(model))
        yield _spread(seen(model))
    yield from _left_out(model)
    yield from _suggested(model)
    yield _dropped(model)
    text = N_(
        "Nothing of this page is differentially private: what it publishes depends on every row, "
        "and says nothing of a second release."
    )
    yield Sentence("not_dp", say(text), "warn")


def _risk(model: AnonymityModel) -> Sentence:
    raw, after = risk_before(model), risk_left(model)
    text = N_(
        "{unique} of people are alone by {columns}; in {classes} classes nobody is found with a "
        "chance above {risk}."
    )
    if ungrouped(model):
        text = N_(
            "{unique} of people are alone by {columns}, and stay so in the rows that leave, beside "
            "{classes} groups: somebody is found with a chance of {risk}."
        )
    values = {
        "unique": share(raw.unique),
        "columns": listed([say("“{name}”", name=name) for name in model.lab.quasi]),
        "classes": Num(many(seen(model))),
        "risk": Num(after.highest, 3, "up", percent=True),
    }
    return Sentence("risk", Message(text, values), "plain" if after.highest < 1 else "bad")


def _published(model: AnonymityModel) -> Sentence:
    raw, after = risk_before(model), risk_left(model)
    text = N_(
        "An attacker who guesses everybody once finds {marketer} of them, {before} before: the "
        "marketer’s risk."
    )
    if suppressed(model):
        text = N_(
            "An attacker who guesses everybody who is left once finds {marketer} of them, {before} "
            "of all before: the marketer’s risk."
        )
    return Sentence(
        "marketer", say(text, marketer=share(after.marketer), before=share(raw.marketer))
    )


def _known(model: AnonymityModel) -> Iterator[Sentence]:
    found = most_known(model) if model.counted else None
    if found is not None:
        text = N_("Before, {share} are unique to somebody who knows {n} columns: {columns}.")
        names = listed([say("“{name}”", name=name) for name in best_names(model, found)])
        yield Sentence(
            "known", say(text, share=share(found.most), n=Num(found.columns), columns=names)
        )


def _special(model: AnonymityModel) -> Iterator[Sentence]:
    if not model.counted or most_known(model) is None:
        return
    alone, columns, highest = special(model)
    text = N_(
        "{share} are singled out by at most {n} of these columns; the highest SUDA2 score is "
        "{highest} of the most that there can be."
    )
    if columns == 1:
        text = N_("{share} are singled out by this column alone.")
    values = {"share": share(alone), "highest": share(highest), "n": Num(columns)}
    yield Sentence("suda", Message(text, values))


def _same(model: AnonymityModel) -> Sentence:
    left = seen(model)
    classes, rows = same(left)
    values = {
        "classes": Num(classes),
        "rows": Num(rows),
        "column": model.lab.sensitive,
        "k": Num(smallest(left)),
    }
    if classes and redrawn(model):
        text = N_(
            "In {classes} classes all rows that show a “{column}” show one, those of {rows} "
            "people: it need not be theirs."
        )
        return Sentence("same", Message(text, values), "warn")
    if classes:
        text = N_(
            "Homogeneity: in {classes} classes all rows share one “{column}”, so whoever finds the "
            "class knows that of {rows} people, though each has {k} rows or more."
        )
        if valueless(left):
            text = N_(
                "Homogeneity: in {classes} classes all rows with a “{column}” share one, so "
                "whoever finds the class knows that of {rows} people, though each has {k} rows or "
                "more."
            )
        return Sentence("same", Message(text, values), "bad")
    text = N_("In no class do all rows share one “{column}”.")
    if ungrouped(model):
        text = N_("In no group do all rows share one “{column}”.")
    return Sentence("same", Message(text, values), "good")


def _counts(model: AnonymityModel) -> Iterator[Sentence]:
    point = here(model) if model.whole and counts_loss(model) else None
    if point is None or math.isnan(point.error):
        return
    values = {
        "many": Num(questions(model)),
        "error": Num(point.error, 3),
        "epsilon": Num(equal_epsilon(point.error), 2),
    }
    text = N_(
        "Counts of {many} ranges, asked of the classes, err by {error} people on average. Laplace "
        "noise on one count errs as much at ε = {epsilon}, and keeps a promise that classes do not."
    )
    if point.error == 0:
        text = N_("Counts of {many} ranges, asked of the classes, are all exact.")
        values = {"many": values["many"]}
    yield Sentence("counts", Message(text, values))


def _averages(model: AnonymityModel) -> Sentence:
    text = N_(
        "Classes have {c} times k rows on average (C_avg); discernibility, the sum of squared "
        "sizes, is {dm}."
    )
    if suppressed(model):
        text = N_(
            "Classes have {c} times k rows on average (C_avg); discernibility, the sum of squared "
            "sizes and of all rows once for each that is left out, is {dm}."
        )
    return Sentence("averages", say(text, c=Num(c_avg(model), 3), dm=Num(dm(model), 12)))


def _spread(model: AnonymityModel) -> Sentence:
    text = N_(
        "The least diverse class has {l} of “{column}”; the farthest is {equal} from all that are "
        "published, {ordered} by order, {tree} by hierarchy. As printed, by its largest gap alone, "
        "it is {printed}."
    )
    values = {
        "l": say("{n} values", n=Num(least_diverse(model))),
        "column": model.lab.sensitive,
        "equal": Num(farthest(model, EQUAL), 3),
        "ordered": Num(farthest(model, ORDERED), 3),
        "tree": Num(farthest(model, HIERARCHICAL), 3),
        "printed": Num(farthest(model, PRINTED), 3),
    }
    return Sentence("spread", Message(text, values))


def _left_out(model: AnonymityModel) -> Iterator[Sentence]:
    text = N_("{n} rows are used; a quasi-identifier’s missing word counts as one of its own.")
    if left_out(model):
        text = N_(
            "{n} rows are used; {left} lack a number and are left out. A quasi-identifier’s "
            "missing word counts as one of its own."
        )
    yield Sentence("rows", say(text, n=Num(n(model)), left=Num(left_out(model))))
    if valueless(model):
        text = N_(
            "{n} rows lack “{column}”: they count to k, and to neither l nor t, since what is "
            "missing is no value of anybody."
        )
        values = {"n": Num(valueless(model)), "column": model.lab.sensitive}
        yield Sentence("valueless", Message(text, values))


def _suggested(model: AnonymityModel) -> Iterator[Sentence]:
    if not model.done or not suggested(model):
        return
    text = N_(
        "{names}: nearly every row has another value, as names and numbers of people do. Is it an "
        "identifier?"
    )
    names = listed([say("“{name}”", name=name) for name in suggested(model)])
    named = Words("").show((*model.lab.identifiers, *suggested(model)))
    yield Sentence("suggested", say(text, names=names, named=named), "plain")


def _dropped(model: AnonymityModel) -> Sentence:
    if naming(model):
        text = N_(
            "{names}: another value in every row, as a name or a number of a person has. Take it "
            "out: what is no quasi-identifier is not published."
        )
        names = listed([say("“{name}”", name=name) for name in naming(model)])
        return Sentence("dropped", say(text, names=names), "warn")
    if model.lab.identifiers:
        text = N_(
            "{names}: one of these alone finds {alone} of people in the table as it is. Nothing of "
            "them is published, or of {n} other columns."
        )
        names = listed([say("“{name}”", name=name) for name in model.lab.identifiers])
        values = {"alone": share(alone_by_name(model)), "n": Num(dropped(model))}
        return Sentence("dropped", say(text, names=names, **values))
    text = N_("{n} other columns are not published: identifiers are dropped with them.")
    if not dropped(model):
        text = N_("All columns are published: none of them may be an identifier.")
    return Sentence("dropped", say(text, n=Num(dropped(model))))
