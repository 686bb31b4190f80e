"""Reports: what the pages of a session show, in one HTML file that needs no network, or as pages of
a PDF. Equal reports are equal byte for byte: there is no clock in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dpstudio import __version__
from dpstudio.data.codebook import TYPES, About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.files.write import a4, html_page
from dpstudio.files.write.citation import Source, cited_by
from dpstudio.files.write.export import caption, made_with, metadata
from dpstudio.files.write.handout import CHART, Played, inline, inside
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.files.write.svg_text import escaped
from dpstudio.files.write.tabular import is_number, table_words
from dpstudio.labs import Lab
from dpstudio.values.dates import date_text
from dpstudio.values.messages import N_, Num, Translate, cited, joint, render, say, unchanged

Rows = tuple[tuple[str, ...], ...]
_MOST = 60  # rows of a table; the rest stands in its CSV


@dataclass(frozen=True)
class Grid:
    """Words in columns below their heads; `more` rows are left out."""

    title: str
    heads: tuple[str, ...]
    rows: Rows
    more: int = 0


@dataclass(frozen=True)
class Section:
    """One page: how it is set, its sentences and warnings, its numbers, each chart as SVG text with
    what stands below it, its tables, and what it cites. Of one that `stays`, why, and no more."""

    title: str
    made: str = ""
    headline: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    facts: Rows = ()
    charts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    grids: tuple[Grid, ...] = ()
    cites: tuple[Source, ...] = ()
    stays: str = ""


@dataclass(frozen=True)
class Report:
    """Pages, and the table that they are of; `exact` where one may show what its rows hold."""

    title: str
    table: Rows
    columns: Grid
    sections: tuple[Section, ...]
    exact: bool = False

    @property
    def cites(self) -> tuple[Source, ...]:
        """All that the pages cite, each once, by the alphabet."""
        found = {one.key: one for section in self.sections for one in section.cites}
        return tuple(sorted(found.values(), key=lambda one: one.said))

    @property
    def bibtex(self) -> str:
        """The same as BibTeX."""
        return "".join(f"{one.bibtex}\n\n" for one in self.cites)


def section_of(lab: Lab, played: Played, translate: Translate = unchanged) -> Section:
    """A page that was worked out."""
    lab, data, found = played.lab, played.data, played.findings
    said = {one.key: render(one.say, translate) for one in found.sentences}
    charts = []
    for figure in found.figures:
        look: dict[str, Any] = {"translate": translate, "metadata": metadata(figure, lab, data)}
        svg = figure_svg(figure, palette(False, printed=True), a4.ROOM, CHART, **look)
        below = caption(figure, lab, data, translate, titled=True), cited(figure.source, translate)
        charts.append((svg, tuple(line for line in below if line)))
    grids = []
    for table in found.tables:
        if table.shown and not table.rows:
            heads, rows = table_words(table, (), translate)
            kept, title = tuple(map(tuple, rows[:_MOST])), render(table.title, translate)
            grids.append(Grid(title, tuple(heads), kept, len(rows) - len(kept)))
    return Section(
        translate(lab.label),
        made_with(lab, data, translate),
        tuple(said[key] for key in found.headline if key in said),
        tuple(text for key, text in said.items() if key not in found.headline),
        tuple(render(problem.say, translate) for problem in found.problems),
        tuple(_fact(fact, translate) for fact in found.facts),
        tuple(charts),
        tuple(grids),
        tuple(cited_by(lab, found)),
    )


def _fact(fact: Any, translate: Translate) -> tuple[str, ...]:
    return tuple(render(each, translate) for each in (fact.label, fact.text, fact.note))


def about_table(
    name: str, book: Codebook, data: Dataset | None, translate: Translate = unchanged
) -> Rows:
    """A table without its rows: what is known of it, and whose rows are one person's; with what is
    exact of `data`, where that is given."""
    person = say("Nobody told: each row is taken as one person.")
    if book.each_row:
        person = say("Each row is one person.")
    if book.person:
        text = N_("At most {m} {m:row|rows} of each “{person}”.")
        person = say(text, m=Num(book.most), person=book.person)
    told = {N_("Table"): name, N_("Who is a person"): render(person, translate)}
    if data is not None:
        told |= {N_("Rows"): str(Num(data.whole.rows)), _mark(data): data.digest}
    return tuple((translate(label), text) for label, text in told.items() if text)


def _mark(data: Dataset) -> str:
    """What its digest is of: the bytes of a file, or what a database tells of a table's state."""
    return "SHA-256" if data.asked is None else N_("Snapshot, not of the rows")


