"""Decide in plain words: strip, sentences, and the table of deployments."""

from collections.abc import Iterator, Sequence
from typing import Any

from dpstudio.labs import answer_model, answer_words
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.start.decide import model as decide
from dpstudio.labs.start.decide.model import DecideModel
from dpstudio.privacy.deployments import MODELS, UNITS, Deployment
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.privacy.queries.count import Count
from dpstudio.values.messages import N_, Message, Num, listed, plain, say

_WHY = {
    "todo": N_("the register is not sure"),
    "missing": N_("not stated"),
    "formula": N_("a formula, no number"),
    "denied": N_("its own text says otherwise"),
}
_ALL, _CERTAIN = 100, 0.999  # beyond which no bound says anything to anyone
# Fields of the register, as people call them.
_FIELDS = {
    "privacy_unit": N_("whom it protects"),
    "epsilon": N_("ε"),
    "delta": N_("δ"),
    "rho": N_("ρ"),
    "variant_name": N_("kind of promise"),
    "release_type": N_("how often it is released"),
    "data_product_type": N_("what is published"),
}


def facts(model: DecideModel) -> Iterator[Fact]:
    """A guess about a person, an answer, and how many others promise as little."""
    best = decide.right_on_average(model)
    told = say("{x} of 100", x=Num(best, 3, "up"))
    yield Fact("right", say("right on average, by the best attacker"), told, value=best)
    width = answer_model.half_width(model.answer)
    text = say("±{x}", x=Num(width, 3, "up"))
    label = say("{kept} of 100 answers keep within", kept=_kept(model))
    if model.answer.asked.vector:
        part = answer_words.named_part(model.answer)["part"]
        label = say("{kept} of 100 answers for “{part}” keep within", kept=_kept(model), part=part)
    yield Fact("within", label, text, _in(model), value=width)
    if model.register:
        below, count = decide.reach_of(model)
        text = say("{k} of {n}", k=Num(below), n=Num(count))
        yield Fact("others", say("deployments stay at or below this ε"), text, value=below)


def _kept(model: DecideModel) -> Num:
    return Num(decide.kept_of_100(model), 4, "down")


def _in(model: DecideModel) -> Message:
    """What the answer is of; where it may be told, the exact one."""
    if not model.lab.show_truth:
        return model.answer.asked.unit
    exact = Num(model.answer.reference, answer_words.digits_of(model.answer))
    return say("in {exact} · {unit}", exact=exact, unit=model.answer.asked.unit)


def sentences(model: DecideModel) -> Iterator[Sentence]:
    """What the dial does, to a person and to the answer."""
    most = Num(decide.right_at_most(model))
    text = N_("An even guess about you is right at most {most} times in 100.")
    if decide.right_at_most(model) == _ALL:
        text = N_("An even guess about you may be right nearly every time.")
    yield Sentence("guess", say(text, most=most))
    yield _speaking(model)
    yield _sure(model)
    best = Num(decide.right_on_average(model), 3, "up")
    text = N_(
        "Of 100 even guesses chance alone has {chance} right; after this answer the best "
        "attacker, who knows everybody else, has {best} right on average, and nobody more than "
        "{most}."
    )
    chance = Num(decide.hundred(model)[0])
    yield Sentence("best", say(text, chance=chance, best=best, most=most))
    yield _within(model)
    yield answer_words.sampling_sentence(model.answer)
    text = N_("Left: a guess about you stays a guess. Right: the answer comes closer to the truth.")
    yield Sentence("dial", Message(text))
    if model.lab.query.key == Count.key:  # of another question it is a formula: Explore has it
        yield answer_words.sensitivity_sentence(model.answer)
    if model.register:
        yield from _others(model)
    yield from answer_words.persons_sentences(model.answer)
    yield answer_words.simulated_sentence()


def _speaking(model: DecideModel) -> Sentence:
    """Nanayakkara et al. 2023: odds over possible answers."""
    so, not_so = decide.speaking(model)
    text = N_("Of 100 possible answers {so} speak for your being in if you are, {other} if not.")
    if model.lab.adjacency != ADD_REMOVE:
        text = N_("Of 100 possible answers {so} speak for your true value, {other} if it is not.")
    return Sentence("speaking", say(text, so=Num(so, 3), other=Num(not_so, 3)))


