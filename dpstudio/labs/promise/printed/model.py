"""What one erratum comes to, with what an audit of it finds."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpstudio.labs.context import Context
from dpstudio.labs.promise.printed import audits, listings, parameters
from dpstudio.values.messages import Message


@dataclass(frozen=True, eq=False)
class Reading:
    """An erratum with its case; errata of local reports are `audited`."""

    lab: parameters.Printed
    case: listings.Case
    audited: audits.Verdict | None

    def _said(self, text: str | Message) -> Message:
        """A text with the numbers of the case, where it names any."""
        if isinstance(text, Message):
            return text
        return Message(text, self.case.values) if "{" in text else Message(text)

    @property
    def wrong(self) -> Message:
        """What is wrong with the printed version."""
        return self._said(self.lab.erratum.wrong)

    @property
    def right(self) -> Message:
        """What it should be, or what else is wrong with it; empty where all is said."""
        return self._said(self.lab.erratum.right)

    @property
    def follows(self) -> Message:
        """What that means for who uses it."""
        case = self.case
        if case.follows:
            return Message(case.follows, case.values)
        return self._said(self.lab.erratum.follows[case.tone])

    @property
    def proof(self) -> tuple[Message, ...]:
        """Why the promise is broken; empty where it is not."""
        lines = self.case.proof or self.lab.erratum.proof
        return tuple(map(self._said, lines if self.case.tone == "bad" else ()))


def reading(lab: parameters.Printed, context: Context) -> Reading:
    """The erratum of the lab at its parameters. Raises Stopped where the run is cancelled."""
    trials = context.effort.of_draws(lab.trials)
    draws = listings.Draws(lab.seed, trials, context.data.remember, context.effort)
    case = lab.erratum.case(draws)
    context.check()
    return Reading(lab, case, audits.verdict(draws, *case.audited) if case.audited else None)


def stages(lab: parameters.Printed, context: Context) -> Iterator[Reading]:
    """One stage: all is quick."""
    yield reading(lab, context)
