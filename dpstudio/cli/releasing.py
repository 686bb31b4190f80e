"""`dpstudio release`: a plan's lines, booked in a ledger, drawn of a table and shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from dpstudio.cli import parsing
from dpstudio.cli.tables import opened
from dpstudio.files.asking import chosen
from dpstudio.files.booked.book import Book
from dpstudio.files.booked.releasing import Desk, Line, Released, Source, asked, may_release
from dpstudio.files.plan_file import read_plan_file
from dpstudio.plans.plan import Plan
from dpstudio.values.messages import render
from dpstudio.values.parameters import to_json


def released(words: Sequence[str]) -> int:
    """What the words after `dpstudio release` say; the exit status."""
    given = parsing.release_parser().parse_args(words)
    plan, book = read_plan_file(Path(given.plan)), Book(Path(given.ledger))
    may_release(plan, book, given.person)
    asked(plan, given.line)
    reading = json.dumps(to_json(chosen(given.read)[0]), sort_keys=True) if given.read else ""
    source = Source(opened(given.data, given.read, leaves=True), reading, given.person)
    made = Desk(book).release(plan, source, given.line)
    for line in made.lines:
        for message in line.told:
            print(f"dpstudio: {line.question.name}: {render(message)}", file=sys.stderr)
    print("\n".join(shown(made)))
    return 0


def shown(made: Released) -> list[str]:
    """What left, as text."""
    lines = []
    for line in made.lines:
        lines += [*_table(made.plan, line), ""]
    return [*lines, f"Hash {made.state.head}"]


def _table(plan: Plan, line: Line) -> Iterator[str]:
    cells = line.cells(plan)
    yield line.question.name
    rows = [
        (" · ".join(cell.labels), cell.value, f"±{cell.half} {cell.unit}".strip(), cell.flag)
        for cell in cells
    ]
    wide = [max(len(row[i]) for row in rows) for i in range(4)]
    for label, value, half, flag in rows:
        text = f"  {label:{wide[0]}}  {value:>{wide[1]}}  {half:{wide[2]}}  {flag}"
        yield text.rstrip()
