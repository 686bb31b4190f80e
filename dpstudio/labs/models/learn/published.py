"""What the texts print of these learners: scores of single runs, with and without noise, and why
ours differ."""

from dataclasses import dataclass

from dpstudio.labs.models.learn.parameters import Learn
from dpstudio.values.messages import N_

_ADULT = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")
_BOUNDS = N_(
    "single runs, scaled by bounds that were read from the data, and so without the promise"
)


@dataclass(frozen=True)
class Published:
    """Scores that are printed at each ε, and without noise; `why` says how those runs differ."""

    epsilons: tuple[float, ...]
    scores: tuple[float, ...]
    noiseless: float
    why: str


_BAYES = Published((0.01, 1.0), (0.7035, 0.7859), 0.7964, _BOUNDS)
_LOGISTIC = Published((0.01, 1.0), (0.7401, 0.8093), 0.8104, _BOUNDS)
_LINEAR = Published(
    (1.0,),
    (0.48,),
    0.54,
    N_(
        "one split by lot of 442 rows, and random rows too few to keep any promise, scaled by the "
        "longest row of the data"
    ),
)
# By the label and the learner.
_PRINTED = {
    ("income", "naive_bayes"): _BAYES,
    ("income", "logistic_output"): _LOGISTIC,
    ("income", "logistic_objective"): _LOGISTIC,
    ("income", "gradient_descent"): _LOGISTIC,
}


def published(table: str, lab: Learn) -> Published | None:
    """What is printed of this model of a bundled table; None where nothing is."""
    if table == "diabetes" and lab.predicts == "progression" and len(lab.features) == 10:
        return _LINEAR if lab.learner.numbers else None
    if table in ("adult", "adult_all") and set(lab.features) == set(_ADULT):
        return _PRINTED.get((lab.predicts, lab.learner.key))
    return None
