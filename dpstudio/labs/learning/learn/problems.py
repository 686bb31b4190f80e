"""What stops Learn on a table, what qualifies it, and the nearest state that a table can answer."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.labs.learning.learn.learners import LEARNERS
from dpstudio.labs.learning.learn.learners.naive_bayes import NaiveBayes
from dpstudio.labs.learning.learn.learners.regression_moments import GaussianMoments
from dpstudio.labs.learning.learn.parameters import SOLVE, Learn
from dpstudio.labs.learning.learn.task import known, parts, sampled
from dpstudio.labs.page import Refused
from dpstudio.values.domains import ParamError
from dpstudio.values.messages import N_, Num, Say, plain, say
from dpstudio.values.params import switch
from dpstudio.values.problem import Problem

_CLASSES, _FEATURES, _NUMBERS, _FEW = 20, 6, 12, 12


def problems(lab: Learn, data: Dataset) -> Iterator[Problem]:
    """Everything that stops or qualifies this state, each at its field."""
    if data.rows == 0:
        yield Problem("data", say("The table has no rows. Open another table."))
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
    if not min(parts(lab, data)):
        yield Problem("test", say("No rows are left to learn from or to test with."))
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
        names = plain(", ".join(sample.unattested))
        yield Problem("data.attested", say(text, columns=names), stops=False)
    claim = lab.learner.claim(known(lab, sample, lab.learner))
    if not claim.holds:
        text = N_("This is as texts print it, and does not keep the promise ε = {epsilon}.")
        shown = say(text, epsilon=Num(lab.epsilon, 5))
        yield Problem("learner.printed", shown, stops=False, grave=True)


def refused(lab: Learn, data: Dataset) -> Refused:
    """The learners that have no proof for what is known, each with the reason."""
    if any(problem.stops and problem.field != "learner" for problem in problems(lab, data)):
        return {}
    others = {kind.key: lab.with_(learner=switch(kind, lab.learner)) for kind in LEARNERS}
    told = {key: _refusal(other, data) for key, other in others.items()}
    name = Say(lab.learner.label)
    none = say("“{name}” has no steps and no samples: solve for ε or for rows.", name=name)
    return {
        "learner": {key: why for key, why in told.items() if why is not None},
        "solve": {key: none for key in SOLVE if key not in lab.learner.targets},
    }


def _refusal(lab: Learn, data: Dataset) -> Say | None:
    """Why the learner of this state cannot tell its label."""
    try:
        return lab.learner.refusal(known(lab, sampled(lab, data), lab.learner))
    except ParamError as error:
        return error.sentence


def suited(lab: Learn, data: Dataset) -> Learn:
    """The lab with a label and features that the table has, where those named are not there,
    and rows on either side of the split."""
    try:
        sample = sampled(lab, data)
        told = sample.label
        if told is not None and (lab.learner.numbers or 2 <= len(told.words) <= _CLASSES):
            proved = lab.learner.refusal(known(lab, sample, lab.learner)) is None
            if lab.split == "lot" and not min(parts(lab, data)):
                lab = lab.with_(split="last")  # of a handful of rows the lot may leave none
            other = NaiveBayes if told.words else GaussianMoments
            return lab if proved else suited(lab.with_(learner=switch(other, lab.learner)), data)
    except ParamError:
        pass
    usable = [c.name for c in data.columns if data.missing(c.name) < data.rows]
    labels = [name for name in usable if _classes(data, name)]
    last = usable[-1] if usable else ""
    # By habit a table ends with what is to be told.
    numbered = bool(last) and last not in labels and data.info(last).numeric
    if not labels and not numbered:
        return lab
    label = last if numbered else labels[-1]
    label = lab.predicts if lab.predicts in labels else label
    if numbered and label == last:
        lab = lab.with_(learner=switch(GaussianMoments, lab.learner))
    rest = [name for name in usable if name != label]
    numbers = [name for name in rest if data.info(name).numeric]
    words = [name for name in rest if data.info(name).type == "category" and _few(data, name)]
    named = tuple(name for name in lab.features if name in numbers or name in words)
    most = _NUMBERS if lab.learner.numbers else _FEATURES
    few = 2 * len(named) < len(lab.features)
    chosen = tuple((numbers or words)[:most]) if few else named
    if not chosen:
        return lab
    made = lab.with_(predicts=label, features=chosen, feature=chosen[0])
    return suited(made, data) if made != lab else lab


def _classes(data: Dataset, column: str) -> bool:
    """Whether a column holds two to a dozen values."""
    if data.info(column).type == "other" or data.more_than(column, _FEW):
        return False
    return len(data.distinct(column, 3)) >= 2


def _few(data: Dataset, column: str) -> bool:
    return not data.more_than(column, _FEW)
