"""A table that was made to files: CSV and Parquet, and a sidecar that says how."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from dpstudio import __version__
from dpstudio.files.session import SessionError, write_text
from dpstudio.files.writing import replace_file
from dpstudio.labs.outcome import MadeTable
from dpstudio.values.messages import say

# Words that programs read as missing.
_MISSING = ("?", "NA", "NaN", "")


def write_made(made: MadeTable, folder: Path, stem: str) -> list[Path]:
    """Write `stem`.csv and .parquet with its columns, and .json with its sidecar; the paths. A
    missing value is a word in the CSV that no other value is, which the sidecar names: a row of
    empty cells alone could be read as none. Raises SessionError."""
    names, columns = zip(*made.columns, strict=True)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    missing = next(word for word in _MISSING if not any(word in column for column in columns))
    rows = zip(*columns, strict=True)
    writer.writerows([missing if cell is None else cell for cell in row] for row in rows)
    paths = [folder / f"{stem}.{kind}" for kind in ("csv", "parquet", "json")]
    write_text(paths[0], text.getvalue())
    try:
        replace_file(paths[1], _parquet(made))
    except OSError as error:
        raise SessionError(
            say(
                "{path} could not be written: {why}. Choose another place.",
                path=paths[1],
                why=error.strerror or error,
            )
        ) from error
    told = {"dpstudio": __version__, **made.sidecar, "missing": missing}
    write_text(paths[2], json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
    return paths


def _parquet(made: MadeTable) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table({name: list(values) for name, values in made.columns}), out)
    return out.getvalue()
