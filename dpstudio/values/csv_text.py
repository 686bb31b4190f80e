"""Rows as the text of a CSV file."""

import csv
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any


def csv_text(rows: Iterable[Sequence[Any]], between: str = ",") -> str:
    """The rows, a line each. A cell that holds any end of a line stands in quotes: the writer looks
    for those alone that it writes itself, and a bare carriage return would begin a row."""
    lines: list[str] = []
    out = csv.writer(SimpleNamespace(write=lines.append), delimiter=between, lineterminator="\r\n")
    out.writerows(rows)
    return "".join(f"{line[:-2]}\n" for line in lines)
