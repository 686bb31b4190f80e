"""What `dpstudio run LAB --help` says: every parameter with its domain and where it starts."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from dpstudio.files.read.choices import Choices
from dpstudio.files.tables import EXAMPLES
from dpstudio.files.write.paper import PAPERS
from dpstudio.labs import Lab
from dpstudio.values.messages import render
from dpstudio.values.params import Kind, OneOf, Words, domains, settings, switch


def started(lab: type[Lab], name: str, other: type[Kind]) -> Kind:
    """The kind `other` as it starts at the place `name` of a lab: with its own defaults, but the
    budget that the lab starts with."""
    held: Kind = getattr(lab(), name)
    domain = domains(lab)[name]
    if held.key == other.key:
        return held
    apart = isinstance(domain, OneOf) and domain.apart
    spent: dict[str, Any] = {
        part: getattr(held, part)
        for part in ("epsilon", "delta")
        if hasattr(held, part) and not apart
    }
    return switch(other, spent)


def lab_help(kind: type[Lab]) -> str:
    """Every parameter of a lab with its domain and default."""
    lines = [
        f"usage: dpstudio run {kind.key} [name=value …] [--data TABLE] [--read CHOICES]… [--about "
        f"KNOWN]… [--person COLUMN [--most M] [--people N] | --each-row]",
        "       [--json | --out DIR | --publish DIR] [--without-truth] [--dark] [--paper SIZE …]",
        "",
        render(kind.help),
        "",
        "  --data TABLE     a file (CSV and the like, Parquet, Excel, JSON lines, SQLite …), or an "
        "example (the first is open anyhow):",
        f"                   {', '.join(each.key for each in EXAMPLES)}",
        "  --read CHOICES   how to read it where it can be read in more than one way, such as "
        "“delimiter=semicolon decimal=comma”:",
        *_choice_lines(second=kind.page().second is not None),
        "  --about KNOWN    what is known of a column from outside the data, such as “age: low=17 "
        "high=90 attested=yes source=the form”;",
        "                   also low=2020-01-31, type=…, categories=A | B; once for each column",
        *_PERSONS,
        "  --json           print the findings as JSON",
        "  --out DIR        write each chart as SVG, PNG and CSV, and findings.json",
        "  --without-truth  leave the exact answer out; noise then comes from the system and no "
        "seed is kept;",
        "                   the ε of draws of one file add up, and an edited file is another one",
        "  --dark           charts on a dark ground",
        *_PRINT,
        "",
        "parameters:",
    ]
    lab = kind()
    for name, domain in domains(kind).items():
        lines.append(
            f"  {name:22} {render(domain.describe())}  [{_default(getattr(lab, name), domain)}]"
        )
        if domain.help:
            lines.append(f"  {'':22}   {render(domain.help)}")
        if isinstance(domain, OneOf):
            for member in domain.family():
                start = started(kind, name, member)
                for inner, inner_domain in settings(member).items():
                    if getattr(start, inner) is None and inner in member.solved:
                        continue
                    value = _default(getattr(start, inner), inner_domain)
                    lines.append(
                        f"    {name + '.' + inner:20} ({member.key}) "
                        f"{render(inner_domain.describe())}  [{value}]"
                    )
    return "\n".join(lines)


_PERSONS = (
    "  --person COLUMN  the column that says whose row it is; else each row is a person",
    "  --most M         how many rows of each person are used at most, the first ones (1): "
    "every sensitivity is M times as large",
    "  --people N       how many persons there are, known from outside: what leaves where one is "
    "replaced is of so many",
    "  --each-row       each row is a person, also where a column looks otherwise",
)
_PRINT = (
    "  --publish DIR    write a table for others, where the lab makes one, alone into a folder",
    f"  --paper SIZE     figures for print, also as PDF: {', '.join(PAPERS)}",
    "                   with --dpi N (300) of a PNG, --no-title, --no-caption, --no-footer",
)


_BESIDE = (
    "  --beside TABLE   a second table beside the first, which this lab reads as well, with",
    "                   --read-beside CHOICES where it can be read in more than one way",
)


def _choice_lines(*, second: bool) -> list[str]:
    """The choices of --read, with what they may be, and how a second table is named where a lab
    reads one."""

    lines = []
    for name, domain in domains(Choices).items():
        may = render(domain.help) if isinstance(domain, Words) else render(domain.describe())
        lines += wrap(f"{name}: {may}", 130, initial_indent=" " * 19, subsequent_indent=" " * 23)
    return [*lines, *(_BESIDE if second else ())]


def _default(value: Any, domain: Any) -> str:
    return str(getattr(value, "key", None) or domain.show(value) or "none")
