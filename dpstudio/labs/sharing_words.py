"""How the numbers that an answer is made of share its budget, in a sentence."""

from dpstudio.privacy.release.sharing import Shared
from dpstudio.values.messages import N_, Message, Num, say


def sharing_words(shared: Shared) -> Message:
    """One Gaussian for all measurements, or each with its part of ε; there are at least two."""
    if shared.as_one:
        text = N_(
            "One Gaussian hides these {k} at once: one person moves them by (Δ/σ)² = {squared} in "
            "all, for which the whole budget is spent; ε is not split."
        )
        squared = Num(shared.mu_squared, 3, "up")
        return say(text, k=Num(shared.count), squared=squared)
    parts = say("{x}", x=Num(shared.noises[0][0].epsilon, 4))
    for mechanism, _ in shared.noises[1:]:
        parts = say("{parts} + {x}", parts=parts, x=Num(mechanism.epsilon, 4))
    return say("Each of these is hidden by its own part of ε: {parts}.", parts=parts)
