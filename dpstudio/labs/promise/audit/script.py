"""Audit as a script: the mechanism, run as often and with the same chance, the event that its draws
choose, and the bound that the others prove."""

from dpstudio.labs.promise.audit.parameters import Audit
from dpstudio.labs.scripting.scripted import Known, NoScript, Script, paragraphs
from dpstudio.privacy.attacks.subject import Catalogued
from dpstudio.values.messages import N_, say

_OTHERS = N_(
    "No script runs this one: the code of learners, made tables, choices and local reports stands "
    "with their own pages. Audit noise on numbers, or a randomised response."
)
# Of each: what it claims and what is true, where that is not ε; how it is run; and the privacy loss
# of its outputs.
_MOVED = """
def run(rng, side, size):
    # Every one of the numbers is moved by `step` between the two sides.
    return ({noise} + side * step).reshape(size, dims)


def loss_of(x):
    return {loss}
"""
_LISTED = """
listed = log_ratios(chances[0], chances[1])
exact = {exact}


def run(rng, side, size):
    {code}


def loss_of(x):
    return listed[x[:, 0].astype(int)]
"""
_LAPLACE = "laplace_draws(rng, size * dims) * scale"
_TURNED = "((np.abs(x - step) - np.abs(x)) / scale).sum(axis=1)"
_FLOORED = """
def run(rng, side, size):
    return np.floor(laplace_draws(rng, size) + side)[:, None]  # at ε = 1, whatever is asked for


def loss_of(x):
    return (np.maximum(x - 1, -x) - np.maximum(x, -x - 1))[:, 0]
"""
_BELLS = "((x - step) ** 2 - x**2).sum(axis=1) / (2 * sigma**2)"
# The truth of D is answer 0, of D′ answer 1.
_TOLD = "np.full((2, answers), lie)"
_COIN = """
first, second = rng.random((2, size)) < p
return np.where(first, float(side == 0), second)[:, None]
"""
_AGAIN = """
coin = rng.random(size) < p  # looked at twice
return np.where(coin, float(side == 0), coin)[:, None]
"""
_LIES = """
lies = (side + rng.integers(1, answers, size)) % answers
return np.where(rng.random(size) < honest, side, lies).astype(float)[:, None]
"""
_SHORT = """
lies = (1 - side + rng.integers(0, answers - 1, size)) % answers  # one answer never comes
return np.where(rng.random(size) < honest, 1 - side, lies).astype(float)[:, None]
"""
_AUDIT = """
scores = [{score} for side in (0, 1)]
cut = min(trials - 1, max(1, round(split * trials)))
at, tail, side = chosen_event([each[:cut] for each in scores], delta)
# The event does not depend on the draws that test it: nothing is to be corrected for.
tests, sides = trials - cut, (scores[side][cut:], scores[1 - side][cut:])
hits, others = (int(np.count_nonzero(tail * each >= tail * at)) for each in sides)
numbers["claim"] = claim
numbers["exact"] = exact
numbers["event"] = (hits, others)
numbers["bound"] = lower_epsilon(hits, others, tests, confidence, delta)
numbers["ceiling"] = lower_epsilon(tests, 0, tests, confidence, delta)
"""
_HERO = """
axes.hist([each[np.isfinite(each)] for each in scores], 60, label=["D", "D′"])
axes.axvline(at)
axes.legend()
axes.set_xlabel("score of an output")
"""
Made = tuple[dict[str, object], str]


def script(lab: Audit, known: Known) -> Script:
    """The facts of the page from its draws. Raises NoScript."""
    settings, lines = _run(lab)
    score = "drawn(run, seed, side, trials, dims)"
    score = (
        f"np.round(loss_of({score}), 10) + 0.0" if lab.events == "loss" else f"{score}.sum(axis=1)"
    )
    names = ("trials", "confidence", "split", "seed")
    settings = {"dims": 1, "delta": 0.0, **settings, **{name: getattr(lab, name) for name in names}}
    return Script(settings, paragraphs(lines, _AUDIT.format(score=score)), hero=_HERO)


