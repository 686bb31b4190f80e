"""Guarantee's strip, sentences and tables: the risk in words, every number from the exact law, bounds rounded outward."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dpstudio.core.findings import Fact, Sentence, Table
from dpstudio.core.labs.guarantee_bounds import advantage_bound, lee_clifton, posterior, power_bound
from dpstudio.core.labs.kept import kept_sentences
from dpstudio.core.labs.sensitivity_words import MEASURED
from dpstudio.core.queries import ADD_REMOVE
from dpstudio.core.wording import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.core.labs.guarantee_scene import Scene

_DEEP = 1e-15


def sides(scene: Scene) -> tuple[Say, Say]:
    """Names of the two curves."""
    if scene.in_row:
        row = Num(scene.lab.row)
        return say(N_("with row {row}"), row=row), say(N_("without row {row}"), row=row)
    if scene.lab.adjacency == ADD_REMOVE:
        return Say(N_("with you")), Say(N_("without you"))
    return Say(N_("with your row")), Say(N_("with another row"))


def facts(scene: Scene) -> tuple[Fact, ...]:
    """The strip: how far the person moves the number, the largest loss, the advantage, the test, the belief."""
    pair, lab, epsilon, delta = scene.pair, scene.lab, scene.epsilon, scene.delta
    most, bound = advantage_bound(epsilon, delta), float(power_bound(lab.false_positives, epsilon, delta))
    loss = math.inf if pair.certain > 0 else pair.most
    note = say(N_("promised: {epsilon}"), epsilon=Num(epsilon, 5))
    if scene.beyond:
        note = say(N_("beyond ε: {beyond}"), beyond=_share(scene.beyond))
    after = float(posterior(lab.prior, epsilon))
    whose = say(N_("row {row}"), row=Num(lab.row)) if scene.in_row else Say(N_("worst case"))
    by_epsilon = N_("ε allows {most}") if not delta else N_("ε, δ allow {most}")
    sure = say(N_("but for {beyond}"), beyond=_share(scene.beyond)) if scene.beyond else Say(N_("whatever the answer"))
    ink = lab.mechanism.ink
    return (
        Fact("moved", Say(N_("One moves it by")), say("{x}", x=Num(abs(scene.seen.shift), 5)), whose, value=scene.seen.shift),
        Fact("loss", Say(N_("Largest loss")), say("{x}", x=Num(loss, 4, "up")), note, ink, _finite(loss)),
        Fact(
            "advantage",
            Say(N_("Advantage")),
            say("{x}", x=Num(pair.advantage, 3, percent=True)),
            say(by_epsilon, most=Num(most, 3, "up", percent=True)),
            ink,
            pair.advantage,
        ),
        Fact(
            "hits",
            say(N_("Found at {alpha}"), alpha=Num(lab.false_positives, 3, percent=True)),
            say("{x}", x=Num(scene.hits, 3, percent=True)),
            say(by_epsilon, most=Num(bound, 3, "up", percent=True)),
            ink,
            scene.hits,
        ),
        Fact(
            "posterior",
            say(N_("{prior} sure, then at most"), prior=Num(lab.prior, 4, percent=True)),
            say("{x}", x=Num(after, 3, "up", percent=True)),
            sure,
            "bad",
            after,
        ),
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _rare(value: float) -> Num:
    """A small probability, as a bound; what rounding made of nothing is nothing."""
    return Num(value if value > _DEEP else 0.0, 3, "up")


def sentences(scene: Scene, *, late: bool) -> tuple[Sentence, ...]:
    risks: tuple[Sentence, ...] = (_odds(scene), _certainty(scene), _test(scene), _advantage(scene), _people(scene))
    if scene.partial:
        # The answer holds more numbers, which tell more.
        risks = tuple(Sentence(s.key, say(N_("For this number alone: {told}"), told=s.say), s.tone) for s in risks)
    made = [*risks, _belief(scene), _looked_at(scene)]
    if scene.partial:
        made.append(_partial(scene))
    if late:
        made.append(_fates(scene))
    promise = scene.promise
    if not promise.sound:
        made.append(Sentence("promise", promise.note, "bad" if promise.violated else "warn"))
    lab = scene.lab
    made += kept_sentences(scene.data, lab.query, lab.adjacency, 0, show_truth=lab.show_truth)
    return tuple(made)


def _odds(scene: Scene) -> Sentence:
    """Nanayakkara et al. 2023: odds over possible answers, with the person in and without."""
    x, y = (Num(100 * share if 100 * share > 1e-13 else 0.0, 3) for share in scene.believing)
    values: dict[str, Any] = {"x": x, "y": y, "row": Num(scene.lab.row)}
    if scene.in_row and scene.data.person:
        text = N_(
            "Of 100 possible answers, {x} would lead an attacker to believe that the person of row {row} is in the table if so, {y} if not."
        )
    elif scene.in_row:
        text = N_(
            "Of 100 possible answers, {x} would lead an attacker to believe that row {row} is in the table if it is, {y} if it is not."
        )
    elif scene.lab.adjacency == ADD_REMOVE:
        text = N_(
            "Of 100 possible answers, {x} would lead an attacker to believe that you are in the table if you take part, {y} if you do not."
        )
    else:
        text = N_("Of 100 possible answers, {x} would lead an attacker to believe that your row is as it is if it is so, {y} if it is not.")
    return Sentence("odds", Say(text, values))


def _belief(scene: Scene) -> Sentence:
    text = N_("To believe is to be more than {threshold} sure after the answer, from {prior} sure before it.")
    values = {"threshold": Num(scene.lab.threshold, 4, percent=True), "prior": Num(scene.lab.prior, 4, percent=True)}
    return Sentence("belief", Say(text, values))


def _certainty(scene: Scene) -> Sentence:
    """The posterior for this prior: bounds by ε, with how many answers lie beyond where δ > 0."""
    prior, epsilon, beyond = scene.lab.prior, scene.epsilon, scene.beyond
    values: dict[str, Any] = {
        "prior": Num(prior, 4, percent=True),
        "high": Num(float(posterior(prior, epsilon)), 3, "up", percent=True),
        "low": Num(float(posterior(prior, -epsilon)), 3, "down", percent=True),
        "beyond": _rare(100 * beyond),
        "certain": _rare(100 * scene.pair.certain),
    }
    if scene.promise.violated:
        text = N_("The promise is broken here, so ε = {epsilon} bounds nothing: {beyond} of 100 answers go beyond it.")
        return Sentence("certainty", Say(text, {**values, "epsilon": Num(epsilon, 5)}), "bad")
    text = N_("No answer makes someone who was {prior} sure more than {high} sure, or less than {low} sure.")
    if scene.pair.certain > 0:
        text = N_("Someone who was {prior} sure ends between {low} and {high} sure, but in {certain} of 100 answers is told for certain.")
        return Sentence("certainty", Say(text, values), "warn")
    if beyond:
        text = N_("Someone who was {prior} sure ends at most {high} sure, but for {beyond} of 100 answers if you are in.")
    return Sentence("certainty", Say(text, values))


def _test(scene: Scene) -> Sentence:
    lab = scene.lab
    text = N_("A test with {alpha} false alarms finds at most {hits} of those who are in: no better one exists. ε and δ allow {most}.")
    values = {
        "alpha": Num(lab.false_positives, 3, percent=True),
        "hits": Num(scene.hits, 3, "up", percent=True),
        "most": Num(float(power_bound(lab.false_positives, scene.epsilon, scene.delta)), 3, "up", percent=True),
    }
    return Sentence("test", Say(text, values))


def _advantage(scene: Scene) -> Sentence:
    """Right guesses from even odds are (1 + advantage)/2."""
    found, most = scene.pair.advantage, advantage_bound(scene.epsilon, scene.delta)
    text = N_("At even odds the best attacker guesses right {right} of 100 times; ε and δ allow {most}, and no answer at all gives 50.")
    return Sentence("advantage", say(text, right=Num(50 * (1 + found), 4, "up"), most=Num(50 * (1 + most), 4, "up")))


def _people(scene: Scene) -> Sentence:
    """Lee & Clifton 2011: the posterior from a prior of 1/n."""
    n = scene.lab.people
    values = {
        "n": Num(n),
        "before": Num(1 / n, 3, percent=True),
        "after": Num(lee_clifton(scene.epsilon, n), 3, "up", percent=True),
        "beyond": _rare(100 * scene.beyond),
    }
    text = N_("Looking for one person among {n}, an attacker is right with {before} before and at most {after} after (Lee & Clifton 2011).")
    if scene.beyond:
        text = N_(
            "Looking for one person among {n}, an attacker is right with {before} before and at most {after} after (Lee & Clifton 2011), "
            "but for {beyond} of 100 answers."
        )
    return Sentence("people", Say(text, values))


def _looked_at(scene: Scene) -> Sentence:
    seen = scene.seen
    if not seen.shift:
        return Sentence("neighbour", say(N_("The row adds nothing to this answer, so the answer tells nothing of it.")), "good")
    values = {"what": seen.what, "by": Num(abs(seen.shift), 5)}
    if scene.in_row:
        values["most"] = Num(max(m.sizes(seen.place)[0] for m in scene.asked.moves if m.sizes(seen.place)), 5, "up")
        return Sentence(
            "neighbour", Say(N_("When {what}, this moves by {by}; the noise is made for a person who moves it by {most}."), values)
        )
    text = N_("The worst case: {what}. This moves by {by}.") if seen.reached else N_("A bound on every case: {what}. This moves by {by}.")
    return Sentence("neighbour", Say(text, values))


def _partial(scene: Scene) -> Sentence:
    """An answer of many numbers tells more than the one that is looked at."""
    whole, name = scene.release.guarantee, Say(MEASURED.get(scene.measurement.name, N_("answer")))
    values = {"name": name, "epsilon": Num(scene.epsilon, 5), "total": Num(whole.epsilon, 5), "moved": Num(scene.seen.moved)}
    text = N_("Only one number is looked at. This person moves {moved} of them at once, and all together may tell more, up to ε = {total}.")
    if len(scene.asked.measurements) > 1:
        text = N_(
            "Looked at alone: {name}, with ε = {epsilon}. This person moves {moved} numbers of an answer that costs ε = {total} in all."
        )
    return Sentence("partial", Say(text, values), "warn")


def _fates(scene: Scene) -> Sentence:
    (_, _, gauss), (_, _, leaky) = scene.fates
    epsilon = scene.epsilon
    values = {
        "gauss": _rare(gauss.above(epsilon, strictly=True)[0]),
        "twice": _rare(gauss.above(2 * epsilon, strictly=True)[0]),
        "leak": Num(1 / leaky.certain, 3, "down") if leaky.certain else Num(math.inf),
    }
    text = N_(
        "Same ε and δ: Gaussian noise passes ε with probability {gauss} and 2ε with {twice}; "
        "the catastrophe mechanism tells all, once in {leak} answers."
    )
    if not leaky.certain:
        text = N_("The row adds nothing, so Gaussian noise and the catastrophe mechanism alike tell nothing of it.")
    return Sentence("fates", Say(text, values))


def tables(scene: Scene, *, late: bool) -> tuple[Table, ...]:
    """The exact law against what (ε, δ) allows; and two mechanisms of one (ε, δ)."""
    return (_risk_table(scene), *((_fates_table(scene),) if late else ()))


def _risk_table(scene: Scene) -> Table:
    lab, pair, epsilon, delta = scene.lab, scene.pair, scene.epsilon, scene.delta
    most = math.inf if pair.certain > 0 else pair.most
    prior = lab.prior
    rows: tuple[tuple[Say, Num, Num], ...] = (
        (Say(N_("largest privacy loss")), Num(most, 4, "up"), Num(math.inf if delta else epsilon, 5)),
        (say(N_("δ at ε = {epsilon}"), epsilon=Num(epsilon, 5)), _rare(pair.delta(epsilon)), Num(delta, 3, "up")),
        (Say(N_("advantage: found less falsely accused")), _share(pair.advantage), _share(advantage_bound(epsilon, delta))),
        (
            say(N_("found at {alpha} false alarms"), alpha=Num(lab.false_positives, 3, percent=True)),
            _share(scene.hits),
            _share(float(power_bound(lab.false_positives, epsilon, delta))),
        ),
        (
            say(N_("surest after any answer, from {prior}"), prior=Num(prior, 4, percent=True)),
            _share(float(posterior(prior, most))),
            _share(float(posterior(prior, math.inf if delta else epsilon))),
        ),
        (
            say(N_("one person among {n}"), n=Num(lab.people)),
            _share(float(posterior(1 / lab.people, most))),
            _share(float(posterior(1 / lab.people, math.inf if delta else epsilon))),
        ),
    )
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(("quantity", "exact", "allowed")))
    heads = (Say(N_("At most")), Say(N_("this noise")), Say(N_("ε and δ allow")))
    return Table("risk", Say(N_("What an attacker can gain")), columns, shown=True, heads=heads, exact=scene.in_row)


def _share(value: float) -> Num:
    return Num(min(1.0, value), 3, "up", percent=True)


def _fates_table(scene: Scene) -> Table:
    epsilon = scene.epsilon
    rows = []
    for mechanism, law, pair in scene.fates:
        rows.append(
            (
                Say(mechanism.label),
                Num(mechanism.epsilon, 5),
                Num(mechanism.total_delta, 3, "up"),
                Num(math.sqrt(law.variance), 3, "up"),
                _rare(pair.above(epsilon * (1 + 1e-9), strictly=True)[0]),
                _rare(pair.above(2 * epsilon, strictly=True)[0]),
                _rare(pair.certain),
                _share(pair.advantage),
            )
        )
    names = ("mechanism", "epsilon", "delta", "deviation", "beyond", "twice", "certain", "advantage")
    heads = (
        Say(N_("Mechanism")), Say("ε"), Say("δ"), Say(N_("std deviation")), Say(N_("loss above ε")), Say(N_("above 2ε")),
        Say(N_("told for certain")), Say(N_("advantage")),
    )  # fmt: skip
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    return Table("equal", Say(N_("Same ε and δ")), columns, shown=True, heads=heads, exact=scene.in_row)
