"""What the leak lab counts: the outputs of a sampler that prove that the answer was not the
neighbour's."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import Sized
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.promise.float_leak.parameters import FloatLeak
from dpstudio.privacy.attacks import float_bits
from dpstudio.privacy.attacks.float_samplers import SAMPLERS, Sampler
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.messages import Message, plain, say

FIRST, KNOWN = 20_000, 5_000
BITS = (-70, 20)


@dataclass(frozen=True, eq=False)
class Tally(Sized):
    """What was counted for one sampler. `tested[attack]` is the share of outputs of x that rule x′
    out, and the other way round. `example` is such an output (any, where there is none); `bits` are
    the shares of outputs of x and of x′ by their last bit, shape (2, places). `first` are the
    outputs that are looked at by who knows the sampler, shape (2, KNOWN) at most: that takes ten
    times as long as all else, and is done where it is asked for."""

    asked: tuple[Sampler, int, int, float]
    tested: Mapping[str, tuple[float, float]]
    example: float
    bits: Array
    first: Array

    def of(self, attack: str) -> tuple[float, float] | None:
        """The shares of an attack; None where the sampler's reach is not known."""
        return known_shares(self) if attack == "sampler" else self.tested[attack]

    def share(self, attack: str) -> tuple[float, float]:
        """The shares of an attack, or of the rounding test where nobody has worked out what the
        sampler can give."""
        return self.of(attack) or self.tested["rounding"]


@dataclass(frozen=True, eq=False)
class LeakModel:
    """One state of the lab on so many outputs. `every` holds the tallies of all samplers on
    `compared` outputs each; it is empty until all are counted."""

    lab: FloatLeak
    data: Dataset
    effort: Effort
    trials: int
    mine: Tally
    compared: int
    every: Mapping[str, Tally]

    @property
    def sampler(self) -> Sampler:
        """How the noise is drawn."""
        return SAMPLERS[self.lab.sampler]

    @property
    def attack(self) -> str:
        """The test that was asked for, or the one that stands in for it."""
        return self.lab.attack if self.mine.of(self.lab.attack) is not None else "rounding"

    @property
    def share(self) -> float:
        """The share of outputs of x that prove that the answer was not x′."""
        return self.mine.share(self.lab.attack)[0]

    @property
    def reverse(self) -> float:
        """The share of outputs of x′ that prove that the answer was not x."""
        return self.mine.share(self.lab.attack)[1]

    @property
    def looked_at(self) -> int:
        """How many outputs the share is of."""
        return min(KNOWN, self.trials) if self.attack == "sampler" else self.trials


def stages(lab: FloatLeak, context: Context) -> Iterator[LeakModel]:
    """Few outputs, unless what is asked for is remembered; all outputs; every sampler on few."""
    trials = context.effort.of_draws(lab.trials)
    few = context.effort.of_draws(FIRST)
    if trials > few and not context.data.known(_question(lab, lab.sampler, trials)):
        yield _model(lab, context, few)
    full = _model(lab, context, trials)
    yield full
    if not full.every:
        for place, (key, sampler) in enumerate(SAMPLERS.items()):
            context.check()
            context.progress(
                place / len(SAMPLERS), say("Trying {name}", name=Message(sampler.label))
            )
            _tally(lab, context.data, key, few).of("sampler")
        yield _model(lab, context, trials)


def _question(lab: FloatLeak, key: str, trials: int) -> tuple[Any, ...]:
    return "leak", key, lab.epsilon, lab.answer, lab.other, lab.seed, trials


def _tally(lab: FloatLeak, data: Dataset, key: str, trials: int) -> Tally:
    return data.remember(
        _question(lab, key, trials),
        lambda: count(SAMPLERS[key], lab.answer, lab.other, lab.epsilon, lab.seed, trials),
    )


