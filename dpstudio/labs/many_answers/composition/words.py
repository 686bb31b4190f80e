"""The composition lab's strip and sentences: the tightest bound, the texts' shortcut, budgets and
groups."""

import math

from dpstudio.labs.bound_names import name_here, name_of, short_of, total_of
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.many_answers.composition import asked_words, bound_words, groups, names, shortcut
from dpstudio.labs.many_answers.composition import model as known
from dpstudio.labs.many_answers.composition.budget import (
    best_buyer,
    best_each,
    best_kept,
    most_affordable,
)
from dpstudio.labs.many_answers.composition.budget_words import keep_sentence, keep_table
from dpstudio.labs.many_answers.composition.curves import ASKED_FOR, crossings
from dpstudio.labs.many_answers.composition.model import CompositionModel, Valued
from dpstudio.labs.many_answers.composition.names import loose_of
from dpstudio.labs.many_answers.composition.shortcut import stand, zones
from dpstudio.labs.series_model import NOTHING, by_adding, delta_of, supposed
from dpstudio.labs.supposed import supposing
from dpstudio.labs.winners import by_less
from dpstudio.privacy.accounting import REPLACE, Accountant, Sequential
from dpstudio.privacy.accounting.groups import LEAST_DELTA
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.values.messages import N_, Message, Num, of_source, say

_FAILS = 0.01  # a δ from there on is a promise that may fail for one group in a hundred


def facts(model: CompositionModel) -> tuple[Fact, ...]:
    """The strip: the tightest total, adding up, the texts' claim, what the budget buys."""
    best, plain = known.tightest(model), by_adding(model)
    budget = Num(model.lab.budget, 4)
    told, added = names.told_total(model), say("{total}", total=total_of(plain))
    own = say("δ = {delta}", delta=Num(model.own_delta, 3, "up"))
    if supposed(model):
        own = supposing(own)
    out = [
        Fact(
            "total", say("Total ε"), told, bound_words.by_bound(model), best.bound.ink, best.epsilon
        ),
        Fact("plain", say("By adding up"), added, own, "sequential", plain),
    ]
    if shortcut.zones(model) is not None:
        out.append(bound_words.claimed_fact(model))
    most = best_kept(model)
    if model.equal:
        k = most_affordable(model)
        note = say("answers within ε = {budget}", budget=budget)
        out.append(Fact("afford", say("The budget buys"), names.bought(model), note, value=k))
        out += [fact for fact in (_averaged(model), _crossed(model)) if fact is not None]
    elif most is not None:
        note, ink = say("unlocked ε, for {budget} in all", budget=budget), most.bound.ink
        left = names.times(model, most)
        out.append(Fact("keeps", say("The budget leaves"), left, note, ink, most.factor))
    return tuple(out)


def _averaged(model: CompositionModel) -> Fact | None:
    """What is left of the noise by the mean of all; None of one answer, or of one without end."""
    left = known.left_by_averaging(model)
    if model.answers < 2 or not math.isfinite(left):
        return None
    note = say("deviation of the mean")
    return Fact("averaged", say("Averaging all leaves"), say("±{x}", x=Num(left)), note, value=left)


def _crossed(model: CompositionModel) -> Fact | None:
    """From how many answers on the bound that everybody asks for is below adding up."""
    k = crossings(model).get(ASKED_FOR)
    if k is None:
        return None
    name, text = name_of(known.bound_of(model, ASKED_FOR)), say("from k = {k}", k=Num(k))
    return Fact("from", name, text, say("below adding up"), value=k)


def headline(model: CompositionModel) -> tuple[str, ...]:
    """What stands above the charts."""
    return "tightest", "saved", "shortcut" if model.equal else "keeps"


def sentences(model: CompositionModel) -> tuple[Sentence, ...]:
    """What the charts mean, the tightest bound first; then why chosen bounds say nothing."""
    found = [_tightest(model)]
    if known.saves(model):
        found.append(_saved(model))
    if not model.equal:
        found.append(keep_sentence(model))
    if "shortcut" in model.lab.bounds and (model.equal or shortcut.zones(model) is not None):
        found.append(bound_words.shortcut_sentence(model))
    if any(spend.sampled for spend in model.ledger.spends):
        found.append(_sampled())
    if model.answers > 1:
        found += bound_words.fixed_sentences(model)
    found += [
        s
        for s in (
            bound_words.crossing_sentence(model) if "shortcut" in model.lab.bounds else None,
            bound_words.crossings_sentence(model),
            bound_words.numeric_sentence(model),
        )
        if s is not None
    ]
    found += asked_words.asked_sentences(model)
    found += [_mitigations(model)] if model.equal else []
    found += [_group(model), _parallel(model)]
    found += [Sentence(f"refused_{key}", why) for key, why in known.refused(model).items()]
    guarantee = model.lab.mechanism.guarantee(UNIT)
    if model.equal and not guarantee.sound:  # of a list each is a problem of its own
        found.append(Sentence("promise", guarantee.note, "bad" if guarantee.violated else "warn"))
    return tuple(found)


