"""The composition lab's strip and sentences: the tightest bound, the texts' shortcut, the attack
and what helps."""

from __future__ import annotations

from dpstudio.labs.budget.composition.attack import count_asked, deviation, promised, right_near
from dpstudio.labs.budget.composition.budget import best_each, best_kept, most_affordable
from dpstudio.labs.budget.composition.budget_words import keep_sentence
from dpstudio.labs.budget.composition.curves import crossings
from dpstudio.labs.budget.composition.model import (
    CompositionModel,
    bound_of,
    by_adding,
    certified,
    group_promise,
    in_parts,
    refused,
    saved,
    tightest,
    tightest_delta,
)
from dpstudio.labs.budget.composition.names import name_of, times
from dpstudio.labs.budget.composition.shortcut import claimed, optimum, zone, zones
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.privacy.accounting import REPLACE
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.values.messages import N_, Num, Say, say

STANDS = {
    "proved": ("good", N_("proved here")),
    "true": ("warn", N_("true, not by its proof")),
    "false": ("bad", N_("false here")),
}
SHORTCUT = {
    "proved": (
        "plain",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: proved at this k (through zCDP, "
            "up to k = {proved})."
        ),
    ),
    "above": (
        "plain",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: proved (through zCDP, up to k = "
            "{proved}), but above adding up, {plain}."
        ),
    ),
    "true": (
        "warn",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: true, but only the exact optimum "
            "shows it, from k = {after} to {true}."
        ),
    ),
    "false": (
        "bad",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: false. Answers with this ε can cost "
            "{least}; it fails from k = {first} on."
        ),
    ),
}


def facts(model: CompositionModel) -> tuple[Fact, ...]:
    """The strip: the tightest total, adding up, the texts' claim, what the budget buys, what
    averaging sees."""
    best, plain, sees = tightest(model), by_adding(model), deviation(model)
    budget = Num(model.lab.budget, 4)
    told = say("{total}", total=Num(best.epsilon, 4, "up"))
    added = say("{total}", total=Num(plain, 4, "up"))
    own = say("δ = {delta}", delta=Num(model.own_delta, 3, "up"))
    out = [
        Fact("total", say("Total ε"), told, name_of(best.bound), best.bound.ink, best.epsilon),
        Fact("plain", say("By adding up"), added, own, "sequential", plain),
    ]
    if zones(model) is not None:
        ink, stand = STANDS[zone(model)]
        claim = claimed(model)
        said = say("{total}", total=Num(claim, 4))
        out.append(Fact("claimed", say("The texts' shortcut"), said, Say(stand), ink, claim))
    most = best_kept(model)
    if model.equal:
        k = most_affordable(model)
        note = say("answers within ε = {budget}", budget=budget)
        out.append(Fact("afford", say("The budget buys"), say("{k}", k=Num(k)), note, value=k))
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
        found.append(_shortcut(model))
    found += [s for s in (_crossings(model), _numeric(model)) if s is not None]
    found += [_attack(model), _mitigations(model), _group(model), _parallel(model)]
    found += [Sentence(f"refused_{key}", why) for key, why in refused(model).items()]
    guarantee = model.lab.mechanism.guarantee(UNIT)
    if model.equal and not guarantee.sound:
        found.append(Sentence("promise", guarantee.note, "bad" if guarantee.violated else "warn"))
    return tuple(found)


def _tightest(model: CompositionModel) -> Sentence:
    best, less = tightest(model), saved(model)
    values: dict[str, Num | Say] = {
        "k": Num(model.answers),
        "total": Num(best.epsilon, 4, "up"),
        "plain": Num(by_adding(model), 4, "up"),
        "delta": Num(tightest_delta(model), 3, "up"),
    }
    if model.answers == 1:
        text = N_("One such answer costs ε = {total} and δ = {delta}.")
        return Sentence("tightest", Say(text, values))
    if not less:
        text = N_(
            "{k} answers cost ε = {total} and δ = {delta}: nothing chosen here beats adding up."
        )
        return Sentence("tightest", Say(text, values))
    text = N_(
        "{k} answers cost ε = {total} at δ = {delta} by the tightest bound ({bound}): {saved} less "
        "than adding up, which says {plain}."
    )
    values |= {"bound": name_of(best.bound), "saved": Num(less, 3, "down", percent=True)}
    return Sentence("tightest", Say(text, values), "good")


def _shortcut(model: CompositionModel) -> Sentence:
    """What the formula of the texts says, and whether that is so at this k."""
    found = zones(model)
    if found is None:
        text = N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) is about equal answers with δ = 0: it says "
            "nothing here."
        )
        return Sentence("shortcut", say(text))
    values = {
        "claim": Num(claimed(model), 5),
        "proved": Num(found.proved),
        "true": Num(found.true),
        "first": Num(found.true + 1),
        "after": Num(found.proved + 1),
        "least": Num(optimum(model), 5, "up"),
        "plain": Num(by_adding(model), 5),
    }
    worse = zone(model) == "proved" and claimed(model) > by_adding(model)
    tone, text = SHORTCUT["above" if worse else zone(model)]
    return Sentence("shortcut", Say(text, values), tone)


