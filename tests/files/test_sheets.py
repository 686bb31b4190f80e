"""What a workbook holds besides the values of its cells is said: errors, formulas without a value,
cells merged downwards, hidden sheets; and to look for it takes no more than so much."""

import io
from pathlib import Path

import pytest
from fuzz_reading import attempt
from nasty import changed, workbook

from dpstudio.files.asking import note_words
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats import sheet_xml
from dpstudio.files.read.outcome import Read, UncertainError
from dpstudio.values.messages import render

ROWS = [["name", "n", "m"], *([f"p{i}", i, i / 4] for i in range(1, 9))]


def read(book: bytes) -> tuple[Read, str]:
    found = attempt(book, Choices())
    assert isinstance(found, Read), str(found)
    return found, " ".join(map(render, note_words(found)))


def test_errors_are_missing_values_that_are_told() -> None:
    """Also where nothing says at which place a cell stands."""
    error = '<c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c>'
    book = changed(workbook(S=ROWS), "sheet1.xml", ('<c r="B3"><v>2</v></c>', error))
    for swaps in ((), (('<c r="B3" t', "<c t"), ('<row r="3"', "<row"))):
        found, told = read(changed(book, "sheet1.xml", *swaps))
        assert found.table.column("n").to_pylist() == [1, None, *range(3, 9)]
        assert "“#DIV/0!” (1)" in told
        assert ("#DIV/0!", 1) in found.columns[1].missing


def test_formulas_without_a_value_are_told() -> None:
    swaps = [(f'<c r="C{i}"><v>{(i - 1) / 4}</v>', f'<c r="C{i}"><f>B{i}/4</f>') for i in (3, 4)]
    kept = ('<c r="C5"><v>', '<c r="C5"><f>B5/4</f><v>')
    found, told = read(changed(workbook(S=ROWS), "sheet1.xml", *swaps, kept))
    assert found.table.column("m").to_pylist() == [0.25, None, None, 1.0, 1.25, 1.5, 1.75, 2.0]
    assert "2 formulas have no value" in told


def test_cells_merged_downwards_are_told_and_those_to_the_right_are_not() -> None:
    merges = '</sheetData><mergeCells count="1"><mergeCell ref="{}"/></mergeCells>'
    for ref, says in (("A3:A5", True), ("B3:C3", False)):
        book = changed(workbook(S=ROWS), "sheet1.xml", ("</sheetData>", merges.format(ref)))
        assert ("merged downwards" in read(book)[1]) == says


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_hidden_sheets_are_told_and_not_the_first_choice(state: str) -> None:
    book = workbook(First=[["x"], *([i] for i in range(30))], Second=ROWS)
    hidden = changed(book, "workbook.xml", ('name="First"', f'name="First" state="{state}"'))
    found, told = read(hidden)
    assert found.choices.part == "Second"
    assert "Hidden sheets of the workbook: First." in told
    assert "Hidden" not in read(book)[1]


def test_one_row_at_the_foot_is_one_row() -> None:
    for foot, why in (([], "the last row looks"), ([["Note: none"]], "2 rows at the end look")):
        found = attempt(workbook(S=[*ROWS, ["Total", 36, 9], *foot]))
        assert isinstance(found, UncertainError)
        assert render(found.preview.doubts[0].why).startswith(why)


def test_plain_sheets_are_not_searched_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(sheet_xml._Cells, "begin", lambda self, name, given: seen.append(name))
    assert sheet_xml.untold(io.BytesIO(workbook(S=ROWS)), "S") == sheet_xml.SheetErrors()
    assert not seen


@pytest.mark.parametrize("body", [b"", b"PK\3\4", b"no archive", workbook(S=ROWS)[:700]])
def test_what_is_no_archive_tells_nothing(body: bytes) -> None:
    assert sheet_xml.untold(io.BytesIO(body), "S") == sheet_xml.SheetErrors()


def test_a_bomb_of_entities_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is more read than so many bytes."""
    entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    error = '<c r="B3" t="e"><v>&b;</v></c>'
    swaps = (("<worksheet", entities + "<worksheet"), ('<c r="B3"><v>2</v></c>', error))
    body = changed(workbook(S=ROWS), "sheet1.xml", *swaps)
    assert sheet_xml.untold(io.BytesIO(body), "S") == sheet_xml.SheetErrors()
    monkeypatch.setattr(sheet_xml, "_MOST", 400)
    monkeypatch.setattr(sheet_xml, "_BLOCK", 100)
    late = changed(
        workbook(S=ROWS),
        "sheet1.xml",
        ('<c r="B9"><v>8</v></c>', error.replace("&b;", "#N/A").replace("B3", "B9")),
    )
    assert not sheet_xml.untold(io.BytesIO(late), "S").errors


def test_units_that_differ_are_told() -> None:
    """Of text cells as of a text: dollars and euros are not added up, and that is said."""
    rows = [["name", "pay"], *([f"p{i}", f"{'€$'[i % 2]}{i}.50"] for i in range(9))]
    found, told = read(workbook(S=rows))
    assert found.columns[1].kind == "words"
    assert "pay: Its numbers are in several units ($, €), so all stay words." in told
    assert "several units" not in read(workbook(S=[*rows[:1], *rows[1::2]]))[1]
