"""What labs of several attackers share: the parameters that an attacker may need, and what is asked
of the one that is picked."""

from collections.abc import Callable
from typing import Any

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.attacks.attackers.attacker import AttackedQuestion, Attacker, Replays
from dpstudio.labs.context import Effort
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import QUERIES
from dpstudio.privacy.queries.count import Count
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param


class AttackLab(Lab):
    """Base of a lab whose `attacker` is one of several. It has those of the parameters below that
    any of them needs, by these names; one that it lacks is as it starts."""

    attacker: Attacker

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

    def _set(self, *names: str) -> dict[str, Any]:
        return {name: getattr(self, name) for name in names if hasattr(self, name)}

    def asked(self) -> AttackedQuestion:
        """What is attacked."""
        return AttackedQuestion(**self._set("query", "mechanism", "adjacency"))

    def looked(self, effort: Effort) -> Replays:
        """How closely the attack is looked at."""
        return Replays(effort, **self._set("trials", "confidence", "seed", "show_truth"))


def attacker(default: Attacker, family: Callable[[], list[type[Attacker]]]) -> Any:
    """The attacker: one of a lab's catalogue."""
    domain = OneOf(N_("Attack"), N_("What the attacker does."), family=family, apart=True)
    return param(default, domain)


def query() -> Any:
    """The question that is attacked, where the attacker asks one."""
    return param(Count(), OneOf(N_("Question"), family=lambda: QUERIES), active_when=("asks", True))


def mechanism(own: Additive | None = None) -> Any:
    """The noise that is in the attacker's way: Laplace's, or that of the other labs, where a lab
    does not begin with its own."""
    domain = OneOf(N_("Mechanism"), family=lambda: MECHANISMS)
    first = own or Laplace(epsilon=1.0)
    return param(first, domain, active_when=("noisy", True), own=own is not None)


def confidence() -> Any:
    """That of the interval of what was measured."""
    text = N_("The confidence of the interval of what was measured.")
    return shared.confidence(text, plays=("measures", True))


def trials() -> Any:
    """How often an attack is tried at each ε."""
    text = N_("How often an attack is tried at each ε.")
    return shared.trials(4_000, text, 200, 100_000, plays=("tries", True))


def seed() -> Any:
    """What the draws of an attack come from."""
    return shared.seed(plays=("draws", True))
