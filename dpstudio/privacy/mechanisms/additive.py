"""Additive-noise mechanisms: a `Parameters` that turns a sensitivity and a budget into an exact
noise law."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from dpstudio.privacy.mechanisms.law import Array, Law
from dpstudio.privacy.mechanisms.loss import Worst
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import ParamError, Parameters, Real, Solved, param
from dpstudio.values.roots import bracket

EPSILON = Real(
    N_("ε"),
    N_("How much one person may change the probability of any answer: at most by the factor eᵋ."),
    low=0.001,
    high=50,
    log=True,
    editor="budget",
)
DELTA = Real(
    N_("δ"),
    N_("What may be added to the bound: P ≤ eᵋ·P′ + δ between neighbours. Far below 1/n."),
    low=1e-12,
    high=0.5,
    log=True,
    editor="failure",
)


def _epsilon_of(mechanism: Additive, scale: float) -> Mapping[str, float]:
    found, ends = mechanism.epsilon_of(scale), {"low": Num(EPSILON.low), "high": Num(EPSILON.high)}
    if found == 0:
        text = N_("less than {end} is outside {low} to {high}.")
        raise ParamError("epsilon", say(text, end=Num(EPSILON.low / 2), **ends))
    if math.isinf(found):
        text = N_("more than {end} is outside {low} to {high}.")
        raise ParamError("epsilon", say(text, end=Num(EPSILON.high * 2), **ends))
    return {"epsilon": found}


SCALE = Real(
    N_("Scale at Δ = 1"),
    N_(
        "Of the noise on an answer that one person moves by 1 (b/Δ₁, σ/Δ₂): typing it sets the ε "
        "that it gives."
    ),
    low=1e-6,
    high=1e9,
)


@dataclass(frozen=True)
class Sensitivity:
    """How far one person can move a vector answer at most, in its own units: in the L1, L2 and L∞
    norm. `why` says so in a sentence.

    `l0` is how many of the `dims` coordinates one person can move at once. `moves` lists the
    largest moves, each by the sizes of the coordinates that it changes; where it is empty only the
    norms are known.
    """

    l1: float
    l2: float
    linf: float
    why: Message = Message("")
    l0: int = 1
    dims: int = 1
    moves: tuple[tuple[float, ...], ...] = ()

    @property
    def alone(self) -> bool:
        """Whether one person can put the whole L1 sensitivity into a single coordinate."""
        return any(len(move) == 1 and math.isclose(move[0], self.l1) for move in self.patterns)

    @property
    def patterns(self) -> tuple[tuple[float, ...], ...]:
        """The largest moves; a single coordinate needs no list. Empty where only the norms are
        known."""
        return self.moves or (((self.linf,),) if self.l0 == 1 else ())


@dataclass(frozen=True)
class Guarantee:
    """(ε, δ) as the theorem promises it. `proven` is False outside the theorem's range.

    `true_delta` is the exact δ(ε) of the law, None where nobody asked for it. `note` qualifies the
    promise in a sentence; it is empty where there is nothing to say. `instead` is what to choose
    where it is not kept.
    """

    epsilon: float
    delta: float
    proven: bool = True
    true_delta: float | None = None
    note: Message = Message("")
    instead: Message = Message(N_("Choose another mechanism."))

    @property
    def kept(self) -> bool:
        """Whether (ε, δ) is known to hold: by the theorem, or by the law itself, whose exact δ is
        no larger."""
        return not self.violated and (self.proven or self.true_delta is not None)

    @property
    def sound(self) -> bool:
        """Whether the theorem holds here, and the law keeps what it says."""
        return self.proven and not self.violated

    @property
    def violated(self) -> bool:
        """Whether the exact δ exceeds the promised one."""
        return self.true_delta is not None and self.true_delta > self.delta * (1 + 1e-9)


class Additive(Parameters):
    """Base of the additive family: noise of an exact law on every coordinate. A member gives `law`.

    `norm` says which sensitivity scales it ("l1", "l2" or "linf"), `pure` that δ = 0, `integers`
    that it needs an answer of integers, `one_vector` that its noise on several measurements is one
    Gaussian on one vector, of which L2 alone counts, and `ink` its colour.
    """

    family: ClassVar[str] = "additive"
    editor = "strokes"
    norm: ClassVar[str] = "l1"
    pure: ClassVar[bool] = True
    integers: ClassVar[bool] = False
    one_vector: ClassVar[bool] = False
    formula: ClassVar[str] = ""
    ink: ClassVar[str] = "accent"

    solved = {"scale": Solved(SCALE, _epsilon_of)}

    epsilon: float = param(1.0, EPSILON)

    def law(self, sensitivity: Sensitivity) -> Law:
        """The exact law of the noise on one coordinate of an answer of that sensitivity."""
        raise NotImplementedError

    @classmethod
    def sketch(cls) -> Law:
        """A law of this shape and of no particular size, for a small drawing of it."""
        return cls().law(Sensitivity(1.0, 1.0, 1.0))

    def of_least_deviation(self) -> Self:
        """The same mechanism, its shape chosen for the least standard deviation where it has one to
        choose."""
        return self

    def reach(self, sensitivity: Sensitivity) -> float:
        """The shift between neighbours that the law must hide: the sensitivity in this mechanism's
        norm."""
        return float(getattr(sensitivity, self.norm))

    def noise(
        self, rng: np.random.Generator, sensitivity: Sensitivity, answers: int, dims: int
    ) -> Array:
        """Noise vectors, shape (answers, dims); their coordinates are independent unless a
        mechanism says otherwise."""
        return self.law(sensitivity).sample(rng, answers * dims).reshape(answers, dims)

    def delta_at(self, epsilon: float, sensitivity: Sensitivity) -> float:
        """Exact δ(ε) between neighbours that are as far apart as the sensitivity allows, ε ≥ 0; a
        member for which that is not one coordinate shifted by `reach` overrides it."""
        return self.law(sensitivity).delta(epsilon, self.reach(sensitivity))

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> Worst | None:
        """What dominates the privacy loss of the whole answer where so many people join or leave
        together; None where no more is known than (ε, δ), as of a member that says nothing."""
        return None

    def guarantee(self, sensitivity: Sensitivity) -> Guarantee:
        """What the theorem promises for this budget; a note says where it does not hold."""
        return Guarantee(self.epsilon, self.total_delta)

    def remark(self, guarantee: Guarantee) -> Message:
        """What is to be said of a promise that is not proven, or not kept; nothing for a sound
        theorem."""
        return Message("")

    def remark_on_all(self, whole: Guarantee, parts: Sequence[Guarantee]) -> Message:
        """The same of an answer that is made of several measurements, each with its own promise."""
        return self.remark(whole)

    @property
    def scale(self) -> float | None:
        """The scale of the noise on an answer of sensitivity 1 (b or σ); None where no one number
        is its scale."""
        return None

    def epsilon_of(self, scale: float) -> float:
        """The least ε that noise of that `scale` keeps with this δ, solved to 1e-13; 0 or ∞ where
        that is far beyond the sliders. ParamError where no one number is its scale."""
        if self.scale is None:
            raise ParamError("", say("This noise has no one number as its scale."))

        def gap(log_epsilon: float) -> float:
            found = self.at(math.exp(log_epsilon), self.total_delta).scale
            return math.log((found or scale) / scale)

        low, high = math.log(EPSILON.low / 2), math.log(EPSILON.high * 2)
        if gap(low) <= 0 or gap(high) > 0:
            return 0.0 if gap(low) <= 0 else math.inf
        return math.exp(bracket(gap, low, high, 2e-14)[1])

    @property
    def total_delta(self) -> float:
        """The δ of the whole budget; 0 for a pure mechanism."""
        return float(getattr(self, "delta", 0.0))

    def share(self, part: float) -> Self:
        """The same mechanism with a part of the budget, 0 < part ≤ 1, of ε and δ alike: parts that
        sum to 1 together keep (ε, δ) (basic composition, Dwork & Roth 2014, Theorem 3.16)."""
        if part == 1:
            return self
        return self.at(self.epsilon * part, self.total_delta * part)

    def at(self, epsilon: float, delta: float) -> Self:
        """The same mechanism with another budget, which is not checked and may lie outside the
        sliders' range: half of 0.001 is a budget too. A pure one takes no δ."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, epsilon=epsilon)
        if not self.pure:
            copy.__dict__["delta"] = delta
        return copy


class OverEpsilon(Additive):
    """A mechanism whose scale at sensitivity 1 is 1/ε."""

    @property
    def scale(self) -> float:
        return 1 / self.epsilon

    def epsilon_of(self, scale: float) -> float:
        return 1 / scale
