"""A table that a lab made for others, as files: CSV, Parquet, a report, and a script that makes it
again."""

from __future__ import annotations

import csv
import io
import json
from itertools import chain, count
from pathlib import Path

from dpstudio import __version__
from dpstudio.files.session import write_file, write_text
from dpstudio.labs.outcome import MadeTable, PublishedTable

# Words that programs read as missing.
_MISSING = ("?", "NA", "NaN", "")


def published_files(made: PublishedTable, named: str, folder: Path) -> list[Path]:
    """Write the table as `named`.csv and .parquet, its report as .json, and its script, where it
    has one, as .py, and what lies beside it; returns the paths.

    A missing value is a word in the CSV that no other value is, which the report names: a row of
    empty cells alone could be read as none. Raises SessionError.
    """
    table = made.make()
    paths = [folder / f"{named}.{kind}" for kind in ("csv", "parquet", "json")]
    words = chain(_MISSING, (f"missing {i}" for i in count(1)))
    missing = next(w for w in words if not any(w in cells for _, cells in table.columns))
    write_text(paths[0], _csv(table, missing))
    write_file(paths[1], _parquet(table))
    told = {"dpstudio": __version__, "missing": missing, **made.to_json()}
    write_text(paths[2], json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
    if made.script is not None:
        paths.append(folder / f"{named}.py")
        write_text(paths[3], made.script())
    for ends, text in made.beside().items():
        paths.append(folder / f"{named}-{ends}")
        write_text(paths[-1], text)
    return paths


def _csv(table: MadeTable, missing: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([name for name, _ in table.columns])
    rows = zip(*(values for _, values in table.columns), strict=True)
    writer.writerows([missing if cell is None else cell for cell in row] for row in rows)
    return out.getvalue()


def _parquet(table: MadeTable) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table({name: list(values) for name, values in table.columns}), out)
    return out.getvalue()
