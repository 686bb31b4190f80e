"""Errata of local reports of numbers: the piecewise mechanism, in one dimension and in many, and
Duchi's in many."""

import math

import numpy as np

from dpstudio.charts.figure import Array, Axis, Figure, Rule, array, nice_above
from dpstudio.labs.promise.printed.listings.erratum import (
    REAL_EPSILON,
    VERSIONS,
    Case,
    Draws,
    Erratum,
    Row,
    compared,
    corrected,
    decades,
    epsilons,
    handles,
    linear,
    printed,
)
from dpstudio.privacy.attacks import local
from dpstudio.privacy.local.duchi import Duchi
from dpstudio.privacy.local.piecewise import Piecewise, sampled
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import Real, param

_FACTOR = say("E t* over t")
_ONE = (say("as printed"), say("corrected: 1"))


def halves_factor(epsilon: float) -> float:
    """E t* over t where the outer part goes left or right with probability ½: a(2a + 1)/2(a² − 1),
    a = e^(ε/2)."""
    b = math.exp(-epsilon / 2)
    return (2 + b) / (2 * -math.expm1(-epsilon))


class PiecewiseHalves(Erratum):
    """Listing 5.4 chooses the left or right outer part with probability ½ each instead of by their
    lengths."""

    key = "piecewise_halves"
    label = N_("The outer parts of the piecewise mechanism")
    source = N_("an introductory book, listing 5.4")
    wrong = N_("The outer parts are chosen with ½ each, and not by their lengths.")
    proof = (
        N_(
            "At t = 1 the right outer part has no length, and half of the outer mass 1/(exp(ε/2) + "
            "1) falls on the single point C."
        ),
        N_("That point has probability {atom} for t = 1 and 0 for every t below: no ε covers it."),
    )

    epsilon: float = param(1.0, EPSILON)
    t: float = param(0.8, Real(N_("Value t"), N_("What the person holds."), low=-1.0, high=1.0))

    def case(self, draws: Draws) -> Case:
        law = local.EqualHalves(self.epsilon)
        factor = halves_factor(self.epsilon)
        tall, flat, atom = max(law.outer(self.t)), law.right.heights[1], law.mass
        mean, t = Num(self.t * factor, 4), Num(self.t, 4)
        return Case(
            "bad",
            {"factor": Num(factor, 4), "mean": mean, "t": t, "atom": Num(atom, 3, "down")},
            (
                Row("mean", say("mean report"), mean, t),
                Row("outer", say("largest outer density"), Num(tall, 3, "up"), Num(flat, 3, "up")),
                Row("epsilon", say("real ε over all t"), Num(math.inf), Num(self.epsilon, 5)),
                Row(
                    "atom", say("probability of the single report C at t = 1"), Num(atom), Num(0.0)
                ),
            ),
            (self._density(law), self._means(draws)),
            self._outcome(factor),
            audited=(law, local.LocalNumber(protocol=law.right)),
        )

    def _outcome(self, factor: float) -> str:
        if factor < 1.0005:
            return N_("Not private for any ε, though at so large an ε the bias hardly shows.")
        if self.t == 0:
            return N_(
                "Not private for any ε, and biased for every t but 0: reports are {factor} times t "
                "on average."
            )
        return N_(
            "Not private for any ε, and biased: a person who holds {t} sends {mean} on average, "
            "{factor} times as much."
        )

    def _density(self, law: local.EqualHalves) -> Figure:
        low, left, right, c = law.right.steps(self.t)
        x = array([low, low, left, left, right, right, c, c])
        inside, outside = law.right.heights
        top = nice_above(1.15 * inside)
        sides = (law.outer(self.t), (outside, outside))
        curves = [
            array(np.clip([0, lo, lo, inside, inside, hi, hi, 0], 0, 2 * top)) for lo, hi in sides
        ]
        reach = nice_above(1.05 * c)
        return Figure(
            "density",
            say("Reports of a person who holds {t}", t=Num(self.t, 4)),
            Axis(say("report"), range=(-reach, reach)),
            Axis(say("density"), range=(0.0, top), hidden=True),
            (
                corrected("density", say("corrected"), x, curves[1]),
                printed("density", say("as printed"), x, curves[0]),
                Rule("t", "truth", say("t"), self.t),
            ),
            say("exact densities, ε = {epsilon}", epsilon=Num(self.epsilon, 5)),
            source=N_("Wang et al. 2019 (piecewise mechanism)"),
        )

    def _means(self, draws: Draws) -> Figure:
        return compared(
            self,
            draws,
            "means",
            say("Bias"),
            epsilons(),
            lambda was, now: Axis(_FACTOR, log=True, range=decades(was, 0.9, most=1e4)),
            lambda x: np.array([halves_factor(float(e)) for e in x]),
            np.ones_like,
            say("a(2a + 1)/2(a² − 1), a = exp(ε/2), the same for every t"),
            names=_ONE,
        )


