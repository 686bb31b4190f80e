"""Explore as a script: the answer, the law of its error, and what many cost."""

from dpstudio.labs import scripted_answer as one
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.scripted import Known, NoScript, Script
from dpstudio.values.messages import N_, say

_NOT_YET = N_("No script does this yet: keep the answer as it is, and look at one part of it.")
# The numeric bound of the page is rounded up on its lattice, by less than this.
_ROUNDED = 2e-4


def script(lab: Explore, known: Known) -> Script:
    """The facts of the page from the formulas. Raises NoScript."""
    if lab.post_processing != "none" or lab.largest:
        raise NoScript(say(_NOT_YET))
    question, noise = one.asked(lab.query, lab.adjacency, known), one.noise(lab.mechanism)
    settings = {**question.settings, **noise.settings, "confidence": lab.confidence}
    settings |= {"answers": lab.answers, "delta_prime": lab.delta_prime}
    width = noise.half_width or f"half_width_of(cdf, confidence, whole={noise.whole})"
    lines = [
        *question.lines,
        *noise.lines,
        f"half_width = {width}",
        'numbers["truth"] = truth[0]',
        'numbers["typical"] = typical',
        'numbers["interval"] = (truth[0] - half_width, truth[0] + half_width)',
        *_cost(lab),
    ]
    hero = """
    rng = np.random.default_rng(1)
    x = np.linspace(-4 * half_width, 4 * half_width, 2001)
    axes.plot(x, np.gradient(cdf(x), x))
    axes.set_xlabel("error of one answer")
    axes.set_ylabel("density")
    """
    law = {"cost": _ROUNDED} if lab.answers > 1 and lab.mechanism.pure else {}
    return Script(settings, "\n".join(lines), law, hero, drawn=("answer",))


def _cost(lab: Explore) -> list[str]:
    if lab.answers == 1:
        return ['numbers["cost"] = epsilon']
    if lab.mechanism.key == "laplace":
        return [
            "step = epsilon / 200",
            "places, chances = laplace_loss(epsilon, step)",
            "cost = composed_epsilon([(places, chances, answers)], step, delta_prime)",
            'numbers["cost"] = min(cost, answers * epsilon)',
        ]
    raise NoScript(say(_NOT_YET))
