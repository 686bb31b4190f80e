"""Explore as a script: the answer, the law of its error, and what many cost."""

from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting.questions import asked
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
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


_NOT_OPENDP = N_(
    "As OpenDP there are counts, sums and histograms as they are, with Laplace, geometric or "
    "Gaussian noise. Choose one of these."
)
# (the numbers that one noise takes, the norm that scales it, the piece that makes it)
_OPENDP = {
    "laplace": ("float, nan=False", "l1", "dp.m.make_laplace", "l1 / epsilon"),
    "geometric": ("int", "l1", "dp.m.make_geometric", "l1 / epsilon"),
    "gaussian": ("float, nan=False", "l2", "dp.m.make_gaussian", ""),
}


def opendp(lab: Explore, known: Known) -> Script:
    """The same answer asked of OpenDP, with the same scale, and what it proves of that: ε, or ρ of
    Gaussian noise. Raises NoScript."""
    key = lab.mechanism.key
    question = asked(lab.query, lab.adjacency, known)
    if key not in _OPENDP or not question.linear or lab.post_processing != "none":
        raise NoScript(say(_NOT_OPENDP))
    of, norm, make, scale = _OPENDP[key]
    whole = of == "int"
    if whole and not question.whole[0]:
        raise NoScript(say(_NOT_OPENDP))
    distance = f"dp.{norm}_distance(T={'int' if whole else 'float'})"
    names = {"l1": "l1, _, _", "l2": "_, l2, _"}[norm]
    settings: dict[str, object] = {**question.settings, "epsilon": lab.mechanism.epsilon}
    if scale == "":
        scale, settings["delta"] = "l2 * gaussian_sigma(epsilon, delta)", lab.mechanism.total_delta
    kind = "int" if whole else "float"
    lines = [
        *question.lines,
        f"{names} = norms(moves)",
        'dp.enable_features("contrib")',
        f"values = dp.vector_domain(dp.atom_domain(T={of}))",
        f"scale = {scale}",
        f"noisy = {make}(values, {distance}, scale=scale)",
        'numbers["scale"] = scale',
        f'numbers["{"rho" if key == "gaussian" else "epsilon"}"] = noisy.map(d_in={kind}({norm}))',
        f'numbers["answer"] = noisy([{kind}(value) for value in truth])',
    ]
    return Script(settings, "\n".join(lines))
