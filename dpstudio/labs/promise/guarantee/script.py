"""Guarantee as a script: two laws of one number, and what the best attacker makes of them."""

from dpstudio.labs.promise.guarantee.parameters import ROW, Guarantee
from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.values.messages import N_, say

_ONE = N_(
    "The script is of a count, a sum or a mean of a public n: of several noisy numbers two laws "
    "take an integral of their own for every move. Ask for one of these."
)
_ROW = N_("A row of the table is never in a script. Choose the worst case as the neighbour.")
_TESTS = {
    "laplace": "laplace_test(l1 / scale, false_positives)",
    "l2norm": "laplace_test(l2 / scale, false_positives)",
    "gaussian": "gaussian_test(l2 / sigma, false_positives)",
    "textbook": "gaussian_test(l2 / sigma, false_positives)",
    "geometric": "geometric_test(loss, round(l1), false_positives)",
    "staircase": "staircase_test(each, gamma, false_positives)",
    "catastrophe": "leaky_test(l1 / scale, false_positives, delta)",
}
_FACTS = """
# The best test of all (Neyman & Pearson), and Bayes at the promised epsilon.
advantage, hits = {test}
numbers["advantage"] = advantage
numbers["hits"] = hits
numbers["posterior"] = belief_after(prior, epsilon)
"""
_HERO = """
x = np.linspace(-6 * l1, 6 * l1, 2001)
axes.plot(x, np.gradient(cdf(x), x), label="without the person")
axes.plot(x, np.gradient(cdf(x - numbers["moved"]), x), label="with the person")
axes.set_xlabel("answer")
axes.legend()
"""


def script(lab: Guarantee, known: Known) -> Script:
    """The facts of the page from the formulas. Raises NoScript."""
    if lab.neighbour == ROW and lab.adjacency == ADD_REMOVE:
        raise NoScript(say(_ROW))
    query = lab.query
    if not isinstance(query, Count | Sum) and not (isinstance(query, Mean) and query.n_public):
        raise NoScript(say(_ONE))
    question = one.asked(query, lab.adjacency, known)
    made = one.noise(lab.mechanism, question, known)
    settings = {**question.settings, **made.settings, "prior": lab.prior}
    settings["false_positives"] = lab.false_positives
    lines = [*question.lines, *made.lines, _moved(lab, known)]
    if lab.mechanism.key not in ("gaussian", "textbook", "catastrophe"):
        lines.append('numbers["loss"] = epsilon  # of a move that the noise is made for')
    lines.append(_FACTS.format(test=_TESTS[lab.mechanism.key]))
    law = {"advantage": 1e-8, "hits": 1e-8}
    return Script(settings, "\n".join(lines), law, _HERO)


def _moved(lab: Guarantee, known: Known) -> str:
    """The line that gives by how much, up or down, the person moves the answer."""
    query, adding, m = lab.query, lab.adjacency == ADD_REMOVE, known.most
    times = f"{m} * " if m > 1 else ""
    if isinstance(query, Count):
        down = not adding and (bool(query.where) or bool(known.person))
        return f'numbers["moved"] = {"-" if down else ""}{times}1.0'
    if isinstance(query, Mean):
        return 'numbers["moved"] = l1'
    farthest = "high if abs(high) >= abs(low) else low"
    if adding:
        return f'numbers["moved"] = {times}float({farthest})'
    leave = f"-float({farthest})"
    return f'numbers["moved"] = {times}(high - low if high - low >= far else {leave})'
