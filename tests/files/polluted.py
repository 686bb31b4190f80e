"""One table of sales under more than 800 pollutions of its delimiters, quotes, line ends, encodings,
header, neighbours above and below, and single rows (after Vitagliano et al. 2023, Pollock), of how
its days and prices are written, its sums, and as JSON and workbooks, with what may be made of each;
the whole is tried by `tests/soak.py --only polluted`."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from fuzz_reading import attempt
from nasty import changed, workbook

from dpstudio.files.read.outcome import Read, UncertainError

NAMES = ["DATE", "TIME", "Qty", "PRODUCTID", "Price", "ProductType", "ProductDescription", "URL"]
NAMES += ["Comments"]
_WARES = (
    "Mug",
    "Blue shirt",
    "Café “noir”",
    "Socks, wool",
    "Tea; green",
    "Pen 1/2",
    "O'Neil's cap",
)
_SAYS = ("", "as ordered", "late, twice", "call: ask for Jo", "50% off", "no. 7 | left", "n° 3")
ROWS = [
    [
        f"2018-{1 + i % 12:02d}-{1 + i * 7 % 28:02d}",
        f"{8 + i % 10:02d}:{i * 13 % 60:02d}:{i * 29 % 60:02d}",
        str(1 + i % 5),
        str(1000 + i * 37),
        f"{3 + i * 1.75:.2f}",
        ("Kitchen", "Clothes", "Office")[i % 3],
        _WARES[i % 7],
        f"https://shop.example.org/{i}/item-{i * 3}.html",
        _SAYS[i * 3 % 7],
    ]
    for i in range(40)
]
CLEAN, HURT = "clean", "hurt"


@dataclass(frozen=True)
class Polluted:
    """`kind` says what may become of it: `clean` is read at once and right; of what is `hurt` a
    certain reading is right only where it has all `rows`, which are None where nobody knows them."""

    name: str
    body: bytes
    kind: str
    rows: list[list[str]] | None
    names: list[str] | None = None
    decimal: str = "."


def line(cells: list[str], sep: str, quote: str = '"', always: bool = False) -> str:
    """A row by RFC 4180 with this delimiter and quote."""
    need = sep + quote + '"\r\n'
    return sep.join(
        quote + c.replace(quote, quote * 2) + quote if always or any(s in c for s in need) else c
        for c in cells
    )


def written(
    sep: str = ",", rows: list[list[str]] = ROWS, always: bool = False, quote: str = '"'
) -> list[str]:
    return [line(row, sep, quote, always) for row in [NAMES, *rows]]


_plain = cache(lambda sep: written(sep))  # to be hurt, line by line


def dialects() -> Iterator[Polluted]:
    """Every dialect that people and programs write, each a clean file."""
    signs = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
    ends = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
    for (called, sep), (ended, end), always in itertools.product(
        signs.items(), ends.items(), (False, True)
    ):
        text = end.join(written(sep, always=always))
        for tail, coded in itertools.product(
            ("", end, end * 2), ("utf-8", "utf-8-sig", "cp1252", "utf-16")
        ):
            if coded == "utf-16" and (always or tail):
                continue
            name = f"{called} {ended} {'all' if always else 'some'} quoted, {coded}, {len(tail)}"
            # With so few letters that are not ASCII nobody can be certain of an old encoding.
            kind = HURT if coded == "cp1252" else CLEAN
            yield Polluted(name, (text + tail).encode(coded), kind, ROWS)


def shapes() -> Iterator[Polluted]:
    """Few rows, few columns, many of both, other numbers."""
    for sep in (",", ";", "\t"):
        for n in (1, 2, 3, 400):
            rows = [ROWS[i % 40] for i in range(n)]
            body = "\n".join(written(sep, rows)) + "\n"
            yield Polluted(f"{n} rows {sep!r}", body.encode(), CLEAN if n > 1 else HURT, rows)
        wide = [f"c{i}" for i in range(300)]
        body = "\n".join(
            sep.join(r) for r in [wide, *[[str(i + j) for j in range(300)] for i in range(20)]]
        )
        yield Polluted(f"300 columns {sep!r}", body.encode(), CLEAN, None, wide)
        if sep != ",":
            comma = [[*r[:4], r[4].replace(".", ","), *r[5:]] for r in ROWS]
            body = "\n".join(written(sep, comma)) + "\n"
            yield Polluted(f"decimal commas {sep!r}", body.encode(), CLEAN, comma, decimal=",")
    for name, place in (("numbers", 3), ("words", 5), ("addresses", 7), ("days", 0)):
        body = "\n".join([NAMES[place], *(r[place] for r in ROWS)]) + "\n"
        alone = [[r[place]] for r in ROWS]
        yield Polluted(f"one column of {name}", body.encode(), CLEAN, alone, [NAMES[place]])


def files() -> Iterator[Polluted]:
    """What stands above, below and in the header."""
    for sep in (",", ";", "\t"):
        whole = written(sep)
        head, *rest = whole
        above = ["Sales of the shop", "", sep * 8, "Sales of the shop" + sep * 8, "# exported 2019"]
        for n, top in itertools.product((1, 2, 3), above):
            text = "\n".join([*[top] * n, *whole]) + "\n"
            yield Polluted(f"{n} x {top!r} above", text.encode(), HURT, ROWS)
        for n, foot in itertools.product((1, 2), ["Source: the shop", sep * 8, "Total" + sep * 8]):
            text = "\n".join([*whole, *[foot] * n]) + "\n"
            yield Polluted(f"{n} x {foot!r} below", text.encode(), HURT, ROWS)
        for name, lines in {
            "no header": rest,
            "the header twice": [head, *whole],
            "two tables": [*whole, "", *whole],
            "a name less": [sep.join(NAMES[:-1]), *rest],
            "a name more": [head + sep + "more", *rest],
            "blank lines between": list(itertools.chain(*((w, "") for w in whole))),
            "a delimiter behind each row": [w + sep for w in whole],
            "names again": [sep.join([*NAMES[:-1], "URL"]), *rest],
        }.items():
            known = None if name in ("the header twice", "two tables", "a name more") else ROWS
            names = {
                "no header": [f"column {i}" for i in range(1, 10)],
                "names again": [*NAMES[:-1], "URL.1"],
                "a name less": [*NAMES[:-1], "column 9"],
            }.get(name)
            body = ("\n".join(lines) + "\n").encode()
            yield Polluted(f"{name} {sep!r}", body, HURT, known, names)


def lines() -> Iterator[Polluted]:
    """One row that is hurt: a delimiter less or more, another one, a stray or a lone quote."""
    for sep, place, column in itertools.product((",", ";", "\t"), (0, 1, 17, 39), (0, 4, 8)):
        other = ";" if sep != ";" else ","
        row = ROWS[place]
        inside, closes = f'a "b" {row[column]}'.strip(), f'{row[column]}"'
        hurt = {
            "another delimiter": (line(row, other), None),
            "a delimiter more": (
                line(row[:column], sep) + sep * bool(column) + sep + line(row[column:], sep),
                None,
            ),
            "quotes inside": (_with(row, sep, column, inside), inside),
            "a quote that opens": (_with(row, sep, column, f'"{row[column]}'), None),
            "a quote that closes": (_with(row, sep, column, closes), closes),
        }
        if column < 8:
            merged = [*row[:column], row[column] + row[column + 1], *row[column + 2 :]]
            hurt["a delimiter less"] = (line(merged, sep), None)
            words = f"{row[column]}{sep} twice"
            lost = [*row[:column], row[column], words, *row[column + 2 :]]
            cells = line(lost, sep).split(sep + '"' + words)
            # The delimiter is lost before a value whose quotes hold another one.
            hurt["a delimiter less, one in quotes"] = (('"' + words).join(cells), None)
        for name, (text, cell) in hurt.items():
            whole, rows = [*_plain(sep)], [*ROWS]
            whole[place + 1] = text
            if cell is not None:  # a quote within a value is a letter
                rows[place] = [*row[:column], cell, *row[column + 1 :]]
            at = f"{name} in row {place}, column {column} {sep!r}"
            body = ("\n".join(whole) + "\n").encode()
            yield Polluted(at, body, HURT, rows if cell is not None else None)


def _with(row: list[str], sep: str, column: int, text: str) -> str:
    """The row with a cell as it is typed."""
    cells = [line([cell], sep) for cell in row]
    return sep.join([*cells[:column], text, *cells[column + 1 :]])


# How a price or a day is written.
PRICES = {
    "dollars": "${}",
    "dollars behind": "{} $",
    "euros": "{} €",
    "francs": "CHF {}",
    "per cent": "{}%",
    "a star": "{}*",
}
DAYS = ("%d %b %Y", "%B %d, %Y", "%d-%b-%y", "%Y%m%d", "%d.%m.%y", "%d. %B %Y", "%b %d %Y")


def writings() -> Iterator[Polluted]:
    """Days and prices as people write them, at every delimiter; each with and without a missing
    one, and with one that is written otherwise."""
    for sep, form in itertools.product((",", ";", "\t", "|"), DAYS):
        days = [date.fromisoformat(row[0]) for row in ROWS]
        told = [day.strftime(form) for day in days]
        short = form.endswith(("%y", "%m%d"))
        for name, place, cell in (
            ("", 0, ""),
            (", one missing", 5, ""),
            (", one as ISO", 5, days[5].isoformat()),
        ):
            cells = [*told]
            rows = [[*row] for row in ROWS]
            if name:
                cells[place] = cell
                rows[place][0] = cell
            if "ISO" in name:  # then all of them stay words, or are told to be dates
                rows = [[c, *row[1:]] for c, row in zip(cells, ROWS, strict=True)]
            body = written(sep, [[c, *row[1:]] for c, row in zip(cells, ROWS, strict=True)])
            kind = HURT if short or name else CLEAN
            yield Polluted(f"days as {form}{name} {sep!r}", "\n".join(body).encode(), kind, rows)
    for sep, (called, form) in itertools.product((",", ";", "\t"), PRICES.items()):
        for name, place, cell in (
            ("", 0, None),
            (", one without", 5, "7.25"),
            (", one of words", 5, "gone"),
        ):
            cells = [form.format(row[4]) for row in ROWS]
            plain = not name and called != "a star"
            kind = CLEAN if called not in ("per cent", "a star") and not name else HURT
            if cell is not None:
                cells[place] = cell
            rows = [
                [*r[:4], r[4] if plain else c, *r[5:]] for r, c in zip(ROWS, cells, strict=True)
            ]
            body = written(sep, [[*r[:4], c, *r[5:]] for r, c in zip(ROWS, cells, strict=True)])
            yield Polluted(f"{called}{name} {sep!r}", "\n".join(body).encode(), kind, rows)


def feet() -> Iterator[Polluted]:
    """Sums and means below, with a word and without, and rows that only look like them."""
    sums = ["", "", str(sum(int(r[2]) for r in ROWS)), "", f"{sum(float(r[4]) for r in ROWS):.2f}"]
    for sep, (name, first, kept) in itertools.product(
        (",", ";", "\t"),
        (
            ("a total", "Total", True),
            ("a grand total", "Grand total", True),
            ("sums", "", True),
            ("a row", "2019-01-01", False),
        ),
    ):
        foot = [first, *sums[1:], "", "", "", ""]
        for more in ([], [["Average", *[""] * 8]], [[""] * 9]):
            body = written(sep, [*ROWS, foot, *more])
            rows = ROWS if kept else [*ROWS, foot]
            known = rows if kept or not any(map(any, more)) else None
            yield Polluted(
                f"{name} below, {len(more)}{''.join(map(''.join, more))[:3]} {sep!r}",
                "\n".join(body).encode(),
                HURT,
                known,
            )


def documents() -> Iterator[Polluted]:
    """The table as JSON in every form that programs write, whole and hurt."""
    rows = ROWS[:20]
    objects = [dict(zip(NAMES, row, strict=True)) for row in rows]
    columns = {n: [row[i] for row in rows] for i, n in enumerate(NAMES)}
    by_name = {n: {str(k): c for k, c in enumerate(cells)} for n, cells in columns.items()}
    forms: dict[str, Any] = {
        "objects": objects,
        "columns": columns,
        "columns by the numbers of the rows": by_name,
        "rows by their numbers": {str(k): o for k, o in enumerate(objects)},
        "rows below names": [NAMES, *rows],
        "split": {"columns": NAMES, "index": list(range(20)), "data": rows},
        "inside": {"count": 20, "rows": objects},
        "columns inside": {"count": 20, "columns of it": columns},
        "with what all have": {**columns, "URL": rows[0][7]},
    }
    for (name, held), indent in itertools.product(forms.items(), (None, 1)):
        body = json.dumps(held, indent=indent, ensure_ascii=False)
        known = [[*r[:7], rows[0][7], r[8]] for r in rows] if "all have" in name else rows
        kind = CLEAN if name == "objects" else HURT
        yield Polluted(f"JSON: {name}, {indent}", body.encode(), kind, known)
        for cut in (len(body) // 3, len(body) - 2):
            yield Polluted(f"JSON: {name}, {indent}, cut at {cut}", body[:cut].encode(), HURT, None)
    lines = [json.dumps(o, ensure_ascii=False) for o in objects]
    for n in (0, 7, 19):
        for called, odd in (
            ("cut", lines[n][:-9]),
            ("a list", "[1, 2]"),
            ("a word", "none"),
            ("a brace more", lines[n] + "}"),
        ):
            body = "\n".join([*lines[:n], odd, *lines[n + 1 :]]) + "\n"
            yield Polluted(f"JSON lines: {called} in line {n + 1}", body.encode(), HURT, None)
    yield Polluted("JSON lines", ("\n".join(lines) + "\n").encode(), CLEAN, rows)


def books() -> Iterator[Polluted]:
    """A workbook with titles, totals, blank rows, merged cells, errors and a hidden sheet."""
    head: list[list[Any]] = [[*NAMES]]
    cells = [
        [r[0], r[1], int(r[2]), int(r[3]), float(r[4]), *(c or None for c in r[5:])] for r in ROWS
    ]
    total = [
        "Total",
        None,
        sum(r[2] for r in cells),
        None,
        sum(r[4] for r in cells),
        None,
        None,
        None,
        None,
    ]
    shapes_: dict[str, tuple[list[list[Any]], str]] = {
        "plain": ([*head, *cells], CLEAN),
        "a title": ([["Sales of the shop"], [], *head, *cells], HURT),
        "a total": ([*head, *cells, total], HURT),
        "sums": ([*head, *cells, [None, *total[1:]]], HURT),
        "a blank row": ([*head, *cells[:9], [], *cells[9:]], HURT),
        "a note": ([*head, *cells, ["Source: the shop"]], HURT),
    }
    for name, (sheet, kind) in shapes_.items():
        book = workbook(Sales=sheet)
        yield Polluted(f"workbook: {name}", book, kind, ROWS)
        extra = '</sheetData><mergeCells count="1"><mergeCell ref="A5:A7"/></mergeCells>'
        yield Polluted(
            f"workbook: {name}, merged",
            changed(book, "sheet1.xml", ("</sheetData>", extra)),
            HURT,
            ROWS,
        )
        two = workbook(Sales=sheet, Notes=[["written", "by"], ["2019", "Jo"]])
        hidden = changed(two, "workbook.xml", ('name="Notes"', 'name="Notes" state="hidden"'))
        yield Polluted(f"workbook: {name}, a hidden sheet", hidden, HURT, ROWS)


def polluted() -> list[Polluted]:
    """All of them, more than 800."""
    first = [*dialects(), *shapes(), *files(), *lines()]
    return [*first, *writings(), *feet(), *documents(), *books()]


def same(held: Any, due: str, decimal: str) -> bool:
    """Whether a cell holds what was written."""
    if due == "":
        return held is None or held == ""
    if isinstance(held, int | float) and not isinstance(held, bool):
        return float(due.replace(decimal, ".")) == held
    return str(held) == due or str(held).startswith(due)  # a day may come with its midnight


def right(case: Polluted, read: Read) -> bool:
    """Whether a reading has the names and all the cells."""
    names = case.names or NAMES
    if read.table.column_names != names:
        return False
    if case.rows is None:
        return case.kind == CLEAN
    columns = [read.table.column(n).to_pylist() for n in names]
    return read.table.num_rows == len(case.rows) and all(
        same(columns[j][i], due, case.decimal)
        for i, row in enumerate(case.rows)
        for j, due in enumerate(row)
    )


def verdict(case: Polluted) -> tuple[str, str]:
    """(certain, asked, repaired, refused or wrong; why)."""
    found = attempt(case.body)
    if isinstance(found, Read):
        return ("certain" if right(case, found) else "wrong"), str(found.choices)
    if not isinstance(found, UncertainError):
        return "refused", str(found)
    if found.preview.counts.repaired or found.preview.counts.refused:
        return "repaired", str(found)
    again = attempt(case.body, found.preview.choices)
    fine = isinstance(again, Read) and (case.rows is None or right(case, again))
    return ("asked" if fine else "asked, proposed otherwise"), str(found)


def run_polluted() -> int:
    """Print what became of all; how many were read wrong, or were clean and asked about."""
    cases, counts, faults = polluted(), Counter[tuple[str, str]](), 0
    for case in cases:
        what, why = verdict(case)
        counts[case.kind, what] += 1
        if what == "wrong" or (case.kind == CLEAN and what != "certain"):
            faults += 1
            print(f"! {case.name}: {what}: {why[:300]}", flush=True)
        elif what in ("asked, proposed otherwise", "refused"):
            print(f"  {case.name}: {what}: {why[:200]}", flush=True)
    print(f"{len(cases)} polluted files:", *(f"{k[0]}, {k[1]}: {n};" for k, n in counts.items()))
    return faults
