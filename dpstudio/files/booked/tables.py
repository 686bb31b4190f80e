"""A release as files: of each line a table, what its columns are beside it, and how it was made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpstudio.files.booked.releasing import Line, Released
from dpstudio.files.language import spoken
from dpstudio.files.session import write_text
from dpstudio.files.write.csvout import harmless
from dpstudio.plans import methods, words
from dpstudio.plans.published import Cell
from dpstudio.plans.question import ByGroup, Histogram, MostCommon, Question, SumByGroup, TwoWay
from dpstudio.values.csv_text import csv_text
from dpstudio.values.messages import (
    N_,
    Message,
    Translate,
    enumerated,
    in_turn,
    plain,
    render,
    say,
    unchanged,
    with_name,
)

COLUMNS = ("value", "half_width", "unit", "flag", "method")
_ABOUT = {
    "value": N_("What was published."),
    "half_width": N_("How far off it is at most, by noise, in the part of releases that is said."),
    "unit": N_("What the half-width counts, where that is not what the value does."),
    "flag": N_("“unreliable” where the half-width is more than half of the value."),
    "method": N_("How the value was made."),
}


def file_names(questions: Sequence[Question]) -> list[str]:
    """What the files of these lines are called, without an ending: each another, also where case
    does not count."""
    found = list[str]()
    for number, question in enumerate(questions, 1):
        name = "".join(c if c.isalnum() else "-" for c in question.name.casefold()).strip("-")
        name = name[:60].encode()[:180].decode(errors="ignore") or f"question-{number}"
        while name in found:
            name = f"{name}-{number}"
        found.append(name)
    return found


def labelled(question: Question) -> tuple[str, ...]:
    """The columns whose words or bins stand beside the numbers."""
    named: tuple[str, ...]
    if isinstance(question, TwoWay):
        named = question.column, question.other
    elif isinstance(question, ByGroup | SumByGroup | Histogram):
        named = (question.column,)
    else:
        return ()
    found = list[str]()
    for name in named:
        found.append(f"{name} (of the table)" if name in (*COLUMNS, *found) else name)
    return tuple(found)


def line_csv(question: Question, cells: Sequence[Cell]) -> str:
    """The numbers of a line as text; no cell is a formula."""
    head = (*labelled(question), *COLUMNS)
    rows = [(*c.labels, c.value, c.half, c.unit, c.flag, c.method) for c in cells]
    return harmless(csv_text([head, *rows]))


def line_schema(
    made: Released, line: Line, name: str, base: Fraction | None, translate: Translate = unchanged
) -> str:
    """What its columns are: metadata of CSV on the Web (W3C 2015), as JSON."""
    chosen = isinstance(line.question, MostCommon)  # a word, though it may look like a number
    kind = "string" if chosen else _kind(line.cells(made.plan, base))
    kinds = {"value": kind, "half_width": "decimal"}
    columns: list[dict[str, Any]] = [
        {
            "name": f"label_{place}",
            "titles": harmless(column),
            "datatype": "string",
            "required": True,
        }
        for place, column in enumerate(labelled(line.question), 1)
    ]
    columns += [
        {
            "name": column,
            "titles": column,
            "datatype": kinds.get(column, "string"),
            "dc:description": render(Message(_ABOUT[column]), translate),
        }
        for column in COLUMNS
    ]
    tag = "en" if translate is unchanged else spoken().replace("_", "-")
    held = {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": tag}],
        "url": f"{name}.csv",
        "dc:title": line.question.name,
        "dc:description": paragraph(made, line, base, translate),
        "tableSchema": {"columns": columns},
    }
    return json.dumps(held, ensure_ascii=False, indent=1) + "\n"


def _kind(cells: Sequence[Cell]) -> str:
    """The type of all values, which are numbers."""
    whole = all(Fraction(cell.value).denominator == 1 for cell in cells)
    return "integer" if whole else "decimal"


def paragraph(
    made: Released, line: Line, base: Fraction | None, translate: Translate = unchanged
) -> str:
    """How the numbers of a line were made, for a note on methods."""
    return render(in_turn(_sentences(made, line, base)), translate)


def _sentences(made: Released, line: Line, base: Fraction | None) -> Iterator[Message]:
    plan, question, kind = made.plan, line.question, line.question.label
    asked = [with_name(label, plain(text)) for label, text in methods.asked(question)]
    text = N_("“{name}”: {kind}, of all rows.")
    if made.person:
        text = N_("“{name}”: {kind}, of all rows that are used.")
    if asked:
        text = N_("“{name}”: {kind} ({parts}).")
    yield say(text, name=question.name, kind=Message(kind), parts=enumerated(asked))
    if taken := made.state.withdrawn(int(line.head.partition(":")[0])):
        yield say("It was withdrawn since: {why}", why=taken.body["reason"])
    yield methods.mechanism(plan, question, line.share)
    yield from methods.intervals(plan, line.cells(plan, base), base, line.fit)
    yield from methods.uncovered(plan, [question])
    yield methods.attested(plan, question)
    yield from methods.protects(plan, made.person)
    yield words.charged(plan)


def write_tables(
    made: Released, folder: Path, base: Fraction | None = None, translate: Translate = unchanged
) -> list[Path]:
    """Write of each line NAME.csv and NAME.csv-metadata.json, and methods.txt of all; the paths.
    Finishing touches no row. Raises SessionError."""
    files, said = dict[str, str](), list[str]()
    named = file_names([line.question for line in made.lines])
    for line, name in zip(made.lines, named, strict=True):
        cells = line.cells(made.plan, base)
        files[f"{name}.csv"] = line_csv(line.question, cells)
        files[f"{name}.csv-metadata.json"] = line_schema(made, line, name, base, translate)
        said.append(paragraph(made, line, base, translate))
    files["methods.txt"] = "\n\n".join(said) + "\n"
    for name, text in files.items():
        write_text(folder / name, text)
    return [folder / name for name in files]
