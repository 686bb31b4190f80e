"""What the labs write that hand tables on: rows in an order that tells nothing, and a script that
makes them again."""

import json
import re
from hashlib import sha256
from typing import Any

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.outcome import MadeTable
from dpstudio.labs.whole_tables.rows.model import SensitiveModel
from dpstudio.values.parameters import to_json

NOT_PRIVATE = (
    "This table is not differentially private: it depends on every row, and says nothing of a "
    "second release."
)
MEASURED = (
    "All numbers are of the rows that are published. What is missing is no sensitive value: it "
    "counts to k, and to neither l nor t."
)


def warning(data: Dataset) -> str:
    """What whoever is handed the table must know: also that rows are no people, where several may
    be of one."""
    if data.contributions == 1:
        return NOT_PRIVATE
    return (
        f"{NOT_PRIVATE} Each row counts as a person here, though up to {data.contributions} rows "
        "may be of one: k rows may be fewer people."
    )


def in_order(columns: list[tuple[str, list[Any]]]) -> MadeTable:
    """The table with its rows by the words of their first column, then the next, numbers within
    words by size."""
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


_SCRIPT = '''"""Makes a published table again, as dpstudio made it{drawn}. {warning}

    python {name}-published.py [TABLE [POPULATION]] > {name}.csv

What lies beside the table is written as {name}-….csv.
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
from dpstudio.labs.whole_tables.{name}.model import stages
from dpstudio.labs.whole_tables.{name}.published import beside, published_table
from dpstudio.labs.whole_tables.rows.leaving import digest
from dpstudio.labs.whole_tables.rows.model import SensitiveModel
from dpstudio.labs.context import SECOND, Context
from dpstudio.labs.naming import lab_from_json

LAB = json.loads({lab!r})
CODEBOOK = json.loads({codebook!r})
PUBLISHED = {digest!r}
NAMES = {names!r}
READINGS = {readings!r}  # how they are read, as it was told by --read


def opened(name: str, told: str | None) -> Dataset:
    """A table, read as that was of which is published."""
    return open_table(name, choices=None if told is None else chosen([told])[0])


def made(data: Dataset, population: str = NAMES[1]) -> SensitiveModel:
    """What is published."""
    tables = {{SECOND: opened(population, READINGS[1])}} if population else {{}}
    context = Context(data, tables, machine=MACHINE)
    return next(each for each in stages(lab_from_json(LAB), context) if each.done)


def columns(data: Dataset) -> list[tuple[str, tuple[str, ...]]]:
    """The columns of the published table."""
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
        Path(f"{name}-{{ends}}").write_text(harmless(text), encoding="utf-8")
'''


def digest(table: MadeTable) -> str:
    """The SHA-256 of the cells of a table."""
    return sha256(json.dumps(table.columns).encode()).hexdigest()


def script_of(model: SensitiveModel, table: MadeTable | None, *, second: bool) -> str:
    """The text of a Python program that makes the same table from the same file; without the one
    that was `table` chance decides, and it says so and draws another one. It knows the tables by
    name, the `second` where it is read, and of their rows what is published."""
    data, beside = model.data, model.second if second else None
    return _SCRIPT.format(
        drawn="" if table else ", its chance drawn anew by the system",
        names=[_name(data), _name(beside) if beside is not None else ""],
        readings=[data.reading, beside.reading if beside is not None else None],
        warning=NOT_PRIVATE,
        name=model.lab.key,
        lab=json.dumps(to_json(model.lab), ensure_ascii=False),
        codebook=json.dumps(data.codebook.reading.to_json(), ensure_ascii=False),
        digest="" if table is None else digest(table),
    )


def _name(data: Dataset) -> str:
    """Its file without the folder, which says more of who made it than of what it is."""
    return re.split(r"[/\\]", data.origin)[-1] or data.name
