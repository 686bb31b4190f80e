"""The contract of files without the exact answer, from the bytes of the table on: of two files that
differ in one record, whatever it is, the same leaves, with the same words and status."""

from __future__ import annotations

import gzip
import random
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from neighbours import (
    DIALECTS,
    ELEMENTS,
    FORMATS,
    INNER,
    JSON,
    ROWS,
    TOLD,
    book,
    broken,
    json_array,
    line_of,
    odd_texts,
    text_file,
    texts,
)
from running import lab_of
from test_hidden_files import Replayed, spoken

from dpstudio import cli
from dpstudio.data.codebook import codebook_words
from dpstudio.files.asking import chosen
from dpstudio.files.read import choices, opening, outcome, signs, source
from dpstudio.files.read.told import settled, told_words, untold
from dpstudio.files.tables import open_table
from dpstudio.files.write.leaving import StaysError, leave
from dpstudio.values.parameters import domains

PLACES = (0, 30, 57)


def read(body: bytes, told: choices.Choices, name: str = "t.csv") -> tuple[list[str], list[Any]]:
    """The names of a file, and its rows."""
    made = opening.read_source(source.Source(name, source.Watch(), body=body), told, source.Watch())
    return made.table.column_names, list(zip(*made.table.to_pydict().values(), strict=True))


def others(rows: Sequence[Any], place: int) -> list[Any]:
    return [*rows[:place], *rows[place + 1 :]]


def moved(
    told: choices.Choices,
    records: list[bytes],
    odd: bytes,
    place: int,
    write: Callable[[Sequence[bytes], choices.Choices], bytes] = text_file,
) -> bool:
    """Whether a record changes more than the row in its place."""
    names, rows = read(write(records, told), told)
    here, now = read(write([*records[:place], odd, *records[place + 1 :]], told), told)
    return names != here or len(rows) != len(now) or others(rows, place) != others(now, place)


def drive(dialects: Sequence[choices.Choices], places: Sequence[int]) -> list[Any]:
    """The dialects and records of which one moves another; in files whose values stand in quotes
    where they must, in which all do, and in which some are open."""
    found = []
    for told in dialects:
        quotes = (False, True) if told.quote != "none" and told.delimiter != "wide" else (False,)
        files = [texts(told, always) for always in quotes]
        for records in (*files, broken(files[0], told)):
            pairs = ((odd, place) for odd in odd_texts(told) for place in places)
            found += [(told, *pair) for pair in pairs if moved(told, records, *pair)]
    return found


@pytest.mark.parametrize(
    "told",
    [
        TOLD,
        TOLD.with_(delimiter="semicolon", quote="single", escape="backslash"),
        TOLD.with_(delimiter="two_colons", ragged="merge", comment="hash", header="no"),
        TOLD.with_(delimiter="spaces", header="shifted", ragged="refuse"),
        TOLD.with_(delimiter="none", encoding="cp932", header="two"),
        TOLD.with_(delimiter="wide", skip=2, footer=2, encoding="utf-16-le"),
    ],
    ids=lambda told: told.delimiter,
)
def test_no_record_of_a_text_moves_another(told: choices.Choices) -> None:
    """Lines that break every rule, where others break them too; the first bytes of a file among
    them. Of all dialects `tests/soak.py --only hidden` asks."""
    assert not untold(told)
    assert drive([told], (30 if told.header != "no" else 0,)) == []


def open_file(records: Sequence[bytes], told: choices.Choices) -> bytes:
    """The same without the line end of the last record."""
    return text_file(records, told).removesuffix("\n".encode(told.encoding))


@pytest.mark.parametrize("rows", ["every", "open"])
@pytest.mark.parametrize("delimiter", ["none", "comma"])
@pytest.mark.parametrize("write", [text_file, open_file])
def test_the_last_record_moves_no_other(
    rows: str, delimiter: str, write: Callable[[Sequence[bytes], choices.Choices], bytes]
) -> None:
    """Without its line end a blank one cannot be seen; whether the text ends in one is told, and no
    record moves another where that is told wrongly."""
    told = TOLD.with_(rows=rows, delimiter=delimiter, header="yes")
    records = texts(told)
    assert not any(moved(told, records, odd, 59, write) for odd in odd_texts(told) if odd != b"\n")
    true = (rows == "open") == (write is open_file)
    assert len(read(write(records, told), told)[1]) == 60 + (not true) * (
        1 if rows == "open" else -1
    )


