"""Guarantee's strip and sentences: the risk in words, every number from the exact law, bounds
rounded outward."""

import math
from typing import Any

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.persons import kept_sentences
from dpstudio.labs.promise.guarantee import asked_words, attack, attack_words, terms
from dpstudio.labs.promise.guarantee import loss as guarantee_loss
from dpstudio.labs.promise.guarantee import model as guarantee
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Message, Num, say

NAMING = {
    "pure": N_("Lee & Clifton 2011, who bound the belief after each answer"),
    "pure_two": N_(
        "Lee & Clifton 2011, who bound the belief after each answer; one there instead of another "
        "is two steps, so 2ε counts"
    ),
    "own": N_("with a δ this bound is our own, and says nothing of a single answer"),
    "own_two": N_(
        "with a δ this bound is our own, and says nothing of a single answer; one there instead of "
        "another is two steps"
    ),
    "absent": N_(
        "eᵋ/n + δ, our own, through the world without any of them: it bounds success, and no "
        "belief after a single answer"
    ),
    "law": N_("by the law of this noise, as the promise is broken; our own"),
}
_ALL = 0.99995  # rounded up, this is certain


def facts(model: guarantee.GuaranteeModel) -> tuple[Fact, ...]:
    """The strip: how far the person moves the number, the largest loss, the advantage, the test,
    the belief."""
    lab, ink = model.lab, model.lab.mechanism.ink
    allow = N_("ε, δ allow {most}") if model.delta else N_("ε allows {most}")
    if not model.promise.kept:
        allow = N_("{most}, if the promise held")
    gained, found, sure = (
        guarantee.whole_pair(model).advantage,
        attack.hits(model),
        attack.belief_after(model, model.epsilon),
    )
    return (
        _moved(model),
        _loss(model),
        Fact(
            "advantage",
            say("Advantage"),
            say("{x}", x=terms.share(gained)),
            say(allow, most=terms.share(attack.advantage_allowed(model))),
            ink,
            gained,
        ),
        Fact(
            "hits",
            say("Found at {alpha} alarms", alpha=Num(lab.false_positives, 3, percent=True)),
            say("{x}", x=terms.share(found)),
            say(allow, most=terms.share(attack.hits_allowed(model))),
            ink,
            found,
        ),
        Fact(
            "posterior",
            say("{prior} sure, then at most", prior=Num(lab.prior, 4, percent=True)),
            say("{x}", x=terms.share(sure)),
            say("but for {beyond}", beyond=terms.share(guarantee_loss.beyond(model)))
            if guarantee_loss.beyond(model)
            else say("whatever the answer"),
            "bad",
            sure,
        ),
    )


def _moved(model: guarantee.GuaranteeModel) -> Fact:
    whose = (
        say("row {row}", row=Num(model.lab.row)) if guarantee.in_row(model) else say("worst case")
    )
    shift, moved = guarantee.seen(model).shift, guarantee.seen(model).moved
    if moved > 1:
        whose = say("{moved} {moved:number moves|numbers move}", moved=Num(moved))
    text = say("{x}", x=Num(abs(shift), 5))
    return Fact("moved", say("One moves it by"), text, whose, value=shift)


def _loss(model: guarantee.GuaranteeModel) -> Fact:
    loss, ink = guarantee_loss.largest_loss(model), model.lab.mechanism.ink
    note = say("promised: {epsilon}", epsilon=Num(model.epsilon, 5))
    if guarantee_loss.beyond(model):
        note = say("beyond ε: {beyond}", beyond=terms.share(guarantee_loss.beyond(model)))
    text, finite = say("{x}", x=Num(loss, 4, "up")), loss if math.isfinite(loss) else None
    return Fact("loss", say("Largest loss"), text, note, ink, finite)


