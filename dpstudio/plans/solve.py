"""The split of a budget: the least total that meets every target, the least error at a total, and
what is left to find where all else is given."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any

from dpstudio.plans.charge import GAUSSIAN, summed
from dpstudio.plans.errors import Errors
from dpstudio.plans.exact import share_up, written
from dpstudio.plans.plan import EPSILON, Plan
from dpstudio.plans.question import AUTO, Question
from dpstudio.plans.spending import Costs, fast, filled, paid, refined, shares, spent, tight
from dpstudio.plans.spread import spread
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import ParamError

_MOST_NUMERIC = 3  # splits of which the numeric bound is asked
_HAIR = 1.01  # a step by which an error falls
_LEVEL, _FLAT, _STEEP = 1e-6, 0.05, 6.0  # of how it falls: what is taken for a power of the cost
# In logarithms of a cost: small ones first, so that what is alike stays alike; and how often each.
_STRIDES, _LAPS = (0.02, 0.08, 0.3, 0.08, 0.02), 12
_NEAREST, _GAIN, _WORTH = 0.02, 1e-4, 0.999  # the shortest way, and what is worth another try
_NEARLY = 0.99  # of a total, of which the rest is spent exactly
# Where the tightest bound is worth a search of its own; how often, how far, and of how many.
_OTHER, _ROUNDS, _FARTHEST, _TINY = 0.999, 4, 3.0, 1e-12
_TRIED, _TOTALS = 20, 60


def choices(plan: Plan, question: Question) -> tuple[str, ...]:
    """The noises that a question may have in this plan; Gaussian noise needs a δ."""
    if question.noise != AUTO:
        found: tuple[str, ...] = (question.noise,)
    else:
        found = question.noises if question.additive else question.noises[:1]
    if plan.terms.delta == 0:
        found = tuple(noise for noise in found if noise != GAUSSIAN)
    if not found:
        text = N_("Gaussian noise needs a δ: “{name}” has it, and the plan has δ = 0.")
        raise ParamError("", say(text, name=question.name))
    return found


def distance(question: Question) -> float:
    """How far off a question may be. Raises ParamError where no target is known."""
    if question.target is None:
        text = N_("“{name}” has no target: type one, such as 25.")
        raise ParamError("", say(text, name=question.name))
    if question.aim is None:
        text = N_("The target of “{name}” is a part of a size that is not typed: 5 % of 10000.")
        raise ParamError("", say(text, name=question.name))
    return float(question.aim)


# The least total that meets all targets


def needed(plan: Plan, factor: float = 1.0) -> list[dict[str, float]]:
    """For each question, by noise, the least cost at which it is no further off than `factor` times
    its target. Raises ParamError where no cost will do."""
    found = []
    for question, errors in zip(plan.questions, plan.errors, strict=True):
        wanted = distance(question) * factor
        each = {}
        for noise in choices(plan, question):
            held = question.spend
            each[noise] = float(held) if held is not None else errors.needs(noise, wanted)
        each = {noise: cost for noise, cost in each.items() if math.isfinite(cost)}
        if not each:
            text = N_("“{name}” cannot be so near at any ε: allow it more, or type a larger size.")
            raise ParamError("", say(text, name=question.name))
        found.append(each)
    return found


def candidates(plan: Plan, by_noise: Sequence[dict[str, float]]) -> list[Costs]:
    """Splits that meet the same errors, the cheapest by the quick bounds first: each question's
    noise by ρ, and each division of the questions by how much ε stands for how much ρ, which holds
    the least of Σε + ε(Σρ) since that bends down in Σρ; then single changes while they save."""

    def made(noises: Sequence[str]) -> Costs:
        return Costs(
            tuple(noises), tuple(each[n] for each, n in zip(by_noise, noises, strict=True))
        )

    def rho(place: int, noise: str) -> float:
        part = plan.parts(
            [noise if i == place else next(iter(e)) for i, e in enumerate(by_noise)],
            [e[noise] if i == place else 0.0 for i, e in enumerate(by_noise)],
        )[place]
        return float(part.rho)

    pure = [next((n for n in each if n != GAUSSIAN), GAUSSIAN) for each in by_noise]
    free = [i for i, each in enumerate(by_noise) if len(each) > 1]
    order = sorted(free, key=lambda i: by_noise[i][pure[i]] / by_noise[i][GAUSSIAN])
    tried = [[_least(i, each, rho) for i, each in enumerate(by_noise)]]
    for count in range(len(order) + 1):
        tried.append(
            [
                pure[i] if i in order[:count] or i not in free else GAUSSIAN
                for i in range(len(by_noise))
            ]
        )
    found = {tuple(n): made(n) for n in tried}
    costs = {key: fast(plan, each) for key, each in found.items()}
    best = min(costs, key=costs.__getitem__)
    better = True
    while better and free:
        better = False
        for i in free:
            other = next(n for n in by_noise[i] if n != best[i])
            turned = (*best[:i], other, *best[i + 1 :])
            if turned not in costs:
                found[turned] = made(turned)
                costs[turned] = fast(plan, found[turned])
            if costs[turned] < costs[best]:
                best, better = turned, True
    return [found[key] for key in sorted(costs, key=costs.__getitem__)]


def _least(place: int, each: dict[str, float], rho: Callable[[int, str], float]) -> str:
    return min(each, key=lambda noise: rho(place, noise))


def least(plan: Plan, *, fine: bool = True) -> Plan:
    """The plan with the split of the least total ε that meets every target; its ε is that total,
    rounded up. Raises ParamError."""
    if not plan.questions:
        raise ParamError("", say("This plan has no question yet."))
    best, _ = meeting(plan, fine=fine)
    solved = replace(plan, split=shares(plan, best, share_up))
    total = solved.charge.epsilon
    if total > EPSILON.high:
        text = N_("The targets take ε = {epsilon}; a plan has at most {most}.")
        most = {"epsilon": Num(float(total), 3, "up"), "most": written(EPSILON.high)}
        raise ParamError("epsilon", say(text, **most))
    return replace(solved, terms=plan.terms.with_(epsilon=max(total, EPSILON.low)))


def meeting(plan: Plan, factor: float = 1.0, *, fine: bool) -> tuple[Costs, float]:
    """The split of the least total that meets every target times a factor, and that total: by the
    quick bounds or, where it is `fine`, by the tightest one. Raises ParamError."""
    tried = candidates(plan, needed(plan, factor))[: _MOST_NUMERIC if fine else 1]
    return min(((c, tight(plan, c) if fine else fast(plan, c)) for c in tried), key=itemgetter(1))


def least_epsilon(plan: Plan, factor: float = 1.0, *, fine: bool = False) -> float:
    """That total in doubles, for curves and searches; ∞ where no ε will do."""
    if not plan.questions:
        return 0.0
    try:
        return meeting(plan, factor, fine=fine)[1]
    except ParamError:
        for question in plan.questions:
            distance(question)  # a target that is missing is said
        return math.inf


def least_total(plan: Plan, factor: float = 1.0) -> float:
    """The same by the tightest bound: what is charged of it, but for roundings."""
    return least_epsilon(plan, factor, fine=True)


# The least error at a total


def unit_of(plan: Plan, errors: Errors) -> float:
    """In what the error of a question is counted beside that of others: its target, else 1 % of its
    size, else what it would be if the whole total were for it alone."""
    question = errors.question
    if question.aim is not None:
        return float(question.aim)
    if question.size is not None and not question.counted:
        return float(question.size) / 100
    terms = plan.terms
    return _alone(errors, choices(plan, question), float(terms.epsilon), float(terms.delta))


@lru_cache(maxsize=256)
def _alone(errors: Errors, noises: tuple[str, ...], epsilon: float, delta: float) -> float:
    most = {n: 1 / (2 * analytic_sigma(epsilon, delta) ** 2) for n in noises if n == GAUSSIAN}
    return min(errors.smooth(noise, most.get(noise, epsilon)) for noise in noises)


def weighted(plan: Plan, costs: Costs) -> float:
    """What the best split has least: Σ importance · (error in its unit)²."""
    return math.fsum(_terms_of(plan, costs))


def _terms_of(plan: Plan, costs: Costs) -> Iterator[float]:
    given = zip(plan.questions, plan.errors, costs.noises, costs.costs, strict=True)
    for question, errors, noise, cost in given:
        one = unit_of(plan, errors)
        yield float(question.importance) * (errors.smooth(noise, cost) / one) ** 2


def best_weighted(plan: Plan, *, fine: bool = True) -> Plan:
    """The plan with the split that has the least weighted error at its total ε: by the bounds that
    are worked out at once or, where it is `fine`, by the tightest one. Raises ParamError."""
    quick = spent(plan, _best_costs(plan), fine=False)
    return tightened(quick) if fine else quick


def nothing() -> None:
    """The `check` of a search that nobody stops."""


def tightened(solved: Plan, check: Callable[[], None] = nothing) -> Plan:
    """The best split by the quick bounds made the best by the tightest one, where that is another:
    single noises changed while that gains, then proportions, as long as `check` raises nothing, and
    as far as some dozens of totals tell. Raises ParamError."""
    best = paid(solved)
    if tight(solved, best) >= _OTHER * fast(solved, best):
        return refined(solved)
    best, score = _changed(solved, best, check)
    for _ in range(min(_ROUNDS, _TOTALS // (len(solved.questions) + 7))):
        check()
        toward = _leaning(solved, best)
        for reach in (1.0, 0.4, 0.15):
            pairs = zip(best.costs, toward, strict=True)
            found = replace(best, costs=tuple(c * by**reach for c, by in pairs))
            found, now = _full(solved, found)
            if now < score * (1 - _GAIN):
                best, score = found, now
                break
        else:
            break
    return min(refined(solved), spent(solved, best.grown(solved, _NEARLY), fine=True), key=_erring)


def _erring(solved: Plan) -> float:
    return weighted(solved, paid(solved))


def _full(plan: Plan, costs: Costs) -> tuple[Costs, float]:
    """These proportions with nearly all of the total spent, and their weighted error."""
    for _ in range(2):  # the total is nearly in proportion
        costs = costs.grown(plan, float(plan.terms.epsilon) / tight(plan, costs))
    return costs, weighted(plan, costs)


def _changed(plan: Plan, best: Costs, check: Callable[[], None]) -> tuple[Costs, float]:
    (best, score), tried, better = _full(plan, best), {best.noises}, True
    while better:
        better = False
        for i, noise in ((i, n) for i, q in enumerate(plan.questions) for n in choices(plan, q)):
            turned = (*best.noises[:i], noise, *best.noises[i + 1 :])
            errors = plan.errors[i]  # as far off as before, then all as near as the total lets
            cost = errors.needs(noise, errors.smooth(best.noises[i], best.costs[i]))
            if turned in tried or not math.isfinite(cost) or len(tried) > _TRIED:
                continue
            check()
            tried.add(turned)
            costs = (*best.costs[:i], cost, *best.costs[i + 1 :])
            found, now = _full(plan, Costs(turned, costs))
            if now < score * (1 - _GAIN):
                best, score, better = found, now, True
    return best, score


def _leaning(plan: Plan, costs: Costs) -> list[float]:
    """By how much each cost grows so that what its error falls by is alike beside what it adds to
    the total."""

    def grown(i: int) -> Costs:
        return replace(
            costs, costs=(*costs.costs[:i], costs.costs[i] * _HAIR, *costs.costs[i + 1 :])
        )

    terms, base, step = list(_terms_of(plan, costs)), tight(plan, costs), math.log(_HAIR)
    free = [i for i, q in enumerate(plan.questions) if q.spend is None]
    falls = {i: math.log(terms[i] / list(_terms_of(plan, grown(i)))[i]) / step for i in free}
    rises = {i: max(math.log(tight(plan, grown(i)) / base) / step, _LEVEL) for i in free}
    ratio = {i: math.log(max(terms[i] * falls[i], _TINY) / rises[i]) for i in free}
    mean = math.fsum(ratio.values()) / max(len(free), 1)
    by = {i: math.exp((ratio[i] - mean) / (1 + max(falls[i], _FLAT))) for i in free}
    return [min(max(by.get(i, 1.0), 1 / _FARTHEST), _FARTHEST) for i in range(len(costs.costs))]


def _best_costs(plan: Plan) -> Costs:
    options = [choices(plan, q) for q in plan.questions]
    if not options:
        raise ParamError("", say("This plan has no question yet."))
    return _finished(plan, climbed(plan, options, lambda noises: optimised(plan, noises)))


def _finished(plan: Plan, costs: Costs) -> Costs:
    """Each cost by itself more or less beside the others, while that gains: where an error ends, as
    of a count that is right, or falls ever steeper, it is no power of the cost near by."""
    free = [i for i, q in enumerate(plan.questions) if q.spend is None]
    best, score = costs, weighted(plan, costs)
    for step in _STRIDES if len(free) > 1 else ():
        for _ in range(_LAPS):
            before = score
            for i, by in itertools.product(free, (math.exp(step), math.exp(-step))):
                moved = (*best.costs[:i], best.costs[i] * by, *best.costs[i + 1 :])
                found = filled(plan, replace(best, costs=moved))
                if (now := weighted(plan, found)) < score * (1 - _GAIN):
                    best, score = found, now
            if score == before:
                break
    return best


def climbed(
    plan: Plan,
    options: Sequence[tuple[str, ...]],
    costs_of: Callable[[tuple[str, ...]], Costs],
    score: Callable[[Plan, Costs], Any] = weighted,
) -> Costs:
    """The costs of least weighted error, or another score, by which of its noises each question
    has. From both ends, the first noise of all and the last of all, single changes while they gain:
    the two climbs may end apart, since a change can be worth it only beside another."""

    @cache
    def made(noises: tuple[str, ...]) -> tuple[Any, Costs]:
        costs = costs_of(noises)
        return score(plan, costs), costs

    found = []
    for best in {tuple(o[0] for o in options): 0, tuple(o[-1] for o in options): 1}:
        better = True
        while better:
            better = False
            for i, other in ((i, n) for i, each in enumerate(options) for n in each):
                turned = (*best[:i], other, *best[i + 1 :])
                if made(turned)[0] < made(best)[0]:
                    best, better = turned, True
        found.append(made(best))
    return min(found, key=lambda each: each[0])[1]


def optimised(plan: Plan, noises: tuple[str, ...]) -> Costs:
    """The split of least weighted error with this noise, at the total ε by the quick bounds: where
    ε adds up the costs of pure noise and of Gaussian noise are two pools, where ρ does they are
    one."""
    even = (1e-4 if n == GAUSSIAN else 1e-2 for n in noises)
    given = zip(plan.questions, even, strict=True)
    equal = Costs(noises, tuple(c if q.spend is None else float(q.spend) for q, c in given))
    start = filled(plan, equal)
    found = [_pooled(plan, start, joined=True)] if plan.terms.delta > 0 else []
    if len({n == GAUSSIAN for n in noises}) == 1:
        found.append(_pooled(plan, start, joined=False))
    else:
        found.append(_two_pools(plan, _pooled(plan, start, joined=False)))
    return min(found, key=lambda costs: weighted(plan, costs))


def _two_pools(plan: Plan, start: Costs, again: int = 4) -> Costs:
    """The best part of ε for the pure pool, by golden section: what is left is that of all Gaussian
    noise as one."""
    unit, epsilon, delta = plan.terms.unit, float(plan.terms.epsilon), float(plan.terms.delta)
    parts = start.parts(plan)
    pure = float(summed(parts, unit, lambda p: p.epsilon))
    rho = float(summed(parts, unit, lambda p: p.gaussian_rho))
    locked = any(q.spend is not None for q in plan.questions)

    def at(share: float) -> Costs:
        most = 1 / (2 * analytic_sigma((1 - share) * epsilon, delta) ** 2)
        by = {True: most / rho, False: share * epsilon / pure}
        given = zip(plan.questions, start.noises, start.costs, strict=True)
        costs = (c if q.spend is not None else c * by[n == GAUSSIAN] for q, n, c in given)
        made = replace(start, costs=tuple(costs))
        return filled(plan, made) if locked else made

    low, high, ratio = 0.001, 0.999, (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    fa, fb = weighted(plan, at(a)), weighted(plan, at(b))
    for _ in range(16):
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = weighted(plan, at(a))
        else:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = weighted(plan, at(b))
    parted = at((low + high) / 2)
    best = _pooled(plan, parted, joined=False, rounds=1)
    if again and weighted(plan, best) < _WORTH * weighted(plan, parted):
        return _two_pools(plan, best, again - 1)  # within the pools others are best at that part
    return best


def _pooled(plan: Plan, start: Costs, *, joined: bool, rounds: int = 12) -> Costs:
    """Costs in proportion to the best of each pool, which follow from error² ≈ A / cost^p with the
    p and A that hold where the split stands. It goes there, or less far where that is worse, until
    next to nothing is gained."""
    best, score = start, weighted(plan, start)
    for _ in range(rounds):
        toward, reach = _toward(plan, best, joined=joined), 1.0
        while reach > _NEAREST:
            given = zip(best.costs, toward, strict=True)
            costs = tuple(c * (t / c) ** reach for c, t in given)
            found = filled(plan, replace(best, costs=costs))
            now = weighted(plan, found)
            if now < score:
                break
            reach *= 0.4
        else:
            return best
        gained, best, score = 1 - now / score, found, now
        if gained < _GAIN:
            break
    return best


def _toward(plan: Plan, costs: Costs, *, joined: bool) -> list[float]:
    terms = list(_terms_of(plan, costs))
    grown = _terms_of(plan, replace(costs, costs=tuple(c * _HAIR for c in costs.costs)))
    falls = [math.log(t / g) / math.log(_HAIR) for t, g in zip(terms, grown, strict=True)]
    parts, new = costs.parts(plan), list(costs.costs)
    for pool in _pools(costs.noises, joined=joined):
        free = [i for i in pool if plan.questions[i].spend is None]
        if not free:
            continue
        halved = [joined and costs.noises[i] != GAUSSIAN for i in free]  # ρ falls as ε²
        held = [float(parts[i].rho) if joined else parts[i].times * parts[i].cost for i in free]
        falling = [max(falls[i] / (1 + h), _LEVEL) for i, h in zip(free, halved, strict=True)]
        powers = [min(max(p, _FLAT), _STEEP) for p in falling]
        given = zip(free, held, powers, falling, strict=True)
        sizes = [terms[i] * h**p * fall / p for i, h, p, fall in given]  # it falls so where it is
        lots = [parts[i].lot for i in free]
        found = spread(sizes, powers, lots, held, plan.terms.unit.touched)
        for i, h, f, half in zip(free, held, found, halved, strict=True):
            new[i] = costs.costs[i] * (f / h) ** (0.5 if half else 1.0)
    return new


def _pools(noises: Sequence[str], *, joined: bool) -> list[list[int]]:
    places = list(range(len(noises)))
    if joined:
        return [places]
    found = [[i for i in places if (noises[i] == GAUSSIAN) == g] for g in (True, False)]
    return [pool for pool in found if pool]
