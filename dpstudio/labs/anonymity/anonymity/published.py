"""The anonymised table: each value as its class or its hierarchy shows it, what it keeps, and a
script that makes it again."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import numpy as np

from dpstudio.labs.anonymity.anonymity.choices.promises import HIERARCHICAL, Presence
from dpstudio.labs.anonymity.anonymity.columns import MISSING, words_of
from dpstudio.labs.anonymity.anonymity.hierarchies import hierarchy_of, is_given
from dpstudio.labs.anonymity.anonymity.identifiers import alone_by_name, highest_before
from dpstudio.labs.anonymity.anonymity.model import (
    AnonymityModel,
    c_avg,
    counts,
    dm,
    farthest,
    least_diverse,
    left_out,
    loss,
    many,
    n,
    risk_after,
    risk_before,
    same,
    sensitive,
    smallest,
    suppressed,
    surest,
)
from dpstudio.labs.anonymity.anonymity.population import (
    journalist_after,
    journalist_before,
    others,
    overlaps,
    people,
    presence,
    presence_of_others,
)
from dpstudio.labs.anonymity.anonymity.released import (
    by_chance,
    counts_loss,
    leaves,
    released,
    ungrouped,
)
from dpstudio.labs.anonymity.anonymity.shown import shown
from dpstudio.labs.outcome import MadeTable
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.anonymity.hierarchy import Hierarchy, to_csv
from dpstudio.privacy.anonymity.models import EQUAL, ORDERED
from dpstudio.values.params import to_json

NOT_PRIVATE = (
    "This table is not differentially private: it depends on every row, and says nothing of a "
    "second release."
)


def published_table(made: AnonymityModel) -> MadeTable:
    """The rows that are in a class, by class and sensitive value, so that their order tells
    nothing; suppressed ones are left out. What is done to a column is done, where it leaves."""
    model = released(made)
    if ungrouped(made):
        return _with_groups(model)
    of, values = model.classes.of, sensitive(model)
    order = np.lexsort((values, of))
    order = order[of[order] >= 0]
    columns = [
        (column.name, tuple(np.array(shown(model, place), dtype=object)[order].tolist()))
        for place, column in enumerate(model.rows.columns)
    ]
    words = np.array(model.rows.sensitive.words, dtype=object)
    columns.append((model.lab.sensitive, tuple(words[values[order]].tolist())))
    return MadeTable("published", "", tuple(columns), exact=True)


def _with_groups(model: AnonymityModel) -> MadeTable:
    """The rows of anatomy as they are, with their group, in whose order they stand."""
    group = model.classes.of
    codes = [column.quasi.codes for column in model.rows.columns]
    order = np.lexsort((*codes[::-1], group))
    order = order[group[order] >= 0]
    columns = [
        (column.name, tuple(np.array(words_of(column), dtype=object)[column.quasi.codes[order]]))
        for column in model.rows.columns
    ]
    columns.append((_group_name(model), tuple(group[order].tolist())))
    return MadeTable("published", "", tuple(columns), exact=True)


def _group_name(model: AnonymityModel) -> str:
    name = "group"
    while name in (*model.lab.quasi, model.lab.sensitive):
        name += "_"
    return name


def _groups_csv(model: AnonymityModel) -> str:
    """The other table of anatomy: of each group how often it has which value."""
    held, words = counts(released(model)), model.rows.sensitive.words
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow((_group_name(model), model.lab.sensitive, "count"))
    lines.writerows((g, words[v], held[g, v]) for g, v in zip(*np.nonzero(held), strict=True))
    return out.getvalue()


def beside(model: AnonymityModel) -> dict[str, str]:
    """What lies beside the table, by the end of the name of a file: the hierarchies that were used,
    as ARX reads them, or the other table of anatomy. One that lists what rows have begins at the
    words that are published: below, it would tell every date and number of the table."""
    if ungrouped(model):
        return {"groups.csv": _groups_csv(model)}
    if model.walked is None:
        return {}
    return {
        f"hierarchy-{re.sub(r'[^A-Za-z0-9_-]', '_', column.name)}.csv": to_csv(_told(model, place))
        for place, column in enumerate(model.rows.columns)
    }


def _told(model: AnonymityModel, place: int) -> Hierarchy:
    column, walked = model.rows.columns[place], model.walked
    assert walked is not None
    tree, low = hierarchy_of(model.data, column, model.lab.trees), walked.node[place]
    if is_given(model.data, column, model.lab.trees):
        return tree
    there = set(shown(model, place, np.flatnonzero(model.classes.of >= 0)))
    return Hierarchy(tuple(dict.fromkeys(row[low:] for row in tree.rows if row[low] in there)))


def report(made: AnonymityModel) -> dict[str, Any]:
    """What the table that leaves keeps, risks and loses, as JSON can hold it. Where δ-presence is
    promised, not which rows they are: who meets the condition would be known to be in it."""
    model, lab = released(made), made.lab
    anatomy = ungrouped(made)
    raw, after = risk_before(made), risk_before(made) if anatomy else risk_after(model)
    return {
        "warning": NOT_PRIVATE,
        "quasi_identifiers": list(lab.quasi),
        "sensitive": lab.sensitive,
        "identifiers": list(lab.identifiers),
        "promise": None if anatomy else to_json(lab.promise),
        "algorithm": None if anatomy else to_json(lab.algorithm),
        "weights": list(lab.weights),
        "operation": _operation(made),
        "published_where": None if isinstance(lab.promise, Presence) else str(lab.among),
        "heights": list(model.walked.node) if model.walked and not anatomy else None,
        "rows": n(model),
        "rows_without_a_number": left_out(model),
        "missing": MISSING,
        "rows_suppressed": suppressed(model),
        "groups" if anatomy else "classes": many(model),
        "k": 0 if anatomy else smallest(model),
        "l": least_diverse(model),
        "t": {
            "equal": farthest(model, EQUAL),
            "ordered": farthest(model, ORDERED),
            "hierarchical": farthest(model, HIERARCHICAL),
        },
        "alone_by_an_identifier": alone_by_name(made),
        "risk_before": {
            "highest": highest_before(made),
            "mean": raw.prosecutor,
            "unique": raw.unique,
        },
        "risk": {"highest": after.highest, "mean": after.prosecutor, "unique": after.unique},
        **_in_population(made),
        "surest_guess": surest(model),
        "homogeneous": dict(zip(("classes", "rows"), same(model), strict=True)),
        "loss": _loss(made),
        "source": f"{lab.promise.source}; {lab.algorithm.source}",
    }


def _loss(model: AnonymityModel) -> dict[str, float] | None:
    """What is lost, None where what is done to a quasi-identifier is not counted in it."""
    if not counts_loss(model):
        return None
    return {"ncp": loss(model), "discernibility": dm(model), "c_avg": c_avg(model)}


def _operation(model: AnonymityModel) -> dict[str, Any] | None:
    """What is done to a column of the table that leaves, None where nothing is."""
    if not leaves(model):
        return None
    operation = model.lab.operation
    drawn = "by chance of the system, another table each time" if by_chance(operation) else None
    return {**to_json(operation), "drawn": drawn}


def _in_population(model: AnonymityModel) -> dict[str, Any]:
    """What the population lets one say, where it is there row by row."""
    if not model.listed or leaves(model):
        return {}
    before, after = journalist_before(model), journalist_after(model)
    least, most = presence(model)
    return {
        "population": people(model),
        "journalist_risk": {"before": before, "after": after},
        "presence": None
        if overlaps(model)
        else {
            "least": least,
            "most": most,
            "of_people_whom_no_class_fits": presence_of_others(model) if others(model) else None,
        },
    }


_SCRIPT = '''"""Makes an anonymised table again, as dpstudio made it{drawn}. {warning}

    python {name} [TABLE] > anonymised.csv

