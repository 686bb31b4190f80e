"""Records what the labs find for the states of tests/reference/states.json, and compares two such
records.

    python tests/recorder.py record DIR [LAB …]    one JSON file a state, as dpstudio run prints it
    python tests/recorder.py compare OLD NEW       every difference, floats to 1e-12 relative

The exit status of a comparison is 1 if there is a difference. Run it before and after a change that
must leave all findings as they are. The states keep the names they were written with, so that they
also try the old names of parameters and labs.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import random
import re
import secrets
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STATES = Path(__file__).parent / "reference" / "states.json"
TOLERANCE = 1e-12


def states() -> list[list[str]]:
    """The words after `dpstudio run` of each state."""
    found: list[list[str]] = json.loads(STATES.read_text(encoding="utf-8"))
    return found


def recorded(words: list[str]) -> Any:
    """What the command line prints for a state: its JSON, or the sentence that refuses it."""
    # What leaves without the exact answer is drawn anew, here always alike.
    secrets.randbelow = random.Random(20_261_122).randrange
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


def record(folder: Path, labs: list[str]) -> None:
    """Write the findings of every state, or of those of some labs (by the names in the states)."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, words in enumerate(states()):
        if labs and words[0] not in labs:
            continue
        made = {"words": words, "found": recorded(words)}
        (folder / f"{number:03}.json").write_text(
            json.dumps(made, ensure_ascii=False), encoding="utf-8"
        )


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


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """Every place where two records differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if key not in old or key not in new:
                yield f"{where}.{key}: {'new' if key in new else 'gone'}"
            else:
                yield from differences(old[key], new[key], f"{where}.{key}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{where}: {len(old)} entries, now {len(new)}"
            return
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif (
        isinstance(old, float | int) and isinstance(new, float | int) and not isinstance(old, bool)
    ):
        if not math.isclose(old, new, rel_tol=TOLERANCE, abs_tol=1e-300):
            yield f"{where}: {old!r}, now {new!r}"
    elif old != new:
        yield f"{where}: {str(old)[:160]!r}, now {str(new)[:160]!r}"


def compare(old: Path, new: Path) -> int:
    """Print what differs; the number of states that do."""
    from dpstudio.labs.naming import LAB_NAMES, PARAMETER_NAMES

    changed = 0
    paths = [path for path in sorted(old.glob("*.json")) if (new / path.name).exists()]
    for path in paths:
        was, now = (
            json.loads((folder / path.name).read_text(encoding="utf-8")) for folder in (old, new)
        )
        found = list(
            differences(*(renamed(r["found"], LAB_NAMES, PARAMETER_NAMES) for r in (was, now)))
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
    elif sys.argv[1:2] == ["compare"] and len(sys.argv) == 4:
        sys.exit(bool(compare(Path(sys.argv[2]), Path(sys.argv[3]))))
    else:
        sys.exit(__doc__)
