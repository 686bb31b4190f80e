"""Files as offices, spreadsheets and databases give them, each class of pollution in several shapes,
with the right answer beside each."""

from __future__ import annotations

import json
from collections.abc import Callable

from nasty import NAMES, PEOPLE, Nasty, people, text, words, workbook

REGIONS = ("North", "South", "East", "West", "Isles")
YEARS = ("2019", "2020", "2021")
TypingChoices = tuple[tuple[str, str], ...]
SIGNS: TypingChoices = (("comma", ","), ("semicolon", ";"), ("tab", "\t"))


def grid(sep: str) -> list[str]:
    """A table of an office: regions with a number each year."""
    head = sep.join(("Region", "Births", "Deaths", "Rate"))
    rows = [
        sep.join((r, str(120 + 7 * i), str(90 + 3 * i), f"{i}.{i + 1}"))
        for i, r in enumerate(REGIONS)
    ]
    return [head, *rows]


OFFICE = {(0, "Region"): "North", (0, "Births"): 120, (4, "Region"): "Isles", (4, "Rate"): 4.5}
OFFICE_NAMES = "Region|Births|Deaths|Rate"


def office(name: str, lines: list[str], **more: object) -> Nasty:
    return words(name, "\n".join(lines) + "\n", 5, OFFICE_NAMES, OFFICE, **more)  # type: ignore[arg-type]


def padded(line: str, sep: str, width: int = 4) -> str:
    """A line of one text as a spreadsheet writes it: with a delimiter for every column."""
    quoted = f'"{line}"' if sep in line else line
    return quoted + sep * (width - 1)


def clean() -> list[Nasty]:
    """Nothing is wrong with these, so nothing is asked."""
    out = []
    for called, sep in SIGNS:
        urls = [f"p{i}{sep}https://example.org/a/{i}/b{sep}{i}.5" for i in range(1, 9)]
        mails = [
            f"{w}{sep}{w.lower()}@x.org{sep}10:{i:02d}{sep}A/B {i}" for i, w in enumerate(REGIONS)
        ]
        notes = [f'{i}{sep}"He said: stop, or not; {i}/3"{sep}{i * 2}' for i in range(1, 8)]
        rates = [f"{r}{sep}n/a{sep}{i} / {i + 2}{sep}{i}%" for i, r in enumerate(REGIONS, 1)]
        dates = [f"{r}{sep}{13 + i}/12/2020{sep}x#{i}{sep}a!{i}" for i, r in enumerate(REGIONS)]
        tells = [f"{i}{sep}Road {i}/2{sep}R&D{sep}{'yes' if i % 2 else 'no'}" for i in range(1, 9)]
        nulls = [f"{i}{sep}{sep}{'x y' if i % 3 else ''}{sep}" for i in range(1, 9)]
        free = [
            f"{i}{sep}It's {w} o'clock, they said{sep}{w}" if sep != "," else f"{i},It's {w},{w}"
            for i, w in enumerate(REGIONS)
        ]
        out += [
            words(
                f"addresses of pages, {called}",
                f"name{sep}url{sep}score\n" + "\n".join(urls) + "\n",
                8,
                "name|url|score",
                {(0, "url"): "https://example.org/a/1/b", (7, "score"): 8.5},
            ),
            words(
                f"one address of a page alone, {called}",
                f"name{sep}url\n" + "".join(f"w{i}{sep}http://x.org/{i}\n" for i in range(9)),
                9,
                "name|url",
                {(8, "url"): "http://x.org/8"},
            ),
            words(
                f"times, mails and slashes, {called}",
                f"who{sep}mail{sep}at{sep}part\n" + "\n".join(mails) + "\n",
                5,
                "who|mail|at|part",
                {(0, "part"): "A/B 0"},
            ),
            words(
                f"sentences in quotes, {called}",
                f"id{sep}note{sep}n\n" + "\n".join(notes) + "\n",
                7,
                "id|note|n",
                {(0, "note"): "He said: stop, or not; 1/3", (6, "n"): 14},
            ),
            words(
                f"shares and n/a, {called}",
                f"region{sep}a{sep}b{sep}share\n" + "\n".join(rates) + "\n",
                5,
                "region|a|b|share",
                {(1, "b"): "2 / 4", (1, "share"): 2.0},
                verdict="asked",
                asks=("units",),
            ),
            words(
                f"days with slashes, hashes and bangs, {called}",
                f"region{sep}day{sep}code{sep}key\n" + "\n".join(dates) + "\n",
                5,
                "region|day|code|key",
                {(0, "code"): "x#0"},
            ),
            words(
                f"house numbers and R&D, {called}",
                f"id{sep}street{sep}unit{sep}ok\n" + "\n".join(tells) + "\n",
                8,
                "id|street|unit|ok",
                {(0, "street"): "Road 1/2"},
            ),
            words(
                f"many blanks, {called}",
                f"id{sep}empty{sep}word{sep}last\n" + "\n".join(nulls) + "\n",
                8,
                "id|empty|word|last",
                {(0, "word"): "x y", (2, "word"): None},
            ),
            words(
                f"apostrophes, {called}",
                f"id{sep}said{sep}w\n" + "\n".join(free) + "\n",
                5,
                "id|said|w",
                {(0, "w"): "North"},
            ),
            words(
                f"names of people in quotes, {called}",
                f"name{sep}party{sep}votes\n"
                + "".join(
                    f'"Lee, {w}"{sep}"The {w} Party"{sep}{i}\n' for i, w in enumerate(REGIONS)
                ),
                5,
                "name|party|votes",
                {(0, "name"): "Lee, North"},
            ),
            office(f"an office's table, {called}", grid(sep)),
            words(
                f"raised digits in names, {called}",
                f"x²{sep}²{sep}m³\n1{sep}2{sep}3\n4{sep}5{sep}6\n",
                2,
                "x²|²|m³",
                {(1, "m³"): 6},
            ),
            words(
                f"inches and feet, {called}",
                f"part{sep}size{sep}n\n" + "".join(f'p{i}{sep}{i}"{sep}{i}\n' for i in range(1, 8)),
                7,
                "part|size|n",
                {(0, "size"): '1"'},
            ),
            words(
                f"quotes inside a value, {called}",
                f'id{sep}said{sep}n\n1{sep}so "they" say{sep}2\n3{sep}plain{sep}4\n5{sep}words{sep}6\n',
                3,
                "id|said|n",
                {(0, "said"): 'so "they" say'},
            ),
            words(
                f"five columns of words, {called}",
                f"id{sep}first name{sep}last name{sep}email address{sep}job\n"
                + "".join(
                    f"k{i}{sep}{w}{sep}{w}son{sep}{w}@b.c{sep}clerk\n"
                    for i, w in enumerate(REGIONS)
                ),
                5,
                "id|first name|last name|email address|job",
                {(0, "job"): "clerk"},
            ),
            words(
                f"a table of one row, {called}",
                f"id{sep}name{sep}score\n7{sep}Ann{sep}1.5\n",
                1,
                "id|name|score",
                {(0, "score"): 1.5},
            ),
        ]
    return out


