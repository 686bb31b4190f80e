"""Anonymity's sentences of the search among heights."""

from collections.abc import Iterator, Sequence

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.anonymity.ways.heights.nodes import named
from dpstudio.labs.whole_tables.anonymity.ways.heights.tree import written
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.labs.whole_tables.anonymity.ways.way import Walked
from dpstudio.privacy.anonymity.columns import Coded
from dpstudio.values.messages import N_, Num, listed, say


def height_sentences(quasi: Sequence[str], walked: Walked) -> Iterator[Sentence]:
    """Which node is published, and whether a better one can exist."""
    heights = listed(named(quasi, walked.node))
    text = N_("Published at heights {heights}; it loses {loss}.")
    loss = Num(walked.judged.loss, 3, percent=True)
    yield Sentence("node", say(text, heights=heights, loss=loss))
    values = {"looked": Num(walked.looked), "nodes": Num(walked.nodes)}
    text = N_("{looked} of {nodes:# node|# nodes} {looked:was|were} looked at: none loses less.")
    if walked.chosen:
        text = N_("Heights are named here; the lattice has {nodes} {nodes:node|nodes}.")
    elif not walked.done or walked.gap > 0:
        values["gap"] = Num(walked.gap, 3, "up", percent=True)
        text = N_(
            "{looked} of {nodes:# node|# nodes} {looked:was|were} looked at: none can lose {gap} "
            "less."
        )
    yield Sentence("search", say(text, **values))


def tree_sentence(task: Task, column: Coded) -> Sentence:
    """The hierarchy that can be changed, as text."""
    held = task.hierarchy(column)
    text = N_(
        "The hierarchy of “{column}” has {values} {values:value|values} and a height of {height}: "
        "use it as it is to change it, or load another. What is written so leaves with a published "
        "table."
    )
    values = {"values": Num(len(held.rows)), "height": Num(held.height)}
    said = say(text, column=column.name, tree=written(task, column), **values)
    return Sentence("tree", said)
