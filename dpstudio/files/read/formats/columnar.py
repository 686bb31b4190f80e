"""Parquet, Feather and Arrow files: typed already, read group by group."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dpstudio.files.read import outcome
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text.headers import named
from dpstudio.files.read.text.typed_table import kind_of, settled
from dpstudio.files.read.typing import native
from dpstudio.files.read.typing.arrays import lettered
from dpstudio.values.messages import N_, Message, because, of_library, say

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 1 << 18
_LATE = 1 << 28  # bytes of columns from which on they are read when they are asked for
_BUFFER = 1 << 20
_LARGE_GROUP = 1 << 21  # rows; larger groups are read in batches, so that progress moves


def read_parquet(packed: Packed, choices: Choices, watch: Watch) -> outcome.Read:
    """Raises TableError where it is not a whole Parquet file."""
    late = _long(packed, choices)
    if late is not None:
        return late
    return _read(
        packed,
        choices,
        watch,
        N_("{path} is not a Parquet file that can be read: {why}. Fetch or write it again."),
        _groups,
    )


def read_arrow(packed: Packed, choices: Choices, watch: Watch) -> outcome.Read:
    """Feather (both versions) and Arrow IPC, as file and as stream."""
    return _read(
        packed,
        choices,
        watch,
        N_("{path} is not an Arrow file that can be read: {why}. Fetch or write it again."),
        _batches,
    )


def _read(packed: Packed, choices: Choices, watch: Watch, text: str, parts: Any) -> outcome.Read:
    import pyarrow as pa

    path = packed.source.name
    try:
        table = parts(packed, watch)
        watch.ask()
    except outcome.CancelledError:
        raise
    except (pa.ArrowException, ValueError, KeyError, OSError, NotImplementedError) as error:
        watch.ask()
        if isinstance(error, OSError) and error.errno and not isinstance(error, pa.ArrowException):
            raise outcome.TableError(
                say("{path} could not be read: {why}.", path=path, why=because(error))
            ) from None
        raise outcome.TableError(say(text, path=path, why=of_library(error))) from None
    return typed_table(packed, table, choices, "columnar")


def _long(packed: Packed, choices: Choices) -> outcome.Read | None:
    """A Parquet file on the disk whose columns would fill the memory: only its first rows are read
    now."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not packed.plain or packed.source.path is None or packed.source.size < _LATE // 100:
        return None
    if (choices.types or choices.missing_words) and not choices.every:
        return None  # which are judged by whole columns
    try:
        about = pq.read_metadata(str(packed.source.path))
        if sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups)) < _LATE:
            return None
        words = [
            f.name
            for f in about.schema.to_arrow_schema()
            if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)
        ]
        # Words come as the codes that the file holds, and of a column no more at a time than is
        # decoded.
        file = pq.ParquetFile(
            str(packed.source.path),
            metadata=about,
            read_dictionary=words,
            pre_buffer=False,
            buffer_size=_BUFFER,
            memory_map=False,
        )
        first = pa.Table.from_batches([next(file.iter_batches(outcome.FIRST_ROWS))])
    except (pa.ArrowException, ValueError, KeyError, OSError, StopIteration):
        return None  # read as a whole it gives its reason
    read = typed_table(packed, first, choices, "columnar")
    return replace(
        read,
        counts=outcome.Counts(kept=about.num_rows),
        columns=tuple(replace(c, missing=()) for c in read.columns),
        late=file,
    )


def _groups(packed: Packed, watch: Watch) -> pa.Table:
    """By Arrow from the path, which is a third quicker, where that leads to the very file that was
    opened, before and after."""
    import pyarrow as pa

    source = packed.source
    if packed.plain and source.path is not None and source.same():
        table = _grouped(str(source.path), watch)
        if source.same():
            return table
    return _grouped(pa.PythonFile(packed.whole(), mode="r"), watch)


def _grouped(where: Any, watch: Watch) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = pq.ParquetFile(where)
    total, read = max(1, source.metadata.num_rows), 0
    groups: list[Any] = []
    for number in range(source.num_row_groups):
        watch.ask()
        rows = source.metadata.row_group(number).num_rows
        if rows <= _LARGE_GROUP:
            groups.append(watch.run(partial(source.read_row_group, number)))
            read += rows
            watch.tell(read / total)
            continue
        for batch in source.iter_batches(_BATCH, row_groups=[number]):
            watch.ask()
            groups.append(pa.Table.from_batches([batch]))
            read += batch.num_rows
            watch.tell(read / total)
    return pa.concat_tables(groups) if groups else source.schema_arrow.empty_table()


def _batches(packed: Packed, watch: Watch) -> pa.Table:
    import pyarrow as pa
    from pyarrow import feather, ipc

    if packed.head.startswith(b"FEA1"):
        return watch.run(lambda: feather.read_table(pa.PythonFile(packed.whole(), mode="r")))
    source = pa.PythonFile(packed.whole(), mode="r")
    if packed.head.startswith(b"ARROW1"):
        with ipc.open_file(source) as opened:
            batches = []
            for number in range(opened.num_record_batches):
                batches.append(watch.run(partial(opened.get_batch, number)))
                watch.tell((number + 1) / opened.num_record_batches)
            return pa.Table.from_batches(batches, opened.schema)
    with ipc.open_stream(source) as stream:
        batches = []
        for batch in stream:
            watch.ask()
            batches.append(batch)
        return pa.Table.from_batches(batches, stream.schema)


def typed_table(packed: Packed, table: pa.Table, choices: Choices, format_: str) -> outcome.Read:
    """The read of a table whose columns have their types; only names are mended. Raises TableError
    where it has no cells."""
    import pyarrow as pa

    path = packed.source.name
    if not table.num_columns:
        raise outcome.TableError(say("{path} has no columns. Choose another file.", path=path))
    if not table.num_rows and not choices.every:
        raise outcome.TableError(
            say("{path} has column names but no rows. Choose another file.", path=path)
        )
    names, repeated = named(table.column_names, table.num_columns)
    notes: list[Message] = []
    if repeated:
        notes.append(
            say(
                "{n} column {n:name repeats one before it, and was|names repeat one before them, "
                "and were} numbered.",
                n=repeated,
            )
        )
    fitting = not choices.every  # else each value is read by itself, when it is asked for
    meant = choices.missing_words if fitting else ()
    held = [native.without(lettered(column), meant) for column in table.columns]
    table = pa.Table.from_arrays(held, names)
    columns = [
        outcome.ColumnRead(
            name, kind_of(column.type), (("", column.null_count),) if column.null_count else ()
        )
        for name, column in zip(names, table.columns, strict=True)
    ]
    told = choices.forced() if fitting else {}
    other = [i for i, read in enumerate(columns) if told.get(read.name, read.kind) != read.kind]
    if other:
        pairs = [(names[i], table.column(i)) for i in other]
        typed, reads, *_ = settled(pairs, choices, "", packed.source.watch)
        for i, column, read in zip(other, typed, reads, strict=True):
            table, columns[i] = table.set_column(i, names[i], column), read
    return outcome.Read(
        table,
        path,
        format_,
        choices.with_(part=packed.part),
        outcome.Counts(kept=table.num_rows),
        tuple(columns),
        tuple(notes),
        packed.doubts,
    )
