"""A table that a lab made for others, as files that go alone: CSV, Parquet, a report, and a script
that makes it again."""

import io
import json
from itertools import chain, count
from pathlib import Path

from dpstudio import __version__
from dpstudio.data.dataset import Dataset
from dpstudio.data.stand_in import StandIn
from dpstudio.files.ledger import Ledger
from dpstudio.files.session import SessionError, make_folder, unwritten, write_file
from dpstudio.files.tables import example
from dpstudio.files.write.csvout import harmless
from dpstudio.files.write.leaving import StaysError, UntoldError, read_by_rows
from dpstudio.files.write.taken_as_public import untold
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import TRUTH
from dpstudio.labs.findings import Findings
from dpstudio.labs.lacking import short
from dpstudio.labs.outcome import MadeTable, PublishedTable
from dpstudio.values.csv_text import csv_text
from dpstudio.values.messages import N_, Message, render, say
from dpstudio.values.parameters import to_json

# Words that programs read as missing.
_MISSING = ("?", "NA", "NaN", "")


def may_publish(lab: Lab, *tables: Dataset | None, read: bool = False) -> None:
    """Raise StaysError where a table that a lab makes of these for others would follow from rows by
    more than their values: by how they are read, or by what nobody typed. What is said follows from
    what was chosen and from what columns hold alone. With `read`, how tables are read is asked
    elsewhere."""
    first = tables[0]
    for table in () if read else filter(None, tables):
        for error in read_by_rows(table):
            beside = table is not first and isinstance(error, UntoldError)
            raise UntoldError(table.spelling.found, beside=True) if beside else error
    names = untold(lab, first) if first is not None and getattr(lab, TRUTH, True) else []
    if names and first is not None and example(first.origin) is None:
        text = N_(
            "Nobody told what kind of values {columns} holds, and one row could change it: "
            "say it where the table is read (types), or on the page of the table."
        )
        raise StaysError(say(text, columns=short(names)))
    asked = lab.page().publishes
    why = asked(lab, first) if asked is not None and first is not None else None
    if why is not None:
        raise StaysError(why)


def publish(
    findings: Findings, lab: Lab, data: Dataset, folder: Path, ledger: Ledger
) -> list[Path]:
    """Write the table that a lab made of `data` for others, and what is said of it, into a folder
    that holds nothing else: whoever is given the folder is given all of it. That it leaves is noted
    in the ledger first, unless it was drawn through it. Returns the paths. Raises SessionError,
    also where there is no such table, and StaysError."""
    may_publish(lab, data, findings.second)
    tables = [each for each in findings.outcomes if isinstance(each, PublishedTable)]
    if not tables:
        # One sentence for all reasons, since which of them it is may follow from rows.
        text = N_(
            "There is no table to publish by these choices. The page says why; so does the command "
            "line without --publish. One that is drawn leaves without the exact answer."
        )
        raise SessionError(say(text))
    files = dict[str, bytes]()
    for made in tables:
        files |= _files(made, f"{lab.key}-{made.key}")
    make_folder(folder)
    try:
        others = {path.name for path in folder.iterdir()} - files.keys()
    except OSError as error:
        raise unwritten(folder, error) from error
    if others:
        text = N_("{path} holds other files, and a table goes alone. Choose an empty folder.")
        raise SessionError(say(text, path=folder))
    if not isinstance(data, StandIn):
        ledger.record(data, render(Message(lab.label)), json.dumps(to_json(lab), sort_keys=True))
    return _written(files, folder)


def published_files(published: PublishedTable, named: str, folder: Path) -> list[Path]:
    """Write the table as `named`.csv and .parquet, its report as .json, and its script, where it
    has one, as .py, and what lies beside it; returns the paths. No cell of a CSV is a formula.

    A missing value is a word in the CSV that no other value is, which the report names: a row of
    empty cells alone could be read as none. Raises SessionError.
    """
    return _written(_files(published, named), folder)


def _files(published: PublishedTable, named: str) -> dict[str, bytes]:
    table = published.make()
    told = {"dpstudio": __version__, "missing": _missing(table), **published.to_json()}
    text = json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1)
    files = {"csv": made_csv(table).encode(), "parquet": _parquet(table), "json": text.encode()}
    out = {f"{named}.{kind}": content for kind, content in files.items()}
    out[f"{named}.json"] += b"\n"
    if published.script is not None:
        out[f"{named}.py"] = published.script().encode()
    return out | {
        f"{named}-{ends}": harmless(text).encode() for ends, text in published.beside().items()
    }


def _written(files: dict[str, bytes], folder: Path) -> list[Path]:
    for name, content in files.items():
        write_file(folder / name, content)
    return [folder / name for name in files]


def _missing(table: MadeTable) -> str:
    words = chain(_MISSING, (f"missing {i}" for i in count(1)))
    return next(w for w in words if not any(w in cells for _, cells in table.columns))


def made_csv(table: MadeTable) -> str:
    """The table as text, without a formula."""
    missing, rows = _missing(table), zip(*(cells for _, cells in table.columns), strict=True)
    told = ([missing if cell is None else cell for cell in row] for row in rows)
    return harmless(csv_text([[name for name, _ in table.columns], *told]))


def _parquet(table: MadeTable) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table({name: list(values) for name, values in table.columns}), out)
    return out.getvalue()
