"""The numeric privacy loss distribution, with a certified lower and upper value."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.accountant import K_NUMERIC, Accountant, Delta
from dpstudio.privacy.accounting.lattice import Part, Round
from dpstudio.privacy.accounting.lattice_curve import log_delta_at, solve
from dpstudio.privacy.accounting.losses import (
    Rounded,
    exactly,
    knows_loss,
    loss_of,
    rounded_down,
    rounded_up,
    worst_of,
)
from dpstudio.privacy.accounting.sampled_losses import Sampled, sampled_down, sampled_up
from dpstudio.privacy.accounting.spend import ADD_REMOVE, Ledger, Spend
from dpstudio.privacy.mechanisms.loss import Loss, response
from dpstudio.values.messages import N_, Message, Num, say

# How much of the variance of the losses rounding may add, and so about how far apart the two values
# are.
FINE = 3e-5
TAIL = 30.0  # a Gaussian tail is cut where what is left is e^−30 of the δ asked for
AnyLoss = Loss | Sampled
Losses = tuple[tuple[AnyLoss, int], ...]
TAIL_SAMPLED, FIRST_TAIL = 9.2, -40.0
FLOOR = -690.0  # and never below e^−690
MOST_PLACES, MOST_STEPS = 100_000, 100_000


@dataclass(frozen=True, eq=False)
class Discretised:
    """A list of releases rounded to one lattice; `log_kept` is ln(1 − mass at ∞) of one round."""

    one: Round
    log_kept: float

    def lost(self, k: Array) -> Array:
        """Mass at ∞ of the round k times."""
        return np.asarray(-np.expm1(k * self.log_kept))


def lattice_step(losses: Losses) -> tuple[float, bool]:
    """The step of the lattice, and whether every loss is exactly on it.

    A split over a cell adds step²/6 of variance on average (step²/4 to an atom at worst): it is to
    stay a small part.
    """
    spaced = [loss for loss, _ in losses if len(loss.places) > 1]
    if all(loss.smooth == 0 for loss, _ in losses) and all(
        math.isclose(loss.spacing, spaced[0].spacing, rel_tol=1e-14) for loss in spaced
    ):
        return (spaced[0].spacing if spaced else 1.0), True
    alone = len({(loss.places, loss.ratio, loss.width) for loss, _ in losses}) == 1
    variance = math.fsum(n * loss.variance for loss, n in losses)
    rough = math.fsum(
        n * (loss.smooth / 6 + (0 if alone else (1 - loss.smooth) / 4)) for loss, n in losses
    )
    step = math.sqrt(FINE * variance / rough)
    step = max([step, *(2 * _wide(loss) for loss, _ in losses)])
    # The ends of what weighs most fall on the lattice, and all others too where a slightly finer
    # one does that.
    ends = [(n * loss.variance, loss.places[-1]) for loss, n in losses if loss.places]
    weight, main = max(ends) if ends else (0.0, 0.0)
    # Not those of what hardly weighs: they would cut what does into as many times as many places.
    if main <= 0 or (main < 8 * step and weight < variance / 2):
        return step, False
    least = max(8, math.ceil(main / step))
    tried = np.arange(least, min(4 * least, least + 2 * MOST_PLACES))
    marks = np.array(
        [
            mark / main
            for loss, _ in losses
            if loss.places
            for mark in (loss.places[-1], loss.spacing)
        ]
    )
    off = np.abs(np.outer(tried, marks) - np.rint(np.outer(tried, marks))).max(axis=1)
    step = main / int(tried[np.argmax(off < 1e-9)] if np.any(off < 1e-9) else least)
    return step, False


def _wide(loss: AnyLoss) -> float:
    """The part of how far a loss reaches below which no step of its lattice goes; that of a sample
    has fewer places than steps."""
    if isinstance(loss, Sampled):
        return (loss.ends[1] - loss.ends[0]) / MOST_STEPS
    return (max(abs(p) for p in loss.places) if loss.places else 20 * loss.ratio) / MOST_PLACES


@lru_cache(maxsize=32)
def _rounded(losses: Losses, log_tail: float, up: bool) -> Discretised:
    # A function of the releases alone: constants, not answers about data.
    if any(loss.lost == 1 for loss, _ in losses):  # of a group, say: there is nothing to round
        return Discretised(Round(1.0, ()), -math.inf)
    step, exact = lattice_step(losses)

    def one(loss: AnyLoss, n: int) -> Rounded:
        if isinstance(loss, Sampled):
            return (sampled_up if up else sampled_down)(loss, step, log_tail)
        # Each rounded down by half a step costs more than none of them at all, which any dominates.
        if not up and 0 < 10 * loss.ratio < math.sqrt(n) * step:
            loss = response(0.0)
        return (
            exactly(loss) if exact else (rounded_up if up else rounded_down)(loss, step, log_tail)
        )

    rounds = [(one(loss, n), n) for loss, n in losses]
    parts = tuple(Part(r.start, r.masses, n, r.at) for r, n in rounds)
    log_kept = math.fsum(n * math.log1p(-r.lost) for r, n in rounds)
    return Discretised(Round(step, parts), log_kept)


def _losses(world: tuple[Spend, ...]) -> Losses:
    """The losses of the releases, in the direction of who leaves."""
    counts: dict[AnyLoss, int] = {}
    for s in world:
        base = loss_of(s.one)
        loss = Sampled(base, s.chance) if s.sampled else base
        counts[loss] = counts.get(loss, 0) + s.count
    return tuple(counts.items())


def _directions(losses: Losses) -> tuple[Losses, ...]:
    """Of who leaves and of who joins: one where both are alike."""
    if not any(isinstance(loss, Sampled) for loss, _ in losses):
        return (losses,)
    turned = (((loss.turned if isinstance(loss, Sampled) else loss), n) for loss, n in losses)
    return losses, tuple(turned)


def _tail(losses: Losses, delta: float, most: float) -> float:
    """ln of the tail at which a Gaussian loss is cut, in steps so that near values of δ share a
    lattice. The tail of a sampled one is long and thin, and is cut where it adds 10^−4 of δ."""
    if delta <= 0:
        return FLOOR
    thin = any(isinstance(loss, Sampled) for loss, _ in losses)
    spare, step = (TAIL_SAMPLED, 4) if thin else (TAIL, 20)
    return max(FLOOR, math.floor((math.log(delta) - math.log(most) - spare) / step) * step)


def values_of(losses: Losses, k: Array, delta: Delta, *, up: bool) -> Array:
    """Certified upper (or lower) ε of the losses k times each, for each k: that of the worse
    direction."""
    if not k.size:  # of no number of answers, where their δ is 1 at any
        return np.zeros(k.shape)
    deltas = np.broadcast_to(np.float64(delta), k.shape)
    asked = np.float64(k).tobytes(), deltas.tobytes(), up
    return np.asarray(np.max([_values(one, *asked) for one in _directions(losses)], axis=0))


@lru_cache(maxsize=256)
def _values(losses: Losses, ks: bytes, deltas: bytes, up: bool) -> Array:
    # Of releases alone, too: many a state, lab and table asks for the same, a quarter of all.
    k, delta = np.frombuffer(ks), np.frombuffer(deltas)
    most = float(k.max()) * sum(n for _, n in losses)
    made = _rounded(losses, _tail(losses, float(delta.min()), most), up)
    target = delta - made.lost(k)
    out = np.full(k.shape, np.inf)
    order = np.argsort(k, kind="stable")
    fine = order[target[order] > 0]
    if len(fine):
        epsilon, spare = solve(made.one, k[fine], np.log(target[fine]))
        top = k[fine] * (made.one.start + made.one.places * made.one.step)
        out[fine] = (
            np.clip(epsilon + spare, 0.0, np.maximum(top, 0.0))
            if up
            else np.maximum(0.0, epsilon - spare)
        )
    none = order[target[order] <= 0]
    if len(none) and all(loss.ratio == 0 for loss, _ in losses):
        # No δ is left beyond what is lost for certain: the largest finite loss, if exactly that is
        # asked for.
        top = k[none] * (made.one.start + made.one.places * made.one.step)
        out[none] = np.where(target[none] >= -1e-12 * delta[none], np.maximum(top, 0.0), np.inf)
    return out


def upper_epsilon(world: tuple[Spend, ...], delta: float) -> float:
    """Certified upper value of the least ε at total δ."""
    return float(values_of(_losses(world), np.ones(1), delta, up=True)[0]) if world else 0.0


def delta_of(losses: Losses, epsilon: float, *, up: bool) -> float:
    """Certified upper (or lower) δ at ε of these losses, in this direction."""
    if not losses:
        return 0.0
    most = sum(n for _, n in losses)
    tail = FIRST_TAIL if any(isinstance(loss, Sampled) for loss, _ in losses) else FLOOR
    while True:
        made = _rounded(losses, tail, up)
        log_delta, error = log_delta_at(made.one, 1.0, epsilon)
        finite = math.exp(min(0.0, log_delta)) * (1 + error if up else max(0.0, 1 - error))
        delta = min(1.0, float(made.lost(np.ones(1))[0]) + finite)
        # A thin tail is cut further out until the cut is a small part of δ.
        if tail <= _tail(losses, delta, most):
            return delta
        tail = max(FLOOR, 1.5 * tail)


class Numeric(Accountant):
    """The losses that the mechanisms declare, convolved on a lattice; the value is the upper one of
    two that are certified. Both are about the releases themselves where these losses are
    `attained`.

    What the lattice leaves out, numeric errors of the transform and what wraps round it are bounded
    and added.
    """

    key = "pld"
    label = N_("numeric bound")
    formula = N_("δ = E(1 − e^(ε − L))₊, L the sum of all privacy losses, convolved on a grid")
    source = "Koskela, Jälkö & Honkela 2020; Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022"
    ink = "pld"
    numeric = True
    most = K_NUMERIC

    def refuse(self, ledger: Ledger) -> Message | None:
        why = super().refuse(ledger)
        if why:
            return why
        most = max((sum(s.count for s in world) for world in ledger.worlds()), default=0)
        if most > self.most:
            return say(
                "The numeric bound takes up to {most} {most:release|releases}; here are {k}.",
                most=Num(self.most),
                k=Num(most),
            )
        return None

    def of_law(self, spend: Spend) -> bool:
        return knows_loss(spend)

    def attained(self, ledger: Ledger) -> bool:
        """Whether every release has neighbours that lose just what is convolved here, so that the
        lower value is one of these very releases; else the upper value alone says something of
        them."""
        return all(worst_of(s.one).attained for world in self._worlds(ledger) for s in world)

    def refuse_delta(self, ledger: Ledger, delta: float) -> Message | None:
        """Why no finite ε exists at this δ: the releases lose more than that for certain, or the
        tail is cut above it."""
        for world in ledger.worlds():
            losses = _losses(world)
            if not losses:
                continue
            sure = -math.expm1(
                math.fsum(n * math.log1p(-loss.lost) for loss, n in losses if loss.lost < 1)
            )
            if any(loss.lost == 1 for loss, _ in losses) or delta < sure * (1 - 1e-12):
                return say(
                    "With probability {sure} these releases lose everything: no smaller δ can be "
                    "met.",
                    sure=Num(sure, rounding="up"),
                )
            made = _rounded(losses, _tail(losses, delta, sum(n for _, n in losses)), True)
            cut = float(made.lost(np.ones(1))[0])
            if cut > delta and any(loss.ratio > 0 for loss, _ in losses):
                text = N_(
                    "δ = {delta} is below {cut}, the part of the tail that the lattice cuts off."
                )
                return say(text, delta=Num(delta, 3, "up"), cut=Num(cut, rounding="up"))
        return None

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        return upper_epsilon(world, delta)

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        return self._delta(world, epsilon, up=True)

    def _delta(self, world: tuple[Spend, ...], epsilon: float, *, up: bool) -> float:
        return max(delta_of(one, epsilon, up=up) for one in _directions(_losses(world)))

    def bracket(self, ledger: Ledger, delta: float) -> tuple[float, float]:
        """Certified (lower, upper) value of the least ε at total δ."""
        worlds = [w for w in self._worlds(ledger) if w]
        lower = max(
            (float(values_of(_losses(w), np.ones(1), delta, up=False)[0]) for w in worlds),
            default=0.0,
        )
        return lower, self.epsilon(ledger, delta)

    def delta_bracket(self, ledger: Ledger, epsilon: float) -> tuple[float, float]:
        """Certified (lower, upper) value of the least δ at total ε."""
        worlds = self._worlds(ledger)
        return max((self._delta(w, epsilon, up=False) for w in worlds), default=0.0), self.delta(
            ledger, epsilon
        )

    def curve(self, spend: Spend, k: Array, delta: Delta, adjacency: str = ADD_REMOVE) -> Array:
        return self._curve(spend, k, delta, up=True)

    def curves(self, spend: Spend, k: Array, delta: Delta) -> tuple[Array, Array]:
        """Certified (lower, upper) values for k such releases, each with the shape of k."""
        return self._curve(spend, k, delta, up=False), self._curve(spend, k, delta, up=True)

    def _curve(self, spend: Spend, k: Array, delta: Delta, *, up: bool) -> Array:
        k = np.asarray(k, dtype=np.float64)
        flat = np.broadcast_to(delta, k.shape).ravel()
        return values_of(_losses((spend.one,)), k.ravel(), flat, up=up).reshape(k.shape)

    def step(self, ledger: Ledger, delta: float) -> float:
        """The step of the lattice of losses at this δ, the largest over what one person may touch;
        0 where every loss is exactly on it."""
        steps = [lattice_step(_losses(world)) for world in self._worlds(ledger) if world]
        return max((0.0 if exact else step for step, exact in steps), default=0.0)