def titles() -> list[Nasty]:
    """Government tables: titles, blank rows and notes, padded with delimiters or not."""
    out = []
    for called, sep in SIGNS:
        body = grid(sep)
        blank = sep * 3
        pad: Callable[[str], str] = lambda line, sep=sep: padded(line, sep)  # type: ignore[misc] # noqa: E731
        title, under, note = (
            "Table 3. Births and deaths by region",
            "Thousands",
            "Source: Office of Numbers",
        )
        asked = {"verdict": "asked", "asks": ("skip",)}
        both = {"verdict": "asked", "asks": ("skip", "footer")}
        out += [
            office(f"a padded title, {called}", [pad(title), *body], **asked),
            office(
                f"a padded title and a blank row, {called}", [pad(title), blank, *body], **asked
            ),
            office(f"two padded titles, {called}", [pad(title), pad(under), *body], **asked),
            office(
                f"titles, blanks and a unit, {called}",
                [pad(title), pad(under), blank, blank, *body],
                **asked,
            ),
            office(f"a title that is not padded, {called}", [title, "", *body], **asked),
            office(
                f"a padded note, {called}", [*body, pad(note)], verdict="asked", asks=("footer",)
            ),
            office(
                f"a blank row and padded notes, {called}",
                [*body, blank, pad(note), pad("1 Preliminary")],
                verdict="asked",
                asks=("footer",),
            ),
            office(
                f"a note that is not padded, {called}",
                [*body, "", note],
                verdict="asked",
                asks=("footer",),
            ),
            office(
                f"title and notes, {called}",
                [pad(title), blank, *body, blank, pad("(1) Estimates."), pad(note)],
                **both,
            ),
            office(
                f"title and long notes with commas, {called}",
                [
                    pad("Births, deaths, and rates"),
                    *body,
                    blank,
                    pad("Notes, where they matter, are here."),
                ],
                **both,
            ),
            office(
                f"rows of delimiters after the table, {called}",
                [*body, blank, blank, blank],
                says="without any value",
            ),
            office(
                f"rows of delimiters between, {called}",
                [*body[:3], blank, *body[3:]],
                verdict="asked",
                asks=("blank",),
            ),
            office(
                f"a title over two cells, {called}",
                [sep.join(("Report", "2020", "", "")), blank, *body],
                **asked,
            ),
        ]
    return out


