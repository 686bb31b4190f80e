"""What stops Local learning on a table, what qualifies it, and the nearest state that a table can
answer."""

from collections.abc import Iterator

from dpstudio.data.codebook import LABEL
from dpstudio.data.column_roles import columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.labs.lacking import few_together, no_rows
from dpstudio.labs.nobody.local_learning import task as local_learning_task
from dpstudio.labs.nobody.local_learning.parameters import LocalLearning
from dpstudio.labs.persons import one_report_each
from dpstudio.privacy.learning.moments import alike
from dpstudio.values.domains import ParamError
from dpstudio.values.messages import N_, Num, listed, say
from dpstudio.values.problem import Problem

_CLASSES, _FEATURES = 10, 10
_TRIED = 8  # labels
_ROWS = 10  # of which half may be tested, and a tenth may be those who speak first
# What columns of classes are called.


def problems(lab: LocalLearning, data: Dataset) -> Iterator[Problem]:
    """Everything that stops or qualifies this state, each at its field."""
    if data.rows == 0:
        yield Problem("data", no_rows(data))
        return
    if len(lab.features) > local_learning_task.MOST_FEATURES:
        yield Problem(
            "features",
            say(
                "Name at most {most} {most:column|columns}.",
                most=Num(local_learning_task.MOST_FEATURES),
            ),
        )
        return
    try:
        task = local_learning_task.task_of(lab, data)
    except ParamError as error:
        field = "predicts" if error.field == "label" else error.field
        yield Problem(field, error.sentence)
        return
    sample, classes = task.sample, task.shape.classes
    if lab.numbers == "typed" and lab.reduction != "none":
        text = N_("Public edges are of columns, not of components: choose bins of equal width.")
        yield Problem("numbers", say(text))
        return
    try:
        if lab.numbers == "typed":
            local_learning_task.typed_edges(lab, sample.features)
    except ParamError as error:
        yield Problem("edges", error.sentence)
        return
    if not 2 <= classes <= _CLASSES:
        text = N_("“{column}” has {n} {n:class|classes}. Choose a label with 2 to {most}.")
        shown = say(text, column=lab.predicts, n=Num(classes), most=Num(_CLASSES))
        yield Problem("predicts", shown)
        return
    few = _few(lab, task)
    if few is not None:
        yield few
        return
    if sample.unattested:
        text = N_(
            "The bounds or words of {columns} come from the data: this is not private. Choose "
            "other columns, or say on the page of the table what is known from outside it."
        )
        names = listed(sample.unattested)
        yield Problem("data.attested", say(text, columns=names), stops=False)
    yield from one_report_each(data)


def _few(lab: LocalLearning, task: local_learning_task.Task) -> Problem | None:
    """Why these rows teach nothing."""
    if len(task.sample.x) < _ROWS:
        names = (*(each.name for each in task.sample.features), lab.predicts)
        return Problem("data", few_together(len(task.sample.x), names))
    if not len(task.asked) or not len(task.test) or (lab.apart and not len(task.first)):
        return Problem("test", say("No rows are left to learn from or to test with."))
    if lab.show_truth and alike(task.y):
        text = N_(
            "All rows to learn from have (nearly) the same “{column}”: there is nothing to learn. "
            "Choose another label."
        )
        return Problem("predicts", say(text, column=lab.predicts))
    return None


def suited(lab: LocalLearning, data: Dataset) -> LocalLearning:
    """The lab with a label and features that the table has, where those named are not there."""
    if data.rows == 0 or not any(problem.stops for problem in problems(lab, data)):
        return lab
    usable = [c.name for c in data.columns if c.type != "other"]
    labels = [name for name in usable if _classes(data, name)]
    if not labels:
        return lab
    kept = [name for name in labels if name == lab.predicts]
    tried = list(dict.fromkeys((*kept, *columns_for(data, LABEL, labels))))
    made: list[LocalLearning] = [lab.with_(predicts=label, features=()) for label in tried]
    # A label of few classes, by few columns where all have no row in common.
    for every in made[:_TRIED]:
        fewer = local_learning_task.features_of(every, data)[:_FEATURES]
        states: list[LocalLearning] = [every, *([every.with_(features=fewer)] if fewer else [])]
        for state in states:
            if not any(problem.stops for problem in problems(state, data)):
                return state
    return made[0]


def _classes(data: Dataset, column: str) -> bool:
    """Whether a column holds as many values as there may be classes."""
    if data.more_than(column, _CLASSES):
        return False
    return len(data.distinct(column, 3)) >= 2
