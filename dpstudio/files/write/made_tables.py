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


def write_made(made: MadeTable, folder: Path, stem: str) -> list[Path]:
    """Write `stem`.csv and .parquet with its columns, and .json with its sidecar; the paths. A
    missing value is an empty cell. Raises SessionError."""
    names, columns = zip(*made.columns, strict=True)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
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
    told = {"dpstudio": __version__, **made.sidecar}
    write_text(paths[2], json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
    return paths


def _parquet(made: MadeTable) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table({name: list(values) for name, values in made.columns}), out)
    return out.getvalue()
