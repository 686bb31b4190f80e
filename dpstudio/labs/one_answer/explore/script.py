"""Explore as a script: the answer, the law of its error, and what many cost."""

from dpstudio.labs import scripted_answer as one
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.scripted import Known, Script
from dpstudio.privacy.accounting.accountant import K_NUMERIC
from dpstudio.values.messages import N_, Message, say

_MANY = N_(
    "Of so many answers of several measurements the page quotes a bound of which no script is "
    "written."
)
_HERO = """
x = np.linspace(-4 * half_width, 4 * half_width, 2001)
axes.plot(x, np.gradient(cdf(x), x))
axes.set_xlabel("error of one answer")
axes.set_ylabel("density")
"""
_DRAWN = """
axes.hist(worst, 200, density=True)
axes.set_xlabel("size of the error of one answer")
axes.set_ylabel("density")
"""


def script(lab: Explore, known: Known) -> Script:
    """The facts of the page from the formulas. Raises NoScript."""
    question, made, settings, lines, law = one.answered(lab, lab.mechanism, known)
    left_out: dict[str, Message] = {}
    if not question.linear and lab.answers > K_NUMERIC // len(question.whole) and made.kind:
        left_out["cost"] = say(_MANY)
    else:
        cost = one.cost_lines(lab.mechanism, question, made, lab.answers)
        lines += [*cost, 'numbers["cost"] = cost']
        settings |= {"answers": lab.answers, "delta_prime": lab.delta_prime}
        if made.kind and lab.answers > 1:
            law["cost"] = one.ROUNDED
    hero = _HERO if question.linear else _DRAWN
    return Script(settings, "\n".join(lines), law, hero, drawn=("answer",), left_out=left_out)
