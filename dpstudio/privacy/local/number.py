"""What a local protocol for numbers is: each person sends an unbiased, noisy version of a number,
or of d numbers, in [−1, 1]."""

import math
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import CAREFUL, LARGEST, Values
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.nearest import nearest
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom, Reporting
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Parameters, param


class NumberProtocol(Parameters):
    """Base of the local protocols for numbers: a person holds t in [−1, 1]^d and sends t* with E t*
    = t.

    Neighbours are any two t of one person. The mean over people of t* estimates the mean of t; its
    variance for a fixed population is the mean of `variance` over n.
    """

    editor = "strokes"
    short: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    ink: ClassVar[str] = "accent"

    epsilon: float = param(1.0, EPSILON)

    @property
    def claim(self) -> float:
        """The declared ε."""
        return self.epsilon

    def at(self, epsilon: float) -> Self:
        """The same protocol at another declared ε, also outside the slider's range."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, epsilon=epsilon)
        return copy

    def refuses(self, d: int) -> Message | None:
        """Why it cannot serve d coordinates, as a sentence; None where it can."""
        return None

    def spent(self, d: int) -> float:
        """The ε that a report of d coordinates really costs."""
        return self.claim

    def bits(self, d: int) -> float:
        """Length of one report in bits; a real number counts as 64."""
        raise NotImplementedError

    def variance(self, t: ArrayLike, d: int = 1) -> Array:
        """Exact variance of one coordinate of t* whose true value is t, where d coordinates are
        held: linear in t²; shape of t."""
        raise NotImplementedError

    def worst(self, d: int = 1) -> float:
        """The largest variance over t in [−1, 1]: at 0 or at 1, since every variance here is linear
        in t²."""
        return float(np.max(self.variance(np.array([0.0, 1.0]), d)))

    def reports(self, rng: np.random.Generator, t: ArrayLike) -> Array:
        """t* for each person: shape (n,) for one number each, or (n, d)."""
        raise NotImplementedError

    def totals(
        self, rng: np.random.Generator, t: ArrayLike, people: ArrayLike, surveys: int, d: int = 1
    ) -> Array:
        """Sums over all people of one coordinate of t*, shape (surveys,), where people[i] of them
        hold t[i] there: exact in law for that coordinate by itself, without simulating each
        person."""
        raise NotImplementedError

    def leave(self, chance: ReleaseRandom, t: Array, people: Values, d: int = 1) -> int:
        """The sum of `totals` for one survey that may leave the program, in steps of `unit`: each
        person's report by itself, drawn exactly. Raises NotDrawnError."""
        text = N_(
            "Reports of {protocol} cannot be drawn exactly here, and what leaves must be. Choose "
            "Duchi or Piecewise, and an ε of at most {most}."
        )
        raise NotDrawnError(say(text, protocol=Message(self.label), most=Num(LARGEST)))

    def unit(self, d: int = 1) -> float:
        """The step of a sum that leaves, which is public."""
        raise NotImplementedError

    def density(self, x: ArrayLike, t: float) -> Array:
        """Density of t* at x for one number, atoms left out; shape of x."""
        raise NotImplementedError

    def atoms(self, t: float) -> tuple[tuple[float, float], ...]:
        """(place, probability) of every single value that t* takes with positive probability, for
        one number."""
        return ()

    def steps(self, t: float) -> tuple[float, ...]:
        """Where the density jumps or has a corner, in order, for one number."""
        return ()

    def reach(self) -> tuple[float, float]:
        """An interval that holds t* for one number, or in all but one report of a thousand does."""
        raise NotImplementedError

    def most(self, d: int = 1) -> float:
        """The largest size of one coordinate of t* where d are held; ∞ where there is none."""
        raise NotImplementedError


class Sampled(NumberProtocol):
    """Base of those that send `kept(d)` = k of the d coordinates, drawn without replacement: each
    with ε/k through the law of one number, and times d/k; the others are 0. The k reports are
    independent, so together they cost ε.

    A member gives `alone`, `send` and `gather`, all for one number with the whole ε.
    """

    # Length in bits of what is sent of one number.
    word: ClassVar[float] = 64.0

    def kept(self, d: int) -> int:
        """How many coordinates a person sends."""
        return 1

    def part(self, d: int) -> Self:
        """The law that each coordinate goes through."""
        return self.at(self.epsilon / self.kept(d))

    def alone(self, t: Array) -> Array:
        """Variance of the report of one number."""
        raise NotImplementedError

    def send(self, rng: np.random.Generator, t: Array) -> Array:
        """Reports of one number each, shape of t."""
        raise NotImplementedError

    def gather(self, rng: np.random.Generator, t: Array, people: Values) -> Array:
        """Sums of such reports, shape (surveys,), where people[s, i] hold t[i] in survey s."""
        raise NotImplementedError

    def bits(self, d: int) -> float:
        """Those of k numbers, and those that say which of the d they are."""
        k = self.kept(d)
        return k * self.word + math.log2(math.comb(d, k))

    def variance(self, t: ArrayLike, d: int = 1) -> Array:
        """(d/k)·(that at ε/k) + (d/k − 1)·t²."""
        t, more = np.asarray(t, dtype=np.float64), d / self.kept(d)
        return np.asarray(more * self.part(d).alone(t) + (more - 1) * t**2)

    def most(self, d: int = 1) -> float:
        return d / self.kept(d) * self.part(d).reach()[1]

    def reports(self, rng: np.random.Generator, t: ArrayLike) -> Array:
        t = np.asarray(t, dtype=np.float64)
        if t.ndim == 1:
            return self.send(rng, t)
        (n, d), k = t.shape, self.kept(t.shape[1])
        if k == d:
            return self.part(d).send(rng, t)
        which = rng.integers(d, size=(n, 1)) if k == 1 else nearest(rng.random((n, d)), k)
        out = np.zeros((n, d))
        np.put_along_axis(
            out, which, d / k * self.part(d).send(rng, np.take_along_axis(t, which, axis=1)), axis=1
        )
        return out

    def totals(
        self, rng: np.random.Generator, t: ArrayLike, people: ArrayLike, surveys: int, d: int = 1
    ) -> Array:
        t, k = np.asarray(t, dtype=np.float64), self.kept(d)
        all_of_them = np.broadcast_to(np.asarray(people, dtype=np.int64), (surveys, len(t)))
        asked = rng.binomial(all_of_them, k / d) if k < d else all_of_them
        return np.asarray(d / k * self.part(d).gather(rng, t, asked))

    @property
    def step(self) -> float:
        """The step of a report of one number that leaves the program; 0 where none does."""
        return 0.0

    def sums(self, rng: Reporting, t: Array) -> int:
        """The sum of reports of one number each, in steps of `step`, drawn exactly."""
        raise NotImplementedError

    def leave(self, chance: ReleaseRandom, t: Array, people: Values, d: int = 1) -> int:
        if not self.step or self.epsilon > LARGEST:
            return super().leave(chance, t, people, d)
        rng, k, each = Reporting(chance), self.kept(d), np.repeat(t, people)
        if k < d:
            each = each[rng.random(len(each)) < k / d]
        return self.part(d).at(self.part(d).epsilon * CAREFUL).sums(rng, each)

    def unit(self, d: int = 1) -> float:
        return d / self.kept(d) * self.part(d).step
