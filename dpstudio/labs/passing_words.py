"""From which ε on something holds, as a strip says it."""

from dpstudio.values.messages import Message, Num, say
from dpstudio.values.passing import Passing


def from_epsilon(found: Passing) -> tuple[Message, Message]:
    """(the ε from which on it holds, that at the one drawn before it does not)."""
    return found.said(
        lambda before, at: (
            say("ε = {epsilon}", epsilon=Num(at, 3, "up")),
            say("not yet at ε = {before}", before=Num(before, 3, "down")),
        ),
        lambda _: (say("any ε drawn"), Message("")),
        lambda _: (say("no ε drawn"), Message("")),
    )
