"""What is for paper: the type of figures in mm, fonts inside, hand-outs that need nothing, and
tables for LaTeX and Markdown."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import secrets
import zlib
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fontTools.ttLib import TTFont
from neighbours import TOLD
from visits import talk_of_visits

from dpstudio import cli
from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.data.stand_in import StandIn
from dpstudio.files import handing_out
from dpstudio.files.assets import asset
from dpstudio.files.handing_out import Tables, hand_out, lesson, played, public
from dpstudio.files.session import Second, SessionError
from dpstudio.files.tables import open_table
from dpstudio.files.talk import Ask, Step, Talk, read_talk, talk_from_json, talk_json, write_talk
from dpstudio.files.write import export, handout, leaving, tabular
from dpstudio.files.write.foot import Paragraph, Part, fitted
from dpstudio.files.write.paper import PAPERS
from dpstudio.gui.board.render import FigureImages, headless
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.findings import Table
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.messages import Num, render, say, unchanged


def nobody(*told: object) -> None:
    """Who listens to nothing."""


LEAST = Effort(points=0.02, draws=0.02, replays=2)


def people(rows: int) -> Dataset:
    frame = pd.DataFrame({"x": [float(i % 9) for i in range(rows)]})
    return Dataset(frame, "people", "/home/me/people.csv", f"{rows:064d}")


def inflated(pdf: bytes) -> bytes:
    """The streams of a PDF as they were before they were packed."""
    out = b""
    for found in re.finditer(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        packed = zlib.decompressobj()
        try:
            out += packed.decompress(found[1])
        except zlib.error:
            out += found[1]
    return out


@pytest.mark.parametrize("preset", ["one-column", "two-columns"])
def test_type_in_a_column_is_7_to_9_pt_and_its_font_inside(tmp_path: Path, preset: str) -> None:
    headless()
    lab, data, paper = Explore(query=Count(where="x > 4")), people(60), PAPERS[preset]
    *_, found = lab.run(data)
    paths = [tmp_path / f"a.{kind}" for kind in ("svg", "pdf", "png", "csv")]
    export.chart_files(found.figures[0], lab, data, paths, FigureImages(), paper=paper)
    svg, pdf = paths[0].read_text(encoding="utf-8"), paths[1].read_bytes()
    assert (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{paper.width}.00mm"' in svg
    )
    sizes = {float(size) * 0.75 for size in re.findall(r'font-size="([\d.]+)"', svg)}
    assert 7 <= min(sizes) <= max(sizes) <= 9
    # What stands in the PDF: the size of each type, times the scale above it, in pt.
    content = inflated(pdf).decode("latin-1")
    number = r"(-?[\d.]+)"
    set_type = (
        rf"{number} {number} -?[\d.]+ -?[\d.]+ -?[\d.]+ -?[\d.]+ cm[^Q]*?BT\s+/F\d+ {number} Tf"
    )
    measured = [
        float(size) * float(np.hypot(float(a), float(b))) * 0.75
        for a, b, size in re.findall(set_type, content)
    ]
    assert len(measured) >= svg.count("<text")
    told = sorted({round(size, 2) for size in measured})
    assert told == pytest.approx(sorted(sizes), abs=0.01)
    assert pdf.count(b"/FontFile2") >= 2
    assert "dpstudio:Parameters" in content
    assert "not a private release" in content
    assert "seed" in content
    wide = float(re.search(rb"/MediaBox \[0 0 (\d+)", pdf)[1])  # type: ignore[index]
    assert wide == pytest.approx(paper.width / 25.4 * 72, abs=0.5)
    # pHYs: dots a metre
    at = paths[2].read_bytes().index(b"pHYs") + 4
    assert int.from_bytes(paths[2].read_bytes()[at : at + 4]) == round(300 / 0.0254)


def test_a_csv_has_what_is_drawn_bit_for_bit(tmp_path: Path) -> None:
    lab, data = Explore(query=Count(where="x > 4")), people(60)
    *_, found = lab.run(data)
    figure = found.figure("tradeoff")
    line = next(layer for layer in figure.layers if hasattr(layer, "y") and np.size(layer.y) > 9)
    gone = next(layer for layer in figure.layers if layer.key != line.key)
    path, hidden = tmp_path / "a.csv", frozenset({gone.key})
    export.chart_files(figure, lab, data, [path], FigureImages(), hidden=hidden)
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    read = np.array([(float(r["x"]), float(r["y"])) for r in rows if r["layer"] == line.key])
    np.testing.assert_array_equal(read, np.column_stack([line.x, line.y]))
    assert gone.key not in {row["layer"] for row in rows}


def test_warnings_are_in_the_caption_and_the_metadata_and_not_in_the_art() -> None:
    lab, data, paper = Explore(query=Count(where="x > 4")), people(60), PAPERS["one-column"]
    *_, found = lab.run(data)
    figure, warned = found.figure("published"), "not a private release"

    def drawn(**parts: bool) -> tuple[str, str]:
        svg = export.chart_svg(figure, lab, data, paper=replace(paper, **parts))
        made = re.search("<metadata>.*</metadata>", svg)
        assert made is not None
        words = unescape(" ".join(re.findall("<text[^>]*>([^<]*)", svg)))
        return words, unescape(made[0])

    for parts in ({}, {"title": False, "footer": False}, {"caption": False}):
        words, made = drawn(**parts)
        assert (warned.split()[-1] in words) == parts.get("caption", True)
        assert warned in made
    assert "dpstudio" not in drawn(footer=False)[0]
    assert figure.source not in drawn(footer=False)[0]


def test_what_has_no_room_below_a_chart_is_left_out_but_no_warning() -> None:
    told = Paragraph((Part("What it shows.", 2), Part("More of it.", 2), Part("Not private.")))
    made = Paragraph((Part("dpstudio", 1), Part("rows with age over 50", 3)), " · ", True)
    foot, room = (told, made, Paragraph((Part("A source", 4),))), 150.0

    def lines(most: float) -> list[str]:
        return fitted(foot, 11.0, room, most)

    assert lines(0) == ["Not private."]
    assert lines(2) == ["What it shows. Not private.", "dpstudio · …"]
    assert lines(3) == ["What it shows. More of it.", "Not private.", "dpstudio · …"]
    assert lines(9)[2:] == ["dpstudio · rows with age", "over 50", "A source"]


@dataclass
class Remembered:
    """A ledger that gives every table what was drawn of the first."""

    memory: dict[str, Any] = field(default_factory=dict)
    told: tuple[Any, ...] = ()
    data: Any = None

    def draws_of(self, data: Dataset, export: Any = None) -> Remembered:
        self.data = data
        return self

    def draw(self, asked: Any, cost: Any, make: Any) -> Any:
        assert not isinstance(self.data, StandIn)
        made = make(self.data, ReleaseRandom(secrets.randbelow))
        return self.memory.setdefault(json.dumps(asked), made)


def test_a_hidden_step_is_the_same_for_neighbours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    headless()
    lab, ledger, sides = Explore(query=Count(where="x > 4"), show_truth=False), Remembered(), []
    for rows in (60, 61):
        data = people(rows)
        step = Step("Hidden", lab.with_(seed=7), data.origin, data.digest, "About {fact.answer}.")
        step = replace(step, second=Second("/nowhere/register.csv", "ab"))  # not even opened
        step = replace(step, reading=TOLD)
        tables = Tables()
        monkeypatch.setattr(tables, "_held", {(data.origin, TOLD): data})
        html, pdf = tmp_path / "a.html", tmp_path / "a.pdf"
        for path in (html, pdf):
            hand_out(Talk("T", (step,)), path, tables, ledger, FigureImages(), effort=LEAST)  # type: ignore[arg-type]
            monkeypatch.setattr(leaving, "_check", lambda *given: None)
        sides.append((html.read_bytes(), pdf.read_bytes()))
    assert sides[0] == sides[1]
    attached = public(Talk("T", (step,))).steps[0]
    assert (attached.digest, attached.table, attached.lab.seed) == ("", "people.csv", 1)  # type: ignore[attr-defined]
    assert attached.second is None
    # Bounds that nobody knows from outside may be those of one row.
    known, found = About(low=0, high=9, attested=True), About(type="number", low=0.5, high=97)
    book = Codebook((("x", found), ("y", known)), person="who", most=2)
    attached = public(Talk("T", (replace(step, codebook=book),))).steps[0]
    told = Codebook((("x", About(type="number")), ("y", known)), person="who", most=2)
    assert attached.codebook == told


# These stand for all labs, which `soak.py --only states` hands out.
_SOME = ("explore", "clipping", "anonymity", "dimension", "survey", "owners", "stories")


def test_a_talk_on_a_table_of_persons_is_handed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also its steps of labs that read no table, which name no file; with each kind of
    solutions."""
    talk = talk_of_visits(tmp_path)
    tables = Tables()
    assert all(tables(step).rows for step in talk.steps)
    steps = tuple(step for step in talk.steps if step.lab.key in _SOME)
    talk, once, made = replace(talk, steps=steps), list[handout.Sheet](), handing_out._sheets
    monkeypatch.setattr(handing_out, "_sheets", lambda *a: once or once.extend(made(*a)) or once)
    for solutions in handout.SOLUTIONS:
        out = tmp_path / f"{solutions}.html"
        chosen: dict[str, Any] = {"effort": LEAST, "solutions": solutions}
        hand_out(talk, out, tables, Remembered(), FigureImages(), **chosen)  # type: ignore[arg-type]
        assert out.read_text(encoding="utf-8").count("<svg") >= len(_SOME)


