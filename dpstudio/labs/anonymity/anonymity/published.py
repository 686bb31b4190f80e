"""The anonymised table: each value as its class or its hierarchy shows it, what is said beside it,
and a script that makes it again."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.anonymity.anonymity.choices.algorithms import FullDomain
from dpstudio.labs.anonymity.anonymity.choices.operations import Nothing
from dpstudio.labs.anonymity.anonymity.choices.promises import Presence
from dpstudio.labs.anonymity.anonymity.choices.trees import WORDS, line_of, typed
from dpstudio.labs.anonymity.anonymity.columns import MISSING, as_published, words_of
from dpstudio.labs.anonymity.anonymity.hierarchies import from_rows, root_of, told_from
from dpstudio.labs.anonymity.anonymity.measured import in_groups, in_rows, measured
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, counts, sensitive, told
from dpstudio.labs.anonymity.anonymity.parameters import Anonymity
from dpstudio.labs.anonymity.anonymity.published_values import shown
from dpstudio.labs.anonymity.anonymity.released import by_chance, leaves, released, stays, ungrouped
from dpstudio.labs.memo import once
from dpstudio.labs.outcome import MadeTable
from dpstudio.labs.winners import listed
from dpstudio.privacy.anonymity.hierarchy import to_csv
from dpstudio.values.csv_text import csv_text
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import to_json

NOT_PRIVATE = (
    "This table is not differentially private: it depends on every row, and says nothing of a "
    "second release."
)
MINIMALITY = (
    "Unless heights and hierarchies were fixed beforehand, how classes are made depends on all "
    "rows, those left out too, and whoever knows how they are chosen may learn from the choice (a "
    "minimality attack: Wong, Fu, Wang & Pei 2007)."
)
MEASURED = (
    "All numbers are of the rows that are published. What is missing is no sensitive value: it "
    "counts to k, and to neither l nor t."
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
    if not names or not isinstance(lab.algorithm, FullDomain):
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
def published_table(made: AnonymityModel) -> MadeTable:
    """The rows that are in a class, in the order of their words, so that it tells nothing;
    suppressed ones are left out. What is done to a column is done, where it leaves."""
    model = released(made)
    if ungrouped(made):
        return _with_groups(model)
    there = np.flatnonzero(model.classes.of >= 0)
    columns = [
        (column.name, shown(model, place, there)) for place, column in enumerate(model.rows.columns)
    ]
    words = model.rows.sensitive.words
    columns.append((model.lab.sensitive, [words[code] for code in sensitive(model)[there]]))
    return _in_order(columns)


def has_table(made: AnonymityModel) -> bool:
    """Whether a table leaves: with what is asked to be done, else that it was not `possible` would
    tell of rows that are left out; and one of which a row has a sensitive value, since none leaves
    of rows that all lack it."""
    operation = made.lab.operation
    if not isinstance(operation, Nothing) and stays(made) is None and not leaves(made):
        return False
    return ungrouped(made) or bool(told(made).any())


def _with_groups(model: AnonymityModel) -> MadeTable:
    """The rows of anatomy as they are, with their group, in whose order they stand."""
    there = np.flatnonzero(model.classes.of >= 0)
    columns = [(_group_name(model), model.classes.of[there].tolist())]
    for column in model.rows.columns:
        words = words_of(column)
        columns.append((column.name, [words[code] for code in column.quasi.codes[there]]))
    name, *others = _in_order(columns).columns
    return MadeTable("published", "", (*others, name), exact=True)


def _in_order(columns: list[tuple[str, list[Any]]]) -> MadeTable:
    """The rows by the words of their first column, then the next, numbers within words by size."""
    keys = []
    for _, cells in columns:
        order = sorted(set(cells), key=_by_size)
        rank = {cell: place for place, cell in enumerate(order)}
        keys.append([rank[cell] for cell in cells])
    rows = np.lexsort(np.array(keys[::-1], dtype=np.int64))
    made = tuple((name, tuple(cells[row] for row in rows)) for name, cells in columns)
    return MadeTable("published", "", made, exact=True)


def _by_size(cell: Any) -> tuple[list[Any], str]:
    parts = re.split(r"([0-9]+(?:\.[0-9]+)?)", str(cell))
    return [float(part) if i % 2 else part for i, part in enumerate(parts)], str(cell)


def _group_name(model: AnonymityModel) -> str:
    name = "group"
    while name in (*model.lab.quasi, model.lab.sensitive):
        name += "_"
    return name


def _groups(made: AnonymityModel) -> list[tuple[int, str, int]]:
    """The other table of anatomy: of each group how often it has which value."""
    held, words = counts(released(made)), made.rows.sensitive.words
    return [(int(g), words[v], int(held[g, v])) for g, v in zip(*np.nonzero(held), strict=True)]


def _groups_csv(made: AnonymityModel) -> str:
    return csv_text([(_group_name(made), made.lab.sensitive, "count"), *_groups(made)])


def beside(model: AnonymityModel) -> dict[str, str]:
    """What lies beside the table, by the end of the name of a file: hierarchies of the words that
    are published, as ARX reads them, or the other table of anatomy."""
    if ungrouped(model):
        return {"groups.csv": _groups_csv(model)}
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


def report(made: AnonymityModel) -> dict[str, Any]:
    """What was chosen, and what the table that leaves keeps and risks, as JSON can hold it. Where
    δ-presence is promised, not which rows they are: who meets the condition would be known to be in
    it."""
    lab, anatomy, table = made.lab, ungrouped(made), published_table(made)
    groups = _groups(made) if anatomy else []
    words = {word for _, word, _ in groups} if anatomy else dict(table.columns)[lab.sensitive]
    values = as_published(made.rows.sensitive, set(words))
    held = (
        in_groups(table, lab.quasi, values, groups)
        if anatomy
        else in_rows(table, lab.quasi, values)
    )
    root = root_of(made.data.hierarchies, values, lab.trees)
    return {
        "warning": f"{NOT_PRIVATE} {MINIMALITY}",
        "measured": MEASURED,
        "quasi_identifiers": list(lab.quasi),
        "sensitive": lab.sensitive,
        "identifiers": list(lab.identifiers),
        "promise": None if anatomy else to_json(lab.promise),
        "algorithm": None if anatomy else to_json(lab.algorithm),
        "weights": list(lab.weights),
        "operation": _operation(made),
        "published_where": None if isinstance(lab.promise, Presence) else str(lab.among),
        "heights": list(made.walked.node) if made.walked and not anatomy else None,
        "missing": MISSING,
        **measured(held, root, lab.promise.k),
        "source": f"{lab.promise.source}; {lab.algorithm.source}",
    }


def _operation(model: AnonymityModel) -> dict[str, Any] | None:
    """What is done to a column of the table that leaves, None where nothing is."""
    if not leaves(model):
        return None
    operation = model.lab.operation
    drawn = "by chance of the system, another table each time" if by_chance(operation) else None
    return {**to_json(operation), "drawn": drawn}


_SCRIPT = '''"""Makes an anonymised table again, as dpstudio made it{drawn}. {warning}

    python {name} [TABLE [POPULATION]] > anonymised.csv

