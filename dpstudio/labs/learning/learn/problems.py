"""What stops Learn on a table, what qualifies it, and the nearest state that a table can answer."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.labs.learning.learn.learners import LEARNERS
from dpstudio.labs.learning.learn.learners.naive_bayes import NaiveBayes
from dpstudio.labs.learning.learn.model import known, parts, sampled
from dpstudio.labs.learning.learn.parameters import Learn
from dpstudio.labs.page import Refused
from dpstudio.values.domains import ParamError
from dpstudio.values.messages import N_, Num, plain, say
from dpstudio.values.params import switch
from dpstudio.values.problem import Problem

_CLASSES, _FEATURES, _FEW = 20, 6, 12


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
    if not 2 <= classes <= _CLASSES:
        text = N_("The classes of “{column}” are {n}. Choose a label with 2 to {most}.")
        yield Problem(
            "predicts", say(text, column=lab.predicts, n=Num(classes), most=Num(_CLASSES))
        )
        return
    if not min(parts(lab, sample)):
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
    sample = sampled(lab, data)
    told = {kind.key: kind().refusal(known(lab, sample, kind())) for kind in LEARNERS}
    return {"learner": {key: why for key, why in told.items() if why is not None}}


def suited(lab: Learn, data: Dataset) -> Learn:
    """The lab with a label and features that the table has, where those named are not there."""
    try:
        sample = sampled(lab, data)
        if sample.label is not None and 2 <= len(sample.label.words) <= _CLASSES:
            proved = lab.learner.refusal(known(lab, sample, lab.learner)) is None
            return lab if proved else lab.with_(learner=switch(NaiveBayes, lab.learner))
    except ParamError:
        pass
    usable = [c.name for c in data.columns if data.missing(c.name) < data.rows]
    labels = [name for name in usable if _classes(data, name)]
    if not labels:
        return lab
    label = lab.predicts if lab.predicts in labels else labels[-1]
    rest = [name for name in usable if name != label]
    numbers = [name for name in rest if data.info(name).numeric]
    words = [name for name in rest if data.info(name).type == "category" and _few(data, name)]
    named = tuple(name for name in lab.features if name in numbers or name in words)
    chosen = named or tuple((numbers or words)[:_FEATURES])
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
