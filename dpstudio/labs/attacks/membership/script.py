"""The numbers of the lab Membership, worked out without the program."""

from dpstudio.labs.attacks.attackers.attack_lines import noisy
from dpstudio.labs.attacks.membership.attackers.shadows.model import STEPWISE, Shadows
from dpstudio.labs.attacks.membership.parameters import MembershipLab
from dpstudio.labs.scripting.answer import asked
from dpstudio.labs.scripting.scripted import Known, NoScript, Script, paragraphs
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.messages import N_, say

_SEVERAL = N_(
    "Here one person moves several noisy numbers, whose losses no script adds up yet. Ask for a "
    "count or a sum, or choose Gaussian noise."
)
_LINES = """
    # Who knows everybody else sees an answer that lies further on where the person is in.
    # The best test says “in” from a ratio of both densities on. (Neyman & Pearson 1933)
    advantage = advantage_of_best(cdf, {shift}, whole={whole})
    numbers["best"] = advantage
    numbers["promised"] = 2 * {promised} - 1
    numbers["attack"] = (1 + advantage) / 2
    numbers["off"] = {power}  # found with 1 % false alarms
"""
_HERO = """
    alarms = np.linspace(0.001, 0.999, 200)
    axes.plot(alarms, [{curve} for a in alarms], label="this answer")
    either = np.exp(epsilon) * alarms + {delta}, 1 - np.exp(-epsilon) * (1 - {delta} - alarms)
    axes.plot(alarms, np.clip(np.minimum(*either), 0, 1), "--", label="at most by the promise")
    axes.set(xlabel="false positives", ylabel="true positives")
    axes.legend()
"""
_SHADOWS = """
    # Invented people, whose numbers tell most labels; each model learns from half of them. They are
    # drawn as on the page.
    x, y, member = invented_people(stream(seed, 18, 9), people, count, models)
    exact = np.array([logistic_weights(x[m], y[m], ridge) for m in member])

    # The attacker has half of all models, and scores a person by how much likelier the confidence
    # of another model is among those of them that learnt from her. (Carlini et al. 2022)
    numbers["off"] = members_found(label_confidences(exact, x, y), member, 0.01)

    # Noise of our own on all weights: epsilon for adding or removing one person.
    rng = np.random.default_rng(seed)
"""
_WEIGHTS = """
    # One row moves the minimiser by 1/ridge at most; the noise has a density proportional to
    # e^(-epsilon ridge |b|). (Chaudhuri, Monteleoni & Sarwate 2011)
    lengths = rng.gamma(exact.shape[1], 1 / (epsilon * ridge), len(exact))
    ways = rng.normal(size=exact.shape)
    private = exact + lengths[:, None] * ways / np.linalg.norm(ways, axis=1, keepdims=True)
"""
_STEPS = """
    # Normal noise in each of the steps down, sqrt(steps) times what one of them takes.
    # (Abadi et al. 2016, without samples; Dong, Roth & Su 2022)
    sigma = gaussian_sigma(epsilon, delta) * math.sqrt(steps)
    private = np.array([noisy_descent(x[m], y[m], ridge, sigma, steps, rng) for m in member])
"""
_PRIVATE = """
    told = label_confidences(private, x, y)
    numbers["best"] = members_found(told, member, 0.01)
    numbers["promised"] = np.mean(told[~member] > 0.5)  # labels of others that are right
"""
_FOUND = """
    axes.bar(["no noise", "at this epsilon"], [numbers["off"], numbers["best"]])
    axes.set(ylabel="members found with 1 % false alarms")
"""


def script(lab: MembershipLab, known: Known) -> Script:
    """What the best attacker gains of one answer, or what shadow models find."""
    if isinstance(lab.attacker, Shadows):
        return _shadows(lab, lab.attacker)
    question = asked(lab.query, lab.adjacency, known)
    noise = noisy(lab.mechanism, question)
    parts = isinstance(lab.query, Histogram) and lab.adjacency == ADD_REMOVE and known.most == 1
    # Gaussian noise on several numbers hides what it does on one that moves as far in L2.
    shift = noise.of("linf", "l2", "linf")
    if not (isinstance(lab.query, Count | Sum) or parts or shift == "l2"):
        raise NoScript(say(_SEVERAL))
    power = noise.of(
        "laplace_power({}, linf / scale)",
        "gaussian_power({}, l2 / sigma)",
        "whole_power({}, cdf, round(linf))",
    )
    lines = _LINES.format(
        shift=shift, whole=noise.made.whole, promised=noise.promised, power=power.format("0.01")
    )
    made = paragraphs("\n".join(question.lines), "\n".join(noise.made.lines), lines)
    settings = {**question.settings, **noise.made.settings}
    hero = _HERO.format(curve=power.format("a"), delta="delta" if "delta" in settings else "0")
    return Script(settings, made, hero=hero)


def _shadows(lab: MembershipLab, attacker: Shadows) -> Script:
    """Models of invented people, and members found."""
    settings: dict[str, object] = {"people": attacker.people, "count": attacker.numbers}
    settings |= {"models": attacker.models, "ridge": attacker.ridge}
    settings |= {"epsilon": lab.mechanism.epsilon}
    stepwise = attacker.private == STEPWISE
    if stepwise:
        settings |= {"delta": 1e-5, "steps": attacker.steps}
    settings["seed"] = lab.seed
    lines = paragraphs(_SHADOWS, _STEPS if stepwise else _WEIGHTS, _PRIVATE)
    # Of 100 others' labels some are right by chance; who is found is few.
    return Script(settings, lines, law={"promised": 0.15}, hero=_FOUND, drawn=("best",))
