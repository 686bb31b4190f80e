"""What a composition bound is: a ledger of releases in, a total ε or δ out, with its source and its
domain."""

import math
from collections.abc import Callable
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.inverse import largest_within
from dpstudio.privacy.accounting.spend import ADD_REMOVE, PURE, Ledger, Spend
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Parameters, Real, param

DELTA_PRIME = Real(
    N_("δ′"),
    N_("What advanced composition adds to the total δ, once for all answers."),
    low=1e-12,
    high=0.1,
    log=True,
)
K_MOST = 10_000
K_CLOSED, K_NUMERIC = 1_000_000, 10_000
AT_ONCE, STRIDE = 12, 32  # numbers of answers that are looked at together, and how far
LEAST = -745.0  # ln of the smallest float
Delta = float | Array  # one for all k, or one for each, of their shape
MOST, MOST_NUMERIC = 1e5, 100.0  # a larger ε is no longer looked for


class Accountant(Parameters):
    """A composition theorem: of releases that are (εᵢ, δᵢ)-DP each, or of known mechanisms, at a
    total δ.

    `envelope`: it bounds what one person loses, so that the least over such bounds is a bound, but
    for those that suppose what is not so (`supposes`).
    `proven`: a theorem stands behind every value. `approximate`: it is a limit, neither above nor
    below for certain. `numeric`: too slow for a frame. `adaptive`: by whom it is proved that a
    budget set beforehand also holds where the noise of each answer is chosen once earlier ones are
    seen, as long as the total by this bound, chosen beforehand too, stays within it (a filter);
    empty where it is not. All others are about noise that is fixed beforehand: of exact profiles
    and of an order chosen afterwards it is false in general (arXiv 2602.06756 and 2602.15815).
    """

    ink: ClassVar[str] = "muted"
    formula: ClassVar[str] = ""
    approximate: ClassVar[bool] = False
    proven: ClassVar[bool] = True
    envelope: ClassVar[bool] = True
    adaptive: ClassVar[str] = ""
    numeric: ClassVar[bool] = False
    most: ClassVar[int] = K_CLOSED

    def refuse(self, ledger: Ledger) -> Message | None:
        """Why the theorem does not apply to these releases, or None."""
        if why := unsampled(ledger):
            return why
        try:
            worlds = ledger.worlds()
        except ValueError:
            return say(
                "These groups have too many different parts to go through every set that one "
                "person may touch."
            )
        return next(
            (why for why in (self.unfit(spend) for world in worlds for spend in world) if why), None
        )

    def slow(self, ledger: Ledger) -> bool:
        """Whether its total of these releases takes longer than a frame; what it refuses does
        not."""
        return self.numeric

    def unfit(self, spend: Spend) -> Message | None:
        """Why the theorem does not apply to one kind of release, or None."""
        return None

    def of_law(self, spend: Spend) -> bool:
        """Whether what it says of one kind of release comes from the law of its noise: then it
        holds whatever (ε, δ) that claims."""
        return False

    def supposes(self, ledger: Ledger) -> bool:
        """Whether what it says of these releases holds only if a promise were kept that is known
        not to be."""
        return any(not s.kept and not self.of_law(s) for s in ledger.spends)

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        """Total ε of releases that may all touch the same person, at total δ; inf where nothing is
        promised."""
        raise NotImplementedError

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        """The smallest total δ at which ε is promised: the inverse of `world_epsilon`, solved in ln
        δ."""

        def gap(log_delta: float) -> float:
            return min(self.world_epsilon(world, math.exp(log_delta)), 1e300) - epsilon

        if gap(0.0) > 0:
            return 1.0
        if self.world_epsilon(world, 0.0) <= epsilon:
            return 0.0
        if gap(LEAST) <= 0:
            return math.exp(LEAST)
        return min(1.0, math.exp(passing(gap, LEAST, 0.0)[1]))

    def epsilon(self, ledger: Ledger, delta: float) -> float:
        """Total ε of the ledger at total δ, 0 ≤ δ < 1; inf where nothing finite is promised.
        ValueError when it refuses."""
        return max(
            (self.world_epsilon(world, delta) for world in self._worlds(ledger)), default=0.0
        )

    def delta(self, ledger: Ledger, epsilon: float) -> float:
        """The smallest total δ at which `epsilon` ≥ 0 is promised, 1 where none is. ValueError when
        it refuses."""
        most = 0.0
        for world in self._worlds(ledger):
            most = max(most, self.world_delta(world, epsilon))
            if most >= 1:
                break
        return most

    def _worlds(self, ledger: Ledger) -> tuple[tuple[Spend, ...], ...]:
        why = self.refuse(ledger)
        if why:
            raise ValueError(why.text)
        return ledger.worlds()

    def curve(self, spend: Spend, k: Array, delta: Delta, adjacency: str = ADD_REMOVE) -> Array:
        """Total ε of k such releases at total δ, for each k ≥ 1 (same shape), 0 ≤ δ < 1;
        `spend.count` and its group are not looked at."""
        k = np.asarray(k, dtype=np.float64)
        one, given = spend.one, np.broadcast_to(delta, k.shape)
        flat = [
            self.world_epsilon((one.times(round(float(n))),), float(d))
            for n, d in zip(k.flat, given.flat, strict=True)
        ]
        return np.array(flat).reshape(k.shape)

    def per_release(
        self, k: int, budget: float, delta: float, like: Spend = PURE, near: float = 0.0
    ) -> float:
        """The largest ε that each of k equal releases may have so that their total stays within the
        budget; 0 for none.

        Pure releases of which nothing else is known, or releases `like` another one, with its
        mechanism and its δ: as far as that keeps its promise. Looked for from `near` on, where that
        is known.
        """

        @cache
        def total(epsilon: float) -> float:
            each = like.at(epsilon)
            if not each.kept:
                return math.inf
            try:
                return float(self.curve(each, np.array([float(k)]), delta)[0])
            except ValueError:  # the bound knows nothing of so small an ε: look above it
                return -math.inf

        # No theorem promises less than nothing: 1e-12 of the equal share is the least that is
        # looked for.
        if budget <= 0:
            return 0.0
        share, rtol = budget / k, 1e-8 if self.numeric else 2e-14
        # A lattice of larger losses than that is too coarse to be of use.
        most = MOST_NUMERIC if self.numeric else MOST
        found = largest_within(total, budget, near or share, 1e-12 * share, most, rtol)
        return found if found and total(found) >= 0 else 0.0

    def affordable(
        self,
        spend: Spend,
        budget: float,
        delta_prime: float,
        adjacency: str = ADD_REMOVE,
        between: tuple[int, int] = (0, 0),
    ) -> int:
        """The largest k, up to `most`, for which k such releases stay within the budget at total
        δ = k·`spend.delta` + `delta_prime`; 0 where one is too many.

        Looked for on a grid between the last k that fits and the first that does not, again and
        again: many k at once cost little more than one. `between` are two such k, 0 where none is
        known.
        """

        def fits(k: Array) -> np.ndarray:
            delta = k * spend.delta + delta_prime
            kept = delta < 1
            within = np.zeros(k.shape, dtype=bool)
            within[kept] = self.curve(spend, k[kept], delta[kept], adjacency) <= budget
            return within

        low, high = between
        while low < self.most and high - low != 1:
            end = high - 1 if high else min(self.most, max(STRIDE, STRIDE * low))
            if end - low > AT_ONCE:
                ends = math.log(low + 1), math.log(end)
                k = np.rint(np.exp(np.linspace(*ends, AT_ONCE)))
            else:
                k = np.arange(low + 1.0, end + 1)
            found = fits(k)
            first = int(np.argmin(found)) if not found.all() else len(k)
            low = int(k[first - 1]) if first else low
            high = int(k[first]) if first < len(k) else high
        return low


