"""Explore's strip, sentences and tables: every number computed, upper bounds rounded up."""

import math
from collections.abc import Iterator
from typing import Any

from dpstudio.labs import answer_model, answer_words
from dpstudio.labs.findings import Compared, Fact, Sentence, Table
from dpstudio.labs.one_answer.explore import costs as explore_costs
from dpstudio.labs.one_answer.explore import model as explore
from dpstudio.labs.supposed import supposing
from dpstudio.labs.winners import listed
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Message, Num, of_source, plain, say

_LISTED = 12  # parts that a sentence names; the table has more
_UNSEEN = 1e-9  # of the typical error: who is lifted so little is not told how much
# What a target needs of a vector: of each part against itself or all against one, all at once or
# one by one, met or not.
_NEEDED = {
    (False, False, True): N_("needs ε = {epsilon} for “{part}” alone — met"),
    (False, False, False): N_("needs ε = {epsilon} for “{part}” alone — not met"),
    (False, True, True): N_("needs ε = {epsilon} for all parts, each within “{part}”’s — met"),
    (False, True, False): N_("needs ε = {epsilon} for all parts, each within “{part}”’s — not met"),
    (True, False, True): N_("needs ε = {epsilon} for every part; “{part}” is hardest — met"),
    (True, False, False): N_("needs ε = {epsilon} for every part; “{part}” is hardest — not met"),
    (True, True, True): N_("needs ε = {epsilon} for all parts at once; “{part}” is hardest — met"),
    (True, True, False): N_(
        "needs ε = {epsilon} for all parts at once; “{part}” is hardest — not met"
    ),
}


def facts(model: explore.ExploreModel) -> Iterator[Fact]:
    """The strip: the exact answer, a simulated one, the typical error, the interval, the cost of k
    answers."""
    yield from answer_words.answer_facts(model.answer)
    accountant, cost = explore_costs.best(model)
    answers, delta = model.lab.answers, explore_costs.total_delta(model)
    label, note = say("One such answer costs"), Message(accountant.label)
    if answers > 1:
        label = say("{k} such {k:answer costs|answers cost}", k=Num(answers))
    if delta:
        note = say("at δ = {delta}, {bound}", delta=Num(delta, 3, "up"), bound=note)
    if math.isinf(cost):
        note = say("at δ = {delta}", delta=Num(delta, 3, "up"))
    elif explore_costs.if_kept(model):
        note = supposing(note)
    text = N_("ε ≤ {x}") if explore_costs.unrefined(model) else N_("ε = {x}")
    shown = say(text, x=Num(cost, 4, "up")) if math.isfinite(cost) else say("no promise")
    yield Fact("cost", label, shown, note, value=cost)


def sentences(model: explore.ExploreModel) -> Iterator[Sentence]:
    """What the pictures say, in words."""
    yield answer_words.truth_sentence(model.answer)
    yield _interval(model)
    yield answer_words.sampling_sentence(model.answer)
    yield _needed(model)
    yield from _needed_each(model)
    yield _cost(model)
    yield _crossing(model)
    yield _odds(model)
    yield answer_words.sensitivity_sentence(model.answer)
    promise = answer_words.promise_sentence(model.answer, "promise")
    if promise is not None:
        yield promise
    if model.lab.post_processing != "none":
        yield _bias(model)
    if model.lab.mechanism.key == "catastrophe":
        yield _leak(model)
    if model.lab.query.key == "covariance":
        # Where the texts' own way to do this is taken apart.
        text = N_(
            "The Wishart mechanism, which texts use for such matrices, is not private: see As "
            "printed."
        )
        yield Sentence("pointer", Message(text))
    yield from answer_words.persons_sentences(model.answer)
    yield answer_words.simulated_sentence()


