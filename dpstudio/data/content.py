"""What a table holds, told by one number: two readings of one file that differ are two tables."""

import hashlib
import json

import numpy as np

from dpstudio.data.columns import Columns

_NUMBERS = ("integer", "number", "date")


def content_digest(table: Columns) -> str:
    """SHA-256 (hex) of names, types and values of all columns, in the order of the rows. Of nested
    values, which no question is about, only whether they are there."""
    sha = hashlib.sha256()
    for place, (name, kind) in enumerate(zip(table.names, table.types, strict=True)):
        sha.update(json.dumps([name, kind, table.rows]).encode())
        if kind in _NUMBERS:
            values = table.numbers(place)
        elif kind == "category":
            values, words = table.codes(place)
            sha.update(json.dumps(words).encode())
        else:
            values = table.absent(place)
        sha.update(values.dtype.str.encode())
        sha.update(np.ascontiguousarray(values).data)
    return sha.hexdigest()
