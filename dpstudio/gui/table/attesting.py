"""How the open table was read, offered to be told before anything leaves that a row could change by
the way it is read."""

from dataclasses import replace
from functools import partial

from dpstudio.files.asking import Kept
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.told import settled, told_in_words, why_stays
from dpstudio.files.session import SessionError
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.table.opening import Opener
from dpstudio.values.messages import N_, Message, say

APART = N_("Read them apart")
_SHOWN = 2000  # letters of types: more would leave no room for the page


def stays(opener: Opener, error: Exception) -> None:
    """Say in the bar why nothing leaves. Where that is how the table is read, with the line that
    tells it: one click says that it is known from outside, and it stays with the file and with its
    session. Raises what is no reason."""
    from dpstudio.files.write.leaving import MergedError, StaysError, UntoldError

    if not isinstance(error, StaysError | SessionError):
        raise error
    why = error.sentence
    if isinstance(error, MergedError):
        opener.bar.say(shown(why), tr(APART), opener.apart.emit)
        return
    now = opener.open_now
    told = isinstance(error, UntoldError) and error.tellable
    if not told or now is None or now.request.pasted is not None:
        opener.bar.say(shown(why))
        return
    choices, still = settled(now.opened.report), why_stays(now.opened.report)
    if still is not None:
        opener.bar.say(shown(still))
        return
    text = N_(
        "One row could change how this file is read, so that is told before anything leaves. It "
        "was read as: {line}. Every record is a row then. Export again when you have told it."
    )
    act = partial(_tell, opener, choices)
    if len(", ".join(choices.types)) > _SHOWN:
        text = N_(
            "One row could change how this file is read, so that is told before anything leaves. "
            "It was read as: {line}. “dpstudio read” with the name of the file prints the whole. "
            "Every record is a row then. Export again when you have told it."
        )
    line = told_in_words(choices, _SHOWN)
    opener.bar.say(shown(say(text, line=line)), tr(N_("I know this from outside")), act, "")


def as_read(opener: Opener) -> Message | None:
    """The line that tells how the open table was read, to be looked at before it is told."""
    now = opener.open_now
    if now is None or why_stays(now.opened.report) is not None:
        return None
    text = N_("It was read as: {line}. Every record is a row then.")
    return say(text, line=told_in_words(settled(now.opened.report), _SHOWN))


def tell_as_read(opener: Opener) -> Message | None:
    """Tell that the open table was read rightly, every record as a row; or give why that keeps
    nothing apart."""
    now = opener.open_now
    if now is None:
        return None
    still = why_stays(now.opened.report)
    if still is None:
        _tell(opener, settled(now.opened.report))
    return still


def _tell(opener: Opener, told: Choices) -> None:
    """Read the open table so, every record as a row, from now on."""
    now = opener.open_now
    if now is not None:
        kept = Kept(now.opened.data.digest, told)
        opener.load(replace(now.request, session=None, again=True, kept=kept))
