"""Decimals, nanoseconds and zeros of both signs: read as the nearest doubles, by the floor of their
microseconds, and as one person; in a file and in DuckDB the same rows are kept."""

from decimal import Decimal
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpstudio.data.codebook import EMPTY
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.files.arrow_columns import from_table

# Ibis 12 asks DuckDB 2 for its columns by a name that this calls an old one.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
NANO = (-1, 1, -1001, 999, 1500, -1500, 86_400 * 10**9 - 1, -(10**9) - 1)


def odd() -> pa.Table:
    chance = Random(5)
    decimals = [Decimal(chance.randint(-(10**7), 10**7)).scaleb(-2) for _ in range(240)]
    return pa.table(
        {
            "row": pa.array(range(240), pa.int64()),
            "who": pa.array([(0.0, -0.0, 2.0**60, 0.5)[at % 4] for at in range(240)]),
            "cost": pa.array(decimals, pa.decimal128(12, 2)),
            "seen": pa.array([chance.choice(NANO) for _ in range(240)], pa.timestamp("ns")),
        }
    )


def test_odd_numbers_are_read_to_the_last_bit() -> None:
    table = odd()
    columns, rows = from_table(table), table.to_pydict()
    assert columns.numbers(2).tolist() == [float(each) for each in rows["cost"]]
    nano = table["seen"].cast(pa.int64()).to_pylist()
    assert columns.moments(3).astype(int).tolist() == [each // 1000 for each in nano]
    told = Dataset(columns, "t").described(EMPTY.with_person("who", 1))
    assert told.rows == 3  # 0 and −0 are one, whoever else has a number beyond 2⁵³


def test_a_database_keeps_the_same_rows_of_odd_numbers(tmp_path: Path) -> None:
    pytest.importorskip("ibis", reason="the extra “engines” is not installed")
    import duckdb

    from dpstudio.files.engines.connecting import open_elsewhere

    pq.write_table(odd(), tmp_path / "odd.parquet")
    with duckdb.connect(str(tmp_path / "odd.duckdb")) as held:
        held.execute(f"CREATE TABLE odd AS SELECT * FROM read_parquet('{tmp_path}/odd.parquet')")
    there = open_elsewhere(f"duckdb://{tmp_path}/odd.duckdb#odd")
    here = Dataset(from_table(odd()), "odd")
    for most in (1, 7, 30):
        book = EMPTY.with_person("who", most)
        ours, theirs = (
            each.described(book).ordered("row", Where()).values.tolist() for each in (here, there)
        )
        assert ours == theirs
        assert len(ours) == 3 * most
    there.close()
