"""The script of the lab Decide: the noise on one answer, and a guess about one person."""

from dpstudio.labs import scripted_answer as one
from dpstudio.labs.scripted import Known, NoScript, Script
from dpstudio.labs.start.decide.parameters import Decide
from dpstudio.values.messages import N_, say

_PARTS = N_(
    "No script judges an answer of several parts yet. Ask for one number, such as a count or a sum."
)
_REGISTER = N_("It counts deployments of the register that comes with dpstudio.")
_LINES = """
# Laplace noise of scale b keeps within b·ln(1/(1 − confidence)).
numbers["within"] = scale * math.log(1 / (1 - confidence))
# A person moves the answer by l1 at most. Of two answers that lie l1/scale = epsilon apart, as
# likely before, the best guess is right with a chance of half of 1 and the total variation of
# their laws, 1 − exp(−epsilon/2) (Neyman & Pearson 1933).
apart = l1 / scale
numbers["right"] = 100 * (1 + (1 - math.exp(-apart / 2))) / 2
"""
_HERO = """
x = truth[0] + np.linspace(-6 * scale, 6 * scale, 1001)
for name, middle in (("with the person", truth[0]), ("without", truth[0] - l1)):
    axes.plot(x, np.exp(-np.abs(x - middle) / scale) / (2 * scale), label=name)
axes.set_xlabel("answer")
axes.set_ylabel("density")
axes.legend()
"""


def script(lab: Decide, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    question, noise = one.asked(lab.query, lab.adjacency, known), one.noise(lab.mechanism)
    if question.vector:
        raise NoScript(say(_PARTS))
    lines = "\n".join([*question.lines, *noise.lines[:1], _LINES])
    settings = {**question.settings, **noise.settings, "confidence": lab.confidence}
    return Script(settings, lines, hero=_HERO, left_out={"others": say(_REGISTER)})