def unsampled(ledger: Ledger) -> Message | None:
    """Why nothing is known of these releases: those of a sample are accounted for who joins or
    leaves alone."""
    if ledger.adjacency == ADD_REMOVE or not any(s.sampled for s in ledger.spends):
        return None
    return say(
        "What sampling is worth is proved here for persons who join or leave, not for one who is "
        "replaced."
    )


def passing(f: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """The two neighbouring floats, or nearly (1e-14 of their size), between which f passes from > 0
    to ≤ 0; f may jump.

    f(low) > 0 ≥ f(high), low below or above high.
    """
    for _ in range(120):
        middle = (low + high) / 2
        if abs(high - low) <= 1e-14 * max(abs(low), abs(high)) or middle in (low, high):
            break
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return low, high


def delta_prime_left(world: tuple[Spend, ...], delta: float) -> float:
    """What is left of the total δ when every release has had its own: δ − Σδᵢ; not above 0 where
    there is nothing left."""
    return delta - math.fsum(s.count * s.delta for s in world)


def largest_delta_prime(world: tuple[Spend, ...], delta: float) -> float:
    """δ′ with 1 − (1 − δ′)Π(1 − δᵢ) = δ (Kairouz, Oh & Viswanath 2015, Theorem 3.5); it is at least
    `delta_prime_left`."""
    if all(s.delta == 0 for s in world):
        return delta
    if any(s.delta == 1 for s in world):
        return -1.0
    if delta >= 1:
        return 1.0
    spent = math.fsum(s.count * math.log1p(-s.delta) for s in world)
    return -math.expm1(min(math.log1p(-delta) - spent, -LEAST - 40))  # far below 0: nothing left


def largest_delta_primes(spend: Spend, k: Array, delta: Delta) -> Array:
    """`largest_delta_prime` of k releases of one kind, for each k and its δ < 1."""
    if spend.pure:
        return np.array(np.broadcast_to(delta, k.shape), dtype=np.float64)
    if spend.delta == 1:
        return np.full(k.shape, -1.0)
    left = np.log1p(np.negative(delta)) - k * math.log1p(-spend.delta)
    return np.asarray(-np.expm1(np.minimum(left, -LEAST - 40)))


class WithDeltaPrime(Accountant):
    """The bounds on k equal answers that Explore draws: total δ = kδ + δ′, with a δ′
    (`delta_prime`) of their own."""

    needs_delta_prime: ClassVar[bool] = True

    delta_prime: float = param(1e-5, DELTA_PRIME)

    def undrawn(self, epsilon: float, delta: float) -> Message | None:
        """Why `total` does not apply to equal (ε, δ) answers, or None."""
        return None

    def total(self, k: ArrayLike, epsilon: float, delta: float = 0.0) -> Array:
        """Total ε for each k ≥ 1 (same shape as `k`) at total δ = `total_delta`; inf where it is
        beyond floats."""
        return self.of_delta_prime(np.asarray(k, dtype=np.float64), epsilon, self.delta_prime)

    def of_delta_prime(self, k: Array, epsilon: float, delta_prime: float) -> Array:
        """The theorem's formula for k releases at δ′ > 0."""
        raise NotImplementedError

    def total_delta(self, k: int, delta: float) -> float:
        """The total δ at which `total` holds for k (ε, δ) answers, at most 1."""
        return min(1.0, k * delta + (self.delta_prime if self.needs_delta_prime else 0.0))
