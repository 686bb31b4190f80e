"""Composition as a script: what k equal answers cost, by the bounds that are chosen."""

from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting import series
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.privacy.accounting.accountant import K_NUMERIC
from dpstudio.values.messages import N_, Message, say

_ZERO = N_("At a δ′ of 0 nothing but adding up holds: choose a δ′ above 0.")
_MANY = N_("Of more than 10,000 answers the numeric bound ends. Take fewer, or leave it out.")
_BUDGET = N_("What a budget buys is looked for by all bounds at once, by the page alone.")
_CLAIM = N_("Where the shortcut is proved, and where it is true, is looked for by the page alone.")
_FALSE = N_("No script asks what textbook noise really keeps. Choose Gaussian noise instead.")
_PLAIN = """
# At total delta: that of all answers, and delta' on top.
own = answers * {each}
total = own + delta_prime
bounds = {{"sequential": answers * epsilon}}
"""
# Adding up, which is not chosen, counts where nothing that is chosen does.
_CHOSEN = """
plain = bounds.pop("sequential")
numbers["total"] = min(filter(math.isfinite, bounds.values()), default=plain)
numbers["plain"] = plain
"""
_CROSSED = """
below = [k for k in range(1, 10_001) if advanced(epsilon, k, delta_prime) < k * epsilon]
if below:
    numbers["from"] = below[0]
"""


def script(lab: Composition, known: Known) -> Script:
    """The facts of the page from the formulas. Raises NoScript."""
    if not lab.delta_prime:
        raise NoScript(say(_ZERO))
    mechanism, pure = lab.mechanism, lab.mechanism.pure
    if mechanism.key == "textbook":
        raise NoScript(say(_FALSE))
    if lab.answers > K_NUMERIC and "pld" in lab.bounds:
        raise NoScript(say(_MANY))
    _, made, settings, lines = series.series(lab, known)
    lines.append(_PLAIN.format(each="0.0" if pure else "delta"))
    if not pure:
        lines.append("delta_prime_left = prime_left(total, delta, answers)")
    lines += series.bound_lines(
        lab, made, lab.bounds, "delta_prime" if pure else "delta_prime_left"
    )
    lines.append(series.TIGHTEST if "sequential" in lab.bounds else _CHOSEN)
    if lab.answers > 1:
        lines.append(f'numbers["averaged"] = {one.deviation(made)} / math.sqrt(answers)')
    if pure and "drv" in lab.bounds:
        lines.append(_CROSSED.strip())
    left_out: dict[str, Message] = {"afford": say(_BUDGET), "claimed": say(_CLAIM)}
    law = {"total": one.ROUNDED}
    return Script(settings, "\n".join(lines), law, series.COSTS_DRAWN, left_out=left_out)
