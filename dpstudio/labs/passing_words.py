"""From which ε on something holds: as a strip says it, and as a panel, which offers to set it."""

from dpstudio.labs.findings import Sentence
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


def wanted_epsilon(
    found: Passing, what: Message, whose: str, never: Message | None = None
) -> Sentence:
    """From which ε on half of `whose`, the message id of what was drawn, reaches `what`: of these
    draws and of no others. `never` is said where none is enough. The panel sets `own`."""
    values = {"what": what, "whose": Message(whose)}
    told = found.said(
        lambda before, at: say(
            "{what} is reached by half of {whose} from ε = {own} on; at {before} it is not.",
            **values,
            own=Num(at, 3, "up"),
            before=Num(before, 3, "down"),
        ),
        lambda _: say("{what} is reached by half of {whose} at every ε drawn here.", **values),
        lambda _: (
            never or say("{what} is reached by half of {whose} at no ε drawn here.", **values)
        ),
    )
    return Sentence("wanted_epsilon", told, "warn" if found.at is None else "plain")
