"""`dpstudio release`: a plan's lines, booked in a ledger, drawn of a table and shown."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from dpstudio.cli import parsing
from dpstudio.files.asking import chosen
from dpstudio.files.booked.certificate import planned_certificate, stated
from dpstudio.files.booked.releasing import (
    Desk,
    Finish,
    Line,
    Released,
    asked,
    base_of,
    may_release,
    noted,
    told_source,
)
from dpstudio.files.booked.written import Pictures, kept_ready, write_certificate, write_release
from dpstudio.files.language import shown, tr
from dpstudio.files.ledgers.book import Book
from dpstudio.files.ledgers.own import known_beside
from dpstudio.files.plan_file import read_plan_file
from dpstudio.files.tables import example
from dpstudio.plans import methods
from dpstudio.plans.plan import Plan
from dpstudio.values.lines import padded, width
from dpstudio.values.messages import N_, say


def released(words: Sequence[str]) -> int:
    """What the words after `dpstudio release` say; the exit status."""
    given = parsing.release_parser().parse_args(words)
    plan, book = read_plan_file(Path(given.plan)), Book(Path(given.ledger))
    said, finish = stated(given.state), Finish(given.least_squares, base_of(given.base))
    person = given.person or plan.terms.naming
    may_release(plan, book, person)
    asked(plan, given.line)
    out = Path(given.out) if given.out else None
    pictures = _pictures() if given.pdf else None
    if (given.pdf and out is None) or (given.without_answers and out is None):
        raise parsing.UsageError(say("Say where the certificate is written: --out FOLDER."))
    with kept_ready(out):
        if given.without_answers and out is not None:
            certified = partial(planned_certificate, book, plan, given.line, said, person)
            _print(write_certificate(certified, book, out, pictures))
            return 0
        if not given.data:
            raise parsing.UsageError(say("Say of which table: --data TABLE."))
        made = _made(given, plan, book, finish)
        print("\n".join(listing(made, finish.base)))
        if out is not None:
            _print(write_release(made, book, out, said=said, base=finish.base, pictures=pictures))
    return 0


def _made(given: Namespace, plan: Plan, book: Book, finish: Finish) -> Released:
    """What is drawn; what is to be said of it stands on stderr."""
    source = told_source(given.data, chosen(given.read)[0], given.person or plan.terms.naming)
    if example(given.data) is None and source.table.asked is None:
        print(f"dpstudio: {shown(say(_UNTOLD))}", file=sys.stderr)
    for message in known_beside(source.table.origin, book.path):
        print(f"dpstudio: {shown(message)}", file=sys.stderr)
    made = finish.of(Desk(book).release(plan, source, given.line))
    for line in made.lines:
        for message in line.told:
            print(f"dpstudio: {line.question.name}: {shown(message)}", file=sys.stderr)
    for message in dict.fromkeys(m for e in made.lines for m in methods.contradicts(e.fit)):
        print(f"dpstudio: {shown(message)}", file=sys.stderr)
    for message in noted(source, book):
        print(f"dpstudio: {shown(message)}", file=sys.stderr)
    return made


_UNTOLD = N_("What reading left out or changed is not told beside what leaves.")


def _print(paths: Sequence[Path]) -> None:
    for path in paths:
        print(path)


def _pictures() -> Pictures:
    from dpstudio.gui.door import headless_pictures

    return headless_pictures()


def listing(made: Released, base: Fraction | None = None) -> list[str]:
    """What left, as text."""
    lines = []
    for line in made.lines:
        lines += [*_table(made.plan, line, base), ""]
    return [*lines, shown(say("Hash {hash}", hash=made.state.head))]


def _table(plan: Plan, line: Line, base: Fraction | None) -> Iterator[str]:
    cells = line.cells(plan, base)
    yield line.question.name
    rows = [
        (" · ".join(cell.labels), cell.value, f"±{cell.half} {cell.unit}".strip(), tr(cell.flag))
        for cell in cells
    ]
    wide = [max(width(row[i]) for row in rows) for i in range(4)]
    for label, value, half, flag in rows:
        text = f"  {padded(label, wide[0])}  {value:>{wide[1]}}  {padded(half, wide[2])}  {flag}"
        yield text.rstrip()
