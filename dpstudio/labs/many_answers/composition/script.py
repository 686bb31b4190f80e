"""Composition as a script: what k equal answers cost, by the bounds that are chosen."""

from dpstudio.labs import scripted_answer as one
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.scripted import Known, NoScript, Script
from dpstudio.labs.scripted_questions import Asked
from dpstudio.privacy.accounting.accountant import K_NUMERIC
from dpstudio.values.messages import N_, Message, say

_LIST = N_(
    "The script is of equal answers: of a list each bound goes through all that one person may "
    "touch. Choose equal answers."
)
_ZERO = N_("At a δ′ of 0 nothing but adding up holds: choose a δ′ above 0.")
_MANY = N_("Of more than 10,000 answers the numeric bound ends. Take fewer, or leave it out.")
_BUDGET = N_("What a budget buys is looked for by all bounds at once, by the page alone.")
_CLAIM = N_("Where the shortcut is proved, and where it is true, is looked for by the page alone.")
_FALSE = N_("This noise does not keep its promise here: choose Gaussian noise instead.")
_PLAIN = """
# At total delta: that of all answers, and delta' on top.
own = answers * {each}
total = own + delta_prime
bounds = {{"sequential": answers * epsilon}}
"""
_RHO = {"gaussian": "answers / (2 * gaussian_sigma(epsilon, delta) ** 2)"}
_TOTAL = """
# A gain that four digits do not show is worth no delta'.
tight = min(bounds.values())
plain = bounds["sequential"]
numbers["total"] = plain if float(f"{tight:.4g}") >= float(f"{plain:.4g}") else tight
numbers["plain"] = plain
"""
_HERO = """
names = sorted(bounds, key=bounds.get)
axes.barh(names, [bounds[name] for name in names])
axes.set_xlabel("total ε")
"""


def script(lab: Composition, known: Known) -> Script:
    """The facts of the page from the formulas. Raises NoScript."""
    if lab.given != "equal":
        raise NoScript(say(_LIST))
    if not lab.delta_prime:
        raise NoScript(say(_ZERO))
    mechanism, pure = lab.mechanism, lab.mechanism.pure
    if mechanism.key == "textbook":
        raise NoScript(say(_FALSE))
    if lab.answers > K_NUMERIC and "pld" in lab.bounds:
        raise NoScript(say(_MANY))
    question = Asked({}, ("moves = (((float(rows),),),)  # one person's rows in one count",))
    made = one.noise(mechanism, question, known)
    settings: dict[str, object] = {"rows": known.most, "answers": lab.answers}
    settings |= {**made.settings, "delta_prime": lab.delta_prime}
    lines = [*question.lines, "l1, l2, linf = norms(moves)", *made.lines]
    lines.append(_PLAIN.format(each="0.0" if pure else "delta"))
    if not pure:
        lines.append("delta_prime_left = prime_left(total, delta, answers)")
    lines += _bounds(lab, made, "delta_prime" if pure else "delta_prime_left")
    lines.append(_TOTAL)
    left_out: dict[str, Message] = {"afford": say(_BUDGET), "claimed": say(_CLAIM)}
    law = {"total": one.ROUNDED}
    return Script(settings, "\n".join(lines), law, _HERO, left_out=left_out)


def _bounds(lab: Composition, made: one.Noise, left: str) -> list[str]:
    """Lines that fill `bounds` with those that are chosen and apply."""
    key, gaussian = lab.mechanism.key, not made.kind
    rho = _RHO.get(key, "answers * epsilon**2 / 2")
    forms = {
        "drv": "advanced(epsilon, answers, delta_prime)",
        "tanh": "advanced_tanh(epsilon, answers, delta_prime)",
        "kov35": f"kov35(epsilon, answers, {left})",
        "optimal": f"optimal(epsilon, answers, {left})",
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
    return [f'bounds["{key}"] = {forms[key]}' for key in lab.bounds if key in forms]