def about_columns(book: Codebook, data: Dataset | None, translate: Translate = unchanged) -> Grid:
    """The columns of a table, what each holds, and what is known of it from outside; of a table
    that is not given those of which somebody told something."""
    types = {info.name: info.type for info in data.columns} if data is not None else {}
    names = list(types) or [name for name, _ in book.columns]
    rows = []
    for name in names:
        about = book.about(name)
        holds = about.holds or types.get(name, "")
        known, source = _known(about), about.source or translate(N_("no source named"))
        if not about.attested:
            source = translate(N_("no: for looking only")) if known else ""
        rows.append((name, translate(TYPES.get(holds, holds)), known, source))
    heads = N_("Column"), N_("Holds"), N_("Bounds or words"), N_("Known from outside")
    return Grid(translate(N_("Columns")), tuple(map(translate, heads)), tuple(rows))


def _known(about: About) -> str:
    shown = date_text if about.type == "date" else lambda value: str(Num(value, 12))
    ends = [shown(end) if end is not None else "…" for end in (about.low, about.high)]
    bounds = " – ".join(ends) if (about.low, about.high) != (None, None) else ""
    return bounds or ", ".join(about.categories)


_WORDS = {
    "cites": N_("References"),
    "rows": N_("No row of the table is in this report."),
    "exact": N_(
        "Exact answers are in this report, and no list of rows: it is for those who may see the "
        "table."
    ),
    "stays": N_("Not in this report:"),
}
_STYLE = """
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .85rem; }
td, th { padding: .15rem .6rem .15rem 0; border-bottom: 1px solid #eeedea; text-align: left;
         vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
th, .made { color: #5c6066; } .n { text-align: right; font-variant-numeric: tabular-nums; }
.first { font-weight: 600; } .made { font-size: .8rem; }
"""


def report_html(report: Report, language: str = "en", translate: Translate = unchanged) -> str:
    """The report as one HTML file."""
    words = {name: escaped(translate(text)) for name, text in _WORDS.items()}
    words["gap"] = joint(translate)
    parts = [f"{_rows(report.table)}{_grid(report.columns)}"]
    for number, one in enumerate(report.sections, 1):
        parts.append("".join(_drawn(number, one, words)))
    if report.cites:
        items = "".join(f"<li>{escaped(one.said)}</li>" for one in report.cites)
        parts.append(f"<h2>{words['cites']}</h2>\n<ul>{items}</ul>")
    body = "\n".join(f"<section>{part}</section>" for part in parts)
    made = escaped(render(say("Made with dpstudio {version}.", version=__version__), translate))
    foot = f"{words['exact' if report.exact else 'rows']}{words['gap']}{made}"
    return html_page.page(report.title, body, foot, language, _STYLE)


def _drawn(number: int, one: Section, words: dict[str, str]) -> Iterator[str]:
    yield f"<h2>{number} · {escaped(one.title)}</h2>\n"
    if one.stays:
        yield f"<p>{words['stays']}{words['gap']}{escaped(one.stays)}</p>"
        return
    yield from (f'<p class="first">{escaped(line)}</p>' for line in one.headline)
    yield from (f"<p>{escaped(line)}</p>" for line in one.warnings)
    yield _rows(one.facts)
    for place, (svg, below) in enumerate(one.charts):
        lines = "<br>".join(map(escaped, below))
        drawn = inline(svg, f"{number}-{place}")
        yield f"<figure>{drawn}\n<figcaption>{lines}</figcaption></figure>\n"
    yield from (f"<p>{escaped(line)}</p>" for line in one.words)
    yield from map(_grid, one.grids)
    yield f'<p class="made">{escaped(one.made)}</p>'


