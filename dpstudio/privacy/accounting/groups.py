"""What m people together are promised by many releases: the law of each shifted by all of them
where it is known, else each release grouped first and composed after, or the total of one person
grouped; the least δ of all these at one ε."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpstudio.privacy.accounting.accountant import Accountant
from dpstudio.privacy.accounting.adding import Sequential, added, enough
from dpstudio.privacy.accounting.amplified import amplified
from dpstudio.privacy.accounting.concentrated import gaussian_ratio
from dpstudio.privacy.accounting.spend import (
    MOST_PICKED,
    MOST_WORLDS,
    Ledger,
    Spend,
    merged,
    uncovered,
)
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_

LEAST_DELTA = 1e-300
MOST_SLOW = 12  # worlds that are gone through by a bound that takes its time for each


class GroupPrivacy(Accountant):
    """What releases promise to m people together, from their sums: mε and δ(e^(mε) − 1)/(e^ε − 1)
    (`group_privacy`)."""

    key = "group_privacy"
    label = N_("group of people, by adding up")
    formula = N_("mε, at δ(e^(mε) − 1)/(e^ε − 1) for m people")
    source = "Vadhan 2017, Lemma 2.2"
    ink = "group_privacy"
    envelope = False
    adaptive = Sequential.adaptive

    people: int = integer(
        2,
        N_("People"),
        N_("How many people are protected together, such as a family."),
        low=1,
        high=1000,
        log=True,
    )

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        epsilon, needed = group_privacy(*added(world), self.people)
        return epsilon if enough(needed, delta) else math.inf

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        total, needed = group_privacy(*added(world), self.people)
        return needed if total <= epsilon * (1 + 1e-15) else 1.0


def group_privacy(epsilon: float, delta: float, people: int) -> tuple[float, float]:
    """(mε, min(1, δ(e^(mε) − 1)/(e^ε − 1))) for m people, in log space: one step from each table to
    the next, δ(1 + e^ε + … + e^((m−1)ε)). It is below the common m·e^((m−1)ε)·δ (Vadhan 2017, Lemma
    2.2), and as much where ε = 0."""
    if delta == 0:
        return people * epsilon, 0.0
    steps = math.log(people)
    if epsilon > 0:
        # e^(mε) − 1 over e^ε − 1, each as e^x·(1 − e^−x).
        steps = (people - 1) * epsilon + math.log(
            math.expm1(-people * epsilon) / math.expm1(-epsilon)
        )
    return people * epsilon, math.exp(min(0.0, math.log(delta) + steps))


@dataclass(frozen=True)
class GroupPromise:
    """(ε, δ) of m people together, and by which bound; None where nothing is promised."""

    epsilon: float
    delta: float
    bound: Accountant | None


def together(spend: Spend, people: int) -> Spend:
    """The same releases as so many people move them: at mε, with the δ of its law there where that
    is known, which is no larger than the one of `group_privacy`."""
    if not spend.kept:
        spend = replace(spend, delta=_true_delta(spend))
    if people == 1:
        return spend
    epsilon, delta = group_privacy(spend.epsilon, spend.delta, people)
    if spend.sampled:  # each of them is drawn alone: nothing more than this is known
        return Spend(epsilon, delta, count=spend.count, group=spend.group, people=people)
    known = _own_delta(spend, people, epsilon)
    return replace(spend, epsilon=epsilon, delta=delta if known is None else known, people=people)


def _true_delta(spend: Spend) -> float:
    """The δ that a release whose promise is broken has at its ε; 1 where that is not known."""
    if spend.mechanism is None:
        return spend.delta
    true = spend.mechanism.guarantee(spend.sensitivity).true_delta
    return 1.0 if true is None else amplified(spend.mechanism.epsilon, true, spend.chance)[1]


def _own_delta(spend: Spend, people: int, epsilon: float) -> float | None:
    """δ at ε of the law itself, shifted by all of them; None where its worst shift is not known."""
    if spend.mechanism is not None and spend.mechanism.key == "catastrophe":
        return spend.delta  # one leak shows everybody; what is left is Laplace noise
    ratio = gaussian_ratio(spend, discrete=False)
    return None if ratio is None else GaussianLaw(1.0).delta(epsilon, people * ratio)


def group_worlds(ledger: Ledger, people: int) -> tuple[tuple[Spend, ...], ...]:
    """Every set of releases that so many people may touch together, each of them moved by as many
    as touch it. Each person touches `ledger.touched` parts of a group, so all of them any numbers
    that add up to so many times m, none above m. ValueError where there are too many."""
    always = tuple(together(s, people) for s in ledger.spends if not s.group)
    choices = [_shared(parts, ledger.touched, people) for parts in ledger.groups.values()]
    if math.prod(len(c) for c in choices) > MOST_WORLDS:
        raise ValueError("too many different parts")
    return tuple(
        merged((*always, *itertools.chain.from_iterable(picked)))
        for picked in itertools.product(*choices)
    )


def _shared(parts: tuple[Spend, ...], touched: int, people: int) -> list[tuple[Spend, ...]]:
    # Noise hides several people worst where all of them are in one part; a leak shows all of them
    # at once, so that they do worse spread over as many parts.
    leaks = any(p.mechanism is not None and p.mechanism.key == "catastrophe" for p in parts)
    kept = uncovered(parts, touched * people if leaks else touched)
    moved = people * min(touched, len(kept))
    if (people + 1) ** (len(kept) - 1) > MOST_PICKED:
        raise ValueError("too many different parts")
    shares = (
        (*share, moved - sum(share))
        for share in itertools.product(range(people + 1), repeat=len(kept) - 1)
        if 0 <= moved - sum(share) <= people
    )
    found = (
        tuple(together(part, n) for part, n in zip(kept, share, strict=True) if n)
        for share in shares
    )
    return list(dict.fromkeys(found))


def group_promise(
    bounds: Sequence[Accountant], ledger: Ledger, people: int, epsilon: float
) -> GroupPromise:
    """The least δ at which so many people keep ε ≥ 0, by any of the bounds that hold for one."""
    fit = [b for b in bounds if b.envelope]
    best = GroupPromise(epsilon, 1.0, None)
    # What has a δ never has none; it may be below every float.
    least = 0.0 if all(s.pure for s in ledger.spends) else LEAST_DELTA
    try:
        worlds = group_worlds(ledger, people)
    except ValueError:
        worlds = ()
    for bound in fit:
        found = []
        if bound.refuse(ledger) is None and not bound.supposes(ledger):
            one = bound.delta(ledger, epsilon / people)
            found.append(group_privacy(epsilon / people, one, people)[1])
        if worlds and _fits(bound, worlds):
            found.append(_most_delta(bound, worlds, epsilon, min([best.delta, *found])))
        if found and min(found) < best.delta:
            best = GroupPromise(epsilon, max(least, min(found)), bound)
    return best


def _most_delta(
    bound: Accountant, worlds: tuple[tuple[Spend, ...], ...], epsilon: float, least: float
) -> float:
    """The largest δ over what a group may touch; as soon as that is not below `least`, 1."""
    most = 0.0
    for world in worlds:
        most = max(most, bound.world_delta(world, epsilon))
        if most >= least:
            return 1.0
    return most


def _fits(bound: Accountant, worlds: tuple[tuple[Spend, ...], ...]) -> bool:
    """Whether a bound applies to what a group touches, and is told in time."""
    if len(worlds) > MOST_SLOW and any(bound.slow(Ledger(world)) for world in worlds):
        return False
    return all(
        sum(s.count for s in world) <= bound.most and all(bound.unfit(s) is None for s in world)
        for world in worlds
    )