def repeats_factor(k: int, dims: int) -> float:
    """E t* over t where k coordinates are drawn with replacement and repeats overwrite: (1 − (1 −
    1/d)^k)·d/k."""
    return -math.expm1(k * math.log1p(-1 / dims)) * dims / k if dims > 1 else 1.0 / k


class SampledTwice(Erratum):
    """Listing 5.5 draws the reported coordinates with replacement."""

    key = "sampled_twice"
    label = N_("Coordinates drawn twice")
    source = N_("an introductory book, listing 5.5")
    wrong = N_("The k coordinates are drawn with replacement; the text says without.")
    right = N_("A repeat overwrites.")
    follows = {
        "warn": N_(
            "Private, but biased: of k = {k} {k:draw|draws} from d = {d} some repeat, and "
            "estimates shrink to {factor} of the truth."
        ),
        "good": N_(
            "With a single coordinate reported nothing can repeat, and the listing is right."
        ),
    }

    epsilon: float = param(7.5, EPSILON)
    dims: int = integer(
        5, N_("Coordinates d"), N_("How many numbers a person holds."), low=1, high=100, log=True
    )

    def case(self, draws: Draws) -> Case:
        d, k = self.dims, sampled(self.epsilon, self.dims)
        factor = repeats_factor(k, d)
        right = Piecewise(self.epsilon)
        return Case(
            "warn" if k > 1 else "good",
            {"k": Num(k), "d": Num(d), "factor": Num(factor, 3)},
            (
                Row("factor", say("mean estimate over the truth"), Num(factor, 4), Num(1.0)),
                Row(
                    "reported",
                    say("different coordinates reported, on average"),
                    Num(factor * k, 4),
                    Num(k),
                ),
            ),
            (self._by_epsilon(draws), self._by_count(k)),
            audited=(local.Repeats(right, d), local.LocalNumber(right, d)),
        )

    def _by_epsilon(self, draws: Draws) -> Figure:
        d = self.dims
        return compared(
            self,
            draws,
            "epsilon",
            say("What is left of the mean"),
            epsilons(193),
            Axis(_FACTOR, range=(0.0, 1.2)),
            lambda x: np.array([repeats_factor(sampled(float(e), d), d) for e in x]),
            np.ones_like,
            say(
                "k = max(1, min(d, ⌊ε/2.5⌋)) of d = {d} {d:coordinate is|coordinates are} reported",
                d=Num(d),
            ),
            names=_ONE,
        )

    def _by_count(self, k: int) -> Figure:
        x = np.arange(1, self.dims + 1, dtype=np.float64)
        return Figure(
            "count",
            say("By the number reported"),
            Axis(say("coordinates reported k"), range=(0.0, self.dims + 1.0), whole=True),
            Axis(_FACTOR, range=(0.0, 1.2)),
            (
                printed("count", _ONE[0], x, [repeats_factor(int(i), self.dims) for i in x]),
                corrected("count", _ONE[1], x, np.ones_like(x)),
                Rule("here", "muted", say("k = {k}", k=Num(k)), float(k), dash="dot"),
            ),
            say("(1 − (1 − 1/d)^k)·d/k"),
            source=self.source,
        )


