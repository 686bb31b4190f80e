"""What stops Learn on a table, what qualifies it, and the nearest state that a table can answer."""

from collections.abc import Iterator

from dpstudio.data.codebook import LABEL
from dpstudio.data.column_roles import columns_for, describing
from dpstudio.data.dataset import Dataset
from dpstudio.labs.lacking import few_together, no_rows
from dpstudio.labs.models.learn.learners import LEARNERS
from dpstudio.labs.models.learn.learners.learner import Learner, LearningFacts
from dpstudio.labs.models.learn.learners.naive_bayes import NaiveBayes
from dpstudio.labs.models.learn.learners.regression_moments import GaussianMoments
from dpstudio.labs.models.learn.parameters import SOLVE, Learn
from dpstudio.labs.models.learn.task import known, parts, sampled, task_of
from dpstudio.labs.page import Refused
from dpstudio.privacy.learning.moments import alike
from dpstudio.values.domains import ParamError
from dpstudio.values.messages import N_, Message, Num, listed, say
from dpstudio.values.parameters import switch
from dpstudio.values.problem import Problem

_CLASSES, _FEATURES, _NUMBERS, _FEW = 20, 6, 12, 12
_TRIED = 8  # labels
_LEAST = 3  # rows: two that differ to learn from, and one to test with


def problems(lab: Learn, data: Dataset) -> Iterator[Problem]:
    """Everything that stops or qualifies this state, each at its field."""
    if data.rows == 0:
        yield Problem("data", no_rows(data))
        return
    try:
        sample = sampled(lab, data)
    except ParamError as error:
        field = "predicts" if error.field == "label" else error.field
        yield Problem(field, error.sentence)
        return
    assert sample.label is not None
    classes = len(sample.label.words)
    if not lab.learner.numbers and not 2 <= classes <= _CLASSES:
        text = N_("The classes of “{column}” are {n}. Choose a label with 2 to {most}.")
        yield Problem(
            "predicts", say(text, column=lab.predicts, n=Num(classes), most=Num(_CLASSES))
        )
        return
    if lab.show_truth and len(sample.x) < _LEAST:
        asked = (*(each.name for each in sample.features), lab.predicts)
        yield Problem("data", few_together(len(sample.x), asked))
        return
    if not min(parts(lab, data)):
        yield Problem("test", say("No rows are left to learn from or to test with."))
        return
    same = _alike(lab, data)
    if same is not None:
        yield same
        return
    refusal = lab.learner.refusal(known(lab, sample, lab.learner))
    if refusal is not None:
        yield Problem("learner", refusal)
        return
    if sample.unattested:
        text = N_(
            "The bounds or words of {columns} come from the data: this is not private. Choose "
            "others, or say on the page of the table what is known from outside it."
        )
        names = listed(sample.unattested)
        told, left = say(text, columns=names), tuple(sample.unattested)
        yield Problem("data.attested", told, stops=False, columns=left)
    yield from _guessed(lab, known(lab, sample, lab.learner))
    # What is proved holds, and how much noise it takes is not asked at each move of a hand.
    as_printed = getattr(lab.learner, "printed", "")
    if as_printed and not lab.learner.claim(known(lab, sample, lab.learner)).holds:
        text = N_("This is as texts print it, and does not keep the promise ε = {epsilon}.")
        shown = say(text, epsilon=Num(lab.epsilon, 5))
        yield Problem("learner.printed", shown, stops=False, grave=True)


def _alike(lab: Learn, data: Dataset) -> Problem | None:
    """Why no score tells models apart: one label is all there is. It is a matter of rows, and stops
    the scores alone."""
    if not lab.show_truth:
        return None
    task = task_of(lab, data)
    if task.remember("alike", lambda: alike(task.y)):
        text = N_(
            "All rows to learn from have (nearly) the same “{column}”: there is nothing to learn. "
            "Choose another label."
        )
        return Problem("predicts", say(text, column=lab.predicts))
    if lab.learner.numbers and alike(task.test_y):
        text = N_(
            "All test rows have (nearly) the same “{column}”, so that R² means nothing. Test with "
            "more or other rows, or choose another label."
        )
        return Problem("test", say(text, column=lab.predicts))
    return None


