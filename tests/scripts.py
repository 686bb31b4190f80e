"""A script run as its reader runs it, and what it gives compared with what a page found."""

import ast
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from chinese import HAN
from marks import english
from running import FEW_POINTS, speaking, with_facts

from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import open_as_told
from dpstudio.files.language import CHINESE, tr
from dpstudio.files.tables import open_table
from dpstudio.files.write.script import LETTERS, python_script, script_of
from dpstudio.files.write.script import PYTHON as PYTHON_FORM
from dpstudio.files.write.script_words import in_words_of, words
from dpstudio.labs.context import SCREEN, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.labs.scripting.scripted import Script
from dpstudio.values.domains import Flag
from dpstudio.values.parameters import domains, put

EXACT = 1e-9
# The name of what says which Python runs scripts apart: one that has numpy and scipy alone.
PYTHON = "DPSTUDIO_SCRIPT_PYTHON"
GRIDDED = ("learn", "components")  # a fact of theirs is found among the points of a curve
_ROWS = 600


def small_table(folder: Path, leave_out: int = -1) -> Dataset:
    """A file of some rows of Adult, or of all of these but one."""
    frame = open_table("adult")._frame.sample(_ROWS, random_state=5)
    path = folder / "some.csv"
    kept = frame.drop(index=frame.index[leave_out]) if leave_out >= 0 else frame
    kept.to_csv(path, index=False, na_rep="?")
    return open_table(str(path))


def own_table(folder: Path, *, parquet: bool) -> Dataset:
    """A table as people have them: persons of several rows, gaps, dates, postcodes, a number for
    each row, sentences, an empty column; as Parquet, or with semicolons and decimal commas."""
    rng, n = np.random.default_rng(8), 500
    days = pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    frame = pd.DataFrame(
        {
            "patient_id": rng.integers(1000, 1200, n),
            "Alter": pd.array(rng.integers(18, 90, n), dtype="Int64"),
            "Größe": np.round(rng.normal(170, 9, n), 1),
            "Gehalt": np.round(rng.lognormal(8, 0.5, n), 2),
            "code": rng.integers(10_011, 99_990, n),
            "nr": np.arange(n) + 1,
            "Besuch": pd.to_datetime("2020-01-01") + days,
            "Stadt": rng.choice(["Köln", "Bonn; am Rhein", "Ulm", "Jena"], n),
            "Notiz": [f"kam am Tag {i} zu uns und blieb bis zum Abend" for i in range(n)],
            "Raucher": rng.choice([True, False], n) if parquet else rng.choice(["ja", "nein"], n),
            "Diagnose": rng.choice(["A10", "B20", "C30"], n, p=[0.6, 0.3, 0.1]),
            "leer": np.full(n, np.nan),
        }
    )
    for name in ("Alter", "Größe", "Besuch", "Stadt"):
        frame.loc[rng.random(n) < 0.06, name] = None
    if parquet:
        frame.to_parquet(folder / "own.parquet")
        return open_table(str(folder / "own.parquet"))
    frame["Besuch"] = frame["Besuch"].dt.strftime("%d.%m.%Y")
    frame.to_csv(folder / "own.csv", sep=";", decimal=",", index=False, na_rep="NA")
    return open_as_told(str(folder / "own.csv"), ["delimiter=semicolon decimal=comma"]).data


def shown(lab: Lab) -> Lab:
    """The lab with the exact answer."""
    held = isinstance(domains(type(lab)).get("show_truth"), Flag)
    return lab.with_(show_truth=True) if held else lab


# Of more people, runs, points or draws a script is written alike, and takes seconds.
_SWIFT = {"attacker.people": 20, "attacker.questions": 40, "runs": 20, "points.size": 1000,
          "trials": 20_000}  # fmt: skip


def swift(lab: Lab) -> Lab:
    """The lab with no more of these."""
    for path, most in _SWIFT.items():
        program = getattr(getattr(lab, "attacker", None), "method", "") == "program"
        held = reduce(lambda one, name: getattr(one, name, None), path.split("."), lab)
        if isinstance(held, int) and held > most and (program or "attacker" not in path):
            lab = put(lab, path, most)
    return lab


def made_here(text: str, plot: Path | None = None) -> dict[str, Any]:
    """The numbers of a script that is run in a fresh namespace of this process."""
    before = sys.argv
    sys.argv = ["script.py", *(["--plot", str(plot)] if plot else [])]
    held: dict[str, Any] = {"__name__": "script"}
    try:
        exec(compile(text, "script.py", "exec"), held)
    finally:
        sys.argv = before
    return dict(held["numbers"])


def made_apart(text: str, folder: Path) -> dict[str, Any]:
    """The same in a process of its own that knows of no program and no environment."""
    path = folder / "script.py"
    path.write_text(text, "utf-8")
    called = [os.environ.get(PYTHON, sys.executable), "-I", str(path), "--json"]
    done = subprocess.run(called, capture_output=True, text=True, cwd=folder, timeout=300)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def flat(value: Any) -> list[Any]:
    """A value as a list of numbers and words."""
    if isinstance(value, list | tuple | np.ndarray):
        return [one for each in value for one in flat(each)]
    return [value.item() if isinstance(value, np.generic) else value]