def test_a_step_of_two_tables_is_worked_out_on_both(tmp_path: Path) -> None:
    first, second = tmp_path / "few.csv", tmp_path / "all.csv"
    first.write_text("age,sex\n" + "40,M\n41,F\n" * 6)
    second.write_text("age,sex\n" + "40,M\n41,F\n" * 9)
    beside = Second("/elsewhere/all.csv", open_table(str(second)).digest)
    tables, data = Tables(tmp_path), open_table(str(first))
    lab = lab_kind("anonymity")().suited(data)
    step = Step("Risk", lab, str(first), second=beside)
    found = played(step, data, Remembered(), LEAST, beside=tables.beside).findings  # type: ignore[arg-type]
    assert "few.csv + all.csv" in export.footer(found.figures[0], lab, data)[1]
    inside = export.metadata(found.figures[0], lab, data)
    assert inside["Second table"] == f"name all.csv, rows 18, sha256 {beside.digest}"
    assert export.metadata(found.tables[0], lab, data)["Second table"] == inside["Second table"]
    assert "“all.csv”, beside this table, is the population: 18" in render(
        found.sentence("stands").say
    )
    with pytest.raises(SessionError, match=r"all\.csv is another one"):
        tables.beside(replace(step, second=replace(beside, digest="ab")))


