"""The numbers of the lab Local learning, worked out without the program."""

from dpstudio.labs.nobody.local_learning.parameters import NUMBER_PROTOCOLS, LocalLearning
from dpstudio.labs.nobody.local_learning.task import MOST_FEATURES, MOST_WORDS
from dpstudio.labs.scripting.features import chosen_of, told_of
from dpstudio.labs.scripting.scripted import Known, NoScript, Script, one_row_each, paragraphs
from dpstudio.privacy.local.histogram import Thresholded
from dpstudio.values.lists import parted, parts
from dpstudio.values.messages import N_, say

_WITHOUT = N_(
    "Scripts learn from columns as they are. Choose no components, and people whose rows are "
    "public."
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
    x, questions = x.astype(int), len(sizes)
"""
_EXACT = """
    # Without noise; and the best single answer for all.
    exact = bayes_of_rows(x[asked], y[asked], sizes, classes)
    numbers["noiseless"] = bayes_right(*exact, x[test], y[test])
    numbers["majority"] = np.bincount(y[test]).max() / len(test)
"""
_APART = """
    # Each number is told by a normal law of each class; where no column has words, the class alone
    # is asked about.
    names = list(told)
    z = x[:, [i for i, name in enumerate(names) if not worded[name]]]
    sizes = [len(told[name]) for name in names if worded[name]] or [1]
    x = x[:, [i for i, name in enumerate(names) if worded[name]]].astype(int)
    x = x if x.shape[1] else np.zeros((len(y), 1), dtype=int)
    questions = len(sizes) + 2 * z.shape[1]
"""
_EXACT_BELLS = """
    # Without noise; and the best single answer for all.
    exact = bayes_of_rows(x[asked], y[asked], sizes, classes)
    bells = bells_of_rows(z[asked], y[asked], classes)
    numbers["noiseless"] = bells_right(*exact, bells, x[test], z[test], y[test])
    numbers["majority"] = np.bincount(y[test]).max() / len(test)
"""
_ONE = """
    # Each person answers one question, drawn by lot, with all of epsilon.
    each_epsilon = epsilon
    numbers["answers"] = len(asked) / questions
    numbers["spent"] = {spent}
"""
_ALL = """
    # Each person answers all questions, with a part of epsilon each.
    each_epsilon = epsilon / questions
    numbers["answers"] = len(asked)
    numbers["spent"] = {spent}
"""
_SURVEYS = """
    # Some surveys of our own; the page shows the median of its own ones.
    survey = {survey}
    rng, scores = np.random.default_rng(seed), []
    for _ in range(surveys):
        lots = {lots}
        counts = symbols_asked(x[asked], y[asked], sizes, classes, lots)
        found = bayes_of_reports(counts, survey, floor, classes, rng)
        scores.append({score})
    numbers["score"] = np.median(scores)
"""
_BELLS = """
    # A number is sent at the place of the class; Laplace noise on every place is that of one.
    places = 1 if number == "local_laplace" and coordinates == "every" else classes
    worst = spread_of_number(number, each_epsilon, places, coordinates)
    send = partial(number_sent, number, each_epsilon, d=places, coordinates=coordinates)
"""
_SCORE = "bayes_right(*found, x[test], y[test])"
_SCORE_BELLS = """bells_right(
            *found,
            bells_of_reports(
                z[asked], y[asked], {rest}, send, worst, found[0], floor, classes, rng
            ),
            x[test], z[test], y[test],
        )"""
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
    axes.axvline(numbers["majority"], linestyle=":", label="always the most common class")
    axes.set(xlabel="accuracy", ylabel="surveys")
    axes.legend()
"""


def script(lab: LocalLearning, known: Known) -> Script:
    """Naive Bayes without noise, and of simulated surveys."""
    if lab.reduction != "none" or lab.paid:
        raise NoScript(say(_WITHOUT))
    bells, one = lab.numbers == "gauss", lab.reports == "one"
    settings, spent = _settings(lab, known)
    names = (n for n in known.names if n != lab.predicts and known.type_of(n) != "other")
    features, found = chosen_of(
        known, lab.features, names, of="features", few=MOST_WORDS, most=MOST_FEATURES
    )
    settings = {**features, **settings}
    spread = "len(sizes) * {} + 2 * z.shape[1] * each_epsilon" if bells else "questions * {}"
    spent = spent if one else spread.format(spent)
    if bells and one and isinstance(lab.protocol, Thresholded):
        spent = f"max({spent}, each_epsilon * (z.shape[1] > 0))"
    rest = "lots - len(sizes)" if one else "None"
    lines = paragraphs(
        one_row_each(known),
        found,
        _ROWS,
        _APART if bells else _EDGES[lab.numbers],
        "" if bells else _BINS,
        _EXACT_BELLS if bells else _EXACT,
        (_ONE if one else _ALL).format(spent=spent),
        _BELLS if bells else "",
        _SURVEYS.format(
            survey=_SURVEY[lab.protocol.key],
            lots="rng.integers(questions, size=len(asked))" if one else "None",
            score=_SCORE_BELLS.format(rest=rest) if bells else _SCORE,
        ),
    )
    return Script(settings, lines, hero=_HERO, drawn=("score",))


def _settings(lab: LocalLearning, known: Known) -> tuple[dict[str, object], str]:
    """What was chosen, and what a report about a word spends."""
    settings: dict[str, object] = {
        "label": lab.predicts,
        "label_words": told_of(known, lab.predicts, classes=True),
    }
    if lab.numbers == "gauss":
        number = NUMBER_PROTOCOLS[lab.number]
        settings["number"] = number.key
        settings["coordinates"] = getattr(number, "coordinates", "every")
    else:
        settings["bins"] = lab.bins
    if lab.numbers == "typed":
        settings["public_edges"] = {
            name: [float(n) for n in parts(numbers)] for name, numbers in map(parted, lab.edges)
        }
    if lab.apart:
        settings["share"] = lab.share
    settings |= {"epsilon": lab.protocol.claim, "floor": 1.0 if lab.floor == "error" else 0.0}
    settings |= {"test_share": lab.test, "surveys": min(lab.runs, 60), "seed": lab.seed}
    if isinstance(lab.protocol, Thresholded):  # two bits show less than the numbers did
        settings["threshold"] = lab.protocol.theta if lab.protocol.threshold == "hand" else None
        return settings, "odds_of_bits(thresholded(each_epsilon, threshold))"
    return settings, "each_epsilon"