def sentences(model: guarantee.GuaranteeModel) -> tuple[Sentence, ...]:
    """What an attacker gains, in words; how it compares with Gaussian noise where that is drawn."""
    made = [
        _odds(model),
        _certainty(model),
        attack_words.best_test_sentence(model),
        asked_words.delta_sentence(model),
        attack_words.advantage_sentence(model),
        _people(model),
        _belief(model),
        _looked_at(model),
    ]
    if guarantee.partial(model):
        made.append(_partial(model))
    if model.late:
        made.append(_fates(model))
    promise = model.promise
    if not promise.sound:
        made.append(Sentence("promise", promise.note, "bad" if promise.violated else "warn"))
    lab = model.lab
    made += kept_sentences(model.data, lab.query, lab.adjacency, 0, show_truth=lab.show_truth)
    return tuple(made)


def _odds(model: guarantee.GuaranteeModel) -> Sentence:
    """Nanayakkara et al. 2023: odds over possible answers, with the person in and without."""
    x, y = map(_of_100, attack.believing(model), attack.believing_of_100(model))
    values: dict[str, Any] = {"x": x, "y": y, "row": Num(model.lab.row)}
    if guarantee.in_row(model) and model.data.person:
        text = N_("Of 100 answers {x} suggest the person of row {row} is in if so, {y} if not.")
    elif guarantee.in_row(model):
        text = N_("Of 100 answers {x} suggest row {row} is in if it is, {y} if not.")
    elif model.lab.adjacency == ADD_REMOVE:
        text = N_("Of 100 answers {x} suggest you are in if you are, {y} if not.")
    else:
        text = N_("Of 100 answers {x} suggest your row is as it is if so, {y} if not.")
    return Sentence("odds", Message(text, values))


def _of_100(part: float, answers: float) -> Num | Message:
    """So many of 100 answers; nobody reads a power of ten there."""
    if terms.DEEP < part < 1e-4:
        return say("fewer than 0.01")
    if 1 - 1e-4 < part < terms.WHOLE:
        return say("more than 99.99")
    return Num(answers if part > terms.DEEP else 0.0, 3)


def _belief(model: guarantee.GuaranteeModel) -> Sentence:
    """What it is to suggest something."""
    text = N_(
        "An answer suggests what an attacker, {prior} sure before it, is more than {threshold} "
        "sure of after it."
    )
    values = {
        "threshold": Num(model.lab.threshold, 4, percent=True),
        "prior": Num(model.lab.prior, 4, percent=True),
    }
    return Sentence("belief", Message(text, values))


def _certainty(model: guarantee.GuaranteeModel) -> Sentence:
    """The posterior for this prior: bounds by ε, with how many answers lie beyond where δ > 0."""
    epsilon, past, certain = (
        model.epsilon,
        guarantee_loss.beyond(model),
        guarantee.whole_pair(model).certain,
    )
    high = attack.belief_after(model, epsilon)
    values: dict[str, Any] = {
        "prior": Num(model.lab.prior, 4, percent=True),
        "high": terms.share(high),
        "low": Num(attack.belief_after(model, -epsilon), 3, "down", percent=True),
        "beyond": Num(guarantee_loss.beyond_of_100(model), 3, "up"),
        "certain": Num(guarantee_loss.certain_of_100(model), 3, "up"),
    }
    if model.promise.violated:
        text = N_(
            "The promise is broken here, so ε = {epsilon} bounds nothing: {beyond} of 100 answers "
            "{beyond:goes|go} beyond it."
        )
        return Sentence("certainty", Message(text, {**values, "epsilon": Num(epsilon, 5)}), "bad")
    text = N_(
        "No answer makes someone who was {prior} sure more than {high} sure, or less than {low} "
        "sure."
    )
    if certain > 0:
        text = N_(
            "Someone who was {prior} sure ends between {low} and {high} sure, but in {certain} of "
            "100 answers is told for certain."
        )
        return Sentence("certainty", Message(text, values), "warn")
    if not past and high > _ALL:
        text = N_(
            "An answer may make someone who was {prior} sure all but certain, either way: so large "
            "an ε bounds nothing of use."
        )
        return Sentence("certainty", Message(text, values), "warn")
    if past:
        text = N_(
            "Someone who was {prior} sure ends at most {high} sure, but for {beyond} of 100 "
            "answers at most."
        )
    return Sentence("certainty", Message(text, values))


