"""The anonymised table: each value as its class or its hierarchy shows it, what is said beside it,
and a script that makes it again."""

import re
from typing import Any

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.memo import once
from dpstudio.labs.outcome import MadeTable
from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, shown, told
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.weighed import root_of
from dpstudio.labs.whole_tables.rows.leaving import MEASURED, in_order, script_of, warning
from dpstudio.labs.whole_tables.rows.measured import in_rows, measured
from dpstudio.labs.whole_tables.rows.model import sensitive
from dpstudio.labs.winners import listed
from dpstudio.privacy.anonymity.column_hierarchies import from_rows, told_from
from dpstudio.privacy.anonymity.columns import MISSING, as_published
from dpstudio.privacy.anonymity.hierarchy import to_csv
from dpstudio.privacy.anonymity.written import WORDS, line_of, typed
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import to_json

MINIMALITY = (
    "Unless heights and hierarchies were fixed beforehand, how classes are made depends on all "
    "rows, those left out too, and whoever knows how they are chosen may learn from the choice (a "
    "minimality attack: Wong, Fu, Wang & Pei 2007)."
)


def untold(lab: Anonymity, data: Dataset) -> Message | None:
    """Why no table leaves whose words follow from rows, some of which may be left out: what
    hierarchies are like is typed for that. It follows from no row itself."""
    kinds = {name: data.info(name).type for name in lab.quasi if data.has(name)}
    names = [
        name
        for name, kind in kinds.items()
        if from_rows(data.hierarchies, name, lab.trees, date=kind == "date")
    ]
    if not names or lab.algorithm.boxes:
        return None
    lines = [line_of(name, _example(kinds[name], typed(lab.trees, name))) for name in names]
    text = N_(
        "Nobody typed what the hierarchy of {columns} is like, so it follows from all rows, and "
        "would tell of those that are left out. Type it (trees) as you know it from outside, such "
        "as {lines}."
    )
    columns = listed([say("“{name}”", name=name) for name in names])
    return say(text, columns=columns, lines=" | ".join(lines))


def _example(kind: str, lines: tuple[str, ...]) -> str:
    numbers = kind in ("integer", "number")
    return "prefixes 5" if lines else "5, 20, 40" if numbers else WORDS


@once
def published_table(model: AnonymityModel) -> MadeTable:
    """The rows that are in a class, in the order of their words, so that it tells nothing;
    suppressed ones are left out."""
    there = np.flatnonzero(model.classes.of >= 0)
    columns = [
        (column.name, shown(model, place, there)) for place, column in enumerate(model.rows.columns)
    ]
    words = model.rows.sensitive.words
    columns.append((model.lab.sensitive, [words[code] for code in sensitive(model)[there]]))
    return in_order(columns)


def has_table(model: AnonymityModel) -> bool:
    """Whether a table leaves: one of which a row has a sensitive value, since none leaves of rows
    that all lack it."""
    return bool(told(model).any())


def beside(model: AnonymityModel) -> dict[str, str]:
    """What lies beside the table, by the end of the name of a file: hierarchies of the words that
    are published, as ARX reads them."""
    if model.walked is None:
        return {}
    shows = dict(published_table(model).columns)
    out = {}
    for column, height in zip(model.rows.columns, model.walked.node, strict=True):
        if words := shows[column.name]:
            name = re.sub(r"[^A-Za-z0-9_-]", "_", column.name)
            while f"hierarchy-{name}.csv" in out:  # of “zip code” and “zip_code”
                name += "_"
            public = model.data.hierarchies
            told = told_from(public, column, words, height, model.lab.trees)
            out[f"hierarchy-{name}.csv"] = to_csv(told)
    return out


def report(model: AnonymityModel) -> dict[str, Any]:
    """What was chosen, and what the table that leaves keeps and risks, as JSON can hold it. Where
    δ-presence is promised, not which rows they are: who meets the condition would be known to be in
    it."""
    lab, table = model.lab, published_table(model)
    values = as_published(model.rows.sensitive, set(dict(table.columns)[lab.sensitive]))
    root = root_of(model.data.hierarchies, values, lab.trees)
    return {
        "warning": f"{warning(model.data)} {MINIMALITY}",
        "measured": MEASURED,
        "quasi_identifiers": list(lab.quasi),
        "sensitive": lab.sensitive,
        "identifiers": list(lab.identifiers),
        "promise": to_json(lab.promise),
        "algorithm": to_json(lab.algorithm),
        "weights": list(lab.weights),
        "published_where": None if isinstance(lab.promise, Presence) else str(lab.among),
        "heights": list(model.walked.node) if model.walked else None,
        "missing": MISSING,
        **measured(in_rows(table, lab.quasi, values), root, lab.promise.k),
        "source": f"{lab.promise.source}; {lab.algorithm.source}",
    }


def has_script(lab: Anonymity) -> bool:
    """Whether a script may say how the table was made: not where it would tell by which condition
    people are in a table of which nobody is to know that."""
    return lab.whole or not isinstance(lab.promise, Presence)


def script(model: AnonymityModel) -> str:
    """A Python program that makes the same table from the same file."""
    presence = isinstance(model.lab.promise, Presence)
    return script_of(model, published_table(model), second=presence)