def headers() -> list[Nasty]:
    """A header that is longer or shorter by one than the rows."""
    out = []
    for called, sep in SIGNS:
        rows = [f"{w}{sep}{i + 20}{sep}{i}.5" for i, w in enumerate(REGIONS)]
        cells = {(0, "age"): 20, (0, "pay"): 0.5, (4, "name"): "Isles"}
        out += [
            words(
                f"a header one longer with a blank end, {called}",
                f"name{sep}age{sep}pay{sep}\n" + "\n".join(rows) + "\n",
                5,
                "name|age|pay",
                cells,
            ),
            words(
                f"a header one longer with a name, {called}",
                f"name{sep}age{sep}pay{sep}extra\n" + "\n".join(rows) + "\n",
                5,
                "name|age|pay",
                cells,
                verdict="asked",
                asks=("header",),
            ),
            words(
                f"a header two longer, {called}",
                f"name{sep}age{sep}pay{sep}x{sep}y\n" + "\n".join(rows) + "\n",
                5,
                "name|age|pay",
                cells,
                verdict="asked",
                asks=("header",),
            ),
            words(
                f"a header one shorter over numbered rows, {called}",
                f"name{sep}age{sep}pay\n"
                + "\n".join(f"{i}{sep}{r}" for i, r in enumerate(rows))
                + "\n",
                5,
                "Unnamed: 0|name|age|pay",
                cells,
                verdict="asked",
                asks=("header",),
            ),
            words(
                f"rows with an empty last value, {called}",
                f"name{sep}age{sep}pay\n" + "\n".join(r + sep for r in rows) + "\n",
                5,
                "name|age|pay",
                cells,
            ),
            words(
                f"rows with a value beyond the names, {called}",
                f"name{sep}age{sep}pay\n"
                + "\n".join(f"{r}{sep}note {i}" for i, r in enumerate(rows))
                + "\n",
                5,
                "name|age|pay|Unnamed: 3",
                cells,
                verdict="asked",
                asks=("header",),
            ),
        ]
    return out


def quotes() -> list[Nasty]:
    """A quote that is opened and not closed swallows what comes after it."""
    out = []
    for called, sep in SIGNS:
        rows = [f"{i}{sep}w{i}{sep}{i * 2}" for i in range(30)]
        head = f"id{sep}word{sep}n"

        def told(lines: list[str], head: str = head) -> str:
            return "\n".join((head, *lines)) + "\n"

        swallow = [*rows]
        swallow[5] = f'5{sep}"w5{sep}10'
        swallow[9] = f'9{sep}w9"{sep}18'
        alone = [*rows]
        alone[12] = f'12{sep}"w12{sep}24'
        ends = [*rows]
        ends[12] = f'12{sep}w12"{sep}24'
        lone = [*rows]
        lone[12] = f'12{sep}"{sep}24'
        pair = [*rows]
        pair[5], pair[9] = f'5{sep}"{sep}10', f'9{sep}"{sep}18'
        last = [*rows]
        last[29] = f'29{sep}w29{sep}"58'
        out += [
            words(
                f"a quote that swallows rows, {called}",
                told(swallow),
                30,
                "id|word|n",
                {(29, "n"): 58, (7, "word"): "w7"},
                verdict="asked",
                repaired=(7,),
            ),
            words(
                f"a quote that is never closed, {called}",
                told(alone),
                30,
                "id|word|n",
                {(29, "n"): 58},
                verdict="asked",
                repaired=(14,),
            ),
            words(
                f"a quote at the end of a value, {called}",
                told(ends),
                30,
                "id|word|n",
                {(12, "word"): 'w12"'},
            ),
            words(
                f"a quote that is a value, {called}",
                told(lone),
                30,
                "id|word|n",
                {(29, "n"): 58},
                verdict="asked",
                repaired=(14,),
            ),
            words(
                f"two quotes that are values, {called}",
                told(pair),
                30,
                "id|word|n",
                {(29, "n"): 58, (7, "word"): "w7"},
                verdict="asked",
                repaired=(7, 11),
            ),
            words(
                f"a quote never closed in the last row, {called}",
                told(last),
                30,
                "id|word|n",
                {(28, "n"): "56"},
                verdict="asked",
                repaired=(31,),
            ),
            words(
                f"quotes that close in the last value of the row, {called}",
                told([f'{i}{sep}"a\nb"{sep}{i}' for i in range(8)]),
                8,
                "id|word|n",
                {(0, "word"): "a\nb"},
            ),
        ]
    return out


