"""What the composition lab says of its bounds: the texts' shortcut, where each falls below adding
up, what the numeric one proves, and where one ends."""

from collections.abc import Iterator

from dpstudio.labs.bound_names import name_of, short_of, total_of
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.many_answers.composition import certificate, curves, shortcut
from dpstudio.labs.many_answers.composition import model as composition
from dpstudio.labs.many_answers.composition.names import tightest_names
from dpstudio.labs.series_model import by_adding
from dpstudio.labs.winners import listed
from dpstudio.privacy.accounting import Shortcut, Zones
from dpstudio.values.messages import N_, Message, Num, say

STANDS = {
    "proved": ("good", N_("proved here")),
    "true": ("warn", N_("true, by the optimum alone")),
    "noise": ("warn", N_("true of this noise only")),
    "false": ("bad", N_("false here")),
}
SHORTCUT = {
    "proved": (
        "plain",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: proved at this k (by {by}, up to "
            "k = {proved})."
        ),
    ),
    "above": (
        "plain",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: proved (by {by}, up to k = "
            "{proved}), but above adding up, {plain}."
        ),
    ),
    "true": (
        "warn",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: true, but of all bounds on ε "
            "only the exact optimum shows it, from k = {after} to {true}."
        ),
    ),
    "noise": (
        "warn",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: false of answers with this ε, which "
            "can cost up to {least}, from k = {first} on. This noise costs no more than {total} "
            "({bound}), so here it holds."
        ),
    ),
    "false": (
        "bad",
        N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) says {claim}: false. Answers with this ε can cost "
            "up to {least}; it fails from k = {first} on."
        ),
    ),
}


def claimed_fact(model: composition.CompositionModel) -> Fact:
    """What the shortcut prints, and whether that is so."""
    ink, told = STANDS[shortcut.stand(model)]
    claim = shortcut.claimed(model)
    said = say("{total}", total=total_of(claim, Shortcut()))
    return Fact("claimed", say("The texts' shortcut"), said, Message(told), ink, claim)


def by_bound(model: composition.CompositionModel) -> Message:
    """The tightest bound, and which other ends before so many answers."""
    by = tightest_names(model)
    for bound in certificate.ended(model):
        text = N_("{by}; {bound} ends at k = {most}")
        by = say(text, by=by, bound=short_of(bound), most=Num(bound.most))
    return by


def crossing_sentence(model: composition.CompositionModel) -> Sentence | None:
    """From where on the texts' formula is below adding up, beside what the article says of it;
    None where the formula is not looked at."""
    if shortcut.zones(model) is None and shortcut.with_delta(model) is None:
        return None
    here, coded = shortcut.crossing(model)
    text = N_(
        "2ε√(2k ln 1/δ′) is below adding up from k = {here} on, whatever ε is. An article says "
        "“about 70”: from {coded} on with the δ′ of its code, {delta}."
    )
    values = {"here": Num(here), "coded": Num(coded), "delta": Num(shortcut.CODED_DELTA)}
    return Sentence("crossing", Message(text, values))


def _with_delta(model: composition.CompositionModel) -> Sentence | None:
    """What the texts print of answers of (ε, δ), and up to where that is proved."""
    found = shortcut.with_delta(model)
    if found is None:
        return None
    claim, delta, zones = found
    text = N_(
        "The texts' shortcut for answers of (ε, δ) says {claim} with kδ + δ′ = {delta}: proved up "
        "to k = {proved}, as for δ = 0."
    )
    values = {
        "claim": total_of(claim, Shortcut()),
        "delta": Num(delta, 3, "up"),
        "proved": _up_to(zones.proved, zones),
    }
    within = model.answers <= zones.proved
    return Sentence("shortcut", Message(text, values), "plain" if within else "warn")


