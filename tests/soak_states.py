"""States at random, of every lab on every kind of table, for `tests/soak.py --only states`: no
warning, no exception, and nothing in a sentence that says nothing.

    python tests/soak.py --only states [--seed 1]
    python tests/soak_states.py LAB SEED …         these alone, with what each of them says
"""

import json
import re
import sys
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from grammar import of_many
from kept_choices import lost_choices
from label_meanings import misplaced
from odd_tables import odd_tables, peoples_tables
from random_states import tables_of_all_kinds, wide_state
from visits import talk_of_visits

from dpstudio.data.dataset import Dataset
from dpstudio.files.handing_out import Tables, hand_out
from dpstudio.files.ledger import Ledger
from dpstudio.files.write.jsonout import findings_json
from dpstudio.gui.board.render import FigureImages
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import every_lab
from dpstudio.labs.page import Lab
from dpstudio.values.messages import Message, Num, render
from dpstudio.values.parameters import to_json

STATES = 900
SLOW_S = 2.0
# What no words say: a hole, a number that is none, a bound that floats made 0.
EMPTY = re.compile(r"\{|\bnan\b|\binf\b|\bat most −?0(?![\d.,·])|[≥>] ∞|−0(?![\d.,·])")


def said(value: Any) -> Iterator[Message]:
    """Every message in a part of findings: in fields, lists and mappings, however deep; those
    within a message are a part of it."""
    if isinstance(value, Message):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from said(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from said(inner)
    elif is_dataclass(value):
        for name in fields(value):
            yield from said(getattr(value, name.name))


def numbers(message: Message) -> Iterator[float]:
    """The numbers behind a message and those within it."""
    for value in message.values.values():
        if isinstance(value, Message):
            yield from numbers(value)
        elif isinstance(value, Num | float):
            yield float(value.value if isinstance(value, Num) else value)


def faults(found: Findings) -> Iterator[str]:
    """What is wrong with findings, in words."""
    for message in said(found):
        text = render(message)
        if EMPTY.search(text) or [*of_many(text)]:
            yield f"says “{text}”"
        if any(np.isnan(number) for number in numbers(message)):
            yield f"a number that is none in “{text}”"
    for figure in found.figures:
        for axis in (figure.x, figure.y):
            low, high = axis.range
            if not (np.isfinite((low, high)).all() and low < high):
                yield f"{figure.key} has an axis from {low} to {high}"
    try:
        json.dumps(findings_json(found), allow_nan=False)
    except ValueError as error:
        yield f"its JSON: {error}"


@dataclass(frozen=True)
class Run:
    """What came of one state: how long it took, which table it asked, and what was wrong."""

    lab: Lab
    seed: int
    table: str
    seconds: float
    wrong: tuple[str, ...]

    @property
    def state(self) -> str:
        return json.dumps(to_json(self.lab), ensure_ascii=False)


def tried(lab: Lab, data: Dataset, seed: int) -> Run:
    """One state of a lab, run to its end, every picture on the way looked at."""
    wrong: dict[str, None] = {}
    start = time.perf_counter()
    spent = 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            for found in lab.run(Context(data, effort=LITTLE)):
                spent += time.perf_counter() - start
                wrong.update(dict.fromkeys(faults(found)))
                start = time.perf_counter()
            wrong.update(dict.fromkeys(misplaced(lab, data, found)))
        except Exception as error:
            places = traceback.extract_tb(error.__traceback__)
            ours = [place for place in places if "dpstudio" in place.filename] or places
            where = " < ".join(f"{p.filename.rpartition('/')[2]}:{p.lineno}" for p in ours[:-7:-1])
            wrong[f"{error!r} at {where}"] = None
    spent += time.perf_counter() - start
    return Run(lab, seed, data.name, spent, tuple(wrong))


def run_states(first: int = 1, states: int = STATES) -> int:
    """Run so many states, as many of each lab, and each on all odd tables; print what breaks and what is slow, and give how
    many broke. Last, a talk of all labs on a table of persons is handed out."""
    kinds, tables, runs = every_lab(), tables_of_all_kinds(), list[Run]()
    each, odd = -(-states // len(kinds)), [Dataset(f, n, n) for n, f in odd_tables().items()]
    visits = [Dataset(frame, name) for name, frame in peoples_tables().items()][:3]
    for kind in kinds:
        states_of = [(*wide_state(kind, first + i, tables), first + i) for i in range(each)]
        states_of += [(kind().suited(data), data, 0) for data in odd]
        of_kind = [tried(*state) for state in states_of]
        broken = [run for run in of_kind if run.wrong]
        spent = [run.seconds for run in of_kind]
        for data in visits:
            for pair in lost_choices(kind, data, 240):
                print(f"! {kind.key} on {data.name}: a choice is lost: {pair}")
        print(
            f"{kind.key}: {len(spent)} states, {sum(spent):.1f} s, longest {max(spent):.1f} s, "
            f"{len(broken)} broken",
            flush=True,
        )
        _tell(broken)
        runs += of_kind
    with TemporaryDirectory() as folder:
        pictures, ledger = FigureImages(), Ledger(Path(folder) / "ledger")
        out = Path(folder) / "visits.html"
        hand_out(talk_of_visits(Path(folder)), out, Tables(), ledger, pictures, effort=LITTLE)
    slow = sorted((run for run in runs if run.seconds > SLOW_S), key=lambda run: -run.seconds)
    print(f"\n{len(slow)} states took more than {SLOW_S:g} s")
    for run in slow:
        print(f"  {run.seconds:.1f} s  {run.lab.key} {run.seed} on {run.table}: {run.state}")
    bad = sum(bool(run.wrong) for run in runs)
    print(f"{bad} of {len(runs)} states broke, {sum(run.seconds for run in runs):.0f} s")
    return bad


def _tell(broken: Iterable[Run]) -> None:
    for run in broken:
        print(f"! {run.lab.key} {run.seed} on {run.table}: {run.state}")
        for wrong in run.wrong:
            print(f"    {wrong[:400]}", flush=True)


if __name__ == "__main__":
    named = [kind for kind in every_lab() if kind.key == sys.argv[1]]
    for number in map(int, sys.argv[2:]):
        one = tried(*wide_state(named[0], number, tables_of_all_kinds()), number)
        print(f"{one.seconds:.2f} s", one.table, one.state, *one.wrong, sep="\n    ")
