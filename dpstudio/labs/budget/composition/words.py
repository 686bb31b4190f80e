"""The composition lab's strip, sentences and table: the tightest bound, the texts' shortcut, the
attack and what helps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.labs.budget.composition.attack import UNIT
from dpstudio.labs.budget.composition.budget import keep_sentence, keep_table, times
from dpstudio.labs.budget.composition.charts import name_of
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.privacy.accounting import Accountant, Numeric
from dpstudio.values.messages import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.budget.composition.model import CompositionModel


# What these bounds say holds of the mechanism that is named, not of every one with its ε and δ.
OF_THE_NOISE = ("renyi", "gdp", "pld")


def facts(model: CompositionModel) -> tuple[Fact, ...]:
    """The strip: the tightest total, adding up, the texts' claim, what the budget buys, what
    averaging sees."""
    best = model.best
    out = [
        Fact("total", say("Total ε"), say("{total}", total=Num(best.epsilon, 4, "up")), name_of(best.bound), best.bound.ink,
             best.epsilon),
        Fact("plain", say("By adding up"), say("{total}", total=Num(model.plain, 4, "up")),
             say("δ = {delta}", delta=Num(model.own_delta, 3, "up")), "sequential", model.plain),
    ]  # fmt: skip
    if model.zones is not None:
        zone = model.zone
        ink = {"proved": "good", "true": "warn", "false": "bad"}[zone]
        stand = {
            "proved": N_("proved here"),
            "true": N_("true, not by its proof"),
            "false": N_("false here"),
        }[zone]
        out.append(
            Fact(
                "claimed",
                say("The texts' shortcut"),
                say("{total}", total=Num(model.claimed, 4)),
                Say(stand),
                ink,
                model.claimed,
            )
        )
    if model.equal:
        k = model.most_affordable
        note = say("answers within ε = {budget}", budget=Num(model.lab.budget, 4))
        out.append(Fact("afford", say("The budget buys"), say("{k}", k=Num(k)), note, value=k))
    elif model.kept:
        most = max(model.kept, key=lambda one: one.factor)
        note = say("unlocked ε, for {budget} in all", budget=Num(model.lab.budget, 4))
        out.append(
            Fact(
                "keeps",
                say("The budget leaves"),
                times(model, most),
                note,
                most.bound.ink,
                most.factor,
            )
        )
    deviation = model.deviation
    out.append(
        Fact(
            "deviation",
            say("Averaging sees"),
            say("±{sd}", sd=Num(deviation)),
            say("deviation of the mean"),
            "answer",
            deviation,
        )
    )
    return tuple(out)


def sentences(model: CompositionModel) -> tuple[Sentence, ...]:
    found = [_tightest(model)]
    if not model.equal:
        found.append(keep_sentence(model))
    if "shortcut" in model.lab.bounds and (model.equal or model.zones is not None):
        found.append(_shortcut(model))
    found += [s for s in (_crossings(model), _numeric(model)) if s is not None]
    found += [_attack(model), _mitigations(model), _group(model), _parallel(model)]
    found += [Sentence(f"refused_{key}", why) for key, why in model.refused.items()]
    guarantee = model.lab.mechanism.guarantee(UNIT)
    if model.equal and not guarantee.sound:
        found.append(Sentence("promise", guarantee.note, "bad" if guarantee.violated else "warn"))
    return tuple(found)


def _tightest(model: CompositionModel) -> Sentence:
    best = model.best
    values: dict[str, Num | Say] = {
        "k": Num(model.answers),
        "total": Num(best.epsilon, 4, "up"),
        "plain": Num(model.plain, 4, "up"),
    }
    values["delta"] = Num(
        model.delta if best.bound.key != "sequential" else model.own_delta, 3, "up"
    )
    if model.answers == 1:
        return Sentence(
            "tightest", say("One such answer costs ε = {total} and δ = {delta}.", **values)
        )
    if best.bound.key == "sequential" or best.epsilon >= model.plain * (1 - 1e-9):
        return Sentence(
            "tightest",
            say(
                "{k} answers cost ε = {total} and δ = {delta}: nothing chosen here beats adding up.",
                **values,
            ),
        )
    saved = 1 - best.epsilon / model.plain
    text = N_(
        "{k} answers cost ε = {total} at δ = {delta} by the tightest bound ({bound}): {saved} less "
        "than adding up, which says {plain}."
    )
    values |= {"bound": name_of(best.bound), "saved": Num(saved, 3, "down", percent=True)}
    return Sentence("tightest", Say(text, values), "good")


def _shortcut(model: CompositionModel) -> Sentence:
    """What the formula of the texts says, and whether that is so at this k."""
    if model.zones is None:
        return Sentence(
            "shortcut",
            say(
                "The texts' shortcut 2ε√(2k ln 1/δ′) is about equal answers with δ = 0: it says "
                "nothing here."
            ),
        )
    zones = model.zones
    values = {
        "claim": Num(model.claimed, 5), "proved": Num(zones.proved), "true": Num(zones.true), "first": Num(zones.true + 1),
        "after": Num(zones.proved + 1), "least": Num(model.optimum, 5, "up"), "plain": Num(model.plain, 5),
    }  # fmt: skip
    worse = model.claimed > model.plain
    if model.zone == "proved":
        text = (
            N_(
                "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: proved (through zCDP, up to k = "
                "{proved}), but above adding up, {plain}."
            )
            if worse
            else N_(
                "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: proved at this k (through zCDP, "
                "up to k = {proved})."
            )
        )
        return Sentence("shortcut", Say(text, values))
    if model.zone == "true":
        text = N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: true, but only the exact optimum "
            "shows it, from k = {after} to {true}."
        )
        return Sentence("shortcut", Say(text, values), "warn")
    text = N_(
        "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: false. Answers with this ε can cost "
        "{least}; it fails from k = {first} on."
    )
    return Sentence("shortcut", Say(text, values), "bad")


def _crossings(model: CompositionModel) -> Sentence | None:
    told: Say | None = None
    for key, k in model.crossings.items():
        bound = name_of(next(a for a in model.bounds if a.key == key))
        one = (
            say("{bound} never", bound=bound)
            if k is None
            else say("{bound} from k = {k} on", bound=bound, k=Num(k))
        )
        told = one if told is None else say("{told}, {one}", told=told, one=one)
    return (
        None
        if told is None
        else Sentence(
            "crossings", say("Below adding up (looked at up to k = 10,000): {told}.", told=told)
        )
    )


def _numeric(model: CompositionModel) -> Sentence | None:
    """The certified bracket of the numeric bound and its discretisation."""
    if not any(a.numeric for a in model.bounds):
        return None
    bound = Numeric()
    low, high = model.remember(
        "bracket", (model.ledger, model.delta), lambda: bound.bracket(model.ledger, model.delta)
    )
    if not math.isfinite(high):
        return None
    step = model.remember(
        "step", (model.ledger, model.delta), lambda: bound.step(model.ledger, model.delta)
    )
    text = N_(
        "For these very mechanisms the total ε lies between {low} and {high}: certified, in steps "
        "of {step} of privacy loss."
    )
    return Sentence(
        "numeric", say(text, low=Num(low, 5, "down"), high=Num(high, 5, "up"), step=Num(step))
    )


def _attack(model: CompositionModel) -> Sentence:
    found = model.attack
    at = int(np.argmin(np.abs(np.log(found.k / model.total_asked))))
    values = {
        "k": Num(model.total_asked), "sd": Num(model.deviation), "near": Num(found.k[at]), "right": Num(found.right[at], 3, percent=True),
        "most": Num(model.promised, 4, "up", percent=True),
    }  # fmt: skip
    told = say(
        "Whoever asks one count {k} times and averages errs by a standard deviation of {sd}.",
        **values,
    )
    right = N_(
        "{told} In {right} of the cases that tells whether one person is in it (simulated at k = "
        "{near}); {most}."
    )
    most = (
        say("the tightest bound lets nobody be right more than {most}", most=values["most"])
        if model.promised < 0.9995
        else say("the bounds rule nothing out any more")
    )
    tone = "warn" if model.deviation < 0.5 else "plain"
    return Sentence(
        "attack", say(right, told=told, right=values["right"], near=values["near"], most=most), tone
    )


def _mitigations(model: CompositionModel) -> Sentence:
    if not model.equal:
        return Sentence(
            "mitigations",
            say(
                "Against averaging: give a repeated question its first answer again, which costs "
                "nothing more."
            ),
        )
    each = model.best_each
    text = N_(
        "Against it: give a repeated question its first answer again (free), refuse after {afford} "
        "answers (ε = {budget} in all), "
        "or spend at most ε = {each} on each of {k}."
    )
    values = {
        "afford": Num(model.most_affordable), "budget": Num(model.lab.budget, 4), "each": Num(each, 3, "down"), "k": Num(model.answers)
    }  # fmt: skip
    return Sentence("mitigations", Say(text, values))


def _group(model: CompositionModel) -> Sentence:
    m = model.lab.people
    if m == 1:
        return Sentence("group", say("All this is about one person; a family shares more."))
    epsilon, delta = model.group(m)
    text = N_("A group of {people} people is promised ε = {total} with δ = {delta}.")
    if (
        delta >= 1
    ):  # the δ′ of a tighter bound is multiplied by e^((m−1)ε): adding up, which has none, is left
        epsilon, delta = model.group_by_adding(m)
        text = N_(
            "A group of {people} people is promised only what adding up gives: ε = {total} with δ "
            "= {delta}."
        )
    values = {"people": m, "total": Num(epsilon, 4, "up"), "delta": Num(delta, 3, "up")}
    if delta >= 1:
        return Sentence(
            "group",
            say("Nothing is promised to a group of {people} people: their δ is 1.", **values),
            "bad",
        )
    return Sentence("group", Say(text, values), "plain" if delta == 0 else "warn")


def _parallel(model: CompositionModel) -> Sentence:
    if model.data.contributions > 1:
        text = N_(
            "Answers about disjoint parts add up too where a person’s {m} rows may lie in several: "
            "parts must share no person."
        )
        return Sentence("parallel", say(text, m=Num(model.data.contributions)))
    replace = model.lab.adjacency == "replace"
    if model.equal:
        values = {
            "k": Num(model.answers),
            "total": Num(min(model.answers, 2 if replace else 1) * model.spend.epsilon, 4, "up"),
        }
        if model.answers == 1:
            return Sentence(
                "parallel",
                say("Ask about disjoint parts of the table, and their answers do not add up."),
            )
        text = (
            N_(
                "Asked of {k} disjoint parts instead, they would cost ε = {total}: who is replaced "
                "may leave one part and enter another."
            )
            if replace
            else N_(
                "Asked of {k} disjoint parts instead, they would cost ε = {total}: each person is "
                "in one of them only."
            )
        )
        return Sentence("parallel", Say(text, values))
    if not model.ledger.groups:
        return Sentence(
            "parallel",
            say(
                "Put brackets around answers about disjoint parts of the table: then only the "
                "largest counts."
            ),
        )
    if replace:
        return Sentence(
            "parallel",
            say(
                "Of the answers in brackets the two largest count: who is replaced may change "
                "parts."
            ),
        )
    return Sentence(
        "parallel",
        say("Of the answers in brackets only the largest counts: each person is in one part."),
    )


def tables(model: CompositionModel) -> tuple[Table, ...]:
    """Every chosen bound with what it says here, how loose it is and whether it holds."""
    rows: list[tuple[Say | Num, ...]] = [
        (
            name_of(v.bound),
            Num(v.epsilon, 5, "up"),
            Num(
                model.own_delta
                if v.bound.key in ("sequential", "parallel")
                else model.delta_for(v.bound),
                3,
                "up",
            ),
            say("× {loose}", loose=Num(v.loose, 4, "up")) if v.counts else Say("–"),
            _valid(model, v.bound.key, v.bound.approximate, v.epsilon),
            _first(v.bound),
        )
        for v in model.values
    ]
    rows += [
        (name_of(model.bound(key)), Say("–"), Say("–"), Say("–"), why, _first(model.bound(key)))
        for key, why in model.refused.items()
    ]
    heads = (
        say("bound"),
        say("total ε"),
        say("total δ"),
        say("how loose"),
        say("here"),
        say("source"),
    )
    names = ("bound", "epsilon", "delta", "loose", "valid", "source")
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    every = Table(
        "bounds",
        say("Every bound at k = {k}", k=Num(model.answers)),
        columns,
        shown=True,
        heads=heads,
    )
    return (every,) if model.equal else (every, keep_table(model))


def _first(bound: Accountant) -> Say:
    """The first of a bound's sources: all of them would make its row as high as the card."""
    return plain(bound.source.split(";")[0])


def _valid(model: CompositionModel, key: str, approximate: bool, epsilon: float) -> Say:
    if key == "shortcut" and model.zones is not None:
        return Say(
            {
                "proved": N_("proved through zCDP"),
                "true": N_("true, by the exact optimum"),
                "false": N_("false"),
            }[model.zone]
        )
    if key == "shortcut":
        return say("as printed, not proved here")
    if approximate:
        return say("approximate")
    if key == "group_privacy":
        return say("for {people} people", people=model.lab.people)
    if epsilon > model.plain * (1 + 1e-9):
        return say("worse than adding up")
    of_the_noise = key in OF_THE_NOISE or (key.startswith("zcdp") and model.own_delta > 0)
    return Say(N_("proved, for this noise") if of_the_noise else N_("proved"))
