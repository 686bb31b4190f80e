"""A hundred million rows in a folder of Parquet files, asked through the program and by the best SQL
that we could write by hand, in turn and in one process; in another, the memory of the program alone."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from dpstudio.data.codebook import EMPTY
from dpstudio.data.conditions import parse
from dpstudio.files.engines.connecting import MEMORY, open_elsewhere
from dpstudio.labs.context import Context
from dpstudio.labs.naming import lab_kind
from dpstudio.values.parameters import put

FILES, TIMES = 50, 3
MOST_MB = 1024
DEPTS = ["cardiology", "surgery", "oncology", "neurology", "radiology", "urology", "dermatology"]
# Costs are lognormal and nearly all different; a person has four rows on average.
MADE = """
COPY (SELECT CAST(floor(random() * {people}) AS BIGINT) AS patient_id,
             ({depts})[1 + CAST(floor(random() * {many}) AS INT)] AS dept,
             CAST(floor(random() * 97) AS INT) AS age,
             exp(7 + sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) AS cost,
             DATE '2015-01-01' + CAST(floor(random() * 3650) AS INT) AS seen
      FROM range({rows})) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 500000)
"""
# By hand: each row once, no join, no CASE of more than a dozen branches.
HAND = {
    "explore": "SELECT count(*) FROM t WHERE age > 50",
    "histogram": """
        SELECT CAST(floor((cost - 0) / 100) AS INT) AS b, count(*) FROM t
        WHERE cost BETWEEN 0 AND 5000 GROUP BY b""",
    "grouped": """
        SELECT dept, count(*), sum(least(greatest(cost, 0), 5000)) FROM t
        WHERE cost IS NOT NULL AND dept IS NOT NULL GROUP BY dept""",
    "clipping, few": "SELECT age, count(*) FROM t GROUP BY age ORDER BY age",
    "clipping, many": """
        SELECT floor(cost / w) * w AS k, count(*), avg(cost), min(cost), max(cost)
        FROM (SELECT cost, CASE WHEN cost < 10 THEN 1e-4 WHEN cost < 100 THEN 1e-3
              WHEN cost < 1000 THEN 1e-2 WHEN cost < 10000 THEN 1e-1
              WHEN cost < 100000 THEN 1 ELSE 10 END AS w FROM t) GROUP BY k""",
}
LIMITS = {"explore": 1.3}


def make(folder: Path, rows: int) -> None:
    """The table, in files of like size."""
    folder.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as held:
        for i in range(FILES):
            words = {"people": rows // 4, "depts": DEPTS, "many": len(DEPTS)}
            path = folder / f"part{i:02}.parquet"
            held.execute(MADE.format(rows=rows // FILES, path=path, **words))


def _found(lab: Any, data: Any) -> None:
    for _ in lab.run(Context(data)):
        pass


def questions(folder: str) -> dict[str, Callable[[Any], Any]]:
    """What the program is asked, each on a table that was just opened."""
    where, edges = parse(""), tuple(float(100 * i) for i in range(51))
    return {
        "explore": lambda data: _found(lab_kind("explore")().suited(data), data),
        "histogram": lambda data: data.histogram("cost", edges, where),
        "grouped": lambda data: data.grouped("dept", tuple(DEPTS), "cost", 0.0, 5000.0, where),
        "clipping, few": lambda data: data.ordered("age", where),
        "clipping, many": lambda data: data.ordered("cost", where),
    }


def clocks() -> Any:
    """Seconds of the processors, and by the clock."""
    return np.array([time.process_time(), time.perf_counter()])


def compare(folder: str) -> int:
    """Each question in turn with its SQL; the least of some times of the processors each, since others
    may use the machine. Prints the ratios, those by the clock beside them."""
    faults, own = 0, duckdb.connect(config={"memory_limit": MEMORY})
    own.execute("SET enable_progress_bar = false")
    own.execute(f"CREATE VIEW t AS SELECT * FROM read_parquet('{folder}/*.parquet')")
    lab_kind("explore")().last(Context(open_elsewhere(folder)))  # what is imported once
    for name, ask in questions(folder).items():
        ours, bare, asked = [], [], 0
        for _ in range(TIMES):
            began = clocks()
            own.execute(HAND[name]).fetchall()
            bare.append(clocks() - began)
            data = open_elsewhere(folder).described(EMPTY)
            before, began = data.asked[-1].number, clocks()
            ask(data)
            ours.append(clocks() - began)
            asked = data.asked[-1].number - before
            if name == "explore":
                faults += moved(data)
            data.close()
        (cpu, wall), (cpu_bare, wall_bare) = np.min(ours, axis=0), np.min(bare, axis=0)
        ratio, limit = cpu / cpu_bare, LIMITS.get(name, 1.5)
        faults += ratio > limit
        print(
            f"{name}: {cpu:.2f} s against {cpu_bare:.2f} s by hand, {ratio:.2f}x (at most {limit}x), "
            f"{asked} statements{'  !' if ratio > limit else ''}; by the clock {wall:.2f} s against "
            f"{wall_bare:.2f} s, {wall / wall_bare:.2f}x",
            flush=True,
        )
    return faults


def moved(data: Any) -> int:
    """How many statements the steps of a slider sent."""
    lab, before = lab_kind("explore")().suited(data), data.asked[-1].number
    for i in range(20):
        _found(put(lab, "mechanism.epsilon", 0.1 + i / 20), data)
    sent = int(data.asked[-1].number - before)
    if sent:
        print(f"20 steps of ε asked {sent} statements  !", flush=True)
    return sent


def remembers(folder: str) -> None:
    """In a process of its own: the peak of its memory after each question."""
    peaks = {}
    for name, ask in questions(folder).items():
        data = open_elsewhere(folder)
        ask(data)
        data.close()
        status = Path("/proc/self/status").read_text().split("VmHWM:")[1]
        peaks[name] = int(status.split()[0]) >> 10
    print(json.dumps(peaks))


def run_engines(folder: Path, rows: int) -> int:
    """How many goals were missed."""
    if not list(folder.glob("*.parquet")):
        make(folder, rows)
    print(f"{rows:,} rows, load {os.getloadavg()[0]:.1f}", flush=True)
    faults = compare(str(folder))
    child = [sys.executable, __file__, str(folder)]
    peaks = json.loads(subprocess.run(child, capture_output=True, check=True, text=True).stdout)
    print("peak of memory, MB:", ", ".join(f"{name} {mb}" for name, mb in peaks.items()))
    return faults + sum(mb > MOST_MB for mb in peaks.values())


if __name__ == "__main__":
    remembers(sys.argv[1])
