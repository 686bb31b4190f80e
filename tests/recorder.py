"""Records what the labs find for the states of tests/reference/states.json, and compares two such
records.

    python tests/recorder.py record DIR [LAB …]    one JSON file a state, as dpstudio run prints it;
                                                   in place of labs also numbers of states, as 031
    python tests/recorder.py compare OLD NEW       every difference, floats to 1e-12 relative
    python tests/recorder.py machines DIR [LAB …]  the same states as other processors find them: here,
                                                   without this one's newest instructions and without
                                                   any that can be turned off, each beside the first

The exit status of a comparison is 1 if there is a difference. Run it before and after a change that
must leave all findings as they are. The states keep the names they were written with, so that they
also try the old names of parameters and labs. Chance and the clock are always alike, so that what is
timed is no difference. Between processors numbers are equal to 1e-9, a number in a list to 1e-9 of
the largest there: what is 0 but for rounding has no digits to share.
"""

import contextlib
import io
import json
import math
import os
import platform
import random
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

STATES = Path(__file__).parent / "reference" / "states.json"
TOLERANCE = 1e-12
BETWEEN_MACHINES = 1e-9


def states() -> list[list[str]]:
    """The words after `dpstudio run` of each state."""
    found: list[list[str]] = json.loads(STATES.read_text(encoding="utf-8"))
    return found


def recorded(words: list[str]) -> Any:
    """What the command line prints for a state: its JSON, or the sentence that refuses it."""
    from dpstudio.files import machine

    # What is drawn anew and what is timed, here always alike.
    secrets.randbelow = random.Random(20_261_122).randrange
    machine.MACHINE = machine.Machine(secrets.randbelow, count().__next__)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DPSTUDIO_LEDGER"] = str(Path(folder) / "ledger.json")
        return _printed(words)


def _printed(words: list[str]) -> Any:
    from dpstudio.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["run", *words, "--json"])
    return (
        json.loads(out.getvalue()) if status == 0 else {"status": status, "refused": err.getvalue()}
    )


def record(folder: Path, some: list[str]) -> None:
    """Write the findings of every state, or of some: by lab, as it is named in the states, or by
    their numbers, as `031`."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, words in enumerate(states()):
        if some and words[0] not in some and f"{number:03}" not in some:
            continue
        made = {"words": words, "found": recorded(words)}
        (folder / f"{number:03}.json").write_text(
            json.dumps(made, ensure_ascii=False), encoding="utf-8"
        )


def processors() -> dict[str, dict[str, str]]:
    """What makes this processor work as an older one, by name: numpy's own list of the instructions
    that it can go without, the newest first, and a kernel of OpenBLAS that does as well. Empty where
    none of them is there."""
    from numpy._core import _multiarray_umath as umath

    there = [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)]
    wide = [name for name in there if name not in ("X86_V3", "AVX2", "FMA3")]
    kernels = ("Haswell", "Prescott") if platform.machine() == "x86_64" else ("", "")
    less = {"without the newest": wide, "without any": there}
    threads = {"OPENBLAS_NUM_THREADS": "1"}
    return {
        name: {"NPY_DISABLE_CPU_FEATURES": " ".join(off)}
        | threads
        | ({"OPENBLAS_CORETYPE": k} if k else {})
        for (name, off), k in zip(less.items(), kernels, strict=True)
        if off
    }


def machines(folder: Path, some: list[str], others: dict[str, dict[str, str]]) -> int:
    """Record here and as other processors would, a process each; how many states differ."""
    changed = 0
    for name, less in {"here": {}, **others}.items():
        own = folder / name.replace(" ", "-")
        words = [sys.executable, str(Path(__file__)), "record", str(own), *some]
        subprocess.run(words, env=os.environ | less, check=True)
        if less:
            print(f"{name}: {' '.join(f'{k}={v!r}' for k, v in less.items())}")
            changed += compare(folder / "here", own, BETWEEN_MACHINES)
    return changed


def renamed(value: Any, labs: dict[str, str], names: dict[str, str]) -> Any:
    """A record with the names of today: of labs, of parameters, of fields in templates."""
    if isinstance(value, dict):
        made = {names.get(k, k): renamed(v, labs, names) for k, v in value.items()}
        if isinstance(value.get("lab"), dict):
            made["lab"]["kind"] = labs.get(value["lab"]["kind"], value["lab"]["kind"])
        return made
    if isinstance(value, list):
        return [renamed(v, labs, names) for v in value]
    if isinstance(value, str) and "{" in value:
        return re.sub(r"\{(\w+)\}", lambda field: "{" + names.get(field[1], field[1]) + "}", value)
    return value


def largest(values: list[Any]) -> float:
    """Of the numbers in a list, without sign; 0 where there is none."""
    numbers = (abs(v) for v in values if isinstance(v, float | int) and math.isfinite(v))
    return max(numbers, default=0.0)


def differences(
    old: Any, new: Any, where: str = "", tolerance: float = TOLERANCE, least: float = 1e-300
) -> Iterator[str]:
    """Every place where two records differ: numbers by more than `tolerance` of the larger one and
    by more than `least`."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if key not in old or key not in new:
                yield f"{where}.{key}: {'new' if key in new else 'gone'}"
            else:
                yield from differences(old[key], new[key], f"{where}.{key}", tolerance, least)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{where}: {len(old)} entries, now {len(new)}"
            return
        if tolerance > TOLERANCE:
            least = max(1e-300, tolerance * largest(old))
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{where}[{place}]", tolerance, least)
    elif (
        isinstance(old, float | int) and isinstance(new, float | int) and not isinstance(old, bool)
    ):
        if not math.isclose(old, new, rel_tol=tolerance, abs_tol=least):
            yield f"{where}: {old!r}, now {new!r}"
    elif old != new:
        yield f"{where}: {str(old)[:160]!r}, now {str(new)[:160]!r}"


def compare(old: Path, new: Path, tolerance: float = TOLERANCE) -> int:
    """Print what differs; the number of states that do."""
    from dpstudio.labs.naming import LAB_NAMES, PARAMETER_NAMES

    changed = 0
    paths = [path for path in sorted(old.glob("*.json")) if (new / path.name).exists()]
    for path in paths:
        was, now = (
            json.loads((folder / path.name).read_text(encoding="utf-8")) for folder in (old, new)
        )
        found = list(
            differences(
                *(renamed(r["found"], LAB_NAMES, PARAMETER_NAMES) for r in (was, now)),
                tolerance=tolerance,
            )
        )
        changed += bool(found)
        for line in found[:6]:
            print(f"{path.stem} {' '.join(was['words'])}\n    {line}")
        if len(found) > 6:
            print(f"    … and {len(found) - 6} more")
    print(f"{changed} of {len(paths)} states differ")
    return changed


if __name__ == "__main__":
    if sys.argv[1:2] == ["record"] and len(sys.argv) > 2:
        record(Path(sys.argv[2]), sys.argv[3:])
    elif sys.argv[1:2] == ["machines"] and len(sys.argv) > 2:
        sys.exit(bool(machines(Path(sys.argv[2]), sys.argv[3:], processors())))
    elif sys.argv[1:2] == ["compare"] and len(sys.argv) == 4:
        sys.exit(bool(compare(Path(sys.argv[2]), Path(sys.argv[3]))))
    else:
        sys.exit(__doc__)