def _run(lab: Audit) -> Made:
    """(settings, lines) that give `claim`, `exact`, and the functions `run` and `loss_of`."""
    subject = lab.subject
    settings: dict[str, object] = {
        name: getattr(subject, name)
        for name in ("epsilon", "dims", "share", "asked", "answers", "p")
        if hasattr(subject, name)
    }
    if isinstance(subject, Catalogued):
        return _noise(subject, settings)
    key = subject.key
    if key in ("response", "many_answers", "short_shift"):
        return settings, _response(key)
    if key in ("two_coins", "one_coin"):
        return settings, _coins(key)
    told = {
        "l2_laplace": (
            "step, scale = 1 / math.sqrt(dims), 1 / epsilon  # by the L2 norm, not by that in L1\n"
            "claim, exact = epsilon, math.sqrt(dims) * epsilon"
        ),
        "half_noise": (
            "step, scale = 1.0, share / epsilon  # a part of what is needed\n"
            "claim, exact = epsilon, epsilon / share"
        ),
    }
    if key in told:
        return settings, paragraphs(told[key], _MOVED.format(noise=_LAPLACE, loss=_TURNED))
    if key == "ignored_epsilon":
        return settings, paragraphs("claim, exact = asked, 1.0", _FLOORED)
    raise NoScript(say(_OTHERS))


def _noise(subject: Catalogued, settings: dict[str, object]) -> Made:
    mechanism = subject.mechanism
    settings["epsilon"] = mechanism.epsilon
    ahead = "step, claim = 1.0, epsilon\n"
    if mechanism.key in ("laplace", "geometric"):
        ahead += f"{'scale' if mechanism.key == 'laplace' else 'loss'} = "
        ahead += "dims / epsilon" if mechanism.key == "laplace" else "epsilon / dims"
        whole = mechanism.key == "geometric"
        noise = "geometric_noise(rng, loss, size * dims)" if whole else _LAPLACE
        turned = "loss * (np.abs(x - step) - np.abs(x)).sum(axis=1)" if whole else _TURNED
        lines = [f"{ahead}\nexact = epsilon", _MOVED.format(noise=noise, loss=turned)]
        return settings, paragraphs(*lines)
    if mechanism.key not in ("gaussian", "textbook"):
        raise NoScript(say(_OTHERS))
    settings["delta"] = mechanism.total_delta
    ahead += f"sigma = math.sqrt(dims) * {mechanism.key}_sigma(epsilon, delta)\n"
    ahead += "exact = gaussian_epsilon(math.sqrt(dims) / sigma, delta)"
    noise = "rng.standard_normal(size * dims) * sigma"
    return settings, paragraphs(ahead, _MOVED.format(noise=noise, loss=_BELLS))


def _response(key: str) -> str:
    """Randomised response: of k answers, with the coin of two, with a shift that stops short."""
    several = (
        "1 + math.exp(-epsilon)"
        if key == "many_answers"
        else "1 + (answers - 1) * math.exp(-epsilon)"
    )
    lines = [f"honest = 1 / ({several})", "lie = (1 - honest) / (answers - 1)", "claim = epsilon"]
    lines.append(f"chances = {_TOLD}")
    if key == "short_shift":
        lines += [
            "for side in (0, 1):",
            "    chances[side][1 - side] = honest + lie",
            "    chances[side][-side] = 0.0",
        ]
    else:
        lines.append("chances[0][0] = chances[1][1] = honest")
    return _listed("\n".join(lines), _SHORT if key == "short_shift" else _LIES)


def _coins(key: str) -> str:
    """Two coins by a formula that forgets an answer, or one that is looked at twice."""
    if key == "two_coins":
        head = (
            "claim = math.log(1 + p / (1 - p) ** 2)\nyes = np.array([p + (1 - p) * p, (1 - p) * p])"
        )
    else:
        head = "claim = math.log(1 + max(p / (1 - p) ** 2, 1 / (1 - p)))\nyes = np.array([p, 0.0])"
    return _listed(
        f"{head}\nchances = np.stack([1 - yes, yes], axis=1)",
        _COIN if key == "two_coins" else _AGAIN,
    )


def _listed(ahead: str, code: str) -> str:
    code = code.strip().replace("\n", "\n    ")
    return paragraphs(ahead, _LISTED.format(exact="float(np.abs(listed).max())", code=code))