def _interval(model: explore.ExploreModel) -> Sentence:
    text = (
        N_(
            "In {confidence} of releases every one of the {parts} {parts:part|parts} is within "
            "±{width} of {whose} exact value."
        )
        if model.answer.all_parts
        else N_("{confidence} of answers are within ±{width} of {whose} exact one.")
    )
    if model.lab.show_truth and len(model.answer.truth) == 1:
        text = N_("{confidence} of answers are within ±{width} of {whose} {exact}.")
        if model.answer.data.dropped:
            text = N_(
                "{confidence} of answers are within ±{width} of {exact}; {gone} of {rows:# row|# "
                "rows} {gone:goes|go}."
            )
    if model.lab.show_truth and answer_model.of_none(model.answer):
        text = N_("{confidence} of answers are within ±{width} of what stands for a mean of none.")
    if answer_model.raised_from_below(model.answer):
        text = N_(
            "{confidence} of answers are within ±{width} of {whose} exact one, before they "
            "are raised to 0."
        )
    values = {
        "confidence": Num(model.lab.confidence, 4, "down", percent=True),
        "width": Num(answer_model.half_width(model.answer), 3, "up"),
        "parts": len(model.answer.truth),
        "whose": answer_words.whose(model.answer),
        "exact": Num(model.answer.reference, answer_words.digits_of(model.answer)),
    }
    if model.lab.show_truth:
        values |= {"gone": Num(model.answer.data.dropped, 12)}
        values |= {"rows": Num(model.answer.data.whole.rows, 12)}
    told = Message(text, values)
    if model.answer.asked.vector and not model.answer.all_parts:
        # Of a mean by group the others' ± may be ten times as wide.
        told = say("For “{part}” {told}", told=told, **answer_words.named_part(model.answer))
    if explore_costs.guarantee(model).violated:  # also where a page is presented, without its panel
        return Sentence("interval", say("{told} The promise is broken.", told=told), "bad")
    return Sentence("interval", told)


def _needed(model: explore.ExploreModel) -> Sentence:
    """The ε that the target needs, of which part, and whether it is met."""
    labels, found = model.answer.asked.labels, explore.epsilon_needed(model)
    if found is None:
        text = N_("A share of 0 is 0: set the target in units instead of %.")
        if explore.of_each(model):
            text = N_("“{part}” is 0, and a share of 0 is 0: set the target in units instead of %.")
        part = plain(labels[explore.empty_part(model) or 0]) if labels else ""
        return Sentence("needed", say(text, part=part), "warn")
    part = plain(labels[explore.needed(model)[1]]) if labels else Message("")
    text = (
        N_("needs ε = {epsilon} — met")
        if explore.met(model)
        else N_("needs ε = {epsilon} — not met")
    )
    if labels:
        text = _NEEDED[explore.of_each(model), model.answer.all_parts, explore.met(model)]
    good = explore.met(model) and not explore_costs.guarantee(model).violated
    target = explore.target_text(model)
    told = found.said(
        lambda _, at: say(text, epsilon=Num(at, 3, "up"), part=part),
        lambda least: say(
            "every ε looked at, from {least} on, comes within ±{target} — met",
            least=Num(least, 3, "up"),
            target=target,
        ),
        lambda most: say(
            "No ε up to {most} comes within ±{target}.", most=Num(most, 3, "down"), target=target
        ),
    )
    if explore.of_each(model) and model.answer.all_parts:
        told = say("{told} (simulated)", **{**told.values, "told": told})
    if found.at is not None and found.at > EPSILON.high:
        tries = N_("{told}. Here ε ends at {most}: try a wider target.")
        if model.lab.clipped:
            tries = N_("{told}. Here ε ends at {most}: try narrower bounds, or a wider target.")
        told = say(tries, **{**told.values, "told": told}, most=Num(EPSILON.high))
    return Sentence("needed", told, "good" if good else "warn")


def _needed_each(model: explore.ExploreModel) -> Iterator[Sentence]:
    """The ε of each part alone by its name, the hardest first, where they are few."""
    least = explore.needed_by_part(model) if model.lab.show_truth else ()
    found = [(each, name) for each, name in zip(least, model.answer.asked.labels, strict=False)
             if each is not None]  # fmt: skip
    if 1 < len(found) == len(least) <= _LISTED:
        found.sort(key=lambda one: -one[0])
        told = [say("{part} {e}", part=plain(name), e=Num(each, 3, "up")) for each, name in found]
        target = explore.target_text(model)
        text = N_("ε for ±{target} of each alone: {parts}")
        yield Sentence("needed_each", say(text, target=target, parts=listed(told)))


