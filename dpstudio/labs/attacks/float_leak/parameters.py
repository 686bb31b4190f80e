"""Leak: the last bits of a noisy double, and what they prove about the exact answer (Mironov
2012)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.attacks.float_leak import ABOUT
from dpstudio.labs.attacks.float_leak.bits import Mask, last_bit, off_grid, proving_share, reachable
from dpstudio.labs.attacks.float_leak.charts import (
    bits_chart,
    grid_chart,
    samplers_chart,
    share_chart,
)
from dpstudio.labs.attacks.float_leak.samplers import SAMPLERS, Sampler
from dpstudio.labs.attacks.float_leak.words import facts, sentences, tables
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_, say
from dpstudio.values.params import Choice, Integer, ParamError, param

FIRST, KNOWN = 20_000, 5_000
ATTACKS = {
    "grid": N_("last bit below its grid"),
    "rounding": N_("no noise rounds to it"),
    "sampler": N_("the sampler cannot give it"),
}
BITS = (-70, 20)
LADDER = array(np.geomspace(EPSILON.low, EPSILON.high, 73))


@dataclass(frozen=True)
class Leak(Lab, about=ABOUT):
    """Noise drawn as doubles is added to x; an output that x′ + noise can never be proves that the
    answer was not x′."""

    own_budget: ClassVar[bool] = True

    epsilon: float = param(1.0, EPSILON)
    answer: int = param(
        0,
        Integer(
            N_("Exact answer x"), N_("A count, to which noise is added."), low=0, high=1_000_000
        ),
    )
    other: int = param(
        1,
        Integer(
            N_("Neighbour’s answer x′"),
            N_("The count that the outputs may rule out."),
            low=0,
            high=1_000_000,
        ),
    )
    sampler: str = param(
        "numpy",
        Choice(
            N_("Noise"),
            N_("How Laplace noise is drawn."),
            options={s.key: s.label for s in SAMPLERS.values()},
        ),
    )
    attack: str = param(
        "grid",
        Choice(
            N_("Proof"),
            N_("Why an output cannot come from x′. Each test catches more."),
            options=ATTACKS,
        ),
    )
    trials: int = param(
        100_000,
        Integer(
            N_("Draws"), N_("How many outputs are looked at."), low=1_000, high=1_000_000, log=True
        ),
    )
    seed: int = shared.seed()

    def agree(self) -> None:
        if self.answer == self.other:
            raise ParamError("other", say("Two different answers are needed."))

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        full = Outputs(self, data, self.trials)
        if self.trials > FIRST and not full.known:
            yield _found(Outputs(self, data, FIRST))
            if cancelled():
                return
        yield _found(full)
        if not full.compared:
            for key in SAMPLERS:
                if cancelled():
                    return
                full.tally(key, FIRST)
            yield _found(full)


def _found(outputs: Outputs) -> Findings:
    figures = [share_chart(outputs), grid_chart(outputs), bits_chart(outputs)]
    if outputs.compared:
        figures.append(samplers_chart(outputs))
    return Findings(
        tuple(figures),
        facts(outputs),
        sentences(outputs),
        tables(outputs),
        headline=("verdict", "studio"),
    )


@dataclass(frozen=True, eq=False)
class Tally:
    """What was counted for one sampler. `shares[attack]` is the share of outputs of x that rule x′
    out, and the other way round; None where the sampler's reach is not known. `example` is such an
    output (any, where there is none)."""

    shares: dict[str, tuple[float, float] | None]
    example: float
    bits: Array

    def share(self, attack: str) -> tuple[float, float]:
        """The shares of an attack, or of the rounding test where nobody has worked out what the
        sampler can give."""
        return self.shares[attack] or self.shares["rounding"] or (0.0, 0.0)


class Outputs:
    """One state of the lab on so many outputs. What is counted is remembered."""

    def __init__(self, lab: Leak, data: Dataset, trials: int):
        self.lab, self.data, self.trials = lab, data, trials
        self.sampler: Sampler = SAMPLERS[lab.sampler]

    def _question(self, key: str, trials: int) -> tuple[Any, ...]:
        lab = self.lab
        return ("leak", key, lab.epsilon, lab.answer, lab.other, lab.seed, trials)

    @property
    def known(self) -> bool:
        return self.data.known(self._question(self.lab.sampler, self.trials))

    @property
    def compared(self) -> bool:
        """Whether every sampler has been tried, for the comparison."""
        return all(self.data.known(self._question(key, FIRST)) for key in SAMPLERS)

    def tally(self, key: str, trials: int) -> Tally:
        lab = self.lab
        return self.data.remember(
            self._question(key, trials),
            lambda: count(SAMPLERS[key], lab.answer, lab.other, lab.epsilon, lab.seed, trials),
        )

    @cached_property
    def mine(self) -> Tally:
        return self.tally(self.lab.sampler, self.trials)

    @property
    def attack(self) -> str:
        """The test that was asked for, or the one that stands in for it."""
        return self.lab.attack if self.mine.shares[self.lab.attack] is not None else "rounding"

    @property
    def share(self) -> float:
        return self.mine.share(self.lab.attack)[0]

    @property
    def reverse(self) -> float:
        """The share of outputs of x′ that prove that the answer was not x."""
        return self.mine.share(self.lab.attack)[1]

    @property
    def looked_at(self) -> int:
        """How many outputs the share is of."""
        return min(KNOWN, self.trials) if self.attack == "sampler" else self.trials

    def curve(self, attack: str, *, back: bool = False) -> Array:
        """The share by ε for noise of any continuous sampler with even low bits; `back` is the
        other way round."""
        x, other = (self.lab.other, self.lab.answer) if back else (self.lab.answer, self.lab.other)
        return self.data.remember(
            ("leak", "curve", attack, x, other),
            lambda: array(proving_share(LADDER, x, other, grid=attack == "grid")),
        )


def count(
    sampler: Sampler, answer: int, other: int, epsilon: float, seed: int, trials: int
) -> Tally:
    """Draw from x and from x′ and test every output, bit for bit."""
    sides = [
        sampler.draw(np.random.Generator(np.random.SFC64([seed, 13, side])), x, epsilon, trials)
        for side, x in enumerate((answer, other))
    ]
    proofs = (reaching(sides[0], other), reaching(sides[1], answer))
    shares: dict[str, tuple[float, float] | None] = {
        "grid": (
            float(np.mean(off_grid(sides[0], other))),
            float(np.mean(off_grid(sides[1], answer))),
        ),
        "rounding": (float(np.mean(proofs[0])), float(np.mean(proofs[1]))),
        "sampler": _known(sampler, (sides[0][:KNOWN], sides[1][:KNOWN]), answer, other, epsilon),
    }
    proving = np.flatnonzero(off_grid(sides[0], other))
    proving = proving if len(proving) else np.flatnonzero(proofs[0])
    example = sides[0][proving[0] if len(proving) else int(np.argmax(sides[0] != 0))]
    edges = np.arange(BITS[0], BITS[1] + 2) - 0.5
    bits = [
        np.histogram(np.clip(last_bit(side[side != 0]), *BITS), edges)[0] / trials for side in sides
    ]
    return Tally(shares, float(example), array(np.stack(bits)))


def reaching(outputs: Array, other: int) -> Mask:
    """Which outputs no double noise whatever can have made of the other answer."""
    return np.asarray(~reachable(outputs, float(other)))


def _known(
    sampler: Sampler, sides: tuple[Array, Array], answer: int, other: int, epsilon: float
) -> tuple[float, float] | None:
    """The shares for someone who knows the sampler; None where its reach is unknown, or not
    reproduced on this machine."""
    if sampler.reach is None:
        return None
    # A logarithm that rounds otherwise than the sampler's would call its own outputs impossible.
    if not (
        sampler.reach(sides[0], answer, epsilon).all()
        and sampler.reach(sides[1], other, epsilon).all()
    ):
        return None
    return float(np.mean(~sampler.reach(sides[0], other, epsilon))), float(
        np.mean(~sampler.reach(sides[1], answer, epsilon))
    )