@pytest.mark.parametrize("write", [text_file, open_file])
def test_reading_shows_whether_the_last_line_ends(
    write: Callable[[Sequence[bytes], choices.Choices], bytes],
) -> None:
    """Packed or not; and what it says reads the same rows, and says so again."""
    body = write(texts(TOLD), TOLD)
    for held in (body, gzip.compress(body)):
        made = choices.Choices()
        for _ in range(2):
            file = source.Source("t.csv", source.Watch(), body=held)
            found = opening.read_source(file, made, source.Watch())
            assert found.table.num_rows == 60
            made = settled(found)
            assert made.rows == ("open" if write is open_file else "every")


def test_a_line_of_any_letters_moves_no_other() -> None:
    assert wild(60, 1) == []


_SIGNS = (*"\"a1\\' \r\0,;|#%\t\x85\x1c\x1a", '""', "\u2028", "\ufeff", "\ufffd", "::", "NA", "1,5")
_BYTES = (b"\xff", b"\x80", b"\xef\xbb", b"\xc3", b"\x81")


def wild(times: int, seed: int) -> list[tuple[choices.Choices, bytes]]:
    """Lines of signs that mean something, of which one moves another row: in files of any dialect,
    with a mark of their encoding or none, whose lines end so or so, or the last one not at all."""
    rng, found = random.Random(seed), []
    for _ in range(times):
        told = rng.choice(DIALECTS)
        code, records = told.encoding, broken(texts(told), told)
        wide = code.startswith(("utf-16", "utf-32"))
        own = (*_SIGNS, signs.DELIMITERS.get(told.delimiter, " "), signs.QUOTES[told.quote])
        mark = "\ufeff".encode(code) if wide or code == "utf-8" else b""
        end, marked, ended = rng.choice(("\n", "\r\n")), rng.random() < 0.5, rng.random() < 0.7

        def write(
            lines: Sequence[bytes],
            told: choices.Choices,
            end: str = end,
            mark: bytes = mark * marked,
            ended: bool = ended,
        ) -> bytes:
            body = mark + text_file(lines, told, end)
            return body if ended else body[: -len(end.encode(told.encoding))]

        for place in PLACES:
            odd = "".join(rng.choices(own, k=rng.randrange(12))).encode(code, "ignore")
            odd += b"" if wide else b"".join(rng.choices(_BYTES, k=rng.randrange(3)))
            found += [(told, odd)] * moved(told, records, odd, place, write)
    return found


@pytest.mark.parametrize("inner", [*INNER, 'a"b', "a,b", "'"])
@pytest.mark.parametrize("escape", ["doubled", "backslash"])
def test_a_value_of_several_lines_is_one_value(inner: str, escape: str) -> None:
    told = TOLD.with_(escape=escape, newlines="quoted")
    line = line_of((9, inner, "a", "u"), told).encode()
    rows = read(text_file([line, *texts(told)], told), told)[1]
    assert len(rows) == 61
    assert rows[0] == ("9", inner.replace("\r\n", "\n").strip() or None, "a", "u")


def test_a_line_longer_than_any_is_a_row_without_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpstudio.files.read.text.told_lines.LONGEST_RECORD", 3000)
    monkeypatch.setattr("dpstudio.files.read.text.told_lines._BLOCK", 1 << 10)
    odd, lines = b"9" * 9000, b'"' + b"9\n" * 2500 + b'"'
    assert not moved(TOLD, texts(TOLD), odd, 30)
    assert read(text_file([odd], TOLD), TOLD)[1] == [(None,) * 4]
    quoted = TOLD.with_(newlines="quoted")
    # No record, so each of its lines is one.
    assert len(read(text_file([lines, *texts(quoted)], quoted), quoted)[1]) == 60 + 2501


def cells(name: str, records: list[Any], folder: Path) -> list[Any]:
    """The columns of a file of these records, with their types, and its rows."""
    told, write, *_ = FORMATS[name]
    path = folder / name
    path.write_bytes(write(records))
    data = open_table(str(path), choices=told)
    return [[(c.name, c.type) for c in data.columns], *map(tuple, data.cells(0, data.rows))]


