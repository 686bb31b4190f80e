"""What the texts print of Local learning: reports as they are printed, what they really cost, and
the scores of the texts."""

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.local_learning.model import LocalModel, features, few_runs, ladder_of
from dpstudio.labs.nobody.local_learning.published import EPSILONS, published
from dpstudio.labs.nobody.local_learning.task import task_of
from dpstudio.privacy.learning.local_printed import as_printed, printed_epsilon, printed_reports
from dpstudio.privacy.learning.naive_bayes import accuracies

PRINTED = 7


def printable(model: LocalModel) -> bool:
    """Whether what is printed has a meaning here: people are asked for words alone."""
    return not model.asked.people.shape.numbers and not model.lab.paid


def printed_count(model: LocalModel) -> int:
    """How many reports of ε each a person sends as printed."""
    return printed_reports(model.asked.people.shape)


def printed_added(model: LocalModel) -> float:
    """What these cost by adding up."""
    return printed_count(model) * model.lab.protocol.claim


def printed_spent(model: LocalModel) -> float:
    """What these really cost."""
    return printed_epsilon(model.lab.protocol, model.asked.people.shape)


def texts(model: LocalModel) -> tuple[Array, Array] | None:
    """ε of one report and scores in percent that the texts print of this table and protocol."""
    found = published(model.data.origin, model.lab.protocol.key)
    return None if found is None else (array(EPSILONS), found)


def text_score(model: LocalModel) -> float | None:
    """The printed score nearest to the ε in use."""
    found = texts(model)
    if found is None:
        return None
    at = np.argmin(np.abs(np.log(found[0] / model.lab.protocol.claim)))
    return float(found[1][at]) / 100


def text_epsilon(model: LocalModel) -> float:
    """The ε at which that is printed."""
    found = texts(model)
    assert found is not None
    at = np.argmin(np.abs(np.log(found[0] / model.lab.protocol.claim)))
    return float(found[0][at])


def text_spent(model: LocalModel) -> float:
    """What a person really spends there."""
    protocol = model.lab.protocol.at(text_epsilon(model)) or model.lab.protocol
    return printed_epsilon(protocol, model.asked.people.shape)


@once
def printed_curve(model: LocalModel) -> tuple[Array, Array, Array]:
    """ε of one report, the real ε of all of them, and the median score as printed."""
    lab, task, asked = model.lab, task_of(model.lab, model.data), model.asked
    runs, shape = few_runs(model.effort), asked.people.shape
    epsilons = ladder_of(model.effort, PRINTED)
    protocols = [lab.protocol.at(e) or lab.protocol for e in epsilons.tolist()]
    real = [printed_epsilon(p, shape) for p in protocols]
    first = [i for i, q in enumerate(asked.people.questions) if q.feature >= 0]
    sizes = np.array([asked.people.questions[i].words for i in first])
    words = (asked.people.symbols[:, first] % sizes).astype(np.int64)
    y = task.y.astype(np.int64)

    def made() -> Array:
        rng, found = np.random.Generator(np.random.SFC64([lab.seed, 3])), []
        for protocol in protocols:
            model.check()
            learnt = as_printed(words, y, shape, protocol, rng, runs)
            found.append(accuracies(learnt, asked.rows, task.test_y))
        return array(np.median(found, axis=1))

    told = tuple(epsilons.tolist()), runs, lab.protocol.at(1.0)
    key = ("local printed", features(model), lab.predicts, lab.test, lab.seed, lab.bins, *told)
    more = lab.reduction, lab.components, lab.share, lab.numbers, lab.edges
    return epsilons, array(real), model.data.remember((*key, *more), made)


# An ε of their own
