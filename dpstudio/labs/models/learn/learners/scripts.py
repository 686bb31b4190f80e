"""Scripts of learners: a model learnt again and again with noise, and its scores."""

from dataclasses import dataclass

from dpstudio.labs.models.learn.learners.learner import Learner
from dpstudio.labs.models.learn.learners.naive_bayes import NaiveBayes
from dpstudio.labs.scripted import Known, NoScript, Script
from dpstudio.labs.scripted_features import told_of, told_of_all
from dpstudio.privacy.queries import REPLACE
from dpstudio.values.messages import N_, say

_OTHER = N_("No script learns in this way yet. Choose naive Bayes, as it is proved.")
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
    if not isinstance(learner, NaiveBayes) or learner.printed not in ("", "budget"):
        raise NoScript(say(_OTHER))
    if known.person and asked.split == "last":
        raise NoScript(say(_LAST))
    settings: dict[str, object] = {
        "features": told_of_all(known, asked.features),
        "label": asked.predicts,
        "words": told_of(known, asked.predicts, classes=True),
        "test": asked.test,
        "epsilon": asked.epsilon,
        "share": learner.counts,
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
    scales = "bayes_scales(epsilon, share, sizes, moved)"
    if learner.printed:
        del settings["share"]
        scales = "[moved / epsilon] * 4  # as printed: each spends all of epsilon"
    return Script(settings, lines + _BAYES.format(scales=scales) + _SCORES, hero=_HERO)
