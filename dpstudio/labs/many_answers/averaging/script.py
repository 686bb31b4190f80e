"""Averaging as a script: how far the mean of equal answers is off, and what they cost."""

from dpstudio.labs.many_answers.averaging.parameters import Averaging
from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.labs.scripting.series import series
from dpstudio.privacy.accounting.accountant import K_NUMERIC
from dpstudio.values.messages import N_, Message, say

_MANY = N_("Of more than 10,000 answers the page quotes a bound of which no script is written.")
_MEAN = """
# Noise of standard deviation s: the mean of k answers has s / sqrt(k).
numbers["deviation"] = deviation / math.sqrt(answers)
# Enough to err by half of what one person changes: s / sqrt(k) <= rows / 2.
numbers["needed"] = math.ceil((2 * deviation / rows) ** 2 * (1 - 2e-12))
"""
_HERO = """
k = np.arange(1, answers + 1)
axes.loglog(k, deviation / np.sqrt(k))
axes.set(xlabel="answers", ylabel="deviation of their mean")
"""


def script(lab: Averaging, known: Known) -> Script:
    """The facts of the page from the formulas. Raises NoScript."""
    question, made, settings, lines = series(lab, known)
    lines += [f"deviation = {one.deviation(made)}", _MEAN]
    law: dict[str, float] = {}
    left_out: dict[str, Message] = {}
    if lab.answers > K_NUMERIC and made.kind:
        left_out["total"] = say(_MANY)
    else:
        if not lab.delta_prime and lab.mechanism.pure:
            lines.append("cost = answers * epsilon  # at a delta of 0 nothing but adding up holds")
        else:
            lines += one.cost_lines(lab.mechanism, question, made, lab.answers, alone=False)
        lines.append('numbers["total"] = cost')
        law = {"total": one.ROUNDED}
    return Script(settings, "\n".join(lines), law, _HERO, left_out=left_out)
