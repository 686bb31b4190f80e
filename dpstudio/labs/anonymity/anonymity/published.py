"""The anonymised table: each value as its class or its hierarchy shows it, what it keeps, and a
script that makes it again."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from dpstudio.labs.anonymity.anonymity.choices.promises import HIERARCHICAL
from dpstudio.labs.anonymity.anonymity.columns import Coded, words_of
from dpstudio.labs.anonymity.anonymity.hierarchies import hierarchy_of, word_at
from dpstudio.labs.anonymity.anonymity.model import (
    AnonymityModel,
    c_avg,
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
    people,
    presence,
)
from dpstudio.labs.outcome import MadeTable
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.anonymity.hierarchy import to_csv
from dpstudio.privacy.anonymity.models import EQUAL, ORDERED
from dpstudio.values.params import to_json

NOT_PRIVATE = (
    "This table is not differentially private: it depends on every row, and says nothing of a "
    "second release."
)


def published_table(model: AnonymityModel) -> MadeTable:
    """The rows that are in a class, by class and sensitive value, so that their order tells
    nothing; suppressed ones are left out."""
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


def shown(model: AnonymityModel, place: int, rows: Codes | None = None) -> list[str]:
    """What is published of a quasi-identifier, for each row, or for some; nothing of rows that are
    suppressed is."""
    column = model.rows.columns[place]
    if model.walked is not None:
        told = word_at(
            hierarchy_of(model.data, column, model.lab.trees),
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


def hierarchies(model: AnonymityModel) -> dict[str, str]:
    """The hierarchies that were used, as ARX reads them, by the end of the name of a file."""
    if model.walked is None:
        return {}
    columns = model.rows.columns
    return {
        f"hierarchy-{re.sub(r'[^A-Za-z0-9_-]', '_', column.name)}.csv": to_csv(
            hierarchy_of(model.data, column, model.lab.trees)
        )
        for column in columns
    }


def report(model: AnonymityModel) -> dict[str, Any]:
    """What the table keeps, risks and loses, as JSON can hold it."""
    raw, after, lab = risk_before(model), risk_after(model), model.lab
    return {
        "warning": NOT_PRIVATE,
        "quasi_identifiers": list(lab.quasi),
        "sensitive": lab.sensitive,
        "promise": to_json(lab.promise),
        "algorithm": to_json(lab.algorithm),
        "weights": list(lab.weights),
        "published_where": str(lab.among),
        "heights": list(model.walked.node) if model.walked else None,
        "rows": n(model),
        "rows_without_a_number": left_out(model),
        "rows_suppressed": suppressed(model),
        "classes": many(model),
        "k": smallest(model),
        "l": least_diverse(model),
        "t": {
            "equal": farthest(model, EQUAL),
            "ordered": farthest(model, ORDERED),
            "hierarchical": farthest(model, HIERARCHICAL),
        },
        "risk_before": {"highest": raw.highest, "mean": raw.prosecutor, "unique": raw.unique},
        "risk": {"highest": after.highest, "mean": after.prosecutor, "unique": after.unique},
        **_in_population(model),
        "surest_guess": surest(model),
        "homogeneous": dict(zip(("classes", "rows"), same(model), strict=True)),
        "loss": {"ncp": loss(model), "discernibility": dm(model), "c_avg": c_avg(model)},
        "source": f"{lab.promise.source}; {lab.algorithm.source}",
    }


def _in_population(model: AnonymityModel) -> dict[str, Any]:
    """What the population lets one say, where it is there row by row."""
    if not model.listed:
        return {}
    before, after = journalist_before(model), journalist_after(model)
    least, most = presence(model)
    return {
        "population": people(model),
        "journalist_risk": {"before": before, "after": after},
        "presence": {"least": least, "most": most},
    }


_SCRIPT = '''"""Makes an anonymised table again, as dpstudio made it. {warning}

    python {name} [TABLE] > anonymised.csv
"""

import csv
import json
import sys

from dpstudio.data.codebook import codebook_from_json
from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import open_table
from dpstudio.labs.anonymity.anonymity.model import stages
from dpstudio.labs.anonymity.anonymity.parameters import Anonymity
from dpstudio.labs.anonymity.anonymity.published import published_table
from dpstudio.labs.context import Context
from dpstudio.values.params import from_json

LAB = json.loads({lab!r})
CODEBOOK = json.loads({codebook!r})
DIGEST = {digest!r}


def anonymised(data: Dataset) -> list[tuple[str, tuple[str, ...]]]:
    """The columns of the anonymised table."""
    model = next(made for made in stages(from_json([Anonymity], LAB), Context(data)) if made.done)
    return list(published_table(model).columns)


if __name__ == "__main__":
    table = open_table(sys.argv[1] if len(sys.argv) > 1 else {origin!r})
    if table.digest != DIGEST:
        print("This is another table than the one that was anonymised.", file=sys.stderr)
    columns = anonymised(table.described(codebook_from_json(CODEBOOK)))
    out = csv.writer(sys.stdout, lineterminator="\\n")
    out.writerow([name for name, _ in columns])
    out.writerows(zip(*(values for _, values in columns), strict=True))
'''


def script(model: AnonymityModel) -> str:
    """The text of a Python program that makes the same table from the same file."""
    data = model.data
    return _SCRIPT.format(
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