def test_a_hand_out_needs_nothing_and_gives_the_talk_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out = lesson("averaging"), tmp_path / "a.html"
    assert found is not None
    assert cli.main(["handout", "averaging", "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert "Step 3 of 3: Against it" in said.err
    assert said.out == f"{out}\n"
    text = out.read_text(encoding="utf-8")
    assert not re.search(r"<script|https?://|<img|<link|@import|url\(", text)
    assert text.count('<svg role="img" aria-labelledby=') == len(read_talk(found).steps)
    body = re.search('base64,([^"]*)"', text)
    assert body is not None
    attached = json.loads(base64.b64decode(body[1]))
    assert talk_from_json(attached, out) == read_talk(found)


def test_a_step_whose_chart_is_gone_shows_the_first(adult: Dataset) -> None:
    """As on the screen; one that is about a table shows none."""
    headless()
    data = talk_json(Talk("Old", (Step("1", lab_kind("dimension")(), chart="clouds"),)))
    (step,) = talk_from_json(data, Path("old.dptalk")).steps
    here = handout.Played(step.lab, adult, step.lab.last(Context(adult, effort=LEAST)))
    (table, *_), charts = here.findings.tables, [f.key for f in here.findings.figures]
    assert "clouds" not in charts
    gone, first, told = (
        handout.sheet_of(replace(step, chart=key), here).chart
        for key in ("clouds", charts[0], table.key)
    )
    assert gone == first != ""
    assert not told


def test_nothing_tells_an_answer_before_the_solutions(tmp_path: Path) -> None:
    """What the question of a step is about stands in its words, its chart and those of the next
    step; with the solutions left out none of them is on any page, and no talk is attached."""
    headless()
    found, asked, after = lesson("count"), "How far off will a typical answer be then?", "errs by"
    assert found is not None
    made, tables, pages = read_talk(found), Tables(), dict[str, str]()
    sheets = list(handing_out._sheets(made, tables, Remembered(), LEAST, nobody, nobody, unchanged))  # type: ignore[arg-type]
    sheets = handout.answering(sheets, made)
    assert [sheet.answers for sheet in sheets] == [False, False, True, True, True]
    for kept in handout.SOLUTIONS:
        pages[kept] = handout.handout_html(made, sheets, solutions=kept)
        if kept != handout.FOLDED:
            pages[f"{kept} pdf"] = "".join(handout.page_svgs(made, sheets, solutions=kept))
    with pytest.raises(ValueError, match="fold"):
        list(handout.page_svgs(made, sheets, solutions=handout.FOLDED))
    for kept, page in pages.items():
        text = unescape(re.sub("<[^>]*>", " ", page))
        assert asked.split()[-2] in text
        if kept.startswith("none"):
            assert after not in text
            assert sheets[2].answer not in text
            assert "base64" not in page
            assert "What it promises a person" not in text  # a title alone is no page
            assert page.count('<svg role="img"') == (0 if "pdf" in kept else 2)
        elif kept.startswith("last"):
            assert text.index("How far off") < text.index("Solutions") < text.index(after)
            assert text.index("Solutions") < text.index(sheets[2].answer)
    opened = re.sub("<details>.*?</details>", "", pages["folded"], flags=re.DOTALL)
    assert after in pages["folded"]
    assert after not in opened
    assert opened.count("<svg") == 2
    assert pages["folded"].count("<svg") == len(sheets)


_NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?")


@pytest.mark.parametrize("name", [path.stem for path in sorted(asset("lessons").glob("*.dptalk"))])
def test_no_lesson_tells_what_it_asks(name: str) -> None:
    """But for the questions themselves and their options, a hand-out without solutions holds no
    number that is right, not even nearly, and neither its titles nor its sentences a right word."""
    headless()
    found = lesson(name)
    assert found is not None
    talk = read_talk(found)
    made = handing_out._sheets(talk, Tables(), Remembered(), LEAST, nobody, nobody, unchanged)  # type: ignore[arg-type]
    sheets = handout.answering(list(made), talk)
    bare = [replace(one, ask=one.ask and Ask("?")) for one in sheets]
    pages = (
        handout.handout_html(talk, bare, solutions="none"),
        "".join(handout.page_svgs(talk, bare, solutions="none")),
    )
    assert any(sheet.ask for sheet in sheets)
    said = [talk.name, talk.about, *(one.title for one in sheets if one.ask or not one.answers)]
    said += [one.words for one in sheets if not one.answers]
    for page in pages:
        page = re.sub("<metadata>.*?</metadata>|<style>.*?</style>", "", page, flags=re.DOTALL)
        seen = unescape(re.sub("<[^>]*>", " ", page))
        numbers = [float(one.replace(",", "")) for one in _NUMBER.findall(seen)]
        for sheet in sheets:
            if sheet.ask is None:
                continue
            assert sheet.title in seen
            for one in _NUMBER.findall(sheet.answer):
                right = float(one.replace(",", ""))
                assert not [n for n in numbers if abs(n - right) <= 0.01 * right], sheet.title
            options = sheet.ask.options or (sheet.answer,)
            named = [one for one in options if handout._holds(" ".join(said), one.split()[-1])]
            assert named != [sheet.answer], sheet.title  # where others are named, too, none is told


@pytest.mark.parametrize(
    ("text", "answer", "held"),
    [
        ("errs by ± 1,000 on average", "1,000", True),
        ("of 11,000 people", "1,000", False),
        ("of 1,000,000 people", "1,000", False),
        ("It is 0.3.", "0.3", True),
        ("It is 0.31", "0.3", False),
        ("It gets worse", "worse", True),
        ("worsened", "worse", False),
        ("it errs by 1,000", "±1,000", True),
        ("of 1000 people", "±1,000", True),
        ("of 10 people", "± 10", False),  # so short a number stands anywhere
    ],
)
def test_an_answer_is_found_where_it_stands_alone(text: str, answer: str, held: bool) -> None:
    lab, ask = Explore(), Ask("?", (answer, "no"), 0)
    steps = (Step("1", lab, ask=ask), Step("2", lab_kind("compare")()))
    sheets = [handout.Sheet("1", "", "", ask=ask, answer=answer), handout.Sheet("2", text, "")]
    for made in (sheets, [sheets[0], handout.Sheet("2", "", f"<text>{text}</text>")]):
        assert [one.answers for one in handout.answering(made, Talk("T", steps))] == [True, held]
        # A number that is asked for later is not said before; an option may be.
        for asked, before in ((ask, False), (Ask("?", fact="f"), held)):
            late = [made[1], replace(made[0], ask=asked)]
            talk = Talk("T", (steps[1], replace(steps[0], ask=asked)))
            assert [one.answers for one in handout.answering(late, talk)] == [before, True]


def test_no_row_decides_whether_a_hidden_step_is_a_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a question whose answer is exact, 25 or 26, nothing is on a page without solutions. Whether
    a step of another page, that hides it, has that number in its words is no page's to tell."""
    headless()
    ledger, sides, count = Remembered(), [], Count(where="x > 4")
    for rows in (60, 61):
        data, tables = people(rows), Tables()
        monkeypatch.setattr(tables, "_held", {(data.origin, TOLD): data})
        asks = Step("How many?", Explore(query=count), data.origin, ask=Ask("?", fact="truth"))
        after = lab_kind("compare")(query=count, show_truth=False)  # type: ignore[call-arg]
        says = Step("Then", after, data.origin, say="Of 26 we know {fact.answer}.")
        talk = Talk("T", tuple(replace(step, reading=TOLD) for step in (asks, says)))
        paths = [tmp_path / "a.html", tmp_path / "a.pdf"]
        for path in paths:
            hand_out(talk, path, tables, ledger, FigureImages(), effort=LEAST, solutions="none")  # type: ignore[arg-type]
        sides.append([path.read_bytes() for path in paths])
    assert sides[0] == sides[1]
    assert b"Of 26 we know" in sides[0][0]


def test_two_equal_files_have_equal_bytes(tmp_path: Path) -> None:
    headless()
    lab, data = Explore(query=Count(where="x > 4")), people(60)
    *_, found = lab.run(data)
    for name in "ab":
        paths = [tmp_path / f"{name}.{kind}" for kind in ("svg", "pdf", "png")]
        paper = PAPERS["two-columns"]
        export.chart_files(found.figures[0], lab, data, paths, FigureImages(), paper=paper)
    for kind in ("svg", "pdf", "png"):
        one, other = ((tmp_path / f"{name}.{kind}").read_bytes() for name in "ab")
        assert one == other
    assert b"Date" not in (tmp_path / "a.pdf").read_bytes()


def test_letters_are_inside_and_can_be_copied(tmp_path: Path) -> None:
    """Each character of an SVG has a glyph in its fonts, one for each weight; each glyph of a PDF
    has a character, so that "error = ± 2 > 1" is copied as it stands."""
    headless()
    lab, data = Explore(query=Count(where="x > 4")), people(60)
    *_, found = lab.run(data)
    paths = [tmp_path / f"a.{kind}" for kind in ("svg", "pdf")]
    paper = PAPERS["two-columns"]
    export.chart_files(found.figures[0], lab, data, paths, FigureImages(), paper=paper)
    svg = paths[0].read_text(encoding="utf-8")
    words = unescape(re.sub("<[^>]*>", "", "".join(re.findall("<text.*?</text>", svg, re.DOTALL))))
    assert set("±=>") <= set(words)
    faces = re.findall(r"font-weight:(\d+);src:url\(\"data:font/woff;base64,([^\"]*)", svg)
    assert {weight for weight, _ in faces} == {"400", *re.findall('font-weight="(\\d+)"', svg)}
    for _, body in faces:
        with TTFont(io.BytesIO(base64.b64decode(body))) as font:
            assert {ord(letter) for letter in words if not letter.isspace()} <= set(
                font.getBestCmap()
            )
    maps = re.findall(
        rb"begincodespacerange(.*?)endcmap", inflated(paths[1].read_bytes()), re.DOTALL
    )
    assert len(maps) >= 2
    for one in maps:
        told = set()
        for low, high in re.findall(rb"\n<([0-9A-F]{4})> <([0-9A-F]{4})> [\[<]", one):
            told |= set(range(int(low, 16), int(high, 16) + 1))
        assert told == set(range(max(told) + 1))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nowhere.dptalk", "--out", "a.html"], "could not be read"),
        (["averaging", "--out", "a.txt"], ".html or .pdf"),
        (["averaging", "--solutions", "folded", "--out", "a.pdf"], "Paper does not fold"),
        (
            ["changed.dptalk", "--out", "a.pdf"],
            "Step 1 of 1, Changed: The table adult is another one",
        ),
    ],
)
def test_a_hand_out_that_cannot_be_made_is_one_sentence(
    words: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_talk(Talk("T", (Step("Changed", Explore(), "adult", "0" * 64),)), Path("changed.dptalk"))
    assert cli.main(["handout", *words]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / words[-1]).exists()


def test_tables_for_latex_and_markdown_say_what_they_said() -> None:
    columns = (("a", ("50 % & more_{x}", "a|b\\c *d* <e>")), ("b", (Num(3e-5), say("±{n}", n=2))))
    table = Table("k", "T", columns, shown=True, heads=("ε₁ ≤ 1", "n"))
    assert tabular.table_latex(table).splitlines() == [
        "% T",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"$\varepsilon$$_{1}$ $\leq$ 1 & n \\",
        r"\midrule",
        rf"50 \% \& more\_\{{x\}} & {tabular.latex(str(Num(3e-5)))} \\",
        r"a$|$b\textbackslash{}c *d* $<$e$>$ & $\pm$2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert tabular.latex("10⁻⁵") == "10$^{-5}$"
    assert tabular.table_markdown(table, [(1, 0)]).splitlines() == [
        "| ε₁ ≤ 1 |",
        "| --- |",
        r"| a\|b\\c \*d\* \<e\> |",
    ]
