"""What the ways share that count columns and pairs with Gaussian noise, for ρ in all."""

import math
from typing import ClassVar

from dpstudio.labs.whole_tables.synthesis.ways.way import Claim, SynthesisFacts, Way, concentrated
from dpstudio.privacy.mechanisms.additive import DELTA
from dpstudio.privacy.mechanisms.concentrated import concentrated_rho
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussianLaw
from dpstudio.privacy.synthetic.tree import one_way_sigma
from dpstudio.values.messages import N_, Message
from dpstudio.values.parameters import param


class NoisyPairs(Way):
    """Base of these ways: the share `alone` of ρ counts each column alone, where there are more
    than one; `split` says where all of it goes then."""

    alone: ClassVar[float]
    split: ClassVar[str]

    delta: float = param(1e-6, DELTA)

    def rho(self, known: SynthesisFacts) -> float:
        """The ρ for one row that comes or goes, at which all of `steps` rows cost (ε, δ): ρ-zCDP is
        k²ρ-zCDP for k rows (Bun & Steinke 2016, Proposition 1.9)."""
        return concentrated_rho(known.epsilon, self.delta) / known.steps**2

    def claim(self, known: SynthesisFacts) -> Claim:
        alone = N_("All of ρ counts the one column, with Gaussian noise.")
        return concentrated(
            known, self.delta, Message(self.split if len(known.axes) > 1 else alone)
        )

    def deviations(self, known: SynthesisFacts, *, drawn: bool = False) -> tuple[float, ...]:
        many = len(known.axes)
        one = one_way_sigma(many, self.rho(known) * (self.alone if many > 1 else 1.0))
        if drawn:
            one = math.sqrt(DiscreteGaussianLaw(one).variance)
        return (one,) * many
