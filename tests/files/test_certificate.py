"""What a release writes: tables that add up, and a certificate of which every changed byte is noticed,
alone or against its ledger."""

import csv
import io
import json
import math
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from running import PLAIN, speaking
from test_booked_release import PLAN, TABLE, ledger

from dpstudio import cli
from dpstudio.cli.booking import listing
from dpstudio.files import language
from dpstudio.files.booked.certificate import (
    Stated,
    certificate_text,
    digest_of,
    planned_certificate,
    stated,
)
from dpstudio.files.booked.certificate_page import certificate_sheets, lead, parts
from dpstudio.files.booked.releasing import Desk, Line, Released, Source
from dpstudio.files.booked.tables import line_schema
from dpstudio.files.booked.verify import verified
from dpstudio.files.booked.written import write_release
from dpstudio.files.ledgers.amounts import EPSILON, RHO, Cap, LedgerError, Terms
from dpstudio.files.ledgers.book import BOOKED, Book, State, make_ledger
from dpstudio.files.plan_file import write_plan_file
from dpstudio.files.read.told import told_words
from dpstudio.plans.exact import in_short
from dpstudio.plans.methods import protects
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import LAPLACE, Count, Histogram, MostCommon
from dpstudio.values.messages import render, say

SAID = Stated("the city", "the act", "none needed")


class Paper:
    """A PDF is its words."""

    def pdf(
        self, svg: Any, path: Path, metadata: Mapping[str, str], attached: Mapping[str, bytes]
    ) -> None:
        path.write_bytes(b"%PDF" + "".join(svg).encode() + b"%%EOF\n")


def written(folder: Path, **more: Any) -> tuple[Book, dict[str, Path]]:
    book = ledger(folder)
    made = Desk(book).release(PLAN, Source(TABLE))
    paths = write_release(made, book, folder / "out", said=SAID, pictures=Paper(), **more)
    return book, {path.name: path for path in paths}


def told(path: Path, book: Book | None = None) -> tuple[bool, str]:
    """Whether all holds, and all that is said."""
    try:
        found = list(verified(path, book))
    except LedgerError as error:
        return False, render(error.sentence)
    return all(each.holds for each in found), " ".join(render(each.say) for each in found)


def test_every_changed_byte_of_a_certificate_is_noticed(tmp_path: Path) -> None:
    """Also one that is taken away or added, at the end too; of pages some places stand for all."""
    book, paths = written(tmp_path)
    for kind, apart in (("json", 397), ("html", 1997), ("pdf", 9973)):
        path = paths[f"certificate.{kind}"]
        body, (holds, words) = path.read_bytes(), told(path, book)
        assert holds, words
        assert "not checked" in told(path)[1]
        places = [*range(0, len(body), apart), *range(len(body) - 300, len(body), 7)]
        for place in places:
            for odd in (bytes([body[place] ^ 1]), b"", b" " + body[place : place + 1]):
                path.write_bytes(body[:place] + odd + body[place + 1 :])
                assert not told(path)[0], (kind, place, odd)
        for odd in (body + b"\n", body[:-1], body[1:], body.replace(b"6", b"7"), b"", b"{}"):
            path.write_bytes(odd)
            assert not told(path)[0]
        path.write_bytes(body)


