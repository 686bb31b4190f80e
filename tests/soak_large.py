"""What the soak test opens: messy files for the window, and large ones that are cancelled, opened
and asked."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent / "files"))

from bench import write_large
from nasty import CORPUS

LET_GO_MS = 200.0
MEMORY = 2.0
_OFTEN = 8


def make_messy(folder: Path, rng: Any, most: int = 24) -> list[Path]:
    """Some files of the reader's corpus, as bytes on the disk."""
    folder.mkdir()
    paths = []
    for nasty in rng.sample(CORPUS, min(most, len(CORPUS))):
        path = folder / ("".join(c if c.isalnum() else "-" for c in nasty.name)[:60] + ".csv")
        path.write_bytes(nasty.body)
        paths.append(path)
    return paths


def make_large(folder: Path, rows: int) -> list[Path]:
    """The same table as CSV and as Parquet; of 10,000,000 rows it is a CSV of 1 GB."""
    folder.mkdir()
    paths = [folder / "large.csv", folder / "large.parquet"]
    write_large(rows, parquet=str(paths[1]), csv_path=str(paths[0]))
    return paths


def open_large(soak: Any, window: Any, path: Path) -> Iterator[int]:
    """Through the window: cancelled at random moments, and then opened; the table of before is
    there until the new one is."""
    opener, store = window.studio.opener, window.studio.store
    old, longest = store.data, 1.0
    for number in range(_OFTEN + 1):
        soak.name(f"{path.name}, {'opened' if number == _OFTEN else 'cancelled'}")
        began = time.monotonic()
        window.studio.open(str(path))
        if number < _OFTEN:
            until = began + soak.rng.uniform(0, longest)
            while opener.loader.busy and time.monotonic() < until:
                yield 5
            if not opener.loader.busy:
                longest *= 0.7
                old = store.data
                continue
            opener.cancel()
            asked = time.monotonic()
            while opener.loader.busy:
                yield 1
            late = (time.monotonic() - asked) * 1e3
            soak.let_go.append(late)
            if late > LET_GO_MS:
                soak.log.add(f"{path.name}: it took {late:.0f} ms to let go")
            if store.data is not old:
                soak.log.add(f"{path.name}: cancelled, and the table of before is gone")
            continue
        yield from soak.until(lambda old=old: store.data is not old, 120_000)
        print(
            f"{path.name}: {path.stat().st_size / 1e6:.0f} MB, opened in {time.monotonic() - began:.2f} s",
            flush=True,
        )
        if store.data is old or store.data.origin != str(path):
            soak.log.add(f"{path.name}: not opened")
    yield from soak.until(lambda: not window.studio.jobs.busy("lab"), 60_000)


def ask_large(soak: Any, path: Path) -> Iterator[int]:
    """In a process of its own: a count, a mean and a histogram, and the memory that they took."""
    soak.name(f"{path.name}, asked")
    child = [sys.executable, str(Path(__file__).with_name("bench_children.py")), "asked", str(path)]
    running = subprocess.Popen(
        child,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BENCH_START": "0"},
    )
    while running.poll() is None:
        yield 20
    out, errors = running.communicate()
    if running.returncode or not out:
        soak.log.add(f"{path.name}: asking failed: {errors.strip()}")
        return
    told = json.loads(out.splitlines()[-1])
    share = told["now"] / told["columns"]
    times = ", ".join(f"{name} {ms:.0f} ms" for name, ms in told["ms"].items())
    held = f"{told['now']:.0f} MB, {share:.2f} times the columns in use, {told['peak']:.0f} MB at the peak"
    print(f"{path.name}: {times}; memory {held}", flush=True)
    # A smaller file is in memory as a whole.
    if told["lazy"] and share > MEMORY:
        soak.log.add(f"{path.name}: memory rose to {share:.2f} times the columns in use")