def _cost(model: explore.ExploreModel) -> Sentence:
    accountant, cost = explore_costs.best(model)
    values: dict[str, Any] = {
        "k": Num(model.lab.answers),
        "total": Num(cost, 4, "up"),
        "delta": Num(explore_costs.total_delta(model), 3, "up"),
        "bound": Message(accountant.label),
    }
    if model.lab.answers == 1:
        text = N_("One such answer costs ε = {total} and δ = {delta}.")
    elif explore_costs.total_delta(model) >= 1:
        text = N_(
            "{k} such {k:answer has|answers have} a δ of 1 in all, which promises nothing. Take "
            "fewer answers, or a smaller δ."
        )
        return Sentence("cost", Message(text, values), "bad")
    elif accountant.key == "sequential":
        text = N_(
            "{k} such {k:answer costs|answers cost} ε = {total} and δ = {delta}: no bound here is "
            "visibly below adding up."
        )
    else:
        epsilon, delta = explore_costs.added_up(model)
        values |= {"plain": Num(epsilon, 4, "up"), "plain_delta": Num(delta, 3, "up")}
        text = N_(
            "{k} such {k:answer costs|answers cost} ε = {total} and δ = {delta} by {bound}; adding "
            "up gives ε = {plain} with δ = {plain_delta}."
        )
        if explore_costs.supposes(model, explore_costs.accountants(model)[0]):
            text = N_(
                "{k} such {k:answer costs|answers cost} ε = {total} and δ = {delta} by {bound}; "
                "adding up would give ε = {plain} with δ = {plain_delta}, if the promise held."
            )
    told = Message(text, values)
    if explore_costs.if_kept(model):
        told = say("If the promise held: {cost}", cost=told)
    if explore_costs.unrefined(model):
        text = N_("{cost} The numeric bound is being worked out: it may still lower this.")
        told = Message(text, {**values, "cost": told})
    return Sentence("cost", told)


def _crossing(model: explore.ExploreModel) -> Sentence:
    """From which number of answers on advanced composition is worth it."""
    drv, tanh = explore_costs.crossings(model).values()
    if drv and tanh:
        text = N_(
            "At the price of δ′ advanced composition beats adding up from k = {drv} on (bound "
            "of 2010), its tanh form from k = {tanh} on."
        )
    elif tanh:
        text = N_(
            "At the price of δ′ the tanh form beats adding up from k = {tanh} on; the bound "
            "of 2010 does not (up to 10,000)."
        )
    else:
        text = N_("Neither the bound of 2010 nor the tanh form beats adding up (up to k = 10,000).")
    told = say(text, drv=drv, tanh=tanh)
    if explore_costs.supposes(model, explore_costs.accountants(model)[0]):
        told = say("If the promise held: {cost}", cost=told)
    return Sentence("crossover", told)


def _odds(model: explore.ExploreModel) -> Sentence:
    """The risk in words: what the best attack on this answer gains, and what the promise allows."""
    text = (
        N_(
            "Of 100 people whose presence is an even guess, the best attacker gets on average "
            "{best} right after this answer, and at most {right} {by} (50 before)."
        )
        if model.lab.adjacency == ADD_REMOVE
        else N_(
            "Of 100 people with one of two values at even odds, the best attacker gets on average "
            "{best} right after this answer, and at most {right} {by} (50 before)."
        )
    )
    best, right = (
        Num(found(model), 4, "up")
        for found in (explore_costs.best_of_100, explore_costs.right_of_100)
    )
    broken = model.answer.release.guarantee.violated
    by = say("if the promise held") if broken else say("by the promise alone")
    return Sentence("odds", say(text, best=best, right=right, by=by))