def duchi_printed(epsilon: float, dims: int) -> tuple[float, float]:
    """(real ε, E t* over t) of listing 5.3, which keeps ties z·v = 0 for the negative side; exact
    for odd d."""
    above, below = local.ties(dims)
    # The text's B has the ties of an even d in its numerator: 2·below as a share. Σ z₁v₁ over
    # either side is ±2^d/2C(d).
    size, right = 2 * below / math.tanh(epsilon / 2), 1 / (1 + math.exp(-epsilon))
    return local.real_duchi(epsilon, dims), size / 2 * (right / above - (1 - right) / below)


def duchi_told(epsilon: float, dims: int) -> float:
    """The real ε of the section's words, which draw ties from both sides: of an even d
    1/(1 − p) = eᵋ + 1 to one, p = eᵋ/(eᵋ + 1)."""
    return epsilon if dims % 2 else float(np.logaddexp(epsilon, 0.0))


class DuchiTies(Erratum):
    """Listing 5.3 for an even number of coordinates: the outputs at a right angle to v belong to
    one side only."""

    key = "duchi_ties"
    label = N_("Ties in Duchi’s mechanism")
    source = N_("an introductory book, listing 5.3")
    wrong = N_("Outputs at a right angle to v all go to the negative side.")
    right = N_("B is made for ties on both sides.")
    follows = {
        "bad": N_(
            "Not private as declared, and biased: the real ε is {real} instead of {epsilon}, and "
            "means are {factor} times too large."
        ),
        "good": N_("For an odd number of coordinates there are no ties, and the listing is right."),
    }

    epsilon: float = param(1.0, EPSILON)
    dims: int = integer(
        2, N_("Coordinates d"), N_("Ties exist for even d only."), low=1, high=100, log=True
    )

    def case(self, draws: Draws) -> Case:
        epsilon, d = self.epsilon, self.dims
        real, factor = duchi_printed(epsilon, d)
        sides = {
            name: Num(share) for name, share in zip(("above", "below"), local.ties(d), strict=True)
        }
        values = {
            "epsilon": Num(epsilon, 5),
            "real": Num(real, 5, "up"),
            "told": Num(duchi_told(epsilon, d), 5, "up"),
            "factor": Num(factor, 4),
            "d": Num(d),
        }
        return Case(
            "good" if d % 2 else "bad",
            values,
            (
                Row("epsilon", REAL_EPSILON, values["real"], values["epsilon"]),
                Row("told", say("real ε by the words"), values["told"], values["epsilon"]),
                Row("factor", say("mean estimate over the truth"), Num(factor, 4), Num(1.0)),
            ),
            self._charts(real, factor),
            proof=(
                say(
                    "One side holds {above} of all outputs, the other with its ties {below}.",
                    **sides,
                ),
                say(
                    "An output on the small side has eᵋ·{below}/{above} times the probability it "
                    "has from the other: ε = {real}.",
                    **values,
                    **sides,
                ),
                say(
                    "The section’s words draw ties from both sides: a tie is eᵋ + 1 times as "
                    "likely as an output of the unlikely side, ε = {told}.",
                    **values,
                ),
            ),
            audited=(
                local.EvenDuchi(epsilon, d),
                local.LocalNumber(protocol=Duchi(epsilon), dims=d),
            ),
        )

    def _charts(self, real: float, factor: float) -> tuple[Figure, Figure]:
        d = np.arange(1, 101)
        both: Array = np.array([duchi_printed(self.epsilon, int(i)) for i in d])
        even = d % 2 == 0
        axis = Axis(say("coordinates d"), log=True, range=(0.85, 120.0), whole=True)
        words = say("declared ε = {epsilon}; odd d are right", epsilon=Num(self.epsilon, 5))
        charts = [
            Figure(
                key,
                title,
                axis,
                Axis(name, range=linear(both[:, i], right)),
                (
                    printed(key, say("as printed, even d"), d[even], both[even, i]),
                    corrected(key, VERSIONS[1], d, np.full(len(d), right)),
                    *handles("dims", float(self.dims), here, right),
                ),
                words,
                source=self.source,
            )
            for i, (key, title, name, right, here) in enumerate(
                (
                    ("spent", say("Privacy really spent"), REAL_EPSILON, self.epsilon, real),
                    ("bias", say("Bias"), _FACTOR, 1.0, factor),
                )
            )
        ]
        return charts[0], charts[1]
