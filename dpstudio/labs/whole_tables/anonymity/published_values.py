"""What is published of each value: the word of its hierarchy, or what its class holds."""

from __future__ import annotations

import numpy as np

from dpstudio.labs.whole_tables.anonymity.hierarchies import hierarchy_of, word_at
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.labs.whole_tables.rows.columns import Coded, words_of
from dpstudio.privacy.anonymity.classes import Codes


def shown(model: AnonymityModel, place: int, rows: Codes | None = None) -> list[str]:
    """What is published of a quasi-identifier, for each row, or for some; nothing of rows that are
    suppressed is."""
    column = model.rows.columns[place]
    if model.walked is not None:
        told = word_at(
            hierarchy_of(model.data.hierarchies, column, model.lab.trees),
            words_of(column),
            model.walked.node[place],
        )
        which = column.quasi.codes
        which = which if rows is None else which[rows]
    else:
        of = model.classes.of if rows is None else model.classes.of[rows]
        classes, which = np.unique(of, return_inverse=True)
        told = tuple(_of_classes(model, column, classes))
    return [told[code] for code in which.tolist()]


def _of_classes(model: AnonymityModel, column: Coded, classes: Codes) -> list[str]:
    """What is published of a column in each of these classes, in ascending order: the ends of its
    numbers, or all of its words."""
    there = np.isin(model.classes.of, classes)
    of, codes = np.searchsorted(classes, model.classes.of[there]), column.quasi.codes[there]
    if column.quasi.at is None:
        pairs = np.unique(np.stack([of, codes], axis=1), axis=0)
        cuts = np.searchsorted(pairs[:, 0], np.arange(1, len(classes)))
        parts = np.split(pairs[:, 1], cuts)
        return ["|".join(column.words[code] for code in each) for each in parts]
    low, high = np.full(len(classes), len(column.quasi.at)), np.full(len(classes), -1)
    np.minimum.at(low, of, codes)
    np.maximum.at(high, of, codes)
    words = words_of(column)
    return [
        words[a] if a == b else f"{words[a]}..{words[b]}"
        for a, b in zip(low.tolist(), high.tolist(), strict=True)
    ]
