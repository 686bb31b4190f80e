"""The numbers of the lab Local means, worked out without the program."""

from dpstudio.labs.nobody.local_means.model import asked_where
from dpstudio.labs.nobody.local_means.parameters import LocalMeans
from dpstudio.labs.scripting.answer import clipped
from dpstudio.labs.scripting.scripted import Known, Script, one_row_each, paragraphs

_SCALED = """
    # Everyone holds t in [-1, 1], and sends t* with mean t: the mean of all t* estimates that of t.
    n, half = len(x), (high - low) / 2
    t = (x - (low + high) / 2) / half
    numbers["truth"] = x.mean()

    # One survey, drawn here; the page draws its own.
    rng = np.random.default_rng(seed)
    sent = number_sent(protocol, epsilon, t, rng, d, coordinates)
    numbers["answer"] = (low + high) / 2 + half * sent.mean()
"""
_LINES = """
    {of}
    t2 = {t2}
    kinds = ["local_laplace", "duchi", "piecewise", "hybrid"]
    ways = ["every", "one"] if d > 1 else [coordinates]
    rivals = [(name, way) for name in kinds for way in ways]
    spreads = [spread_of_number(name, epsilon, d, way, t2) for name, way in rivals]
    errors = dict(zip(rivals, times * half * np.sqrt(np.array(spreads) / n), strict=True))
    error = errors[protocol, coordinates]
    numbers["error"] = error
    good = [e for e in errors.values() if e <= 1.0005 * min(errors.values())]
    if error not in good:
        numbers["best"] = good[0]

    # One trusted collector of d means: noise of scale d (high - low)/n / epsilon.
    scale = d * (high - low) / n / epsilon
    numbers["central"] = {central}
    numbers["bits"] = bits_of_number(protocol, epsilon, d, coordinates)
"""
_OF = {
    "worst": ("# The variance of t* is linear in t^2: at worst it is that of 0 or of 1.", "None"),
    "column": (
        "# The variance of t* is linear in t^2: of all people it is that of their mean square.",
        "float(np.mean(t**2))",
    ),
}
_MEASURES = {
    "half_width": ("times = normal_quantile(confidence)", "scale * math.log(1 / (1 - confidence))"),
    "deviation": ("times = 1", "math.sqrt(2) * scale"),
}
_HERO = """
    at = np.geomspace(0.1, 10, 100)
    for name in kinds:
        spreads = [spread_of_number(name, e, d) for e in at]
        axes.loglog(at, times * half * np.sqrt(np.array(spreads) / n), label=name)
    axes.set(xlabel="epsilon", ylabel="error of the mean, worst values")
    axes.legend()
"""


def script(lab: LocalMeans, known: Known) -> Script:
    """The mean, and how wrong it is by every protocol."""
    settings, question = clipped(lab.query.with_(where=asked_where(lab)), known)
    ways = {"coordinates": getattr(lab.protocol, "coordinates", "every")}
    settings |= {"protocol": lab.protocol.key, "epsilon": lab.protocol.epsilon, **ways}
    settings |= {"d": max(lab.dims, 1 + len(lab.more)), "confidence": lab.confidence}
    settings["seed"] = lab.seed
    times, central = _MEASURES[lab.measure]
    of, t2 = _OF[lab.case]
    lines = _LINES.format(of=of, t2=t2, central=central)
    made = paragraphs(one_row_each(known), "\n".join(question), _SCALED, times, lines)
    return Script(settings, made, hero=_HERO, drawn=("answer",))
