"""Reports: whole, the same byte for byte, and without exact answers the same for neighbours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest
from forgotten import forgotten
from running import LEAST
from test_hidden_files import HERE, MORE, Replayed

from dpstudio import cli
from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.files import handing_out, reporting
from dpstudio.files.session import Session, SessionError, write_session
from dpstudio.files.tables import open_table
from dpstudio.files.talk import Step
from dpstudio.files.write import leaving, report
from dpstudio.gui.board.render import FigureImages, headless
from dpstudio.labs.context import Context
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import render

KNOWN = Codebook((("x", About(low=0, high=8, attested=True, source="the form")),))
X = "query=mean query.column=x query.low=0 query.high=8 query.attested=yes"


@dataclass
class Given:
    """Gives one table to every page."""

    data: Dataset
    seen: list[str] = field(default_factory=list)

    def cancelled(self) -> bool:
        return False

    def __call__(self, step: Step) -> Dataset:
        self.seen.append(step.table)
        return self.data if step.table else open_table("adult")

    def beside(self, step: Step) -> Mapping[str, Dataset]:
        assert not step.hides
        return {}


def session(data: Dataset, *words: str, opened: tuple[str, ...] = ()) -> Session:
    labs = tuple(lab_of_words(each.split()) for each in words)
    return Session(data.origin, data.digest, labs, labs[0].key, {"opened": [*opened]}, KNOWN)


class Whole(HTMLParser):
    """Every element that is opened is closed, in its order; no id stands twice."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, text: str):
        super().__init__()
        self.open, self.ids = list[str](), list[str]()
        self.feed(text)
        assert not self.open
        assert len(self.ids) == len({*self.ids})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [str(value) for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [str(value) for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def written(held: Session, path: Path, data: Dataset, ledger: object = None, **how: object) -> str:
    headless()
    given: dict[str, object] = {"effort": LEAST, **how}
    out = reporting.write_report(held, path, Given(data), ledger, FigureImages(), **given)  # type: ignore[arg-type]
    assert out[0] == path
    return path.read_bytes().decode("latin-1" if path.suffix == ".pdf" else "utf-8")


def test_a_report_holds_what_its_pages_show(tmp_path: Path) -> None:
    """Sentences, numbers, charts and tables of each, what is known of columns, and what is cited,
    in one file that fetches nothing; and once more the same bytes."""
    held = session(
        HERE, f"explore {X}", "selection query.column=c query.where=", opened=("survey", "nowhere")
    )
    path = tmp_path / "r.html"
    text = written(held, path, HERE)
    Whole(text)
    assert "default-src 'none'" in text
    assert re.findall(r"<h2>(\d · .*?)</h2>", text) == [
        "1 · Explore",
        "2 · Selection",
        "3 · Survey",
    ]
    found = held.labs[0].last(Context(HERE, effort=LEAST))
    for told in [*(s.say for s in found.sentences), *(f.text for f in found.facts)]:
        assert render(told).replace("&", "&amp;").replace("<", "&lt;") in text
    assert text.count("<svg ") >= len(found.figures) + 2
    assert "<td>the form</td>" in text
    assert "No row of the table" not in text  # a page may show some
    assert f"<td>{HERE.digest}</td>" in text
    cited = (tmp_path / "r-references.bib").read_text(encoding="utf-8")
    assert "@inproceedings{dwork2006calibrating" in cited
    assert "Dwork, Cynthia; McSherry, Frank; Nissim, Kobbi; Smith, Adam. 2006. Cal" in text
    for name in ("a.pdf", "b.pdf", "b.html"):
        written(held, tmp_path / name, HERE)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    assert (tmp_path / "b.html").read_text(encoding="utf-8") == text


def test_first_rows_of_a_table_are_not_in_its_report(tmp_path: Path) -> None:
    """Which pages show beside what was made of them."""
    data = open_table("adult")
    masked = "masking quasi=age sensitive=income"
    anatomy = "masking quasi=age sensitive=education operation=anatomy operation.l=2"
    for words in ("anonymity quasi=age sensitive=income", masked, anatomy):
        held = session(data, words)
        shown = held.labs[0].last(Context(data, effort=LEAST)).tables
        assert any(table.shown and table.rows for table in shown)
        text = written(held, tmp_path / "r.html", data)
        assert not re.search("<h3>[^<]*(First rows|who is in)", text)
        assert "No row of the table" not in text


def test_what_nobody_told_of_a_table_is_not_said_as_known() -> None:
    """Whether each row is a person, and bounds that are for looking only."""
    looked = Codebook((("x", About(low=0, high=8, source="a guess")),))
    assert "Nobody told" in dict(report.about_table("t", looked, None))["Who is a person"]
    each = looked.with_each_row()
    assert dict(report.about_table("t", each, None))["Who is a person"] == "Each row is one person."
    ((*_, bounds, known),) = report.about_columns(looked, None).rows
    assert (bounds, known) == ("0 – 8", "no: for looking only")


def test_without_exact_answers_neighbours_have_one_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that is not drawn with noise says that it stays; no digest, and no number of rows."""
    words = (f"explore {X}", "anonymity", "clipping column=x", "survey")
    ledger, sides = Replayed(), list[list[bytes]]()
    for data in (HERE, MORE):
        held, made = session(data, *words), list[bytes]()
        for name in ("r.html", "r.pdf"):
            written(held, tmp_path / name, data.described(KNOWN), ledger, hides=True)
            made += [(tmp_path / name).read_bytes(), (tmp_path / "r-references.bib").read_bytes()]
        sides.append(made)
        monkeypatch.setattr(leaving, "_check", lambda *given: None)
    assert sides[0] == sides[1]
    text = sides[0][0].decode()
    Whole(text)
    assert HERE.digest not in text
    assert text.count("Not in this report:") == 1
    assert "No row of the table is in this report." in text
    assert "All of this page is exact" in text


def test_what_cannot_be_reported_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = open_table("adult")
    hiding = session(data, "explore show_truth=no", "survey")
    text = written(hiding, tmp_path / "r.html", data)
    assert "it is in a report without the exact answers" in text
    with pytest.raises(SessionError, match="no page “nowhere”"):
        reporting.reported(hiding, ["nowhere"])
    kept = tmp_path / "s.dpstudio"
    write_session(hiding, kept)
    out = tmp_path / "c.html"
    words = ["report", str(kept), "--page", "survey"]
    assert cli.main([*words, "--out", str(out)]) == 0
    assert "<h2>1 · Survey</h2>" in out.read_text(encoding="utf-8")
    assert capsys.readouterr().out.split() == [str(out), str(out.with_name("c-references.bib"))]
    assert cli.main([*words, "--out", "r.docx"]) == 2
    own = tmp_path / "own.csv"
    own.write_text("age\n40\n41\n")
    other = Session(str(own), open_table(str(own)).digest, hiding.labs, "explore")
    write_session(other, kept)
    assert cli.main(["report", str(kept), "--out", str(out), "--without-truth"]) == 2
    assert "one row could change what leaves" in capsys.readouterr().err
    own.write_text("age\n40\n42\n")
    assert cli.main(["report", str(kept), "--out", str(out)]) == 2
    assert "another one by now" in capsys.readouterr().err


def test_whether_the_table_is_another_one_is_not_told_without_exact_answers(tmp_path: Path) -> None:
    """One row decides it; with them it is said before anything is written."""
    headless()
    lab = lab_of_words(["explore", "query.where=age>50"])
    held, out = Session("adult", "0" * 64, (lab,), "explore"), tmp_path / "r.html"
    given = handing_out.Tables(), forgotten(), FigureImages()
    with pytest.raises(SessionError, match="another one by now"):
        reporting.write_report(held, out, *given, effort=LEAST)
    reporting.write_report(held, out, *given, effort=LEAST, hides=True)
    assert "Not in this report" not in out.read_text(encoding="utf-8")
