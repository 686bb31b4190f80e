"""Local means' strip, sentences and table."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from dpstudio.labs.findings import Compared, Fact, Findings, Sentence, Table
from dpstudio.labs.local_curves import at_confidence, of_the_asked
from dpstudio.labs.nobody.local_means import errors as means_errors
from dpstudio.labs.nobody.local_means import model as local_means
from dpstudio.labs.nobody.local_means.surveys import half_width, seldom
from dpstudio.labs.simulated_answer import told
from dpstudio.labs.winners import factor, listed
from dpstudio.privacy.local.protocol import odds_factor
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: local_means.MeansModel) -> tuple[Fact, ...]:
    """The strip: the exact mean, one survey's, the error, the least error, a trusted collector's,
    and what is sent."""
    out = []
    if model.lab.show_truth:
        exact, label = local_means.truth(model), say("exact: not private")
        text = say("{x}", x=Num(exact, places(exact, means_errors.own_error(model))))
        out.append(Fact("truth", say("True mean"), text, label, "truth", exact))
    within = say(
        "{confidence}: ±{x}",
        confidence=at_confidence(model.lab.confidence),
        x=Num(half_width(model), 3, "up"),
    )
    out.append(Fact("answer", say("One survey"), Message(""), within, "answer"))
    own, name, ink = (
        means_errors.own_error(model),
        Message(means_errors.mine(model).protocol.label),
        model.protocol.ink,
    )
    out.append(Fact("error", name, _within(own), local_means.error_words(model), ink, own))
    winners = means_errors.standing(model)[0]
    if means_errors.mine(model) not in winners:
        least, ink = means_errors.errors(model)[winners[0].key], winners[0].protocol.ink
        out.append(Fact("best", _names(winners), _within(least), say("least here"), ink, least))
    trusted, bits = (
        means_errors.central(model, model.n),
        means_errors.mine(model).protocol.bits(model.d),
    )
    note, sent = say("were one trusted"), say("{bits} {bits:bit|bits}", bits=Num(bits, 3, "up"))
    return (
        *out,
        Fact("central", say("Central"), _within(trusted), note, value=trusted),
        Fact("bits", say("Each sends"), sent, value=bits),
    )


def compared(model: local_means.MeansModel) -> dict[str, Compared]:
    """The ± of each protocol, as it would be chosen."""
    errors = means_errors.errors(model)
    found = {r.protocol.key: _within(errors[r.key]) for r in means_errors.choices(model)}
    return {"protocol": Compared(local_means.error_words(model), found)}


def _names(rivals: Sequence[means_errors.Rival]) -> Message:
    return listed([rival.name for rival in rivals])


def _within(error: float) -> Message:
    return say("±{x}", x=Num(error, 3, "up"))


def places(value: float, error: float) -> int:
    """Significant digits that show `value` to a tenth of its error."""
    if value == 0 or error <= 0:
        return 4
    return int(
        min(12, max(3, math.floor(math.log10(abs(value))) - math.floor(math.log10(error)) + 2))
    )


def with_answer_fact(findings: Findings, value: float) -> Findings:
    """The strip with the estimate of one simulated survey in it."""
    digits = places(value, float(findings.fact("error").value))
    text, note = say("{x}", x=Num(value, digits)), findings.fact("answer").note
    return told(findings, value, text, note)


def sentences(model: local_means.MeansModel) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    return (
        *_winner(model),
        _central(model),
        _asked(model),
        *_clipped(model),
        _odds(model),
        _neighbours(model),
        *_crossings(model),
        *_several(model),
        _turn(model),
        *_seldom(model),
        *_hidden(model),
    )


def _winner(model: local_means.MeansModel) -> Iterator[Sentence]:
    """How far off the chosen one is, who errs least at this ε, and how many more people the chosen
    or the next one needs."""
    (best, *others), mine = means_errors.standing(model), means_errors.mine(model)
    least, own = means_errors.errors(model)[best[0].key], means_errors.own_error(model)
    values: dict[str, Any] = {
        "epsilon": Num(model.protocol.epsilon, 5),
        "best": _names(best),
        "least": Num(least, 3, "up"),
        "measure": local_means.error_words(model),
        "mine": mine.name,
        "own": Num(own, 3, "up"),
    }
    if mine not in best:
        values["times"] = factor(means_errors.more_people(own, least))
        text = N_("At ε = {epsilon} {mine} errs by ±{own} at {measure}.")
        yield Sentence("own", Message(text, values))
        text = N_("{best} errs least: ±{least}; {mine} would need {times} times as many people.")
        if best[1:]:
            text = N_(
                "{best} err alike and least: ±{least}; {mine} would need {times} times as many "
                "people."
            )
        yield Sentence("winner", Message(text, values))
        return
    text = N_("At ε = {epsilon} {best} errs least: ±{least} at {measure}.")
    if best[1:]:
        text = N_("At ε = {epsilon} {best} err alike and least: ±{least} at {measure}.")
    yield Sentence("winner", Message(text, values), "good")
    if others:
        far = means_errors.errors(model)[others[0][0].key]
        text, times = (
            N_("{second} would need {times} times as many people for that."),
            factor(means_errors.more_people(far, least)),
        )
        yield Sentence("rival", say(text, second=_names(others[0]), times=times))


def _central(model: local_means.MeansModel) -> Sentence:
    """What trusting nobody costs against one trusted collector at the same ε."""
    price = means_errors.price_of_trust(model)
    values = {
        "central": Num(means_errors.central(model, model.n), 3, "up"),
        "factor": Num(price, 3),
        "few": Num(means_errors.enough_people(model)),
        "n": Num(model.n),
        "times": Num(price, 3),
    }
    text = N_(
        "A trusted collector would err by ±{central} at the same ε, and needs {few:# person|# "
        "people} where {n} {n:person is|people are} asked here: {times} times as many, so that "
        "nobody has to be trusted."
    )
    if means_errors.enough(model) < 1:
        text = N_(
            "A trusted collector would err by ±{central} at the same ε, and by less with one "
            "person than this survey does with {n}."
        )
    elif values["few"].value >= model.n:
        text = N_(
            "A trusted collector would err by ±{central} at the same ε: {times} times less, and "
            "nobody has to be trusted here."
        )
    if price <= 1:
        text = N_(
            "Here noise on each report costs no more than Laplace noise on the mean: a trusted "
            "collector would err by ±{central}."
        )
    return Sentence("central", Message(text, values))


def _asked(model: local_means.MeansModel) -> Sentence:
    """Who is asked; how many is known to whoever collects."""
    text = N_(
        "{n} {n:person is|people are} asked, all with a value, each once; their number is no "
        "secret."
    )
    if model.lab.query.where and model.lab.more:
        text = N_(
            "{n} {n:person is|people are} asked, all who meet the condition and have every value, "
            "each once; that they are asked is no secret."
        )
    elif model.lab.query.where:
        text = N_(
            "{n} {n:person is|people are} asked, all who meet the condition and have a value, each "
            "once; that they are asked is no secret."
        )
    elif model.lab.more:
        text = N_(
            "{n} {n:person is|people are} asked, all who have every value, each once; that they "
            "are asked is no secret."
        )
    if model.n == 1:
        text = N_("Only one person is asked, once, and that is no secret.")
    return Sentence("asked", of_the_asked(say(text, n=Num(model.n))))


def _clipped(model: local_means.MeansModel) -> tuple[Sentence, ...]:
    if not model.lab.show_truth or not model.people.clipped:
        return ()
    share = Num(local_means.clipped_share(model), 3, percent=True)
    text = N_(
        "{share} of the values lie beyond the bounds and are sent as the bound: what is estimated "
        "is the mean of clipped values."
    )
    return (Sentence("clipped", say(text, share=share)),)


def _odds(model: local_means.MeansModel) -> Sentence:
    """What one report says about its sender."""
    epsilon = model.protocol.epsilon
    text = N_(
        "Whatever a person sends, it multiplies the odds between any two values by at most eᵋ = "
        "{factor}."
    )
    return Sentence("odds", say(text, factor=odds_factor(epsilon)))


def _neighbours(model: local_means.MeansModel) -> Sentence:
    """What ε protects, here and in the hands of the trusted collector."""
    text = N_(
        "ε covers any change of what one person holds, here and for the trusted collector, whose "
        "mean it moves by at most {delta}."
    )
    if model.d > 1:
        text = N_(
            "ε covers any change of the {d} {d:number|numbers} that one person holds, here and for "
            "the trusted collector, whose {d} {d:mean|means} it moves by at most {delta} in all, "
            "each on this column’s scale."
        )
    delta = Num(means_errors.sensitivity(model, model.n), 3, "up")
    return Sentence("neighbours", say(text, delta=delta, d=Num(model.d)))


def _seldom(model: local_means.MeansModel) -> tuple[Sentence, ...]:
    """Where the estimate is far from normal."""
    few = seldom(model)
    if few is None:
        return ()
    text = N_(
        "Of {n:# report|# reports} only {few} on average {few:says|say} nothing of their sender: "
        "so few leave the estimates far from a normal law."
    )
    if model.n == 1:
        text = N_("The law of one report alone is far from a normal one.")
    return (Sentence("seldom", say(text, n=Num(model.n), few=Num(few, 2)), "warn"),)


def _crossings(model: local_means.MeansModel) -> tuple[Sentence, ...]:
    """Where two protocols err alike."""
    found = []
    for i, (one, other, epsilon) in enumerate(means_errors.changes(model)):
        text = N_("{one} and {other} change places at ε = {epsilon}.")
        if means_errors.alike(model, one, other, epsilon):
            text = N_("{one} and {other} err alike at ε = {epsilon}.")
        words = say(text, one=one.name, other=other.name, epsilon=Num(epsilon, 5))
        found.append(Sentence(f"crossing_{i}", words))
    return tuple(found)


def _several(model: local_means.MeansModel) -> tuple[Sentence, ...]:
    """Whether to send every number or one of them."""
    if model.d == 1:
        return ()
    found = []
    for key in ("local_laplace", "duchi"):
        every, one = means_errors.two_ways(model, key)
        rival = next(r for r in means_errors.rivals(model) if r.key == key)
        text = N_(
            "{name}: sending all {d} {d:number|numbers} takes {times} times as many people as "
            "sending one drawn at random, with all of ε."
        )
        if every < one:
            text = N_(
                "{name}: at so large an ε sending one number drawn at random takes {times} times "
                "as many people as sending all {d}."
            )
        times = factor(means_errors.more_people(max(every, one), min(every, one)))
        words = say(text, name=Message(rival.protocol.label), d=Num(model.d), times=times)
        found.append(Sentence(f"several_{key}", words))
    return tuple(found)


def _turn(model: local_means.MeansModel) -> Sentence:
    """Which part of the hybrid speaks."""
    often, turn = means_errors.turned(model), Num(means_errors.turning(), 4)
    if not often:
        return Sentence("turn", say("Up to ε = {turn} hybrid is Duchi’s mechanism.", turn=turn))
    text = N_(
        "Hybrid is Duchi up to ε = {turn}; above that it is piecewise with probability {share} "
        "here."
    )
    share = Num(often, 3, "down", percent=True)
    return Sentence("turn", say(text, turn=turn, share=share))


def _hidden(model: local_means.MeansModel) -> tuple[Sentence, ...]:
    if model.lab.show_truth:
        return ()
    return (
        Sentence(
            "hidden", say("The exact answer is hidden, so errors are those of the worst values.")
        ),
    )


def tables(model: local_means.MeansModel) -> tuple[Table, ...]:
    """Every protocol at this ε: its error, how many people it needs beside the best, and what is
    sent."""
    least, trusted = min(means_errors.errors(model).values()), means_errors.central(model, model.n)
    rows: list[tuple[Any, ...]] = []
    for rival in means_errors.rivals(model):
        error = means_errors.errors(model)[rival.key]
        people = factor(means_errors.more_people(error, least))
        bits = Num(rival.protocol.bits(model.d), 3, "up")
        rows.append((rival.name, Num(error, 3, "up"), people, bits))
    # The error of a trusted collector falls as 1/n.
    rows.append((local_means.CENTRAL, Num(trusted, 3, "up"), Num(trusted / least, 2), Message("–")))
    names = ("protocol", "error", "people", "bits")
    heads = (say("protocol"), say("error"), say("people, best = 1"), say("bits sent"))
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    title = say("Protocols at ε = {epsilon}", epsilon=Num(model.protocol.epsilon, 5))
    exact = model.lab.show_truth
    return (Table("protocols", title, columns, shown=True, heads=heads, exact=exact),)