def _tightest(model: CompositionModel) -> Sentence:
    best = known.tightest(model)
    values: dict[str, Num | Message] = {
        "k": Num(model.answers),
        "total": total_of(best.epsilon),
        "cost": names.told_cost(model),
        "plain": total_of(by_adding(model)),
        "delta": Num(known.tightest_delta(model), 3, "up"),
    }
    if not best.counts:
        text = N_(
            "If the promise held, {k} {k:answer|answers} would cost ε = {total} and δ = {delta}."
        )
        return Sentence("tightest", Message(text, values), "bad")
    if model.answers == 1:
        text = N_("One such answer costs ε = {total} and δ = {delta}.")
        return Sentence("tightest", Message(text, values))
    if supposed(model):
        text = N_(
            "{k} {k:answer costs|answers cost} {cost} at δ = {delta}; adding up would say {plain}, "
            "if the promise held."
        )
        return Sentence("tightest", Message(text, values))
    if not known.saves(model):
        text = N_(
            "{k} {k:answer costs|answers cost} {cost} and δ = {delta}: nothing chosen says less."
        )
        return Sentence("tightest", Message(text, values))
    text = N_("{k} {k:answer costs|answers cost} {cost} at δ = {delta}, not {plain}.")
    return Sentence("tightest", Message(text, values), "good")


def _saved(model: CompositionModel) -> Sentence:
    """By which bound, and how much less than adding up that is."""
    text = N_("By the tightest bound chosen ({bound}): {saved} less than adding up.")
    less = by_less(known.tightest(model).epsilon, by_adding(model), 3)
    return Sentence("saved", say(text, bound=names.tightest_names(model), saved=less))


def _sampled() -> Sentence:
    text = N_(
        "Of a sample everybody is with the chance that is written: on their own, with all of their "
        "rows, drawn anew for each answer. What that is worth holds while nobody learns who was "
        "drawn."
    )
    return Sentence("sampled", say(text))


def _mitigations(model: CompositionModel) -> Sentence:
    text = N_(
        "Within ε = {budget} in all, refuse after {afford} {afford:answer|answers}, or spend at "
        "most ε = {each} on each of {k} by {mechanism} noise ({bound})."
    )
    (buyer, afford), (bound, each) = best_buyer(model), best_each(model)
    if afford >= model.answers == 1:
        text = N_(
            "The budget of ε = {budget} covers this answer: of such it buys {afford}, and one may "
            "have ε = {each} by {mechanism} noise ({bound})."
        )
    elif model.answers == 1:
        text = N_(
            "Within ε = {budget} in all, spend at most ε = {each} on the answer by {mechanism} "
            "noise ({bound}). As it is, the budget does not buy it."
        )
        buyer = bound
    elif afford >= model.answers:
        text = N_(
            "The budget of ε = {budget} covers the {k} {k:answer|answers}: as they are it buys "
            "{afford}, and {k} by {mechanism} noise at ε = {each} each ({bound})."
        )
    elif afford == 0:
        text = N_(
            "Within ε = {budget} in all, spend at most ε = {each} on each of {k} by {mechanism} "
            "noise ({bound}). As they are, the budget does not buy one."
        )
        buyer = bound
    both = say("{one}; {other}", one=name_of(buyer), other=name_of(bound))
    said = say(
        text,
        afford=names.bought(model),
        budget=Num(model.lab.budget, 4),
        each=Num(each, 3, "down"),
        k=Num(model.answers),
        mechanism=Message(model.lab.mechanism.label),
        bound=name_of(bound) if buyer == bound else both,
    )
    return Sentence("mitigations", said)


def _group(model: CompositionModel) -> Sentence:
    m = model.lab.people
    if m == 1:
        return Sentence("group", say("All this is about one person; a family shares more."))
    found = groups.group_promise(model)
    values: dict[str, Num | Message | int] = {
        "people": m,
        "total": Num(found.epsilon, 4, "up"),
        "delta": Num(found.delta, 3, "up"),
    }
    if groups.hollow(found):
        text = N_(
            "The bounds leave next to nothing to a group of {people} {people:person|people}: a δ "
            "of {delta} at ε = {total}."
        )
        if found.epsilon > groups.ENDLESS and found.delta < NOTHING:
            text = N_(
                "The bounds leave next to nothing to a group of {people} {people:person|people}: "
                "an ε of {total}, by which odds may grow more than 10³⁰⁰ times."
            )
        return Sentence("group", Message(text, values), "bad")
    text = N_(
        "A group of {people} {people:person|people} is promised ε = {total} with δ = {delta} "
        "(least δ there: {bound})."
    )
    if 0 < found.delta <= LEAST_DELTA:
        text = N_(
            "A group of {people} {people:person|people} is promised ε = {total} with a δ below "
            "10⁻³⁰⁰ (least δ there: {bound})."
        )
    values["bound"] = short_of(found.bound or Sequential())
    return Sentence("group", Message(text, values), "warn" if found.delta >= _FAILS else "plain")


