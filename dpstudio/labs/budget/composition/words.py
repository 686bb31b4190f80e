"""The composition lab's strip and sentences: the tightest bound, the texts' shortcut, the attack
and what helps."""

from __future__ import annotations

from dpstudio.labs.budget.composition.asked_words import asked_sentences
from dpstudio.labs.budget.composition.attack import (
    count_asked,
    deviation,
    promised,
    right_simulated,
)
from dpstudio.labs.budget.composition.bound_words import (
    by_bound,
    claimed_fact,
    crossings_sentence,
    fixed_sentences,
    numeric_sentence,
    shortcut_sentence,
)
from dpstudio.labs.budget.composition.budget import (
    best_buyer,
    best_each,
    best_kept,
    most_affordable,
)
from dpstudio.labs.budget.composition.budget_words import keep_sentence
from dpstudio.labs.budget.composition.groups import ENDLESS, group_promise, hollow, in_parts
from dpstudio.labs.budget.composition.model import (
    NOTHING,
    CompositionModel,
    by_adding,
    refused,
    saves,
    supposed,
    tightest,
    tightest_delta,
)
from dpstudio.labs.budget.composition.names import (
    bought,
    name_of,
    short_of,
    tightest_names,
    times,
    told_total,
    total_of,
)
from dpstudio.labs.budget.composition.shortcut import zones
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.supposed import supposing
from dpstudio.labs.winners import by_less
from dpstudio.privacy.accounting import REPLACE, Sequential
from dpstudio.privacy.accounting.groups import LEAST_DELTA
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: CompositionModel) -> tuple[Fact, ...]:
    """The strip: the tightest total, adding up, the texts' claim, what the budget buys, what
    averaging sees."""
    best, plain, sees = tightest(model), by_adding(model), deviation(model)
    budget = Num(model.lab.budget, 4)
    told, added = told_total(model), say("{total}", total=total_of(plain))
    own = say("δ = {delta}", delta=Num(model.own_delta, 3, "up"))
    if supposed(model):
        own = supposing(own)
    out = [
        Fact("total", say("Total ε"), told, by_bound(model), best.bound.ink, best.epsilon),
        Fact("plain", say("By adding up"), added, own, "sequential", plain),
    ]
    if zones(model) is not None:
        out.append(claimed_fact(model))
    most = best_kept(model)
    if model.equal:
        k = most_affordable(model)
        note = say("answers within ε = {budget}", budget=budget)
        out.append(Fact("afford", say("The budget buys"), bought(model), note, value=k))
    elif most is not None:
        note, ink = say("unlocked ε, for {budget} in all", budget=budget), most.bound.ink
        left = times(model, most)
        out.append(Fact("keeps", say("The budget leaves"), left, note, ink, most.factor))
    note = say("deviation of the mean")
    shown = say("±{sd}", sd=Num(sees))
    out.append(Fact("deviation", say("Averaging sees"), shown, note, "answer", sees))
    return tuple(out)


def headline(model: CompositionModel) -> tuple[str, ...]:
    """What stands above the charts."""
    return "tightest", "shortcut" if model.equal else "keeps"


def sentences(model: CompositionModel) -> tuple[Sentence, ...]:
    """What the charts mean, the tightest bound first; then why chosen bounds say nothing."""
    found = [_tightest(model)]
    if not model.equal:
        found.append(keep_sentence(model))
    if "shortcut" in model.lab.bounds and (model.equal or zones(model) is not None):
        found.append(shortcut_sentence(model))
    if any(spend.sampled for spend in model.ledger.spends):
        found.append(_sampled())
    if model.answers > 1:
        found += fixed_sentences(model)
    found += [s for s in (crossings_sentence(model), numeric_sentence(model)) if s is not None]
    found += asked_sentences(model)
    found += [_attack(model), _mitigations(model), _group(model), _parallel(model)]
    found += [Sentence(f"refused_{key}", why) for key, why in refused(model).items()]
    guarantee = model.lab.mechanism.guarantee(UNIT)
    if model.equal and not guarantee.sound:  # of a list each is a problem of its own
        found.append(Sentence("promise", guarantee.note, "bad" if guarantee.violated else "warn"))
    return tuple(found)


def _tightest(model: CompositionModel) -> Sentence:
    best = tightest(model)
    values: dict[str, Num | Message] = {
        "k": Num(model.answers),
        "total": total_of(best.epsilon),
        "plain": total_of(by_adding(model)),
        "delta": Num(tightest_delta(model), 3, "up"),
    }
    if not best.counts:
        text = N_("If the promise held, {k} answers would cost ε = {total} and δ = {delta}.")
        return Sentence("tightest", Message(text, values), "bad")
    if model.answers == 1:
        text = N_("One such answer costs ε = {total} and δ = {delta}.")
        return Sentence("tightest", Message(text, values))
    if supposed(model):
        text = N_(
            "{k} answers cost ε = {total} at δ = {delta} ({bound}); adding up would say {plain}, "
            "if the promise held."
        )
        return Sentence("tightest", Message(text, values | {"bound": tightest_names(model)}))
    if not saves(model):
        text = N_(
            "{k} answers cost ε = {total} and δ = {delta}: nothing chosen here beats adding up."
        )
        return Sentence("tightest", Message(text, values))
    text = N_(
        "{k} answers cost ε = {total} at δ = {delta} by the tightest bound chosen ({bound}): "
        "{saved} less than adding up, which says {plain}."
    )
    less = by_less(best.epsilon, by_adding(model), 3)
    values |= {"bound": tightest_names(model), "saved": less}
    return Sentence("tightest", Message(text, values), "good")