def shortcut_sentence(model: composition.CompositionModel) -> Sentence:
    """What the formula of the texts says, and whether that is so at this k."""
    found = shortcut.zones(model)
    if found is None and (printed := _with_delta(model)):
        return printed
    if found is None:
        text = N_(
            "The texts' shortcut 2ε√(2k ln 1/δ′) is held against the bounds here only for equal "
            "answers that keep what they promise, with a δ′ above 0."
        )
        return Sentence("shortcut", say(text))
    values: dict[str, Num | Message] = {
        "claim": total_of(shortcut.claimed(model), Shortcut()),
        "by": name_of(found.by),
        "proved": _up_to(found.proved, found),
        "true": _up_to(found.true, found),
        "first": Num(found.true + 1),
        "after": Num(found.proved + 1),
        "least": total_of(shortcut.optimum(model)),
        "plain": total_of(by_adding(model)),
        "total": total_of(composition.tightest(model).epsilon),
        "bound": name_of(composition.tightest(model).bound),
    }
    worse = shortcut.zone(model) == "proved" and shortcut.claimed(model) > by_adding(model)
    tone, text = SHORTCUT["above" if worse else shortcut.stand(model)]
    return Sentence("shortcut", Message(text, values), tone)


def _up_to(k: int, found: Zones) -> Message:
    """The end of a zone; that of the search says so."""
    text = N_("{k}, where the search ended") if k == found.most else N_("{k}")
    return say(text, k=Num(k))


def crossings_sentence(model: composition.CompositionModel) -> Sentence | None:
    """From which k on each bound says less than adding up; None where none is drawn."""
    told: Message | None = None
    for key, k in curves.crossings(model).items():
        bound = name_of(composition.bound_of(model, key))
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


def fixed_sentences(model: composition.CompositionModel) -> Iterator[Sentence]:
    """What must be fixed before the first answer is seen, and which bounds allow noise that is
    chosen on the way."""
    text = N_(
        "Fix before the first answer is seen how many there are at most and the noise of each; "
        "what is asked may follow from answers."
    )
    yield Sentence("fixed", say(text))
    holds, fails = (
        [
            short_of(bound)
            for bound in composition.standing(model)
            if bool(bound.adaptive) == on_the_way
        ]
        for on_the_way in (True, False)
    )
    if holds and fails:
        text = N_(
            "Noise may be chosen on the way by {holds}, with budget and bound set beforehand; by "
            "{fails} that is not proved."
        )
    elif holds:
        text = N_(
            "Noise may be chosen on the way by {holds}, with budget and bound set beforehand."
        )
    else:
        text = N_("That noise may be chosen on the way is not proved by {fails}.")
    named = {"holds": holds, "fails": fails}
    if values := {key: listed(names) for key, names in named.items() if names}:
        yield Sentence("adaptive", Message(text, values))


def numeric_sentence(model: composition.CompositionModel) -> Sentence | None:
    """The certified bracket of the numeric bound and its discretisation; only its upper end where
    the losses are not those of the releases; or that it is still to come."""
    if certificate.awaited(model) and "pld" in model.lab.bounds:
        text = N_("The numeric bound is being worked out: it may still lower the total.")
        return Sentence("numeric", say(text))
    found = certificate.certified(model)
    if found is None:
        return None
    if not found.attained:
        text = N_(
            "What these releases lose is not known to the end: the numeric bound, {high}, is an "
            "upper bound and no more."
        )
    elif found.step:
        text = N_(
            "For counts by these very mechanisms, fixed beforehand, the total ε lies between {low} "
            "and {high}: "
            "certified, in steps of {step} of privacy loss."
        )
    else:
        text = N_(
            "For counts by these very mechanisms, fixed beforehand, the total ε lies between {low} "
            "and {high}: "
            "certified, loss by loss."
        )
    values = {
        "low": Num(found.low, 4, "down"),
        "high": Num(found.high, 4, "up"),
        "step": Num(found.step),
    }
    return Sentence("numeric", Message(text, values))