def compare_formats(name: str, odds: Sequence[Any], folder: Path, places: Sequence[int]) -> None:
    _, _, records, _ = FORMATS[name]
    before = cells(name, records, folder)
    assert len(before) == 61
    assert before[1] == (0, 1.5, "a", "u")
    for odd in odds:
        for place in places:
            after = cells(name, [*records[:place], odd, *records[place + 1 :]], folder)
            assert others(before, place + 1) == others(after, place + 1), (odd, place)


@pytest.mark.parametrize("name", FORMATS)
def test_no_record_of_any_format_moves_another(name: str, tmp_path: Path) -> None:
    odds = FORMATS[name][3]
    compare_formats(name, odds, tmp_path, (30,))


def test_an_array_that_does_not_end_is_no_file_of_records() -> None:
    """No record does that, as it is one by being between the commas of an array."""
    body = json_array(list(ELEMENTS))
    assert len(read(body, JSON, "t.json")[1]) == len(ELEMENTS)
    within = b'{"c": [{"b": [1]}], "a": {"d": {}, "b": ' + body + b"}}"
    assert read(within, JSON.with_(part="a.b"), "t.json") == read(body, JSON, "t.json")
    with pytest.raises(outcome.TableError, match="whole JSON"):
        read(body[:-1], JSON, "t.json")


# The command line

LABS = (
    "explore query=mean query.column=y query.low=0 query.high=9 query.attested=yes "
    "query.n_public=yes adjacency=replace",
    "local_counts query.column=c query.categories=a|b|c query.attested=yes query.where=x>4",
    "explore query=count query.where=c=a --json",
    "explore query=count query.where=c=a --about x:role=identifier --about g:role=label",
)
# Nobody says which columns: whatever is told of their roles, rows choose none.
UNNAMED = (
    "explore query=mean",
    "local_counts",
    "selection",
    "synthesis",
    "explore query=mean --about x:role=sensitive --about y:role=identifier",
    "synthesis --about c:role=label --about g:role=quasi --about x:role=identifier",
    "attack attacker=joining --about c:role=quasi",
)


def said(name: str, words: str, records: list[Any], folder: Path, ledger: Replayed) -> str:
    told, write, *_ = FORMATS[name]
    path = folder / name
    path.write_bytes(write(records))
    call = ["run", *words.split(" "), "--data", str(path), "--read", told_words(told)]
    return spoken(call, ledger)


@pytest.mark.parametrize("name", FORMATS)
def test_the_command_line_says_the_same_of_neighbouring_files(name: str, tmp_path: Path) -> None:
    _, _, records, odds = FORMATS[name]
    rng = random.Random(name)
    for words in LABS:
        ledger, odd, place = Replayed(), rng.choice(odds), rng.choice(PLACES)
        sides = [
            said(name, words, each, tmp_path, ledger)
            for each in (records, [*records[:place], odd, *records[place + 1 :]])
        ]
        assert sides[0] == sides[1], odd
        assert sides[0].startswith("0 "), sides[0]


@pytest.mark.parametrize("name", list(FORMATS)[:3])
def test_no_row_chooses_a_column_that_leaves(name: str, tmp_path: Path) -> None:
    _, _, records, odds = FORMATS[name]
    rng = random.Random(name)
    for words in UNNAMED:
        ledger, odd, place = Replayed(), rng.choice(odds), rng.choice(PLACES)
        sides = [
            said(name, words, each, tmp_path, ledger)
            for each in (records, [*records[:place], odd, *records[place + 1 :]], records[:1])
        ]
        assert sides[0] == sides[1] == sides[2], (words, odd)


def test_no_open_quote_takes_the_rows_of_others(tmp_path: Path) -> None:
    """Where another is open already: the same number of rows, and the same words, leave. Told that
    values hold line ends, nothing does, whatever they hold, and who asks is told what to do."""
    files = texts(TOLD), broken(texts(TOLD), TOLD)
    neighbours = [[*each[:30], odd, *each[31:]] for each in files for odd in (b'9,1.5,"a,u', b'"')]
    path, line = tmp_path / "t.csv", told_words(TOLD)
    for words in LABS:
        ledger, heard, stay = Replayed(), set(), set()
        for records in (files[1], *neighbours):
            path.write_bytes(text_file(records, TOLD))
            assert open_table(str(path), choices=TOLD).rows == 60
            call = ["run", *words.split(" "), "--data", str(path), "--read"]
            if records in (files[1], *neighbours[2:]):
                heard.add(spoken([*call, line], ledger))
            stay.add(spoken([*call, line.replace("newlines=none", "newlines=quoted")], ledger))
        (said_,), (stays,) = heard, stay
        assert said_.startswith("0 "), said_
        assert stays.startswith("2 "), stays
        assert "newlines=none" in stays