def _people(model: guarantee.GuaranteeModel) -> Sentence:
    """Worlds in which one of n people is there, each as likely before; and whose bound it is."""
    n = model.lab.people
    before, after = (
        Num(attack.named_before(model), 3, percent=True),
        terms.share(attack.named_at_most(model)),
    )
    values: dict[str, Any] = {"n": Num(n), "before": before, "after": after}
    text = N_(
        "Looking for one person among {n}, an attacker is right with {before} before and, on "
        "average, at most {after} after ({why})."
    )
    return Sentence(
        "people", Message(text, {**values, "why": Message(NAMING[attack.naming_route(model)])})
    )


def _looked_at(model: guarantee.GuaranteeModel) -> Sentence:
    """Who is there or not, and how far they move the number drawn."""
    drawn = guarantee.seen(model)
    if not drawn.shift:
        return Sentence(
            "neighbour",
            say("The row adds nothing to this answer, so the answer tells nothing of it."),
            "good",
        )
    values = {"what": drawn.what, "by": Num(abs(drawn.shift), 5), "moved": Num(drawn.moved)}
    if guarantee.in_row(model):
        values["most"] = Num(guarantee.made_for(model), 5, "up")
        text = N_(
            "When {what}, this moves by {by}; the noise is made for a person who moves it by "
            "{most}."
        )
        if drawn.moved > 1:
            text = N_(
                "When {what}, {moved} {moved:number moves|numbers move}, the one drawn by {by}; "
                "the noise is made for a person who moves that by {most}."
            )
    elif drawn.moved > 1:
        text = N_(
            "The worst case: {what}. This moves {moved} {moved:number|numbers}, the one drawn by "
            "{by}."
        )
        if not drawn.reached:
            text = N_(
                "A bound on every case: {what}. This moves {moved} {moved:number|numbers}, the one "
                "drawn by {by}."
            )
    elif drawn.reached:
        text = N_("The worst case: {what}. This moves by {by}.")
    else:
        text = N_("A bound on every case: {what}. This moves by {by}.")
    return Sentence("neighbour", Message(text, values))


def _partial(model: guarantee.GuaranteeModel) -> Sentence:
    """Whoever reads an answer of many numbers reads all of them."""
    text, moved = (
        N_(
            "This person moves {moved} {moved:number|numbers} at once. Every risk here is that of "
            "all of them together; the first chart draws one: {drawn}."
        ),
        guarantee.seen(model).moved,
    )
    if moved == 1:
        text = N_(
            "The noise of all numbers hangs together. Every risk here is that of the whole answer; "
            "the first chart draws one number: {drawn}."
        )
    return Sentence("partial", say(text, moved=Num(moved), drawn=terms.number_drawn(model)))


def _fates(model: guarantee.GuaranteeModel) -> Sentence:
    """What becomes of one (ε, δ) under Gaussian noise and under the catastrophe mechanism."""
    (noise, _, gauss), (_, _, leaky) = guarantee_loss.fates(model)
    epsilon = model.epsilon
    values = {
        "epsilon": Num(epsilon, 5),
        "delta": Num(noise.total_delta, 3, "up"),
        "gauss": terms.passed(guarantee_loss.passing(gauss, epsilon)),
        "twice": terms.passed(guarantee_loss.passing(gauss, 2 * epsilon)),
        "leak": Num(guarantee_loss.answers_to_a_leak(model), 3, "down"),
    }
    text = N_(
        "At ε = {epsilon} and δ = {delta} Gaussian noise exceeds ε with probability {gauss} and 2ε "
        "with {twice}; the catastrophe mechanism tells all, once in {leak} {leak:answer|answers}."
    )
    if not leaky.certain:
        text = N_(
            "The row adds nothing, so Gaussian noise and the catastrophe mechanism alike tell "
            "nothing of it."
        )
    return Sentence("fates", Message(text, values))