def test_a_name_that_looks_like_the_last_line_of_a_page_is_a_name(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    question, share = Count(name="dpstudio-certificate <!-- {} -->"), PLAN.split[0]
    made = Desk(book).release(Plan(PLAN.terms, (question,), (share,)), Source(TABLE))
    paths = write_release(made, book, tmp_path / "out", pictures=Paper())
    assert [told(path, book)[0] for path in paths if path.stem == "certificate"] == [True] * 3


def test_a_certificate_with_a_new_digest_is_noticed_against_its_ledger(tmp_path: Path) -> None:
    book, paths = written(tmp_path)
    path = paths["certificate.json"]
    held = json.loads(path.read_text())
    held["questions"][0]["numbers"][0]["value"] = "7"
    held["digest"] = digest_of(held)
    path.write_text(certificate_text(held))
    assert told(path)[0]  # alone it is a certificate
    assert told(path, book) == (False, told(path, book)[1])
    assert "not of this ledger" in told(path, book)[1]


@pytest.mark.parametrize("name", ["certificate.json", "certificate.html"])
def test_a_ledger_that_was_changed_is_noticed(name: str, tmp_path: Path) -> None:
    """Cut off at its end, edited in the middle, made anew, taken away; a withdrawn answer is told."""
    book, paths = written(tmp_path)
    path, whole = paths[name], book.path.read_bytes()

    def by_hand(statement: str) -> None:
        book.path.write_bytes(whole)
        with sqlite3.connect(book.path) as base:
            for (trigger,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
                base.execute(f"DROP TRIGGER {trigger}")
            base.execute(statement)

    for statement, words in (
        ("DELETE FROM entries WHERE n > 5", "Entry 6 is not in the ledger"),
        ("UPDATE entries SET body = replace(body, 'count', 'counts') WHERE n = 2", "was changed"),
    ):
        by_hand(statement)
        holds, heard = told(path, book)
        assert (holds, words in heard) == (False, True), heard
    (tmp_path / "other").mkdir()
    assert "Entry 3 is not in the ledger" in told(path, ledger(tmp_path / "other"))[1]
    assert not told(path, Book(tmp_path / "none"))[0]
    book.path.write_bytes(whole)
    book.withdraw(3, "wrong bounds")
    holds, heard = told(path, book)
    assert (holds, "withdrawn since: wrong bounds" in heard) == (True, True)
    write_release(Desk(book).release(PLAN, Source(TABLE)), book, tmp_path / "again")
    assert "withdrawn since: wrong bounds" in (tmp_path / "again" / "methods.txt").read_text()


def test_a_certificate_says_what_was_promised_and_what_is_not_covered(tmp_path: Path) -> None:
    """Both caps where one was raised, with its reason; who attests each question and from where;
    nothing of the table, and no word that a law is met but what was typed."""
    book = ledger(tmp_path)
    Desk(book).release(PLAN, Source(TABLE), ["count"])
    book.raise_cap(Cap(EPSILON, Fraction(200), Fraction(1, 100)), "the census asks again")
    made = Desk(book).release(PLAN, Source(TABLE))
    paths = write_release(made, book, tmp_path / "out", said=SAID)
    texts = [path.read_text() for path in paths if path.name.startswith("certificate")]
    held = json.loads(texts[0])
    (first, second), plan = held["ledger"]["caps"], held["plan"]
    assert (first["amount"], second["amount"]) == ("99", "200")
    assert (second["because"], "ε" in second["spent_by_then"]) == ("the census asks again", True)
    assert any("no bound was fixed beforehand" in each for each in held["not_covered"])
    assert any("no bound was fixed beforehand" in line for line in listing(made.state))
    assert plan["charged"]["accountant"]
    for question, line in zip(held["questions"], made.lines, strict=True):
        assert (question["attested_by"], question["from"]) == ("the steward", "the form")
        assert question["entry"] == line.head
        assert question["mechanism"]
        assert [cell["value"] for cell in question["numbers"]] == [
            c.value for c in line.cells(PLAN)
        ]
        if question["name"] == "mean of known size":
            assert "sum over 60 rows" in question["mechanism"]
    assert any("Of no rows there is no mean" in each for each in held["not_covered"])
    assert "each row is taken for a person" in plan["protects"][1]
    assert "names nobody counts nowhere" in render([*protects(PLAN, "g")][1])
    asks = {q["name"]: q["asks"] for q in held["questions"]}
    assert (asks["sum"]["Lowest"], asks["sum"]["Highest"]) == ("0", "8")
    paid = in_short(Fraction(plan["charged"]["epsilon"]))
    page, cost = texts[1], render(say("ε = {e}", e=paid))
    assert page.index(held["ledger"]["population"]) < page.index(cost) < page.index("<h2>")
    exact, read = plan["charged"]["rho"], re.findall(r"Σρ = ([\d.e-]+)", page)[0]
    assert len(read) < len(exact)
    assert Fraction(exact) <= Fraction(read) <= Fraction(exact) * Fraction(10001, 10000)
    for text in texts:
        assert TABLE.digest not in text
        assert "people.csv" not in text
        for word in ("gdpr", "comply", "complies", "lawful", "compliant", "anonym", "guaranteed"):
            assert word not in text.lower()
        assert {"the city", "the act", "none needed"} <= {
            w for w in SAID.__dict__.values() if w in text
        }
    with pytest.raises(LedgerError, match="controller, basis"):
        stated(["lawful=yes"])


@pytest.mark.parametrize("measure", [EPSILON, RHO])
def test_a_certificate_says_when_so_much_was_left_and_what_the_promise_means(
    measure: str, tmp_path: Path
) -> None:
    """Its “Left” stood there without a time, and later releases overtook it."""
    cap = Cap(measure, Fraction(1), Fraction(1, 10**5))
    book = make_ledger(tmp_path / "a.dpledger", "people", Terms(adjacency="replace"), cap)
    question, share = Count(name="a"), Share(LAPLACE, Fraction(1, 10))
    plan = Plan(PLAN.terms, (question,), (share,))
    held = planned_certificate(book, plan)
    rows = dict(row for _, more in parts(held) for row in more)
    assert rows["Left when this was written"] == held["ledger"]["left"]
    assert any("later releases take from it" in each for each in held["not_covered"])
    means = dict(lead(held))
    told = [int(n) for n in re.findall(r"at most (\d+)", means["For one person"])]
    assert 100 * math.exp(0.1) / (1 + math.exp(0.1)) <= told[0] == 53
    epsilon, delta = map(float, cap.promise)
    whole = (math.exp(epsilon) + delta) / (1 + math.exp(epsilon))
    assert 0 <= told[1] - 100 * whole < 1
    assert "exact figures" in means["From now on"]
    months = Terms("person-month", 12, "replace")
    book = make_ledger(tmp_path / "months.dpledger", "people", months, cap)
    assert "cap" not in dict(lead(planned_certificate(book, plan)))["For one person"]
    text = certificate_text({**held, "means": []})  # as before it was said
    assert "For one person" not in dict(lead(json.loads(text)))


def test_without_answers_nothing_is_opened_drawn_or_paid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So it is the same beside any table, and verified like another."""
    book, plan = ledger(tmp_path), tmp_path / "plan.json"
    write_plan_file(plan, PLAN)
    found = []
    for place in ("a", "b"):
        (tmp_path / f"{place}.csv").write_text(f"x\n{place}\n")
        call = ["release", str(plan), "--ledger", str(book.path), "--without-answers"]
        call += ["--data", str(tmp_path / f"{place}.csv"), "--out", str(tmp_path / place)]
        assert cli.main(call) == 0
        found.append({path.name: path.read_bytes() for path in (tmp_path / place).iterdir()})
    assert found[0] == found[1]
    assert found[0].keys() == {"certificate.json", "certificate.html"}
    assert len(book.state().entries) == 1
    assert "numbers" not in json.dumps(planned_certificate(book, PLAN)["questions"])
    capsys.readouterr()
    for name in found[0]:
        assert cli.main(["verify", str(tmp_path / "a" / name), "--ledger", str(book.path)]) == 0
    assert "Entry 1 is in the ledger" in capsys.readouterr().out
    assert cli.main(["verify", str(plan)]) == 2
    assert "no certificate" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("explore-law.csv", "was saved with the exact answer"),
        ("certificate.html", "is not written over"),
    ],
)
def test_nothing_is_paid_where_exact_answers_or_a_certificate_would_lie_beside(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book, plan, out = ledger(tmp_path), tmp_path / "plan.json", tmp_path / "out"
    write_plan_file(plan, PLAN)
    out.mkdir()
    (out / name).write_text("# Software: dpstudio 1\n# Table: adult, sha256 12\n")
    call = ["release", str(plan), "--ledger", str(book.path), "--data", "adult", "--out", str(out)]
    assert cli.main(call) == 2
    assert why in capsys.readouterr().err
    assert len(book.state().entries) == 1


def test_tables_are_described_and_add_up(tmp_path: Path) -> None:
    """Columns are those of the metadata, numbers are numbers of their grid, totals sums; what a
    spreadsheet would take for a formula is words."""
    _, paths = written(tmp_path, base=Fraction(5))
    named = [name for name in paths if name.endswith(".csv")]
    assert len(named) == len(PLAN.questions)
    for name in named:
        head, *rows = csv.reader(io.StringIO(paths[name].read_text()))
        schema = json.loads(paths[f"{name}-metadata.json"].read_text())
        columns = schema["tableSchema"]["columns"]
        assert [each["titles"] for each in columns] == head
        assert schema["url"] == name
        for row in (dict(zip(head, each, strict=True)) for each in rows):
            if row["method"] not in ("exponential mechanism", "noisy max"):
                assert Fraction(row["value"]) % 5 == 0
            assert Fraction(row["half_width"]) >= 0
            assert row["method"]
    cells = list(csv.DictReader(io.StringIO(paths["table.csv"].read_text())))
    assert int(cells[-1]["value"]) == sum(int(each["value"]) for each in cells[:4])
    text = paths["methods.txt"].read_text()
    assert text.count("attested by the steward") == len(PLAN.questions)
    assert "whole steps of 5" in text


def test_a_certificate_in_chinese_is_so_to_its_totals_bins_and_units(tmp_path: Path) -> None:
    """Words of the table and what programs read stay."""
    with speaking("zh_CN"):
        language.use(language.written("zh_CN"), named=True)  # for what programs read as well
        _, paths = written(tmp_path)
        page = paths["certificate.html"].read_text(encoding="utf-8")
        schema = json.loads(paths["histogram.csv-metadata.json"].read_text(encoding="utf-8"))
    cells = set(re.findall("<td[^>]*>([^<]*)</td>", page))
    assert {"总和", "0到3", "a · 总和", "±24行"} <= cells
    assert not [each for each in cells if re.search("total| to |rows|ranks", each)]
    assert schema["@context"][1] == {"@language": "zh-CN"}
    assert "unreliable" in json.dumps(schema)
    assert "total" in paths["histogram.csv"].read_text(encoding="utf-8")


_FORMULA = "=cmd()"


def test_names_and_words_are_no_formulas(tmp_path: Path, monkeypatch: Any) -> None:
    from dpstudio.files.booked.tables import file_names, labelled, line_csv
    from dpstudio.plans.published import Cell
    from dpstudio.plans.question import ByGroup, Count, TwoWay

    question = ByGroup(name="../a", column="value", groups=(_FORMULA, "b"))
    text = line_csv(question, [Cell((_FORMULA,), "-3", "1", "", "", "m")])
    assert "'=cmd()" in text
    assert text.startswith("value (of the table),value,")
    assert ",-3," in text or "-3" in text.splitlines()[1]
    names = file_names([Count(name=n) for n in ("../a", "A", "a", "…", "../A")])
    assert len({*names}) == 5
    assert len({*file_names([Count(name=n) for n in ("a 3", "a", "A")])}) == 3
    assert len(file_names([Count(name="𐍈" * 90)])[0].encode()) < 230
    assert all("/" not in n and "." not in n and n for n in names)
    both = TwoWay(name="t", column="c", groups=("a", "b"), other="c", other_groups=("a", "b"))
    assert len({*labelled(both)}) == 2


def test_no_page_of_paper_parts_a_question_from_its_numbers(tmp_path: Path) -> None:
    """Its name stood at the foot of a sheet, its numbers on the next."""
    held = json.loads(written(tmp_path)[1]["certificate.json"].read_text())
    once = len(held["questions"])
    held["questions"] *= 9
    sheets = [*certificate_sheets(held)]
    parted = [
        (
            sheet.count(">Drawn by<"),
            sum(sheet.count(f">{q['name']}<") for q in held["questions"][:once]),
        )
        for sheet in sheets
    ]
    assert len(sheets) > 3
    assert sum(drawn for drawn, _ in parted) == 9 * once
    assert all(drawn == named for drawn, named in parted)


def test_a_chosen_word_is_no_number_though_it_looks_like_one() -> None:
    word = MostCommon(name="w", column="c", groups=("1/2", "2"))
    plan = replace(PLAN, questions=(word,), split=(Share("max", Fraction(1, 4)),))
    line = Line(word, plan.split[0], [{"drawn": [0]}], "1:", True, ())
    made = Released(plan, (line,), State(()))
    columns = json.loads(line_schema(made, line, "w", None))["tableSchema"]["columns"]
    assert [c["datatype"] for c in columns if c["name"] == "value"] == ["string"]


def test_a_bin_is_named_by_its_edges_to_the_last_digit() -> None:
    bins = Histogram(name="h", column="x", edges=(1, math.nextafter(1, 2), 2))
    plan = replace(PLAN, questions=(bins,), split=(Share("laplace", Fraction(1)),))
    line = Line(bins, plan.split[0], [{"step": "1", "drawn": [3, 4]}], "1:", True, ())
    assert [cell.labels[0] for cell in line.cells(plan)][:2] == [
        "1 to 1.0000000000000002",
        "1.0000000000000002 to 2",
    ]


@pytest.mark.parametrize("by", [{"whose": "id"}, {"person": "who “id” names"}])
def test_whose_row_it_is_follows_from_the_plan_without_a_word(
    by: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of forty rows of four people a plan of one row a person counts four, also where its file says
    so in words alone; by another column, or of a table that lacks it, it is refused by name, and
    the certificate says one thing."""
    table, lost = tmp_path / "rows.csv", tmp_path / "lost.csv"
    table.write_text("id,x\n" + "".join(f"{i % 4},{i % 9}\n" for i in range(40)))
    lost.write_text("no,x\n" + "".join(f"{i % 4},{i % 9}\n" for i in range(40)))
    terms = PLAN.terms.with_(epsilon=50, **by)
    write_plan_file(
        tmp_path / "plan.json", Plan(terms, (Count(name="all"),), (Share(LAPLACE, Fraction(50)),))
    )
    book = ledger(tmp_path)
    read = told_words(PLAIN.with_(types=("x=integer", "id=integer", "no=integer")))

    def release(data: Path, *more: str) -> str:
        call = ["release", str(tmp_path / "plan.json"), "--ledger", str(book.path), "--data"]
        status = cli.main([*call, str(data), "--read", read, *more])
        heard = capsys.readouterr()
        return f"{status} {heard.out} {heard.err}"

    assert "by “id”" in release(table, "--person", "x")
    assert "“id” is no column" in release(lost)
    assert not book.state().of(BOOKED)
    heard = release(table, "--out", str(tmp_path / "out"))
    assert re.search(r"\b4\s+±0", heard), heard
    held = json.loads((tmp_path / "out" / "certificate.json").read_text())["plan"]
    assert (held["person"], held["person_column"]) == ("who “id” names", "id")
    assert "One person is who “id” names" in held["protects"][0]
    assert "“id” says whose row it is" in held["protects"][1]
