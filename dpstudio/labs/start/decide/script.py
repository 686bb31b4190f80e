"""The script of the lab Decide: the noise on one answer, and a guess about one person."""

from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting.questions import asked
from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.labs.start.decide.parameters import Decide
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.messages import N_, say

_REGISTER = N_("It counts deployments of the register that comes with dpstudio.")
# Losses of several numbers are convolved on a grid, here and on the page.
_GRID = 1e-6
_LINES = """
numbers["within"] = half_width
# What somebody knows of all others guesses whether a person is there: by how many scales of its
# noise each number moves, of the largest moves of one person the worst.
guessed = []
for move in moves:
    losses = []
    for i, (part, share) in enumerate(zip(move, {shares}, strict=True)):
        l1, _, _ = norms(moves, i)
        losses += [abs(by) * share * epsilon / l1 for by in part]
    guessed.append((1 + laplace_advantage(losses)) / 2)
numbers["right"] = 100 * max(guessed)
"""
_HERO = """
chances = [0.5, max(guessed) - 0.5, 1 - max(guessed)]
axes.pie(chances, labels=["right by a coin", "right by the answer", "wrong"])
"""


def script(lab: Decide, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    question = asked(lab.query, lab.adjacency, known)
    made = one.noise(lab.mechanism, question, known)
    settings, lines, law = one.error_lines(lab, question, made)
    kept = [line for line in lines if not line.startswith("numbers[")]
    shares = "[1.0]" if question.linear else "shares"
    law = {} if question.linear else {"within": law["interval"]}
    law |= {} if isinstance(lab.query, Count | Sum) else {"right": _GRID}
    return Script(
        {**question.settings, **made.settings, **settings},
        "\n".join([*kept, _LINES.format(shares=shares)]),
        law,
        _HERO,
        left_out={"others": say(_REGISTER)},
    )
