"""What pages are cited by: every lab by at least one source, and whole entries of BibTeX."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from marks import CITED
from running import speaking
from test_architecture import FILES, nodes

from dpstudio.charts.figure import Axis, Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.glossary import glossary
from dpstudio.files.language import CHINESE, shown, tr
from dpstudio.files.tables import EXAMPLES
from dpstudio.files.write.citation import citation, cited_by, cited_in, sources
from dpstudio.labs import LABS, Lab
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import cited, of_source, say

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


_PLACE = re.compile(
    r"\b(Theorem|Lemma|Proposition|Corollar|Claim|Definition|Algorithm|section|chapter|[Ff]igure)"
)


def _texts_of_code() -> Iterator[str]:
    """Every text in the code, but for what documents it."""
    for module in FILES:
        told = {id(node.value) for node in nodes(module) if isinstance(node, ast.Expr)}
        for node in nodes(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from () if id(node) in told else (node.value,)


def test_the_place_in_a_work_is_said_in_the_language() -> None:
    """Of every work that is cited anywhere; people, years and titles stay."""
    code = {text for text in _texts_of_code() if "\n" not in text and CITED.search(text)}
    told = code | {term.source for term in glossary()}
    assert len(told) > 100
    assert {one for one in told if cited(one) != one} == set()
    with speaking(CHINESE):
        said = {cited(one, tr) for one in told}
    assert {one for one in said if _PLACE.search(re.sub("“[^”]*”", "", one))} == set()


@pytest.mark.parametrize(
    ("source", "chinese"),
    [
        ("McSherry 2009, Theorem 4", "McSherry 2009，定理4"),
        ("Balle & Wang 2018, Lemma 3 and Theorem 8", "Balle & Wang 2018，引理3和定理8"),
        (
            "Mironov 2017, Propositions 1, 5, 6 and 7; Warner 1965",
            "Mironov 2017，命题1、5、6和7；Warner 1965",
        ),
        ("Dwork & Roth 2014, Theorem 3.22 (0 < ε < 1)", "Dwork & Roth 2014，定理3.22（0 < ε < 1）"),
        ("Wang et al. 2019, section III-C", "Wang et al. 2019，第III-C节"),
    ],
)
def test_a_place_in_a_work(source: str, chinese: str) -> None:
    assert cited(source) == source
    with speaking(CHINESE):
        assert cited(source, tr) == shown(of_source(source)) == chinese


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