def _sampled() -> Sentence:
    text = N_(
        "Of a sample everybody is with the chance that is written: on their own, with all of their "
        "rows, drawn anew for each answer. What that is worth holds while nobody learns who was "
        "drawn; averaging is shown by somebody who knows it of all others."
    )
    return Sentence("sampled", say(text))


def _attack(model: CompositionModel) -> Sentence:
    right, error = right_simulated(model)
    values = {
        "k": Num(count_asked(model)),
        "sd": Num(deviation(model)),
        "right": Num(right, 3, "down", percent=True),  # what is said of the bounds has more digits
        "error": Num(error, 2, "up", percent=True),
        "most": Num(promised(model), 4, "up", percent=True),
    }
    text = N_("Whoever averages {k} answers to one count errs by a standard deviation of {sd}.")
    told = Message(text, values)
    most = (
        say("the bounds let nobody be right more than {most} on average", most=values["most"])
        if promised(model) < NOTHING
        else say(
            "the bounds leave room for nearly all of them: {most} on average", most=values["most"]
        )
    )
    text = N_(
        "{told} In {right} ± {error} of the cases that tells whether one person is in it "
        "(simulated); {most}."
    )
    said = say(text, **{**values, "told": told, "most": most})
    tells = deviation(model) < model.data.contributions / 2
    return Sentence("attack", said, "warn" if tells else "plain")


def _mitigations(model: CompositionModel) -> Sentence:
    if not model.equal:
        text = N_(
            "Against averaging: give a repeated question its first answer again, which costs "
            "nothing more."
        )
        return Sentence("mitigations", say(text))
    text = N_(
        "Against it: give a repeated question its first answer again (free), refuse after {afford} "
        "answers, or spend at most ε = {each} on each of {k} by {mechanism} noise: ε = {budget} in "
        "all ({bound})."
    )
    (buyer, afford), (bound, each) = best_buyer(model), best_each(model)
    if afford >= model.answers:
        text = N_(
            "The budget of ε = {budget} covers the {k} answers: as they are it buys {afford}, and "
            "{k} by {mechanism} noise at ε = {each} each ({bound}). Against averaging: give a "
            "repeated question its first answer again (free)."
        )
    elif afford == 0:
        text = N_(
            "Against it: give a repeated question its first answer again (free), or spend at most "
            "ε = {each} on each of {k} by {mechanism} noise: ε = {budget} in all ({bound}). As "
            "they are, the budget does not buy one."
        )
        buyer = bound
    both = say("{one}; {other}", one=name_of(buyer), other=name_of(bound))
    said = say(
        text,
        afford=bought(model),
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
    found = group_promise(model)
    values: dict[str, Num | Message | int] = {
        "people": m,
        "total": Num(found.epsilon, 4, "up"),
        "delta": Num(found.delta, 3, "up"),
    }
    if hollow(found):
        text = N_(
            "The bounds leave next to nothing to a group of {people} people: a δ of {delta} at ε = "
            "{total}."
        )
        if found.epsilon > ENDLESS and found.delta < NOTHING:
            text = N_(
                "The bounds leave next to nothing to a group of {people} people: an ε of {total}, "
                "by which odds may grow more than 10³⁰⁰ times."
            )
        return Sentence("group", Message(text, values), "bad")
    text = N_(
        "A group of {people} people is promised ε = {total} with δ = {delta} (least δ there: "
        "{bound})."
    )
    if 0 < found.delta <= LEAST_DELTA:
        text = N_(
            "A group of {people} people is promised ε = {total} with a δ below 10⁻³⁰⁰ (least δ "
            "there: {bound})."
        )
    values["bound"] = short_of(found.bound or Sequential())
    return Sentence("group", Message(text, values), "plain" if found.delta == 0 else "warn")


def _parallel(model: CompositionModel) -> Sentence:
    replaced = model.lab.adjacency == REPLACE
    values: dict[str, Num] = {}
    if model.data.contributions > 1:
        values = {"m": Num(model.data.contributions)}
        text = N_(
            "Answers about disjoint parts add up too where a person’s {m} rows may lie in several: "
            "parts must share no person."
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
        epsilon, delta = in_parts(model)
        values = {"k": Num(model.answers), "total": Num(epsilon, 4, "up")}
        values |= {"delta": Num(delta, 3, "up")}
        text = (
            N_(
                "Asked of {k} disjoint parts instead, they would cost ε = {total} with δ = "
                "{delta}: who is replaced may leave one part and enter another."
            )
            if replaced
            else N_(
                "Asked of {k} disjoint parts instead, they would cost ε = {total} with δ = "
                "{delta}: each person is in one of them only."
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
