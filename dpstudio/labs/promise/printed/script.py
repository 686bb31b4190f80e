"""As printed: why it has no script."""

from dpstudio.labs.promise.printed.parameters import Printed
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.values.messages import N_, say

_LISTINGS = N_(
    "Each place of the texts has formulas and draws of its own, as printed and as corrected: they "
    "stand on the page, and the pages that they are about have scripts."
)


def script(lab: Printed, known: Known) -> Script:
    """Raises NoScript."""
    raise NoScript(say(_LISTINGS))
