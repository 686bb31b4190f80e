"""What the composition lab's charts and sentences share: the ledger, every bound's value and curve,
and where they cross."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.budget.composition.attack import Attack, attack, grid, most_right, spread
from dpstudio.labs.budget.composition.keeping import Kept, kept
from dpstudio.labs.budget.composition.ledger import (
    Valued,
    below_adding,
    bound_of,
    ledger_of,
    own_delta,
    size_of,
)
from dpstudio.labs.budget.composition.releases import Entry, Line, Parts, lines
from dpstudio.privacy.accounting import (
    Accountant,
    Ledger,
    Numeric,
    Optimal,
    Sequential,
    Shortcut,
    Spend,
    group_privacy,
    shortcut_zones,
)
from dpstudio.values.messages import Say

if TYPE_CHECKING:
    from dpstudio.labs.budget.composition.parameters import Composition

CURVE_POINTS, SLOW_POINTS, DELTA_POINTS, COARSE_DELTAS = 56, 28, 25, 9
SLOW_PREFIXES, QUICK_LINES = 8, 10


class CompositionModel:
    """One state of the lab. A `fine` scene has the slow, numeric bound too, and more points."""

    def __init__(self, lab: Composition, data: Dataset, fine: bool):
        self.lab, self.data, self.fine = lab, data, fine

    @property
    def equal(self) -> bool:
        return self.lab.given == "equal"

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        return (Line(self.lab.answers, self.lab.mechanism),) if self.equal else self.lab.releases

    @cached_property
    def spend(self) -> Spend:
        """One of the equal releases."""
        return Spend.of(self.lab.mechanism)

    @cached_property
    def ledger(self) -> Ledger:
        return ledger_of(self.entries, self.lab.adjacency)

    @cached_property
    def answers(self) -> int:
        return self.ledger.answers

    @property
    def own_delta(self) -> float:
        """The δ of the releases, all added up."""
        return own_delta(self.ledger)

    @property
    def delta(self) -> float:
        """The total δ at which every bound is judged: that of the releases, and δ′ on top."""
        return self.own_delta + self.lab.delta_prime

    def delta_at(self, k: float) -> float:
        return k * self.spend.delta + self.lab.delta_prime

    @cached_property
    def bounds(self) -> tuple[Accountant, ...]:
        """The chosen bounds that apply, in the order of the catalogue."""
        made = (bound_of(key, self.lab.people) for key in self.lab.bounds)
        return tuple(a for a in made if (self.fine or not a.numeric) and self.why_not(a) is None)

    def why_not(self, bound: Accountant, ledger: Ledger | None = None) -> Say | None:
        """Why a bound says nothing about these releases; that a δ is below what the numeric one can
        see shows in a fine scene only."""
        ledger = ledger or self.ledger
        why = bound.refuse(ledger)
        if why is None and isinstance(bound, Numeric) and self.fine:
            delta = own_delta(ledger) + self.lab.delta_prime
            why = self.remember(
                "refused", (ledger, delta), lambda: bound.refuse_delta(ledger, delta)
            )
        return why

    @cached_property
    def refused(self) -> dict[str, Say]:
        """The chosen bounds that say nothing here, with the reason."""
        why = {key: self.why_not(self.bound(key)) for key in self.lab.bounds}
        return {key: said for key, said in why.items() if said is not None}

    def bound(self, key: str) -> Accountant:
        return bound_of(key, self.lab.people)

    def delta_for(self, bound: Accountant) -> float:
        """The total δ that goes with a bound's ε."""
        return (
            min(1.0, group_privacy(self.plain, self.own_delta, self.lab.people)[1])
            if bound.key == "group_privacy"
            else self.delta
        )

    def remember(self, what: str, key: Hashable, work: Any) -> Any:
        return self.data.remember(("composition", what, key), work)

    def total(self, bound: Accountant, ledger: Ledger, delta: float) -> float:
        """Total ε by a bound; inf where it promises nothing."""
        if delta >= 1:
            return math.inf
        return float(
            self.remember("total", (bound, ledger, delta), lambda: bound.epsilon(ledger, delta))
        )

    @cached_property
    def values(self) -> tuple[Valued, ...]:
        """Every bound that applies with its total ε, the tightest first."""
        found = [(a, self.total(a, self.ledger, self.delta)) for a in self.bounds]
        least = min((e for a, e in found if a.envelope), default=math.inf)
        made = [
            Valued(a, e, e / least if 0 < least < math.inf else 1.0, a.envelope)
            for a, e in found
            if math.isfinite(e)
        ]
        return tuple(sorted(made, key=lambda v: (v.epsilon, not v.counts)))

    @cached_property
    def plain(self) -> float:
        """ε by adding up."""
        return self.total(Sequential(), self.ledger, self.delta)

    @cached_property
    def best(self) -> Valued:
        """The tightest bound on what one person loses; adding up where nothing is visibly
        better."""
        best = next(
            (v for v in self.values if v.counts), Valued(Sequential(), self.plain, 1.0, True)
        )
        plain = next((v for v in self.values if v.bound.key == "sequential"), None)
        return plain if plain is not None and plain.epsilon <= best.epsilon * (1 + 1e-9) else best

    def steps(self) -> Iterator[None]:
        """Work out what is slow piece by piece, so that a newer state can cut in between."""
        for bound in self.bounds:
            self.total(bound, self.ledger, self.delta)
            yield
            for k in () if self.equal else self._marks(bound):
                self._prefix_total(bound, int(k))
                yield
            self.curve(bound)
            yield
            self.privacy_curve(bound)
            yield
            if bound.envelope:
                self.affordable(bound) if self.equal else self.keep(bound)
                yield

    # Curves over k

    @cached_property
    def top(self) -> int:
        """How far the axis of k reaches."""
        return max(self.lab.view_k, self.answers, 2)

    @cached_property
    def k(self) -> Array:
        """The numbers of answers at which curves are drawn: even ones, as the exact optimum differs
        a little for odd k."""
        if not self.equal:
            return self._ends
        steps = (
            np.geomspace(1, self.top, CURVE_POINTS)
            if self.lab.scale == "log"
            else np.linspace(1, np.sqrt(self.top), CURVE_POINTS) ** 2
        )
        k = np.concatenate([2 * np.round(steps / 2), np.arange(1, 11), [self.top], self._turns])
        return np.unique(k[(k >= 1) & (k <= self.top)])

    @property
    def _turns(self) -> list[float]:
        zones = self.zones
        return (
            []
            if zones is None
            else [float(k + step) for k in (zones.proved, zones.true) for step in (0, 1)]
        )

    @cached_property
    def _ends(self) -> Array:
        """Prefixes of the list: after each entry, and some within long ones."""
        ends = np.cumsum([0, *(size_of(entry) for entry in self.entries)])
        whole = np.unique(np.round(np.geomspace(1, ends[-1], 10)))
        inside = [k for k in whole if not any(size_of(e) > 1 and isinstance(e, Parts) and a < k < b
                  for e, a, b in zip(self.entries, ends[:-1], ends[1:], strict=True))]  # fmt: skip
        return np.unique(np.concatenate([ends[1:], inside])).astype(np.float64)

    def prefix(self, k: int) -> Ledger:
        """The first k answers of the list; a group of parts is taken whole."""
        taken: list[Entry] = []
        for entry in self.entries:
            if k <= 0:
                break
            taken.append(
                Line(min(k, entry.times), entry.mechanism) if isinstance(entry, Line) else entry
            )
            k -= size_of(entry)
        return ledger_of(tuple(taken), self.lab.adjacency)

    def curve(self, bound: Accountant) -> tuple[Array, Array]:
        """(k, total ε); NaN where the bound promises nothing, or is not worked out for so many."""
        k = self._marks(bound)
        key = (
            bound,
            self.spend if self.equal else self.entries,
            self.lab.delta_prime,
            self.lab.adjacency,
            k.tobytes(),
        )
        y = self.remember("curve", key, lambda: array(self._points(bound, k)))
        return array(k), y

    def _marks(self, bound: Accountant) -> Array:
        """Where a bound is worked out: at fewer k if that is slow."""
        k = self.k[self.k <= bound.most]
        few = SLOW_POINTS if self.equal else SLOW_PREFIXES
        return (
            k[np.unique(np.linspace(0, len(k) - 1, few).astype(int))]
            if bound.numeric and len(k) > few
            else k
        )

    def _points(self, bound: Accountant, k: Array) -> Array:
        if not self.equal:
            found = [self._prefix_total(bound, int(each)) for each in k]
        elif self.spend.delta == 0:
            found = bound.curve(self.spend, k, self.lab.delta_prime, self.lab.adjacency).tolist()
        else:
            found = [self._at(bound, float(each)) for each in k]
        y = np.array(found, dtype=np.float64)
        return np.where(np.isfinite(y), y, np.nan)

    def _at(self, bound: Accountant, k: float) -> float:
        delta = self.delta_at(k)
        return (
            float(bound.curve(self.spend, np.array([k]), delta, self.lab.adjacency)[0])
            if delta < 1
            else math.inf
        )

    def _prefix_total(self, bound: Accountant, k: int) -> float:
        ledger = self.prefix(k)
        delta = own_delta(ledger) + self.lab.delta_prime
        return self.total(bound, ledger, delta) if self.why_not(bound, ledger) is None else math.inf

    @cached_property
    def drawn(self) -> tuple[Accountant, ...]:
        """The bounds that have a curve over k: parts over disjoint data are drawn beside equal
        answers too, as what they would cost."""
        made = [bound_of(key, self.lab.people) for key in self.lab.bounds]
        return tuple(a for a in made if a in self.bounds or (self.equal and a.key == "parallel"))

    @cached_property
    def curves(self) -> dict[str, tuple[Array, Array]]:
        return {a.key: self.curve(a) for a in self.drawn}

    @cached_property
    def crossings(self) -> dict[str, int | None]:
        """By bound, the smallest k from which it is below adding up; None: never up to 10,000."""
        wanted = [
            a
            for a in self.bounds
            if a.envelope and a.key not in ("sequential", "parallel", "optimal") and not a.numeric
        ]
        if not self.equal or self.spend.delta > 0:
            return {}
        key = (tuple(wanted), self.spend, self.lab.delta_prime)
        found: dict[str, int | None] = self.remember(
            "crossings",
            key,
            lambda: {a.key: below_adding(a, self.spend, self.lab.delta_prime) for a in wanted},
        )
        return found

    # The shortcut of the texts

    @cached_property
    def zones(self) -> Any:
        """Up to which k the printed shortcut is proved, and true; None where it says nothing about
        these releases."""
        if (
            "shortcut" not in self.lab.bounds
            or self.why_not(Shortcut()) is not None
            or self.ledger.groups
        ):
            return None
        # What does not refuse is pure and of one ε, also in a list.
        key = (self.ledger.spends[0].epsilon, self.lab.delta_prime)
        return self.remember("zones", key, lambda: shortcut_zones(*key))

    @property
    def zone(self) -> str:
        """Where the printed shortcut stands at this k: "proved", "true" or "false"."""
        return (
            "proved"
            if self.answers <= self.zones.proved
            else "true"
            if self.answers <= self.zones.true
            else "false"
        )

    @cached_property
    def optimum(self) -> float:
        """What answers of one ε can really cost when only that is known."""
        bare = tuple(Spend(spend.epsilon, count=spend.count) for spend in self.ledger.spends)
        return self.total(Optimal(), Ledger(bare, self.lab.adjacency), self.delta)

    @cached_property
    def claimed(self) -> float:
        """What the shortcut prints for these answers."""
        return self.total(Shortcut(), self.ledger, self.delta)

    # δ against ε, the inverse, the group

    def privacy_curve(self, bound: Accountant) -> tuple[Array, Array]:
        """(ε, δ) of the whole composition by one bound, from δ = 1/2 down to 1e-12."""
        deltas = np.geomspace(0.5, 1e-12, DELTA_POINTS if self.fine else COARSE_DELTAS)

        def points() -> Array:
            found = []
            for delta in deltas:
                hidden_noise = (
                    isinstance(bound, Numeric)
                    and bound.refuse_delta(self.ledger, float(delta)) is not None
                )
                value = math.inf if hidden_noise else bound.epsilon(self.ledger, float(delta))
                found.append(value if math.isfinite(value) else math.nan)
            return array(found)

        return self.remember("privacy", (bound, self.ledger, len(deltas)), points), array(deltas)

    def affordable(self, bound: Accountant) -> int:
        """The largest k whose total stays within the budget."""
        lab = self.lab
        key = (bound, self.spend, lab.budget, lab.delta_prime, lab.adjacency)

        def solve() -> int:
            if self.spend.delta == 0:
                return bound.affordable(
                    self.spend, lab.budget * (1 + 1e-12), lab.delta_prime, lab.adjacency
                )  # 7 × 0.1 is a rounding above 0.7
            low, high = 0, bound.most + 1
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (
                    (middle, high)
                    if self._at(bound, float(middle)) <= lab.budget * (1 + 1e-12)
                    else (low, middle)
                )
            return low

        return int(self.remember("affordable", key, solve))

    @cached_property
    def most_affordable(self) -> int:
        return max((self.affordable(a) for a in self.bounds if a.envelope), default=0)

    def keep(self, bound: Accountant) -> Kept:
        """What the budget leaves to the unlocked releases of the list by one bound."""
        key = (bound, self.entries, self.lab.budget, self.delta, self.lab.adjacency)
        found: Kept = self.remember(
            "keep",
            key,
            lambda: kept(self.entries, self.lab.adjacency, self.delta, self.lab.budget, bound),
        )
        return found

    @cached_property
    def kept(self) -> tuple[Kept, ...]:
        """By every bound on one person's loss; none where every release is locked, or in equal
        ones."""
        fixed = self.equal or all(entry.locked for entry in self.entries)
        # The optimum of many different releases goes through all their outcomes, and that at every
        # step of the search.
        quick = self.fine or sum(len(lines(entry)) for entry in self.entries) <= QUICK_LINES
        return (
            ()
            if fixed
            else tuple(
                self.keep(a) for a in self.bounds if a.envelope and (quick or a.key != "optimal")
            )
        )

    @property
    def inverted(self) -> tuple[Accountant, ...]:
        """The bounds that say what each of k equal pure answers may spend."""
        return tuple(
            a
            for a in self.bounds
            if a.envelope and not a.numeric and a.key not in ("gdp", "parallel")
        )

    @cached_property
    def best_each(self) -> float:
        found = [self.each(a) for a in self.inverted]
        return max((e for e in found if math.isfinite(e)), default=0.0)

    def each(self, bound: Accountant) -> float:
        """The largest ε of each of k equal pure releases that stay within the budget."""
        lab = self.lab
        key = (bound, self.answers, lab.budget, lab.delta_prime)
        return float(
            self.remember(
                "each", key, lambda: bound.per_release(self.answers, lab.budget, lab.delta_prime)
            )
        )

    def group(self, people: int) -> tuple[float, float]:
        """(ε, δ) of a group of that many people, by the tightest bound for one person."""
        return group_privacy(self.best.epsilon, self.best_delta, people)

    def group_by_adding(self, people: int) -> tuple[float, float]:
        """The same by adding up, which keeps δ = 0 where the answers have none."""
        return group_privacy(self.plain, self.own_delta, people)

    @property
    def best_delta(self) -> float:
        """The total δ that goes with the tightest bound."""
        return self.own_delta if self.best.bound.key == "sequential" else self.delta

    # The averaging attack

    @property
    def total_asked(self) -> int:
        return sum(line.times for line in self.asked)

    @cached_property
    def deviation(self) -> float:
        """The exact standard deviation of the mean of all that can be averaged."""
        return float(spread(self.asked, np.array([float(self.total_asked)]))[0])

    @cached_property
    def asked(self) -> tuple[Line, ...]:
        """The answers that an attacker can average: of disjoint parts those about one person, at
        their largest ε."""
        out = []
        for entry in self.entries:
            line = max(lines(entry), key=lambda one: one.times * one.mechanism.epsilon)
            out.append(
                Line(line.times * (entry.times if isinstance(entry, Parts) else 1), line.mechanism)
            )
        return tuple(out)

    @cached_property
    def attack(self) -> Attack:
        lab = self.lab
        if self.equal:  # one simulation for every k: its slider only says how far it is looked at
            asked: tuple[Line, ...] = (Line(1_000_000, lab.mechanism),)
            k = grid(1_000_000)
        else:
            asked, k = self.asked, grid(sum(line.times for line in self.asked))
        found: Attack = self.remember(
            "attack", (asked, lab.seed), lambda: attack(asked, k, lab.seed)
        )
        return found

    @cached_property
    def promised(self) -> float:
        """The most that the tightest bound lets anyone be right, of two neighbours at even odds."""
        return most_right(self.best.epsilon, self.best_delta)
