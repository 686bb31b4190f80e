"""Anonymity's strip and sentences."""

import math
from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.whole_tables.anonymity import curves, identifiers
from dpstudio.labs.whole_tables.anonymity import model as anonymity
from dpstudio.labs.whole_tables.anonymity.ways.heights.words import tree_sentence
from dpstudio.labs.whole_tables.rows.measured import HIERARCHICAL
from dpstudio.labs.whole_tables.rows.model import n, prior, risk_before, valueless
from dpstudio.labs.whole_tables.rows.words import columns_told, rows_told, share
from dpstudio.privacy.anonymity.loss import average_class, discernibility
from dpstudio.privacy.anonymity.models import EQUAL, ORDERED, PRINTED
from dpstudio.values.lists import Words
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: anonymity.AnonymityModel) -> Iterator[Fact]:
    """The strip, of the table that leaves: classes, who is found at most, and what is lost."""
    many, highest = model.classes.many, anonymity.risk_after(model).highest
    note = say("{lines} {lines:line|lines} of counts", lines=Num(anonymity.lines(model)))
    yield Fact("classes", say("Classes"), say("{n}", n=Num(many)), note, value=many)
    told = say("{share}", share=_chance(highest))
    note = say("{share} before", share=share(identifiers.highest_before(model)))
    yield Fact("risk", say("Highest risk to be found"), told, note, value=highest)
    lost = model.made.loss
    yield Fact("loss", say("Lost"), say("{loss}", loss=share(lost)), _lost(model), value=lost)
    sure, note = anonymity.surest(model), say("{share} of anybody", share=share(prior(model)))
    yield Fact(
        "sure", say("Most certain guess"), say("{share}", share=share(sure)), note, value=sure
    )


def _lost(model: anonymity.AnonymityModel) -> Message:
    """What the loss is a share of, and how many rows count as lost."""
    if anonymity.suppressed(model):
        out = share(anonymity.suppressed(model) / n(model))
        return say("of hierarchies, with {share} of rows left out", share=out)
    if any(each.weight != 1 for each in model.rows.quasi):
        return say("of what is weighed")
    return say("of hierarchies") if model.walked else say("of all widths (NCP)")


def sentences(model: anonymity.AnonymityModel) -> Iterator[Sentence]:
    """Who can be found, what is published, what it costs, and what it is not."""
    yield from _risk(model)
    yield _published(model)
    yield _same(model)
    yield from _counts(model)
    yield _averages(model)
    yield _spread(model)
    yield rows_told(model)
    yield from _valueless(model)
    yield from _suggested(model)
    yield _dropped(model)
    text = N_(
        "Nothing of this page is differentially private: what it publishes depends on every row, "
        "and says nothing of a second release."
    )
    yield Sentence("not_dp", say(text), "warn")


def _chance(highest: float) -> Num | Message:
    """A chance to be found, which is one in so many: so where no few digits of % say it exactly."""
    told, many = Num(highest, 3, "up", percent=True), round(1 / highest) if highest else 0
    exact = abs(1000 * highest - round(1000 * highest)) < 1e-9 or not many
    return told if exact or abs(1 / highest - many) > 1e-9 else say("1 in {n}", n=Num(many, 12))


def _risk(model: anonymity.AnonymityModel) -> Iterator[Sentence]:
    """With what chance somebody is found in the classes, and who is alone before."""
    raw, after = risk_before(model), anonymity.risk_after(model)
    text = N_("In {classes} {classes:class|classes} no row is found with a chance above {risk}.")
    values = {"classes": Num(model.classes.many), "risk": _chance(after.highest)}
    yield Sentence("risk", say(text, **values), "plain" if after.highest < 1 else "bad")
    text, columns = N_("Before, {unique} of rows are alone by {columns}."), model.lab.quasi
    yield Sentence("before", say(text, unique=share(raw.unique), columns=columns_told(columns)))


def _published(model: anonymity.AnonymityModel) -> Sentence:
    raw, after = risk_before(model), anonymity.risk_after(model)
    text = N_(
        "An attacker who says of every row whose it is finds {marketer} of them, {before} before: "
        "the marketer’s risk."
    )
    if anonymity.suppressed(model):
        text = N_(
            "An attacker who says of every row that is left whose it is finds {marketer} of them, "
            "{before} of all before: the marketer’s risk."
        )
    return Sentence(
        "marketer", say(text, marketer=share(after.marketer), before=share(raw.marketer))
    )


def _same(model: anonymity.AnonymityModel) -> Sentence:
    classes, rows = anonymity.same(model)
    values = {"classes": Num(classes), "rows": Num(rows), "column": model.lab.sensitive}
    if classes:
        text = N_(
            "Homogeneity: in {classes:# class|# classes} all rows share one “{column}”, so that of "
            "{rows:# row|# rows} it is known."
        )
        if valueless(model):
            text = N_(
                "Homogeneity: in {classes:# class|# classes} all rows with a “{column}” share one, "
                "so that of {rows:# row|# rows} it is known."
            )
        return Sentence("same", Message(text, values), "bad")
    text = N_("In no class do all rows share one “{column}”.")
    return Sentence("same", Message(text, values), "good")