def _guessed(lab: Learn, known: LearningFacts) -> Iterator[Problem]:
    """What a guess that nobody types is taken from."""
    if lab.learner.proposed(known):
        text = N_(
            "The guess of {n} {n:row|rows} comes from the rows: this is not private. Type what is "
            "known from outside them."
        )
        told = say(text, n=Num(lab.learner.guess(known)))
        yield Problem("learner.about", told, stops=False)


def refused(lab: Learn, data: Dataset) -> Refused:
    """The learners that have no proof for what is known, each with the reason."""
    if any(problem.stops and problem.field != "learner" for problem in problems(lab, data)):
        return {}
    others = {kind.key: lab.with_(learner=switch(kind, lab.learner)) for kind in LEARNERS}
    told = {key: _refusal(other, data) for key, other in others.items()}
    name = Message(lab.learner.label)
    none = say("“{name}” has no steps and no samples: solve for ε or for rows.", name=name)
    return {
        "learner": {key: why for key, why in told.items() if why is not None},
        "solve": {key: none for key in SOLVE if key not in lab.learner.targets},
    }


def _refusal(lab: Learn, data: Dataset) -> Message | None:
    """Why the learner of this state cannot tell its label."""
    try:
        return lab.learner.refusal(known(lab, sampled(lab, data), lab.learner))
    except ParamError as error:
        return error.sentence


def suited(lab: Learn, data: Dataset) -> Learn:
    """The first state near this one that the table can answer: with the last rows as test rows,
    where of a handful the lot leaves none, with another learner, with another label and features.
    Where there is none, the first that is of columns of this table."""
    others = tuple(_labelled(lab, data))
    for made in (lab, *others):
        learners: list[type[Learner]] = [type(made.learner), NaiveBayes, GaussianMoments]
        for learner in dict.fromkeys(learners):
            for split in dict.fromkeys((made.split, "last")):
                state = made.with_(learner=switch(learner, made.learner), split=split)
                if not any(problem.stops for problem in problems(state, data)):
                    return state
    return next(iter(others), lab)


def _labelled(lab: Learn, data: Dataset) -> Iterator[Learn]:
    """The lab with each label that may be told, the likeliest first, one that was chosen before
    all."""
    usable = [c.name for c in data.columns if data.missing(c.name) < data.rows]
    classes = [name for name in usable if _classes(data, name)]
    numbers = [name for name in usable if name not in classes and _varied(data, name)]
    kept = [name for name in classes if name == lab.predicts]
    likely = columns_for(data, LABEL, (*classes, *numbers))
    for label in list(dict.fromkeys((*kept, *likely)))[:_TRIED]:
        made = lab
        if label in numbers:
            made = lab.with_(learner=switch(GaussianMoments, lab.learner))
        features = _features(made, data, [name for name in usable if name != label])
        if features:
            yield made.with_(predicts=label, features=features, feature=features[0])


def _features(lab: Learn, data: Dataset, usable: list[str]) -> tuple[str, ...]:
    """Those of these columns that are named, or where the half of the names are none of them, all
    numbers, else all of few words."""
    numbers = [name for name in usable if data.info(name).numeric]
    words = [name for name in usable if data.info(name).type == "category" and _few(data, name)]
    named = tuple(name for name in lab.features if name in numbers or name in words)
    most = _NUMBERS if lab.learner.numbers else _FEATURES
    if 2 * len(named) >= len(lab.features):
        return named
    return tuple(describing(data, numbers or words)[:most])


def _varied(data: Dataset, column: str) -> bool:
    """Whether a column holds different numbers."""
    if not data.info(column).numeric:
        return False
    extent = data.extent(column)
    return extent is not None and extent.low < extent.high


def _classes(data: Dataset, column: str) -> bool:
    """Whether a column holds two to a dozen values."""
    if data.info(column).type == "other" or data.more_than(column, _FEW):
        return False
    return len(data.distinct(column, 3)) >= 2


def _few(data: Dataset, column: str) -> bool:
    return not data.more_than(column, _FEW)