def same(ours: Any, theirs: Any, share: float) -> bool:
    """Whether a number is the same within a share of it, and a word or an integer exactly."""
    if isinstance(ours, str | bool) or ours is None or isinstance(theirs, str) or theirs is None:
        return bool(ours == theirs)
    if not (math.isfinite(ours) and math.isfinite(theirs)):
        return bool(ours == theirs) or (math.isnan(ours) and math.isnan(theirs))
    if isinstance(ours, int) and share <= EXACT:
        return bool(ours == theirs)
    return abs(ours - theirs) <= share * max(abs(ours), abs(theirs), 1e-300) or (
        abs(ours - theirs) < 1e-12 and share <= EXACT
    )


def near(ours: Any, theirs: Any, by: float) -> bool:
    """Whether two are numbers no further apart."""
    both = isinstance(ours, int | float) and isinstance(theirs, int | float)
    return both and math.isfinite(ours) and abs(ours - theirs) <= by


def differing(found: Findings, numbers: dict[str, Any], made: Script) -> list[str]:
    """Where the numbers of a script are not those of the findings."""
    facts = {fact.key: fact.value for fact in found.facts if fact.value is not None}
    wrong = [f"{key} is no fact" for key in numbers if key not in facts]
    for key, value in facts.items():
        if key not in numbers:
            if key not in made.drawn and key not in made.left_out:
                wrong.append(f"{key} is not made")
            continue
        if key in made.drawn:
            continue
        ours, theirs = flat(value), flat(numbers[key])
        share = made.law.get(key, EXACT)
        if share > EXACT:  # of an interval in the size of its ends
            among = [*ours, facts.get(made.beside.get(key, ""))]
            sizes = [abs(one) for one in among if isinstance(one, float) and math.isfinite(one)]
            theirs = [one if near(one, each, share * max(sizes, default=0.0)) else each
                      for one, each in zip(ours, theirs, strict=False)]  # fmt: skip
        if len(ours) != len(theirs) or not all(map(same, ours, theirs, [share] * len(ours))):
            wrong.append(f"{key}: the page has {value}, the script {numbers[key]}")
    return wrong


def checked(lab: Lab, data: Dataset, folder: Path | None = None) -> tuple[str, list[str]]:
    """The script of a state, run here or in a process of its own in a folder, and where it is not
    what the page finds, here with few points of each curve. Raises NoScript."""
    made, text = script_of(lab, data), python_script(lab, data)
    assert ast.get_docstring(ast.parse(text))
    numbers = made_here(text) if folder is None else made_apart(text, folder)
    effort = SCREEN if folder or lab.key in GRIDDED else FEW_POINTS
    return text, differing(with_facts(lab, Context(data, effort=effort)), numbers, made)


def in_chinese(lab: Lab, data: Dataset, form: str = PYTHON_FORM) -> tuple[str, list[str]]:
    """The script of a state in Chinese, and what is English in it, or is another script's code but
    for its words. Raises NoScript."""
    english_one = python_script(lab, data, form)
    with speaking(CHINESE):
        text = python_script(lab, data, form, translate=tr)
    head = str(ast.get_docstring(ast.parse(text)))
    said = [each.text for each in words(text)] + [
        line for line in head.split("\n") if re.search(f"[{HAN}]", line)
    ]
    left = [
        each
        for each in said
        if english(each)
        or (not re.search(f"[{HAN}]|^[^a-z]*$", each) and re.search("[A-Za-z]{2,} [a-z]{2,}", each))
    ]
    same_code = _bare(text.replace(LETTERS, "")) == _bare(english_one)
    return text, [*left, *(["the code"] if not same_code else [])]


def _bare(code: str) -> str:
    """The code of a script without its words."""
    tree = ast.parse(in_words_of(code, lambda *_: "words"))
    tree.body = tree.body[1:]
    return ast.dump(tree)


def run_scripts(seed: int, states: int = 60) -> int:
    """Random states of all labs, each script in a process of its own; returns how many are not what
    their page finds. For the soak."""
    from random_states import random_state

    from dpstudio.labs.naming import every_lab
    from dpstudio.labs.scripting.scripted import NoScript

    rng, bad, refused = random.Random(seed), 0, 0
    folder = Path(tempfile.mkdtemp())
    data, kinds, done = small_table(folder), every_lab(), 0
    while done < states:
        kind = kinds[(done + refused) % len(kinds)]
        lab = shown(random_state(kind, rng.randrange(10**6), data))
        try:
            text, wrong = checked(lab, data, folder)
        except NoScript as why:
            refused += 1
            print(f"{kind.key}: none: {why}")
            continue
        done += 1
        assert not any(f"import {name}" in text for name in ("dpstudio", "PySide6"))
        if wrong:
            bad += 1
            print(f"{lab!r}: {wrong}")
    print(f"{bad} of {states} scripts are not what their page finds; {refused} states have none")
    return bad