def _crossings(model: CompositionModel) -> Sentence | None:
    told: Say | None = None
    for key, k in crossings(model).items():
        bound = name_of(bound_of(model, key))
        one = (
            say("{bound} never", bound=bound)
            if k is None
            else say("{bound} from k = {k} on", bound=bound, k=Num(k))
        )
        told = one if told is None else say("{told}, {one}", told=told, one=one)
    if told is None:
        return None
    text = N_("Below adding up (looked at up to k = 10,000): {told}.")
    return Sentence("crossings", say(text, told=told))


def _numeric(model: CompositionModel) -> Sentence | None:
    """The certified bracket of the numeric bound and its discretisation."""
    found = certified(model)
    if found is None:
        return None
    low, high, step = found
    text = N_(
        "For these very mechanisms the total ε lies between {low} and {high}: certified, in steps "
        "of {step} of privacy loss."
    )
    values = {"low": Num(low, 5, "down"), "high": Num(high, 5, "up"), "step": Num(step)}
    return Sentence("numeric", Say(text, values))


def _attack(model: CompositionModel) -> Sentence:
    near, right = right_near(model)
    values = {
        "k": Num(count_asked(model)),
        "sd": Num(deviation(model)),
        "near": Num(near),
        "right": Num(right, 3, percent=True),
        "most": Num(promised(model), 4, "up", percent=True),
    }
    text = N_("Whoever asks one count {k} times and averages errs by a standard deviation of {sd}.")
    told = Say(text, values)
    most = (
        say("the tightest bound lets nobody be right more than {most}", most=values["most"])
        if promised(model) < 0.9995
        else say("the bounds rule nothing out any more")
    )
    text = N_(
        "{told} In {right} of the cases that tells whether one person is in it (simulated at k = "
        "{near}); {most}."
    )
    said = say(text, told=told, right=values["right"], near=values["near"], most=most)
    return Sentence("attack", said, "warn" if deviation(model) < 0.5 else "plain")


def _mitigations(model: CompositionModel) -> Sentence:
    if not model.equal:
        text = N_(
            "Against averaging: give a repeated question its first answer again, which costs "
            "nothing more."
        )
        return Sentence("mitigations", say(text))
    text = N_(
        "Against it: give a repeated question its first answer again (free), refuse after {afford} "
        "answers (ε = {budget} in all), "
        "or spend at most ε = {each} on each of {k}."
    )
    said = say(
        text,
        afford=Num(most_affordable(model)),
        budget=Num(model.lab.budget, 4),
        each=Num(best_each(model), 3, "down"),
        k=Num(model.answers),
    )
    return Sentence("mitigations", said)


def _group(model: CompositionModel) -> Sentence:
    m = model.lab.people
    if m == 1:
        return Sentence("group", say("All this is about one person; a family shares more."))
    epsilon, delta, added = group_promise(model)
    values = {"people": m, "total": Num(epsilon, 4, "up"), "delta": Num(delta, 3, "up")}
    if delta >= 1:
        text = N_("Nothing is promised to a group of {people} people: their δ is 1.")
        return Sentence("group", Say(text, values), "bad")
    text = (
        N_(
            "A group of {people} people is promised only what adding up gives: ε = {total} with δ "
            "= {delta}."
        )
        if added
        else N_("A group of {people} people is promised ε = {total} with δ = {delta}.")
    )
    return Sentence("group", Say(text, values), "plain" if delta == 0 else "warn")


def _parallel(model: CompositionModel) -> Sentence:
    replaced = model.lab.adjacency == REPLACE
    values: dict[str, Num] = {}
    if model.data.contributions > 1:
        values = {"m": Num(model.data.contributions)}
        text = N_(
            "Answers about disjoint parts add up too where a person’s {m} rows may lie in several: "
            "parts must share no person."
        )
    elif model.equal and model.answers == 1:
        text = N_("Ask about disjoint parts of the table, and their answers do not add up.")
    elif model.equal:
        values = {"k": Num(model.answers), "total": Num(in_parts(model), 4, "up")}
        text = (
            N_(
                "Asked of {k} disjoint parts instead, they would cost ε = {total}: who is replaced "
                "may leave one part and enter another."
            )
            if replaced
            else N_(
                "Asked of {k} disjoint parts instead, they would cost ε = {total}: each person is "
                "in one of them only."
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
    return Sentence("parallel", Say(text, values))