def comments() -> list[Nasty]:
    """Comments, and names that begin as they do."""
    out = []
    for called, sep in SIGNS:
        rows = [f"chr{1 + i % 3}{sep}{100 + i}{sep}{i}.5" for i in range(12)]
        body = "\n".join(rows) + "\n"
        names, cells = "chrom|pos|qual", {(0, "chrom"): "chr1", (11, "pos"): 111, (0, "qual"): 0.5}
        head = f"chrom{sep}pos{sep}qual\n"
        out += [
            words(
                f"comments above, {called}",
                "# made by a tool\n# version 2\n" + head + body,
                12,
                names,
                cells,
                says="comment",
            ),
            words(
                f"one comment above, {called}",
                "# made by a tool\n" + head + body,
                12,
                names,
                cells,
                verdict="any",
            ),
            words(
                f"a name with a hash under two hashes, {called}",
                f"##format=4\n##source=tool, v2\n#chrom{sep}pos{sep}qual\n" + body,
                12,
                "#chrom|pos|qual",
                {(0, "#chrom"): "chr1", (11, "pos"): 111},
                says="comment",
            ),
            words(
                f"a name with two hashes under comments, {called}",
                f"# made by a tool\n# version 2\n##chrom{sep}pos{sep}qual\n" + body,
                12,
                "##chrom|pos|qual",
                {(0, "##chrom"): "chr1", (11, "pos"): 111},
                says="comment",
            ),
            words(
                f"a name with a hash under comments, {called}",
                f"# made by a tool\n# version 2\n#chrom{sep}pos{sep}qual\n" + body,
                12,
                "#chrom|pos|qual",
                {(0, "#chrom"): "chr1", (11, "pos"): 111},
                says="comment",
            ),
            words(
                f"comments between, {called}",
                head + rows[0] + "\n# half way\n" + body,
                13,
                names,
                {(12, "pos"): 111},
                says="comment",
            ),
            words(
                f"percent signs above, {called}",
                "% made by a tool\n% version 2\n" + head + body,
                12,
                names,
                cells,
                says="comment",
            ),
        ]
    return out


def numbers_that_are_names() -> list[Nasty]:
    """Telephone numbers and other signed digit strings of a fixed length."""
    out = []
    for called, sep in SIGNS:
        phones = [f"+316{12345678 + 7919 * i}" for i in range(12)]
        out += [
            words(
                f"telephone numbers, {called}",
                f"who{sep}phone\n" + "".join(f"p{i}{sep}{p}\n" for i, p in enumerate(phones)),
                12,
                "who|phone",
                {(0, "phone"): "+31612345678", (11, "phone"): phones[11]},
                kinds={"phone": "words"},
            ),
            words(
                f"telephone numbers of several lengths, {called}",
                f"who{sep}phone\n"
                + "".join(
                    f"p{i}{sep}+{31 + i}{20_345_678 * 10 ** (i % 3) + i}\n" for i in range(12)
                ),
                12,
                "who|phone",
                {(0, "phone"): "+3120345678"},
                kinds={"phone": "words"},
            ),
            words(
                f"a telephone number after numbers, {called}",
                f"who{sep}phone\n"
                + "".join(f"p{i}{sep}{612345678 + i}\n" for i in range(9))
                + f"z{sep}+31612345678\n",
                10,
                "who|phone",
                {(0, "phone"): "612345678", (9, "phone"): "+31612345678"},
                kinds={"phone": "words"},
            ),
            words(
                f"telephone numbers with two zeros, {called}",
                f"who{sep}phone\n" + "".join(f"p{i}{sep}00316{12345678 + i}\n" for i in range(9)),
                9,
                "who|phone",
                {(0, "phone"): "0031612345678"},
                kinds={"phone": "words"},
            ),
            words(
                f"changes with a plus, {called}",
                f"who{sep}change\na{sep}+5\nb{sep}-12\nc{sep}+130\nd{sep}0\n",
                4,
                "who|change",
                {(0, "change"): 5, (1, "change"): -12},
            ),
            words(
                f"large changes with a plus, {called}",
                f"who{sep}change\na{sep}+5000000\nb{sep}-1200000\nc{sep}+1300000\n",
                3,
                "who|change",
                {(0, "change"): 5000000},
            ),
            words(
                f"tenths with a plus, {called}",
                f"who{sep}change\na{sep}+5.25\nb{sep}-1.5\nc{sep}+1.75\n",
                3,
                "who|change",
                {(0, "change"): 5.25},
            ),
        ]
    out.append(
        words(
            "telephone numbers after a million bytes",
            "who,phone\n"
            + "".join(f"p{i},{612345678 + i}\n" for i in range(60_000))
            + "z,+31612345678\n",
            60_001,
            "who|phone",
            {(0, "phone"): "612345678", (-1, "phone"): "+31612345678"},
            kinds={"phone": "words"},
        )
    )
    return out


