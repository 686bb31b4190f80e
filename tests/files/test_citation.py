"""What pages are cited by: every lab by at least one source, and whole entries of BibTeX."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dpstudio.charts.figure import Axis, Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.glossary import glossary
from dpstudio.files.tables import EXAMPLES
from dpstudio.files.write.citation import citation, cited_by, cited_in, sources
from dpstudio.labs import LABS, Lab
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import say

NEEDED = {
    "article": {"author", "title", "journal", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "incollection": {"author", "title", "booktitle", "publisher", "year"},
    "book": {"author", "title", "year"},
    "techreport": {"author", "title", "institution", "year"},
    "misc": {"author", "title", "year"},
    "software": {"author", "title", "version"},
}
_WRITTEN = re.compile(r'(?:source|SOURCE) ?= ?\(?\s*f?"([^"]+)"')
_ENTRY = re.compile(r"@(\w+)\{(\S+),\n((?:  \w+ = \{.*\},?\n)+)\}")


def test_every_entry_is_whole_and_is_cited_by_its_own_authors_and_year() -> None:
    keys = [one.key for one in sources()]
    assert len(set(keys)) == len(keys) > 60
    for one in sources():
        held = dict(one.fields)
        assert NEEDED[one.kind] <= held.keys(), one.key
        assert one.cited or one.tables, one.key
        assert one.bibtex.count("{") == one.bibtex.count("}"), one.key
        for name in one.cited:
            assert name.endswith(held["year"]), name
            assert cited_in(f"see {name}, Theorem 1") == [one]
        first = re.sub(r"[^A-Za-z]", "", held["author"].split(",")[0]).casefold()
        assert one.key.startswith(first[:4]), one.key
    assert [one.key for one in cited_in("Al-Rubaie, Wu, Chang & Kung 2017")] == [
        "alrubaie2017privacy"
    ]
    tables = [key for one in sources() for key in one.tables]
    assert set(tables) <= {example.key for example in EXAMPLES}


def test_whoever_is_cited_has_an_entry_and_every_entry_is_cited() -> None:
    code = [path.read_text(encoding="utf-8") for path in Path("dpstudio").rglob("*.py")]
    told = [term.source for term in glossary()] + [
        one for text in code for one in _WRITTEN.findall(text)
    ]
    parts = {
        part
        for text in told
        for part in text.split("; ")
        if re.search(r"[a-z]\.? (1[78]|19|20)\d\d", part)
    }
    assert len(parts) > 150
    assert sorted(part for part in parts if not cited_in(part)) == []
    whole = "\n".join(
        code + [path.read_text("utf-8") for path in Path("assets/help/use").glob("*.md")]
    )
    lines = [line for line in whole.split("\n") if re.search(r" (1[78]|19|20)\d\d", line)]
    cited = {one.key for one in cited_in("\n".join([*parts, *lines]))}
    assert sorted(one.key for one in sources() if one.cited and one.key not in cited) == []


@pytest.mark.parametrize("key", [about.key for about in LABS])
def test_every_lab_cites_a_source_and_reads_as_bibtex(
    key: str, adult: Dataset, default_findings: Callable[[type[Lab]], Findings]
) -> None:
    lab, found = lab_kind(key)().suited(adult), default_findings(lab_kind(key))
    assert cited_by(lab, found)
    text = citation(lab, found, adult)
    entries = _ENTRY.findall(text)
    assert "".join(_ENTRY.sub("", text).split()) == ""
    assert entries[-1][:2] == ("software", "dpstudio")
    assert len({name for _, name, _ in entries}) == len(entries)
    for kind, _, inner in entries:
        assert NEEDED[kind] <= set(re.findall(r"^  (\w+) = ", inner, re.M))


@pytest.mark.parametrize(
    "words", ["explore query=mean query.column=age query.where=age>89", "learn", "local_counts"]
)
def test_what_hides_the_exact_answer_is_cited_by_what_was_chosen(words: str) -> None:
    """Which charts there are may follow from one row: here there is one, and none."""
    lab = lab_of_words(words.split()).with_(show_truth=False)
    source = "Warner 1965; Fisher 1936; Dinur & Nissim 2003"
    figure = Figure("a", say("a"), Axis(say("x")), Axis(say("y")), (), source=source)
    none, one = Findings(), Findings(figures=(figure,))
    assert cited_by(lab, one) == cited_by(lab, none) != []
    exact = lab.with_(show_truth=True)
    assert cited_by(exact, one) != cited_by(exact, none)