def _parallel(model: CompositionModel) -> Sentence:
    replaced = model.lab.adjacency == REPLACE
    values: dict[str, Num] = {}
    if model.data.contributions > 1:
        values = {"m": Num(model.data.contributions)}
        text = N_(
            "Answers about disjoint parts add up too where a person’s {m} {m:row|rows} may lie in "
            "several: parts must share no person."
        )
        if model.ledger.groups:
            values |= {"count": Num(model.ledger.touched)}
            text = N_(
                "Of the answers in brackets up to {count} count, the largest: the rows of one "
                "person, {m} at most, may touch so many parts."
            )
    elif model.equal and model.answers == 1:
        text = N_("Ask about disjoint parts of the table, and their answers do not add up.")
    elif model.equal:
        epsilon, delta = groups.in_parts(model)
        values = {"k": Num(model.answers), "total": Num(epsilon, 4, "up")}
        values |= {"delta": Num(delta, 3, "up")}
        text = (
            N_(
                "Asked of {k} disjoint {k:part|parts} instead, they would cost ε = {total} with δ "
                "= {delta}: who is replaced may leave one part and enter another."
            )
            if replaced
            else N_(
                "Asked of {k} disjoint {k:part|parts} instead, they would cost ε = {total} with δ "
                "= {delta}: each person is in one of them only."
            )
        )
    elif not model.ledger.groups:
        text = N_(
            "Put brackets around answers about disjoint parts of the table: then only the "
            "largest counts."
        )
    elif replaced:
        text = N_(
            "Of the answers in brackets the two largest count: who is replaced may change parts."
        )
    else:
        text = N_("Of the answers in brackets only the largest counts: each person is in one part.")
    told = Message(text, values)
    if supposed(model) and "total" in values:
        told = say("If the promise held: {cost}", cost=told)
    return Sentence("parallel", told)


# What these bounds say holds of the mechanism that is named, not of every one with its ε and δ.
OF_THE_NOISE = ("renyi", "gdp", "pld")
VALID = {
    "proved": N_("proved, by {by}"),
    "true": N_("true, by the exact optimum"),
    "noise": N_("true of this noise only"),
    "false": N_("false"),
}


def tables(model: CompositionModel) -> tuple[Table, ...]:
    """Every chosen bound with what it says here, how loose it is and whether it holds."""
    rows: list[tuple[Message | Num, ...]] = [
        (
            name_here(model, v.bound, short=False),
            total_of(v.epsilon, v.bound),
            Num(delta_of(model, v.bound), 3, "up"),
            say("× {loose}", loose=loose_of(v.loose)) if v.counts else Message("–"),
            _valid(model, v),
            Message(N_("proved") if _on_the_way(model, v) else N_("not proved")),
            _first(v.bound),
        )
        for v in known.valued(model)
    ]
    none = Message("–")
    for key, why in known.refused(model).items():
        bound = known.bound_of(model, key)
        rows.append((name_of(bound), none, none, none, why, none, _first(bound)))
    heads = (
        say("bound"),
        say("total ε"),
        say("total δ"),
        say("how loose"),
        say("here"),
        say("noise chosen on the way"),
        say("source"),
    )
    names = ("bound", "epsilon", "delta", "loose", "valid", "adaptive", "source")
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    title = say("Every bound at k = {k}", k=Num(model.answers))
    every = Table("bounds", title, columns, shown=True, heads=heads)
    return (every,) if model.equal else (every, keep_table(model))


def _on_the_way(model: CompositionModel, v: Valued) -> bool:
    """Whether noise may be chosen on the way by this bound."""
    return bool(v.bound.adaptive) and not v.bound.supposes(model.ledger)


def _first(bound: Accountant) -> Message:
    """The first of a bound's sources: all of them would make its row as high as the card."""
    return of_source(bound.source.split(";")[0])


def _valid(model: CompositionModel, v: Valued) -> Message:
    key = v.bound.key
    found = zones(model)
    if v.bound.supposes(model.ledger):
        return say("if the promise held")
    if key == "shortcut" and found is not None:
        return say(VALID[stand(model)], by=name_of(found.by))
    if key == "shortcut":
        return say("as printed, not proved here")
    if v.bound.approximate:
        return say("approximate")
    if key == "group_privacy":
        return say("for {people} {people:person|people}", people=model.lab.people)
    if v.epsilon > by_adding(model) * (1 + 1e-9) and not supposed(model):
        return say("worse than adding up")
    of_the_noise = key in OF_THE_NOISE or (key.startswith("zcdp") and model.own_delta > 0)
    return Message(N_("proved, for this noise") if of_the_noise else N_("proved"))
