"""Float leak as a script: noisy doubles, and what their last bits prove."""

from dpstudio.labs.promise.float_leak.parameters import FloatLeak
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.values.messages import N_, say

_SAMPLER = N_(
    "What a sampler can give at all is found by going backwards through its own arithmetic. Choose "
    "another proof, and noise of numpy."
)
_BACKWARDS = N_("Found by going backwards through the arithmetic of the sampler.")
_DRAWN = """
# The same noise as on the page: one generator for each of the two answers.
sides = []
for side, x in enumerate((answer, other)):
    rng = np.random.Generator(np.random.SFC64([seed, 13, side]))
    sides.append(rng.laplace(0.0, 1 / epsilon, trials) + float(x))
proofs = {
    "grid": (off_grid(sides[0], other), off_grid(sides[1], answer)),
    "rounding": (unreachable(sides[0], float(other)), unreachable(sides[1], float(answer))),
}
share, reverse = proofs[attack]
numbers["share"], numbers["reverse"] = share.mean(), reverse.mean()
numbers["rounding"] = tuple(proof.mean() for proof in proofs["rounding"])
numbers["grid"] = finest(other)
"""
_HERO = """
axes.hist(sides[0][share], 100, alpha=0.7, label="proves that it was not the other")
axes.hist(sides[0][~share], 100, alpha=0.4, label="does not")
axes.set_xlabel("output")
axes.legend()
"""


def script(lab: FloatLeak, known: Known) -> Script:
    """The facts of the page by drawing the same noise. Raises NoScript."""
    if lab.sampler != "numpy" or lab.attack == "sampler":
        raise NoScript(say(_SAMPLER))
    names = ("epsilon", "answer", "other", "attack", "trials", "seed")
    settings = {name: getattr(lab, name) for name in names}
    return Script(settings, _DRAWN, hero=_HERO, left_out={"sampler": say(_BACKWARDS)})
