"""Sensitivity as a script: how far one person moves what is measured, and the least noise."""

from dpstudio.labs.one_answer.sensitivity.parameters import SensitivityLab
from dpstudio.labs.scripting import questions
from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.values.messages import N_, Message, say

_ROWS = N_("How far the rows of this table reach is read of them one by one, by the page alone.")
# Of integers the page tries discrete Gaussian noise too: its deviation is that of Gaussian noise
# but for a few per cent where ε and δ are large.

_ABOUT = 0.1
_NORMS = """
measured = {measured}
place = min({place}, len(measured) - 1)
dims = len(measured[place])
l1, l2, linf = norms(moves, place)
l0 = min(dims, {rows} * max(len(move[place]) for move in moves))
numbers["l1"], numbers["l2"], numbers["linf"] = l1, l2, linf
if dims > 1:
    numbers["l0"] = l0
"""
_NOISE = """
# The standard deviation of each noise that keeps what it promises whole, on this alone.
deviations = {
    "laplace": math.sqrt(2) * l1 / epsilon,
    "staircase": staircase_deviation(linf, min(500.0, epsilon / l0)),
    "gaussian": l2 * gaussian_sigma(epsilon, delta),
    "l2norm": math.sqrt(dims + 1) * l2 / epsilon,
}
"""
_WHOLE = """
if {whole}[place]:
    deviations["geometric"] = geometric_deviation(epsilon / l1)
"""
_HERO = """
axes.barh(list(deviations), list(deviations.values()))
axes.set_xlabel("standard deviation of the noise")
"""


def script(lab: SensitivityLab, known: Known) -> Script:
    """The facts of the page from the moves that one person can make. Raises NoScript."""
    question = questions.asked(lab.query, lab.adjacency, known)
    settings = {**question.settings, "epsilon": lab.epsilon, "delta": lab.delta}
    measured = "measured" if not question.linear else "(truth,)"
    lines = "\n".join(question.lines)
    norms = _NORMS.format(measured=measured, place=lab.measured, rows=known.most)
    lines += norms.replace("1 * max", "max").replace("measured = measured\n", "")
    lines += _NOISE
    whole = any(question.whole)
    if whole:
        lines += _WHOLE.format(whole=question.whole)
    lines += '\nnumbers["least"] = min(deviations.values())\n'
    left_out: dict[str, Message] = {"reach": say(_ROWS)}
    return Script(settings, lines, {"least": _ABOUT} if whole else {}, _HERO, left_out=left_out)