@pytest.mark.parametrize("inner", ["", "a\nb", "\r\n"])
@pytest.mark.parametrize("clean", [True, False])
def test_read_tells_whether_values_hold_line_ends(
    inner: str, clean: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they do, by Arrow and by the tolerant reader; where they do, that nothing leaves so."""
    path, told = tmp_path / "t.csv", TOLD.with_(newlines="quoted")
    records = [line_of((9, 2.5, inner, "u"), told).encode(), *texts(told)]
    path.write_bytes(text_file([*records, *([] if clean else [b'9,2.5,a"b,"c"'])], told))
    assert cli.main(["read", str(path)]) == 0
    heard = capsys.readouterr()
    read_as = chosen([shlex.split(heard.out)[1]])[0]
    assert read_as.newlines == ("quoted" if inner else "none")
    assert ("one quote that is not closed" in heard.err) == bool(inner)
    assert open_table(str(path), choices=read_as).rows == open_table(str(path)).rows
    # Told otherwise, each line is a record, whether rows fit or not; who looks is told of quotes
    # that are left open, and who lets something leave is not.
    split, words = read_as.with_(newlines="none"), ["run", "explore", "query.where="]
    left_open = sum(line.count(b'"') % 2 for line in path.read_bytes().splitlines())
    assert (left_open > 0) == ("\n" in inner or not clean)
    for more in ([], ["--without-truth"]):
        assert cli.main([*words, "--data", str(path), "--read", told_words(split), *more]) == 0
        heard = capsys.readouterr().err
        assert (f"do not close it: {left_open}." in heard) == (left_open > 0 and not more)
        assert ("do not close it" in heard) == (left_open > 0 and not more)
    # So they are rows.
    every = choices.Choices(rows="every", newlines="none")
    assert open_table(str(path), choices=every).rows == len(path.read_bytes().splitlines()) - 1
    fitting = open_table(str(path), choices=choices.Choices(newlines="none", ragged="pad"))
    held = {cell for row in fitting.cells(0, 99) for cell in row if isinstance(cell, str)}
    assert not any("\n" in cell for cell in held)


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_not_told_is_asked_before_a_file_is_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each choice, with the whole line to type; and what is told so is told."""
    told = FORMATS[name][0]
    monkeypatch.setattr("dpstudio.files.tables.open_with_report", None)
    monkeypatch.setattr("dpstudio.files.asking.open_with_report", None)
    free = choices.Choices()
    needed = ["rows", *untold(choices.Choices(format=told.format))]
    assert "decimal" in needed
    for choice in ("format", *needed):
        words = told_words(told.with_(**{choice: getattr(free, choice)}))
        call = ["run", "explore", "--data", str(tmp_path / name), "--read", words]
        answer = spoken(call, Replayed())
        assert answer.startswith("2 "), choice
        assert f"Not told: {choice}" in answer
        _, _, rest = answer.partition("Type --read ")
        line = shlex.split(rest.partition(" with what")[0])[0]
        known = {"format": told.format, "rows": "every"}.get(choice, "…")
        assert f"{choice}={known}" in line
        typed = line.replace(f"{choice}=…", f'{choice}="{show(told, choice)}"')
        assert chosen([typed])[0] == told


def show(told: choices.Choices, name: str) -> str:
    return domains(choices.Choices)[name].show(getattr(told, name))


def test_nothing_is_asked_of_what_ships_with_the_program(tmp_path: Path) -> None:
    answer = spoken(["run", "explore", "query.where=", "--data", "adult"], Replayed())
    assert answer.startswith("0 ")
    # Nor of a file that a lab does not read: it need not even be there.
    gone = str(tmp_path / "none.csv")
    assert spoken(["run", "composition", "--data", gone], Replayed()).startswith("0 ")


@pytest.mark.parametrize("name", FORMATS)
def test_read_prints_the_line_that_may_leave(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of any file, and it is read by it as it was without, but that every record is a row."""
    _, write, records, _ = FORMATS[name]
    path = tmp_path / name
    path.write_bytes(write(records))
    assert cli.main(["read", str(path)]) == 0
    option, line = shlex.split(capsys.readouterr().out)
    assert option == "--read"
    told, _ = chosen([line])
    assert not untold(told)
    plain, every = open_table(str(path)), open_table(str(path), choices=told)
    assert every.columns == plain.columns
    assert every.cells(0, 60) == plain.cells(0, 60)
    assert not every.spelling.found
    assert every.spelling.decimal == plain.spelling.decimal


def test_choosing_every_record_alone_settles_the_rest(tmp_path: Path) -> None:
    """As on the page of a table, where the others are as found; they are not told by it."""
    path = tmp_path / "t.csv"
    path.write_bytes(text_file([*texts(TOLD), b"#", b"1,2"], TOLD))
    data = open_table(str(path), choices=choices.Choices(rows="every"))
    assert data.rows == 62
    assert data.info("x").type == "integer"
    assert "encoding" in data.spelling.found
    assert "rows" not in data.spelling.found


def test_a_column_of_words_with_bounds_asks_for_its_type(tmp_path: Path) -> None:
    """Whether they are numbers or dates is told, and not what its words look like."""
    path, book = (
        tmp_path / "t.csv",
        ["x: low=0 high=9 attested=yes", "g: categories=u|v attested=yes"],
    )
    path.write_bytes(text_file(texts(TOLD), TOLD))
    lab, _ = lab_of(["learn", "predicts=g", "features=x", "adjacency=add_remove", "epsilon=0.5"])
    told = TOLD.with_(types=())
    data = open_table(str(path), choices=told).described(codebook_words(book))
    with pytest.raises(StaysError, match="type=number"):
        leave(lab, data, Replayed())
    book[0] += " type=number"
    leave(lab, open_table(str(path), choices=told).described(codebook_words(book)), Replayed())
    # A question that takes numbers says it as well.
    asked, _ = lab_of(["explore", "query=sum", "query.column=x"])
    leave(asked, data, Replayed())


def run_files(folder: Path) -> int:
    """All dialects, formats, records and places, and random lines; returns how many move another
    row. For the soak."""
    found: list[Any] = [*drive(DIALECTS, PLACES), *wild(1000, 2)]
    for told, odd, *place in found[:20]:
        print(f"! {told}: {odd[:60]!r} in place {place or 'any'} moves another row")
    bad = len(found)
    for name, (_, _, records, odds) in FORMATS.items():
        try:
            compare_formats(name, odds, folder, (0, 30, 58))
        except AssertionError as error:
            bad += 1
            print(f"! {name}: {str(error)[:300]}")
        for words in LABS:
            ledger = Replayed()
            sides = {said(name, words, records, folder, ledger)}
            for odd in odds:
                sides.add(said(name, words, [*records[:30], odd, *records[31:]], folder, ledger))
            bad += len(sides) - 1
            print(f"{name} {words}: {len(sides)} answers of {1 + len(odds)} neighbouring files")
    return bad


def test_a_workbook_is_refused_whatever_its_rows_hold(tmp_path: Path) -> None:
    """One cell far away ends the reading of all rows, and a blank row at the foot is not there: so it
    does not leave, before any of it is read, and who asks is told what to do."""
    path, ledger = tmp_path / "t.xlsx", Replayed()
    line, heard = "format=workbook rows=every part=S skip=0 footer=0 header=yes", set()
    for rows in (ROWS, ROWS[:-1], [*ROWS[:-1], (None,) * 4], [*ROWS, (1,) * 4], None):
        path.unlink(missing_ok=True)
        if rows is not None:
            path.write_bytes(book(rows))
        for words in (["--read", line], []):
            heard.add(spoken(["run", "explore", "--data", str(path), *words], ledger))
    (told,) = heard
    assert told.startswith("2 ")
    assert "Save the sheet as CSV" in told
    with pytest.raises(outcome.TableError, match="Save the sheet as CSV"):
        read(book(ROWS), choices.Choices(format="workbook", rows="every", part="S"), "t.xlsx")
