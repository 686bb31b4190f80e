"""Dimension as a script: the errors of each noise on k coordinates, and where two of them meet."""

from itertools import combinations

from dpstudio.labs.one_answer.dimension.noise import SHAPES
from dpstudio.labs.one_answer.dimension.parameters import K_MOST, Dimension
from dpstudio.labs.scripting.scripted import Known, Script

_SCALES = {
    "laplace": "1 / epsilon",
    "gaussian": "gaussian_sigma(epsilon, delta)",
    "textbook": "textbook_sigma(epsilon, delta)",
    "l2norm": "1 / epsilon",
}
_ERRORS = """
# Laplace noise is scaled by the L1 norm of the largest move, all others by its L2 norm.
def error(key, k):
    moves = moved(growth, k)
    reach = moves if key == "laplace" else math.sqrt(moves)
    return scales[key] * reach * unit_error(SHAPES[key], measure, k, confidence)


for key in scales:
    numbers[key] = error(key, k)
"""
_MEETING = """
# Where Laplace noise and the next of another shape err alike.
for other in {others}:
    meeting = first_meeting(
        lambda k, other=other: math.log(error("laplace", k) / error(other, k)), {most}
    )
    if meeting is not None:
        numbers["meeting"] = meeting
        break
"""
_HERO = """
along = np.geomspace(1, 10_000, 60)
for key in scales:
    axes.loglog(along, [error(key, each) for each in along], label=key)
axes.set(xlabel="coordinates", ylabel="error")
axes.legend()
"""


def script(lab: Dimension, known: Known) -> Script:
    """The facts of the page from the formulas."""
    settings = {name: getattr(lab, name) for name in ("epsilon", "delta", "k", "growth")}
    settings |= {"measure": lab.measure, "confidence": lab.confidence}
    scales = ["scales = {", *(f'    "{key}": {_SCALES[key]},' for key in lab.drawn), "}"]
    others = [b for a, b in combinations(lab.drawn, 2) if a == "laplace" and SHAPES[b] != SHAPES[a]]
    lines = "\n".join(scales) + _ERRORS
    if others:
        lines += _MEETING.format(others=others, most=f"{K_MOST}.0").replace("'", '"')
    lines += '\nnumbers["sensitivity"] = (float(moved(growth, k)), math.sqrt(moved(growth, k)))\n'
    return Script(settings, lines, {"meeting": 1e-6, "l2norm": 1e-8, "laplace": 1e-8}, _HERO)
