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
from dpstudio.files.read.opening import names_told, read_source
from dpstudio.files.read.outcome import Counts, Read, TableError
from dpstudio.files.read.source import Source, Watch
from dpstudio.files.read.told import rows_alone
from dpstudio.values.messages import N_, say

APART = "|"  # between the names of files


def told_files(files: Sequence[str]) -> str:
    """The names of files, as they are told."""
    return APART.join(_called(files)[1])


def _called(files: Sequence[str]) -> tuple[str, list[str]]:
    """The folder in which all of these files are, and their names there: those of a pattern may lie
    in several folders of it."""
    whole = [os.path.abspath(path) for path in files]
    folder = os.path.commonpath([os.path.dirname(path) for path in whole])
    return folder, [Path(os.path.relpath(path, folder)).as_posix() for path in whole]


def read_together(files: Sequence[str], choices: Choices, watch: Watch) -> tuple[Read, str]:
    """The records of files as one table, and a digest of them. Raises TableError naming a file that
    is not there, is not told, or has other columns, before any record is looked at."""
    _all_told(files, choices.part)
    one, names = choices.with_(part=""), tuple[str, ...]()
    for path in files:
        source = _source(path, one, watch)
        try:
            found = names_told(source, one, watch)
        finally:
            source.close()
        names = names or found
        if found != names:
            text = N_(
                "{path} has other columns than {first}, or in another order, or parted by another "
                "sign. Mend it, or move it out of the folder."
            )
            raise TableError(say(text, path=path, first=files[0]))
    sha, parts = hashlib.sha256(), list[Read]()
    for place, (path, name) in enumerate(zip(files, _called(files)[1], strict=True)):
        source = _source(path, one, watch)
        try:
            parts.append(read_source(source, one, watch))
            sha.update(f"{name}\0{source.digest().finished()}\n".encode())
        finally:
            source.close()
        watch.tell((place + 1) / len(files))
    return _joined(parts, choices), sha.hexdigest()


def _all_told(files: Sequence[str], part: str) -> None:
    """That the files which are there are those that are told, if any are."""
    folder, here = _called(files)
    known = part.split(APART) if part else here
    for name in sorted({*known} - {*here}):
        text = N_("{folder} has no file {name}, which part= tells. Tell the files that are there.")
        raise TableError(say(text, folder=folder, name=name))
    for name in sorted({*here} - {*known}):
        text = N_("{folder} has a file {name}, which part= does not tell. Tell it, or move it out.")
        raise TableError(say(text, folder=folder, name=name))


def _source(path: str, choices: Choices, watch: Watch) -> Source:
    return Source(path, watch, path=Path(path), bare=rows_alone(choices))


def _joined(parts: Sequence[Read], choices: Choices) -> Read:
    import pyarrow as pa

    table = pa.concat_tables([part.table for part in parts])
    footer = sum(part.counts.footer for part in parts)
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    made = replace(parts[0], table=table, choices=choices, notes=notes)
    return replace(made, counts=Counts(kept=table.num_rows, footer=footer))
