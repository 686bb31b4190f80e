"""The lines that scripts of attacks share: the noise in the attacker's way, whose budget may be
split, and what its law says of two answers."""

from dataclasses import dataclass

from dpstudio.labs.scripting.answer import Noise, noise
from dpstudio.labs.scripting.questions import Asked
from dpstudio.labs.scripting.scripted import NoScript
from dpstudio.privacy.mechanisms import Additive
from dpstudio.values.messages import N_, say

_NOT_YET = N_("No script attacks this noise yet. Choose Laplace, geometric or Gaussian noise.")


@dataclass(frozen=True)
class NoisyLines:
    """By the kind of noise: what is worked out of its law, in words of a script. `promised` gives
    the most right guesses by ε and δ of the whole; `spread` the noise's standard deviation."""

    made: Noise
    kind: str

    @property
    def promised(self) -> str:
        """What ε and δ promise."""
        return f"most_right(epsilon, {'delta' if 'delta' in self.made.settings else '0'})"

    @property
    def halved(self) -> str:
        """The line that leaves half of ε and δ."""
        if "delta" in self.made.settings:
            return "epsilon, delta = epsilon / 2, delta / 2"
        return "epsilon /= 2"

    def of(self, laplace: str, gaussian: str, geometric: str) -> str:
        """What is said of this kind."""
        return {"laplace": laplace, "geometric": geometric}.get(self.kind, gaussian)


def noisy(mechanism: Additive, question: Asked | None = None) -> NoisyLines:
    """The lines of a mechanism on a question of one number, or on many counts. Raises NoScript."""
    alone = question is not None and not question.vector  # L2-norm noise is Laplace's there
    kind = "laplace" if alone and mechanism.key == "l2norm" else mechanism.key
    if kind not in ("laplace", "geometric", "gaussian", "textbook"):
        raise NoScript(say(_NOT_YET))
    return NoisyLines(noise(mechanism) if question is None else noise(mechanism, question), kind)
