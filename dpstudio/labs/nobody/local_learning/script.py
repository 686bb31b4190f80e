"""The numbers of the lab Local learning, worked out without the program."""

from dpstudio.labs.nobody.local_learning.parameters import LocalLearning
from dpstudio.labs.scripted import Known, NoScript, Script, one_row_each, paragraphs
from dpstudio.labs.scripted_features import told_of, told_of_all
from dpstudio.privacy.local.histogram import Thresholded
from dpstudio.values.messages import N_, say

_ONLY_BINS = N_(
    "Scripts learn from bins and words of people who all choose one ε. Choose bins, no components, "
    "people whose rows are public, and nobody careful."
)
_ROWS = """
    # The rows that have every value: numbers scaled to [-1, 1] by their bounds, words as places.
    told = {name: told_from(table[name], each) for name, each in features.items()}
    worded = {name: holds_words(each) for name, each in told.items()}
    x = np.stack(
        [
            place_of(table[name], each) if worded[name] else to_box(table[name], each)
            for name, each in told.items()
        ],
        axis=1,
    )
    classes = told_from(table[label], label_words)
    y = place_of(table[label], classes)
    there = ~np.isnan(np.column_stack([x, y])).any(axis=1)
    x, y, classes = x[there], y[there].astype(int), len(classes)
    if len(x) > 80_000:  # the page draws so many by lot
        some = in_parts(len(x), 80_000 / len(x), seed)[1]
        x, y = x[some], y[some]
    asked, test = in_parts(len(x), test_share, seed)
"""
_EDGES = {
    "width": "edges = {name: np.linspace(-1, 1, bins + 1)[1:-1] for name in told}",
    "typed": (
        "edges = {name: np.linspace(-1, 1, bins + 1)[1:-1] for name in told}\n"
        "edges |= {name: to_box(np.array(each), told[name]) for name, each in public_edges.items()}"
    ),
    "frequency": (
        "later, first = in_parts(len(asked), share, seed)  # the first are public, and not asked\n"
        "public, asked = x[asked[first]], asked[later]\n"
        "edges = {\n"
        "    name: np.array([]) if worded[name] else edges_of_frequency(public[:, i], bins)\n"
        "    for i, name in enumerate(told)\n"
        "}"
    ),
}
_BINS = """
    # Numbers become bins, each of which has its upper end.
    sizes = [len(told[name]) if worded[name] else len(edges[name]) + 1 for name in told]
    for i, name in enumerate(told):
        if not worded[name]:
            x[:, i] = np.searchsorted(edges[name], x[:, i])
    x = x.astype(int)
"""
_EXACT = """
    # Without noise; and the best single answer for all.
    exact = bayes_of_rows(x[asked], y[asked], sizes, classes)
    numbers["noiseless"] = bayes_right(*exact, x[test], y[test])
    numbers["majority"] = np.bincount(y[test]).max() / len(test)
"""
_ONE = """
    # Each person answers one question, drawn by lot, with all of epsilon.
    each_epsilon = epsilon
    numbers["answers"] = len(asked) / len(sizes)
    numbers["spent"] = {spent}
"""
_ALL = """
    # Each person answers all questions, with a part of epsilon each.
    each_epsilon = epsilon / len(sizes)
    numbers["answers"] = len(asked)
    numbers["spent"] = len(sizes) * {spent}
"""
_SURVEYS = """
    # Some surveys of our own; the page shows the median of its own ones.
    survey = {survey}
    rng, scores = np.random.default_rng(seed), []
    for _ in range(surveys):
        counts = symbols_asked(x[asked], y[asked], sizes, classes{lot})
        found = bayes_of_reports(counts, survey, floor, classes, rng)
        scores.append(bayes_right(*found, x[test], y[test]))
    numbers["score"] = np.median(scores)
"""
_SURVEY = {
    "grr": "partial(survey_by_direct, epsilon=each_epsilon)",
    "sue": "partial(survey_by_bits, s=unary_symmetric(each_epsilon))",
    "oue": "partial(survey_by_bits, s=unary_optimised(each_epsilon))",
    "she": "partial(survey_by_sums, epsilon=each_epsilon)",
    "the": "partial(survey_by_bits, s=thresholded(each_epsilon, threshold))",
}
_HERO = """
    axes.hist(scores, bins=20, label="surveys")
    axes.axvline(numbers["noiseless"], label="without noise")
    axes.axvline(numbers["majority"], linestyle=":", label="always the commonest class")
    axes.set(xlabel="share of classes told right", ylabel="surveys")
    axes.legend()
"""


def script(lab: LocalLearning, known: Known) -> Script:
    """Naive Bayes without noise, and of simulated surveys."""
    plain = lab.reduction == "none" and lab.careful == "none" and not lab.paid
    if not plain or lab.numbers == "gauss":
        raise NoScript(say(_ONLY_BINS))
    settings: dict[str, object] = {
        "features": told_of_all(known, lab.features),
        "label": lab.predicts,
        "label_words": told_of(known, lab.predicts, classes=True),
        "bins": lab.bins,
    }
    if lab.numbers == "typed":
        typed = (line.rpartition(":") for line in lab.edges)
        settings["public_edges"] = {
            name.strip(): [float(n) for n in numbers.split(",")] for name, _, numbers in typed
        }
    if lab.apart:
        settings["share"] = lab.share
    settings |= {"epsilon": lab.protocol.claim, "floor": 1.0 if lab.floor == "error" else 0.0}
    settings |= {"test_share": lab.test, "surveys": min(lab.runs, 60), "seed": lab.seed}
    spent = "each_epsilon"
    if isinstance(lab.protocol, Thresholded):  # two bits show less than the numbers did
        settings["threshold"] = lab.protocol.theta if lab.protocol.threshold == "hand" else None
        spent = "odds_of_bits(thresholded(each_epsilon, threshold))"
    one = lab.reports == "one"
    lines = paragraphs(
        one_row_each(known),
        _ROWS,
        _EDGES[lab.numbers],
        _BINS,
        _EXACT,
        (_ONE if one else _ALL).format(spent=spent),
        _SURVEYS.format(survey=_SURVEY[lab.protocol.key], lot=", rng" if one else ""),
    )
    return Script(settings, lines, hero=_HERO, drawn=("score",))
