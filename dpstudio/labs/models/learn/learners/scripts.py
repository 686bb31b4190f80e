"""Scripts of learners: a model learnt again and again with noise, and its scores."""

from dataclasses import dataclass

from dpstudio.labs.models.learn.learners.learner import FEWEST, MOST, Learner
from dpstudio.labs.models.learn.learners.least_squares import LeastSquares
from dpstudio.labs.models.learn.learners.logistic_output import LogisticOutput
from dpstudio.labs.models.learn.learners.naive_bayes import NaiveBayes
from dpstudio.labs.scripting.features import told_of, told_of_all
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.privacy.queries import REPLACE
from dpstudio.values.messages import N_, say

_OTHER = N_(
    "No script learns in this way yet. Choose naive Bayes, least squares, or logistic weights."
)
_LAST = N_("No script finds the people who come last. Let the test rows be drawn by lot.")
_ROWS = """
dealt, sizes, classes = learning_rows(table, features, label, words, test, {seed}{person})
x, y, test_x, test_y = dealt
"""
_BAYES = """
exact = class_statistics(x, y, sizes, classes)
noise = unit_statistics(sizes, classes, runs, stream(seed, 7))
rows = bayes_design(test_x, sizes)


def scores_at(epsilon):
    \"\"\"The scores of models with noise, one a run.\"\"\"
    scales = {scales}
    noisy = [true + scale * n for true, scale, n in zip(exact, scales, noise, strict=True)]
    return shares_right(bayes_weights(*noisy, sizes), rows, test_y)


numbers["noiseless"] = float(shares_right(bayes_weights(*exact, sizes), rows, test_y))
"""
_LINEAR = """
linear, test_linear = as_columns(x, sizes), as_columns(test_x, sizes)
rows = in_unit_ball(test_linear, len(sizes))
sides = np.where(y == 1, 1.0, -1.0)
"""
_LEAST_SQUARES = """
# Rows (x, 1, y) of length at most 1: one of them moves the sum of zzᵀ by 1, and who is replaced by
# √2 (Dwork, Talwar, Thakurta & Zhang 2014).
z = np.column_stack([linear, np.ones(len(x)), sides]) / math.sqrt(len(sizes) + 2)
moments = z.T @ z
noise = moment_noise(runs, len(moments), stream(seed, 7))


def scores_at(epsilon):
    \"\"\"The scores of models with noise, one a run.\"\"\"
    sigma = norm * gaussian_sigma(epsilon, delta)
    weights = trimmed_weights(moments + sigma * noise, firmness * sigma)
    return shares_on_side(weights, rows, test_y)


exact = trimmed_weights(moments, 1e-9 * np.trace(moments))
numbers["noiseless"] = float(shares_on_side(exact, rows, test_y))
"""
_LOGISTIC = """
# About so many rows are learnt from, in the ridge of all of them together.
about = {about}
strength = penalty * about
exact = logistic_weights(in_unit_ball(linear, len(sizes)), sides, strength)
noise = vector_noise(runs, len(exact), stream(seed, 7))


def scores_at(epsilon):
    \"\"\"The scores of models with noise, one a run.\"\"\"
    # One person moves the minimiser by moved/strength at most, as its gradient by moved (Chaudhuri,
    # Monteleoni & Sarwate 2011, Algorithm 1).
    scale = {scale}
    return shares_on_side(exact + scale * noise, rows, test_y)


numbers["noiseless"] = float(shares_on_side(exact, rows, test_y))
"""
_SCORES = """
scores = scores_at(epsilon)
numbers["score"] = np.median(scores)
numbers["interval"] = band_of(scores, confidence)
# Whoever always says the most frequent class is right so often.
numbers["majority"] = np.bincount(test_y).max() / len(test_y)
tried = tried_epsilons()
curve = [scores_at(each) for each in tried]
# From which epsilon on half of the models lose less than a hundredth, of those tried and the one
# in use.
fits = [np.mean(each > numbers["noiseless"] - 0.01) >= 0.5 for each in (*curve, scores)]
useful = first_passing(tried, fits[:-1], epsilon, fits[-1])
if useful is not None:
    numbers["enough"] = useful
"""
_HERO = """
axes.plot(tried, [np.median(each) for each in curve], marker=".")
axes.fill_between(tried, *np.array([band_of(each, confidence) for each in curve]).T, alpha=0.3)
axes.axhline(numbers["noiseless"], color="black")
axes.set_xscale("log")
axes.set_xlabel("epsilon")
axes.set_ylabel("share of the test rows that is right")
"""


@dataclass(frozen=True)
class Asked:
    """What is learnt of what, how rows are dealt, and what is promised and looked at."""

    features: tuple[str, ...]
    predicts: str
    test: float
    split: str
    seed: int
    epsilon: float
    adjacency: str
    confidence: float
    runs: int


def learner_script(learner: Learner, asked: Asked, known: Known) -> Script:
    """The script of a learner. Raises NoScript."""
    if known.person and asked.split == "last":
        raise NoScript(say(_LAST))
    settings: dict[str, object] = {
        "features": told_of_all(known, asked.features),
        "label": asked.predicts,
        "words": told_of(known, asked.predicts, classes=True),
        "test": asked.test,
        "epsilon": asked.epsilon,
        "moved": known.most * (2 if asked.adjacency == REPLACE else 1),
        "confidence": asked.confidence,
        "runs": asked.runs,
        "seed": asked.seed,
    }
    person = ""
    if known.person:
        settings["person"], person = known.person, ", person"
    by_lot = "seed" if asked.split == "lot" else "None"
    lines = _ROWS.format(seed=by_lot, person=person)
    more, made = _made(learner, asked, known)
    return Script(settings | more, lines + made + _SCORES, hero=_HERO)


def _made(learner: Learner, asked: Asked, known: Known) -> tuple[dict[str, object], str]:
    """What the learner is told, and its lines. Raises NoScript."""
    if isinstance(learner, NaiveBayes) and learner.printed == "":
        scales = "bayes_scales(epsilon, share, sizes, moved)"
        return {"share": learner.counts}, _BAYES.format(scales=scales)
    if isinstance(learner, NaiveBayes) and learner.printed == "budget":
        return {}, _BAYES.format(scales="[moved / epsilon] * 4  # as printed: each spends all")
    replaced = asked.adjacency == REPLACE
    if isinstance(learner, LeastSquares):
        norm = known.most * (2**0.5 if replaced else 1.0)
        told: dict[str, object] = {
            "delta": learner.delta,
            "firmness": learner.firmness,
            "norm": norm,
        }
        return told, _LINEAR + _LEAST_SQUARES
    if not isinstance(learner, LogisticOutput) or learner.printed == "bounds":
        raise NoScript(say(_OTHER))
    about, scale = "round((len(x) + len(test_x)) * (1 - test))", "moved / strength / epsilon"
    about = f"min(max({about}, {FEWEST}), {MOST})"
    if replaced:  # everybody knows how many rows the table has
        about = "len(table[label]) - round(len(table[label]) * test)"
    elif learner.about is not None:
        about = str(learner.about)
    if learner.printed:
        scale = "2 / penalty * round(about) / epsilon  # as printed"
    return {"penalty": learner.penalty}, _LINEAR + _LOGISTIC.format(about=about, scale=scale)
