"""Audit: why it has no script."""

from dpstudio.labs.promise.audit.parameters import Audit
from dpstudio.labs.scripted import Known, NoScript, Script
from dpstudio.values.messages import N_, say

_RUNS = N_(
    "An audit runs code, right or wrong, many thousand times: a script would be that code, and "
    "what it finds depends on each draw. Save its charts with their numbers instead."
)


def script(lab: Audit, known: Known) -> Script:
    """Raises NoScript."""
    raise NoScript(say(_RUNS))
