"""Leak: the last bits of a noisy double, and what they prove about the exact answer (Mironov
2012)."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.promise.float_leak import ABOUT
from dpstudio.privacy.attacks.float_samplers import SAMPLERS
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import choice, integer
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError, param

ATTACKS = {
    "grid": N_("too fine for that answer"),
    "rounding": N_("no noise rounds to it"),
    "sampler": N_("the sampler cannot give it"),
}


class FloatLeak(Lab, about=ABOUT):
    """Noise drawn as doubles is added to x; an output that x′ + noise can never be proves that the
    answer was not x′."""

    own_budget = True

    epsilon: float = param(1.0, EPSILON)
    answer: int = integer(
        0, N_("Exact answer x"), N_("A count, to which noise is added."), low=0, high=1_000_000
    )
    other: int = integer(
        1,
        N_("Neighbour’s answer x′"),
        N_("The count that the outputs may rule out."),
        low=0,
        high=1_000_000,
    )
    sampler: str = choice(
        "numpy",
        N_("Noise"),
        N_("How Laplace noise is drawn."),
        options={s.key: s.label for s in SAMPLERS.values()},
    )
    attack: str = choice(
        "grid",
        N_("Proof"),
        N_(
            "Why an output cannot come from x′: its last bit lies below the spacing of the "
            "doubles that x′ and noise round to; no noise at all rounds to it; or this sampler "
            "cannot give that noise (Mironov 2012). Each test catches more."
        ),
        options=ATTACKS,
    )
    trials: int = shared.trials(
        100_000, N_("How many outputs are looked at."), 1_000, 1_000_000, N_("Draws")
    )
    seed: int = shared.seed()

    @property
    def method(self) -> str:
        """The sampler."""
        return SAMPLERS[self.sampler].label

    def agree(self) -> None:
        if self.answer == self.other:
            raise ParamError("other", say("Two different answers are needed."))
