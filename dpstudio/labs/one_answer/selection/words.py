"""Selection's sentences: every number computed, upper bounds rounded up."""

import math
from collections.abc import Iterator

from dpstudio.labs.findings import Sentence
from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.one_answer.selection.chance_names import chance
from dpstudio.labs.one_answer.selection.curves import epsilon_needed, promised_loss
from dpstudio.labs.persons import kept_sentences
from dpstudio.labs.winners import by_less, level
from dpstudio.privacy.mechanisms.choosing import GUMBEL, Exponential, NoisyMax, PermuteFlip
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Message, Num, by_log, plain, say


def sentences(model: selection.SelectionModel) -> Iterator[Sentence]:
    """What the pictures say, in words."""
    simulated = say("Noise here is simulated for looking; it is not a private release.")
    if model.hidden:
        yield _promise(model)
        yield _answer(model)
    else:
        yield _named(model)
        yield _compare(model)
        yield _needed(model)
        yield _answer(model)
        yield _within(model)
        yield _promise(model)
    yield _never(model)
    yield Sentence("sensitivity", model.asked.why)
    yield _monotone(model)
    yield from _variant(model)
    yield _odds(model)
    if model.hidden:
        yield from _kept(model)
        yield Sentence("simulated", simulated)
    else:
        yield Sentence("simulated", simulated)
        yield from _kept(model)


def _answer(model: selection.SelectionModel) -> Sentence:
    """A simulated winner; where the exact scores are shown, the one that is played is put in."""
    asked = model.asked
    if model.hidden:
        label = plain(asked.labels[int(selection.unseen_winner(model)[0, 0])])
        return Sentence("answer", say("A simulated winner is {answer}.", answer=label))
    text = N_("The best is {best}; a simulated winner is {answer}.")
    if asked.metric:
        text = N_("The exact {named} is {best} on this grid; a simulated winner is {answer}.")
    if selection.tied(model):
        text = N_("{best} and others are equally good; a simulated winner is {answer}.")
    best = plain(asked.labels[asked.best])
    return Sentence("answer", say(text, best=best, answer="", **_name(model)))


def _kept(model: selection.SelectionModel) -> tuple[Sentence, ...]:
    """Typed scores come from no table, so none of its rows matter."""
    lab = model.lab
    return (
        ()
        if model.asked.typed
        else kept_sentences(model.data, lab.query, lab.adjacency, 0, show_truth=lab.show_truth)
    )


def _named(model: selection.SelectionModel) -> Sentence:
    """Who is the best, and how often the chosen mechanism names them."""
    asked, key = model.asked, model.lab.mechanism.key
    text = N_("{best}, the true winner, is named in {chance} of runs.")
    if asked.metric:
        text = N_("{best}, the exact {named} on this grid, is named in {chance} of runs.")
    if selection.tied(model):
        text = N_("{best} and others are equally good; one of them is named in {chance} of runs.")
    often = chance(selection.log_missed(model, key))
    best = plain(asked.labels[asked.best])
    return Sentence("named", say(text, best=best, chance=often, **_name(model)))


def _name(model: selection.SelectionModel) -> dict[str, Message]:
    """What the best one is called, where its distance counts."""
    return {"named": model.asked.named} if model.asked.metric else {}


def _compare(model: selection.SelectionModel) -> Sentence:
    """Which of the three loses least, and by how much."""
    (one, first), (two, second), (three, third) = selection.ranked(model)
    missed = max(selection.log_missed(model, m.key) for m in (one, two, three))
    if bool(selection.best_ones(model).all()):
        return Sentence(
            "compare",
            say("All candidates are equally good, so that no mechanism can lose anything."),
        )
    if missed < math.log(1e-4):
        text = N_(
            "All three choose the best almost surely: another wins with a probability of at most "
            "{missed}."
        )
        return Sentence("compare", say(text, missed=by_log(missed, 3, "up")), "good")
    if third <= first * 1.005:
        text = N_("The three are practically alike: each loses {loss} on average.")
        return Sentence("compare", say(text, loss=model.asked.units(Num(third, 3, "up"))))
    text = N_(
        "{first} loses least: {a} on average, against {b} with {second} and {c} with "
        "{third}, so {share} less than the last."
    )
    if level(first, second):
        text = N_(
            "{first} and {second} lose least: {a} on average, against {c} with {third}, so "
            "{share} less."
        )
    return Sentence(
        "compare",
        say(
            text,
            first=Message(one.label),
            second=Message(_WITHIN[two.label]),
            third=Message(_WITHIN[three.label]),
            a=model.asked.units(Num(first, 3, "up")),
            b=Num(second, 3, "up"),
            c=Num(third, 3, "up"),
            share=by_less(first, third),
        ),
    )


