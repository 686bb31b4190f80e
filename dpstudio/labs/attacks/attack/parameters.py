"""Attacks: what an attacker learns from exact answers and from noisy ones, and the bound that none
can beat."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.attacks.attack import ABOUT
from dpstudio.labs.attacks.attack.attackers import ATTACKERS
from dpstudio.labs.attacks.attack.attackers.attacker import AttackedQuestion, Attacker, Replays
from dpstudio.labs.attacks.attack.attackers.differencing.model import Differencing
from dpstudio.labs.context import Effort
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import QUERIES, Query
from dpstudio.privacy.queries.count import Count
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param


@dataclass(frozen=True)
class Attacks(Lab, about=ABOUT):
    """One attack, on the exact answer and through the mechanism in force: its success against
    ε."""

    attacker: Attacker = param(
        Differencing(),
        OneOf(N_("Attack"), N_("What the attacker does."), family=lambda: ATTACKERS, apart=True),
    )
    query: Query = param(
        Count(), OneOf(N_("Question"), family=lambda: QUERIES), active_when=("asks", True)
    )
    mechanism: Additive = param(
        Laplace(epsilon=1.0),
        OneOf(N_("Mechanism"), family=lambda: MECHANISMS),
        active_when=("noisy", True),
    )
    adjacency: str = shared.adjacency()
    confidence: float = shared.confidence(
        N_("The confidence of the interval of what was measured."), plays=("measures", True)
    )
    trials: int = shared.trials(
        4_000, N_("How often an attack is tried at each ε."), 200, 100_000, plays=("tries", True)
    )
    seed: int = shared.seed(plays=("draws", True))
    show_truth: bool = shared.show_truth()

    @property
    def asks(self) -> bool:
        """Whether the attack is on the question."""
        return self.attacker.asks

    @property
    def noisy(self) -> bool:
        """Whether noise is in the way of the attack."""
        return self.attacker.spends

    @property
    def picked(self) -> bool:
        """Whether that noise is the mechanism that is picked."""
        return self.noisy and not self.attacker.own_noise

    @property
    def draws(self) -> bool:
        """Whether chance is in the attack."""
        return self.attacker.draws

    @property
    def measures(self) -> bool:
        """Whether what is drawn of it has an interval."""
        return self.attacker.measures

    @property
    def tries(self) -> bool:
        """Whether it is tried as often as one says."""
        return self.attacker.tries

    def asked(self) -> AttackedQuestion:
        """What is attacked."""
        return AttackedQuestion(self.query, self.mechanism, self.adjacency)

    def looked(self, effort: Effort) -> Replays:
        """How closely the attack is looked at."""
        return Replays(self.trials, self.confidence, self.seed, self.show_truth, effort)