What lies beside the table is written as anonymised-….csv.
"""

import json
import sys
from pathlib import Path

from dpstudio.data.codebook import codebook_from_json
from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import chosen
from dpstudio.files.machine import MACHINE
from dpstudio.files.tables import open_table
from dpstudio.files.write.csvout import harmless
from dpstudio.files.write.published import made_csv
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, stages
from dpstudio.labs.anonymity.anonymity.parameters import Anonymity
from dpstudio.labs.anonymity.anonymity.published import beside, digest, published_table
from dpstudio.labs.context import SECOND, Context
from dpstudio.values.parameters import from_json

LAB = json.loads({lab!r})
CODEBOOK = json.loads({codebook!r})
PUBLISHED = {digest!r}
NAMES = {names!r}
READINGS = {readings!r}  # how they are read, as it was told by --read


def opened(name: str, told: str | None) -> Dataset:
    """A table, read as that was of which is published."""
    return open_table(name, choices=None if told is None else chosen([told])[0])


def made(data: Dataset, population: str = NAMES[1]) -> AnonymityModel:
    """What is published."""
    tables = {{SECOND: opened(population, READINGS[1])}} if population else {{}}
    context = Context(data, tables, machine=MACHINE)
    return next(each for each in stages(from_json([Anonymity], LAB), context) if each.done)


def anonymised(data: Dataset) -> list[tuple[str, tuple[str, ...]]]:
    """The columns of the anonymised table."""
    return list(published_table(made(data)).columns)


if __name__ == "__main__":
    name, population = [*sys.argv[1:], *NAMES[len(sys.argv) - 1 :]][:2]
    data = opened(name, READINGS[0])
    model = made(data.described(codebook_from_json(CODEBOOK)), population)
    table = published_table(model)
    if PUBLISHED and digest(table) != PUBLISHED:
        print("This is another table than the one that was published.", file=sys.stderr)
    sys.stdout.write(made_csv(table))
    for ends, text in beside(model).items():
        Path(f"anonymised-{{ends}}").write_text(harmless(text), encoding="utf-8")
'''


def digest(table: MadeTable) -> str:
    """The SHA-256 of the cells of a table."""
    return sha256(json.dumps(table.columns).encode()).hexdigest()


def has_script(lab: Anonymity) -> bool:
    """Whether a script may say how the table was made: not where it would tell by which condition
    people are in a table of which nobody is to know that."""
    return lab.whole or not isinstance(lab.promise, Presence)


def script(model: AnonymityModel) -> str:
    """The text of a Python program that makes the same table from the same file; where chance
    decides, it says so and draws another one. It knows the tables by name, and of their rows what
    is published."""
    data, second = model.data, model.second
    read = second is not None and isinstance(model.lab.promise, Presence)
    chance = leaves(model) and by_chance(model.lab.operation)
    return _SCRIPT.format(
        drawn=", its chance drawn anew by the system" if chance else "",
        names=[_name(data), _name(second) if second is not None and read else ""],
        readings=[data.reading, second.reading if second is not None and read else None],
        warning=NOT_PRIVATE,
        name="anonymity-published.py",
        lab=json.dumps(to_json(model.lab), ensure_ascii=False),
        codebook=json.dumps(data.codebook.reading.to_json(), ensure_ascii=False),
        digest="" if chance else digest(published_table(model)),
    )


def _name(data: Dataset) -> str:
    """Its file without the folder, which says more of who made it than of what it is."""
    return re.split(r"[/\\]", data.origin)[-1] or data.name