def _bias(model: explore.ExploreModel) -> Sentence:
    """What working on the answer afterwards costs: clamping lifts it."""
    by, law = answer_model.bias(model.answer), answer_model.part_law(model.answer)
    if by <= _UNSEEN * law.mean_abs:
        text = N_("Post-processing costs no privacy, and here it does not bias the answer.")
        if by:
            text = N_(
                "Post-processing costs no privacy, and it biases this answer by less than a "
                "billionth of its typical error."
            )
        elif model.answer.release.how == "simulation":
            text = N_("Post-processing costs no privacy, and moved none of the simulated answers.")
        return Sentence("bias", Message(text))
    text = N_("Post-processing costs no privacy, but it biases this answer by {bias} on average.")
    told = say(text, bias=Num(by, 3, sign=True))
    return Sentence("bias", told, "warn")


def _leak(model: explore.ExploreModel) -> Sentence:
    """The catastrophe mechanism publishes the truth now and then."""
    text = (
        N_(
            "With {k} such {k:answer|answers} at least one is the plain truth with probability "
            "{chance}."
        )
        if len(model.answer.asked.measurements) == 1
        else N_(
            "With {k} such {k:answer|answers} at least one has an exact number in it with "
            "probability {chance}."
        )
    )
    chance = Num(explore_costs.chance_of_leak(model), 3, "up")
    return Sentence("leak", say(text, k=Num(model.lab.answers), chance=chance), "warn")


def compared(model: explore.ExploreModel) -> dict[str, Compared]:
    """The error of each mechanism, as the trade of error against ε has it."""
    errors, lab = answer_model.errors_of_all(model.answer), model.lab
    text = N_("±{error}") if lab.measure == "half_width" else N_("{error}")
    what = {
        "half_width": say(
            "{confidence} of errors are within ± this",
            confidence=Num(lab.confidence, 4, "down", percent=True),
        ),
        "mean_abs": say("mean absolute error"),
        "rmse": say("root mean square error"),
    }[lab.measure]
    found = {key: say(text, error=Num(error, 3, "up")) for key, error in errors.items()}
    return {"mechanism": Compared(what, found)}


def tables(model: explore.ExploreModel) -> Iterator[Table]:
    """The cost of k answers by each bound and, for a histogram, each part."""
    answer, bounds = model.answer, explore_costs.accountants(model)
    broken = tuple(explore_costs.supposes(model, bound) for bound in bounds)
    yield Table(
        "bounds",
        say("Total ε by bound"),
        (
            ("bound", tuple(a.key for a in bounds)),
            ("epsilon", tuple(explore_costs.costs(model)[a.key] for a in bounds)),
            ("delta", tuple(explore_costs.delta_of(model, a) for a in bounds)),
            ("source", tuple(of_source(a.source) for a in bounds)),
            *((("if the promise held", broken),) if any(broken) else ()),
        ),
    )
    law = answer_model.part_law(answer)
    measures, found = ("mean_abs", "rmse", "half_width"), explore.epsilon_needed(model)
    errors = tuple(answer_model.error_of(answer, law, measure) for measure in measures)
    columns: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("quantity", (*measures, "epsilon_needed")),
        ("value", (*errors, None if found is None else found.at)),
    )
    yield Table("noise", say("The error law"), columns)
    if answer.asked.vector:
        shown = model.lab.show_truth
        exact = (("exact", tuple(map(float, answer.truth))),) if shown else ()
        simulated = ("simulated", tuple(map(float, answer_model.replays(answer)[0])))
        columns = (("part", tuple(answer.asked.labels)), *exact, simulated)
        yield Table("parts", say("Parts"), columns, exact=shown)
    least = explore.needed_by_part(model) if model.lab.show_truth else ()
    if least:
        title = say("ε for ±{target} of each", target=explore.target_text(model))
        needs = tuple(None if each is None else Num(each, 3, "up") for each in least)
        columns = (("part", tuple(answer.asked.labels)), ("epsilon_needed", needs))
        heads = (say("part"), say("ε of it alone"))
        yield Table("needed", title, columns, shown=True, heads=heads, exact=True)
