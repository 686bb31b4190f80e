"""As printed as a script: the short formulas of the texts, as printed and as corrected."""

from dpstudio.labs.promise.printed.parameters import Printed
from dpstudio.labs.scripting.scripted import Known, NoScript, Script, paragraphs
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import domains

_LONG = N_(
    "This place of the texts needs draws, rows or more than a short formula, and no script is "
    "written of it. Choose another text."
)
# What gives `printed` and `corrected`, by the key of the erratum; None where the page has words.
_LINES = {
    "histogram_epsilon": """
        # Lap(b) has deviation sqrt(2) b, and P(|X| > w) = exp(-w / b); what is cut down to whole
        # numbers is 1/2 too low, because floor(x) + floor(-x) = -1.
        printed = {
            "epsilon": 1.0, "deviation": math.sqrt(2), "half_width": math.log(20), "bias": -0.5
        }
        corrected = {
            "epsilon": asked,
            "deviation": math.sqrt(2) / asked,
            "half_width": math.log(20) / asked,
            "bias": 0.0,
        }
    """,
    "l2_laplace": """
        # A person may move all of d coordinates by 1 / sqrt(d): by 1 in L2, by sqrt(d) in L1.
        real, one = math.sqrt(dims) * epsilon, math.sqrt(2) / epsilon
        factor = math.exp(real) if real < 700 else None
        printed = {"epsilon": real, "factor": factor, "deviation": one, "independent": one}
        corrected = {
            "epsilon": epsilon,
            "factor": math.exp(epsilon),
            "deviation": math.sqrt(dims + 1) / epsilon,
            "independent": math.sqrt(2 * dims) / epsilon,
        }
    """,
    "classical_gaussian": """
        sigma = textbook_sigma(epsilon, delta)
        # The epsilon from which on this sigma is too small for delta.
        factor = math.sqrt(2 * math.log(1.25 / delta))
        limit = optimize.brentq(
            lambda e: math.log(gaussian_delta(e, e / factor) / delta), 0.5, 500.0, xtol=1e-13
        )
        exact = gaussian_delta(epsilon, 1 / sigma)
        printed = {"sigma": sigma, "exact": exact, "limit": limit}
        corrected = {"sigma": gaussian_sigma(epsilon, delta), "exact": delta, "limit": None}
    """,
    "delta_code": """
        sigmas = [textbook_sigma(epsilon, each) for each in (10 * delta, delta)]
        exact = [gaussian_delta(epsilon, 1 / sigma) for sigma in sigmas]
        printed = {"sigma": sigmas[0], "promised": 10 * delta, "exact": exact[0]}
        corrected = {"sigma": sigmas[1], "promised": delta, "exact": exact[1]}
    """,
    "almost_pure": """
        # The loss of Gaussian noise is N(mu^2 / 2, mu^2) with mu = 1 / sigma.
        mu = 1 / gaussian_sigma(epsilon, delta)
        printed = {"passes": delta, "delta": delta}
        corrected = {"passes": special.ndtr(mu / 2 - epsilon / mu), "delta": delta}
    """,
    "geometric_alpha": """
        # P(Y = k) is proportional to alpha^-|k|, which is a law where alpha > 1.
        alpha = epsilon / sensitivity
        loss = math.log(alpha) if alpha > 1 else None
        printed = {
            "alpha": alpha,
            "epsilon": sensitivity * loss if loss else None,
            "deviation": geometric_deviation(loss) if loss else None,
            "mean_abs": 1 / math.sinh(loss) if loss else None,
        }
        corrected = {
            "alpha": math.exp(alpha),
            "epsilon": epsilon,
            "deviation": geometric_deviation(alpha),
            "mean_abs": 1 / math.sinh(alpha),
        }
    """,
    "exponential_table": """
        table_printed = {
            "0": (0.333, 0.333, 0.333),
            "0.1": (0.628, 0.124, 0.231),
            "0.5": (0.993, 0.006, 0.001),
            "1": (0.9999, 3e-7, 4e-5),
        }
        names, counts = ("Cancer", "HIV", "HPV"), np.array([50, 20, 30])
        weights = np.exp(float(asked) * (counts - 50) / 2)
        printed = dict(zip(names, table_printed[asked], strict=True))
        corrected = dict(zip(names, weights / weights.sum(), strict=True))
    """,
    "two_months": """
        # E|1 + X - Y| of two Laplace noises; a guess from one answer, at even odds.
        gap = 1 + math.exp(-epsilon) * (1.5 / epsilon + 0.5)
        printed = {"gap": None, "told": None}
        corrected = {"gap": gap, "told": 1 - math.exp(-epsilon / 2) / 2}
    """,
    "sequential_average": """
        # Variances 2 / epsilon^2: of (F1 + F2) / 2, of the weights that are best, of one answer.
        alone = {"first": math.sqrt(2) / first, "second": math.sqrt(2) / second}
        mean = math.sqrt(1 / first**2 + 1 / second**2) / math.sqrt(2)
        best = math.sqrt(2 / (first**2 + second**2))
        printed = {"deviation": mean, "weighted": None, **alone}
        corrected = {"deviation": math.sqrt(2) / (first + second), "weighted": best, **alone}
    """,
    "mean_sensitivity": """
        noise = math.sqrt(2) * cap / epsilon
        printed = {"sensitivity": cap, "deviation": noise, "epsilon": epsilon / n}
        corrected = {"sensitivity": cap / n, "deviation": noise / n, "epsilon": epsilon}
    """,
    "variance_sensitivity": """
        # n records are at one end, and one more at the other.
        was, now = n * width / (n + 1), n * (width / (n + 1)) ** 2
        printed = {
            "sensitivity": was, "scale": was / epsilon, "epsilon": epsilon * now / was,
            "deviation": None,
        }
        corrected = {
            "sensitivity": now, "scale": now / epsilon, "epsilon": epsilon,
            "deviation": math.sqrt(now),
        }
    """,
    "other_class": """
        # Of 4 who missed a payment and 6 who did not: young, of medium income, women.
        missed, paid = 4 / 10 * (2 / 4) * (1 / 4) * (2 / 4), 6 / 10 * (1 / 6) * (1 / 6) * (2 / 6)
        printed = {"first": None, "second": None, "belief": 0.0}
        corrected = {"first": missed, "second": paid, "belief": missed / (missed + paid)}
    """,
    "told_apart": """
        printed = {"right": math.exp(-epsilon)}
        corrected = {"right": 1 / (1 + math.exp(-epsilon))}
    """,
    "clipped_bins": """
        # E max(0, X) of Laplace noise in each bin that is empty.
        printed = {"invented": 0.0, "each": 0.0}
        corrected = {"invented": bins / (2 * epsilon), "each": 1 / (2 * epsilon)}
    """,
    "one_noise": """
        # With one noise for all cells their difference is exact.
        cell = math.sqrt(2) / epsilon
        printed = {"epsilon": None, "difference": 0.0, "cell": cell}
        corrected = {"epsilon": epsilon, "difference": math.sqrt(2) * cell, "cell": cell}
    """,
    "asked_again": """
        # Who comes is in a cell and in n.
        printed = {"epsilon": 2 * epsilon}
        corrected = {"epsilon": epsilon}
    """,
    "largest_difference": """
        # A class with half of the values, where all are equally common in the table.
        printed = {"distance": 1 / (2 * half)}
        corrected = {"distance": half * (1 / half - 1 / (2 * half))}
    """,
    "average_f1": """
        printed = {"f1": (precision + recall) / 2}
        corrected = {"f1": 2 / (1 / precision + 1 / recall)}
    """,
}
_SHOWN = {
    "both": "numbers.update({key: (printed[key], corrected[key]) for key in printed})",
    "printed": "numbers.update({k: v for k, v in printed.items() if v is not None})",
    "corrected": "numbers.update({k: v for k, v in corrected.items() if v is not None})",
}
_HERO = """
shown = [key for key in printed if printed[key] is not None and corrected[key] is not None]
places = np.arange(len(shown))
axes.bar(places - 0.2, [printed[key] for key in shown], 0.36, label="as printed")
axes.bar(places + 0.2, [corrected[key] for key in shown], 0.36, label="corrected")
axes.set_xticks(places, shown)
axes.set_yscale("symlog")
axes.legend()
"""


def script(lab: Printed, known: Known) -> Script:
    """The first rows of an erratum by its formula. Raises NoScript."""
    lines = _LINES.get(lab.erratum.key)
    if lines is None:
        raise NoScript(say(_LONG))
    settings = {name: getattr(lab.erratum, name) for name in domains(type(lab.erratum))}
    return Script(settings, paragraphs(lines, _SHOWN[lab.view]), hero=_HERO)
