"""Text files as one table, record by record: all of the reading is told, which files there are
included, so that no record decides about the row of another or refuses its file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.opening import read_source
from dpstudio.files.read.outcome import Counts, Read, TableError
from dpstudio.files.read.source import Source, Watch
from dpstudio.files.read.told import rows_alone
from dpstudio.values.messages import N_, say

APART = "|"  # between the names of files
_HEAD = 1 << 16


def told_files(files: Sequence[str]) -> str:
    """The names of files, as they are told."""
    return APART.join(os.path.basename(path) for path in files)


def read_together(files: Sequence[str], choices: Choices, watch: Watch) -> tuple[Read, str]:
    """The records of files as one table, and a digest of them. Raises TableError naming a file that
    is not there, is not told, or has other columns, before any record is looked at."""
    _all_told(files, choices.part)
    one, names = choices.with_(part=""), tuple[str, ...]()
    for path in files:
        found = _names(path, one)
        names = names or found
        if found != names:
            text = N_(
                "{path} has other columns than {first}, or in another order, or parted by another "
                "sign. Mend it, or move it out of the folder."
            )
            raise TableError(say(text, path=path, first=files[0]))
    sha, parts = hashlib.sha256(), list[Read]()
    for place, path in enumerate(files):
        source = Source(path, watch, path=Path(path), bare=rows_alone(one))
        try:
            parts.append(read_source(source, one, watch))
            sha.update(f"{os.path.basename(path)}\0{source.digest().finished()}\n".encode())
        finally:
            source.close()
        watch.tell((place + 1) / len(files))
    return _joined(parts, choices), sha.hexdigest()


def _all_told(files: Sequence[str], part: str) -> None:
    """That the files which are there are those that are told, if any are."""
    known = part.split(APART) if part else None
    here = [os.path.basename(path) for path in files]
    folder = os.path.dirname(files[0])
    for name in [name for name in known or () if name not in here]:
        text = N_("{folder} has no file {name}, which part= tells. Tell the files that are there.")
        raise TableError(say(text, folder=folder, name=name))
    for name in [name for name in here if known is not None and name not in known]:
        text = N_("{folder} has a file {name}, which part= does not tell. Tell it, or move it out.")
        raise TableError(say(text, folder=folder, name=name))


def _names(path: str, choices: Choices) -> tuple[str, ...]:
    """The names of the columns of a file, by its first lines."""
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    if len(head) == _HEAD:
        head = head[: head.rfind(b"\n") + 1] or head
    watch = Watch(None, None)
    read = read_source(Source(path, watch, body=head, bare=rows_alone(choices)), choices, watch)
    return tuple(column.name for column in read.columns)


def _joined(parts: Sequence[Read], choices: Choices) -> Read:
    import pyarrow as pa

    table = pa.concat_tables([part.table for part in parts])
    footer = sum(part.counts.footer for part in parts)
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    made = replace(parts[0], table=table, choices=choices, notes=notes)
    return replace(made, counts=Counts(kept=table.num_rows, footer=footer))
