"""Guarantee's strip, sentences and tables: the risk in words, every number from the exact law,
bounds rounded outward."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.persons import kept_sentences
from dpstudio.privacy.neighbours.attacker import advantage_bound, posterior, power_bound
from dpstudio.privacy.neighbours.pair import Pair
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.budget.guarantee.model import GuaranteeModel

_DEEP = 1e-15
_ALL = 0.99995  # rounded up, this is certain
_LEAST = 1e-30  # less than this is not told apart


def sides(model: GuaranteeModel) -> tuple[Say, Say]:
    """Names of the two curves."""
    if model.in_row:
        row = Num(model.lab.row)
        return say("with row {row}", row=row), say("without row {row}", row=row)
    if model.lab.adjacency == ADD_REMOVE:
        return say("with you"), say("without you")
    return say("with your row"), say("with another row")


def ifs(model: GuaranteeModel) -> tuple[Say, Say]:
    """The two cases in a few letters."""
    if model.lab.adjacency == ADD_REMOVE:
        return say("if in"), say("if not in")
    return say("if so"), say("if not")


def facts(model: GuaranteeModel) -> tuple[Fact, ...]:
    """The strip: how far the person moves the number, the largest loss, the advantage, the test,
    the belief."""
    pair, lab, epsilon, delta = model.pair, model.lab, model.epsilon, model.delta
    most, bound = (
        advantage_bound(epsilon, delta),
        float(power_bound(lab.false_positives, epsilon, delta)),
    )
    loss = math.inf if pair.certain > 0 else pair.most
    note = say("promised: {epsilon}", epsilon=Num(epsilon, 5))
    if model.beyond:
        note = say("beyond ε: {beyond}", beyond=_share(model.beyond))
    after = float(posterior(lab.prior, epsilon))
    whose = say("row {row}", row=Num(lab.row)) if model.in_row else say("worst case")
    by_epsilon = N_("ε allows {most}") if not delta else N_("ε, δ allow {most}")
    sure = (
        say("but for {beyond}", beyond=_share(model.beyond))
        if model.beyond
        else say("whatever the answer")
    )
    ink, moved = lab.mechanism.ink, model.seen.moved
    if moved > 1:
        whose = say("{moved} numbers move", moved=Num(moved))
    return (
        Fact(
            "moved",
            say("One moves it by"),
            say("{x}", x=Num(abs(model.seen.shift), 5)),
            whose,
            value=model.seen.shift,
        ),
        Fact(
            "loss", say("Largest loss"), say("{x}", x=Num(loss, 4, "up")), note, ink, _finite(loss)
        ),
        Fact(
            "advantage",
            say("Advantage"),
            say("{x}", x=Num(pair.advantage, 3, "up", percent=True)),
            say(by_epsilon, most=Num(most, 3, "up", percent=True)),
            ink,
            pair.advantage,
        ),
        Fact(
            "hits",
            say("Found at {alpha} alarms", alpha=Num(lab.false_positives, 3, percent=True)),
            say("{x}", x=Num(model.hits, 3, "up", percent=True)),
            say(by_epsilon, most=Num(bound, 3, "up", percent=True)),
            ink,
            model.hits,
        ),
        Fact(
            "posterior",
            say("{prior} sure, then at most", prior=Num(lab.prior, 4, percent=True)),
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


def _tail(pair: Pair, loss: float) -> Num:
    """P(ℓ > loss), as a bound: where losses have no end it is never nothing, however far out."""
    return Num(
        max(pair.above(loss, strictly=True)[0], _LEAST if math.isinf(pair.most) else 0.0), 3, "up"
    )


def sentences(model: GuaranteeModel, *, late: bool) -> tuple[Sentence, ...]:
    made = [
        _odds(model),
        _certainty(model),
        _test(model),
        _advantage(model),
        _people(model),
        _belief(model),
        _looked_at(model),
    ]
    if model.partial:
        made.append(_partial(model))
    if late:
        made.append(_fates(model))
    promise = model.promise
    if not promise.sound:
        made.append(Sentence("promise", promise.note, "bad" if promise.violated else "warn"))
    lab = model.lab
    made += kept_sentences(model.data, lab.query, lab.adjacency, 0, show_truth=lab.show_truth)
    return tuple(made)


def _odds(model: GuaranteeModel) -> Sentence:
    """Nanayakkara et al. 2023: odds over possible answers, with the person in and without."""
    x, y = (_of_100(share) for share in model.believing)
    values: dict[str, Any] = {"x": x, "y": y, "row": Num(model.lab.row)}
    if model.in_row and model.data.person:
        text = N_(
            "Of 100 possible answers, {x} would lead an attacker to believe the person of row "
            "{row} is in if so, {y} if not."
        )
    elif model.in_row:
        text = N_(
            "Of 100 possible answers, {x} would lead an attacker to believe row {row} is in the "
            "table if it is, {y} if it is not."
        )
    elif model.lab.adjacency == ADD_REMOVE:
        text = N_(
            "Of 100 possible answers, {x} would lead an attacker to believe you are in the table "
            "if you take part, {y} if you do not."
        )
    else:
        text = N_(
            "Of 100 possible answers, {x} would lead an attacker to believe your row is as it is "
            "if it is so, {y} if it is not."
        )
    return Sentence("odds", Say(text, values))


def _of_100(share: float) -> Num | Say:
    """So many of 100 answers; nobody reads a power of ten there."""
    if 1e-15 < share < 1e-4:
        return say("fewer than 0.01")
    if 1 - 1e-4 < share < 1:
        return say("more than 99.99")
    return Num(100 * share if share > 1e-15 else 0.0, 3)


def _belief(model: GuaranteeModel) -> Sentence:
    text = N_(
        "To believe is to be more than {threshold} sure after the answer, from {prior} sure before "
        "it."
    )
    values = {
        "threshold": Num(model.lab.threshold, 4, percent=True),
        "prior": Num(model.lab.prior, 4, percent=True),
    }
    return Sentence("belief", Say(text, values))


def _certainty(model: GuaranteeModel) -> Sentence:
    """The posterior for this prior: bounds by ε, with how many answers lie beyond where δ > 0."""
    prior, epsilon, beyond = model.lab.prior, model.epsilon, model.beyond
    values: dict[str, Any] = {
        "prior": Num(prior, 4, percent=True),
        "high": Num(float(posterior(prior, epsilon)), 3, "up", percent=True),
        "low": Num(float(posterior(prior, -epsilon)), 3, "down", percent=True),
        "beyond": Num(100 * beyond, 3, "up"),
        "certain": Num(100 * model.pair.certain, 3, "up"),
    }
    if model.promise.violated:
        text = N_(
            "The promise is broken here, so ε = {epsilon} bounds nothing: {beyond} of 100 answers "
            "go beyond it."
        )
        return Sentence("certainty", Say(text, {**values, "epsilon": Num(epsilon, 5)}), "bad")
    text = N_(
        "No answer makes someone who was {prior} sure more than {high} sure, or less than {low} "
        "sure."
    )
    if model.pair.certain > 0:
        text = N_(
            "Someone who was {prior} sure ends between {low} and {high} sure, but in {certain} of "
            "100 answers is told for certain."
        )
        return Sentence("certainty", Say(text, values), "warn")
    if not beyond and float(posterior(prior, epsilon)) > _ALL:
        text = N_(
            "An answer may make someone who was {prior} sure all but certain, either way: so large "
            "an ε bounds nothing of use."
        )
        return Sentence("certainty", Say(text, values), "warn")
    if beyond:
        text = N_(
            "Someone who was {prior} sure ends at most {high} sure, but for {beyond} of 100 "
            "answers at most."
        )
    return Sentence("certainty", Say(text, values))


def _test(model: GuaranteeModel) -> Sentence:
    lab = model.lab
    text = N_(
        "A test with {alpha} false alarms finds at most {hits} of those who are in: no better one "
        "exists. ε and δ allow {most}."
    )
    values = {
        "alpha": Num(lab.false_positives, 3, percent=True),
        "hits": Num(model.hits, 3, "up", percent=True),
        "most": Num(
            float(power_bound(lab.false_positives, model.epsilon, model.delta)),
            3,
            "up",
            percent=True,
        ),
    }
    return Sentence("test", Say(text, values))


def _advantage(model: GuaranteeModel) -> Sentence:
    """Right guesses from even odds are (1 + advantage)/2."""
    found, most = model.pair.advantage, advantage_bound(model.epsilon, model.delta)
    text = N_(
        "At even odds the best attacker guesses right {right} of 100 times; ε and δ allow {most}, "
        "and no answer at all gives 50."
    )
    return Sentence(
        "advantage",
        say(text, right=Num(50 * (1 + found), 4, "up"), most=Num(50 * (1 + most), 4, "up")),
    )


def _people(model: GuaranteeModel) -> Sentence:
    """Lee & Clifton 2011, for any δ: worlds in which one of n people is there, each as likely
    before."""
    n, promise = model.lab.people, model.promise
    after = model.named[0] if promise.violated else model.named[1]
    values = {"n": Num(n), "before": Num(1 / n, 3, percent=True), "after": _share(after)}
    text = N_(
        "Looking for one person among {n}, an attacker is right with {before} before and at most "
        "{after} after (Lee & Clifton 2011)."
    )
    if model.swap_steps == 2:
        text = N_(
            "Looking for one person among {n}, an attacker is right with {before} before and at "
            "most {after} after "
            "(Lee & Clifton 2011): one there instead of another is two steps, so 2ε counts."
        )
    return Sentence("people", Say(text, values))


def _looked_at(model: GuaranteeModel) -> Sentence:
    seen = model.seen
    if not seen.shift:
        return Sentence(
            "neighbour",
            say("The row adds nothing to this answer, so the answer tells nothing of it."),
            "good",
        )
    values = {"what": seen.what, "by": Num(abs(seen.shift), 5), "moved": Num(seen.moved)}
    if model.in_row:
        values["most"] = Num(
            max(m.sizes(seen.place)[0] for m in model.asked.moves if m.sizes(seen.place)), 5, "up"
        )
        text = N_(
            "When {what}, this moves by {by}; the noise is made for a person who moves it by "
            "{most}."
        )
        if seen.moved > 1:
            text = N_(
                "When {what}, {moved} numbers move, the one drawn by {by}; the noise is made for a "
                "person who moves that by {most}."
            )
    elif seen.moved > 1:
        text = N_("The worst case: {what}. This moves {moved} numbers, the one drawn by {by}.")
        if not seen.reached:
            text = N_(
                "A bound on every case: {what}. This moves {moved} numbers, the one drawn by {by}."
            )
    elif seen.reached:
        text = N_("The worst case: {what}. This moves by {by}.")
    else:
        text = N_("A bound on every case: {what}. This moves by {by}.")
    return Sentence("neighbour", Say(text, values))


def _partial(model: GuaranteeModel) -> Sentence:
    """Whoever reads an answer of many numbers reads all of them."""
    text = N_(
        "This person moves {moved} numbers at once. Every risk here is that of all of them "
        "together; the first chart draws one."
    )
    if model.seen.moved == 1:
        text = N_(
            "The noise of all numbers hangs together. Every risk here is that of the whole answer; "
            "the first chart draws one number."
        )
    return Sentence("partial", say(text, moved=Num(model.seen.moved)))


def _fates(model: GuaranteeModel) -> Sentence:
    (noise, _, gauss), (_, _, leaky) = model.fates
    epsilon = model.epsilon
    values = {
        "epsilon": Num(epsilon, 5),
        "delta": Num(noise.total_delta, 3, "up"),
        "gauss": _tail(gauss, epsilon),
        "twice": _tail(gauss, 2 * epsilon),
        "leak": Num(1 / leaky.certain, 3, "down") if leaky.certain else Num(math.inf),
    }
    text = N_(
        "At ε = {epsilon} and δ = {delta} Gaussian noise passes ε with probability {gauss} and 2ε "
        "with {twice}; "
        "the catastrophe mechanism tells all, once in {leak} answers."
    )
    if not leaky.certain:
        text = N_(
            "The row adds nothing, so Gaussian noise and the catastrophe mechanism alike tell "
            "nothing of it."
        )
    return Sentence("fates", Say(text, values))


def tables(model: GuaranteeModel, *, late: bool) -> tuple[Table, ...]:
    """The exact law against what (ε, δ) allows; and two mechanisms of one (ε, δ)."""
    return (_risk_table(model), *((_fates_table(model),) if late else ()))


def _risk_table(model: GuaranteeModel) -> Table:
    lab, pair, epsilon, delta = model.lab, model.pair, model.epsilon, model.delta
    most = math.inf if pair.certain > 0 else pair.most
    prior = lab.prior
    rows: tuple[tuple[Say, Num, Num], ...] = (
        (say("largest privacy loss"), Num(most, 4, "up"), Num(math.inf if delta else epsilon, 5)),
        (
            say("δ at ε = {epsilon}", epsilon=Num(epsilon, 5)),
            _rare(pair.delta(epsilon)),
            Num(delta, 3, "up"),
        ),
        (
            say("advantage: found less falsely accused"),
            _share(pair.advantage),
            _share(advantage_bound(epsilon, delta)),
        ),
        (
            say("found at {alpha} false alarms", alpha=Num(lab.false_positives, 3, percent=True)),
            _share(model.hits),
            _share(float(power_bound(lab.false_positives, epsilon, delta))),
        ),
        (
            say("surest after any answer, from {prior}", prior=Num(prior, 4, percent=True)),
            _share(float(posterior(prior, most))),
            _share(float(posterior(prior, math.inf if delta else epsilon))),
        ),
        (
            say("one named among {n}", n=Num(lab.people)),
            _share(model.named[0]),
            _share(model.named[1]),
        ),
    )
    columns = tuple(
        (name, tuple(row[i] for row in rows))
        for i, name in enumerate(("quantity", "exact", "allowed"))
    )
    heads = (say("At most"), say("this noise"), say("ε and δ allow"))
    return Table(
        "risk",
        say("What an attacker can gain"),
        columns,
        shown=True,
        heads=heads,
        exact=model.in_row,
    )


def _share(value: float) -> Num:
    return Num(min(1.0, value), 3, "up", percent=True)


def _fates_table(model: GuaranteeModel) -> Table:
    epsilon = model.epsilon
    rows = []
    for mechanism, law, pair in model.fates:
        rows.append(
            (
                Say(mechanism.label),
                Num(mechanism.epsilon, 5),
                Num(mechanism.total_delta, 3, "up"),
                Num(math.sqrt(law.variance), 3, "up"),
                _tail(pair, epsilon * (1 + 1e-9)),
                _tail(pair, 2 * epsilon),
                Num(pair.certain, 3, "up"),
                _share(pair.advantage),
            )
        )
    names = (
        "mechanism",
        "epsilon",
        "delta",
        "deviation",
        "beyond",
        "twice",
        "certain",
        "advantage",
    )
    heads = (
        say("Mechanism"), Say("ε"), Say("δ"), say("std deviation"), say("loss above ε"), say("above 2ε"),
        say("told for certain"), say("advantage"),
    )  # fmt: skip
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    return Table("equal", say("Same ε and δ"), columns, shown=True, heads=heads, exact=model.in_row)