def _rows(rows: Rows) -> str:
    lines = ("".join(f"<td>{escaped(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>{body}</table>\n" if rows else ""


def _grid(grid: Grid) -> str:
    if not grid.rows:
        return ""
    right = _right(grid)
    sides = [' class="n"' if side else "" for side in right]
    heads, *rows = (
        "".join(
            f"<{tag}{side}>{escaped(cell)}</{tag}>" for side, cell in zip(sides, row, strict=True)
        )
        for tag, row in (("th", grid.heads), *(("td", row) for row in grid.rows))
    )
    body = "".join(f"<tr>{row}</tr>" for row in (heads, *rows))
    more = f"<p>{escaped(_more(grid))}</p>" if grid.more else ""
    return f"<h3>{escaped(grid.title)}</h3>\n<table>{body}</table>\n{more}"


def _right(grid: Grid) -> list[bool]:
    """Which columns are of numbers, and stand right."""
    return [all(map(is_number, column)) for column in zip(*grid.rows, strict=True)]


def _more(grid: Grid, translate: Translate = unchanged) -> str:
    return render(say("{n:# row more|# rows more}", n=Num(grid.more)), translate)


# Pages of paper

_SPACE: a4.Block = [], a4.SMALL


def report_pages(report: Report, translate: Translate = unchanged) -> Iterator[str]:
    """The same as pages of A4, each an SVG text."""
    words = {name: translate(text) for name, text in _WORDS.items()} | {"gap": joint(translate)}
    blocks = [a4.head(report.title, words["exact" if report.exact else "rows"])]
    blocks += [a4.row(label, told) for label, told in report.table]
    blocks += _grid_blocks(report.columns, translate)
    for number, one in enumerate(report.sections, 1):
        blocks += [([], a4.GAP), *_section_blocks(number, one, words, translate)]
    if report.cites:
        blocks += [([], a4.GAP), a4.lines(words["cites"], a4.TITLE, "text", 600)]
        blocks += [a4.lines(one.said, a4.SMALL, "text") for one in report.cites]
    pages = a4.flow(blocks)
    for number, page in enumerate(pages, 1):
        named = {"name": report.title, "n": Num(number), "count": Num(len(pages))}
        yield a4.page(page, render(say("{name} · {n} of {count}", **named), translate), 0.0)


def _section_blocks(
    number: int, one: Section, words: dict[str, str], translate: Translate
) -> Iterator[a4.Block]:
    first = [a4.lines(f"{number} · {one.title}", a4.TITLE, "text", 600)]
    if one.stays:
        stays = words["gap"].join((words["stays"], one.stays))
        yield a4.joined([*first, a4.lines(stays, a4.TEXT, "text")])
        return
    first += [a4.lines(line, a4.TEXT, "text", 500) for line in one.headline]
    yield a4.joined([*first, _SPACE])
    yield from (a4.lines(line, a4.TEXT, "text") for line in one.warnings)
    for label, *told in one.facts:
        yield a4.row(label, " · ".join(filter(None, told)))
    for svg, below in one.charts:
        drawn: a4.Block = ([inside(svg)], CHART)
        lines = [a4.lines(line, a4.SMALL, "muted") for line in below]
        yield a4.joined([_SPACE, drawn, *lines, _SPACE])
    yield from (a4.lines(line, a4.TEXT, "text") for line in one.words)
    for grid in one.grids:
        yield from _grid_blocks(grid, translate)
    yield a4.lines(one.made, a4.SMALL, "muted")


def _grid_blocks(grid: Grid, translate: Translate) -> Sequence[a4.Block]:
    if not grid.rows:
        return ()
    title, rows = (
        a4.lines(grid.title, a4.TEXT, "text", 600),
        a4.grid((grid.heads, *grid.rows), _right(grid)),
    )
    more = [a4.lines(_more(grid, translate), a4.SMALL, "muted")] if grid.more else []
    return [a4.joined([_SPACE, title, *rows[:2]]), *rows[2:], *more, _SPACE]
