"""The numbers of the lab Reconstruction, worked out without the program."""

from dpstudio.labs.attacks.attackers.attack_lines import noisy
from dpstudio.labs.attacks.reconstruction.attackers.census.model import Census
from dpstudio.labs.attacks.reconstruction.attackers.reconstruction.model import (
    PROGRAM,
    Reconstruction,
)
from dpstudio.labs.attacks.reconstruction.parameters import ReconstructionLab
from dpstudio.labs.scripting.scripted import Known, Script, paragraphs

_CENSUS = """
    # Which people fit the published lines that are used by this step.
    lines_used, possible = list(people_who_fit())[step - 1]
    numbers["left"] = len(possible)
    numbers["lines"] = len(lines_used)
"""
_LEFT = """
    left = [len(fitting) for _, fitting in people_who_fit()]
    axes.semilogy(range(1, 6), left, marker="o")
    axes.set(xlabel="step", ylabel="possibilities that are left", xticks=range(1, 6))
"""
_NOISE = """
    # One person may be in every one of these counts, which share epsilon.
    l1, l2, linf = questions, math.sqrt(questions), 1
"""
_GROUPS = """
    numbers["off"] = deviation / math.sqrt(people)

    # The best attacker knows all bits but one, of somebody in as many groups as anybody is.
    sets = list(groups_asked(seed, people, questions, {runs}))
    times = int(max(groups.sum(axis=0).max() for _, groups in sets))
    numbers["promised"] = {promised}
    numbers["best"] = {best}
"""
_SHARE = """
    # Everybody's bit from all counts, of each set of people with several noises of our own.
    rng, size = np.random.default_rng(seed), (questions, {noises})
    shares = []
    for bits, groups in sets:
        answers = (groups @ bits)[:, None] + {noise}
        shares += list(np.mean({solved} == bits[:, None], axis=0))
    numbers["attack"] = np.mean(shares)
"""
_HERO = """
    axes.hist(shares, bins=30)
    axes.axvline(0.5, linestyle=":")
    axes.set(xlabel="share of bits that are recovered", ylabel="runs")
"""


def script(lab: ReconstructionLab, known: Known) -> Script:
    """Noise, what anybody could do at most, and what solving recovers."""
    if isinstance(lab.attacker, Census):
        return Script({"step": lab.attacker.step}, _CENSUS, hero=_LEFT)
    attacker, noise = lab.attacker, noisy(lab.mechanism)
    assert isinstance(attacker, Reconstruction)
    program = attacker.method == PROGRAM
    best = noise.of(
        "min((1 + advantage_of_laplaces(1 / scale, times)) / 2, most_right(epsilon, 0))",
        "special.ndtr(math.sqrt(times) / sigma / 2)",
        "(1 + advantage_of_geometrics(loss, times)) / 2",
    )
    deviation = noise.of(
        "math.sqrt(2) * scale", "sigma", "math.sqrt(2 * math.exp(-loss)) / -math.expm1(-loss)"
    )
    drawn = noise.of(
        "rng.laplace(scale=scale, size=size)",
        "rng.normal(scale=sigma, size=size)",
        "np.subtract(*rng.geometric(-math.expm1(-loss), (2, *size)))",
    )
    groups = _GROUPS.format(runs=3 if program else 12, promised=noise.promised, best=best)
    share = _SHARE.format(
        noises=1 if program else 25,
        noise=drawn,
        solved=f"bits_by_{'program' if program else 'squares'}(groups, answers)",
    )
    made = "\n".join((*noise.made.lines, f"deviation = {deviation}"))
    settings: dict[str, object] = {"people": attacker.people, "questions": attacker.questions}
    settings |= {**noise.made.settings, "seed": lab.seed}
    # Losses that add up are rounded up on the page; 300 noises leave shares by a few hundredths.
    law = {"best": 1e-3} if noise.kind == "laplace" else {}
    return Script(
        settings,
        paragraphs(_NOISE, made, groups, share),
        law=law if program else {**law, "attack": 0.1},
        hero=_HERO,
        drawn=("attack",) if program else (),
    )