def _counts(model: anonymity.AnonymityModel) -> Iterator[Sentence]:
    point = curves.here(model) if model.whole else None
    if point is None or math.isnan(point.error):
        return
    values = {
        "many": Num(curves.questions(model)),
        "error": Num(point.error, 3),
        "epsilon": Num(curves.equal_epsilon(point.error), 2),
    }
    text = N_(
        "Counts of {many:# range|# ranges}, asked of the classes, err by {error:# row|# rows} "
        "on average. Laplace noise on one count errs as much at ε = {epsilon}, and keeps a promise "
        "that classes do not."
    )
    if point.error == 0:
        text = N_("Counts of {many} {many:range|ranges}, asked of the classes, are all exact.")
        values = {"many": values["many"]}
    yield Sentence("counts", Message(text, values))


def _averages(model: anonymity.AnonymityModel) -> Sentence:
    text = N_(
        "Classes have {c} times k rows on average (C_avg); discernibility, the sum of squared "
        "sizes, is {dm}."
    )
    if anonymity.suppressed(model):
        text = N_(
            "Classes have {c} times k rows on average (C_avg); discernibility, the sum of squared "
            "sizes and of all rows once for each that is left out, is {dm}."
        )
    average = Num(average_class(model.classes, model.lab.promise.k), 3)
    return Sentence("averages", say(text, c=average, dm=Num(discernibility(model.classes), 12)))


def _spread(model: anonymity.AnonymityModel) -> Sentence:
    text = N_(
        "The least diverse class has {l} of “{column}”; the farthest is {equal} from all that are "
        "published, {ordered} by order, {tree} by hierarchy, by Kullback–Leibler {nats} nat. As "
        "printed, by its largest gap alone, it is {printed}."
    )
    values = {
        "l": say("{n} {n:value|values}", n=Num(anonymity.least_diverse(model))),
        "column": model.lab.sensitive,
        "equal": Num(anonymity.farthest(model, EQUAL), 3),
        "ordered": Num(anonymity.farthest(model, ORDERED), 3),
        "tree": Num(anonymity.farthest(model, HIERARCHICAL), 3),
        "nats": Num(anonymity.diverges(model), 3),
        "printed": Num(anonymity.farthest(model, PRINTED), 3),
    }
    return Sentence("spread", Message(text, values))


def _valueless(model: anonymity.AnonymityModel) -> Iterator[Sentence]:
    if valueless(model):
        text = N_(
            "{n} {n:row lacks|rows lack} “{column}”: {n:it counts|they count} to k, and to neither "
            "l nor t, since what is missing is no value of anybody."
        )
        values = {"n": Num(valueless(model)), "column": model.lab.sensitive}
        yield Sentence("valueless", Message(text, values))


def _suggested(model: anonymity.AnonymityModel) -> Iterator[Sentence]:
    if not model.done or not identifiers.suggested(model):
        return
    text = N_(
        "{names}: nearly every row has another value, as names and numbers of people do. Is it an "
        "identifier?"
    )
    names = columns_told(identifiers.suggested(model))
    named = Words("").show((*model.lab.identifiers, *identifiers.suggested(model)))
    yield Sentence("suggested", say(text, names=names, named=named), "plain")


def way_sentences(model: anonymity.AnonymityModel) -> Iterator[Sentence]:
    """What is said of a way alone, and the hierarchy that can be changed, where one is used."""
    task, way = anonymity.task(model), model.lab.algorithm
    yield from way.sentences(task, model.made)
    if model.done and model.lab.treed:
        yield tree_sentence(task, way.subject(task))


def _dropped(model: anonymity.AnonymityModel) -> Sentence:
    if anonymity.naming(model):
        text = N_(
            "{names}: another value in every row, as a name or a number of a person has. Take it "
            "out: what is no quasi-identifier is not published."
        )
        names = columns_told(anonymity.naming(model))
        return Sentence("dropped", say(text, names=names), "warn")
    if model.lab.identifiers:
        text = N_(
            "{names}: one of these alone finds {alone} of rows in the table as it is. Nothing of "
            "them is published, or of {n} other {n:column|columns}."
        )
        names = columns_told(model.lab.identifiers)
        values = {
            "alone": share(identifiers.alone_by_name(model)),
            "n": Num(anonymity.dropped(model)),
        }
        return Sentence("dropped", say(text, names=names, **values))
    text = N_(
        "{n} other {n:column is|columns are} not published: identifiers are dropped with "
        "{n:it|them}."
    )
    if not anonymity.dropped(model):
        text = N_("All columns are published: none of them may be an identifier.")
    return Sentence("dropped", say(text, n=Num(anonymity.dropped(model))))