What lies beside the table is written as anonymised-….csv. Keep this program to yourself: its
digest tells whether somebody has guessed every row.
"""

import csv
import json
import sys
from pathlib import Path

from dpstudio.data.codebook import codebook_from_json
from dpstudio.data.dataset import Dataset
from dpstudio.files.machine import MACHINE
from dpstudio.files.tables import open_table
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, stages
from dpstudio.labs.anonymity.anonymity.parameters import Anonymity
from dpstudio.labs.anonymity.anonymity.published import beside, published_table
from dpstudio.labs.context import SECOND, Context
from dpstudio.values.params import from_json

LAB = json.loads({lab!r})
CODEBOOK = json.loads({codebook!r})
DIGEST = {digest!r}
POPULATION = {population!r}


def made(data: Dataset) -> AnonymityModel:
    """What is published."""
    tables = {{SECOND: open_table(POPULATION)}} if POPULATION else {{}}
    context = Context(data, tables, machine=MACHINE)
    return next(each for each in stages(from_json([Anonymity], LAB), context) if each.done)


def anonymised(data: Dataset) -> list[tuple[str, tuple[str, ...]]]:
    """The columns of the anonymised table."""
    return list(published_table(made(data)).columns)


if __name__ == "__main__":
    table = open_table(sys.argv[1] if len(sys.argv) > 1 else {origin!r})
    if table.digest != DIGEST:
        print("This is another table than the one that was anonymised.", file=sys.stderr)
    model = made(table.described(codebook_from_json(CODEBOOK)))
    columns = published_table(model).columns
    out = csv.writer(sys.stdout, lineterminator="\\n")
    out.writerow([name for name, _ in columns])
    out.writerows(zip(*(values for _, values in columns), strict=True))
    for ends, text in beside(model).items():
        Path(f"anonymised-{{ends}}").write_text(text, encoding="utf-8")
'''


def script(model: AnonymityModel) -> str:
    """The text of a Python program that makes the same table from the same file; where chance
    decides, it says so and draws another one."""
    data, second = model.data, model.second
    read = second is not None and isinstance(model.lab.promise, Presence)
    chance = leaves(model) and by_chance(model.lab.operation)
    return _SCRIPT.format(
        drawn=", its chance drawn anew by the system" if chance else "",
        population=(second.origin or second.name) if second is not None and read else "",
        warning=NOT_PRIVATE,
        name="anonymity-published.py",
        lab=json.dumps(to_json(model.lab), ensure_ascii=False),
        codebook=json.dumps(data.codebook.to_json(), ensure_ascii=False),
        digest=data.digest,
        origin=data.origin or data.name,
    )


def first_rows(model: AnonymityModel, most: int) -> Codes:
    """The places of the first rows."""
    return np.arange(min(most, n(model)), dtype=np.int64)


def sizes_of(model: AnonymityModel, rows: Codes) -> list[int]:
    """How many rows look like each of some; 0 for one that is suppressed."""
    of = model.classes.of[rows]
    return [int(size) for size in np.where(of >= 0, model.classes.sizes[of], 0)]
