"""Sentences and facts of one count by whom its people trust."""

import math
from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.nobody.owners import trust
from dpstudio.labs.nobody.owners.model import OwnersModel
from dpstudio.values.messages import N_, Message, Num, say


def trust_facts(model: OwnersModel) -> Iterator[Fact]:
    """The errors at the ends, and with a shuffler."""
    errors = trust.at_hand(model)
    for key, label, way in (
        ("central", say("One trusted curator"), "central"),
        ("shuffled", say("Shuffled coins"), "shuffled"),
        ("local", say("Nobody trusted"), "local"),
    ):
        text = say("± {e}", e=Num(errors[way], 3, "up"))
        yield Fact(key, label, text, value=errors[way])
    coins = trust.epsilon0(model)[0]
    note = say("of each report, with a shuffler")
    yield Fact("coins", say("ε₀"), say("{e}", e=Num(coins, 3, "down")), note, value=coins)


def trust_sentences(model: OwnersModel) -> Iterator[Sentence]:
    """What trust is worth, how many people make up for it, and where the theorem holds."""
    errors, asked = trust.at_hand(model), trust.asked_of(model)
    text = N_("A count of {n} errs by {one} with a trusted curator, {other} without.")
    values = {
        "n": Num(asked.people),
        "one": Num(errors["central"], 3, "up"),
        "other": Num(errors["local"], 3, "up"),
        "times": Num(trust.times(model), 3),
    }
    yield Sentence("worth", Message(text, values))
    text = N_("Where nobody is trusted it errs {times} times as much at the same ε.")
    yield Sentence("times", Message(text, values))
    coins, proved = trust.epsilon0(model)
    text = N_(
        "With a shuffler each report by coins may spend ε₀ = {e} for ε = {epsilon} at δ = {delta}, "
        "and the count errs by {error}."
    )
    values = {
        "e": Num(coins, 3, "down"),
        "epsilon": Num(asked.epsilon, 5),
        "delta": Num(asked.delta),
        "error": Num(errors["shuffled"], 3, "up"),
    }
    yield Sentence("shuffled", Message(text, values))
    yield _theorem(model, proved)
    yield _enough(model)
    text = N_(
        "Noise in parts is safe from {c} of {n} {n:person who colludes|people who collude}: gamma "
        "and Laplace parts err by {gamma}, Gaussian ones by {gaussian}."
    )
    values = {
        "c": Num(trust.colluders(model)),
        "n": Num(asked.people),
        "gamma": Num(errors["gamma"], 3, "up"),
        "gaussian": Num(errors["gaussian"], 3, "up"),
    }
    yield Sentence("parts", Message(text, values))
    yield _efficient(model)
    text = N_("Laplace parts have one factor √B in common: who knows it knows how small they are.")
    yield Sentence("factor", say(text), "warn")
    text = N_(
        "Coins promise it to each person alone; a shuffler, and whoever adds parts, must not join "
        "the collector."
    )
    yield Sentence("trusted", say(text))


def _efficient(model: OwnersModel) -> Sentence:
    """What a text says of Laplace parts, and what is so."""
    sent = {way: trust.sends(model, way)[1] for way in ("laplace", "gamma")}
    text = N_(
        "A text calls Laplace parts more efficient, and their noise smaller. They err as gamma "
        "parts do and send twice as many bits, {laplace} for {gamma}."
    )
    values = {way: Num(bits) for way, bits in sent.items()}
    return Sentence("efficient", Message(text, values))


def _theorem(model: OwnersModel, proved: float) -> Sentence:
    """Where the theorem for any protocol holds, and what it gives."""
    if math.isnan(proved):
        text = N_(
            "For any protocol nothing is proved of so few people: the theorem needs more than "
            "16·ln(4/δ), from {n} on, and refuses here."
        )
        return Sentence("theorem", say(text, n=Num(trust.proved_from(model))), "warn")
    text = N_(
        "For any protocol Theorem 3.1 of Feldman, McMillan & Talwar (2021) allows ε₀ = {e}; it is "
        "proved up to ε₀ = {most} here, and its line is drawn where it allows more than ε."
    )
    most = Num(trust.ends_at(model), 3, "down")
    return Sentence("theorem", say(text, e=Num(proved, 3, "down"), most=most))


def _enough(model: OwnersModel) -> Sentence:
    asked = trust.asked_of(model)
    found = [trust.enough(model, way) for way in ("central", "local")]
    one, other = (
        each.said(
            lambda _, at: say("{n}", n=Num(at)),
            lambda one: say("{n}", n=Num(one)),  # before whom there is nobody
            lambda most: say("more than {n}", n=Num(most)),
        )
        for each in found
    )
    text = N_(
        "To err by {share} of the people it takes {one} with a trusted curator, {other} without."
    )
    told = say(text, share=Num(asked.below, 3, percent=True), one=one, other=other)
    return Sentence("enough", told, "warn" if any(each.at is None for each in found) else "plain")
