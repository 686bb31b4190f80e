"""What another program's proofs say of a plan's noise: its loss must not be above what is paid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from dpstudio.plans.laws import Noise, monotone, noises, rate, size_public
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import EXPONENTIAL, GAUSSIAN, MeanByGroup, Question
from dpstudio.privacy.accounting import REPLACE
from dpstudio.privacy.release import opendp_maps as maps
from dpstudio.privacy.release.opendp_maps import Measured
from dpstudio.values.messages import N_, Message, of_library, plain, say

Lines = Sequence[tuple[Question, Share]]
_Moves = Iterator[tuple[Fraction, ...]]


def unconfirmed(plan: Plan, lines: Lines) -> Message | None:
    """Why these may not leave: OpenDP's map for how far one person moves a line says that it loses
    more than it pays, or it has none. None where all are confirmed. No table is read for it."""
    asked: list[tuple[Question, Fraction, list[list[Measured]]]] = []
    for question, share in lines:
        if not question.additive and share.noise != EXPONENTIAL:
            return say(_NO_MAP, name=question.name)
        paid = share.cost if question.additive else share.cost**2 / 8
        asked.append((question, paid, list(_measured(plan, question, share))))
    every = [one for _, _, moves in asked for move in moves for one in move]
    try:
        losses = maps.losses(every)
    except RuntimeError as error:  # whose last line says it: those before it are where
        return say(_FAILED, why=of_library(str(error).strip().rpartition("\n")[2]))
    if not all(map(math.isfinite, losses)):
        return say(_FAILED, why=plain("∞"))
    found = iter(losses)
    for question, paid, moves in asked:
        lost = max([sum(Fraction(next(found)) for _ in move) for move in moves])
        if not lost <= paid:
            return say(_MORE, name=question.name, lost=float(lost), paid=float(paid))
    return None


_NO_MAP = N_(
    "“{name}” is not released: OpenDP, which is installed to confirm what is lost, has no proof "
    "for the noisy max with Laplace noise. Choose the exponential mechanism."
)
_FAILED = N_(
    "Nothing is released: OpenDP, which is installed to confirm what is lost, did not say ({why}). "
    "Plan it otherwise, or take OpenDP out."
)
_MORE = N_(
    "“{name}” is not released: OpenDP's proof says that it loses {lost}, and it pays {paid}. "
    "Report this; until then choose another noise."
)


def _measured(plan: Plan, question: Question, share: Share) -> Iterator[list[Measured]]:
    """For each way in which one person can move a line the noise on what is moved: the losses of
    one way add up. Of the exponential mechanism, which is Gumbel noise, ρ."""
    unit = plan.terms.unit
    if not question.additive:
        scale, far = 1 / rate(question, unit, share.cost), question.reach(unit).l1
        yield [Measured(maps.GUMBEL, scale, far, monotone(question, unit))]
        return
    law = noises(question, unit, share.noise, share.cost)
    gaussian = share.noise == GAUSSIAN
    for move in _moves(plan, question, gaussian=gaussian):
        given = zip(law, move, strict=False)  # of a mean whose size is known the sum alone
        yield [_noise(noise, far) for noise, far in given if far]


def _noise(noise: Noise, far: Fraction) -> Measured:
    if not noise.gaussian:
        return Measured(maps.LAPLACE, noise.in_steps, Fraction(far // noise.step))
    variance = noise.in_steps
    deviation = Fraction(math.sqrt(variance))
    if deviation**2 != variance:
        raise ArithmeticError("the deviation of released noise is a double")
    return Measured(maps.GAUSSIAN, deviation, _root(far / noise.step**2))


def _root(square: Fraction) -> Fraction:
    """A double at or above the root."""
    found = math.sqrt(square)
    while Fraction(found) ** 2 < square:
        found = math.nextafter(found, math.inf)
    return Fraction(found)


def _moves(plan: Plan, question: Question, *, gaussian: bool) -> _Moves:
    """How far one person moves the numbers of each noise at most, in L1, or in L2 squared of
    Gaussian noise; every other way lies between these. A row that comes or goes adds half a span to
    a sum about the middle and 1 to its count."""
    unit = plan.terms.unit
    if not question.counted:
        reach = question.reach(unit)
        yield (reach.l2_squared if gaussian else reach.l1,)
        return
    low, high = question.bounds
    half, rows, by = (high - low) / 2, Fraction(unit.rows), 2 if gaussian else 1
    if unit.adjacency == REPLACE:
        yield (2 * rows * half) ** by, Fraction(0)  # from bound to bound
    if size_public(question, unit):
        return
    cells = 2 if unit.adjacency == REPLACE and isinstance(question, MeanByGroup) else 1
    yield cells * (rows * half) ** by, cells * rows**by