def _sure(model: DecideModel) -> Sentence:
    text = N_("Who is {before} sure that you are in is at most {sure} sure after any answer.")
    if model.lab.adjacency != ADD_REMOVE:
        text = N_(
            "Who is {before} sure of a value of yours is at most {sure} sure after any answer."
        )
    sure = decide.sure_at_most(model)
    if sure > _CERTAIN:
        text = N_("Who is {before} sure before may be all but certain after an answer.")
    before = Num(decide.EVEN, percent=True)
    return Sentence("sure", say(text, before=before, sure=Num(sure, 3, "up", percent=True)))


def _within(model: DecideModel) -> Sentence:
    width = Num(answer_model.half_width(model.answer), 3, "up")
    text = N_("{kept} of 100 answers {kept:is|are} within ±{width} of {whose} exact one.")
    if model.lab.show_truth:
        text = N_("{kept} of 100 answers {kept:is|are} within ±{width} of {whose} {exact}.")
    exact = Num(model.answer.reference, answer_words.digits_of(model.answer))
    whose = answer_words.whose(model.answer)
    told = say(text, kept=_kept(model), width=width, exact=exact, whose=whose)
    if model.answer.asked.vector:
        told = say("For “{part}” {told}", told=told, **answer_words.named_part(model.answer))
    return Sentence("within", told)


def _others(model: DecideModel) -> Iterator[Sentence]:
    """What the register is, and is not."""
    found = decide.apart(model)
    text = N_(
        "An ε says nothing without whom it protects, and over what time: it compares within a row "
        "at most. That others chose it does not make it enough."
    )
    yield Sentence("units", Message(text))
    text = N_(
        "Apart stand {drafts} {drafts:draft|drafts} and {silent} without a number: the table below "
        "has them."
    )
    told = say(text, drafts=Num(found.drafts), silent=Num(found.silent))
    yield Sentence("apart", told)
    text = N_("Of {all} records the register has approved {approved}; they may be wrong.")
    told = say(text, all=Num(found.all), approved=Num(found.approved))
    yield Sentence("approved", told)
    text = N_(
        "{n} of those drawn {n:is|are} grey: whom it protects or what it promises is open, or its "
        "own text says otherwise."
    )
    if found.doubtful:
        yield Sentence("doubtful", say(text, n=Num(found.doubtful)), "warn")


def tables(model: DecideModel) -> tuple[Table, ...]:
    """The whole register: whom it protects stands before what it promises."""
    rows = sorted(model.register, key=lambda one: (list(UNITS).index(one.protects), one.name))
    heads: dict[str, tuple[str, Sequence[Any]]] = {
        "protects": (N_("protects"), [Message(UNITS[one.protects]) for one in rows]),
        "unit": (N_("in its words"), [plain(one.unit or "–") for one in rows]),
        "epsilon": (N_("ε"), [_epsilon(one) for one in rows]),
        "delta": (N_("δ"), ["" if one.delta is None else Num(one.delta) for one in rows]),
        "name": (N_("deployment"), [plain(one.name) for one in rows]),
        "by": (N_("made by"), [listed(one.curators) for one in rows]),
        "year": (N_("year"), [plain(one.year) for one in rows]),
        "holds": (N_("who holds the rows"), [Message(MODELS[one.model]) for one in rows]),
        "status": (N_("status"), [plain(one.status) for one in rows]),
        "doubts": (N_("doubtful"), [_doubts(one) for one in rows]),
        "source": (N_("source"), [plain(one.source) for one in rows]),
    }
    columns = tuple((key, tuple(cells)) for key, (_, cells) in heads.items())
    words = tuple(Message(head) for head, _ in heads.values())
    title = say("Deployments")
    return (Table("deployments", title, columns, bool(rows), words),) if rows else ()


def _epsilon(one: Deployment) -> Message:
    """Its ε; where that is made of its ρ, that too."""
    if one.promised is None:
        return say("not stated")
    if one.converted:
        return say(
            "{epsilon} (ρ = {rho})", epsilon=Num(one.promised, 3, "up"), rho=Num(one.rho or 0.0, 5)
        )
    return say("{epsilon}", epsilon=Num(one.promised, 5))


def _doubts(one: Deployment) -> Message:
    """Every doubtful field and why."""
    told = Message("")
    for doubt in one.doubts:
        field, why = Message(_FIELDS[doubt.field]), Message(_WHY[doubt.why])
        each = say("{field}: {why}", field=field, why=why)
        told = say("{told}; {each}", told=told, each=each) if told.text else each
    return told
