"""The lines of a script about equal answers, given one after another, and what they cost by each
bound."""

from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting.questions import Asked
from dpstudio.labs.scripting.scripted import Known, NoScript
from dpstudio.labs.series import Series
from dpstudio.values.messages import N_, say

_LIST = N_(
    "The script is of equal answers: of a list each bound goes through all that one person may "
    "touch. Choose equal answers."
)
COSTS_DRAWN = """
names = sorted(bounds, key=bounds.get)
axes.barh(names, [bounds[name] for name in names])
axes.set_xlabel("total ε")
"""
TIGHTEST = """
# A gain that four digits do not show is worth no delta'.
tight = min(bounds.values())
plain = bounds["sequential"]
numbers["total"] = plain if float(f"{tight:.4g}") >= float(f"{plain:.4g}") else tight
numbers["plain"] = plain
"""
_RHO = {"gaussian": "answers / (2 * gaussian_sigma(epsilon, delta) ** 2)"}


def series(lab: Series, known: Known) -> tuple[Asked, one.Noise, dict[str, object], list[str]]:
    """(what is asked, its noise, settings, lines) of equal answers to one count. Raises
    NoScript."""
    if lab.given != "equal":
        raise NoScript(say(_LIST))
    question = Asked({}, ("moves = (((float(rows),),),)  # one person's rows in one count",))
    made = one.noise(lab.mechanism, question, known)
    settings: dict[str, object] = {"rows": known.most, "answers": lab.answers}
    settings |= {**made.settings, "delta_prime": lab.delta_prime}
    return question, made, settings, [*question.lines, "l1, l2, linf = norms(moves)", *made.lines]


def bound_lines(lab: Series, made: one.Noise, chosen: tuple[str, ...], left: str) -> list[str]:
    """Lines that fill `bounds` with those chosen that apply; `left` is the δ′ that is left."""
    key, gaussian = lab.mechanism.key, not made.kind
    rho = _RHO.get(key, "answers * epsilon**2 / 2")
    forms = {
        "drv": "advanced(epsilon, answers, delta_prime)",
        "tanh": "advanced_tanh(epsilon, answers, delta_prime)",
        "kov35": f"kov35(epsilon, answers, {left})",
        "optimal": f"optimal(epsilon, answers, {left})",
        "kov33": f"optimal_as_printed(epsilon, answers, {left})",
    }
    if lab.mechanism.pure or gaussian:
        forms |= {"zcdp": f"zcdp({rho}, total)", "zcdp_tight": f"zcdp_tight({rho}, total)"}
        loss = made.kind.replace("share * ", "").partition("_loss")[0]
        divergence = {
            "": f"{rho} * (1 + u)",
            "laplace": "answers * laplace_divergence(epsilon, u)",
        }.get(loss, "answers * response_divergence(epsilon, u)")
        forms["renyi"] = f"divergence_epsilon(lambda u: {divergence}, total)"
    if gaussian:
        mu = "math.sqrt(answers) / gaussian_sigma(epsilon, delta)"
        forms["gdp"] = forms["pld"] = f"gaussian_epsilon({mu}, total)"
    else:
        kind = made.kind.replace("share * ", "").replace("moves, i,", "moves, 0,")
        lost = "" if lab.mechanism.pure else ", -math.expm1(answers * math.log1p(-delta))"
        forms["pld"] = f"composed_epsilon([{kind}], answers, total{lost})"
    return [f'bounds["{key}"] = {forms[key]}' for key in chosen if key in forms]
