"""Any file to a table: its first bytes say what it is, whatever its name says."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from dpstudio.files.read.choices import FITTING, Choices
from dpstudio.files.read.outcome import Doubt, Read, TableError, TablesInsideError, UncertainError
from dpstudio.files.read.packing import Packed, packing, unpacked, unpacked_as_named, whole_archive
from dpstudio.files.read.signs import AUTO
from dpstudio.files.read.source import Source, Watch, unreadable
from dpstudio.files.read.told import rows_first, settled, untold
from dpstudio.values.messages import N_, Message, plain, say

PASTED = N_("pasted text")
_SQLITE = b"SQLite format 3\x00"
_NUMPY = b"\x93NUMPY"
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NOT_READ = N_(
    "{path} is {format}, which is not read here. Save the table in it as CSV or Parquet."
)
# Formats that are known by their first bytes and not read, and what to do instead.
_FOREIGN = (
    (b"%PDF", N_("a PDF document")),
    (b"\x89PNG", N_("a picture")),
    (b"\xff\xd8\xff", N_("a picture")),
    (b"GIF8", N_("a picture")),
    (b"\x89HDF", N_("an HDF5 file")),
    (b"CDF\x01", N_("a NetCDF file")),
    (b"Obj\x01", N_("an Avro file")),
    (b"ORC", N_("an ORC file")),
    (b"$FL2", N_("an SPSS file")),
    (b"$FL3", N_("an SPSS file")),
    (b"<stata_dta>", N_("a Stata file")),
    (b"\x80\x04\x95", N_("a Python pickle")),
    (b"\x80\x05\x95", N_("a Python pickle")),
    (b"RDX3\n", N_("an R workspace")),
    (b"X\n\x00\x00\x00", N_("an R object")),
    (b"7z\xbc\xaf", N_("a 7z archive")),
    (b"Rar!", N_("a RAR archive")),
    (b"\x7fELF", N_("a program")),
    (b"MZ\x90", N_("a program")),
    (b"{\\rtf", N_("a text document")),
)
_SUFFIXES = {
    "Parquet": (".parquet", ".pq"),
    "Arrow": (".feather", ".arrow", ".ipc", ".ftr"),
    "workbook": (".xlsx", ".xls", ".xlsb", ".xlsm", ".ods"),
    "JSON": (".json", ".jsonl", ".ndjson"),
    "SQLite": (".sqlite", ".db", ".sqlite3"),
    "NumPy": (".npy",),
    "archive": (".npz",),
    "text": (".csv", ".tsv", ".txt", ".tab", ".dat", ".data", ".asc", ".psv"),
}


def read_source(source: Source, choices: Choices | None, watch: Watch) -> Read:
    """The table in a source. Without choices, whatever a person should decide raises
    UncertainError; with them nothing does.

    Raises TableError where it holds no table, and CancelledError.
    """
    read = _read(source, choices or Choices(), watch)
    grown = source.changed()
    if grown is not None:
        read = _noted(read, grown)
    if choices is None and not read.certain:
        raise UncertainError(read.preview())
    return read


def read_file(path: Path, watch: Watch, choices: Choices | None = None) -> Read:
    """As `read_source`, of a file."""
    source = Source(str(path), watch, path=path)
    try:
        return read_source(source, choices, watch)
    finally:
        source.close()


def read_text(
    text: str, watch: Watch | None = None, choices: Choices | None = None, name: str = PASTED
) -> Read:
    """As `read_source`, of text from the clipboard."""
    watch = watch or Watch()
    return read_source(Source(name, watch, body=text.encode("utf-8", "replace")), choices, watch)


def _noted(read: Read, note: Message) -> Read:
    return replace(read, notes=(*read.notes, note))


def _read(source: Source, choices: Choices, watch: Watch) -> Read:
    watch.ask()
    try:
        if choices.every:
            return _told(source, choices, watch)
        packed = unpacked(source, choices.part)
        kind = _kind(packed, choices.format)
        read = _reader(kind)(packed, choices, watch)
    except OSError as error:  # a disk that gives nothing, or one that takes nothing besides
        raise unreadable(source.name, error) from None
    if read.choices.format == AUTO:
        read = replace(read, choices=read.choices.with_(format=read.format))
    watch.ask()
    mismatch = _mismatch(source.name, kind)
    return _noted(read, mismatch) if mismatch else read


def _told(source: Source, choices: Choices, watch: Watch) -> Read:
    """Every record as a row; what is not told is read as the file shows."""
    doubts: tuple[Doubt, ...] = ()
    if untold(choices):
        found = _read(source, choices.with_(rows=FITTING), watch)
        doubts, told = found.doubts, settled(found)
        choices = told.with_(rows=choices.rows, types=choices.types or told.types)
    return replace(_every(source, choices, watch), doubts=doubts)


def _every(source: Source, choices: Choices, watch: Watch) -> Read:
    """The same, by the format that is told, whatever the bytes are."""
    from dpstudio.files.read.formats.every import read_every

    packed = _inside(source, choices)
    form, kind = choices.format, ""
    if form not in ("text", "lines", "json"):
        kind = _kind(packed)
        if _FORMS.get(kind) != form:
            text = N_("{path} is not what its format is told to be. Choose its format.")
            raise TableError(say(text, path=source.name))
    if form == "columnar":
        return _reader(kind)(packed, choices, watch)
    return read_every(packed, choices.with_(part="") if packed.part else choices, watch)


def names_told(source: Source, choices: Choices, watch: Watch) -> tuple[str, ...]:
    """The names of the columns of a text of which all of the reading is told: no record, nor how
    many there are, decides whether they are found. Raises TableError."""
    from dpstudio.files.read.text.told_lines import told_table

    try:
        return tuple(told_table(_inside(source, choices), choices, watch)[0])
    except OSError as error:
        raise unreadable(source.name, error) from None


def _inside(source: Source, choices: Choices) -> Packed:
    """The bytes that hold the records of a file whose reading is told."""
    source.guarded = False
    # Where the first bytes may be a row, names say whether they are packed.
    inside = unpacked_as_named if rows_first(choices) else unpacked
    packed = inside(source, choices.part)
    if packed.doubts:
        text = N_("{path} holds several files. Say which with part=NAME.")
        raise TableError(say(text, path=source.name))
    return packed


_FORMS = {
    "Parquet": "columnar",
    "Arrow": "columnar",
    "NumPy": "columnar",
    "archive": "columnar",
    "workbook": "workbook",
    "SQLite": "database",
}


def _kind(packed: Packed, told: str = AUTO) -> str:
    """What the bytes are, or a text is told to be. Raises TableError for formats that are known and
    not read."""
    from dpstudio.files.read.formats.records import looks_like_json

    if told in ("text", "lines", "json"):
        return "text" if told == "text" else "JSON"
    head = packed.head
    if head.startswith(b"PAR1"):
        return "Parquet"
    if head.startswith((b"ARROW1", b"FEA1")) or (
        head[:4] == b"\xff\xff\xff\xff" and len(head) > 16 and head[8:12] != b"\xff\xff\xff\xff"
    ):
        return "Arrow"
    if head.startswith(_SQLITE):
        return "SQLite"
    if head.startswith(_NUMPY):
        return "NumPy"
    if head.startswith(_OLD_OFFICE) or packing(head) == "zip":
        return "archive" if whole_archive(packed) == "arrays" else "workbook"
    if head[8:12] == b"DUCK" and head[14:20] == bytes(6):  # and the number of its format between
        raise _duckdb(packed)
    for magic, name in _FOREIGN:
        if head.startswith(magic):
            raise TableError(say(_NOT_READ, path=packed.source.name, format=Message(name)))
    return "JSON" if looks_like_json(head) else "text"


def _duckdb(packed: Packed) -> TableError:
    path = packed.source.path
    if path is None or not packed.plain:
        return TableError(
            say(_NOT_READ, path=packed.source.name, format=Message(N_("a DuckDB file")))
        )
    where = os.path.abspath(path)
    text = N_(
        "{path} is a DuckDB file, which may hold several tables. Open one by its address, "
        "{address}, or list them with “Open from a database …”."
    )
    address = plain(f"duckdb://{quote(where, safe='/ ')}#TABLE")
    return TablesInsideError(where, say(text, path=packed.source.name, address=address))


def _reader(kind: str) -> Callable[[Packed, Choices, Watch], Read]:
    """The reader of a format, loaded when it is needed."""
    if kind == "Parquet":
        from dpstudio.files.read.formats.columnar import read_parquet as reader
    elif kind == "Arrow":
        from dpstudio.files.read.formats.columnar import read_arrow as reader
    elif kind == "workbook":
        from dpstudio.files.read.formats.workbooks import read_workbook as reader
    elif kind == "JSON":
        from dpstudio.files.read.formats.records import read_json as reader
    elif kind == "NumPy":
        from dpstudio.files.read.formats.numpy_arrays import read_numpy as reader
    elif kind == "archive":
        from dpstudio.files.read.formats.numpy_arrays import read_archive as reader
    elif kind == "SQLite":
        from dpstudio.files.read.formats.databases import read_sqlite as reader
    else:
        from dpstudio.files.read.text.delimited import read_delimited as reader
    return reader


def _mismatch(name: str, kind: str) -> Message | None:
    """A note where the name says another format than the bytes do."""
    plain_name = name.lower()
    for suffix in (".gz", ".xz", ".zip", ".zst", ".bz2"):
        plain_name = plain_name.removesuffix(suffix)
    said = next((k for k, suffixes in _SUFFIXES.items() if plain_name.endswith(suffixes)), None)
    if said is None or said == kind:
        return None
    return say(
        "The name says {said}, and the file is {kind}; it was read as what it is.",
        said=plain(said),
        kind=plain(kind),
    )