# The names of mechanisms inside a sentence.
_WITHIN = {
    Exponential.label: N_("the exponential mechanism"),
    NoisyMax.label: N_("noisy max"),
    PermuteFlip.label: N_("permute-and-flip"),
}


def _needed(model: selection.SelectionModel) -> Sentence:
    """The ε at which the best wins with the confidence."""
    found, lab = epsilon_needed(model), model.lab
    if found is None:
        return Sentence("needed", say("Any winner is a best one, whatever ε is."))
    if selection.blind_chance(model) >= lab.confidence:
        text = N_("Even a uniform draw takes the best with probability {confidence} or more.")
        return Sentence(
            "needed", say(text, confidence=Num(lab.confidence, 4, "down", percent=True))
        )
    met = found.at is not None and lab.mechanism.epsilon >= found.at * (1 - 1e-9)
    text = N_(
        "The best wins with probability {confidence} from ε = {epsilon} on, and so it does here."
    )
    missed = N_("The best wins with probability {confidence} from ε = {epsilon} on.")
    at = chance(selection.log_missed(model, lab.mechanism.key))
    confidence = Num(lab.confidence, 4, "down", percent=True)
    told = found.said(
        lambda _, epsilon: say(
            text if met else missed, confidence=confidence, epsilon=Num(epsilon, 3, "up")
        ),
        lambda least: say(
            "The best wins with probability {confidence} at every ε looked at, from {least} on.",
            confidence=confidence,
            least=Num(least, 3, "up"),
        ),
        lambda most: say(
            "At no ε up to {most} does the best win with probability {confidence}; here with "
            "{chance}.",
            confidence=confidence,
            most=Num(most, 3, "down"),
            chance=at,
        ),
    )
    return Sentence("needed", told, "good" if met else "warn")


def _within(model: selection.SelectionModel) -> Sentence:
    within = Num(selection.error_kept(model), 3, "up")
    confidence = Num(model.lab.confidence, 4, "down", percent=True)
    if model.asked.metric:
        text = N_("{confidence} of winners are within ±{w} of the exact {named}.")
        if selection.tied(model):
            text = N_("{confidence} of winners are within ±{w} of the nearest exact {named}.")
        return Sentence("interval", say(text, confidence=confidence, w=within, **_name(model)))
    text = N_("{confidence} of winners are short of the best by at most {w}.")
    if not within.value:
        text = N_("At least {confidence} of winners are the best.")
    return Sentence("interval", say(text, confidence=confidence, w=model.asked.units(within)))


def _promise(model: selection.SelectionModel) -> Sentence:
    """What holds for any scores."""
    if model.count == 1:
        return Sentence("promise", say("There is one candidate only, and it always wins."))
    text = N_(
        "Whatever the scores of {n} {n:candidate|candidates} are, {confidence} of winners are "
        "short of the best by at most {w}."
    )
    return Sentence(
        "promise",
        say(
            text,
            n=model.count,
            confidence=Num(model.lab.confidence, 4, "down", percent=True),
            w=model.asked.units(Num(promised_loss(model, model.lab.mechanism), 3, "up")),
        ),
    )


def _never(model: selection.SelectionModel) -> Sentence:
    text = N_(
        "Permute-and-flip never loses more than the exponential mechanism, and at best half as "
        "much (McKenna & Sheldon 2020)."
    )
    return Sentence("never", Message(text))


def _monotone(model: selection.SelectionModel) -> Sentence:
    """Which noise is used, and why it is enough."""
    if model.scores.monotone:
        text = N_(
            "Scores are monotone, so noise for ε/Δ is enough: the argument of Dwork & Roth 2014, "
            "Claim 3.9, holds for all three."
        )
    elif model.asked.scores.monotone:
        text = N_(
            "Noise is for ε/2Δ, though scores are monotone and ε/Δ would be proved: half of ε is "
            "left unused."
        )
    else:
        text = N_("Noise is for ε/2Δ: one person may raise one score and lower another.")
    return Sentence("monotone", Message(text))


def _variant(model: selection.SelectionModel) -> tuple[Sentence, ...]:
    mechanism = model.lab.mechanism
    return (
        (Sentence("variant", mechanism.remark()),)
        if isinstance(mechanism, NoisyMax) and mechanism.noise == GUMBEL
        else ()
    )


def _odds(model: selection.SelectionModel) -> Sentence:
    """The risk in words."""
    text = N_(
        "Of 100 people with one of two values at even odds, an attacker gets on average at most "
        "{right} right after this answer (50 before)."
    )
    if model.lab.adjacency == ADD_REMOVE:
        text = N_(
            "Of 100 people whose presence is an even guess, an attacker gets on average at most "
            "{right} right after this answer (50 before)."
        )
    return Sentence("odds", say(text, right=Num(selection.right_guesses(model))))
