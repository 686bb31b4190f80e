"""Anonymity's sentences of the search among heights."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.anonymity.heights import Walked, named_heights
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.labs.whole_tables.anonymity.trees import sizes, subject, written
from dpstudio.values.messages import N_, Num, say


def height_sentences(model: AnonymityModel, walked: Walked) -> Iterator[Sentence]:
    """Which node is published, and whether a better one can exist."""
    heights = ", ".join(named_heights(model.lab, walked.node))
    text = N_("Published at heights {heights}; it loses {loss}.")
    loss = Num(walked.loss, 3, percent=True)
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


def tree_sentence(model: AnonymityModel) -> Sentence:
    """The hierarchy that can be changed, as text."""
    held, height = sizes(model)
    text = N_(
        "The hierarchy of “{column}” has {values} {values:value|values} and a height of {height}: "
        "use it as it is to change it, or load another. What is written so leaves with a published "
        "table."
    )
    values = {"values": Num(held), "height": Num(height)}
    said = say(text, column=subject(model).name, tree=written(model), **values)
    return Sentence("tree", said)
