"""The numbers of the lab Local counts, worked out without the program."""

from dpstudio.labs.nobody.local_counts.parameters import LocalCounts
from dpstudio.labs.scripting.questions import asked
from dpstudio.labs.scripting.scripted import Known, Script, condition, one_row_each, paragraphs
from dpstudio.privacy.local.hashing import LocalHashing
from dpstudio.privacy.local.histogram import Thresholded
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.query import ADD_REMOVE

_YES = """
    counts = np.array([np.count_nonzero(~chosen), np.count_nonzero(chosen)], dtype=float)
    at = 1  # the yes
"""
_PARTS = """
    counts = truth.astype(float)
    at = min(part, len(counts) - 1) if part >= 0 else int(np.argmax(counts))
"""
_LINES = """
    # Everyone sends one report. An estimate is (total - n q)/(p - q), and every person adds the
    # variance of a report to it, by whether that person holds the value.
    n, d = int(counts.sum()), len(counts)
    z = normal_quantile(confidence)
    variances = variance_of_counts(protocol, epsilon, counts, **own)
    numbers["asked"] = n
    numbers["truth"] = counts[at]
    numbers["interval"] = z * math.sqrt(variances[at])
"""
_SURVEY = """
    # One survey, drawn here; the page draws its own.
    rng = np.random.default_rng(seed)
    estimates, _ = {survey}
    numbers["answer"] = estimates[at]
"""
_SURVEYS = {
    "grr": "survey_by_direct(counts.astype(int), rng, epsilon)",
    "she": "survey_by_sums(counts.astype(int), rng, epsilon)",
}
_BITS = """survey_by_bits(
        counts.astype(int), rng, pure_protocol(protocol, epsilon, d, **own)
    )"""
# Of Hadamard and subset reports a total is no sum of bits.
_WITHOUT = ("hadamard", "subset", "fair_coins", "biased_coins", "warner")
_JUDGED = {
    "rare": "n * rare_variance(name, epsilon, d, **given)",
    "part": "variance_of_counts(name, epsilon, counts, **given)[at]",
    "all": "variance_of_counts(name, epsilon, counts, **given).mean()",
}
_BEST = """
    # All protocols for d values at this epsilon; one within 0.05 % of the least is as good as it.
    names = {{protocol, *protocols_for(epsilon, d)}}
    settled = {{name: own if name == protocol else {{}} for name in names}}
    widths = {{name: z * math.sqrt({judged}) for name, given in settled.items()}}
    least = min(widths.values())
    numbers["best"] = widths[protocol] if widths[protocol] <= 1.0005 * least else least
"""
_HERO = """
    values = np.arange(d)
    axes.bar(values, counts, label="how many hold it")
    errors = z * np.sqrt(variances)
    axes.errorbar(values, counts, yerr=errors, fmt="none", capsize=3, label="estimates lie within")
    axes.set(xlabel="value", ylabel="people")
    axes.legend()
"""


def script(lab: LocalCounts, known: Known) -> Script:
    """Who holds what, and how wrong the protocols' estimates of it are."""
    protocol = lab.protocol
    settings: dict[str, object] = {"protocol": protocol.key, "epsilon": protocol.claim}
    settings["own"] = _own(protocol)
    if isinstance(lab.query, Count):
        question = (f"chosen = {condition(lab.query.where, known)}", _YES)
    else:
        found = asked(lab.query, ADD_REMOVE, known)
        counted = [line for line in found.lines if not line.startswith("moves")]
        question = ("\n".join(counted), _PARTS)
        settings |= {**found.settings, "part": lab.part}
    settings |= {"confidence": lab.confidence, "seed": lab.seed}
    cost = 'numbers["cost"] = epsilon'
    if isinstance(protocol, Thresholded):  # its bits show less than the numbers did
        cost = 'numbers["cost"] = odds_of_bits(thresholded(epsilon, own.get("threshold")))'
    survey = _SURVEY.format(survey=_SURVEYS.get(protocol.key, _BITS))
    survey = "" if protocol.key in _WITHOUT else survey
    best = _BEST.format(judged=_JUDGED[lab.judged])
    lines = paragraphs(one_row_each(known), *question, _LINES, survey, best, cost)
    return Script(settings, lines, hero=_HERO, drawn=("answer",))


def _own(protocol: object) -> dict[str, object]:
    """What somebody chose of the protocol besides its ε."""
    if isinstance(protocol, LocalHashing) and protocol.hashing == "hand":
        return {"buckets": protocol.buckets}
    if isinstance(protocol, Thresholded) and protocol.threshold == "hand":
        return {"threshold": protocol.theta}
    return {}
