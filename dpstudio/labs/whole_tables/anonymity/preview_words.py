"""The first rows of the table, as they are and as they are published."""

import numpy as np

from dpstudio.labs.findings import Table
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, shown
from dpstudio.labs.whole_tables.rows.model import n
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.anonymity.columns import words_of
from dpstudio.values.messages import Num, plain, say

_ROWS, _LONG = 12, 40


def preview_table(model: AnonymityModel) -> Table:
    """Each quasi-identifier before and after, how many look like the row, and its sensitive
    value."""
    rows = np.arange(min(_ROWS, n(model)))
    columns, heads = [], []
    for place, column in enumerate(model.rows.columns):
        words = words_of(column)
        columns.append((column.name, tuple(words[code] for code in column.quasi.codes[rows])))
        after = (_short(word) for word in shown(model, place, rows))
        columns.append((f"{column.name} published", tuple(after)))
        heads += [plain(column.name), say("published")]
    alike = tuple(Num(size) if size else say("left out") for size in _sizes_of(model, rows))
    secret = model.rows.sensitive
    values = tuple(secret.words[code] for code in secret.quasi.codes[rows])
    columns += [("alike", alike), (secret.name, values)]
    heads += [say("look alike"), plain(secret.name)]
    title = say("First rows, before and after")
    return Table(
        "preview", title, tuple(columns), shown=True, heads=tuple(heads), exact=True, rows=True
    )


def _sizes_of(model: AnonymityModel, rows: Codes) -> list[int]:
    """How many rows look like each of some; 0 for one that is suppressed."""
    of = model.classes.of[rows]
    return [int(size) for size in np.where(of >= 0, model.classes.sizes[of], 0)]


def _short(word: str) -> str:
    return word if len(word) <= _LONG else f"{word[: _LONG - 1]}…"