def _model(lab: FloatLeak, context: Context, trials: int) -> LeakModel:
    data, few = context.data, context.effort.of_draws(FIRST)
    mine = _tally(lab, data, lab.sampler, trials)
    held = all(data.known(_question(lab, key, few)) for key in SAMPLERS)
    every = {key: _tally(lab, data, key, few) for key in SAMPLERS} if held else {}
    return LeakModel(lab, data, context.effort, trials, mine, few, every)


def ladder(model: LeakModel) -> Array:
    """The ε at which shares are worked out for a curve."""
    return np.geomspace(EPSILON.low, EPSILON.high, model.effort.of_points(73))


def share_curve(model: LeakModel, attack: str, *, back: bool = False) -> Array:
    """The share at each ε of the `ladder`, for noise of any continuous sampler with even low bits;
    `back` is the other way round."""
    lab, epsilon = model.lab, ladder(model)
    x, other = (lab.other, lab.answer) if back else (lab.answer, lab.other)
    return model.data.remember(
        ("leak", "curve", attack, x, other, len(epsilon)),
        lambda: array(float_bits.proving_share(epsilon, x, other, grid=attack == "grid")),
    )


def count(
    sampler: Sampler, answer: int, other: int, epsilon: float, seed: int, trials: int
) -> Tally:
    """Draw from x and from x′ and test every output, bit for bit."""
    sides = [
        sampler.draw(SimulationRandom(seed, 13, side).generator, x, epsilon, trials)
        for side, x in enumerate((answer, other))
    ]
    proofs = (reaching(sides[0], other), reaching(sides[1], answer))
    grids = (float_bits.off_grid(sides[0], other), float_bits.off_grid(sides[1], answer))
    tested = {
        "grid": (float(np.mean(grids[0])), float(np.mean(grids[1]))),
        "rounding": (float(np.mean(proofs[0])), float(np.mean(proofs[1]))),
    }
    proving = np.flatnonzero(grids[0])
    proving = proving if len(proving) else np.flatnonzero(proofs[0])
    example = sides[0][proving[0] if len(proving) else int(np.argmax(sides[0] != 0))]
    edges = np.arange(BITS[0], BITS[1] + 2) - 0.5
    bits = [
        np.histogram(np.clip(float_bits.last_bit(side[side != 0]), *BITS), edges)[0] / trials
        for side in sides
    ]
    first = array(np.stack([side[:KNOWN] for side in sides]))
    asked = sampler, answer, other, epsilon
    return Tally(asked, tested, float(example), array(np.stack(bits)), first)


def reaching(outputs: Array, other: int) -> float_bits.Mask:
    """Which outputs no double noise whatever can have made of the other answer."""
    return np.asarray(~float_bits.reachable(outputs, float(other)))


@once
def known_shares(tally: Tally) -> tuple[float, float] | None:
    """The shares for someone who knows the sampler; None where its reach is unknown, or not
    reproduced on this machine."""
    (sampler, answer, other, epsilon), sides = tally.asked, tally.first
    reach = sampler.reach
    if reach is None:
        return None
    # A logarithm that rounds otherwise than the sampler's would call its own outputs impossible.
    if not (reach(sides[0], answer, epsilon).all() and reach(sides[1], other, epsilon).all()):
        return None
    return (
        float(np.mean(~reach(sides[0], other, epsilon))),
        float(np.mean(~reach(sides[1], answer, epsilon))),
    )


def step_of(model: LeakModel) -> float:
    """The coarsest 2^j of which every output of x′ is a multiple: that of the sampler's grid, or of
    the doubles that x′ and noise round to."""
    return model.sampler.grid or float_bits.finest(model.lab.other)


def share_ink(share: float) -> str:
    """Whether a share of proving outputs is bad."""
    return "bad" if share > 0 else "good"


def power_of_two(value: float) -> Message:
    """2^j in words, 1 as it is."""
    if value == 1:
        return plain("1")
    superscript = str(round(math.log2(value))).translate(
        str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    )
    return plain(f"2{superscript}")
