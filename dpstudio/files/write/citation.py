"""What a page is cited by, as BibTeX: the sources of its formulas, its table, and the program with
its state. The entries are data, `assets/sources/sources.bib`."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

from dpstudio import __version__
from dpstudio.data.dataset import Dataset
from dpstudio.files.assets import asset
from dpstudio.files.manual import NoPageError, manual_page
from dpstudio.files.write.export import provenance
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import TRUTH
from dpstudio.labs.findings import Findings
from dpstudio.labs.question import reads_table
from dpstudio.values.parameters import Parameters, domains

_ENTRY = re.compile(r"^@(\w+)\{([^,\s]+), (.*)\}$", re.M)
_FIELD = re.compile(r"(\w+) = \{((?:[^{}]|\{[^{}]*\})*)\}(?:, |$)")
_OWN = ("cited", "table")
_WHERE = ("journal", "booktitle", "publisher", "url")
_ACCENT = re.compile(r"\\([\"'`~cu]) ?(\w)")
_MARKS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "~": "\u0303", "c": "\u0327", "u": "\u0306"}
_PLAIN = str.maketrans({"{": "(", "}": ")", '"': "", "%": " percent", "\\": "/"})
TITLE = "dpstudio: a desktop studio in which people see the trade between privacy and utility"


@dataclass(frozen=True)
class Source:
    """An entry by its key, the names by which pages cite it, and the tables it is the source of."""

    kind: str
    key: str
    fields: tuple[tuple[str, str], ...]
    cited: tuple[str, ...]
    tables: tuple[str, ...]

    @property
    def bibtex(self) -> str:
        """It as BibTeX."""
        return bibtex(self.kind, self.key, self.fields)

    @property
    def said(self) -> str:
        """It as a reader reads it: authors, year, title, and where it stands."""
        told = {name: _read(text) for name, text in self.fields}
        where = next((told[name] for name in _WHERE if name in told), "")
        more = ", ".join(filter(None, (where, told.get("volume"), told.get("pages"))))
        authors = told.get("author", "").replace(" and ", "; ")
        parts = authors, told.get("year", ""), told.get("title", ""), more
        return ". ".join(part.rstrip(".") for part in parts if part) + "."


def bibtex(kind: str, key: str, fields: Iterable[tuple[str, str]]) -> str:
    """An entry of BibTeX."""
    lines = ",\n".join(f"  {name} = {{{text}}}" for name, text in fields)
    return f"@{kind}{{{key},\n{lines}\n}}"


def _read(text: str) -> str:
    """A field of BibTeX as letters."""
    whole = _ACCENT.sub(lambda found: normalize("NFC", found[2] + _MARKS[found[1]]), text)
    return re.sub(r"[{}]", "", whole).replace("--", "–")


@lru_cache(maxsize=1)
def sources() -> tuple[Source, ...]:
    """All that there are."""
    text = asset("sources", "sources.bib").read_text(encoding="utf-8")
    return tuple(_source(*each) for each in _ENTRY.findall(text))


def _source(kind: str, key: str, inner: str) -> Source:
    held = _FIELD.findall(inner)
    own = {name: tuple(text.split("; ")) for name, text in held if name in _OWN}
    fields = tuple((name, text) for name, text in held if name not in _OWN)
    return Source(kind, key, fields, own.get("cited", ()), own.get("table", ()))


def cited_in(text: str) -> list[Source]:
    """The sources that a text cites, in its order."""
    found = list[tuple[int, Source]]()
    for one in sources():
        for name in one.cited:
            # Not the last of several authors.
            first = re.search(rf"(?<!& )(?<!, )\b{re.escape(name)}", text)
            found += [(first.start(), one)] if first else []
    return list(dict.fromkeys(one for _, one in sorted(found, key=lambda each: each[0])))


def cited_by(lab: Lab, findings: Findings) -> list[Source]:
    """The sources of what a page shows, and of the formula that its page of the manual tells. Where
    it hides the exact answer, those of what was chosen: rows may decide which charts there are."""
    hides = reads_table(lab) and not getattr(lab, TRUTH, True)
    told = list(_chosen(lab)) if hides else [figure.source for figure in findings.figures]
    with suppress(NoPageError):
        told.append(manual_page(f"use/{lab.key}").text.partition("\n## Formula\n")[2])
    return cited_in("\n".join(told))


def _chosen(kind: Parameters) -> Iterator[str]:
    """The sources of what is chosen in a lab, such as its mechanism."""
    yield getattr(kind, "source", "")
    for name in domains(type(kind)):
        if isinstance(held := getattr(kind, name), Parameters):
            yield from _chosen(held)


def citation(lab: Lab, findings: Findings, data: Dataset) -> str:
    """The page as it is cited: sources, table, and the program with version, state and seed; of
    what hides the exact answer, as in every file, without its seed."""
    entries = [one.bibtex for one in cited_by(lab, findings)]
    if reads_table(lab):
        entries += [one.bibtex for one in sources() if data.origin in one.tables]
    state = json.dumps(provenance(lab, data)["lab"], ensure_ascii=False)
    fields = (
        ("author", "{The founders of dpstudio}"),
        ("title", TITLE),
        ("version", __version__),
        ("note", f"Page {lab.label}, with {state.translate(_PLAIN)}"),
    )
    return "\n\n".join([*entries, bibtex("software", "dpstudio", fields)]) + "\n"
