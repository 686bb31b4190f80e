"""The numbers of the lab Differencing, worked out without the program."""

from dpstudio.labs.attacks.attackers.attack_lines import noisy
from dpstudio.labs.attacks.differencing.attackers.differencing.model import Differencing
from dpstudio.labs.attacks.differencing.attackers.tracker.model import Tracker
from dpstudio.labs.attacks.differencing.parameters import DifferencingLab
from dpstudio.labs.scripting.answer import asked
from dpstudio.labs.scripting.scripted import Known, NoScript, Script, paragraphs
from dpstudio.values.messages import N_, say

_CONSOLE = N_(
    "What all answers of a console tell together takes one linear program after another: no short "
    "script does it. Choose the tracker, whose 16 people are invented."
)
_PROMISED = 'numbers["promised"] = {promised}'
_HALVED = "# Each of both totals has half of the budget."
_ATTACK = """
    # The attacker subtracts two totals, and says by half of the gap whether somebody is in one. Who
    # knows all others needs the one total alone.
    gap = linf
    share_below = partial({difference})
    numbers["off"] = three_quarters(share_below, whole={whole})
    numbers["best"] = (1 + advantage_of_best(cdf, gap, whole={whole})) / 2
    numbers["attack"] = share_below(gap / 2)
"""
_HERO = """
    far = np.linspace(0, 3 * numbers["off"], 200)
    axes.plot(far, [2 * share_below(x) - 1 for x in far])
    axes.set(xlabel="off by at most", ylabel="share of the attacker's estimates")
"""
_ASKED = """
    axes.bar(["asked", "of them denied"], [asked, denied])
    off = f"{numbers['off']:.3g}"
    axes.set(ylabel="questions", title=f"off by {off} of the public range")
"""
_SALARIES = """
    # 16 invented people, whose salaries are drawn as on the page; the eighth is attacked.
    drawn = np.exp(stream(seed, 18, 12).normal(10.7, 0.35, 16))
    salaries, target = np.clip(np.round(drawn, -2), 20_000, 120_000), 7
    rng = stream(seed, 18, 20)
"""
_HELD = {
    "recoding": "held = np.floor(salaries / base) * base + base / 2",
    "suppression": (
        "low, high = np.quantile(salaries, [0.1, 0.9])\n"
        "held = np.where((salaries < low) | (salaries > high), 0, salaries)"
    ),
    "data": "held = salaries + rng.laplace(scale=100_000 / epsilon, size=16)",
}
_SAID = """
    def made(exact):
        return {answer}
"""
_ANSWERS = {
    "rounding": "np.round(exact / base) * base",
    "output": "exact + rng.laplace(scale=120_000 * 65 / epsilon)",
}
_SIEGE = """
    plan = sets_of_tracker(rng, 16, target, rule, k, 60)
    asked, denied, estimate = attacked_by_sums(held, target, rule, k, r, made, plan)
    off = abs(np.clip(estimate, 20_000, 120_000) - salaries[target]) / 100_000
    numbers["off"] = off if off > 1e-9 else 0
    numbers["best"] = asked
    numbers["promised"] = denied
"""


def script(lab: DifferencingLab, known: Known) -> Script:
    """Two totals and what their difference tells, or sums around a rule."""
    if isinstance(lab.attacker, Tracker):
        return _tracker(lab, lab.attacker)
    if not isinstance(lab.attacker, Differencing):
        raise NoScript(say(_CONSOLE))
    question = asked(lab.query, lab.adjacency, known)
    noise = noisy(lab.mechanism, question)
    difference = noise.of(
        "laplace_difference, scale=scale",
        "gaussian_cdf, sigma=math.sqrt(2) * sigma",
        "geometric_difference, loss=loss",
    )
    attack = _ATTACK.format(difference=difference, whole=noise.made.whole)
    lines = paragraphs(
        "\n".join(question.lines),
        _PROMISED.format(promised=noise.promised),
        "\n".join((_HALVED, noise.halved, *noise.made.lines)),
        attack,
    )
    return Script({**question.settings, **noise.made.settings}, lines, hero=_HERO)


def _tracker(lab: DifferencingLab, attacker: Tracker) -> Script:
    """The siege of a console under its rule."""
    rule, draws = attacker.policy, attacker.policy in ("output", "data")
    settings: dict[str, object] = {"rule": rule, "k": attacker.least, "r": attacker.shared}
    if rule in ("rounding", "recoding"):
        settings["base"] = attacker.base
    if draws:
        settings["epsilon"] = lab.mechanism.epsilon
    settings["seed"] = lab.seed
    lines = paragraphs(
        _SALARIES,
        _HELD.get(rule, "held = salaries"),
        _SAID.format(answer=_ANSWERS.get(rule, "exact")),
        _SIEGE,
    )
    return Script(settings, lines, hero=_ASKED, drawn=("off",) if draws else ())
