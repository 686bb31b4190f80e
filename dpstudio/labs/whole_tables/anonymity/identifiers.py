"""Columns that name people: suggested where nearly every row has another value, chosen by who knows
the table, never published."""

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.rows.model import risk_before
from dpstudio.labs.whole_tables.rows.table import published
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

_NEARLY = 0.95  # of the rows have a value that is theirs, about
_FEW = 1_000  # values that a column has, before all of its rows are looked at


def check_identifiers(lab: Anonymity, data: Dataset) -> None:
    """Raises ParamError at “identifiers” for a column that the table lacks, or that has another
    role."""
    for name in lab.identifiers:
        if not data.has(name):
            text = N_("This table has no column “{column}”. Name others.")
            raise ParamError("identifiers", say(text, column=name))
        if name in (*lab.quasi, lab.sensitive):
            text = N_(
                "“{column}” names people, and is published as well. Take it out here or there."
            )
            raise ParamError("identifiers", say(text, column=name))


@once
def suggested(model: AnonymityModel) -> tuple[str, ...]:
    """The columns of words or whole numbers without another role whose values are nearly all
    different."""
    lab, data = model.lab, model.data
    taken = {*lab.quasi, lab.sensitive, *lab.identifiers}
    names = [each.name for each in data.columns if each.type != "other" and each.name not in taken]
    return tuple(name for name in names if _names_people(data, name))


def _names_people(data: Dataset, name: str) -> bool:
    if not data.more_than(name, min(_FEW, int(_NEARLY * data.rows))):
        return False
    spread = data.spread(name)
    if spread.distinct < _NEARLY * spread.present:
        return False
    if not data.info(name).numeric:
        return True
    x = np.asarray(data._held.numbers(name), dtype=np.float64)
    return bool(np.all(np.isnan(x) | (x == np.round(x))))


@once
def alone_by_name(model: AnonymityModel) -> float:
    """The largest share of the rows that are alone by one identifier, 0 without any."""
    held, rows = model.data._held, published(model.lab, model.data)
    alone = 0
    for name in model.lab.identifiers:
        if model.data.info(name).ordered:
            x = np.asarray(held.numbers(name), dtype=np.float64)[rows]
            counts = np.unique(x[~np.isnan(x)], return_counts=True)[1]
        else:
            codes = held.codes(name)[0][rows]
            counts = np.bincount(codes[codes >= 0])
        alone = max(alone, int(np.count_nonzero(counts == 1)))
    return alone / int(np.count_nonzero(rows))


def highest_before(model: AnonymityModel) -> float:
    """The highest risk in the table as it is: certainty where a name finds somebody."""
    return 1.0 if alone_by_name(model) > 0 else risk_before(model).highest
