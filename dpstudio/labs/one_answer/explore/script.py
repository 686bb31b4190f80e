"""Explore as a script: the answer, the law of its error, and what many cost."""

from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting.questions import asked
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.privacy.accounting.accountant import K_NUMERIC
from dpstudio.privacy.queries.total import Mean
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
    "As OpenDP there are counts, sums, means and histograms as they are, with Laplace, geometric "
    "or Gaussian noise. Choose one of these."
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
    several = isinstance(lab.query, Mean) and not question.linear
    if key not in _OPENDP or not (question.linear or several) or lab.post_processing != "none":
        raise NoScript(say(_NOT_OPENDP))
    of, norm, make, scale = _OPENDP[key]
    whole = of == "int"
    if whole and not all(question.whole):
        raise NoScript(say(_NOT_OPENDP))
    settings: dict[str, object] = {**question.settings, "epsilon": lab.mechanism.epsilon}
    if scale == "":
        scale, settings["delta"] = "l2 * gaussian_sigma(epsilon, delta)", lab.mechanism.total_delta
    kind, spent = "int" if whole else "float", "rho" if key == "gaussian" else "epsilon"
    names = {"l1": "l1, _, _", "l2": "_, l2, _"}[norm]
    lines = [
        *question.lines,
        'dp.enable_features("contrib")',
        f"values = dp.vector_domain(dp.atom_domain(T={of}))",
        f"distance = dp.{norm}_distance(T={kind})",
    ]
    if several:
        lines += _of_several(names, make, kind, norm, spent, question.published)
        return Script(settings, "\n".join(lines))
    lines += [
        f"{names} = norms(moves)",
        f"scale = {scale}",
        f"noisy = {make}(values, distance, scale=scale)",
        'numbers["scale"] = scale',
        f'numbers["{spent}"] = noisy.map(d_in={kind}({norm}))',
        f'numbers["answer"] = noisy([{kind}(value) for value in truth])',
    ]
    return Script(settings, "\n".join(lines))


def _of_several(
    names: str, make: str, kind: str, norm: str, spent: str, published: str
) -> list[str]:
    """Lines that measure a sum and a count, each with its share of the budget, and publish their
    ratio; what both cost adds up."""
    scales = "sigmas[i]" if norm == "l2" else "l1 / (share * epsilon)"
    each = (
        "enumerate(measured)" if norm == "l2" else "enumerate(zip(measured, shares, strict=True))"
    )
    return [
        *(["sigmas = vector_sigmas(moves, shares, gaussian_sigma(epsilon, delta))"]
          if norm == "l2" else []),
        "scales, costs, noisy = [], [], []",
        f"for i, {'value' if norm == 'l2' else '(value, share)'} in {each}:",
        f"    {names} = norms(moves, i)",
        f"    scales.append({scales})",
        f"    measure = {make}(values, distance, scale=scales[i])",
        f"    costs.append(measure.map(d_in={kind}({norm})))",
        f"    noisy.append(np.array(measure([{kind}(one) for one in value]), dtype=float))",
        'numbers["scale"] = scales',
        f'numbers["{spent}"] = sum(costs)  # of both together, at most',
        f'numbers["answer"] = [float(one) for one in {published}]',
    ]  # fmt: skip