def nested() -> list[Nasty]:
    """JSON that holds its table somewhere inside."""
    rows = [dict(zip(NAMES, row, strict=True)) for row in PEOPLE]
    asked = {"verdict": "asked", "asks": ("part",)}
    return [
        people(
            "a table beside what is said of it",
            json.dumps({"meta": {"n": 6}, "data": rows}),
            **asked,
        ),
        people(
            "the same over several lines",
            json.dumps({"meta": {"n": 6}, "data": rows}, indent=2),
            **asked,
        ),
        people(
            "a table two levels down",
            json.dumps({"ok": True, "result": {"total": 6, "records": rows}}),
            **asked,
        ),
        people("two tables", json.dumps({"people": rows, "other": [{"x": 1}]}), **asked),
        people("a table alone in an object", json.dumps({"data": rows}), **asked),
        words(
            "one object that is a row",
            json.dumps({"name": "Ann", "age": 31}),
            1,
            "name|age",
            {(0, "age"): 31},
        ),
        words(
            "objects with lists inside, a line each",
            "\n".join(json.dumps({"id": i, "tags": [{"t": 1}]}) for i in range(4)) + "\n",
            4,
            "id|tags",
            {(3, "id"): 3},
        ),
    ]


def merged() -> list[Nasty]:
    """Workbooks whose header takes two rows, with cells that are merged."""
    top = ["Region", "Births", None, "Deaths", None]
    below = [None, "2019", "2020", "2019", "2020"]
    body = [[r, 10 + i, 20 + i, 30 + i, 40 + i] for i, r in enumerate(REGIONS)]
    names = "Region|Births 2019|Births 2020|Deaths 2019|Deaths 2020"
    cells = {(0, "Births 2019"): 10, (4, "Deaths 2020"): 44, (0, "Region"): "North"}
    numbers = [None, 2019, 2020, 2019, 2020]
    return [
        words(
            "a header of two rows",
            workbook(S=[top, below, *body]),
            5,
            names,
            cells,
            verdict="asked",
            asks=("header",),
        ),
        words(
            "a header of two rows, years as numbers",
            workbook(S=[top, numbers, *body]),
            5,
            names,
            cells,
            verdict="asked",
            asks=("header",),
        ),
        words(
            "a header of two rows below a title",
            workbook(S=[["Births and deaths"], [], top, below, *body]),
            5,
            names,
            cells,
            verdict="asked",
            asks=("skip", "header"),
        ),
        words(
            "a header of two rows in a text",
            "\n".join(
                ",".join("" if c is None else str(c) for c in row) for row in [top, below, *body]
            )
            + "\n",
            5,
            names,
            cells,
            verdict="asked",
            asks=("header",),
        ),
        people(
            "a padded title in a workbook",
            workbook(S=[["Title"], [None], [*NAMES], *map(list, PEOPLE)]),
            verdict="asked",
            asks=("skip",),
        ),
        people(
            "a note in a workbook",
            workbook(S=[[*NAMES], *map(list, PEOPLE), [], ["Source: the office"]]),
            verdict="asked",
            asks=("footer",),
        ),
    ]


WILD: list[Nasty] = [
    *clean(),
    *titles(),
    *headers(),
    *quotes(),
    *comments(),
    *numbers_that_are_names(),
    *nested(),
    *merged(),
]
CLEAN = frozenset(n.name for n in clean() if n.verdict == "certain")
assert text
